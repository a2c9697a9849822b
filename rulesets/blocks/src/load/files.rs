//! What the data files of the block game look like.

use cupola_data::{Origin, Sourced};
use cupola_ground::Cover;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The ratings of a block in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockValues {
    /// The headquarters that commands it, by its id among the leaders.
    pub hq: String,
    /// True for guns and others that belong to a corps and not to one of its divisions (§4.4). Left out: false.
    #[serde(default)]
    pub asset: bool,
    /// It fights without command (§3.31).
    #[serde(default)]
    pub independent: Option<Sourced<bool>>,
    /// Steps when fresh, 1 to 9; a hit takes one away.
    pub max: Sourced<u8>,
    /// Morale and firepower: `(letter: B, fire: 2)` (§3.12).
    pub rating: Sourced<Rating>,
    /// Firepower of guns at two and three hexes, 0 to 6 (§5.31). Left out: it cannot fire so far.
    #[serde(default)]
    pub long: Option<Sourced<i8>>,
    /// Firepower in melee, 0 to 6, where it differs from that of fire. Left out: as in fire.
    #[serde(default)]
    pub melee: Option<Sourced<i8>>,
    /// Where it begins on Day 2 (§9.3). Left out: it is not in that scenario.
    #[serde(default)]
    pub day2: Option<Sourced<StartWord>>,
    /// Where it begins on Day 3 (§9.4). Left out: it is not in that scenario.
    #[serde(default)]
    pub day3: Option<Sourced<StartWord>>,
}

/// The ratings of a headquarters in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HqValues {
    /// What it commands.
    pub level: LevelWord,
    /// The headquarters that supplies it, by id. Left out: nobody does, as with an army's.
    #[serde(default)]
    pub of: Option<String>,
    /// Steps when fresh, 0 to 9.
    pub max: Sourced<u8>,
    /// Morale and firepower: `(letter: B, fire: 2)` (§3.12).
    pub rating: Sourced<Rating>,
    /// Hexes to which it commands, and points of supply that it gives, 0 to 20 (§4.5, §8.2).
    pub range: Sourced<u8>,
    /// Rank among the corps of its army, 1 for the first: who follows when the army's commander falls (§4.6). Left
    /// out: he never does.
    #[serde(default)]
    pub seniority: Option<Sourced<u8>>,
    /// Who follows him: the senior division of his corps (§4.6).
    #[serde(default)]
    pub second: Option<Sourced<String>>,
    /// Where it begins on Day 2 (§9.3). Left out: it is not in that scenario.
    #[serde(default)]
    pub day2: Option<Sourced<StartWord>>,
    /// Where it begins on Day 3 (§9.4). Left out: it is not in that scenario.
    #[serde(default)]
    pub day3: Option<Sourced<StartWord>>,
}

/// Morale and firepower (§3.12).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// Morale: in melee blocks with an A strike before those with a B, and so on.
    pub letter: Letter,
    /// Firepower, 0 to 6: the highest roll of a die that hits.
    pub fire: i8,
}

/// Morale.
#[derive(Clone, Copy, Debug, Deserialize)]
pub enum Letter {
    /// Strikes first in a round of melee.
    A,
    /// Strikes second.
    B,
    /// Strikes third.
    C,
    /// Strikes last.
    D,
}

/// What a headquarters commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelWord {
    /// The army: it supplies whomever it likes.
    Army,
    /// A corps.
    Corps,
    /// A division: its brigades fight under its command.
    Division,
    /// The army's guns, all but those of the cavalry (§4.24).
    Artillery,
    /// The army's cavalry and its horse artillery (§4.25).
    Cavalry,
}

/// Where a block begins.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartWord {
    /// On a hex, with so many steps: `at("J5", 2)`.
    At(String, u8),
    /// By an entry road, on a turn: `arrives("taneytown", "day1-night")`.
    Arrives(String, String),
    /// Lost before the scenario begins (§9.12).
    Shattered,
    /// Gone from the field before the scenario begins.
    Off,
    /// Beside the map, for the cavalry battle (§10.0).
    CavalryBattle,
}

/// `campaign.ron`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CampaignFile {
    /// A line for every block of the first day and of the whole battle; who is not listed is not there.
    pub starts: Vec<CampaignLine>,
}

/// Where one block begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CampaignLine {
    /// The block or headquarters.
    pub id: String,
    /// Where it begins, or when it comes.
    pub start: StartWord,
    /// Where that comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// `tables.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// Movement points of each kind of block; every kind needs its line (§3.2).
    pub moves: Vec<MovesLine>,
    /// Points to enter a hex without a road, before its hexside, 1 to 20 (§2.2).
    pub clear: Sourced<u8>,
    /// Points to go along a pike into the next hex, 1 to 20 (§2.2).
    pub major_road: Sourced<u8>,
    /// Points to go along any other road into the next hex, 1 to 20 (§2.2).
    pub minor_road: Sourced<u8>,
    /// What each kind of hexside adds; every kind needs its line.
    pub sides: Vec<SideLine>,
    /// How many blocks a hex holds, by its cover.
    pub stacking: Vec<StackLine>,
    /// Covers in which it takes two hits of fire to cost a step.
    pub double_defence: Sourced<Vec<Cover>>,
    /// Range and supply of a brigade that leads in a fallen chief's place, with the switch `brigades_supply` (§4.61).
    pub acting_range: Sourced<u8>,
    /// How points become a verdict: scales by name, of which a scenario picks one. A battle may add some in
    /// `map.ron`.
    pub scales: BTreeMap<String, ScaleLine>,
}

/// One value for each side, by its id.
pub type BothOf<T> = BTreeMap<String, T>;

/// Movement points of a kind of block.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovesLine {
    /// The kind of block.
    pub kind: MovesWord,
    /// Movement points a turn, 1 to 60.
    pub points: Sourced<u8>,
}

/// Kinds of blocks that move alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MovesWord {
    /// Headquarters, but for those of cavalry.
    Hq,
    /// Headquarters of cavalry.
    CavalryHq,
    /// Brigades of infantry.
    Infantry,
    /// Foot artillery.
    Artillery,
    /// Brigades of cavalry.
    Cavalry,
    /// Horse artillery.
    HorseArtillery,
}

/// What a kind of hexside terrain does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideLine {
    /// The kind of hexside: woods, orchard, marsh, town, river, stream, ridge or hill.
    pub terrain: String,
    /// Movement points that crossing it adds, 0 to 20.
    pub moves: Sourced<u8>,
    /// What it adds to firepower through it at one hex, −9 to 9; less than nothing for whatever shelters.
    pub fire: Sourced<i8>,
    /// What it adds to the attacker's firepower in the first round of melee, −9 to 9.
    pub melee: Sourced<i8>,
}

/// The stacking limit of a cover.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackLine {
    /// The cover of the hex.
    pub cover: Cover,
    /// Blocks that such a hex holds, 1 to 20 (§6.2).
    pub limit: Sourced<u8>,
}

/// A scale of verdicts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleLine {
    /// So many points or more of the first side and it has won (§9.1).
    pub wins: Sourced<i16>,
    /// Fewer points of the first side than this and it has lost; between the two it is a draw (§9.1).
    pub loses_below: Sourced<i16>,
}

/// `cavalry.ron`: the battle beside the map (§10.0).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CavalryFile {
    /// The turn on which absent brigades are rolled for and the Confederates choose their enemies.
    pub muster: Sourced<String>,
    /// The turn in whose melee phase the battles are fought.
    pub fight: Sourced<String>,
    /// The turn on which the winners come to the map.
    pub arrive: Sourced<String>,
    /// The two battles beside the map.
    pub battles: Vec<BattleLine>,
    /// Brigades that were not there and come by a die.
    pub absent: Vec<AbsentLine>,
    /// A brigade that may change its division if another does not come.
    pub relief: ReliefLine,
    /// A brigade that rides with another division than its own.
    pub lent: LentLine,
    /// A division that is taken off the map.
    pub leaves: LeavesLine,
}

/// One of the two battles: the Union division, and by which roads the winners come.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BattleLine {
    /// The Union division that fights it, by its headquarters.
    pub hq: String,
    /// By side, the entry by which the winners come to the map.
    pub roads: BothOf<Sourced<String>>,
}

/// A brigade that may come to the cavalry battle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbsentLine {
    /// The brigade.
    pub id: String,
    /// The lowest roll of a die that brings it, 1 to 6; 7: it never comes.
    pub from: Sourced<u8>,
}

/// Who may change division if a brigade does not come.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReliefLine {
    /// The brigade whose absence allows it.
    pub missing: String,
    /// The brigade that may change.
    pub brigade: String,
    /// The headquarters that it may ride with.
    pub to: String,
    /// Where that comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// A brigade that rides with another division.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LentLine {
    /// The brigade.
    pub brigade: String,
    /// The headquarters that it rides with.
    pub to: String,
    /// Where that comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// A division that is taken off the map.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeavesLine {
    /// The division, by its headquarters.
    pub hq: String,
    /// The turn on whose beginning it is taken off the map.
    pub turn: Sourced<String>,
}

/// `map.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    /// Hexes worth points (§9.11).
    pub victory: Vec<VictoryLine>,
    /// Hexes whose stacking limit is not that of their cover.
    pub stacking: Vec<HexLimit>,
    /// The entry roads in order around the map, by the codes of the board; at least one.
    pub entries: Sourced<Vec<String>>,
    /// By side, the hex or entry from which supply comes (§8.4).
    pub sources: BothOf<Sourced<String>>,
    /// By side, the points of supply that a night brings (§8.4).
    pub night_supply: Sourced<BothOf<u8>>,
    /// Scales of verdicts that only this battle has.
    #[serde(default)]
    pub scales: BTreeMap<String, ScaleLine>,
    /// A hex where two roads cross without being joined: it costs a point to change from one to the other (§2.2).
    /// Left out: there is none.
    #[serde(default)]
    pub junction: Option<JunctionLine>,
    /// Where those who come by night march to (§9.74). Left out: nobody does.
    #[serde(default)]
    pub night_march: Option<NightMarch>,
    /// A corps commander who may be sent for a fallen one (§4.6). Left out: nobody is sent.
    #[serde(default)]
    pub stand_in: Option<StandInLine>,
}

/// The roads of night reinforcements, and where they lead (§9.74).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NightMarch {
    /// The entry roads by which they come.
    pub entries: Sourced<Vec<String>>,
    /// The hex that they march to.
    pub goal: Sourced<String>,
}

/// A corps commander who may be sent for a fallen one, and the road by which he comes (§4.6).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandInLine {
    /// The headquarters that is sent.
    pub hq: String,
    /// The entry road by which it comes.
    pub by: String,
    /// Where that comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// Where two roads meet that are not joined.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JunctionLine {
    /// The hex.
    pub hex: String,
    /// The two roads, by their names on the ground.
    pub roads: (String, String),
    /// Where that comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// A victory hex.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VictoryLine {
    /// The place, for people.
    pub name: String,
    /// Its hex.
    pub hex: String,
    /// What it is worth to whoever holds it at the end.
    pub points: Sourced<i16>,
    /// How the hex was found.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// A stacking limit of one hex.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HexLimit {
    /// The hex.
    pub hex: String,
    /// Blocks that it holds, 1 to 20.
    pub limit: Sourced<u8>,
}

/// A scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// Its name for people.
    #[serde(rename = "title")]
    pub _title: String,
    /// The battle whose map, blocks and turns are used.
    #[serde(rename = "battle")]
    pub _battle: String,
    /// The first turn that is played, by its id in `turns.ron`.
    pub first: String,
    /// The last turn that is played, by its id in `turns.ron`.
    pub last: String,
    /// Which of the set-ups it begins with.
    pub setup: SetupWord,
    /// How its points become a verdict: the name of a scale of `tables.ron` or `map.ron`.
    pub scale: String,
    /// Turns at whose end a day is judged: one that is no draw ends the battle (§9.5). Left out: only the last.
    #[serde(default)]
    pub judged: Vec<String>,
    /// Whether blocks that left the map may come back by night (§9.5). Left out: false.
    #[serde(default)]
    pub returns: bool,
    /// Blocks that are under another headquarters here than in `counters.ron`.
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
    /// The places under `day2` in `counters.ron`.
    Day2,
    /// The places under `day3` in `counters.ron`.
    Day3,
    /// The arrivals of `campaign.ron`.
    Campaign,
}

/// A block under another headquarters than its own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttachLine {
    /// The block.
    pub id: String,
    /// The headquarters that commands it here.
    pub to: String,
    /// Where that comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}
