//! A battle to begin with: ground, armies and rules of another one under a new name, to be changed piece by piece.

use super::{plain_name, program};
use crate::answer::Answer;
use crate::context::{Context, editable};
use crate::keep::write_file;
use anyhow::{Context as _, bail};
use cupola_data::Problem;
use cupola_kernel::DerivedFile;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `cupola new battle`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name, such as wheatfield.
    name: String,
    /// The battle to begin with: its ground, armies and what every ruleset has of it are copied.
    #[arg(long, value_name = "BATTLE", default_value = "training")]
    of: String,
}

/// A battle that is not there, with the nearest that is.
fn no_battle(name: &str, fields: &Path) -> anyhow::Result<Problem> {
    let known = std::fs::read_dir(fields)?.flatten();
    let known: Vec<String> = known
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let problem = Problem::file("battle", format!("no battle \"{name}\""));
    Ok(problem.with_nearest(name, known.iter().map(String::as_str)))
}

pub(super) fn run(
    args: &Args,
    context: &mut Context,
    out: &mut dyn Write,
) -> anyhow::Result<Answer> {
    plain_name(&args.name)?;
    let root = context.library.root().to_owned();
    editable(&root)?;
    let fields = root.join("battlefields");
    if !fields.join(&args.of).is_dir() {
        return Err(no_battle(&args.of, &fields)?.into());
    }
    let mut folders: Vec<PathBuf> = vec![fields, root.join("armies")];
    for ruleset in context.library.rulesets() {
        folders.push(root.join("rulesets").join(ruleset).join("battles"));
    }
    folders.retain(|folder| folder.join(&args.of).is_dir());
    if let Some(taken) = folders
        .iter()
        .map(|folder| folder.join(&args.name))
        .find(|path| path.exists())
    {
        bail!(
            "{}: this is there already, and stays as it is",
            taken.display()
        );
    }
    let change = Change {
        of: &args.of,
        name: &args.name,
    };
    let copied = folders
        .iter()
        .try_for_each(|folder| change.copy(&folder.join(&args.of), &folder.join(&args.name)));
    let played = copied.and_then(|()| played(args, context));
    match played {
        Ok(scenarios) => {
            for folder in &folders {
                writeln!(out, "{}", folder.join(&args.name).display())?;
            }
            writeln!(
                out,
                "The ground can be edited in QGIS; titles, names and numbers in any editor."
            )?;
            for scenario in scenarios {
                writeln!(out, "Play it: {} play {scenario}", program(context))?;
            }
            Ok(Answer::Yes)
        }
        Err(error) => {
            // What does not play is not left lying about: all of it is ours, made a moment ago.
            for folder in &folders {
                let _ = std::fs::remove_dir_all(folder.join(&args.name));
            }
            Err(error)
        }
    }
}

/// All scenarios of the new battle, each once played to its beginning.
fn played(args: &Args, context: &Context) -> anyhow::Result<Vec<String>> {
    let library = &context.library;
    let mut found = vec![];
    for ruleset in library.rulesets() {
        let own = library.scenarios(&ruleset).into_iter();
        for scenario in own.filter(|scenario| scenario.battle == args.name) {
            if library.is_played(&ruleset) {
                library.play(&ruleset, &scenario.name, None)?;
            }
            found.push(format!("{ruleset}/{}", scenario.name));
        }
    }
    Ok(found)
}

struct Change<'a> {
    of: &'a str,
    name: &'a str,
}

impl Change<'_> {
    fn copy(&self, from: &Path, to: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(to).with_context(|| format!("{}: cannot be made", to.display()))?;
        let scenarios = from.file_name().is_some_and(|name| name == "scenarios");
        for entry in std::fs::read_dir(from)?.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if path.is_dir() {
                self.copy(&path, &to.join(&*name))?;
                continue;
            }
            let target = match scenarios {
                // The name of a scenario is unique in its ruleset.
                true => to.join(self.scenario(&name)),
                false => to.join(&*name),
            };
            let text =
                std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            write_file(&target, self.text(&text).as_bytes())?;
        }
        Ok(())
    }

    /// The file of a scenario: that of the battle's own name has the new one.
    fn scenario(&self, file: &str) -> String {
        match file == format!("{}.ron", self.of) {
            true => format!("{}.ron", self.name),
            false => format!("{}-{file}", self.name),
        }
    }

    /// A text of the new battle; one that was derived is as `derive` would write it.
    fn text(&self, text: &str) -> String {
        let (old, new) = (format!("\"{}\"", self.of), format!("\"{}\"", self.name));
        let text = text.replace(&old, &new);
        let (old, new) = (format!(" {}`;", self.of), format!(" {}`;", self.name));
        match text.starts_with(DerivedFile::MARK) {
            true => text.replacen(&old, &new, 1),
            false => text,
        }
    }
}
