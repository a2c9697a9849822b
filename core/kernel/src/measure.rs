//! What players measure on the map with a finger and a ruler: how far a leader commands, and who sees whom.
//!
//! The rules do it with the very code that they play by, so a page that shows it knows no ruleset, and cannot show
//! anything else than what will count.

use crate::game::Game;
use crate::ids::{HexId, UnitId};
use crate::rule::Cite;
use crate::view::View;

/// Where a leader's word is obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRange {
    /// The section that says how it is traced.
    pub rule: Cite,
    /// What it is measured in, for people: `3 hexes, around the enemy`.
    pub about: String,
    /// The hexes, his own among them; none of one who commands nobody just now.
    pub hexes: Vec<HexId>,
    /// The units that obey him there.
    pub units: Vec<UnitId>,
}

/// What the rules say about the line between two hexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineOfSight {
    /// The section that decides.
    pub rule: Cite,
    /// Whether one sees the other.
    pub clear: bool,
    /// The hex that hides them from each other, if one does.
    pub blocked: Option<HexId>,
    /// Why, as a sentence without its end: `the woods of H12 stand as high as the higher end`.
    pub why: String,
    /// The line from end to end, as the rules see its heights.
    pub along: Vec<Height>,
}

/// How high a hex stands for lines of sight, in the levels of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Height {
    /// The hex.
    pub hex: HexId,
    /// Its ground.
    pub ground: i8,
    /// The top of what stands on it.
    pub top: i8,
}

impl Game {
    /// Where a leader's word is obeyed, for whoever has this view of the game: nothing about a leader whom it does not
    /// name. Who obeys him is for his own side: it may hang on who else is on the field, whom the others do not know.
    #[must_use]
    pub fn command_range(&self, view: &View, leader: UnitId) -> Option<CommandRange> {
        let units = &self.table().env().units;
        let knows = |unit: UnitId| {
            let id = units.get(usize::from(unit.0)).map(|info| &info.id);
            id.is_some_and(|id| view.units.iter().any(|seen| seen.id.as_ref() == Some(id)))
        };
        let mut found = self.ruleset().command_range(self.table(), leader)?;
        if !knows(leader) {
            return None;
        }
        let own = view.seat.sees(self.table().info(leader).side);
        found.units.retain(|&unit| own && knows(unit));
        Some(found)
    }

    /// What the rules say about the line between two hexes; nothing where they draw no such line.
    #[must_use]
    pub fn line_of_sight(&self, from: HexId, to: HexId) -> Option<LineOfSight> {
        self.ruleset().line_of_sight(self.table(), from, to)
    }
}
