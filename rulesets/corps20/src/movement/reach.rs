//! Where a unit can go: a search over half movement points, the hot loop of the ruleset.
//!
//! Who stands where is written into one byte per hex first, beside the cost, so that the search itself
//! reads nothing but flat arrays. The scratch memory is kept per thread; it is no part of the state.

use crate::field::{Field, enemies_near, rules, unit_in};
use crate::rules::{Hop, Kind};
use cupola_kernel::{Check, HexId, Side, Table, UnitId, forbid, rule};
use std::cell::RefCell;

/// In a cell of costs: an enemy is next to the hex, and roads into it do not help.
const ROUGH: u8 = 128; // the sign bit: see `Scratch::hop`
/// In a cell of costs: an enemy that stops units is next to the hex. Leaders ride on, but may not end
/// there (§9.1).
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
    /// The line of communications to which it must come nearer with every hex (§7.12).
    pub towards: Option<u8>,
    /// It is a leader (§9.1).
    pub leader: bool,
}

/// What a mover may spend, in half points.
#[derive(Clone, Copy)]
pub struct Purse {
    /// Its allowance.
    pub plain: u8,
    /// What it spends now, with a forced march or Good Leadership.
    pub most: u8,
    /// What it could still add to that.
    pub more: u8,
}

/// What a search has found.
pub struct Found<'a> {
    /// Where the mover can end: within its plain allowance, and beyond.
    pub sets: &'a [HexSet; 2],
    /// What the nearest hex would cost that is too dear as yet, if it could add as much.
    pub dearer: Option<u8>,
}

impl Mover {
    /// This unit, now.
    #[must_use]
    pub fn new(t: &Table, field: &Field, unit: UnitId) -> Mover {
        let card = field.rules.card(unit);
        Mover {
            side: card.side,
            night: t.is_night(),
            routed: field.status(unit).routed,
            towards: None,
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
        let strays = self.routed && !nearer_home;
        forbid(
            strays,
            rule!("7.12"),
            "a routed unit moves towards its communications",
        )
    }
}

/// Why a unit may not enter a hex from another, if it may not.
pub fn why_not_enter(t: &Table, mover: &Mover, from: HexId, hex: HexId) -> Check {
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
    mover.explain(flags, rules(t).nearer(mover.side, from, hex) != 0)
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

    /// Adds all hexes of another set.
    pub fn add(&mut self, other: &HexSet) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(own, more)| *own |= more);
    }

    /// Whether a hex is in.
    #[must_use]
    pub fn contains(&self, hex: HexId) -> bool {
        let word = self.0.get(usize::from(hex.0) / 64);
        word.is_some_and(|word| word & (1 << (hex.0 % 64)) != 0)
    }

    /// Takes a hex out; true if it was in.
    fn remove(&mut self, hex: HexId) -> bool {
        let (word, bit) = (&mut self.0[usize::from(hex.0) / 64], 1 << (hex.0 % 64));
        let was = *word & bit != 0;
        *word &= !bit;
        was
    }

    /// Whether no hex is in.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The hexes in order.
    pub fn iter(&self) -> impl Iterator<Item = HexId> + '_ {
        self.0.iter().zip(0..).flat_map(|(&word, i)| {
            let bits = std::iter::successors((word != 0).then_some(word), |left| {
                let left = left & (left - 1);
                (left != 0).then_some(left)
            });
            bits.map(move |left| HexId(64 * i + left.trailing_zeros() as u16))
        })
    }
}

/// Per hex what it costs to come there, and flags. As long as hex numbers can be, so that the search
/// need not ask whether one is too large; no more is used than there are hexes.
type Costs = [u8; 1 << 16];
/// One more than the highest cost.
const RINGS: usize = COST as usize + 1;

/// By cost: hexes to go on from.
struct Rings {
    /// Ring after ring, each with room for all hexes and one more.
    hexes: Vec<u16>,
    /// Where each ring ends as yet.
    ends: [usize; RINGS],
}

impl Rings {
    /// Makes room, and every ring empty.
    fn clear(&mut self, hexes: usize) {
        self.hexes.resize((hexes + 1) * RINGS, 0);
        let starts = (0..).step_by(hexes + 1);
        self.ends
            .iter_mut()
            .zip(starts)
            .for_each(|(end, start)| *end = start);
    }

    /// Adds a hex to a ring if `really`. Half of the hexsides lead nowhere new, and nobody can foretell
    /// which: to write always and count sometimes is faster than to ask.
    #[inline]
    fn push(&mut self, cost: u8, hex: u16, really: bool) {
        let end = &mut self.ends[usize::from(cost & COST)];
        self.hexes[*end] = hex;
        *end += usize::from(really);
    }
}

/// What a search writes on.
struct Scratch {
    cost: Box<Costs>,
    rings: Rings,
    /// Where the mover can end: within its plain allowance, and beyond.
    found: [HexSet; 2],
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch {
        cost: Box::new([0; 1 << 16]),
        rings: Rings { hexes: vec![], ends: [0; RINGS] },
        found: Default::default(),
    });
}

/// Where a search begins.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    /// On the map.
    Hex(HexId),
    /// Off the map: hexes by which to come on, each with its cost in half points (§5.6).
    Entries(&'a [(HexId, u8)]),
}

/// Finds every hex in which a mover can end, and hands them to `then`.
pub fn reach<R>(
    field: &Field,
    mover: &Mover,
    origin: Origin,
    purse: Purse,
    then: impl FnOnce(Found) -> R,
) -> R {
    let Purse { plain, most, more } = purse;
    SCRATCH.with_borrow_mut(|scratch| {
        prepare(field, mover, most + more, scratch);
        let rules = field.rules;
        let home = mover
            .towards
            .map(|line| &rules.homes[mover.side][usize::from(line)][..]);
        let nearer =
            |home: &[u16], from: usize, to: usize| home.get(to).is_some_and(|&to| to < home[from]);
        let may = |from: usize, to: usize| home.is_none_or(|home| nearer(home, from, to));
        let hops = &rules.hops[usize::from(mover.leader)][..];
        let Scratch { cost, rings, found } = scratch;
        let mut frontier = Frontier { cost, rings };
        frontier.begin(hops, origin, may);
        let note = |hex, spent| found[usize::from(spent > plain)].insert(hex);
        if mover.leader {
            frontier.spread::<true>(hops, (most, more), may, note);
        } else {
            frontier.spread::<false>(hops, (most, more), may, note);
        }
        // §5.1 A single hex is always within the plain allowance.
        if let Origin::Hex(start) = origin {
            let [near, far] = &mut *found;
            for next in rules.around(start) {
                if frontier.may_end(mover.leader, start, next, may) {
                    far.remove(next);
                    near.insert(next);
                }
            }
        }
        let dearer = (most + 1..=most + more).find(|&ring| frontier.has(ring, hops.len()));
        then(Found {
            sets: found,
            dearer,
        })
    })
}

/// What it costs a mover to come to a hex, if it can with this much.
pub fn cost_to(field: &Field, mover: &Mover, origin: Origin, most: u8, hex: HexId) -> Option<u8> {
    (0..=most).find(|&most| {
        let purse = Purse {
            plain: most,
            most,
            more: 0,
        };
        reach(field, mover, origin, purse, |found| {
            found.sets[0].contains(hex)
        })
    })
}

/// How far a search has come: the cost of every hex, and by cost the hexes to go on from.
struct Frontier<'a> {
    cost: &'a mut Costs,
    rings: &'a mut Rings,
}

impl Frontier<'_> {
    /// Goes through a hexside if that is cheaper than what was found before: never beyond the allowance,
    /// off the map or where the mover may not go.
    #[inline]
    fn hop(&mut self, hop: Hop, total: impl Fn(u8) -> u8, may: impl Fn(usize) -> bool) {
        let to = usize::from(hop.to);
        let cell = self.cost[to];
        // All ones if the hex is next to the enemy.
        let rough = (cell.cast_signed() >> 7).cast_unsigned();
        let total = total(hop.cost.wrapping_add(hop.rough & rough));
        let better = (total < cell & COST) & may(to);
        self.cost[to] = if better { total | (cell & !COST) } else { cell };
        self.rings.push(total, hop.to, better);
    }

    /// The first step.
    fn begin(&mut self, hops: &[[Hop; 6]], origin: Origin, may: impl Fn(usize, usize) -> bool) {
        match origin {
            Origin::Hex(hex) => {
                let at = usize::from(hex.0);
                // Nobody comes back to where he started.
                self.cost[at] = 0;
                for &hop in &hops[at] {
                    self.hop(hop, |step| step, |to| may(at, to));
                }
            }
            Origin::Entries(entries) => {
                for &(hex, spent) in entries {
                    let cell = &mut self.cost[usize::from(hex.0)];
                    if spent < *cell & COST {
                        *cell = spent | (*cell & !COST);
                        self.rings.push(spent, hex.0, true);
                    }
                }
            }
        }
    }

    /// Whether a mover may end its move in a hex next to its start, whatever that costs (§5.1). Such a
    /// hex counts as too dear no longer.
    fn may_end(
        &mut self,
        leader: bool,
        start: HexId,
        next: HexId,
        may: impl Fn(usize, usize) -> bool,
    ) -> bool {
        let (at, to) = (usize::from(start.0), usize::from(next.0));
        let cell = self.cost[to];
        let open = cell & COST != 0 && !(leader && cell & STOP != 0) && may(at, to);
        if open {
            self.cost[to] = 0;
        }
        open
    }

    /// Whether a hex costs exactly so much.
    fn has(&self, cost: u8, hexes: usize) -> bool {
        let ring = usize::from(cost);
        let mut found = self.rings.hexes[ring * hexes + ring..self.rings.ends[ring]].iter();
        found.any(|&hex| self.cost[usize::from(hex)] & COST == cost)
    }

    /// All further steps, ring by ring: as far as `most`, looking `more` beyond.
    fn spread<const LEADER: bool>(
        &mut self,
        hops: &[[Hop; 6]],
        (most, more): (u8, u8),
        may: impl Fn(usize, usize) -> bool,
        mut found: impl FnMut(HexId, u8),
    ) {
        for spent in 0..=most {
            // No ring grows any more when its turn comes: nothing costs nothing.
            let ring = usize::from(spent);
            for i in ring * hops.len() + ring..self.rings.ends[ring] {
                let hex = self.rings.hexes[i];
                let at = usize::from(hex);
                let cell = self.cost[at];
                if cell & COST != spent {
                    continue;
                }
                let stops = cell & STOP != 0;
                if !(stops && LEADER) {
                    found(HexId(hex), spent);
                }
                // §5.4 A unit that comes next to the enemy stops.
                if stops && !LEADER {
                    continue;
                }
                // The cheapest comes first: if that is too dear, so are all.
                if hops[at][0].cost > most + more - spent {
                    continue;
                }
                for &hop in &hops[at] {
                    self.hop(hop, |step| spent.wrapping_add(step), |to| may(at, to));
                }
            }
        }
    }
}

/// Writes down who stands where.
fn prepare(field: &Field, mover: &Mover, most: u8, scratch: &mut Scratch) {
    let rules = field.rules;
    let hexes = rules.edges.len();
    let (cost, barred) = (&mut *scratch.cost, mover.kept_out_by());
    // Nothing costs less than nothing: a hex that is barred, or the one beyond the map's edge, is never
    // reached. Nothing is reached for more than the allowance.
    cost[..hexes].fill(most + 1);
    cost[hexes] = 0;
    scratch.found.iter_mut().for_each(|set| set.clear(hexes));
    scratch.rings.clear(hexes);
    let all_stop = mover.leader || rules.switches.routed_enemies_pin;
    for (unit, hex) in field.on_map(mover.side.other()) {
        cost[usize::from(hex.0)] = 0;
        let stop = if all_stop || !field.status(unit).routed {
            STOP
        } else {
            0
        };
        for next in rules.around(hex) {
            let cell = &mut cost[usize::from(next.0)];
            *cell = if barred & NEAR == 0 {
                *cell | ROUGH | stop
            } else {
                0
            };
        }
    }
    for (_, hex) in field.on_map(mover.side) {
        let cell = &mut cost[usize::from(hex.0)];
        // A leader is safe with his men (§9.1).
        *cell = if barred & HELD == 0 { *cell & !STOP } else { 0 };
    }
}

/// A unit's allowance in half points: less 1 point if weary (§5.1), but never nothing.
#[must_use]
pub fn allowance(field: &Field, unit: UnitId) -> u8 {
    let (status, rules) = (field.status(unit), field.rules);
    let printed = if status.cadre {
        rules.cadre.2
    } else {
        rules.card(unit).movement
    };
    2 * printed.saturating_sub(u8::from(status.weary())).max(1)
}
