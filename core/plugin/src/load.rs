//! The program's side of the door: from a file to what it brings.

use crate::boundary;
use crate::error::{PluginError, Reason};
use crate::fingerprint::{EPOCH, Fingerprint};
use crate::library::{Bytes, Entry, Handover};
use cupola_data::nearest;
use cupola_kernel::{Contribution, Registry};
use libloading::Library;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the one symbol that a plugin exports.
pub(crate) const ENTRY: &str = "cupola_plugin_1";

/// A library that was loaded; it stays until the program ends.
pub struct Plugin {
    path: PathBuf,
    fingerprint: Fingerprint,
    contribution: Contribution,
}

impl Plugin {
    /// The name space of what it brings.
    #[must_use]
    pub fn space(&self) -> &'static str {
        self.contribution.space
    }

    /// Where it was loaded from.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it was built from and how.
    #[must_use]
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// What it brings.
    #[must_use]
    pub fn contribution(&self) -> &Contribution {
        &self.contribution
    }

    /// Adds what it brings to a registry; nothing, if any name is taken.
    ///
    /// # Errors
    /// The names that are taken.
    pub fn register(&self, registry: &mut Registry) -> Result<(), PluginError> {
        registry
            .add(&self.contribution)
            .map_err(|problems| refused(&self.path, Reason::Taken(problems)))
    }
}

/// The file name of a plugin's library on this system: `librehearsal.so` for `rehearsal`.
#[must_use]
pub fn file_name(plugin: &str) -> String {
    format!("{DLL_PREFIX}{}{DLL_SUFFIX}", plugin.replace('-', "_"))
}

/// Looks for a plugin by name in folders, in their order.
///
/// # Errors
/// If none of them has it; the message is about the first folder, with the nearest name there.
pub fn find(plugin: &str, folders: &[PathBuf]) -> Result<PathBuf, PluginError> {
    let file = file_name(plugin);
    let mut paths = folders.iter().map(|folder| folder.join(&file));
    paths.find(|path| path.is_file()).ok_or_else(|| {
        let first = folders
            .first()
            .map_or(PathBuf::from(&file), |folder| folder.join(&file));
        refused(&first, Reason::Missing { near: near(&first) })
    })
}

/// Reads the fingerprint of a library without opening it.
///
/// # Errors
/// If there is no such file, or it is no plugin.
pub fn inspect(path: &Path) -> Result<Fingerprint, PluginError> {
    let bytes = fs::read(path).map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => Reason::Missing { near: near(path) },
            _ => Reason::Unreadable(error.to_string()),
        };
        refused(path, reason)
    })?;
    if !is_library(&bytes) {
        return Err(refused(path, Reason::NotALibrary));
    }
    if is_truncated(&bytes) {
        return Err(refused(path, Reason::Truncated));
    }
    let mut found = Fingerprint::find(&bytes);
    match (found.pop(), found.is_empty()) {
        (Some(fingerprint), true) => Ok(fingerprint),
        (Some(_), false) => Err(refused(path, Reason::ManyFingerprints)),
        (None, _) => Err(refused(path, Reason::NoFingerprint)),
    }
}

/// Loads a plugin. It is never unloaded.
///
/// The fingerprint in the file is compared first, before anything of the library runs. Then the library
/// is opened and its types are compared; only then is it asked what it brings.
///
/// # Errors
/// If the file is no plugin, or one that was not built for this program; see [`Reason`].
pub fn load(path: &Path) -> Result<Plugin, PluginError> {
    let fingerprint = inspect(path)?;
    let differences = fingerprint.differences(&Fingerprint::own());
    if !differences.is_empty() {
        return Err(refused(path, Reason::Build(differences)));
    }
    let entry = open(path).map_err(|reason| refused(path, reason))?;
    let contribution = ask(&entry, &fingerprint).map_err(|reason| refused(path, reason))?;
    Ok(Plugin {
        path: path.to_owned(),
        fingerprint,
        contribution,
    })
}

/// Opens a library for good and calls its entry point.
#[allow(unsafe_code, reason = "opening a library and calling into it")]
fn open(path: &Path) -> Result<Entry, Reason> {
    let opening = |error: libloading::Error| Reason::Opening(error.to_string());
    // A bare file name would be looked for in the system's folders.
    let path = path
        .canonicalize()
        .map_err(|error| Reason::Unreadable(error.to_string()))?;
    // SAFETY: opening runs the library's start-up code. The fingerprint says that it is a plugin made by
    // our own compiler from our own sources; that it does no harm is the user's trust, as with any program.
    let library = unsafe { Library::new(path) }.map_err(opening)?;
    // Never closed: code, names and types of it may be anywhere by then.
    let library: &'static Library = Box::leak(Box::new(library));
    // SAFETY: the symbol carries the epoch of the interface in its name, and `export!` is what defines it:
    // a function of this type.
    let entry = unsafe { library.get::<extern "C" fn() -> Entry>(ENTRY) };
    entry.map(|entry| entry()).map_err(|_| Reason::NoEntry)
}

/// Compares the types on both sides, then asks the library what it brings.
#[allow(unsafe_code, reason = "taking over what the library hands out")]
fn ask(entry: &Entry, seen: &Fingerprint) -> Result<Contribution, Reason> {
    // The system may have answered with another library than was read, opened earlier from this path.
    let record = bytes(entry.record);
    if entry.epoch != EPOCH || Fingerprint::at(record).as_ref() != Some(seen) {
        let opened = Fingerprint::at(record).map_or(vec![], |opened| opened.differences(seen));
        return Err(Reason::Build(opened));
    }
    let types = String::from_utf8_lossy(bytes((entry.types)()));
    let differences = boundary::differences(&types);
    if !differences.is_empty() {
        return Err(Reason::Types(differences));
    }
    let handover = (entry.contribute)().cast::<Handover>();
    // SAFETY: `library::contribute` made the pointer from a box of this very type, which was just found
    // to be the same on both sides, and handed it to nobody else. Both sides use the system's allocator.
    let handover = *unsafe { Box::from_raw(handover) };
    handover.map_err(Reason::Panicked)
}

#[allow(unsafe_code, reason = "reading bytes of the library")]
fn bytes(told: Bytes) -> &'static [u8] {
    // SAFETY: `Bytes::of` made it from a slice that lives as long as the library, which is never closed.
    unsafe { std::slice::from_raw_parts(told.start, told.length) }
}

fn refused(path: &Path, reason: Reason) -> PluginError {
    PluginError {
        path: path.to_owned(),
        reason,
    }
}

/// Whether a file begins as shared libraries do on the systems we know: ELF, Mach-O, PE.
fn is_library(bytes: &[u8]) -> bool {
    let heads: [&[u8]; 5] = [
        b"\x7fELF",
        b"\xcf\xfa\xed\xfe",
        b"\xce\xfa\xed\xfe",
        b"\xca\xfe\xba\xbe",
        b"MZ",
    ];
    heads.iter().any(|head| bytes.starts_with(head))
}

/// Whether an ELF file of 64 bits ends before its section headers do, which stand last. The system would
/// map such a file and kill the program where the rest is missing.
fn is_truncated(bytes: &[u8]) -> bool {
    let number = |at: usize, size: usize| {
        let part = bytes.get(at..at + size).unwrap_or_default();
        part.iter()
            .rev()
            .fold(0u128, |sum, byte| sum << 8 | u128::from(*byte))
    };
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        return false;
    }
    let (headers, size, count) = (number(0x28, 8), number(0x3a, 2), number(0x3c, 2));
    bytes.len() < 0x40 || headers + size * count > bytes.len() as u128
}

/// The file of the most similar name beside a missing one.
fn near(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    nearest(wanted, names.iter().map(String::as_str)).map(str::to_owned)
}
