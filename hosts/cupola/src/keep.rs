//! Keeping files: whole or not at all, and on the disk before anybody relies on it.

use anyhow::{Context as _, bail};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file whole or not at all: beside the target first, then renamed.
///
/// # Errors
/// If it cannot be written, with its name.
pub fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write(path, bytes, false)
}

/// The same, and the disk has it when this returns: a game that was played is not lost to a power cut.
///
/// # Errors
/// If it cannot be written, with its name.
pub fn write_synced(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write(path, bytes, true)
}

fn write(path: &Path, bytes: &[u8], sync: bool) -> anyhow::Result<()> {
    if path.file_name().is_none() || path.is_dir() {
        bail!("{}: this is a folder, not a file to write", path.display());
    }
    let beside = beside(path);
    let written = put(&beside, bytes, sync).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What was half written is of no use; that it cannot be removed either changes nothing.
        let _ = fs::remove_file(&beside);
    }
    if sync {
        // That the folder has the new name cannot be made sure of everywhere; the file itself is safe.
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    }
    written.with_context(|| format!("{}: cannot be written", path.display()))
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}

fn put(path: &Path, bytes: &[u8], sync: bool) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    if sync { file.sync_all() } else { Ok(()) }
}

/// A file name that is not taken yet: `stem.ending`, `stem-2.ending` …
pub fn free_name(stem: &str, ending: &str) -> PathBuf {
    let names = (1..).map(|n| match n {
        1 => format!("{stem}.{ending}"),
        n => format!("{stem}-{n}.{ending}"),
    });
    let mut free = names.map(PathBuf::from).filter(|path| !path.exists());
    free.next().unwrap_or_default()
}
