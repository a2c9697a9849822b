//! Where a block can go: a search over movement points, the hot loop of the ruleset.
//!
//! The field's dense arrays say who stands where, so the search reads nothing else. The scratch memory is
//! kept per thread; it is no part of the state.

use crate::field::rules;
use crate::rules::{NOWHERE, Rules};
use crate::state::{Army, Field, flag};
use cupola_kernel::{Check, HexId, Refusal, Side, Table, UnitId, forbid, rule};
use std::cell::RefCell;

/// Not reached.
const FAR: u8 = u8::MAX;

/// A block about to move.
#[derive(Clone, Copy)]
pub struct Mover {
    /// Its side.
    pub side: Side,
    /// Off the road it pays double (§3.24).
    guns: bool,
    /// It is night (§9.72).
    night: bool,
    /// In line it uses no roads; nothing without the option (§6.0).
    formation: Option<bool>,
    /// The first hex out of the frontline ends its move (004 §6.62).
    held: bool,
}

impl Mover {
    /// This block, now.
    #[must_use]
    pub fn new(t: &Table, unit: UnitId) -> Mover {
        let rules = rules(t);
        let card = rules.card(unit);
        let switches = &rules.switches;
        Mover {
            side: card.side,
            guns: card.is_guns(),
            night: t.is_night(),
            formation: switches
                .column_and_line
                .then(|| t.res::<Army>().has(unit, flag::COLUMN)),
            held: switches.leaving_frontline_stops,
        }
    }

    /// What keeps it from going from one hex through a hexside into another. The search and the
    /// explanation use this alone.
    #[inline]
    fn bar(&self, ground: &Ground, from: usize, direction: usize, to: usize) -> Bar {
        if ground.enemies[to] > 0 {
            return Bar::Enemies;
        }
        if ground.near[to] > 0 && self.night {
            return Bar::Night;
        }
        let front = ground.near[from] > 0 || ground.near[to] > 0;
        if front && ground.crossed[from] >> (2 * direction) & 3 >= 2 {
            return Bar::Limit;
        }
        Bar::None
    }

    /// Columns and lines keep apart (§6.0).
    pub fn may_join(&self, t: &Table, field: &Field, to: usize) -> Check {
        let Some(column) = self.formation else {
            return Ok(());
        };
        if field.count[self.side as usize][to] == 0 {
            return Ok(());
        }
        forbid(column, rule!("6.0"), "a column shares its hex with nobody")?;
        let army = t.res::<Army>();
        let mut there = t.stacks().units(HexId(to as u16));
        forbid(
            there.any(|unit| army.has(unit, flag::COLUMN)),
            rule!("6.0"),
            "a column stands there",
        )
    }
}

/// Why a block may not step into a hex from its neighbour, if it may not.
pub fn why_not_step(t: &Table, mover: &Mover, from: HexId, to: HexId) -> Check {
    let direction = rules(t).direction(from, to).unwrap_or(0);
    let field = t.res::<Field>();
    let ground = Ground::of(field, mover.side);
    let (from, to) = (usize::from(from.0), usize::from(to.0));
    let (cite, why) = match mover.bar(&ground, from, direction, to) {
        Bar::None => return mover.may_join(t, field, to),
        Bar::Enemies => (rule!("6.1"), "the hex holds enemies"),
        Bar::Night => (rule!("9.72"), "at night no block comes next to the enemy"),
        Bar::Limit => (rule!("6.62"), "two blocks have crossed that hexside"),
    };
    Err(Refusal::new(cite, why))
}

/// What keeps a block out of a hex.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bar {
    /// Nothing.
    None,
    /// Enemies in it.
    Enemies,
    /// Enemies next to it, at night.
    Night,
    /// Two blocks have crossed the hexside.
    Limit,
}

/// The field as one side's movers read it.
struct Ground<'a> {
    /// Enemies per hex.
    enemies: &'a [u8],
    /// Neighbours that hold enemies.
    near: &'a [u8],
    /// Crossings of hexsides.
    crossed: &'a [u16],
}

impl Ground<'_> {
    fn of(field: &Field, side: Side) -> Ground<'_> {
        let enemy = side.other() as usize;
        Ground {
            enemies: &field.count[enemy],
            near: &field.near[enemy],
            crossed: &field.crossed,
        }
    }
}

#[derive(Default)]
struct Scratch {
    cost: Vec<u8>,
    from: Vec<u16>,
    rings: Vec<Vec<u16>>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Where a search begins.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    /// On the map.
    Hex(HexId),
    /// Off the map: hexes by which to come on, each with its cost (§6.7).
    Edge(&'a [(HexId, u8)]),
}

/// What a search found.
pub struct Found<'a> {
    cost: &'a [u8],
    from: &'a [u16],
    start: u16,
}

impl Found<'_> {
    /// The hexes that were reached, in order.
    pub fn hexes(&self) -> impl Iterator<Item = HexId> + '_ {
        let start = usize::from(self.start);
        let hexes = self.cost.iter().enumerate();
        hexes
            .filter(move |&(hex, &cost)| cost != FAR && hex != start)
            .map(|(hex, _)| HexId(hex as u16))
    }

    /// The points that a hex costs.
    pub fn cost(&self, to: HexId) -> u8 {
        self.cost[usize::from(to.0)]
    }

    /// Calls `step` with both hexes of every step to a hex, last one first.
    pub fn path(&self, to: HexId, mut step: impl FnMut(HexId, HexId)) {
        let mut at = to.0;
        while self.from[usize::from(at)] != NOWHERE {
            let before = self.from[usize::from(at)];
            step(HexId(before), HexId(at));
            at = before;
        }
    }
}

/// Finds every hex to which a mover can go within its points.
pub fn reach<R>(
    t: &Table,
    mover: &Mover,
    origin: Origin,
    points: u8,
    then: impl FnOnce(&Found) -> R,
) -> R {
    SCRATCH.with_borrow_mut(|scratch| {
        let (rules, field) = (rules(t), t.res::<Field>());
        prepare(scratch, rules.edges.len(), points);
        let mut start = NOWHERE;
        match origin {
            Origin::Hex(hex) => {
                start = hex.0;
                scratch.cost[usize::from(hex.0)] = 0;
                scratch.rings[0].push(hex.0);
            }
            Origin::Edge(hexes) => {
                for &(hex, spent) in hexes {
                    let (at, spent) = (usize::from(hex.0), spent.min(points));
                    if spent < scratch.cost[at] {
                        scratch.cost[at] = spent;
                        scratch.rings[usize::from(spent)].push(hex.0);
                    }
                }
            }
        }
        let ground = Ground::of(field, mover.side);
        // With nothing left to spend nobody goes on: every hexside costs a point at least.
        for spent in 0..points {
            let mut ring = std::mem::take(&mut scratch.rings[usize::from(spent)]);
            for &hex in &ring {
                let at = usize::from(hex);
                if scratch.cost[at] != spent {
                    continue;
                }
                // §6.61, §6.62 A block that enters a frontline hex stops.
                if hex == start || ground.near[at] == 0 {
                    let search = (t, rules, field, mover, &ground);
                    spread(search, (hex, start), (spent, points), scratch);
                }
            }
            ring.clear();
            scratch.rings[usize::from(spent)] = ring;
        }
        scratch.rings[usize::from(points)].clear();
        then(&Found {
            cost: &scratch.cost,
            from: &scratch.from,
            start,
        })
    })
}

fn prepare(scratch: &mut Scratch, hexes: usize, points: u8) {
    scratch.cost.clear();
    scratch.cost.resize(hexes, FAR);
    scratch.from.clear();
    scratch.from.resize(hexes, NOWHERE);
    let rings = scratch.rings.len().max(usize::from(points) + 1);
    scratch.rings.resize(rings, vec![]);
}

/// What a search reads.
type Search<'a> = (&'a Table, &'a Rules, &'a Field, &'a Mover, &'a Ground<'a>);

/// Reaches on from one hex.
fn spread(
    (t, rules, field, mover, ground): Search,
    (hex, start): (u16, u16),
    (spent, points): (u8, u8),
    scratch: &mut Scratch,
) {
    let at = usize::from(hex);
    let roads = mover.formation != Some(false);
    let held = mover.held && hex == start && ground.near[at] > 0;
    for (direction, edge) in rules.edges[at].iter().enumerate() {
        if edge.to == NOWHERE {
            continue;
        }
        let to = usize::from(edge.to);
        let mut cost = if mover.guns { 2 * edge.cost } else { edge.cost };
        if edge.road > 0 && roads {
            let by_road = edge.road + turn_off(rules, hex, direction, scratch.from[at]);
            cost = cost.min(by_road);
        }
        if held {
            cost = points;
        }
        let mut total = spent.saturating_add(cost);
        // §6.4 A block can always move one hex.
        if hex == start {
            total = total.min(points);
        }
        if total > points || total >= scratch.cost[to] {
            continue;
        }
        let joins = mover.formation.is_none() || mover.may_join(t, field, to).is_ok();
        if joins && mover.bar(ground, at, direction, to) == Bar::None {
            scratch.cost[to] = total;
            scratch.from[to] = hex;
            scratch.rings[usize::from(total)].push(edge.to);
        }
    }
}

/// §2.2 At Cemetery Hill it costs a point to change between the pike and the Taneytown Road.
#[inline]
fn turn_off(rules: &Rules, hex: u16, direction: usize, from: u16) -> u8 {
    let junction = &rules.junction;
    if junction.hex != HexId(hex) || from == NOWHERE {
        return 0;
    }
    let edges = &rules.edges[usize::from(hex)];
    let back = edges.iter().position(|edge| edge.to == from);
    let on = |road: usize, direction: usize| junction.roads[road] & 1 << direction != 0;
    let changes = |back: usize| on(0, back) && on(1, direction) || on(1, back) && on(0, direction);
    u8::from(back.is_some_and(changes))
}
