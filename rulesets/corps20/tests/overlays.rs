//! Values changed by variants and scenarios: what comes of it, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cupola_corps20 as _;
use cupola_data::Source;
use cupola_kernel::{Journal, Registry, Seed, Session};
use cupola_library::{Library, differences, stack};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn library() -> Library {
    Library::new(root().join("data"), None, Registry::linked().unwrap())
}

fn variant(name: &str, change: &str) -> Source {
    let text =
        format!("(base: \"corps20\", name: \"{name}\", title: \"{name}\", change: [{change}])\n");
    Source::new(format!("{name}.ron"), text)
}

/// What a change comes to, in words.
fn told(library: &Library, change: &Source) -> String {
    let base = library.resolve("corps20", "july1", None).unwrap();
    let changed = library.resolve("corps20", "july1", Some(change)).unwrap();
    library.play_resolved(&changed).unwrap();
    let told = differences(&base, &changed);
    told.iter().map(|told| format!("{told}\n")).collect()
}

#[test]
fn a_value_is_changed_and_told_in_words() {
    let library = library();
    let strong = variant(
        "strong",
        r#"set(path: "counters/heth/strength", was: 2, to: 4)"#,
    );
    assert_eq!(
        told(&library, &strong),
        "Heth’s Division: strength 2 → 4 (printed: 002 7.14 example → house: strong)\n"
    );
    let parts = variant(
        "parts",
        r#"add(path: "board/corrections", entry: (hex: "14.11", set: cover(woods), cite: "what if")),
           set(path: "turns/july1-dawn/label", to: "Sunrise"),
           set(path: "army/cs-iii-heth/name", to: "Pettigrew's Division"),
           set(path: "tables/crt/2/rolls/#1", to: DR),
           set(path: "scenario/last", to: "july1-noon")"#,
    );
    let parts = told(&library, &parts);
    for words in [
        "label \"July 1 Dawn\" → \"Sunrise\"",
        "last \"july1-dusk\" → \"july1-noon\"",
        "is new: (hex: \"14.11\"",
        "crt 2: rolls (EX, TW, DW, DW, DR, DR) → (DR, TW, DW, DW, DR, DR)",
    ] {
        assert!(parts.contains(words), "{words} in\n{parts}");
    }
}

#[test]
fn journals_carry_a_stack_and_know_when_it_is_another() {
    let library = library();
    let a = variant("a", r#"set(path: "counters/heth/strength", to: 4)"#);
    let b = variant(
        "b",
        r#"set(path: "turns/july1-dawn/label", to: "Sunrise"), remove_phase("round-end")"#,
    );
    let both = stack(&[a.clone(), b]).unwrap();
    let play = library.play_with("corps20", "july1", Some(&both)).unwrap();
    let journal = Journal::new(&play, "corps20", Some(both.text), Seed(7), None);
    let mut session = Session::new(&play, journal).unwrap();
    for _ in 0..20 {
        let Some(decision) = session.game().decision() else {
            break;
        };
        let (side, act) = (decision.ask.side, decision.options[0]);
        session.apply(side, act).unwrap();
    }
    let text = Source::new("game", session.journal().write());
    let journal = Journal::read(&text).unwrap();
    let again = library.play_of(&journal).unwrap();
    assert_eq!(again.identity(), play.identity());
    assert!(Session::replay(&again, &journal, "game").is_ok());
    let other = library.play_with("corps20", "july1", Some(&a)).unwrap();
    assert!(Session::replay(&other, &journal, "game").is_err());
    let empty = library
        .play_with("corps20", "july1", Some(&variant("empty", "")))
        .unwrap();
    let plain = library.play_with("corps20", "july1", None).unwrap();
    assert!(empty.identity().plays_like(plain.identity()));
    assert!(!other.identity().plays_like(plain.identity()));
}

#[test]
fn the_what_ifs_play() {
    let library = library();
    for (name, words) in [
        ("stuart-early", "turn \"july2-evening\" → \"july1-noon\""),
        ("xi-corps-absent", "XI Corps: is not there any more"),
    ] {
        let variant = library.variant(name).unwrap();
        let told = told(&library, &variant);
        assert!(told.contains(words), "{words} in\n{told}");
        let resolved = library
            .resolve("corps20", "gettysburg", Some(&variant))
            .unwrap();
        assert!(library.underived(&resolved).unwrap().is_empty());
    }
}

/// The broken variants of `tests/bad`, as `cupola check` would tell them.
#[test]
fn broken_overlays_are_told_of_the_change() {
    let library = library();
    let mut wrong = vec![];
    for entry in std::fs::read_dir(root().join("tests/bad/variants")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("value-") || path.extension().is_none_or(|end| end != "ron") {
            continue;
        }
        let file = Source::new(name.clone(), std::fs::read_to_string(&path).unwrap());
        let told = match library.resolve("corps20", "july1", Some(&file)) {
            Err(problems) => problems.to_string(),
            Ok(resolved) => match library.play_resolved(&resolved) {
                Err(problems) => problems.to_string(),
                Ok(_) => library.underived(&resolved).unwrap().to_string(),
            },
        };
        let expected = std::fs::read_to_string(path.with_extension("txt")).unwrap();
        for line in expected.lines().filter(|line| !told.contains(*line)) {
            wrong.push(format!("{name}: expected\n  {line}\nin\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn all_fields_are_read_off_the_types() {
    let library = library();
    let (play, heard) = cupola_data::overhear(|| library.play_with("corps20", "july1", None));
    play.unwrap();
    let of = |file: &str| {
        heard
            .iter()
            .find(|(name, _)| name.ends_with(file))
            .unwrap()
            .1
    };
    for (file, key) in [
        ("tables.ron", "crt.at"),
        ("tables.ron", "losses.routed"),
        ("counters.ron", "counters.values.strength"),
        ("counters.ron", "counters.values = marker"),
        ("counters.ron", "counters.values.rounds_away"),
        ("turns.ron", "turns.light = dusk"),
        ("july1.ron", "last"),
        ("grid.ron", "stagger"),
        ("ruleset.ron", "ranges"),
    ] {
        assert!(of(file).contains_key(key), "{file} {key}: {:#?}", of(file));
    }
}
