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
        /// The brigade, by the name at the counter's top; units of one brigade are activated together.
        brigade: String,
        /// The two letters of the division whose general can order it; `""` for artillery of the corps.
        division: String,
        /// The corps, in Roman numerals; `""` if none.
        corps: String,
        /// How many counters the brigade has, as the asterisks on them say; checked.
        count: u8,
        /// Strength points of the fresh side: hundreds of men, or guns.
        sp: Sourced<i8>,
        /// Cohesion Rating of the fresh side (of cavalry, of both): the higher, the steadier in a test (§I-6).
        cr: Sourced<i8>,
        /// Strength points of the battleworn side.
        worn_sp: Sourced<i8>,
        /// Cohesion Rating of the battleworn side.
        worn_cr: Sourced<i8>,
        /// When and where it comes in the main scenario.
        entry: Sourced<Arrives>,
        /// When and where it comes in the tutorial. Left out: it is not there.
        #[serde(default)]
        tutorial: Option<Sourced<Arrives>>,
    },
    /// Cavalry.
    Horse {
        brigade: String,
        division: String,
        corps: String,
        count: u8,
        /// Strength points in the saddle.
        mounted_sp: Sourced<i8>,
        /// Strength points on foot, the horses being held.
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
        /// Rifled, smoothbore or mixed: which range and which canister they have.
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
    /// Whether he commands a corps or a division.
    pub level: SpanName,
    /// The two letters of his division; `""` for the general of a corps.
    pub division: String,
    /// The corps by its name on the counters, where the id of what he commands does not tell.
    #[serde(default)]
    pub corps: Option<String>,
    /// The optional group that he comes with.
    #[serde(default)]
    pub group: Option<String>,
    /// His Command Rating: the row of the command table that his die is read in.
    pub rating: Sourced<RatingName>,
    /// The Command Rating of whoever follows him when he falls.
    pub replacement: Sourced<RatingName>,
    /// The turn from which his chit is in the game, by its id in `turns.ron`; `start`: from the beginning; `never`: he is not there.
    pub enters: Sourced<String>,
    /// The same in the tutorial. Left out: he is not there.
    #[serde(default)]
    pub tutorial: Option<Sourced<String>>,
}

/// What a general commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpanName {
    /// A corps: his chit activates any brigade of it.
    Corps,
    /// A division.
    Division,
}

/// A Command Rating.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingName {
    /// The worst row of the command table.
    Poltroon,
    /// The second row of the command table.
    Poor,
    /// The middle row of the command table.
    Average,
    /// The fourth row of the command table.
    Good,
    /// The best row of the command table.
    Superior,
}

/// When and where a counter comes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrives {
    /// A turn of `turns.ron` by its id, `"start"`, `"never"`, or `"optional"` if a group of reinforcements brings it.
    pub turn: String,
    /// The hexes among which its owner chooses.
    pub at: Vec<String>,
    /// The group of `affairs.ron` that brings it, if its turn is `"optional"`.
    #[serde(default)]
    pub group: Option<String>,
}

/// `tables.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// The combat result table, for fire and for assault (§I-3).
    pub crt: CrtFile,
    /// What a double adds to a cohesion test, from 11 to 66, −12 to 12 each (§I-6-c).
    pub doubles: Sourced<[i8; 6]>,
    /// The fire combat cohesion test: by the test's score, what becomes of a unit that was hit (§I-6).
    pub cohesion: RowsFile,
    /// The assault matrix: the attacker's result against the defender's (§K-8).
    pub matrix: RowsFile,
    /// The command table: by Command Rating, what a die of 1 to 6 brings.
    pub command: CommandFile,
    /// How far weapons reach, in hexes: effective and long range.
    pub ranges: RangesFile,
    /// Columns that a fire is shifted, to the right above nought and to the left below (§I-4).
    pub fire_shifts: FireFile,
    /// Columns that an assault is shifted (§K-6).
    pub assault_shifts: AssaultFile,
    /// What ground costs to enter, in half movement points, 0 to 20 each (§J-1).
    pub costs: CostsFile,
    /// Movement points by order, 0 to 24 each.
    pub allowance: AllowanceFile,
    /// How many strength points a hex holds, 1 to 200 each (§J-2).
    pub stacking: StackingFile,
    /// Thousandths of its men that a broken unit has lost: for reports and comparisons, not for play.
    pub broken_lost: Sourced<u16>,
    /// What losses are worth in the main scenario (§O).
    pub points: PointsFile,
}

/// What counts in the main scenario besides places (§O).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointsFile {
    /// Points for each strength point of an enemy unit that is broken, as printed on its fresh side (§O-b).
    pub strength: Sourced<i32>,
    /// Points for each enemy brigade all of whose units are broken (§O-a).
    pub brigade: Sourced<i32>,
}

/// `affairs.ron`: what belongs to one battle. All but the Fog of War is what a battle may have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AffairsFile {
    /// The Fog of War table: two dice read as tens and ones, 11 to 66; every roll needs its line.
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
    /// A division that generals of several corps can order (§F-4). Left out: there is none.
    #[serde(default)]
    pub shared_division: Option<Sourced<SharedFile>>,
    /// Reinforcements that may come or not (§O). Left out: there are none.
    #[serde(default)]
    pub optional: Option<OptionalFile>,
    /// A commander who comes when the first has fallen (§O). Left out: nobody does.
    #[serde(default)]
    pub stand_in: Option<StandInFile>,
    /// Turns on which friction comes into the cup.
    #[serde(default)]
    pub friction: Option<Sourced<Vec<String>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedLineFile {
    /// The general whose line of the Fog of War table it is.
    pub general: String,
    /// The three generals among whom a die then chooses: 1 or 2, 3 or 4, 5 or 6.
    pub among: [String; 3],
    /// The optional groups of which one must be in play.
    pub with: Vec<String>,
}

/// Reinforcements that may come or not (§O).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionalFile {
    /// The first turn on which they are rolled for.
    pub from: Sourced<String>,
    /// The lowest die that brings one.
    pub needs: Sourced<u8>,
    /// The groups.
    pub groups: Vec<GroupFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupFile {
    /// Its name for counters, which name it under `group`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Whose it is.
    pub side: String,
    /// Victory points that its coming costs its own side (§O-d).
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
    /// The name of his chit.
    pub id: String,
    /// His name for people.
    pub name: String,
    /// Whose he is.
    pub side: String,
    /// The first turn on which he is rolled for.
    pub from: Sourced<String>,
    /// The lowest die that brings him.
    pub needs: Sourced<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrtFile {
    /// The least strength of each column but the last five, which only shifts reach.
    pub least: Vec<i16>,
    /// The rows, from a roll of 11 to one of 66.
    pub rows: Vec<CrtRow>,
    /// Where the table comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrtRow {
    /// The lowest roll of the row: two dice read as tens and ones.
    pub from: u8,
    /// The highest roll of the row.
    pub to: u8,
    /// The results of all columns, left to right: NE nothing, then E, R, T, S and C, each worse than the last.
    pub cells: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsFile {
    /// The rows from the top, each a line of cells in the order of the columns.
    pub rows: Vec<String>,
    /// Where the table comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandFile {
    /// By Command Rating, six results for a die of 1 to 6: N no orders, S slow, T timely, E efficient.
    pub rows: BTreeMap<String, String>,
    /// Where the table comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangesFile {
    /// Infantry and cavalry.
    pub musket: Sourced<(u8, u8)>,
    /// Rifled guns.
    pub rifled: Sourced<(u8, u8)>,
    /// Smoothbore guns.
    pub smooth: Sourced<(u8, u8)>,
    /// Batteries of both.
    pub mixed: Sourced<(u8, u8)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FireFile {
    /// At a target in woods.
    pub woods: Sourced<i16>,
    /// At a target in a town.
    pub town: Sourced<i16>,
    /// Over a hex of woods or town on the way (§I-2).
    pub over_cover: Sourced<i16>,
    /// Over units on the way (§I-2).
    pub over_units: Sourced<i16>,
    /// At long range.
    pub long: Sourced<i16>,
    /// By mixed guns beyond canister range (§I-1).
    pub mixed: Sourced<i16>,
    /// At dismounted cavalry.
    pub dismounted: Sourced<i16>,
    /// At mounted cavalry.
    pub mounted: Sourced<i16>,
    /// By units with orders to defend (§H-2).
    pub defend: Sourced<i16>,
    /// By rifled and mixed guns at one hex.
    pub canister: Sourced<i16>,
    /// By smoothbores at one hex.
    pub canister_smooth: Sourced<i16>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssaultFile {
    /// For each hex from which the attack comes over a stream, −12 to 12 (§K-6-d).
    pub stream: Sourced<i8>,
    /// For each hex from which the attack comes over a creek (§K-6-d).
    pub creek: Sourced<i8>,
    /// For each hex from which the attack comes up a slope (§K-6-d).
    pub slope: Sourced<i8>,
    /// For each hex from which the attack comes up a steep slope (§K-6-d).
    pub steep: Sourced<i8>,
    /// For the defender in a town.
    pub town: Sourced<i16>,
    /// For the Rebel Yell.
    pub yell: Sourced<i16>,
    /// For the attacker who comes from three hexes or more (§K-6-e).
    pub flank: Sourced<i16>,
    /// For the attacker of guns that have no infantry or dismounted cavalry beside them (§K-6-c).
    pub guns: Sourced<i16>,
    /// For whoever has odds of 3:2, 2:1 and 3:1, in this order (§K-6-a).
    pub odds: Sourced<[i16; 3]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostsFile {
    /// An open hex (§J-1-a).
    pub open: Sourced<u8>,
    /// A hex of woods (§J-1-b).
    pub woods: Sourced<u8>,
    /// Added for going up a slope (§J-1-c).
    pub slope: Sourced<u8>,
    /// Added for going up a steep slope (§J-1-d).
    pub steep: Sourced<u8>,
    /// Added for crossing a stream (§J-1-c).
    pub stream: Sourced<u8>,
    /// Added for crossing a creek (§J-1-c).
    pub creek: Sourced<u8>,
    /// A hex entered along a lane or a street, whatever its ground (§J-1-e).
    pub road: Sourced<u8>,
    /// A hex entered along a pike or road at march rate, whatever its ground; not in a town (§J-1-f).
    pub pike: Sourced<u8>,
    /// Added for leaving a hex next to the enemy (§J-3-c).
    pub disengage: Sourced<u8>,
    /// For leaving the map (§J-3-d).
    pub exit: Sourced<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowanceFile {
    /// On foot with orders to attack (§H-1).
    pub attack: Sourced<u8>,
    /// In the saddle with orders to attack (§H-1).
    pub attack_mounted: Sourced<u8>,
    /// On foot with orders to maneuver (§H-3).
    pub maneuver: Sourced<u8>,
    /// In the saddle with orders to maneuver (§H-3).
    pub maneuver_mounted: Sourced<u8>,
    /// By the event Division Redeployment.
    pub redeploy: Sourced<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackingFile {
    /// In any hex but a town's.
    pub open: Sourced<i16>,
    /// In a town.
    pub town: Sourced<i16>,
    /// In a hex that is to be entered at the price of its road, whoever enters counted (§J-1-e, §J-1-f).
    pub road: Sourced<i16>,
    /// Of those who go on in a breakthrough (§K-9).
    pub breakthrough: Sourced<i16>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FogLine {
    /// The lowest roll: two dice read as tens and ones.
    pub from: u8,
    /// The highest roll.
    pub to: u8,
    /// What happens.
    pub result: FogName,
    /// Where the line comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FogName {
    /// The enemy of this side picks one of its hexes, which falls into chaos (§F-2).
    Chaos(String),
    /// The enemy of this side moves one of its units a hex (§F-2).
    Wayward(String),
    /// A used or excluded chit of this side goes back into the cup, unseen (§F-2).
    Fortunes(String),
    /// A general of this side may fall: the side and his chit; `""` if he has none.
    Casualty(String, String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedFile {
    /// The two letters of the division.
    pub division: String,
    /// The corps whose generals can order it.
    pub corps: Vec<String>,
}

/// `chits.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChitsFile {
    /// The event chits.
    pub events: Vec<EventFile>,
    /// What the Fog of War chit is called.
    pub fog: Sourced<String>,
    /// What the Friction of War chit is called.
    pub friction: Sourced<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventFile {
    /// The chit's name for commands and files.
    pub id: String,
    /// Whose chit it is.
    pub side: String,
    /// What stands on it.
    pub name: String,
    /// What happens.
    pub event: Happening,
    /// Whether it may be kept for later.
    pub hold: bool,
    /// Where it comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// `map.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    /// Places worth points, or named by a scenario's `victory`.
    pub victory: Vec<PrizeFile>,
    /// Hexes that win outright, by side.
    #[serde(default)]
    pub automatic: BTreeMap<String, AnyFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrizeFile {
    /// The place, for people and for scenarios.
    pub name: String,
    /// Its hexes; who holds them all holds the place.
    pub hexes: Vec<String>,
    /// What it is worth at the end of the main scenario; 0 if only other scenarios count it.
    pub points: i32,
    /// Who holds it at the start; otherwise the first side does.
    #[serde(default)]
    pub holder: Option<String>,
    /// Where it comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnyFile {
    /// The hexes.
    pub hexes: Vec<String>,
    /// How many of them are enough.
    pub any: usize,
    /// Where it comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

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
    /// Which entries of the counters count.
    pub setup: SetupName,
    /// How many event chits each side has in the cup.
    pub events: PicksFile,
    /// Whether the Friction of War comes into the cup on the turns of `affairs.ron` (§F-3).
    pub friction: bool,
    /// Whether the first casualty of each side is the general of `affairs.ron`, as it was (§O).
    pub first_casualties: bool,
    /// The side whose guns begin the artillery phase (§E).
    pub guns_begin: String,
    /// How the commander of `affairs.ron` comes. Left out: he does not.
    #[serde(default)]
    pub stand_in: Option<StandInHow>,
    /// Batteries that do nothing in the artillery phase of the first turn.
    #[serde(default)]
    pub resting: Vec<String>,
    /// The part of the map that is played on: rows from the north, each with its easternmost and westernmost column.
    /// Left out: all of it.
    #[serde(default)]
    pub field: Vec<(u8, u8, u8)>,
    /// What decides.
    pub victory: VictoryFile,
}

/// Which entries of the counters count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupName {
    /// The entries under `entry`.
    Main,
    /// The entries under `tutorial`.
    Tutorial,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PicksFile {
    /// Chits that the side chooses itself.
    pub chosen: u8,
    /// Chits that are drawn unseen.
    pub random: u8,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandInHow {
    /// By the die, from the turn that `affairs.ron` names.
    Roll,
    /// On this turn, without a roll.
    From(String),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VictoryFile {
    /// Victory points (§O).
    Points,
    /// Whoever holds more of these places of `map.ron`.
    Hexes(Vec<String>),
}
