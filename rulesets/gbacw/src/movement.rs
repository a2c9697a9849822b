//! §5.1 Movement: how far, and where to. What a unit does with it is in [`crate::maneuver`].

use crate::entry;
use crate::field::{Field, Newcomer};
use crate::files::Mover;
use crate::reach::{Near, Pace, Reach};
use crate::rules::Kind;
use crate::special::{self, Special};
use crate::state::{Deed, Land, Order};
use crate::steps::{Gait, Step};
use cupola_ground::{Direction, Hex};
use cupola_kernel::{Check, HexId, Side, UnitId, forbid, require, rule};
use cupola_kit::{HexSet, Then};
use std::cell::RefCell;

/// How a unit goes.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// As whom it pays.
    pub mover: Mover,
    /// Along roads, in line, in column.
    pub gait: Gait,
    /// Half points it has.
    pub limit: u8,
    /// Whether it may come next to the enemy (§5.13).
    pub closes: bool,
    /// How far it keeps from the enemy in column (§4.32).
    pub shy: u32,
    /// Whether it may always go one hex (§5.13).
    pub one: bool,
}

/// How a unit goes in this activation; `toggled` if it has mounted or dismounted.
#[must_use]
pub fn manner(field: Field, unit: UnitId, toggled: bool) -> Manner {
    let mounted = field.mounted(unit);
    let (mover, full) = (
        field.rules.mover(unit, mounted),
        field.rules.allowance(unit, mounted),
    );
    let attacks = field.deed(unit).any(Deed::ATTACKS);
    let order = field.order(unit);
    let gait = match order {
        Order::March => crate::orders::gait(field.t, field.card(unit).side),
        _ if attacks => Gait::Attack,
        _ => Gait::Normal,
    };
    let limit = if attacks { full / 2 } else { full };
    // An extended line closes up before it moves (§12.2).
    let closing = crate::extended::is_extended(field, unit);
    let limit = limit.saturating_sub(if closing { 2 } else { 0 });
    let capped = field
        .rules
        .specials
        .iter()
        .filter_map(|rule| rule.limit(field.t, unit));
    let limit = capped.fold(limit, u8::min);
    Manner {
        mover,
        gait,
        limit: if toggled { limit / 2 } else { limit },
        closes: attacks || mover == Mover::Leader,
        shy: if order == Order::March {
            field.rules.numbers.march_shy
        } else {
            0
        },
        one: !attacks && !toggled,
    }
}

thread_local! {
    static WAYS: RefCell<Reach> = RefCell::default();
    static FOUND: RefCell<HexSet> = RefCell::default();
}

/// One step of a unit, if it may take it: the enemy is looked for where it stands.
#[must_use]
pub fn step(
    field: Field,
    side: Side,
    manner: &Manner,
    from: HexId,
    way: Direction,
    to: HexId,
) -> Option<Step> {
    let mut step = field
        .rules
        .steps
        .get(manner.mover, manner.gait, from, way)?;
    if field.holder(to) == Some(side.other())
        || !manner.closes && field.near_enemy(side, to)
        || manner.shy > 0 && field.enemy_within(side, to, manner.shy)
    {
        return None;
    }
    if let Some(work) = field.t.res::<Land>().works_at(to)
        && work.sides >> way.opposite().index() & 1 == 1
    {
        let over = field.rules.steps.over_works(manner.mover)?;
        step.cost += over.cost;
        step.disorders |= over.disorders;
    }
    Some(step)
}

impl Manner {
    /// One that counts no points and does not shun the enemy: advances, retreats.
    #[must_use]
    pub fn at_will(field: Field, unit: UnitId, gait: Gait) -> Manner {
        Manner {
            mover: field.rules.mover(unit, field.mounted(unit)),
            gait,
            limit: u8::MAX,
            closes: true,
            shy: 0,
            one: false,
        }
    }

    /// How a search goes in this manner.
    #[must_use]
    pub fn pace<'a>(&self, field: Field<'a>, side: Side) -> Pace<'a> {
        let steps = &field.rules.steps;
        Pace {
            side,
            rows: steps.rows(self.mover, self.gait),
            works: steps.over_works(self.mover),
            bridge: Some(steps.over_bridge(self.mover, self.gait)),
            limit: self.limit,
            shy: self.shy,
            near: if self.closes {
                Near::Open
            } else {
                Near::Barred
            },
            wary: self.mover != Mover::Leader,
            clean: false,
        }
    }
}

/// What a move comes to.
#[derive(Clone, Debug)]
pub struct Way {
    /// The hexes entered, in order.
    pub path: Vec<HexId>,
    /// Half points it costs.
    pub cost: u8,
}

/// Finds where a unit can go within its fences ([`special::fencing`]), and says of it what is asked: the start, and what is
/// reached.
pub(crate) fn explore<T>(
    field: Field,
    unit: UnitId,
    manner: &Manner,
    ways: bool,
    fences: &[&dyn Special],
    ask: impl FnOnce(HexId, &Reach) -> T,
) -> Option<T> {
    let doors = entry::doors(field, unit, manner);
    let start = doors.first()?.0;
    let pace = manner.pace(field, field.card(unit).side);
    let seen = |hex: HexId, spent: u16, _: u16| match spent > 0 && fenced(field, fences, unit, hex)
    {
        true => Then::StopHere,
        false => Then::GoOn,
    };
    WAYS.with_borrow_mut(|reach| {
        reach.search(field, &pace, &doors, ways, |_, _| true, seen);
        Some(ask(start, reach))
    })
}

/// Whether a boundary keeps a unit out of a hex.
fn fenced(field: Field, bounds: &[&dyn Special], unit: UnitId, hex: HexId) -> bool {
    bounds.iter().any(|rule| rule.bars(field.t, unit, hex))
}

/// Enemies to whom a unit must not come nearer: where each is, and how near to him is nearer (§4.25).
type Shunned = Vec<(Hex, u32)>;

/// Those whom a unit out of command could come close to if it gets so far.
fn shunned(field: Field, unit: UnitId, start: HexId, gets: impl FnOnce() -> u32) -> Shunned {
    if !field.deed(unit).any(Deed::ASTRAY) {
        return vec![];
    }
    let (board, enemy) = (field.t.board(), field.card(unit).side.other());
    let wary = field.rules.numbers.wary;
    let mut all = vec![];
    field.any_held_within(enemy, start, wary + gets(), |hex| {
        let nearer = board.distance(start, hex).checked_sub(1);
        all.extend(nearer.map(|nearer| (board.axial(hex), nearer.min(wary))));
        false
    });
    all
}

/// Whether a hex is nearer to one of them than it may be.
#[inline]
fn nearer(field: Field, shunned: &Shunned, hex: HexId) -> bool {
    if shunned.is_empty() {
        return false;
    }
    let at = field.t.board().axial(hex);
    let mut shunned = shunned.iter();
    shunned.any(|&(enemy, nearer)| at.is_within(nearer, enemy))
}

/// Whether a unit may end its move in a hex it can reach: it fits there when it does (§5.22).
pub(crate) fn may_end(field: Field, unit: UnitId, start: HexId, hex: HexId) -> Check {
    require(field.fits(unit, hex), rule!("5.21"), "has no room for it")?;
    let shunned = shunned(field, unit, start, || field.t.board().distance(start, hex));
    forbid(
        nearer(field, &shunned, hex),
        rule!("4.25"),
        "is nearer to the enemy, and it is out of command",
    )?;
    let specials = &field.rules.specials;
    specials
        .iter()
        .try_for_each(|rule| rule.may_end(field.t, unit, hex))
}

/// Whether a special rule slows a unit down somewhere.
fn slowed(field: Field, unit: UnitId) -> bool {
    let mut specials = field.rules.specials.iter();
    specials.any(|rule| rule.zone(field.t, unit).is_some())
}

/// Whether the way to a hex is short enough where a special rule slows the unit down.
pub(crate) fn slow_enough(field: Field, unit: UnitId, reach: &Reach, hex: HexId) -> bool {
    let zone = field
        .rules
        .specials
        .iter()
        .find_map(|rule| rule.zone(field.t, unit));
    let Some((near, apart, most)) = zone else {
        return true;
    };
    let board = field.t.board();
    let path = reach.way(hex);
    let inside = |at: &HexId| {
        near.iter()
            .any(|&centre| board.distance(centre, *at) <= apart)
    };
    reach.cost(hex).is_none_or(|cost| cost <= most) || !path.iter().any(inside)
}

/// Of the hexes beside a unit that are asked about those to which it may go whatever they cost (§5.13).
pub(crate) fn beside(
    field: Field,
    unit: UnitId,
    manner: &Manner,
    asked: impl Fn(HexId) -> bool,
) -> Vec<HexId> {
    let Some(hex) = field.t.hex(unit).filter(|_| manner.one) else {
        return vec![];
    };
    let side = field.card(unit).side;
    let around = field.t.board().neighbours(hex);
    around
        .filter(|&(way, to)| asked(to) && step(field, side, manner, hex, way, to).is_some())
        .map(|(_, to)| to)
        .filter(|&to| !entry::warded(field, side, to))
        .collect()
}

/// Says what is asked of the hexes to which a unit may move.
pub(crate) fn of_destinations<T>(
    field: Field,
    unit: UnitId,
    toggled: bool,
    ask: impl FnOnce(&HexSet) -> T,
) -> T {
    let manner = manner(field, unit, toggled);
    let (slowed, enters) = (slowed(field, unit), field.t.hex(unit).is_none());
    let bounds = special::bounding(field, unit);
    let (fences, others): (Vec<_>, Vec<_>) = bounds.iter().partition(|rule| rule.fences());
    FOUND.with_borrow_mut(|found| {
        found.clear(field.t.board().len());
        explore(field, unit, &manner, slowed, &fences, |start, reach| {
            let board = field.t.board();
            let apart = |hex: &HexId| board.distance(start, *hex);
            let gets = || reach.reached().iter().map(apart).max().unwrap_or(0).max(1);
            let shunned = shunned(field, unit, start, gets);
            let newcomer = Newcomer::new(field, unit);
            // The same as `may_end`, for many hexes of one unit.
            // Stacking counts where a move ends (§5.22).
            let open = |hex: HexId, bounds: &[&dyn Special]| {
                newcomer.fits(hex)
                    && !nearer(field, &shunned, hex)
                    && !fenced(field, bounds, unit, hex)
            };
            // What is behind a fence was not reached; but nobody looks at fences where one comes onto the map.
            let asked = if enters { &bounds } else { &others };
            let reached = reach.reached().iter().copied();
            let reached = reached
                .filter(|&hex| (hex != start || enters) && open(hex, asked))
                .filter(|&hex| !slowed || slow_enough(field, unit, reach, hex));
            reached.for_each(|hex| found.insert(hex));
            let near = beside(field, unit, &manner, |hex| reach.cost(hex).is_none());
            let near = near.into_iter().filter(|&hex| open(hex, &bounds));
            near.for_each(|hex| found.insert(hex));
        });
        let charges = crate::gallop::destinations(field, unit, toggled);
        charges.into_iter().for_each(|hex| found.insert(hex));
        ask(found)
    })
}

/// The way to a hex: one that does not disorder, if there is one.
pub(crate) fn way_to(field: Field, unit: UnitId, toggled: bool, hex: HexId) -> Option<Way> {
    if let Some(way) = crate::gallop::way_to(field, unit, toggled, hex) {
        return Some(way);
    }
    let manner = manner(field, unit, toggled);
    let doors = entry::doors(field, unit, &manner);
    let start = doors.first()?.0;
    let enters = field.t.hex(unit).is_none();
    let sound = field.rules.fights(unit) && !field.status(unit).disordered;
    let any = manner.pace(field, field.card(unit).side);
    let clean = Pace { clean: true, ..any };
    // Nobody looks where the hex could not be reached from any more.
    let (board, goal) = (field.t.board(), field.t.board().axial(hex));
    let (limit, least) = (u32::from(manner.limit), u32::from(any.least()));
    let bounds = special::fencing(field, unit);
    let seen = |at: HexId, spent: u16, _: u16| match board.axial(at).distance(goal) {
        0 => Then::End,
        far if u32::from(spent) + far * least > limit => Then::StopHere,
        _ if spent > 0 && fenced(field, &bounds, unit, at) => Then::StopHere,
        _ => Then::GoOn,
    };
    let (mut path, cost) = WAYS.with_borrow_mut(|reach| {
        let mut walk = |pace: &Pace| {
            reach.search(field, pace, &doors, true, |_, _| true, seen);
            reach.cost(hex).map(|cost| (reach.way(hex), cost))
        };
        let found = if sound { walk(&clean) } else { None };
        found
            .or_else(|| walk(&any))
            .unwrap_or_else(|| (vec![start, hex], manner.limit))
    });
    if !enters {
        path.remove(0);
    }
    Some(Way { path, cost })
}

/// Whether a unit may mount or dismount here (§9.11, §9.15).
pub(crate) fn may_mount(field: Field, unit: UnitId) -> Check {
    require(
        field.card(unit).kind == Kind::Horse,
        rule!("9.11"),
        "has no horses",
    )?;
    let mounted = field.mounted(unit);
    let crowd = field.t.hex(unit).is_some_and(|hex| {
        let mut others = field.fighters(hex);
        others.any(|other| field.card(other).kind == Kind::Foot)
    });
    forbid(!mounted && crowd, rule!("9.15"), "stands among infantry")?;
    let specials = &field.rules.specials;
    specials
        .iter()
        .try_for_each(|rule| rule.may_mount(field.t, unit))
}
