//! The coverage table of the book has a line for every section, and every line names what exists.

use std::path::Path;

/// The numbered sections of the rulebook.
const SECTIONS: &str = "1 2 3 3.1 3.2 4 5 5.1 5.2 5.3 5.4 5.5 5.6 6 6.1 6.2 7 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 7.9 \
    7.10 7.11 7.12 7.13 7.14 8 8.1 8.2 8.3 8.4 8.5 9 9.1 9.2 9.3 10 10.1 10.2 11 12";

/// What stands in backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_section_is_covered_by_what_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("book/src/rulesets/corps20-coverage.md")).unwrap();
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let mut wrong = vec![];
    for section in SECTIONS.split_whitespace() {
        let Some(row) = rows
            .iter()
            .find(|row| row[1] == section && row.len() == 6 && row[3].starts_with('`'))
        else {
            wrong.push(format!("§{section} is missing"));
            continue;
        };
        for module in quoted(row[3]) {
            if !root.join("rulesets/corps20/src").join(module).is_file()
                && !root.join(module).is_file()
            {
                wrong.push(format!("§{section}: no module {module}"));
            }
        }
        let proofs = quoted(row[4]);
        if proofs.is_empty() {
            wrong.push(format!("§{section}: nothing proves it"));
        }
        for proof in proofs {
            let case = root
                .join("tests/cases/corps20")
                .join(format!("{proof}.ron"));
            let proves = std::fs::read_to_string(&case).is_ok();
            if !proves && !root.join("rulesets/corps20/tests").join(proof).is_file() {
                wrong.push(format!("§{section}: no case or test {proof}"));
            }
        }
    }
    for card in 1..=16 {
        if !rows
            .iter()
            .any(|row| row[1] == card.to_string() && row.len() == 6 && !quoted(row[4]).is_empty())
        {
            wrong.push(format!("card {card} is missing"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_is_named_in_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("book/src/rulesets/corps20-coverage.md")).unwrap();
    for entry in std::fs::read_dir(root.join("tests/cases/corps20")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(
            text.contains(&format!("`{name}`")),
            "the coverage table does not name the case {name}"
        );
    }
}
