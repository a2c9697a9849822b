//! Where a unit can go: a search over half movement points, the hot loop of the ruleset.
//!
//! Who stands where is written into flat arrays first, so that the search itself reads nothing else. A
//! hex has two costs: that of getting there, and that of getting there able to go on; they differ where
//! woods or the enemy stop a unit. The scratch memory is kept per thread and is no part of the state.

use crate::field::Field;
use crate::rules::{Edge, Kind, Order};
use crate::state::March;
use cupola_kernel::{Check, HexId, UnitId, forbid, rule};
use std::cell::RefCell;

/// Not reached.
pub const FAR: u8 = u8::MAX;
/// Reached by the minimum move alone.
pub const LEAST: u8 = u8::MAX - 1;
const NOWHERE: u16 = u16::MAX;

const ENEMY: u8 = 1;
const NEAR: u8 = 2;
const NEAR_TWO: u8 = 4;

/// A unit about to move.
#[derive(Clone, Copy)]
pub struct Mover {
    unit: UnitId,
    /// Its strength.
    pub sp: i16,
    guns: bool,
    stops: bool,
    engages: bool,
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
        Order::Attack => field.rules.march.attack[mounted],
        Order::Maneuver => field.rules.march.maneuver[mounted],
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

#[derive(Default)]
struct Scratch {
    flags: Vec<u8>,
    load: Vec<u8>,
    any: Vec<u8>,
    on: Vec<u8>,
    /// The hex before, on the cheapest way.
    from: Vec<u16>,
    /// The hex before, on the cheapest way that goes on.
    back: Vec<u16>,
    rings: Vec<Vec<u16>>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// What a search found.
pub struct Found<'a> {
    field: Field<'a>,
    sp: i16,
    start: Option<HexId>,
    any: &'a [u8],
    on: &'a [u8],
    load: &'a [u8],
    from: &'a [u16],
    back: &'a [u16],
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
    /// Calls `each` with every hex in which the unit may end, in order.
    pub fn each(&self, mut each: impl FnMut(HexId)) {
        for (hex, &cost) in self.any.iter().enumerate() {
            if cost == FAR {
                continue;
            }
            let hex = HexId(hex as u16);
            if Some(hex) != self.start && self.has_room(hex) {
                each(hex);
            }
        }
    }

    /// Whether the unit may end in a hex as far as stacking goes.
    #[must_use]
    pub fn has_room(&self, hex: HexId) -> bool {
        let load = self.load[hex.index()];
        load == 0 || i16::from(load - 1) + self.sp <= self.field.room(hex)
    }

    /// The half points at which a hex is reached, or [`LEAST`], or [`FAR`].
    #[must_use]
    pub fn cost(&self, hex: HexId) -> u8 {
        self.any[hex.index()]
    }

    /// Whether a unit that gets there could go on.
    #[must_use]
    pub fn goes_on(&self, hex: HexId, allowance: u8) -> bool {
        self.on[hex.index()] < allowance
    }

    /// Whether there is any hex in which the unit may end.
    #[must_use]
    pub fn any(&self) -> bool {
        let mut any = false;
        self.each(|_| any = true);
        any
    }

    /// The way to a hex: the cheapest if the move ends there, else the cheapest by which it can go on.
    #[must_use]
    pub fn way(&self, mover: &Mover, to: HexId, ends: bool) -> Way {
        let (before, cost) = if ends {
            (self.from[to.index()], self.any[to.index()])
        } else {
            (self.back[to.index()], self.on[to.index()])
        };
        let (mut path, mut at) = (vec![to], before);
        // The minimum move is two hexes at most, whatever way points would have taken to the first.
        let longest = if cost == LEAST { 2 } else { 64 };
        while at != NOWHERE && Some(HexId(at)) != self.start && path.len() < longest {
            path.push(HexId(at));
            at = self.back[usize::from(at)];
        }
        path.reverse();
        let by_road = || {
            let usable = on_road(self.field, mover, self.load[to.index()]);
            let edge = || self.field.rules.edge(HexId(before), to);
            let road = match before {
                NOWHERE => self.field.rules.entry[to.index()].0 > 0,
                _ => edge().is_some_and(|edge| edge.road > 0),
            };
            road && usable
        };
        let halts = mover.stops && self.field.rules.woods[to.index()] && !by_road();
        Way { path, cost, halts }
    }
}

/// Finds every hex that a mover reaches on this leg.
pub fn reach<R>(field: Field, mover: &Mover, leg: Leg, then: impl FnOnce(&Found) -> R) -> R {
    SCRATCH.with_borrow_mut(|scratch| {
        prepare(field, mover, scratch);
        search(field, mover, leg, scratch);
        let Scratch {
            any,
            on,
            load,
            from,
            back,
            ..
        } = scratch;
        then(&Found {
            field,
            sp: mover.sp,
            start: leg.at,
            any,
            on,
            load,
            from,
            back,
        })
    })
}

/// Writes down who stands where. Loads count from one: an empty hex has none.
fn prepare(field: Field, mover: &Mover, scratch: &mut Scratch) {
    let hexes = field.rules.edges.len();
    for array in [&mut scratch.flags, &mut scratch.load] {
        array.clear();
        array.resize(hexes, 0);
    }
    for array in [&mut scratch.any, &mut scratch.on] {
        array.clear();
        array.resize(hexes, FAR);
    }
    for array in [&mut scratch.from, &mut scratch.back] {
        array.clear();
        array.resize(hexes, NOWHERE);
    }
    let side = field.card(mover.unit).side;
    for (unit, hex) in field.on_map(side) {
        if unit != mover.unit {
            let load = &mut scratch.load[hex.index()];
            *load = (*load).max(1).saturating_add(field.sp(unit) as u8);
        }
    }
    for (unit, hex) in field.on_map(side.other()) {
        scratch.flags[hex.index()] |= ENEMY;
        if field.status(unit).frozen {
            continue;
        }
        for next in field.rules.around(hex) {
            let marked = scratch.flags[next.index()] & NEAR != 0;
            scratch.flags[next.index()] |= NEAR;
            if mover.guns && !marked {
                field
                    .rules
                    .around(next)
                    .for_each(|far| scratch.flags[far.index()] |= NEAR_TWO);
            }
        }
    }
}

fn search(field: Field, mover: &Mover, leg: Leg, s: &mut Scratch) {
    let left = mover.allowance.saturating_sub(leg.spent);
    let wanted = usize::from(left) + 1;
    if s.rings.len() < wanted {
        s.rings.resize(wanted, vec![]);
    }
    match leg.at {
        Some(hex) => {
            (s.on[hex.index()], s.any[hex.index()]) = (0, 0);
            s.rings[0].push(hex.0);
        }
        None => enter(field, mover, leg, left, s),
    }
    if !mover.one {
        for spent in 0..=left {
            let mut ring = std::mem::take(&mut s.rings[usize::from(spent)]);
            for &hex in &ring {
                if s.on[usize::from(hex)] == spent {
                    spread(field, mover, HexId(hex), spent, left, s);
                }
            }
            ring.clear();
            s.rings[usize::from(spent)] = ring;
        }
    } else {
        s.rings[0].clear();
    }
    match leg.at {
        Some(hex) => least(field, mover, hex, leg.steps, s),
        None => least_in(field, mover, leg.entries, s),
    }
}

/// Comes onto the map (§J-3-e).
fn enter(field: Field, mover: &Mover, leg: Leg, left: u8, s: &mut Scratch) {
    for &hex in leg.entries {
        let at = hex.index();
        if !mover.enters(s.flags[at]) {
            continue;
        }
        let (road, ground) = field.rules.entry[at];
        let by_road = road > 0 && on_road(field, mover, s.load[at]);
        let price = match (field.rules.switches.entry_is_free, by_road) {
            (true, _) => 0,
            (false, true) => road,
            (false, false) => ground,
        };
        // The first hex is always open to it (§J-1-g).
        if price > left {
            s.any[at] = s.any[at].min(LEAST);
            continue;
        }
        let halts = mover.one
            || s.flags[at] & NEAR != 0
            || (mover.stops && field.rules.woods[at] && !by_road);
        s.any[at] = s.any[at].min(price);
        if !halts && price < s.on[at] {
            s.on[at] = price;
            s.rings[usize::from(price)].push(hex.0);
        }
    }
}

/// Whether a road into a hex with this load can be used: ten strength points at most, or nobody else (§J-1-e).
fn on_road(field: Field, mover: &Mover, load: u8) -> bool {
    load == 0 || i16::from(load - 1) + mover.sp <= field.rules.stacking.road
}

/// What a hexside costs, and whether it is taken by road.
fn price(field: Field, mover: &Mover, edge: &Edge, load: u8) -> (u8, bool) {
    if edge.road > 0 && on_road(field, mover, load) {
        (edge.road, true)
    } else {
        (edge.cost, false)
    }
}

fn spread(field: Field, mover: &Mover, hex: HexId, spent: u8, left: u8, s: &mut Scratch) {
    // §J-3-c: leaving a hex next to the enemy; artillery cannot.
    let near = s.flags[hex.index()] & NEAR != 0;
    if near && mover.guns {
        return;
    }
    let leaving = if near { field.rules.march.disengage } else { 0 };
    for edge in &field.rules.edges[hex.index()] {
        let Some(to) = edge.to else { continue };
        let at = to.index();
        let (price, by_road) = price(field, mover, edge, s.load[at]);
        let total = spent + price + leaving;
        if total > left || total >= s.on[at] || !mover.enters(s.flags[at]) {
            continue;
        }
        let halts = s.flags[at] & NEAR != 0 || (mover.stops && field.rules.woods[at] && !by_road);
        // Of ways that cost the same, the one that goes on.
        if total < s.any[at] || (total == s.any[at] && !halts) {
            s.any[at] = total;
            s.from[at] = hex.0;
        }
        if !halts {
            s.on[at] = total;
            s.back[at] = hex.0;
            s.rings[usize::from(total)].push(to.0);
        }
    }
}

/// Offers a hex that the minimum move reaches, from the hex before it.
fn offer(mover: &Mover, s: &mut Scratch, to: HexId, from: HexId) {
    if mover.enters(s.flags[to.index()]) && s.any[to.index()] == FAR {
        s.any[to.index()] = LEAST;
        s.from[to.index()] = from.0;
    }
}

/// Offers the hexes to which the road goes on from a hex that the minimum move has reached, if nothing stops it
/// there.
fn offer_road(field: Field, mover: &Mover, s: &mut Scratch, at: HexId, start: Option<HexId>) {
    let open = s.flags[at.index()] & (NEAR | ENEMY) == 0 && mover.enters(s.flags[at.index()]);
    if !open || mover.one {
        return;
    }
    let on = field.rules.edges[at.index()]
        .iter()
        .filter(|next| next.road > 0);
    on.filter_map(|next| next.to)
        .filter(|&next| Some(next) != start)
        .for_each(|next| offer(mover, s, next, at));
}

/// §J-1-g: one hex in any case, or two along a road.
fn least(field: Field, mover: &Mover, hex: HexId, steps: (u8, bool), s: &mut Scratch) {
    if s.flags[hex.index()] & NEAR != 0 && mover.guns {
        return;
    }
    let second = steps == (1, true) && !mover.one;
    if steps.0 > 0 && !second {
        return;
    }
    for edge in &field.rules.edges[hex.index()] {
        let Some(to) = edge.to else { continue };
        if second && edge.road == 0 {
            continue;
        }
        offer(mover, s, to, hex);
        if steps.0 == 0 && edge.road > 0 {
            offer_road(field, mover, s, to, Some(hex));
        }
    }
}

/// §J-1-g for whoever comes onto the map: the entry hex is the first of the two along a road (§J-3-e).
fn least_in(field: Field, mover: &Mover, entries: &[HexId], s: &mut Scratch) {
    for &hex in entries {
        if field.rules.entry[hex.index()].0 > 0 {
            offer_road(field, mover, s, hex, None);
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
