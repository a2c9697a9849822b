//! Games that show what is said of all of them.

use super::Measured;
use crate::model::Witness;
use crate::record::Record;

impl Measured<'_> {
    pub(super) fn witnesses(&self) -> Vec<Witness> {
        let mut found = vec![];
        let mut show = |record: Option<&&Record>, shows: String| {
            if let Some(record) = record {
                found.push(Witness {
                    contest: self.contest.name.clone(),
                    game: record.number,
                    seed: record.seed.to_string(),
                    shows,
                });
            }
        };
        for (index, side) in self.sides.into_iter().enumerate() {
            let name = &self.contest.play.env().sides[side].name;
            let won = self.records.iter().filter(|record| {
                record
                    .kept
                    .verdict
                    .as_ref()
                    .is_some_and(|verdict| verdict.winner == Some(side))
            });
            let lead = |record: &&&Record| {
                if index == 0 {
                    record.kept.margin
                } else {
                    -record.kept.margin
                }
            };
            let flip = if self.sides[0] == cupola_kernel::Side::First {
                1
            } else {
                -1
            };
            show(
                won.clone()
                    .min_by_key(|record| (lead(record) * flip, record.number)),
                format!("a narrow win of the {name}"),
            );
            show(
                won.max_by_key(|record| (lead(record) * flip, std::cmp::Reverse(record.number))),
                format!("the clearest win of the {name}"),
            );
        }
        let drawn = self.records.iter();
        let mut drawn = drawn.filter(|record| {
            record
                .kept
                .verdict
                .as_ref()
                .is_some_and(|v| v.winner.is_none())
        });
        show(drawn.next(), "a draw".into());
        let losses = |record: &&Record| -> u64 {
            let env = self.contest.play.env();
            let last = record.kept.snapshots.last();
            let units = last.map_or(&[][..], |snapshot| &snapshot.units);
            units
                .iter()
                .zip(&env.units)
                .map(|(at, unit)| u64::from(unit.men) * u64::from(at.lost))
                .sum()
        };
        let mut by_loss: Vec<&&Record> = self.records.iter().collect();
        by_loss.sort_by_key(|record| (losses(record), record.number));
        show(by_loss.last().copied(), "the bloodiest game".into());
        show(
            by_loss.get(by_loss.len() / 2).copied(),
            "a game of middling losses: the most typical".into(),
        );
        let early = self
            .records
            .iter()
            .filter(|record| record.kept.first_attack.is_some());
        show(
            early.min_by_key(|record| (record.kept.first_attack, record.number)),
            "the earliest attack".into(),
        );
        found
    }
}
