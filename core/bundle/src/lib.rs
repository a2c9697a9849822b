//! The data folder inside the program, so that it runs in any directory.
//!
//! The files are packed when the program is built. They are written out once, beside the compiled
//! boards, and read from there: an error in one of them then has a path that a person can open.
//!
//! ```
//! let files = cupola_bundle::files();
//! assert!(files.iter().any(|(path, _)| path == "battlefields/gettysburg/battlefield.ron"));
//! ```
#![forbid(unsafe_code)]

use flate2::read::DeflateDecoder;
use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/data.deflated"));

/// How many files there are.
const COUNT: usize = include!(concat!(env!("OUT_DIR"), "/count"));

/// Every file by its path in the data folder, in order.
#[must_use]
pub fn files() -> Vec<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    // What was packed by the build script unpacks.
    let unpacked = DeflateDecoder::new(PACKED).read_to_end(&mut bytes);
    debug_assert!(unpacked.is_ok(), "{unpacked:?}");
    let mut rest = bytes.as_slice();
    let mut files = vec![];
    while let Some((name, after)) = part(rest) {
        let Some((text, after)) = part(after) else {
            break;
        };
        files.push((String::from_utf8_lossy(name).into_owned(), text.to_vec()));
        rest = after;
    }
    files
}

fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

/// Tells one set of files from another.
#[must_use]
pub fn key() -> u128 {
    let mut hasher = SipHasher13::new();
    hasher.write(PACKED);
    hasher.finish128().as_u128()
}

/// Writes all files into a folder that is not there yet or is empty; tells how many they are.
///
/// # Errors
/// If the folder holds something, or cannot be written.
pub fn export(folder: &Path) -> io::Result<usize> {
    if folder.is_dir() && std::fs::read_dir(folder)?.next().is_some() {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "there is something in this folder already, and nothing was written",
        ));
    }
    fill(folder)
}

/// Writes those files that are not there; tells how many there are in all.
fn fill(folder: &Path) -> io::Result<usize> {
    let files = files();
    for (path, text) in &files {
        let target = folder.join(path);
        if target.is_file() {
            continue;
        }
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(target, text)?;
    }
    Ok(files.len())
}

/// The name of the folder of these files below a cache.
#[must_use]
pub fn folder_name() -> String {
    format!("data-{:032x}", key())
}

/// The files as a folder below a cache: written out the first time, found the next. Where some have gone since, as they do where
/// old files are swept away one by one, they are written again.
///
/// # Errors
/// If it cannot be written.
pub fn folder(cache: &Path) -> io::Result<PathBuf> {
    let name = folder_name();
    let target = cache.join(&name);
    if target.is_dir() {
        if count(&target)? < COUNT {
            fill(&target)?;
        }
        return Ok(target);
    }
    // Beside it first, then renamed: another program that starts now finds all of it or nothing.
    let beside = cache.join(format!("{name}.{}", std::process::id()));
    let written = export(&beside).and_then(|_| std::fs::rename(&beside, &target));
    if written.is_err() {
        let _ = std::fs::remove_dir_all(&beside);
        // Somebody else may have been quicker.
        if target.is_dir() {
            return Ok(target);
        }
    }
    written.map(|()| target)
}

/// How many files lie in a folder and those below it.
fn count(folder: &Path) -> io::Result<usize> {
    let mut all = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        all += match entry.file_type()?.is_dir() {
            true => count(&entry.path())?,
            false => 1,
        };
    }
    Ok(all)
}
