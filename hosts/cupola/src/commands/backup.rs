//! `cupola backup`: a copy of the club's file while the club goes on.

use crate::answer::Answer;
use crate::commands::serve;
use anyhow::bail;
use cupola_serve::Club;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola backup`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where the copy goes; must not exist yet.
    #[arg(value_name = "TO")]
    to: PathBuf,
    /// The club's file, if it is not the usual one.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Copies.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Answer> {
    if args.to.exists() {
        bail!("{}: there is a file already", args.to.display());
    }
    let from = serve::file(args.file.as_ref())?;
    Club::backup(&from, &args.to)?;
    writeln!(
        out,
        "{} is a copy of {}.",
        args.to.display(),
        from.display()
    )?;
    Ok(Answer::Yes)
}
