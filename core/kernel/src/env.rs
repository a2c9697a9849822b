//! What a game reads and never changes: its sides, units, map, turns and rules.

use crate::combat::Combat;
use crate::ids::{BySide, Side, UnitId};
use crate::reference::Term;
use crate::ruleset::Ruleset;
use crate::scripting::Rider;
use cupola_army::Turns;
use cupola_ground::Board;
use serde::Serialize;
use std::any::Any;
use std::sync::Arc;

/// A side as people know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideInfo {
    /// Short and stable: `cs`.
    pub id: String,
    /// In full: `Confederacy`.
    pub name: String,
    /// The name by which the ruleset knows it: its own, or that of the side whose place it takes in this battle.
    #[serde(skip)]
    pub role: String,
}

/// A unit as people know it; what never changes in play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnitInfo {
    /// Short and stable: `heth`.
    pub id: String,
    /// As on the counter: `Heth`.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// What kind it is, in the ruleset's words: `infantry`, `leader`.
    pub kind: String,
    /// The nodes of the army list it stands for.
    pub nodes: Vec<String>,
    /// The men it stands for.
    pub men: u32,
    /// The guns it stands for.
    pub guns: u32,
}

/// Everything that a game reads and never changes; shared by all forks.
#[derive(Clone)]
pub struct Env {
    /// The ruleset's name.
    pub ruleset: String,
    /// The two sides.
    pub sides: BySide<SideInfo>,
    /// The map.
    pub board: Arc<Board>,
    /// The units, by [`UnitId`].
    pub units: Vec<UnitInfo>,
    /// Names of cards, chits and markers, by [`crate::TokenId`].
    pub tokens: Vec<String>,
    /// The turns.
    pub track: Arc<Turns>,
    /// The last turn that is played.
    pub last_turn: u16,
    /// For each phase of a turn, in order of play, whether it is part of a player turn.
    pub player_turns: Vec<bool>,
    /// Combat systems by the role they play in the ruleset.
    pub combats: Vec<(String, Arc<dyn Combat>)>,
    /// What is added to fights by single lines, each with the name of the combat system.
    pub riders: Vec<(&'static str, Arc<dyn Rider>)>,
    /// The ruleset, which answers the questions of scripts.
    pub answers: Arc<dyn Ruleset>,
    /// What cards, chits and words mean.
    pub terms: Vec<Term>,
    /// The ruleset's own tables.
    pub rules: Arc<dyn Any + Send + Sync>,
}

impl Env {
    /// The unit of this id.
    #[must_use]
    pub fn unit(&self, id: &str) -> Option<UnitId> {
        self.units
            .iter()
            .position(|unit| unit.id == id)
            .map(|i| UnitId(i as u16))
    }

    /// The side of this id.
    #[must_use]
    pub fn side(&self, id: &str) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.sides[side].id == id)
    }
}
