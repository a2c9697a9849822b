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
            let (narrow, clear) = (self.least(won), self.least(|r| won(r).map(Reverse)));
            let wins = self.records.iter().filter(|r| won(r).is_some()).count();
            // Where all wins are alike none is narrow.
            let one = narrow.map(|r| r.number) == clear.map(|r| r.number);
            let shows = match (wins, one) {
                (1, _) => format!("the only win of the {name}"),
                (_, true) => format!("a win of the {name}"),
                _ => format!("the clearest win of the {name}"),
            };
            found.extend(self.shows(
                narrow.filter(|_| !one),
                &[Topic::Balance],
                format!("a narrow win of the {name}"),
            ));
            let topics = [Topic::Balance, Topic::Fronts, Topic::Places];
            found.extend(self.shows(clear, &topics, shows));
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
                middling(&by_loss),
                &typical,
                "the usual end with middling losses: the most typical",
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

/// Of games in the order of their losses the one in the middle, of those that ended as most of them did: a game with middling losses that one
/// side won once in thirty is typical of nothing.
fn middling<'r>(by_loss: &[&'r Record]) -> Option<&'r Record> {
    let end = |record: &Record| record.kept.verdict.as_ref().map(|verdict| verdict.winner);
    let alike = |record: &Record| by_loss.iter().filter(|r| end(r) == end(record)).count();
    let most = by_loss.iter().map(|record| alike(record)).max()?;
    let usual = by_loss.iter().enumerate();
    let usual = usual.filter(|(_, record)| alike(record) == most);
    let middle = by_loss.len() / 2;
    let near = usual.min_by_key(|(place, _)| (place.abs_diff(middle), *place));
    near.map(|(_, record)| *record)
}

#[cfg(test)]
mod tests {
    use super::middling;
    use crate::record::{Kept, Record, Verdict};
    use cupola_kernel::{Seed, Side};

    fn game(number: u32, winner: Option<Side>) -> Record {
        Record {
            number,
            seed: Seed(1863),
            kept: Kept {
                verdict: Some(Verdict {
                    winner,
                    how: String::new(),
                }),
                ..Kept::default()
            },
            fault: None,
        }
    }

    #[test]
    fn the_typical_game_ended_as_most_do() {
        let ends = [None, None, Some(Side::First), None, Some(Side::Second)];
        let games: Vec<Record> = (0..).zip(ends).map(|(i, end)| game(i, end)).collect();
        let by_loss: Vec<&Record> = games.iter().collect();
        // The one in the middle is the only win of its side; of its neighbours the one that lost less is taken.
        assert_eq!(middling(&by_loss).map(|record| record.number), Some(1));
        assert_eq!(middling(&by_loss[2..3]).map(|r| r.number), Some(2));
        assert!(middling(&[]).is_none());
    }
}
