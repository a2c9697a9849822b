//! Broken data: every file under `tests/bad/army` is refused with the message beside it.
//!
//! A case is a broken file and a `.txt` of the same name. With `CUPOLA_BLESS=1` in the environment
//! the messages are written instead of compared; read the difference before you keep it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use cupola_army::{Army, Counters, History, Known, Scenario, Turns};
use cupola_data::{Problems, Source};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad/army")
}

fn small() -> Army {
    let source = Source::read(&folder().join("small.ron")).unwrap();
    Army::read(&[source], &["dm"]).unwrap_or_else(|problems| panic!("{problems}"))
}

const NO_HISTORY: &str = r#"(battle: "small", sources: [], left_out: [], places: [], losses: [],
    span: (from: "1863-07-01T08:00", to: "1863-07-01T20:00"))"#;

fn history(head: &Source, rows: &Source) -> Option<Problems> {
    History::parse(head, rows, &small(), &["the-hill", "the-mill"]).err()
}

/// A scenario in a data folder with one ruleset and two plans.
fn scenario(source: &Source) -> Result<(), Problems> {
    let name = str::to_owned;
    let known = Known {
        rulesets: [(name("corps20"), vec![name("july1"), name("gettysburg")])].into(),
        plans: [("north", "us"), ("south", "cs")]
            .map(|(plan, side)| (name(plan), name(side)))
            .into(),
    };
    Scenario::read(source, &small())?.check_names(source, &known)
}

/// Reads a file as what its folder says it is.
fn problems(kind: &str, source: &Source) -> Option<Problems> {
    match kind {
        "nodes" => Army::read(std::slice::from_ref(source), &["dm"]).err(),
        "csv" => Army::from_csv(source, &["dm"]).err(),
        "counters" => Counters::<serde::de::IgnoredAny>::read(source, &small()).err(),
        "turns" => Turns::read(source).err(),
        "scenarios" => scenario(source).err(),
        "history" => history(
            source,
            &Source::new("none.csv", "who,at,lat,lon,men,sure\n"),
        ),
        "positions" => history(&Source::new("none.ron", NO_HISTORY), source),
        other => panic!("no reader for {other}"),
    }
}

#[test]
fn every_broken_file_gets_its_message() {
    let bless = std::env::var_os("CUPOLA_BLESS").is_some();
    let mut seen = 0;
    for kind in [
        "counters",
        "csv",
        "history",
        "nodes",
        "positions",
        "scenarios",
        "turns",
    ] {
        let mut files: Vec<PathBuf> = fs::read_dir(folder().join(kind))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending != "txt"))
            .collect();
        files.sort();
        for path in files {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let source = Source::new(name.clone(), fs::read_to_string(&path).unwrap());
            let problems = problems(kind, &source);
            let problems = problems.unwrap_or_else(|| panic!("{kind}/{name} was accepted"));
            let (message, beside) = (format!("{problems}\n"), path.with_extension("txt"));
            if bless {
                fs::write(&beside, &message).unwrap();
            }
            let expected = fs::read_to_string(&beside).unwrap_or_default();
            assert_eq!(message, expected, "{kind}/{name}");
            seen += 1;
        }
    }
    assert!(seen >= 46, "only {seen} cases found");
}
