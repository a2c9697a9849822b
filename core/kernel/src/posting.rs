//! Where a scenario puts troops: `stand`, `arrive` and `absent` mean the same in every ruleset, and each ruleset says what they
//! come to in its own files.

use crate::overlay::Shelf;
use crate::variant::Change;
use cupola_data::Written;
use serde::Deserialize;

/// Where a counter is when a scenario begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// In this hex.
    Stands(String),
    /// On its way.
    Arrives(Comes),
    /// Not in this battle.
    Absent,
}

/// When and where somebody comes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comes {
    /// The turn, by its id.
    pub turn: String,
    /// The hex or entry, as the ruleset calls it.
    pub at: String,
}

/// A counter that is to be somewhere else than its files say.
pub struct Posting<'a> {
    /// All files, as they are so far.
    pub shelf: &'a Shelf,
    /// The counter's or leader's id.
    pub unit: &'a str,
    /// Where it is to be.
    pub whereabouts: &'a Whereabouts,
}

impl Posting<'_> {
    /// Whether a path leads to something in the files.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.shelf.find(path).is_ok_and(|found| !found.is_empty())
    }

    /// What stands at a path, if one thing does.
    #[must_use]
    pub fn word(&self, path: &str) -> Option<String> {
        let found = self.shelf.find(path).ok()?;
        let [spot] = found.as_slice() else {
            return None;
        };
        let text = spot.volume.source.text.get(spot.value.clone())?;
        Some(text.trim_matches('"').to_owned())
    }

    /// A unit whose entry is a turn and a place: the turn is `start` for those who stand there already.
    #[must_use]
    pub fn by_entry(&self, entry: &str, place: impl Fn(&str) -> String) -> Vec<Change> {
        let counter = format!("counters/{}", self.unit);
        let (turn, at) = match self.whereabouts {
            Whereabouts::Absent => return vec![Change::remove(counter)],
            Whereabouts::Stands(at) => ("start", at),
            Whereabouts::Arrives(by) => (by.turn.as_str(), &by.at),
        };
        let path = format!("{counter}/{entry}");
        if !self.has(&path) {
            return vec![];
        }
        vec![
            Change::set(format!("{path}/turn"), format!("{turn:?}")),
            Change::set(format!("{path}/at"), place(at)),
        ]
    }
}

impl Change {
    /// Another value in the place of one.
    #[must_use]
    pub fn set(path: String, to: String) -> Change {
        Change::Set {
            path,
            to: Written(to),
            was: None,
            origin: None,
        }
    }

    /// One more entry, with a name if it stands among named ones.
    #[must_use]
    pub fn add(path: String, key: Option<String>, entry: String) -> Change {
        Change::Add {
            path,
            key,
            entry: Written(entry),
        }
    }

    /// One less.
    #[must_use]
    pub fn remove(path: String) -> Change {
        Change::Remove { path }
    }
}
