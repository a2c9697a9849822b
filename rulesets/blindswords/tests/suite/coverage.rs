//! The coverage table has no hole: every section is there, and every module and proof it names exists.

use crate::common;

use std::collections::BTreeSet;
use std::fs;

/// The sections of the rulebook and the entries of its player aids.
const SECTIONS: &[&str] = &[
    "A",
    "A-c",
    "A-d",
    "A-e",
    "A-h",
    "B",
    "C",
    "D-1",
    "D-2",
    "D-3",
    "D-4",
    "D-5",
    "E",
    "F-1",
    "F-1-a",
    "F-1-b",
    "F-1-c",
    "F-2",
    "F-3",
    "F-4",
    "G-1",
    "G-2",
    "G-3",
    "G-4",
    "G-5",
    "H-1",
    "H-2",
    "H-3",
    "I-1",
    "I-2-a",
    "I-2-b",
    "I-2-c",
    "I-2-d",
    "I-3",
    "I-4",
    "I-5",
    "I-6",
    "I-6-d",
    "J-1",
    "J-2",
    "J-3-a",
    "J-3-b",
    "J-3-c",
    "J-3-d",
    "J-3-e",
    "J-3-f",
    "K-1",
    "K-2",
    "K-3",
    "K-4",
    "K-5",
    "K-6",
    "K-6-a",
    "K-6-b",
    "K-6-c",
    "K-6-d",
    "K-6-e",
    "K-7",
    "K-8",
    "K-9",
    "L",
    "M-1",
    "M-2",
    "N",
    "N-field",
    "N-hancock",
    "N-guns",
    "N-chits",
    "N-friction",
    "N-casualties",
    "N-victory",
    "O",
    "O-a",
    "O-b",
    "O-c",
    "O-d",
    "O-e",
    "Veterans",
    "Redeployment",
    "Dixie",
    "Leadership",
    "Flag",
    "Yell",
    "Colonel",
    "Fatigue",
    "Hotheads",
    "Vague",
    "Terrain",
];

#[test]
fn the_table_has_no_hole() {
    let root = common::root();
    let page = fs::read_to_string(root.join("book/src/rulesets/blindswords-coverage.md"))
        .expect("the page");
    let folder = |path: &str| {
        fs::read_dir(root.join(path))
            .expect("a folder")
            .flatten()
            .map(|e| e.path())
    };
    let stem = |path: std::path::PathBuf| {
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    let cases: BTreeSet<String> = folder("tests/cases/blindswords").filter_map(stem).collect();
    let modules: BTreeSet<String> = folder("rulesets/blindswords/src")
        .filter_map(stem)
        .collect();
    let tests: String = folder("rulesets/blindswords/tests/suite")
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    let mut seen = BTreeSet::new();
    // What is measured is no table of proofs.
    let proofs = page.split("## Measured").next().unwrap_or_default();
    for row in proofs
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| Section"))
    {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [section, _, module, proofs] = cells[..] else {
            panic!("four cells: {row}")
        };
        seen.insert(section.to_owned());
        let module = module.trim_matches('`');
        assert!(modules.contains(module), "{section}: no module {module}");
        let mut count = 0;
        for proof in proofs
            .split(',')
            .map(|proof| proof.trim().trim_matches('`'))
        {
            let known = cases.contains(proof) || tests.contains(&format!("fn {proof}("));
            assert!(known, "{section}: no case and no test {proof}");
            count += 1;
        }
        assert!(count > 0, "{section} is not proved");
    }
    let missing: Vec<&&str> = SECTIONS
        .iter()
        .filter(|section| !seen.contains(**section))
        .collect();
    assert!(missing.is_empty(), "not in the table: {missing:?}");
    let idle: Vec<&String> = cases
        .iter()
        .filter(|case| !page.contains(&format!("`{case}`")))
        .collect();
    assert!(idle.is_empty(), "cases that prove nothing: {idle:?}");
}
