//! Sets of units: a bit each, so that frames of the state machine stay small and are copied freely.

use cupola_kernel::UnitId;
use serde::{Deserialize, Serialize};

/// A set of units; a game of this ruleset has at most 128.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Units(pub u128);

impl Units {
    /// Nobody.
    pub const NONE: Units = Units(0);

    /// One unit.
    #[must_use]
    pub fn one(unit: UnitId) -> Units {
        Units(1 << unit.0)
    }

    /// Whether a unit is in it.
    #[must_use]
    pub fn has(self, unit: UnitId) -> bool {
        self.0 >> unit.0 & 1 == 1
    }

    /// Adds a unit.
    pub fn add(&mut self, unit: UnitId) {
        self.0 |= 1 << unit.0;
    }

    /// This set with one unit more.
    #[must_use]
    pub fn with(self, unit: UnitId) -> Units {
        Units(self.0 | 1 << unit.0)
    }

    /// This set without a unit.
    #[must_use]
    pub fn without(self, unit: UnitId) -> Units {
        Units(self.0 & !(1 << unit.0))
    }

    /// What is in both.
    #[must_use]
    pub fn and(self, other: Units) -> Units {
        Units(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub fn or(self, other: Units) -> Units {
        Units(self.0 | other.0)
    }

    /// What is in this and not in the other.
    #[must_use]
    pub fn minus(self, other: Units) -> Units {
        Units(self.0 & !other.0)
    }

    /// Whether nobody is in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many are in it.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The unit of the lowest number.
    #[must_use]
    pub fn first(self) -> Option<UnitId> {
        (self.0 != 0).then(|| UnitId(self.0.trailing_zeros() as u16))
    }

    /// The units that `keep` agrees to.
    #[must_use]
    pub fn filter(self, mut keep: impl FnMut(UnitId) -> bool) -> Units {
        Iterator::filter(self, |&unit| keep(unit)).collect()
    }
}

impl Iterator for Units {
    type Item = UnitId;
    fn next(&mut self) -> Option<UnitId> {
        let unit = self.first()?;
        self.0 &= self.0 - 1;
        Some(unit)
    }
}

impl FromIterator<UnitId> for Units {
    fn from_iter<I: IntoIterator<Item = UnitId>>(units: I) -> Units {
        let mut set = Units::NONE;
        units.into_iter().for_each(|unit| set.add(unit));
        set
    }
}
