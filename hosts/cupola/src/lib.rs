//! The `cupola` program as a library, so that its parts can be tested.
//!
//! Start reading at [`Cli`], which says what there is to ask, then open the command's file under
//! `commands`. A command gets a [`Context`] (data folder, cache, plugins, terminal) and a writer, and
//! comes back with an [`Answer`]: yes or no, which become the exit codes 0 and 1. Everything that keeps it
//! from an answer is an error, told in a sentence, and exit code 2.
//!
//! Invariants:
//! * **The program knows no ruleset.** It links them (`context.rs`) and asks the kernel.
//! * **What a player is shown comes from `Game::view` of his seat** and from nowhere else.
//! * **What a program reads on stdout is all of the answer**; complaints go to stderr.
#![forbid(unsafe_code)]

mod answer;
mod bots;
mod chart;
mod check;
mod cli;
mod columns;
mod commands;
mod context;
mod followed;
mod keep;
mod paint;
mod situation;
mod tags;
mod tell;
mod terminal;
mod thing;

pub use answer::{Answer, exit_code};
pub use cli::{Cli, run};
pub use context::Context;

/// The whole program: whoever links rules of his own beside it calls this and has Cupola with them in it.
///
/// ```no_run
/// // use my_plugin as _;
/// fn main() -> std::process::ExitCode {
///     cupola::main()
/// }
/// ```
#[must_use]
pub fn main() -> std::process::ExitCode {
    use clap::Parser;
    exit_code(run(&Cli::parse()))
}
