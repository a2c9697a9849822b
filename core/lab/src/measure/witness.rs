//! Games that show what is said of all of them.

use super::Measured;
use super::front::Fronts;
use super::tempo::stays;
use crate::model::{GameFigures, Topic, Witness};
use crate::record::{Record, Tally};
use crate::stats::mean;
use cupola_kernel::{Side, UnitInfo};
use std::cmp::Reverse;

impl Measured<'_> {
    pub(super) fn witnesses(&self, fronts: &Fronts, games: &[GameFigures]) -> Vec<Witness> {
        let mut found = self.of_results();
        found.extend(self.of_losses());
        found.extend(self.of_conduct());
        found.extend(self.of_history(fronts, games));
        found
    }

    fn numbered(&self, number: Option<u32>) -> Option<&Record> {
        let mut records = self.records.iter();
        records
            .find(|record| Some(record.number) == number)
            .copied()
    }

    fn of_history(&self, fronts: &Fronts, games: &[GameFigures]) -> Vec<Witness> {
        let moved = self.shows(
            self.numbered(fronts.furthest),
            &[Topic::Moved, Topic::Fronts],
            "the front moves furthest",
        );
        let mut found: Vec<Witness> = moved.into_iter().collect();
        for (what, game) in self.nearest(games) {
            let shows = format!("nearest to history in {what}");
            found.extend(self.shows(self.numbered(Some(game)), &[Topic::Distance], shows));
        }
        found
    }

    fn shows(
        &self,
        record: Option<&Record>,
        topics: &[Topic],
        shows: impl Into<String>,
    ) -> Option<Witness> {
        record.map(|record| Witness {
            contest: self.contest.name.clone(),
            game: record.number,
            seed: record.seed.to_string(),
            shows: shows.into(),
            topics: topics.to_vec(),
        })
    }

    /// The game with the least of something; of equals, the first.
    fn least<K: Ord>(&self, of: impl Fn(&Record) -> Option<K>) -> Option<&Record> {
        let known = self.records.iter();
        let known = known.filter_map(|record| Some((of(record)?, record.number, *record)));
        let least = known.min_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        least.map(|(_, _, record)| record)
    }

    fn of_results(&self) -> Vec<Witness> {
        let won = |side: Side| {
            move |record: &Record| {
                let verdict = record.kept.verdict.as_ref()?;
                // The margin is the first side's.
                let lead = if side == Side::First { 1 } else { -1 } * record.kept.margin;
                (verdict.winner == Some(side)).then_some(lead)
            }
        };
        let mut found = vec![];
        for side in self.sides {
            let name = &self.contest.play.env().sides[side].name;
            let won = won(side);
            found.extend(self.shows(
                self.least(won),
                &[Topic::Balance],
                format!("a narrow win of the {name}"),
            ));
            found.extend(self.shows(
                self.least(|record| won(record).map(Reverse)),
                &[Topic::Balance, Topic::Fronts, Topic::Places],
                format!("the clearest win of the {name}"),
            ));
        }
        let drawn = |record: &Record| {
            let verdict = record.kept.verdict.as_ref()?;
            verdict.winner.is_none().then_some(())
        };
        found.extend(self.shows(self.least(drawn), &[Topic::Balance], "a draw"));
        found
    }

    fn of_losses(&self) -> Vec<Witness> {
        let env = self.contest.play.env();
        let losses = |record: &Record, of: fn(&UnitInfo) -> u32| -> u64 {
            let last = record.kept.snapshots.last();
            let units = last.map_or(&[][..], |snapshot| &snapshot.units);
            let lost = units.iter().zip(&env.units);
            lost.map(|(at, unit)| u64::from(of(unit)) * u64::from(at.lost))
                .sum()
        };
        let mut by_loss: Vec<&Record> = self.records.clone();
        by_loss.sort_by_key(|record| (losses(record, |unit| unit.men), record.number));
        let guns = self.least(|record| match losses(record, |unit| unit.guns) {
            0 => None,
            lost => Some(Reverse(lost)),
        });
        let typical = [
            Topic::Headline,
            Topic::Fronts,
            Topic::Moved,
            Topic::Losses,
            Topic::Places,
        ];
        let found = [
            self.shows(
                by_loss.get(by_loss.len() / 2).copied(),
                &typical,
                "middling losses: the most typical",
            ),
            self.shows(
                by_loss.last().copied(),
                &[Topic::Losses],
                "the bloodiest game",
            ),
            self.shows(guns, &[Topic::Guns], "the most guns lost"),
        ];
        found.into_iter().flatten().collect()
    }

    fn of_conduct(&self) -> Vec<Witness> {
        let sum = |record: &Record, of: fn(&Tally) -> u32| -> u64 {
            let tallies = record.kept.snapshots.iter().flat_map(|s| &s.tally);
            tallies.map(|tally| u64::from(of(tally))).sum()
        };
        let early = self.least(|record| record.kept.first_attack);
        let long = self.least(|record| {
            let stays = stays(record);
            // Whole minutes order well.
            (!stays.is_empty()).then(|| Reverse(mean(&stays) as u64))
        });
        let idle = self.least(|record| {
            let (idle, ordered) = (sum(record, |t| t.idle), sum(record, |t| t.ordered));
            (ordered > 0).then(|| Reverse(idle * 10_000 / ordered))
        });
        let busy = self.least(|record| Some(Reverse(sum(record, |t| t.decisions))));
        [
            self.shows(early, &[Topic::Tempo], "the earliest attack"),
            self.shows(long, &[Topic::Contact], "the longest fights"),
            self.shows(idle, &[Topic::Orders], "the most orders that did nothing"),
            self.shows(busy, &[Topic::Decisions], "the most decisions"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
