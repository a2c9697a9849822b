//! Broken cases and variants: each file below `tests/bad` is refused with the messages beside it, which begin
//! with the line and the column.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::{root, run};

fn refused(folder: &str) {
    let mut count = 0;
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "ron") {
            continue;
        }
        let messages = std::fs::read_to_string(path.with_extension("txt")).unwrap();
        assert!(!messages.trim().is_empty(), "{}", path.display());
        let told = run(&["check", "-q", path.to_str().unwrap()]).code(1).out;
        for message in messages.lines() {
            assert!(
                told.contains(message),
                "{}: {message} in\n{told}",
                path.display()
            );
        }
        count += 1;
    }
    assert!(count > 4, "{folder}: {count}");
}

#[test]
fn broken_cases_are_told_where_and_why() {
    refused("tests/bad/cases");
}

#[test]
fn variants_that_do_not_fit_are_told_with_both_names() {
    refused("tests/bad/variants");
}
