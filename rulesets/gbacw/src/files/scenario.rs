//! A scenario: who is there, whose markers are in the cup, what is special.

use super::{EntryFile, LeaderFile, OffMapFile, UnitFile};
use crate::facing::Facing;
use crate::load::CommandFile;
use crate::special::SpecialFile;
use crate::state::Order;
use crate::victory::VictoryFile;
use cupola_data::Sourced;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// Its name for people.
    #[serde(rename = "title")]
    pub _title: String,
    /// The battle whose map, counters and turns are used.
    #[serde(rename = "battle")]
    pub _battle: String,
    /// The first turn that is played, by its id in `turns.ron`.
    pub first: String,
    /// The last turn that is played, by its id in `turns.ron`.
    pub last: String,
    /// The part of the board that is played on: one of its areas, or all of it.
    #[serde(default)]
    pub field: Option<String>,
    /// Where each side falls back to.
    pub home: Sourced<BySideName<Home>>,
    /// Who has the initiative, by turn; where it is not said it is rolled for.
    #[serde(default)]
    pub initiative: BTreeMap<String, String>,
    /// Efficiency pools: from a turn on, how many 3E, 2E and 1E.
    #[serde(default)]
    pub pools: Vec<PoolFile>,
    /// Commands that draw efficiency.
    #[serde(default)]
    pub draws: Vec<DrawFile>,
    /// The activation markers, and whom each of them moves (§4.1).
    #[serde(default)]
    pub formations: Vec<FormationFile>,
    /// Files of the battle that several scenarios use: their lines are added to those of this one.
    #[serde(default)]
    pub parts: Vec<String>,
    /// Whole brigades in one line each.
    #[serde(default)]
    pub commands: Vec<CommandFile>,
    /// What woods and houses add to the ground in sight.
    #[serde(default = "one")]
    pub cover: i8,
    /// Whether divisions can become ineffective (§7.62).
    #[serde(default = "yes")]
    pub divisions: bool,
    /// Brigades that have lost before, by name.
    #[serde(default)]
    pub brigades: BTreeMap<String, BrigadeFile>,
    /// Counters that are cut into sections: id, letters with their guns.
    #[serde(default)]
    pub sections: Option<Sourced<Sections>>,
    /// What is special about ways onto the map, by area or by a name that set-ups use.
    #[serde(default)]
    pub entries: BTreeMap<String, EntryFile>,
    /// Roads off the map that are used.
    #[serde(default)]
    pub off_map: Vec<OffMapFile>,
    /// Whether March Orders may be given (§4.32).
    #[serde(default = "yes")]
    pub march: bool,
    /// Whether Reserve Orders may be given (§4.34).
    #[serde(default = "yes")]
    pub reserve: bool,
    /// Whether army commanders give a division a marker more (§4.42).
    #[serde(default = "yes")]
    pub favour: bool,
    /// Single units: where they begin or when they come. A whole brigade is shorter under `commands`.
    #[serde(default)]
    pub setup: Vec<UnitFile>,
    /// Units and leaders that are not there, whatever lines of this scenario or its parts bring them.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// Leaders whom no brigade of `commands` brings along.
    #[serde(default)]
    pub leaders: Vec<LeaderFile>,
    /// Breastworks on the map: hex, and the corners they face.
    #[serde(default)]
    pub works: Vec<(String, Vec<Facing>)>,
    /// Leaders who count as leaders of every battery of their side.
    #[serde(default)]
    pub gunners: Vec<String>,
    /// Rules that only this scenario has, each with its own fields.
    #[serde(default)]
    pub special: Vec<SpecialFile>,
    /// What is worth points, and what the points come to.
    pub victory: VictoryFile,
}

fn one() -> i8 {
    1
}

fn yes() -> bool {
    true
}

/// Counters by id, each with the letters of its sections and their guns.
pub type Sections = BTreeMap<String, Vec<(String, u8)>>;

/// Something of each side, by its id.
pub type BySideName<T> = BTreeMap<String, T>;

/// An edge of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Home {
    /// The northern edge.
    North,
    /// The eastern edge.
    East,
    /// The southern edge.
    South,
    /// The western edge.
    West,
}

/// An efficiency pool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolFile {
    /// Whose pool it is.
    pub side: String,
    /// The first turn on which it is drawn from, by its id in `turns.ron`.
    pub from: String,
    /// Markers of efficiency 3 in it.
    pub three: u8,
    /// Markers of efficiency 2 in it.
    pub two: u8,
    /// Markers of efficiency 1 in it.
    pub one: u8,
}

/// A command that draws a marker of efficiency.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawFile {
    /// The command, as formations name it under `draws`.
    pub name: String,
    /// Whose it is.
    pub side: String,
    /// The rating that is added, unless the commander is on the map: then his own.
    #[serde(default)]
    pub rating: Option<Sourced<i8>>,
    /// The leader whose rating is added while he is on the map. Left out: nobody's is.
    #[serde(default)]
    pub commander: Option<String>,
}

/// An activation marker and whom it activates.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormationFile {
    /// What stands on its activation marker.
    pub am: String,
    /// Whose it is.
    pub side: String,
    /// The brigades that it activates.
    pub brigades: Vec<String>,
    /// The division leader, who moves with it.
    #[serde(default)]
    pub leader: Option<String>,
    /// Whose draw of efficiency counts.
    #[serde(default)]
    pub draws: Option<String>,
    /// The rating that counts for it, if not that of the command that draws.
    #[serde(default)]
    pub rating: Option<Sourced<i8>>,
    /// Numbers that are set outright, by turn.
    #[serde(default)]
    pub fixed: BTreeMap<String, u8>,
    /// The first turn on which it is in the cup.
    #[serde(default)]
    pub from: Option<String>,
    /// Brigades with a number of their own, by turn.
    #[serde(default)]
    pub own: BTreeMap<String, BTreeMap<String, u8>>,
    /// Whether brigadiers must be within their division leader's reach.
    #[serde(default)]
    pub traces: bool,
    /// The March marker of its side: it moves every brigade under March Orders (§4.14).
    #[serde(default)]
    pub march: bool,
    /// Whether it never becomes ineffective, whatever its brigades are (§7.62, R2).
    #[serde(default)]
    pub steadfast: bool,
    /// Brigades that a special rule may let act with it.
    #[serde(default)]
    pub guests: Vec<String>,
    /// Activations of its reinforcements on the turn they come, if not those of the tables; nought: as it draws.
    #[serde(default)]
    pub arrivals: Option<u8>,
}

/// Brigades to which single batteries may be attached.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostsFile {
    /// Those that may have them.
    pub brigades: Vec<String>,
    /// How many each may have; nought: any number.
    #[serde(default)]
    pub most: u8,
    /// A battery that is released must be attached, stays so, and looks to that brigade's leader alone (L4). Otherwise any
    /// leader of the division will do (§9.22).
    #[serde(default)]
    pub bound: bool,
}

/// What a brigade has lost before.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BrigadeFile {
    /// Losses on its track when the scenario begins (§7.5).
    pub losses: u8,
    /// Whether it begins ineffective (§7.61).
    pub ineffective: bool,
    /// The leader who commands it, if not its own.
    pub leader: Option<String>,
    /// Ineffective, and so it stays.
    pub wreck: bool,
    /// Under orders from the start.
    pub order: Order,
    /// The turn on which it may move; until then it may rally and turn, and answer fire at it.
    pub released: Option<String>,
    /// The turn from which on it may fire before it is released.
    pub fires: Option<String>,
    /// Formations to which its guns may be attached (§9.22).
    pub attach: Vec<String>,
    /// The formation to which they are attached at the start.
    pub attached: Option<String>,
    /// Brigades to which its batteries may be attached one by one (§4.28, L4).
    pub hosts: Option<HostsFile>,
    /// They are that division's own: another brigade of guns may go with it as well (§4.28).
    pub integral: bool,
    /// The leaders to whom its brigadier looks, if not the division's: one of them is enough.
    pub superiors: Vec<String>,
    /// A turn on which its brigadier is out of command whatever the distance.
    pub astray: Option<String>,
}
