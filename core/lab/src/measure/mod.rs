//! From records to findings.

mod counted;
mod distance;
mod front;
mod game;
mod hours;
mod luck;
mod places;
mod story;
mod tempo;
mod witness;

pub use distance::recorded_fronts;
pub use front::frame;
pub use luck::{luck, witnesses as luck_witnesses};
pub use places::recorded;
pub use story::recorded_bodies;
pub(crate) use tempo::{bounds, stays};

use crate::contest::Contest;
use crate::grid::{Bands, PlanPair};
use crate::model::{Comparison, Findings, HistoryFindings, Share};
use crate::record::{Record, Snapshot};
use crate::stats::{share, spread};
use counted::{as_counted, captured};
use cupola_army::{Army, History, Moment, NodeId, Scenario};
use cupola_ground::Projection;
use cupola_kernel::{Side, UnitId, UnitInfo};
use std::collections::BTreeSet;

/// What is recorded of the battle.
pub struct Past<'a> {
    /// The army list.
    pub army: &'a Army,
    /// The record.
    pub history: &'a History,
    /// From degrees to local metres.
    pub projection: &'a Projection,
    /// The hours and sides that are looked at.
    pub scenario: &'a Scenario,
    /// What a loss by the rules may stand for in men.
    pub bands: &'a Bands,
}

/// All of a unit, in thousandths.
const ALL: u16 = 1000;

/// What every measure needs to know.
pub struct Measured<'a> {
    /// What was played.
    pub contest: &'a Contest,
    /// What came of it, bad games left out.
    pub records: Vec<&'a Record>,
    /// The full hours of the span, in minutes of the calendar.
    pub hours: &'a [i32],
    /// What is recorded.
    pub past: &'a Past<'a>,
    /// Which side of the game each side of the scenario is.
    pub sides: [Side; 2],
    /// The time that the contest's turns cover, in minutes of the calendar.
    covers: (i32, i32),
    /// The bodies with recorded losses of which it has most men.
    brings: BTreeSet<NodeId>,
}

impl<'a> Measured<'a> {
    /// Makes ready to measure a contest.
    #[must_use]
    pub fn new(
        contest: &'a Contest,
        records: &'a [Record],
        hours: &'a [i32],
        past: &'a Past<'a>,
    ) -> Measured<'a> {
        let env = contest.play.env();
        let side = |i: usize| {
            let id = past
                .scenario
                .sides
                .get(i)
                .map_or("", |side| side.side.as_str());
            env.side(id).unwrap_or(Side::BOTH[i])
        };
        let records = records.iter().filter(|record| record.fault.is_none());
        let records: Vec<&Record> = records.collect();
        Measured {
            contest,
            covers: covers(&records),
            brings: brings(contest, past),
            records,
            hours,
            past,
            sides: [side(0), side(1)],
        }
    }

    /// The last snapshot at or before a minute; the first if the game began later.
    fn at<'r>(&self, record: &'r Record, minute: i32) -> Option<&'r Snapshot> {
        let snapshots = &record.kept.snapshots;
        let next = snapshots.partition_point(|snapshot| snapshot.minute <= minute);
        snapshots.get(next.saturating_sub(1))
    }

    /// Which side of the scenario a unit is of.
    fn side_of(&self, unit: usize) -> usize {
        let side = self.contest.play.env().units[unit].side;
        usize::from(side == self.sides[1])
    }

    /// The corps of a unit.
    fn corps_of(&self, unit: usize) -> Option<&'a str> {
        corps(self.past.army, &self.contest.play.env().units[unit])
    }

    /// Where a unit was in local metres, if it was on the map.
    fn point(&self, snapshot: &Snapshot, unit: usize) -> Option<(i32, i32)> {
        let hex = snapshot.units.get(unit)?.hex?;
        let point = self.contest.play.env().board.centre(hex);
        Some((point.x / 100, point.y / 100))
    }

    /// Everything about the contest.
    #[must_use]
    pub fn findings(&self, all: &[Record], frame: &crate::model::Raster) -> Findings {
        let (contest, strength) = (self.contest, self.strength());
        let fronts = self.fronts(frame);
        let by_game = self.by_game(&fronts);
        let witnesses = self.witnesses(&fronts, &by_game);
        let skill = |side: Side| contest.skills[side as usize].to_string();
        Findings {
            name: contest.name.clone(),
            title: contest.title.clone(),
            scenario: contest.play.scenario().to_owned(),
            covers: self.covers,
            hex_metres: contest.play.env().board.pitch(),
            turn_minutes: self.turn_minutes(),
            counters: strength.counters,
            men: strength.men,
            guns: strength.guns,
            guns_apart: strength.guns_apart,
            players: self.sides.map(skill),
            games: self.records.len() as u32,
            bad: faults(all),
            balance: self.balance(),
            corps: self.corps_losses(),
            guns_lost: [0, 1].map(|side| self.lost_by_hour(side, true)),
            men_lost: [0, 1].map(|side| self.lost_by_hour(side, false)),
            captured: [0, 1].map(|side| captured(&by_game, side)),
            places: self.places(),
            front_moved: fronts.pushed,
            front_pushed: [0, 1].map(|side| spread(by_game.iter().map(|game| game.pushed[side]))),
            front_held: (0..self.hours.len())
                .map(|hour| spread(by_game.iter().filter_map(|game| *game.held.get(hour)?)))
                .collect(),
            fronts: fronts.shades,
            tempo: self.tempo(),
            contact_minutes: spread(by_game.iter().filter_map(|game| game.contact)),
            idle_orders: [0, 1].map(|side| self.idle_orders(side)),
            decisions: self.decisions(),
            decisions_per_hour: self.decisions_per_hour(),
            luck: None,
            plans: PlanPair::default(),
            band: self.past.bands.of(&contest.ruleset),
            as_counted: as_counted(&by_game),
            late: spread(by_game.iter().filter_map(|game| game.late)),
            trace: self.trace(&witnesses),
            stories: self.stories(&witnesses),
            recorded: self.recorded(),
            distance: self.distance(&by_game),
            by_game,
            witnesses,
        }
    }

    /// What both sides begin with.
    fn strength(&self) -> Strength {
        let lost = self.lost_before();
        let units = self.contest.play.env().units.iter().zip(&lost);
        let left: Vec<(&UnitInfo, u32)> = units
            .map(|(unit, lost)| (unit, u32::from(ALL.saturating_sub(*lost))))
            .filter(|(_, left)| *left > 0)
            .collect();
        let sum = |count: &dyn Fn(&UnitInfo, u32) -> u32| {
            self.sides.map(|side| {
                let own = left.iter().filter(|(unit, _)| unit.side == side);
                own.map(|(unit, left)| count(unit, *left)).sum()
            })
        };
        let part = |whole: u32, left: u32| whole * left / u32::from(ALL);
        Strength {
            counters: sum(&|_, _| 1),
            men: sum(&|unit, left| part(unit.men, left)),
            guns: sum(&|unit, left| part(unit.guns, left)),
            guns_apart: sum(&|unit, left| part(if apart(unit) { unit.guns } else { 0 }, left)),
        }
    }

    /// What every unit had lost before the game began, in thousandths: the third day begins with two days' losses.
    fn lost_before(&self) -> Vec<u16> {
        let mut standings = vec![];
        if let Ok(game) = self.contest.play.game(self.contest.seed_of(0)) {
            game.standings(&mut standings);
        }
        let mut lost: Vec<u16> = standings.iter().map(|standing| standing.lost).collect();
        lost.resize(self.contest.play.env().units.len(), 0);
        lost
    }

    /// Games won by each side of the scenario, and drawn.
    fn balance(&self) -> [Share; 3] {
        let mut counts = [0; 3];
        for record in &self.records {
            let winner = record
                .kept
                .verdict
                .as_ref()
                .and_then(|verdict| verdict.winner);
            let index = winner.map_or(2, |side| usize::from(side == self.sides[1]));
            counts[index] += 1;
        }
        counts.map(|count| share(count, self.records.len() as u32))
    }

    fn turn_minutes(&self) -> (i32, i32) {
        let (from, to) = self.covers;
        let turns = &self.contest.play.env().track.turns;
        let inside = turns
            .iter()
            .filter(|turn| turn.start.minutes() >= from && turn.end.minutes() <= to);
        let lengths: Vec<i32> = inside.map(|turn| turn.span().minutes()).collect();
        (
            lengths.iter().copied().min().unwrap_or(0),
            lengths.iter().copied().max().unwrap_or(0),
        )
    }

    /// All units of the contest.
    fn units(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..self.contest.play.env().units.len() as u16).map(UnitId)
    }
}

/// What the sides of a scenario begin with.
struct Strength {
    counters: [u32; 2],
    men: [u32; 2],
    guns: [u32; 2],
    /// Guns with counters of their own.
    guns_apart: [u32; 2],
}

/// Games that went wrong: number, seed and why.
fn faults(all: &[Record]) -> Vec<(u32, String, String)> {
    let faults = all.iter().filter_map(|record| {
        let fault = record.fault.clone()?;
        Some((record.number, record.seed.to_string(), fault))
    });
    faults.collect()
}

/// The bodies with recorded losses of which a contest has half of the men and more, be it by regiments or by a counter for their whole
/// corps: what is recorded of others is nothing that its games could come near to.
fn brings(contest: &Contest, past: &Past) -> BTreeSet<NodeId> {
    let army = past.army;
    let units = contest.play.env().units.iter();
    let names = units.filter(|unit| unit.men > 0).flat_map(|u| &u.nodes);
    let nodes = names.filter_map(|name| army.get(name));
    let there: BTreeSet<NodeId> = nodes.flat_map(|node| army.troops(node)).collect();
    let is_there = |body: &NodeId| {
        let troops = army.troops(*body).into_iter();
        let men: u32 = troops
            .filter(|unit| there.contains(unit))
            .map(|unit| army.men(unit))
            .sum();
        men > 0 && men * 2 >= army.men(*body)
    };
    let bodies = past.history.tolls().iter().map(|toll| toll.who);
    bodies.filter(is_there).collect()
}

/// From the first minute of some games to the last.
fn covers(records: &[&Record]) -> (i32, i32) {
    let snapshots = || records.iter().map(|record| &record.kept.snapshots);
    let starts = snapshots().filter_map(|of| of.first());
    let ends = snapshots().filter_map(|of| of.last());
    (
        starts.map(|snapshot| snapshot.minute).min().unwrap_or(0),
        ends.map(|snapshot| snapshot.minute).max().unwrap_or(0),
    )
}

/// The corps of a unit: the node below its army, by its id.
#[must_use]
pub fn corps<'a>(army: &'a Army, unit: &UnitInfo) -> Option<&'a str> {
    let node = army.get(unit.nodes.first()?)?;
    let mut line = army.ancestors(node).chain([node]).collect::<Vec<_>>();
    line.sort_by_key(|&node| army.ancestors(node).count());
    Some(army.node(*line.get(1)?).id.as_str())
}

/// Whether a counter stands for guns and hardly anybody else: a gun had about twenty men, a gun of an
/// infantry division a hundred and more.
fn apart(unit: &UnitInfo) -> bool {
    unit.guns > 0 && unit.men < 60 * unit.guns
}

/// The full hours of a scenario, with their names.
#[must_use]
pub fn hours(scenario: &Scenario) -> Vec<(i32, String)> {
    let (from, to) = (scenario.span.from.minutes(), scenario.span.to.minutes());
    let first = (from + 59).div_euclid(60) * 60;
    (first..=to)
        .step_by(60)
        .map(|minute| (minute, Moment::from_minutes(minute).to_string()))
        .collect()
}

/// Puts a comparison together.
#[must_use]
pub fn compare(
    scenario: &Scenario,
    hours: Vec<(i32, String)>,
    frame: crate::model::Raster,
    contests: Vec<Findings>,
    history: HistoryFindings,
    notes: Vec<String>,
) -> Comparison {
    let side = |i: usize| {
        let side = scenario.sides.get(i);
        side.map_or_else(Default::default, |side| {
            (side.side.clone(), side.name.clone())
        })
    };
    Comparison {
        scenario: scenario.id.clone(),
        title: scenario.title.clone(),
        sides: [side(0), side(1)],
        hours,
        frame,
        contests,
        history,
        notes,
        grid: None,
    }
}
