//! Players by name, and the guard against going round in circles.

use crate::brief::Brief;
use crate::random::Random;
use crate::search::Search;
use crate::sight::{Bot, Sight};
use crate::steady::Steady;
use cupola_data::nearest;
use cupola_kernel::{Act, Fault, Game, Seed};
use std::fmt;
use std::sync::Arc;

/// How well a player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skill {
    /// Chooses any option.
    Random,
    /// Carries out a plan.
    Steady,
    /// Looks ahead, with so many nodes for each decision.
    Search(u32),
}

/// Nodes of a searching player who is not told how many.
const NODES: u32 = 1000;

impl Skill {
    /// Reads `random`, `steady`, `search` or `search:1000`.
    ///
    /// # Errors
    /// If nobody is called so, with who there is.
    pub fn parse(text: &str) -> Result<Skill, String> {
        match text.split_once(':') {
            Some(("search", nodes)) => {
                let nodes = nodes
                    .parse()
                    .ok()
                    .filter(|nodes| (1..=1_000_000).contains(nodes));
                nodes.map(Skill::Search).ok_or_else(|| {
                    format!("\"{text}\": a search takes 1 to 1000000 nodes, as in search:{NODES}")
                })
            }
            None if text == "random" => Ok(Skill::Random),
            None if text == "steady" => Ok(Skill::Steady),
            None if text == "search" => Ok(Skill::Search(NODES)),
            _ => {
                let known = ["random", "steady", "search"];
                let hint = nearest(text, known)
                    .map_or("there are random, steady and search".to_owned(), |near| {
                        format!("did you mean \"{near}\"?")
                    });
                Err(format!("no bot is called \"{text}\"; {hint}"))
            }
        }
    }
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Skill::Random => f.write_str("random"),
            Skill::Steady => f.write_str("steady"),
            Skill::Search(NODES) => f.write_str("search"),
            Skill::Search(nodes) => write!(f, "search:{nodes}"),
        }
    }
}

/// A bot in a seat.
pub struct Player {
    bot: Box<dyn Bot>,
    seed: Seed,
    /// The decisions of this turn so far, by their seeds, and how much luck there had been.
    turn: u16,
    seen: Vec<(u128, (u32, u32))>,
}

/// How often the same question may come up in a turn before the bot tries any way out, however bad.
const PATIENCE: usize = 100;

impl Player {
    /// A player of this skill who follows this brief; `other` is what a searching player takes the enemy
    /// to be about.
    #[must_use]
    pub fn new(skill: Skill, brief: &Arc<Brief>, other: &Arc<Brief>, seed: Seed) -> Player {
        let bot: Box<dyn Bot> = match skill {
            Skill::Random => Box::new(Random),
            Skill::Steady => Box::new(Steady::new(brief.clone())),
            Skill::Search(nodes) => Box::new(Search::new(brief, other, nodes)),
        };
        Player {
            bot,
            seed,
            turn: u16::MAX,
            seen: vec![],
        }
    }

    /// Chooses for the side that must, if the game is not over.
    ///
    /// # Errors
    /// If the ruleset fails while the bot looks ahead.
    pub fn choose(&mut self, game: &Game) -> Result<Option<Act>, Fault> {
        let Some(sight) = Sight::new(game, self.seed) else {
            return Ok(None);
        };
        if let [only] = sight.options() {
            return Ok(Some(*only));
        }
        let turn = game.table().turn();
        if self.turn != turn {
            self.turn = turn;
            self.seen.clear();
        }
        // Where dice were rolled or something was shown since, it is another question, however alike it looks.
        let here = (sight.seed().0, game.luck());
        let again = self.seen.iter().filter(|seen| **seen == here).count();
        let often = self.seen.iter().filter(|seen| seen.0 == here.0).count();
        self.seen.push(here);
        // A rule that lets a choice be taken back could hold a bot for ever.
        let sight = sight.again(again as u64);
        if often > PATIENCE {
            Random.choose(&sight).map(Some)
        } else {
            self.bot.choose(&sight).map(Some)
        }
    }
}
