//! Long work behaves: threads, interruptions and bad games change nothing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cupola_bots::Skill;
use cupola_corps20 as _;
use cupola_kernel::{Registry, Seed};
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
