//! Did the change do anything? A test of pairs that looks as it goes.
//!
//! Pairs of games that share their luck are played until it is clear that the variant *differs* from its base, or
//! that it is *equivalent* within a margin that matters to whoever asks, or until the pairs are spent
//! (*undecided*). Both errors are bounded over the whole run, however often it looks:
//! * the chance ever to say "differs" of two that do not differ is at most `alpha`;
//! * the chance ever to say "equivalent" of two that differ by the margin or more is at most `beta`.
//!
//! # How
//! Looks come at fixed numbers of pairs, each half again as many as the last ([`Test::looks`]), so that a large
//! effect is seen after 16 pairs and a small one costs few looks. At each look two intervals for the mean difference are
//! drawn. The outer one is a two-sided repeated confidence interval that holds at all looks together with chance
//! 1 − `alpha`; if zero is outside, they differ. The inner one has bounds that hold, each for itself, with chance
//! 1 − `beta`; if it lies within ± margin, they are equivalent: a true difference of the margin or more lies
//! on one side, so one bound must have failed. [`bounds`] tells how the error rates are spent.
//!
//! # Few pairs, rare differences, long tails
//! Student's quantiles stand in for the normal ones. That alone would not be honest here. With shared
//! dice most pairs may be exactly alike, and the rest far apart: sixteen zeros have no variance at all, and an
//! interval of no width. So each bound is computed as if one more pair had been played, the worst for it: as far apart, on
//! the side of that bound, as the farthest pair seen, or half again as far as two games that share no dice (in the root mean
//! square), whichever is more. While fewer than [`ENOUGH`] pairs differ at all, it is as far apart as any two games of the run,
//! as from nothing to the most that was seen, or as the metric allows, where that is known. For pairs that are all alike this comes to the rule of three: after n of them, something that
//! happens in fewer than about 3/n of the pairs cannot be excluded. The price is a few percent of width after 100 pairs.
//!
//! Nobody can do without some such supposition: without any bound on how far apart a pair can be, no number of pairs
//! excludes a rare and huge difference. `tests/sequential.rs` counts the errors on differences that
//! are normal, skewed, rare, and heavy-tailed.

pub mod bounds;
pub mod tails;

use crate::stats::{mean, variance};
use bounds::Sides;
use serde::Serialize;
use tails::student_point;

/// While fewer pairs than this differ at all, the farthest of them is no guide to how far a pair can be apart.
pub const ENOUGH: usize = 10;

/// How much farther apart than two games without shared dice, in the root mean square, the unseen pair is supposed
/// to be. Chosen so that the errors stay within bounds on the most lopsided differences of `tests/sequential.rs`.
const CAUTION: f64 = 1.5;

/// What is asked, and how sure the answer has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    /// The most that the chance of a false "differs" may be.
    pub alpha: f64,
    /// The most that the chance of a false "equivalent" may be.
    pub beta: f64,
    /// A difference that matters.
    pub margin: f64,
    /// The first look, in pairs.
    pub first: u32,
    /// The last look, in pairs.
    pub most: u32,
    /// How far apart two games can be, if that is known.
    pub reach: Option<f64>,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Finding {
    /// They differ.
    Differs,
    /// They do not differ by as much as the margin.
    Equivalent,
    /// The pairs are spent and neither is sure.
    Undecided,
}

/// One pair: the metric in the game of the base and in that of the variant.
pub type Pair = (f64, f64);

/// What was seen at a look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Pairs that were looked at.
    pub pairs: usize,
    /// The mean difference, variant less base.
    pub effect: f64,
    /// The interval that decides whether they differ.
    pub outer: (f64, f64),
    /// The interval that decides whether they are equivalent.
    pub inner: (f64, f64),
    /// What it comes to; nothing if more pairs are to be played.
    pub finding: Option<Finding>,
}

/// A test that was designed.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    design: Design,
    looks: Vec<u32>,
    outer: Vec<Bound>,
    inner: Vec<Bound>,
}

/// How far out a bound lies at a look.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bound {
    /// The tail that it leaves.
    tail: f64,
    /// Pairs that are expected there.
    pairs: u32,
    /// Student's point for as many.
    point: f64,
}

impl Bound {
    fn all(looks: &[u32], error: f64, sides: Sides) -> Vec<Bound> {
        let tails = bounds::tails(looks, error, sides);
        let bound = |(&pairs, tail)| Bound {
            tail,
            pairs,
            point: student_point(tail, pairs - 1),
        };
        looks.iter().zip(tails).map(bound).collect()
    }

    fn point(&self, pairs: usize) -> f64 {
        let pairs = pairs as u32;
        if pairs == self.pairs {
            return self.point;
        }
        student_point(self.tail, pairs - 1)
    }
}

impl Test {
    /// Lays a test out.
    ///
    /// # Errors
    /// If an error rate or a number makes no sense.
    pub fn new(design: Design) -> Result<Test, String> {
        for (name, rate) in [("alpha", design.alpha), ("beta", design.beta)] {
            if !(1e-6..=0.5).contains(&rate) {
                return Err(format!(
                    "{name} is {rate}: an error rate is between 0.000001 and 0.5"
                ));
            }
        }
        if !(design.margin > 0.0 && design.margin.is_finite()) {
            return Err(format!(
                "the margin is {}: it must be more than nothing",
                design.margin
            ));
        }
        if design.first < 8 || design.most < design.first {
            return Err(format!(
                "{} to {} pairs: a test needs at least 8, and as many at the end as at the first look",
                design.first, design.most
            ));
        }
        let looks = schedule(design.first, design.most);
        let outer = Bound::all(&looks, design.alpha, Sides::Two);
        let inner = Bound::all(&looks, design.beta, Sides::One);
        Ok(Test {
            design,
            looks,
            outer,
            inner,
        })
    }

    /// What was asked.
    #[must_use]
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// When it looks, in pairs played.
    #[must_use]
    pub fn looks(&self) -> &[u32] {
        &self.looks
    }

    /// Looks at the pairs of the `nth` look. Pairs that went wrong may be missing.
    #[must_use]
    pub fn look(&self, nth: usize, pairs: &[Pair]) -> Look {
        let last = nth + 1 >= self.looks.len();
        let nth = nth.min(self.looks.len() - 1);
        let differences: Vec<f64> = pairs.iter().map(|(base, variant)| variant - base).collect();
        let reach = self.reach(pairs, &differences);
        let outer = interval(&differences, reach, &self.outer[nth]);
        let inner = interval(&differences, reach, &self.inner[nth]);
        let margin = self.design.margin;
        let finding = if outer.0 > 0.0 || outer.1 < 0.0 {
            Some(Finding::Differs)
        } else if -margin < inner.0 && inner.1 < margin {
            Some(Finding::Equivalent)
        } else {
            last.then_some(Finding::Undecided)
        };
        Look {
            pairs: pairs.len(),
            effect: mean(&differences),
            outer,
            inner,
            finding,
        }
    }

    /// How far apart the pair is that was not seen.
    fn reach(&self, pairs: &[Pair], differences: &[f64]) -> f64 {
        let farthest = differences.iter().fold(0.0, |far: f64, d| far.max(d.abs()));
        let (base, variant): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        if differences.iter().filter(|d| **d != 0.0).count() >= ENOUGH {
            let strangers = (variance(&base) + variance(&variant)).sqrt();
            return farthest.max(CAUTION * strangers);
        }
        let all = base.iter().chain(&variant);
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(*x), high.max(*x))
        });
        let range = if low < high { high - low } else { 0.0 };
        // Games that all come to the same number do not prove that no other can be: it may as well be none, or twice as much.
        let level = low.abs().max(high.abs()).max(range);
        let unseen = if level > 0.0 && level.is_finite() {
            level
        } else {
            10.0 * self.design.margin
        };
        self.design.reach.unwrap_or(unseen).max(farthest)
    }
}

/// Looks half as many pairs apart as were played so far, the last at the end.
fn schedule(first: u32, most: u32) -> Vec<u32> {
    let mut looks = vec![];
    let mut next = first;
    // A look shortly before the last one would tell next to nothing.
    while u64::from(next) * 6 <= u64::from(most) * 5 {
        looks.push(next);
        next = next.saturating_add(next.div_ceil(2));
    }
    looks.push(most);
    looks
}

/// An interval with this bound on either side, each as if the worst pair for it had been played too.
fn interval(differences: &[f64], reach: f64, bound: &Bound) -> (f64, f64) {
    let n = differences.len();
    if n < 2 {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    let (mean, n1) = (mean(differences), (n + 1) as f64);
    let squares = variance(differences) * (n - 1) as f64;
    let t = bound.point(n);
    let half = |unseen: f64| {
        let apart = unseen - mean;
        let all = squares + apart * apart * n as f64 / n1;
        (apart / n1, t * (all / n as f64 / n1).sqrt())
    };
    let ((down, low), (up, high)) = (half(-reach), half(reach));
    (mean + down - low, mean + up + high)
}
