//! Rules that a position wants otherwise: ratings, terrain, switches, results.

use crate::ground::{Chart, Crossing, Ground};
use crate::position::State;
use crate::rules::{Card, Meaning, Rules, Switches};
use crate::tables::{Level, RATINGS, Test};
use cupola_ground::{Cover, Direction, Grade, HexId, Rise, RoadKind, WaterKind};
use cupola_kernel::{Setup, Table};
use cupola_kit::PositionReader;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a position may say of the rules; ratings of units stand with the units.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Amendments {
    /// Switches that stand otherwise than in the ruleset.
    switches: BTreeMap<String, bool>,
    /// Command Ratings of generals.
    ratings: BTreeMap<String, String>,
    /// Rows of the Command Table: six letters.
    command: BTreeMap<String, String>,
    /// Results of the Combat Results Table by roll: one for each column.
    results: BTreeMap<u8, String>,
    /// The cover of hexes: `clear`, `woods` or `town`.
    cover: BTreeMap<String, CoverName>,
    /// The level of hexes.
    levels: BTreeMap<String, i8>,
    /// Hexsides, and all that they have.
    hexsides: Vec<HexsideState>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CoverName {
    Clear,
    Woods,
    Town,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HexsideState {
    /// Its two hexes.
    between: (String, String),
    /// What it has; slopes as one crosses from the first hex to the second.
    is: Vec<Feature>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Feature {
    Pike,
    Lane,
    Stream,
    Creek,
    Up,
    UpSteep,
    Down,
    DownSteep,
}

/// Puts what a position says of the rules in their place.
pub fn apply(t: &mut Setup, reader: &mut PositionReader, state: &State) {
    let mut rules = t.rules::<Rules>().clone();
    cards(t, reader, state, &mut rules.cards);
    let amend = &state.amend;
    for (name, &on) in &amend.switches {
        let field = format!("state.amend.switches.{name}");
        if let Some(at) = reader.named(&field, ("switch", name), Switches::NAMES) {
            rules.switches.set(at, on);
        }
    }
    generals(t, reader, amend, &mut rules);
    tables(reader, amend, &mut rules);
    let mut chart = rules.ground.chart.clone();
    if terrain(t, reader, amend, &mut chart) {
        rules.ground = Ground::new(t.board(), chart);
    }
    t.amend::<Rules>(|own| *own = rules);
}

/// Counters with other values.
fn cards(t: &Table, reader: &mut PositionReader, state: &State, cards: &mut [Card]) {
    for (id, unit) in &state.units {
        // Who is not there is told where the units are set.
        let Some(number) = t.env().unit(id) else {
            continue;
        };
        let card = &mut cards[usize::from(number.0)];
        if let Some((fresh, worn)) = unit.sp {
            for sp in [fresh, worn] {
                reader.within(&format!("state.units.{id}.sp"), sp, 0..=20);
            }
            card.sp = [fresh, worn];
        }
        if let Some((fresh, worn)) = unit.cr {
            for cr in [fresh, worn] {
                reader.within(&format!("state.units.{id}.cr"), cr, 0..=6);
            }
            card.cr = [fresh, worn];
        }
    }
}

fn generals(t: &Table, reader: &mut PositionReader, amend: &Amendments, rules: &mut Rules) {
    for (name, wanted) in &amend.ratings {
        let field = format!("state.amend.ratings.{name}");
        let chits = t.env().tokens[..rules.chits.len()].iter();
        let chit = reader.named(&field, ("general", name), chits.map(String::as_str));
        let level = reader.named(&field, ("rating", wanted), RATINGS);
        let (Some(chit), Some(level)) = (chit, level) else {
            continue;
        };
        match &mut rules.chits[chit].meaning {
            Meaning::General { rating, .. } => *rating = level as i8,
            _ => reader.wrong(&field, format!("{name} is no general")),
        }
    }
}

fn tables(reader: &mut PositionReader, amend: &Amendments, rules: &mut Rules) {
    for (name, row) in &amend.command {
        let field = format!("state.amend.command.{name}");
        let levels: Option<Vec<Level>> = row.split_whitespace().map(Level::parse).collect();
        let levels = levels.and_then(|levels| <[Level; 6]>::try_from(levels).ok());
        if levels.is_none() {
            reader.wrong(&field, "expected six of N, S, T, E");
        }
        let rating = reader.named(&field, ("rating", name), RATINGS);
        if let (Some(rating), Some(levels)) = (rating, levels) {
            rules.charts.command[rating] = levels;
        }
    }
    for (&roll, row) in &amend.results {
        let field = format!("state.amend.results.{roll}");
        let cells = &mut rules.charts.crt.cells;
        let tests: Option<Vec<Test>> = row.split_whitespace().map(Test::parse).collect();
        let Some(tests) = tests.filter(|tests| tests.len() == cells.len()) else {
            let columns = cells.len();
            reader.wrong(&field, format!("expected {columns} of NE, E, R, T, S, C"));
            continue;
        };
        let (black, white) = (roll / 10, roll % 10);
        if !(1..=6).contains(&black) || !(1..=6).contains(&white) {
            reader.wrong(&field, "a roll is from 11 to 66");
            continue;
        }
        let at = usize::from(black - 1) * 6 + usize::from(white - 1);
        cells
            .iter_mut()
            .zip(tests)
            .for_each(|(column, test)| column[at] = test);
    }
}

/// Hexes and hexsides that are otherwise; whether there are any.
fn terrain(t: &Table, reader: &mut PositionReader, amend: &Amendments, chart: &mut Chart) -> bool {
    for (label, cover) in &amend.cover {
        let cover = match cover {
            CoverName::Clear => Cover::Clear,
            CoverName::Woods => Cover::Woods,
            CoverName::Town => Cover::Town,
        };
        if let Some(hex) = reader.hex(t, &format!("state.amend.cover.{label}"), label) {
            chart.covers.insert(hex, cover);
        }
    }
    for (label, &level) in &amend.levels {
        let field = format!("state.amend.levels.{label}");
        reader.within(&field, level, 1..=6);
        if let Some(hex) = reader.hex(t, &field, label) {
            chart.levels.insert(hex, level);
        }
    }
    for (i, side) in amend.hexsides.iter().enumerate() {
        hexside(
            t,
            reader,
            &format!("state.amend.hexsides[{i}]"),
            side,
            chart,
        );
    }
    !(amend.cover.is_empty() && amend.levels.is_empty() && amend.hexsides.is_empty())
}

fn hexside(
    t: &Table,
    reader: &mut PositionReader,
    field: &str,
    side: &HexsideState,
    chart: &mut Chart,
) {
    let (a, b) = &side.between;
    let from = reader.hex(t, &format!("{field}.between"), a);
    let to = reader.hex(t, &format!("{field}.between"), b);
    let (Some(from), Some(to)) = (from, to) else {
        return;
    };
    let Some(direction) = t.board().direction(from, to) else {
        let why = format!("{a} and {b} are not next to each other");
        return reader.wrong(&format!("{field}.between"), why);
    };
    let has = |feature| side.is.contains(&feature);
    let rise = |up: Feature, steep: Feature, down: Feature, cliff: Feature| match () {
        () if has(up) => Rise::Up(Grade::Gentle),
        () if has(steep) => Rise::Up(Grade::Steep),
        () if has(down) => Rise::Down(Grade::Gentle),
        () if has(cliff) => Rise::Down(Grade::Steep),
        () => Rise::Level,
    };
    let (up, steep, down, cliff) = (
        Feature::Up,
        Feature::UpSteep,
        Feature::Down,
        Feature::DownSteep,
    );
    let crossing = |rise: Rise| Crossing {
        road: match () {
            () if has(Feature::Pike) => Some(RoadKind::Pike),
            () if has(Feature::Lane) => Some(RoadKind::Lane),
            () => None,
        },
        rise,
        water: match () {
            () if has(Feature::Creek) => Some(WaterKind::Creek),
            () if has(Feature::Stream) => Some(WaterKind::Run),
            () => None,
        },
    };
    let mut put = |hex: HexId, way: Direction, rise: Rise| {
        chart.sides.insert((hex, way.index()), crossing(rise));
    };
    put(from, direction, rise(up, steep, down, cliff));
    put(to, direction.opposite(), rise(down, cliff, up, steep));
}
