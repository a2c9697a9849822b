//! `cupola data`: the data folder that is inside the program.

use crate::answer::Answer;
use anyhow::Context as _;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola data`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola data export my-data                      write it out to edit
  cupola --data my-data play corps20/july1        and play with it")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Write it into a folder that is new or empty.
    Export {
        /// The folder.
        folder: PathBuf,
    },
}

/// Writes the data folder out.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let What::Export { folder } = &args.what;
    let count = cupola_bundle::export(folder).with_context(|| folder.display().to_string())?;
    writeln!(
        out,
        "{count} files in {0}; use them with: cupola --data {0}",
        folder.display()
    )?;
    Ok(Answer::Yes)
}
