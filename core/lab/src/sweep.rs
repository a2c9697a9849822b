//! Which number matters: values are moved one at a time, and each metric is compared pair by pair with the base.
//!
//! All contests share their seeds, so that a pair differs only by the value. Every interval is wide enough for all
//! of them to hold at once (Bonferroni): a designer who looks at forty bars is not fooled by the two that chance
//! alone would move.

use crate::contest::Contest;
use crate::figure::Figure;
use crate::metric::Metric;
use crate::record::Record;
use crate::sequential::tails::student_point;
use crate::stats::{mean, variance};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a change of one value, or of two, did to one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// The metric.
    pub metric: String,
    /// How much more than under the base, in the mean.
    pub mean: f64,
    /// The ends of its interval, which holds for all effects of the sweep at once.
    pub interval: (f64, f64),
    /// Pairs that were looked at.
    pub pairs: usize,
    /// Whether the interval leaves no doubt that something changed.
    pub clear: bool,
}

/// A value that is moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Knob {
    /// Its path: `counters/cs-heth/strength`.
    pub path: String,
    /// What it is.
    pub was: i64,
    /// Where it comes from, in words.
    pub origin: String,
    /// What it was set to, and what that did to each metric.
    pub settings: Vec<(i64, Vec<Effect>)>,
}

/// Two values that were moved at once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Interaction {
    /// The first, and what it was set to.
    pub first: (String, i64),
    /// The second, and what it was set to.
    pub second: (String, i64),
    /// How much both together did beyond the sum of each alone, by metric.
    pub beyond: Vec<Effect>,
}

/// All that came of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sweep {
    /// What was swept.
    pub base: String,
    /// The hours of the battle.
    pub scenario: String,
    /// Who played both sides.
    pub player: String,
    /// What the plans are called; none if everybody seeks the enemy.
    pub plans: Vec<String>,
    /// The metrics: name, sentence, mean under the base.
    pub metrics: Vec<(String, String, f64)>,
    /// Pairs for each setting.
    pub pairs: u32,
    /// The chance that any interval of all misses its value.
    pub alpha: f64,
    /// The values, the strongest first.
    pub knobs: Vec<Knob>,
    /// Pairs of the strongest.
    pub interactions: Vec<Interaction>,
}

/// The games of a contest, by their numbers.
pub struct Games<'a> {
    contest: &'a Contest,
    records: BTreeMap<u32, &'a Record>,
}

impl<'a> Games<'a> {
    /// The games of a contest.
    #[must_use]
    pub fn new(contest: &'a Contest, records: &'a [Record]) -> Games<'a> {
        let records = records.iter().map(|record| (record.number, record));
        Games {
            contest,
            records: records.collect(),
        }
    }

    fn of(&self, metric: &Metric, number: u32) -> Option<f64> {
        metric.of(self.contest, self.records.get(&number)?)
    }

    /// The mean of a metric.
    #[must_use]
    pub fn mean(&self, metric: &Metric) -> f64 {
        let all: Vec<f64> = self
            .records
            .keys()
            .filter_map(|&number| self.of(metric, number))
            .collect();
        mean(&all)
    }
}

/// What a change did to a metric, pair by pair. `tests` is the number of effects that must hold at once.
#[must_use]
pub fn effect(base: &Games, changed: &Games, metric: &Metric, alpha: f64, tests: usize) -> Effect {
    let numbers = base.records.keys();
    let apart =
        numbers.filter_map(|&number| Some(changed.of(metric, number)? - base.of(metric, number)?));
    interval(metric.name(), &apart.collect::<Vec<f64>>(), alpha, tests)
}

/// How much two changes together did beyond the sum of each alone.
#[must_use]
pub fn beyond(
    base: &Games,
    alone: [&Games; 2],
    both: &Games,
    metric: &Metric,
    alpha: f64,
    tests: usize,
) -> Effect {
    let numbers = base.records.keys();
    let apart = numbers.filter_map(|&number| {
        let base = base.of(metric, number)?;
        let sum = alone[0].of(metric, number)? - base + alone[1].of(metric, number)? - base;
        Some(both.of(metric, number)? - base - sum)
    });
    interval(metric.name(), &apart.collect::<Vec<f64>>(), alpha, tests)
}

fn interval(metric: &str, apart: &[f64], alpha: f64, tests: usize) -> Effect {
    let (middle, n) = (mean(apart), apart.len());
    let tail = alpha / (2.0 * tests.max(1) as f64);
    let half = if n < 2 {
        f64::INFINITY
    } else {
        let point = student_point(tail, n as u32 - 1);
        point * (variance(apart) / n as f64).sqrt()
    };
    // Where few pairs differ at all, or all by the same, there is hardly a spread to judge by: so many that differ must not fall
    // one way by chance. Two coins that fall alike are no proof.
    let differ = apart.iter().filter(|apart| **apart != 0.0).count();
    let many = 0.5_f64.powi(i32::try_from(differ).unwrap_or(i32::MAX)) <= tail;
    let clear = n >= 2 && middle != 0.0 && middle.abs() > half && many;
    Effect {
        metric: metric.to_owned(),
        mean: middle,
        interval: (middle - half, middle + half),
        pairs: n,
        clear,
    }
}

impl Effect {
    /// The interval in words; none has a width where all pairs came to the same.
    #[must_use]
    pub fn within(&self) -> String {
        let (low, high) = self.interval;
        match low == high {
            true => format!("in each of {} pairs", self.pairs),
            false => format!("{:+} to {:+}", Figure(low), Figure(high)),
        }
    }
}

impl Knob {
    /// The largest effect on a metric, whatever its direction.
    #[must_use]
    pub fn reach(&self, metric: usize) -> f64 {
        let effects = self
            .settings
            .iter()
            .filter_map(|(_, effects)| effects.get(metric));
        effects.map(|effect| effect.mean.abs()).fold(0.0, f64::max)
    }
}

impl Sweep {
    /// Who played, and by which plans: what moves a metric moves it for them.
    #[must_use]
    pub fn by(&self) -> String {
        let plans: Vec<String> = self
            .plans
            .iter()
            .map(|plan| format!("\"{plan}\""))
            .collect();
        match plans.is_empty() {
            true => format!("{} on both sides, without plans", self.player),
            false => format!(
                "{} on both sides; plans {}",
                self.player,
                plans.join(" and ")
            ),
        }
    }

    /// Puts the values in order: those that move the first metric most come first; of equals our own numbers, since
    /// they are the ones that can be changed.
    pub fn sort(&mut self) {
        let house = |knob: &Knob| !knob.origin.starts_with("house");
        self.knobs.sort_by(|a, b| {
            let by_reach = b.reach(0).total_cmp(&a.reach(0));
            by_reach
                .then_with(|| house(a).cmp(&house(b)))
                .then_with(|| a.path.cmp(&b.path))
        });
    }

    /// As a table: a line for each value, setting and metric.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = "path,origin,was,set_to,metric,effect,low,high,pairs,clear\n".to_owned();
        let cell = |text: &str| format!("\"{}\"", cupola_data::cell(text).replace('"', "\"\""));
        for knob in &self.knobs {
            for (value, effects) in &knob.settings {
                for effect in effects {
                    let (low, high) = effect.interval;
                    out += &format!(
                        "{},{},{},{value},{},{:.6},{low:.6},{high:.6},{},{}\n",
                        cell(&knob.path),
                        cell(&knob.origin),
                        knob.was,
                        cell(&effect.metric),
                        effect.mean,
                        effect.pairs,
                        if effect.clear { "yes" } else { "no" },
                    );
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_widens_with_the_number_of_questions() {
        let apart: Vec<f64> = (0..40).map(|i| f64::from(i % 5)).collect();
        let one = interval("m", &apart, 0.05, 1);
        let many = interval("m", &apart, 0.05, 40);
        assert_eq!(one.mean, 2.0);
        assert!(one.clear && many.clear);
        assert!(many.interval.0 < one.interval.0 && many.interval.1 > one.interval.1);
        // Two standard errors, about: the variance is 2, of 40 values.
        assert!(
            (one.interval.1 - 2.0 - 0.458).abs() < 0.01,
            "{:?}",
            one.interval
        );
        let none = interval("m", &[0.0; 40], 0.05, 1);
        assert!(!none.clear && none.interval == (0.0, 0.0));
        assert_eq!(none.within(), "in each of 40 pairs");
        assert_eq!(one.within(), "+1.54 to +2.46");
        let men = Effect {
            interval: (-1234.567, 0.0001),
            ..one
        };
        assert_eq!(men.within(), "-1235 to 0");
        // Four pairs that all differ by one: as likely by chance as an eighth.
        assert!(!interval("m", &[1.0; 4], 0.05, 1).clear);
        assert!(interval("m", &[1.0; 6], 0.05, 1).clear);
        assert!(!interval("m", &[1.0; 6], 0.05, 40).clear);
        assert!(!interval("m", &[1.0], 0.05, 1).clear);
        // Five pairs of sixty that differ, all the same way: one time in sixteen by chance, whatever the interval says.
        let rare: Vec<f64> = (0..60).map(|i| f64::from(u8::from(i % 12 == 0))).collect();
        let five = interval("m", &rare, 0.05, 1);
        assert!(five.interval.0 > 0.0 && !five.clear, "{five:?}");
    }

    #[test]
    fn the_strongest_come_first_and_of_equals_our_own() {
        let knob = |path: &str, origin: &str, mean: f64| Knob {
            path: path.into(),
            was: 1,
            origin: origin.into(),
            settings: vec![(2, vec![interval("m", &[mean, mean], 0.05, 1)])],
        };
        let mut sweep = Sweep {
            base: "x".into(),
            scenario: "y".into(),
            player: "steady".into(),
            plans: vec![],
            metrics: vec![("m".into(), "how much".into(), 0.0)],
            pairs: 2,
            alpha: 0.05,
            knobs: vec![
                knob("b", "printed: 1", 1.0),
                knob("a", "house: n", -1.0),
                knob("c", "house: n", 2.0),
            ],
            interactions: vec![],
        };
        sweep.sort();
        let order: Vec<&str> = sweep.knobs.iter().map(|knob| knob.path.as_str()).collect();
        assert_eq!(order, ["c", "a", "b"]);
        assert_eq!(sweep.csv().lines().count(), 4);
    }
}
