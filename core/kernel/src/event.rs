//! What happened, with the rule that made it happen.
//!
//! Events are for people, pages and the lab; the state does not depend on them, and forks made for
//! searching do not record any.

use crate::combat::Modifiers;
use crate::dice::RollRecord;
use crate::ids::{HexId, Seat, Side, UnitId};
use crate::rule::Cite;
use serde::Serialize;
use std::borrow::Cow;

/// Who may know of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Audience {
    /// Everybody.
    All,
    /// The players of one side, and the umpire.
    Only(Side),
}

/// Something that happened in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// A short name for programs: `move`, `roll`, `retreat`.
    pub kind: &'static str,
    /// The section by which it happened.
    pub rule: Cite,
    /// For people.
    pub text: Cow<'static, str>,
    /// The units it concerns.
    pub units: Vec<UnitId>,
    /// The hexes it concerns: a path in order, or a place.
    pub hexes: Vec<HexId>,
    /// Numbers that belong to it: dice as they fell, strengths, losses in men.
    pub numbers: Vec<i32>,
    /// The dice that led to it, as everybody at the table saw them fall; the kernel adds them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<RollRecord>,
    /// What counted in the fight that led to it; the kernel adds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modifiers: Option<Modifiers>,
    /// The turn in which it happened, counted from the first of the track; the kernel adds it. One choice may end a turn and
    /// begin the next.
    #[serde(skip)]
    pub turn: u16,
    /// Who may know of it.
    pub audience: Audience,
}

impl Event {
    /// An event that everybody may know of.
    pub fn new(kind: &'static str, rule: Cite, text: impl Into<Cow<'static, str>>) -> Event {
        Event {
            kind,
            rule,
            text: text.into(),
            units: vec![],
            hexes: vec![],
            numbers: vec![],
            dice: vec![],
            modifiers: None,
            turn: 0,
            audience: Audience::All,
        }
    }

    /// Adds a unit.
    #[must_use]
    pub fn unit(mut self, unit: UnitId) -> Event {
        self.units.push(unit);
        self
    }

    /// Adds units.
    #[must_use]
    pub fn units(mut self, units: impl IntoIterator<Item = UnitId>) -> Event {
        self.units.extend(units);
        self
    }

    /// Adds a hex.
    #[must_use]
    pub fn hex(mut self, hex: HexId) -> Event {
        self.hexes.push(hex);
        self
    }

    /// Adds hexes.
    #[must_use]
    pub fn hexes(mut self, hexes: impl IntoIterator<Item = HexId>) -> Event {
        self.hexes.extend(hexes);
        self
    }

    /// Adds a number.
    #[must_use]
    pub fn number(mut self, number: impl Into<i32>) -> Event {
        self.numbers.push(number.into());
        self
    }

    /// Keeps it from everybody but one side.
    #[must_use]
    pub fn only(mut self, side: Side) -> Event {
        self.audience = Audience::Only(side);
        self
    }

    /// Whether this seat may know of it.
    #[must_use]
    pub fn known_to(&self, seat: Seat) -> bool {
        match self.audience {
            Audience::All => true,
            Audience::Only(side) => seat.sees(side),
        }
    }
}
