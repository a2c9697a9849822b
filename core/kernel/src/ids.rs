//! The small numbers by which everything in a game is named.
//!
//! Units name each other by [`UnitId`], never by a `bevy_ecs` entity: the number is the same in every
//! fork, every save and every process.

use bevy_ecs::prelude::Component;
use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

pub use cupola_ground::HexId;

/// The number of a unit: its index in the ruleset's list of counters.
#[derive(
    Component, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[component(immutable)]
pub struct UnitId(pub u16);

/// Something a choice can name that is neither unit nor hex: a card, a chit, a marker, a formation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TokenId(pub u16);

/// One of the two sides of a battle, in the order in which the ruleset lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// The side listed first.
    First,
    /// The side listed second.
    Second,
}

impl Side {
    /// Both sides, first one first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// Who looks at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Seat {
    /// A player of this side.
    Player(Side),
    /// A spectator, who knows only what both players know.
    Observer,
    /// The umpire, who knows everything.
    Umpire,
}

impl Seat {
    /// Whether this seat may know what is known to `side` alone.
    #[must_use]
    pub fn sees(self, side: Side) -> bool {
        match self {
            Seat::Player(own) => own == side,
            Seat::Observer => false,
            Seat::Umpire => true,
        }
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BySide<T> {
    /// The first side's.
    pub first: T,
    /// The second side's.
    pub second: T,
}

impl<T> BySide<T> {
    /// Makes the two values from the side they belong to.
    pub fn from_fn(mut f: impl FnMut(Side) -> T) -> Self {
        BySide {
            first: f(Side::First),
            second: f(Side::Second),
        }
    }

    /// Both values with their sides, first side first.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        [(Side::First, &self.first), (Side::Second, &self.second)].into_iter()
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
