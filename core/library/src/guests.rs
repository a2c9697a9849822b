//! Scenarios that lie in no data folder: a file that somebody names, or the text that a journal brings along.

use crate::Library;
use crate::battles::ScenarioHeader;
use cupola_data::{Node, Problem, Problems, Source};
use cupola_kernel::Journal;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// Such scenarios, by ruleset and name.
pub(crate) type Guests = BTreeMap<(String, String), Source>;

impl Library {
    /// Takes in the file of a scenario, wherever it lies, and says by which name it is known from then on: its file's, with a
    /// number behind it if the ruleset has another of that name. What lies in the data folder keeps its name there.
    ///
    /// # Errors
    /// If there is no such ruleset, or the file cannot be read, or is about a battle that the ruleset does not have.
    pub fn bring_scenario(&mut self, ruleset: &str, path: &Path) -> Result<String, Problems> {
        self.known_ruleset(ruleset)?;
        let file = Source::read(path)?;
        let header: ScenarioHeader = file.ron()?;
        let battles = self.battles(ruleset);
        if !battles.contains(&header.battle) {
            let message = format!("{ruleset} has no battle \"{}\"", header.battle);
            let known = battles.iter().map(String::as_str);
            let problem = file.problem("battle", message);
            return Err(problem.with_nearest(&header.battle, known).into());
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let plain = |letter: char| match letter {
            letter if letter.is_whitespace() || letter.is_control() => '-',
            letter => letter,
        };
        let stem: String = stem.chars().map(plain).collect();
        let mut name = stem.clone();
        let mut number = 2;
        while let Ok(other) = self.scenario_path(ruleset, &name) {
            let same = |path: &Path| path.canonicalize().ok();
            let guest = self.guest(ruleset, &name).is_some();
            if same(&other).is_some() && same(&other) == same(path) {
                if guest {
                    // It may have been saved since.
                    self.put_guest(ruleset, &name, file);
                }
                return Ok(name);
            }
            name = format!("{stem}-{number}");
            number += 1;
        }
        self.put_guest(ruleset, &name, file);
        Ok(name)
    }

    /// The rulesets that can play a scenario's file: by the folder in which it lies, by the scenario that it changes, or
    /// because they understand it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn rulesets_of(&self, path: &Path) -> Result<Vec<String>, Problems> {
        let file = Source::read(path)?;
        let mut all = self.rulesets();
        let whole = path.canonicalize().unwrap_or_default();
        let lies = |ruleset: &String| {
            let own = self.own_scenarios(ruleset);
            let folders = [Some(self.ruleset_dir(ruleset)), own].into_iter().flatten();
            let mut folders = folders.filter_map(|folder| folder.canonicalize().ok());
            folders.any(|folder| whole.starts_with(folder))
        };
        if let Some(ruleset) = all.iter().find(|ruleset| lies(ruleset))
            && self.has_rules(ruleset)?
        {
            return Ok(vec![ruleset.clone()]);
        }
        all.retain(|ruleset| self.is_played(ruleset));
        let field = |key: &str| {
            let root = Node::parse(&file.text)?;
            root.get(key)?.word(&file.text).map(|word| word.to_string())
        };
        if let Some(battle) = field("battle") {
            all.retain(|ruleset| self.battles(ruleset).contains(&battle));
            if let Some(base) = field("base") {
                let based = |ruleset: &String| {
                    let known = self.battle_of(ruleset, &base);
                    known.is_ok_and(|of| of == battle)
                };
                all.retain(based);
            }
        }
        if all.len() > 1 {
            let mut library = self.clone();
            let plays = |ruleset: &&String| {
                let name = library.bring_scenario(ruleset, path);
                name.is_ok_and(|name| library.play_with(ruleset, &name, None).is_ok())
            };
            let found: Vec<String> = all.iter().filter(plays).cloned().collect();
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(all)
    }

    /// The same library with the scenario that a journal brings along, if it brings one.
    #[must_use]
    pub fn with_guest_of(&self, journal: &Journal) -> Cow<'_, Library> {
        let Some(text) = &journal.scenario_text else {
            return Cow::Borrowed(self);
        };
        let mut library = self.clone();
        let file = Source::new("the journal's scenario", text.clone());
        library.put_guest(&journal.ruleset, &journal.scenario, file);
        Cow::Owned(library)
    }

    /// Whether a scenario lies in no data folder: nobody else knows it by this name.
    #[must_use]
    pub fn is_brought(&self, ruleset: &str, name: &str) -> bool {
        self.guest(ruleset, name).is_some()
    }

    /// A scenario that lies in no data folder.
    pub(crate) fn guest(&self, ruleset: &str, name: &str) -> Option<&Source> {
        self.guests.get(&(ruleset.to_owned(), name.to_owned()))
    }

    /// Keeps a scenario under a name, instead of any other of that name.
    pub(crate) fn put_guest(&mut self, ruleset: &str, name: &str, file: Source) {
        let key = (ruleset.to_owned(), name.to_owned());
        self.guests.insert(key, file);
    }

    /// The names of the scenarios of a battle that lie in no data folder.
    pub(crate) fn guest_names(&self, ruleset: &str, battle: &str) -> Vec<String> {
        let own = self.guests.iter().filter(|((of, _), _)| of == ruleset);
        let own = own.filter(|(_, file)| {
            let header: Result<ScenarioHeader, Problem> = file.ron();
            header.is_ok_and(|header| header.battle == battle)
        });
        own.map(|((_, name), _)| name.clone()).collect()
    }
}
