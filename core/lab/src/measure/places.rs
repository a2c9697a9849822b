//! Who holds the named places, hour by hour.

use super::{Measured, Past};
use crate::model::{HistoryFindings, PlaceHeld};
use crate::record::{Record, Snapshot};
use cupola_army::{Moment, NodeId};
use cupola_ground::Board;
use cupola_ground::board::BoardPlace;
use cupola_kernel::HexId;

/// A side holds a place if it alone has fighting units within so many metres, or in the place's hex.
const NEAR: i64 = 400;

impl Measured<'_> {
    /// The recorded places that are on this board: id, name, where. Of a battle that was never fought, all that have a name.
    pub(super) fn watched(&self) -> Vec<(&str, &str, (i32, i32))> {
        let board = &self.contest.play.env().board;
        let recorded = self.past.history.places();
        let recorded = recorded.filter_map(|(id, _)| board.place(id));
        let mut places: Vec<&BoardPlace> = recorded.collect();
        if self.past.history.places().next().is_none() {
            places.extend(board.places());
        }
        let found = places.iter().filter(|place| place.hex.is_some());
        let found = found.map(|place| {
            let point = (place.point.x / 100, place.point.y / 100);
            (place.id.as_str(), place.name.as_str(), point)
        });
        found.collect()
    }

    pub(super) fn places(&self) -> Vec<PlaceHeld> {
        self.places_in(&self.records)
    }

    /// Who held the places in some of the games.
    pub(super) fn places_in(&self, records: &[&Record]) -> Vec<PlaceHeld> {
        let watched = self.watched();
        let games = records.len().max(1) as f64;
        let mut held = vec![vec![[0.0; 2]; self.hours.len()]; watched.len()];
        for record in records {
            for (place, (id, _, point)) in watched.iter().enumerate() {
                for (hour, holder) in self.holders(record, id, *point).into_iter().enumerate() {
                    if let Some(side) = holder {
                        held[place][hour][side] += 1.0 / games;
                    }
                }
            }
        }
        let named = watched.iter().zip(held);
        named
            .map(|((id, name, _), held)| PlaceHeld {
                id: (*id).to_owned(),
                name: (*name).to_owned(),
                held,
            })
            .collect()
    }

    /// Who held a place at each hour: whoever was there alone last.
    pub(super) fn holders(
        &self,
        record: &Record,
        id: &str,
        point: (i32, i32),
    ) -> Vec<Option<usize>> {
        self.holders_at(record, self.hours, id, point)
    }

    /// The same at some minutes, in their order.
    pub(super) fn holders_at(
        &self,
        record: &Record,
        minutes: &[i32],
        id: &str,
        point: (i32, i32),
    ) -> Vec<Option<usize>> {
        let board = &self.contest.play.env().board;
        let hex = board.place(id).and_then(|place| place.hex);
        let mut holder = None;
        let mut snapshots = record.kept.snapshots.iter().peekable();
        let by_minute = minutes.iter().map(|&hour| {
            while let Some(snapshot) = snapshots.next_if(|snapshot| snapshot.minute <= hour) {
                holder = self.alone(snapshot, hex, point).or(holder);
            }
            holder
        });
        by_minute.collect()
    }

    /// The hexes from which a place is held.
    pub(super) fn held_from(&self, id: &str, point: (i32, i32)) -> Vec<HexId> {
        let board = &self.contest.play.env().board;
        let own = board.place(id).and_then(|place| place.hex);
        let near = |hex: &HexId| {
            let at = board.centre(*hex);
            own == Some(*hex) || is_near((at.x / 100, at.y / 100), point)
        };
        board.hexes().filter(near).collect()
    }

    /// The side that alone has fighting units at a place.
    fn alone(&self, snapshot: &Snapshot, hex: Option<HexId>, point: (i32, i32)) -> Option<usize> {
        let mut there = [false; 2];
        for (unit, at) in snapshot
            .units
            .iter()
            .enumerate()
            .filter(|(_, at)| at.holds())
        {
            let near = self.point(snapshot, unit);
            let near = near.is_some_and(|at| is_near(at, point));
            if near || at.hex == hex {
                there[self.side_of(unit)] = true;
            }
        }
        match there {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    }
}

/// Whether somebody at a point is near a place.
fn is_near(at: (i32, i32), place: (i32, i32)) -> bool {
    let (x, y) = (i64::from(at.0 - place.0), i64::from(at.1 - place.1));
    x * x + y * y <= NEAR * NEAR
}

/// What is recorded: losses by corps, places by hour.
#[must_use]
pub fn recorded(past: &Past, board: &Board, hours: &[i32]) -> HistoryFindings {
    let Past {
        army,
        history,
        scenario,
        ..
    } = past;
    let sides: Vec<&str> = scenario
        .sides
        .iter()
        .map(|side| side.side.as_str())
        .collect();
    let places = history.places().filter_map(|(id, _)| {
        let place = board.place(id)?;
        let by_hour = hours.iter().map(|&hour| {
            let holder = history.holder(id, Moment::from_minutes(hour))?;
            sides.iter().position(|side| *side == holder)
        });
        Some((id.to_owned(), place.name.clone(), by_hour.collect()))
    });
    let (mut corps, mut corps_bands) = (vec![], vec![]);
    let mut men_lost: [Vec<u32>; 2] = Default::default();
    for (index, side) in sides.iter().enumerate() {
        let Some(root) = army.get(side) else { continue };
        for &node in army.children(root) {
            let (from, to) = (scenario.span.from, scenario.span.to);
            if let Some(men) = history.losses(node, from, to) {
                let band = history.losses_band(node, from, to);
                corps_bands.push(band.unwrap_or((men, men)));
                let node = army.node(node);
                corps.push((index, node.id.clone(), node.name.clone(), men));
            }
        }
        if let Some(by_hour) = men_lost.get_mut(index) {
            let lost = |hour: &i32| {
                let hour = Moment::from_minutes(*hour);
                history.losses(root, scenario.span.from, hour)
            };
            *by_hour = hours.iter().map_while(lost).collect();
        }
    }
    HistoryFindings {
        corps,
        corps_bands,
        men_lost,
        places: places.collect(),
        bodies: super::recorded_bodies(past, hours),
        captured: captured(past, (scenario.span.from, scenario.span.to), |_| true),
        ..HistoryFindings::default()
    }
}

/// Of the men that each side lost in some hours, those captured or missing: the army list knows them by regiment and not by
/// day, so each body's share of the whole battle is taken for its share of these hours.
pub(super) fn captured(
    past: &Past,
    (from, to): (Moment, Moment),
    asked: impl Fn(NodeId) -> bool,
) -> [u32; 2] {
    let mut found = [0; 2];
    for (index, side) in past.scenario.sides.iter().enumerate().take(2) {
        let Some(root) = past.army.get(&side.side) else {
            continue;
        };
        for toll in past.history.tolls() {
            if !past.army.is_within(toll.who, root) || !asked(toll.who) {
                continue;
            }
            let all = past.army.losses(toll.who);
            let lost = past.history.losses(toll.who, from, to).unwrap_or(0);
            // A body with several tolls is counted once, with all of them.
            let first = past
                .history
                .tolls()
                .iter()
                .find(|other| other.who == toll.who);
            if first.is_some_and(|first| std::ptr::eq(first, toll)) && all.total() > 0 {
                found[index] += lost * (all.captured + all.missing) / all.total();
            }
        }
    }
    found
}
