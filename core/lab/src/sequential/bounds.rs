//! How much of an error rate each look may spend.
//!
//! Looking often is looking for trouble: a test that is right nineteen times in twenty at each of ten looks is
//! wrong far more often than once in twenty at one of them. So the error rate is a purse. Each look spends
//! the part of it that its pairs are of the most that will be played, and the bound at each look follows
//! from the joint distribution of all the looks (Armitage, McPherson and Rowe's recursion; spending after
//! Lan and DeMets). For sums of many pairs that distribution is the normal one.

use super::tails::{falls_to, normal_density, normal_point, normal_tail};

/// Whether a bound may be crossed on one side only or on either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Above only.
    One,
    /// Above or below.
    Two,
}

/// Points of the grid on which the sum is followed from look to look.
const GRID: usize = 241;
/// As good as never: so many standard deviations.
const FAR: f64 = 8.0;

/// For each look, the tail on one side that a test may leave there, so that the chance to cross at any look is
/// `error` when nothing is to be found.
#[must_use]
pub fn tails(looks: &[u32], error: f64, sides: Sides) -> Vec<f64> {
    let most = f64::from(looks.last().copied().unwrap_or(1).max(1));
    let share = if sides == Sides::Two { 0.5 } else { 1.0 };
    let mut walk: Option<Walk> = None;
    let (mut before, mut found) = (0.0, vec![]);
    for &look in looks {
        let now = f64::from(look) / most;
        let spend = error * share * (now - before);
        let bound = match &walk {
            None => normal_point(spend) * now.sqrt(),
            Some(walk) => falls_to(spend, 0.0, FAR, |bound| walk.above(bound, now - before)),
        };
        found.push(normal_tail(bound / now.sqrt()));
        let low = if sides == Sides::Two {
            -bound
        } else {
            -FAR * now.sqrt()
        };
        walk = Some(Walk::stepped(walk.as_ref(), now - before, low, bound));
        before = now;
    }
    found
}

/// The distribution of the sum among the runs that have not ended yet.
struct Walk {
    at: Vec<f64>,
    /// Densities, times the weights of Simpson's rule.
    mass: Vec<f64>,
}

impl Walk {
    /// One look on: what is between `low` and `high` goes on.
    fn stepped(last: Option<&Walk>, time: f64, low: f64, high: f64) -> Walk {
        let step = (high - low) / (GRID - 1) as f64;
        let at: Vec<f64> = (0..GRID).map(|i| low + step * i as f64).collect();
        let root = time.sqrt();
        let mass = at.iter().enumerate().map(|(i, &s)| {
            let density = match last {
                None => normal_density(s / root) / root,
                Some(last) => {
                    let from = last.at.iter().zip(&last.mass);
                    from.map(|(u, mass)| mass * normal_density((s - u) / root) / root)
                        .sum()
                }
            };
            let weight = match i {
                0 => 1.0,
                i if i == GRID - 1 => 1.0,
                i if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            density * weight * step / 3.0
        });
        let mass = mass.collect();
        Walk { at, mass }
    }

    /// The chance to be above a bound at the next look.
    fn above(&self, bound: f64, time: f64) -> f64 {
        let root = time.sqrt();
        let from = self.at.iter().zip(&self.mass);
        from.map(|(u, mass)| mass * normal_tail((bound - u) / root))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_spends_everything() {
        let [only] = tails(&[100], 0.05, Sides::Two)[..] else {
            panic!("one look, one tail");
        };
        assert!((only - 0.025).abs() < 1e-9);
        let [only] = tails(&[100], 0.05, Sides::One)[..] else {
            panic!("one look, one tail");
        };
        assert!((only - 0.05).abs() < 1e-9);
    }

    #[test]
    fn bounds_fall_from_look_to_look() {
        // A fifth of 0.05 at the first of five looks, on two sides: 2.576 in every table.
        let bounds: Vec<f64> = tails(&[20, 40, 60, 80, 100], 0.05, Sides::Two)
            .into_iter()
            .map(normal_point)
            .collect();
        assert!((bounds[0] - 2.576).abs() < 1e-3, "{bounds:?}");
        assert!(
            bounds.windows(2).all(|pair| pair[0] > pair[1]),
            "{bounds:?}"
        );
        assert!((2.2..2.35).contains(&bounds[4]), "{bounds:?}");
    }

    #[test]
    fn every_look_costs_less_than_if_the_looks_were_strangers() {
        let looks = [16, 24, 36, 54, 81, 122, 183, 256];
        let tails = tails(&looks, 0.05, Sides::One);
        let spent: f64 = tails.iter().sum();
        assert!(spent > 0.05, "shared games are not counted twice: {spent}");
        assert!(tails[7] < 0.05);
    }
}
