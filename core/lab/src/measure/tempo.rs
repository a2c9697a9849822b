//! When things begin, how fast they move, how long they last, and orders that do nothing.

use super::Measured;
use crate::model::{Spread, Tempo};
use crate::record::{Record, Tally};
use crate::stats::{mean, spread};

impl Measured<'_> {
    pub(super) fn tempo(&self) -> Tempo {
        let first = |when: fn(&Record) -> Option<i32>| {
            spread(
                self.records
                    .iter()
                    .filter_map(|record| when(record).map(f64::from)),
            )
        };
        Tempo {
            first_contact: first(|record| record.kept.first_contact),
            first_attack: first(|record| record.kept.first_attack),
            march: [0, 1].map(|side| self.march(side)),
            attacks: [0, 1].map(|side| self.attacks(side)),
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

    /// How long units stay in contact once they are, as the mean of a game.
    pub(super) fn contact_minutes(&self) -> Spread {
        let means = self.records.iter().filter_map(|record| {
            let stays = stays(record);
            (!stays.is_empty()).then(|| mean(&stays))
        });
        spread(means)
    }
}

/// Minutes of every stretch in which a unit was in contact, snapshot after snapshot.
pub(super) fn stays(record: &Record) -> Vec<f64> {
    let snapshots = &record.kept.snapshots;
    let units = snapshots.first().map_or(0, |snapshot| snapshot.units.len());
    let mut stays = vec![];
    for unit in 0..units {
        let mut since = None;
        for snapshot in snapshots {
            let contact = snapshot.units.get(unit).is_some_and(|at| at.contact);
            match (contact, since) {
                (true, None) => since = Some(snapshot.minute),
                (false, Some(start)) => {
                    stays.push(f64::from(snapshot.minute - start));
                    since = None;
                }
                _ => {}
            }
        }
        if let (Some(start), Some(last)) = (since, snapshots.last())
            && last.minute > start
        {
            stays.push(f64::from(last.minute - start));
        }
    }
    stays
}
