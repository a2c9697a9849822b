//! The coverage table of the book names every section, and only files that exist.

use crate::common;

use std::collections::BTreeMap;

/// Sections of the battle book and of the series rules that it cites.
const SECTIONS: &str = "2.1 2.2 2.23 2.24 2.3 2.4 3.0 4.11 4.12 4.13 4.14 4.15 4.21 4.22 4.23 4.24 4.25 4.26 4.27 4.28 \
    4.31 4.32 4.33 4.34 4.35 4.41 4.42 4.43 4.44 5.11 5.12 5.13 5.14 5.15 5.16 5.17 5.18 5.19 5.21 5.22 5.23 5.31 5.32 \
    5.33 5.34 5.41 5.42 5.43 5.44 5.47 5.51 5.52 5.53 6.11 6.12 6.13 6.14 6.15 6.16 6.17 6.18 6.21 6.22 6.23 6.24 6.31 \
    6.32 6.33 6.34 6.35 6.36 6.37 6.38 6.39 7.11 7.12 7.13 7.14 7.21 7.22 7.23 7.24 7.31 7.32 7.33 7.34 7.35 7.4 7.51 \
    7.52 7.53 7.54 7.55 7.61 7.62 7.63 7.64 7.65 7.71 7.72 7.73 7.74 8.1 8.2 9.11 9.12 9.13 9.14 9.15 9.21 9.22 9.23 \
    9.24 9.25 9.26 9.31 9.32 9.33 9.34 9.4 9.5 10.11 10.12 10.13 10.2 10.3 11.1 11.2 12.1 12.2 12.3 12.4 12.5 12.7 \
    13.11 13.12 13.13 13.21 13.22";

#[test]
fn every_section_has_a_module_and_a_proof() {
    let root = common::root();
    let page = root.join("book/src/rulesets/gbacw-coverage.md");
    let text = std::fs::read_to_string(page).expect("the page");
    let rows: BTreeMap<&str, Vec<&str>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
        .map(|cells| (cells[0], cells))
        .collect();
    let mut wrong = vec![];
    for section in SECTIONS.split_whitespace() {
        let Some(cells) = rows.get(section) else {
            wrong.push(format!("{section} is missing"));
            continue;
        };
        // What is not there says so, and names no module.
        if cells[2] == "not yet" {
            continue;
        }
        let module = cells[2].trim_matches('`');
        if !root.join("rulesets/gbacw/src").join(module).is_file() {
            wrong.push(format!("{section}: no module {module}"));
        }
        for proof in cells[3].split(", ").map(|proof| proof.trim_matches('`')) {
            let case = root.join("tests/cases/gbacw").join(format!("{proof}.ron"));
            let test = root.join("rulesets/gbacw").join(proof);
            if !case.is_file() && !test.is_file() {
                wrong.push(format!("{section}: no proof {proof}"));
            }
        }
    }
    let cases = std::fs::read_dir(root.join("tests/cases/gbacw")).expect("cases");
    for case in cases.flatten() {
        let name = case.file_name().to_string_lossy().replace(".ron", "");
        if !text.contains(&format!("`{name}`")) {
            wrong.push(format!("the page does not name {name}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
