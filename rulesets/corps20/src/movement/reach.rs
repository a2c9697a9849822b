//! Where a unit can go: what the common search asks of this ruleset, in half movement points.
//!
//! Who stands where is marked on the search's nodes first, one for each hex, so that the search itself
//! reads nothing but flat arrays.

use crate::field::{Field, enemies_near, rules, unit_in};
use crate::rules::{Hop, Kind};
use cupola_kernel::{Check, HexId, Side, Table, UnitId, forbid, rule};
use cupola_kit::{HexSet, Search, Steps, Then, Ways};
use std::cell::RefCell;

/// Mark: an enemy is next to the hex, and roads into it do not help (§5.3).
const ROUGH: u16 = 1;
/// Mark: an enemy that stops units is next to the hex (§5.4).
const STOP: u16 = 2;
/// Mark: the mover is kept out.
const CLOSED: u16 = 4;
/// Mark: an enemy is next to the hex; a leader rides on, but may not end there (§9.1).
const ALONE: u16 = 8;

/// A unit of either side is in the hex.
pub const HELD: u8 = 1;
/// That unit is an enemy.
pub const ENEMY: u8 = 2;
/// An enemy unit is next to the hex.
pub const NEAR: u8 = 4;
/// That enemy stops units (§5.4).
pub const STOPS: u8 = 8;

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
    /// Flags of hexes that it pays no heed to: only where the rule is looked for that keeps it from a hex.
    pub heedless: u8,
}

/// What a mover may spend, in half points.
#[derive(Clone, Copy)]
pub struct Purse {
    /// Its allowance.
    pub plain: u8,
    /// What it spends now, with a forced march or Good Leadership.
    pub most: u8,
    /// What it could still add to that: at least, and at most.
    pub more: (u8, u8),
}

impl Purse {
    /// No more than this.
    #[must_use]
    pub const fn only(plain: u8) -> Purse {
        Purse {
            plain,
            most: plain,
            more: (0, 0),
        }
    }
}

/// What a search has found.
pub struct Found<'a> {
    /// Where the mover can end: within its plain allowance, and beyond.
    pub sets: &'a [HexSet; 2],
    /// What a hex would cost that is too dear as yet, if the mover can add as much: not more than the
    /// least that it can add, if there is such a hex.
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
            heedless: 0,
        }
    }

    /// The flags that keep it out of a hex. The search and the explanation use this alone.
    fn kept_out_by(&self) -> u8 {
        let flags = if self.leader {
            ENEMY
        } else if self.night || self.routed {
            HELD | NEAR
        } else {
            HELD
        };
        flags & !self.heedless
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

/// Where a search begins.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    /// On the map.
    Hex(HexId),
    /// Off the map: hexes by which to come on, each with its cost in half points (§5.6).
    Entries(&'a [(HexId, u8)]),
}

/// The search's memory and what it found; kept per thread, no part of the state.
#[derive(Default)]
struct Scratch {
    search: Search,
    found: [HexSet; 2],
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The rules of movement as the search asks for them.
struct March<'a> {
    /// Hexsides, the cheapest of each hex first.
    hops: &'a [[Hop; 6]],
    /// How far each hex is from where the mover must come nearer to.
    home: Option<&'a [u16]>,
    purse: Purse,
    /// Who has spent more than this cannot pay for the cheapest step.
    last: u16,
    /// The hexes next to where it stands: within the plain allowance whatever they cost (§5.1).
    beside: &'a [Hop],
    near: &'a mut HexSet,
    far: &'a mut HexSet,
}

impl Ways for March<'_> {
    #[inline]
    fn reached(&mut self, hex: usize, spent: u16, marks: u16) -> Then {
        if marks & ALONE == 0 {
            self.note(HexId(hex as u16), spent);
        }
        // §5.4 A unit that comes next to the enemy stops; so does who can pay for no step more.
        if marks & STOP != 0 || spent > self.last {
            Then::StopHere
        } else {
            Then::GoOn
        }
    }

    #[inline]
    fn steps(&self, hex: usize, spent: u16, steps: &mut impl Steps) {
        let hops = &self.hops[hex];
        let left = u16::from(self.purse.most) - spent;
        if spent == 0 || self.home.is_some() {
            return self.steps_home(hops, hex, left, steps);
        }
        let ahead = steps.ahead();
        for (place, hop) in hops.iter().enumerate() {
            if !ahead.has(place) {
                continue;
            }
            // The cheapest comes first: if that is too dear, so are all.
            if u16::from(hop.costs[0]) > left {
                break;
            }
            steps.step_to(hop.landing, |marks| hop.price(marks));
        }
    }
}

impl March<'_> {
    /// The steps from where the mover stands, and those of one who must come nearer to a line of communications.
    #[inline]
    fn steps_home(&self, hops: &[Hop; 6], hex: usize, left: u16, steps: &mut impl Steps) {
        // §5.1 The first hex never costs more than there is.
        let cap = if left == u16::from(self.purse.most) {
            left
        } else {
            u16::MAX
        };
        for place in steps.ahead().places() {
            let Some(hop) = hops.get(place) else { break };
            let nearer = |home: &[u16]| {
                let to = home.get(hop.landing.node());
                to.is_some_and(|&to| to < home[hex])
            };
            if self.home.is_none_or(nearer) {
                steps.step_to(hop.landing, |marks| hop.price(marks).min(cap));
            }
        }
    }

    /// Notes where the mover can end.
    #[inline]
    fn note(&mut self, hex: HexId, spent: u16) {
        let beside = |hop: &Hop| hop.landing.node() == hex.index();
        if spent <= u16::from(self.purse.plain) || self.beside.iter().any(beside) {
            self.near.insert(hex);
        } else {
            self.far.insert(hex);
        }
    }
}

impl Hop {
    /// What it costs to enter a hex with these marks.
    #[inline]
    fn price(&self, marks: u16) -> u16 {
        u16::from(self.costs[usize::from(marks & ROUGH)])
    }
}

/// Finds every hex in which a mover can end, and hands them to `then`.
pub fn reach<R>(
    field: &Field,
    mover: &Mover,
    origin: Origin,
    purse: Purse,
    then: impl FnOnce(Found) -> R,
) -> R {
    SCRATCH.with_borrow_mut(|scratch| {
        search(field, mover, origin, purse, scratch, |search, march| {
            search.run(march);
        });
        let dearer = dearer(field, mover, origin, purse, scratch);
        then(Found {
            sets: &scratch.found,
            dearer,
        })
    })
}

/// The first hex that is found beyond what the mover spends, but within what it could add: from one that it
/// reaches, through one hexside. The search is not run on for it.
fn dearer(
    field: &Field,
    mover: &Mover,
    origin: Origin,
    purse: Purse,
    scratch: &Scratch,
) -> Option<u8> {
    let (rules, Scratch { search, found }) = (field.rules, scratch);
    let (least, most) = (purse.most + purse.more.0, purse.most + purse.more.1);
    if most == purse.most {
        return None;
    }
    let hops = &rules.hops[usize::from(mover.leader)];
    let closed = |to: usize| to >= hops.len() || search.marks(to) & CLOSED != 0;
    let (start, gates) = match origin {
        Origin::Hex(hex) => (Some(hex), &[][..]),
        Origin::Entries(gates) => (None, gates),
    };
    let dear_gate = |&&(hex, cost): &&(HexId, u8)| cost <= most && !closed(usize::from(hex.0));
    let gates = gates.iter().filter(|(_, cost)| *cost > purse.most);
    let mut best = gates.filter(dear_gate).map(|&(_, cost)| cost).min();
    let reached = found.iter().flat_map(HexSet::iter);
    for from in start.into_iter().chain(reached) {
        let at = usize::from(from.0);
        let spent = search.cost(at).unwrap_or(0) as u8;
        if search.marks(at) & STOP != 0 {
            continue;
        }
        for hop in hops[at]
            .iter()
            .take_while(|hop| hop.costs[0] <= most - spent)
        {
            let to = hop.landing.node();
            if closed(to) || search.cost(to).is_some() {
                continue;
            }
            let total = spent + hop.price(search.marks(to)) as u8;
            let nearer = |line| rules.nearer(mover.side, from, HexId(to as u16)) >> line & 1 != 0;
            if total <= most && mover.towards.is_none_or(nearer) {
                best = best.into_iter().chain([total]).min();
            }
        }
        if best.is_some_and(|best| best <= least) {
            break;
        }
    }
    best
}

/// What it costs a mover to come to a hex, and the way it takes, if it can.
pub fn way_to(
    field: &Field,
    mover: &Mover,
    origin: Origin,
    purse: Purse,
    hex: HexId,
) -> Option<(u8, Vec<HexId>)> {
    SCRATCH.with_borrow_mut(|scratch| {
        search(field, mover, origin, purse, scratch, |search, march| {
            search.run_to(usize::from(hex.0), march);
            let cost = search.cost(usize::from(hex.0))?;
            let way = search.way(usize::from(hex.0)).into_iter();
            Some((cost as u8, way.map(|hex| HexId(hex as u16)).collect()))
        })
    })
}

/// Writes down who stands where, and lets the search run.
fn search<R>(
    field: &Field,
    mover: &Mover,
    origin: Origin,
    purse: Purse,
    scratch: &mut Scratch,
    run: impl FnOnce(&mut Search, &mut March) -> R,
) -> R {
    let (rules, Scratch { search, found }) = (field.rules, scratch);
    let hops = &rules.hops[usize::from(mover.leader)][..];
    found.iter_mut().for_each(|set| set.clear(hops.len()));
    prepare(field, mover, purse, search);
    let [near, far] = found;
    let beside = match origin {
        Origin::Hex(hex) => {
            // It goes on from where it stands, and is not said to go there.
            search.unmark(hex.index(), STOP);
            search.mark(hex.index(), ALONE);
            search.start_at(hex.index());
            &hops[hex.index()][..]
        }
        Origin::Entries(entries) => {
            let entries = entries.iter();
            entries.for_each(|&(hex, spent)| search.start(usize::from(hex.0), u16::from(spent)));
            &[]
        }
    };
    let mut march = March {
        hops,
        home: mover
            .towards
            .map(|line| &rules.communications.homes[mover.side][usize::from(line)][..]),
        purse,
        last: u16::from(purse.most.saturating_sub(rules.costs.plain(true))),
        beside,
        near,
        far,
    };
    run(search, &mut march)
}

/// Marks who stands where.
fn prepare(field: &Field, mover: &Mover, purse: Purse, search: &mut Search) {
    let (rules, barred) = (field.rules, mover.kept_out_by());
    let at = |hex: HexId| usize::from(hex.0);
    search.begin(rules.edges.len(), u16::from(purse.most));
    let close = |search: &mut Search, hex: HexId| search.bar_with(at(hex), CLOSED);
    let all_stop = rules.switches.routed_enemies_pin;
    let stops = mover.heedless & STOPS == 0;
    let stop = if stops { ROUGH | STOP } else { ROUGH };
    let kept_out = barred & (HELD | ENEMY) != 0;
    for (unit, hex) in field.on_map(mover.side.other()) {
        if kept_out {
            close(search, hex);
        }
        let marks = if mover.leader {
            ROUGH | ALONE
        } else if all_stop || !field.status(unit).routed {
            stop
        } else {
            ROUGH
        };
        let shut = barred & NEAR != 0;
        let marks = if shut { CLOSED } else { marks };
        search.mark_around(rules.around.all(hex), marks, shut);
    }
    for (_, hex) in field.on_map(mover.side) {
        if barred & HELD == 0 {
            // A leader is safe with his men (§9.1).
            search.unmark(at(hex), ALONE);
        } else {
            close(search, hex);
        }
    }
}

/// A unit's allowance in half points: less 1 point if weary (§5.1), but never nothing.
#[must_use]
pub fn allowance(field: &Field, unit: UnitId) -> u8 {
    let (status, rules) = (field.status(unit), field.rules);
    let printed = if status.cadre {
        rules.cadre[rules.card(unit).side].2
    } else {
        rules.card(unit).movement
    };
    2 * printed.saturating_sub(u8::from(status.weary())).max(1)
}
