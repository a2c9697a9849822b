//! Why a block may not move as its owner would like.

use super::mover::{Mover, used_up, why_not_step};
use super::reach::{FOREVER, Found, Origin, reach_on};
use super::{chosen, entry, fits, points};
use crate::field::{count, rules};
use crate::state::{Chosen, Hexes};
use cupola_kernel::{HexId, Refusal, Table, UnitId, require, rule};

/// Why a destination is not offered.
pub fn why_not_there(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let side = rules(t).card(unit).side;
    if let Err(refusal) = chosen(t, unit) {
        return refusal;
    }
    if t.hex(unit) == Some(hex) {
        return Refusal::new(rule!("6.1"), "stands there already: let it stay");
    }
    if !fits(t, unit, hex) {
        return Refusal::new(rule!("6.2"), "the hex is full");
    }
    if count(t, side.other(), hex) > 0 {
        return Refusal::new(rule!("6.1"), "the hex holds enemies");
    }
    let from = t
        .hex(unit)
        .filter(|&from| rules(t).direction(from, hex).is_some());
    let step = from.and_then(|from| why_not_step(t, &Mover::new(t, unit), from, hex).err());
    step.unwrap_or_else(|| out_of_reach(t, unit, hex))
}

/// What a hex costs a block with so many points if the field were like this; none if it cannot come there.
fn cost_on(t: &Table, field: &Hexes, unit: UnitId, hex: HexId, points: u8) -> Option<u8> {
    let cost = |found: &Found| found.cost(hex);
    match (t.hex(unit), t.res::<Chosen>().entry) {
        (Some(from), _) => {
            let mover = Mover::new(t, unit);
            reach_on(t, field, &mover, Origin::Hex(from), points, cost)
        }
        (None, way) => {
            let arrival = entry::arrival(t, unit, way?, points)?;
            let origin = Origin::Edge(&arrival.doors);
            reach_on(t, field, &arrival.mover, origin, arrival.points, cost)
        }
    }
}

/// Why a block cannot come to a hex: the rule without which it could, or else its points.
fn out_of_reach(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let (enemy, most) = (t.active().other() as usize, points(t, unit));
    let mut field = t.res::<Hexes>().clone();
    let comes = |field: &Hexes| cost_on(t, field, unit, hex, most).is_some();
    field.crossed.fill(0);
    if comes(&field) {
        let why = "two blocks have crossed a hexside on every way that is short enough";
        return Refusal::new(rule!("6.62"), why);
    }
    field.near[enemy].fill(0);
    if comes(&field) {
        return if t.is_night() {
            let why = "at night no block comes next to the enemy, and every way there does";
            Refusal::new(rule!("9.72"), why)
        } else {
            let why =
                "next to the enemy a block stops, and every way that is short enough leads there";
            Refusal::new(rule!("6.61"), why)
        };
    }
    field.count[enemy].fill(0);
    if comes(&field) {
        return Refusal::new(rule!("6.1"), "enemies stand in the way");
    }
    let way = t.res::<Chosen>().entry.filter(|_| t.hex(unit).is_none());
    let arrival = way.and_then(|way| entry::arrival(t, unit, way, most));
    if arrival.is_some_and(|arrival| arrival.mover.marches) {
        let why = "keeps to the roads of the night's reinforcements, up to the town";
        return Refusal::new(rule!("9.74"), why);
    }
    let why = match cost_on(t, t.res(), unit, hex, FOREVER) {
        Some(cost) => format!("costs {cost} points, and the block has {most}"),
        None => "cannot be reached with its points".into(),
    };
    Refusal::new(rule!("6.3"), why)
}

/// Why a block does not come in column.
pub fn why_not_march(t: &Table, unit: UnitId) -> Refusal {
    let option = rules(t).switches.column_and_line;
    Refusal::of(
        chosen(t, unit)
            .and_then(|()| require(option, rule!("6.0"), "an optional rule"))
            .and(Err(Refusal::new(
                rule!("6.7"),
                "is not one of its entry roads",
            ))),
    )
}

/// Why a hexside of the frontline is not offered.
pub fn why_not_via(t: &Table, unit: UnitId, through: HexId, hex: HexId) -> Refusal {
    let (side, from) = (rules(t).card(unit).side, t.hex(unit));
    if let Err(refusal) = chosen(t, unit) {
        return refusal;
    }
    let (before, after) = if rules(t).direction(through, hex).is_some() {
        (through, hex)
    } else {
        (from.unwrap_or(through), through)
    };
    if used_up(t, side, before, after) {
        return Refusal::new(rule!("6.62"), "two blocks have crossed that hexside");
    }
    let why =
        "no other hexside of the frontline leads there with its points, or it is the usual one";
    Refusal::new(rule!("6.62"), why)
}

/// Why a block may not leave the map there.
pub fn why_not_leave(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let rim = rules(t).rim[usize::from(hex.0)];
    let there = "has not the points to leave the map there, or must stop there";
    Refusal::of(
        chosen(t, unit)
            .and_then(|()| require(rim, rule!("2.4"), "is not on the map's edge"))
            .and(Err(Refusal::new(rule!("2.4"), there))),
    )
}

/// Why a block may not change its formation where it goes.
pub fn why_not_halt(t: &Table, unit: UnitId) -> Refusal {
    let option = rules(t).switches.column_and_line;
    let why = "half its points must take it there, out of the frontline, and a column stands alone";
    Refusal::of(
        chosen(t, unit)
            .and_then(|()| require(option, rule!("6.0"), "an optional rule"))
            .and(Err(Refusal::new(rule!("6.0"), why))),
    )
}
