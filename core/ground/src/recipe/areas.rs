//! Hexes that go by a name together, and ways outside the board.

use serde::Deserialize;

use crate::board::AreaKind;
use crate::kinds::RoadKind;

use super::Labelled;

/// An area as the file has it: single hexes first, then blocks of labels, corner to corner.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaPlan {
    /// Unique name in data files.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it is for: a way onto the map, a part that is played on by itself, a place of several hexes.
    pub kind: AreaKind,
    /// Its hexes by label; of an entry the first is the one with the road.
    #[serde(default)]
    pub hexes: Vec<String>,
    /// Blocks of labels that are in it as well.
    #[serde(default)]
    pub blocks: Vec<(String, String)>,
    /// Seed and section that say so, or why it is house.
    pub cite: String,
}

impl AreaPlan {
    /// Its single hexes, each with its field.
    pub(crate) fn all_hexes(&self) -> impl Iterator<Item = Labelled<'_>> {
        let hexes = self.hexes.iter().enumerate();
        hexes.map(|(index, hex)| (format!("hexes[{index}]"), hex.as_str()))
    }
}

/// A way outside the board as the file has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkPlan {
    /// The two hexes of the board that it joins.
    pub ends: (String, String),
    /// What kind of road it is.
    pub road: RoadKind,
    /// How many hexes long it would be from one to the other.
    pub hexes: u16,
    /// Seed and section that say so, or why it is house.
    pub cite: String,
}
