//! `cupola completions`: a script that teaches a shell our commands.

use crate::answer::Answer;
use crate::cli::Cli;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

/// Arguments of `cupola completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cupola completions bash > ~/.local/share/bash-completion/completions/cupola")]
pub struct Args {
    /// The shell.
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Answer> {
    // Made in memory first: the generator panics on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cupola", &mut script);
    out.write_all(&script)?;
    Ok(Answer::Yes)
}
