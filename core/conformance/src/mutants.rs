//! Rules taken out one at a time: each must make a case fail, or it is not proved.
//!
//! A mutant is a number or a word of the data files. What can be taken out only in the code is listed in
//! `tests/mutants` and tried by the script of that name.

use cupola_data::Source;
use cupola_kernel::{Play, Registry, cases};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A rule that is taken out: its section (for people), the name of the file it stands in, what stands there, and
/// what a ruleset without the rule would have.
pub type Mutant = (&'static str, &'static str, &'static str, &'static str);

/// Takes rules out of copies of `root/data`, and runs the cases of the ruleset in `root/tests/cases`: all mutants
/// with `CUPOLA_FULL=1`, every sixteenth otherwise. Gives back what nobody missed, and what could not be tried.
///
/// The ruleset must be linked into the program.
pub fn unseen(root: &Path, ruleset: &str, mutants: &[Mutant]) -> Vec<String> {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    let some: Vec<&Mutant> = mutants.iter().step_by(if full { 1 } else { 16 }).collect();
    let half = some.len().div_ceil(2).max(1);
    std::thread::scope(|scope| {
        let shares = some.chunks(half).enumerate();
        let workers: Vec<_> = shares
            .map(|(number, mutants)| {
                scope.spawn(move || match Bench::new(root, ruleset, number) {
                    Ok(bench) => bench.try_all(mutants),
                    Err(why) => vec![why],
                })
            })
            .collect();
        let died = |_| vec!["a worker died".to_owned()];
        let found = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(died));
        found.flatten().collect()
    })
}

/// A data folder of its own, to change.
pub(crate) struct Bench<'a> {
    data: PathBuf,
    pub(crate) ruleset: &'a str,
    pub(crate) cases: Vec<Source>,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(root: &Path, ruleset: &'a str, number: usize) -> Result<Bench<'a>, String> {
        let name = format!("cupola-mutants-{ruleset}-{}-{number}", std::process::id());
        let data = std::env::temp_dir().join(name);
        copy(&root.join("data"), &data).map_err(|error| error.to_string())?;
        let folder = root.join("tests/cases").join(ruleset);
        let files = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
        let files = files.flatten().map(|entry| entry.path());
        let ron = files.filter(|path| path.extension().is_some_and(|end| end == "ron"));
        let cases: Result<Vec<Source>, _> = ron.map(|path| Source::read(&path)).collect();
        Ok(Bench {
            data,
            ruleset,
            cases: cases.map_err(|problem| problem.to_string())?,
        })
    }

    fn try_all(&self, mutants: &[&Mutant]) -> Vec<String> {
        match self.failing(usize::MAX) {
            Ok(0) => {}
            Ok(count) => return vec![format!("{count} cases fail with all rules in")],
            Err(why) => return vec![why],
        }
        let tried = mutants.iter().filter_map(|mutant| match self.with(mutant) {
            Ok(0) => Some(format!("nobody misses {mutant:?}")),
            Ok(_) => None,
            Err(why) => Some(format!("{mutant:?}: {why}")),
        });
        tried.collect()
    }

    /// The folder as it now is.
    pub(crate) fn library(&self) -> Result<Library, String> {
        let registry = Registry::linked().map_err(|problems| problems.to_string())?;
        // A board is compiled again only when its own files change.
        let boards = Some(self.data.with_extension("boards"));
        Ok(Library::new(self.data.clone(), boards, registry))
    }

    /// How many cases fail with the rules of this folder; no more are looked for than are asked about.
    fn failing(&self, most: usize) -> Result<usize, String> {
        let library = self.library()?;
        let (mut plays, mut failed) = (BTreeMap::<String, Play>::new(), 0);
        for case in &self.cases {
            let (_, scenario) = cases::wants(case).map_err(|problems| problems.to_string())?;
            if !plays.contains_key(&scenario) {
                let play = library.play(self.ruleset, &scenario, None);
                let play = play.map_err(|problems| problems.to_string())?;
                plays.insert(scenario.clone(), play);
            }
            failed += usize::from(cases::run(&plays[&scenario], case).is_err());
            if failed >= most {
                break;
            }
        }
        Ok(failed)
    }

    /// How many cases fail while a mutant stands in its file: none, or one.
    fn with(&self, &(_, file, was, is): &Mutant) -> Result<usize, String> {
        let path = self.find(file, was)?;
        let say = |error: std::io::Error| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(say)?;
        std::fs::write(&path, text.replacen(was, is, 1)).map_err(say)?;
        let failed = self.failing(1);
        std::fs::write(&path, text).map_err(say)?;
        failed
    }

    /// The first file of that name that has these words.
    pub(crate) fn find(&self, file: &str, words: &str) -> Result<PathBuf, String> {
        let has =
            |path: &PathBuf| std::fs::read_to_string(path).is_ok_and(|text| text.contains(words));
        let mut files = self.folders().into_iter().map(|folder| folder.join(file));
        files.find(has).ok_or_else(|| "is not there".to_owned())
    }

    /// All files of the ruleset and its battles.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let folders = self.folders().into_iter();
        let folders = folders.flat_map(|folder| [folder.clone(), folder.join("scenarios")]);
        let entries = folders.flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten());
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some_and(|end| end == "ron"));
        files.sort();
        files
    }

    /// Where files of the ruleset lie: in those of its battles, or in its own.
    fn folders(&self) -> Vec<PathBuf> {
        let series = self.data.join("rulesets").join(self.ruleset);
        let battles = std::fs::read_dir(series.join("battles"));
        let mut folders: Vec<PathBuf> = battles
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        folders.sort();
        folders.push(series);
        folders
    }
}

impl Drop for Bench<'_> {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.data).ok();
        std::fs::remove_dir_all(self.data.with_extension("boards")).ok();
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if path.is_dir() {
            copy(&path, &to.join(name))?;
        } else {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}
