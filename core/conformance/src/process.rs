//! Another process plays the same games.

use crate::replay::digest;
use cupola_kernel::{Play, Seed};
use std::process::Command;

/// Set for the child: it prints its digest instead of comparing.
const CHILD: &str = "CUPOLA_CONFORMANCE_CHILD";
const GAMES: u64 = 3;

/// Runs the test of this full name once more in a child process, and compares what both play.
///
/// # Panics
/// If they differ, or if the child cannot be run.
pub fn agrees(test: &str, make: &dyn Fn() -> Play, seed: Seed) {
    let own = match digest(&make(), seed, GAMES) {
        Ok(own) => own,
        Err(why) => panic!("{why}"),
    };
    if std::env::var_os(CHILD).is_some() {
        own.lines().for_each(|line| println!("digest {line}"));
        return;
    }
    // The test runner knows tests by their path without the crate's name.
    let name = test.split_once("::").map_or(test, |(_, name)| name);
    let child = std::env::current_exe().and_then(|program| {
        Command::new(program)
            .args([name, "--exact", "--nocapture"])
            .env(CHILD, "1")
            .output()
    });
    let output = match child {
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
        Err(error) => panic!("no child process: {error}"),
    };
    let theirs: String = output
        .lines()
        .filter_map(|line| line.split_once("digest ").map(|(_, rest)| rest))
        .flat_map(|line| [line, "\n"])
        .collect();
    assert_eq!(own, theirs, "another process plays other games");
}
