//! What saving a file has changed, for whoever follows the files of some rules.

use crate::{Resolved, Told, differences, displaced};
use cupola_kernel::Game;

/// Rules that are looked at again and again: what the last look that found something new has found.
#[derive(Default)]
pub struct Since {
    last: Option<(Resolved, Game)>,
    told: Vec<Told>,
}

impl Since {
    /// Takes in the rules as they are now, with a game under them, and says what the last change was. A look that finds
    /// nothing new leaves that as it was.
    pub fn look(&mut self, rules: Resolved, game: &Game) -> &[Told] {
        if let Some((before, stood)) = &self.last {
            let mut told = differences(before, &rules);
            told.extend(displaced(stood, game));
            if !told.is_empty() {
                self.told = told;
            }
        }
        self.last = Some((rules, game.fork()));
        &self.told
    }

    /// The last change.
    #[must_use]
    pub fn told(&self) -> &[Told] {
        &self.told
    }
}
