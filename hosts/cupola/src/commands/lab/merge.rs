//! `cupola lab merge`: the games of several shards in one folder.

use super::shard::Shard;
use crate::answer::Answer;
use anyhow::{Context as _, bail};
use cupola_lab::Stored;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `cupola lab merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola lab compare gettysburg-july1 --games 400 --out report --shard 3/16     on each of 16 machines
  cupola lab merge report --out report                                          once, when all are done
  cupola lab compare gettysburg-july1 --games 400 --out report                  writes the page

Shards of other rules, another seed or another build are refused, with what differs; so are two that hold
different records of one game.")]
pub struct Args {
    /// Folders that shards were written to.
    #[arg(value_name = "DIR", required = true)]
    from: Vec<PathBuf>,
    /// The folder of the whole run.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Merges.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let mut merged: BTreeMap<String, Stored> = BTreeMap::new();
    let mut count = 0;
    for folder in &args.from {
        for path in games_in(folder)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Some(name) = Shard::merged(&name) else {
                continue;
            };
            let shard = Stored::read(&path)?;
            count += 1;
            match merged.get_mut(&name) {
                Some(all) => all.merge(&path, shard)?,
                None => drop(merged.insert(name, shard)),
            }
        }
    }
    if merged.is_empty() {
        bail!("no files of games here: a shard writes them to DIR/games");
    }
    let games = args.out.join("games");
    std::fs::create_dir_all(&games)
        .with_context(|| format!("{}: cannot be made", games.display()))?;
    for (name, all) in merged {
        let records = all.write(&games.join(&name))?;
        writeln!(out, "{name}: {records} games")?;
    }
    writeln!(
        out,
        "{count} files were put together in {}",
        games.display()
    )?;
    Ok(Answer::Yes)
}

/// The files of games of a folder that a run was written to.
fn games_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let inner = folder.join("games");
    let folder = if inner.is_dir() { &inner } else { folder };
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{}: cannot be read", folder.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.is_file());
    found.sort();
    Ok(found)
}
