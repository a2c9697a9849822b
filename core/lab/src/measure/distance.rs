//! How far play is from what is recorded.

use super::front::{NOBODY, ground, moved};
use super::{Measured, Past};
use crate::model::{Distance, Frame, HistoryFindings};
use crate::stats::mean;
use cupola_army::{Moment, NodeId};
use cupola_ground::Frame as Projection;

impl Measured<'_> {
    pub(super) fn distance(&self) -> Distance {
        let positions: Vec<Option<f64>> =
            self.hours.iter().map(|&hour| self.astray(hour)).collect();
        let known: Vec<f64> = positions.iter().flatten().copied().collect();
        Distance {
            losses: self.losses_apart(),
            places: self.places_alike(),
            position: (!known.is_empty()).then(|| mean(&known)),
            positions,
        }
    }

    /// The mean distance of units from where their first recorded part was.
    fn astray(&self, hour: i32) -> Option<f64> {
        let env = self.contest.play.env();
        let moment = Moment::from_minutes(hour);
        let recorded: Vec<(usize, (i32, i32))> = env
            .units
            .iter()
            .enumerate()
            .filter_map(|(i, unit)| {
                let spots: Vec<(i32, i32)> = unit
                    .nodes
                    .iter()
                    .filter_map(|node| self.recorded_at(node, moment))
                    .collect();
                let count = spots.len() as i32;
                let sum = spots
                    .iter()
                    .fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
                (count > 0).then(|| (i, (sum.0 / count, sum.1 / count)))
            })
            .collect();
        let mut metres = vec![];
        for record in &self.records {
            let Some(snapshot) = self.at(record, hour) else {
                continue;
            };
            for &(unit, (x, y)) in &recorded {
                let Some(at) = self.point(snapshot, unit) else {
                    continue;
                };
                let (dx, dy) = (f64::from(at.0 - x), f64::from(at.1 - y));
                metres.push((dx * dx + dy * dy).sqrt());
            }
        }
        (!metres.is_empty()).then(|| mean(&metres))
    }

    /// Where a node, or the mean of the brigades below it, is recorded at a moment, in local metres.
    fn recorded_at(&self, node: &str, moment: Moment) -> Option<(i32, i32)> {
        let node = self.past.army.get(node)?;
        spot(self.past, node, moment)
    }

    fn losses_apart(&self) -> Option<f64> {
        let (&from, &to) = (self.hours.first()?, self.hours.last()?);
        let (from, to) = (Moment::from_minutes(from), Moment::from_minutes(to));
        let (mut apart, mut all) = (0.0, 0.0);
        for corps in self.corps_losses() {
            let node = self.past.army.get(&corps.id)?;
            let Some(men) = self.past.history.losses(node, from, to) else {
                continue;
            };
            let played = corps.lost.last().map_or(0.0, |spread| spread.mean);
            apart += (played - f64::from(men)).abs();
            all += f64::from(men);
        }
        (all > 0.0).then(|| apart / all)
    }

    fn places_alike(&self) -> Option<f64> {
        let env = self.contest.play.env();
        let (mut alike, mut all) = (0.0, 0.0);
        for place in self.places() {
            for (held, &hour) in place.held.iter().zip(self.hours) {
                let moment = Moment::from_minutes(hour);
                let Some(holder) = self.past.history.holder(&place.id, moment) else {
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

/// The recorded front, hour by hour, in the shared frame.
pub fn recorded_fronts(found: &mut HistoryFindings, past: &Past, frame: &Frame, hours: &[i32]) {
    let (army, history) = (past.army, past.history);
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
        let shade = |side: Option<usize>| match side {
            Some(0) => 254,
            Some(_) => 0,
            None => NOBODY,
        };
        found
            .fronts
            .push(ground(frame, &units).into_iter().map(shade).collect());
    }
    found.front_moved = moved(&found.fronts, frame);
}
