//! Rules taken out one at a time: each must make a case fail, or it is not proved.
//!
//! A mutant is a number or a word of the data files, or a switch. All of them are tried with `CUPOLA_FULL=1`, a few
//! of them always.

use cupola_conformance::{Mutant, unseen};
use std::path::Path;

const TABLES: &str = "tables.ron";
const RULESET: &str = "ruleset.ron";
const TUTORIAL: &str = "scenarios/tutorial.ron";
const MAP: &str = "map.ron";
const AFFAIRS: &str = "affairs.ron";
const CHITS: &str = "chits.ron";

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    ("I-3", TABLES, "6, 8, 10]", "6, 8, 11]"),
    ("I-3", TABLES, "5, 6, 8, 10]", "5, 7, 8, 10]"),
    ("I-5", TABLES, "(from: 63, to: 65, cells: \"E R R T T", "(from: 63, to: 65, cells: \"NE NE E E T"),
    ("I-6-c", TABLES, "doubles: ((3, 2, 1,", "doubles: ((3, 0, 1,"),
    ("I-6-c", TABLES, "doubles: ((3,", "doubles: ((0,"),
    ("I-6-c", TABLES, "-2, -3), printed", "-2, 0), printed"),
    ("I-1", TABLES, "musket: ((1, 2)", "musket: ((1, 3)"),
    ("I-1", TABLES, "musket: ((1, 2)", "musket: ((2, 2)"),
    ("I-1", TABLES, "rifled: ((6, 10)", "rifled: ((7, 10)"),
    ("I-1", TABLES, "rifled: ((6, 10)", "rifled: ((6, 9)"),
    ("I-1", TABLES, "smooth: ((5, 8)", "smooth: ((6, 8)"),
    ("I-1", TABLES, "smooth: ((5, 8)", "smooth: ((5, 7)"),
    ("I-1", TABLES, "mixed: ((6, 10)", "mixed: ((7, 10)"),
    ("I-2-d", TABLES, " woods: (-1,", " woods: (0,"),
    ("I-2-d", TABLES, " town: (-2,", " town: (-1,"),
    ("I-2", TABLES, "over_cover: (-1,", "over_cover: (0,"),
    ("I-2", TABLES, "over_units: (-1,", "over_units: (0,"),
    ("I-1", TABLES, "long: (-2,", "long: (-1,"),
    ("I-1", TABLES, "mixed: (-1,", "mixed: (0,"),
    ("I-4", TABLES, "dismounted: (-1,", "dismounted: (0,"),
    ("I-4", TABLES, " mounted: (1,", " mounted: (0,"),
    ("H-2", TABLES, "defend: (1,", "defend: (0,"),
    ("I-1", TABLES, " canister: (1,", " canister: (0,"),
    ("I-1", TABLES, "canister_smooth: (2,", "canister_smooth: (1,"),
    ("K-6-d", TABLES, " stream: (-1,", " stream: (0,"),
    ("K-6-d", TABLES, " creek: (-2,", " creek: (-1,"),
    ("K-6-d", TABLES, " slope: (-1,", " slope: (0,"),
    ("K-6-d", TABLES, " steep: (-2,", " steep: (-1,"),
    ("K-6", TABLES, " town: (1,", " town: (0,"),
    ("Yell", TABLES, "yell: (1,", "yell: (0,"),
    ("K-6-e", TABLES, "flank: (2,", "flank: (0,"),
    ("K-6-c", TABLES, " guns: (3,", " guns: (0,"),
    ("K-6-a", TABLES, "odds: ((1, 2, 3)", "odds: ((0, 2, 3)"),
    ("K-6-a", TABLES, "odds: ((1, 2, 3)", "odds: ((1, 1, 3)"),
    ("K-6-a", TABLES, "odds: ((1, 2, 3)", "odds: ((1, 2, 2)"),
    ("J-1-a", TABLES, " open: (2,", " open: (1,"),
    ("J-1-b", TABLES, " woods: (4,", " woods: (2,"),
    ("J-1-c", TABLES, " slope: (2,", " slope: (0,"),
    ("J-1-d", TABLES, " steep: (4,", " steep: (2,"),
    ("J-1-c", TABLES, " stream: (2,", " stream: (0,"),
    ("J-1-c", TABLES, " creek: (4,", " creek: (2,"),
    ("J-1-e", TABLES, " road: (2,", " road: (1,"),
    ("J-1-f", TABLES, " pike: (1,", " pike: (2,"),
    ("J-3-c", TABLES, "disengage: (4,", "disengage: (0,"),
    ("J-3-d", TABLES, "exit: (2,", "exit: (8,"),
    ("H-1", TABLES, " attack: (5,", " attack: (6,"),
    ("H-1", TABLES, " attack: (5,", " attack: (4,"),
    ("H-1", TABLES, "attack_mounted: (8,", "attack_mounted: (7,"),
    ("H-3", TABLES, " maneuver: (8,", " maneuver: (9,"),
    ("H-3", TABLES, "maneuver_mounted: (12,", "maneuver_mounted: (11,"),
    ("Redeployment", TABLES, "redeploy: (5,", "redeploy: (6,"),
    ("Redeployment", TABLES, "redeploy: (5,", "redeploy: (4,"),
    ("J-2", TABLES, " open: (20,", " open: (21,"),
    ("J-2", TABLES, " open: (20,", " open: (19,"),
    ("J-2", TABLES, " town: (10,", " town: (11,"),
    ("J-1-e", TABLES, " road: (10,", " road: (20,"),
    ("K-9", TABLES, "breakthrough: (10,", "breakthrough: (11,"),
    ("K-9", TABLES, "breakthrough: (10,", "breakthrough: (9,"),
    ("F-2", AFFAIRS, "chaos(\"us\")", "chaos(\"cs\")"),
    ("F-2", AFFAIRS, "wayward(\"us\")", "wayward(\"cs\")"),
    ("F-2", AFFAIRS, "wayward(\"cs\")", "wayward(\"us\")"),
    ("F-2", AFFAIRS, "fortunes(\"us\")", "fortunes(\"cs\")"),
    ("F-2", AFFAIRS, "casualty(\"us\", \"buford\")", "casualty(\"us\", \"howard\")"),
    ("F-2", AFFAIRS, "casualty(\"us\", \"\")", "casualty(\"us\", \"schurz\")"),
    ("F-2", AFFAIRS, "among: (\"williams\", \"geary\",", "among: (\"geary\", \"williams\","),
    ("O", AFFAIRS, "\"us\": \"reynolds\"", "\"us\": \"doubleday\""),
    ("O", AFFAIRS, "\"cs\": \"heth\"", "\"cs\": \"pender\""),
    ("Vague", AFFAIRS, "([\"II\"], 2, 1)", "([\"II\"], 1, 1)"),
    ("F-4", AFFAIRS, "corps: [\"I\", \"XI\"]", "corps: [\"I\"]"),
    ("F-4", AFFAIRS, "corps: [\"I\", \"XI\"]", "corps: [\"XI\"]"),
    ("F-4", TABLES, "\"poltroon\": \"N N", "\"poltroon\": \"N S"),
    ("F-4", TABLES, "\"average\": \"S S S T T E\"", "\"average\": \"S S S T T T\""),
    ("O-d", AFFAIRS, "from: (\"1500\"", "from: (\"1600\""),
    ("O", AFFAIRS, "from: (\"1300\"", "from: (\"1400\""),
    ("D-5", AFFAIRS, "friction: ([\"1300\"", "friction: ([\"0900\""),
    ("O-b", TABLES, "strength: (1,", "strength: (2,"),
    ("O-a", TABLES, "brigade: (8,", "brigade: (0,"),
    ("O-d", AFFAIRS, "points: (5,", "points: (0,"),
    ("J-3-e", RULESET, "\"entry_is_free\": false", "\"entry_is_free\": true"),
    ("A-e", RULESET, "\"stacked_support\": true", "\"stacked_support\": false"),
    ("J-3-a", RULESET, "\"events_engage\": false", "\"events_engage\": true"),
    ("K-1", RULESET, "\"one_assault_per_hex\": true", "\"one_assault_per_hex\": false"),
    ("K-8", RULESET, "\"close_fight_at_once\": true", "\"close_fight_at_once\": false"),
    ("O-d", RULESET, "\"optional_reinforcements\": true", "\"optional_reinforcements\": false"),
    ("N-chits", TUTORIAL, "chosen: 1", "chosen: 2"),
    ("N-chits", TUTORIAL, "random: 1", "random: 2"),
    ("N-friction", TUTORIAL, "friction: false", "friction: true"),
    ("N-casualties", TUTORIAL, "first_casualties: false", "first_casualties: true"),
    ("N-guns", TUTORIAL, "guns_begin: \"cs\"", "guns_begin: \"us\""),
    ("N-hancock", TUTORIAL, "stand_in: from(\"1500\")", "stand_in: from(\"1600\")"),
    ("N-guns", TUTORIAL, "resting: [\"osborn-1\", \"osborn-2\"]", "resting: []"),
    ("N", TUTORIAL, "last: \"1700\"", "last: \"1800\""),
    ("N-field", TUTORIAL, "(24, 10, 16)", "(24, 10, 17)"),
    ("N-victory", TUTORIAL, "hexes([\"Blocher's Knoll\", ", "hexes(["),
    ("O-c", MAP, "hexes: [\"2407\", \"2408\"]", "hexes: [\"2407\"]"),
    ("O-c", MAP, "hexes: [\"2317\"], points: 3", "hexes: [\"2317\"], points: 2"),
    ("O-e", MAP, "any: 2", "any: 1"),
    ("O-e", MAP, "any: 1", "any: 2"),
    ("F-1", CHITS, "event: yell, hold: true", "event: yell, hold: false"),
    ("F-1", CHITS, "event: colonel, hold: false", "event: colonel, hold: true"),
];

#[test]
fn what_is_taken_out_is_missed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let unseen = unseen(&root, "blindswords", MUTANTS);
    assert!(unseen.is_empty(), "{}", unseen.join("\n"));
}
