//! The terrain chart, and roads that columns trust.
#![allow(missing_docs, reason = "named as in the files")]

use cupola_data::Sourced;
use serde::Deserialize;

/// Who pays for ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mover {
    /// Infantry and cavalry on foot.
    Foot,
    /// Mounted cavalry.
    Horse,
    /// Artillery.
    Guns,
    /// Leaders.
    Leader,
}

impl Mover {
    /// All, in the order of their numbers.
    pub const ALL: [Mover; 4] = [Mover::Foot, Mover::Horse, Mover::Guns, Mover::Leader];
}

/// A row of the terrain chart.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Row {
    pub foot: u8,
    pub horse: u8,
    pub guns: u8,
    pub leader: u8,
    pub bars: Vec<Mover>,
    pub disorders: Vec<Mover>,
}

/// The terrain chart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terrain {
    pub clear: Sourced<Row>,
    pub woods: Sourced<Row>,
    pub orchard: Sourced<Row>,
    pub marsh: Sourced<Row>,
    pub town: Sourced<Row>,
    pub rocks: Sourced<Row>,
    pub sloping: Sourced<Row>,
    pub farm: Sourced<Row>,
    pub cut: Sourced<Row>,
    pub road: Sourced<Row>,
    pub brook: Sourced<Row>,
    pub stream: Sourced<Row>,
    pub creek: Sourced<Row>,
    pub stream_ford: Sourced<Row>,
    pub creek_ford: Sourced<Row>,
    pub gentle_up: Sourced<Row>,
    pub gentle_down: Sourced<Row>,
    pub steep_up: Sourced<Row>,
    pub steep_down: Sourced<Row>,
    pub rock_side: Sourced<Row>,
    pub works: Sourced<Row>,
}

/// `roads.ron`, where a battle has it: roads that columns trust while commanders feel their way (§12.7).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoadsFile {
    pub march_roads: Sourced<Vec<String>>,
    pub march_roads_until: Sourced<String>,
}
