//! Small statistics: spreads, shares and their intervals.
//!
//! Sums run in the order of the games' numbers, and only the four operations and the square root are used on
//! the way, so the figures are the same on every machine.

use crate::model::{Share, Spread};
use crate::sequential::tails::student_point;
use serde::{Deserialize, Serialize};

/// The number of standard deviations that leaves one in twenty outside.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The spread of some numbers.
#[must_use]
pub fn spread(values: impl IntoIterator<Item = f64>) -> Spread {
    let mut values: Vec<f64> = values.into_iter().collect();
    if values.is_empty() {
        return Spread::default();
    }
    let mean = mean(&values);
    let error = (variance(&values) / values.len() as f64).sqrt();
    values.sort_by(f64::total_cmp);
    // Between two games in proportion: as many lie below the lower end as above the upper one.
    let at = |tenths: usize| {
        let (place, part) = (
            (values.len() - 1) * tenths / 10,
            (values.len() - 1) * tenths % 10,
        );
        let (below, above) = (values[place], values[(place + 1).min(values.len() - 1)]);
        below + (above - below) * part as f64 / 10.0
    };
    Spread {
        games: values.len() as u32,
        mean,
        low: at(1),
        high: at(9),
        error,
    }
}

/// The mean; zero of nothing.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.iter().sum::<f64>() / values.len() as f64
}

/// The variance as estimated from a sample; zero of fewer than two.
#[must_use]
pub fn variance(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    squares / (values.len() - 1) as f64
}

/// A share and its Wilson interval.
#[must_use]
pub fn share(count: u32, of: u32) -> Share {
    if of == 0 {
        return Share {
            count,
            of,
            low: 0.0,
            high: 1.0,
        };
    }
    let (low, high) = wilson(f64::from(count) / f64::from(of), f64::from(of));
    Share {
        count,
        of,
        low,
        high,
    }
}

/// Wilson's interval of a share `p` seen in `n` games; for scores with draws it is wider than need be.
#[must_use]
pub fn wilson(p: f64, n: f64) -> (f64, f64) {
    let z2 = Z95 * Z95;
    let middle = p + z2 / (2.0 * n);
    let half = Z95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let all = 1.0 + z2 / n;
    (
        ((middle - half) / all).max(0.0),
        ((middle + half) / all).min(1.0),
    )
}

/// The chance that of so many games between equals, draws left out, as many or more go to the one who has more of them; of more
/// than a thousand it comes to nothing, and intervals tell enough.
#[must_use]
pub fn sign(wins: u32, losses: u32) -> f64 {
    let (all, most) = (wins + losses, wins.max(losses));
    // From all games to the one down to the least that counts: each chance follows from the one before.
    let mut chance = 0.5f64.powi(i32::try_from(all).unwrap_or(i32::MAX));
    let mut sum = chance;
    for won in (most..all).rev() {
        chance *= f64::from(won + 1) / f64::from(all - won);
        sum += chance;
    }
    sum
}

/// A mean and the interval in which it lies nineteen times in twenty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The standard error of the mean.
    #[serde(default)]
    pub error: f64,
    /// Games that had the number. One alone has no interval: both ends are the mean, and nothing is clear of it.
    pub games: u32,
}

/// How far a number may be off because a game knows no time within its turns: by so much less, or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Blur {
    /// It may be less by this,
    pub below: f64,
    /// or more by this.
    pub above: f64,
}

impl Estimate {
    /// From the numbers of some games: by Student's distribution, since games may be few; shares have Wilson's interval.
    #[must_use]
    pub fn of(values: &[f64], share: bool) -> Estimate {
        let games = values.len() as u32;
        if values.is_empty() {
            return Estimate::default();
        }
        let middle = mean(values);
        if !share {
            let error = (variance(values) / f64::from(games)).sqrt();
            return Estimate::around(middle, error, games);
        }
        let n = f64::from(games);
        let (low, high) = wilson(middle, n);
        // As if two more games had been won and two lost (Agresti and Coull): two wins in two games prove little.
        let near = (middle * n + 2.0) / (n + 4.0);
        Estimate {
            mean: middle,
            low,
            high,
            error: (near * (1.0 - near) / n).sqrt(),
            games,
        }
    }

    /// From a mean of so many games and its standard error.
    #[must_use]
    pub fn around(mean: f64, error: f64, games: u32) -> Estimate {
        let half = student_point(0.025, games.saturating_sub(1).max(1)) * error;
        Estimate {
            mean,
            low: mean - half,
            high: mean + half,
            error,
            games,
        }
    }

    /// On which side of a number it lies, if the whole interval does.
    #[must_use]
    pub fn clear_of(&self, number: f64) -> Option<bool> {
        self.apart(&Estimate {
            mean: number,
            low: number,
            high: number,
            error: 0.0,
            games: u32::MAX,
        })
    }

    /// Whether it is above another, or below, if the intervals do not touch.
    #[must_use]
    pub fn apart(&self, other: &Estimate) -> Option<bool> {
        if self.games < 2 || other.games < 2 {
            None
        } else if self.low > other.high {
            Some(true)
        } else if self.high < other.low {
            Some(false)
        } else {
            None
        }
    }

    /// The same where every number may be off by so much besides.
    #[must_use]
    pub fn blurred(&self, blur: Blur) -> Estimate {
        Estimate {
            low: self.low - blur.below,
            high: self.high + blur.above,
            ..*self
        }
    }

    /// The same where the number cannot lie beyond these.
    #[must_use]
    pub fn within(&self, least: f64, most: f64) -> Estimate {
        Estimate {
            low: self.low.clamp(least, most),
            high: self.high.clamp(least, most),
            ..*self
        }
    }

    /// The same in another unit.
    #[must_use]
    pub fn times(&self, factor: f64) -> Estimate {
        Estimate {
            mean: self.mean * factor,
            low: self.low * factor,
            high: self.high * factor,
            error: self.error * factor,
            games: self.games,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_games_fall_one_way_by_chance() {
        assert_eq!(sign(0, 0), 1.0);
        assert_eq!((sign(4, 0), sign(0, 4)), (1.0 / 16.0, 1.0 / 16.0));
        // One and six of the sixty-four ways in which six games can go.
        assert_eq!(sign(5, 1), 7.0 / 64.0);
        assert!(sign(3, 3) > 0.5);
        // 15 of 20, as in the tables: 0.0207.
        assert!((sign(15, 5) - 0.0207).abs() < 1e-4, "{}", sign(15, 5));
    }

    #[test]
    fn wilson_is_as_in_the_tables() {
        // 15 of 50: from 0.191 to 0.438.
        let share = share(15, 50);
        assert!((share.low - 0.1910).abs() < 5e-4, "{share:?}");
        assert!((share.high - 0.4375).abs() < 5e-4, "{share:?}");
        let none = super::share(0, 10);
        assert!(
            none.low == 0.0 && (none.high - 0.2775).abs() < 5e-4,
            "{none:?}"
        );
    }

    #[test]
    fn few_games_have_wide_intervals_and_one_has_none() {
        let few = Estimate::of(&[1.0, 2.0, 3.0], false);
        // Student's point for two degrees of freedom is 4.303.
        assert!(
            (few.high - (2.0 + 4.3027 / 3f64.sqrt())).abs() < 1e-3,
            "{few:?}"
        );
        let one = Estimate::of(&[5.0], false);
        assert_eq!((one.low, one.high, one.clear_of(0.0)), (5.0, 5.0, None));
        assert_eq!(few.clear_of(-3.0), Some(true));
        assert_eq!(few.times(2.0).clear_of(10.0), Some(false));
    }

    #[test]
    fn spreads_of_few_and_of_none() {
        assert_eq!(spread([]), Spread::default());
        let spread = spread((0..=10).map(f64::from));
        assert_eq!((spread.low, spread.mean, spread.high), (1.0, 5.0, 9.0));
        // Of two games the mean lies between the ends, and of any number as many below as above.
        let two = super::spread([100.0, 200.0]);
        assert_eq!((two.low, two.mean, two.high), (110.0, 150.0, 190.0));
        let twelve = super::spread((1..=12).map(f64::from));
        assert!((twelve.low - 2.1).abs() < 1e-9 && (twelve.high - 10.9).abs() < 1e-9);
        assert!((variance(&[1.0, 2.0, 3.0]) - 1.0).abs() < 1e-12);
    }
}
