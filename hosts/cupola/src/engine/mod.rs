//! The engine: games by handle, asked and answered in JSON.
//!
//! A request that cannot be answered never ends the process; even a ruleset that panics only costs the
//! game it panicked in. What a bot is told about a game is what its seat may know: `decision`, `apply` and
//! `odds` answer as the side that is asked, `view` as the seat that is named.

mod games;
mod request;

use crate::context::Context;
use games::Held;
use request::{COMMANDS, Request, Wrong};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a command answers: an object.
type Reply = Result<Value, Wrong>;

/// All games of one conversation.
pub struct Engine<'a> {
    context: &'a mut Context,
    games: BTreeMap<String, Held>,
    next: u64,
    done: bool,
}

impl<'a> Engine<'a> {
    /// An engine without games.
    pub fn new(context: &'a mut Context) -> Engine<'a> {
        Engine {
            context,
            games: BTreeMap::new(),
            next: 1,
            done: false,
        }
    }

    /// Whether somebody said `quit`.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Answers one line.
    pub fn answer(&mut self, line: &str) -> Value {
        let request = match Request::read(line) {
            Ok(request) => request,
            Err((id, wrong)) => return failed(id, &wrong),
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.carry_out(&request)));
        let reply = done.unwrap_or_else(|_| {
            // What a panic left behind is not to be trusted.
            let lost = request
                .optional_text("game")
                .ok()
                .flatten()
                .and_then(|game| self.games.remove(game));
            let what = if lost.is_some() {
                "; the game was dropped"
            } else {
                ""
            };
            Err(Wrong::new(format!("the ruleset panicked{what}")).hint("stderr has its last words"))
        });
        match reply {
            Ok(mut value) => {
                value["id"] = request.id;
                value["ok"] = true.into();
                value
            }
            Err(wrong) => failed(request.id, &wrong),
        }
    }

    fn carry_out(&mut self, request: &Request) -> Reply {
        match request.cmd.as_str() {
            "list" => self.list(),
            "new" => self.new_game(request),
            "load" => self.load(request),
            "decision" => self.decision(request),
            "apply" => self.apply(request),
            "view" => self.view(request),
            "undo" => self.undo(request),
            "fork" => self.fork(request),
            "drop" => self.drop_game(request),
            "odds" => self.odds(request),
            "why" => self.why(request),
            "moves" => self.moves(request),
            "save" => self.save(request),
            "quit" => {
                self.done = true;
                Ok(json!({}))
            }
            other => Err(Wrong::new(format!("no command \"{other}\""))
                .near(other, COMMANDS.iter().map(|(name, _)| *name))),
        }
    }

    fn list(&mut self) -> Reply {
        let library = &self.context.library;
        let rulesets = library.rulesets().into_iter().map(|name| {
            let scenarios = library.scenarios(&name).into_iter();
            let scenarios: Vec<Value> = scenarios
                .map(|s| json!({"name": s.name, "title": s.title}))
                .collect();
            json!({"played": library.is_played(&name), "scenarios": scenarios, "name": name})
        });
        let games: Vec<&String> = self.games.keys().collect();
        Ok(json!({
            "rulesets": rulesets.collect::<Vec<_>>(),
            "variants": library.variants(),
            "games": games,
        }))
    }
}

fn failed(id: Value, wrong: &Wrong) -> Value {
    json!({"id": id, "ok": false, "error": wrong})
}
