//! Where a unit can go: what the common search asks of these rules, in parts of a movement point.

use crate::field::Field;
use crate::files::{Entering, Leaving};
use crate::rules::{Hop, NEVER, Zones};
use cupola_kernel::{HexId, UnitId};
use cupola_kit::{HexSet, Search, Steps, Then, Ways};
use std::cell::RefCell;

/// Mark: the hex lies in an enemy's zone of control.
const ZONE: u16 = 1;
/// Mark: there is no room to stay.
const FULL: u16 = 2;

/// The search's memory; kept per thread, no part of the state.
#[derive(Default)]
struct Scratch {
    search: Search,
    found: HexSet,
    zone: HexSet,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The rules of movement as the search asks for them.
struct March<'a> {
    hops: &'a [[Hop; 6]],
    zones: Option<Zones>,
    zone: &'a HexSet,
    start: usize,
    most: u16,
    one_hex_always: bool,
    found: &'a mut HexSet,
}

impl Ways for March<'_> {
    #[inline]
    fn reached(&mut self, hex: usize, _: u16, marks: u16) -> Then {
        if hex == self.start {
            return Then::GoOn;
        }
        if marks & FULL == 0 {
            self.found.insert(HexId(hex as u16));
        }
        let stops = self
            .zones
            .is_some_and(|zones| zones.enter == Entering::Stops || zones.leave == Leaving::Never);
        if stops && marks & ZONE != 0 {
            Then::StopHere
        } else {
            Then::GoOn
        }
    }

    #[inline]
    fn steps(&self, hex: usize, _: u16, steps: &mut impl Steps) {
        let from = self.zones.filter(|_| self.zone.contains(HexId(hex as u16)));
        let first = hex == self.start && self.one_hex_always;
        for hop in &self.hops[hex] {
            steps.step(hop.to.into(), |marks| {
                let to = self.zones.filter(|_| marks & ZONE != 0);
                let cost = price(hop.cost, from, to);
                if first && cost != NEVER {
                    cost.min(self.most)
                } else {
                    cost
                }
            });
        }
    }
}

/// What a step costs from a hex in a zone, or not, into one in a zone, or not (§4.2, §4.5).
#[must_use]
#[inline]
pub fn price(hop: u16, from: Option<Zones>, to: Option<Zones>) -> u16 {
    let leave = from.map_or(0, |zones| match zones.leave {
        Leaving::Free => 0,
        Leaving::Costs(more) => u16::from(more),
        Leaving::Never => NEVER,
    });
    let enter = to.map_or(0, |zones| match zones.enter {
        Entering::Free | Entering::Stops => 0,
        Entering::Costs(more) => u16::from(more),
    });
    let hops = from.zip(to).is_some_and(|(zones, _)| !zones.hop);
    if hops {
        NEVER
    } else {
        hop.saturating_add(leave).saturating_add(enter)
    }
}

/// Calls `then` with every hex in which a unit can end its move.
pub fn destinations<R>(field: &Field, unit: UnitId, then: impl FnOnce(&HexSet) -> R) -> R {
    SCRATCH.with_borrow_mut(|scratch| {
        search(field, unit, scratch, |search, march| search.run(march));
        then(&scratch.found)
    })
}

/// What it costs a unit to come to a hex, and the way it takes, if it can end there.
#[must_use]
pub fn way_to(field: &Field, unit: UnitId, hex: HexId) -> Option<(u16, Vec<HexId>)> {
    SCRATCH.with_borrow_mut(|scratch| {
        let node = usize::from(hex.0);
        let found = search(field, unit, scratch, |search, march| {
            search.run_to(node, march);
            let cost = search.cost(node)?;
            let way = search.way(node).into_iter();
            Some((cost, way.map(|hex| HexId(hex as u16)).collect()))
        });
        found.filter(|_| scratch.found.contains(hex))
    })
}

/// Writes down who stands where, and lets the search run.
fn search<R: Default>(
    field: &Field,
    unit: UnitId,
    scratch: &mut Scratch,
    run: impl FnOnce(&mut Search, &mut March) -> R,
) -> R {
    let Scratch {
        search,
        found,
        zone,
    } = scratch;
    let (rules, card) = (field.rules, field.rules.card(unit));
    let hexes = rules.sides.len();
    let most = field.allowance(unit);
    search.begin(hexes, most);
    found.clear(hexes);
    zone.clear(hexes);
    let Some(start) = field.stacks.hex(unit) else {
        return R::default();
    };
    for (enemy, hex) in field.on_map(card.side.other()) {
        search.bar(usize::from(hex.0));
        if field.controls(enemy) {
            for near in rules.reaches(hex) {
                zone.insert(near);
                search.mark(usize::from(near.0), ZONE);
            }
        }
    }
    for (_, hex) in field.on_map(card.side) {
        if !field.has_room(card.side, hex) {
            search.mark(usize::from(hex.0), FULL);
        }
    }
    search.start_at(usize::from(start.0));
    let mut march = March {
        hops: &rules.hops[usize::from(card.kind)],
        zones: rules.zones,
        zone,
        start: usize::from(start.0),
        most,
        one_hex_always: rules.one_hex_always,
        found,
    };
    run(search, &mut march)
}
