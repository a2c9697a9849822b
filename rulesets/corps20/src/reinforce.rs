//! §5.6 Reinforcements: the turn track, entry hexes, and those who must wait.

use crate::field::{enemy_in, name, near_enemy, rules, unit_in};
use crate::state::{Armies, Due, Marker, Moving, Status, Way, boxes};
use cupola_kernel::{Check, Event, HexId, Place, Side, Table, UnitId, require, rule};

/// Whether a unit may come onto the map now.
pub fn may_enter(t: &Table, unit: UnitId) -> Check {
    let waits = t.stacks().place(unit) == Place::Box(boxes::TRACK);
    require(waits, rule!("7.11"), "is not on the map")?;
    require(
        t.get::<Due>(unit).round <= t.turn(),
        rule!("5.6"),
        "arrives in a later round",
    )?;
    let mut any = false;
    entries(t, unit, |_, _| any = true);
    require(any, rule!("5.6"), "finds its entry occupied")
}

/// Calls `found` with each hex by which a unit can come onto the map, and what that costs in half
/// points: the hex itself, and half a point for everyone who came this way before (§5.6).
pub fn entries(t: &Table, unit: UnitId, mut found: impl FnMut(HexId, u8)) {
    let side = rules(t).card(unit).side;
    let leader = rules(t).is_leader(unit);
    let open = |hex: HexId| {
        if leader {
            enemy_in(t, side, hex).is_none()
        } else {
            unit_in(t, hex).is_none()
        }
    };
    match t.get::<Due>(unit).by {
        Way::Entry(number) => {
            let entry = &rules(t).entries[usize::from(number)];
            let queue = queue(t, number);
            if enemy_in(t, side, entry.hex).is_none() {
                if open(entry.hex) {
                    found(entry.hex, queue + entry_cost(t, side, entry.hex));
                }
            } else {
                let beside = entry.beside.iter().copied().filter(|&hex| open(hex));
                beside.for_each(|hex| found(hex, queue + 2));
            }
        }
        Way::Communications => {
            let lines = rules(t).communications[side]
                .iter()
                .copied()
                .filter(|&hex| open(hex));
            lines.for_each(|hex| found(hex, entry_cost(t, side, hex)));
        }
    }
}

/// Entries lie on roads: half a point, or a full one next to the enemy, where roads do not help (§5.3).
fn entry_cost(t: &Table, side: Side, hex: HexId) -> u8 {
    if near_enemy(t, side, hex) { 2 } else { 1 }
}

fn queue(t: &Table, entry: u8) -> u8 {
    t.res::<Moving>()
        .queues
        .iter()
        .find(|(number, _)| *number == entry)
        .map_or(0, |(_, count)| *count)
}

/// Notes that a unit has come onto the map.
pub fn entered(t: &mut Table, unit: UnitId, hex: HexId) {
    if rules(t).is_leader(unit) {
        return;
    }
    if let Way::Entry(number) = t.get::<Due>(unit).by {
        let queues = &mut t.res_mut::<Moving>().queues;
        match queues.iter_mut().find(|(known, _)| *known == number) {
            Some((_, count)) => *count += 1,
            None => queues.push((number, 1)),
        }
    }
    t.say(|t| {
        Event::new("arrive", rule!("5.6"), format!("{} arrives", name(t, unit)))
            .unit(unit)
            .hex(hex)
    });
}

/// At the end of the Movement Phase, those who have not come wait for the next round (§5.6).
pub fn leftovers_wait(t: &mut Table) {
    let side = t.active();
    for unit in waiting(t, side) {
        let now = t.turn();
        let due = t.get_mut::<Due>(unit);
        due.round = due.round.max(now + 1);
    }
}

/// The units and leaders of a side on the turn track.
#[must_use]
pub fn waiting(t: &Table, side: Side) -> Vec<UnitId> {
    t.stacks()
        .boxed(boxes::TRACK)
        .filter(|&unit| rules(t).card(unit).side == side)
        .collect()
}

/// Moves what a side expects in one round to another (cards 1, 2, 8, 12).
pub fn reschedule(t: &mut Table, side: Side, from: u16, to: u16) {
    for unit in waiting(t, side) {
        let due = t.get_mut::<Due>(unit);
        if due.round == from {
            due.round = to;
        }
    }
    if side == Side::First {
        let armies = t.res_mut::<Armies>();
        for marker in armies.guns.iter_mut().chain([&mut armies.lee]) {
            if *marker == Marker::Due(from) {
                *marker = Marker::Due(to);
            }
        }
    }
}

/// Markers whose round has come are at hand (§9.2, §9.3).
pub fn markers_arrive(t: &mut Table) {
    if t.active() != Side::First {
        return;
    }
    let now = t.turn();
    let armies = t.res_mut::<Armies>();
    for marker in armies.guns.iter_mut().chain([&mut armies.lee]) {
        if matches!(marker, Marker::Due(round) if *round <= now) {
            *marker = Marker::Ready;
        }
    }
}

/// Puts a unit on the turn track for the next round, to enter by any communications (§8.2).
pub fn queue_at_communications(t: &mut Table, unit: UnitId) {
    let round = t.turn() + 1;
    *t.get_mut::<Due>(unit) = Due {
        round,
        by: Way::Communications,
    };
    t.place(unit, Place::Box(boxes::TRACK));
}

/// A unit on the turn track comes a round later, or as many earlier (cards 3, 4, 5, 9, 10, 11).
pub fn shift(t: &mut Table, unit: UnitId, by: i16) {
    if t.stacks().place(unit) == Place::Box(boxes::TRACK) {
        let now = t.turn();
        let due = t.get_mut::<Due>(unit);
        due.round = due.round.saturating_add_signed(by).max(now);
    }
}

/// A unit comes back tired (§8.2), on the map.
pub fn place_tired(t: &mut Table, unit: UnitId, hex: HexId) {
    t.place(unit, Place::Hex(hex));
    tire_afresh(t, unit);
}

/// A unit that returns to play is tired and nothing else, but stays a cadre if it is one.
pub fn tire_afresh(t: &mut Table, unit: UnitId) {
    let cadre = t.get::<Status>(unit).cadre;
    *t.get_mut::<Status>(unit) = Status {
        fatigue: 1,
        cadre,
        ..Status::default()
    };
}
