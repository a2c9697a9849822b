//! Numbers that no map or block can have: they are refused before anything is worked out with them.

use super::List;
use super::files::{MapFile, MovesWord, Tables};
use crate::rules::terrain;
use cupola_kit::Loader;

const TABLES: &str = "tables.ron";
const COUNTERS: &str = "counters.ron";

/// Notes every number that is out of its range.
pub fn check(loader: &mut Loader, tables: &Tables, map: &MapFile, list: &List) {
    let moves = tables.moves.iter().enumerate();
    let moves = moves.map(|(i, line)| (format!("moves[{i}].points[0]"), line.points.0));
    loader.within(TABLES, 1..=60, moves);
    use MovesWord::{Artillery, Cavalry, CavalryHq, HorseArtillery, Hq, Infantry};
    for kind in [Hq, CavalryHq, Infantry, Artillery, Cavalry, HorseArtillery] {
        if !tables.moves.iter().any(|line| line.kind == kind) {
            loader.wrong(TABLES, "moves", format!("how far does {kind:?} move?"));
        }
    }
    let steps = [
        ("clear[0]", tables.clear.0),
        ("major_road[0]", tables.major_road.0),
        ("minor_road[0]", tables.minor_road.0),
    ];
    loader.within(TABLES, 1..=20, steps);
    for (i, line) in tables.sides.iter().enumerate() {
        loader.within(
            TABLES,
            0..=20,
            [(format!("sides[{i}].moves[0]"), line.moves.0)],
        );
        let fire = [
            (format!("sides[{i}].fire[0]"), line.fire.0),
            (format!("sides[{i}].melee[0]"), line.melee.0),
        ];
        loader.within(TABLES, -9..=9, fire);
    }
    for name in terrain::NAMES {
        if !tables.sides.iter().any(|line| line.terrain == name) {
            loader.wrong(TABLES, "sides", format!("what does \"{name}\" do?"));
        }
    }
    let limits = tables.stacking.iter().enumerate();
    let limits = limits.map(|(i, line)| (format!("stacking[{i}].limit[0]"), line.limit.0));
    loader.within(TABLES, 1..=20, limits);
    let limits = map.stacking.iter().enumerate();
    let limits = limits.map(|(i, line)| (format!("stacking[{i}].limit[0]"), line.limit.0));
    loader.within("map.ron", 1..=20, limits);
    if map.entries.0.is_empty() {
        loader.wrong("map.ron", "entries", "nobody could come: no entry");
    }
    ratings(loader, list);
}

/// The labels of blocks and headquarters.
fn ratings(loader: &mut Loader, list: &List) {
    for (i, counter) in list.counters.iter().enumerate() {
        let (field, values) = (format!("counters[{i}].values"), &counter.values);
        loader.within(COUNTERS, 1..=9, [(format!("{field}.max[0]"), values.max.0)]);
        let more = [("long", &values.long), ("melee", &values.melee)];
        let more = more
            .into_iter()
            .filter_map(|(key, value)| Some((format!("{field}.{key}[0]"), value.as_ref()?.0)));
        let fire = [(format!("{field}.rating[0].fire"), values.rating.0.fire)];
        loader.within(COUNTERS, 0..=6, fire.into_iter().chain(more));
    }
    for (i, leader) in list.leaders.iter().enumerate() {
        let (field, values) = (format!("leaders[{i}].values"), &leader.values);
        loader.within(COUNTERS, 0..=9, [(format!("{field}.max[0]"), values.max.0)]);
        loader.within(
            COUNTERS,
            0..=20,
            [(format!("{field}.range[0]"), values.range.0)],
        );
        let fire = [(format!("{field}.rating[0].fire"), values.rating.0.fire)];
        loader.within(COUNTERS, 0..=6, fire);
    }
}
