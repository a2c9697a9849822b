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

use crate::clock::now;
use crate::scenery::Scenery;
use crate::store::{GameRecord, Store};
use crate::tape::Tape;
use crate::wrong::Wrong;
use cupola_kernel::{Act, Game, Seat, Session, Side};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stream::Stream;
use tokio::sync::watch;

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
}

fn parse(game: &Game, option: &str) -> Result<Act, Wrong> {
    game.parse(option)
        .map_err(|why| Wrong::bad(why.to_string()))
}
