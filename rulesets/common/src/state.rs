//! What a game remembers.

use bevy_ecs::prelude::{Component, Resource};
use cupola_kernel::{BySide, HexId, Side, UnitId};
use serde::{Deserialize, Serialize};

/// Boxes beside the map.
pub mod boxes {
    /// Units that are still to come.
    pub const TRACK: u8 = 0;
    /// Units that are eliminated.
    pub const LOST: u8 = 1;
    /// Units that are not in this scenario.
    pub const OUT: u8 = 2;
    /// Their names.
    pub const NAMES: [&str; 3] = ["to come", "eliminated", "not in this battle"];
}

/// The condition of a unit.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// Steps lost.
    pub lost: u8,
    /// It is shaken.
    pub shaken: bool,
    /// It is cut off from supply.
    pub cut: bool,
    /// It has moved, fired or fought in the phase that is being played.
    pub spent: bool,
}

/// When and where a unit comes.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Due {
    /// The turn.
    pub turn: u16,
    /// The number of the entry.
    pub entry: u8,
}

/// The unit that the open question is about, if it is about one.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus(pub Option<UnitId>);

/// Where an assault stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Which hex is assaulted next.
    #[default]
    Declare,
    /// Who takes part.
    Join,
    /// What is lost, who goes back, who follows.
    Aftermath,
}

/// An assault.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battle {
    /// Where it stands.
    pub stage: Stage,
    /// The hex that is assaulted.
    pub target: Option<HexId>,
    /// Who takes part.
    pub attackers: Vec<UnitId>,
    /// Who stands there.
    pub defenders: Vec<UnitId>,
    /// Hexes that were assaulted or spared in this phase.
    pub over: Vec<HexId>,
    /// Steps still to be lost, and by whom.
    pub owed: BySide<u8>,
    /// Whose units are shaken once the losses are taken.
    pub shakes: BySide<bool>,
    /// Who has still to retreat, and how far.
    pub retreats: Vec<(UnitId, u8)>,
    /// No more advances.
    pub halted: bool,
}

/// Who holds the places that are worth something.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held(pub Vec<Option<Side>>);

/// Whether initiative has been rolled for this turn, and who won it and must still choose.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lead {
    /// Who must choose.
    pub chooser: Option<Side>,
    /// Who plays first this turn.
    pub first: Option<Side>,
}
