//! Rules taken out one at a time: each must make a case fail, or it is not proved.
//!
//! A mutant is a number or a word of the data files. All of them are tried with `CUPOLA_FULL=1`, a few of them always.
//! What stands in the code only is listed in `tests/mutants/gbacw.txt`.

use cupola_conformance::{Mutant, unseen};
use std::path::Path;

const TABLES: &str = "tables.ron";
const RULESET: &str = "ruleset.ron";
const COUNTERS: &str = "counters.ron";
const NINE: &str = "july1-0900.ron";
const TO_STOP: &str = "scenarios/to-stop.ron";
const WANT: &str = "scenarios/want-of-coordination.ron";
const LONGSTREET: &str = "scenarios/longstreets-assault.ron";
const DECISION: &str = "scenarios/day-of-decision.ron";
const HARRY: &str = "scenarios/when-harry-met-john.ron";
const PICKETT: &str = "scenarios/picketts-charge.ron";
const GREGG: &str = "scenarios/gregg-defends.ron";
const NIGHT: &str = "scenarios/night-fight.ron";

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    ("6.15", TABLES, "(5, check)", "(6, check)"),
    ("6.15", TABLES, "(9, hit)", "(10, hit)"),
    ("6.15", TABLES, "(12, shattered)", "(13, shattered)"),
    ("6.31", TABLES, "\"RM\": [(1, 2)", "\"RM\": [(1, 3)"),
    ("6.31", TABLES, "(2, 0), (3, -2)],", "(2, 0), (4, -2)],"),
    ("9.4", TABLES, "(3, 1), (4, 0)]", "(3, 1)]"),
    ("9.13", TABLES, "\"M\": [(1, 1)]", "\"M\": [(1, 2)]"),
    ("6.31", TABLES, "(3, 1), (5, 0), (8, -1), (12, -3)", "(4, 1), (5, 0), (8, -1), (12, -3)"),
    ("6.32", TABLES, "(3, -1), (5, 0)", "(3, -1), (6, 0)"),
    ("6.32", TABLES, "(8, 1), (11, 2)", "(8, 1), (12, 2)"),
    ("6.32", TABLES, "(16, 3)]", "(17, 3)]"),
    ("6.32", TABLES, "(1, -2), (3, -1)", "(1, -2), (2, -1)"),
    ("6.14", TABLES, "frontage: (10,", "frontage: (20,"),
    ("6.33", TABLES, "disordered: (-1,", "disordered: (0,"),
    ("5.18", TABLES, "woods: (-1,", "woods: (0,"),
    ("5.18", TABLES, "orchard: (-1,", "orchard: (0,"),
    ("5.18", TABLES, " town: (-3,", " town: (-2,"),
    ("5.18", TABLES, "uphill: (-1,", "uphill: (0,"),
    ("5.18", TABLES, "downhill: (-1,", "downhill: (0,"),
    ("5.18", TABLES, "into_cut: (2,", "into_cut: (0,"),
    ("5.18", TABLES, "from_cut: (-2,", "from_cut: (0,"),
    ("6.34", TABLES, " wall: (-1,", " wall: (0,"),
    ("10.2", TABLES, " works: (-2,", " works: (-1,"),
    ("10.2", TABLES, "captured_works: (-1,", "captured_works: (-2,"),
    ("6.35", TABLES, "flank: (2,", "flank: (1,"),
    ("6.35", TABLES, "rear: (3,", "rear: (2,"),
    ("6.36", TABLES, "charge: (2,", "charge: (1,"),
    ("6.37", TABLES, "twilight: (-1,", "twilight: (0,"),
    ("6.37", TABLES, "twilight_from: (3,", "twilight_from: (9,"),
    ("6.37", TABLES, " night: (-1,", " night: (0,"),
    ("6.38", TABLES, "high_ground: (1,", "high_ground: (0,"),
    ("6.39", TABLES, "mounted_target: (1,", "mounted_target: (0,"),
    ("6.39", TABLES, "marching_target: (2,", "marching_target: (0,"),
    ("6.39", TABLES, "lone_guns: (-1,", "lone_guns: (0,"),
    ("9.4", TABLES, "lone_sharpshooters: (-1,", "lone_sharpshooters: (0,"),
    ("9.13", TABLES, "horse_on_front: (-3,", "horse_on_front: (0,"),
    ("9.13", TABLES, "horse_on_shaken: (1,", "horse_on_shaken: (0,"),
    ("9.13", TABLES, "horse_on_obstacle: (-1,", "horse_on_obstacle: (0,"),
    ("7.12", TABLES, "always_fails: (9,", "always_fails: (99,"),
    ("7.14", TABLES, "leader: (-1,", "leader: (0,"),
    ("7.13", TABLES, "ineffective: (2,", "ineffective: (0,"),
    ("7.71", TABLES, "leader_falls: (0,", "leader_falls: (1,"),
    ("7.72", TABLES, "leader_taken: (2,", "leader_taken: (1,"),
    ("7.72", TABLES, "leader_taken: (2,", "leader_taken: (3,"),
    ("7.31", TABLES, "retreat: (2,", "retreat: (1,"),
    ("7.53", TABLES, "units: 3,", "units: 4,"),
    ("7.53", TABLES, "units: 3,", "units: 2,"),
    ("7.53", TABLES, "small_brigade: 15", "small_brigade: 0"),
    ("5.21", TABLES, "(sp: 20,", "(sp: 40,"),
    ("5.12", TABLES, " foot: (6,", " foot: (7,"),
    ("5.12", TABLES, "commander: (14,", "commander: (12,"),
    ("4.22", TABLES, " brigade: (4,", " brigade: (40,"),
    ("4.44", TABLES, "most: 3", "most: 4"),
    ("4.44", TABLES, "least: 1", "least: 0"),
    ("5.51", TABLES, "reaction: (reach: (2,", "reaction: (reach: (1,"),
    ("5.53", TABLES, "turn: (2,", "turn: (3,"),
    ("9.25", TABLES, "approach: (3,", "approach: (0,"),
    ("9.31", TABLES, "abandon: (2,", "abandon: (0,"),
    ("9.34", TABLES, "carried_off: (4,", "carried_off: (5,"),
    ("8.2", TABLES, "apart: (4, house(\"hexes to the enemy\"))", "apart: (1, house(\"hexes to the enemy\"))"),
    ("5.18", TABLES, "isolated: (3,", "isolated: (0,"),
    ("4.25", TABLES, "wary: (5,", "wary: (0,"),
    ("12.2", TABLES, "extend_strength: (8,", "extend_strength: (20,"),
    ("10.12", TABLES, "works: (strength: (4,", "works: (strength: (3,"),
    ("10.12", TABLES, "enemy_within: (20,", "enemy_within: (19,"),
    ("4.32", TABLES, "march: (apart: (6,", "march: (apart: (1,"),
    ("5.18", TABLES, "woods: ((foot: 2,", "woods: ((foot: 1,"),
    ("5.17", TABLES, "leader: 1, disorders: [horse, guns]), house(\"not printed\")),\n        orchard", "leader: 1), house(\"not printed\")),\n        orchard"),
    ("5.18", TABLES, "town: ((foot: 3,", "town: ((foot: 2,"),
    ("5.18", TABLES, "rocks: ((foot: 3,", "rocks: ((foot: 2,"),
    ("5.18", TABLES, "farm: ((foot: 1,", "farm: ((foot: 0,"),
    ("5.18", TABLES, "creek: ((bars: [foot, horse, guns, leader])", "creek: ((bars: [horse, guns, leader])"),
    ("5.18", TABLES, "creek_ford: ((foot: 2,", "creek_ford: ((foot: 0,"),
    ("5.18", TABLES, "gentle_up: ((foot: 1,", "gentle_up: ((foot: 0,"),
    ("5.18", TABLES, "steep_up: ((foot: 2,", "steep_up: ((foot: 1,"),
    ("5.18", TABLES, "steep_down: ((foot: 1,", "steep_down: ((foot: 0,"),
    ("5.45", TABLES, "arrivals: (3,", "arrivals: (2,"),
    ("7.61", RULESET, "\"half_is_ineffective\": true", "\"half_is_ineffective\": false"),
    ("12.7", RULESET, "\"careful_marches\": true", "\"careful_marches\": false"),
    ("2.1", COUNTERS, "name: \"24 MI a\", kind: infantry, parts: [(node: \"us-i-1-1-24mi\", share: (1, 2))], values: (brigade: \"1/1/I\", sp: (5, derived(\"men / 50, rounded, at least 1\")), cohesion: ((good: 8, disordered: 6)", "name: \"24 MI a\", kind: infantry, parts: [(node: \"us-i-1-1-24mi\", share: (1, 2))], values: (brigade: \"1/1/I\", sp: (5, derived(\"men / 50, rounded, at least 1\")), cohesion: ((good: 8, disordered: 7)"),
    ("2.3", COUNTERS, "name: \"24 MI a\", kind: infantry, parts: [(node: \"us-i-1-1-24mi\", share: (1, 2))], values: (brigade: \"1/1/I\", sp: (5,", "name: \"24 MI a\", kind: infantry, parts: [(node: \"us-i-1-1-24mi\", share: (1, 2))], values: (brigade: \"1/1/I\", sp: (6,"),
    ("9.5", COUNTERS, "name: \"24 MI b\", kind: infantry, parts: [(node: \"us-i-1-1-24mi\", share: (1, 2))], values: (brigade: \"1/1/I\", sp: (5,", "name: \"24 MI b\", kind: infantry, parts: [(node: \"us-i-1-1-24mi\", share: (1, 2))], values: (brigade: \"1/1/I\", sp: (10,"),
    ("2.4", COUNTERS, "name: \"12 IL b\", kind: cavalry, parts: [(node: \"us-cav-1-1-12il\", share: (2, 5))], values: (brigade: \"1/1/Cav\", sp: (2, derived(\"men / 50, rounded, at least 1, at most 4\")), cohesion: ((good: 7, disordered: 5), house(\"class V, the brigade\")), weapon: (C,", "name: \"12 IL b\", kind: cavalry, parts: [(node: \"us-cav-1-1-12il\", share: (2, 5))], values: (brigade: \"1/1/Cav\", sp: (2, derived(\"men / 50, rounded, at least 1, at most 4\")), cohesion: ((good: 7, disordered: 5), house(\"class V, the brigade\")), weapon: (RM,"),
    ("9.14", COUNTERS, "(node: \"cs-cav-hampton-phillips\", share: (2, 5))], values: (brigade: \"2/Cav\"", "(node: \"cs-cav-hampton-phillips\", share: (2, 5))], values: (brigade: \"1/Cav\""),
    ("9.24", TABLES, "\"N\": [(1, 3)", "\"N\": [(1, 2)"),
    ("13.12", TO_STOP, "(unit: \"cs-iii-pender-scales-38nc\", at: \"A3402\", facing: SE)", "(unit: \"cs-iii-pender-scales-38nc\", at: \"A3402\", facing: S)"),
    ("13.13", NINE, "(leader: \"us-i-3-leader\", at: \"A6814\", replaced: true)", "(leader: \"us-i-3-leader\", at: \"A6814\")"),
    ("13.21", HARRY, "draws: \"Hill\", fixed: {\"july1-0900\": 2}", "draws: \"Hill\", fixed: {\"july1-0900\": 3}"),
    ("13.22", LONGSTREET, "own: {\"SS/III\": {\"july2-1600\": 3, \"july2-1700\": 3", "own: {\"SS/III\": {\"july2-1600\": 3, \"july2-1700\": 2"),
    ("T3", TO_STOP, "after: 1", "after: 2"),
    ("T5", TO_STOP, "points: 4", "points: 6"),
    ("R5", WANT, "gives: 2, led_from", "gives: 0, led_from"),
    ("R6", WANT, "march: false,", "march: true,"),
    ("R12", WANT, "led_from: \"july1-1600\"", "led_from: \"july1-1500\""),
    ("R4", WANT, "rule: \"R4\"", "rule: \"R0\""),
    ("R8", WANT, "rule: \"R8\"", "rule: \"R0\""),
    ("R2", WANT, "steadfast: true, leader", "leader"),
    ("R7", WANT, "rule: \"R7\"", "rule: \"R0\""),
    ("R9", WANT, "rule: \"R9\"", "rule: \"R0\""),
    ("R10", WANT, "rule: \"R10\"", "rule: \"R0\""),
    ("R13", WANT, "(\"july1-1500\", 3)", "(\"july1-1500\", 9)"),
    ("L2", LONGSTREET, "march: false,", "march: true,"),
    ("L5", LONGSTREET, "apart: 4", "apart: 1"),
    ("L4", LONGSTREET, "bound: true", "bound: false"),
    ("L8", LONGSTREET, "\"july2-1700\": 3", "\"july2-1700\": 1"),
    ("D2", DECISION, "until: \"july2-1200\"", "until: \"july2-0700\""),
    ("D3", DECISION, "within: 10", "within: 0"),
    ("D4", DECISION, "favour: false", "favour: true"),
    ("H2", HARRY, "turns: [\"july1-1000\", \"july1-1100\"]", "turns: [\"july1-1000\"]"),
    ("P3", PICKETT, "from: 4", "from: 9"),
    ("P6", PICKETT, "least: 5", "least: 0"),
    ("G3", GREGG, "until: \"july3-1500\"", "until: \"july3-1400\""),
    ("G6", GREGG, "cover: 2", "cover: 1"),
    ("G8", GREGG, "falls: 1", "falls: 9"),
    ("C3", NIGHT, "fixed: {\"july2-1900\": 3}", "fixed: {\"july2-1900\": 2}"),
    ("C4", NIGHT, "until: \"july2-2300n\"", "until: \"july2-1900\""),
];

#[test]
fn what_is_taken_out_is_missed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let unseen = unseen(&root, "gbacw", MUTANTS);
    assert!(unseen.is_empty(), "{}", unseen.join("\n"));
}
