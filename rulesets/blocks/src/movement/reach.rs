//! Where a block can go: a search over movement points, the hot loop of the ruleset.
//!
//! The field's dense arrays say who stands where, so the search reads nothing else. The scratch memory is
//! kept per thread; it is no part of the state.
//!
//! The search goes over *nodes*: one for every hex, and two more for the hex in which two roads meet that are
//! not joined (§2.2). Who came there by one of the roads stands on a node of its own, because going on by the
//! other costs him a point that others do not pay.

use crate::field::rules;
use crate::rules::{NOWHERE, Rules};
use crate::state::{Army, Field, flag};
use cupola_kernel::{Check, HexId, Refusal, Side, Table, UnitId, forbid, rule};
use std::cell::RefCell;

/// Not reached.
const FAR: u8 = u8::MAX;

/// More points than any way along a road takes.
pub const FOREVER: u8 = FAR - 5;

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
    /// It keeps to the roads of night reinforcements, up to the town (§9.74).
    pub marches: bool,
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
            marches: false,
        }
    }

    /// Whether it may use roads (§6.0).
    #[must_use]
    pub fn uses_roads(&self) -> bool {
        self.formation != Some(false)
    }

    /// What it pays for ground that costs so many points off the road (§3.24).
    #[must_use]
    #[inline]
    pub fn off_road(&self, cost: u8) -> u8 {
        if self.guns { 2 * cost } else { cost }
    }

    /// What it pays to leave or enter the map by a road of this cost; 0 is no road.
    #[must_use]
    pub fn rim_cost(&self, rules: &Rules, road: u8) -> u8 {
        let across = self.off_road(rules.clear);
        if road > 0 && self.uses_roads() {
            road.min(across)
        } else {
            across
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
        if ground.crossed[from] >> (2 * direction) & 3 >= 2 && ground.limited(from, to) {
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
    let ground = Ground::of(t, mover.side);
    let (from, to) = (usize::from(from.0), usize::from(to.0));
    let (cite, why) = match mover.bar(&ground, from, direction, to) {
        Bar::None => return mover.may_join(t, field, to),
        Bar::Enemies => (rule!("6.1"), "the hex holds enemies"),
        Bar::Night => (rule!("9.72"), "at night no block comes next to the enemy"),
        Bar::Limit => (rule!("6.62"), "two blocks have crossed that hexside"),
    };
    Err(Refusal::new(cite, why))
}

/// Whether two blocks have crossed a hexside of the frontline already (§6.62).
#[must_use]
pub fn used_up(t: &Table, side: Side, from: HexId, to: HexId) -> bool {
    let ground = Ground::of(t, side);
    let (a, b) = (usize::from(from.0), usize::from(to.0));
    let direction = rules(t).direction(from, to);
    ground.limited(a, b) && direction.is_some_and(|d| ground.crossed[a] >> (2 * d) & 3 >= 2)
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
    /// Hexes of the map's edge.
    rim: &'a [bool],
}

impl Ground<'_> {
    fn of(t: &Table, side: Side) -> Ground<'_> {
        let (field, enemy) = (t.res::<Field>(), side.other() as usize);
        Ground {
            enemies: &field.count[enemy],
            near: &field.near[enemy],
            crossed: &field.crossed,
            rim: &rules(t).rim,
        }
    }

    /// Whether only two blocks may pass between two hexes: one of them is a frontline hex (§6.62) and does
    /// not lie on the map's edge (§6.7).
    fn limited(&self, from: usize, to: usize) -> bool {
        let front = |hex: usize| self.near[hex] > 0 && !self.rim[hex];
        front(from) || front(to)
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
    /// On the map, and the first step is in this direction.
    Gate(HexId, usize),
    /// Off the map: hexes by which to come on, each with its cost (§6.7).
    Edge(&'a [(HexId, u8)]),
}

/// What a search found.
pub struct Found<'a> {
    search: &'a Search<'a>,
    cost: &'a [u8],
    from: &'a [u16],
    /// The node by which the hex of the two roads is reached best, and what its own node costs.
    junction: (u16, u8),
}

impl Found<'_> {
    /// The hexes that were reached, in order.
    pub fn hexes(&self) -> impl Iterator<Item = HexId> + '_ {
        let start = usize::from(self.search.start);
        let hexes = self.cost[..self.search.hexes()].iter().enumerate();
        hexes
            .filter(move |&(hex, &cost)| cost != FAR && hex != start)
            .map(|(hex, _)| HexId(hex as u16))
    }

    /// The points that a hex costs, if it was reached.
    pub fn cost(&self, to: HexId) -> Option<u8> {
        Some(self.cost[usize::from(to.0)]).filter(|&cost| cost != FAR)
    }

    /// The points that a hex costs if its last step is from this neighbour; without one, as [`Found::cost`].
    pub fn cost_by(&self, to: HexId, before: Option<HexId>) -> Option<u8> {
        let Some(before) = before else {
            return self.cost(to);
        };
        let direction = self.search.rules.direction(before, to)?;
        let totals = self.search.nodes(before.0).map(|node| {
            let spent = self.spent(node);
            let (across, by_road) = self.search.prices(node, direction);
            self.search.total(before.0, spent, across.min(by_road))
        });
        totals
            .into_iter()
            .min()
            .filter(|&total| total <= self.search.points)
    }

    /// Calls `step` with both hexes of every step to a hex, last one first.
    pub fn path(&self, to: HexId, mut step: impl FnMut(HexId, HexId)) {
        let mut at = self.node(to);
        while self.from[usize::from(at)] != NOWHERE {
            let before = self.from[usize::from(at)];
            step(self.search.hex(before), self.search.hex(at));
            at = before;
        }
    }

    /// The hex before the last on the way that was found.
    pub fn before(&self, to: HexId) -> Option<HexId> {
        let before = self.from[usize::from(self.node(to))];
        (before != NOWHERE).then(|| self.search.hex(before))
    }

    /// The node by which a hex is reached best.
    fn node(&self, to: HexId) -> u16 {
        if to == self.search.rules.junction.hex {
            self.junction.0
        } else {
            to.0
        }
    }

    /// Calls `found` with every neighbour from which a hex can be entered within the points. Which one it is
    /// matters in the frontline, where a hexside lets only two blocks through (§6.62).
    pub fn entrances(&self, to: HexId, mut found: impl FnMut(HexId)) {
        let search = self.search;
        let around = search.rules.around(to).iter();
        for before in around.map(|edge| edge.to).filter(|&hex| hex != NOWHERE) {
            let direction = search.rules.direction(HexId(before), to);
            let Some(direction) = direction.filter(|_| search.goes_on(before)) else {
                continue;
            };
            let at = usize::from(before);
            if search
                .mover
                .bar(&search.ground, at, direction, usize::from(to.0))
                != Bar::None
            {
                continue;
            }
            if self.cost_by(to, Some(HexId(before))).is_some() {
                found(HexId(before));
            }
        }
    }

    /// What a node of its own costs.
    fn spent(&self, node: u16) -> u8 {
        if HexId(node) == self.search.rules.junction.hex {
            self.junction.1
        } else {
            self.cost[usize::from(node)]
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
        let search = Search {
            t,
            rules: rules(t),
            field: t.res::<Field>(),
            mover,
            ground: Ground::of(t, mover.side),
            points,
            start: match origin {
                Origin::Hex(hex) | Origin::Gate(hex, _) => hex.0,
                Origin::Edge(_) => NOWHERE,
            },
        };
        prepare(scratch, search.hexes() + 2, points);
        search.begin(origin, scratch);
        // With nothing left to spend nobody goes on: every hexside costs a point at least.
        for spent in 0..points {
            let mut ring = std::mem::take(&mut scratch.rings[usize::from(spent)]);
            for &node in &ring {
                let fresh = scratch.cost[usize::from(node)] == spent;
                if fresh && search.goes_on(search.hex(node).0) {
                    (0..6).for_each(|direction| search.relax(node, direction, scratch));
                }
            }
            ring.clear();
            scratch.rings[usize::from(spent)] = ring;
        }
        scratch.rings[usize::from(points)].clear();
        let junction = search.join_nodes(scratch);
        then(&Found {
            search: &search,
            cost: &scratch.cost,
            from: &scratch.from,
            junction,
        })
    })
}

fn prepare(scratch: &mut Scratch, nodes: usize, points: u8) {
    scratch.cost.clear();
    scratch.cost.resize(nodes, FAR);
    scratch.from.clear();
    scratch.from.resize(nodes, NOWHERE);
    let rings = scratch.rings.len().max(usize::from(points) + 1);
    scratch.rings.resize(rings, vec![]);
}

/// What a search reads.
struct Search<'a> {
    t: &'a Table,
    rules: &'a Rules,
    field: &'a Field,
    mover: &'a Mover,
    ground: Ground<'a>,
    points: u8,
    /// The hex on which the block stands, if it does.
    start: u16,
}

impl Search<'_> {
    #[inline]
    fn hexes(&self) -> usize {
        self.rules.edges.len()
    }

    /// The hex of a node.
    #[inline]
    fn hex(&self, node: u16) -> HexId {
        if usize::from(node) < self.hexes() {
            HexId(node)
        } else {
            self.rules.junction.hex
        }
    }

    /// The nodes of a hex.
    fn nodes(&self, hex: u16) -> [u16; 3] {
        let first = self.hexes() as u16;
        if HexId(hex) == self.rules.junction.hex {
            [hex, first, first + 1]
        } else {
            [hex; 3]
        }
    }

    /// §6.61, §6.62 A block that enters a frontline hex stops.
    #[inline]
    fn goes_on(&self, hex: u16) -> bool {
        let arrived = self.mover.marches && HexId(hex) == self.rules.night_goal;
        hex == self.start || self.ground.near[usize::from(hex)] == 0 && !arrived
    }

    /// Whether a step keeps to the roads of night reinforcements (§9.74).
    fn on_march(&self, from: usize, direction: usize) -> bool {
        let edge = &self.rules.edges[from][direction];
        edge.road > 0 && self.rules.night_road[usize::from(edge.to)]
    }

    /// Puts the first hexes into their rings.
    fn begin(&self, origin: Origin, scratch: &mut Scratch) {
        match origin {
            Origin::Hex(hex) => {
                scratch.cost[usize::from(hex.0)] = 0;
                scratch.rings[0].push(hex.0);
            }
            Origin::Gate(hex, direction) => {
                scratch.cost[usize::from(hex.0)] = 0;
                self.relax(hex.0, direction, scratch);
            }
            Origin::Edge(hexes) => {
                for &(hex, spent) in hexes {
                    let (at, spent) = (usize::from(hex.0), spent.min(self.points));
                    if spent < scratch.cost[at] {
                        scratch.cost[at] = spent;
                        scratch.rings[usize::from(spent)].push(hex.0);
                    }
                }
            }
        }
    }

    /// What a step from a node costs, across country and by the road; [`FAR`] where there is none.
    #[inline]
    fn prices(&self, node: u16, direction: usize) -> (u8, u8) {
        let edge = &self.rules.edges[usize::from(self.hex(node).0)][direction];
        let across = self.mover.off_road(edge.cost);
        if edge.road == 0 || !self.mover.uses_roads() {
            return (across, FAR);
        }
        (across, edge.road + self.turn_off(node, direction))
    }

    /// §2.2 At Cemetery Hill it costs a point to change between the pike and the Taneytown Road.
    #[inline]
    fn turn_off(&self, node: u16, direction: usize) -> u8 {
        let Some(road) = usize::from(node).checked_sub(self.hexes()) else {
            return 0;
        };
        let on = |road: usize| self.rules.junction.roads[road] & 1 << direction != 0;
        u8::from(on(1 - road) && !on(road))
    }

    /// What a block has spent after a step out of a hex.
    #[inline]
    fn total(&self, hex: u16, spent: u8, cost: u8) -> u8 {
        let total = spent.saturating_add(cost);
        if hex != self.start {
            return total;
        }
        // 004 §6.62 The first hex out of the frontline ends a move. §6.4 A block can always move one hex.
        if self.mover.held && self.ground.near[usize::from(hex)] > 0 {
            self.points
        } else {
            total.min(self.points)
        }
    }

    /// Takes one step from a node wherever that is better than what was found.
    #[inline]
    fn relax(&self, node: u16, direction: usize, scratch: &mut Scratch) {
        let hex = self.hex(node);
        let to = self.rules.around(hex)[direction].to;
        if to == NOWHERE {
            return;
        }
        let spent = scratch.cost[usize::from(node)];
        let (across, by_road) = self.prices(node, direction);
        if HexId(to) == self.rules.junction.hex {
            let way = (node, direction, self.by_road(hex));
            self.improve(way, self.total(hex.0, spent, by_road), scratch);
            self.improve(
                (node, direction, to),
                self.total(hex.0, spent, across),
                scratch,
            );
        } else {
            let total = self.total(hex.0, spent, across.min(by_road));
            self.improve((node, direction, to), total, scratch);
        }
    }

    /// The node on which somebody stands who came by road from this neighbour of the hex of the two roads.
    fn by_road(&self, from: HexId) -> u16 {
        let junction = &self.rules.junction;
        let back = self.rules.direction(junction.hex, from);
        let on = |road: usize| back.is_some_and(|back| junction.roads[road] & 1 << back != 0);
        match (on(0), on(1)) {
            (true, false) => self.hexes() as u16,
            (false, true) => self.hexes() as u16 + 1,
            _ => junction.hex.0,
        }
    }

    /// Notes a step from a node in a direction to another node if it is better than what was found and
    /// nothing bars the way.
    #[inline]
    fn improve(&self, (node, direction, to): (u16, usize, u16), total: u8, scratch: &mut Scratch) {
        if total > self.points || total >= scratch.cost[usize::from(to)] {
            return;
        }
        let (from, hex) = (usize::from(self.hex(node).0), usize::from(self.hex(to).0));
        let joins =
            self.mover.formation.is_none() || self.mover.may_join(self.t, self.field, hex).is_ok();
        if self.mover.marches && !self.on_march(from, direction) {
            return;
        }
        if joins && self.mover.bar(&self.ground, from, direction, hex) == Bar::None {
            scratch.cost[usize::from(to)] = total;
            scratch.from[usize::from(to)] = node;
            scratch.rings[usize::from(total)].push(to);
        }
    }

    /// The hex of the two roads costs what its best node does. Returns that node, and what its own costs.
    fn join_nodes(&self, scratch: &mut Scratch) -> (u16, u8) {
        let hex = self.rules.junction.hex.0;
        let own = scratch.cost[usize::from(hex)];
        let best = |node: &u16| scratch.cost[usize::from(*node)];
        let node = self.nodes(hex).into_iter().min_by_key(best).unwrap_or(hex);
        scratch.cost[usize::from(hex)] = scratch.cost[usize::from(node)];
        (node, own)
    }
}
