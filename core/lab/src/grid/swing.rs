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
    /// The dice, as far as the games of a cell differ among themselves.
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
        let (mut table, mut noise) = (vec![], 0.0);
        for (r, contest) in self.complete().into_iter().enumerate() {
            for (p, plans) in self.plans.iter().enumerate() {
                for (b, bot) in self.bots.iter().enumerate() {
                    let Some(cell) = self.cell(contest, &plans.name, bot) else {
                        continue;
                    };
                    for (s, factor) in self.factors(contest, measure).into_iter().enumerate() {
                        let value = cell.value(measure).times(factor);
                        table.push(([r, p, b, s], value.mean));
                        noise += square(value.error);
                    }
                }
            }
        }
        let all: Vec<f64> = table.iter().map(|(_, value)| *value).collect();
        let whole: f64 = all.iter().map(|value| square(value - mean(&all))).sum();
        if whole <= 0.0 {
            return Shares::default();
        }
        let share = |factor: usize| {
            let mut levels: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
            for (at, value) in &table {
                levels.entry(at[factor]).or_default().push(*value);
            }
            let between = levels
                .values()
                .map(|level| level.len() as f64 * square(mean(level) - mean(&all)));
            between.sum::<f64>() / whole
        };
        let [rulesets, plans, bots, scale] = [0, 1, 2, 3].map(share);
        let left = (1.0 - rulesets - plans - bots - scale).max(0.0);
        let dice = (noise / whole).min(left);
        Shares {
            rulesets,
            plans,
            bots,
            scale,
            rest: left - dice,
            dice,
        }
    }
}
