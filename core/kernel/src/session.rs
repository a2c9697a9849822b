//! A session: a game with its journal, its events and its undo.

use crate::act::Act;
use crate::dice::{RollRecord, Seed};
use crate::event::Event;
use crate::game::{ApplyError, Game};
use crate::hash::StateHash;
use crate::ids::{Seat, Side};
use crate::journal::{Entry, Journal};
use crate::phase::Fault;
use crate::play::Play;
use cupola_data::{Problem, Problems};

/// A game with its journal.
pub struct Session {
    game: Game,
    journal: Journal,
    /// The states before each step since the last die or reveal.
    undo: Vec<Game>,
    events: Vec<(usize, Event)>,
}

/// What a choice led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// What happened, everything included.
    pub events: Vec<Event>,
    /// The dice as they fell.
    pub rolls: Vec<RollRecord>,
    /// The hash of the new state.
    pub hash: StateHash,
}

impl Session {
    /// Starts a game and its journal.
    ///
    /// # Errors
    /// If the ruleset cannot begin.
    pub fn new(play: &Play, mut journal: Journal) -> Result<Session, Fault> {
        let mut game = play.game(journal.seed)?;
        game.listen(true);
        journal.start = game.hash();
        journal.steps.clear();
        Ok(Session {
            game,
            journal,
            undo: vec![],
            events: vec![],
        })
    }

    /// Starts an unnamed game of a play.
    ///
    /// # Errors
    /// If the ruleset cannot begin.
    pub fn begin(play: &Play, seed: Seed) -> Result<Session, Fault> {
        let ruleset = play.env().ruleset.clone();
        Session::new(play, Journal::new(play, &ruleset, None, seed, None))
    }

    /// Plays a journal again and compares every hash.
    ///
    /// # Errors
    /// The first step that does not lead where the journal says, or that is refused.
    pub fn replay(play: &Play, journal: &Journal, file: &str) -> Result<Session, Problems> {
        let first = first_step_line(journal);
        let wrong = |step: usize, message: String| {
            let mut problem = Problem::file(file, message);
            problem.line = (first + step) as u32;
            problem.column = 1;
            problem.field = step.to_string();
            Problems::from(problem)
        };
        if journal.resolved != play.resolved() {
            let message = format!(
                "this game was played under other rules: the journal says {}, here “{}” comes to {}",
                journal.resolved,
                play.env().ruleset,
                play.resolved()
            );
            return Err(wrong(0, message));
        }
        let mut session =
            Session::new(play, journal.clone()).map_err(|fault| wrong(0, fault.to_string()))?;
        if session.journal.start != journal.start {
            return Err(wrong(
                0,
                format!(
                    "the game starts at {}, the journal at {}",
                    session.journal.start, journal.start
                ),
            ));
        }
        for (i, step) in journal.steps.iter().enumerate() {
            let side = play.env().side(&step.side);
            let side = side
                .ok_or_else(|| wrong(i + 1, format!("no side \"{}\" in this game", step.side)))?;
            let act = session
                .game
                .parse(&step.act)
                .map_err(|unknown| wrong(i + 1, unknown.to_string()))?;
            let done = session
                .apply(side, act)
                .map_err(|why| wrong(i + 1, format!("\"{}\": {why}", step.act)))?;
            if done.hash != step.hash {
                return Err(wrong(
                    i + 1,
                    format!("leads to {}, not to {}", done.hash, step.hash),
                ));
            }
        }
        Ok(session)
    }

    /// Carries out a choice.
    ///
    /// # Errors
    /// If it is refused; nothing has changed then.
    pub fn apply(&mut self, side: Side, act: Act) -> Result<Applied, ApplyError> {
        let (name, before, luck) = (self.game.name(act), self.game.fork(), self.game.luck());
        if let Err(error) = self.game.apply(side, act) {
            if matches!(error, ApplyError::Fault(_)) {
                // A ruleset or plugin failed half-way: the step never happened.
                self.game.copy_from(&before);
                // Nor did what was said and rolled on the way.
                self.game.listen(true);
            }
            return Err(error);
        }
        if self.game.luck() == luck {
            self.undo.push(before);
        } else {
            self.undo.clear();
        }
        let hash = self.game.hash();
        let side = self.game.table().env().sides[side].id.clone();
        self.journal.steps.push(Entry {
            side,
            act: name,
            hash,
        });
        let (events, rolls) = self.game.take_events();
        let step = self.journal.steps.len();
        self.events
            .extend(events.iter().cloned().map(|event| (step, event)));
        Ok(Applied {
            events,
            rolls,
            hash,
        })
    }

    /// Takes back the last choice, if it was this side's and led to no die and no reveal.
    ///
    /// # Errors
    /// Why it cannot be taken back.
    pub fn undo(&mut self, side: Side) -> Result<(), &'static str> {
        let last = self
            .journal
            .steps
            .last()
            .ok_or("nothing has been chosen yet")?;
        if last.side != self.game.table().env().sides[side].id {
            return Err("the last choice was the other side's");
        }
        let before = self
            .undo
            .last()
            .ok_or("a die was rolled or something hidden was shown since")?;
        self.game.copy_from(before);
        self.undo.pop();
        self.journal.steps.pop();
        let steps = self.journal.steps.len();
        self.events.retain(|(step, _)| *step <= steps);
        Ok(())
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The journal so far.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The events that a seat may know, from this step on.
    pub fn events(&self, seat: Seat, from: usize) -> impl Iterator<Item = (usize, &Event)> {
        self.events
            .iter()
            .filter(move |(step, event)| *step >= from && event.known_to(seat))
            .map(|(s, e)| (*s, e))
    }
}

/// The line of a journal's text on which its start stands; step `n` is `n` lines below.
fn first_step_line(journal: &Journal) -> usize {
    8 + journal
        .position
        .as_deref()
        .map_or(0, |text| text.lines().count())
}
