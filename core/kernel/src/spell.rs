//! State that lasts for a while: for a player turn, a turn or a day, and is then gone.

use crate::table::Table;

/// When something is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// When the player turn ends.
    PlayerTurnEnds,
    /// Once the next player turn has begun: its first phase has been entered.
    PlayerTurnBegins,
    /// When the turn ends.
    TurnEnds,
    /// Once the next turn has begun.
    TurnBegins,
    /// When the last turn of a day ends.
    DayEnds,
}

type Left = dyn Fn(&Table) -> Option<String> + Send + Sync;

/// State that lasts for a while and is then gone, for both sides. A ruleset declares what it has
/// ([`crate::Ruleset::spells`]); the conformance suite looks where it should be gone.
pub struct Spell {
    /// What it is.
    pub name: &'static str,
    /// When it must be gone.
    pub until: Until,
    left: Box<Left>,
}

impl Spell {
    /// State by its name, when it must be gone, and what is left of it on a table: `heth is halted`.
    pub fn new(
        name: &'static str,
        until: Until,
        left: impl Fn(&Table) -> Option<String> + Send + Sync + 'static,
    ) -> Spell {
        Spell {
            name,
            until,
            left: Box::new(left),
        }
    }

    /// What is left of it on a table.
    #[must_use]
    pub fn left(&self, table: &Table) -> Option<String> {
        (self.left)(table)
    }
}
