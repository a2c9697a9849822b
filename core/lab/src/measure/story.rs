//! One game told: where its bodies stood hour by hour, and what a newspaper would have made of it.

use super::{Measured, Past};
use crate::model::{Body, Moment as Told, Topic, Trace, Witness};
use crate::record::Record;
use cupola_army::{Kind, Moment};
use cupola_kernel::Presence;

/// A side's line is broken when so many in a hundred of its fighters that came are routed or gone.
const BROKEN: usize = 40;
/// Fewer men than these in an hour are no news.
const NEWS: f64 = 150.0;

impl Measured<'_> {
    /// The most typical game, traced and told.
    pub(super) fn trace(&self, witnesses: &[Witness]) -> Option<Trace> {
        let typical = |witness: &&Witness| witness.topics.contains(&Topic::Headline);
        let number = witnesses.iter().find(typical)?.game;
        let record = self.records.iter().find(|record| record.number == number)?;
        Some(Trace {
            game: number,
            seed: record.seed.to_string(),
            bodies: self.bodies(record),
            story: self.story(record),
        })
    }

    /// Every unit with men that was ever on the map.
    fn bodies(&self, record: &Record) -> Vec<Body> {
        let env = self.contest.play.env();
        let bodies = env
            .units
            .iter()
            .enumerate()
            .filter(|(_, unit)| unit.men > 0);
        let bodies = bodies.map(|(i, unit)| Body {
            name: unit.name.clone(),
            side: self.side_of(i),
            at: self
                .hours
                .iter()
                .map(|&hour| self.point(self.at(record, hour)?, i))
                .collect(),
        });
        bodies
            .filter(|body| body.at.iter().any(Option::is_some))
            .collect()
    }

    /// What happened, in the order of the hours.
    fn story(&self, record: &Record) -> Vec<Told> {
        let mut told = vec![];
        let mut say = |minute: i32, words: String| told.push(Told { minute, words });
        // As the whole page calls them, whatever the ruleset does.
        let name = |side: usize| {
            let named = self.past.scenario.sides.get(side);
            named.map_or("", |named| named.name.as_str())
        };
        if let Some(turn) = record.kept.first_attack {
            say(turn.from, "the first attack is made".into());
        }
        for (place, hour, side) in self.changes(record) {
            say(hour, format!("the {} side has {place}", name(side)));
        }
        for side in [0, 1] {
            if let Some((hour, men)) = self.worst_hour(record, side) {
                let men = (men / 10.0).round() * 10.0;
                say(
                    hour,
                    format!(
                        "the {} side loses about {men} men in an hour, its worst",
                        name(side)
                    ),
                );
            }
            if let Some(minute) = self.breaks(record, side) {
                say(
                    minute,
                    format!(
                        "the {} line is broken: two in five of its counters are routed or gone",
                        name(side)
                    ),
                );
            }
        }
        if let (Some(verdict), Some(last)) = (&record.kept.verdict, record.kept.snapshots.last()) {
            say(last.minute, format!("it is over: {}", verdict.how));
        }
        told.sort_by_key(|told| told.minute);
        told
    }

    /// Places that changed hands: which, when, to whom; the first holder of a place is no news.
    fn changes(&self, record: &Record) -> Vec<(String, i32, usize)> {
        let mut found = vec![];
        for (id, name, point) in self.watched() {
            let holders = self.holders(record, id, point);
            for ((&hour, now), before) in self.hours.iter().skip(1).zip(&holders[1..]).zip(&holders)
            {
                if let (Some(now), Some(before)) = (now, before)
                    && now != before
                {
                    found.push((name.to_owned(), hour, *now));
                }
            }
        }
        found
    }

    /// The hour in which a side lost most, if it lost many.
    fn worst_hour(&self, record: &Record, side: usize) -> Option<(i32, f64)> {
        let units: Vec<usize> = self
            .units()
            .map(|unit| usize::from(unit.0))
            .filter(|&unit| self.side_of(unit) == side)
            .collect();
        let by_hour: Vec<f64> = self
            .hours
            .iter()
            .map(|&hour| self.lost(record, hour, &units, false))
            .collect();
        let falls = self.hours.iter().zip(by_hour.windows(2));
        let falls = falls.map(|(&hour, pair)| (hour, pair[1] - pair[0]));
        let worst = falls.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (worst.1 >= NEWS).then_some(worst)
    }

    /// When a side's line was broken first.
    fn breaks(&self, record: &Record, side: usize) -> Option<i32> {
        let units = &self.contest.play.env().units;
        // Of those that ever fought: what is not in the scenario, or leads and never fights, is no part of the line.
        let mut fought = vec![false; units.len()];
        let broken = record.kept.snapshots.iter().find(|snapshot| {
            let (mut came, mut out) = (0, 0);
            for (i, (at, unit)) in snapshot.units.iter().zip(units).enumerate() {
                if unit.men == 0 || self.side_of(i) != side {
                    continue;
                }
                let fights = at.presence() == Presence::Fights;
                fought[i] |= fights;
                came += usize::from(fought[i]);
                out += usize::from(fought[i] && !fights && at.presence() != Presence::Awaited);
            }
            came >= 5 && out * 100 >= came * BROKEN
        });
        broken.map(|snapshot| snapshot.minute)
    }
}

/// The recorded bodies, hour by hour: brigades and battalions.
#[must_use]
pub fn recorded_bodies(past: &Past, hours: &[i32]) -> Vec<Body> {
    let mut bodies = vec![];
    for (side, of) in past.scenario.sides.iter().enumerate() {
        let Some(root) = past.army.get(&of.side) else {
            continue;
        };
        let whole = |node: &cupola_army::NodeId| {
            matches!(past.army.node(*node).kind, Kind::Brigade | Kind::Battalion)
        };
        for node in past.army.descendants(root).into_iter().filter(whole) {
            let at = |hour: &i32| {
                let at = past.history.position(node, Moment::from_minutes(*hour))?;
                Some(super::distance::local(past.projection, at))
            };
            let at: Vec<Option<(i32, i32)>> = hours.iter().map(at).collect();
            if at.iter().any(Option::is_some) {
                bodies.push(Body {
                    name: past.army.node(node).name.clone(),
                    side,
                    at,
                });
            }
        }
    }
    bodies
}
