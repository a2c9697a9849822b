//! Where a unit can go: a search over half movement points, the hot loop of the ruleset.
//!
//! Who stands where is written into one byte per hex first, so that the search itself reads nothing
//! but flat arrays. The scratch memory is kept per thread; it is no part of the state.

use crate::field::{enemies_near, on_map, ratings, rules, unit_in};
use crate::rules::{Edge, Kind, Rules};
use crate::state::Status;
use cupola_kernel::{Check, HexId, Side, Table, UnitId, forbid, require, rule};
use std::cell::RefCell;

/// Not reached.
const FAR: u8 = u8::MAX;
/// A unit of either side is in the hex.
const HELD: u8 = 1;
/// That unit is an enemy.
const ENEMY: u8 = 2;
/// An enemy unit is next to the hex.
const NEAR: u8 = 4;
/// An enemy unit that pins is next to the hex.
const PIN: u8 = 8;

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
        Mover { side: card.side, night: t.is_night(), routed, desperate: false, leader: card.kind == Kind::Leader }
    }

    /// Whether it may enter a hex with these flags. The search and the explanation use this alone.
    fn may_enter(&self, flags: u8, nearer_home: bool) -> Check {
        if self.leader {
            return forbid(flags & ENEMY != 0, rule!("9.1"), "the hex holds an enemy unit");
        }
        forbid(flags & HELD != 0, rule!("5.2"), "the hex holds a unit")?;
        let near = flags & NEAR != 0;
        forbid(self.night && near, rule!("8.1"), "at night no unit may enter a hex next to the enemy")?;
        if self.routed {
            forbid(near, rule!("7.12"), "a routed unit may not come next to the enemy")?;
            require(nearer_home || self.desperate, rule!("7.12"), "a routed unit moves towards its communications")?;
        }
        Ok(())
    }

    /// What it costs to go through a hexside, in half points (§5.3): a road helps nobody next to the
    /// enemy but leaders, who ignore terrain (§9.1).
    fn cost(&self, edge: &Edge, flags: u8) -> u8 {
        if edge.road && (self.leader || flags & NEAR == 0) {
            1
        } else if self.leader {
            2
        } else {
            edge.cost
        }
    }
}

/// Why a unit may not enter a hex from another, if it may not.
pub fn why_not_enter(t: &Table, mover: &Mover, from: HexId, hex: HexId) -> Check {
    let home = &rules(t).home[mover.side];
    let mut flags = 0;
    if let Some(unit) = unit_in(t, hex) {
        flags |= if rules(t).card(unit).side == mover.side { HELD } else { HELD | ENEMY };
    }
    if enemies_near(t, mover.side, hex).next().is_some() {
        flags |= NEAR;
    }
    mover.may_enter(flags, home[usize::from(hex.0)] < home[usize::from(from.0)])
}

#[derive(Default)]
struct Scratch {
    cost: Vec<u8>,
    flags: Vec<u8>,
    rings: Vec<Vec<HexId>>,
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

/// The hexes that a search found.
pub struct Found<'a> {
    cost: &'a [u8],
    start: Option<HexId>,
}

impl Found<'_> {
    /// The hexes reached for more than `above` and at most `most` half points, in order.
    pub fn between(&self, above: Option<u8>, most: u8) -> impl Iterator<Item = HexId> + '_ {
        let floor = above.map_or(0, |above| above + 1);
        let hexes = self.cost.iter().enumerate().filter(move |&(_, &cost)| floor <= cost && cost <= most);
        hexes.map(|(hex, _)| HexId(hex as u16)).filter(|&hex| Some(hex) != self.start)
    }

    /// Whether anything was reached.
    #[must_use]
    pub fn any(&self) -> bool {
        self.between(None, FAR - 1).next().is_some()
    }
}

/// Finds every hex in which a mover can end within an allowance of half points.
pub fn reach<R>(t: &Table, mover: &Mover, origin: Origin, allowance: u8, then: impl FnOnce(&Found) -> R) -> R {
    SCRATCH.with_borrow_mut(|scratch| {
        let rules = rules(t);
        prepare(t, rules, mover.side, allowance, scratch);
        let start = if let Origin::Hex(hex) = origin { Some(hex) } else { None };
        let Scratch { cost, flags, rings } = scratch;
        match origin {
            Origin::Hex(hex) => {
                cost[usize::from(hex.0)] = 0;
                rings[0].push(hex);
            }
            Origin::Entries(entries) => {
                for &(hex, spent) in entries {
                    let at = usize::from(hex.0);
                    if spent <= allowance && spent < cost[at] && mover.may_enter(flags[at], true).is_ok() {
                        cost[at] = spent;
                        rings[usize::from(spent)].push(hex);
                    }
                }
            }
        }
        for spent in 0..=allowance {
            let mut ring = std::mem::take(&mut rings[usize::from(spent)]);
            for &hex in &ring {
                let at = usize::from(hex.0);
                // §5.4 A unit that comes next to the enemy stops.
                let stops = start != Some(hex) && !mover.leader && flags[at] & PIN != 0;
                if cost[at] == spent && !stops {
                    spread(rules, mover, hex, start == Some(hex), (spent, allowance), cost, flags, rings);
                }
            }
            ring.clear();
            rings[usize::from(spent)] = ring;
        }
        then(&Found { cost, start })
    })
}

/// Writes down who stands where.
fn prepare(t: &Table, rules: &Rules, side: Side, allowance: u8, scratch: &mut Scratch) {
    let hexes = rules.edges.len();
    scratch.cost.clear();
    scratch.cost.resize(hexes, FAR);
    scratch.flags.clear();
    scratch.flags.resize(hexes, 0);
    let rings = scratch.rings.len().max(usize::from(allowance) + 1);
    scratch.rings.resize(rings, vec![]);
    for (_, hex) in on_map(t, side) {
        scratch.flags[usize::from(hex.0)] |= HELD;
    }
    let all_pin = rules.switches.routed_enemies_pin;
    for (enemy, hex) in on_map(t, side.other()) {
        scratch.flags[usize::from(hex.0)] |= HELD | ENEMY;
        let mark = if all_pin || !t.get::<Status>(enemy).routed { NEAR | PIN } else { NEAR };
        for next in rules.around(hex) {
            scratch.flags[usize::from(next.0)] |= mark;
        }
    }
}

/// Reaches on from one hex.
#[allow(clippy::too_many_arguments, reason = "the inner loop of `reach`, split off to be read")]
fn spread(
    rules: &Rules,
    mover: &Mover,
    hex: HexId,
    first: bool,
    (spent, allowance): (u8, u8),
    cost: &mut [u8],
    flags: &[u8],
    rings: &mut [Vec<HexId>],
) {
    let home = &rules.home[mover.side];
    for edge in &rules.edges[usize::from(hex.0)] {
        let Some(to) = edge.to else { continue };
        let at = usize::from(to.0);
        let mut total = spent.saturating_add(mover.cost(edge, flags[at]));
        // §5.1 A unit may always move a single hex.
        if first {
            total = total.min(allowance);
        }
        if total > allowance || total >= cost[at] {
            continue;
        }
        if mover.may_enter(flags[at], home[at] < home[usize::from(hex.0)]).is_ok() {
            cost[at] = total;
            rings[usize::from(total)].push(to);
        }
    }
}

/// A unit's allowance in half points: less 1 point if weary (§5.1), but never nothing.
#[must_use]
pub fn allowance(t: &Table, unit: UnitId) -> u8 {
    let weary = u8::from(t.get::<Status>(unit).weary());
    2 * ratings(t, unit).2.saturating_sub(weary).max(1)
}
