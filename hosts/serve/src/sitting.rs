//! One game being played: check, apply, store, acknowledge, tell.

use crate::asked;
use crate::clock::now;
use crate::frame::{Frame, event_value, frame};
use crate::scenery::Scenery;
use crate::store::{GameRecord, StepRecord, Store, StoreError};
use crate::tape::{Tape, step_value};
use crate::wrong::Wrong;
use cupola_kernel::{Act, Arg, Game, Seat, Session, Side};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Steps that are kept for those who watch; whoever is further behind gets a whole frame.
const KEPT: usize = 512;
/// Lines of the log that come with a whole frame.
const LOG: usize = 250;

/// What watchers wait for: the ply, and a number that grows when something else about the game changes.
pub(crate) type Tick = (u64, u64);

/// One game being played.
pub(crate) struct Sitting {
    pub id: String,
    pub scenery: Arc<Scenery>,
    pub store: Store,
    state: Mutex<State>,
    tick: watch::Sender<Tick>,
}

/// What changes while it is played.
pub(crate) struct State {
    pub record: GameRecord,
    pub session: Session,
    tape: Tape,
    streams: BTreeMap<Seat, Stream>,
    /// Who is at the table, and over how many lines.
    present: BTreeMap<String, usize>,
    pub bots: [Option<cupola_bots::Player>; 2],
    /// A bot is thinking about it.
    pub thinking: bool,
    /// The side that was last told that it must choose.
    pub told: Option<Side>,
    /// What is in memory is not what is stored: to be loaded again.
    pub dropped: bool,
    /// Why it cannot be played on: the rules have changed since.
    pub closed: Option<String>,
}

/// What was sent to a seat.
struct Stream {
    frame: Frame,
    steps: VecDeque<(u64, Arc<str>)>,
    watchers: usize,
}

impl State {
    /// A number that every change makes larger, choices taken back included.
    pub fn ply(&self) -> u64 {
        self.steps() as u64 + 2 * self.record.undone
    }

    /// Choices so far.
    pub fn steps(&self) -> usize {
        self.session.journal().steps.len()
    }

    pub fn game(&self) -> &Game {
        self.session.game()
    }

    /// The last choice, if it was this side's.
    pub fn last_act(&self, side: Side, scenery: &Scenery) -> Option<&str> {
        let last = self.session.journal().steps.last()?;
        let id = &scenery.play.env().sides[side].id;
        (last.side == *id).then_some(last.act.as_str())
    }

    /// The side that must choose.
    pub fn asked(&self) -> Option<Side> {
        self.game().decision().map(|decision| decision.ask.side)
    }

    /// Whether the game is over.
    pub fn over(&self) -> bool {
        self.game().verdict().is_some()
    }

    /// Notes in the record what the lobby shows.
    pub fn note(&mut self) {
        let game = self.session.game();
        let env = game.table().env();
        self.record.asked = game.decision().map(|decision| decision.ask.side as usize);
        self.record.turn = game.table().turn_info().label.clone();
        self.record.verdict = game.verdict().map_or(String::new(), |verdict| {
            let winner = verdict.winner.map(|side| env.sides[side].name.as_str());
            match winner {
                Some(name) => format!("{name}: {}", verdict.how),
                None => verdict.how.to_string(),
            }
        });
        self.record.moved = now();
        self.record.meta.held = 0;
    }

    fn check_ply(&self, ply: u64) -> Result<(), Wrong> {
        if ply == self.ply() {
            Ok(())
        } else {
            Err(Wrong::stale(self.ply()))
        }
    }

    /// A game that the rules have left behind is looked at and not played.
    fn check_open(&self) -> Result<(), Wrong> {
        match &self.closed {
            Some(why) => Err(Wrong::forbidden(why.clone())),
            None => Ok(()),
        }
    }
}

impl Sitting {
    /// Sits down at a game that is in order.
    pub fn seat(
        record: GameRecord,
        session: Session,
        scenery: Arc<Scenery>,
        store: Store,
    ) -> Sitting {
        let bots = crate::bots::players(&record.meta, &scenery, session.journal().seed);
        let asked = session.game().decision();
        let asked = asked.map(|decision| decision.ask.side);
        let state = State {
            record,
            session,
            tape: Tape::default(),
            streams: BTreeMap::new(),
            present: BTreeMap::new(),
            bots,
            thinking: false,
            told: asked,
            dropped: false,
            closed: None,
        };
        let (tick, _) = watch::channel((state.ply(), 0));
        Sitting {
            id: state.record.id.clone(),
            scenery,
            store,
            state: Mutex::new(state),
            tick,
        }
    }

    /// Locks the state. A thread that panicked has left nothing half done: steps are applied under a guard.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To be told of changes.
    pub fn subscribe(&self) -> watch::Receiver<Tick> {
        self.tick.subscribe()
    }

    /// Whether anybody is connected.
    pub fn is_watched(&self) -> bool {
        self.tick.receiver_count() > 0
    }

    /// The seat that a person asks for: one that he holds, or a spectator's; everybody's when the game is over.
    ///
    /// # Errors
    /// If it is not for this person.
    pub fn seat_of(&self, state: &State, person: &str, wanted: &str) -> Result<Seat, Wrong> {
        let meta = &state.record.meta;
        let holds = |side: Side| meta.serves(person, side as usize);
        let plays = meta.plays(person) || meta.by == person || meta.is_umpire(person);
        match wanted {
            "umpire" if state.over() || meta.is_umpire(person) => Ok(Seat::Umpire),
            "umpire" => Err(Wrong::forbidden("All is shown when the game is over.")),
            "observer" if meta.watched || plays || state.over() => Ok(Seat::Observer),
            "observer" => Err(Wrong::missing("game")),
            id => {
                let env = self.scenery.play.env();
                let side = env.side(id).ok_or_else(|| Wrong::missing("seat"))?;
                if holds(side) || state.over() {
                    Ok(Seat::Player(side))
                } else {
                    Err(Wrong::forbidden("That seat is somebody else's."))
                }
            }
        }
    }

    /// Whether a person may look at the table at all.
    ///
    /// # Errors
    /// If not; it sounds as if there were no such game.
    pub fn may_look(&self, state: &State, person: &str) -> Result<(), Wrong> {
        self.seat_of(state, person, "observer").map(|_| ())
    }

    /// Whether somebody is at the table.
    pub fn is_present(&self, state: &State, person: &str) -> bool {
        state.present.contains_key(person)
    }

    /// The side of a seat that a person holds or shares.
    ///
    /// # Errors
    /// If it is not his.
    pub fn side_of(&self, state: &State, person: &str, wanted: &str) -> Result<Side, Wrong> {
        let side = self.scenery.play.env().side(wanted);
        let side = side.ok_or_else(|| Wrong::missing("seat"))?;
        if state.record.meta.serves(person, side as usize) {
            Ok(side)
        } else {
            Err(Wrong::forbidden("That seat is somebody else's."))
        }
    }

    /// Carries out a person's choice and stores it.
    ///
    /// # Errors
    /// If it is stale, somebody else's, refused or cannot be stored; nothing has changed then.
    pub fn choose(
        &self,
        state: &mut State,
        (person, side): (&str, Side),
        option: &str,
        ply: u64,
    ) -> Result<u64, Wrong> {
        state.check_ply(ply)?;
        let act = parse(state.game(), option)?;
        self.check_order(state, (person, side), act)?;
        self.carry_out(state, side, act)
    }

    /// What a seat knows now. Those who choose also learn which unit the question is about.
    fn frame_of(&self, state: &State, seat: Seat) -> Frame {
        let mut frame = frame(state.game(), seat, &self.scenery.faces);
        if let Seat::Player(side) = seat
            && state.asked() == Some(side)
            && let Some(act) = state.last_act(side, &self.scenery)
            && let Some(unit) = self.chain(state, side).subject(act)
        {
            frame.about(&self.scenery.play.env().units[usize::from(unit.0)].id);
        }
        frame
    }

    /// Carries out an act and stores it.
    ///
    /// # Errors
    /// If it is refused or cannot be stored; nothing has changed then.
    pub fn carry_out(&self, state: &mut State, side: Side, act: Act) -> Result<u64, Wrong> {
        if state.dropped {
            return Err(Wrong::stale(state.ply()));
        }
        state.check_open()?;
        let applied = catch_unwind(AssertUnwindSafe(|| state.session.apply(side, act)));
        let applied = match applied {
            Ok(applied) => applied?,
            Err(_) => {
                state.dropped = true;
                self.ring(state);
                return Err(Wrong::broken(
                    "The ruleset failed, and your choice was taken back.",
                ));
            }
        };
        state.record.meta.take_back = None;
        state.note();
        let entry = state.session.journal().steps.last().cloned();
        let Some(entry) = entry else {
            return Err(Wrong::broken("The choice was not written down."));
        };
        let step = StepRecord {
            number: state.steps(),
            side: entry.side.clone(),
            act: entry.act,
            hash: entry.hash.to_string(),
            at: state.record.moved,
        };
        let record = state.record.clone();
        let stored = self.store.run(move |shelf| {
            // The version tells whether somebody else was faster, before a step is in the way of his.
            shelf.change_game(&record)?;
            shelf.add_step(&record.id, &step)
        });
        self.settled(state, stored)?;
        self.tell(state, &entry.side, Some(&applied.events));
        if state.over() {
            // All may see all now: what is about the table has changed too.
            self.ring(state);
        }
        Ok(state.ply())
    }

    /// Takes back the choices of a side behind a step, as far as no die and no reveal is among them.
    ///
    /// # Errors
    /// If it is stale or cannot be taken back.
    pub fn undo(&self, state: &mut State, side: Side, to: usize, ply: u64) -> Result<u64, Wrong> {
        state.check_ply(ply)?;
        state.check_open()?;
        let before = state.steps();
        while state.steps() > to {
            if let Err(why) = state.session.undo(side) {
                if state.steps() == before {
                    return Err(Wrong::bad(format!("That cannot be taken back: {why}.")));
                }
                break;
            }
        }
        self.taken_back(state, before)
    }

    /// Goes back to a step that both sides agreed on, dice or not.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn rewind(&self, state: &mut State, to: usize) -> Result<u64, Wrong> {
        state.check_open()?;
        let before = state.steps();
        let mut journal = state.session.journal().clone();
        journal.steps.truncate(to);
        state.session = Session::replay(&self.scenery.play, &journal, &self.id)
            .map_err(|problems| Wrong::broken(problems.to_string()))?;
        self.taken_back(state, before)
    }

    /// Nothing was chosen, and everything is otherwise than it was.
    pub fn begin_anew(&self, state: &mut State) -> Result<(), Wrong> {
        state.tape = Tape::default();
        // Two that come and go: plies never come twice.
        self.taken_back(state, 1).map(|_| ())
    }

    fn taken_back(&self, state: &mut State, before: usize) -> Result<u64, Wrong> {
        let keep = state.steps();
        state.record.undone += (before - keep) as u64;
        state.record.meta.take_back = None;
        state.note();
        state.tape.cut(keep);
        let record = state.record.clone();
        let stored = self.store.run(move |shelf| {
            shelf.change_game(&record)?;
            shelf.cut_steps(&record.id, keep)
        });
        self.settled(state, stored)?;
        self.tell(state, "", None);
        self.ring(state);
        Ok(state.ply())
    }

    /// Stores a changed record: seats, aids, pauses.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn keep_record(&self, state: &mut State) -> Result<(), Wrong> {
        let record = state.record.clone();
        let stored = self.store.run(move |shelf| shelf.change_game(&record));
        self.settled(state, stored)?;
        self.ring(state);
        Ok(())
    }

    /// If it was not stored, what is in memory is wrong.
    fn settled(&self, state: &mut State, stored: Result<(), StoreError>) -> Result<(), Wrong> {
        match stored {
            Ok(()) => {
                state.record.version += 1;
                Ok(())
            }
            Err(error) => {
                state.dropped = true;
                self.ring(state);
                Err(Wrong::of_store(error, state.ply()))
            }
        }
    }

    /// Tells watchers that something besides the ply changed.
    pub fn ring(&self, state: &State) {
        let ply = state.ply();
        self.tick.send_modify(|tick| *tick = (ply, tick.1 + 1));
    }

    /// Writes down for every seat that is watched what it may know of the last step.
    pub fn tell(&self, state: &mut State, side: &str, events: Option<&[cupola_kernel::Event]>) {
        let (ply, number) = (state.ply(), state.steps());
        let env = self.scenery.play.env();
        let mut streams = std::mem::take(&mut state.streams);
        streams.retain(|_, stream| stream.watchers > 0);
        for (seat, stream) in &mut streams {
            let next = self.frame_of(state, *seat);
            let known = events.unwrap_or_default().iter();
            let known: Vec<Value> = known
                .filter(|event| event.known_to(*seat))
                .map(|event| event_value(env, event))
                .collect();
            let mut message = step_value(number, side, &next, &stream.frame, &known);
            message["ply"] = ply.into();
            if events.is_none() {
                message["undo"] = true.into();
            }
            stream.frame = next;
            stream.steps.push_back((ply, message.to_string().into()));
            if stream.steps.len() > KEPT {
                stream.steps.pop_front();
            }
        }
        state.streams = streams;
        self.tick.send_modify(|tick| tick.0 = ply);
    }

    /// Begins to keep what a seat is to be told.
    pub fn watch(&self, seat: Seat, person: &str) {
        let state = &mut *self.lock();
        *state.present.entry(person.to_owned()).or_default() += 1;
        if !state.streams.contains_key(&seat) {
            let stream = Stream {
                frame: self.frame_of(state, seat),
                steps: VecDeque::new(),
                watchers: 0,
            };
            state.streams.insert(seat, stream);
        }
        if let Some(stream) = state.streams.get_mut(&seat) {
            stream.watchers += 1;
        }
    }

    /// Ends it.
    pub fn unwatch(&self, seat: Seat, person: &str) {
        let state = &mut *self.lock();
        if let Some(stream) = state.streams.get_mut(&seat) {
            stream.watchers = stream.watchers.saturating_sub(1);
        }
        if let Some(lines) = state.present.get_mut(person) {
            *lines -= 1;
            if *lines == 0 {
                state.present.remove(person);
            }
        }
    }

    /// What a watcher who knows a ply is to be told: steps, or a whole frame. None if he knows all.
    pub fn since(&self, seat: Seat, known: u64) -> Option<(u64, String)> {
        let state = &mut *self.lock();
        let ply = state.ply();
        if known == ply {
            return None;
        }
        let steps = state.streams.get(&seat).map(|stream| &stream.steps);
        let fits = steps.is_some_and(|steps| {
            steps
                .front()
                .is_some_and(|(first, _)| *first <= known + 1 && known < ply)
        });
        if !fits {
            return Some((ply, self.whole(state, seat).to_string()));
        }
        let steps: Vec<&str> = steps
            .into_iter()
            .flatten()
            .filter(|(at, _)| *at > known)
            .map(|(_, text)| &**text)
            .collect();
        Some((ply, format!("{{\"steps\":[{}]}}", steps.join(","))))
    }

    /// Everything a seat may know now.
    pub fn whole(&self, state: &State, seat: Seat) -> Value {
        let env = self.scenery.play.env();
        let events: Vec<_> = state.session.events(seat, 0).collect();
        let log: Vec<Value> = events[events.len().saturating_sub(LOG)..]
            .iter()
            .map(|(step, event)| {
                let mut value = event_value(env, event);
                value["step"] = (*step).into();
                value
            })
            .collect();
        json!({
            "ply": state.ply(),
            "step": state.steps(),
            "frame": self.frame_of(state, seat).value(),
            "log": log,
        })
    }

    /// The dice that a seat saw fall, by the side whose choice let them: how many, their sum, what was to be expected,
    /// and the variance of that.
    pub fn luck(&self, state: &State, seat: Seat) -> Value {
        let steps = &state.session.journal().steps;
        let mut sums: BTreeMap<&str, [f64; 4]> = BTreeMap::new();
        for (step, event) in state.session.events(seat, 0) {
            let Some(entry) = step.checked_sub(1).and_then(|index| steps.get(index)) else {
                continue;
            };
            let sum = sums.entry(&entry.side).or_default();
            for die in &event.dice {
                let sides = f64::from(die.sides);
                sum[0] += 1.0;
                sum[1] += f64::from(die.value);
                sum[2] += (sides + 1.0) / 2.0;
                sum[3] += (sides * sides - 1.0) / 12.0;
            }
        }
        json!(sums)
    }

    /// What a seat saw from one step to another.
    ///
    /// # Errors
    /// If there are no such steps.
    pub fn film(&self, seat: Seat, from: usize, to: usize) -> Result<Value, Wrong> {
        let state = &mut *self.lock();
        let journal = state.session.journal();
        let to = to.min(journal.steps.len());
        if from > to {
            return Err(Wrong::bad("There are no such steps."));
        }
        let scenery = (&self.scenery.play, &self.scenery.faces);
        state
            .tape
            .film(scenery, journal.seed, &journal.steps, seat, (from, to))
            .map_err(Wrong::broken)
    }

    /// Whether lines of sight are shown at this table.
    ///
    /// # Errors
    /// If they are switched off.
    pub fn check_sight(&self) -> Result<(), Wrong> {
        match self.lock().record.meta.aids.sight {
            true => Ok(()),
            false => Err(Wrong::forbidden(
                "Lines of sight are switched off at this table.",
            )),
        }
    }

    /// The odds of an option.
    ///
    /// # Errors
    /// If it is stale or there is no such option.
    pub fn odds(&self, side: Side, option: &str, ply: u64) -> Result<Value, Wrong> {
        let game = self.question(side, ply)?;
        let act = parse(&game, option)?;
        Ok(json!({"odds": asked::odds(&game, act)}))
    }

    /// Why nothing can be done with a hex or a unit.
    ///
    /// # Errors
    /// If it is stale or there is no such thing.
    pub fn why_not(&self, side: Side, thing: &str, ply: u64) -> Result<Value, Wrong> {
        let game = self.question(side, ply)?;
        let env = game.table().env();
        let arg = match thing.split_at_checked(1) {
            Some(("u", id)) => env.unit(id).map(Arg::Unit),
            Some(("h", label)) => env.board.hex(label).ok().map(Arg::Hex),
            _ => None,
        };
        let arg = arg.ok_or_else(|| Wrong::missing("thing"))?;
        Ok(json!({"why": asked::why_not(&game, arg)}))
    }

    /// A copy of the game for a question of the side that must choose: working it out holds nobody up.
    fn question(&self, side: Side, ply: u64) -> Result<Game, Wrong> {
        let state = self.lock();
        state.check_ply(ply)?;
        if state.asked() != Some(side) {
            return Err(Wrong::forbidden("The decision is the other side's."));
        }
        Ok(state.game().fork())
    }
}

fn parse(game: &Game, option: &str) -> Result<Act, Wrong> {
    game.parse(option)
        .map_err(|why| Wrong::bad(why.to_string()))
}
