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
    Unit {
        strength: Sourced<i8>,
        quality: Sourced<i8>,
        ma: Sourced<u8>,
        #[serde(default)]
        corps: Option<String>,
        #[serde(default)]
        entry: Option<Sourced<Arrives>>,
    },
    Marker {
        bonus: Sourced<i8>,
        rounds_away: Sourced<u16>,
        corps: String,
        entry: Sourced<Arrives>,
    },
}

/// The ratings of a leader in `counters.ron`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaderValues {
    pub range: Sourced<i8>,
    #[serde(default)]
    pub ma: Option<Sourced<u8>>,
    #[serde(default)]
    pub corps: Option<String>,
    pub entry: Sourced<Arrives>,
}

/// When and where a counter comes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrives {
    pub turn: String,
    pub at: String,
    pub fatigue: Fatigue,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fatigue {
    Fresh,
    Tired,
    Weary,
}

/// `tables.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub crt: Crt,
    pub morale_track: Sourced<i8>,
    pub losses: LossLines,
}

/// What share of its men a unit in each condition has lost, in thousandths.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossLines {
    pub routed: Sourced<u16>,
    pub broken: Sourced<u16>,
    pub cadre: Sourced<u16>,
    pub eliminated: Sourced<u16>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RainLine {
    pub turn: String,
    pub up_to: Sourced<u8>,
}

/// `deck.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeckFile {
    pub deck: Vec<CardLine>,
}

/// A card: its title and what happens, by side.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardLine {
    pub number: u8,
    pub sides: BTreeMap<String, (String, Happening)>,
}

/// `map.ron`: what the printed map shows besides terrain.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    pub towns: Vec<(String, Origin)>,
    /// The town that the armies fight for (§8.4).
    #[serde(default)]
    pub prize: Vec<(String, Origin)>,
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
    pub side: String,
    /// The code of an entry of the board.
    pub entry: String,
    /// The name of the pike that leads there, if one does; the board has its way.
    #[serde(default)]
    pub pike: Option<String>,
    #[serde(rename = "origin")]
    pub _origin: Origin,
}

/// A scenario of this ruleset.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    #[serde(rename = "title")]
    pub _title: String,
    #[serde(rename = "battle")]
    pub _battle: String,
    pub first: String,
    pub last: String,
}
