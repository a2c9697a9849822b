//! `cupola derive`: counters and a meeting engagement for any army list.

use crate::answer::Answer;
use crate::context::{Context, editable};
use anyhow::Context as _;
use cupola_data::Source;
use cupola_kernel::DerivedFile;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `cupola derive`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola derive corps20 training                  writes them into the data folder
  cupola derive corps20 training --out drafts     writes them somewhere else
  cupola derive blocks training --check           are they still what follows from the army list?

It writes turns, counters, what the map shows and a scenario of the name of the battle, each by the formulas of the series.
A file that was changed by hand (it does not begin with the line of a derived file) is left alone.")]
pub struct Args {
    /// The ruleset.
    ruleset: String,
    /// The battle: it has ground, an army list, and a grid.ron and battle.ron under the ruleset.
    battle: String,
    /// Write into this folder instead of the data folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write nothing; say whether the files are as they would be written.
    #[arg(long, conflicts_with = "out")]
    check: bool,
}

/// Runs the command.
///
/// # Errors
/// What the ground, the army list or the ruleset lacks.
pub fn run(args: &Args, context: &Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let library = &context.library;
    let files = library.derive(&args.ruleset, &args.battle)?;
    if args.check {
        let stale = library.stale(&args.ruleset, &args.battle)?;
        if stale.is_empty() {
            writeln!(out, "{} files are as derived", files.len())?;
            return Ok(Answer::Yes);
        }
        writeln!(out, "{stale}")?;
        return Ok(Answer::No);
    }
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            let folder = library.battle_dir(&args.ruleset, &args.battle)?;
            editable(&folder)?;
            folder
        }
    };
    let states = files.iter().map(|file| Lies::of(&folder, file));
    let states: Vec<Lies> = states.collect::<anyhow::Result<_>>()?;
    // What is derived goes together: a scenario for derived counters is none for those that lie there.
    let own = states.contains(&Lies::Own);
    for (file, lies) in files.iter().zip(states) {
        let path = folder.join(&file.name);
        let told = match lies {
            Lies::AsDerived => "as it was: ",
            Lies::Own => "left alone:",
            Lies::Nowhere if own => "left out:  ",
            Lies::Nowhere | Lies::Stale => {
                write(&path, file)?;
                "written:   "
            }
        };
        writeln!(out, "{told} {}", path.display())?;
    }
    if own {
        writeln!(
            out,
            "Files made by hand are left alone, and nothing new is put beside them; all of it goes into another folder with --out DIR."
        )?;
    }
    Ok(Answer::Yes)
}

/// What lies where a file is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lies {
    /// Nothing.
    Nowhere,
    /// The same.
    AsDerived,
    /// What was derived from something else.
    Stale,
    /// What somebody has made his own.
    Own,
}

impl Lies {
    fn of(folder: &Path, file: &DerivedFile) -> anyhow::Result<Lies> {
        let path = folder.join(&file.name);
        if !path.is_file() {
            return Ok(Lies::Nowhere);
        }
        let text = Source::read(&path)?.text;
        Ok(if text == file.text {
            Lies::AsDerived
        } else if text.starts_with(DerivedFile::MARK) {
            Lies::Stale
        } else {
            Lies::Own
        })
    }
}

fn write(path: &Path, file: &DerivedFile) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let wrong = || format!("cannot write {}", path.display());
    std::fs::create_dir_all(folder).with_context(wrong)?;
    std::fs::write(path, &file.text).with_context(wrong)
}
