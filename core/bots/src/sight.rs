//! What a bot gets to see.

use cupola_kernel::{Act, Ask, Env, Fault, Game, Seat, Seed, Side};
use siphasher::sip::SipHasher13;
use std::hash::{Hash, Hasher};

/// A player.
pub trait Bot: Send {
    /// Chooses one of the options.
    ///
    /// # Errors
    /// If the ruleset fails while the bot looks ahead.
    fn choose(&mut self, sight: &Sight) -> Result<Act, Fault>;
}

/// How often the same question may come up in a turn before a bot thinks that what it likes best leads nowhere.
const PATIENCE: u64 = 1;

/// A game as one seat sees it.
///
/// The game itself stays out of reach: a bot can look at the decision, and deal itself games that could be
/// this one.
pub struct Sight<'g> {
    game: &'g Game,
    side: Side,
    seed: Seed,
    /// What is asked, hashed.
    asked: SipHasher13,
    again: u64,
}

impl<'g> Sight<'g> {
    /// The open decision of a game, with the bot's own seed. None when the game is over.
    #[must_use]
    pub fn new(game: &'g Game, seed: Seed) -> Option<Sight<'g>> {
        let decision = game.decision()?;
        let mut hasher = SipHasher13::new();
        game.table().turn().hash(&mut hasher);
        decision.ask.question.hash(&mut hasher);
        // Which brigade, which hex: the options alone do not tell one question from the next.
        game.prompt().hash(&mut hasher);
        decision.options.hash(&mut hasher);
        Some(Sight {
            game,
            side: decision.ask.side,
            seed,
            asked: hasher,
            again: 0,
        })
    }

    /// The same question for so many times in a turn already.
    #[must_use]
    pub(crate) fn again(self, again: u64) -> Sight<'g> {
        Sight { again, ..self }
    }

    /// How many of the options that a bot likes best have led it round in a circle, as far as it can tell.
    pub(crate) fn in_circles(&self) -> usize {
        usize::try_from(self.again.saturating_sub(PATIENCE)).unwrap_or(usize::MAX)
    }

    /// Who must choose: the bot's side.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// What is asked.
    #[must_use]
    pub fn ask(&self) -> Ask {
        // A sight is made of an open decision.
        self.game.decision().map_or(
            Ask {
                side: self.side,
                question: "",
                rule: "",
            },
            |decision| decision.ask,
        )
    }

    /// Every legal option.
    #[must_use]
    pub fn options(&self) -> &'g [Act] {
        self.game
            .decision()
            .map_or(&[], |decision| decision.options)
    }

    /// What everybody knows: the map, the units, the turns.
    #[must_use]
    pub fn env(&self) -> &'g Env {
        self.game.table().env()
    }

    /// A seed for this decision alone: it follows from what is asked, so that two games that are alike from
    /// here get like answers, whatever happened before.
    #[must_use]
    pub fn seed(&self) -> Seed {
        let mut hasher = self.asked;
        self.again.hash(&mut hasher);
        self.seed.nth(hasher.finish())
    }

    /// Deals a game that could be this one as far as the seat knows: what is hidden and the dice to come are
    /// dealt anew.
    ///
    /// # Errors
    /// If the ruleset fails.
    pub fn imagine(&self, into: &mut Option<Game>, nth: u64) -> Result<(), Fault> {
        let copy = match into {
            Some(copy) => {
                copy.copy_from(self.game);
                copy
            }
            None => into.insert(self.game.fork()),
        };
        copy.imagine_asked(Seat::Player(self.side), self.seed().nth(nth))?;
        Ok(())
    }
}
