//! One game being played: check, apply, store, acknowledge, tell.
//!
//! * [`seats`] says who may look and choose from where;
//! * [`choices`] carries out choices, takes them back and stores them;
//! * [`stream`] tells those who watch what changed;
//! * [`questions`] answers what somebody asks before choosing, and shows what was.

mod choices;
mod questions;
mod seats;
mod stream;

pub(crate) use choices::Order;

use crate::bell::Bell;
use crate::clock::now;
use crate::luck::Before;
use crate::reopen::KEEP_EVERY;
use crate::scenery::Scenery;
use crate::store::{GameRecord, StepRecord, Store};
use crate::tape::Tape;
use crate::wrong::Wrong;
use cupola_kernel::{Act, Game, Seat, Session, Side};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stream::Stream;

/// Where a game is played: what it shares with others, where it is stored, and who is to be told.
pub(crate) struct Room {
    pub scenery: Arc<Scenery>,
    pub store: Store,
    pub bell: Arc<Bell>,
}

/// One game being played. It is a cache: the store has everything, so it may be let go and opened again at any time.
pub(crate) struct Sitting {
    pub id: String,
    pub scenery: Arc<Scenery>,
    pub store: Store,
    pub bell: Arc<Bell>,
    state: Mutex<State>,
    /// To look at what was, while others play on.
    tape: Mutex<Tape>,
    fell_before: Mutex<Option<Before>>,
    /// Somebody wanted something of it lately.
    used: AtomicBool,
    /// Looks at the crowd since then.
    looks: AtomicU32,
}

/// What changes while it is played.
pub(crate) struct State {
    pub record: GameRecord,
    pub session: Session,
    /// The step of the last state that was kept in the store.
    pub kept: usize,
    streams: BTreeMap<Seat, Stream>,
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

    /// The step up to which a side may take back its own choices: no further than the last die or reveal.
    pub fn undo_to(&self, side: Side, scenery: &Scenery) -> usize {
        let (settled, _) = self.session.settled();
        let id = &scenery.play.env().sides[side].id;
        let since = &self.session.journal().steps[settled..];
        let own = since.iter().rev().take_while(|step| step.side == *id);
        self.steps() - own.count()
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

    /// All choices as they are stored.
    pub fn step_records(&self, at: i64) -> Vec<StepRecord> {
        let steps = self.session.journal().steps.iter().enumerate();
        steps
            .map(|(index, step)| StepRecord {
                number: index + 1,
                side: step.side.clone(),
                act: step.text(),
                hash: step.hash.to_string(),
                at,
            })
            .collect()
    }

    /// A state that saves whoever opens the game later the steps before it: now and then, and one behind which nothing is
    /// taken back but by agreement.
    fn worth_keeping(&self) -> Option<(usize, Vec<u8>)> {
        let (step, game) = self.session.settled();
        if step < self.kept + KEEP_EVERY {
            return None;
        }
        // What cannot be written was refused before.
        game.snapshot().ok().map(|state| (step, state))
    }

    pub(super) fn check_ply(&self, ply: u64) -> Result<(), Wrong> {
        if ply == self.ply() {
            Ok(())
        } else {
            Err(Wrong::stale(self.ply()))
        }
    }

    /// A game that the rules have left behind is looked at and not played.
    pub(super) fn check_open(&self) -> Result<(), Wrong> {
        match &self.closed {
            Some(why) => Err(Wrong::forbidden(why.clone())),
            None => Ok(()),
        }
    }
}

impl Sitting {
    /// Sits down at a game that is in order.
    pub fn seat(record: GameRecord, session: Session, room: Room) -> Sitting {
        let Room {
            scenery,
            store,
            bell,
        } = room;
        let bots = crate::bots::players(&record.meta, &scenery, session.journal().seed);
        let asked = session.game().decision();
        let asked = asked.map(|decision| decision.ask.side);
        let state = State {
            record,
            session,
            kept: 0,
            streams: BTreeMap::new(),
            bots,
            thinking: false,
            told: asked,
            dropped: false,
            closed: None,
        };
        Sitting {
            id: state.record.id.clone(),
            scenery,
            store,
            bell,
            state: Mutex::new(state),
            tape: Mutex::default(),
            fell_before: Mutex::default(),
            used: AtomicBool::new(true),
            looks: AtomicU32::new(0),
        }
    }

    /// Locks what is kept to look at earlier steps. What a panic leaves there fits its hash or is not used.
    pub fn tape(&self) -> MutexGuard<'_, Tape> {
        self.tape.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks what is known of the dice before the game was taken up.
    pub fn fell_before(&self) -> MutexGuard<'_, Option<Before>> {
        self.fell_before
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the state. A thread that panicked has left nothing half done: steps are applied under a guard.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody wants something of it.
    pub fn use_it(&self) {
        self.used.store(true, Ordering::Relaxed);
        self.looks.store(0, Ordering::Relaxed);
    }

    /// How many looks at the crowd it is since somebody wanted anything of it, with this one; none while it is busy.
    pub fn looks_since(&self) -> Option<u32> {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        let busy = match self.state.try_lock() {
            Ok(state) => state.thinking,
            Err(_) => true,
        };
        (!busy).then_some(looks + 1)
    }

    /// Whether it may sleep: nobody is at the table, or nobody there has wanted anything since this was last asked.
    pub fn is_idle(&self) -> bool {
        let used = self.used.swap(false, Ordering::Relaxed);
        let thinking = self.lock().thinking;
        let wanted = used && self.bell.is_heard();
        !thinking && !wanted
    }
}

fn parse(game: &Game, option: &str) -> Result<Act, Wrong> {
    game.parse(option)
        .map_err(|why| Wrong::bad(why.to_string()))
}
