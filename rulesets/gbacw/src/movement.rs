//! §5.1 Movement: how far, and where to. What a unit does with it is in [`crate::maneuver`].

use crate::entry;
use crate::field::Field;
use crate::files::Mover;
use crate::reach::{NEAR, Reach, SHY, WARD, WORKS};
use crate::rules::Kind;
use crate::state::{Deed, Land, Order};
use crate::steps::{Gait, Step};
use cupola_ground::{Direction, Hex};
use cupola_kernel::{Check, HexId, Side, UnitId, forbid, require, rule};
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
    let order = field.wear(field.card(unit).brigade).order;
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
    static WAYS: RefCell<(Reach, Reach)> = RefCell::default();
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
    if field.holder(to) == Some(side.other()) {
        return None;
    }
    let near = !manner.closes && field.near_enemy(side, to);
    let shy = manner.shy > 0 && field.enemy_within(side, to, manner.shy);
    let marks = WORKS | if near { NEAR } else { 0 } | if shy { SHY } else { 0 };
    marked_step(field, manner, from, way, to, marks)
}

/// One step onto a hex without enemies whose marks are known.
#[inline]
pub fn marked_step(
    field: Field,
    manner: &Manner,
    from: HexId,
    way: Direction,
    to: HexId,
    marks: u16,
) -> Option<Step> {
    if !manner.closes && marks & NEAR != 0 {
        return None;
    }
    // §5.47: nobody comes next to an entrance by which enemies are to come.
    if marks & WARD != 0 && manner.mover != Mover::Leader {
        return None;
    }
    let mut step = field
        .rules
        .steps
        .get(manner.mover, manner.gait, from, way)?;
    if !field.inside(to) {
        return None;
    }
    if manner.shy > 0 && marks & SHY != 0 {
        return None;
    }
    if marks & WORKS != 0
        && let Some(work) = field.t.res::<Land>().works_at(to)
        && work.sides >> way.opposite().index() & 1 == 1
    {
        let over = field.rules.steps.over_works(manner.mover)?;
        step.cost += over.cost;
        step.disorders |= over.disorders;
    }
    Some(step)
}

/// The price of a bridge over a cut, if one may come out there (§5.18).
fn over_bridge(field: Field, manner: &Manner, to: HexId, marks: u16) -> Option<u8> {
    let shut = !manner.closes && marks & NEAR != 0
        || marks & WARD != 0 && manner.mover != Mover::Leader
        || manner.shy > 0 && marks & SHY != 0;
    (!shut && field.inside(to)).then(|| field.rules.steps.over_bridge(manner.mover, manner.gait))
}

/// What a move comes to.
#[derive(Clone, Debug)]
pub struct Way {
    /// The hexes entered, in order.
    pub path: Vec<HexId>,
    /// Half points it costs.
    pub cost: u8,
}

/// Finds where a unit can go, and says of it what is asked: the start, what is reached in good order, what is
/// reached at all.
pub(crate) fn explore<T>(
    field: Field,
    unit: UnitId,
    manner: &Manner,
    ways: bool,
    ask: impl FnOnce(HexId, &Reach, &Reach) -> T,
) -> Option<T> {
    let doors = entry::doors(field, unit, manner);
    let start = doors.first()?.0;
    let limit = (manner.limit, manner.shy);
    let side = field.card(unit).side;
    let sound = field.rules.fights(unit) && !field.status(unit).disordered;
    WAYS.with_borrow_mut(|(clean, any)| {
        let span = |to: HexId, marks: u16| over_bridge(field, manner, to, marks);
        let cost = |from: HexId, way: Direction, to: HexId, marks: u16| {
            marked_step(field, manner, from, way, to, marks).map(|step| step.cost)
        };
        any.search(field, side, &doors, limit, ways, cost, span);
        // Only who wants to know the way must know whether it disorders.
        if !sound || !ways {
            return Some(ask(start, any, any));
        }
        let cost = |from: HexId, way: Direction, to: HexId, marks: u16| {
            let step = marked_step(field, manner, from, way, to, marks)?;
            (!step.disorders).then_some(step.cost)
        };
        clean.search(field, side, &doors, limit, true, cost, span);
        Some(ask(start, clean, any))
    })
}

/// Enemies to whom a unit must not come nearer, each with how far off he is now (§4.25).
type Shunned = Vec<(Hex, u32)>;

/// Those whom a unit out of command could come close to with so many half points.
fn shunned(field: Field, unit: UnitId, start: HexId, limit: u8) -> Shunned {
    if !field.deed(unit).any(Deed::ASTRAY) {
        return vec![];
    }
    let (board, enemy) = (field.t.board(), field.card(unit).side.other());
    let far = field.rules.numbers.wary + u32::from(limit);
    let all = field.on_map(enemy).map(|(_, hex)| board.axial(hex));
    let from = board.axial(start);
    all.map(|hex| (hex, hex.distance(from)))
        .filter(|(_, now)| *now <= far)
        .collect()
}

/// Whether a unit may end its move in a hex it can reach.
pub(crate) fn may_end(field: Field, unit: UnitId, start: HexId, hex: HexId) -> Check {
    ends(field, unit, &shunned(field, unit, start, u8::MAX), hex)
}

/// The same, given whom it must not come nearer to.
fn ends(field: Field, unit: UnitId, shunned: &Shunned, hex: HexId) -> Check {
    require(field.fits(unit, hex), rule!("5.21"), "has no room for it")?;
    if !shunned.is_empty() {
        let (at, wary) = (field.t.board().axial(hex), field.rules.numbers.wary);
        let nearer = shunned.iter().any(|&(enemy, now)| {
            let then = enemy.distance(at);
            then <= wary && then < now
        });
        forbid(
            nearer,
            rule!("4.25"),
            "is nearer to the enemy, and it is out of command",
        )?;
    }
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

/// Hexes beside a unit to which it may go whatever they cost (§5.13).
pub(crate) fn beside(field: Field, unit: UnitId, manner: &Manner) -> Vec<HexId> {
    let Some(hex) = field.t.hex(unit).filter(|_| manner.one) else {
        return vec![];
    };
    let side = field.card(unit).side;
    let around = field.t.board().neighbours(hex);
    around
        .filter(|&(way, to)| step(field, side, manner, hex, way, to).is_some())
        .map(|(_, to)| to)
        .filter(|&to| !entry::warded(field, side, to))
        .collect()
}

/// Every hex to which a unit may move.
#[must_use]
pub fn destinations(field: Field, unit: UnitId, toggled: bool) -> Vec<HexId> {
    let manner = manner(field, unit, toggled);
    let slowed = slowed(field, unit);
    let mut found = explore(field, unit, &manner, slowed, |start, _, any| {
        let enters = field.t.hex(unit).is_none();
        let shunned = shunned(field, unit, start, manner.limit);
        let open = |hex: HexId| ends(field, unit, &shunned, hex).is_ok();
        let reached = any.reached().iter().copied();
        let mut found: Vec<HexId> = reached
            .filter(|&hex| (hex != start || enters) && open(hex))
            .filter(|&hex| !slowed || slow_enough(field, unit, any, hex))
            .collect();
        for hex in beside(field, unit, &manner) {
            if any.cost(hex).is_none() && open(hex) {
                found.push(hex);
            }
        }
        found
    })
    .unwrap_or_default();
    found.extend(crate::gallop::destinations(field, unit, toggled));
    found.sort_unstable();
    found.dedup();
    found
}

/// The way to a hex: one that does not disorder, if there is one.
pub(crate) fn way_to(field: Field, unit: UnitId, toggled: bool, hex: HexId) -> Option<Way> {
    if let Some(way) = crate::gallop::way_to(field, unit, toggled, hex) {
        return Some(way);
    }
    let manner = manner(field, unit, toggled);
    let enters = field.t.hex(unit).is_none();
    explore(field, unit, &manner, true, |start, clean, any| {
        let reach = if clean.cost(hex).is_some() {
            clean
        } else {
            any
        };
        let mut path = reach.way(hex);
        let cost = reach.cost(hex).unwrap_or(manner.limit);
        if path.is_empty() {
            path = vec![start, hex];
        }
        if !enters {
            path.remove(0);
        }
        Way { path, cost }
    })
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
