//! Movement as the rulebook tells it, step by step, for the conformance suite to hold the search against.

use crate::act::Acts;
use crate::ids::{HexId, UnitId};
use std::collections::BTreeMap;

/// What a unit can reach, each hex with its cost.
pub type Reached = BTreeMap<HexId, u16>;

/// Where the unit that is to move can go, found by walking and without the search that play uses
/// ([`crate::Ruleset::walked`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walked {
    /// Who moves.
    pub unit: UnitId,
    /// The verb of the options that end there; the hex is the last that they name.
    pub verb: u8,
    /// Where it may end, and what that costs.
    pub reached: Reached,
    /// How many parts of a cost make one point.
    pub of: u16,
}

impl Walked {
    /// Costs in whole points; the options are like this one.
    #[must_use]
    pub fn new(unit: UnitId, like: impl Acts, reached: Reached) -> Walked {
        Walked::in_parts(1, unit, like, reached)
    }

    /// Costs in parts of a point: in halves, if `of` is two.
    #[must_use]
    pub fn in_parts(of: u16, unit: UnitId, like: impl Acts, reached: Reached) -> Walked {
        Walked {
            unit,
            verb: like.act().verb,
            reached,
            of,
        }
    }
}
