//! A ruleset to begin with: a copy of one that is data alone, under a new name.

use crate::Library;
use cupola_data::{Problem, Problems, Source};
use cupola_kernel::Composition;
use std::path::{Path, PathBuf};

/// A ruleset to begin with, yet to be written.
pub struct Scaffold {
    /// Its files, by their place in the ruleset's folder.
    pub files: Vec<(PathBuf, String)>,
    /// A scenario of it, to be played at once.
    pub scenario: String,
}

impl Library {
    /// A new ruleset, made of the same parts as another that is data alone (the first there is, if none is named), with its
    /// home battle.
    ///
    /// # Errors
    /// If there is a ruleset of this name already, or the other has code of its own.
    pub fn new_ruleset(
        &self,
        name: &str,
        title: &str,
        like: Option<&str>,
    ) -> Result<Scaffold, Problems> {
        if self.rulesets().iter().any(|known| known == name) {
            let message = format!("there is a ruleset \"{name}\" already");
            return Err(Problem::file("ruleset", message).into());
        }
        let (model, composition) = self.model(like)?;
        let (from, battle) = (self.ruleset_dir(&model), self.home(&model)?);
        let guide = self.guide(title, &composition);
        let mut files = vec![];
        let own = format!("battles/{battle}");
        for part in ["", &own, &format!("{own}/scenarios")] {
            for path in files_in(&from.join(part)) {
                let place = path.strip_prefix(&from).unwrap_or(&path).to_owned();
                let text = renamed(&Source::read(&path)?, (name, title), &guide)?;
                files.push((place, text));
            }
        }
        let scenarios = self.scenarios(&model).into_iter();
        let mut scenarios = scenarios.filter(|scenario| scenario.battle == battle);
        let scenario = scenarios.next().map(|scenario| scenario.name);
        Ok(Scaffold {
            files,
            scenario: scenario.unwrap_or_default(),
        })
    }

    fn composition(&self, ruleset: &str) -> Result<Composition, Problem> {
        Source::read(&self.ruleset_dir(ruleset).join("ruleset.ron"))?.ron()
    }

    /// The ruleset to begin as, and what it is composed of.
    fn model(&self, like: Option<&str>) -> Result<(String, Composition), Problem> {
        if let Some(name) = like {
            self.known_played(name)?;
            let composition = self.composition(name)?;
            if composition.built_on.is_none() {
                let message = "has code of its own, so a copy of its data would not play";
                let problem = Problem::file(name, message);
                return Err(problem.with_hint("name one whose ruleset.ron says `built_on`"));
            }
            return Ok((name.to_owned(), composition));
        }
        let all = self.rulesets().into_iter();
        let mut all = all.filter(|name| self.is_played(name));
        let found = all.find_map(|name| {
            let composition = self.composition(&name).ok()?;
            composition
                .built_on
                .is_some()
                .then_some((name, composition))
        });
        found.ok_or_else(|| {
            Problem::file(
                "ruleset",
                "none here is data alone, so there is none to begin as",
            )
        })
    }

    /// What can be done with it, for the top of its `ruleset.ron`.
    fn guide(&self, title: &str, composition: &Composition) -> String {
        let base = format!("{}.", composition.base());
        let parts = |kind: &str| {
            let all = self.registry().names().filter(|(own, _)| *own == kind);
            let own = all.filter_map(|(_, name)| name.strip_prefix(&base));
            own.collect::<Vec<_>>().join(", ")
        };
        format!(
            "// {title}: a game that is data alone. This file says what it is made of.\n\
             //\n\
             // Phases to choose from: {}.\n\
             // Combat systems to choose from: {}.\n\
             // Their numbers stand in rules.ron, each with where it comes from; a part that is played needs its own there.\n\
             // What no number says can be a script: list NAME.rhai under `files`, and name it where a phase or a combat system is\n\
             // named. terrain.ron says how the ground becomes hexes; battles/ has maps, counters, turns and scenarios; faces.ron\n\
             // what a counter shows; terms.ron the words that the page explains.\n",
            parts("phase"),
            parts("combat")
        )
    }
}

/// The files of a folder, in order.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// A file with the new name wherever it says whose it is.
fn renamed(file: &Source, (name, title): (&str, &str), guide: &str) -> Result<String, Problem> {
    let (quoted, called) = (format!("\"{name}\""), format!("\"{title}\""));
    let unknown = "\"nothing yet: say so when you know\"";
    let last = Path::new(&file.name).file_name();
    let fields: Vec<(&str, &str)> = match last.and_then(|name| name.to_str()) {
        Some("ruleset.ron") => vec![
            ("name", &quoted),
            ("title", &called),
            ("modelled_on", unknown),
        ],
        Some("grid.ron") => vec![("name", &quoted), ("title", &called)],
        Some("turns.ron" | "counters.ron") => vec![("ruleset", &quoted)],
        Some("faces.ron") => vec![("chapter", "None"), ("sections", "None")],
        _ => vec![],
    };
    let mut changed = file.clone();
    for (field, value) in &fields {
        let missing = || file.problem(field, "expected here, to be given the new name");
        changed = changed.with_value(field, value).ok_or_else(missing)?;
    }
    if !file.name.ends_with("ruleset.ron") {
        return Ok(changed.text);
    }
    // The comment that it begins with speaks of another game.
    let lines = changed
        .text
        .lines()
        .skip_while(|line| line.starts_with("//"));
    let lines: Vec<&str> = lines.collect();
    Ok(format!("{guide}{}\n", lines.join("\n")))
}
