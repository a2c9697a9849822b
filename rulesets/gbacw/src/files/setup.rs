//! Where units and leaders begin, and the ways onto the map (§5.4, §13.1).
#![allow(missing_docs, reason = "named as in the files")]

use crate::facing::Facing;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Where a counter begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitFile {
    pub unit: String,
    /// A hex; nowhere if it was eliminated before or comes later.
    #[serde(default)]
    pub at: Option<String>,
    /// The second hex of an extended line, where that optional rule is in use (§12.2).
    #[serde(default)]
    pub extended: Option<String>,
    /// Its owner may extend it when it is set up, where that optional rule is in use.
    #[serde(default)]
    pub may_extend: bool,
    /// Within so many hexes of a hex or area, as its owner likes (§13.11).
    #[serde(default)]
    pub near: Option<(String, u8)>,
    #[serde(default)]
    pub facing: Option<Facing>,
    #[serde(default)]
    pub disordered: bool,
    #[serde(default)]
    pub mounted: bool,
    #[serde(default)]
    pub eliminated: bool,
    /// Guns that are left.
    #[serde(default)]
    pub sp: Option<u8>,
    /// When it comes, and by which entry or one of which.
    #[serde(default)]
    pub arrives: Option<(String, Places)>,
    /// The brigade it is attached to.
    #[serde(default)]
    pub with: Option<String>,
}

impl UnitFile {
    /// A line that says nothing but whom it is about.
    #[must_use]
    pub fn named(unit: &str) -> UnitFile {
        UnitFile {
            unit: unit.to_owned(),
            at: None,
            extended: None,
            may_extend: false,
            near: None,
            facing: None,
            disordered: false,
            mounted: false,
            eliminated: false,
            sp: None,
            arrives: None,
            with: None,
        }
    }
}

/// Where a leader begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaderFile {
    pub leader: String,
    #[serde(default)]
    pub at: Option<String>,
    /// Within so many hexes of a hex or area, as his owner likes (§13.11).
    #[serde(default)]
    pub near: Option<(String, u8)>,
    /// With one of these leaders, or with any unit of his command if none is named.
    #[serde(default)]
    pub joins: Option<Vec<String>>,
    /// Brigades that he leads besides those of the army list.
    #[serde(default)]
    pub also: Vec<String>,
    /// On his replacement side.
    #[serde(default)]
    pub replaced: bool,
    #[serde(default)]
    pub arrives: Option<(String, Places)>,
}

/// One place, or several to choose from.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Places {
    One(String),
    Some(Vec<String>),
}

impl Places {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> Vec<&str> {
        match self {
            Places::One(place) => vec![place],
            Places::Some(places) => places.iter().map(String::as_str).collect(),
        }
    }
}

/// What is special about a way onto the map (§5.47): of an area of the board, or of hexes of its own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EntryFile {
    /// The area of the board that it is, if it has another name.
    pub area: Option<String>,
    /// Its hexes, that with the road first; of an area of the board, those of the area.
    pub hexes: Vec<String>,
    /// Where else one may come on while the enemy holds the road or stands next to it.
    pub instead: Vec<String>,
    /// Whether columns may come by it.
    pub march: bool,
    /// Whether the hex of entry is paid for.
    pub toll: bool,
    /// Whether the enemy keeps away from it until all have come.
    pub ward: bool,
}

impl Default for EntryFile {
    fn default() -> EntryFile {
        EntryFile {
            area: None,
            hexes: vec![],
            instead: vec![],
            march: true,
            toll: true,
            ward: true,
        }
    }
}

/// Roads off the map (§5.19): ends that the board's links join.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffMapFile {
    /// Where they leave the map.
    pub ends: Vec<String>,
    /// Who may use them; both sides if none is named.
    #[serde(default)]
    pub sides: Vec<String>,
    /// Who left by one end may come back by these only.
    #[serde(default)]
    pub exits: BTreeMap<String, Vec<String>>,
}
