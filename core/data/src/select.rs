//! Finding a value by the names that people use: `counters/heth/strength`.
//!
//! A path begins with a file. Each step after it is the name of a field or of an entry: of a list, the entry whose
//! `id`, `name` or other word it is. What stands between may be left out as long as only one thing can be
//! meant: `counters/heth/strength` passes the list `counters`, the end of the id `cs-heth` and `values`. Further steps:
//! `#3` is the third entry, `*` are all, `side=us` are those with that field, `under=us-xi` those that stand
//! for troops under that node of the army list. A step with a slash in it stands in single quotes.

use crate::nearest;
use crate::tree::{Entry, Node, What};
use std::fmt;
use std::ops::Range;

/// How many levels may be left out between two steps.
const THROUGH: usize = 3;

/// How many names a message lists.
const LISTED: usize = 12;

/// Whether an entry stands for troops under a node of the army list.
pub type Under<'a> = &'a dyn Fn(&str, &Node) -> bool;

/// A path in steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The file it begins with, without its ending.
    pub file: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Nth(usize),
    All,
    Where { key: String, value: String },
}

/// A value that a path leads to.
#[derive(Clone, Debug)]
pub struct Found<'t> {
    /// The value, with its origin if it has one beside it.
    pub node: &'t Node,
    /// The names on the way, the file's left out.
    pub crumbs: Vec<String>,
    /// What it stands in, outermost first.
    pub within: Vec<&'t Node>,
    /// The whole entry, with its name and the comma behind it.
    pub whole: Range<usize>,
}

/// A path that leads nowhere, or to several things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// What is wrong.
    pub message: String,
    /// What may have been meant.
    pub hint: Option<String>,
}

impl Path {
    /// Reads a path.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Path, String> {
        let mut parts = parts(text)?.into_iter();
        let file = parts.next().unwrap_or_default();
        if file.is_empty() {
            return Err("expected a path such as \"counters/heth/strength\"".to_owned());
        }
        let steps = parts.map(step).collect::<Result<_, _>>()?;
        Ok(Path { file, steps })
    }

    /// The values that it leads to in a text: one, or as many as `*` and `key=value` select.
    ///
    /// # Errors
    /// Where it leads nowhere, or could lead to several things; with the nearest name.
    pub fn find<'t>(
        &self,
        root: &'t Node,
        text: &str,
        under: Under<'_>,
    ) -> Result<Vec<Found<'t>>, Lost> {
        let finder = Finder {
            text,
            under,
            file: &self.file,
        };
        let mut places = vec![Found {
            node: root,
            crumbs: vec![],
            within: vec![],
            whole: root.span.clone(),
        }];
        let mut many = false;
        for step in &self.steps {
            let mut next = vec![];
            let mut first_lost = None;
            for place in &places {
                match finder.step(place, step) {
                    Ok(found) => next.extend(found),
                    // Of many, those that have no such thing are not meant.
                    Err(lost) if many => drop(first_lost.get_or_insert(lost)),
                    Err(lost) => return Err(lost),
                }
            }
            many |= matches!(step, Step::All | Step::Where { .. });
            if let (true, Some(lost)) = (next.is_empty(), first_lost) {
                return Err(lost);
            }
            places = next;
        }
        Ok(places)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        for step in &self.steps {
            match step {
                Step::Name(name) if name.contains('/') => write!(f, "/'{name}'")?,
                Step::Name(name) => write!(f, "/{name}")?,
                Step::Nth(n) => write!(f, "/#{n}")?,
                Step::All => f.write_str("/*")?,
                Step::Where { key, value } => write!(f, "/{key}={value}")?,
            }
        }
        Ok(())
    }
}

/// Cuts at slashes that do not stand in single quotes.
fn parts(text: &str) -> Result<Vec<String>, String> {
    let (mut parts, mut part, mut quoted) = (vec![], String::new(), false);
    for letter in text.chars() {
        match letter {
            '\'' if quoted || part.is_empty() => quoted = !quoted,
            '/' if !quoted => parts.push(std::mem::take(&mut part)),
            letter => part.push(letter),
        }
    }
    if quoted {
        return Err("a quote ' that is not closed".to_owned());
    }
    parts.push(part);
    match parts.iter().position(String::is_empty) {
        Some(_) => Err("a step with nothing in it".to_owned()),
        None => Ok(parts),
    }
}

fn step(part: String) -> Result<Step, String> {
    if part == "*" {
        return Ok(Step::All);
    }
    if let Some(nth) = part.strip_prefix('#') {
        let nth = nth.parse().ok().filter(|nth| *nth > 0);
        let nth = nth.ok_or_else(|| format!("\"{part}\": expected a number from 1 behind #"))?;
        return Ok(Step::Nth(nth));
    }
    Ok(match part.split_once('=') {
        Some((key, value)) if !key.is_empty() => Step::Where {
            key: key.to_owned(),
            value: value.to_owned(),
        },
        _ => Step::Name(part),
    })
}

impl Found<'_> {
    /// Its path in short: what can be left out is.
    #[must_use]
    pub fn path(&self, file: &str) -> String {
        let mut path = file.to_owned();
        for (i, crumb) in self.crumbs.iter().enumerate() {
            let inside = self.within.get(i + 1);
            let by_id = i == 0
                && self.crumbs.len() > 1
                && inside.is_some_and(|list| {
                    let mut entries = list.entries().iter();
                    entries.all(|entry| entry.key.is_empty() && entry.node.get("id").is_some())
                });
            let passed = by_id || (crumb == "values" && i + 1 < self.crumbs.len());
            if !passed {
                path.push('/');
                match crumb.contains('/') {
                    true => path.push_str(&format!("'{crumb}'")),
                    false => path.push_str(crumb),
                }
            }
        }
        path
    }
}

/// What people call an entry of a list: its id, its name, its first word, or its number.
pub(crate) fn call(entries: &[Entry], index: usize, text: &str) -> String {
    let Some(node) = entries.get(index).map(|entry| &entry.node) else {
        return String::new();
    };
    let nth = || format!("#{}", index + 1);
    let first = |node: &Node| first_word(node, text);
    let Some(name) = first(node).filter(|name| !name.is_empty()) else {
        return nth();
    };
    let same = entries
        .iter()
        .filter(|entry| first(&entry.node).as_deref() == Some(&*name));
    if same.count() == 1 { name } else { nth() }
}

/// The id or the name of an entry, or else its first word.
fn first_word(node: &Node, text: &str) -> Option<String> {
    let plain = node.sourced().map(|(value, _)| value);
    if let Some(value) = plain.filter(|value| value.what == What::Plain) {
        return value.word(text).map(|word| word.into_owned());
    }
    let node = node.value();
    let own = ["id", "name"].into_iter().find_map(|key| node.get(key));
    let node = own.or_else(|| node.entries().first().map(|entry| &entry.node))?;
    node.value().word(text).map(|word| word.into_owned())
}

struct Finder<'a> {
    text: &'a str,
    under: Under<'a>,
    file: &'a str,
}

impl Finder<'_> {
    fn step<'t>(&self, place: &Found<'t>, step: &Step) -> Result<Vec<Found<'t>>, Lost> {
        match step {
            Step::Name(name) => self.called(place, name).map(|found| vec![found]),
            Step::Nth(n) => {
                let found = self.children(place).into_iter().nth(n - 1);
                found.map(|found| vec![found]).ok_or_else(|| {
                    let count = place.node.value().entries().len();
                    let message = format!("no #{n} in {}: it has {count}", place.path(self.file));
                    Lost {
                        message,
                        hint: None,
                    }
                })
            }
            Step::All => Ok(self.elements(place)),
            Step::Where { key, value } => self.chosen(place, key, value),
        }
    }

    /// What stands in a place, its origin passed over.
    fn children<'t>(&self, place: &Found<'t>) -> Vec<Found<'t>> {
        let node = place.node.value();
        let entries = node.entries();
        let mut within = place.within.clone();
        within.push(node);
        let child = |(i, entry): (usize, &'t Entry)| {
            let mut crumbs = place.crumbs.clone();
            crumbs.push(match entry.key.as_str() {
                "" => call(entries, i, self.text),
                key => key.to_owned(),
            });
            Found {
                node: &entry.node,
                crumbs,
                within: within.clone(),
                whole: entry.whole.clone(),
            }
        };
        entries.iter().enumerate().map(child).collect()
    }

    /// The entries of a list, or those of all lists in a struct, or else its fields.
    fn elements<'t>(&self, place: &Found<'t>) -> Vec<Found<'t>> {
        let inside = self.children(place);
        if !matches!(place.node.value().what, What::Named(_)) {
            return inside;
        }
        let is_list = |found: &&Found| {
            found.node.sourced().is_none()
                && found.node.tag.is_none()
                && matches!(&found.node.what, What::Listed(entries)
                    if entries.iter().any(|entry| !entry.node.entries().is_empty()))
        };
        let lists: Vec<&Found> = inside.iter().filter(is_list).collect();
        if lists.is_empty() {
            return inside;
        }
        let lists = lists.into_iter();
        lists.flat_map(|list| self.children(list)).collect()
    }

    fn chosen<'t>(
        &self,
        place: &Found<'t>,
        key: &str,
        value: &str,
    ) -> Result<Vec<Found<'t>>, Lost> {
        let all = self.elements(place);
        let field = |found: &Found<'t>| {
            let node = found.node.value();
            let inside = || node.get("values").and_then(|values| values.get(key));
            node.get(key).or_else(inside).map(Node::value)
        };
        let army = key == "under" && all.iter().all(|found| field(found).is_none());
        let fits = |found: &&Found<'t>| match army {
            true => (self.under)(value, found.node.value()),
            false => {
                field(found)
                    .and_then(|node| node.word(self.text))
                    .as_deref()
                    == Some(value)
            }
        };
        let found: Vec<Found<'t>> = all.iter().filter(fits).cloned().collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let message = format!("nothing in {} has {key}={value}", place.path(self.file));
        let values = all.iter().filter_map(field);
        let values: Vec<String> = values
            .filter_map(|node| Some(node.word(self.text)?.into_owned()))
            .collect();
        Err(Lost {
            message,
            hint: hint(value, &values),
        })
    }

    /// The one thing of this name in a place, or in what stands in it.
    fn called<'t>(&self, place: &Found<'t>, name: &str) -> Result<Found<'t>, Lost> {
        let mut level = vec![place.clone()];
        let mut known = vec![];
        for depth in 0..=THROUGH {
            let inside: Vec<Found> = level
                .iter()
                .flat_map(|place| self.children(place))
                .collect();
            let ranked = inside.iter().filter_map(|found| {
                let rank = self.rank(found, name)?;
                (depth == 0 || rank < FIRST_WORD).then_some((rank, found))
            });
            let ranked: Vec<(u8, &Found)> = ranked.collect();
            if let Some(best) = ranked.iter().map(|(rank, _)| *rank).min() {
                let best: Vec<&Found> = ranked
                    .into_iter()
                    .filter_map(|(rank, found)| (rank == best).then_some(found))
                    .collect();
                return match best.as_slice() {
                    [one] => Ok((*one).clone()),
                    several => Err(self.ambiguous(name, place, several)),
                };
            }
            known.extend(
                inside
                    .iter()
                    .filter_map(|found| found.crumbs.last().cloned()),
            );
            level = inside;
            level.retain(|found| !found.node.entries().is_empty());
        }
        let short = |name: &String| name.rsplit('-').next().map(str::to_owned);
        let near = hint(name, &known).filter(|near| near.starts_with("did"));
        let ends: Vec<String> = known.iter().filter_map(short).collect();
        let hint = near.or_else(|| hint(name, &ends).filter(|near| near.starts_with("did")));
        Err(Lost {
            message: format!("no \"{name}\" in {}", place.path(self.file)),
            hint: hint.or_else(|| self::hint(name, &self.names(place))),
        })
    }

    /// What stands in a place by the names that people would use: the ratings of a counter first, and not `values`, which
    /// nobody needs to say.
    fn names(&self, place: &Found) -> Vec<String> {
        let last = |found: Found| found.crumbs.last().cloned();
        let here = self.children(place).into_iter();
        let (values, plain): (Vec<Found>, Vec<Found>) = here.partition(|found| {
            let passed = found.crumbs.last().is_some_and(|key| key == "values");
            passed && !found.node.entries().is_empty()
        });
        let ratings = values.iter().flat_map(|values| self.children(values));
        ratings.chain(plain).filter_map(last).collect()
    }

    fn ambiguous(&self, name: &str, place: &Found, several: &[&Found]) -> Lost {
        let full = |found: &&Found| format!("{}/{}", self.file, found.crumbs.join("/"));
        let all: Vec<String> = several.iter().take(LISTED).map(full).collect();
        Lost {
            message: format!(
                "\"{name}\" in {} could be any of {}",
                place.path(self.file),
                several.len()
            ),
            hint: Some(format!("say which: {}", all.join(", "))),
        }
    }

    /// How well a name fits a thing; the least fits best.
    fn rank(&self, found: &Found, name: &str) -> Option<u8> {
        let list = found.within.last().map(|node| &node.what);
        if matches!(list, Some(What::Named(_))) {
            return (found.crumbs.last().is_some_and(|key| key == name)).then_some(0);
        }
        let node = found.node.value();
        let word = |key: &str| node.get(key).and_then(|node| node.value().word(self.text));
        let is = |text: &str| text.eq_ignore_ascii_case(name);
        if word("id").is_some_and(|id| id == name) {
            return Some(0);
        }
        if word("name").is_some_and(|word| is(&word)) {
            return Some(1);
        }
        let ends = |id: &str| {
            id.strip_suffix(name)
                .is_some_and(|rest| rest.ends_with('-'))
        };
        if word("id").is_some_and(|id| ends(&id)) {
            return Some(2);
        }
        if first_word(found.node, self.text).is_some_and(|word| is(&word)) {
            return Some(FIRST_WORD);
        }
        let plain = |node: &Node| node.value().word(self.text).is_some_and(|word| is(&word));
        let tuple = matches!(node.what, What::Listed(_));
        let mut words = node
            .entries()
            .iter()
            .take(if tuple { 1 } else { usize::MAX });
        let any = plain(node) || words.any(|entry| plain(&entry.node));
        any.then_some(ANY_WORD)
    }
}

/// The rank of an entry that is told only by its first word: what a table's row is called by.
const FIRST_WORD: u8 = 3;

/// The rank of an entry that is told only by one of its other words.
const ANY_WORD: u8 = 4;

fn hint(name: &str, known: &[String]) -> Option<String> {
    if let Some(near) = nearest(name, known.iter().map(String::as_str)) {
        return Some(format!("did you mean \"{near}\"?"));
    }
    let mut each: Vec<&str> = known.iter().map(String::as_str).collect();
    each.dedup();
    match each.len() {
        0 => None,
        few if few <= LISTED => Some(format!("there are {}", each.join(", "))),
        _ => Some(format!("there are {} and more", each[..LISTED].join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Lost, Path};
    use crate::tree::Node;

    const COUNTERS: &str = r#"(
        forces: ["us", "cs"],
        counters: [
            (id: "cs-heth", side: "cs", name: "Heth", values: unit(strength: (3, house("x")), entry: ((turn: "t1", at: "A1"), printed("y")))),
            (id: "us-hill", side: "us", name: "Hill", values: unit(strength: (2, house("x")))),
            (id: "cs-guns", side: "cs", name: "Guns", values: marker(bonus: (1, house("x")))),
        ],
        leaders: [(id: "cs-hill", side: "cs", name: "Hill", values: (range: (1, house("x"))))],
        crt: [(at: -1, rolls: (A, B)), (at: 2, rolls: (C, D))],
        towns: [("14.11", house("x")), ("15.11", house("x"))],
        map: {"a": 1, "b c": 2},
    )"#;

    fn told(path: &str) -> Result<Vec<String>, Lost> {
        let root = Node::parse(COUNTERS).unwrap();
        let path = Path::parse(path).unwrap();
        let under = |node: &str, entry: &Node| {
            let id = entry.get("id").and_then(|id| id.word(COUNTERS));
            id.is_some_and(|id| id.starts_with(node))
        };
        let found = path.find(&root, COUNTERS, &under)?;
        let told = found.iter().map(|found| {
            let value = found.node.value().text(COUNTERS);
            format!("{} = {value}", found.path("counters"))
        });
        Ok(told.collect())
    }

    #[test]
    fn values_are_found_by_the_names_that_people_use() {
        for (path, expected) in [
            ("counters/heth/strength", "counters/cs-heth/strength = 3"),
            (
                "counters/cs-heth/values/strength",
                "counters/cs-heth/strength = 3",
            ),
            ("counters/heth/turn", "counters/cs-heth/entry/turn = \"t1\""),
            ("counters/cs-hill/range", "counters/cs-hill/range = 1"),
            ("counters/crt/2/rolls/#2", "counters/crt/2/rolls/#2 = D"),
            ("counters/crt/-1/rolls/B", "counters/crt/-1/rolls/#2 = B"),
            ("counters/towns/15.11", "counters/towns/15.11 = \"15.11\""),
            ("counters/map/b c", "counters/map/b c = 2"),
        ] {
            assert_eq!(told(path), Ok(vec![expected.to_owned()]), "{path}");
        }
    }

    #[test]
    fn many_are_found_at_once() {
        let all = [
            "counters/cs-heth/strength = 3",
            "counters/us-hill/strength = 2",
        ];
        assert_eq!(told("counters/*/strength").unwrap(), all);
        assert_eq!(told("counters/side=us/strength").unwrap(), all[1..]);
        assert_eq!(told("counters/under=cs/strength").unwrap(), all[..1]);
    }

    #[test]
    fn what_leads_nowhere_is_told_with_the_nearest() {
        for (path, message, hint) in [
            (
                "counters/hteh",
                "no \"hteh\" in counters",
                "did you mean \"heth\"?",
            ),
            (
                "counters/heth/strenght",
                "no \"strenght\" in counters/cs-heth",
                "did you mean \"strength\"?",
            ),
            (
                "counters/heth/movement",
                "no \"movement\" in counters/cs-heth",
                "there are strength, entry, id, side, name",
            ),
            (
                "counters/hill",
                "\"hill\" in counters could be any of 2",
                "say which: counters/counters/us-hill, counters/leaders/cs-hill",
            ),
            (
                "counters/crt/3",
                "no \"3\" in counters/crt",
                "did you mean \"2\"?",
            ),
            (
                "counters/crt/2/rolls/#3",
                "no #3 in counters/crt/2/rolls: it has 2",
                "",
            ),
            (
                "counters/side=su/strength",
                "nothing in counters has side=su",
                "did you mean \"us\"?",
            ),
        ] {
            let lost = told(path).unwrap_err();
            assert_eq!(
                (&*lost.message, lost.hint.as_deref().unwrap_or("")),
                (message, hint)
            );
        }
        for path in ["", "a//b", "a/#0", "a/'b"] {
            assert!(Path::parse(path).is_err(), "{path}");
        }
    }
}
