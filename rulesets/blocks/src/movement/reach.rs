//! Where a block can go: the common search over the block game's movement points.
//!
//! The field's dense arrays say who stands where, so the search reads nothing else. Most steps are plain: they
//! are read from a table per class of mover. The search's memory is kept per thread; it is no part of the state.
//!
//! The search goes over *nodes*: one for every hex, and two more for the hex in which two roads meet that are
//! not joined (§2.2). Who came there by one of the roads stands on a node of its own, because going on by the
//! other costs him a point that others do not pay.

use super::mover::{Bar, Ground, Mover};
use crate::field::rules;
use crate::rules::{NOWHERE, PlainStep, Rules};
use crate::state::Hexes;
use cupola_kernel::{HexId, Table};
use cupola_kit::{HexSet, Search, Steps, Then, Ways};
use std::cell::RefCell;

/// More points than any way along a road takes.
pub const FOREVER: u8 = 250;

/// The search's memory, and what it came to.
#[derive(Default)]
struct Scratch {
    search: Search,
    met: Met,
}

/// The hexes that a search came to.
#[derive(Default)]
struct Met {
    /// All but the one on which the block stands.
    hexes: HexSet,
    /// Those of them in which a block stops, whatever it has left.
    stops: Vec<HexId>,
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
    walk: &'a Walk<'a>,
    search: &'a Search,
}

impl Found<'_> {
    /// The hexes that were reached, but for the one on which the block stands.
    pub fn hexes(&self) -> &HexSet {
        &self.walk.met.hexes
    }

    /// Those of them in which the block must stop, as in every hex of the frontline.
    pub fn stops(&self) -> &[HexId] {
        &self.walk.met.stops
    }

    /// Whether a hex is next to an enemy (§6.62).
    #[inline]
    pub fn is_front(&self, hex: HexId) -> bool {
        self.walk.ground.near[hex.index()] > 0
    }

    /// The points that a hex costs, if it was reached.
    pub fn cost(&self, to: HexId) -> Option<u8> {
        // All hexes but one have one node.
        if to != self.walk.rules.junction.hex {
            return self.search.cost(to.index()).map(|cost| cost as u8);
        }
        let costs = self
            .walk
            .nodes(to)
            .filter_map(|node| self.search.cost(node));
        costs.min().map(|cost| cost as u8)
    }

    /// The points that a hex costs if its last step is this one from a neighbour; none if it cannot be entered from there.
    #[inline]
    fn cost_by(&self, to: HexId, before: u16, step: usize) -> Option<u8> {
        let (walk, at) = (self.walk, usize::from(before));
        if !walk.leads_on(before) {
            return None;
        }
        debug_assert_eq!(walk.rules.direction(HexId(before), to), Some(step));
        // All hexes but one have one node, and most steps are plain.
        let total = if walk.plain.get(at) == Some(&true) {
            self.search.cost(at)? + walk.price(at, walk.steps[at][step].cost)
        } else {
            self.cost_over(HexId(before), step)?
        };
        let open = total <= u16::from(walk.points) && !walk.ground.used_up(at, step, to.index());
        open.then_some(total as u8)
    }

    /// The points that a step out of a hex comes to on the best of the hex's nodes.
    #[cold]
    fn cost_over(&self, hex: HexId, step: usize) -> Option<u16> {
        let walk = self.walk;
        let total = |node| {
            let spent = self.search.cost(node)?;
            let (across, by_road) = walk.prices(node, step);
            Some(spent + walk.price(hex.index(), across.min(by_road)))
        };
        walk.nodes(hex).filter_map(total).min()
    }

    /// The first step of the way to a hex. Only after [`trace`].
    pub fn first(&self, to: HexId) -> Option<HexId> {
        let mut node = self.best(to);
        let mut before = self.search.before(node)?;
        while let Some(earlier) = self.search.before(before) {
            (node, before) = (before, earlier);
        }
        Some(HexId(self.walk.hex(node) as u16))
    }

    /// The node on which one comes to a hex for the least.
    fn best(&self, to: HexId) -> usize {
        let costs = |node: &usize| self.search.cost(*node).unwrap_or(u16::MAX);
        let best = self.walk.nodes(to).min_by_key(costs);
        best.unwrap_or(to.index())
    }

    /// What it costs to enter a hex from each of its neighbours. Which one it is matters in the frontline,
    /// where a hexside lets only two blocks through (§6.62).
    pub fn entrances(&self, to: HexId) -> [Option<u8>; 6] {
        let mut costs = [None; 6];
        if self.is_open(to) {
            let around = self.walk.rules.around(to).iter().enumerate();
            for ((direction, edge), cost) in around.zip(&mut costs) {
                *cost = self.cost_by(to, edge.to, (direction + 3) % 6);
            }
        }
        costs
    }

    /// Whether nothing keeps the block out of a hex.
    fn is_open(&self, hex: HexId) -> bool {
        let walk = self.walk;
        walk.mover.bar_into(&walk.ground, hex.index()) == Bar::None
    }

    /// The steps of a way to a hex, and what it costs: its last step from this neighbour, if one is given.
    /// Only after [`trace`].
    pub fn way(&self, to: HexId, last: Option<HexId>) -> (Option<u8>, Vec<HexId>) {
        let walk = self.walk;
        let nodes = self.search.way(self.best(last.unwrap_or(to)));
        let hexes = nodes.into_iter().map(|node| HexId(walk.hex(node) as u16));
        let hexes = hexes.chain(last.map(|_| to)).collect();
        let cost = match last.and_then(|last| walk.rules.direction(to, last)) {
            Some(direction) => self.entrances(to)[direction],
            None => self.cost(to),
        };
        (cost, hexes)
    }
}

/// The entrance that a block takes if it does not say: the cheapest, the first of equals.
#[must_use]
pub fn usual(entrances: &[Option<u8>; 6]) -> Option<usize> {
    let open = (0..6).filter(|&direction| entrances[direction].is_some());
    open.min_by_key(|&direction| entrances[direction])
}

/// Finds every hex to which a mover can go within its points.
pub fn reach<R>(
    t: &Table,
    mover: &Mover,
    origin: Origin,
    points: u8,
    then: impl FnOnce(&Found) -> R,
) -> R {
    reach_on(t, t.res(), mover, origin, points, then)
}

/// The same if the blocks stood otherwise.
pub fn reach_on<R>(
    t: &Table,
    field: &Hexes,
    mover: &Mover,
    origin: Origin,
    points: u8,
    then: impl FnOnce(&Found) -> R,
) -> R {
    SCRATCH.with_borrow_mut(|Scratch { search, met }| {
        let mut walk = Walk::new((t, field), mover, origin, points, met);
        walk.begin(origin, search);
        search.run(&mut walk);
        let (walk, search) = (&walk, &*search);
        then(&Found { walk, search })
    })
}

/// The same, with the ways. If a hex is given, no more than the way there and its cheapest entrance is wanted: what is
/// dearer is not looked at.
pub fn trace<R>(
    t: &Table,
    mover: &Mover,
    origin: Origin,
    points: u8,
    until: Option<HexId>,
    then: impl FnOnce(&Found) -> R,
) -> R {
    SCRATCH.with_borrow_mut(|Scratch { search, met }| {
        let mut walk = Walk::new((t, t.res()), mover, origin, points, met);
        walk.begin(origin, search);
        // The hex of the two roads has several nodes, and any of them may be the first.
        let until = until.filter(|&hex| hex != walk.rules.junction.hex);
        search.run_to(until.map_or(usize::MAX, HexId::index), &mut walk);
        let (walk, search) = (&walk, &*search);
        then(&Found { walk, search })
    })
}

/// What a search reads.
struct Walk<'a> {
    t: &'a Table,
    rules: &'a Rules,
    field: &'a Hexes,
    mover: &'a Mover,
    ground: Ground<'a>,
    points: u8,
    /// The hex on which the block stands, if it does.
    start: u16,
    /// The direction of its first step, if that is fixed.
    gate: Option<usize>,
    /// Plain steps of its class.
    steps: &'a [[PlainStep; 6]],
    /// The hexes from which all steps are plain; none if more than points and enemies keeps it from a plain step.
    plain: &'a [bool],
    /// Enemies per hex; at night those next to it, since nobody comes beside a hex that holds some (§9.72).
    shut: &'a [u8],
    /// The hex in which it has arrived, if there is one.
    goal: u16,
    /// What the cheapest step out of a hex costs those of its class.
    least: &'a [u16],
    /// The hexes that it comes to.
    met: &'a mut Met,
}

impl<'a> Walk<'a> {
    fn new(
        (t, field): (&'a Table, &'a Hexes),
        mover: &'a Mover,
        origin: Origin,
        points: u8,
        met: &'a mut Met,
    ) -> Walk<'a> {
        let rules = rules(t);
        let easy = mover.formation.is_none() && !mover.marches;
        let ground = Ground::new(rules, field, mover.side);
        met.hexes.clear(rules.edges.len());
        met.stops.clear();
        let class = usize::from(mover.guns) + 2 * usize::from(!mover.uses_roads());
        let (start, gate) = match origin {
            Origin::Hex(hex) => (hex.0, None),
            Origin::Gate(hex, direction) => (hex.0, Some(direction)),
            Origin::Edge(_) => (NOWHERE, None),
        };
        Walk {
            t,
            rules,
            field,
            mover,
            shut: if mover.night {
                ground.near
            } else {
                ground.enemies
            },
            goal: match mover.marches {
                true => rules.night.goal.0,
                false => NOWHERE,
            },
            ground,
            points,
            least: &rules.least[class],
            start,
            gate,
            steps: &rules.steps[class],
            plain: if easy { &rules.plain } else { &[] },
            met,
        }
    }

    #[inline]
    fn hexes(&self) -> usize {
        self.rules.edges.len()
    }

    /// The hex of a node.
    #[inline]
    fn hex(&self, node: usize) -> usize {
        if node < self.hexes() {
            node
        } else {
            usize::from(self.rules.junction.hex.0)
        }
    }

    /// The nodes of a hex.
    fn nodes(&self, hex: HexId) -> impl Iterator<Item = usize> {
        let more = if hex == self.rules.junction.hex { 2 } else { 0 };
        std::iter::once(hex.index()).chain(self.hexes()..self.hexes() + more)
    }

    /// Whether a block goes on from a hex: in a frontline hex it stops when it enters it (§6.61, §6.62).
    #[inline]
    fn leads_on(&self, hex: u16) -> bool {
        let near = self.ground.near.get(usize::from(hex));
        hex == self.start && hex != NOWHERE || near == Some(&0) && hex != self.goal
    }

    /// Whether a step keeps to the roads of night reinforcements (§9.74).
    fn on_march(&self, from: usize, direction: usize) -> bool {
        let edge = &self.rules.edges[from][direction];
        edge.road > 0 && self.rules.night.road[usize::from(edge.to)]
    }

    /// Puts down where the block begins.
    fn begin(&self, origin: Origin, search: &mut Search) {
        search.begin(self.hexes() + 2, u16::from(self.points));
        match origin {
            Origin::Hex(hex) | Origin::Gate(hex, _) => search.start_at(usize::from(hex.0)),
            Origin::Edge(hexes) => {
                for &(hex, spent) in hexes {
                    search.start(usize::from(hex.0), u16::from(spent.min(self.points)));
                }
            }
        }
    }

    /// What a step from a node costs, across country and by the road; more than any points without one.
    #[inline]
    fn prices(&self, node: usize, direction: usize) -> (u16, u16) {
        let edge = &self.rules.edges[self.hex(node)][direction];
        let across = u16::from(self.mover.off_road(edge.cost));
        if edge.road == 0 || !self.mover.uses_roads() {
            return (across, u16::from(u8::MAX));
        }
        (
            across,
            u16::from(edge.road) + self.turn_off(node, direction),
        )
    }

    /// §2.2 It costs a point to change between the two roads of the junction.
    fn turn_off(&self, node: usize, direction: usize) -> u16 {
        let Some(road) = node.checked_sub(self.hexes()) else {
            return 0;
        };
        let on = |road: usize| self.rules.junction.roads[road] & 1 << direction != 0;
        u16::from(on(1 - road) && !on(road))
    }

    /// What a block pays for a step out of a hex that costs so much.
    #[inline]
    fn price(&self, hex: usize, cost: u16) -> u16 {
        if hex != usize::from(self.start) {
            return cost;
        }
        // 004 §6.62 The first hex out of the frontline ends a move. §6.4 A block can always move one hex.
        let most = u16::from(self.points);
        if self.mover.held && self.ground.near[hex] > 0 {
            most
        } else {
            cost.min(most)
        }
    }

    /// The node on which somebody stands who came by road from this neighbour of the hex of the two roads.
    fn by_road(&self, from: usize) -> usize {
        let junction = &self.rules.junction;
        let back = self.rules.direction(junction.hex, HexId(from as u16));
        let on = |road: usize| back.is_some_and(|back| junction.roads[road] & 1 << back != 0);
        match (on(0), on(1)) {
            (true, false) => self.hexes(),
            (false, true) => self.hexes() + 1,
            _ => usize::from(junction.hex.0),
        }
    }

    /// Offers a plain step if nothing keeps the block from it.
    #[inline]
    fn offer_plain(&self, hex: usize, direction: usize, step: &PlainStep, steps: &mut impl Steps) {
        let to = step.landing.node();
        let gate = self.gate.filter(|_| hex == usize::from(self.start));
        if to == usize::from(NOWHERE) || gate.is_some_and(|gate| gate != direction) {
            return;
        }
        if self.mover.bar(&self.ground, hex, direction, to) == Bar::None {
            steps.step(to, |_| self.price(hex, step.cost));
        }
    }

    /// Offers steps of which each is looked at by itself: from the hex in which two roads meet that are not joined, or beside
    /// it; where others have crossed; and those of a block that more than points and enemies keeps from a step.
    #[inline]
    fn steps_one_by_one(&self, node: usize, steps: &mut impl Steps) {
        let junction = self.rules.junction.hex.index();
        let plain = node != junction && node < self.plain.len();
        for direction in 0..6 {
            match self.steps.get(node).filter(|_| plain) {
                Some(around) if around[direction].landing.node() != junction => {
                    self.offer_plain(node, direction, &around[direction], steps);
                }
                _ => self.offer(node, direction, steps),
            }
        }
    }

    /// Offers a step that may be anything but plain.
    fn offer(&self, node: usize, direction: usize, steps: &mut impl Steps) {
        let from = self.hex(node);
        let to = self.rules.edges[from][direction].to;
        let gate = self.gate.filter(|_| from == usize::from(self.start));
        if to == NOWHERE || gate.is_some_and(|gate| gate != direction) {
            return;
        }
        let hex = usize::from(to);
        let joins =
            self.mover.formation.is_none() || self.mover.may_join(self.t, self.field, hex).is_ok();
        let strays = self.mover.marches && !self.on_march(from, direction);
        if !joins || strays || self.mover.bar(&self.ground, from, direction, hex) != Bar::None {
            return;
        }
        let (across, by_road) = self.prices(node, direction);
        if HexId(to) == self.rules.junction.hex {
            steps.step(self.by_road(from), |_| self.price(from, by_road));
            steps.step(hex, |_| self.price(from, across));
        } else {
            steps.step(hex, |_| self.price(from, across.min(by_road)));
        }
    }
}

impl Ways for Walk<'_> {
    #[inline]
    fn reached(&mut self, node: usize, spent: u16, _: u16) -> Then {
        let (at, Met { hexes, stops }) = (self.hex(node), &mut *self.met);
        let hex = HexId(at as u16);
        if hex.0 == self.start {
            return Then::GoOn;
        }
        if self.ground.near[at] > 0 || hex.0 == self.goal {
            // The hex of the two roads is come to more than once.
            if !hexes.contains(hex) {
                stops.push(hex);
            }
            hexes.insert(hex);
            return Then::StopHere;
        }
        hexes.insert(hex);
        // Most are as far as it comes: no use to look at what lies around them.
        if spent + self.least[at] > u16::from(self.points) {
            Then::StopHere
        } else {
            Then::GoOn
        }
    }

    #[inline]
    fn steps(&self, node: usize, spent: u16, steps: &mut impl Steps) {
        // Where others have crossed it matters which hexside it takes.
        let gate = spent == 0 && self.gate.is_some();
        if self.plain.get(node) != Some(&true) || self.ground.crossed[node] != 0 || gate {
            return self.steps_one_by_one(node, steps);
        }
        let around = &self.steps[node];
        // The first step may be dearer than it is paid for: what is ahead of it is not known. At night too an enemy may stand
        // beside the block.
        if spent == 0 {
            for step in around {
                let to = step.landing.node();
                if self.shut.get(to) == Some(&0) && self.ground.enemies[to] == 0 {
                    steps.step(to, |_| self.price(node, step.cost));
                }
            }
            return;
        }
        let ahead = steps.ahead();
        for (direction, step) in around.iter().enumerate() {
            if ahead.has(direction) && self.shut.get(step.landing.node()) == Some(&0) {
                steps.step_to(step.landing, |_| step.cost);
            }
        }
    }
}
