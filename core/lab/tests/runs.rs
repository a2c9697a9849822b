//! Long work behaves: threads, interruptions and bad games change nothing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cupola_bots::Skill;
use cupola_corps20 as _;
use cupola_kernel::{Registry, Seat, Seed, Session};
use cupola_lab::{Contest, Played, Record, Setting, Store, StoreError, run};
use cupola_library::Library;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

fn contest() -> &'static Contest {
    static CONTEST: OnceLock<Contest> = OnceLock::new();
    CONTEST.get_or_init(|| {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let library = Library::new(root, None, Registry::linked().unwrap());
        let setting = Setting::read(&library, "gettysburg-july1").unwrap();
        let played = Played {
            title: String::new(),
            ruleset: "corps20".into(),
            variant: None,
            play: library.play("corps20", "july1", None).unwrap(),
        };
        setting.contest("corps20", played, [Skill::Steady; 2], Seed(7))
    })
}

fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cupola-lab-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn play(path: &Path, games: u32, threads: usize, stop_after: u32) -> Vec<Record> {
    let (mut store, records) = Store::open(path, &contest().key()).unwrap();
    let stop = AtomicBool::new(false);
    run(
        contest(),
        0..games,
        threads,
        &mut store,
        records,
        &stop,
        |progress| {
            if progress.done >= stop_after {
                stop.store(true, Ordering::Relaxed);
            }
        },
    )
    .unwrap()
}

#[test]
fn results_depend_neither_on_threads_nor_on_interruptions() {
    let alone = play(&file("one"), 8, 1, u32::MAX);
    assert_eq!(alone.len(), 8);
    assert!(alone.iter().all(|record| record.fault.is_none()));
    assert_eq!(alone, play(&file("three"), 8, 3, u32::MAX));
    let path = file("stopped");
    let first = play(&path, 8, 2, 3);
    assert!(first.len() < 8, "the run was not stopped");
    assert_eq!(alone, play(&path, 8, 2, u32::MAX));
    // More games of the same run leave the first ones as they were.
    assert_eq!(alone, play(&path, 10, 2, u32::MAX)[..8]);
}

#[test]
fn what_was_half_written_is_cut_off_and_played_again() {
    let path = file("torn");
    let whole = play(&path, 4, 1, u32::MAX);
    let bytes = std::fs::read(&path).unwrap();
    for cut in [1, 9, 40, bytes.len() / 2, bytes.len() - 3] {
        std::fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
        assert_eq!(whole, play(&path, 4, 1, u32::MAX), "cut off {cut} bytes");
    }
    // A bit that fell over ends what can be trusted.
    let mut rotten = bytes.clone();
    let middle = rotten.len() / 2;
    rotten[middle] ^= 4;
    std::fs::write(&path, rotten).unwrap();
    assert_eq!(whole, play(&path, 4, 1, u32::MAX));
}

#[test]
fn games_of_another_run_are_refused() {
    let path = file("other");
    play(&path, 1, 1, u32::MAX);
    let other = Contest {
        seed: Seed(8),
        ..contest().clone()
    };
    let Err(StoreError::Other { .. }) = Store::open(&path, &other.key()) else {
        panic!("records of another seed were taken");
    };
}

#[test]
fn a_record_can_be_played_again_from_its_journal() {
    let record = contest().play(3);
    let journal = contest().journal(3).unwrap();
    assert_eq!(journal.seed, record.seed);
    let tallies = record
        .kept
        .snapshots
        .iter()
        .flat_map(|snapshot| &snapshot.tally);
    let chosen: u32 = tallies.map(|tally| tally.decisions + tally.forced).sum();
    assert_eq!(journal.steps.len(), chosen as usize);
}

/// An attack is a fight that was fought, no more and no less: as many as the journal tells of.
#[test]
fn attacks_are_fights_that_were_fought() {
    for number in 0..4 {
        let record = contest().play(number);
        let journal = contest().journal(number).unwrap();
        let session = Session::replay(&contest().play, &journal, "a journal").unwrap();
        let told = session.events(Seat::Umpire, 1);
        let told = told.filter(|(_, event)| event.kind == "combat").count();
        let tallies = record.kept.snapshots.iter().flat_map(|s| &s.tally);
        let attacks: u32 = tallies.map(|tally| tally.attacks).sum();
        assert_eq!(attacks as usize, told, "game {number}");
        let kept = &record.kept;
        assert!(kept.first_contact <= kept.first_attack && kept.first_attack <= kept.first_close);
        assert_eq!(kept.first_attack.is_some(), attacks > 0);
    }
}

/// What is named wrongly is told with file, line, field and the nearest name.
#[test]
fn names_that_are_not_there_are_told_before_anything_is_played() {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let root = file("data");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(root.join("scenarios")).unwrap();
    for folder in ["armies", "battlefields", "history", "plans", "rulesets"] {
        std::os::unix::fs::symlink(data.join(folder), root.join(folder)).unwrap();
    }
    let text = std::fs::read_to_string(data.join("scenarios/gettysburg-july1.ron")).unwrap();
    let wrong = text
        .replace("\"july1-union\"", "\"july1-onion\"")
        .replace("\"corps20\": \"july1\"", "\"corps20\": \"july11\"");
    assert_ne!(text, wrong);
    std::fs::write(root.join("scenarios/gettysburg-july1.ron"), wrong).unwrap();
    let library = Library::new(root, None, Registry::linked().unwrap());
    let Err(problems) = Setting::read(&library, "gettysburg-july1") else {
        panic!("it was taken");
    };
    let told = problems.to_string();
    for words in [
        "gettysburg-july1.ron:",
        "plans.us: no plan \"july1-onion\"; did you mean \"july1-union\"?",
        "played_as.corps20: corps20 has no scenario \"july11\"; did you mean \"july1\"?",
    ] {
        assert!(told.contains(words), "{told}");
    }
}
