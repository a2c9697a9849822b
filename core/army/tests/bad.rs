//! Broken data: every file under `tests/bad/army` is refused with the message beside it.
//!
//! A case is a broken file and a `.txt` of the same name. With `CUPOLA_BLESS=1` in the environment
//! the messages are written instead of compared; read the difference before you keep it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use cupola_army::{Army, Counters, Scenario, Turns};
use cupola_data::{Problems, Source};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad/army")
}

fn small() -> Army {
    let source = Source::read(&folder().join("small.ron")).unwrap();
    Army::read(&[source], &["dm"]).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Reads a file as what its folder says it is.
fn problems(kind: &str, source: &Source) -> Option<Problems> {
    match kind {
        "nodes" => Army::read(std::slice::from_ref(source), &["dm"]).err(),
        "csv" => Army::from_csv(source, &["dm"]).err(),
        "counters" => Counters::<serde::de::IgnoredAny>::read(source, &small()).err(),
        "turns" => Turns::read(source).err(),
        "scenarios" => Scenario::read(source, &small()).err(),
        other => panic!("no reader for {other}"),
    }
}

#[test]
fn every_broken_file_gets_its_message() {
    let bless = std::env::var_os("CUPOLA_BLESS").is_some();
    let mut seen = 0;
    for kind in ["counters", "csv", "nodes", "scenarios", "turns"] {
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
    assert!(seen >= 40, "only {seen} cases found");
}
