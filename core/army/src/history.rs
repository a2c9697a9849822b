//! What really happened: where bodies stood, who held the named places, who lost how many men when.
//!
//! The lab measures play against it, so everything is asked for by node, place and [`Moment`], as a
//! game can be asked. Two files in a folder of their own: `positions.csv`, one record a row, for people
//! who think in spreadsheets, and `history.ron` for the rest and for what was left out and why.
//!
//! Three questions, three rules:
//! * **Where was it?** Between two records a body went straight and at an even pace, if they are at most
//!   three hours apart, or less than the front of a brigade. Otherwise nobody knows.
//! * **Who held it?** Whoever the file says; between two entries a place was empty or in dispute.
//! * **Who lost how many?** A toll's men fell as the strength of the body falls along its records, evenly
//!   where it has none. The tolls of a body add up to what the army list says it lost: what one of them may have more, another
//!   has less.
//!
//! Degrees are whole millionths (a tenth of a metre), so that answers are the same on every machine.

mod read;

use std::collections::BTreeMap;

use cupola_data::Origin;
use serde::Deserialize;

use crate::battle::Reference;
use crate::clock::{Moment, Span};
use crate::node::Sure;
use crate::tree::NodeId;

/// Records further apart than this say nothing about the time between them, in minutes.
const FAR_APART: i32 = 180;
/// Unless they lie as near to each other as this, in millionths of a degree: 200 metres from north to south.
const ONE_SPOT: i32 = 1800;

/// The record of a battle.
#[derive(Debug, Clone)]
pub struct History {
    /// The hours that it covers.
    pub span: Span,
    /// Where the facts come from.
    pub sources: Vec<Reference>,
    /// What the sources have and the record has not.
    pub left_out: Vec<Omitted>,
    tracks: BTreeMap<NodeId, Vec<Stand>>,
    places: BTreeMap<String, Vec<Held>>,
    tolls: Vec<Toll>,
}

/// A record of a body: where it stood at a moment, and how strong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stand {
    /// When.
    pub at: Moment,
    /// Latitude of the middle of its front, in millionths of a degree.
    pub lat: i32,
    /// Longitude, in millionths of a degree.
    pub lon: i32,
    /// Its men then.
    pub men: u32,
    /// How sure the record is.
    pub sure: Sure,
}

/// A time during which one side held a place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// The army, by its node.
    pub by: String,
    /// From which minute on.
    pub from: Moment,
    /// Until when; to the end of the record if left out.
    #[serde(default)]
    pub to: Option<Moment>,
    /// How that is known.
    pub origin: Origin,
    /// Minutes by which its beginning and its end may lie elsewhere: so near to them nobody is said to hold it.
    #[serde(default)]
    pub doubt: u16,
}

/// Rows of a source that are not in the record.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Omitted {
    /// How many rows.
    pub rows: u32,
    /// What is in them.
    pub what: String,
    /// Why they are not in it.
    pub why: String,
}

/// What a body lost within some hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toll {
    /// The body.
    pub who: NodeId,
    /// The hours.
    pub span: Span,
    /// Killed, wounded, captured and missing.
    pub men: u32,
    /// The least and the most that it may have been.
    pub band: (u32, u32),
    /// How that is known.
    pub origin: Origin,
    /// Whether what the army list says of the whole battle is doubtful, too, so that its tolls need not add up to it.
    pub open: bool,
    /// The body and all that it belongs to.
    within: Vec<NodeId>,
    /// How its strength falls in those hours: stretches of time and the men gone in them.
    falls: Vec<(Span, u32)>,
}

impl History {
    /// No record at all of these hours: a battle that was never fought.
    pub fn none(span: Span) -> History {
        History {
            span,
            sources: vec![],
            left_out: vec![],
            tracks: BTreeMap::new(),
            places: BTreeMap::new(),
            tolls: vec![],
        }
    }

    /// Where a body was, in millionths of a degree of latitude and longitude.
    pub fn position(&self, node: NodeId, at: Moment) -> Option<(i32, i32)> {
        let track = self.tracks.get(&node)?;
        let next = track.partition_point(|stand| stand.at < at);
        let after = track.get(next)?;
        if after.at == at {
            return Some((after.lat, after.lon));
        }
        let before = track.get(next.checked_sub(1)?)?;
        let (gone, whole) = (minutes(before.at, at), minutes(before.at, after.at));
        let (north, east) = (after.lat - before.lat, after.lon - before.lon);
        let far = i64::from(north).pow(2) + i64::from(east).pow(2);
        if whole > FAR_APART && far > i64::from(ONE_SPOT).pow(2) {
            return None;
        }
        let between = |from: i32, to: i32| {
            let way = i64::from(to - from) * i64::from(gone);
            // At most the way itself, so it fits.
            from + way.div_euclid(i64::from(whole)) as i32
        };
        Some((
            between(before.lat, after.lat),
            between(before.lon, after.lon),
        ))
    }

    /// The army that held a place, by its node; none if it was empty, in dispute or is not in the record.
    pub fn holder(&self, place: &str, at: Moment) -> Option<&str> {
        let mut times = self.places.get(place)?.iter();
        let held = times.find(|held| self.surely(held).contains(at))?;
        Some(&held.by)
    }

    /// When a place was surely held: without the minutes of doubt at either end, but for the ends of the record.
    fn surely(&self, held: &Held) -> Span {
        let (whole, doubt) = (self.time(held), i32::from(held.doubt));
        let from = if whole.from > self.span.from {
            doubt
        } else {
            0
        };
        let to = if whole.to < self.span.to { doubt } else { 0 };
        Span {
            from: whole.from.plus(from),
            to: whole.to.plus(-to),
        }
    }

    /// What a node lost from a moment up to another; none if nothing is recorded at its level or below.
    pub fn losses(&self, node: NodeId, from: Moment, to: Moment) -> Option<u32> {
        self.losses_of(node, (from, to), |_| true)
    }

    /// The same of those bodies alone that are asked for: of who is in a game, say.
    pub fn losses_of(
        &self,
        node: NodeId,
        (from, to): (Moment, Moment),
        asked: impl Fn(NodeId) -> bool,
    ) -> Option<u32> {
        let tolls = || {
            let all = self.tolls.iter();
            all.filter(|toll| toll.within.contains(&node))
        };
        tolls().next()?;
        let lost = |toll: &Toll| toll.lost_by(to).saturating_sub(toll.lost_by(from));
        Some(tolls().filter(|toll| asked(toll.who)).map(lost).sum())
    }

    /// The least and the most that a node may have lost from a moment up to another.
    pub fn losses_band(&self, node: NodeId, from: Moment, to: Moment) -> Option<(u32, u32)> {
        self.losses_band_of(node, (from, to), |_| true)
    }

    /// The same of those bodies alone that are asked for.
    pub fn losses_band_of(
        &self,
        node: NodeId,
        (from, to): (Moment, Moment),
        asked: impl Fn(NodeId) -> bool,
    ) -> Option<(u32, u32)> {
        self.losses(node, from, to)?;
        let mut bodies: BTreeMap<NodeId, Vec<&Toll>> = BTreeMap::new();
        let own = self.tolls.iter();
        for toll in own.filter(|toll| toll.within.contains(&node) && asked(toll.who)) {
            bodies.entry(toll.who).or_default().push(toll);
        }
        let bands = bodies
            .values()
            .map(|tolls| self.body_band(tolls, Span { from, to }));
        Some(bands.fold((0, 0), |sum, band| (sum.0 + band.0, sum.1 + band.1)))
    }

    /// The least and the most that one body may have lost in some hours, by all its tolls.
    fn body_band(&self, tolls: &[&Toll], hours: Span) -> (u32, u32) {
        let mut parts: Vec<Part> = tolls.iter().map(|toll| toll.part(hours)).collect();
        if tolls.iter().any(|toll| toll.open) {
            let least = parts.iter().map(|part| part.of(part.least, false));
            let most = parts.iter().map(|part| part.of(part.most, true));
            return (least.sum(), most.sum());
        }
        let total: u32 = tolls.iter().map(|toll| toll.men).sum();
        let most: u32 = tolls.iter().map(|toll| toll.band.1).sum();
        // Where one toll may be so small that the others cannot make up for it, men fell at an hour that no toll has.
        let elsewhere = tolls
            .iter()
            .map(|toll| total.saturating_sub(most - toll.band.1 + toll.band.0));
        let mut strays = Part {
            share: NONE,
            least: 0,
            most: elsewhere.max().unwrap_or(0),
        };
        let inside = |span: Span, of: Span| of.from <= span.from && span.to <= of.to;
        strays.share = if inside(self.span, hours) { ALL } else { NONE };
        parts.push(strays);
        let low = spread_out(&mut parts, total, false);
        let told = tolls.iter().any(|toll| inside(hours, toll.span));
        if let Some(strays) = parts.iter_mut().find(|part| **part == strays) {
            strays.share = if told { NONE } else { ALL };
        }
        (low, spread_out(&mut parts, total, true))
    }

    /// The bodies that have records, in the order of the army list.
    pub fn bodies(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.tracks.keys().copied()
    }

    /// The records of a body, in order of time.
    pub fn track(&self, node: NodeId) -> &[Stand] {
        self.tracks.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The places of which it is known who held them, by name.
    pub fn places(&self) -> impl Iterator<Item = (&str, &[Held])> {
        let places = self.places.iter();
        places.map(|(place, held)| (place.as_str(), held.as_slice()))
    }

    /// The tolls, in the order of the file.
    pub fn tolls(&self) -> &[Toll] {
        &self.tolls
    }

    /// When a place was held, with an open end closed.
    pub fn time(&self, held: &Held) -> Span {
        Span {
            from: held.from,
            to: held.to.unwrap_or(self.span.to),
        }
    }
}

/// A share of a toll: so many parts of so many.
type Share = (u64, u64);
const NONE: Share = (0, 1);
const ALL: Share = (1, 1);

/// How much of a toll falls into some hours, and how large it may be.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Part {
    share: Share,
    least: u32,
    most: u32,
}

impl Part {
    /// So many men of it, as far as they fall into the hours, up or down to a whole man.
    fn of(&self, men: u32, up: bool) -> u32 {
        let (some, all) = self.share;
        let men = u64::from(men) * some;
        // At most the men themselves, so it fits.
        (if up { men.div_ceil(all) } else { men / all }) as u32
    }
}

/// The most, or the least, of a number of men that can fall into some hours: those that may lie here or there lie where most of a toll, or
/// least of it, falls into them.
fn spread_out(parts: &mut [Part], total: u32, most: bool) -> u32 {
    parts.sort_by(|one, other| {
        let less = (one.share.0 * other.share.1).cmp(&(other.share.0 * one.share.1));
        if most { less.reverse() } else { less }
    });
    let least: u32 = parts.iter().map(|part| part.least).sum();
    let mut left = total.saturating_sub(least);
    let lost = parts.iter().map(|part| {
        let more = left.min(part.most - part.least);
        left -= more;
        part.of(part.least + more, most)
    });
    lost.sum()
}

impl Toll {
    /// How much of it falls into some hours.
    fn part(&self, hours: Span) -> Part {
        let [(before, whole), (by, _)] = [hours.from, hours.to].map(|at| self.fallen(at));
        Part {
            share: ((by - before).max(0) as u64, whole.max(1) as u64),
            least: self.band.0,
            most: self.band.1,
        }
    }

    /// How many of its men were lost by a moment.
    fn lost_by(&self, at: Moment) -> u32 {
        let (fallen, whole) = self.fallen(at);
        (i64::from(self.men) * fallen / whole) as u32
    }

    /// How much of it had fallen by a moment, and the whole.
    fn fallen(&self, at: Moment) -> (i64, i64) {
        // Thousandths, so that a slow fall is not rounded away minute by minute.
        let fallen = |(span, men): &(Span, u32)| {
            let gone = minutes(span.from, at.max(span.from).min(span.to));
            i64::from(*men) * 1000 * i64::from(gone) / i64::from(span.minutes())
        };
        let fallen: i64 = self.falls.iter().map(fallen).sum();
        let whole: i64 = self.falls.iter().map(|(_, men)| i64::from(*men)).sum();
        (fallen, whole * 1000)
    }
}

fn minutes(from: Moment, to: Moment) -> i32 {
    to.minutes() - from.minutes()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::{History, Moment, Span, Stand, Sure, Toll};
    use crate::tree::NodeId;
    use cupola_data::Origin;

    fn at(minutes: i32) -> Moment {
        Moment::from_minutes(minutes)
    }

    fn stand(minutes: i32, lat: i32, men: u32) -> Stand {
        Stand {
            at: at(minutes),
            lat,
            lon: -lat,
            men,
            sure: Sure::Likely,
        }
    }

    fn history(track: &[Stand], tolls: Vec<Toll>) -> History {
        History {
            span: Span {
                from: at(0),
                to: at(1000),
            },
            sources: vec![],
            left_out: vec![],
            tracks: [(NodeId(3), track.to_vec())].into(),
            places: [].into(),
            tolls,
        }
    }

    #[test]
    fn a_body_goes_straight_between_near_records_and_nowhere_between_far_ones() {
        let track = [
            stand(60, 1000, 9),
            stand(160, 2001, 9),
            stand(400, 9000, 9),
            stand(900, 9000, 9),
        ];
        let history = history(&track, vec![]);
        let position = |minutes| history.position(NodeId(3), at(minutes));
        assert_eq!(position(59), None);
        assert_eq!(position(60), Some((1000, -1000)));
        assert_eq!(position(110), Some((1500, -1501)));
        assert_eq!(position(160), Some((2001, -2001)));
        // Four hours apart: nobody knows. Standing still for eight: it stood there.
        assert_eq!(position(200), None);
        assert_eq!(position(700), Some((9000, -9000)));
        assert_eq!(position(901), None);
        assert_eq!(history.position(NodeId(4), at(60)), None);
    }

    #[test]
    fn a_toll_falls_as_the_strength_does_and_adds_up() {
        let span = |from, to| Span {
            from: at(from),
            to: at(to),
        };
        let toll = Toll {
            who: NodeId(3),
            span: span(0, 100),
            men: 301,
            band: (250, 301),
            origin: Origin::House("test".into()),
            open: false,
            within: vec![NodeId(3), NodeId(1), NodeId(0)],
            falls: vec![(span(0, 10), 30), (span(50, 100), 10)],
        };
        let history = history(&[], vec![toll]);
        let lost = |node, from, to| history.losses(NodeId(node), at(from), at(to));
        assert_eq!(lost(3, 0, 100), Some(301));
        assert_eq!(lost(1, 0, 10), Some(225));
        assert_eq!(lost(0, 10, 50), Some(0));
        let hours: u32 = (0..20).map(|n| lost(0, n * 5, n * 5 + 5).unwrap()).sum();
        assert_eq!(hours, 301);
        assert_eq!(lost(7, 0, 100), None);
        let band = |from, to| history.losses_band(NodeId(1), at(from), at(to));
        // It lost 301 in all, and 51 of them at another hour, perhaps.
        assert_eq!(band(0, 1000), Some((301, 301)));
        assert_eq!(band(0, 101), Some((250, 301)));
        assert_eq!(band(0, 100), Some((250, 301)));
        assert_eq!(band(500, 600), Some((0, 51)));
        assert_eq!(band(10, 50), Some((0, 0)));
        assert_eq!(band(0, 10), Some((187, 226)));
    }

    /// What one day may have more the other has less: nobody loses men twice, and all of them by the end.
    #[test]
    fn the_days_of_a_body_add_up() {
        let day = |from, band: (u32, u32), open| Toll {
            who: NodeId(3),
            span: Span {
                from: at(from),
                to: at(from + 100),
            },
            men: (band.0 + band.1) / 2,
            band,
            origin: Origin::House("test".into()),
            open,
            within: vec![NodeId(3)],
            falls: vec![(
                Span {
                    from: at(from),
                    to: at(from + 100),
                },
                1,
            )],
        };
        let bands = |open| {
            let tolls = vec![day(100, (50, 150), open), day(500, (50, 150), open)];
            let history = history(&[], tolls);
            let band = |from, to| history.losses_band(NodeId(3), at(from), at(to)).unwrap();
            [band(0, 300), band(400, 700), band(0, 1000), band(0, 150)]
        };
        let days = [(50, 150), (50, 150)];
        let half = (25, 75);
        assert_eq!(bands(false), [days[0], days[1], (200, 200), half]);
        assert_eq!(bands(true), [days[0], days[1], (100, 300), half]);
    }

    #[test]
    fn records_of_one_spot_are_as_good_as_one() {
        let track = [stand(0, 0, 9), stand(500, 1200, 9), stand(900, 3000, 9)];
        let history = history(&track, vec![]);
        assert_eq!(history.position(NodeId(3), at(250)), Some((600, -600)));
        assert_eq!(history.position(NodeId(3), at(700)), None);
    }

    #[test]
    fn nobody_is_said_to_hold_a_place_in_the_minutes_of_doubt() {
        let held = |by: &str, from, to, doubt| super::Held {
            by: by.into(),
            from: at(from),
            to: Some(at(to)),
            origin: Origin::House("test".into()),
            doubt,
        };
        let mut history = history(&[], vec![]);
        let times = vec![held("us", 0, 100, 20), held("cs", 100, 1000, 10)];
        history.places = [("hill".to_owned(), times)].into();
        let holder = |minutes| history.holder("hill", at(minutes));
        assert_eq!(
            (holder(0), holder(79), holder(80)),
            (Some("us"), Some("us"), None)
        );
        assert_eq!(
            (holder(109), holder(110), holder(999)),
            (None, Some("cs"), Some("cs"))
        );
    }
}
