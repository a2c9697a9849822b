//! Parse, run, map the answer to an exit code.
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    cupola::exit_code(cupola::run(&cupola::Cli::parse()))
}
