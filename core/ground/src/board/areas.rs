//! Hexes that go by a name together, and ways outside the board.

use serde::{Deserialize, Serialize};

use crate::kinds::{Named, RoadKind, named};

use super::{Board, HexId};

named! {
    /// What an area is for.
    "kind of area" AreaKind {
        /// Where troops come in: the first hex has the road.
        Entry = "entry",
        /// A part of the board that is played on by itself.
        Extent = "extent",
        /// A place of several hexes.
        Place = "place",
    }
}

/// Hexes that go by a name together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// Unique name in data files.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it is for.
    pub kind: AreaKind,
    /// Its hexes, each once, in the order of the file; of an entry the first has the road.
    pub hexes: Vec<HexId>,
    /// Seed and section, or why it is house.
    pub cite: String,
}

/// A way outside the board from one of its hexes to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The hexes it joins.
    pub ends: [HexId; 2],
    /// What kind of road it is.
    pub road: RoadKind,
    /// How many hexes long it would be from one to the other.
    pub hexes: u16,
    /// Seed and section, or why it is house.
    pub cite: String,
}

impl Board {
    /// The areas, by id.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// The area of an id.
    pub fn area(&self, id: &str) -> Option<&Area> {
        let found = self.areas.binary_search_by(|area| area.id.as_str().cmp(id));
        found.ok().map(|index| &self.areas[index])
    }

    /// The areas that a hex is in, but for the parts of the board that are played on by
    /// themselves: nearly every hex is in several of those.
    pub fn areas_in(&self, hex: HexId) -> impl Iterator<Item = &Area> {
        let told = move |area: &&Area| area.kind != AreaKind::Extent && area.hexes.contains(&hex);
        self.areas.iter().filter(told)
    }

    /// The ways outside the board.
    pub fn links(&self) -> &[Link] {
        &self.links
    }
}
