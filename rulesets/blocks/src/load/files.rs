//! What the data files of the block game look like.

use cupola_data::{Origin, Sourced};
use cupola_ground::Cover;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The ratings of a block in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockValues {
    pub hq: String,
    #[serde(default)]
    pub asset: bool,
    /// It fights without command (§3.31).
    #[serde(default)]
    pub independent: Option<Sourced<bool>>,
    pub max: Sourced<u8>,
    pub rating: Sourced<Rating>,
    #[serde(default)]
    pub long: Option<Sourced<i8>>,
    #[serde(default)]
    pub melee: Option<Sourced<i8>>,
    #[serde(default)]
    pub day2: Option<Sourced<StartWord>>,
    #[serde(default)]
    pub day3: Option<Sourced<StartWord>>,
}

/// The ratings of a headquarters in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HqValues {
    pub level: LevelWord,
    #[serde(default)]
    pub of: Option<String>,
    pub max: Sourced<u8>,
    pub rating: Sourced<Rating>,
    pub range: Sourced<u8>,
    #[serde(default)]
    pub seniority: Option<Sourced<u8>>,
    /// Who follows him: the senior division of his corps (§4.6).
    #[serde(default)]
    pub second: Option<Sourced<String>>,
    #[serde(default)]
    pub day2: Option<Sourced<StartWord>>,
    #[serde(default)]
    pub day3: Option<Sourced<StartWord>>,
}

/// Morale and firepower (§3.12).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    pub letter: Letter,
    pub fire: i8,
}

/// Morale.
#[derive(Clone, Copy, Debug, Deserialize)]
pub enum Letter {
    A,
    B,
    C,
    D,
}

/// What a headquarters commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelWord {
    Army,
    Corps,
    Division,
    Artillery,
    Cavalry,
}

/// Where a block begins.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartWord {
    At(String, u8),
    Arrives(String, String),
    Shattered,
    Off,
    CavalryBattle,
}

/// `campaign.ron`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CampaignFile {
    pub starts: Vec<CampaignLine>,
}

/// Where one block begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CampaignLine {
    pub id: String,
    pub start: StartWord,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// `tables.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub moves: Vec<MovesLine>,
    pub clear: Sourced<u8>,
    pub major_road: Sourced<u8>,
    pub minor_road: Sourced<u8>,
    pub sides: Vec<SideLine>,
    pub stacking: Vec<StackLine>,
    pub double_defence: Sourced<Vec<Cover>>,
    pub acting_range: Sourced<u8>,
    pub scales: BTreeMap<String, ScaleLine>,
}

/// One value for each side, by its id.
pub type BothOf<T> = BTreeMap<String, T>;

/// Movement points of a kind of block.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovesLine {
    pub kind: MovesWord,
    pub points: Sourced<u8>,
}

/// Kinds of blocks that move alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MovesWord {
    Hq,
    CavalryHq,
    Infantry,
    Artillery,
    Cavalry,
    HorseArtillery,
}

/// What a kind of hexside terrain does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideLine {
    pub terrain: String,
    pub moves: Sourced<u8>,
    pub fire: Sourced<i8>,
    pub melee: Sourced<i8>,
}

/// The stacking limit of a cover.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackLine {
    pub cover: Cover,
    pub limit: Sourced<u8>,
}

/// A scale of verdicts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleLine {
    pub wins: Sourced<i16>,
    pub loses_below: Sourced<i16>,
}

/// `cavalry.ron`: the battle beside the map (§10.0).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CavalryFile {
    pub muster: Sourced<String>,
    pub fight: Sourced<String>,
    pub arrive: Sourced<String>,
    pub battles: Vec<BattleLine>,
    pub absent: Vec<AbsentLine>,
    pub relief: ReliefLine,
    pub lent: LentLine,
    pub leaves: LeavesLine,
}

/// One of the two battles: the Union division, and by which roads the winners come.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BattleLine {
    pub hq: String,
    pub roads: BothOf<Sourced<String>>,
}

/// A brigade that may come to the cavalry battle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbsentLine {
    pub id: String,
    pub from: Sourced<u8>,
}

/// Who may change division if a brigade does not come.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReliefLine {
    pub missing: String,
    pub brigade: String,
    pub to: String,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// A brigade that rides with another division.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LentLine {
    pub brigade: String,
    pub to: String,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// A division that is taken off the map.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeavesLine {
    pub hq: String,
    pub turn: Sourced<String>,
}

/// `map.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    pub victory: Vec<VictoryLine>,
    pub stacking: Vec<HexLimit>,
    pub entries: Sourced<Vec<String>>,
    pub sources: BothOf<Sourced<String>>,
    pub night_supply: Sourced<BothOf<u8>>,
    /// Scales of verdicts that only this battle has.
    #[serde(default)]
    pub scales: BTreeMap<String, ScaleLine>,
    #[serde(default)]
    pub junction: Option<JunctionLine>,
    #[serde(default)]
    pub night_march: Option<NightMarch>,
    #[serde(default)]
    pub stand_in: Option<StandInLine>,
}

/// The roads of night reinforcements, and where they lead (§9.74).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NightMarch {
    pub entries: Sourced<Vec<String>>,
    pub goal: Sourced<String>,
}

/// A corps commander who may be sent for a fallen one, and the road by which he comes (§4.6).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandInLine {
    pub hq: String,
    pub by: String,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// Where two roads meet that are not joined.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JunctionLine {
    pub hex: String,
    pub roads: (String, String),
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// A victory hex.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VictoryLine {
    pub name: String,
    pub hex: String,
    pub points: Sourced<i16>,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// A stacking limit of one hex.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HexLimit {
    pub hex: String,
    pub limit: Sourced<u8>,
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
    pub setup: SetupWord,
    pub scale: String,
    #[serde(default)]
    pub judged: Vec<String>,
    #[serde(default)]
    pub returns: bool,
    #[serde(default)]
    pub attach: Vec<AttachLine>,
    /// Where 004 prints another strength.
    #[serde(default)]
    pub in_004: Vec<CampaignLine>,
}

/// Which of the set-ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupWord {
    Day2,
    Day3,
    Campaign,
}

/// A block under another headquarters than its own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttachLine {
    pub id: String,
    pub to: String,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}
