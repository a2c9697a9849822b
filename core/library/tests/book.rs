//! The book holds together: every page that is listed, linked or included exists.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot read the book must fail"
)]

use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src")
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

/// What stands between two marks, each time.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    text.split(open)
        .skip(1)
        .filter_map(|rest| rest.split_once(close).map(|(inside, _)| inside))
        .collect()
}

#[test]
fn what_the_book_links_or_includes_exists() {
    let mut all = vec![];
    pages(&source(), &mut all);
    all.push(source().join("../../README.md"));
    let mut missing = vec![];
    for page in &all {
        let text = std::fs::read_to_string(page).unwrap();
        let folder = page.parent().unwrap();
        let links = between(&text, "](", ")");
        for link in links.into_iter().chain(between(&text, "{{#include ", "}}")) {
            let target = link.split(['#', ' ']).next().unwrap();
            if !target.is_empty() && !target.contains("://") && !folder.join(target).exists() {
                missing.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = std::fs::read_to_string(source().join("SUMMARY.md")).unwrap();
    let mut all = vec![];
    pages(&source(), &mut all);
    for page in all {
        let name = page
            .strip_prefix(source())
            .unwrap()
            .to_string_lossy()
            .into_owned();
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "SUMMARY.md does not list {name}"
        );
    }
}
