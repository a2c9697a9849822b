//! What the rules themselves count, and what is lost when the day is over.

use super::Measured;
use crate::model::{Counted, GameFigures, Spread};
use crate::record::{Record, Snapshot};
use crate::stats::spread;
use cupola_kernel::Presence;

/// From this minute of a day on it is evening, until the other it is night.
const EVENING: i32 = 18 * 60;
const MORNING: i32 = 4 * 60;

/// Counters that were worn, routed and removed, by side.
pub(super) fn as_counted(games: &[GameFigures]) -> [Counted; 2] {
    [0, 1].map(|side| {
        let [worn, routed, removed] = [0, 1, 2].map(|what| {
            let counts = games.iter().map(|game| game.counted[side][what]);
            spread(counts.map(f64::from))
        });
        Counted {
            worn,
            routed,
            removed,
        }
    })
}

/// Prisoners lost by a side; nothing if no game tells.
pub(super) fn captured(games: &[GameFigures], side: usize) -> Option<Spread> {
    let told = spread(games.iter().filter_map(|game| game.captured[side]));
    (told.games > 0).then_some(told)
}

impl Measured<'_> {
    /// Men that a side had lost at the last hour.
    pub(super) fn lost_by(&self, record: &Record, side: usize) -> f64 {
        let last = self.hours.last();
        let at = last.and_then(|&hour| self.at(record, hour));
        let units = at.map_or(&[][..], |at| &at.units);
        let own = units.iter().zip(&self.contest.play.env().units);
        let own = own.filter(|(_, info)| info.side == self.sides[side]);
        own.map(|(at, info)| f64::from(info.men) * f64::from(at.lost) / 1000.0)
            .sum()
    }

    /// Men of a side who were prisoners at the last hour; nothing if the rules do not tell of any of its units.
    pub(super) fn captured(&self, record: &Record, side: usize) -> Option<f64> {
        let at = self.at(record, *self.hours.last()?)?;
        let units = at.units.iter().zip(&self.contest.play.env().units);
        let own = units.filter(|(_, info)| info.side == self.sides[side]);
        let told = own.filter_map(|(at, info)| Some((at.captured?, info.men)));
        told.fold(None, |sum, (share, men)| {
            Some(sum.unwrap_or(0.0) + f64::from(men) * f64::from(share) / 1000.0)
        })
    }

    /// Counters of a side that were worn, routed and removed at the end of a game.
    pub(super) fn counted(&self, record: &Record, side: usize) -> [u32; 3] {
        let mut counts = [0; 3];
        let last = record.kept.snapshots.last();
        let units = last.map_or(&[][..], |last| &last.units);
        let all = units.iter().zip(&self.contest.play.env().units);
        // Leaders count no men.
        for (at, _) in all.filter(|(_, info)| info.side == self.sides[side] && info.men > 0) {
            match at.presence() {
                Presence::Fights if at.lost > 0 => counts[0] += 1,
                Presence::Attends => counts[1] += 1,
                Presence::Gone if at.lost > 0 => counts[2] += 1,
                _ => {}
            }
        }
        counts
    }

    /// The share of all men lost in a game that fell in turns that began in the evening or at night.
    pub(super) fn late(&self, record: &Record) -> Option<f64> {
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
    }

    /// Men that both sides had lost.
    fn men(&self, at: &Snapshot) -> f64 {
        let units = at.units.iter().zip(&self.contest.play.env().units);
        units
            .map(|(at, info)| f64::from(info.men) * f64::from(at.lost) / 1000.0)
            .sum()
    }
}
