//! Rules taken out one at a time: each must make a case fail, or it is not proved.

use cupola_blocks as _;
use cupola_conformance::{Mutant, unseen};
use std::path::Path;

const TABLES: &str = "tables.ron";
const RULESET: &str = "ruleset.ron";
const COUNTERS: &str = "counters.ron";
const MAP: &str = "map.ron";
const DAY2: &str = "scenarios/day2.ron";
const DAY3: &str = "scenarios/day3.ron";

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    ("3.13", TABLES, "(kind: infantry, points: (6,", "(kind: infantry, points: (8,"),
    ("3.13", TABLES, "(kind: artillery, points: (8,", "(kind: artillery, points: (6,"),
    ("3.13", TABLES, "(kind: cavalry, points: (10,", "(kind: cavalry, points: (8,"),
    ("3.13", TABLES, "(kind: hq, points: (8,", "(kind: hq, points: (6,"),
    ("3.21", TABLES, "(kind: cavalry_hq, points: (10,", "(kind: cavalry_hq, points: (8,"),
    ("3.22", TABLES, "(kind: infantry, points: (6,", "(kind: infantry, points: (5,"),
    ("3.23", TABLES, "(kind: cavalry, points: (10,", "(kind: cavalry, points: (9,"),
    ("3.25", TABLES, "(kind: horse_artillery, points: (10,", "(kind: horse_artillery, points: (8,"),
    ("6.4", TABLES, "clear: (2,", "clear: (1,"),
    ("6.5", TABLES, "major_road: (1,", "major_road: (2,"),
    ("6.5", TABLES, "minor_road: (2,", "minor_road: (1,"),
    ("6.4", TABLES, "\"woods\", moves: (1,", "\"woods\", moves: (0,"),
    ("6.4", TABLES, "\"marsh\", moves: (3,", "\"marsh\", moves: (1,"),
    ("6.4", TABLES, "\"river\", moves: (2,", "\"river\", moves: (1,"),
    ("6.4", TABLES, "\"stream\", moves: (1,", "\"stream\", moves: (0,"),
    ("6.4", TABLES, "\"ridge\", moves: (1,", "\"ridge\", moves: (0,"),
    ("6.4", TABLES, "\"hill\", moves: (3,", "\"hill\", moves: (1,"),
    ("5.22", TABLES, "\"woods\", moves: (1, printed(\"000 TERRAIN EFFECTS\")), fire: (-1,", "\"woods\", moves: (1, printed(\"000 TERRAIN EFFECTS\")), fire: (0,"),
    ("5.22", TABLES, "\"town\", moves: (1, printed(\"000 TERRAIN EFFECTS\")), fire: (-1,", "\"town\", moves: (1, printed(\"000 TERRAIN EFFECTS\")), fire: (0,"),
    ("5.22", TABLES, "\"river\", moves: (2, printed(\"000 TERRAIN EFFECTS\")), fire: (-1,", "\"river\", moves: (2, printed(\"000 TERRAIN EFFECTS\")), fire: (0,"),
    ("5.22", TABLES, "\"stream\", moves: (1, printed(\"000 TERRAIN EFFECTS\")), fire: (0,", "\"stream\", moves: (1, printed(\"000 TERRAIN EFFECTS\")), fire: (-1,"),
    ("5.22", TABLES, "\"hill\", moves: (3, printed(\"000 TERRAIN EFFECTS\")), fire: (-1,", "\"hill\", moves: (3, printed(\"000 TERRAIN EFFECTS\")), fire: (0,"),
    ("7.3", TABLES, "fire: (-1, printed(\"000 TERRAIN EFFECTS\")), melee: (-2,", "fire: (-1, printed(\"000 TERRAIN EFFECTS\")), melee: (-1,"),
    ("7.3", TABLES, "\"ridge\", moves: (1, printed(\"000 TERRAIN EFFECTS\")), fire: (0, printed(\"000 TERRAIN EFFECTS\")), melee: (-1,", "\"ridge\", moves: (1, printed(\"000 TERRAIN EFFECTS\")), fire: (0, printed(\"000 TERRAIN EFFECTS\")), melee: (0,"),
    ("6.2", TABLES, "(cover: clear, limit: (4,", "(cover: clear, limit: (5,"),
    ("6.2", TABLES, "(cover: woods, limit: (3,", "(cover: woods, limit: (4,"),
    ("6.2", TABLES, "(cover: town, limit: (3,", "(cover: town, limit: (4,"),
    ("6.2", TABLES, "(cover: rocks, limit: (2,", "(cover: rocks, limit: (4,"),
    ("6.2", MAP, "(hex: \"R7\", limit: (2,", "(hex: \"R7\", limit: (4,"),
    ("5.24", TABLES, "double_defence: ([woods, rocks]", "double_defence: ([rocks]"),
    ("5.24", TABLES, "double_defence: ([woods, rocks]", "double_defence: ([woods]"),
    ("8.4", MAP, "night_supply: ({\"cs\": 12,", "night_supply: ({\"cs\": 13,"),
    ("8.4", MAP, "\"us\": 16}, printed", "\"us\": 15}, printed"),
    ("4.61", COUNTERS, "second: (\"us-hq-williams\"", "second: (\"us-hq-geary\""),
    ("3.31", COUNTERS, "independent: (true,", "independent: (false,"),
    ("3.32", COUNTERS, "hq: \"us-hq-slocum\", asset: true, max: (4, derived(\"men / 600, rounded up, at most 4\")), rating: ((letter: B, fire: 2), printed(\"000 3.32\"))", "hq: \"us-hq-slocum\", max: (4, derived(\"men / 600, rounded up, at most 4\")), rating: ((letter: B, fire: 2), printed(\"000 3.32\"))"),
    ("1.2", RULESET, "\"fire\", \"move\", \"melee\"", "\"move\", \"fire\", \"melee\""),
    ("9.3", DAY2, "last: \"day2-night\"", "last: \"day2-2000\""),
    ("9.4", DAY3, "last: \"day3-night\"", "last: \"day3-2000\""),
    ("9.73", MAP, "night_supply: ({\"cs\": 12,", "night_supply: ({\"cs\": 11,"),
    ("9.1", TABLES, "\"battle\": (wins: (10,", "\"battle\": (wins: (9,"),
    ("9.1", TABLES, "loses_below: (0,", "loses_below: (1,"),
    ("9.2", TABLES, "\"first_day\": (wins: (10,", "\"first_day\": (wins: (11,"),
    ("9.2", TABLES, "loses_below: (5,", "loses_below: (4,"),
    ("9.11", MAP, "name: \"Seminary Ridge\", hex: \"I9\", points: (1,", "name: \"Seminary Ridge\", hex: \"I9\", points: (0,"),
    ("9.11", MAP, "name: \"Gettysburg\", hex: \"H6\", points: (2,", "name: \"Gettysburg\", hex: \"H6\", points: (1,"),
    ("9.11", MAP, "name: \"Powers Hill\", hex: \"L3\", points: (3,", "name: \"Powers Hill\", hex: \"L3\", points: (2,"),
    ("2.2", MAP, "junction: (hex: \"J6\"", "junction: (hex: \"J5\""),
    ("8.4", MAP, "sources: {\"us\": (\"L1\"", "sources: {\"us\": (\"L3\""),
    ("6.2", RULESET, "\"transient_overstacking\": true", "\"transient_overstacking\": false"),
    ("4.6", RULESET, "\"deputy_sent\": true", "\"deputy_sent\": false"),
    ("6.62", RULESET, "\"leaving_frontline_stops\": false", "\"leaving_frontline_stops\": true"),
    ("1.1", RULESET, "\"fixed_initiative\": false", "\"fixed_initiative\": true"),
    ("6.7", RULESET, "\"entry_spreads\": false", "\"entry_spreads\": true"),
];

#[test]
fn what_is_taken_out_is_missed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let unseen = unseen(&root, "blocks", MUTANTS);
    assert!(unseen.is_empty(), "{}", unseen.join("\n"));
}
