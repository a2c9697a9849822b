//! Where a unit can go: a search over half movement points, the hot loop of the ruleset.
//!
//! Who stands where is written into one byte per hex first, beside the cost, so that the search itself
//! reads nothing but flat arrays. The scratch memory is kept per thread; it is no part of the state.

use crate::field::{enemies_near, ratings, rules, unit_in};
use crate::rules::{Kind, Rules};
use crate::state::Status;
use cupola_kernel::{Check, HexId, Side, Table, UnitId, forbid, rule};
use std::cell::RefCell;

/// No limit to what a step may cost.
const FAR: u8 = u8::MAX;
/// In a cell of costs: an enemy is next to the hex, and roads into it do not help.
const ROUGH: u8 = 128;
/// In a cell of costs: an enemy that stops units is next to the hex.
const STOP: u8 = 64;
/// In a cell of costs: the cost.
const COST: u8 = 63;
/// A unit of either side is in the hex.
const HELD: u8 = 1;
/// That unit is an enemy.
const ENEMY: u8 = 2;
/// An enemy unit is next to the hex.
const NEAR: u8 = 4;

/// A unit or leader about to move.
#[derive(Clone, Copy)]
pub struct Mover {
    /// Its side.
    pub side: Side,
    /// It is night (§8.1).
    pub night: bool,
    /// It is routed (§7.12).
    pub routed: bool,
    /// A routed unit next to the enemy with no way towards its communications: it must move away all
    /// the same (§7.12).
    pub desperate: bool,
    /// It is a leader (§9.1).
    pub leader: bool,
}

impl Mover {
    /// This unit, now.
    #[must_use]
    pub fn new(t: &Table, unit: UnitId) -> Mover {
        let card = rules(t).card(unit);
        let routed = t.get::<Status>(unit).routed;
        Mover {
            side: card.side,
            night: t.is_night(),
            routed,
            desperate: false,
            leader: card.kind == Kind::Leader,
        }
    }

    /// The flags that keep it out of a hex. The search and the explanation use this alone.
    fn kept_out_by(&self) -> u8 {
        if self.leader {
            ENEMY
        } else if self.night || self.routed {
            HELD | NEAR
        } else {
            HELD
        }
    }

    /// Whether it must come nearer to its communications with every hex.
    fn goes_home(&self) -> bool {
        self.routed && !self.desperate && !self.leader
    }

    /// Why it is kept out of a hex with these flags.
    fn explain(&self, flags: u8, nearer_home: bool) -> Check {
        let kept_out = flags & self.kept_out_by();
        forbid(
            self.leader && kept_out != 0,
            rule!("9.1"),
            "the hex holds an enemy unit",
        )?;
        forbid(kept_out & HELD != 0, rule!("5.2"), "the hex holds a unit")?;
        forbid(
            kept_out != 0 && self.night,
            rule!("8.1"),
            "at night no unit may enter a hex next to the enemy",
        )?;
        forbid(
            kept_out != 0,
            rule!("7.12"),
            "a routed unit may not come next to the enemy",
        )?;
        let strays = self.goes_home() && !nearer_home;
        forbid(
            strays,
            rule!("7.12"),
            "a routed unit moves towards its communications",
        )
    }
}

/// Why a unit may not enter a hex from another, if it may not.
pub fn why_not_enter(t: &Table, mover: &Mover, from: HexId, hex: HexId) -> Check {
    let home = &rules(t).home[mover.side];
    let mut flags = 0;
    if let Some(unit) = unit_in(t, hex) {
        flags |= if rules(t).card(unit).side == mover.side {
            HELD
        } else {
            HELD | ENEMY
        };
    }
    if enemies_near(t, mover.side, hex).next().is_some() {
        flags |= NEAR;
    }
    mover.explain(flags, home[usize::from(hex.0)] < home[usize::from(from.0)])
}

/// A set of hexes.
#[derive(Clone, Default)]
pub struct HexSet(Vec<u64>);

impl HexSet {
    fn clear(&mut self, hexes: usize) {
        self.0.clear();
        self.0.resize(hexes.div_ceil(64), 0);
    }

    fn insert(&mut self, hex: HexId) {
        self.0[usize::from(hex.0) / 64] |= 1 << (hex.0 % 64);
    }

    /// Takes a hex out; true if it was in.
    fn remove(&mut self, hex: HexId) -> bool {
        let (word, bit) = (&mut self.0[usize::from(hex.0) / 64], 1 << (hex.0 % 64));
        let was = *word & bit != 0;
        *word &= !bit;
        was
    }

    /// Calls `each` with the hexes in order.
    pub fn for_each(&self, mut each: impl FnMut(HexId)) {
        for (i, &word) in self.0.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                each(HexId((64 * i) as u16 + left.trailing_zeros() as u16));
                left &= left - 1;
            }
        }
    }
}

#[derive(Default)]
struct Scratch {
    cost: Vec<u8>,
    rings: Vec<Vec<HexId>>,
    found: [HexSet; 4],
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Where a search begins.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    /// On the map.
    Hex(HexId),
    /// Off the map: hexes by which to come on, each with its cost in half points (§5.6).
    Entries(&'a [(HexId, u8)]),
}

/// Finds every hex in which a mover can end. `allowances` are up to four ways to move, least first, in
/// half points; the sets handed to `then` hold, for each way, the hexes that no lesser way reaches.
pub fn reach<R>(
    t: &Table,
    mover: &Mover,
    origin: Origin,
    allowances: &[u8],
    then: impl FnOnce(&[HexSet]) -> R,
) -> R {
    SCRATCH.with_borrow_mut(|scratch| {
        let rules = rules(t);
        let most = allowances.last().copied().unwrap_or(0);
        prepare(t, rules, mover, most, scratch);
        let Scratch { cost, rings, found } = scratch;
        let mut start = None;
        match origin {
            Origin::Hex(hex) => {
                start = Some(hex);
                cost[usize::from(hex.0)] = 0;
                rings[0].push(hex);
            }
            Origin::Entries(entries) => {
                for &(hex, spent) in entries {
                    let at = usize::from(hex.0);
                    if spent < cost[at] & COST {
                        cost[at] = spent | (cost[at] & !COST);
                        rings[usize::from(spent)].push(hex);
                    }
                }
            }
        }
        let hops = &rules.hops[usize::from(mover.leader)][..];
        let home = mover.goes_home().then_some(&rules.home[mover.side][..]);
        let mut way = 0;
        for spent in 0..=most {
            way += usize::from(spent > allowances[way]);
            let mut ring = std::mem::take(&mut rings[usize::from(spent)]);
            for &hex in &ring {
                let at = usize::from(hex.0);
                if cost[at] & COST != spent {
                    continue;
                }
                if start != Some(hex) {
                    found[way].insert(hex);
                    // §5.4 A unit that comes next to the enemy stops.
                    if !mover.leader && cost[at] & STOP != 0 {
                        continue;
                    }
                }
                // §5.1 A unit may always move a single hex.
                let cap = if start == Some(hex) { most } else { FAR };
                for hop in &hops[at] {
                    let to = usize::from(hop.to);
                    let cell = cost[to];
                    let step = if cell & ROUGH == 0 {
                        hop.smooth
                    } else {
                        hop.rough
                    };
                    let total = (spent + step).min(cap);
                    // Cheaper than before: never beyond the allowance, off the map or where it may not go.
                    if total < cell & COST && home.is_none_or(|home| home[to] < home[at]) {
                        cost[to] = total | (cell & !COST);
                        rings[usize::from(total)].push(HexId(hop.to));
                    }
                }
            }
            ring.clear();
            rings[usize::from(spent)] = ring;
        }
        // §5.1 A single hex is always within the plain allowance.
        if let Some(start) = start {
            for next in rules.around(start) {
                if found[1..].iter_mut().any(|set| set.remove(next)) {
                    found[0].insert(next);
                }
            }
        }
        then(&found[..allowances.len()])
    })
}

/// Writes down who stands where.
fn prepare(t: &Table, rules: &Rules, mover: &Mover, most: u8, scratch: &mut Scratch) {
    let hexes = rules.edges.len();
    scratch.cost.clear();
    // Nothing costs less than nothing: a hex that is barred, or the one beyond the map's edge, is never
    // reached. Nothing is reached for more than the allowance.
    scratch.cost.resize(hexes, most + 1);
    scratch.cost.push(0);
    scratch.found.iter_mut().for_each(|set| set.clear(hexes));
    let rings = scratch.rings.len().max(usize::from(most) + 1);
    scratch.rings.resize(rings, vec![]);
    let (barred, all_stop) = (mover.kept_out_by(), rules.switches.routed_enemies_pin);
    for unit in (0..rules.units).map(UnitId) {
        let Some(hex) = t.hex(unit) else { continue };
        let cell = &mut scratch.cost[usize::from(hex.0)];
        if rules.card(unit).side == mover.side {
            *cell = if barred & HELD == 0 { *cell } else { 0 };
            continue;
        }
        *cell = 0;
        let stops = all_stop || !t.get::<Status>(unit).routed;
        for next in rules.around(hex) {
            let cell = &mut scratch.cost[usize::from(next.0)];
            *cell = if barred & NEAR == 0 {
                *cell | ROUGH | if stops { STOP } else { 0 }
            } else {
                0
            };
        }
    }
}

/// A unit's allowance in half points: less 1 point if weary (§5.1), but never nothing.
#[must_use]
pub fn allowance(t: &Table, unit: UnitId) -> u8 {
    let weary = u8::from(t.get::<Status>(unit).weary());
    2 * ratings(t, unit).2.saturating_sub(weary).max(1)
}
