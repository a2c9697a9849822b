//! The terrain chart, and roads that columns trust.

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
    /// Movement points of infantry and of cavalry on foot. Left out: 0.
    pub foot: u8,
    /// Movement points of mounted cavalry. Left out: 0.
    pub horse: u8,
    /// Movement points of artillery. Left out: 0.
    pub guns: u8,
    /// Movement points of leaders. Left out: 0.
    pub leader: u8,
    /// Who cannot go there but along a road. Left out: anybody can.
    pub bars: Vec<Mover>,
    /// Whom it puts into disorder (§5.17). Left out: nobody.
    pub disorders: Vec<Mover>,
}

/// The terrain chart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terrain {
    /// An open hex.
    pub clear: Sourced<Row>,
    /// A hex of woods.
    pub woods: Sourced<Row>,
    /// An orchard.
    pub orchard: Sourced<Row>,
    /// A marsh.
    pub marsh: Sourced<Row>,
    /// A hex of a town.
    pub town: Sourced<Row>,
    /// A hex of boulders.
    pub rocks: Sourced<Row>,
    /// Added in a hex that slopes by itself.
    pub sloping: Sourced<Row>,
    /// Added in a hex with a farm or a building (§5.18).
    pub farm: Sourced<Row>,
    /// A hex with a railroad cut, off the road (§5.18).
    pub cut: Sourced<Row>,
    /// A hex entered along a road, whatever else is in it.
    pub road: Sourced<Row>,
    /// Added in a hex with a brook (§5.18).
    pub brook: Sourced<Row>,
    /// Added for a hexside with a stream.
    pub stream: Sourced<Row>,
    /// Added for a hexside with a creek (§5.18).
    pub creek: Sourced<Row>,
    /// Added for a stream where there is a ford (§5.18).
    pub stream_ford: Sourced<Row>,
    /// Added for a creek where there is a ford (§5.18).
    pub creek_ford: Sourced<Row>,
    /// Added for going up a gentle slope.
    pub gentle_up: Sourced<Row>,
    /// Added for going down a gentle slope.
    pub gentle_down: Sourced<Row>,
    /// Added for going up a steep slope.
    pub steep_up: Sourced<Row>,
    /// Added for going down a steep slope.
    pub steep_down: Sourced<Row>,
    /// Added for a hexside of rocks (§5.18).
    pub rock_side: Sourced<Row>,
    /// Added for crossing breastworks from their front (§10.2).
    pub works: Sourced<Row>,
}

/// `roads.ron`, where a battle has it: roads that columns trust while commanders feel their way (§12.7).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoadsFile {
    /// The roads, by their names on the ground, that columns may use.
    pub march_roads: Sourced<Vec<String>>,
    /// The last turn on which they use no other, by its id in `turns.ron`.
    pub march_roads_until: Sourced<String>,
}
