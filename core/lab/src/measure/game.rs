//! What a single game comes to.

use super::Measured;
use super::front::Fronts;
use super::tempo::stays;
use crate::model::GameFigures;
use crate::record::Record;
use crate::stats::mean;

impl Measured<'_> {
    /// Every game by itself.
    pub(super) fn by_game(&self, fronts: &Fronts) -> Vec<GameFigures> {
        let spots = self.all_spots();
        let games = self.records.iter().enumerate();
        let figures = games.map(|(i, record)| {
            let pushed = fronts.by_game.get(i).map_or(&[][..], Vec::as_slice);
            let held = fronts.held.get(i).cloned().unwrap_or_default();
            let astray: Vec<Option<f64>> = self.astray(record, &spots);
            let known: Vec<f64> = astray.iter().copied().flatten().collect();
            let stays = stays(record);
            let places = self.places_shares(record);
            GameFigures {
                game: record.number,
                minutes: minutes(record),
                contact: (!stays.is_empty()).then(|| mean(&stays)),
                late: self.late(record),
                men_lost: [0, 1].map(|side| self.lost_by(record, side)),
                captured: [0, 1].map(|side| self.captured(record, side)),
                counted: [0, 1].map(|side| self.counted(record, side)),
                astray: (!known.is_empty()).then(|| mean(&known)),
                places: places.map(|shares| shares.0),
                places_nobody: places.map(|shares| shares.1),
                losses: self.losses_off(record),
                pushed: [0, 1].map(|side| pushed.iter().map(|hour| hour[side]).sum()),
                hours: pushed.iter().copied().zip(astray).collect(),
                held,
            }
        });
        figures.collect()
    }

    /// Who held each place at each hour of each game: game, place, minute, side.
    pub fn held(&self) -> Vec<(u32, String, i32, usize)> {
        let mut rows = vec![];
        for record in &self.records {
            for (id, _, point) in self.watched() {
                let holders = self.holders(record, id, point).into_iter();
                let known = self.hours.iter().zip(holders);
                let known = known.filter_map(|(&hour, side)| Some((hour, side?)));
                rows.extend(known.map(|(hour, side)| (record.number, id.to_owned(), hour, side)));
            }
        }
        rows
    }
}

fn minutes(record: &Record) -> i32 {
    let snapshots = &record.kept.snapshots;
    let ends = snapshots.first().zip(snapshots.last());
    ends.map_or(0, |(first, last)| last.minute - first.minute)
}
