//! §5.19, §5.4 Coming onto the map: staging areas with their queues, blocked entries, roads off the map.

use crate::field::{Field, name, rules, status_mut};
use crate::movement::Manner;
use crate::rules::{Gate, Road};
use crate::state::{Activation, Land, Order, boxes};
use crate::steps::Gait;
use cupola_ground::{Direction, RoadKind};
use cupola_kernel::{Check, Event, HexId, Place, Side, Table, UnitId, forbid, require, rule};

/// Whether a unit is off the map and may come on: as a reinforcement (§5.41), or from a road off the map (§5.19).
#[must_use]
pub fn due(t: &Table, unit: UnitId) -> bool {
    match t.stacks().place(unit) {
        Place::Box(boxes::AWAITED) => arrives(t, unit).is_some_and(|(turn, _)| turn <= t.turn()),
        Place::Box(boxes::ROAD) => true,
        _ => false,
    }
}

/// When and by which gate a unit comes.
#[must_use]
pub fn arrives(t: &Table, unit: UnitId) -> Option<(u16, &Gate)> {
    let mut specials = rules(t).specials.iter();
    let other = specials.find_map(|rule| rule.arrival(t, unit));
    let (turn, gate) = other.or(rules(t).starts[usize::from(unit.0)].arrives)?;
    Some((turn, rules(t).gates.get(usize::from(gate))?))
}

/// Whether a brigade has units that come onto the map on this turn.
#[must_use]
pub fn arriving(t: &Table, brigade: u16) -> bool {
    let units = &rules(t).brigades[usize::from(brigade)].units;
    units.iter().any(|&unit| {
        t.stacks().place(unit) == Place::Box(boxes::AWAITED)
            && arrives(t, unit).is_some_and(|(turn, _)| turn == t.turn())
    })
}

/// Where a unit's way begins, and what it has spent until there: its hex, or the hexes by which it may come on.
#[must_use]
pub fn doors(field: Field, unit: UnitId, manner: &Manner) -> Vec<(HexId, u8)> {
    if let Some(hex) = field.t.hex(unit) {
        return vec![(hex, 0)];
    }
    if !due(field.t, unit) {
        return vec![];
    }
    let mut doors = match field.t.stacks().place(unit) {
        Place::Box(boxes::ROAD) => exits(field, unit, manner),
        _ => entrances(field, unit, manner),
    };
    doors.retain(|&(hex, _)| may_enter(field, unit, hex).is_ok());
    doors
}

/// Whether a unit may come on by a hex (§5.42).
pub fn may_enter(field: Field, unit: UnitId, hex: HexId) -> Check {
    let enemy = field.card(unit).side.other();
    forbid(
        field.holder(hex) == Some(enemy),
        rule!("5.42"),
        "is held by the enemy",
    )?;
    let specials = &field.rules.specials;
    specials
        .iter()
        .try_for_each(|rule| rule.may_enter(field.t, unit, hex))
}

/// The hexes of a staging area that are open to a unit, each with its price (§5.41, §5.47).
fn entrances(field: Field, unit: UnitId, manner: &Manner) -> Vec<(HexId, u8)> {
    let Some((turn, gate)) = arrives(field.t, unit) else {
        return vec![];
    };
    let side = field.card(unit).side;
    let held = |hex: HexId| field.holder(hex) == Some(side.other());
    let marching = field.order(unit) == Order::March;
    let listed = if marching { &gate.direct } else { &gate.hexes };
    let mut hexes: Vec<HexId> = listed.iter().copied().filter(|&hex| !held(hex)).collect();
    let pressed = |&hex: &HexId| held(hex) || field.near_enemy(side, hex);
    if gate.direct.iter().any(pressed) {
        hexes.extend(gate.instead.iter().copied().filter(|&hex| !held(hex)));
    }
    if hexes.is_empty() && turn < field.t.turn() {
        hexes = detour(field, side, gate);
    }
    hexes.sort_unstable();
    hexes.dedup();
    let price = |hex: HexId| {
        let ahead = queue(field, unit, manner, hex);
        toll(field, unit, manner, hex).checked_add(ahead)
    };
    let priced = hexes.into_iter().filter_map(|hex| Some((hex, price(hex)?)));
    priced.filter(|(_, paid)| *paid <= manner.limit).collect()
}

/// §5.43: the hexes of the map's border nearest to a gate that is shut, not next to an enemy.
fn detour(field: Field, side: Side, gate: &Gate) -> Vec<HexId> {
    let board = field.t.board();
    let Some(&direct) = gate.direct.first() else {
        return vec![];
    };
    let free =
        |&hex: &HexId| field.holder(hex) != Some(side.other()) && !field.near_enemy(side, hex);
    let border = field.rules.border.iter().copied();
    let open: Vec<HexId> = border.filter(free).collect();
    let apart = |hex: HexId| board.distance(hex, direct);
    let nearest = open.iter().map(|&hex| apart(hex)).min();
    open.into_iter()
        .filter(|&hex| Some(apart(hex)) == nearest)
        .collect()
}

/// What the hex of entry costs by the cheapest way in.
fn toll(field: Field, unit: UnitId, manner: &Manner, hex: HexId) -> u8 {
    let free = arrives(field.t, unit).is_some_and(|(_, gate)| !gate.toll);
    if free {
        return 0;
    }
    let ways = Direction::ALL.into_iter().filter_map(|way| {
        let from = field.t.board().neighbour(hex, way)?;
        let step = field
            .rules
            .steps
            .get(manner.mover, manner.gait, from, way.opposite())?;
        Some(step.cost)
    });
    ways.min().unwrap_or(2)
}

/// What those cost who came on by the same hex before: a road hex each (§5.41). Leaders ride past them.
fn queue(field: Field, unit: UnitId, manner: &Manner, hex: HexId) -> u8 {
    if !field.rules.fights(unit) {
        return 0;
    }
    let queues = &field.t.res::<Activation>().queue;
    let ahead = queues
        .iter()
        .find(|(at, _)| *at == hex)
        .map_or(0, |(_, ahead)| *ahead);
    ahead.saturating_mul(road_hex(field, manner, hex))
}

/// What the road by which one comes on costs for a hex: a column pays for it as it does on the map (§4.32, §12.7).
fn road_hex(field: Field, manner: &Manner, hex: HexId) -> u8 {
    let (board, steps) = (field.t.board(), &field.rules.steps);
    let road = steps.road(manner.mover);
    if !matches!(manner.gait, Gait::March | Gait::Wary) {
        return road;
    }
    let on_it = Direction::ALL.into_iter().filter(|&way| {
        let kind = board.side(hex, way).road;
        matches!(kind, Some(RoadKind::Pike | RoadKind::Road))
    });
    let costs = on_it.filter_map(|way| Some(steps.get(manner.mover, manner.gait, hex, way)?.cost));
    costs.min().map_or(road, |cost| cost.min(road))
}

/// Notes that a unit has come on by a hex.
pub fn entered(t: &mut Table, unit: UnitId, hex: HexId) {
    status_mut(t, unit).road = 0;
    status_mut(t, unit).gone = 0;
    if rules(t).fights(unit) {
        let queues = &mut t.res_mut::<Activation>().queue;
        match queues.iter_mut().find(|(at, _)| *at == hex) {
            Some((_, ahead)) => *ahead += 1,
            None => queues.push((hex, 1)),
        }
    }
}

/// Looks which gates somebody is still to come by; called once a unit has left the box, and every turn.
pub fn look(t: &mut Table) {
    let waits = |unit: &UnitId| t.stacks().place(*unit) == Place::Box(boxes::AWAITED);
    let gates = rules(t).gates.iter().enumerate();
    let bits = gates
        .filter(|(_, gate)| gate.units.iter().any(waits))
        .fold(0, |bits, (number, _)| bits | 1u64 << number.min(63));
    t.res_mut::<Land>().pending = bits;
}

/// Gates by which enemies of a side are still to come.
fn pending<'a>(field: Field<'a>, side: Side) -> impl Iterator<Item = &'a Gate> {
    let bits = field.t.res::<Land>().pending;
    let gates = field.rules.gates.iter().enumerate();
    gates
        .filter(move |(number, gate)| bits >> (*number).min(63) & 1 == 1 && gate.side != side)
        .map(|(_, gate)| gate)
}

/// Hexes that a side keeps out of since enemies are to come there (§5.47).
pub fn wards<'a>(field: Field<'a>, side: Side) -> impl Iterator<Item = HexId> + 'a {
    pending(field, side).flat_map(|gate| gate.ward.iter().copied())
}

/// Whether a hex is one of them.
#[must_use]
pub fn warded(field: Field, side: Side, hex: HexId) -> bool {
    wards(field, side).any(|other| other == hex)
}

/// The road off the map that begins where a unit stands, if it may take it (§5.19).
pub fn may_leave(field: Field, unit: UnitId) -> Result<u8, cupola_kernel::Refusal> {
    let here = field.t.hex(unit);
    let side = field.card(unit).side;
    let roads = field.rules.roads.iter();
    let found = roads
        .enumerate()
        .find(|(_, road)| Some(road.hex) == here && road.sides[side]);
    let attacks = field.deed(unit).any(crate::state::Deed::ATTACKS);
    forbid(attacks, rule!("5.19"), "attacks")?;
    require(
        found.is_some(),
        rule!("5.19"),
        "is not where a road leaves the map",
    )?;
    Ok(found.map_or(0, |(number, _)| number as u8))
}

/// A unit leaves by a road off the map: what it could still have gone it goes there.
pub fn leave(t: &mut Table, unit: UnitId, road: u8, points: u8) {
    let hex = t.hex(unit);
    let status = status_mut(t, unit);
    (status.road, status.gone) = (road + 1, points);
    t.place(unit, Place::Box(boxes::ROAD));
    t.say(|t| {
        let place = hex.map_or("", |hex| t.board().label(hex)).to_owned();
        let text = format!("{} leaves the map by the road at {place}", name(t, unit));
        Event::new("leave", rule!("5.19"), text).unit(unit)
    });
}

/// A unit on a road off the map goes on there.
pub fn go_on(t: &mut Table, unit: UnitId, points: u8) {
    let status = status_mut(t, unit);
    status.gone = status.gone.saturating_add(points);
}

/// Where a unit on a road off the map may come on again, and what it must still spend until there.
fn exits(field: Field, unit: UnitId, manner: &Manner) -> Vec<(HexId, u8)> {
    let (status, side) = (field.status(unit), field.card(unit).side);
    let Some(road) = status
        .road
        .checked_sub(1)
        .and_then(|road| field.rules.roads.get(usize::from(road)))
    else {
        return vec![];
    };
    let column = matches!(manner.gait, Gait::March | Gait::Wary);
    let mut doors: Vec<(HexId, u8)> = road
        .exits
        .iter()
        // No unit comes next to an enemy by such a road.
        .filter(|exit| !field.near_enemy(side, exit.hex))
        .filter_map(|exit| {
            let far = exit.cost(column).saturating_sub(u16::from(status.gone));
            let all = far + u16::from(toll(field, unit, manner, exit.hex));
            let paid = all + u16::from(queue(field, unit, manner, exit.hex));
            (paid <= u16::from(manner.limit)).then_some((exit.hex, paid as u8))
        })
        .collect();
    doors.sort_unstable();
    doors
}

impl Road {
    /// The end of a road off the map, with nothing beyond it yet.
    #[must_use]
    pub fn at(hex: HexId, sides: cupola_kernel::BySide<bool>) -> Road {
        Road {
            hex,
            sides,
            exits: vec![],
        }
    }
}
