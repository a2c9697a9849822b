//! The command line.

use crate::answer::Answer;
use crate::commands::{
    backup, bench, board, check, completions, data, derive, diff, draw, engine, lab, list, los,
    moves, new, odds, play, print, replay, resolve, roster, serve, watch,
};
use crate::context::Context;
use clap::{Parser, Subcommand};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// One battle under several rule systems: look at it, play it, measure it.
#[derive(Debug, Parser)]
#[command(name = "cupola", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// The data folder; otherwise CUPOLA_DATA, `data` here or in a folder above, or what is inside the program.
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Compile boards anew instead of keeping them in the user's cache folder.
    #[arg(long, global = true)]
    pub no_cache: bool,
    /// Load a plugin from a shared library, or let variants load those in a folder; may be given several times.
    /// A plugin is a program: no file that is looked at, checked or replayed loads one that is not allowed so, or
    /// by CUPOLA_PLUGINS, or by lying in the user's own folder for them.
    #[arg(long, global = true, value_name = "FILE|DIR")]
    pub plugin: Vec<PathBuf>,
    /// Play with the printed numbers that you keep in `owner/RULESET.ron` of your own folder
    /// (XDG_CONFIG_HOME/cupola or ~/.config/cupola).
    #[arg(long, global = true)]
    pub owner: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  cupola                                         the club's table, in the browser
  cupola list                                    what there is
  cupola board blocks --svg map.svg              a map worth framing
  cupola board blocks --hex R7                   all about Little Round Top
  cupola play corps20/gettysburg                 play the Confederacy against a bot
  cupola check data/ tests/cases                 is everything in order?

Exit codes: 0 yes or done; 1 the answer is no, or a check failed; 2 bad input.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the club's table in the browser; also without any command.
    Serve(serve::Args),
    /// Copy the club's file while the club goes on.
    Backup(backup::Args),
    /// List rulesets, scenarios, variants and plugins.
    List(list::Args),
    /// Draw a ruleset's map, or tell all about one of its hexes.
    Board(board::Args),
    /// Draw a position with its counters, as a seat sees it.
    Draw(draw::Args),
    /// Print the sheets that lie beside the map: order of battle, turns, tables, cards, counters.
    Print(print::Args),
    /// Print and filter the order of battle.
    Roster(roster::Args),
    /// Play a scenario in the terminal.
    Play(play::Args),
    /// Play a journal again, check its hashes, tell what happened.
    Replay(replay::Args),
    /// List what may be chosen in a position.
    Moves(moves::Args),
    /// Tell what lies on the line between two hexes.
    Los(los::Args),
    /// Tell the exact odds of the fights that can be chosen in a position.
    Odds(odds::Args),
    /// Run cases; check positions, journals, variants and whole data folders.
    Check(check::Args),
    /// Print a ruleset as it is played, with the origin of every value.
    Resolve(resolve::Args),
    /// Tell in what two rulesets, scenarios, variants or positions differ.
    Diff(diff::Args),
    /// Write a variant, scenario, plugin or battle to begin with.
    New(new::Args),
    /// Keep a page of a position that changes whenever a file is saved.
    Watch(watch::Args),
    /// Write out the data folder that is inside the program.
    Data(data::Args),
    /// Derive counters and a meeting engagement from an army list.
    Derive(derive::Args),
    /// Speak JSON lines with a bot in any language.
    Engine(engine::Args),
    /// Compare rulesets over the same hours, and rank the bots.
    Lab(lab::Args),
    /// Play games for a lab elsewhere, through a queue.
    Worker(lab::queue::Args),
    /// Measure random play on one thread.
    Bench(bench::Args),
    /// Print a completion script for a shell.
    Completions(completions::Args),
}

/// Runs a command.
///
/// # Errors
/// What keeps it from an answer, in a sentence.
pub fn run(cli: &Cli) -> anyhow::Result<Answer> {
    let out = &mut BufWriter::new(io::stdout().lock());
    let answer = dispatch(cli, out)?;
    out.flush()?;
    Ok(answer)
}

fn dispatch(cli: &Cli, out: &mut dyn Write) -> anyhow::Result<Answer> {
    // These must work outside of any data folder.
    match &cli.command {
        Some(Command::Completions(args)) => return completions::run(args, out),
        Some(Command::Backup(args)) => return backup::run(args, out),
        Some(Command::Data(args)) => return data::run(args, out),
        _ => {}
    }
    let mut context = Context::open(cli)?;
    let Some(command) = &cli.command else {
        return serve::run(&serve::Args::default(), context, out);
    };
    match command {
        Command::Serve(args) => serve::run(args, context, out),
        Command::Backup(args) => backup::run(args, out),
        Command::List(args) => list::run(args, &context, out),
        Command::Board(args) => board::run(args, &context, out),
        Command::Draw(args) => draw::run(args, &mut context, out),
        Command::Print(args) => print::run(args, &context, out),
        Command::Roster(args) => roster::run(args, &context, out),
        Command::Play(args) => play::run(args, &mut context, out),
        Command::Replay(args) => replay::run(args, &mut context, out),
        Command::Moves(args) => moves::run(args, &mut context, out),
        Command::Los(args) => los::run(args, &context, out),
        Command::Odds(args) => odds::run(args, &mut context, out),
        Command::Check(args) => check::run(args, &mut context, out),
        Command::Derive(args) => derive::run(args, &context, out),
        Command::Engine(args) => engine::run(args, &mut context, out),
        Command::Lab(args) => lab::run(args, &mut context, out),
        Command::Worker(args) => lab::queue::run(args, &mut context, out),
        Command::Bench(args) => bench::run(args, &mut context, out),
        Command::Completions(args) => completions::run(args, out),
        Command::Data(args) => data::run(args, out),
        Command::Resolve(args) => resolve::run(args, &mut context, out),
        Command::Diff(args) => diff::run(args, &mut context, out),
        Command::New(args) => new::run(args, &mut context, out),
        Command::Watch(args) => watch::run(args, &mut context, out),
    }
}
