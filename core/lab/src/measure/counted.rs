//! What the rules themselves count, and what is lost when the day is over.

use super::Measured;
use crate::model::{Counted, Spread};
use crate::record::{Record, Snapshot};
use crate::stats::spread;
use cupola_kernel::{Presence, UnitInfo};

/// From this minute of a day on it is evening, until the other it is night.
const EVENING: i32 = 18 * 60;
const MORNING: i32 = 4 * 60;

impl Measured<'_> {
    /// Counters that were worn, routed and removed, by side.
    pub(super) fn as_counted(&self) -> [Counted; 2] {
        [0, 1].map(|side| {
            let count = |fits: fn(&UnitInfo, Presence, u16) -> bool| {
                spread(
                    self.records
                        .iter()
                        .filter_map(|record| self.count(record, side, fits)),
                )
            };
            Counted {
                worn: count(|_, presence, lost| presence == Presence::Fights && lost > 0),
                // Leaders hold no ground either, and count no men.
                routed: count(|unit, presence, _| presence == Presence::Attends && unit.men > 0),
                removed: count(|unit, presence, lost| {
                    presence == Presence::Gone && unit.men > 0 && lost > 0
                }),
            }
        })
    }

    fn count(
        &self,
        record: &Record,
        side: usize,
        fits: fn(&UnitInfo, Presence, u16) -> bool,
    ) -> Option<f64> {
        let last = record.kept.snapshots.last()?;
        let units = last.units.iter().zip(&self.contest.play.env().units);
        let own = units.filter(|(_, info)| info.side == self.sides[side]);
        let fitting = own.filter(|(at, info)| fits(info, at.presence(), at.lost));
        Some(fitting.count() as f64)
    }

    /// The share of all men lost that fell in turns that began in the evening or at night.
    pub(super) fn late(&self) -> Spread {
        let shares = self.records.iter().filter_map(|record| {
            let (mut late, mut all) = (0.0, 0.0);
            for pair in record.kept.snapshots.windows(2) {
                let lost = self.men(&pair[1]) - self.men(&pair[0]);
                let minute = pair[0].minute.rem_euclid(24 * 60);
                all += lost;
                if !(MORNING..EVENING).contains(&minute) {
                    late += lost;
                }
            }
            (all > 0.0).then(|| late / all)
        });
        spread(shares)
    }

    /// Men that both sides had lost.
    fn men(&self, at: &Snapshot) -> f64 {
        let units = at.units.iter().zip(&self.contest.play.env().units);
        units
            .map(|(at, info)| f64::from(info.men) * f64::from(at.lost) / 1000.0)
            .sum()
    }
}
