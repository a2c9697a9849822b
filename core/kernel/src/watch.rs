//! Looking on while a game goes from phase to phase: for tests of what must be gone by then.

use crate::phase::Fault;
use crate::play::{Play, Slot};
use crate::table::Table;
use std::sync::Arc;

/// Where one phase ends or the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seam<'a> {
    /// The phase that ends or begins.
    pub phase: &'a str,
    /// Whether a player turn ends or begins with it.
    pub player_turn: bool,
    /// Whether the turn ends or begins with it.
    pub turn: bool,
}

/// Looks on. A fault ends the game, as if a rule had failed.
pub trait Watch: Send + Sync {
    /// A phase has begun: [`crate::Phase::enter`] has been called, nothing is asked yet.
    ///
    /// # Errors
    /// If something is wrong.
    fn entered(&self, _table: &Table, _seam: Seam) -> Result<(), Fault> {
        Ok(())
    }

    /// A phase is over; the turn is still what it was.
    ///
    /// # Errors
    /// If something is wrong.
    fn left(&self, _table: &Table, _seam: Seam) -> Result<(), Fault> {
        Ok(())
    }
}

impl Play {
    /// The same play, with somebody who looks on.
    #[must_use]
    pub fn watched(&self, watch: Arc<dyn Watch>) -> Play {
        let mut inner = (*self.inner).clone();
        inner.watch = Some(watch);
        Play {
            inner: Arc::new(inner),
            start: self.start.clone(),
            position: self.position.clone(),
        }
    }
}

/// The seam at the beginning of a phase.
pub(crate) fn beginning(slots: &[Slot], at: usize) -> Seam<'_> {
    let before = at.checked_sub(1).and_then(|at| slots[at].player);
    Seam {
        phase: &slots[at].name,
        player_turn: slots[at].player.is_some() && before != slots[at].player,
        turn: at == 0,
    }
}

/// The seam at the end of a phase.
pub(crate) fn end(slots: &[Slot], at: usize) -> Seam<'_> {
    let after = slots.get(at + 1).and_then(|slot| slot.player);
    Seam {
        phase: &slots[at].name,
        player_turn: slots[at].player.is_some() && after != slots[at].player,
        turn: at + 1 == slots.len(),
    }
}
