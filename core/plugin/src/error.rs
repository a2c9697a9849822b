//! Why a plugin was not loaded.

use cupola_data::Problems;
use std::fmt;
use std::path::PathBuf;

/// A field in which a library and this program differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which: a field of the fingerprint, or `type` and the type's name.
    pub field: String,
    /// What the library says.
    pub library: String,
    /// What this program says.
    pub program: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} in the library, {} in the program",
            self.field, self.library, self.program
        )
    }
}

/// Why a library was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no such file.
    Missing {
        /// A file of a similar name in the same folder.
        near: Option<String>,
    },
    /// The file cannot be read.
    Unreadable(String),
    /// The file is no shared library.
    NotALibrary,
    /// The end of the file is missing.
    Truncated,
    /// The library carries no fingerprint: it is no Cupola plugin.
    NoFingerprint,
    /// The library carries several fingerprints that differ.
    ManyFingerprints,
    /// The library was built otherwise than this program; nothing of it has run.
    Build(Vec<Difference>),
    /// The system cannot open the library.
    Opening(String),
    /// The library has a fingerprint and no entry point.
    NoEntry,
    /// The library's types are not this program's; nothing but its start-up code has run.
    Types(Vec<Difference>),
    /// The library panicked while it told what it brings.
    Panicked(String),
    /// Names that it brings are taken.
    Taken(Problems),
}

/// A library that was not loaded, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginError {
    /// The library.
    pub path: PathBuf,
    /// Why.
    pub reason: Reason,
}

/// How many differences a message shows: where one type differs, most do.
const SHOWN: usize = 6;

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.reason {
            Reason::Missing { near: None } => f.write_str("no such file"),
            Reason::Missing { near: Some(near) } => {
                write!(f, "no such file; did you mean \"{near}\"?")
            }
            Reason::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Reason::NotALibrary => f.write_str("not a shared library"),
            Reason::Truncated => f.write_str("the file is truncated"),
            Reason::NoFingerprint => f.write_str(
                "not a Cupola plugin: it carries no fingerprint; was it built with the feature that exports it?",
            ),
            Reason::ManyFingerprints => {
                f.write_str("carries several fingerprints that differ; export! one crate, once")
            }
            Reason::Build(differences) => {
                f.write_str("was not built for this program")?;
                list(f, differences)?;
                f.write_str("\nbuild the plugin again, by the same command as the program")
            }
            Reason::Opening(why) => write!(f, "cannot be opened: {why}"),
            Reason::NoEntry => write!(
                f,
                "has no entry point `{}`; is it exported by cupola_plugin::export!?",
                crate::load::ENTRY
            ),
            Reason::Types(differences) => {
                f.write_str("does not share its types with this program")?;
                list(f, differences)?;
                f.write_str(
                    "\nsome common dependency was built with other features, or from another workspace: \
                     build the plugin and the program by one command",
                )
            }
            Reason::Panicked(message) => write!(f, "panicked while it was loaded: {message}"),
            Reason::Taken(problems) => write!(f, "names are taken\n{problems}"),
        }
    }
}
impl std::error::Error for PluginError {}

fn list(f: &mut fmt::Formatter<'_>, differences: &[Difference]) -> fmt::Result {
    for difference in differences.iter().take(SHOWN) {
        write!(f, "\n  {difference}")?;
    }
    match differences.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => write!(f, "\n  and {more} more"),
    }
}
