//! The engine's conversation, and the bot in Python.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::{cupola, feed, root};
use serde_json::Value;
use std::process::Command;

/// Sends lines, gets the answers.
fn talk(lines: &[&str]) -> Vec<Value> {
    let told = feed(&["engine"], &(lines.join("\n") + "\n")).code(0);
    told.out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn errors_never_end_the_conversation() {
    let answers = talk(&[
        "{not json",
        "[1, 2]",
        r#"{"id": 1}"#,
        r#"{"id": 2, "cmd": "neww"}"#,
        r#"{"id": 3, "cmd": "decision", "game": "g7"}"#,
        r#"{"id": 4, "cmd": "new", "scenario": "corps20/july1", "seed": "zz"}"#,
        r#"{"id": 5, "cmd": "new", "scenario": "corps20/juli1"}"#,
        r#"{"id": 6, "cmd": "new", "scenario": "corps20/july1", "seeed": "1"}"#,
        r#"{"id": "seven", "cmd": "new", "scenario": "corps20/july1", "seed": "1863"}"#,
        r#"{"id": 8, "cmd": "decision", "game": "g2"}"#,
        r#"{"id": 9, "cmd": "apply", "game": "g1", "option": "nonsense"}"#,
        r#"{"id": 10, "cmd": "apply", "game": "g1", "index": 100000}"#,
        r#"{"id": 11, "cmd": "view", "game": "g1", "seat": "cx"}"#,
        r#"{"id": 12, "cmd": "undo", "game": "g1"}"#,
        r#"{"id": 13, "cmd": "load", "journal": "cupola journal 2\nruleset corps20\n"}"#,
        r#"{"id": 14, "cmd": "apply", "game": "g1", "side": "us", "index": 0}"#,
        r#"{"id": 15, "cmd": "list"}"#,
    ]);
    assert_eq!(answers.len(), 17);
    let ok: Vec<bool> = answers
        .iter()
        .map(|answer| answer["ok"].as_bool().unwrap())
        .collect();
    let wanted: Vec<bool> = (0..17).map(|i| i == 8 || i == 16).collect();
    assert_eq!(ok, wanted, "{answers:#?}");
    let hint = |i: usize| {
        answers[i]["error"]["hint"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(hint(3), "did you mean \"new\"?");
    assert!(hint(4).contains("new"), "{}", hint(4));
    assert_eq!(hint(7), "did you mean \"seed\"?");
    assert_eq!(hint(9), "did you mean \"g1\"?");
    assert_eq!(answers[8]["id"], "seven");
    assert_eq!(answers[8]["game"], "g1");
    assert!(
        answers[14]["error"]["message"]
            .as_str()
            .unwrap()
            .contains("truncated")
    );
    assert!(
        answers[15]["error"]["message"]
            .as_str()
            .unwrap()
            .contains("other side")
    );
    for answer in answers.iter().filter(|answer| answer["ok"] == false) {
        assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
    }
}

#[test]
fn several_games_are_held_apart() {
    let answers = talk(&[
        r#"{"id": 1, "cmd": "new", "scenario": "corps20/july1", "seed": "1863"}"#,
        r#"{"id": 2, "cmd": "new", "ruleset": "corps20", "scenario": "july1", "seed": "1863"}"#,
        r#"{"id": 3, "cmd": "apply", "game": "g1", "index": 0}"#,
        r#"{"id": 4, "cmd": "decision", "game": "g2"}"#,
        r#"{"id": 5, "cmd": "fork", "game": "g2", "same_dice": true}"#,
        r#"{"id": 6, "cmd": "apply", "game": "g3", "index": 0}"#,
        r#"{"id": 7, "cmd": "save", "game": "g3"}"#,
        r#"{"id": 8, "cmd": "drop", "game": "g3"}"#,
        r#"{"id": 9, "cmd": "save", "game": "g1"}"#,
        r#"{"id": 10, "cmd": "quit"}"#,
        r#"{"id": 11, "cmd": "list"}"#,
    ]);
    assert_eq!(answers.len(), 10, "nothing is answered after quit");
    assert_eq!(answers[0]["hash"], answers[1]["hash"]);
    assert_ne!(answers[2]["hash"], answers[1]["hash"]);
    assert_eq!(
        answers[5]["hash"], answers[2]["hash"],
        "a fork with the same dice goes the same way"
    );
    assert_eq!(answers[6]["ok"], false, "a fork has no journal");
    assert!(
        answers[8]["journal"]
            .as_str()
            .unwrap()
            .starts_with("cupola journal 2\n")
    );
}

#[test]
fn a_bot_in_python_plays_a_whole_game() {
    let python = Command::new("python3").arg("--version").output();
    assert!(
        python.is_ok_and(|output| output.status.success()),
        "the test needs python3"
    );
    let program = cupola().get_program().to_owned();
    let mut bot = Command::new("python3");
    bot.arg("tests/engine/bot.py")
        .arg(program)
        .current_dir(root());
    let output = bot
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{out}\n{err}");
    assert!(out.contains("decisions, winner"), "{out}");
}
