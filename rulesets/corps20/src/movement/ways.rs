//! Who may move, how far, and where to (§5.1 to §5.6, §7.12).

use super::reach::{
    ENEMY, HELD, Mover, NEAR, Origin, Purse, STOPS, allowance, reach, way_to, why_not_enter,
};
use crate::field::{Field, safe};
use crate::reinforce;
use crate::rules::Kind;
use crate::state::{Boost, Due, Moving};
use cupola_kernel::{Check, HexId, Refusal, Table, UnitId, forbid, require, rule};
use cupola_kit::HexSet;
use std::ops::ControlFlow;

/// Whether a unit or leader may be picked to move.
pub fn may_move(t: &Table, field: &Field, unit: UnitId) -> Check {
    let (status, side) = (field.status(unit), field.rules.card(unit).side);
    require(side == t.active(), rule!("5"), "is not yours")?;
    forbid(status.moved, rule!("5.1"), "has had its move")?;
    forbid(status.halted, rule!("4"), "may not move this turn (event)")?;
    let Some(hex) = field.stacks.hex(unit) else {
        return reinforce::may_enter(t, unit);
    };
    if field.rules.is_leader(unit) || status.routed || t.is_night() {
        return Ok(());
    }
    forbid(
        field.pinned(side, hex),
        rule!("5.4"),
        "begins the phase next to the enemy and may not move",
    )
}

/// Whether a unit may force march (§5.5).
pub fn may_march(field: &Field, moving: &Moving, unit: UnitId) -> Check {
    let status = field.status(unit);
    forbid(
        field.rules.is_leader(unit),
        rule!("5.5"),
        "leaders do not force march",
    )?;
    forbid(
        status.routed,
        rule!("7.12"),
        "a routed unit does not force march",
    )?;
    require(
        status.fresh(),
        rule!("5.5"),
        "only a fresh unit may force march",
    )?;
    forbid(moving.marches, rule!("5.5"), "is force marching already")
}

/// Whether a unit may spend Good Leadership on movement (cards 5, 9, 10).
pub fn may_hasten(field: &Field, moving: &Moving, unit: UnitId) -> Check {
    let led = field.status(unit).boost == Boost::Open;
    require(led, rule!("4"), "is not well led this turn")?;
    forbid(moving.hastens, rule!("4"), "is hastening already")
}

/// What a unit may spend: force marching or hastening adds to it, or could (§5.5, cards 5, 9, 10).
pub fn purse(field: &Field, moving: &Moving, unit: UnitId) -> Purse {
    let plain = allowance(field, unit);
    let extra = |on: bool, points: u8| points * u8::from(on);
    Purse {
        plain,
        most: plain + extra(moving.marches, MARCH) + extra(moving.hastens, HASTE),
        more: match (
            may_hasten(field, moving, unit).is_ok(),
            may_march(field, moving, unit).is_ok(),
        ) {
            (true, true) => (HASTE, MARCH),
            (true, false) => (HASTE, HASTE),
            (false, true) => (MARCH, MARCH),
            (false, false) => (0, 0),
        },
    }
}

/// What a forced march adds, in half points (§5.5).
pub const MARCH: u8 = 4;
/// What Good Leadership adds, in half points.
pub const HASTE: u8 = 2;

/// Hands to `then` where a unit can go with what it has, and what the nearest hex would cost beyond that, if it could add
/// so much. Who force marches or hastens goes farther than he could without.
pub fn destinations<R>(
    t: &Table,
    field: &Field,
    unit: UnitId,
    purse: Purse,
    then: impl FnOnce(&HexSet, Option<u8>) -> R,
) -> R {
    let (mover, mut gates) = (Mover::new(t, field, unit), vec![]);
    let origin = origin(t, field, unit, purse, &mut gates);
    let farther = usize::from(purse.most > purse.plain);
    // §7.12 Every hex leads nearer to one of its lines of communications.
    let (mut all, mut dearer, mut any) = (HexSet::default(), None, false);
    let lines = 0..field.rules.communications.hexes[mover.side].len() as u8;
    if mover.routed {
        all.clear(field.rules.edges.len());
    }
    for line in lines.filter(|_| mover.routed) {
        let towards = Some(line);
        reach(field, &Mover { towards, ..mover }, origin, purse, |found| {
            any |= found.sets.iter().any(|set| !set.is_empty());
            all.join(&found.sets[farther]);
            dearer = dearer.into_iter().chain(found.dearer).min();
        });
    }
    // A routed unit next to the enemy must move away, if need be by another way.
    let near = |hex| field.near_enemy(mover.side, hex);
    if !mover.routed || !any && field.stacks.hex(unit).is_some_and(near) {
        return reach(field, &mover, origin, purse, |found| {
            then(&found.sets[farther], found.dearer)
        });
    }
    then(&all, dearer)
}

/// Where a unit or leader sets out: its hex, or the hexes by which it comes onto the map (§5.6).
fn origin<'a>(
    t: &Table,
    field: &Field,
    unit: UnitId,
    purse: Purse,
    gates: &'a mut Vec<(HexId, u8)>,
) -> Origin<'a> {
    match field.stacks.hex(unit) {
        Some(hex) => Origin::Hex(hex),
        None => {
            let ways = reinforce::entries(t, unit);
            gates.extend(ways.filter_map(|way| way.cost(purse.most, purse.more.1)));
            Origin::Entries(gates)
        }
    }
}

/// A routed unit next to the enemy that has not moved and can (§7.12): it must before the phase ends.
pub fn must_flee(t: &Table, field: &Field) -> Option<UnitId> {
    let side = t.active();
    let mut routed = field.rules.units_of(side).filter(|&unit| {
        let status = field.status(unit);
        status.routed && !status.moved
    });
    routed.find(|&unit| {
        flees(field, unit) && may_move(t, field, unit).is_ok() && has_way(t, field, unit)
    })
}

/// Whether a unit can go anywhere at all.
fn has_way(t: &Table, field: &Field, unit: UnitId) -> bool {
    let purse = Purse::only(allowance(field, unit));
    destinations(t, field, unit, purse, |hexes, _| !hexes.is_empty())
}

/// Whether a unit is routed next to the enemy: it must move away if it can (§7.12).
pub fn flees(field: &Field, unit: UnitId) -> bool {
    let near = |hex| field.near_enemy(field.rules.card(unit).side, hex);
    field.status(unit).routed && field.stacks.hex(unit).is_some_and(near)
}

/// Whether a unit may be picked now: a routed one next to the enemy only when it has a way, so that
/// friends can make way for it first (§7.12).
pub fn may_pick(t: &Table, field: &Field, unit: UnitId) -> Check {
    may_move(t, field, unit)?;
    require(
        !flees(field, unit) || has_way(t, field, unit),
        rule!("7.12"),
        "is routed and has no way to fall back",
    )
}

/// The same without the words, for a unit of the side that moves which has not moved yet: this list is made after every move.
pub fn can_pick(t: &Table, field: &Field, due: &Due, unit: UnitId) -> bool {
    let status = field.status(unit);
    let can = match field.stacks.hex(unit) {
        Some(hex) if !status.routed => {
            let free = t.is_night() || field.rules.is_leader(unit);
            !status.halted && (free || !field.pinned(field.rules.card(unit).side, hex))
        }
        Some(_) => may_pick(t, field, unit).is_ok(),
        None => !status.halted && reinforce::can_enter(t, unit, due),
    };
    debug_assert_eq!(can, may_pick(t, field, unit).is_ok());
    can
}

/// Infantry that the opponent may lead into contact (Commander's Initiative), and where to; until `found` has enough.
pub fn leads(t: &Table, field: &Field, mut found: impl FnMut(UnitId, HexId) -> ControlFlow<()>) {
    let side = t.active();
    let able = |unit| {
        field.rules.card(unit).kind == Kind::Infantry
            && !field.status(unit).routed
            && may_move(t, field, unit).is_ok()
    };
    let mut able = field.on_map(side).filter(|&(unit, _)| able(unit));
    let _ = able.try_for_each(|(unit, from)| {
        let (mover, most) = (Mover::new(t, field, unit), allowance(field, unit));
        let purse = Purse::only(most);
        reach(field, &mover, Origin::Hex(from), purse, |ways| {
            let hexes = ways.sets[0].iter();
            let mut contact = hexes.filter(|&hex| field.near_enemy(side, hex));
            contact.try_for_each(|hex| found(unit, hex))
        })
    });
}

/// Why a destination is not offered.
pub fn why_not_there(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let field = &Field::new(t);
    if let Err(refusal) = may_move(t, field, unit) {
        return refusal;
    }
    if t.res::<Moving>().picked != Some(unit) {
        return Refusal::new(rule!("5"), "is not the unit that is moving");
    }
    if t.hex(unit) == Some(hex) {
        return Refusal::new(rule!("5"), "stands there already: let it stay");
    }
    let mover = Mover::new(t, field, unit);
    let from = t.hex(unit).unwrap_or(hex);
    if let Err(refusal) = why_not_enter(t, &mover, from, hex) {
        return refusal;
    }
    if mover.leader && !safe(field.rules, field.stacks, mover.side, hex) {
        return Refusal::new(rule!("9.1"), "a leader may not end alone next to the enemy");
    }
    let purse = purse(field, t.res(), unit);
    let plain = Purse::only(purse.plain);
    if purse.most > purse.plain && way(t, field, unit, plain, hex).is_some() {
        return Refusal::new(rule!("5.5"), "is no farther than the unit goes without");
    }
    out_of_reach(t, field, unit, purse, hex)
}

/// Why a unit cannot come to a hex: the rule without which it could, or else its allowance.
fn out_of_reach(t: &Table, field: &Field, unit: UnitId, purse: Purse, hex: HexId) -> Refusal {
    const STOP: &str = "a unit that comes next to the enemy stops: no other way is short enough";
    let mover = Mover::new(t, field, unit);
    let near = if mover.routed {
        (
            NEAR,
            rule!("7.12"),
            "a routed unit may not come next to the enemy",
        )
    } else {
        (
            NEAR,
            rule!("8.1"),
            "at night no unit may come next to the enemy",
        )
    };
    let home = (
        0,
        rule!("7.12"),
        "a routed unit moves towards its communications",
    );
    let held = if mover.leader {
        rule!("9.1")
    } else {
        rule!("5.2")
    };
    let held = (HELD | ENEMY, held, "units stand in the way");
    let first = if mover.routed {
        home
    } else {
        (STOPS, rule!("5.4"), STOP)
    };
    for (heedless, cite, why) in [first, near, held] {
        let mover = Mover { heedless, ..mover };
        if way_of(t, field, &mover, unit, purse, hex).is_some() {
            return Refusal::new(cite, why);
        }
    }
    let why = "cannot be reached with its movement allowance";
    Refusal::new(rule!("5.1"), why)
}

/// Why the opponent may not lead a unit there (Commander's Initiative).
pub fn why_not_led(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let field = &Field::new(t);
    if let Err(refusal) = may_move(t, field, unit) {
        return refusal;
    }
    let able = field.rules.card(unit).kind == Kind::Infantry && !field.status(unit).routed;
    if !able || t.hex(unit).is_none() {
        return Refusal::new(rule!("4"), "only unrouted infantry on the map can be led");
    }
    if !field.near_enemy(t.active(), hex) {
        return Refusal::new(rule!("4"), "a unit that is led must end next to an enemy");
    }
    let purse = Purse::only(allowance(field, unit));
    out_of_reach(t, field, unit, purse, hex)
}

/// What it costs a unit to go to a hex, and the way it takes: that from the entry on, if it comes onto the
/// map. Of several lines of communications the cheapest way (§7.12).
pub fn way(
    t: &Table,
    field: &Field,
    unit: UnitId,
    purse: Purse,
    hex: HexId,
) -> Option<(u8, Vec<HexId>)> {
    way_of(t, field, &Mover::new(t, field, unit), unit, purse, hex)
}

/// The same for a mover that pays no heed to something.
fn way_of(
    t: &Table,
    field: &Field,
    mover: &Mover,
    unit: UnitId,
    purse: Purse,
    hex: HexId,
) -> Option<(u8, Vec<HexId>)> {
    let mut gates = vec![];
    let purse = Purse {
        more: (0, 0),
        ..purse
    };
    let origin = origin(t, field, unit, purse, &mut gates);
    let lines = 0..field.rules.communications.hexes[mover.side].len() as u8;
    let homeward = lines.filter(|_| mover.routed).filter_map(|line| {
        let towards = Some(line);
        way_to(field, &Mover { towards, ..*mover }, origin, purse, hex)
    });
    let best = homeward.min_by_key(|(cost, _)| *cost);
    best.or_else(|| way_to(field, mover, origin, purse, hex))
}

/// The hex by which a unit comes onto the map on its way to another: the cheapest way (§5.6).
pub fn gate_of(t: &Table, unit: UnitId, hex: HexId) -> HexId {
    let field = &Field::new(t);
    let (purse, mut gates) = (purse(field, t.res(), unit), vec![]);
    origin(t, field, unit, purse, &mut gates);
    if let [(only, _)] = gates[..] {
        return only;
    }
    let way = way(t, field, unit, purse, hex);
    way.and_then(|(_, hexes)| hexes.first().copied())
        .unwrap_or(hex)
}
