//! Where a unit can go: the common search over half movement points, with this ruleset's costs.
//!
//! Who stands where is written on the search first, so that it reads nothing else. Guns and horses have two
//! nodes a hex: one from which they go on, and one where woods have stopped them (§J-1-b). The memory is kept
//! per thread and is no part of the state.

use crate::field::Field;
use crate::rules::{Edge, Kind, Order, Rules};
use crate::state::March;
use cupola_kernel::{Check, HexId, UnitId, forbid, rule};
use cupola_kit::{HexSet, Search, Steps, Then, Ways};
use std::cell::RefCell;

/// Not reached.
pub const FAR: u8 = u8::MAX;
/// Reached by the minimum move alone.
pub const LEAST: u8 = u8::MAX - 1;

const ENEMY: u8 = 1;
const NEAR: u8 = 2;
const NEAR_TWO: u8 = 4;

/// Marks of the search: next to the enemy; too full for the road.
const ENGAGED: u16 = 1;
const CROWDED: u16 = 2;
/// It may not be entered at all.
const CLOSED: u16 = 4;

/// A unit about to move.
#[derive(Clone, Copy)]
pub struct Mover {
    unit: UnitId,
    /// Its strength.
    pub sp: i16,
    guns: bool,
    stops: bool,
    /// It may come next to the enemy (§J-3-a).
    pub engages: bool,
    one: bool,
    /// What keeps it out of a hex.
    blocks: u8,
    /// Half points it has.
    pub allowance: u8,
}

impl Mover {
    /// This unit, marching so.
    #[must_use]
    pub fn new(field: Field, unit: UnitId, march: March) -> Mover {
        let mounted = field.mounted(unit);
        Mover {
            sp: field.sp(unit),
            ..Mover::footed(field, unit, march, mounted)
        }
    }

    /// This unit if it were in the saddle, or on foot.
    #[must_use]
    pub fn footed(field: Field, unit: UnitId, march: March, mounted: bool) -> Mover {
        let guns = field.card(unit).kind == Kind::Guns;
        // §J-3-a: an order allows it, or the switch that lets moves without an order do so.
        let engages = match march.order {
            Order::Attack | Order::Defend => true,
            Order::Maneuver => false,
            Order::None => field.rules.switches.events_engage,
        };
        let blocks = match (guns, engages) {
            (true, _) => ENEMY | NEAR | NEAR_TWO,
            (false, true) => ENEMY,
            (false, false) => ENEMY | NEAR,
        };
        Mover {
            unit,
            blocks,
            sp: field.sp_if(unit, mounted),
            guns,
            stops: guns || mounted,
            engages,
            one: march.one,
            allowance: allowance_if(field, march, mounted),
        }
    }

    /// Whether it may enter a hex with these flags; [`Mover::may_enter`] says why not.
    #[inline]
    fn enters(&self, flags: u8) -> bool {
        flags & self.blocks == 0
    }

    fn may_enter(&self, flags: u8) -> Check {
        forbid(flags & ENEMY != 0, rule!("J-3"), "the enemy holds the hex")?;
        if self.guns {
            return forbid(
                flags & (NEAR | NEAR_TWO) != 0,
                rule!("J-3-a"),
                "artillery keeps three hexes from the enemy",
            );
        }
        forbid(
            flags & NEAR != 0 && !self.engages,
            rule!("J-3-a"),
            "may come next to the enemy only under an Attack or Defend order",
        )
    }
}

/// A unit's allowance in half points; under Defend only the minimum move is left (§H).
#[must_use]
pub fn allowance(field: Field, unit: UnitId, march: March) -> u8 {
    allowance_if(field, march, field.mounted(unit))
}

fn allowance_if(field: Field, march: March, mounted: bool) -> u8 {
    let mounted = usize::from(mounted);
    let points = march.points.unwrap_or(match march.order {
        Order::Attack => field.rules.charts.march.attack[mounted],
        Order::Maneuver => field.rules.charts.march.maneuver[mounted],
        Order::Defend | Order::None => 0,
    });
    2 * points.saturating_sub(march.less)
}

/// Where a unit is in its move.
#[derive(Clone, Copy)]
pub struct Leg<'a> {
    /// Its hex; none if it is off the map.
    pub at: Option<HexId>,
    /// Hexes by which it may come on.
    pub entries: &'a [HexId],
    /// Half points spent.
    pub spent: u8,
    /// Hexes gone, and whether all along a road.
    pub steps: (u8, bool),
}

/// Loads count from one: an empty hex has none.
#[derive(Default)]
struct Scratch {
    search: Search,
    load: Vec<u8>,
    least: Vec<(HexId, Option<HexId>)>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The costs of a mover's steps.
struct Costs<'a> {
    rules: &'a Rules,
    mover: &'a Mover,
    load: &'a [u8],
    /// Where it stands, and what it costs to leave if that is next to the enemy (§J-3-c).
    start: Option<(usize, u8)>,
    /// The hex to which a way is wanted, and whether one on which it is stopped will do.
    goal: Option<(usize, bool)>,
    hexes: usize,
}

impl Costs<'_> {
    /// The node that a step into a hex leads to: woods off the road stop guns and horses.
    #[inline]
    fn node(&self, to: usize, by_road: bool) -> usize {
        if self.mover.stops && self.rules.ground.woods[to] && !by_road {
            to + self.hexes
        } else {
            to
        }
    }

    /// Whether a road into a hex can be used: ten strength points at most, or nobody else (§J-1-e).
    #[inline]
    fn usable(&self, to: usize) -> bool {
        on_road(self.rules, self.mover, self.load[to])
    }
}

impl Ways for Costs<'_> {
    #[inline]
    fn reached(&mut self, node: usize, _: u16, marks: u16) -> Then {
        let begins = self.start.is_some_and(|(start, _)| start == node);
        let there = |(hex, stopped)| node == hex || stopped && node == hex + self.hexes;
        if self.goal.is_some_and(there) {
            return Then::End;
        }
        if node >= self.hexes || (marks & ENGAGED != 0 && !begins) {
            Then::StopHere
        } else {
            Then::GoOn
        }
    }

    #[inline]
    fn steps(&self, node: usize, _: u16, steps: &mut impl Steps) {
        let leaving = match self.start {
            Some((start, leaving)) if start == node => u16::from(leaving),
            _ => 0,
        };
        let ground = &self.rules.ground;
        let (edges, beyond) = (&ground.edges[node], &ground.ahead[node]);
        for direction in steps.ahead().places() {
            let edge = &edges[direction];
            let Some(to) = edge.to else { continue };
            let (to, cost, road) = (to.index(), u16::from(edge.cost), u16::from(edge.road));
            // Who is stopped by woods may come to a hex in two ways: all are looked at.
            if self.mover.stops {
                let by_road = road > 0 && self.usable(to);
                let price = if by_road { road } else { cost };
                steps.step(self.node(to, by_road), |_| price + leaving);
            } else {
                let price = |marks: u16| {
                    if road > 0 && marks & CROWDED == 0 {
                        road
                    } else {
                        cost
                    }
                };
                steps.step_on(to, beyond[direction], |marks| price(marks) + leaving);
            }
        }
    }
}

/// What a search found.
pub struct Found<'a> {
    field: Field<'a>,
    mover: &'a Mover,
    start: Option<HexId>,
    scratch: &'a Scratch,
}

/// A way that was found.
pub struct Way {
    /// Its hexes, the start excluded.
    pub path: Vec<HexId>,
    /// What it costs in half points, or [`LEAST`].
    pub cost: u8,
    /// It ends in woods that stop the unit (§J-1-b).
    pub halts: bool,
}

impl Found<'_> {
    fn hexes(&self) -> usize {
        self.field.rules.ground.edges.len()
    }

    /// The node by which a hex is reached for the least; of equals the one from which the unit goes on.
    fn node(&self, hex: HexId) -> Option<(usize, u16)> {
        let (on, stop) = (hex.index(), hex.index() + self.hexes());
        let on = self.scratch.search.cost(on).map(|cost| (on, cost));
        let stop = || self.scratch.search.cost(stop).map(|cost| (stop, cost));
        match (on, self.mover.stops.then(stop).flatten()) {
            (Some(on), Some(stop)) if stop.1 < on.1 => Some(stop),
            (on, stop) => on.or(stop),
        }
    }

    /// The hexes in which the unit may end, in order.
    #[must_use]
    pub fn ends(&self) -> HexSet {
        let mut ends = HexSet::default();
        ends.clear(self.hexes());
        self.each(|hex| ends.insert(hex));
        ends
    }

    /// Calls `each` with every hex in which the unit may end, each once.
    fn each(&self, mut each: impl FnMut(HexId)) {
        let (hexes, search) = (self.hexes(), &self.scratch.search);
        for node in search.nodes(0..=u16::from(u8::MAX)) {
            let hex = HexId((node % hexes) as u16);
            let twice = node >= hexes && search.cost(node - hexes).is_some();
            if !twice && Some(hex) != self.start && self.has_room(hex) {
                each(hex);
            }
        }
        for &(hex, _) in &self.scratch.least {
            if self.has_room(hex) {
                each(hex);
            }
        }
    }

    /// Whether the unit may end in a hex as far as stacking goes.
    #[must_use]
    pub fn has_room(&self, hex: HexId) -> bool {
        let load = self.scratch.load[hex.index()];
        load == 0 || i16::from(load - 1) + self.mover.sp <= self.field.room(hex)
    }

    /// The half points at which a hex is reached, or [`LEAST`], or [`FAR`].
    #[must_use]
    pub fn cost(&self, hex: HexId) -> u8 {
        match self.node(hex) {
            Some((_, cost)) => cost as u8,
            None if self.scratch.least.iter().any(|&(to, _)| to == hex) => LEAST,
            None => FAR,
        }
    }

    /// Whether a unit that gets there could go on.
    #[must_use]
    pub fn goes_on(&self, hex: HexId, allowance: u8) -> bool {
        let search = &self.scratch.search;
        let cost = search.cost(hex.index());
        search.marks(hex.index()) & ENGAGED == 0
            && cost.is_some_and(|cost| cost < u16::from(allowance))
    }

    /// Whether there is any hex in which the unit may end.
    #[must_use]
    pub fn any(&self) -> bool {
        let mut any = false;
        self.each(|_| any = true);
        any
    }

    /// The way to the hex that was looked for.
    fn way(&self, to: HexId, ends: bool) -> Way {
        let (search, hexes) = (&self.scratch.search, self.hexes());
        let found = if ends {
            self.node(to)
        } else {
            search.cost(to.index()).map(|cost| (to.index(), cost))
        };
        let Some((node, cost)) = found else {
            return self.least_way(to);
        };
        let way = search.way(node).into_iter();
        let path = way.map(|node| HexId((node % hexes) as u16));
        Way {
            path: path.filter(|&hex| Some(hex) != self.start).collect(),
            cost: cost as u8,
            halts: node >= hexes,
        }
    }

    /// The minimum move: a hex, or two along a road.
    fn least_way(&self, to: HexId) -> Way {
        let mut found = self.scratch.least.iter();
        let before = found.find(|&&(hex, _)| hex == to);
        let before = before.and_then(|&(_, before)| before);
        let rules = self.field.rules;
        let road = match before.or(self.start) {
            None => rules.ground.entry[to.index()].0 > 0,
            Some(from) => rules.edge(from, to).is_some_and(|edge| edge.road > 0),
        };
        let by_road = road && on_road(rules, self.mover, self.scratch.load[to.index()]);
        Way {
            path: before.into_iter().chain([to]).collect(),
            cost: LEAST,
            halts: self.mover.stops && rules.ground.woods[to.index()] && !by_road,
        }
    }
}

/// Finds every hex that a mover reaches on this leg.
pub fn reach<R>(field: Field, mover: &Mover, leg: Leg, then: impl FnOnce(&Found) -> R) -> R {
    search(field, mover, leg, None, then)
}

/// Finds the way to a hex: the cheapest if the move ends there, else the cheapest by which it can go on.
pub fn way(field: Field, mover: &Mover, leg: Leg, to: HexId, ends: bool) -> Way {
    let found = |found: &Found| found.way(to, ends);
    search(field, mover, leg, Some((to.index(), ends)), found)
}

fn search<R>(
    field: Field,
    mover: &Mover,
    leg: Leg,
    goal: Option<(usize, bool)>,
    then: impl FnOnce(&Found) -> R,
) -> R {
    SCRATCH.with_borrow_mut(|scratch| {
        let left = mover.allowance.saturating_sub(leg.spent);
        prepare(field, mover, leg, left, scratch);
        let near = |hex: HexId| scratch.search.marks(hex.index()) & ENGAGED != 0;
        // §J-3-c: leaving a hex next to the enemy; artillery cannot.
        let stuck = leg.at.is_some_and(|hex| mover.guns && near(hex));
        let leaving = leg.at.is_some_and(near);
        let leaving = if leaving {
            field.rules.charts.march.disengage
        } else {
            0
        };
        if !stuck {
            let Scratch { search, load, .. } = scratch;
            let mut costs = Costs {
                rules: field.rules,
                mover,
                load,
                start: leg.at.map(|hex| (hex.index(), leaving)),
                goal,
                hexes: field.rules.ground.edges.len(),
            };
            begin(field, leg, &costs, search);
            match goal {
                _ if mover.one => {}
                Some(_) => search.run_with_ways(&mut costs),
                None => search.run(&mut costs),
            }
            least(field, mover, leg, scratch);
        }
        let start = leg.at;
        then(&Found {
            field,
            mover,
            start,
            scratch,
        })
    })
}

/// Writes down who stands where: enemies bar a hex and mark those around it, friends fill theirs. Those who are too far off
/// to be met are left out.
fn prepare(field: Field, mover: &Mover, leg: Leg, left: u8, s: &mut Scratch) {
    let (rules, hexes) = (field.rules, field.rules.ground.edges.len());
    // A second node for each hex, where woods stop the unit.
    let nodes = if mover.stops { 2 * hexes } else { hexes };
    s.search.begin(nodes, u16::from(left));
    s.load.clear();
    s.load.resize(hexes, 0);
    s.least.clear();
    let side = field.card(mover.unit).side;
    // Two hexes are gone in any case (§J-1-g).
    let gets = left.checked_div(rules.ground.cheapest);
    let gets = u32::from(gets.unwrap_or(u8::MAX).max(2));
    let meets = |hex: HexId, beside: u32| {
        leg.at
            .is_none_or(|at| u32::from(rules.distance(at, hex)) <= gets + beside)
    };
    for (unit, hex) in field.on_map(side) {
        if unit != mover.unit && meets(hex, 0) {
            let load = &mut s.load[hex.index()];
            *load = (*load).max(1).saturating_add(field.sp(unit) as u8);
            if !on_road(rules, mover, *load) {
                s.search.mark(hex.index(), CROWDED);
            }
        }
    }
    let stacks = field.t.stacks();
    for (unit, hex) in field.on_map(side.other()) {
        // The first of a stack stands for its hex. What is two hexes from it may still be closed.
        if stacks.first(hex) != Some(unit) || !meets(hex, 2) {
            continue;
        }
        close(&mut s.search, hex, hexes, mover);
        if !field.threat(side, hex) {
            continue;
        }
        for next in rules.around(hex) {
            // What lies around it was closed with the enemy before.
            if s.search.marks(next.index()) & ENGAGED != 0 {
                continue;
            }
            s.search.mark(next.index(), ENGAGED);
            if mover.blocks & NEAR != 0 {
                close(&mut s.search, next, hexes, mover);
            }
            if mover.guns {
                let far = rules.around(next);
                far.for_each(|far| close(&mut s.search, far, hexes, mover));
            }
        }
    }
}

/// Keeps the unit out of a hex.
#[inline]
fn close(search: &mut Search, hex: HexId, hexes: usize, mover: &Mover) {
    search.mark(hex.index(), CLOSED);
    search.bar(hex.index());
    if mover.stops {
        search.bar(hex.index() + hexes);
    }
}

/// Begins where the unit stands, or at the hexes by which it may come on (§J-3-e).
fn begin(field: Field, leg: Leg, costs: &Costs, search: &mut Search) {
    if let Some(hex) = leg.at {
        return search.start_at(hex.index());
    }
    for &hex in leg.entries {
        let at = hex.index();
        let (road, ground) = field.rules.ground.entry[at];
        let by_road = road > 0 && costs.usable(at);
        let price = match (field.rules.switches.entry_is_free, by_road) {
            (true, _) => 0,
            (false, true) => road,
            (false, false) => ground,
        };
        search.start(costs.node(at, by_road), u16::from(price));
    }
}

/// Whether a road into a hex with this load can be used: ten strength points at most, or nobody else (§J-1-e).
#[inline]
fn on_road(rules: &Rules, mover: &Mover, load: u8) -> bool {
    load == 0 || i16::from(load - 1) + mover.sp <= rules.charts.stacking.road
}

/// §J-1-g: one hex in any case, or two along a road. For whoever comes onto the map the entry is the first of
/// them (§J-3-e).
fn least(field: Field, mover: &Mover, leg: Leg, s: &mut Scratch) {
    let Some(hex) = leg.at else {
        for &hex in leg.entries {
            offer(field, mover, s, hex, None);
            if field.rules.ground.entry[hex.index()].0 > 0 {
                offer_road(field, mover, s, hex, None);
            }
        }
        return;
    };
    let second = leg.steps == (1, true) && !mover.one;
    if leg.steps.0 > 0 && !second {
        return;
    }
    let edges = &field.rules.ground.edges[hex.index()];
    let next = |edge: &Edge| edge.to.filter(|_| !second || edge.road > 0);
    for to in edges.iter().filter_map(next) {
        offer(field, mover, s, to, None);
    }
    if leg.steps.0 == 0 {
        for to in edges.iter().filter(|edge| edge.road > 0).filter_map(next) {
            offer_road(field, mover, s, to, Some(hex));
        }
    }
}

fn closed(s: &Scratch, hex: HexId) -> bool {
    s.search.marks(hex.index()) & CLOSED != 0
}

/// Offers a hex that the minimum move reaches, by way of another or not, if points do not.
fn offer(field: Field, mover: &Mover, s: &mut Scratch, to: HexId, before: Option<HexId>) {
    let hexes = field.rules.ground.edges.len();
    let reached = s.search.cost(to.index()).is_some()
        || (mover.stops && s.search.cost(to.index() + hexes).is_some());
    let known = || s.least.iter().any(|&(hex, _)| hex == to);
    if !reached && !closed(s, to) && !known() {
        s.least.push((to, before));
    }
}

/// Offers the hexes to which the road goes on from the first hex of a minimum move, if nothing stops it there.
fn offer_road(field: Field, mover: &Mover, s: &mut Scratch, at: HexId, start: Option<HexId>) {
    let near = s.search.marks(at.index()) & ENGAGED != 0;
    if near || mover.one || closed(s, at) {
        return;
    }
    for next in &field.rules.ground.edges[at.index()] {
        if let Some(to) = next.to.filter(|&to| next.road > 0 && Some(to) != start) {
            offer(field, mover, s, to, Some(at));
        }
    }
}

fn flags_of(field: Field, mover: &Mover, hex: HexId) -> u8 {
    let side = field.card(mover.unit).side;
    let mut flags = 0;
    if field.holder(hex) == Some(side.other()) {
        flags |= ENEMY;
    }
    if mover.blocks & NEAR != 0 && field.engaged(side, hex) {
        flags |= NEAR;
    }
    if mover.guns
        && field
            .rules
            .around(hex)
            .any(|next| field.engaged(side, next))
    {
        flags |= NEAR_TWO;
    }
    flags
}

/// Whether a unit could enter and stay in one of these hexes, without a search.
#[must_use]
pub fn enters_any(field: Field, mover: &Mover, mut hexes: impl Iterator<Item = HexId>) -> bool {
    hexes.any(|hex| mover.enters(flags_of(field, mover, hex)) && field.fits(mover.unit, hex))
}

/// Why a unit may not enter a hex.
pub fn why_not_enter(field: Field, mover: &Mover, hex: HexId) -> Check {
    mover.may_enter(flags_of(field, mover, hex))?;
    forbid(
        !field.fits(mover.unit, hex),
        rule!("J-2"),
        "there is no room in the hex",
    )
}
