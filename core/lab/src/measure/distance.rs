//! How far play is from what is recorded.

use super::front::{NOBODY, ground, moved};
use super::{Measured, Past};
use crate::model::{Distance, Floor, GameFigures, HistoryFindings, Raster};
use crate::record::Record;
use crate::stats::{Estimate, mean};
use cupola_army::{Kind, Moment, NodeId};
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
        let by_game = self
            .records
            .iter()
            .filter_map(|record| self.astray_in(record));
        let by_game: Vec<f64> = by_game.collect();
        let places: Vec<f64> = self
            .records
            .iter()
            .filter_map(|r| self.places_alike(&[r]))
            .collect();
        Distance {
            losses: self.losses_apart(),
            losses_least: self.losses_least(),
            places: self.places_alike(&self.records),
            places_within: (!places.is_empty()).then(|| Estimate::of(&places, false)),
            place_hours: self.place_hours(),
            position: (!known.is_empty()).then(|| mean(&known)),
            position_within: (!by_game.is_empty()).then(|| Estimate::of(&by_game, false)),
            units: self.compared(),
            position_best: self.best_position(),
            positions,
            random: None,
        }
    }

    /// How many units have a recorded place at some hour that is played.
    fn compared(&self) -> u32 {
        let mut units: Vec<usize> = self
            .played_hours()
            .flat_map(|hour| self.spots(hour))
            .map(|(unit, _)| unit)
            .collect();
        units.sort_unstable();
        units.dedup();
        units.len() as u32
    }

    fn played_hours(&self) -> impl Iterator<Item = i32> + '_ {
        let hours = self.hours.iter().copied();
        hours.filter(|hour| self.plays_at(*hour))
    }

    /// What a perfect game could reach: every unit in the hex whose middle is nearest to its recorded place.
    fn best_position(&self) -> Option<f64> {
        let board = &self.contest.play.env().board;
        let centres: Vec<(f64, f64)> = board
            .hexes()
            .map(|hex| board.centre(hex))
            .map(|at| (f64::from(at.x) / 100.0, f64::from(at.y) / 100.0))
            .collect();
        let off = |(x, y): (i32, i32)| {
            let far = centres.iter().map(|at| {
                let (dx, dy) = (at.0 - f64::from(x), at.1 - f64::from(y));
                dx * dx + dy * dy
            });
            far.min_by(f64::total_cmp).unwrap_or(0.0).sqrt()
        };
        let spots = self.played_hours().flat_map(|hour| self.spots(hour));
        let off: Vec<f64> = spots.map(|(_, at)| off(at)).collect();
        (!off.is_empty()).then(|| mean(&off))
    }

    /// The mean over the hours of a game of how far units were from where they are recorded.
    fn astray_in(&self, record: &Record) -> Option<f64> {
        let hours = self.played_hours();
        let metres = hours.flat_map(|hour| self.astray(record, hour, &self.spots(hour)));
        let metres: Vec<f64> = metres.collect();
        (!metres.is_empty()).then(|| mean(&metres))
    }

    /// Places and hours at which somebody is recorded to hold a place that is on the board.
    fn place_hours(&self) -> u32 {
        let held = |id: &str| {
            let held = |hour: &i32| {
                let moment = Moment::from_minutes(*hour);
                self.past.history.holder(id, moment).is_some()
            };
            self.played_hours().filter(held).count() as u32
        };
        let watched = self.watched();
        watched.iter().map(|(id, ..)| held(id)).sum()
    }

    /// Every game by itself.
    pub(super) fn by_game(&self, pushed: &[(u32, [f64; 2])]) -> Vec<GameFigures> {
        let of = |(record, (_, pushed)): (&&Record, &(u32, [f64; 2]))| GameFigures {
            game: record.number,
            astray: self.astray_in(record),
            places: self.places_alike(&[record]),
            losses: self.losses_off(record),
            pushed: *pushed,
        };
        self.records.iter().zip(pushed).map(of).collect()
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

    /// What random play comes to by the same measures: whoever is no nearer to the record has no merit by it.
    #[must_use]
    pub fn floor(&self) -> Floor {
        let found = self.distance();
        Floor {
            games: self.records.len() as u32,
            losses: found.losses,
            places: found.places,
            position: found.position,
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
        spot(self.past, node, moment).or_else(|| brigade_spot(self.past, node, moment))
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

    /// The same as the bands of the record and of the scale of losses allow: nothing where the two bands touch.
    fn losses_least(&self) -> Option<f64> {
        let [low, _, high] = self.past.bands.of(&self.contest.ruleset).factors();
        let (mut apart, mut all) = (0.0, 0.0);
        for corps in self.corps_losses() {
            let (Some(men), Some((least, most))) =
                (self.recorded_loss(&corps.id), self.recorded_band(&corps.id))
            else {
                continue;
            };
            let played = corps.lost.last().map_or(0.0, |spread| spread.mean);
            apart += (least - played * high).max(played * low - most).max(0.0);
            all += men;
        }
        (all > 0.0).then(|| apart / all)
    }

    /// The least and the most that a corps may have lost in the span.
    fn recorded_band(&self, corps: &str) -> Option<(f64, f64)> {
        let (&from, &to) = (self.hours.first()?, self.hours.last()?);
        let (from, to) = (Moment::from_minutes(from), Moment::from_minutes(to));
        let node = self.past.army.get(corps)?;
        let (low, high) = self.past.history.losses_band(node, from, to)?;
        Some((f64::from(low), f64::from(high)))
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

/// Where the brigade of a regiment or battery is recorded: nobody wrote down where each of them stood.
fn brigade_spot(past: &Past, node: NodeId, moment: Moment) -> Option<(i32, i32)> {
    let brigade =
        |node: &NodeId| matches!(past.army.node(*node).kind, Kind::Brigade | Kind::Battalion);
    let above = past.army.ancestors(node).find(brigade)?;
    let at = past.history.position(above, moment)?;
    Some(local(past.projection, at))
}

/// Millionths of a degree in local metres.
pub(super) fn local(projection: &Projection, (lat, lon): (i32, i32)) -> (i32, i32) {
    let point = projection.project(f64::from(lat) / 1e6, f64::from(lon) / 1e6);
    (point.x / 100, point.y / 100)
}

/// The recorded front, hour by hour, in the shared frame; without a cell for hours that are not recorded.
pub fn recorded_fronts(found: &mut HistoryFindings, past: &Past, frame: &Raster, hours: &[i32]) {
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
