//! One game told: where its bodies stood hour by hour, and what a newspaper would have made of it.

use super::{Measured, Past};
use crate::model::{Body, Moment as Told, Story, Topic, Trace, Witness};
use crate::record::{Record, Snapshot};
use cupola_army::{Kind, Moment};
use cupola_kernel::Presence;
use std::collections::{BTreeMap, BTreeSet};

/// A side's line is broken when so many in a hundred of its fighters that came are routed or gone.
const BROKEN: usize = 40;
/// Fewer men than these in a turn are no news.
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

    /// What happened in every game that is cited, by its number.
    pub(super) fn stories(&self, witnesses: &[Witness]) -> Vec<Story> {
        let own = |witness: &&Witness| witness.contest == self.contest.name;
        let cited = witnesses.iter().filter(own).map(|witness| witness.game);
        let cited: BTreeSet<u32> = cited.collect();
        let games = self.records.iter().filter(|r| cited.contains(&r.number));
        let told = games.map(|record| Story {
            game: record.number,
            told: self.story(record),
        });
        told.collect()
    }

    /// A side as the whole page calls it, whatever the ruleset does.
    fn called(&self, side: usize) -> &str {
        let named = self.past.scenario.sides.get(side);
        named.map_or("", |named| named.name.as_str())
    }

    /// What happened, in the order of the hours.
    fn story(&self, record: &Record) -> Vec<Told> {
        let mut told = vec![];
        let mut say = |minute: i32, words: String| told.push(Told { minute, words });
        if let Some(turn) = record.kept.first_attack {
            let when = if turn.to - turn.from > 60 {
                format!(" before {}", clock(turn.to))
            } else {
                String::new()
            };
            say(turn.from, format!("the first attack is made{when}"));
        }
        for ((hour, side), places) in self.changes(record) {
            let places = listed(&places);
            say(
                hour,
                format!(
                    "the {} side takes {places} from the other",
                    self.called(side)
                ),
            );
        }
        for side in [0, 1] {
            let name = self.called(side);
            if let Some((from, to, men)) = self.worst_turn(record, side) {
                let (men, to) = (thousands(men), clock(to));
                say(
                    from,
                    format!("the {name} side loses about {men} men by {to}, its worst turn"),
                );
            }
            if let Some(minute) = self.breaks(record, side) {
                say(
                    minute,
                    format!(
                        "the {name} line is broken: two in five of its counters are routed or gone"
                    ),
                );
            }
        }
        if let (Some(verdict), Some(last)) = (&record.kept.verdict, record.kept.snapshots.last()) {
            let won = verdict
                .winner
                .map(|side| usize::from(side == self.sides[1]));
            let won = won.map_or_else(
                || "nobody wins".to_owned(),
                |side| format!("the {} side wins", self.called(side)),
            );
            let how = match verdict.how.as_str() {
                "draw" | "victory" => String::new(),
                how => format!(" ({how})"),
            };
            say(last.minute, format!("it is over: {won}{how}"));
        }
        told.sort_by_key(|told| told.minute);
        told
    }

    /// Places that changed hands: at the end of which turn and to whom, which; the first holder of a place is no news.
    fn changes(&self, record: &Record) -> BTreeMap<(i32, usize), Vec<String>> {
        let mut found: BTreeMap<(i32, usize), Vec<String>> = BTreeMap::new();
        // Hour by hour the last change of a game would be told after its end.
        let ends = record.kept.snapshots.iter().map(|at| at.minute);
        let ends: Vec<i32> = ends.collect();
        for (id, name, point) in self.watched() {
            let holders = self.holders_at(record, &ends, id, point);
            // What happened there in 1863 has not happened in a game.
            let name = name.split(" (").next().unwrap_or(name);
            for (minute, pair) in ends.iter().skip(1).zip(holders.windows(2)) {
                if let [Some(before), Some(now)] = pair
                    && now != before
                {
                    let taken = found.entry((*minute, *now)).or_default();
                    taken.push(name.to_owned());
                }
            }
        }
        found
    }

    /// The turn in which a side lost most, if it lost many: from, to, men.
    fn worst_turn(&self, record: &Record, side: usize) -> Option<(i32, i32, f64)> {
        let units = &self.contest.play.env().units;
        let men = |at: &Snapshot| -> f64 {
            let own = at.units.iter().zip(units).enumerate();
            let own = own.filter(|(i, _)| self.side_of(*i) == side);
            own.map(|(_, (at, unit))| f64::from(unit.men) * f64::from(at.lost) / 1000.0)
                .sum()
        };
        let turns = record.kept.snapshots.windows(2);
        let turns = turns.map(|pair| {
            (
                pair[0].minute,
                pair[1].minute,
                men(&pair[1]) - men(&pair[0]),
            )
        });
        let worst = turns.max_by(|a, b| a.2.total_cmp(&b.2))?;
        (worst.2 >= NEWS).then_some(worst)
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

/// The time of day of a minute of the calendar.
fn clock(minute: i32) -> String {
    Moment::from_minutes(minute).time_of_day().to_string()
}

/// A number of men to the ten, with a comma at the thousands.
fn thousands(men: f64) -> String {
    let men = (men / 10.0).round() as u32 * 10;
    match men / 1000 {
        0 => men.to_string(),
        thousands => format!("{thousands},{:03}", men % 1000),
    }
}

/// Names as they stand in a sentence.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
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
