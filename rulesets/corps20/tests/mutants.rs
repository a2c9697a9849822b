//! Rules taken out one at a time: each must make a case fail, or it is not proved.
use cupola_conformance::{Mutant, unseen};
use cupola_corps20 as _;
use std::path::Path;

const TABLES: &str = "tables.ron";
const RULESET: &str = "ruleset.ron";
const COUNTERS: &str = "counters.ron";
const MAP: &str = "map.ron";

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    ("7.10", TABLES, "(at:  2, rolls: (EX,", "(at:  2, rolls: (TW,"),
    ("7.10", TABLES, "(at:  2, rolls: (EX, TW,", "(at:  2, rolls: (EX, DW,"),
    ("7.10", TABLES, "(at: -3, rolls: (AB,", "(at: -3, rolls: (AR,"),
    ("7.4", TABLES, "(at:  4, rolls: (EX, DW, DR, DR, DB, DB)", "(at:  4, rolls: (EX, DW, DR, DR, DR, DR)"),
    ("8.5", TABLES, "morale_track: (10,", "morale_track: (12,"),
    ("3.2", MAP, "(turn: \"july4-morning\", up_to: (3,", "(turn: \"july4-morning\", up_to: (2,"),
    ("3.2", MAP, "(turn: \"july3-dusk\", up_to: (1,", "(turn: \"july3-dusk\", up_to: (6,"),
    ("9.3", COUNTERS, "name: \"3 Corps Artillery\", kind: artillery, nodes: [\"cs-iii-res\"], values: marker(bonus: (1,", "name: \"3 Corps Artillery\", kind: artillery, nodes: [\"cs-iii-res\"], values: marker(bonus: (0,"),
    ("9.3", COUNTERS, "rounds_away: (2, printed(\"002 9.3\")), corps: \"3\"", "rounds_away: (1, printed(\"002 9.3\")), corps: \"3\""),
    ("9.2", COUNTERS, "range: (1, printed(\"002 9.2", "range: (2, printed(\"002 9.2"),
    ("9.1", COUNTERS, "range: (1, printed(\"002 7.14 example\"))", "range: (3, printed(\"002 7.14 example\"))"),
    ("2", COUNTERS, "strength: (2, printed(\"002 7.14 example\"))", "strength: (3, printed(\"002 7.14 example\"))"),
    ("2", COUNTERS, "quality: (5, printed(\"002 7.14 example\"))", "quality: (2, printed(\"002 7.14 example\"))"),
    ("8.2", COUNTERS, "name: \"Cadre\", kind: cadre, values: unit(strength: (1,", "name: \"Cadre\", kind: cadre, values: unit(strength: (3,"),
    ("8.2", MAP, "(\"19.03\", printed(\"002 12: Seven Stars\")),", ""),
    ("8.2", MAP, "(\"3.18\", house(", "(\"3.17\", house("),
    ("8.3", MAP, ", pike: \"Baltimore Pike\"", ""),
    ("8.3", MAP, ", pike: \"Chambersburg Pike\"", ""),
    ("8.4", MAP, "(\"15.11\", derived(\"the town blocks of the ground cover most of the hex\")),", ""),
    ("8.4", MAP, "(\"14.11\", derived(\"the town blocks of the ground cover most of the hex\")),", ""),
    ("3.1", RULESET, "\"movement\", \"recovery\"", "\"recovery\", \"movement\""),
    ("7.5", RULESET, "\"terrain_per_defender\": false", "\"terrain_per_defender\": true"),
    ("7.12", RULESET, "\"routed_enemies_pin\": false", "\"routed_enemies_pin\": true"),
    ("9.1", RULESET, "\"displaced_leaders_face_down\": false", "\"displaced_leaders_face_down\": true"),
];

#[test]
fn what_is_taken_out_is_missed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let unseen = unseen(&root, "corps20", MUTANTS);
    assert!(unseen.is_empty(), "{}", unseen.join("\n"));
}
