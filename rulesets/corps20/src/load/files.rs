//! The data files as they are written.

use crate::crt::Crt;
use crate::rules::Happening;
use cupola_data::{Origin, Sourced};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The ratings of a counter in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Values {
    /// A corps, division or brigade that stands on the map.
    Unit {
        /// Combat strength when fresh, 0 to 9; a weary unit has 1 less, a routed one 2 less, never below 0 (§6.2,
        /// §7.12).
        strength: Sourced<i8>,
        /// Quality, 1 to 6: a die of this or less passes a test (§6.1, §7.14, §8.2), so that a unit of 6 never fails.
        quality: Sourced<i8>,
        /// Movement points a round, 0 to 12 (§5).
        ma: Sourced<u8>,
        /// The corps of the first side that it belongs to: `"1"`, `"2"` or `"3"` (§9.2). Left out: it belongs to the
        /// army alone.
        #[serde(default)]
        corps: Option<String>,
        /// When and where it comes. A cadre has none: it is made by a rally.
        #[serde(default)]
        entry: Option<Sourced<Arrives>>,
    },
    /// Guns kept off the map, which add to one fight and then are away for a while.
    Marker {
        /// What the marker adds in one combat, 0 to 6 (§9.3).
        bonus: Sourced<i8>,
        /// Rounds until it may be used again.
        rounds_away: Sourced<u16>,
        corps: String,
        entry: Sourced<Arrives>,
    },
}

/// The ratings of a leader in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaderValues {
    /// Hexes within which he gives attack command, 0 to 9 (§9.1). Of a leader who has no place on the map, such as
    /// Lee, what he adds.
    pub range: Sourced<i8>,
    /// Movement points a round. Left out: he has no place on the map.
    #[serde(default)]
    pub ma: Option<Sourced<u8>>,
    /// The corps of the first side that he leads: `"1"`, `"2"` or `"3"`. Left out: he leads the army.
    #[serde(default)]
    pub corps: Option<String>,
    /// When and where he comes.
    pub entry: Sourced<Arrives>,
}

/// When and where a counter comes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrives {
    /// A turn of `turns.ron` by its id, or `"start"`.
    pub turn: String,
    /// A hex, or the code of an entry of the board; `""` for what is kept off the map.
    pub at: String,
    /// How tired it is when it comes.
    pub fatigue: Fatigue,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fatigue {
    /// At full strength.
    Fresh,
    /// One level of fatigue; the next makes it weary (§6.2).
    Tired,
    /// Two levels of fatigue: strength 1 less until it recovers (§6.2).
    Weary,
}

/// `tables.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// The combat results table: a column for each differential, a result for each roll of a die. A differential
    /// beyond the table counts as its first or last column (§7.4).
    pub crt: Crt,
    /// What movement costs, in half points (§5.3).
    pub costs: CostLines,
    /// The highest space of the Army Morale track, 1 to 60; what would go beyond it is lost (§8.5).
    pub morale_track: Sourced<i8>,
    /// What share of its men a unit has lost in each condition: for reports and comparisons, not for play.
    pub losses: LossLines,
}

/// What movement costs, in half points.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostLines {
    /// Half points into a plain hex, 1 to 20 (§5.3); a leader pays no more anywhere (§9.1).
    pub clear: Sourced<u8>,
    /// Half points along a road or pike, 1 to 20 (§5.3).
    pub road: Sourced<u8>,
    /// Half points more into woods or through them, 0 to 20 (§5.3).
    pub woods: Sourced<u8>,
    /// Half points more across a creek, 0 to 20 (§5.3).
    pub creek: Sourced<u8>,
}

/// What share of its men a unit in each condition has lost, in thousandths.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossLines {
    /// Thousandths of its men that a routed unit has lost, 0 to 1000.
    pub routed: Sourced<u16>,
    /// Thousandths of its men that a broken unit has lost, 0 to 1000.
    pub broken: Sourced<u16>,
    /// Thousandths of its men that are missing from a cadre, 0 to 1000.
    pub cadre: Sourced<u16>,
    /// Thousandths of its men that an eliminated unit has lost, 0 to 1000.
    pub eliminated: Sourced<u16>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RainLine {
    /// The round, by its id in `turns.ron`.
    pub turn: String,
    /// A die of this or less ends the battle in the rain, 0 to 6; 0: it cannot rain yet.
    pub up_to: Sourced<u8>,
}

/// `deck.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeckFile {
    /// The event cards (§4).
    pub deck: Vec<CardLine>,
}

/// A card: its title and what happens, by side.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardLine {
    /// Its number, which no other card has.
    pub number: u8,
    /// By side, the card's title and what happens when that side draws it.
    pub sides: BTreeMap<String, (String, Happening)>,
}

/// `map.ron`: what the printed map shows besides terrain.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    /// Town hexes, each with its origin.
    pub towns: Vec<(String, Origin)>,
    /// The town that the armies fight for (§8.4).
    #[serde(default)]
    pub prize: Vec<(String, Origin)>,
    /// Lines of communications of both sides: a pike to one of them that the enemy cuts costs morale at night (§8.3),
    /// and rallied units come back there (§8.2).
    pub communications: Vec<LineFile>,
    /// Army Morale at the start, by side.
    pub morale: Sourced<BTreeMap<String, i8>>,
    /// Rounds in which rain may end the battle (§3.2).
    #[serde(default)]
    pub rain: Vec<RainLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineFile {
    /// Whose line it is.
    pub side: String,
    /// The code of an entry of the board.
    pub entry: String,
    /// The name of the pike that leads there, if one does; the board has its way.
    #[serde(default)]
    pub pike: Option<String>,
    /// Where it comes from.
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// A scenario of this ruleset.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// Its name for people.
    #[serde(rename = "title")]
    pub _title: String,
    /// The battle whose map, counters and turns are used.
    #[serde(rename = "battle")]
    pub _battle: String,
    /// The first round that is played, by its id in `turns.ron`.
    pub first: String,
    /// The last round that is played, by its id in `turns.ron`.
    pub last: String,
}
