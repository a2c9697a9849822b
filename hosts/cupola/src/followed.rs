//! Files that are followed while somebody edits them: a page (`cupola watch`) or a table (`cupola serve --follow`) comes
//! anew whenever one of them is saved.

use crate::context::Context;
use crate::thing::Thing;
use cupola_data::{Source, visible};
use cupola_kernel::Play;
use cupola_library::Resolved;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
#[expect(
    clippy::disallowed_types,
    reason = "when a file was saved; no rule sees it"
)]
use std::time::SystemTime;

/// When a file was saved, and how long it is then.
#[expect(
    clippy::disallowed_types,
    reason = "when a file was saved; no rule sees it"
)]
type Stamp = (SystemTime, u64);

/// What is followed: what was named, the data folder, the user's own, and a verdict of the lab.
pub struct Followed {
    /// What was named.
    pub what: String,
    lab: Option<PathBuf>,
    /// Files that are written whenever one of the others is saved.
    written: Vec<PathBuf>,
    seen: BTreeMap<PathBuf, Stamp>,
}

/// Rules as the files have them now.
pub struct Rules {
    /// File by file.
    pub resolved: Resolved,
    /// The variants, as one.
    pub variant: Option<Source>,
    /// Ready to be played.
    pub play: Play,
}

impl Followed {
    /// Nothing was seen yet: the first look finds everything saved.
    pub fn new(what: &str, lab: Option<&Path>, written: Vec<PathBuf>) -> Followed {
        Followed {
            what: what.to_owned(),
            lab: lab.map(Path::to_owned),
            written,
            seen: BTreeMap::new(),
        }
    }

    /// Whether a file was saved since this was last asked.
    pub fn is_saved(&mut self, context: &Context) -> bool {
        let now = self.stamps(context);
        let saved = now != self.seen;
        self.seen = now;
        saved
    }

    /// The last verdict of the lab, if one is wanted.
    pub fn verdict(&self) -> Option<String> {
        let lab = self.lab.as_ref()?;
        let verdict = std::fs::read_to_string(lab.join("verdict.txt"));
        let verdict = verdict.unwrap_or_else(|_| "no verdict there yet".to_owned());
        Some(visible(&verdict).to_string())
    }

    /// The rules as they are now.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn rules(&self, context: &mut Context) -> anyhow::Result<Rules> {
        let mut thing = Thing::of(context, &self.what)?;
        thing.scenario = Some(thing.scenario(context)?);
        let resolved = thing.resolve(context)?;
        let variant = thing.variant_with(context, &[])?;
        let mut play = context.library.play_resolved(&resolved)?;
        if let Some(position) = &thing.position {
            play = play.at(position)?;
        }
        Ok(Rules {
            resolved,
            variant,
            play,
        })
    }

    /// When each of the files was saved: those of the data folder, and those that were named.
    fn stamps(&self, context: &Context) -> BTreeMap<PathBuf, Stamp> {
        let written = self.written.iter().map(|path| {
            (
                path.file_name().map(ToOwned::to_owned),
                path.canonicalize().ok(),
            )
        });
        let written: Vec<_> = written.collect();
        let mut found = BTreeMap::new();
        let mut note = |path: PathBuf| {
            // What is written here is no news.
            let called = |name: &Option<std::ffi::OsString>| path.file_name() == name.as_deref();
            let ours = written.iter().find(|(name, _)| called(name));
            if ours.is_some_and(|(_, whole)| path.canonicalize().ok() == *whole) {
                return;
            }
            let stamp = std::fs::metadata(&path)
                .and_then(|file| file.modified().map(|time| (time, file.len())));
            if let Ok(stamp) = stamp {
                found.insert(path, stamp);
            }
        };
        let mut folders = vec![context.library.root().to_owned()];
        folders.extend(context.library.user().map(Path::to_owned));
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(path),
                    _ => note(path),
                }
            }
        }
        let named: Vec<PathBuf> = self.what.split('+').map(path_of).collect();
        let scripts = scripts_beside(&named);
        let verdict = self.lab.iter().map(|lab| lab.join("verdict.txt"));
        named
            .into_iter()
            .chain(scripts)
            .chain(verdict)
            .for_each(&mut note);
        found
    }
}

/// Scripts lie beside the variant that names them.
fn scripts_beside(named: &[PathBuf]) -> Vec<PathBuf> {
    let folders = named.iter().filter(|path| path.is_file());
    let folders = folders.map(|path| {
        path.parent()
            .filter(|folder| !folder.as_os_str().is_empty())
    });
    let folders = folders.map(|folder| folder.unwrap_or(Path::new(".")));
    let beside =
        folders.flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
    beside
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "rhai"))
        .collect()
}

/// The file that a part of a name is, with or without its ruleset: `corps20/my-scenario.ron`.
fn path_of(part: &str) -> PathBuf {
    let behind = part.split_once('/').map(|(_, path)| Path::new(path));
    let behind = behind.filter(|path| path.is_file() && !Path::new(part).exists());
    behind.unwrap_or(Path::new(part)).to_owned()
}
