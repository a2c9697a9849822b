//! A plan made ready for a play: for each unit its orders, for each place the way there.

use crate::distances::{Distances, Ways};
use crate::plan::{Plan, Task, Temper};
use cupola_army::{Army, Turn};
use cupola_ground::{Board, HexId, Point};
use cupola_kernel::{Env, Play, Seed, Side, UnitId};
use siphasher::sip::SipHasher13;
use std::hash::{Hash, Hasher};

/// What a unit is to do, as far as a bot needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    Hold,
    Take,
    March,
    Seek,
}

/// An order for one unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posted {
    /// Minutes of the calendar.
    from: i32,
    until: i32,
    /// The smaller the formation, the deeper.
    depth: usize,
    pub aim: Aim,
    /// Index of the place's distances; none for those who seek, and for those who hold wherever they are.
    pub goal: Option<usize>,
    pub temper: Temper,
    /// Careful horsemen at a post: they watch, and do not wait until the enemy is beside them.
    pub screens: bool,
}

impl Posted {
    fn covers(&self, minute: i32) -> bool {
        (self.from..self.until).contains(&minute)
    }

    /// Whether it is to stay wherever it is.
    pub fn rests(&self) -> bool {
        self.aim == Aim::Hold && self.goal.is_none()
    }
}

/// A leader of the side and those who need him.
#[derive(Clone, Debug)]
pub(crate) struct Led {
    pub leader: usize,
    pub units: Vec<usize>,
    /// Hexes that his word carries.
    pub reach: u8,
    /// What his men weigh when all are there.
    pub weight: i64,
    /// Per unit: whether it is he or one of his.
    concerns: Vec<bool>,
}

impl Led {
    /// Whether he or one of his is among these.
    pub fn touches(&self, units: &[usize]) -> bool {
        units.iter().any(|&unit| self.concerns[unit])
    }
}

/// From this minute of a day on nobody begins what he cannot finish: an hour and a half before sunset (house).
const LATE: i32 = 18 * 60;
/// Until this minute the day has not begun.
const EARLY: i32 = 4 * 60;
const DAY: i32 = 24 * 60;

/// The day that a minute belongs to: the small hours are the night of the day before.
fn day(minute: i32) -> i32 {
    (minute - EARLY).div_euclid(DAY)
}

/// A plan for one side of a play.
#[derive(Clone, Debug)]
pub struct Brief {
    side: Side,
    /// The minute at which the game begins.
    began: i32,
    /// Whether the game goes on when the day on which it begins is over.
    pub(crate) goes_on_for_days: bool,
    /// Minutes at which turns begin, each with what counts for every unit from then on. An order counts in the turns whose middle it
    /// covers; one too short for any in the turn in which it lies, before all others for the same formation, or it would never be carried out:
    /// the charge of an hour, in turns of two and a half.
    pub(crate) eras: Vec<(i32, Vec<Posted>)>,
    distances: Vec<Distances>,
    pub(crate) ways: Ways,
    /// How near is there: a place is more than a point.
    pub(crate) reach: u32,
    /// What a unit counts for: its men, and its guns as fifty each.
    pub(crate) weights: Vec<i64>,
    pub(crate) sides: Vec<Side>,
    /// The units of the side.
    own: Vec<usize>,
    /// Who fights on horseback: half as much against men on foot.
    horse: Vec<bool>,
    pub(crate) leads: Vec<Led>,
    /// Per unit: its place in `leads`.
    lead_of: Vec<Option<usize>>,
    /// The formations of the side, each with its units: those who are under one leader, of several the nearest; who has none is by
    /// himself.
    pub(crate) formations: Vec<Vec<usize>>,
    /// Per unit: its formation, if it is of the side.
    pub(crate) formation: Vec<Option<usize>>,
    /// Per unit: what it counted for when the game began.
    pub(crate) began_with: Vec<i64>,
    /// Metres from a hex to the next.
    pub(crate) pitch: u32,
    /// Whether units may have to attack where they stand.
    pub(crate) forces: bool,
}

const SEEK: Posted = Posted {
    from: i32::MIN,
    until: i32::MAX,
    depth: 0,
    aim: Aim::Seek,
    goal: None,
    temper: Temper::Steady,
    screens: false,
};

impl Brief {
    /// Makes a plan ready; the plan's side must be one of the play's. None if it is not.
    #[must_use]
    pub fn new(plan: &Plan, play: &Play, army: &Army) -> Option<Brief> {
        let env = play.env();
        let side = env.side(&plan.side)?;
        let mut places: Vec<&str> = plan.orders.iter().filter_map(|o| o.task.place()).collect();
        places.sort_unstable();
        places.dedup();
        let board = &env.board;
        let ways = Ways::new(board);
        let measure = |place: &&str| Distances::new(&ways, place_hex(board, place));
        let distances = places.iter().map(measure).collect();
        let orders: Vec<Vec<Posted>> = env
            .units
            .iter()
            .map(|unit| {
                let node = unit.nodes.first().and_then(|node| army.get(node));
                let line = |node| army.ancestors(node).chain([node]);
                let above: Vec<_> = node.map_or(vec![], |node| line(node).collect());
                let posted = plan.orders.iter().filter_map(|order| {
                    let who = army.get(&order.who)?;
                    above.contains(&who).then_some(())?;
                    let goal = order.task.place();
                    Some(Posted {
                        from: order.from.map_or(i32::MIN, |moment| moment.minutes()),
                        until: order.until.map_or(i32::MAX, |moment| moment.minutes()),
                        depth: army.ancestors(who).count(),
                        aim: match order.task {
                            Task::Hold(_) => Aim::Hold,
                            Task::Take(_) => Aim::Take,
                            Task::March(_) => Aim::March,
                            Task::Seek => Aim::Seek,
                        },
                        goal: goal.and_then(|goal| places.binary_search(&goal).ok()),
                        temper: order.temper,
                        screens: unit.kind == "cavalry"
                            && order.temper == Temper::Cautious
                            && matches!(order.task, Task::Hold(_)),
                    })
                });
                posted.collect()
            })
            .collect();
        Some(Brief {
            eras: eras(&orders, &env.track.turns),
            distances,
            ways,
            ..Brief::free(play, side)
        })
    }

    /// No plan at all: everybody seeks the enemy.
    #[must_use]
    pub fn free(play: &Play, side: Side) -> Brief {
        let env = play.env();
        let (weights, units) = (weights(env), || env.units.iter());
        let horse: Vec<bool> = units().map(|unit| unit.kind == "cavalry").collect();
        let order = |horse: &bool| Posted {
            temper: if *horse {
                Temper::Cautious
            } else {
                SEEK.temper
            },
            ..SEEK
        };
        let leads = leads(play, side, &weights);
        let lead_of = |i: usize| leads.iter().position(|lead| lead.leader == i);
        let (formations, formation) = formations(&leads, env, side);
        let began = env.track.turns[usize::from(env.first_turn)].start.minutes();
        let last = env.track.turns[usize::from(env.last_turn)].start.minutes();
        Brief {
            side,
            formations,
            formation,
            began_with: began_with(play, &weights),
            began,
            goes_on_for_days: day(last) > day(began),
            eras: vec![(i32::MIN, horse.iter().map(order).collect())],
            distances: vec![],
            ways: Ways::new(&env.board),
            reach: reach(&env.board),
            pitch: env.board.pitch_by_axis(),
            forces: play.forces_fights(),
            sides: units().map(|unit| unit.side).collect(),
            own: (0..env.units.len())
                .filter(|&i| env.units[i].side == side)
                .collect(),
            lead_of: (0..env.units.len()).map(lead_of).collect(),
            weights,
            horse,
            leads,
        }
    }

    /// What the plan comes to, as one number: two briefs that are alike have the same.
    #[must_use]
    pub fn key(&self) -> String {
        let mut hasher = SipHasher13::new();
        format!("{:?} {:?} {:?}", self.side, self.eras, self.distances).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// Whose plan it is.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The orders that count at this minute, by unit.
    pub(crate) fn orders(&self, now: i32) -> &[Posted] {
        let era = self.eras.partition_point(|(from, _)| *from <= now);
        &self.eras[era.saturating_sub(1)].1
    }

    /// The order that counts for a unit at this minute.
    pub(crate) fn order(&self, unit: UnitId, now: i32) -> &Posted {
        &self.orders(now)[usize::from(unit.0)]
    }

    /// The units of the side, by number.
    pub(crate) fn own(&self) -> &[usize] {
        &self.own
    }

    /// Whether anybody of the side has no place to go to but the enemy.
    pub(crate) fn seeks(&self, now: i32) -> bool {
        let orders = self.orders(now);
        self.own
            .iter()
            .any(|&i| orders[i].goal.is_none() && !orders[i].rests())
    }

    /// What so many men of a unit count for in a fight.
    pub(crate) fn punch(&self, unit: usize, men: i64) -> i64 {
        if self.horse[unit] { men / 2 } else { men }
    }

    /// Whether the day is too far gone to begin something. Who began in the dark came out to fight in it: that night is not
    /// too late.
    pub(crate) fn is_late(&self, now: i32) -> bool {
        let dark = |moment: i32| !(EARLY..LATE).contains(&moment.rem_euclid(DAY));
        dark(now) && !(dark(self.began) && day(now) == day(self.began))
    }

    /// The place of a unit among the leaders, if it is one.
    pub(crate) fn lead_of(&self, unit: usize) -> Option<usize> {
        self.lead_of[unit]
    }

    pub(crate) fn distances(&self, goal: usize) -> &Distances {
        &self.distances[goal]
    }

    /// Metres from a hex to where a unit is to be at this minute; nothing if it has no place to go to.
    #[must_use]
    pub fn way_left(&self, unit: UnitId, hex: HexId, now: i32) -> Option<u32> {
        let goal = self.order(unit, now).goal?;
        Some(self.distances[goal].from(hex).saturating_sub(self.reach))
    }
}

/// What counts for every unit, from the start of each turn.
fn eras(orders: &[Vec<Posted>], turns: &[Turn]) -> Vec<(i32, Vec<Posted>)> {
    let spans: Vec<(i32, i32)> = turns
        .iter()
        .map(|turn| (turn.start.minutes(), turn.end.minutes()))
        .collect();
    let middle = |&(start, end): &(i32, i32)| i32::midpoint(start, end);
    let middles: Vec<i32> = spans.iter().map(middle).collect();
    let of = |own: &Vec<Posted>, span: &(i32, i32)| {
        let counts = own.iter().rev().filter_map(|order| {
            let short = !middles.iter().any(|middle| order.covers(*middle));
            let counts = match short {
                true => (span.0..span.1).contains(&middle(&(order.from, order.until))),
                false => order.covers(middle(span)),
            };
            counts.then_some((short, order))
        });
        let first = counts.max_by_key(|(short, order)| (order.depth, *short, order.from));
        first.map_or(SEEK, |(_, order)| *order)
    };
    let era = |(i, span): (usize, &(i32, i32))| {
        let from = if i == 0 { i32::MIN } else { span.0 };
        (from, orders.iter().map(|own| of(own, span)).collect())
    };
    spans.iter().enumerate().map(era).collect()
}

/// Six hundred metres, or a hex and a half where hexes are larger than that.
fn reach(board: &Board) -> u32 {
    (board.pitch_by_axis() * 3 / 2).max(600)
}

/// The leaders of a side who have somebody to lead.
fn leads(play: &Play, side: Side, weights: &[i64]) -> Vec<Led> {
    let units = &play.env().units;
    let of_side = |unit: &UnitId| units[usize::from(unit.0)].side == side;
    let led = play
        .leads()
        .into_iter()
        .filter(|lead| of_side(&lead.leader));
    let led = led.map(|lead| {
        let own: Vec<usize> = lead.units.iter().map(|unit| usize::from(unit.0)).collect();
        let leader = usize::from(lead.leader.0);
        let concerns = |i: usize| i == leader || own.contains(&i);
        Led {
            leader,
            reach: lead.reach,
            weight: own.iter().map(|&i| weights[i]).sum(),
            concerns: (0..units.len()).map(concerns).collect(),
            units: own,
        }
    });
    led.filter(|lead| lead.weight > 0).collect()
}

/// What every unit counts for when the game begins: some scenarios begin with losses.
fn began_with(play: &Play, weights: &[i64]) -> Vec<i64> {
    let mut standings = vec![];
    if let Ok(game) = play.game(Seed(0)) {
        game.standings(&mut standings);
    }
    let lost = |i: usize| standings.get(i).map_or(0, |standing| standing.lost);
    let all = weights.iter().enumerate();
    all.map(|(i, weight)| weight * i64::from(1000 - lost(i).min(1000)) / 1000)
        .collect()
}

/// The units of a side by the smallest body of men that has a leader, and for each of them which body that is.
fn formations(leads: &[Led], env: &Env, side: Side) -> (Vec<Vec<usize>>, Vec<Option<usize>>) {
    let mut all: Vec<Vec<usize>> = vec![vec![]; leads.len()];
    let of = |i: usize| {
        let own = leads.iter().enumerate();
        let own = own.filter(|(_, lead)| lead.units.contains(&i));
        own.min_by_key(|(n, lead)| (lead.weight, *n))
            .map(|(n, _)| n)
    };
    let mut formation = vec![None; env.units.len()];
    for (i, unit) in env.units.iter().enumerate() {
        if unit.side == side {
            let n = of(i).unwrap_or_else(|| {
                all.push(vec![]);
                all.len() - 1
            });
            all[n].push(i);
            formation[i] = Some(n);
        }
    }
    (all, formation)
}

fn weights(env: &Env) -> Vec<i64> {
    let weight = |unit: &cupola_kernel::UnitInfo| i64::from(unit.men) + 50 * i64::from(unit.guns);
    env.units.iter().map(weight).collect()
}

/// The hex of a place; of one off the board the nearest hex.
fn place_hex(board: &Board, place: &str) -> Option<HexId> {
    let place = board.place(place)?;
    place.hex.or_else(|| nearest_hex(board, place.point))
}

fn nearest_hex(board: &Board, point: Point) -> Option<HexId> {
    board.hexes().min_by_key(|&hex| {
        let centre = board.centre(hex);
        let (x, y) = (i64::from(centre.x - point.x), i64::from(centre.y - point.y));
        x * x + y * y
    })
}
