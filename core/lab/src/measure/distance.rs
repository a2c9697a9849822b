//! How far play is from what is recorded.

use super::front::{NOBODY, ground, moved};
use super::{Measured, Past};
use crate::model::{Distance, Frame, HistoryFindings};
use crate::record::Record;
use crate::stats::mean;
use cupola_army::{Moment, NodeId};
use cupola_ground::Projection;

/// Where units are recorded at an hour: by number, in local metres.
type Spots = Vec<(usize, (i32, i32))>;

impl Measured<'_> {
    pub(super) fn distance(&self) -> Distance {
        let positions: Vec<Option<f64>> = self
            .hours
            .iter()
            .map(|&hour| {
                let spots = self.spots(hour);
                let games = self.records.iter();
                let metres: Vec<f64> = games
                    .flat_map(|record| self.astray(record, hour, &spots))
                    .collect();
                (!metres.is_empty()).then(|| mean(&metres))
            })
            .collect();
        let covered = self.hours.iter().zip(&positions);
        let known: Vec<f64> = covered
            .filter(|(hour, _)| self.plays_at(**hour))
            .filter_map(|(_, metres)| *metres)
            .collect();
        Distance {
            losses: self.losses_apart(),
            places: self.places_alike(&self.records),
            position: (!known.is_empty()).then(|| mean(&known)),
            positions,
        }
    }

    /// Whether an hour is one of those that the contest plays.
    fn plays_at(&self, hour: i32) -> bool {
        let (from, to) = self.covers();
        from <= hour && hour <= to
    }

    /// The games that come nearest to the record by each of its measures: what is near, and the game.
    pub(super) fn nearest(&self) -> Vec<(&'static str, u32)> {
        let hours = self.hours.iter().filter(|hour| self.plays_at(**hour));
        let spots: Vec<(i32, Spots)> = hours.map(|&hour| (hour, self.spots(hour))).collect();
        let astray = |record: &Record| {
            let metres = spots
                .iter()
                .flat_map(|(hour, spots)| self.astray(record, *hour, spots));
            let metres: Vec<f64> = metres.collect();
            (!metres.is_empty()).then(|| mean(&metres))
        };
        let elsewhere = |record: &Record| self.places_alike(&[record]).map(|alike| -alike);
        let found = [
            ("losses by corps", self.least_of(|r| self.losses_off(r))),
            ("places in the recorded hands", self.least_of(elsewhere)),
            ("brigades where they are recorded", self.least_of(astray)),
        ];
        let known = found.into_iter();
        known
            .filter_map(|(what, game)| Some((what, game?)))
            .collect()
    }

    /// The game with the least of a number; of equals, the first.
    fn least_of(&self, of: impl Fn(&Record) -> Option<f64>) -> Option<u32> {
        let games = self.records.iter();
        let games = games.filter_map(|record| Some((of(record)?, record.number)));
        let least = games.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        least.map(|(_, number)| number)
    }

    /// Where units are recorded at an hour: the mean of the nodes that they stand for.
    fn spots(&self, hour: i32) -> Spots {
        let moment = Moment::from_minutes(hour);
        let units = self.contest.play.env().units.iter().enumerate();
        let recorded = units.filter_map(|(i, unit)| {
            let nodes = unit.nodes.iter();
            let spots: Vec<(i32, i32)> = nodes
                .filter_map(|node| self.recorded_at(node, moment))
                .collect();
            let count = spots.len() as i32;
            let sum = spots
                .iter()
                .fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
            (count > 0).then(|| (i, (sum.0 / count, sum.1 / count)))
        });
        recorded.collect()
    }

    /// How far units were from where they are recorded at an hour of a game, in metres.
    fn astray(&self, record: &Record, hour: i32, spots: &Spots) -> Vec<f64> {
        let Some(snapshot) = self.at(record, hour) else {
            return vec![];
        };
        let metres = spots.iter().filter_map(|&(unit, (x, y))| {
            let at = self.point(snapshot, unit)?;
            let (dx, dy) = (f64::from(at.0 - x), f64::from(at.1 - y));
            Some((dx * dx + dy * dy).sqrt())
        });
        metres.collect()
    }

    /// Where a node, or the mean of the brigades below it, is recorded at a moment, in local metres.
    fn recorded_at(&self, node: &str, moment: Moment) -> Option<(i32, i32)> {
        let node = self.past.army.get(node)?;
        spot(self.past, node, moment)
    }

    /// Men that a corps is recorded to have lost in the span.
    fn recorded_loss(&self, corps: &str) -> Option<f64> {
        let (&from, &to) = (self.hours.first()?, self.hours.last()?);
        let (from, to) = (Moment::from_minutes(from), Moment::from_minutes(to));
        let node = self.past.army.get(corps)?;
        self.past.history.losses(node, from, to).map(f64::from)
    }

    fn losses_apart(&self) -> Option<f64> {
        let (mut apart, mut all) = (0.0, 0.0);
        for corps in self.corps_losses() {
            let Some(men) = self.recorded_loss(&corps.id) else {
                continue;
            };
            let played = corps.lost.last().map_or(0.0, |spread| spread.mean);
            apart += (played - men).abs();
            all += men;
        }
        (all > 0.0).then(|| apart / all)
    }

    /// By how many men the losses of a game's corps are off the record.
    fn losses_off(&self, record: &Record) -> Option<f64> {
        let mut known = false;
        let mut off = 0.0;
        for ((_, corps), units) in self.by_corps() {
            let Some(men) = self.recorded_loss(corps) else {
                continue;
            };
            known = true;
            let played = self.lost(record, *self.hours.last()?, &units, false);
            off += (played - men).abs();
        }
        known.then_some(off)
    }

    /// The share of places and hours in the recorded hands, over some games.
    fn places_alike(&self, records: &[&Record]) -> Option<f64> {
        let env = self.contest.play.env();
        let (mut alike, mut all) = (0.0, 0.0);
        for place in self.places_in(records) {
            for (held, &hour) in place.held.iter().zip(self.hours) {
                let holder = self
                    .past
                    .history
                    .holder(&place.id, Moment::from_minutes(hour));
                let Some(holder) = holder.filter(|_| self.plays_at(hour)) else {
                    continue;
                };
                let side = env.side(holder)?;
                alike += held[usize::from(side == self.sides[1])];
                all += 1.0;
            }
        }
        (all > 0.0).then(|| alike / all)
    }
}

/// Where a node is recorded: itself, or the mean of what is recorded below it.
fn spot(past: &Past, node: NodeId, moment: Moment) -> Option<(i32, i32)> {
    if let Some(at) = past.history.position(node, moment) {
        return Some(local(past.projection, at));
    }
    let below = past.army.children(node).iter();
    let below: Vec<(i32, i32)> = below
        .filter_map(|&child| spot(past, child, moment))
        .collect();
    let count = below.len() as i32;
    let sum = below
        .iter()
        .fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    (count > 0).then(|| (sum.0 / count, sum.1 / count))
}

/// Millionths of a degree in local metres.
fn local(projection: &Projection, (lat, lon): (i32, i32)) -> (i32, i32) {
    let point = projection.project(f64::from(lat) / 1e6, f64::from(lon) / 1e6);
    (point.x / 100, point.y / 100)
}

/// The recorded front, hour by hour, in the shared frame; without a cell for hours that are not recorded.
pub fn recorded_fronts(found: &mut HistoryFindings, past: &Past, frame: &Frame, hours: &[i32]) {
    let (army, history) = (past.army, past.history);
    let (mut grounds, mut before, mut broken) = (vec![], 0, false);
    for &hour in hours {
        let mut units = vec![];
        for (side, of) in past.scenario.sides.iter().enumerate() {
            let Some(root) = army.get(&of.side) else {
                continue;
            };
            for node in army.descendants(root) {
                if let Some(at) = history.position(node, Moment::from_minutes(hour)) {
                    let (x, y) = local(past.projection, at);
                    units.push((side, x, y));
                }
            }
        }
        // Where fewer than half of the bodies of an hour ago have a place, the record has broken off: what is left of
        // it is no front.
        broken |= units.len() * 2 < before;
        before = units.len();
        grounds.push(if broken {
            vec![]
        } else {
            ground(frame, &units)
        });
    }
    let shade = |side: &Option<usize>| match side {
        Some(0) => 254,
        Some(_) => 0,
        None => NOBODY,
    };
    let moved = moved(grounds.iter().map(|ground| &ground[..]), frame);
    found.front_moved = [0, 1].map(|side| moved.iter().map(|hour| hour[side]).collect());
    found.fronts = grounds
        .iter()
        .map(|cells| cells.iter().map(shade).collect())
        .collect();
}
