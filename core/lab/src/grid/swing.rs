//! What goes with what: how far a measure moves with each choice, and how much of all that differs goes with it.

use super::{Cell, Grid, Measure, SCALES, square};
use crate::stats::mean;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How much of what differs between cells goes with each choice, as shares of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    /// The rules.
    pub rulesets: f64,
    /// The plans.
    pub plans: f64,
    /// The players.
    pub bots: f64,
    /// What a loss stands for in men.
    pub scale: f64,
    /// What two of them do together.
    pub rest: f64,
    /// The dice: what cells would differ by if nothing but the games in them did. No choice is given that part of its squares.
    #[serde(default)]
    pub dice: f64,
}

/// How far a measure moves with one choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Swing {
    /// The choice.
    pub choice: &'static str,
    /// Where it is least: its name and the mean there.
    pub low: (String, f64),
    /// Where it is most.
    pub high: (String, f64),
}

impl Swing {
    fn of(choice: &'static str, levels: impl Iterator<Item = (String, f64)>) -> Option<Swing> {
        let mut levels: Vec<(String, f64)> = levels.collect();
        // Where there was no choice, nobody knows what it moves: that is not the same as nothing.
        if levels.len() < 2 {
            return None;
        }
        levels.sort_by(|a, b| a.1.total_cmp(&b.1));
        Some(Swing {
            choice,
            low: levels.first()?.clone(),
            high: levels.last()?.clone(),
        })
    }
}

impl Grid {
    /// How far a measure of a contest moves with each choice that there was, the others averaged: plans, players, scale of losses.
    #[must_use]
    pub fn tornado(&self, contest: &str, measure: Measure) -> Vec<Swing> {
        let cells: Vec<&Cell> = self
            .cells
            .iter()
            .filter(|cell| cell.contest == contest && cell.value(measure).games > 0)
            .collect();
        let mean_of = |fits: &dyn Fn(&Cell) -> bool| {
            let fitting = cells.iter().filter(|cell| fits(cell));
            let values: Vec<f64> = fitting.map(|cell| cell.value(measure).mean).collect();
            (!values.is_empty()).then(|| mean(&values))
        };
        let plans = self.plans.iter().filter_map(|pair| {
            let value = mean_of(&|cell| cell.plans == pair.name)?;
            Some((pair.name.clone(), value))
        });
        let bots = self.bots.iter().filter_map(|bot| {
            let value = mean_of(&|cell| cell.bot == *bot)?;
            Some((bot.clone(), value))
        });
        let whole = mean_of(&|_| true);
        let factors = self.factors(contest, measure);
        let scale = SCALES
            .iter()
            .zip(factors)
            .filter_map(|(name, factor)| Some(((*name).to_owned(), whole? * factor)));
        let swings = [
            Swing::of("plans", plans),
            Swing::of("players", bots),
            Swing::of("scale of losses", scale),
        ];
        let mut swings: Vec<Swing> = swings.into_iter().flatten().collect();
        swings.sort_by(|a, b| (b.high.1 - b.low.1).total_cmp(&(a.high.1 - a.low.1)));
        swings
    }

    pub(super) fn shares_of(&self, measure: Measure) -> Shares {
        let (mut table, mut cells) = (vec![], vec![]);
        for (r, contest) in self.complete().into_iter().enumerate() {
            for (p, plans) in self.plans.iter().enumerate() {
                for (b, bot) in self.bots.iter().enumerate() {
                    let Some(cell) = self.cell(contest, &plans.name, bot) else {
                        continue;
                    };
                    let (of, from) = (cell.value(measure), table.len());
                    let factors = self.factors(contest, measure);
                    let at = |(s, factor): (usize, &f64)| ([r, p, b, s], of.mean * factor);
                    table.extend(factors.iter().enumerate().map(at));
                    cells.push((from, factors, square(of.error)));
                }
            }
        }
        let places: Vec<Place> = table.iter().map(|(at, _)| *at).collect();
        let values: Vec<f64> = table.iter().map(|(_, value)| *value).collect();
        let seen = squares(&places, &values);
        let whole = seen[WHOLE];
        if whole <= 0.0 {
            return Shares::default();
        }
        // What the dice of one cell alone would make of every part: the same cell counted at several scales is one throw.
        let mut dice = [0.0; WHOLE + 1];
        for (from, factors, variance) in &cells {
            let mut alone = vec![0.0; values.len()];
            alone[*from..from + factors.len()].copy_from_slice(factors);
            let parts = squares(&places, &alone);
            for (sum, part) in dice.iter_mut().zip(parts) {
                *sum += variance * part;
            }
        }
        let beyond = |part: usize| ((seen[part] - dice[part]) / whole).max(0.0);
        let [rulesets, plans, bots, scale] = [0, 1, 2, 3].map(beyond);
        // What is left of all numbers once every choice has its own.
        let left = |of: &[f64; WHOLE + 1]| of[WHOLE] - of[..WHOLE].iter().sum::<f64>();
        let rest = ((left(&seen) - left(&dice)) / whole).max(0.0);
        Shares {
            rulesets,
            plans,
            bots,
            scale,
            rest,
            dice: (1.0 - rulesets - plans - bots - scale - rest).max(0.0),
        }
    }
}

/// Where a number stands in the table: ruleset, plans, player, scale.
type Place = [usize; 4];

/// The place of the sum of all squares among the parts.
const WHOLE: usize = 4;

/// The sums of squares between the levels of every choice, and of all numbers around their mean.
fn squares(places: &[Place], values: &[f64]) -> [f64; WHOLE + 1] {
    let middle = mean(values);
    let mut sums = [0.0; WHOLE + 1];
    for (choice, sum) in sums[..WHOLE].iter_mut().enumerate() {
        let mut levels: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (at, value) in places.iter().zip(values) {
            levels.entry(at[choice]).or_default().push(*value);
        }
        let between = levels
            .values()
            .map(|level| level.len() as f64 * square(mean(level) - middle));
        *sum = between.sum();
    }
    sums[WHOLE] = values.iter().map(|value| square(value - middle)).sum();
    sums
}
