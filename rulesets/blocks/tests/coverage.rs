//! The coverage table of the book names every section, and only files that exist.

use std::collections::BTreeMap;
use std::path::Path;

/// The numbered sections of the rulebook.
const SECTIONS: &str = "1.0 1.1 1.2 1.3 2.0 2.1 2.2 2.3 2.4 3.0 3.1 3.11 3.12 3.13 3.2 3.21 3.22 3.23 3.24 3.25 \
    3.3 3.31 3.32 4.1 4.2 4.21 4.22 4.23 4.24 4.25 4.3 4.4 4.5 4.6 4.61 5.0 5.1 5.2 5.21 5.22 5.23 5.24 5.3 5.31 \
    5.32 5.33 6.0 6.1 6.2 6.3 6.4 6.5 6.6 6.61 6.62 6.7 7.0 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 7.9 8.0 8.1 8.2 8.3 \
    8.4 9.0 9.1 9.11 9.12 9.2 9.3 9.4 9.5 9.6 9.7 9.71 9.72 9.73 9.74 10.0";

#[test]
fn every_section_has_a_module_and_a_proof() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = here.join("../../book/src/rulesets/blocks-coverage.md");
    let text = std::fs::read_to_string(page).expect("the page");
    let (sections, examples) = text
        .split_once("## Examples and tables")
        .expect("two tables");
    let rows: BTreeMap<&str, Vec<&str>> = sections
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
        .map(|cells| (cells[0], cells))
        .collect();
    let proof_of = |name: &str| match name.strip_prefix("cases/") {
        Some(case) => here.join("../../tests/cases/blocks").join(case),
        None => here.join(name),
    };
    let mut wrong = vec![];
    for section in SECTIONS.split_whitespace() {
        let Some(cells) = rows.get(section) else {
            wrong.push(format!("{section} is missing"));
            continue;
        };
        if !here.join("src").join(cells[2]).is_file() {
            wrong.push(format!("{section}: no module {}", cells[2]));
        }
        if !proof_of(cells[3]).is_file() {
            wrong.push(format!("{section}: no proof {}", cells[3]));
        }
    }
    // Examples and tables: lists of proofs.
    let words = examples
        .split([' ', ',', '|'])
        .filter(|word| word.ends_with(".ron") || word.ends_with(".rs"));
    let mut named = 0;
    for name in words {
        named += 1;
        if !proof_of(name).is_file() {
            wrong.push(format!("no proof {name}"));
        }
    }
    assert!(named > 40, "{named} proofs of examples");
    let mut cases = std::fs::read_dir(here.join("../../tests/cases/blocks")).expect("cases");
    let unused = cases.find_map(|case| {
        let name = case.ok()?.file_name().into_string().ok()?;
        (!text.contains(&format!("cases/{name}"))).then_some(name)
    });
    wrong.extend(unused.map(|name| format!("the page does not name {name}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
