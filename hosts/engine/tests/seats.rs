//! What an engine tells, and to whom.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cupola_blindswords as _;
use cupola_corps20 as _;
use cupola_engine::{Engine, Host, Opponent, Settings};
use cupola_kernel::{Registry, Seed, Session, Side};
use cupola_library::Library;
use serde_json::Value;
use std::path::PathBuf;

struct Desk(Library);

const SEED: Seed = Seed(0x1863_0000_0000_0000_0000_0000_0000_0701);

impl Host for Desk {
    fn library(&self) -> &Library {
        &self.0
    }

    fn seed(&mut self) -> Result<Seed, String> {
        Ok(SEED)
    }

    /// Takes the first option.
    fn opponent(&mut self, _: &Session, _: Side) -> Result<Opponent, String> {
        Ok(Box::new(|game| {
            Ok(game.decision().map(|decision| decision.options[0]))
        }))
    }
}

fn desk() -> Desk {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data");
    Desk(Library::new(data, None, Registry::linked().unwrap()))
}

fn bound(seat: &str) -> Settings {
    Settings {
        seat: Some(seat.to_owned()),
        ..Settings::default()
    }
}

#[track_caller]
fn refused(answer: &Value, text: &str) {
    assert_eq!(answer["ok"], false, "{answer}");
    let message = answer["error"].to_string();
    assert!(message.contains(text), "{message}");
}

/// Every key of an answer, however deep.
fn keys(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                out.push(key.clone());
                keys(value, out);
            }
        }
        Value::Array(all) => all.iter().for_each(|value| keys(value, out)),
        _ => {}
    }
}

#[test]
fn a_bound_seat_is_told_neither_seed_nor_hash_nor_what_the_other_sees() {
    let mut desk = desk();
    let mut engine = Engine::new(&mut desk, bound("us"));
    let mut told = vec![];
    let mut ask = |line: &str| {
        let answer = engine.answer(line);
        told.push(answer.clone());
        answer
    };
    let first = ask(r#"{"id": 1, "cmd": "new", "scenario": "blindswords/noon"}"#);
    assert_eq!(first["ok"], true, "{first}");
    let mut own = 0;
    for _ in 0..60 {
        let answer = ask(r#"{"cmd": "decision", "game": "g1"}"#);
        if answer["decision"].is_null() {
            break;
        }
        assert_eq!(
            answer["decision"]["side"], "us",
            "the other side was not played"
        );
        ask(r#"{"cmd": "odds", "game": "g1"}"#);
        let done = ask(r#"{"cmd": "apply", "game": "g1", "index": 0}"#);
        assert_eq!(done["ok"], true, "{done}");
        own += 1;
    }
    assert!(own > 20);
    ask(r#"{"cmd": "view", "game": "g1"}"#);
    ask(r#"{"cmd": "fork", "game": "g1"}"#);
    ask(r#"{"cmd": "decision", "game": "g2"}"#);
    for answer in &told {
        let mut all = vec![];
        keys(answer, &mut all);
        assert!(
            !all.iter()
                .any(|key| key == "seed" || key == "hash" || key == "journal")
        );
        assert!(!answer.to_string().contains(&SEED.to_string()), "{answer}");
    }
    for (line, why) in [
        (
            r#"{"cmd": "save", "game": "g1"}"#,
            "a journal shows the seed",
        ),
        (
            r#"{"cmd": "load", "journal": ""}"#,
            "a journal shows the seed",
        ),
        (
            r#"{"cmd": "view", "game": "g1", "seat": "cs"}"#,
            "bound to the seat of us",
        ),
        (
            r#"{"cmd": "view", "game": "g1", "seat": "umpire"}"#,
            "bound to the seat of us",
        ),
        (
            r#"{"cmd": "decision", "game": "g1", "seat": "cs"}"#,
            "bound to the seat of us",
        ),
        (
            r#"{"cmd": "fork", "game": "g1", "same_dice": true}"#,
            "the dice to come",
        ),
        (
            r#"{"cmd": "fork", "game": "g1", "seat": "cs"}"#,
            "bound to the seat of us",
        ),
        (
            r#"{"cmd": "apply", "game": "g1", "side": "cs", "index": 0}"#,
            "bound to the other seat",
        ),
        (
            r#"{"cmd": "new", "scenario": "corps20/july1", "seed": "1"}"#,
            "choose the seed",
        ),
    ] {
        refused(&engine.answer(line), why);
    }
}

#[test]
fn games_and_files_have_limits() {
    let mut desk = desk();
    let few = Settings {
        games: 2,
        ..Settings::default()
    };
    let mut engine = Engine::new(&mut desk, few);
    let new = r#"{"cmd": "new", "scenario": "corps20/july1", "seed": "1863"}"#;
    for _ in 0..2 {
        assert_eq!(engine.answer(new)["ok"], true);
    }
    refused(&engine.answer(new), "2 games are held");
    refused(
        &engine.answer(r#"{"cmd": "fork", "game": "g1"}"#),
        "2 games are held",
    );
    for line in [
        r#"{"cmd": "save", "game": "g1", "file": "x.cupola"}"#,
        r#"{"cmd": "load", "file": "/etc/passwd"}"#,
        r#"{"cmd": "new", "position_file": "/etc/passwd"}"#,
        r#"{"cmd": "new", "scenario": "corps20/july1", "variant": "/tmp/x.ron"}"#,
    ] {
        refused(&engine.answer(line), "reads and writes no files");
    }
    refused(
        &engine.answer(&"x".repeat(Engine::LONGEST + 1)),
        "more than",
    );
    let told = engine.answer(&format!(r#"{{"cmd": "{}"}}"#, "x".repeat(1_000_000)));
    refused(&told, "no command");
    assert!(told.to_string().len() < 20_000, "names are cut in messages");
}

#[test]
fn files_stay_in_their_folder() {
    let folder = std::env::temp_dir().join(format!("cupola-engine-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut desk = desk();
    let files = Settings {
        files: Some(folder.clone()),
        ..Settings::default()
    };
    let mut engine = Engine::new(&mut desk, files);
    let _ = engine.answer(r#"{"cmd": "new", "scenario": "corps20/july1", "seed": "1863"}"#);
    for name in ["../out.cupola", "/tmp/out.cupola", "a/b", "..", "."] {
        let line = format!(r#"{{"cmd": "save", "game": "g1", "file": "{name}"}}"#);
        refused(&engine.answer(&line), "no plain name");
    }
    std::os::unix::fs::symlink("/tmp/elsewhere", folder.join("link")).ok();
    refused(
        &engine.answer(r#"{"cmd": "save", "game": "g1", "file": "link"}"#),
        "no plain file",
    );
    let saved = engine.answer(r#"{"cmd": "save", "game": "g1", "file": "g.cupola"}"#);
    assert_eq!(saved["ok"], true, "{saved}");
    let loaded = engine.answer(r#"{"cmd": "load", "file": "g.cupola"}"#);
    assert_eq!(loaded["ok"], true, "{loaded}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The variant of a game that starts from a position was ignored.
#[test]
fn a_position_is_played_under_its_variant() {
    let mut desk = desk();
    let mut engine = Engine::new(&mut desk, Settings::default());
    let position = r#"(
        ruleset: "corps20", scenario: "gettysburg", turn: "july2-noon", phase: "combat", side: "cs",
        state: (
            clear: true,
            units: {"howard": (at: "18.10"), "rodes": (at: "19.10"), "ewell": (at: "20.11")},
            chief: out, artillery: (out, out, out),
        ),
    )"#;
    let mut rulesets = vec![];
    for variant in [Value::Null, "no-rain".into()] {
        let request = serde_json::json!({"cmd": "new", "position": position, "variant": variant, "seed": "1"});
        let answer = engine.answer(&request.to_string());
        assert_eq!(answer["ok"], true, "{answer}");
        let save = serde_json::json!({"cmd": "save", "game": answer["game"]});
        let journal = engine.answer(&save.to_string())["journal"]
            .as_str()
            .unwrap()
            .to_owned();
        let load = serde_json::json!({"cmd": "load", "journal": journal});
        assert_eq!(engine.answer(&load.to_string())["hash"], answer["hash"]);
        rulesets.push((answer["ruleset"].as_str().unwrap().to_owned(), journal));
    }
    assert_eq!(rulesets[0].0, "corps20");
    assert_eq!(rulesets[1].0, "corps20+no-rain");
    assert!(rulesets[0].1.contains("\nvariant 0\n"));
    // Word for word, not by its path.
    assert!(
        rulesets[1].1.contains("name: \"no-rain\""),
        "{}",
        rulesets[1].1
    );
}
