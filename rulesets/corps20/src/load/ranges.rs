//! Numbers that no table can have: they are refused before anything is worked out with them.

use super::files::{MapFile, Tables};
use cupola_kit::Loader;

const TABLES: &str = "tables.ron";
const MAP: &str = "map.ron";

/// Notes every number of the tables and the map that is out of its range.
pub fn check(loader: &mut Loader, tables: &Tables, map: &MapFile) {
    let columns = tables.crt.0.iter().enumerate();
    let columns = columns.map(|(i, column)| (format!("crt[{i}].at"), column.at));
    loader.within(TABLES, -20..=20, columns);
    let track = tables.morale_track.0;
    loader.within(TABLES, 1..=60, [("morale_track[0]", track)]);
    let start = map.morale.0.iter();
    let start = start.map(|(side, morale)| (format!("morale[0][\"{side}\"]"), *morale));
    loader.within(MAP, 1..=i64::from(track).clamp(1, 60), start);
    let rain = map.rain.iter().enumerate();
    let rain = rain.map(|(i, line)| (format!("rain[{i}].up_to[0]"), line.up_to.0));
    loader.within(MAP, 0..=6, rain);
    let costs = &tables.costs;
    let ways = [
        ("costs.clear[0]", costs.clear.0),
        ("costs.road[0]", costs.road.0),
    ];
    loader.within(TABLES, 1..=20, ways);
    let more = [
        ("costs.woods[0]", costs.woods.0),
        ("costs.creek[0]", costs.creek.0),
    ];
    loader.within(TABLES, 0..=20, more);
    let losses = [
        ("losses.routed[0]", tables.losses.routed.0),
        ("losses.broken[0]", tables.losses.broken.0),
        ("losses.cadre[0]", tables.losses.cadre.0),
        ("losses.eliminated[0]", tables.losses.eliminated.0),
    ];
    loader.within(TABLES, 0..=1000, losses);
}
