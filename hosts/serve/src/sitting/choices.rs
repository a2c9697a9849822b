//! Choices are carried out, taken back and stored. What cannot be stored has not happened.

use super::{Sitting, State, parse};
use crate::reopen::{TOLD, take_up};
use crate::store::{StepRecord, StoreError};
use crate::wrong::Wrong;
use cupola_kernel::{Act, Side};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What somebody chose.
pub(crate) struct Order<'a> {
    /// The ply it answers.
    pub ply: u64,
    /// The option's id.
    pub option: &'a str,
    /// Dice as they fell, at a table where they are typed in.
    pub dice: &'a [u16],
}

impl Sitting {
    /// Carries out a person's choice and stores it.
    ///
    /// # Errors
    /// If it is stale, somebody else's, refused or cannot be stored; nothing has changed then.
    pub fn choose(
        &self,
        state: &mut State,
        (person, side): (&str, Side),
        order: &Order<'_>,
    ) -> Result<u64, Wrong> {
        state.check_ply(order.ply)?;
        let act = parse(state.game(), order.option)?;
        self.check_order(state, (person, side), act)?;
        let typed = state.record.meta.typed;
        if !typed && !order.dice.is_empty() {
            return Err(Wrong::bad("No dice are typed in at this table."));
        }
        self.carry_out(state, side, act, typed.then_some(order.dice))
    }

    /// Carries out an act and stores it; with dice that were typed in, or with those of the seed.
    ///
    /// # Errors
    /// If it is refused, wants another die or cannot be stored; nothing has changed then.
    pub fn carry_out(
        &self,
        state: &mut State,
        side: Side,
        act: Act,
        typed: Option<&[u16]>,
    ) -> Result<u64, Wrong> {
        if state.dropped {
            return Err(Wrong::stale(state.ply()));
        }
        state.check_open()?;
        let applied = catch_unwind(AssertUnwindSafe(|| match typed {
            Some(dice) => state.session.apply_typed(side, act, dice),
            None => state.session.apply(side, act),
        }));
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
        state.record.meta.go_on();
        state.note();
        let entry = state.session.journal().steps.last().cloned();
        let Some(entry) = entry else {
            return Err(Wrong::broken("The choice was not written down."));
        };
        let step = StepRecord {
            number: state.steps(),
            side: entry.side.clone(),
            act: entry.text(),
            hash: entry.hash.to_string(),
            at: state.record.moved,
        };
        let record = state.record.clone();
        let kept = state.worth_keeping();
        let until = kept.as_ref().map(|(step, _)| *step);
        let stored = self.store.run(move |shelf| {
            // The version tells whether somebody else was faster, before a step is in the way of his.
            shelf.change_game(&record)?;
            shelf.add_step(&record.id, &step)?;
            match kept {
                Some((step, state)) => shelf.keep_state(&record.id, step, &state),
                None => Ok(()),
            }
        });
        self.settled(state, stored)?;
        state.kept = until.unwrap_or(state.kept);
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
        let (id, until) = (self.id.clone(), to.saturating_sub(TOLD));
        // Without it the game is played again from its first choice.
        let kept = self.store.run(move |shelf| shelf.state(&id, until));
        let kept = kept.ok().flatten();
        state.session = take_up(&self.scenery.play, &journal, &self.id, kept.as_ref())
            .map_err(|problems| Wrong::broken(problems.to_string()))?
            .session;
        self.taken_back(state, before)
    }

    /// Nothing was chosen, and everything is otherwise than it was.
    pub fn begin_anew(&self, state: &mut State) -> Result<(), Wrong> {
        // Two that come and go: plies never come twice.
        self.taken_back(state, 1).map(|_| ())
    }

    fn taken_back(&self, state: &mut State, before: usize) -> Result<u64, Wrong> {
        let keep = state.steps();
        state.record.undone += (before - keep) as u64;
        state.record.meta.go_on();
        state.note();
        state.kept = state.kept.min(keep);
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
}
