//! What one change does to the texts of the files.

use super::troops::{Troops, nodes};
use super::{Overlay, Shelf, Touch, Volume};
use crate::variant::Change;
use cupola_data::{Found, Lost, Node, Origin, Path, Problem, Problems, What, Written, plain};
use std::cell::OnceCell;
use std::ops::Range;

/// Another text in the place of one.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub span: Range<usize>,
    pub text: String,
    /// Whether it says something about several values, and two changes may both mean it.
    pub shared: bool,
}

/// One value that changes.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub volume: usize,
    pub overlay: usize,
    pub index: usize,
    /// What becomes of the texts; the first is the value's own.
    pub edits: Vec<Edit>,
    pub touch: Touch,
}

impl Planned {
    pub(super) fn overlaps(&self, other: &Planned) -> bool {
        let own = |planned: &Planned| -> Vec<Range<usize>> {
            let edits = planned.edits.iter().filter(|edit| !edit.shared);
            edits.map(|edit| edit.span.clone()).collect()
        };
        let theirs = own(other);
        own(self)
            .iter()
            .any(|a| theirs.iter().any(|b| a.start < b.end && b.start < a.end))
    }
}

/// A change that is being looked up.
pub(super) struct Plan<'a> {
    pub shelf: &'a Shelf,
    pub trees: &'a [Option<Node>],
    pub troops: &'a Troops,
    pub overlay: &'a Overlay<'a>,
    /// Which overlay of the layer, and which of its changes.
    pub nth: usize,
    pub index: usize,
    /// Where the change stands: the same for all values that it touches.
    pub place: OnceCell<Problem>,
}

/// A value in its file.
struct Target<'a> {
    volume: usize,
    file: &'a Volume,
    found: Found<'a>,
}

impl Target<'_> {
    fn text(&self) -> &str {
        &self.file.source.text
    }

    fn path(&self) -> String {
        self.found.path(&self.file.name)
    }

    fn value(&self) -> &Node {
        self.found.node.value()
    }
}

impl<'a> Plan<'a> {
    /// What the change comes to.
    pub(super) fn of(&self, change: &Change, path: &str) -> Result<Vec<Planned>, Problems> {
        let targets = self.targets(path).map_err(|problem| match change {
            Change::Set { .. } => self.may_be_added(path, problem),
            _ => problem,
        })?;
        if let Change::Scale {
            least: Some(least),
            most: Some(most),
            ..
        } = change
            && least > most
        {
            let message = format!("at least {least} and at most {most}: nothing is both");
            return Err(self.wrong(".least", message).into());
        }
        let mut problems = Problems::default();
        let planned = targets.iter().filter_map(|target| {
            let planned = match change {
                Change::Set {
                    to, was, origin, ..
                } => self.set(target, to, was.as_ref(), origin.as_ref()),
                Change::Scale {
                    percent,
                    least,
                    most,
                    origin,
                    ..
                } => self.number(target, origin.as_ref(), |number| {
                    let scaled = number.checked_mul(i64::from(*percent))?.checked_add(50)?;
                    let scaled = scaled.div_euclid(100);
                    Some(
                        scaled
                            .max(least.unwrap_or(i64::MIN))
                            .min(most.unwrap_or(i64::MAX)),
                    )
                }),
                Change::Shift { by, origin, .. } => {
                    self.number(target, origin.as_ref(), |number| number.checked_add(*by))
                }
                Change::Add { key, entry, .. } => self.add(target, key.as_deref(), entry),
                Change::Remove { .. } => self.remove(target),
                _ => return None,
            };
            problems.keep(planned)
        });
        let planned = planned.collect();
        problems.check(planned)
    }

    fn wrong(&self, field: &str, message: impl Into<String>) -> Problem {
        self.overlay.problem(self.index, field, message)
    }

    fn place(&self, field: &str) -> Problem {
        let found = || {
            self.overlay
                .file
                .place(&self.overlay.path(self.index, field))
        };
        self.place.get_or_init(found).clone()
    }

    /// What leads nowhere may be a field that is left out: `set` changes what is there, `add` writes what is not.
    fn may_be_added(&self, path: &str, problem: Problem) -> Problem {
        let near = |hint: &String| hint.starts_with("did you mean");
        let parent = path
            .rsplit_once('/')
            .filter(|(parent, _)| parent.contains('/'));
        let (Some((parent, key)), false) = (parent, problem.hint.as_ref().is_some_and(near)) else {
            return problem;
        };
        let found = self.targets(parent).unwrap_or_default();
        let Some(target) = found
            .first()
            .filter(|target| has_fields(target.value(), target.text()))
        else {
            return problem;
        };
        // Ratings stand in a bracket of their own.
        let inside = if target.value().get("values").is_some() {
            "/values"
        } else {
            ""
        };
        let hint = problem.hint.iter().map(|hint| format!("{hint}; "));
        let hint: String = hint.collect();
        let parent = target.path();
        problem.with_hint(format!(
            "{hint}a field that is left out is written with add(path: \"{parent}{inside}\", key: \"{key}\", entry: …)"
        ))
    }

    /// The values that a path leads to.
    fn targets(&self, path: &str) -> Result<Vec<Target<'a>>, Problem> {
        let parsed = Path::parse(path).map_err(|why| self.wrong(".path", why))?;
        let volumes = self.shelf.volumes.iter().enumerate();
        let called = volumes.filter(|(_, volume)| volume.is_called(&parsed.file));
        let called: Vec<(usize, &Volume)> = called.collect();
        if called.is_empty() {
            let message = format!("no file \"{}\" in this ruleset", parsed.file);
            let mut known: Vec<&str> = vec![];
            for volume in &self.shelf.volumes {
                known.extend(volume.group.filter(|group| !known.contains(group)));
                known.push(&volume.name);
            }
            let problem = self
                .wrong(".path", message)
                .with_nearest(&parsed.file, known.iter().copied());
            return Err(match problem.hint {
                Some(_) => problem,
                None => problem.with_hint(format!("there are {}", known.join(", "))),
            });
        }
        let (mut targets, mut lost): (Vec<Target>, Option<Lost>) = (vec![], None);
        for (volume, file) in called {
            let text = &file.source.text;
            let Some(root) = &self.trees[volume] else {
                let message = format!("{} cannot be read as it is", file.source.name);
                return Err(self.wrong(".path", message));
            };
            let under = |node: &str, entry: &Node| self.troops.under(node, entry, text);
            match parsed.find(root, text, &under) {
                Ok(found) => targets.extend(found.into_iter().map(|found| Target {
                    volume,
                    file,
                    found,
                })),
                // In a group of files it is enough that one has it.
                Err(other) => lost = lost.or(Some(other)),
            }
        }
        match lost {
            Some(lost) if targets.is_empty() => {
                let mut problem = self.wrong(".path", lost.message);
                problem.hint = lost.hint;
                Err(problem)
            }
            _ => Ok(targets),
        }
    }

    fn set(
        &self,
        target: &Target,
        to: &Written,
        was: Option<&Written>,
        origin: Option<&Origin>,
    ) -> Result<Planned, Problem> {
        let old = plain(target.value().text(target.text()));
        if let Some(was) = was.filter(|was| was.plain() != old) {
            let message = format!("{} is {old}, not {was}", target.path());
            let hint = "the file has changed since this was written: look whether the change still makes sense";
            return Err(self.wrong(".was", message).with_hint(hint));
        }
        Ok(self.changed(target, old, to.plain(), origin, ".to"))
    }

    fn number(
        &self,
        target: &Target,
        origin: Option<&Origin>,
        change: impl Fn(i64) -> Option<i64>,
    ) -> Result<Planned, Problem> {
        let old = target.value().text(target.text());
        let Some(number) = target.value().number(target.text()) else {
            let message = format!("{} is {}, not a whole number", target.path(), plain(old));
            return Err(self.wrong(".path", message));
        };
        let Some(new) = change(number) else {
            let message = format!("{} would become too large to count", target.path());
            return Err(self.wrong(".path", message));
        };
        Ok(self.changed(target, plain(old), new.to_string(), origin, ".path"))
    }

    /// A value with another in its place, and its origin beside it.
    fn changed(
        &self,
        target: &Target,
        was: String,
        to: String,
        origin: Option<&Origin>,
        field: &str,
    ) -> Planned {
        let own = match self.overlay.owner {
            true => Origin::Printed("by the owner".to_owned()),
            false => Origin::House(self.overlay.title.to_owned()),
        };
        let given = origin.unwrap_or(&own);
        let span = target.value().span.clone();
        let mut edits = vec![edit(target.text(), span, &to, false)];
        if let Some((node, shared)) = beside(target) {
            edits.push(edit(
                target.text(),
                node.span.clone(),
                &written(given),
                shared,
            ));
        }
        self.planned(target, edits, (was, to, Some(given.to_string())), field)
    }

    fn add(&self, target: &Target, key: Option<&str>, entry: &Written) -> Result<Planned, Problem> {
        let (node, new) = (target.value(), entry.plain());
        let what = self.entry(target, key, &new)?;
        let edits = appended(node, target.text(), &what);
        let mut planned = self.planned(target, edits, (String::new(), new, None), ".entry");
        if let Some(key) = key {
            planned.touch.path = format!("{}/{key}", planned.touch.path);
        }
        Ok(planned)
    }

    /// What is written for a new entry, if there is room for it.
    fn entry(&self, target: &Target, key: Option<&str>, new: &str) -> Result<String, Problem> {
        let (node, text) = (target.value(), target.text());
        match (&node.what, key) {
            (What::Plain, _) => {
                let message = format!(
                    "{} is {}, which holds nothing",
                    target.path(),
                    node.text(text)
                );
                Err(self.wrong(".path", message))
            }
            (What::Listed(_), Some(key)) if has_fields(node, text) => Ok(format!("{key}: {new}")),
            (What::Listed(_), Some(_)) => {
                let message = format!("{} is a list: its entries have no names", target.path());
                Err(self.wrong(".key", message))
            }
            (What::Named(_), None) => {
                let message = format!("{} has fields: say in `key` which this is", target.path());
                Err(self.wrong("", message))
            }
            (What::Listed(entries), None) => {
                let id = |node: &Node, text: &str| Some(node.get("id")?.word(text)?.into_owned());
                let own = Node::parse(new).and_then(|node| id(&node, new));
                let taken = entries
                    .iter()
                    .any(|entry| own.is_some() && id(&entry.node, text) == own);
                if taken {
                    let own = own.unwrap_or_default();
                    return Err(self.taken(".entry", target, &format!("an entry \"{own}\"")));
                }
                Ok(new.to_owned())
            }
            (What::Named(_), Some(key)) if node.get(key).is_some() => {
                Err(self.taken(".key", target, &format!("\"{key}\"")))
            }
            (What::Named(entries), Some(key)) => {
                let map = node.text(text).starts_with('{');
                let bare = entries
                    .first()
                    .is_some_and(|entry| !text[entry.whole.clone()].starts_with('"'));
                Ok(match map && !bare {
                    true => format!("\"{key}\": {new}"),
                    false => format!("{key}: {new}"),
                })
            }
        }
    }

    /// What is to be added is there.
    fn taken(&self, field: &str, target: &Target, what: &str) -> Problem {
        let message = format!("{} has {what} already", target.path());
        self.wrong(field, message).with_hint("change it with `set`")
    }

    fn remove(&self, target: &Target) -> Result<Planned, Problem> {
        if target.found.within.is_empty() {
            return Err(self.wrong(".path", "a whole file cannot be taken away"));
        }
        let (text, whole) = (target.text(), target.found.whole.clone());
        let was = plain(target.found.node.text(text));
        let mut edits = vec![edit(text, whole, "", false)];
        edits.extend(self.left_out(target).into_iter().flatten());
        Ok(self.planned(target, edits, (was, String::new(), None), ".path"))
    }

    /// Troops whose counter is taken away have no counter for a reason, as the list of counters must say.
    fn left_out(&self, target: &Target) -> Option<Vec<Edit>> {
        let root = *target.found.within.first()?;
        let own = target
            .found
            .crumbs
            .first()
            .is_some_and(|list| list == "counters")
            && target.found.crumbs.len() == 2
            && target.file.name == "counters";
        let list = root.get("left_out").filter(|_| own)?;
        let each = nodes(target.value(), target.text())
            .into_iter()
            .map(|node| format!("(node: {node:?}, why: {:?})", self.overlay.title));
        let each: Vec<String> = each.collect();
        (!each.is_empty()).then(|| appended(list, target.text(), &each.join(", ")))
    }

    fn planned(
        &self,
        target: &Target,
        edits: Vec<Edit>,
        (was, to, origin): (String, String, Option<String>),
        field: &str,
    ) -> Planned {
        Planned {
            volume: target.volume,
            overlay: self.nth,
            index: self.index,
            edits,
            touch: Touch {
                path: target.path(),
                was,
                to,
                origin,
                by: self.overlay.by.to_owned(),
                place: self.place(field),
                span: 0..0,
            },
        }
    }
}

/// Whether something has fields, or could have: nothing between round brackets may be all that was left out.
fn has_fields(node: &Node, text: &str) -> bool {
    match &node.what {
        What::Named(_) => true,
        What::Listed(entries) => entries.is_empty() && node.text(text).starts_with('('),
        What::Plain => false,
    }
}

/// The origin that belongs to a value: beside it in a pair, or that of the entry it stands in.
fn beside<'t>(target: &Target<'t>) -> Option<(&'t Node, bool)> {
    if let Some((_, origin)) = target.found.node.sourced() {
        return Some((origin, false));
    }
    // What brings its own origins needs no other.
    if has_origin(target.value()) {
        return None;
    }
    // Of several that have one, the one that is nearest: a row's, or that of a pair in which more than a number stands.
    let within = &target.found.within;
    let origin = (1..within.len()).rev().find_map(|i| {
        let (around, outside) = (within[i], within[i - 1]);
        let row = around.get("origin").filter(|node| node.is_origin());
        let mut pairs = outside
            .entries()
            .iter()
            .filter_map(|entry| entry.node.sourced());
        row.or_else(|| {
            pairs
                .find(|(value, _)| value.span == around.span)
                .map(|(_, origin)| origin)
        })
    });
    origin.map(|origin| (origin, true))
}

fn has_origin(node: &Node) -> bool {
    node.is_origin() || node.entries().iter().any(|entry| has_origin(&entry.node))
}

/// One more entry behind all others: before the closing bracket, with a comma behind what was the last. So several can be added,
/// and the last be taken away as well.
fn appended(list: &Node, text: &str, what: &str) -> Vec<Edit> {
    let at = list.span.end - 1;
    let mut edits = vec![Edit {
        span: at..at,
        text: format!("{what}, "),
        shared: false,
    }];
    let last = list.entries().last();
    let bare = last.filter(|last| !text[last.node.span.end..last.whole.end].contains(','));
    edits.extend(bare.map(|last| Edit {
        span: last.node.span.end..last.node.span.end,
        text: COMMA.to_owned(),
        shared: true,
    }));
    edits
}

/// What is written behind an entry that was the last.
pub(super) const COMMA: &str = ", ";

/// An edit that keeps the number of lines, so that messages about the rest of the file still point there.
fn edit(text: &str, span: Range<usize>, to: &str, shared: bool) -> Edit {
    let lines = text[span.clone()].matches('\n').count();
    Edit {
        span,
        text: format!("{to}{}", "\n".repeat(lines)),
        shared,
    }
}

/// An origin as it is written in a file.
fn written(origin: &Origin) -> String {
    format!("{}({:?})", origin.kind(), origin.text())
}
