//! When things begin, how fast they move, how long they last, and orders that do nothing.

use super::Measured;
use crate::model::{Onset, Spread, Tempo};
use crate::record::{Hours, Record, Tally};
use crate::stats::{mean, spread};

impl Measured<'_> {
    pub(super) fn tempo(&self) -> Tempo {
        Tempo {
            first_contact: self.onset(|record| record.kept.first_contact),
            first_attack: self.onset(|record| record.kept.first_attack),
            first_close: self.onset(|record| record.kept.first_close),
            march: [0, 1].map(|side| self.march(side)),
            attacks: [0, 1].map(|side| self.attacks(side)),
        }
    }

    fn onset(&self, when: fn(&Record) -> Option<Hours>) -> Onset {
        let mut turns: Vec<Hours> = self.records.iter().filter_map(|r| when(r)).collect();
        turns.sort_unstable();
        let middles: Vec<f64> = turns.iter().map(|turn| turn.middle()).collect();
        // The turn by which so many tenths of the games have come so far.
        let at = |tenths: usize| {
            let last = (turns.len() * tenths).div_ceil(10).saturating_sub(1);
            let turn = turns.get(last);
            turn.map_or((0, 0), |turn| (turn.from, turn.to))
        };
        Onset {
            games: turns.len() as u32,
            of: self.records.len() as u32,
            mean: mean(&middles),
            early: at(1),
            usual: at(5),
            late: at(9),
        }
    }

    /// Metres per hour of units that marched at all.
    fn march(&self, side: usize) -> Spread {
        let speeds = self.records.iter().filter_map(|record| {
            let (mut metres, mut hours) = (0.0, 0.0);
            for (minutes, tally) in self.stretches(record, side) {
                metres += f64::from(tally.marched);
                hours += f64::from(tally.marchers) * f64::from(minutes) / 60.0;
            }
            (hours > 0.0).then(|| metres / hours)
        });
        spread(speeds)
    }

    fn attacks(&self, side: usize) -> Spread {
        let rates = self.records.iter().filter_map(|record| {
            let (mut attacks, mut minutes) = (0, 0);
            for (length, tally) in self.stretches(record, side) {
                attacks += tally.attacks;
                minutes += length;
            }
            (minutes > 0).then(|| f64::from(attacks) * 60.0 / f64::from(minutes))
        });
        spread(rates)
    }

    /// The time between snapshots and what a side did in it.
    fn stretches<'r>(
        &self,
        record: &'r Record,
        side: usize,
    ) -> impl Iterator<Item = (i32, &'r Tally)> + use<'r> {
        let side = self.sides[side] as usize;
        let pairs = record.kept.snapshots.windows(2);
        pairs.map(move |pair| (pair[1].minute - pair[0].minute, &pair[1].tally[side]))
    }

    pub(super) fn idle_orders(&self, side: usize) -> Spread {
        let shares = self.records.iter().filter_map(|record| {
            let (mut ordered, mut idle) = (0, 0);
            for (_, tally) in self.stretches(record, side) {
                ordered += tally.ordered;
                idle += tally.idle;
            }
            (ordered > 0).then(|| f64::from(idle) / f64::from(ordered))
        });
        spread(shares)
    }
}

/// Minutes of every stretch of turns in which a unit had an enemy next to it.
pub(crate) fn stays(record: &Record) -> Vec<f64> {
    bounds(record).into_iter().map(|(_, most)| most).collect()
}

/// The least and the most that every such stretch may have lasted: in its first turn and in its last the enemy may have been there for a
/// moment only.
pub(crate) fn bounds(record: &Record) -> Vec<(f64, f64)> {
    let snapshots = &record.kept.snapshots;
    let units = snapshots.first().map_or(0, |snapshot| snapshot.units.len());
    let mut stays = vec![];
    for unit in 0..units {
        let engaged = |at: usize| snapshots[at].units.get(unit).is_some_and(|at| at.engaged);
        let turns = (1..snapshots.len()).collect::<Vec<usize>>();
        for stay in turns.chunk_by(|a, b| engaged(*a) == engaged(*b)) {
            let (Some(&first), Some(&last)) = (stay.first(), stay.last()) else {
                continue;
            };
            if engaged(first) {
                let minute = |at: usize| f64::from(snapshots[at].minute);
                let within = minute(last - 1) - minute(first);
                stays.push((within.max(0.0), minute(last) - minute(first - 1)));
            }
        }
    }
    stays
}
