//! What the data files say, as they say it.

use crate::rules::Happening;
use cupola_data::{Origin, Sourced};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The values of a counter in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Values {
    /// Infantry.
    Foot {
        brigade: String,
        division: String,
        corps: String,
        count: u8,
        sp: Sourced<i8>,
        cr: Sourced<i8>,
        worn_sp: Sourced<i8>,
        worn_cr: Sourced<i8>,
        entry: Sourced<Arrives>,
        #[serde(default)]
        tutorial: Option<Sourced<Arrives>>,
    },
    /// Cavalry.
    Horse {
        brigade: String,
        division: String,
        corps: String,
        count: u8,
        mounted_sp: Sourced<i8>,
        dismounted_sp: Sourced<i8>,
        cr: Sourced<i8>,
        entry: Sourced<Arrives>,
        #[serde(default)]
        tutorial: Option<Sourced<Arrives>>,
    },
    /// Artillery.
    Guns {
        brigade: String,
        division: String,
        corps: String,
        count: u8,
        sp: Sourced<i8>,
        guns: Sourced<GunType>,
        cr: Sourced<i8>,
        worn_sp: Sourced<i8>,
        worn_cr: Sourced<i8>,
        entry: Sourced<Arrives>,
        #[serde(default)]
        tutorial: Option<Sourced<Arrives>>,
    },
}

/// The letter beside a battery's strength.
#[derive(Clone, Copy, Debug, Deserialize)]
pub enum GunType {
    /// Rifled.
    R,
    /// Smoothbore.
    S,
    /// Mixed.
    M,
}

/// The values of a general in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaderValues {
    pub level: SpanName,
    pub division: String,
    /// The corps by its name on the counters, where the id of what he commands does not tell.
    #[serde(default)]
    pub corps: Option<String>,
    /// The optional group that he comes with.
    #[serde(default)]
    pub group: Option<String>,
    pub rating: Sourced<RatingName>,
    pub replacement: Sourced<RatingName>,
    pub enters: Sourced<String>,
    #[serde(default)]
    pub tutorial: Option<Sourced<String>>,
}

/// What a general commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpanName {
    Corps,
    Division,
}

/// A Command Rating.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingName {
    Poltroon,
    Poor,
    Average,
    Good,
    Superior,
}

/// When and where a counter comes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrives {
    pub turn: String,
    pub at: Vec<String>,
    #[serde(default)]
    pub group: Option<String>,
}

/// `tables.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub crt: CrtFile,
    pub doubles: Sourced<[i8; 6]>,
    pub cohesion: RowsFile,
    pub matrix: RowsFile,
    pub command: CommandFile,
    pub ranges: RangesFile,
    pub fire_shifts: FireFile,
    pub assault_shifts: AssaultFile,
    pub costs: CostsFile,
    pub allowance: AllowanceFile,
    pub stacking: StackingFile,
    pub broken_lost: Sourced<u16>,
    pub points: PointsFile,
}

/// What counts in the main scenario besides places (§O).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointsFile {
    pub strength: Sourced<i32>,
    pub brigade: Sourced<i32>,
}

/// `affairs.ron`: what belongs to one battle. All but the Fog of War is what a battle may have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AffairsFile {
    pub fog: Vec<FogLine>,
    /// The line of this general is shared out among those once any of these optional groups is there.
    #[serde(default)]
    pub shared_line: Option<Sourced<SharedLineFile>>,
    /// Who falls first, by side.
    #[serde(default)]
    pub first_casualties: Option<Sourced<BTreeMap<String, String>>>,
    /// Corps from which Vague Orders take so many levels, and what they take from all others.
    #[serde(default)]
    pub vague: Option<Sourced<(Vec<String>, i8, i8)>>,
    #[serde(default)]
    pub shared_division: Option<Sourced<SharedFile>>,
    #[serde(default)]
    pub optional: Option<OptionalFile>,
    #[serde(default)]
    pub stand_in: Option<StandInFile>,
    /// Turns on which friction comes into the cup.
    #[serde(default)]
    pub friction: Option<Sourced<Vec<String>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedLineFile {
    pub general: String,
    pub among: [String; 3],
    pub with: Vec<String>,
}

/// Reinforcements that may come or not (§O).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionalFile {
    pub from: Sourced<String>,
    pub needs: Sourced<u8>,
    pub groups: Vec<GroupFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupFile {
    pub id: String,
    pub name: String,
    pub side: String,
    pub points: Sourced<i32>,
    /// It follows this group, a turn later.
    #[serde(default)]
    pub after: Option<String>,
    /// It comes once anybody of these groups has been on the map, and needs no roll.
    #[serde(default)]
    pub seen: Vec<String>,
}

/// A commander who comes when the first general has fallen, and has command rolled again (§O).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandInFile {
    pub id: String,
    pub name: String,
    pub side: String,
    pub from: Sourced<String>,
    pub needs: Sourced<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrtFile {
    pub least: Vec<i16>,
    pub rows: Vec<CrtRow>,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrtRow {
    pub from: u8,
    pub to: u8,
    pub cells: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsFile {
    pub rows: Vec<String>,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandFile {
    pub rows: BTreeMap<String, String>,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangesFile {
    pub musket: Sourced<(u8, u8)>,
    pub rifled: Sourced<(u8, u8)>,
    pub smooth: Sourced<(u8, u8)>,
    pub mixed: Sourced<(u8, u8)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FireFile {
    pub woods: Sourced<i16>,
    pub town: Sourced<i16>,
    pub over_cover: Sourced<i16>,
    pub over_units: Sourced<i16>,
    pub long: Sourced<i16>,
    pub mixed: Sourced<i16>,
    pub dismounted: Sourced<i16>,
    pub mounted: Sourced<i16>,
    pub defend: Sourced<i16>,
    pub canister: Sourced<i16>,
    pub canister_smooth: Sourced<i16>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssaultFile {
    pub stream: Sourced<i8>,
    pub creek: Sourced<i8>,
    pub slope: Sourced<i8>,
    pub steep: Sourced<i8>,
    pub town: Sourced<i16>,
    pub yell: Sourced<i16>,
    pub flank: Sourced<i16>,
    pub guns: Sourced<i16>,
    pub odds: Sourced<[i16; 3]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostsFile {
    pub open: Sourced<u8>,
    pub woods: Sourced<u8>,
    pub slope: Sourced<u8>,
    pub steep: Sourced<u8>,
    pub stream: Sourced<u8>,
    pub creek: Sourced<u8>,
    pub road: Sourced<u8>,
    pub pike: Sourced<u8>,
    pub disengage: Sourced<u8>,
    pub exit: Sourced<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowanceFile {
    pub attack: Sourced<u8>,
    pub attack_mounted: Sourced<u8>,
    pub maneuver: Sourced<u8>,
    pub maneuver_mounted: Sourced<u8>,
    pub redeploy: Sourced<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackingFile {
    pub open: Sourced<i16>,
    pub town: Sourced<i16>,
    pub road: Sourced<i16>,
    pub breakthrough: Sourced<i16>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FogLine {
    pub from: u8,
    pub to: u8,
    pub result: FogName,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FogName {
    Chaos(String),
    Wayward(String),
    Fortunes(String),
    Casualty(String, String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedFile {
    pub division: String,
    pub corps: Vec<String>,
}

/// `chits.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChitsFile {
    pub events: Vec<EventFile>,
    pub fog: Sourced<String>,
    pub friction: Sourced<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventFile {
    pub id: String,
    pub side: String,
    pub name: String,
    pub event: Happening,
    pub hold: bool,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// `map.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    pub victory: Vec<PrizeFile>,
    /// Hexes that win outright, by side.
    #[serde(default)]
    pub automatic: BTreeMap<String, AnyFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrizeFile {
    pub name: String,
    pub hexes: Vec<String>,
    pub points: i32,
    /// Who holds it at the start; otherwise the first side does.
    #[serde(default)]
    pub holder: Option<String>,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnyFile {
    pub hexes: Vec<String>,
    pub any: usize,
    #[serde(rename = "origin")]
    pub _origin: Origin,
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
    pub setup: SetupName,
    pub events: PicksFile,
    pub friction: bool,
    pub first_casualties: bool,
    pub guns_begin: String,
    #[serde(default)]
    pub stand_in: Option<StandInHow>,
    #[serde(default)]
    pub resting: Vec<String>,
    #[serde(default)]
    pub field: Vec<(u8, u8, u8)>,
    pub victory: VictoryFile,
}

/// Which entries of the counters count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupName {
    Main,
    Tutorial,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PicksFile {
    pub chosen: u8,
    pub random: u8,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandInHow {
    Roll,
    From(String),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VictoryFile {
    Points,
    Hexes(Vec<String>),
}
