//! Starts a target directory with what was compiled already.
//!
//! A hundred dependencies take minutes to compile, and those of a library are the very ones of the test
//! that loads it. Cargo takes over what lies in its target directory if files and their times are in order,
//! and compiles the rest. Large files are linked, as nobody writes into them; small ones, which cargo
//! rewrites in place, are copied.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// Smaller files are copied.
const LARGE: u64 = 1 << 16;

/// Brings the compiled dependencies in one profile's directory up to date from another. Should cargo be at
/// work there, some are taken over half-done: what is missing or older than its record is compiled again.
pub(crate) fn seed(from: &Path, to: &Path) -> io::Result<()> {
    // The records first: cargo writes them last.
    for part in [".fingerprint", "build", "deps"] {
        seed_folder(&from.join(part), &to.join(part)).or_else(gone)?;
    }
    Ok(())
}

fn seed_folder(from: &Path, to: &Path) -> io::Result<()> {
    let entries = fs::read_dir(from)?;
    fs::create_dir_all(to)?;
    for entry in entries {
        let entry = entry?;
        seed_entry(&entry.path(), &to.join(entry.file_name())).or_else(gone)?;
    }
    Ok(())
}

fn seed_entry(old: &Path, new: &Path) -> io::Result<()> {
    let data = fs::metadata(old)?;
    if data.is_dir() {
        return seed_folder(old, new);
    }
    if is_same(&data, new) {
        return Ok(());
    }
    fs::remove_file(new).or_else(gone)?;
    if data.len() < LARGE || fs::hard_link(old, new).is_err() {
        fs::copy(old, new)?;
        File::options()
            .write(true)
            .open(new)?
            .set_modified(data.modified()?)?;
    }
    Ok(())
}

/// Nothing to do for what is not there, or no longer.
fn gone(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    }
}

fn is_same(data: &Metadata, new: &Path) -> bool {
    let same = |other: &Metadata| {
        other.len() == data.len() && other.modified().ok() == data.modified().ok()
    };
    fs::metadata(new).is_ok_and(|other| same(&other))
}
