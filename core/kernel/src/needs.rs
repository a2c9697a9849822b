//! What a phase or a combat system must find where it is composed.

/// What a phase or combat system needs. A composition that does not give it is refused with both
/// names, before any game is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    pub(crate) player_turn: bool,
}

impl Needs {
    /// It can be played anywhere.
    #[must_use]
    pub fn nothing() -> Needs {
        Needs::default()
    }

    /// It is played in a player turn, by each side for itself: only then has
    /// [`crate::Table::active`] an answer.
    #[must_use]
    pub fn player_turn(mut self) -> Needs {
        self.player_turn = true;
        self
    }
}
