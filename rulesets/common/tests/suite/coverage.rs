//! The coverage table of the book has a line for every section of the chapter, and every line names what exists.

use crate::common::root;
use cupola_common::sections::Section;

/// What stands in backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join("book/src/rulesets").join(name)).unwrap()
}

/// The sections that the chapter numbers: `**4.5**`.
fn numbered(chapter: &str) -> Vec<&str> {
    let bold = chapter.split("**").skip(1).step_by(2);
    bold.filter(|text| text.starts_with(|c: char| c.is_ascii_digit()))
        .collect()
}

#[test]
fn every_section_is_covered_by_what_exists() {
    let (chapter, coverage) = (read("classic.md"), read("classic-coverage.md"));
    let rows: Vec<Vec<&str>> = coverage
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let sections = numbered(&chapter);
    assert!(sections.len() > 25, "only {sections:?}");
    let mut wrong = vec![];
    for section in sections {
        let Some(row) = rows.iter().find(|row| row[1] == section && row.len() == 6) else {
            wrong.push(format!("§{section} is missing"));
            continue;
        };
        for module in quoted(row[3]) {
            if !root().join("rulesets/common/src").join(module).is_file()
                && !root().join(module).is_file()
            {
                wrong.push(format!("§{section}: no module {module}"));
            }
        }
        let proofs = quoted(row[4]);
        if proofs.is_empty() {
            wrong.push(format!("§{section}: nothing proves it"));
        }
        for proof in proofs {
            let case = root()
                .join("tests/cases/classic")
                .join(format!("{proof}.ron"));
            let text = std::fs::read_to_string(&case);
            let proves = text.is_ok_and(|text| text.contains(&format!("\"{section}\"")));
            if !proves
                && !root()
                    .join("rulesets/common/tests/suite")
                    .join(proof)
                    .is_file()
            {
                wrong.push(format!(
                    "§{section}: {proof} is no test, or a case that does not say that it proves it"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_is_named_in_the_table() {
    let text = read("classic-coverage.md");
    for entry in std::fs::read_dir(root().join("tests/cases/classic")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(
            text.contains(&format!("`{name}`")),
            "the coverage table does not name the case {name}"
        );
    }
}

#[test]
fn what_is_cited_stands_in_the_chapter() {
    let chapter = read("classic.md");
    let sections = numbered(&chapter);
    for section in Section::CLASSIC {
        assert!(
            sections.contains(section),
            "§{section} is cited and not in the chapter"
        );
    }
}
