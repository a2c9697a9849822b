//! Broken files, one mistake each, and what is said about them.
//!
//! `tests/bad/ground/good` holds a small battlefield and board without fault. Every other folder
//! there holds the files that differ, and `expected.txt`: what the loader says. To accept new
//! texts after a change of wording, run with `CUPOLA_ACCEPT=1` and read the difference.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};

use cupola_data::{Problems, Source};
use cupola_ground::anchors::Anchors;
use cupola_ground::battlefield::{Battlefield, BattlefieldFiles};
use cupola_ground::board::Board;
use cupola_ground::cache::BoardFiles;
use cupola_ground::grid::Grid;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad/ground")
}

/// The file of a case, or the good one if the case has none; named without its folder.
fn source(case: &Path, name: &str) -> Source {
    let own = case.join(name);
    let path = if own.exists() {
        own
    } else {
        root().join("good").join(name)
    };
    Source::new(name, fs::read_to_string(path).unwrap())
}

fn files(case: &Path) -> BoardFiles {
    let names = ["roads", "water", "cover", "walls", "places", "entries"];
    let [roads, water, cover, walls, places, entries] =
        names.map(|name| source(case, &format!("{name}.geojson")));
    let heights = source(case, "heights.ron");
    BoardFiles {
        battlefield: BattlefieldFiles {
            main: source(case, "battlefield.ron"),
            parts: [roads, water, cover, walls, places, entries, heights],
        },
        series: None,
        grid: source(case, "grid.ron"),
        plan: source(case, "board.ron"),
    }
}

fn load(case: &Path) -> Result<(Board, Anchors), Problems> {
    let files = files(case);
    let board = files.compile()?;
    let field = Battlefield::parse(&files.battlefield)?;
    let grid = Grid::parse(&files.grid)?;
    let anchors = Anchors::parse(&source(case, "anchors.ron"), &grid, &field)?;
    Ok((board, anchors))
}

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(root()).unwrap();
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    cases.retain(|case| case.is_dir() && !case.ends_with("good"));
    cases.sort();
    cases
}

#[test]
fn the_good_one_is_good() {
    let (board, anchors) =
        load(&root().join("good")).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(board.len(), 81);
    assert!(anchors.astray(&board).is_empty());
}

#[test]
fn every_bad_one_is_told_as_expected() {
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(cases.len() >= 30, "cases are missing");
    for case in cases {
        let told = match load(&case) {
            Ok(_) => "no problem found".to_owned(),
            Err(problems) => problems.to_string(),
        };
        let file = case.join("expected.txt");
        if std::env::var_os("CUPOLA_ACCEPT").is_some() {
            fs::write(&file, format!("{told}\n")).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        if told != expected.trim_end() {
            wrong.push(format!(
                "{}:\n{told}\nexpected:\n{expected}",
                case.display()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
