//! Odds and outcomes are one piece of code.
//!
//! [`enumerate`] runs a resolution once for every way its dice can fall and adds up the exact chances.
//! The code under it is the same that resolves the fight for good.

use crate::dice::{About, Dice};
use serde::Serialize;
use std::collections::BTreeMap;

/// A distribution over outcomes; the weights add up to `total`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Odds<T> {
    /// Outcomes in order, each with its weight.
    pub outcomes: Vec<(T, u128)>,
    /// The sum of all weights.
    pub total: u128,
}

impl<T: Ord> Odds<T> {
    /// The chance of an outcome as a fraction of 10,000, rounded: for people, not for rules.
    #[must_use]
    pub fn per_myriad(&self, outcome: &T) -> u32 {
        let weight = self
            .outcomes
            .iter()
            .find(|(o, _)| o == outcome)
            .map_or(0, |(_, w)| *w);
        ((weight * 20_000 + self.total) / (2 * self.total)) as u32
    }

    /// The distribution of something that follows from the outcome.
    #[must_use]
    pub fn map<U: Ord>(self, mut f: impl FnMut(T) -> U) -> Odds<U> {
        let mut sums = BTreeMap::new();
        for (outcome, weight) in self.outcomes {
            *sums.entry(f(outcome)).or_insert(0) += weight;
        }
        Odds {
            outcomes: sums.into_iter().collect(),
            total: self.total,
        }
    }
}

/// A path through the tree of rolls: what each die shows and how many faces it has.
#[derive(Default)]
struct Path {
    rolls: Vec<(u16, u16)>,
    next: usize,
}

impl Dice for Path {
    fn roll(&mut self, sides: u16, _: &'static str, _: About) -> u16 {
        if self.next == self.rolls.len() {
            self.rolls.push((1, sides));
        }
        let (value, _) = self.rolls[self.next];
        self.next += 1;
        value
    }
}

impl Path {
    /// How many equally likely paths there are of this shape.
    fn spread(&self) -> u128 {
        self.rolls
            .iter()
            .map(|&(_, sides)| u128::from(sides))
            .product()
    }

    /// Moves on to the next path; false when all were walked.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((value, sides)) = self.rolls.pop() {
            if value < sides {
                self.rolls.push((value + 1, sides));
                return true;
            }
        }
        false
    }
}

/// Runs `resolve` once for every way its dice can fall. `visit` gets what came of it, and how many equally likely
/// ways there are of that length.
///
/// `resolve` must be pure but for the dice, and roll only finitely often on every path.
pub fn every_way<T>(mut resolve: impl FnMut(&mut dyn Dice) -> T, mut visit: impl FnMut(T, u128)) {
    let mut path = Path::default();
    loop {
        let outcome = resolve(&mut path);
        visit(outcome, path.spread());
        if !path.advance() {
            break;
        }
    }
}

/// The exact distribution of what `resolve` returns over all dice.
///
/// `resolve` must be pure but for the dice, and roll only finitely often on every path.
///
/// ```
/// use cupola_kernel::{About, Dice, Loose, Seed, enumerate};
///
/// /// A six hits; who missed tries once more.
/// fn hits(dice: &mut dyn Dice) -> bool {
///     dice.d6("shot", About::Game) == 6 || dice.d6("again", About::Game) == 6
/// }
///
/// // The odds that are shown, and the roll that counts, are one piece of code.
/// let odds = enumerate(hits);
/// assert_eq!((odds.outcomes, odds.total), (vec![(false, 25), (true, 11)], 36));
/// let _ = hits(&mut Loose::new(Seed(1863)));
/// ```
pub fn enumerate<T: Ord>(resolve: impl FnMut(&mut dyn Dice) -> T) -> Odds<T> {
    // Outcomes by the spread of their paths: paths of different lengths weigh differently.
    let mut found: BTreeMap<T, BTreeMap<u128, u128>> = BTreeMap::new();
    let mut total = 1u128;
    every_way(resolve, |outcome, spread| {
        total = lcm(total, spread);
        *found.entry(outcome).or_default().entry(spread).or_insert(0) += 1;
    });
    let weigh = |by_spread: BTreeMap<u128, u128>| {
        by_spread
            .into_iter()
            .map(|(spread, n)| n * (total / spread))
            .sum()
    };
    Odds {
        outcomes: found
            .into_iter()
            .map(|(outcome, w)| (outcome, weigh(w)))
            .collect(),
        total,
    }
}

fn lcm(a: u128, b: u128) -> u128 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_dice_make_the_triangle() {
        let odds = enumerate(|dice| dice.d6("a", About::Game) + dice.d6("b", About::Game));
        assert_eq!(odds.total, 36);
        assert_eq!(
            odds.outcomes.iter().map(|(_, w)| *w).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
        );
    }

    #[test]
    fn a_second_roll_on_some_paths_keeps_the_sum_at_one() {
        // Roll; on a six roll again and take the sum.
        let odds = enumerate(|dice| match dice.d6("first", About::Game) {
            6 => 6 + dice.d6("again", About::Game),
            n => n,
        });
        assert_eq!(
            odds.outcomes.iter().map(|(_, w)| w).sum::<u128>(),
            odds.total
        );
        assert_eq!(odds.per_myriad(&5), 1667);
        assert_eq!(odds.per_myriad(&12), 278);
    }

    #[test]
    fn what_rolls_nothing_is_certain() {
        assert_eq!(enumerate(|_| 'x').outcomes, [('x', 1)]);
    }
}
