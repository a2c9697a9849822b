//! The commands that are about games.

use crate::engine::{Engine, Opponent, Reply};
use crate::json::{event_json, preview_json};
use crate::request::{Request, Wrong};
use cupola_data::Source;
use cupola_kernel::{Act, ApplyError, Env, Game, Journal, PositionFile, Seat, Seed, Session, Side};
use cupola_library::stack;
use serde_json::{Value, json};
use std::fs;

/// A game that a bot holds.
pub enum Held {
    /// Played for good, with its journal; where the engine is bound to a seat, with who plays the other side.
    Session(Box<Session>, Option<Opponent>),
    /// To think with: no journal, no undo.
    Fork(Box<Game>),
}

impl Held {
    fn game(&self) -> &Game {
        match self {
            Held::Session(session, _) => session.game(),
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

    fn keep(&mut self, held: Held) -> Result<String, Wrong> {
        let most = self.settings.games;
        if self.games.len() >= most {
            let wrong = Wrong::new(format!("{most} games are held, and that is the most"));
            return Err(wrong.hint("let go of one with \"drop\""));
        }
        let handle = format!("g{}", self.next);
        self.next += 1;
        self.games.insert(handle.clone(), held);
        Ok(handle)
    }

    /// The seat as which a game is looked at: the one that is named, or else the one that is asked. An engine that
    /// is bound to a seat looks at a game as that seat only; its forks are its own, dealt anew.
    fn seat(&self, request: &Request, held: &Held) -> Result<Seat, Wrong> {
        let game = held.game();
        let env = game.table().env();
        let named = match request.optional_text("seat")? {
            Some("observer") => Some(Seat::Observer),
            Some("umpire") => Some(Seat::Umpire),
            Some(id) => Some(Seat::Player(side(env, id)?)),
            None => None,
        };
        if let (Some(id), Held::Session(..)) = (&self.settings.seat, held) {
            let own = Seat::Player(side(env, id)?);
            return match named {
                Some(other) if other != own => Err(Wrong::new(format!(
                    "this engine is bound to the seat of {id}"
                ))),
                _ => Ok(own),
            };
        }
        let asked = game.decision().map(|decision| decision.ask.side);
        Ok(named.unwrap_or(asked.map_or(Seat::Observer, Seat::Player)))
    }

    /// A game whose open decision may be talked about: by a bound seat, its own only.
    fn own_decision(&self, request: &Request) -> Result<&Game, Wrong> {
        let held = self.held(request)?;
        let asked = held.game().decision().map(|decision| decision.ask.side);
        match (self.seat(request, held)?, asked) {
            (Seat::Player(own), Some(asked)) if own != asked && self.is_bound() => {
                Err(Wrong::new("the decision is the other side's"))
            }
            _ => Ok(held.game()),
        }
    }

    /// A new game of a scenario or from a position, under a variant if one is named.
    pub(crate) fn new_game(&mut self, request: &Request) -> Reply {
        let seed = match request.optional_text("seed")? {
            Some(_) if self.is_bound() => {
                return Err(Wrong::new("whoever has a seat does not choose the seed"));
            }
            Some(text) => seed(text)?,
            None => self.host.seed().map_err(Wrong::new)?,
        };
        let variant = self.variant(request)?;
        let position = match (
            request.optional_text("position")?,
            request.optional_text("position_file")?,
        ) {
            (Some(text), _) => Some(Source::new("position", text)),
            (None, Some(name)) => Some(Source::read(&self.file(name)?).map_err(Wrong::from)?),
            (None, None) => None,
        };
        let library = self.host.library();
        let (play, ruleset, position) = if let Some(source) = position {
            let file = PositionFile {
                source,
                in_case: false,
            };
            let ruleset = file.header().map_err(Wrong::from)?.ruleset;
            library.known_played(&ruleset).map_err(Wrong::from)?;
            let play = library.play_at(&file, variant.as_ref());
            (play.map_err(Wrong::from)?, ruleset, Some(file.source.text))
        } else {
            let (first, second) = match request.optional_text("ruleset")? {
                Some(ruleset) => (ruleset, Some(request.text("scenario")?)),
                None => (request.text("scenario")?, None),
            };
            let (ruleset, scenario) = library.which(first, second).map_err(Wrong::from)?;
            library.known_played(&ruleset).map_err(Wrong::from)?;
            let play = library.play_with(&ruleset, &scenario, variant.as_ref());
            (play.map_err(Wrong::from)?, ruleset, None)
        };
        let variant = variant.map(|file| file.text);
        let journal = Journal::new(&play, &ruleset, variant, seed, position);
        let session = Session::new(&play, journal).map_err(Wrong::from)?;
        self.sit_down(session)
    }

    /// A variant: a name of the data folder, a file, or the text itself; or several names and files with + between
    /// them.
    fn variant(&mut self, request: &Request) -> Result<Option<Source>, Wrong> {
        let Some(what) = request.optional_text("variant")? else {
            return Ok(None);
        };
        let source = if what.trim_start().starts_with(['(', '[']) {
            Some(Source::new("variant", what))
        } else {
            let parts: Result<Vec<Source>, Wrong> =
                what.split('+').map(|part| self.one_variant(part)).collect();
            stack(&parts?)
        };
        if let Some(source) = &source {
            self.host.prepare(source).map_err(Wrong::new)?;
        }
        Ok(source)
    }

    fn one_variant(&self, what: &str) -> Result<Source, Wrong> {
        let library = self.host.library();
        if library.variants().iter().any(|name| name == what) || !what.ends_with(".ron") {
            return library.variant(what).map_err(Wrong::from);
        }
        Source::read(&self.file(what)?).map_err(Wrong::from)
    }

    /// A game from a journal.
    pub(crate) fn load(&mut self, request: &Request) -> Reply {
        if self.is_bound() {
            return Err(Wrong::new("a journal shows the seed: it is not for a seat"));
        }
        let source = match request.optional_text("journal")? {
            Some(text) => Source::new("journal", text),
            None => Source::read(&self.file(request.text("file")?)?).map_err(Wrong::from)?,
        };
        let journal = Journal::read(&source).map_err(Wrong::from)?;
        if let Some(text) = &journal.variant {
            let variant = Source::new("the journal's variant", text.clone());
            self.host.prepare(&variant).map_err(Wrong::new)?;
        }
        let library = self.host.library();
        library
            .known_played(&journal.ruleset)
            .map_err(Wrong::from)?;
        let play = library.play_of(&journal).map_err(Wrong::from)?;
        let session = Session::replay(&play, &journal, &source.name).map_err(Wrong::from)?;
        self.sit_down(session)
    }

    fn sit_down(&mut self, session: Session) -> Reply {
        let env = session.game().table().env();
        let others = match self.settings.seat.clone() {
            None => None,
            Some(id) => {
                let other = side(env, &id)?.other();
                Some(self.host.opponent(&session, other).map_err(Wrong::new)?)
            }
        };
        let (journal, env) = (session.journal(), session.game().table().env());
        let mut head = json!({
            "ruleset": env.ruleset,
            "scenario": journal.scenario,
            "sides": [env.sides.first, env.sides.second],
            "decisions": journal.steps.len(),
        });
        if !self.is_bound() {
            head["seed"] = journal.seed.to_string().into();
        }
        let handle = self.keep(Held::Session(Box::new(session), others))?;
        let events = self.play_others(&handle)?;
        if let Some(Held::Session(session, _)) = self.games.get(&handle) {
            self.standing(session.game(), &mut head);
        }
        if self.is_bound() {
            head["events"] = events;
        }
        head["game"] = handle.into();
        Ok(head)
    }

    /// Where the engine is bound to a seat, somebody else plays the other side until the seat is asked. Returns
    /// what the seat may know of it.
    fn play_others(&mut self, handle: &str) -> Reply {
        let mut told = vec![];
        let Some(Held::Session(session, Some(others))) = self.games.get_mut(handle) else {
            return Ok(told.into());
        };
        let own = self.settings.seat.as_deref().unwrap_or_default();
        let own = side(session.game().table().env(), own)?;
        let most = session.game().play().bounds().decisions.saturating_mul(4);
        for _ in 0..most {
            let asked = session.game().decision().map(|decision| decision.ask.side);
            let Some(other) = asked.filter(|side| *side != own) else {
                break;
            };
            let act = others(session.game()).map_err(Wrong::from)?;
            let act = act.ok_or_else(|| Wrong::new("the other side does not choose"))?;
            let done = session.apply(other, act)?;
            let env = session.game().table().env();
            let known = done.events.iter();
            let known = known.filter(|event| event.known_to(Seat::Player(own)));
            told.extend(known.map(|event| event_json(env, event)));
        }
        Ok(told.into())
    }

    /// Where a game stands, in short.
    fn standing(&self, game: &Game, reply: &mut Value) {
        let env = game.table().env();
        let decision = game.decision();
        let asked = decision.map(|decision| env.sides[decision.ask.side].id.as_str());
        reply["asked"] = json!(asked);
        reply["question"] = json!(decision.map(|decision| decision.ask.question));
        reply["over"] = decision.is_none().into();
        if !self.is_bound() {
            // With it one can try guesses at what is hidden.
            reply["hash"] = game.hash().to_string().into();
        }
    }

    /// The open decision as a seat sees it; as the seat that is asked, if none is named.
    pub(crate) fn decision(&mut self, request: &Request) -> Reply {
        let held = self.held(request)?;
        let view = held.game().view(self.seat(request, held)?);
        Ok(json!({"decision": view.decision, "verdict": view.verdict}))
    }

    /// Carries out a choice.
    pub(crate) fn apply(&mut self, request: &Request) -> Reply {
        let held = self.held(request)?;
        let game = held.game();
        let decision = game.decision().ok_or(ApplyError::Over)?;
        let side = match (request.optional_text("side")?, self.seat(request, held)?) {
            (Some(id), _) => side(game.table().env(), id)?,
            (None, Seat::Player(own)) => own,
            (None, _) => decision.ask.side,
        };
        if self.is_bound()
            && matches!(held, Held::Session(..))
            && self.seat(request, held)? != Seat::Player(side)
        {
            return Err(Wrong::new("this engine is bound to the other seat"));
        }
        let act = chosen(request, game)?;
        let (events, broken) = match self.held_mut(request)? {
            Held::Session(session, _) => (session.apply(side, act)?.events, None),
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
        let more = self.play_others(request.text("game")?)?;
        let game = self.held(request)?.game();
        let known = events.iter();
        let known = known.filter(|event| event.known_to(Seat::Player(side)));
        let mut told: Vec<Value> = known
            .map(|event| event_json(game.table().env(), event))
            .collect();
        told.extend(more.as_array().cloned().unwrap_or_default());
        let mut reply = json!({ "events": told });
        self.standing(game, &mut reply);
        Ok(reply)
    }

    /// What a seat may know.
    pub(crate) fn view(&mut self, request: &Request) -> Reply {
        let held = self.held(request)?;
        if !self.is_bound() {
            request.text("seat")?;
        }
        Ok(json!({"view": held.game().view(self.seat(request, held)?)}))
    }

    /// Takes back the last choice.
    pub(crate) fn undo(&mut self, request: &Request) -> Reply {
        let bound = self.settings.seat.clone();
        let Held::Session(session, _) = self.held_mut(request)? else {
            return Err(
                Wrong::new("a fork keeps no history to go back in").hint("fork again instead")
            );
        };
        let env = session.game().table().env();
        let last = session.journal().steps.last().map(|step| step.side.clone());
        let named = request.optional_text("side")?.map(str::to_owned);
        let id = bound.or(named).or(last);
        let id = id.ok_or_else(|| Wrong::new("nothing has been chosen yet"))?;
        let side = side(env, &id)?;
        session.undo(side).map_err(Wrong::new)?;
        let mut reply = json!({});
        self.standing(self.held(request)?.game(), &mut reply);
        Ok(reply)
    }

    /// A copy to think with. Its dice are others, lest a bot sees how the real ones will fall; with a seat,
    /// what that seat may not know is dealt anew as well.
    pub(crate) fn fork(&mut self, request: &Request) -> Reply {
        let seed = match request.optional_text("seed")? {
            Some(text) => seed(text)?,
            None => self.host.seed().map_err(Wrong::new)?,
        };
        let held = self.held(request)?;
        let mut game = held.game().fork();
        let same = request.flag("same_dice")?;
        let bound = self.is_bound() && matches!(held, Held::Session(..));
        if bound && same {
            return Err(Wrong::new(
                "whoever has a seat does not see the dice to come",
            ));
        }
        if bound || request.optional_text("seat")?.is_some() {
            let seat = self.seat(request, held)?;
            game.imagine(seat, seed).map_err(Wrong::from)?;
        } else if !same {
            game.reseed(seed);
        }
        let mut reply = json!({});
        self.standing(&game, &mut reply);
        reply["game"] = self.keep(Held::Fork(Box::new(game)))?.into();
        Ok(reply)
    }

    /// Lets go of a game.
    pub(crate) fn drop_game(&mut self, request: &Request) -> Reply {
        self.held(request)?;
        self.games.remove(request.text("game")?);
        Ok(json!({}))
    }

    /// The odds of one option, or of all that lead to a fight.
    pub(crate) fn odds(&mut self, request: &Request) -> Reply {
        let game = self.own_decision(request)?;
        let acts = match request.optional_text("option")? {
            Some(id) => vec![game.parse(id).map_err(Wrong::from)?],
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
    pub(crate) fn why(&mut self, request: &Request) -> Reply {
        let game = self.own_decision(request)?;
        let act = game.parse(request.text("option")?).map_err(Wrong::from)?;
        if is_offered(game, act) {
            return Ok(json!({"offered": true}));
        }
        let refusal = game.why_not(act);
        Ok(json!({"offered": false, "rule": refusal.rule.0, "why": refusal.why}))
    }

    /// The open decision as text for people.
    pub(crate) fn moves(&mut self, request: &Request) -> Reply {
        let game = self.own_decision(request)?;
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
    pub(crate) fn save(&mut self, request: &Request) -> Reply {
        if self.is_bound() {
            return Err(Wrong::new("a journal shows the seed: it is not for a seat"));
        }
        let Held::Session(session, _) = self.held(request)? else {
            return Err(
                Wrong::new("a fork has no journal").hint("save the game that it was forked from")
            );
        };
        let text = session.journal().write();
        match request.optional_text("file")? {
            None => Ok(json!({"journal": text})),
            Some(name) => {
                fs::write(self.file(name)?, text)
                    .map_err(|why| Wrong::new(format!("{name}: cannot be written: {why}")))?;
                Ok(json!({"file": name}))
            }
        }
    }
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
        let wrong = Wrong::from(why);
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
