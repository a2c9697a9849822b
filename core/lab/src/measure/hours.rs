//! Men and guns lost, by corps and hour; decisions.

use super::Measured;
use crate::model::{CorpsLosses, Spread};
use crate::record::Record;
use crate::stats::spread;
use std::collections::BTreeMap;

impl Measured<'_> {
    /// Men or guns that some units had lost at a minute.
    pub(super) fn lost(&self, record: &Record, minute: i32, units: &[usize], guns: bool) -> f64 {
        let env = self.contest.play.env();
        let Some(snapshot) = self.at(record, minute) else {
            return 0.0;
        };
        let lost = units.iter().map(|&unit| {
            let info = &env.units[unit];
            let all = if guns { info.guns } else { info.men };
            f64::from(all) * f64::from(snapshot.units[unit].lost) / 1000.0
        });
        lost.sum()
    }

    fn spreads(&self, units: &[usize], guns: bool) -> Vec<Spread> {
        let by_hour = self.hours.iter().map(|&hour| {
            let games = self.records.iter();
            spread(games.map(|record| self.lost(record, hour, units, guns)))
        });
        by_hour.collect()
    }

    /// Men that some units lost in each hour, game by game: from the hour before it to its end.
    fn men_in_each(&self, units: &[usize]) -> Vec<Spread> {
        let by_hour = self.hours.iter().enumerate().map(|(i, &hour)| {
            let before = i.checked_sub(1).map(|before| self.hours[before]);
            let games = self.records.iter().map(|record| {
                let by = |minute| self.lost(record, minute, units, false);
                by(hour) - before.map_or(0.0, by)
            });
            spread(games)
        });
        by_hour.collect()
    }

    pub(super) fn lost_by_hour(&self, side: usize, guns: bool) -> Vec<Spread> {
        let units: Vec<usize> = self
            .units()
            .map(|unit| usize::from(unit.0))
            .filter(|&unit| self.side_of(unit) == side)
            .collect();
        self.spreads(&units, guns)
    }

    /// Units by side and corps; those without men, leaders and markers, are of none.
    pub(super) fn by_corps(&self) -> BTreeMap<(usize, &str), Vec<usize>> {
        let mut corps: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
        for unit in self.units().map(|unit| usize::from(unit.0)) {
            let men = self.contest.play.env().units[unit].men;
            if let Some(id) = self.corps_of(unit).filter(|_| men > 0) {
                corps
                    .entry((self.side_of(unit), id))
                    .or_default()
                    .push(unit);
            }
        }
        corps
    }

    pub(super) fn corps_losses(&self) -> Vec<CorpsLosses> {
        let env = self.contest.play.env();
        self.by_corps()
            .into_iter()
            .map(|((side, id), units)| CorpsLosses {
                side,
                id: id.to_owned(),
                name: self
                    .past
                    .army
                    .get(id)
                    .map_or(id, |node| &self.past.army.node(node).name)
                    .to_owned(),
                men: units.iter().map(|&unit| env.units[unit].men).sum(),
                guns: units.iter().map(|&unit| env.units[unit].guns).sum(),
                recorded: self.recorded_loss(id),
                recorded_band: self.recorded_band(id),
                lost: self.spreads(&units, false),
                lost_in: self.men_in_each(&units),
                guns_lost: self.spreads(&units, true),
            })
            .collect()
    }

    pub(super) fn decisions(&self) -> Spread {
        spread(self.records.iter().map(|record| f64::from(made(record))))
    }

    pub(super) fn decisions_per_hour(&self) -> Spread {
        let rates = self.records.iter().map(|record| {
            let (first, last) = (record.kept.snapshots.first(), record.kept.snapshots.last());
            let minutes = last.map_or(0, |s| s.minute) - first.map_or(0, |s| s.minute);
            f64::from(made(record)) * 60.0 / f64::from(minutes.max(1))
        });
        spread(rates)
    }
}

/// Decisions of both sides in which there was something to choose.
fn made(record: &Record) -> u32 {
    let tallies = record
        .kept
        .snapshots
        .iter()
        .flat_map(|snapshot| &snapshot.tally);
    tallies.map(|tally| tally.decisions).sum()
}
