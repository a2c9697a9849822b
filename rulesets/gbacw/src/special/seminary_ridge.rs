//! *To Stop Was Destruction*: T3 the second marker, T4 and T5 the 8th Illinois and Lane's squares.

use super::{Special, note, remember};
use crate::field::Field;
use crate::load::Names;
use crate::state::Deed;
use cupola_kernel::{HexId, Side, Table, UnitId};
use serde::Deserialize;

/// T3: a side picks the marker that is played after so many.
pub struct Picks {
    /// Whose choice it is.
    pub side: Side,
    /// After how many markers.
    pub after: u8,
}

impl Special for Picks {
    fn chooses(&self, _: &Table, played: u8) -> Option<Side> {
        (played == self.after).then_some(self.side)
    }
}

/// T4, T5 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquaresFile {
    /// The cavalry.
    pub horse: Vec<String>,
    /// The brigade that fears it.
    pub slows: String,
    /// How near, in hexes.
    pub within: u32,
    /// Movement points it then has.
    pub points: u8,
}

/// T4, T5: cavalry that may attack apart from its brigade while all of it is mounted, and slows a brigade down.
pub struct Squares {
    number: usize,
    horse: Vec<UnitId>,
    slows: u16,
    within: u32,
    halves: u8,
}

impl SquaresFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Squares {
        Squares {
            number,
            horse: names.units(&format!("{field}.horse"), &self.horse),
            slows: names.brigade(&format!("{field}.slows"), &self.slows),
            within: self.within,
            halves: 2 * self.points,
        }
    }
}

impl Squares {
    /// In force until one of them dismounts.
    fn holds(&self, t: &Table) -> bool {
        note(t, self.number) == 0
    }

    fn slowed(&self, t: &Table, unit: UnitId) -> bool {
        let field = Field::new(t);
        self.holds(t)
            && field.card(unit).brigade == self.slows
            && field.rules.fights(unit)
            && !field.deed(unit).any(Deed::ATTACKS)
    }

    fn riders(&self, t: &Table) -> Vec<HexId> {
        self.horse.iter().filter_map(|&unit| t.hex(unit)).collect()
    }
}

impl Special for Squares {
    fn in_command(&self, t: &Table, unit: UnitId) -> bool {
        self.holds(t) && self.horse.contains(&unit)
    }

    fn wing(&self, t: &Table, brigade: u16) -> Option<Vec<UnitId>> {
        let own = |&&unit: &&UnitId| Field::new(t).card(unit).brigade == brigade;
        let horse: Vec<UnitId> = self.horse.iter().filter(own).copied().collect();
        (self.holds(t) && !horse.is_empty()).then_some(horse)
    }

    fn limit(&self, t: &Table, unit: UnitId) -> Option<u8> {
        let hex = t.hex(unit)?;
        let near = |other: HexId| t.board().distance(hex, other) <= self.within;
        let slowed = self.slowed(t, unit) && self.riders(t).into_iter().any(near);
        slowed.then_some(self.halves)
    }

    fn zone(&self, t: &Table, unit: UnitId) -> Option<(Vec<HexId>, u32, u8)> {
        self.slowed(t, unit)
            .then(|| (self.riders(t), self.within, self.halves))
    }

    fn mounted(&self, t: &mut Table, unit: UnitId) {
        if self.horse.contains(&unit) && !Field::new(t).mounted(unit) {
            remember(t, self.number, 1);
        }
    }
}
