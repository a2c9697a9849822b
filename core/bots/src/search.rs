//! Looks ahead: forks, and plays on from each of the best options within a budget of nodes.
//!
//! A node is one choice tried on a fork. The budget is never one of time: results must not depend on the
//! machine. All options of a decision are tried in the same imagined worlds, with the same dice, so that
//! what differs is the choice and not the luck. Of the other side's plan the bot knows nothing: it takes it for
//! one that seeks the enemy.

use crate::brief::Brief;
use crate::random::Random;
use crate::sight::{Bot, Sight};
use crate::steady::Steady;
use crate::worth::Worth;
use cupola_kernel::{Act, Fault, Game, Side};
use std::sync::Arc;

/// Options that are looked at.
const WIDTH: usize = 6;
/// Choices played on from each, at least; farther if the budget allows, each time by one of so many shares of it.
const DEPTH: u32 = 24;
const SHARES: u32 = 24;
/// Worlds after which an option that looks hopeless is left out.
const TRIAL: u64 = 4;

/// What a thousandth of a clear win counts besides: who looks ahead looks at the end.
const AHEAD: i64 = 1000;

/// The player who looks ahead.
pub struct Search {
    /// Who says what is worth a try, and the two who play on from there.
    chief: Steady,
    own: Steady,
    other: Steady,
    side: Side,
    worth: Worth,
    budget: u32,
    world: Option<Game>,
    fork: Option<Game>,
}

impl Search {
    /// A player who carries out a plan and looks ahead, with so many nodes for a decision; `other` is what it
    /// takes the enemy to be about.
    #[must_use]
    pub fn new(own: &Arc<Brief>, other: &Arc<Brief>, budget: u32) -> Search {
        Search {
            chief: Steady::new(own.clone()),
            own: Steady::hasty(own.clone()),
            other: Steady::hasty(other.clone()),
            side: own.side(),
            worth: Worth::default(),
            budget,
            world: None,
            fork: None,
        }
    }

    /// Plays an option and on from there, and says what it came to.
    fn try_out(&mut self, act: Act, spent: &mut u32) -> Result<i64, Fault> {
        let Some(world) = &self.world else {
            return Ok(0);
        };
        let game = match &mut self.fork {
            Some(fork) => {
                fork.copy_from(world);
                fork
            }
            None => self.fork.insert(world.fork()),
        };
        game.apply_unchecked(act)?;
        let (from, turn) = (*spent, game.table().turn());
        *spent += 1;
        let share = self.budget / SHARES;
        for ply in 0.. {
            // To the end of the next turn at the farthest.
            let far = game.table().turn() > turn + 1;
            if far || ply >= DEPTH && *spent - from >= share {
                break;
            }
            let Some(decision) = game.decision() else {
                break;
            };
            let next = if let [only] = decision.options {
                *only
            } else {
                let mover = if decision.ask.side == self.side {
                    &mut self.own
                } else {
                    &mut self.other
                };
                *spent += mover.rank_in(game)?;
                let Some(best) = mover.best() else { break };
                best
            };
            game.apply_unchecked(next)?;
            *spent += 1;
        }
        let ahead = i64::from(game.margin()) * if self.side == Side::First { 1 } else { -1 };
        Ok(self.worth.of(self.own.brief(), game) + ahead * AHEAD)
    }
}

/// An option that steady does not like best.
struct Rival {
    prior: i64,
    act: Act,
    /// What it gained over the first in all worlds, and the squares.
    gain: (i128, i128),
}

/// Whether a gain is so many standard errors above nothing; never by a single world. What steady likes best has the benefit of the
/// doubt, since it was judged by exact odds.
fn certain((sum, squares): (i128, i128), worlds: i128, errors: i128) -> bool {
    // sum / n > errors * sqrt((squares - sum^2 / n) / (n - 1) / n), without a root or a fraction.
    let square = errors * errors;
    sum > 0 && (worlds - 1 + square) * sum * sum > square * worlds * squares
}

impl Bot for Search {
    fn choose(&mut self, sight: &Sight) -> Result<Act, Fault> {
        if let [only] = sight.options() {
            return Ok(*only);
        }
        if sight.in_circles() > 0 {
            return self.chief.choose(sight);
        }
        let ranked = self.chief.rank(sight)?;
        let ranked: Vec<(i64, Act)> = ranked.iter().copied().take(WIDTH).collect();
        let Some(&(_, first)) = ranked.first() else {
            return Random.choose(sight);
        };
        // Gains over the first in each world, and their squares: the same world for all, so luck cancels.
        let rivals = ranked[1..].iter();
        let mut rivals: Vec<Rival> = rivals
            .map(|&(prior, act)| Rival {
                prior,
                act,
                gain: (0, 0),
            })
            .collect();
        let (mut spent, mut worlds) = (0, 0);
        while spent < self.budget && !rivals.is_empty() {
            worlds += 1;
            sight.imagine(&mut self.world, worlds)?;
            let base = self.try_out(first, &mut spent)?;
            for rival in &mut rivals {
                let by = i128::from(self.try_out(rival.act, &mut spent)? - base);
                rival.gain.0 += by;
                rival.gain.1 += by * by;
            }
            if worlds % TRIAL == 0 {
                // What is surely worse needs no more worlds.
                rivals.retain(|rival| !certain((-rival.gain.0, rival.gain.1), worlds.into(), 1));
            }
        }
        let better = rivals
            .iter()
            .filter(|rival| certain(rival.gain, worlds.into(), 2));
        let better = better.max_by_key(|rival| (rival.gain.0, rival.prior));
        Ok(better.map_or(first, |rival| rival.act))
    }
}
