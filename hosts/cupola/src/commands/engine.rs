//! `cupola engine`: JSON lines for a bot in any language.

use crate::answer::Answer;
use crate::bots::{Sitter, seat};
use crate::context::{Context, fresh_seed};
use anyhow::Context as _;
use cupola_bots::Skill;
use cupola_data::Source;
use cupola_engine::{Engine, Host, Opponent, Settings};
use cupola_kernel::{BySide, Fault, Seed, Session, Side};
use cupola_library::Library;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

/// Arguments of `cupola engine`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each line on stdin is a request {\"id\": …, \"cmd\": …, …}, each line on stdout its answer:
{\"id\": …, \"ok\": true, …} or {\"id\": …, \"ok\": false, \"error\": {\"message\", \"rule\"?, \"hint\"?}}.
Commands: list, new, decision, apply, view, undo, fork, drop, odds, why, moves, save, load, quit.
The book's chapter \"The engine\" has them all; tests/engine/bot.py plays a whole game.

Without --seat the conversation is an umpire's: seeds, hashes and journals are shown. With --seat it is bound to
that side, which is told what it may know and nothing else; --against plays the other one.

Example:
  echo '{\"id\": 1, \"cmd\": \"new\", \"scenario\": \"corps20/july1\", \"seed\": \"1863\"}' | cupola engine")]
pub struct Args {
    /// Bind the conversation to a side's seat: no seed, no hash, no journal, no other seat's view.
    #[arg(long, value_name = "SIDE")]
    seat: Option<String>,
    /// Who plays the other side of a seat: random, steady or search.
    #[arg(long, value_name = "BOT", default_value = "steady", value_parser = Skill::parse, requires = "seat")]
    against: Skill,
    /// The folder in which files may be read and written; without it none are.
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
    /// How many games and forks may be held at a time.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    games: u16,
}

/// The program as an engine sees it.
struct Desk<'a> {
    context: &'a mut Context,
    against: Skill,
}

impl Host for Desk<'_> {
    fn library(&self) -> &Library {
        &self.context.library
    }

    fn seed(&mut self) -> Result<Seed, String> {
        fresh_seed().map_err(|error| error.to_string())
    }

    fn prepare(&mut self, variant: &Source) -> Result<(), String> {
        let loaded = self.context.load_plugins_of(variant);
        loaded.map_err(|error| format!("{error:#}"))
    }

    fn opponent(&mut self, session: &Session, side: Side) -> Result<Opponent, String> {
        let mut players = BySide::from_fn(|_| Sitter::Human);
        players[side] = Sitter::Bot(self.against);
        let ruleset = &session.journal().ruleset;
        // The bot's own luck must not follow from the seed of the game.
        let own = self.seed()?;
        let seated = seat(self.context, ruleset, session.game(), own, players);
        let mut bots = seated.map_err(|error| format!("{error:#}"))?;
        Ok(Box::new(move |game| match bots[side].as_mut() {
            Some(bot) => bot.choose(game),
            None => Err(Fault::Broken("no bot in its seat".to_owned())),
        }))
    }
}

/// Answers until there is no more to read.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let settings = Settings {
        seat: args.seat.clone(),
        files: args.files.clone(),
        games: usize::from(args.games),
    };
    let mut desk = Desk {
        context,
        against: args.against,
    };
    let mut engine = Engine::new(&mut desk, settings);
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while !engine.is_done() {
        line.clear();
        let most = Engine::LONGEST as u64 + 1;
        if input.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() > Engine::LONGEST && line.last() != Some(&b'\n') {
            skip_line(&mut input).context("a line without end")?;
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        let answer = engine.answer(&text);
        serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(Answer::Yes)
}

/// Passes over the rest of a line without keeping it.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let (length, found) = match bytes.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (bytes.len(), bytes.is_empty()),
        };
        input.consume(length);
        if found {
            return Ok(());
        }
    }
}
