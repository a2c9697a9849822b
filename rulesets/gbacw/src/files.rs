//! What the data files say, as they say it.
#![allow(missing_docs, reason = "named as in the files")]

use crate::facing::Facing;
pub use crate::load::CommandFile;
use crate::special::SpecialFile;
use crate::state::Order;
use crate::victory::VictoryFile;
use cupola_data::Sourced;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The values of a counter in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Values {
    pub brigade: String,
    pub sp: Sourced<u8>,
    pub cohesion: Sourced<Cohesion>,
    pub weapon: Sourced<Weapon>,
    #[serde(default, rename = "mounted")]
    pub _mounted: bool,
}

/// The two sides of a counter.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cohesion {
    pub good: u8,
    pub disordered: u8,
}

/// Rows of the range chart (§2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[allow(clippy::upper_case_acronyms, reason = "rows of the range chart")]
pub enum Weapon {
    /// Rifle musket.
    RM,
    /// Smoothbore.
    SM,
    /// Breechloader.
    BR,
    /// Berdan's rifles.
    BRSS,
    /// Carbine.
    C,
    /// Repeater.
    RP,
    /// Mounted.
    M,
    /// Napoleon.
    N,
    /// Howitzer.
    H,
    /// Rifled gun.
    R,
    /// Heavy rifle.
    HR,
    /// Whitworth.
    W,
}

impl Weapon {
    /// All rows, in the order of their numbers.
    pub const ALL: [Weapon; 12] = [
        Weapon::RM,
        Weapon::SM,
        Weapon::BR,
        Weapon::BRSS,
        Weapon::C,
        Weapon::RP,
        Weapon::M,
        Weapon::N,
        Weapon::H,
        Weapon::R,
        Weapon::HR,
        Weapon::W,
    ];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "RM", "SM", "BR", "BRSS", "C", "RP", "M", "N", "H", "R", "HR", "W",
        ][self as usize]
    }

    /// Whether it is a gun.
    #[must_use]
    pub fn is_gun(self) -> bool {
        self >= Weapon::N
    }
}

/// The values of a leader in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaderValues {
    pub level: Level,
    #[serde(default)]
    pub rating: Option<Sourced<i8>>,
    #[serde(default)]
    pub efficiency: Option<Sourced<i8>>,
    #[serde(default)]
    pub replacement: Option<String>,
    #[serde(default)]
    pub replacement_rating: Option<Sourced<i8>>,
}

/// What a leader commands (§2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// An army.
    Army,
    /// An army's artillery.
    Chief,
    /// A corps or wing.
    Corps,
    /// A cavalry division.
    Cavalry,
    /// A division.
    Division,
    /// A brigade of artillery.
    Artillery,
    /// A brigade.
    Brigade,
    /// Nobody.
    Staff,
}

/// `tables.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub fire_table: Sourced<Vec<(i16, ResultName)>>,
    pub ranges: Sourced<BTreeMap<String, Vec<(u8, i8)>>>,
    pub strength: Sourced<Vec<(u8, i8)>>,
    pub frontage: Sourced<u8>,
    pub modifiers: Modifiers,
    pub checks: Checks,
    pub leader_falls: Sourced<u8>,
    pub leader_taken: Sourced<u8>,
    pub retreat: Sourced<u8>,
    pub close_action: Sourced<CloseAction>,
    pub stacking: Sourced<Stacking>,
    pub allowance: Allowance,
    pub command: Ranges,
    pub activations: Sourced<Activations>,
    pub night: NightFile,
    pub reaction: ReactionFile,
    pub approach: Sourced<u8>,
    pub abandon: Sourced<u8>,
    pub carried_off: Sourced<u8>,
    pub recovery: RecoveryFile,
    pub isolated: Sourced<u8>,
    pub wary: Sourced<u8>,
    pub extend_strength: Sourced<u8>,
    pub extended_beside: Sourced<u8>,
    pub refuse_strength: Sourced<u8>,
    pub works: WorksFile,
    pub march: MarchFile,
    pub reserve: ReserveFile,
    pub terrain: Terrain,
    pub arrivals: Sourced<u8>,
    pub march_markers: Sourced<u8>,
    pub berdan: Sourced<u8>,
}

/// `roads.ron`, where a battle has it: roads that columns trust while commanders feel their way (§12.7).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoadsFile {
    pub march_roads: Sourced<Vec<String>>,
    pub march_roads_until: Sourced<String>,
}

/// Results of the fire table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultName {
    /// Cohesion checks.
    Check,
    /// Cohesion hits.
    Hit,
    /// Hits and one more loss.
    Shattered,
}

/// Die modifiers of fire (§6.3).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modifiers {
    pub disordered: Sourced<i16>,
    pub woods: Sourced<i16>,
    pub orchard: Sourced<i16>,
    pub town: Sourced<i16>,
    pub uphill: Sourced<i16>,
    pub downhill: Sourced<i16>,
    pub into_cut: Sourced<i16>,
    pub from_cut: Sourced<i16>,
    pub wall: Sourced<i16>,
    pub works: Sourced<i16>,
    pub captured_works: Sourced<i16>,
    pub flank: Sourced<i16>,
    pub rear: Sourced<i16>,
    pub charge: Sourced<i16>,
    pub twilight: Sourced<i16>,
    pub twilight_from: Sourced<u32>,
    pub night: Sourced<i16>,
    pub high_ground: Sourced<i16>,
    pub mounted_target: Sourced<i16>,
    pub marching_target: Sourced<i16>,
    pub lone_guns: Sourced<i16>,
    pub lone_sharpshooters: Sourced<i16>,
    pub horse_on_front: Sourced<i16>,
    pub horse_on_shaken: Sourced<i16>,
    pub horse_on_obstacle: Sourced<i16>,
    pub refused: Sourced<i16>,
    pub gallop: Sourced<i16>,
}

/// Cohesion checks (§7.1).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checks {
    pub always_fails: Sourced<u8>,
    pub leader: Sourced<i8>,
    pub ineffective: Sourced<i8>,
}

/// Losses of close action (§7.53).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CloseAction {
    pub units: u8,
    pub few: u8,
    pub many: u8,
    pub small_brigade: u8,
}

/// What a hex holds (§5.21).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stacking {
    pub sp: u8,
    pub guns: u8,
}

/// Movement allowances (§5.12).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    pub foot: Sourced<u8>,
    pub horse: Sourced<u8>,
    pub guns: Sourced<u8>,
    pub horse_guns: Sourced<u8>,
    pub brigadier: Sourced<u8>,
    pub division: Sourced<u8>,
    pub commander: Sourced<u8>,
}

/// Command ranges (§4.22).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    pub brigade: Sourced<u8>,
    pub artillery: Sourced<u8>,
    pub cavalry_brigade: Sourced<u8>,
    pub division: Sourced<u8>,
    pub cavalry_division: Sourced<u8>,
    pub corps: Sourced<u8>,
    pub army: Sourced<u8>,
}

/// How many markers a division may have (§4.44).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Activations {
    pub least: u8,
    pub most: u8,
}

/// Night (§11.2).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NightFile {
    pub sight: Sourced<u8>,
    pub guns_sight: Sourced<u8>,
}

/// Reactions (§5.5).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReactionFile {
    pub reach: Sourced<u8>,
    pub turn: Sourced<u8>,
}

/// Recovery (§8.2).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecoveryFile {
    pub near: Sourced<u8>,
    pub apart: Sourced<u8>,
}

/// Building breastworks (§10.12).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorksFile {
    pub strength: Sourced<u8>,
    pub strength_round: Sourced<u8>,
    pub enemy_within: Sourced<u8>,
    pub day: Sourced<u8>,
    pub night: Sourced<u8>,
}

/// March orders (§4.32).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarchFile {
    pub apart: Sourced<u8>,
    pub shy: Sourced<u8>,
}

/// Reserve orders (§4.34).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReserveFile {
    pub apart: Sourced<u8>,
    pub seen: Sourced<u8>,
}

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

/// A scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    #[serde(rename = "title")]
    pub _title: String,
    #[serde(rename = "battle")]
    pub _battle: String,
    pub first: String,
    pub last: String,
    /// The part of the board that is played on: one of its areas.
    pub field: String,
    /// Where each side falls back to.
    pub home: Sourced<Homes>,
    /// Who has the initiative, by turn; where it is not said it is rolled for.
    #[serde(default)]
    pub initiative: BTreeMap<String, String>,
    /// Efficiency pools: from a turn on, how many 3E, 2E and 1E.
    #[serde(default)]
    pub pools: Vec<PoolFile>,
    /// Commands that draw efficiency.
    #[serde(default)]
    pub draws: Vec<DrawFile>,
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
    #[serde(default)]
    pub setup: Vec<UnitFile>,
    #[serde(default)]
    pub leaders: Vec<LeaderFile>,
    /// Breastworks on the map: hex, and the corners they face.
    #[serde(default)]
    pub works: Vec<(String, Vec<Facing>)>,
    /// Leaders who count as leaders of every battery of their side.
    #[serde(default)]
    pub gunners: Vec<String>,
    #[serde(default)]
    pub special: Vec<SpecialFile>,
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

/// Where the sides fall back to.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Homes {
    pub us: Home,
    pub cs: Home,
}

/// An edge of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Home {
    North,
    East,
    South,
    West,
}

/// An efficiency pool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolFile {
    pub side: String,
    pub from: String,
    pub three: u8,
    pub two: u8,
    pub one: u8,
}

/// A command that draws a marker of efficiency.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawFile {
    pub name: String,
    pub side: String,
    /// The rating that is added, unless the commander is on the map: then his own.
    #[serde(default)]
    pub rating: Option<Sourced<i8>>,
    #[serde(default)]
    pub commander: Option<String>,
}

/// An activation marker and whom it activates.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormationFile {
    pub am: String,
    pub side: String,
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
    /// Brigades that a special rule may let act with it.
    #[serde(default)]
    pub guests: Vec<String>,
    /// Activations of its reinforcements on the turn they come, if not those of the tables; nought: as it draws.
    #[serde(default)]
    pub arrivals: Option<u8>,
}

/// What a brigade has lost before.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BrigadeFile {
    pub losses: u8,
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
    /// They are that division's own: another brigade of guns may go with it as well (§4.28).
    pub integral: bool,
    /// The leader to whom its brigadier looks, if not the division's.
    pub superior: Option<String>,
    /// A turn on which its brigadier is out of command whatever the distance.
    pub astray: Option<String>,
}

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
