//! What a comparison found, in common terms: all that a page or a table shows.

use crate::grid::{Band, Grid, PlanPair};
use crate::stats::Estimate;
use serde::{Deserialize, Serialize};

/// One battle under several rulesets.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// The scenario's name for programs: `gettysburg-july1`.
    pub scenario: String,
    /// Its name for people.
    pub title: String,
    /// The two armies: ids and names, in the order in which every pair below has them.
    pub sides: [(String, String); 2],
    /// Full hours of the span, in minutes of the calendar, with their names: `July 1, 09:00`.
    pub hours: Vec<(i32, String)>,
    /// The ground that all the boards share, and in which fronts are drawn.
    pub frame: Raster,
    /// What was played, one after the other.
    pub contests: Vec<Findings>,
    /// What is recorded of the battle itself.
    pub history: HistoryFindings,
    /// What is compared and what is not.
    pub notes: Vec<String>,
    /// The same by other plans, other players and other scales, if that was played.
    #[serde(default)]
    pub grid: Option<Grid>,
}

/// A rectangle of the ground, cut into square cells; rows run from the north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raster {
    /// Its west edge in local metres.
    pub west: i32,
    /// Its north edge.
    pub north: i32,
    /// The side of a cell in metres.
    pub cell: i32,
    /// Cells from west to east.
    pub columns: usize,
    /// Cells from north to south.
    pub rows: usize,
}

impl Raster {
    /// The middle of a cell in local metres.
    #[must_use]
    pub fn middle(&self, column: usize, row: usize) -> (i32, i32) {
        (
            self.west + self.cell * column as i32 + self.cell / 2,
            self.north - self.cell * row as i32 - self.cell / 2,
        )
    }
}

/// A number that differs from game to game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// How many games it was seen in.
    pub games: u32,
    /// The mean.
    pub mean: f64,
    /// One game in ten has less.
    pub low: f64,
    /// One game in ten has more.
    pub high: f64,
    /// The standard error of the mean.
    #[serde(default)]
    pub error: f64,
}

impl Spread {
    /// The mean with the interval in which it lies nineteen times in twenty.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        Estimate::around(self.mean, self.error, self.games)
    }
}

/// A share of games, with the interval in which it lies nineteen times in twenty (Wilson).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// How many.
    pub count: u32,
    /// Of how many.
    pub of: u32,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A game that shows something, and how to see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// The contest's name.
    pub contest: String,
    /// The game's number.
    pub game: u32,
    /// Its seed.
    pub seed: String,
    /// In words what it shows.
    pub shows: String,
    /// Which claims it bears out.
    pub topics: Vec<Topic>,
}

/// What a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Topic {
    /// The battle as a whole.
    Headline,
    /// Whose ground it was.
    Fronts,
    /// Who won.
    Balance,
    /// Men lost.
    Losses,
    /// Guns lost.
    Guns,
    /// How far the front moved.
    Moved,
    /// Who held the named places.
    Places,
    /// When things began, and how fast they went.
    Tempo,
    /// How long fights lasted.
    Contact,
    /// Orders that did nothing.
    Orders,
    /// How much there was to decide.
    Decisions,
    /// Dice against skill.
    Luck,
    /// How far it was from history.
    Distance,
}

/// What one contest came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Findings {
    /// Its name, short and stable: the ruleset's, or the variant's.
    pub name: String,
    /// Its name for people: the title of the ruleset, or of the variant.
    pub title: String,
    /// The ruleset's own scenario.
    pub scenario: String,
    /// The time that its turns cover, in minutes of the calendar.
    pub covers: (i32, i32),
    /// Metres between the centres of two neighbouring hexes.
    pub hex_metres: u32,
    /// The length of its turns in minutes: the shortest and the longest.
    pub turn_minutes: (i32, i32),
    /// Counters on either side that are not lost when the game begins.
    pub counters: [u32; 2],
    /// Men when the game begins.
    pub men: [u32; 2],
    /// Guns then.
    pub guns: [u32; 2],
    /// Those of them that have counters of their own; the others share a counter with many men.
    pub guns_apart: [u32; 2],
    /// Who plays, by side.
    pub players: [String; 2],
    /// Games that were played to their end.
    pub games: u32,
    /// Games that went wrong: number, seed, what happened.
    pub bad: Vec<(u32, String, String)>,
    /// Games won by each side, and drawn.
    pub balance: [Share; 3],
    /// Men lost by corps and hour.
    pub corps: Vec<CorpsLosses>,
    /// Guns lost by side and hour.
    pub guns_lost: [Vec<Spread>; 2],
    /// Men lost by side and hour.
    pub men_lost: [Vec<Spread>; 2],
    /// Those of them who were prisoners at the last hour, by side; nothing where the rules do not tell them from the fallen.
    #[serde(default)]
    pub captured: [Option<Spread>; 2],
    /// Who held the named places when.
    pub places: Vec<PlaceHeld>,
    /// Where the front ran: per hour and cell how often the first army had the ground, in 254ths; 255 is nobody's
    /// ground in most games.
    pub fronts: Vec<Vec<u8>>,
    /// How far each side pushed the front since the hour before, in metres: ground it took by the front's length.
    pub front_moved: [Vec<Spread>; 2],
    /// The same, all hours of a game together.
    #[serde(default)]
    pub front_pushed: [Spread; 2],
    /// By hour the second side's share of the ground that is anybody's.
    #[serde(default)]
    pub front_held: Vec<Spread>,
    /// When things began.
    pub tempo: Tempo,
    /// How long a unit stays in contact once it is, in minutes.
    pub contact_minutes: Spread,
    /// Of orders to go somewhere, the share that moved nobody, by side.
    pub idle_orders: [Spread; 2],
    /// Decisions in a game.
    pub decisions: Spread,
    /// Decisions per hour of the battle.
    pub decisions_per_hour: Spread,
    /// How much the dice decide.
    pub luck: Option<Luck>,
    /// By which plans it was played.
    #[serde(default)]
    pub plans: PlanPair,
    /// What a loss by its rules may stand for in men.
    #[serde(default)]
    pub band: Band,
    /// What its rules count, by side.
    #[serde(default)]
    pub as_counted: [Counted; 2],
    /// The share of all men lost that fell in the evening and at night.
    #[serde(default)]
    pub late: Spread,
    /// Its most typical game.
    #[serde(default)]
    pub trace: Option<Trace>,
    /// What happened in the games that are cited.
    #[serde(default)]
    pub stories: Vec<Story>,
    /// Every game by itself.
    #[serde(default)]
    pub by_game: Vec<GameFigures>,
    /// What is recorded of each side in those hours of the page that it plays.
    #[serde(default)]
    pub recorded: [Recorded; 2],
    /// How far it is from history.
    pub distance: Distance,
    /// Games that show what is said above.
    pub witnesses: Vec<Witness>,
}

/// What is recorded of a side in some hours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Men lost, if anything is recorded.
    pub men: Option<u32>,
    /// Of these, the captured and missing, as far as the army list tells.
    pub captured: u32,
    /// Men lost by each hour of the page, since the first that is played.
    #[serde(default)]
    pub by_hour: Vec<u32>,
}

/// Losses of a corps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CorpsLosses {
    /// Whose: index into the sides.
    pub side: usize,
    /// Its node in the army list.
    pub id: String,
    /// For people.
    pub name: String,
    /// Its men in this ruleset's game.
    pub men: u32,
    /// Its guns.
    pub guns: u32,
    /// Men that it is recorded to have lost in those hours of the page that the ruleset plays, if anything is recorded of it.
    #[serde(default)]
    pub recorded: Option<u32>,
    /// The least and the most that it may have been, where that is doubtful.
    #[serde(default)]
    pub recorded_band: Option<(f64, f64)>,
    /// Men lost since the beginning, by hour.
    pub lost: Vec<Spread>,
    /// Men lost in each hour alone.
    #[serde(default)]
    pub lost_in: Vec<Spread>,
    /// Guns lost, by hour.
    pub guns_lost: Vec<Spread>,
}

/// Who held a place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlaceHeld {
    /// Its id on the battlefield.
    pub id: String,
    /// For people.
    pub name: String,
    /// By hour, the share of games in which each side held it.
    pub held: Vec<[f64; 2]>,
}

/// When things began, and how fast they moved.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tempo {
    /// When the armies first stood next to each other, or fought from afar.
    pub first_contact: Onset,
    /// When a fight was first fought.
    pub first_attack: Onset,
    /// When one was first fought at close quarters: in the next hex or the same.
    pub first_close: Onset,
    /// Metres that a unit on the march went in an hour, by side.
    pub march: [Spread; 2],
    /// Attacks per hour of the battle, by side.
    pub attacks: [Spread; 2],
}

/// When something began. A game knows no time within its turns, so all times are those of whole turns: from and to
/// in minutes of the calendar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Onset {
    /// In how many games it began at all.
    pub games: u32,
    /// Of how many.
    pub of: u32,
    /// The mean of the middles of the turns.
    pub mean: f64,
    /// One game in ten has it in this turn or before.
    pub early: (i32, i32),
    /// Half of the games have it in this turn or before.
    pub usual: (i32, i32),
    /// Nine games in ten have it in this turn or before.
    pub late: (i32, i32),
}

/// How much of the result the dice decide, against how much the better player decides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Luck {
    /// Between 0, all skill, and 1, all dice.
    pub index: f64,
    /// Nineteen times in twenty it lies above this,
    pub low: f64,
    /// and below this.
    pub high: f64,
    /// How often the better player won, whichever side it had; a draw is half a win.
    pub better_wins: f64,
    /// Games it was measured by.
    pub games: u32,
}

/// How far play is from what is recorded. Estimates are means over games, with their intervals.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Distance {
    /// Losses by corps at the end of the span: the difference of the mean, as a share of the recorded losses.
    pub losses: Option<Estimate>,
    /// The least that the difference of losses can be, if the record and the scale of losses lie where it suits.
    pub losses_least: Option<f64>,
    /// Share of places and hours at which the recorded side held the place.
    pub places: Option<Estimate>,
    /// Share of them that nobody held: who is not there, or not in the scenario, cannot hold what his army held.
    #[serde(default)]
    pub places_nobody: Option<Estimate>,
    /// The most that it can be on that board, where places may share their hexes.
    #[serde(default)]
    pub places_best: Option<f64>,
    /// Places and hours that were compared.
    pub place_hours: u32,
    /// Metres between a unit and where it is recorded, by hour.
    pub positions: Vec<Option<Estimate>>,
    /// The same for the hours of a game together.
    pub position: Option<Estimate>,
    /// Units that were compared with a recorded place of their own or of their brigade.
    pub units: u32,
    /// What a perfect game could reach on that board: every unit in the hex nearest to its recorded place.
    pub position_best: Option<f64>,
    /// What random play comes to.
    pub random: Option<Floor>,
}

/// What random play comes to by the measures of [`Distance`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// Games it was measured by.
    pub games: u32,
    /// As [`Distance::losses`].
    pub losses: Option<f64>,
    /// As [`Distance::places`].
    pub places: Option<f64>,
    /// As [`Distance::position`].
    pub position: Option<f64>,
}

/// What a single game comes to, by all that the page tells of it and a record does not count itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameFigures {
    /// Its number.
    pub game: u32,
    /// The minutes that its turns stand for.
    pub minutes: i32,
    /// How long a unit stayed in contact, as the mean of the game.
    pub contact: Option<f64>,
    /// The share of all men lost that fell in the evening and at night.
    pub late: Option<f64>,
    /// Men lost by the last hour, by side.
    #[serde(default)]
    pub men_lost: [f64; 2],
    /// Prisoners lost by the last hour, by side; nothing where the rules do not tell them from the fallen.
    #[serde(default)]
    pub captured: [Option<f64>; 2],
    /// Counters worn, routed and removed at the end, by side.
    pub counted: [[u32; 3]; 2],
    /// Metres between units and their recorded places, the mean of the hours.
    pub astray: Option<f64>,
    /// Share of places and hours in the recorded hands.
    pub places: Option<f64>,
    /// Share of places and hours in nobody's hands of which the record has a holder.
    #[serde(default)]
    pub places_nobody: Option<f64>,
    /// Men by which the losses of all corps together are off the record.
    pub losses: Option<f64>,
    /// How far each side pushed the front, all hours together, in metres.
    pub pushed: [f64; 2],
    /// By hour how far each side pushed the front, and metres between units and their recorded places.
    #[serde(skip)]
    pub hours: Vec<([f64; 2], Option<f64>)>,
    /// By hour the second side's share of the ground that is anybody's.
    #[serde(skip)]
    pub held: Vec<Option<f64>>,
}

/// One game, traced and told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// Its number.
    pub game: u32,
    /// Its seed.
    pub seed: String,
    /// Everybody who was on the map.
    pub bodies: Vec<Body>,
    /// What happened, in the order of the hours.
    pub story: Vec<Moment>,
}

/// A game in plain words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// Its number.
    pub game: u32,
    /// What happened, in the order of the hours.
    pub told: Vec<Moment>,
}

/// A body of men, hour by hour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// For people.
    pub name: String,
    /// Whose: index into the sides.
    pub side: usize,
    /// By hour, where it was in local metres.
    pub at: Vec<Option<(i32, i32)>>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// When, in minutes of the calendar.
    pub minute: i32,
    /// What, in words that go on after the hour.
    pub words: String,
}

/// What the rules themselves count, by side, at the end of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// Counters that lost something and still fight.
    pub worn: Spread,
    /// Counters on the map that hold no ground: routed, or leaders.
    pub routed: Spread,
    /// Counters that are out of the game.
    pub removed: Spread,
}

/// What is recorded of the battle itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct HistoryFindings {
    /// Men lost in the span by corps: side, node, name, men.
    pub corps: Vec<(usize, String, String, u32)>,
    /// The least and the most that each of them may have lost.
    #[serde(default)]
    pub corps_bands: Vec<(u32, u32)>,
    /// Men lost since the span began, by side and hour.
    pub men_lost: [Vec<u32>; 2],
    /// Places: id, name, by hour the index of the side that held it.
    pub places: Vec<(String, String, Vec<Option<usize>>)>,
    /// The front by hour, as in [`Findings::fronts`]: 254 where the first army stood nearer, 0 the second;
    /// without a cell for hours that are not recorded.
    pub fronts: Vec<Vec<u8>>,
    /// How far each side pushed the front since the hour before, in metres.
    pub front_moved: [Vec<f64>; 2],
    /// Brigades and battalions, hour by hour.
    #[serde(default)]
    pub bodies: Vec<Body>,
    /// Of the men lost by side, those who were captured or missing, as far as the army list tells.
    #[serde(default)]
    pub captured: [u32; 2],
}
