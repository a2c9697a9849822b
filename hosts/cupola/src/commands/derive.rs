//! `cupola derive`: counters and a meeting engagement for any army list.

use crate::answer::Answer;
use crate::context::Context;
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
        None => library.battle_dir(&args.ruleset, &args.battle)?,
    };
    for file in &files {
        let path = folder.join(&file.name);
        let told = write(&path, file)?;
        writeln!(out, "{told} {}", path.display())?;
    }
    Ok(Answer::Yes)
}

/// Writes a file, unless somebody has made it his own.
fn write(path: &Path, file: &DerivedFile) -> anyhow::Result<&'static str> {
    if path.is_file() {
        let text = Source::read(path)?.text;
        if text == file.text {
            return Ok("as it was: ");
        }
        if !text.starts_with(DerivedFile::MARK) {
            return Ok("left alone:");
        }
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let wrong = || format!("cannot write {}", path.display());
    std::fs::create_dir_all(folder).with_context(wrong)?;
    std::fs::write(path, &file.text).with_context(wrong)?;
    Ok("written:   ")
}
