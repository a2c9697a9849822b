//! `cupola engine`: JSON lines for a bot in any language.

use crate::answer::Answer;
use crate::context::Context;
use crate::engine::Engine;
use std::io::{self, BufRead, Write};

/// Arguments of `cupola engine`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each line on stdin is a request {\"id\": …, \"cmd\": …, …}, each line on stdout its answer:
{\"id\": …, \"ok\": true, …} or {\"id\": …, \"ok\": false, \"error\": {\"message\", \"rule\"?, \"hint\"?}}.
Commands: list, new, decision, apply, view, undo, fork, drop, odds, why, moves, save, load, quit.
The book's chapter \"The engine\" has them all; tests/engine/bot.py plays a whole game.

Example:
  echo '{\"id\": 1, \"cmd\": \"new\", \"scenario\": \"corps20/july1\", \"seed\": \"1863\"}' | cupola engine")]
pub struct Args {}

/// Answers until there is no more to read.
pub fn run(_: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let mut engine = Engine::new(context);
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while !engine.is_done() {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
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
