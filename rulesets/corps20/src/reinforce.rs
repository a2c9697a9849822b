//! §5.6 Reinforcements: the turn track, entry hexes, and those who must wait.

use crate::field::{enemy_in, name, near_enemy, rules, unit_in};
use crate::rules::Gate;
use crate::state::{Armies, Due, Marker, Moving, Status, Way, boxes};
use cupola_kernel::{Check, Event, HexId, Place, Side, Table, UnitId, require, rule};

/// A way onto the map, in half points.
pub struct WayIn {
    hex: HexId,
    /// What the hex itself costs.
    first: u8,
    /// What the hexes behind it cost, in which the unit waits while others enter (§5.6).
    queue: u8,
}

impl WayIn {
    /// The hex and what it costs to come there, if that is within `most` and what could be added. Who
    /// has nobody before him may always move one hex (§5.1).
    #[must_use]
    pub fn cost(&self, most: u8, more: u8) -> Option<(HexId, u8)> {
        let cost = match self.queue {
            0 => self.first.min(most),
            queue => self.first.saturating_add(queue),
        };
        (cost <= most + more).then_some((self.hex, cost))
    }
}

/// Whether a unit may come onto the map now.
pub fn may_enter(t: &Table, unit: UnitId) -> Check {
    let waits = t.stacks().place(unit) == Place::Box(boxes::TRACK);
    require(waits, rule!("7.11"), "is not on the map")?;
    let due = t.get::<Due>(unit);
    let late = due.round <= t.turn();
    require(late, rule!("5.6"), "arrives in a later round")?;
    let open = finds_entry(t, unit, due.by);
    require(open, rule!("5.6"), "finds its entry closed")
}

/// The same without the words, for somebody who has looked up when the unit is due.
#[must_use]
pub fn can_enter(t: &Table, unit: UnitId, due: &Due) -> bool {
    let waits = t.stacks().place(unit) == Place::Box(boxes::TRACK);
    waits && due.round <= t.turn() && finds_entry(t, unit, due.by)
}

/// Whether any way onto the map is open.
fn finds_entry(t: &Table, unit: UnitId, by: Way) -> bool {
    entries_by(t, unit, by).next().is_some()
}

/// Each way by which a unit can come onto the map: its entry, or any line of communications; map-edge
/// hexes beside one in which an enemy stands (§5.6, §8.2).
pub fn entries(t: &Table, unit: UnitId) -> impl Iterator<Item = WayIn> + '_ {
    entries_by(t, unit, t.get::<Due>(unit).by)
}

fn entries_by(t: &Table, unit: UnitId, by: Way) -> impl Iterator<Item = WayIn> + '_ {
    let (rules, side) = (rules(t), rules(t).card(unit).side);
    let all = match by {
        Way::Entry(number) => std::slice::from_ref(&rules.entries[usize::from(number)]),
        Way::Communications => &rules.communications.entries[side][..],
    };
    let gates = all.iter().flat_map(move |entry| {
        let closed = enemy_in(t, side, entry.gate.hex).is_some();
        match closed {
            false => std::slice::from_ref(&entry.gate),
            true => &entry.beside[..],
        }
    });
    gates.filter_map(move |gate| way_in(t, unit, gate))
}

/// The way through a gate: along its road half a point, but not into a hex next to the enemy (§5.3). The
/// queue stands on that road too, or in the open. Leaders are no units: they ride past the queue (§9.1).
fn way_in(t: &Table, unit: UnitId, gate: &Gate) -> Option<WayIn> {
    let (rules, hex) = (rules(t), gate.hex);
    let side = rules.card(unit).side;
    if rules.is_leader(unit) {
        let first = rules.costs.plain(gate.road);
        let free = enemy_in(t, side, hex).is_none();
        return free.then_some(WayIn {
            hex,
            first,
            queue: 0,
        });
    }
    let near = near_enemy(t, side, hex);
    // §8.1 By night nobody comes next to the enemy.
    if unit_in(t, hex).is_some() || (near && t.is_night()) {
        return None;
    }
    let first = match gate.road && !near {
        true => rules.costs.plain(true),
        false => gate.cost,
    };
    let place = rules.costs.plain(gate.road);
    let queues = &t.res::<Moving>().queues;
    let before = queues.iter().find(|(known, _)| *known == hex);
    let queue = before.map_or(0, |(_, count)| place * count);
    Some(WayIn { hex, first, queue })
}

/// Notes that a unit has come onto the map by this gate.
pub fn entered(t: &mut Table, unit: UnitId, gate: HexId, hex: HexId) {
    if !rules(t).is_leader(unit) {
        let queues = &mut t.res_mut::<Moving>().queues;
        match queues.iter_mut().find(|(known, _)| *known == gate) {
            Some((_, count)) => *count += 1,
            None => queues.push((gate, 1)),
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
    let (side, next) = (t.active(), t.turn() + 1);
    let due = t.column::<Due>();
    let mut late = waiting(t, side);
    late.retain(|unit| due[usize::from(unit.0)].round < next);
    for unit in late {
        t.get_mut::<Due>(unit).round = next;
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
        for marker in armies.guns.iter_mut().chain([&mut armies.chief]) {
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
    for marker in armies.guns.iter_mut().chain([&mut armies.chief]) {
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
