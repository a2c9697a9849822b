//! `cupola backup`: a copy of the club while it goes on, also from a file into a database and back.

use crate::answer::Answer;
use crate::commands::serve;
use anyhow::bail;
use cupola_serve::{Club, Place};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola backup`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola backup monday.db                                   a copy of the club's file
  cupola backup monday.db --database postgres://club@db/club  a club in a database, into a file
  cupola backup --file club.db postgres://club@db/club      a club moves from its file into a database")]
pub struct Args {
    /// Where the copy goes: a file that does not exist yet, or the address of an empty database.
    #[arg(value_name = "TO")]
    to: String,
    /// The club's file, if it is not the usual one.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The club's database, if it is kept in one.
    #[arg(long, value_name = "URL", conflicts_with = "file")]
    database: Option<String>,
}

/// Copies.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let path = PathBuf::from(&args.to);
    let to = if args.to.contains("://") {
        serve::place(None, Some(&args.to))?
    } else if path.exists() {
        bail!("{}: there is a file already", path.display());
    } else {
        serve::place(Some(&path), None)?
    };
    let from = serve::place(args.file.as_ref(), args.database.as_deref())?;
    if let Place::File(path) = &from
        && !path.exists()
    {
        bail!("{}: there is no such file", path.display());
    }
    Club::backup(&from, &to)?;
    writeln!(out, "{to} is a copy of {from}.")?;
    Ok(Answer::Yes)
}
