//! The luck index: how much of the result the dice decide, against how much the better player decides.
//!
//! A better and a weaker player play on both sides. The better player's score (a win 1, a draw ½) varies from game
//! to game by the dice alone, since everything else is the same: that is the variance of luck. By how
//! much the score moves when the players change seats is the effect of skill. The index is the share of luck in
//! the sum of both.
//!
//! Its interval comes from Wilson's intervals of the two scores, joined as Newcombe joins them for a difference. So
//! a better player that has won every game does not make a point of it: from forty games we know no more than that
//! it wins nine in ten.

use crate::contest::Contest;
use crate::model::{Luck, Topic, Witness};
use crate::record::Record;
use crate::stats::{mean, variance, wilson};
use cupola_kernel::Side;

/// The score of a side in each game: 1, ½ or 0.
fn scores(records: &[Record], side: Side) -> Vec<f64> {
    let good = records.iter().filter(|record| record.fault.is_none());
    let score = |record: &Record| match record.kept.verdict.as_ref().and_then(|v| v.winner) {
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    };
    good.map(score).collect()
}

/// The luck index from games with the better player on the first side, and games with it on the second. None if
/// either has fewer than two.
#[must_use]
pub fn luck(better_first: &[Record], better_second: &[Record]) -> Option<Luck> {
    of(
        &scores(better_first, Side::First),
        &scores(better_second, Side::Second),
    )
}

/// Games that show what the index says: one that the weaker player won, the clearest win of the better one, and a
/// draw if there is neither. The
/// contests are those with the better player on the first side and on the second.
#[must_use]
pub fn witnesses(played: [(&Contest, &[Record]); 2]) -> Vec<Witness> {
    let mut upset: Option<(i32, Witness)> = None;
    let mut clear: Option<(i32, Witness)> = None;
    let mut drawn: Option<(i32, Witness)> = None;
    for ((contest, records), better) in played.into_iter().zip(Side::BOTH) {
        for record in records.iter().filter(|record| record.fault.is_none()) {
            let winner = record.kept.verdict.as_ref().and_then(|v| v.winner);
            let name = |side: Side| {
                let player = contest.skills[side as usize];
                format!("{player} with the {}", contest.play.env().sides[side].name)
            };
            let (weaker, lead) = (better.other(), record.kept.margin.abs());
            let (best, shows) = match winner {
                Some(side) if side == better => (
                    &mut clear,
                    format!("the better player wins: {}", name(side)),
                ),
                Some(_) => (
                    &mut upset,
                    format!("the weaker player wins: {}", name(weaker)),
                ),
                None => (&mut drawn, "neither player wins: a draw".to_owned()),
            };
            if best.as_ref().is_none_or(|(most, _)| lead > *most) {
                *best = Some((lead, witness(contest, record, shows)));
            }
        }
    }
    if upset.is_some() || clear.is_some() {
        drawn = None;
    }
    let found = [upset, clear, drawn].into_iter().flatten();
    found.map(|(_, witness)| witness).collect()
}

fn witness(contest: &Contest, record: &Record, shows: String) -> Witness {
    Witness {
        contest: contest.name.clone(),
        game: record.number,
        seed: record.seed.to_string(),
        shows,
        topics: vec![Topic::Luck],
    }
}

/// The luck index from the better player's scores on either side.
fn of(first: &[f64], second: &[f64]) -> Option<Luck> {
    // If every game is drawn, neither dice nor players have decided any.
    let drawn = first.iter().chain(second).all(|score| *score == 0.5);
    if first.len() < 2 || second.len() < 2 || drawn {
        return None;
    }
    let sides = [first, second].map(Score::of);
    // If one side wins whoever plays it, the scenario decides: neither dice nor players have had a say.
    if sides.iter().all(|side| side.variance == 0.0) && sides[0].mean + sides[1].mean == 1.0 {
        return None;
    }
    // By how much the better player is better, as the mean of both seats: from −½ to ½.
    let skill = (sides[0].mean + sides[1].mean) / 2.0 - 0.5;
    // The square of an estimate is too large by its own variance.
    let noise = sides
        .map(|side| side.variance / side.games)
        .iter()
        .sum::<f64>()
        / 4.0;
    let plain = index(sides.map(|side| side.variance), skill, noise);
    let ends = [-1.0, 1.0].map(|way| {
        let (scores, skill) = end(&sides, way);
        let dice = [0, 1].map(|i| sides[i].variance_at(scores[i]));
        (index(dice, skill, 0.0), skill)
    });
    // Between a skill below nothing and one above lies none at all, where the dice decide everything.
    let none = (ends[0].1 < 0.0) != (ends[1].1 < 0.0);
    let low = ends[0].0.min(ends[1].0);
    let high = if none { 1.0 } else { ends[0].0.max(ends[1].0) };
    Some(Luck {
        index: plain,
        low: low.min(plain),
        high: high.max(plain),
        better_wins: 0.5 + skill,
        games: (first.len() + second.len()) as u32,
    })
}

/// The share of the dice.
fn index(dice: [f64; 2], skill: f64, noise: f64) -> f64 {
    let dice = (dice[0] + dice[1]) / 2.0;
    let skill = (skill * skill - noise).max(0.0);
    if skill + dice > 0.0 {
        dice / (skill + dice)
    } else {
        0.0
    }
}

/// The scores of the better player on one side.
#[derive(Clone, Copy)]
struct Score {
    games: f64,
    mean: f64,
    variance: f64,
    low: f64,
    high: f64,
}

impl Score {
    fn of(scores: &[f64]) -> Score {
        let (games, mean) = (scores.len() as f64, mean(scores));
        let (low, high) = wilson(mean, games);
        Score {
            games,
            mean,
            variance: variance(scores),
            low,
            high,
        }
    }

    /// The variance if the mean were another. Draws make it smaller than that of wins and losses alone.
    fn variance_at(&self, mean: f64) -> f64 {
        let here = self.mean * (1.0 - self.mean);
        let drawn = if here > 0.0 {
            (self.variance / here).min(1.0)
        } else {
            1.0
        };
        mean * (1.0 - mean) * drawn
    }
}

/// The end of the interval in one direction, −1 or 1: both scores moved by their Wilson intervals as far as the two
/// together go (Newcombe), and the skill there.
fn end(sides: &[Score; 2], way: f64) -> ([f64; 2], f64) {
    let reach = sides.map(|side| {
        if way < 0.0 {
            side.mean - side.low
        } else {
            side.high - side.mean
        }
    });
    let whole = (reach[0] * reach[0] + reach[1] * reach[1]).sqrt();
    let moved = [0, 1].map(|i| {
        let by = if whole > 0.0 {
            reach[i] * reach[i] / whole
        } else {
            0.0
        };
        (sides[i].mean + way * by).clamp(0.0, 1.0)
    });
    (moved, (moved[0] + moved[1]) / 2.0 - 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cupola_kernel::Seed;

    #[test]
    fn all_games_won_are_no_proof_that_dice_do_not_count() {
        let luck = of(&[1.0; 40], &[1.0; 40]).expect("games");
        assert_eq!((luck.index, luck.low, luck.better_wins), (0.0, 0.0, 1.0));
        assert!(luck.high > 0.15 && luck.high < 0.35, "{luck:?}");
        // The more games, the surer.
        let many = of(&[1.0; 400], &[1.0; 400]).expect("games");
        assert!(many.high < luck.high / 5.0, "{many:?}");
    }

    #[test]
    fn no_difference_between_players_is_all_dice() {
        let half: Vec<f64> = (0..40).map(|i| f64::from(i % 2)).collect();
        let luck = of(&half, &half).expect("games");
        assert!(luck.index == 1.0 && luck.high == 1.0 && luck.low < 0.97);
        assert!(of(&half, &[1.0]).is_none());
        assert!(of(&[0.5; 40], &[0.5; 40]).is_none());
    }

    #[test]
    fn a_side_that_always_wins_tells_nothing_of_dice_and_players() {
        assert!(of(&[1.0; 40], &[0.0; 40]).is_none());
        assert!(of(&[0.0; 40], &[1.0; 40]).is_none());
    }

    /// Of intervals from simulated games about nineteen in twenty hold the truth, at the edges too.
    #[test]
    fn the_interval_holds_the_truth_nineteen_times_in_twenty() {
        let mut draw = 0;
        for (a, b) in [
            (0.5, 0.5),
            (0.7, 0.6),
            (0.9, 0.8),
            (0.97, 0.95),
            (0.99, 0.5),
        ] {
            let truth = {
                let dice = [a * (1.0 - a), b * (1.0 - b)];
                index(dice, (a + b) / 2.0 - 0.5, 0.0)
            };
            let mut held = 0;
            for _ in 0..1000 {
                let mut play = |p: f64| -> Vec<f64> {
                    let mut one = || {
                        draw += 1;
                        let share = (Seed(1863).nth(draw).0 >> 96) as f64 / 4_294_967_296.0;
                        f64::from(u8::from(share < p))
                    };
                    (0..60).map(|_| one()).collect()
                };
                let luck = of(&play(a), &play(b)).expect("games");
                held += u32::from(luck.low <= truth && truth <= luck.high);
            }
            assert!(held >= 930, "{a} {b}: {held} of 1000");
        }
    }
}
