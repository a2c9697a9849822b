//! How far play is from what is recorded.

use super::front::{Fronts, NOBODY, ground, moved};
use super::{Measured, Past};
use crate::model::{Distance, Floor, GameFigures, HistoryFindings, Raster, Recorded};
use crate::record::Record;
use crate::stats::{Estimate, mean};
use cupola_army::{Kind, Moment, NodeId};
use cupola_ground::Projection;
use cupola_kernel::HexId;
use std::collections::BTreeMap;

/// Where units are recorded at an hour: by number, in local metres.
pub(super) type Spots = Vec<(usize, (i32, i32))>;

impl Measured<'_> {
    /// How far all games are from the record, from what each of them comes to.
    pub(super) fn distance(&self, games: &[GameFigures]) -> Distance {
        let over = |of: &dyn Fn(&GameFigures) -> Option<f64>| {
            let values: Vec<f64> = games.iter().filter_map(of).collect();
            (!values.is_empty()).then(|| Estimate::of(&values, false))
        };
        let hours = 0..self.hours.len();
        Distance {
            losses: self.losses_apart(),
            losses_least: self.losses_least(),
            places: over(&|game| game.places),
            places_nobody: over(&|game| game.places_nobody),
            places_best: self.best_places(),
            place_hours: self.place_hours(),
            positions: hours
                .map(|hour| over(&|game| game.hours.get(hour)?.1))
                .collect(),
            position: over(&|game| game.astray),
            units: self.compared(),
            position_best: self.best_position(),
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

    /// The share of places and hours that a perfect game could have in the recorded hands: places that are held from the same hexes
    /// have one holder, whatever is recorded of each.
    fn best_places(&self) -> Option<f64> {
        let mut alike: BTreeMap<Vec<HexId>, Vec<&str>> = BTreeMap::new();
        for (id, _, point) in self.watched() {
            alike.entry(self.held_from(id, point)).or_default().push(id);
        }
        let (mut best, mut all) = (0, 0);
        for hour in self.played_hours().map(Moment::from_minutes) {
            for places in alike.values() {
                let holders = places.iter().map(|id| self.past.history.holder(id, hour));
                let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
                holders
                    .flatten()
                    .for_each(|side| *counts.entry(side).or_default() += 1);
                best += counts.values().max().copied().unwrap_or(0);
                all += counts.values().sum::<u32>();
            }
        }
        (all > 0).then(|| f64::from(best) / f64::from(all))
    }

    /// What random play comes to by the same measures: whoever is no nearer to the record has no merit by it.
    #[must_use]
    pub fn floor(&self) -> Floor {
        let found = self.distance(&self.by_game(&Fronts::default()));
        let mean = |estimate: Option<Estimate>| estimate.map(|estimate| estimate.mean);
        Floor {
            games: self.records.len() as u32,
            losses: mean(found.losses),
            places: mean(found.places),
            position: mean(found.position),
        }
    }

    /// Whether an hour is one of those that the contest plays.
    fn plays_at(&self, hour: i32) -> bool {
        let (from, to) = self.covers;
        from <= hour && hour <= to
    }

    /// The games that come nearest to the record by each of its measures: what is near, and the game.
    pub(super) fn nearest(&self, games: &[GameFigures]) -> Vec<(&'static str, u32)> {
        let least = |of: fn(&GameFigures) -> Option<f64>| {
            let known = games.iter().filter_map(|game| Some((of(game)?, game.game)));
            let least = known.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            least.map(|(_, number)| number)
        };
        let found = [
            ("losses by corps", least(|game| game.losses)),
            (
                "places in the recorded hands",
                least(|game| game.places.map(|alike| -alike)),
            ),
            (
                "brigades where they are recorded",
                least(|game| game.astray),
            ),
        ];
        let known = found.into_iter();
        known
            .filter_map(|(what, game)| Some((what, game?)))
            .collect()
    }

    /// Where units are recorded, by hour; nowhere at hours that are not played.
    pub(super) fn all_spots(&self) -> Vec<(i32, Spots)> {
        let hours = self.hours.iter().map(|&hour| {
            let spots = self.plays_at(hour).then(|| self.spots(hour));
            (hour, spots.unwrap_or_default())
        });
        hours.collect()
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

    /// By hour of a game how far units were from where they are recorded, in metres: their mean.
    pub(super) fn astray(&self, record: &Record, spots: &[(i32, Spots)]) -> Vec<Option<f64>> {
        let hours = spots.iter().map(|(hour, spots)| {
            let snapshot = self.at(record, *hour)?;
            let metres = spots.iter().filter_map(|&(unit, (x, y))| {
                let at = self.point(snapshot, unit)?;
                let (dx, dy) = (f64::from(at.0 - x), f64::from(at.1 - y));
                Some((dx * dx + dy * dy).sqrt())
            });
            let metres: Vec<f64> = metres.collect();
            (!metres.is_empty()).then(|| mean(&metres))
        });
        hours.collect()
    }

    /// Where a node, or the mean of the brigades below it, is recorded at a moment, in local metres.
    fn recorded_at(&self, node: &str, moment: Moment) -> Option<(i32, i32)> {
        let node = self.past.army.get(node)?;
        spot(self.past, node, moment).or_else(|| brigade_spot(self.past, node, moment))
    }

    /// The hours of the page that the contest plays: what was lost before or after them is none of its business.
    fn played_span(&self) -> Option<(Moment, Moment)> {
        let from = (*self.hours.first()?).max(self.covers.0);
        let to = (*self.hours.last()?).min(self.covers.1).max(from);
        Some((Moment::from_minutes(from), Moment::from_minutes(to)))
    }

    /// Men that a corps, or a side, is recorded to have lost in the hours that are played: of the bodies that the contest has.
    pub(super) fn recorded_loss(&self, corps: &str) -> Option<u32> {
        let span = self.played_span()?;
        self.recorded_in(corps, span)
    }

    fn recorded_in(&self, corps: &str, span: (Moment, Moment)) -> Option<u32> {
        let node = self.past.army.get(corps)?;
        let history = self.past.history;
        history.losses_of(node, span, |body| self.brings.contains(&body))
    }

    /// Men that a side is recorded to have lost by each hour of the page since the contest began.
    fn recorded_by_hour(&self, side: &str) -> Vec<u32> {
        let Some((from, to)) = self.played_span() else {
            return vec![];
        };
        let by = |hour: &i32| {
            let hour = Moment::from_minutes(*hour).clamp(from, to);
            self.recorded_in(side, (from, hour))
        };
        self.hours.iter().map_while(by).collect()
    }

    /// What is recorded of each side in the hours that are played, of those whom the contest has.
    pub(super) fn recorded(&self) -> [Recorded; 2] {
        let Some((from, to)) = self.played_span() else {
            return Default::default();
        };
        let brings = |body| self.brings.contains(&body);
        let captured = super::places::captured(self.past, (from, to), brings);
        let sides = &self.past.scenario.sides;
        let node = |side: usize| sides.get(side).map_or("", |side| &side.side);
        [0, 1].map(|side| Recorded {
            men: self.recorded_loss(node(side)),
            captured: captured[side],
            by_hour: self.recorded_by_hour(node(side)),
        })
    }

    /// Recorded losses by corps, and what each game makes of them.
    fn corps_by_game(&self) -> Vec<(f64, Vec<f64>)> {
        let Some(&end) = self.hours.last() else {
            return vec![];
        };
        let all = self.by_corps().into_iter();
        let known = all.filter_map(|((_, corps), units)| {
            let games = self.records.iter();
            let lost = games.map(|record| self.lost(record, end, &units, false));
            Some((f64::from(self.recorded_loss(corps)?), lost.collect()))
        });
        known.collect()
    }

    /// By how much the mean losses of corps are off the record. It is no mean of games, so its error is found by leaving out one game
    /// after the other (the jackknife).
    fn losses_apart(&self) -> Option<Estimate> {
        let corps = self.corps_by_game();
        let all: f64 = corps.iter().map(|(men, _)| men).sum();
        let games = self.records.len();
        if all <= 0.0 || games == 0 {
            return None;
        }
        let without = |left_out: Option<usize>| {
            let off = corps.iter().map(|(men, lost)| {
                let out = left_out.map_or(0.0, |game| lost[game]);
                let counted = games - usize::from(left_out.is_some());
                ((lost.iter().sum::<f64>() - out) / counted as f64 - men).abs()
            });
            off.sum::<f64>() / all
        };
        let apart = without(None);
        if games < 2 {
            return Some(Estimate::around(apart, 0.0, 1));
        }
        let each: Vec<f64> = (0..games).map(|game| without(Some(game))).collect();
        let squares: f64 = each.iter().map(|x| (x - mean(&each)).powi(2)).sum();
        let error = (squares * (games - 1) as f64 / games as f64).sqrt();
        Some(Estimate::around(apart, error, games as u32))
    }

    /// The same as the bands of the record and of the scale of losses allow: nothing where the two bands touch.
    fn losses_least(&self) -> Option<f64> {
        let [low, _, high] = self.past.bands.of(&self.contest.ruleset).factors();
        let (mut apart, mut all) = (0.0, 0.0);
        for corps in self.corps_losses() {
            let (Some(men), Some((least, most))) = (corps.recorded, self.recorded_band(&corps.id))
            else {
                continue;
            };
            let played = corps.lost.last().map_or(0.0, |spread| spread.mean);
            apart += (least - played * high).max(played * low - most).max(0.0);
            all += f64::from(men);
        }
        (all > 0.0).then(|| apart / all)
    }

    /// The least and the most that a corps may have lost in the hours that are played.
    pub(super) fn recorded_band(&self, corps: &str) -> Option<(f64, f64)> {
        let span = self.played_span()?;
        let node = self.past.army.get(corps)?;
        let brings = |body| self.brings.contains(&body);
        let (low, high) = self.past.history.losses_band_of(node, span, brings)?;
        Some((f64::from(low), f64::from(high)))
    }

    /// By how many men the losses of a game's corps are off the record.
    pub(super) fn losses_off(&self, record: &Record) -> Option<f64> {
        let mut known = false;
        let mut off = 0.0;
        for ((_, corps), units) in self.by_corps() {
            let Some(men) = self.recorded_loss(corps) else {
                continue;
            };
            known = true;
            let played = self.lost(record, *self.hours.last()?, &units, false);
            off += (played - f64::from(men)).abs();
        }
        known.then_some(off)
    }

    /// The shares of places and hours in the recorded hands, and in nobody's, in a game.
    pub(super) fn places_shares(&self, record: &Record) -> Option<(f64, f64)> {
        let env = self.contest.play.env();
        let (mut alike, mut nobody, mut all) = (0.0, 0.0, 0.0);
        for place in self.places_in(&[record]) {
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
                nobody += 1.0 - held[0] - held[1];
                all += 1.0;
            }
        }
        (all > 0.0).then(|| (alike / all, nobody / all))
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

/// How many bodies face each other: a front has two sides, and of one alone whom the record tells of nothing follows about the ground.
fn facing(units: &[(usize, i32, i32)]) -> usize {
    let of = |wanted: usize| units.iter().filter(|(side, ..)| *side == wanted).count();
    of(0).min(of(1))
}

/// By hour, from the bodies of either side that have a place then, whether the record tells of so many as make a front. Where fewer than a third are left of
/// those that it last told of it has broken off, until it goes on; and what is followed by more than three times as many within
/// the hour was not all that were there.
fn is_whole(bodies: &[usize]) -> Vec<bool> {
    let mut last = 0;
    let mut whole: Vec<bool> = vec![];
    for (i, &now) in bodies.iter().enumerate() {
        if i > 0 && now > 3 * bodies[i - 1] {
            let few = bodies[..i].iter().rev().take_while(|few| **few * 3 < now);
            let few = few.count();
            whole[i - few..].fill(false);
        }
        let goes_on = now > 0 && now * 3 >= last;
        if goes_on {
            last = now;
        }
        whole.push(goes_on);
    }
    whole
}

/// Where a body of one side was at every hour, as far as the record tells.
type Track = (usize, Vec<Option<(i32, i32)>>);

/// Who stood where at an hour, of those who also have a place at another.
fn stood(tracks: &[Track], hour: usize, also: usize) -> Vec<(usize, i32, i32)> {
    let known = tracks.iter().filter_map(|(side, at)| {
        let (x, y) = at[hour]?;
        at[also].map(|_| (*side, x, y))
    });
    known.collect()
}

/// How far each side pushed the front since the hour before, by those who have a place at both: nobody pushes it by coming into the
/// record, or by leaving it.
fn pushed(tracks: &[Track], whole: &[bool], hour: usize, frame: &Raster) -> [f64; 2] {
    let Some(before) = hour.checked_sub(1).filter(|&b| whole[b] && whole[hour]) else {
        return [0.0; 2];
    };
    let grounds = [
        ground(frame, &stood(tracks, before, hour)),
        ground(frame, &stood(tracks, hour, before)),
    ];
    let moved = moved(grounds.iter().map(|ground| &ground[..]), frame);
    moved.last().copied().unwrap_or_default()
}

/// The recorded front, hour by hour, in the shared frame; without a cell for hours that are not recorded.
pub fn recorded_fronts(found: &mut HistoryFindings, past: &Past, frame: &Raster, hours: &[i32]) {
    let (army, history) = (past.army, past.history);
    let mut tracks: Vec<Track> = vec![];
    for (side, of) in past.scenario.sides.iter().enumerate() {
        let Some(root) = army.get(&of.side) else {
            continue;
        };
        tracks.extend(army.descendants(root).into_iter().map(|node| {
            let at = |hour: &i32| history.position(node, Moment::from_minutes(*hour));
            let at = hours.iter().map(at);
            let at = at.map(|at| Some(local(past.projection, at?)));
            (side, at.collect())
        }));
    }
    // Of a battle that was never fought there is no front, which is not one that never moved.
    if tracks.iter().all(|(_, at)| at.iter().all(Option::is_none)) {
        return;
    }
    let stands = (0..hours.len()).map(|hour| stood(&tracks, hour, hour));
    let stands: Vec<_> = stands.collect();
    let bodies: Vec<usize> = stands.iter().map(|units| facing(units)).collect();
    let whole = is_whole(&bodies);
    let grounds = stands.iter().zip(&whole).map(|(units, whole)| match whole {
        true => ground(frame, units),
        false => vec![],
    });
    let grounds: Vec<_> = grounds.collect();
    let shade = |side: &Option<usize>| match side {
        Some(0) => 254,
        Some(_) => 0,
        None => NOBODY,
    };
    let moved = (0..hours.len()).map(|hour| pushed(&tracks, &whole, hour, frame));
    let moved: Vec<[f64; 2]> = moved.collect();
    found.front_moved = [0, 1].map(|side| moved.iter().map(|hour| hour[side]).collect());
    found.fronts = grounds
        .iter()
        .map(|cells| cells.iter().map(shade).collect())
        .collect();
}

#[cfg(test)]
mod tests {
    use super::{facing, is_whole, pushed};
    use crate::model::Raster;

    /// The record of three days breaks off every evening.
    #[test]
    fn a_record_that_breaks_off_in_the_evening_goes_on_the_next_day() {
        let bodies = [0, 7, 14, 35, 7, 7, 88, 98, 45, 106, 14, 0];
        let known = [1, 2, 3, 6, 7, 8, 9];
        let whole = is_whole(&bodies);
        let found: Vec<usize> = (0..bodies.len()).filter(|hour| whole[*hour]).collect();
        assert_eq!(found, known);
    }

    /// The first hour has two bodies that face each other; in the second a third comes into the record, behind the enemy's line; in the
    /// third the first of them goes forward, and in the fourth the record breaks off.
    #[test]
    fn nobody_pushes_a_front_by_coming_into_the_record() {
        let frame = Raster {
            west: 0,
            north: 6000,
            cell: 150,
            columns: 40,
            rows: 40,
        };
        let own = [(1000, 3000), (1000, 3000), (2000, 3000), (2000, 3000)].map(Some);
        let tracks = [
            (0, own.to_vec()),
            (0, vec![None, Some((5000, 3000)), Some((5000, 3000)), None]),
            (1, vec![Some((3000, 3000)); 4]),
        ];
        let whole = [true, true, true, false];
        let far = [0, 1, 2, 3].map(|hour| pushed(&tracks, &whole, hour, &frame));
        assert_eq!((far[0], far[1], far[3]), ([0.0; 2], [0.0; 2], [0.0; 2]));
        assert!(far[2][0] > 100.0 && far[2][1] == 0.0, "{:?}", far[2]);
    }

    /// In the evening of the first day the record tells only of those who still stood there in the next afternoon: all of one army.
    #[test]
    fn one_army_alone_is_no_front() {
        let stood = |first: usize, second: usize| {
            let mut units = vec![(0, 0, 0); first];
            units.extend(vec![(1, 500, 0); second]);
            units
        };
        let hours = [stood(24, 21), stood(16, 0), stood(0, 30), stood(96, 50)];
        let bodies: Vec<usize> = hours.iter().map(|units| facing(units)).collect();
        assert_eq!(is_whole(&bodies), [true, false, false, true]);
    }

    /// Seven bodies in the morning, and all of an army at four o'clock: it was there before.
    #[test]
    fn what_is_left_of_a_record_before_it_begins_is_no_front() {
        assert_eq!(
            is_whole(&[7, 7, 7, 88, 90]),
            [false, false, false, true, true]
        );
        assert_eq!(
            is_whole(&[0, 7, 7, 14, 18, 30]),
            [false, true, true, true, true, true]
        );
    }
}
