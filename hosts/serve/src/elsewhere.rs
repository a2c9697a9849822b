//! What other programs on the same database do with a game that is in memory here.

use crate::sitting::{Sitting, State};
use crate::store::{GameRecord, StepRecord};
use cupola_kernel::{Entry, StateHash};
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Sitting {
    /// Takes over what another program has done with the game.
    pub fn catch_up(&self) {
        let state = &mut *self.lock();
        if state.dropped {
            return;
        }
        let (id, known) = (self.id.clone(), state.steps());
        let found = self
            .store
            .run(move |shelf| Ok((shelf.game(&id)?, shelf.steps(&id, known)?)));
        match found {
            // Somebody said something.
            Ok((Some(record), _)) if record.version <= state.record.version => {}
            Ok((Some(record), steps))
                if record.undone == state.record.undone
                    && state.closed.is_none()
                    && self.follow(state, &record, &steps).is_some() => {}
            // Choices were taken back: it is loaded again.
            _ => state.dropped = true,
        }
        self.ring(state);
    }

    /// Goes on by choices that were made elsewhere. None if they do not lead where they did there.
    fn follow(&self, state: &mut State, record: &GameRecord, steps: &[StepRecord]) -> Option<()> {
        for step in steps {
            let hash = StateHash::parse(&step.hash)?;
            let entry = Entry::read(&step.side, &step.act, hash).ok()?;
            let side = self.scenery.play.env().side(&step.side)?;
            let act = state.game().parse(&entry.act).ok()?;
            let applied = catch_unwind(AssertUnwindSafe(|| {
                state.session.apply_again(side, act, &entry)
            }));
            let applied = applied.ok()?.ok()?;
            if applied.hash != hash {
                return None;
            }
            self.tell(state, &step.side, Some(&applied.events));
        }
        if record.meta.seats != state.record.meta.seats {
            let seed = state.session.journal().seed;
            state.bots = crate::bots::players(&record.meta, &self.scenery, seed);
        }
        state.record = record.clone();
        state.told = state.asked();
        Some(())
    }
}
