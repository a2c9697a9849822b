//! A ruleset's turns as spans of real time.

use std::collections::BTreeMap;

use cupola_data::{Origin, Problems, Source};
use serde::{Deserialize, Serialize};

use crate::clock::{Moment, Span};
use crate::word::words;

words! {
    /// How light a turn is, as its ruleset plays it.
    Light {
        /// The morning twilight.
        Dawn = "dawn",
        /// Full light.
        Day = "day",
        /// The evening twilight.
        Dusk = "dusk",
        /// Darkness.
        Night = "night",
    }
}

/// One turn of a ruleset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Its name for other files.
    pub id: String,
    /// Its name for people, as a player of the printed game knows it.
    pub label: String,
    /// The minute at which it begins: `1863-07-01T05:00`.
    pub start: Moment,
    /// The minute at which it is over: the next begins there.
    pub end: Moment,
    /// How light it is, as the ruleset plays it.
    pub light: Light,
}

impl Turn {
    /// The time that the turn takes.
    pub const fn span(&self) -> Span {
        Span {
            from: self.start,
            to: self.end,
        }
    }
}

/// The turn track of a ruleset: turns without a gap between them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turns {
    /// The ruleset whose turns they are.
    pub ruleset: String,
    /// The battle in which they are played.
    pub battle: String,
    /// Where the track comes from.
    pub origin: Origin,
    /// The turns in order, without a gap.
    pub turns: Vec<Turn>,
}

impl Turns {
    /// Reads a turn track and checks that it runs on without gap or overlap.
    pub fn read(source: &Source) -> Result<Turns, Problems> {
        let track: Turns = source.ron()?;
        let mut problems = Problems::new();
        let mut first_with: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, turn) in track.turns.iter().enumerate() {
            let at = |field: &str| format!("turns[{index}].{field}");
            if turn.end <= turn.start {
                let message = format!("turn \"{}\" ends before it starts", turn.id);
                problems.push(source.problem(&at("end"), message));
            }
            if let Some(first) = first_with.insert(&turn.id, index) {
                let (line, _) = source.locate(&format!("turns[{first}].id"));
                let message = format!("a second turn \"{}\"; the first is in line {line}", turn.id);
                problems.push(source.problem(&at("id"), message));
            }
            let Some(before) = index.checked_sub(1).map(|index| &track.turns[index]) else {
                continue;
            };
            let what = match turn.start.cmp(&before.end) {
                std::cmp::Ordering::Less => "overlaps",
                std::cmp::Ordering::Equal => continue,
                std::cmp::Ordering::Greater => "leaves a gap after",
            };
            let message = format!(
                "turn \"{}\" starts at {} and so {what} turn \"{}\", which ends at {}",
                turn.id, turn.start, before.id, before.end
            );
            problems.push(source.problem(&at("start"), message));
        }
        if track.turns.is_empty() {
            problems.push(source.problem("turns", "no turns"));
        }
        problems.check(track)
    }

    /// The turn with this id.
    pub fn get(&self, id: &str) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.id == id)
    }

    /// The turn in which a moment falls.
    pub fn at(&self, moment: Moment) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.span().contains(moment))
    }

    /// The turns that lie in a span.
    ///
    /// Turns of different rulesets seldom start at the same minute, so a turn counts if more
    /// than half of it lies inside: then a span can be cut from every ruleset and no turn falls
    /// to both of two spans that follow each other.
    pub fn inside(&self, span: Span) -> impl Iterator<Item = &Turn> {
        self.turns
            .iter()
            .filter(move |turn| turn.span().shared(span) * 2 > turn.span().minutes())
    }

    /// The time that the whole track takes.
    pub fn span(&self) -> Option<Span> {
        let (first, last) = (self.turns.first()?, self.turns.last()?);
        Some(Span {
            from: first.start,
            to: last.end,
        })
    }
}
