//! The page of table edges: every number of the tables has its cases, and every edge has three.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

/// Edges beyond which there is no die.
const ENDS: [&str; 2] = ["checks.always_fails", "leader_falls"];

/// Names that a line gives a number to, each before a colon: `reach: (2, …`, `units: 3`, `"RM": [(1, …`.
fn named(line: &str) -> Vec<&str> {
    let mut found = vec![];
    for (at, _) in line.match_indices(": ") {
        let rest = line[at + 2..].trim_start_matches(['(', '[']);
        let number = rest.trim_start_matches('-').starts_with(char::is_numeric);
        let before = line[..at].trim_end_matches('"');
        let name = before.rsplit(['(', ' ', ',', '"', '{']).next();
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            continue;
        };
        // The parts of a row of the terrain chart are told together.
        let row = rest.starts_with("foot") || rest.starts_with("guns:") || rest.starts_with("bars");
        if number || row || rest.starts_with("),") && line[at..].starts_with(": ((") {
            found.push(name);
        }
    }
    found
}

/// The numbers of the file, by name: `frontage`, `reaction.reach`, `terrain.woods`.
fn numbers(text: &str) -> BTreeSet<String> {
    let (mut all, mut group) = (BTreeSet::new(), String::new());
    for line in text.lines() {
        let bare = line.split("//").next().unwrap_or("");
        let depth = bare.len() - bare.trim_start().len();
        // What is quoted behind a value is where it comes from.
        let cut = ["house(", "printed(", "derived("].into_iter();
        let end = cut.filter_map(|origin| bare.find(origin)).min();
        let several = bare.matches("(\"").count() > 1;
        let text = if several {
            bare
        } else {
            &bare[..end.unwrap_or(bare.len())]
        };
        if depth == 4 && bare.contains(':') {
            group = bare.trim().split(':').next().unwrap_or("").to_owned();
        }
        let names = named(text);
        // A row is one thing.
        let names = match depth {
            8 => names.into_iter().take(1).collect(),
            _ => names,
        };
        for name in names.into_iter().filter(|_| !group.is_empty()) {
            all.insert(if name == group {
                group.clone()
            } else {
                format!("{group}.{name}")
            });
        }
    }
    all
}

#[test]
fn every_edge_of_the_tables_has_three_cases() {
    let root = common::root();
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file");
    let (tables, page) = (
        read("data/rulesets/gbacw/tables.ron"),
        read("book/src/rulesets/gbacw-edges.md"),
    );
    let rows: BTreeMap<&str, Vec<&str>> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
        .map(|cells| (cells[0].trim_end_matches('`'), cells[1..].to_vec()))
        .collect();
    let numbers = numbers(&tables);
    assert!(numbers.len() > 90, "{numbers:?}");
    let mut wrong = vec![];
    for number in &numbers {
        let Some(cells) = rows.get(number.as_str()) else {
            wrong.push(format!("{number} is missing"));
            continue;
        };
        let cases = |cell: &str| cell.matches('`').count() / 2;
        let enough = match cells[0] {
            "value" | "bands" => cases(cells[1]) > 0,
            _ => cells[..3]
                .iter()
                .all(|cell| cases(cell) == 1 || *cell == "none" && ENDS.contains(&number.as_str())),
        };
        if !enough {
            wrong.push(format!("{number} has fewer than three cases"));
        }
    }
    for (number, cells) in &rows {
        if !numbers.contains(*number) {
            wrong.push(format!("the tables have no {number}"));
        }
        let named = cells
            .iter()
            .flat_map(|cell| cell.split('`').skip(1).step_by(2));
        for case in named {
            let file = root.join("tests/cases/gbacw").join(format!("{case}.ron"));
            if !file.is_file() {
                wrong.push(format!("{number}: no case {case}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
