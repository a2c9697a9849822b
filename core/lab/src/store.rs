//! Records on disk: a run that was cut off goes on where it was.
//!
//! A file of records begins with what its records depend on: the terms of the contest, and the rules part by part.
//! Each record is its length, its checksum and its bytes. What was half-written when the power went is cut off
//! when the file is opened again.
//!
//! Games of two builds do not stand in one file unseen: where only the code differs, a few of the games that are
//! there are played again, and the file is taken over if each comes to the same, byte for byte.

use crate::contest::Contest;
use crate::record::Record;
use cupola_kernel::{Difference, Identity, Weight};
use siphasher::sip::SipHasher13;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::Hasher;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why records cannot be kept or read.
#[derive(Debug)]
pub enum StoreError {
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
    /// The file holds something else than records, or records in another form.
    Strange(PathBuf),
    /// The file holds records of something else.
    Other {
        /// The file.
        path: PathBuf,
        /// What its records depend on.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// The file holds games that were played by other rules.
    Rules {
        /// The file.
        path: PathBuf,
        /// In what they differ.
        differences: Vec<Difference>,
    },
    /// The file holds games of another build, and one of them comes out otherwise here.
    Drifted {
        /// The file.
        path: PathBuf,
        /// The game.
        number: u32,
        /// In what the builds differ.
        differences: Vec<Difference>,
    },
    /// Two files hold the same game, and it is not the same.
    Twice(PathBuf, u32),
    /// Another run is writing into it.
    Busy(PathBuf),
}

/// What the words of a run stand for, in the order of [`Contest::terms`].
const TERMS: [&str; 8] = [
    "name",
    "form of the records",
    "scenario",
    "seed",
    "player of the rules' first side",
    "player of the rules' second side",
    "plan of the rules' first side",
    "plan of the rules' second side",
];

/// In what the terms of two runs differ.
fn apart(found: &str, wanted: &str) -> String {
    let [found, wanted] = [found, wanted].map(|terms| terms.split(' ').collect::<Vec<&str>>());
    if found.len() != TERMS.len() || wanted.len() != TERMS.len() {
        return format!("{}, not {}", found.join(" "), wanted.join(" "));
    }
    let bare = |word: &str| match word.trim_start_matches('0') {
        "" => "0".to_owned(),
        word => word.to_owned(),
    };
    let pairs = TERMS.iter().zip(found.iter().zip(&wanted));
    let other = pairs.filter(|(_, (found, wanted))| found != wanted);
    let told = other.map(|(term, (found, wanted))| {
        // A plan is known by its digest, which says nothing to anybody.
        if term.starts_with("plan") {
            format!("another {term}")
        } else {
            format!("{term} {}, not {}", bare(found), bare(wanted))
        }
    });
    told.collect::<Vec<String>>().join("; ")
}

fn list(differences: &[Difference]) -> String {
    let all: Vec<String> = differences.iter().map(ToString::to_string).collect();
    all.join("; ")
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ELSE: &str = "choose another folder or remove the file";
        match self {
            StoreError::Io(path, why) => write!(f, "{}: {why}", path.display()),
            StoreError::Strange(path) => {
                let path = path.display();
                write!(
                    f,
                    "{path}: this is no file of games that this program reads; {ELSE}"
                )
            }
            StoreError::Other {
                path,
                found,
                wanted,
            } => write!(
                f,
                "{}: holds games of another run: {}; {ELSE}",
                path.display(),
                apart(found, wanted)
            ),
            StoreError::Rules { path, differences } => write!(
                f,
                "{}: holds games of another run, played by other rules: {}; {ELSE}",
                path.display(),
                list(differences)
            ),
            StoreError::Drifted {
                path,
                number,
                differences,
            } => write!(
                f,
                "{}: holds games of another build, and game {number} comes out otherwise here: {}; {ELSE}",
                path.display(),
                list(differences)
            ),
            StoreError::Twice(path, number) => write!(
                f,
                "{}: game {number} is in another file already, and is not the same there",
                path.display()
            ),
            StoreError::Busy(path) => write!(
                f,
                "{}: another run is writing into it; wait until it has ended, or choose another folder",
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

/// What a file of records holds.
pub struct Stored {
    /// What its records depend on, besides the rules.
    pub terms: String,
    /// The rules.
    pub rules: Identity,
    /// The records, as far as they are whole.
    pub records: Vec<Record>,
    /// Where the last of them ends.
    end: usize,
}

const MAGIC: &str = "cupola games 3";

/// How many games of another build are played again before its games are taken.
const SAMPLE: usize = 4;

impl Store {
    /// Opens a file of records, or begins one, and reads what it holds. If that was played by another build, some of
    /// it is played again first, and `say` hears of it.
    ///
    /// # Errors
    /// If it cannot be read, or holds records of something else.
    pub fn open(
        path: &Path,
        contest: &Contest,
        mut say: impl FnMut(&str),
    ) -> Result<(Store, Vec<Record>), StoreError> {
        let (terms, rules) = (contest.terms(), contest.rules());
        let mut file = own(path)?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes)
            .map_err(|why| StoreError::Io(path.to_owned(), why))?;
        let head = head(&terms, &rules);
        if head.as_bytes().starts_with(&bytes) {
            // Empty, or cut off within its head: a new file.
            let store = Store::create(path, &head, &[])?;
            return Ok((store, vec![]));
        }
        let stored = Stored::parse(path, &bytes)?;
        if stored.records.is_empty() {
            // Nothing of another build or other rules in it: as good as new.
            return Ok((Store::create(path, &head, &[])?, vec![]));
        }
        let differences = stored.check(path, &terms, &rules)?;
        if differences.is_empty() {
            return Ok((Store::append(path, file, stored.end)?, stored.records));
        }
        let again = sample(&stored.records);
        for record in &again {
            if contest.play(record.number) != **record {
                return Err(StoreError::Drifted {
                    path: path.to_owned(),
                    number: record.number,
                    differences,
                });
            }
        }
        say(&format!(
            "{}: {} games were played by another build ({}); {} of them were played again and came to the same",
            path.display(),
            stored.records.len(),
            list(&differences),
            again.len()
        ));
        let store = Store::create(path, &head, &stored.records)?;
        Ok((store, stored.records))
    }

    /// Writes a file anew, whole or not at all.
    fn create(path: &Path, head: &str, records: &[Record]) -> Result<Store, StoreError> {
        let io = |why| StoreError::Io(path.to_owned(), why);
        let mut bytes = head.as_bytes().to_vec();
        records
            .iter()
            .for_each(|record| bytes.extend(packed(record)));
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}.new", std::process::id()));
        fs::write(&beside, &bytes).map_err(io)?;
        fs::rename(&beside, path).map_err(io)?;
        Store::append(path, own(path)?, bytes.len())
    }

    /// Goes on behind the last whole record.
    fn append(path: &Path, mut file: File, end: usize) -> Result<Store, StoreError> {
        let io = |why| StoreError::Io(path.to_owned(), why);
        file.set_len(end as u64).map_err(io)?;
        file.seek(SeekFrom::Start(end as u64)).map_err(io)?;
        let path = path.to_owned();
        Ok(Store { path, file })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: &Record) -> Result<(), StoreError> {
        self.file
            .write_all(&packed(record))
            .map_err(|why| StoreError::Io(self.path.clone(), why))
    }
}

impl Stored {
    /// Reads a file of records without knowing what it should hold.
    ///
    /// # Errors
    /// If it cannot be read, or is no such file.
    pub fn read(path: &Path) -> Result<Stored, StoreError> {
        let io = |why| StoreError::Io(path.to_owned(), why);
        let mut bytes = vec![];
        let mut file = File::open(path).map_err(io)?;
        file.read_to_end(&mut bytes).map_err(io)?;
        Stored::parse(path, &bytes)
    }

    fn parse(path: &Path, bytes: &[u8]) -> Result<Stored, StoreError> {
        let strange = || StoreError::Strange(path.to_owned());
        let ends = bytes.windows(2).position(|two| two == b"\n\n");
        let end = ends.ok_or_else(strange)? + 2;
        let head = std::str::from_utf8(&bytes[..end - 1]).map_err(|_| strange())?;
        let mut lines = head.splitn(3, '\n');
        let (first, terms, rules) = (lines.next(), lines.next(), lines.next());
        let rules = rules.and_then(Identity::parse).ok_or_else(strange)?;
        if first != Some(MAGIC) {
            return Err(strange());
        }
        let (records, end) = read_all(bytes, end);
        Ok(Stored {
            terms: terms.unwrap_or_default().to_owned(),
            rules,
            records,
            end,
        })
    }

    /// Whether the records are of this contest: what is left of differences, if only code and comments differ.
    fn check(
        &self,
        path: &Path,
        terms: &str,
        rules: &Identity,
    ) -> Result<Vec<Difference>, StoreError> {
        let path = || path.to_owned();
        if self.terms != terms {
            return Err(StoreError::Other {
                path: path(),
                found: self.terms.clone(),
                wanted: terms.to_owned(),
            });
        }
        let mut differences = rules.differences(&self.rules);
        if differences.iter().any(|d| d.weight == Weight::Rules) {
            differences.retain(|d| d.weight == Weight::Rules);
            let path = path();
            return Err(StoreError::Rules { path, differences });
        }
        Ok(differences)
    }

    /// Adds the records of another file of the same contest, rules and build.
    ///
    /// # Errors
    /// If it is of something else, or holds another record of the same game.
    pub fn merge(&mut self, path: &Path, other: Stored) -> Result<(), StoreError> {
        let differences = other.check(path, &self.terms, &self.rules)?;
        if !differences.is_empty() {
            let path = path.to_owned();
            return Err(StoreError::Rules { path, differences });
        }
        for record in other.records {
            let known = self
                .records
                .iter()
                .find(|known| known.number == record.number);
            match known {
                Some(known) if *known != record => {
                    return Err(StoreError::Twice(path.to_owned(), record.number));
                }
                Some(_) => {}
                None => self.records.push(record),
            }
        }
        Ok(())
    }

    /// Writes all records into a file, in order.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(mut self, path: &Path) -> Result<usize, StoreError> {
        self.records.sort_by_key(|record| record.number);
        Store::create(path, &head(&self.terms, &self.rules), &self.records)?;
        Ok(self.records.len())
    }
}

/// Opens a file of records for one run alone: two that write into one file would tear each other's records. Where the system
/// has no locks, nobody is kept out.
fn own(path: &Path) -> Result<File, StoreError> {
    let mut how = OpenOptions::new();
    how.read(true).write(true).create(true).truncate(false);
    let file = how
        .open(path)
        .map_err(|why| StoreError::Io(path.to_owned(), why))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy(path.to_owned())),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// What a file begins with; an empty line ends it.
fn head(terms: &str, rules: &Identity) -> String {
    format!("{MAGIC}\n{terms}\n{}\n", rules.write())
}

/// A few records, the first and the last among them.
pub fn sample(records: &[Record]) -> Vec<&Record> {
    let most = records.len().min(SAMPLE);
    let last = records.len().saturating_sub(1);
    let places = (0..most).map(|i| i * last / most.saturating_sub(1).max(1));
    places.filter_map(|place| records.get(place)).collect()
}

/// A record as it is written: length, checksum, bytes.
fn packed(record: &Record) -> Vec<u8> {
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
