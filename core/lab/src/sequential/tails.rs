//! Tails of the normal and of Student's distribution, and the points that leave a given tail.
//!
//! Only the four operations, the square root and the `libm` crate are used, so the figures are the same on
//! every machine.

use core::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

/// The chance that a standard normal number is above `z`.
#[must_use]
pub fn normal_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z * FRAC_1_SQRT_2)
}

/// The density of the standard normal distribution.
#[must_use]
pub fn normal_density(z: f64) -> f64 {
    const ROOT: f64 = 0.398_942_280_401_432_7;
    ROOT * libm::exp(-0.5 * z * z)
}

/// The point above which a standard normal number lies with chance `tail`.
#[must_use]
pub fn normal_point(tail: f64) -> f64 {
    falls_to(tail, -40.0, 40.0, normal_tail)
}

/// The chance that a number of Student's distribution is above `t`, for a positive `t`.
///
/// With whole degrees of freedom the distribution is a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4).
#[must_use]
pub fn student_tail(t: f64, freedom: u32) -> f64 {
    let nu = f64::from(freedom.max(1));
    let cos2 = nu / (nu + t * t);
    let (sin, cos) = (t / (nu + t * t).sqrt(), cos2.sqrt());
    let odd = freedom % 2 == 1;
    // The terms grow by 1/2, 3/4, … if the degrees are even, by 2/3, 4/5, … if they are odd.
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = if freedom == 1 { 0.0 } else { term };
    for k in (if odd { 2 } else { 1 }..=freedom.saturating_sub(3)).step_by(2) {
        term *= cos2 * f64::from(k) / f64::from(k + 1);
        sum += term;
    }
    let inside = if odd {
        let angle = libm::atan(t / nu.sqrt());
        FRAC_2_PI * (angle + sin * sum)
    } else {
        sin * sum
    };
    0.5 * (1.0 - inside)
}

/// The point above which a number of Student's distribution lies with chance `tail`, below one half.
#[must_use]
pub fn student_point(tail: f64, freedom: u32) -> f64 {
    // Beyond this the finite sum is long and the first term of the expansion is exact to six digits.
    const MANY: u32 = 1500;
    if freedom > MANY {
        let z = normal_point(tail);
        return z + (z * z * z + z) / (4.0 * f64::from(freedom));
    }
    falls_to(tail, 0.0, 1e4, |t| student_tail(t, freedom))
}

/// Where a falling function comes down to a value.
pub(super) fn falls_to(value: f64, low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if f(middle) > value {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-4, "{found}, not {expected}");
    }

    #[test]
    fn points_are_as_in_the_tables() {
        near(normal_point(0.025), 1.9600);
        near(normal_point(0.001), 3.0902);
        near(student_point(0.05, 1), 6.3138);
        near(student_point(0.025, 2), 4.3027);
        near(student_point(0.025, 3), 3.1824);
        near(student_point(0.025, 4), 2.7764);
        near(student_point(0.025, 5), 2.5706);
        near(student_point(0.005, 15), 2.9467);
        near(student_point(0.005, 16), 2.9208);
        near(student_point(0.0005, 30), 3.6460);
        near(student_point(0.025, 120), 1.9799);
        near(student_point(0.025, 2000), 1.9612);
        near(student_point(0.025, 1499), student_point(0.025, 1501));
    }
}
