//! What people mean by a name.

use crate::{Library, names, read_variant, stack};
use cupola_data::{Problem, Problems, Source, nearest};
use cupola_kernel::{Composition, Variant};
use std::path::Path;

impl Library {
    /// Checks that a ruleset exists and can be played.
    ///
    /// # Errors
    /// If not, with what there is instead.
    pub fn known_played(&self, ruleset: &str) -> Result<(), Problem> {
        if self.has_rules(ruleset)? {
            return Ok(());
        }
        let all = self.rulesets();
        let played: Vec<&str> = all
            .iter()
            .map(String::as_str)
            .filter(|name| self.is_played(name))
            .collect();
        if all.iter().any(|name| name == ruleset) {
            return Err(self.foreign_base(ruleset).unwrap_or_else(|| {
                let message = "has a map but no rules yet, so it cannot be played";
                let problem = Problem::file(ruleset, message);
                problem.with_hint(format!("to play there is {}", played.join(", ")))
            }));
        }
        let mut folders = self.ruleset_folders().into_iter();
        if folders.any(|folder| names(&folder, "").iter().any(|name| name == ruleset)) {
            let message =
                "has no battle, so it cannot be played: its folder `battles` has one for each";
            return Err(Problem::file(ruleset, message));
        }
        let problem = Problem::file("ruleset", format!("no ruleset \"{ruleset}\""));
        Err(match nearest(ruleset, all.iter().map(String::as_str)) {
            Some(near) => problem.with_hint(format!("did you mean \"{near}\"?")),
            None => problem.with_hint(format!("there are {}", all.join(", "))),
        })
    }

    /// That a ruleset is built on rules which are not in this program, if it says so.
    #[must_use]
    pub fn foreign_base(&self, ruleset: &str) -> Option<Problem> {
        let file = Source::read(&self.ruleset_dir(ruleset).join("ruleset.ron")).ok()?;
        let base = file.ron::<Composition>().ok()?.built_on?;
        let message = format!("no rules \"{base}\" are in this program");
        let known = self.registry.names().filter(|(kind, _)| *kind == "ruleset");
        let problem = file.problem("built_on", message);
        Some(problem.with_nearest(&base, known.map(|(_, name)| name)))
    }

    /// What a ruleset is composed of, and the file that says so, if it can be read and its rules are in this program.
    #[must_use]
    pub fn composed(&self, ruleset: &str) -> Option<(Composition, Source)> {
        let file = Source::read(&self.ruleset_dir(ruleset).join("ruleset.ron")).ok()?;
        let composition: Composition = file.ron().ok()?;
        self.registry.ruleset(composition.base())?;
        Some((composition, file))
    }

    /// What does not fit together in what is [composed](Library::composed), or in a variant of it, as far as the names of its parts
    /// tell: see [`Composition::fits`]. Of what a plugin brings that nobody has loaded nothing is known.
    #[must_use]
    pub fn misfits(
        &self,
        (composition, file): &(Composition, Source),
        variant: Option<(&Variant, &Source)>,
    ) -> Problems {
        let (registry, base) = (&self.registry, composition.base());
        let fits = match variant {
            None => composition.fits(registry, base, file),
            Some((variant, _)) if !variant.plugins.is_empty() => Ok(()),
            Some((variant, file)) => composition
                .with(variant, file)
                .and_then(|changed| changed.fits(registry, base, file)),
        };
        fits.err().unwrap_or_default()
    }

    /// Ruleset and scenario from `corps20/gettysburg`, from two words, or from a scenario that only one
    /// ruleset has.
    ///
    /// # Errors
    /// If that names nothing, or more than one thing.
    pub fn which(&self, first: &str, second: Option<&str>) -> Result<(String, String), Problem> {
        if let Some(scenario) = second {
            return Ok((first.to_owned(), scenario.to_owned()));
        }
        if let Some((ruleset, scenario)) = first.split_once('/') {
            return Ok((ruleset.to_owned(), scenario.to_owned()));
        }
        let known = self.all_scenarios();
        let list = |found: &[(String, String)]| {
            let names = found.iter();
            let names = names.map(|(ruleset, scenario)| format!("{ruleset}/{scenario}"));
            names.collect::<Vec<_>>().join(", ")
        };
        let matching = |of: fn(&(String, String)) -> &str| -> Vec<(String, String)> {
            let found = known.iter().filter(|pair| of(pair) == first);
            found.cloned().collect()
        };
        let of_ruleset = matching(|(ruleset, _)| ruleset);
        if !of_ruleset.is_empty() {
            let problem = Problem::file(first, "which scenario of it?");
            return Err(problem.with_hint(format!("there are {}", list(&of_ruleset))));
        }
        match matching(|(_, scenario)| scenario).as_slice() {
            [one] => Ok(one.clone()),
            [] => {
                let problem = Problem::file("scenario", format!("no scenario \"{first}\""));
                let near = nearest(first, known.iter().map(|(_, scenario)| scenario.as_str()));
                Err(match near {
                    Some(near) => problem.with_hint(format!("did you mean \"{near}\"?")),
                    None => problem.with_hint(format!("there are {}", list(&known))),
                })
            }
            several => {
                let message = format!("several rulesets have a scenario \"{first}\"");
                Err(Problem::file("scenario", message).with_hint(list(several)))
            }
        }
    }

    /// All scenarios that can be played, each with its ruleset.
    fn all_scenarios(&self) -> Vec<(String, String)> {
        let rulesets = self.rulesets().into_iter();
        let played = rulesets.filter(|name| self.is_played(name));
        let each = played.flat_map(|ruleset| {
            let scenarios = self.scenarios(&ruleset).into_iter();
            scenarios.map(move |scenario| (ruleset.clone(), scenario.name))
        });
        each.collect()
    }

    /// A variant by its name in the data folder.
    ///
    /// # Errors
    /// If there is none of that name, with the nearest that there is, or it cannot be read.
    pub fn variant(&self, name: &str) -> Result<Source, Problem> {
        let all = self.variants();
        if all.iter().any(|known| known == name) {
            return read_variant(&self.variant_path(name));
        }
        let problem = Problem::file("variant", format!("no variant \"{name}\""));
        Err(problem.with_nearest(name, all.iter().map(String::as_str)))
    }

    /// A variant by its name in the data folder, or from a file.
    ///
    /// # Errors
    /// If there is neither, or it cannot be read.
    pub fn variant_or_file(&self, path: &Path) -> Result<Source, Problem> {
        let name = path.to_str().filter(|_| !path.exists());
        match name.filter(|name| !name.contains(['/', '\\', '.'])) {
            Some(name) => self.variant(name),
            None => read_variant(path),
        }
    }

    /// Several variants, each by its name or from a file, as one; none of none.
    ///
    /// # Errors
    /// Those that are not there or cannot be read, all at once.
    pub fn variants_or_files<P: AsRef<Path>>(
        &self,
        paths: &[P],
    ) -> Result<Option<Source>, Problems> {
        let mut problems = Problems::default();
        let read = paths.iter().map(|path| self.variant_or_file(path.as_ref()));
        let files: Vec<Source> = read.filter_map(|file| problems.keep(file)).collect();
        problems.check(stack(&files))
    }

    /// The printed numbers of a ruleset that the user keeps in a folder of his own.
    ///
    /// # Errors
    /// If there are none, with where they would lie, or they cannot be read.
    pub fn owner(&self, ruleset: &str) -> Result<Source, Problem> {
        let Some(user) = self.user() else {
            let message = "there is no folder of yours to look for printed numbers in";
            return Err(Problem::file(ruleset, message).with_hint("set XDG_CONFIG_HOME or HOME"));
        };
        let path = user.join("owner").join(format!("{ruleset}.ron"));
        if path.is_file() {
            return read_variant(&path);
        }
        let message = format!("no printed numbers of {ruleset}");
        let hint = "a variant with `owner: true`, made with `cupola new variant --owner`";
        Err(Problem::file(path.display().to_string(), message).with_hint(hint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cupola_kernel::Registry;
    use std::fs;

    const RULESET: &str = r#"(
    name: "mine", title: "Mine", modelled_on: "nothing", built_on: Some("comon"),
    sides: ((id: "a", name: "A"), (id: "b", name: "B")),
    sequence: [], combat: {}, files: [],
)"#;

    #[test]
    fn why_a_ruleset_cannot_be_played_is_told() {
        let root = std::env::temp_dir().join(format!("cupola-which-{}", std::process::id()));
        let folder = root.join("rulesets/mine");
        fs::create_dir_all(&folder).unwrap();
        let library = Library::new(root.clone(), None, Registry::default());
        let told = |ruleset| library.known_played(ruleset).unwrap_err().to_string();
        assert!(
            told("mine").starts_with("mine: has no battle"),
            "{}",
            told("mine")
        );
        fs::create_dir_all(folder.join("battles/field")).unwrap();
        fs::write(folder.join("battles/field/grid.ron"), "").unwrap();
        assert!(
            told("mine").contains("has a map but no rules yet"),
            "{}",
            told("mine")
        );
        fs::write(folder.join("ruleset.ron"), RULESET).unwrap();
        let expected = "ruleset.ron:2:68: built_on: no rules \"comon\" are in this program";
        assert!(told("mine").contains(expected), "{}", told("mine"));
        fs::write(folder.join("ruleset.ron"), RULESET.replace("sides", "side")).unwrap();
        assert!(
            told("mine").contains("did you mean \"sides\"?"),
            "{}",
            told("mine")
        );
        assert!(told("other").starts_with("ruleset: no ruleset \"other\""));
        fs::remove_dir_all(&root).unwrap();
    }
}
