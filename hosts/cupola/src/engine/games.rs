//! The commands that are about games.

use super::request::{Request, Wrong};
use super::{Engine, Reply};
use crate::context::fresh_seed;
use crate::situation;
use crate::tell::{preview_json, write_file};
use cupola_data::Source;
use cupola_kernel::{
    Act, ApplyError, Env, Event, Game, Journal, PositionFile, Seat, Seed, Session, Side,
};
use serde_json::{Value, json};
use std::path::Path;

/// A game that a bot holds.
pub enum Held {
    /// Played for good, with its journal.
    Session(Box<Session>),
    /// To think with: no journal, no undo.
    Fork(Box<Game>),
}

impl Held {
    fn game(&self) -> &Game {
        match self {
            Held::Session(session) => session.game(),
            Held::Fork(game) => game,
        }
    }
}

impl Engine<'_> {
    fn held(&self, request: &Request) -> Result<&Held, Wrong> {
        let handle = request.text("game")?;
        self.games.get(handle).ok_or_else(|| self.unknown(handle))
    }

    fn held_mut(&mut self, request: &Request) -> Result<&mut Held, Wrong> {
        let handle = request.text("game")?;
        if !self.games.contains_key(handle) {
            return Err(self.unknown(handle));
        }
        self.games
            .get_mut(handle)
            .ok_or_else(|| Wrong::new("no such game"))
    }

    fn unknown(&self, handle: &str) -> Wrong {
        let wrong = Wrong::new(format!("no game \"{handle}\" is held"));
        if self.games.is_empty() {
            return wrong.hint("start one with \"new\"");
        }
        wrong.near(handle, self.games.keys().map(String::as_str))
    }

    fn keep(&mut self, held: Held) -> String {
        let handle = format!("g{}", self.next);
        self.next += 1;
        self.games.insert(handle.clone(), held);
        handle
    }

    /// A new game of a scenario or from a position.
    pub(super) fn new_game(&mut self, request: &Request) -> Reply {
        let seed = match request.optional_text("seed")? {
            Some(text) => seed(text)?,
            None => fresh_seed().map_err(Wrong::from_any)?,
        };
        let position = match (
            request.optional_text("position")?,
            request.optional_text("position_file")?,
        ) {
            (Some(text), _) => Some(Source::new("position", text)),
            (None, Some(path)) => Some(Source::read(Path::new(path)).map_err(Wrong::told)?),
            (None, None) => None,
        };
        let (play, journal) = if let Some(source) = position {
            let file = PositionFile {
                source,
                in_case: false,
            };
            let play = situation::play_at(self.context, &file).map_err(Wrong::from_any)?;
            let ruleset = file.header().map_err(Wrong::told)?.ruleset;
            let journal = Journal::new(&play, &ruleset, None, seed, Some(file.source.text));
            (play, journal)
        } else {
            let (first, second) = match request.optional_text("ruleset")? {
                Some(ruleset) => (ruleset, Some(request.text("scenario")?)),
                None => (request.text("scenario")?, None),
            };
            let (ruleset, scenario) = self.context.which(first, second).map_err(Wrong::told)?;
            let variant = request.optional_text("variant")?;
            let play = self
                .context
                .play(&ruleset, &scenario, variant.map(Path::new))
                .map_err(Wrong::from_any)?;
            let journal = Journal::new(&play, &ruleset, variant.map(str::to_owned), seed, None);
            (play, journal)
        };
        let session = Session::new(&play, journal).map_err(Wrong::from_any)?;
        self.sit_down(session)
    }

    /// A game from a journal.
    pub(super) fn load(&mut self, request: &Request) -> Reply {
        let source = match request.optional_text("journal")? {
            Some(text) => Source::new("journal", text),
            None => Source::read(Path::new(request.text("file")?)).map_err(Wrong::told)?,
        };
        let session = situation::load(self.context, &source).map_err(Wrong::from_any)?;
        self.sit_down(session)
    }

    fn sit_down(&mut self, session: Session) -> Reply {
        let mut reply = standing(session.game());
        let (journal, env) = (session.journal(), session.game().table().env());
        reply["ruleset"] = env.ruleset.clone().into();
        reply["scenario"] = journal.scenario.clone().into();
        reply["seed"] = journal.seed.to_string().into();
        reply["sides"] = json!([env.sides.first, env.sides.second]);
        reply["decisions"] = journal.steps.len().into();
        reply["game"] = self.keep(Held::Session(Box::new(session))).into();
        Ok(reply)
    }

    /// The open decision as a seat sees it; as the seat that is asked, if none is named.
    pub(super) fn decision(&mut self, request: &Request) -> Reply {
        let game = self.held(request)?.game();
        let view = game.view(seat(request, game)?);
        Ok(json!({"decision": view.decision, "verdict": view.verdict}))
    }

    /// Carries out a choice.
    pub(super) fn apply(&mut self, request: &Request) -> Reply {
        let held = self.held_mut(request)?;
        let game = held.game();
        let decision = game.decision().ok_or(ApplyError::Over)?;
        let side = match request.optional_text("side")? {
            Some(id) => side(game.table().env(), id)?,
            None => decision.ask.side,
        };
        let act = chosen(request, game)?;
        let (events, broken) = match held {
            Held::Session(session) => (session.apply(side, act)?.events, None),
            Held::Fork(game) => match game.apply(side, act) {
                Ok(()) => (vec![], None),
                Err(ApplyError::Fault(fault)) => (vec![], Some(fault)),
                Err(error) => return Err(error.into()),
            },
        };
        if let Some(fault) = broken {
            self.games.remove(request.text("game")?);
            return Err(Wrong::new(format!(
                "the ruleset failed and the fork was dropped: {fault}"
            )));
        }
        let game = self.held(request)?.game();
        let mut reply = standing(game);
        let known = events
            .iter()
            .filter(|event| event.known_to(Seat::Player(side)));
        reply["events"] = known
            .map(|event| event_json(game.table().env(), event))
            .collect();
        Ok(reply)
    }

    /// What a seat may know.
    pub(super) fn view(&mut self, request: &Request) -> Reply {
        let game = self.held(request)?.game();
        request.text("seat")?;
        Ok(json!({"view": game.view(seat(request, game)?)}))
    }

    /// Takes back the last choice.
    pub(super) fn undo(&mut self, request: &Request) -> Reply {
        let Held::Session(session) = self.held_mut(request)? else {
            return Err(
                Wrong::new("a fork keeps no history to go back in").hint("fork again instead")
            );
        };
        let env = session.game().table().env();
        let last = session.journal().steps.last().map(|step| step.side.clone());
        let id = request.optional_text("side")?.map(str::to_owned).or(last);
        let id = id.ok_or_else(|| Wrong::new("nothing has been chosen yet"))?;
        let side = side(env, &id)?;
        session.undo(side).map_err(Wrong::new)?;
        Ok(standing(session.game()))
    }

    /// A copy to think with. Its dice are others, lest a bot sees how the real ones will fall; with a seat,
    /// what that seat may not know is dealt anew as well.
    pub(super) fn fork(&mut self, request: &Request) -> Reply {
        let mut game = self.held(request)?.game().fork();
        if !request.flag("same_dice")? {
            let seed = match request.optional_text("seed")? {
                Some(text) => seed(text)?,
                None => fresh_seed().map_err(Wrong::from_any)?,
            };
            match request.optional_text("seat")? {
                Some(_) => {
                    let seat = seat(request, &game)?;
                    game.imagine(seat, seed).map_err(Wrong::from_any)?;
                }
                None => game.reseed(seed),
            }
        }
        let mut reply = standing(&game);
        reply["game"] = self.keep(Held::Fork(Box::new(game))).into();
        Ok(reply)
    }

    /// Lets go of a game.
    pub(super) fn drop_game(&mut self, request: &Request) -> Reply {
        self.held(request)?;
        self.games.remove(request.text("game")?);
        Ok(json!({}))
    }

    /// The odds of one option, or of all that lead to a fight.
    pub(super) fn odds(&mut self, request: &Request) -> Reply {
        let game = self.held(request)?.game();
        let acts = match request.optional_text("option")? {
            Some(id) => vec![game.parse(id).map_err(Wrong::told)?],
            None => game
                .decision()
                .map_or(vec![], |decision| decision.options.to_vec()),
        };
        let odds = acts.into_iter().filter_map(|act| {
            let mut value = preview_json(&game.preview(act)?);
            value["option"] = game.name(act).into();
            Some(value)
        });
        Ok(json!({"odds": odds.collect::<Vec<_>>()}))
    }

    /// Why something is not offered.
    pub(super) fn why(&mut self, request: &Request) -> Reply {
        let game = self.held(request)?.game();
        let act = game.parse(request.text("option")?).map_err(Wrong::told)?;
        if is_offered(game, act) {
            return Ok(json!({"offered": true}));
        }
        let refusal = game.why_not(act);
        Ok(json!({"offered": false, "rule": refusal.rule.0, "why": refusal.why}))
    }

    /// The open decision as text for people.
    pub(super) fn moves(&mut self, request: &Request) -> Reply {
        let game = self.held(request)?.game();
        let Some(decision) = game.decision() else {
            return Ok(json!({"text": "The game is over."}));
        };
        let mut text = format!(
            "{} ({})",
            game.prompt().unwrap_or_default(),
            decision.ask.cite()
        );
        for &act in decision.options {
            text.push_str(&format!("\n{}: {}", game.name(act), game.text(act)));
        }
        Ok(json!({"text": text}))
    }

    /// The journal, as text or in a file.
    pub(super) fn save(&mut self, request: &Request) -> Reply {
        let Held::Session(session) = self.held(request)? else {
            return Err(
                Wrong::new("a fork has no journal").hint("save the game that it was forked from")
            );
        };
        let text = session.journal().write();
        match request.optional_text("file")? {
            None => Ok(json!({"journal": text})),
            Some(path) => {
                write_file(Path::new(path), text.as_bytes()).map_err(Wrong::from_any)?;
                Ok(json!({"file": path}))
            }
        }
    }
}

/// Where a game stands, in short.
fn standing(game: &Game) -> Value {
    let env = game.table().env();
    let decision = game.decision();
    json!({
        "hash": game.hash().to_string(),
        "asked": decision.map(|decision| env.sides[decision.ask.side].id.as_str()),
        "question": decision.map(|decision| decision.ask.question),
        "over": decision.is_none(),
    })
}

fn event_json(env: &Env, event: &Event) -> Value {
    let units: Vec<&str> = event
        .units
        .iter()
        .map(|unit| env.units[usize::from(unit.0)].id.as_str())
        .collect();
    let hexes: Vec<&str> = event
        .hexes
        .iter()
        .map(|hex| env.board.label(*hex))
        .collect();
    json!({
        "kind": event.kind,
        "rule": event.rule.0,
        "text": event.text,
        "units": units,
        "hexes": hexes,
        "numbers": event.numbers,
    })
}

fn is_offered(game: &Game, act: Act) -> bool {
    game.decision()
        .is_some_and(|decision| decision.options.contains(&act))
}

/// The option that a request names, by id or by its index in the list.
fn chosen(request: &Request, game: &Game) -> Result<Act, Wrong> {
    if let Some(index) = request.optional_index("index")? {
        let options = game.decision().map_or(&[][..], |decision| decision.options);
        let wrong = || {
            Wrong::new(format!(
                "no option {index}; they go from 0 to {}",
                options.len().saturating_sub(1)
            ))
        };
        return options.get(index).copied().ok_or_else(wrong);
    }
    let id = request.text("option")?;
    game.parse(id).map_err(|why| {
        let ids: Vec<String> = game.decision().map_or(vec![], |decision| {
            decision.options.iter().map(|&act| game.name(act)).collect()
        });
        let wrong = Wrong::told(why);
        match cupola_data::nearest(id, ids.iter().map(String::as_str)) {
            Some(near) => wrong.hint(format!("did you mean \"{near}\"?")),
            None => wrong,
        }
    })
}

fn seed(text: &str) -> Result<Seed, Wrong> {
    Seed::parse(text).ok_or_else(|| {
        Wrong::new(format!(
            "\"{text}\" is no seed: up to 32 hexadecimal digits"
        ))
    })
}

fn side(env: &Env, id: &str) -> Result<Side, Wrong> {
    let ids = Side::BOTH.map(|side| env.sides[side].id.as_str());
    env.side(id)
        .ok_or_else(|| Wrong::new(format!("no side \"{id}\"")).near(id, ids))
}

/// The seat that a request names: a side's id, `observer` or `umpire`; otherwise the seat that is asked.
fn seat(request: &Request, game: &Game) -> Result<Seat, Wrong> {
    let env = game.table().env();
    match request.optional_text("seat")? {
        Some("observer") => Ok(Seat::Observer),
        Some("umpire") => Ok(Seat::Umpire),
        Some(id) => side(env, id).map(Seat::Player),
        None => Ok(game
            .decision()
            .map_or(Seat::Observer, |decision| Seat::Player(decision.ask.side))),
    }
}
