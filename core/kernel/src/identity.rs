//! Who rules are: everything that can change a game, part by part, so that where two differ we can say in what.
//!
//! A part is a file (composition, tables, counters, turns, army list, ground, scenario, variant) or the code of a
//! crate. A file has a hash of all its bytes and a short one for each of its fields, which is enough to say
//! later, without the file, that `tables.ron` differs in `crt.high`. The hash of the whole is what journals,
//! saves, stores and queues are pinned to.

use crate::hash::{StateHash, digest};
use cupola_data::outline;
use std::collections::BTreeMap;
use std::fmt;

/// Names and hashes of the crates that something is compiled from, as [`crate::stamp!`] tells them.
pub type Code = &'static [(&'static str, &'static str)];

/// The code of the kernel.
pub const CODE: Code = cupola_stamp::stamp!();

/// What the name of a part begins with if it is code.
const CODE_OF: &str = "code of ";

/// All parts of some rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    parts: BTreeMap<String, Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    hash: StateHash,
    fields: Vec<(String, u32)>,
}

/// How much a difference matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The rules are others.
    Rules,
    /// The rules read the same; whether they play the same, playing shows: code, comments, layout.
    Form,
}

/// A part in which two identities differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The part: a file, or `code of` a crate.
    pub part: String,
    /// Its fields that differ, if they are known.
    pub fields: Vec<String>,
    /// How much it matters.
    pub weight: Weight,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Differs,
    OnlyHere,
    OnlyThere,
}

/// How many fields of a part a message names.
const SHOWN: usize = 6;

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = &self.part;
        match (self.what, self.weight) {
            (What::OnlyHere, _) => write!(f, "{part} is here only"),
            (What::OnlyThere, _) => write!(f, "{part} is missing here"),
            (What::Differs, Weight::Form) if !part.starts_with(CODE_OF) => {
                write!(f, "{part} differs in layout or comments")
            }
            // A script, or a list that is all of its file, has no fields with names.
            (What::Differs, _) if self.fields.iter().all(String::is_empty) => {
                write!(f, "{part} differs")
            }
            (What::Differs, _) => {
                let shown: Vec<&str> = self.fields.iter().take(SHOWN).map(String::as_str).collect();
                write!(f, "{part} differs in {}", shown.join(", "))?;
                match self.fields.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
        }
    }
}

impl Identity {
    /// Adds a text, with its fields.
    pub fn text(&mut self, name: impl Into<String>, text: &str) {
        let short = |(field, content): (String, String)| {
            // Names are kept in a line of a journal.
            let field = field.replace([' ', ',', '=', '\n', '\r', '\t'], "_");
            (field, digest(content.as_bytes()).0 as u32)
        };
        let part = Part {
            hash: digest(text.as_bytes()),
            fields: outline(text).into_iter().map(short).collect(),
        };
        self.parts.insert(name.into(), part);
    }

    /// Adds code.
    pub fn code<'a>(&mut self, code: impl IntoIterator<Item = &'a (&'a str, &'a str)>) {
        for (name, hash) in code {
            let part = Part {
                hash: digest(hash.as_bytes()),
                fields: vec![],
            };
            self.parts.insert(format!("{CODE_OF}{name}"), part);
        }
    }

    /// Adds all parts of another.
    pub fn extend(&mut self, other: &Identity) {
        let more = other.parts.iter();
        self.parts
            .extend(more.map(|(name, part)| (name.clone(), part.clone())));
    }

    /// The hash of everything.
    #[must_use]
    pub fn hash(&self) -> StateHash {
        self.hash_of(|_| true)
    }

    /// The hash of everything but the code: equal for two builds that play by the same files.
    #[must_use]
    pub fn data(&self) -> StateHash {
        self.hash_of(|name| !name.starts_with(CODE_OF))
    }

    /// The hash of the code alone: equal for what one build plays.
    #[must_use]
    pub fn build(&self) -> StateHash {
        self.hash_of(|name| name.starts_with(CODE_OF))
    }

    fn hash_of(&self, counts: impl Fn(&str) -> bool) -> StateHash {
        let mut text = String::new();
        for (name, part) in self.parts.iter().filter(|(name, _)| counts(name)) {
            text.push_str(&format!("{} {} {name}\n", part.hash, name.len()));
        }
        digest(text.as_bytes())
    }

    /// In what these rules, which are here, differ from those, which somebody else played by.
    #[must_use]
    pub fn differences(&self, there: &Identity) -> Vec<Difference> {
        let mut names: Vec<&String> = self.parts.keys().chain(there.parts.keys()).collect();
        names.sort();
        names.dedup();
        let found = names.into_iter().filter_map(|name| {
            let (what, fields) = match (self.parts.get(name), there.parts.get(name)) {
                (Some(here), Some(there)) if here == there => return None,
                (Some(here), Some(there)) => (What::Differs, here.changed(there)),
                (Some(_), None) => (What::OnlyHere, vec![]),
                (None, _) => (What::OnlyThere, vec![]),
            };
            let form = name.starts_with(CODE_OF)
                || (what == What::Differs
                    && fields.is_empty()
                    && !self.parts[name].fields.is_empty());
            Some(Difference {
                part: name.clone(),
                fields,
                weight: if form { Weight::Form } else { Weight::Rules },
                what,
            })
        });
        found.collect()
    }

    /// Whether games come out the same by these rules: they differ at most in what a variant is called and in how
    /// it is written.
    #[must_use]
    pub fn plays_like(&self, other: &Identity) -> bool {
        self.plays_like_but(other, &[])
    }

    /// The same where some parts are known to say the same in all that a game can see: such as only another origin of a value.
    #[must_use]
    pub fn plays_like_but(&self, other: &Identity, alike: &[String]) -> bool {
        let differences = self.differences(other);
        differences
            .iter()
            .all(|difference| match &*difference.part {
                "variant" => true,
                part if difference.what == What::Differs && alike.iter().any(|one| one == part) => {
                    true
                }
                "composition" => {
                    let mut fields = difference.fields.iter();
                    !difference.fields.is_empty()
                        && fields.all(|field| field == "name" || field == "title")
                }
                _ => false,
            })
    }

    /// As text, one line a part.
    #[must_use]
    pub fn write(&self) -> String {
        self.lines().map(|line| line + "\n").collect()
    }

    /// Reads what [`Identity::write`] wrote; none if it is something else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Identity> {
        let mut identity = Identity::default();
        text.lines()
            .all(|line| identity.read_line(line))
            .then_some(identity)
    }

    /// As lines of a journal.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.parts.iter().map(|(name, part)| {
            let fields = part.fields.iter();
            let fields: Vec<String> = fields
                .map(|(name, hash)| format!("{name}={hash:08x}"))
                .collect();
            let fields = if fields.is_empty() {
                "-".to_owned()
            } else {
                fields.join(",")
            };
            format!("{} {fields} {name}", part.hash)
        })
    }

    /// Reads a line of a journal; false if it is none.
    pub(crate) fn read_line(&mut self, line: &str) -> bool {
        let mut words = line.splitn(3, ' ');
        let (Some(hash), Some(fields), Some(name)) = (words.next(), words.next(), words.next())
        else {
            return false;
        };
        let Some(hash) = StateHash::parse(hash) else {
            return false;
        };
        let pair = |text: &str| {
            let (name, hash) = text.rsplit_once('=')?;
            let hash = u32::from_str_radix(hash, 16).ok()?;
            Some((name.to_owned(), hash))
        };
        let fields = match fields {
            "-" => Some(vec![]),
            fields => fields.split(',').map(pair).collect(),
        };
        let Some(fields) = fields else {
            return false;
        };
        self.parts
            .insert(name.to_owned(), Part { hash, fields })
            .is_none()
    }
}

impl Part {
    fn changed(&self, there: &Part) -> Vec<String> {
        let value = |part: &Part, field: &str| {
            let found = part.fields.iter().find(|(name, _)| name == field);
            found.map(|(_, hash)| *hash)
        };
        let mut names: Vec<&String> = vec![];
        for (name, _) in self.fields.iter().chain(&there.fields) {
            if !names.contains(&name) && value(self, name) != value(there, name) {
                names.push(name);
            }
        }
        names.into_iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tables: &str) -> Identity {
        let mut identity = Identity::default();
        identity.text("tables.ron", tables);
        identity.text("turns.ron", "(turns: [1, 2])");
        identity.code(&[("cupola-toy", "1")]);
        identity
    }

    fn told(here: &Identity, there: &Identity) -> Vec<(String, Weight)> {
        let found = here.differences(there).into_iter();
        found.map(|d| (d.to_string(), d.weight)).collect()
    }

    #[test]
    fn what_differs_is_told_by_file_and_field() {
        let there = of("(rain: true, crt: (low: 1, high: 6))");
        let mut here = of("(rain: true, crt: (low: 1, high: 8))");
        here.code(&[("cupola-toy", "2")]);
        here.text("map.ron", "()");
        assert_eq!(
            told(&here, &there),
            [
                ("code of cupola-toy differs".to_owned(), Weight::Form),
                ("map.ron is here only".to_owned(), Weight::Rules),
                ("tables.ron differs in crt.high".to_owned(), Weight::Rules),
            ]
        );
        assert_eq!(told(&here, &here), []);
    }

    /// A script, or a list that is all of its file, has no field to name.
    #[test]
    fn what_has_no_fields_is_told_by_its_file_alone() {
        let script = |text: &str| {
            let mut identity = Identity::default();
            identity.text("duel.rhai", text);
            identity
        };
        let (here, there) = (script("fn resolve(f) { 3 }"), script("fn resolve(f) { 4 }"));
        assert_eq!(
            told(&here, &there),
            [("duel.rhai differs".to_owned(), Weight::Rules)]
        );
    }

    #[test]
    fn layout_alone_is_told_as_such_and_still_changes_the_hash() {
        let there = of("(rain: true)");
        let here = of("(\n    rain: true, // dry\n)");
        assert_eq!(
            told(&here, &there),
            [(
                "tables.ron differs in layout or comments".to_owned(),
                Weight::Form
            )]
        );
        assert_ne!(here.hash(), there.hash());
    }

    #[test]
    fn any_byte_of_any_part_changes_the_hash_and_code_leaves_that_of_the_data() {
        let text = "(rain: true)";
        let base = of(text);
        for i in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[i] ^= 1;
            let other = of(&String::from_utf8(bytes).expect("still ASCII"));
            assert_ne!(other.hash(), base.hash(), "byte {i}");
        }
        let mut other = base.clone();
        other.code(&[("cupola-toy", "2")]);
        assert_ne!(other.hash(), base.hash());
        assert_eq!(other.data(), base.data());
    }

    #[test]
    fn lines_are_read_as_written() {
        let identity = of("(rain: true, \"a b\": 1)");
        let mut read = Identity::default();
        assert!(identity.lines().all(|line| read.read_line(&line)));
        assert_eq!(read, identity);
        assert!(!read.read_line("no hash"));
        assert!(identity.lines().all(|line| !read.read_line(&line)), "twice");
    }
}
