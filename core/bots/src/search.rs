//! Looks ahead: forks, and plays on from each of the best options within a budget of nodes.
//!
//! A node is one choice tried on a fork. The budget is never one of time: results must not depend on the
//! machine. All options of a decision are tried in the same imagined worlds, with the same dice, so that
//! what differs is the choice and not the luck; and in one world all are played on to the same moment, so that who passes is not
//! better off only because he comes to the next blow sooner. Of the other side's plan the bot knows nothing: in half of the worlds it
//! seeks a fight, in the others it holds its ground. What only does well against one who comes is no good against one who does not.

use crate::brief::Brief;
use crate::horizon::Horizon;
use crate::random::Random;
use crate::sight::{Bot, Sight};
use crate::steady::Steady;
use crate::worth::Worth;
use cupola_kernel::{Act, Arg, Fault, Game, Side};
use std::sync::Arc;

/// Options that are looked at.
const WIDTH: usize = 6;
/// Worlds before which no option is left out.
const TRIAL: u32 = 4;
/// Standard errors by which an option must be worse to be left out, and by which it must be better than steady's favourite
/// to be taken instead.
const WORSE: i128 = 2;
const BETTER: i128 = 1;

/// What a thousandth of a clear win counts besides: who looks ahead looks at the end.
const AHEAD: i64 = 1000;
/// What a game that is over counts besides: like a clear win more.
const WON: i64 = 1000 * AHEAD;

/// The player who looks ahead.
pub struct Search {
    /// Who says what is worth a try, who plays on from there, and the enemies whom he may have: one for each world, in turn.
    chief: Steady,
    own: Steady,
    others: [Steady; 2],
    side: Side,
    worth: Worth,
    budget: u32,
    world: Option<Game>,
    fork: Option<Game>,
}

impl Search {
    /// A player who carries out a plan and looks ahead, with so many nodes for a decision; `other` is what it
    /// takes the enemy to be about, unless he holds his ground.
    #[must_use]
    pub fn new(own: &Arc<Brief>, other: &Arc<Brief>, budget: u32) -> Search {
        Search {
            chief: Steady::new(own.clone()),
            own: Steady::hasty(own.clone()),
            others: [other.clone(), Arc::new(other.holding())].map(Steady::hasty),
            side: own.side(),
            worth: Worth::default(),
            budget,
            world: None,
            fork: None,
        }
    }

    /// Plays an option and on from there in one of the worlds, and says what it came to. The first of a world says how far.
    fn try_out(&mut self, act: Act, nth: u32, horizon: &mut Horizon) -> Result<i64, Fault> {
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
        let turn = game.table().turn();
        game.apply_unchecked(act)?;
        horizon.begin(turn);
        while let Some(decision) = game.decision() {
            if horizon.is_reached(game.moment()) {
                break;
            }
            let next = if let [only] = decision.options {
                *only
            } else {
                let mover = if decision.ask.side == self.side {
                    &mut self.own
                } else {
                    &mut self.others[enemy_of(nth)]
                };
                horizon.think(mover.rank_in(game)?);
                let Some(best) = mover.best() else { break };
                best
            };
            game.apply_unchecked(next)?;
            horizon.step();
        }
        horizon.end(game.moment(), game.verdict().is_some());
        let ahead = i64::from(game.margin()) * if self.side == Side::First { 1 } else { -1 };
        let rest = match game.verdict().map(|verdict| verdict.winner) {
            // A game that is won is won, whatever is left of it: one such world must not outweigh all others.
            Some(Some(winner)) if winner == self.side => WON,
            Some(Some(_)) => -WON,
            _ => self.worth.of(self.own.brief(), game),
        };
        Ok(rest + ahead * AHEAD)
    }
}

/// Which enemy a world has: the first one who seeks, the second one who holds, and so on.
fn enemy_of(world: u32) -> usize {
    usize::from(world.is_multiple_of(2))
}

/// Whether the nodes are gone before there was a second world: nothing is better than steady's favourite by a single one, so what the
/// options that are left would come to in it need not be known.
fn ends_unheard(worlds: u32, spent: u32, budget: u32) -> bool {
    worlds == 1 && spent >= budget
}

/// Whether an option names nobody and nothing: to leave it at that.
fn is_pass(act: Act) -> bool {
    act.args[0] == Arg::None
}

/// An option, and what it came to in each world.
struct Line {
    act: Act,
    values: Vec<i64>,
}

impl Line {
    fn sum(&self) -> i128 {
        self.values.iter().map(|&value| i128::from(value)).sum()
    }

    /// Whether it is better than another by so many standard errors of the difference; never by a single world. The worlds are the
    /// same for both, so luck cancels.
    fn beats(&self, other: &Line, errors: i128) -> bool {
        let (mut sum, mut squares) = (0, 0);
        for (own, other) in self.values.iter().zip(&other.values) {
            let by = i128::from(own - other);
            sum += by;
            squares += by * by;
        }
        let (worlds, square) = (self.values.len() as i128, errors * errors);
        // sum / n > errors * sqrt((squares - sum^2 / n) / (n - 1) / n), without a root or a fraction.
        worlds > 1 && sum > 0 && (worlds - 1 + square) * sum * sum > square * worlds * squares
    }
}

/// Leaves out what is surely worse than another, and what is the same as something that steady likes better: so worlds are spent
/// where they tell. The best of all is never left out.
fn cull(lines: &mut Vec<Line>) {
    let stays = |i: usize| {
        let line = &lines[i];
        let same = lines[..i].iter().any(|other| other.values == line.values);
        !same && !lines.iter().any(|other| other.beats(line, WORSE))
    };
    let stay: Vec<bool> = (0..lines.len()).map(stays).collect();
    let mut stay = stay.into_iter();
    lines.retain(|_| stay.next().unwrap_or(true));
}

/// What is played of those that are left: the best, unless steady's favourite is among them and not surely worse.
fn pick(lines: &[Line], favourite: Act) -> Act {
    let first = lines.iter().find(|line| line.act == favourite);
    match lines.iter().rev().max_by_key(|line| line.sum()) {
        Some(best) if first.is_none_or(|first| best.beats(first, BETTER)) => best.act,
        _ => favourite,
    }
}

impl Bot for Search {
    fn choose(&mut self, sight: &Sight) -> Result<Act, Fault> {
        if let [only] = sight.options() {
            return Ok(*only);
        }
        if sight.in_circles() > 0 {
            return self.chief.choose(sight);
        }
        let ranked = self.chief.rank(sight)?.iter().take(WIDTH);
        let mut lines: Vec<Line> = ranked
            .map(|&(_, act)| Line {
                act,
                values: vec![],
            })
            .collect();
        let Some(favourite) = lines.first().map(|line| line.act) else {
            return Random.choose(sight);
        };
        let (mut spent, mut worlds) = (0, 0_u32);
        // Once one is left there is nothing to find out.
        while spent < self.budget && lines.len() > 1 {
            worlds += 1;
            sight.imagine(&mut self.world, u64::from(worlds))?;
            let mut horizon = Horizon::of(self.budget);
            for line in &mut lines {
                let value = self.try_out(line.act, worlds, &mut horizon)?;
                line.values.push(value);
                spent += horizon.spent();
                if ends_unheard(worlds, spent, self.budget) {
                    return Ok(favourite);
                }
            }
            if horizon.is_short() && !is_pass(favourite) {
                // What an attack costs is seen at once, and what it brings is not: who looks no farther does not do nothing for that.
                lines.retain(|line| !is_pass(line.act));
            }
            if worlds >= TRIAL {
                cull(&mut lines);
            }
        }
        Ok(pick(&lines, favourite))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cupola_kernel::UnitId;

    fn line(n: u16, values: &[i64]) -> Line {
        let act = Act {
            verb: 0,
            args: [Arg::Unit(UnitId(n)), Arg::None, Arg::None],
        };
        Line {
            act,
            values: values.to_vec(),
        }
    }

    #[test]
    fn nothing_is_sure_after_one_world_nor_by_luck() {
        let base = line(0, &[0, 0, 0, 0]);
        assert!(!line(1, &[900]).beats(&line(0, &[0]), 1));
        assert!(!line(1, &[0, 0, 0, 0]).beats(&base, 1));
        // A mean of 100: the standard error of the first is 115, that of the second is 41.
        assert!(!line(1, &[400, -100, 200, -100]).beats(&base, 1));
        assert!(line(1, &[200, 100, 0, 100]).beats(&base, 2));
        assert!(!line(1, &[200, 100, 0, 100]).beats(&base, 3));
    }

    #[test]
    fn the_enemy_holds_his_ground_in_every_second_world() {
        assert_eq!([1, 2, 3, 4].map(enemy_of), [0, 1, 0, 1]);
        // So no option is left out before it was tried twice against either.
        assert_eq!((1..=TRIAL).map(enemy_of).sum::<usize>(), 2);
    }

    #[test]
    fn nodes_that_buy_no_second_world_are_not_spent_to_the_last() {
        assert!(ends_unheard(1, 300, 300));
        // What is left of the budget may buy another world; and what two worlds say together counts, however much the second took.
        assert!(!ends_unheard(1, 299, 300));
        assert!(!ends_unheard(2, 900, 300));
        // Whatever the others come to: one world never takes the favourite's place.
        let lines = [line(0, &[0]), line(1, &[5000])];
        assert_eq!(pick(&lines, lines[0].act), lines[0].act);
    }

    #[test]
    fn what_differs_alike_in_every_world_is_told_apart_however_much_luck_there_is() {
        let (one, other) = (line(0, &[5000, -3000]), line(1, &[5001, -2999]));
        assert!(other.beats(&one, 100));
    }

    #[test]
    fn the_hopeless_and_the_same_are_left_out_and_the_best_is_kept() {
        let favourite = line(0, &[0, 1, 2, 3]);
        let act = favourite.act;
        let mut lines = vec![
            favourite,
            line(1, &[0, 1, 2, 3]),
            line(2, &[-50, -40, -60, -50]),
            line(3, &[-90, 100, -80, 90]),
        ];
        cull(&mut lines);
        let left: Vec<Act> = lines.iter().map(|line| line.act).collect();
        assert_eq!(left, [act, line(3, &[]).act]);
        // Who is ahead by luck does not take the favourite's place.
        assert_eq!(pick(&lines, act), act);
    }

    #[test]
    fn the_favourite_gives_way_to_what_is_surely_better() {
        let mut lines = vec![
            line(0, &[0, 1, 2, 3]),
            line(1, &[50, 40, 60, 50]),
            line(2, &[70, 20, 50, 80]),
        ];
        let act = lines[0].act;
        assert_eq!(pick(&lines, act), lines[2].act);
        cull(&mut lines);
        assert_eq!(lines.len(), 2);
        assert_eq!(pick(&lines, act), line(2, &[]).act);
    }
}
