//! What `cupola check` knows to check, and how it tells.

mod data;
mod files;
mod trial;

use crate::context::Context;
use cupola_conformance::{Finding, Settings};
use cupola_data::Problems;
use cupola_kernel::Play;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// What came of checking one thing.
#[derive(Debug, Serialize)]
pub struct Line {
    /// What was checked: a file or a part of the data.
    pub what: String,
    /// What kind of thing it is.
    pub kind: &'static str,
    /// Whether it is in order; none if it was left out.
    pub ok: Option<bool>,
    /// What it says, or what is wrong with it.
    pub text: String,
}

impl Line {
    /// A line from a result: what it says, or everything that is wrong.
    fn of(what: impl Into<String>, kind: &'static str, result: Result<String, Problems>) -> Line {
        let (ok, text) = match result {
            Ok(text) => (true, text),
            Err(problems) => (
                false,
                problems
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join("\n"),
            ),
        };
        Line {
            what: what.into(),
            kind,
            ok: Some(ok),
            text,
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line {
            what,
            kind,
            ok,
            text,
        } = self;
        match ok {
            Some(true) => write!(f, "ok      {what} ({kind}): {text}"),
            None => write!(f, "skipped {what} ({kind}): {text}"),
            Some(false) => {
                write!(f, "WRONG   {what} ({kind})")?;
                text.lines()
                    .try_for_each(|line| write!(f, "\n        {line}"))
            }
        }
    }
}

/// What takes a line when it is there, so that long checks show how far they are.
pub type Note<'n> = &'n mut dyn FnMut(Line) -> anyhow::Result<()>;

/// Checks files and folders; loads every scenario at most once.
pub struct Checker<'a> {
    context: &'a mut Context,
    ruleset: Option<String>,
    plays: BTreeMap<(String, String), Result<Play, Problems>>,
}

impl<'a> Checker<'a> {
    /// A checker, for one ruleset or for all.
    pub fn new(context: &'a mut Context, ruleset: Option<String>) -> Checker<'a> {
        Checker {
            context,
            ruleset,
            plays: BTreeMap::new(),
        }
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.context.library.root().to_owned()
    }

    /// Checks a file, a data folder, or every file under a folder.
    ///
    /// # Errors
    /// If a line cannot be noted.
    pub fn path(&mut self, path: &Path, note: Note) -> anyhow::Result<()> {
        // What is no folder is read as a file, or refused as one: a device, a pipe.
        if !path.is_dir() {
            return note(self.file(path));
        }
        if path.join("rulesets").is_dir() {
            return self.data_folder(path, note);
        }
        for file in files_under(path) {
            if let Some(line) = self.known_file(&file) {
                note(line)?;
            }
        }
        Ok(())
    }

    /// Holds every scenario of a ruleset to the suite.
    ///
    /// # Errors
    /// If the ruleset cannot be played, or a line cannot be noted.
    pub fn conformance(
        &mut self,
        ruleset: &str,
        settings: fn() -> Settings,
        note: Note,
    ) -> anyhow::Result<()> {
        self.context.known_played(ruleset)?;
        for scenario in self.context.library.scenarios(ruleset) {
            let play = self.context.play(ruleset, &scenario.name, None)?;
            let context = &*self.context;
            // Loaded anew each time; if files change meanwhile, what was loaded first.
            let make = || {
                let again = context.library.play(ruleset, &scenario.name, None);
                again.unwrap_or_else(|_| play.clone())
            };
            let settings = settings().elsewhere(context.digest_command(ruleset, &scenario.name));
            for check in cupola_conformance::Check::ALL {
                let finding = cupola_conformance::run(check, &make, &settings);
                let ok = match finding {
                    Finding::Holds(_) => Some(true),
                    Finding::Fails(_) => Some(false),
                    Finding::Skipped(_) => None,
                };
                let what = format!("{ruleset}/{} {}", scenario.name, check.name());
                note(Line {
                    what,
                    kind: "conformance",
                    ok,
                    text: finding.to_string(),
                })?;
            }
        }
        Ok(())
    }

    fn play(&mut self, ruleset: &str, scenario: &str) -> Result<Play, Problems> {
        let key = (ruleset.to_owned(), scenario.to_owned());
        let library = &self.context.library;
        self.plays
            .entry(key)
            .or_insert_with(|| library.play(ruleset, scenario, None))
            .clone()
    }
}

/// All files under a folder, in order.
fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    entries
        .into_iter()
        .flat_map(|path| {
            if path.is_dir() {
                files_under(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
