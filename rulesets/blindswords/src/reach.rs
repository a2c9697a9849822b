//! Where a unit can go: the common search over half movement points, with this ruleset's costs.
//!
//! What each hex is to the mover's side is written on the search first. Guns and horses have two
//! nodes a hex: one from which they go on, and one where woods have stopped them (§J-1-b). What was found last is kept
//! per thread, since whoever looks where a unit can go then goes there; it is no part of the state.

use crate::field::Field;
use crate::ground;
use crate::rules::{Edge, Kind, Order, Rules};
use crate::situation::{ENEMY, NEAR, NEAR_TWO, Situation, look};
use crate::state::March;
use cupola_kernel::{Check, Edition, HexId, Side, UnitId, forbid, rule};
use cupola_kit::{HexSet, Search, Steps, Then, Ways};
use std::cell::RefCell;

/// Not reached.
pub const FAR: u8 = u8::MAX;
/// Reached by the minimum move alone.
pub const LEAST: u8 = u8::MAX - 1;

/// A unit about to move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Mover {
    unit: UnitId,
    side: Side,
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
            side: field.card(unit).side,
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

/// For what something was found: units, mover, where he is and what he has spent and gone.
type Asked = (Edition, Mover, Option<HexId>, u8, (u8, bool));

#[derive(Default)]
struct Scratch {
    asked: Option<Asked>,
    /// The hexes by which the mover might have come on.
    entries: Vec<HexId>,
    search: Search,
    /// Hexes that the minimum move alone reaches, each with the one before it.
    least: Vec<(HexId, Option<HexId>)>,
    /// Where the mover may end.
    ends: HexSet,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The costs of a mover's steps.
struct Costs<'a> {
    field: Field<'a>,
    mover: &'a Mover,
    situation: &'a Situation,
    steps: &'a ground::Steps,
    /// Where it stands, and what it costs to leave if that is next to the enemy (§J-3-c).
    start: Option<(usize, u16)>,
    /// What it may spend.
    left: u16,
    ends: &'a mut HexSet,
}

impl Costs<'_> {
    fn hexes(&self) -> usize {
        self.field.rules.ground.edges.len()
    }

    /// Notes that the mover gets to a hex: it may end there if there is room (§J-2).
    #[inline]
    fn gets_to(&mut self, hex: HexId) {
        if has_room(self.field, self.situation, self.mover, hex) {
            self.ends.insert(hex);
        }
    }
}

impl Ways for Costs<'_> {
    #[inline]
    fn reached(&mut self, node: usize, spent: u16, marks: u16) -> Then {
        let hexes = self.hexes();
        let stopped = node >= hexes;
        let hex = if stopped { node - hexes } else { node };
        let leaving = match self.start {
            Some((start, leaving)) if start == node => leaving,
            start => {
                // Who comes back to where it stood has not gone anywhere.
                if start.is_none_or(|(start, _)| start != hex) {
                    self.gets_to(HexId(hex as u16));
                }
                if stopped || marks & u16::from(NEAR) != 0 {
                    return Then::StopHere;
                }
                0
            }
        };
        // Out of a hex from which not even the cheapest step can be paid it does not go on.
        if spent + leaving + u16::from(self.steps.cheapest[hex]) > self.left {
            Then::StopHere
        } else {
            Then::GoOn
        }
    }

    #[inline]
    fn steps(&self, node: usize, _: u16, steps: &mut impl Steps) {
        let leaving = match self.start {
            Some((start, leaving)) if start == node => leaving,
            _ => 0,
        };
        let strides = &self.steps.all[node];
        for direction in steps.ahead().places() {
            let stride = &strides[direction];
            let by_road = stride.road > 0
                && on_road(
                    self.field.rules,
                    self.situation,
                    self.mover,
                    HexId(stride.to),
                );
            let (landing, price) = if by_road {
                (stride.landings[0], stride.road)
            } else {
                (stride.landings[1], stride.cost)
            };
            steps.step_to(landing, |_| u16::from(price) + leaving);
        }
    }
}

/// What a search found.
pub struct Found<'a> {
    rules: &'a Rules,
    mover: &'a Mover,
    situation: &'a Situation,
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
        self.rules.ground.edges.len()
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
    pub fn ends(&self) -> &HexSet {
        &self.scratch.ends
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
        search.marks(hex.index()) & u16::from(NEAR) == 0
            && cost.is_some_and(|cost| cost < u16::from(allowance))
    }

    /// The way to a hex: the cheapest if the move ends there, else the cheapest by which it can go on.
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
        let rules = self.rules;
        let road = match before.or(self.start) {
            None => rules.ground.entry[to.index()].0 > 0,
            Some(from) => rules.edge(from, to).is_some_and(|edge| edge.road > 0),
        };
        let by_road = road && on_road(rules, self.situation, self.mover, to);
        Way {
            path: before.into_iter().chain([to]).collect(),
            cost: LEAST,
            halts: self.mover.stops && rules.ground.woods[to.index()] && !by_road,
        }
    }
}

/// Finds every hex that a mover reaches on this leg.
pub fn reach<R>(field: Field, mover: &Mover, leg: Leg, then: impl FnOnce(&Found) -> R) -> R {
    let Leg {
        at, spent, steps, ..
    } = leg;
    let asked = Some((field.t.edition(), *mover, at, spent, steps));
    SCRATCH.with_borrow_mut(|scratch| {
        look(field, |situation| {
            if scratch.asked != asked || scratch.entries != leg.entries {
                // Nothing is known until all is found.
                scratch.asked = None;
                scratch.entries.clear();
                scratch.entries.extend_from_slice(leg.entries);
                find(field, situation, mover, leg, scratch);
                scratch.asked = asked;
            }
            then(&Found {
                rules: field.rules,
                mover,
                situation,
                start: at,
                scratch,
            })
        })
    })
}

/// Finds the way to a hex: the cheapest if the move ends there, else the cheapest by which it can go on.
pub fn way(field: Field, mover: &Mover, leg: Leg, to: HexId, ends: bool) -> Way {
    reach(field, mover, leg, |found| found.way(to, ends))
}

/// Searches anew.
fn find(field: Field, situation: &Situation, mover: &Mover, leg: Leg, s: &mut Scratch) {
    let Scratch {
        search,
        ends,
        least,
        ..
    } = s;
    let rules = field.rules;
    let left = u16::from(mover.allowance.saturating_sub(leg.spent));
    let flags = situation.flags(mover.side);
    // A second node for each hex, where woods stop the unit.
    let again = if mover.stops { flags } else { &[] };
    let marks = flags.iter().chain(again).copied();
    search.begin_marked(marks, mover.blocks, left);
    ends.clear(flags.len());
    least.clear();
    // §J-3-c: leaving a hex next to the enemy; artillery cannot.
    let near = leg.at.is_some_and(|hex| flags[hex.index()] & NEAR != 0);
    if near && mover.guns {
        return;
    }
    let leaving = if near {
        rules.charts.march.disengage
    } else {
        0
    };
    let mut costs = Costs {
        field,
        mover,
        situation,
        steps: if mover.stops {
            &rules.ground.heavy
        } else {
            &rules.ground.foot
        },
        start: leg.at.map(|hex| (hex.index(), u16::from(leaving))),
        left,
        ends,
    };
    begin(leg, &mut costs, search);
    if !mover.one {
        search.run_with_ways(&mut costs);
    }
    Minimum {
        rules,
        mover,
        situation,
        search,
        least,
    }
    .offer_all(leg);
    for &(hex, _) in &*least {
        costs.gets_to(hex);
    }
}

/// Begins where the unit stands, or at the hexes by which it may come on (§J-3-e).
fn begin(leg: Leg, costs: &mut Costs, search: &mut Search) {
    if let Some(hex) = leg.at {
        return search.start_at(hex.index());
    }
    let (rules, hexes) = (costs.field.rules, costs.hexes());
    for &hex in leg.entries {
        let at = hex.index();
        let (road, ground) = rules.ground.entry[at];
        let by_road = road > 0 && on_road(rules, costs.situation, costs.mover, hex);
        let price = match (rules.switches.entry_is_free, by_road) {
            (true, _) => 0,
            (false, true) => road,
            (false, false) => ground,
        };
        let stopped = costs.mover.stops && rules.ground.woods[at] && !by_road;
        let node = at + if stopped { hexes } else { 0 };
        search.start(node, u16::from(price));
        // Who moves a single hex goes no farther than that.
        if costs.mover.one && search.cost(node).is_some() {
            costs.gets_to(hex);
        }
    }
}

/// Whether a road into a hex can be used: ten strength points at most, or nobody else (§J-1-e).
#[inline]
fn on_road(rules: &Rules, situation: &Situation, mover: &Mover, to: HexId) -> bool {
    situation.fits(mover.side, to, mover.sp, rules.charts.stacking.road)
}

/// Whether a mover may end in a hex as far as stacking goes.
#[inline]
fn has_room(field: Field, situation: &Situation, mover: &Mover, hex: HexId) -> bool {
    situation.fits(mover.side, hex, mover.sp, field.room(hex))
}

/// §J-1-g: one hex in any case, or two along a road.
struct Minimum<'a> {
    rules: &'a Rules,
    mover: &'a Mover,
    situation: &'a Situation,
    search: &'a Search,
    least: &'a mut Vec<(HexId, Option<HexId>)>,
}

impl Minimum<'_> {
    /// For whoever comes onto the map the entry is the first of them (§J-3-e).
    fn offer_all(&mut self, leg: Leg) {
        let Some(hex) = leg.at else {
            for &hex in leg.entries {
                self.offer(hex, None);
                if self.rules.ground.entry[hex.index()].0 > 0 {
                    self.offer_road(hex, None);
                }
            }
            return;
        };
        let second = leg.steps == (1, true) && !self.mover.one;
        if leg.steps.0 > 0 && !second {
            return;
        }
        let edges = &self.rules.ground.edges[hex.index()];
        let next = |edge: &Edge| edge.to.filter(|_| !second || edge.road > 0);
        for to in edges.iter().filter_map(next) {
            self.offer(to, None);
        }
        if leg.steps.0 == 0 {
            for to in edges.iter().filter(|edge| edge.road > 0).filter_map(next) {
                self.offer_road(to, Some(hex));
            }
        }
    }

    fn flags(&self, hex: HexId) -> u8 {
        self.situation.flags(self.mover.side)[hex.index()]
    }

    /// Offers a hex that the minimum move reaches, by way of another or not, if points do not.
    fn offer(&mut self, to: HexId, before: Option<HexId>) {
        let hexes = self.rules.ground.edges.len();
        let reached = self.search.cost(to.index()).is_some()
            || (self.mover.stops && self.search.cost(to.index() + hexes).is_some());
        let known = || self.least.iter().any(|&(hex, _)| hex == to);
        if !reached && self.mover.enters(self.flags(to)) && !known() {
            self.least.push((to, before));
        }
    }

    /// Offers the hexes to which the road goes on from the first hex of a minimum move, if nothing stops it there.
    fn offer_road(&mut self, at: HexId, start: Option<HexId>) {
        let flags = self.flags(at);
        if flags & NEAR != 0 || self.mover.one || !self.mover.enters(flags) {
            return;
        }
        let rules = self.rules;
        for next in &rules.ground.edges[at.index()] {
            if let Some(to) = next.to.filter(|&to| next.road > 0 && Some(to) != start) {
                self.offer(to, Some(at));
            }
        }
    }
}

/// Whether a unit could enter and stay in one of these hexes, without a search.
#[must_use]
pub fn enters_any(field: Field, mover: &Mover, mut hexes: impl Iterator<Item = HexId>) -> bool {
    look(field, |situation| {
        let flags = situation.flags(mover.side);
        hexes.any(|hex| mover.enters(flags[hex.index()]) && has_room(field, situation, mover, hex))
    })
}

/// Why a unit may not enter a hex.
pub fn why_not_enter(field: Field, mover: &Mover, hex: HexId) -> Check {
    mover.may_enter(look(field, |situation| {
        situation.flags(mover.side)[hex.index()]
    }))?;
    forbid(
        !field.fits(mover.unit, hex),
        rule!("J-2"),
        "there is no room in the hex",
    )
}
