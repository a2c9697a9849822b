//! Broken cases and variants, one mistake each, and what `cupola check` says of them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{Ran, cupola, root};
// The program links the rulesets.
use ::cupola as _;

/// Runs `cupola check` on every file of a folder under `tests/bad`, and compares with the text beside it.
fn check(folder: &str) {
    let place = root().join("tests/bad").join(folder);
    let files = std::fs::read_dir(&place).unwrap().flatten();
    let mut files: Vec<_> = files.map(|entry| entry.path()).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "ron"));
    assert!(!files.is_empty());
    let mut wrong = vec![];
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let shown = format!("tests/bad/{folder}/{name}");
        let ran = Ran::of(cupola().args(["check", &shown]).output().unwrap());
        let found = format!("{}{}", ran.out, ran.err);
        let expected = file.with_extension("txt");
        if std::env::var_os("CUPOLA_BLESS").is_some() {
            std::fs::write(&expected, &found).unwrap();
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        if ran.code == 0 || found != wanted {
            wrong.push(format!("{shown}: expected\n{wanted}\nfound\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn broken_cases_are_told_what_is_wrong() {
    check("cases");
}

#[test]
fn variants_that_do_not_fit_are_told_why() {
    check("variants");
}

/// What the book says of a ruleset's positions.
fn section(book: &str, ruleset: &str) -> String {
    let heading = format!("### `state` in {ruleset}\n");
    let start = book
        .find(&heading)
        .unwrap_or_else(|| panic!("no \"{heading}\""));
    let rest = &book[start + heading.len()..];
    rest[..rest.find("\n### ").unwrap_or(rest.len())].to_owned()
}

#[test]
fn the_book_has_every_key_of_a_position() {
    let book = std::fs::read_to_string(root().join("book/src/cases.md")).unwrap();
    let registry = cupola_kernel::Registry::linked().unwrap();
    let mut missing = vec![];
    for (_, ruleset) in registry.names().filter(|(kind, _)| *kind == "ruleset") {
        let keys = registry.ruleset(ruleset).unwrap().position_keys();
        if keys.is_empty() {
            continue;
        }
        let text = section(&book, ruleset);
        let words: Vec<&str> = text
            .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
            .collect();
        for key in keys {
            // The last part of a path, or the value of a choice.
            let last = key.rsplit([' ', '.']).next().unwrap_or(&key);
            if !words.contains(&last) {
                missing.push(format!("{ruleset}: {key}"));
            }
        }
    }
    assert!(missing.is_empty(), "not in the book: {missing:#?}");
}
