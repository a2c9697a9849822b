//! Rules know who they are, and a journal is refused or is the same game.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cupola_corps20 as _;
use cupola_data::Source;
use cupola_kernel::{Journal, Play, Registry, Seed, Session, Weight, digest};
use cupola_library::Library;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

fn library(root: &Path, cache: Option<PathBuf>) -> Library {
    Library::new(root.to_owned(), cache, Registry::linked().unwrap())
}

/// The first choices of a game, always another option.
fn session(play: &Play, choices: usize) -> Session {
    let variant = std::fs::read_to_string(data().join("variants/no-rain.ron")).unwrap();
    let journal = Journal::new(play, "corps20", Some(variant), Seed(1863), None);
    let mut session = Session::new(play, journal).unwrap();
    session.set_seats(vec![
        ("cs".into(), "human".into()),
        ("us".into(), "steady".into()),
    ]);
    for i in 0..choices {
        let decision = session.game().decision().unwrap();
        let (side, act) = (
            decision.ask.side,
            decision.options[i * 7 % decision.options.len()],
        );
        session.apply(side, act).unwrap();
    }
    session
}

/// The text with the hash of its lines at the end, as somebody would make it who knows how.
fn sealed(body: &str, steps: usize) -> String {
    format!("{body}end {steps} {}\n", digest(body.as_bytes()))
}

/// A journal is read and played again.
fn replay(play: &Play, text: &str) -> Result<Journal, String> {
    let journal = Journal::read(&Source::new("x", text)).map_err(|p| p.to_string())?;
    let session = Session::replay(play, &journal, "x").map_err(|p| p.to_string())?;
    Ok(session.journal().clone())
}

#[test]
fn a_journal_altered_in_any_byte_is_refused_whatever_its_last_line_says() {
    let library = library(&data(), None);
    let variant = library.variant("no-rain").unwrap();
    let play = library
        .play_with("corps20", "july1", Some(&variant))
        .unwrap();
    let session = session(&play, 24);
    let text = session.journal().write();
    assert_eq!(replay(&play, &text).as_ref(), Ok(session.journal()));
    // As it stands: every byte.
    for i in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[i] = if bytes[i] == b'1' { b'2' } else { b'1' };
        assert!(
            replay(&play, &String::from_utf8(bytes).unwrap()).is_err(),
            "byte {i}"
        );
    }
    // With the last line made anew: every line, here and there.
    let body = &text[..text.rfind("end ").unwrap()];
    let mut at = 0;
    for (number, line) in body.lines().enumerate() {
        for place in [0, line.len() / 2, line.len().saturating_sub(1)] {
            let mut bytes = body.as_bytes().to_vec();
            let byte = &mut bytes[at + place];
            *byte = if *byte == b'1' { b'2' } else { b'1' };
            let forged = sealed(&String::from_utf8_lossy(&bytes), 24);
            assert!(
                replay(&play, &forged).is_err(),
                "line {}: {line}",
                number + 1
            );
        }
        at += line.len() + 1;
    }
    // A step taken out, put in twice, or exchanged with the next.
    let lines: Vec<&str> = body.lines().collect();
    let first = lines
        .iter()
        .position(|line| line.starts_with("1 "))
        .unwrap();
    for i in first..first + 23 {
        let mut less = lines.clone();
        less.remove(i);
        let mut more = lines.clone();
        more.insert(i, lines[i]);
        let mut turned = lines.clone();
        turned.swap(i, i + 1);
        for (steps, other) in [(23, less), (25, more), (24, turned)] {
            let forged = sealed(&(other.join("\n") + "\n"), steps);
            assert!(replay(&play, &forged).is_err(), "step {}", i - first + 1);
        }
    }
}

/// All files below a folder.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            files(&entry.path(), out);
        } else {
            out.push(entry.path());
        }
    }
}

/// A copy of the data that corps20 is played from.
fn copy(name: &str) -> PathBuf {
    let root = std::env::temp_dir().join(format!("cupola-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&root);
    for part in [
        "armies/gettysburg",
        "battlefields/gettysburg",
        "rulesets/corps20",
    ] {
        let mut all = vec![];
        files(&data().join(part), &mut all);
        for file in all {
            let to = root.join(file.strip_prefix(data()).unwrap());
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(file, to).unwrap();
        }
    }
    root
}

#[test]
fn whatever_a_ruleset_reads_is_part_of_what_it_is() {
    let root = copy("identity");
    let library = library(&root, Some(root.join("cache")));
    let play = || library.play("corps20", "july1", None).unwrap();
    let before = play();
    let session = Session::begin(&before, Seed(1)).unwrap();
    let journal = session.journal().clone();
    // A comment, where comments are; a blank elsewhere: nothing is played otherwise, and it is still seen.
    for name in [
        "armies/gettysburg/union.ron",
        "armies/gettysburg/battle.ron",
        "battlefields/gettysburg/battlefield.ron",
        "battlefields/gettysburg/roads.geojson",
        "battlefields/gettysburg/heights.ron",
        "rulesets/corps20/battles/gettysburg/board.ron",
        "rulesets/corps20/battles/gettysburg/grid.ron",
        "rulesets/corps20/battles/gettysburg/turns.ron",
        "rulesets/corps20/battles/gettysburg/battle.ron",
        "rulesets/corps20/terrain.ron",
        "rulesets/corps20/tables.ron",
        "rulesets/corps20/battles/gettysburg/counters.ron",
        "rulesets/corps20/battles/gettysburg/scenarios/july1.ron",
    ] {
        let path = root.join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}\n ")).unwrap();
        let after = play();
        assert_ne!(after.resolved(), before.resolved(), "{name}");
        let told = after.identity().differences(before.identity());
        assert_eq!(told.len(), 1, "{name}: {told:?}");
        assert_eq!(told[0].weight, Weight::Form, "{name}: {told:?}");
        assert!(name.ends_with(&told[0].part), "{name}: {told:?}");
        // Such a difference alone refuses nothing.
        Session::replay(&after, &journal, "x").unwrap_or_else(|why| panic!("{name}: {why}"));
        std::fs::write(&path, text).unwrap();
    }
    assert_eq!(play().resolved(), before.resolved());
    // A change of what is played is told by file and field, and refused.
    let turns = root.join("rulesets/corps20/battles/gettysburg/turns.ron");
    let text = std::fs::read_to_string(&turns).unwrap();
    let label = text.find("label: \"").unwrap() + 8;
    std::fs::write(&turns, format!("{}X{}", &text[..label], &text[label..])).unwrap();
    let after = play();
    let why = Session::replay(&after, &journal, "x")
        .err()
        .unwrap()
        .to_string();
    assert!(
        why.contains("played under other rules: rulesets/corps20/battles/gettysburg/turns.ron differs in turns"),
        "{why}"
    );
    std::fs::remove_dir_all(&root).unwrap();
}

#[test]
fn the_code_is_part_of_what_rules_are() {
    let library = library(&data(), None);
    let play = library.play("corps20", "july1", None).unwrap();
    let session = session(&play, 3);
    let text = session.journal().write();
    for name in [
        "cupola-kernel",
        "cupola-corps20",
        "cupola-ground",
        "cupola-army",
        "cupola-data",
    ] {
        assert!(text.contains(&format!(" - code of {name}\n")), "{name}");
    }
    // Another build: its journal is played again, and the hashes decide.
    let mut journal = session.journal().clone();
    journal.rules.code(&[("cupola-kernel", "another")]);
    journal.start = journal.bind(play.game(Seed(1863)).unwrap().hash());
    let told = play.identity().differences(&journal.rules);
    assert_eq!(told[0].to_string(), "code of cupola-kernel differs");
    let moved = Session::replay(&play, &journal, "x").unwrap();
    assert_eq!(
        moved.journal().rules,
        *play.identity(),
        "it goes on under the rules that are here"
    );
    // Where they differ, the message says what may be why.
    journal.steps[1].hash = digest(b"another");
    let why = Session::replay(&play, &journal, "x")
        .err()
        .unwrap()
        .to_string();
    assert!(why.contains("code of cupola-kernel differs"), "{why}");
}
