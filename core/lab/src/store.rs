//! Records on disk: a run that was cut off goes on where it was.
//!
//! A file of records begins with a line that names what its records depend on. Each record is its length, its
//! checksum and its bytes. What was half-written when the power went is cut off when the file is opened again.

use crate::record::Record;
use siphasher::sip::SipHasher13;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::hash::Hasher;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why records cannot be kept or read.
#[derive(Debug)]
pub enum StoreError {
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
    /// The file holds records of something else.
    Other {
        /// The file.
        path: PathBuf,
        /// What its records depend on.
        found: String,
        /// What was asked for.
        wanted: String,
    },
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Io(path, why) => write!(f, "{}: {why}", path.display()),
            StoreError::Other {
                path,
                found,
                wanted,
            } => write!(
                f,
                "{}: holds games of another run ({found}), not of this one ({wanted}); \
                 choose another folder or remove the file",
                path.display()
            ),
        }
    }
}
impl std::error::Error for StoreError {}

/// A file of records.
pub struct Store {
    path: PathBuf,
    file: File,
}

const MAGIC: &str = "cupola games 2";

impl Store {
    /// Opens a file of records, or begins one, and reads what it holds.
    ///
    /// # Errors
    /// If it cannot be read, or holds records of something else.
    pub fn open(path: &Path, key: &str) -> Result<(Store, Vec<Record>), StoreError> {
        let io = |why| StoreError::Io(path.to_owned(), why);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes).map_err(io)?;
        let header = format!("{MAGIC} {key}\n");
        let whole = if header.as_bytes().starts_with(&bytes) {
            // Empty, or cut off within its first line: a new file.
            file.set_len(0).map_err(io)?;
            file.seek(SeekFrom::Start(0)).map_err(io)?;
            file.write_all(header.as_bytes()).map_err(io)?;
            bytes.clear();
            header.len()
        } else if bytes.starts_with(header.as_bytes()) {
            header.len()
        } else {
            let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or(&[]);
            return Err(StoreError::Other {
                path: path.to_owned(),
                found: String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned(),
                wanted: key.to_owned(),
            });
        };
        let (records, end) = read_all(&bytes, whole);
        file.set_len(end as u64).map_err(io)?;
        file.seek(SeekFrom::Start(end as u64)).map_err(io)?;
        let path = path.to_owned();
        Ok((Store { path, file }, records))
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: &Record) -> Result<(), StoreError> {
        self.file
            .write_all(&frame(record))
            .map_err(|why| StoreError::Io(self.path.clone(), why))
    }
}

/// A record as it is written: length, checksum, bytes.
fn frame(record: &Record) -> Vec<u8> {
    let body = record.to_bytes();
    let mut bytes = Vec::with_capacity(body.len() + 12);
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(checksum(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes);
    hasher.finish()
}

/// The records from here on, as far as they are whole, and where the last of them ends.
fn read_all(bytes: &[u8], mut at: usize) -> (Vec<Record>, usize) {
    let mut records = vec![];
    while let Some((record, next)) = read_one(bytes, at) {
        records.push(record);
        at = next;
    }
    (records, at)
}

fn read_one(bytes: &[u8], at: usize) -> Option<(Record, usize)> {
    let length = u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize;
    let sum = u64::from_le_bytes(bytes.get(at + 4..at + 12)?.try_into().ok()?);
    let body = bytes.get(at + 12..at + 12 + length)?;
    let record = (checksum(body) == sum).then(|| Record::from_bytes(body))??;
    Some((record, at + 12 + length))
}
