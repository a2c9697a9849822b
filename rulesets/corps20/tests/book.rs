//! The chapter's tables say what the data says.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot load its data must fail"
)]

use cupola_corps20::rules::Rules;
use cupola_kernel::{Play, Registry};
use cupola_library::Library;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn play() -> Play {
    Library::new(root().join("data"), None, Registry::linked().unwrap())
        .play("corps20", "gettysburg", None)
        .unwrap_or_else(|problems| panic!("{problems}"))
}

fn chapter() -> String {
    std::fs::read_to_string(root().join("book/src/rulesets/corps20.md")).unwrap()
}

#[test]
fn the_results_table_is_the_one_that_is_rolled_on() {
    let (play, text) = (play(), chapter());
    let rules: &Rules = play.env().rules.downcast_ref().unwrap();
    for roll in 1..=6 {
        let results = rules
            .crt
            .0
            .iter()
            .map(|column| column.rolls[roll - 1].code());
        let row = format!("| {roll} | {} |", results.collect::<Vec<_>>().join(" | "));
        assert!(text.contains(&row), "no row {row}");
    }
}

#[test]
fn every_card_is_named_and_explained() {
    let (play, text) = (play(), chapter());
    let rules: &Rules = play.env().rules.downcast_ref().unwrap();
    for (i, card) in rules.deck.iter().enumerate() {
        let (cs, us) = (&card.sides.first, &card.sides.second);
        let row = format!("| {} | {} | {} |", i + 1, us.0, cs.0);
        assert!(text.contains(&row), "no row {row}");
        for (title, happening) in [cs, us] {
            let row = format!("| {} |", happening.about());
            assert!(text.contains(&row), "{title} is not explained: {row}");
        }
    }
}

#[test]
fn entries_and_communications_are_where_the_chapter_says() {
    let (play, text) = (play(), chapter());
    let rules: &Rules = play.env().rules.downcast_ref().unwrap();
    let board = &play.env().board;
    for entry in &rules.entries {
        let (row, place) = (format!("| {} | ", entry.code), board.label(entry.gate.hex));
        let mut lines = text.lines().filter(|line| line.contains(&row));
        let there = lines.any(|line| line.contains(&format!(", {place} |")));
        assert!(there, "{} at {place}", entry.code);
    }
}

#[test]
fn every_switch_is_in_the_rulings() {
    let file = std::fs::read_to_string(root().join("data/rulesets/corps20/ruleset.ron")).unwrap();
    let (_, switches) = file.split_once("switches: {").unwrap();
    let (switches, _) = switches.split_once('}').unwrap();
    let text = chapter();
    let names: Vec<&str> = switches.split('"').skip(1).step_by(2).collect();
    assert!(names.len() > 2);
    for name in names {
        assert!(text.contains(&format!("`{name}`")), "{name}");
    }
}
