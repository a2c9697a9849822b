//! Another process, in an empty folder and without an environment, plays the same games and leaves nothing behind.

use crate::conformity::Tally;
use crate::replay::digest;
use crate::settings::Settings;
use cupola_kernel::{Play, Seed};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Set for the child: it prints its digest instead of comparing.
const CHILD: &str = "CUPOLA_CONFORMANCE_CHILD";
/// What a child's line begins with.
const LINE: &str = "digest ";
const GAMES: u64 = 3;

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    let Some(command) = &settings.elsewhere else {
        return Ok(());
    };
    let own = digest(play, settings.seed, GAMES)?;
    let folder = Folder::new()?;
    let mut command = command()?;
    // What the command itself wants to be known stays.
    let wanted: Vec<_> = command
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    command.env_clear().envs(wanted).env(CHILD, "1");
    command.current_dir(&folder.0);
    let output = command
        .output()
        .map_err(|error| format!("no child process: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = said.lines().filter_map(|line| line.split_once(LINE));
    let theirs: String = lines.flat_map(|(_, line)| [line, "\n"]).collect();
    if theirs.is_empty() {
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("another process plays nothing: {said}{error}"));
    }
    if own != theirs {
        return Err(format!(
            "another process, without an environment, plays other games:\n{own}there:\n{theirs}"
        ));
    }
    if let Some(left) = folder.holds() {
        return Err(format!("it leaves “{left}” in the folder where it is run"));
    }
    tally.add("games elsewhere", GAMES);
    Ok(())
}

/// Whether this is the child process; then it has told what it plays.
///
/// # Panics
/// If a game cannot be played.
pub fn tells_digest(make: &dyn Fn() -> Play, seed: Seed) -> bool {
    let child = std::env::var_os(CHILD).is_some();
    if child {
        let own = digest(&make(), seed, GAMES).unwrap_or_else(|why| panic!("{why}"));
        own.lines().for_each(|line| println!("{LINE}{line}"));
    }
    child
}

/// This program, once more, for the test of this full name.
///
/// # Errors
/// If nobody knows where the program lies.
pub fn same_test(test: &str) -> Result<Command, String> {
    // The test runner knows tests by their path without the crate's name.
    let name = test.split_once("::").map_or(test, |(_, name)| name);
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args([name, "--exact", "--nocapture"]);
    Ok(command)
}

/// An empty folder, for a while.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("cupola-elsewhere-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        Ok(Folder(folder))
    }

    /// Something that lies in it.
    fn holds(&self) -> Option<String> {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into());
        let mut entries = std::fs::read_dir(&self.0).ok()?;
        name(&entries.next()?.ok()?.path())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}
