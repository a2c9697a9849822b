//! A conversation: requests come in, answers go out.

use crate::games::Held;
use crate::request::{COMMANDS, Request, Wrong};
use cupola_data::Source;
use cupola_kernel::{Act, Fault, Game, Seed, Session, Side};
use cupola_library::Library;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};

/// What a command answers: an object.
pub(crate) type Reply = Result<Value, Wrong>;

/// Chooses for a side that nobody in the conversation plays.
pub type Opponent = Box<dyn FnMut(&Game) -> Result<Option<Act>, Fault>>;

/// What an engine needs of the program around it.
pub trait Host {
    /// The data folder with the rulesets.
    fn library(&self) -> &Library;

    /// A seed that nobody can guess.
    ///
    /// # Errors
    /// If there is none to be had.
    fn seed(&mut self) -> Result<Seed, String>;

    /// Makes ready what a variant needs, such as plugins that the user has allowed.
    ///
    /// # Errors
    /// What is missing or not allowed. By default nothing is made ready.
    fn prepare(&mut self, _variant: &Source) -> Result<(), String> {
        Ok(())
    }

    /// Who plays a side against a seat that the engine is bound to.
    ///
    /// # Errors
    /// If nobody does, as by default.
    fn opponent(&mut self, _session: &Session, _side: Side) -> Result<Opponent, String> {
        Err("nobody plays the other side here".to_owned())
    }
}

/// What an engine may do, and for whom.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The side to which the conversation is bound; without one it is an umpire's.
    pub seat: Option<String>,
    /// The folder in which files may be read and written; without one, none.
    pub files: Option<PathBuf>,
    /// How many games and forks may be held at a time.
    pub games: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seat: None,
            files: None,
            games: 64,
        }
    }
}

/// The longest line that is answered, in bytes: a journal fits in.
const LONGEST: usize = 16 << 20;

/// All games of one conversation.
pub struct Engine<'a> {
    pub(crate) host: &'a mut dyn Host,
    pub(crate) settings: Settings,
    pub(crate) games: BTreeMap<String, Held>,
    pub(crate) next: u64,
    done: bool,
}

impl<'a> Engine<'a> {
    /// The longest line that is worth reading, in bytes.
    pub const LONGEST: usize = LONGEST;

    /// An engine without games.
    pub fn new(host: &'a mut dyn Host, settings: Settings) -> Engine<'a> {
        Engine {
            host,
            settings,
            games: BTreeMap::new(),
            next: 1,
            done: false,
        }
    }

    /// Whether somebody said `quit`.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the conversation is bound to a seat.
    pub(crate) fn is_bound(&self) -> bool {
        self.settings.seat.is_some()
    }

    /// A file in the folder that is allowed.
    pub(crate) fn file(&self, name: &str) -> Result<PathBuf, Wrong> {
        let Some(folder) = &self.settings.files else {
            return Err(Wrong::new("this engine reads and writes no files")
                .hint("send texts, or start it with --files DIR"));
        };
        let mut parts = Path::new(name).components();
        match (parts.next(), parts.next()) {
            (Some(Component::Normal(_)), None) => {}
            _ => {
                let wrong = Wrong::new(format!("\"{name}\" is no plain name of a file"));
                return Err(wrong.hint(format!("files are in {}", folder.display())));
            }
        }
        let path = folder.join(name);
        // A link would lead out of the folder.
        if path.symlink_metadata().is_ok_and(|known| !known.is_file()) {
            return Err(Wrong::new(format!("\"{name}\" is no plain file")));
        }
        Ok(path)
    }

    /// Answers one line.
    #[must_use]
    pub fn answer(&mut self, line: &str) -> Value {
        if line.len() > LONGEST {
            let wrong = Wrong::new(format!("a line of more than {LONGEST} bytes"));
            return failed(Value::Null, &wrong);
        }
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
        let library = self.host.library();
        let rulesets = library.rulesets().into_iter().map(|name| {
            let scenarios = library.scenarios(&name).into_iter();
            let scenarios: Vec<Value> = scenarios
                .map(|s| json!({"name": s.name, "title": s.title, "battle": s.battle}))
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
