//! What shared dice save.
//!
//! The mean of n differences of games without shared dice has the variance (Var A + Var B) / n; with shared dice
//! it is Var(A − B) / n. The quotient tells how many times as many games would have been needed for an
//! interval of the same width.

use crate::sequential::Pair;
use crate::sequential::tails::student_point;
use crate::stats::{mean, variance};
use serde::Serialize;

/// How many times as many games independent dice need.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Saving {
    /// (Var A + Var B) / Var(A − B); none if every pair is alike, which no number of independent games equals.
    pub ratio: Option<f64>,
    /// The lower end of the interval in which it lies nineteen times in twenty.
    pub low: f64,
    /// The upper end; none if there is none.
    pub high: Option<f64>,
}

/// A variance below this part of the other is rounding and nothing else.
const NOTHING: f64 = 1e-12;

impl Saving {
    /// What was saved over these pairs; nothing can be said if the metric never varies.
    ///
    /// The interval is the jackknife's, on a logarithmic scale: each pair is left out in turn.
    #[must_use]
    pub fn of(pairs: &[Pair]) -> Option<Saving> {
        let n = pairs.len();
        if n < 3 {
            return None;
        }
        let base = Series::new(pairs.iter().map(|pair| pair.0));
        let variant = Series::new(pairs.iter().map(|pair| pair.1));
        let apart = Series::new(pairs.iter().map(|pair| pair.1 - pair.0));
        let quotient = |one: f64, other: f64, paired: f64| {
            let strangers = one + other;
            (paired > NOTHING * strangers).then(|| strangers / paired)
        };
        let Some(whole) = quotient(base.all(), variant.all(), apart.all()) else {
            // Nothing to save either, if all games come to the same.
            return (base.all() + variant.all() > 0.0).then_some(Saving {
                ratio: None,
                low: 1.0,
                high: None,
            });
        };
        let logs = (0..n).map(|i| {
            let rest = quotient(base.without(i), variant.without(i), apart.without(i))?;
            (rest > 0.0).then(|| libm::log(rest))
        });
        let Some(logs) = logs.collect::<Option<Vec<f64>>>() else {
            // One pair makes all the difference: nothing bounds the saving from above.
            return Some(Saving {
                ratio: Some(whole),
                low: whole.min(1.0),
                high: None,
            });
        };
        let error = (variance(&logs) * (n - 1) as f64 * (n - 1) as f64 / n as f64).sqrt();
        let wide = libm::exp(student_point(0.025, n as u32 - 1) * error);
        Some(Saving {
            ratio: Some(whole),
            low: whole / wide,
            high: Some(whole * wide),
        })
    }
}

/// Numbers around their mean.
struct Series {
    around: Vec<f64>,
    squares: f64,
}

impl Series {
    fn new(values: impl Iterator<Item = f64>) -> Series {
        let mut around: Vec<f64> = values.collect();
        let middle = mean(&around);
        around.iter_mut().for_each(|value| *value -= middle);
        let squares = around.iter().map(|x| x * x).sum();
        Series { around, squares }
    }

    /// Their variance.
    fn all(&self) -> f64 {
        self.squares / (self.around.len() - 1) as f64
    }

    /// Their variance without one of them.
    fn without(&self, i: usize) -> f64 {
        let (n, x) = (self.around.len() as f64, self.around[i]);
        ((self.squares - x * x * n / (n - 1.0)) / (n - 2.0)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alike_saves_without_end_and_what_never_varies_nothing() {
        let alike: Vec<Pair> = (0..20).map(|i| (f64::from(i), f64::from(i))).collect();
        let saving = Saving::of(&alike).expect("a saving");
        assert_eq!((saving.ratio, saving.high), (None, None));
        assert_eq!(Saving::of(&[(3.0, 3.0); 20]), None);
        assert_eq!(Saving::of(&alike[..2]), None);
        // The same everywhere is as good as alike.
        let shifted: Vec<Pair> = (0..20)
            .map(|i| (f64::from(i), 0.1 + f64::from(i)))
            .collect();
        assert_eq!(Saving::of(&shifted).expect("a saving").ratio, None);
    }

    #[test]
    fn one_pair_that_differs_bounds_nothing_from_above() {
        let mut pairs: Vec<Pair> = (0..20).map(|i| (f64::from(i), f64::from(i))).collect();
        pairs[7].1 += 1.0;
        let saving = Saving::of(&pairs).expect("a saving");
        assert!(
            saving.ratio.is_some_and(|ratio| ratio > 100.0),
            "{saving:?}"
        );
        assert_eq!(saving.high, None);
    }

    #[test]
    fn leaving_one_out_is_as_if_it_had_not_been() {
        let values = [1.0, 4.0, 9.0, 16.0, 25.0];
        let series = Series::new(values.into_iter());
        assert!((series.all() - variance(&values)).abs() < 1e-9);
        assert!((series.without(2) - variance(&[1.0, 4.0, 16.0, 25.0])).abs() < 1e-9);
    }
}
