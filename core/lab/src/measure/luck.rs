//! The luck index: how much of the result the dice decide, against how much the better player decides.
//!
//! A better and a weaker player play on both sides. The better player's score (a win 1, a draw ½) varies from game
//! to game by the dice alone, since everything else is the same: that is the variance of luck. By how
//! much the score moves when the players change seats is the effect of skill. The index is the share of luck in
//! the sum of both.

use crate::model::Luck;
use crate::record::Record;
use crate::stats::{Z95, mean, variance};
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
/// either is empty.
#[must_use]
pub fn luck(better_first: &[Record], better_second: &[Record]) -> Option<Luck> {
    let first = scores(better_first, Side::First);
    let second = scores(better_second, Side::First);
    if first.len() < 2 || second.len() < 2 {
        return None;
    }
    // The first side's score with the better player, and with the weaker.
    let half = (mean(&first) - mean(&second)) / 2.0;
    let dice = (variance(&first) + variance(&second)) / 2.0;
    // The square of an estimate is too large by its own variance.
    let noise =
        (variance(&first) / first.len() as f64 + variance(&second) / second.len() as f64) / 4.0;
    let index = |half: f64| {
        let skill = (half * half - noise).max(0.0);
        if skill + dice == 0.0 {
            0.0
        } else {
            dice / (skill + dice)
        }
    };
    let margin = Z95 * noise.sqrt();
    let (strong, weak) = (half.abs() + margin, (half.abs() - margin).max(0.0));
    Some(Luck {
        index: index(half),
        low: index(strong),
        high: index(weak),
        better_wins: 0.5 + half,
        games: (first.len() + second.len()) as u32,
    })
}
