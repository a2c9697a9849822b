//! §L Rally: shaken units steady themselves, broken ones may come back.

use crate::acts::Do;
use crate::engine::{Answer, Question, pop, push, swap};
use crate::field::{Field, label, name, occupy, status_mut};
use crate::rules::{Kind, NOBODY};
use crate::shown::roll;
use crate::state::{Frame, boxes};
use crate::units::Units;
use cupola_kernel::{
    Check, Event, Fault, HexId, Options, Place, Side, Table, UnitId, forbid, require, rule,
};

/// Whether a unit fits into its hex with one strength point more.
#[must_use]
pub fn fits_with(field: Field, unit: UnitId, hex: HexId, sp: i16) -> bool {
    let alone = field.t.stacks().units(hex).all(|other| other == unit);
    alone || field.sp_in(hex) - field.sp(unit) + sp <= field.room(hex)
}

/// Whether a shaken unit may lose its marker (§L-1).
pub fn may_steady(field: Field, unit: UnitId) -> Check {
    let status = field.status(unit);
    require(status.shaken, rule!("L"), "is not shaken")?;
    forbid(
        status.frozen,
        rule!("F-2"),
        "is caught in battlefield chaos",
    )?;
    let Some(hex) = field.t.hex(unit) else {
        return require(false, rule!("L"), "is not on the map");
    };
    // Next to an enemy in chaos as well: he engages nobody, but he is there.
    forbid(
        field.beside_enemy(field.card(unit).side, hex),
        rule!("L"),
        "is next to an enemy",
    )?;
    require(
        fits_with(field, unit, hex, field.sp(unit) + 1),
        rule!("L"),
        "has no room in its hex without the marker",
    )
}

/// Shaken units of these that may lose their markers; artillery may only in its own phase (§L-1).
fn steadying(field: Field, units: Units) -> Units {
    units.filter(|unit| field.card(unit).kind != Kind::Guns && may_steady(field, unit).is_ok())
}

/// Those of them who cannot all do so, for want of room in their hex: their owner chooses who does.
fn contested(field: Field, units: Units) -> Units {
    let all = steadying(field, units);
    let crowded = |hex: HexId| {
        let here = all.and(field.units(hex)).count() as i16;
        here > 1 && field.sp_in(hex) + here > field.room(hex)
    };
    all.filter(|unit| field.t.hex(unit).is_some_and(crowded))
}

/// A unit loses its marker.
fn steady(t: &mut Table, unit: UnitId) {
    status_mut(t, unit).shaken = false;
    t.say(|t| {
        let text = format!("{} is steady again", name(t, unit));
        Event::new("rally", rule!("L"), text).unit(unit)
    });
}

/// The Rally Step of units under a Defend order (§G-5).
pub fn begin(t: &mut Table, side: Side, active: Units) {
    let field = Field::new(t);
    let broken = active.filter(|unit| {
        field.card(unit).kind == Kind::Foot && t.stacks().place(unit) == Place::Box(boxes::BROKEN)
    });
    if !broken.is_empty() {
        push(t, Frame::Rally(side, broken));
    }
    push(t, Frame::Steady(side, active));
}

/// Where a broken unit may return: beside its brigade, else its division, else its corps.
#[must_use]
pub fn places(field: Field, unit: UnitId) -> Vec<HexId> {
    let card = field.card(unit);
    let kin = |level: u8, other: UnitId| {
        let theirs = field.card(other);
        other != unit
            && match level {
                0 => theirs.brigade == card.brigade,
                1 => theirs.division == card.division && card.division != NOBODY,
                _ => theirs.corps == card.corps && card.corps != NOBODY,
            }
    };
    for level in 0..3 {
        let beside = field
            .on_map(card.side)
            .filter(|&(other, _)| kin(level, other));
        let mut hexes: Vec<HexId> = beside
            .flat_map(|(_, hex)| field.rules.around(hex))
            .filter(|&hex| {
                let enemy = |hex: HexId| field.holder(hex) == Some(card.side.other());
                !enemy(hex) && !field.rules.around(hex).any(enemy) && field.fits(unit, hex)
            })
            .collect();
        hexes.sort_unstable();
        hexes.dedup();
        if !hexes.is_empty() {
            return hexes;
        }
    }
    vec![]
}

/// What the frames of rallying ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let field = Field::new(t);
    match *frame {
        Frame::Steady(side, units) => {
            (!contested(field, units).is_empty()).then_some((side, "steady", "L"))
        }
        Frame::Rally(side, left) => left
            .into_iter()
            .any(|unit| !places(field, unit).is_empty())
            .then_some((side, "rally", "L")),
        Frame::Place(unit, _) => Some((field.card(unit).side, "place", "L")),
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Result<(), Fault> {
    let unit = match frame {
        Frame::RallyRoll(unit) => unit,
        Frame::Steady(_, units) => {
            pop(t);
            steadying(Field::new(t), units).for_each(|unit| steady(t, unit));
            return Ok(());
        }
        _ => {
            pop(t);
            return Ok(());
        }
    };
    let Some([die, ..]) = roll(t, 1, "rally", unit) else {
        return Ok(());
    };
    // Broken units always have support (§A-e).
    let cr = Field::new(t).cohesion(unit, true);
    t.say(|t| {
        let text = format!("{} rallies with {die} against {cr}", name(t, unit));
        Event::new("rally", rule!("L"), text).unit(unit).number(die)
    });
    match (die as i8).cmp(&cr) {
        std::cmp::Ordering::Less => swap(t, Frame::Place(unit, false)),
        std::cmp::Ordering::Equal => swap(t, Frame::Place(unit, true)),
        std::cmp::Ordering::Greater => pop(t),
    }
    Ok(())
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let field = Field::new(t);
    match *frame {
        Frame::Steady(_, units) => {
            contested(field, units).for_each(|unit| out.push(Do::Rally(unit)));
        }
        Frame::Rally(_, left) => {
            left.filter(|unit| !places(field, unit).is_empty())
                .for_each(|unit| out.push(Do::Rally(unit)));
            out.push(Do::Done);
        }
        Frame::Place(unit, _) => places(field, unit)
            .into_iter()
            .for_each(|hex| out.push(Do::At(hex))),
        _ => {}
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Steady(..), Do::Rally(unit)) => steady(t, unit),
        (Frame::Rally(side, left), Do::Rally(unit)) => {
            swap(t, Frame::Rally(side, left.without(unit)));
            push(t, Frame::RallyRoll(unit));
        }
        (Frame::Rally(..), Do::Done) => pop(t),
        (Frame::Place(unit, shaken), Do::At(hex)) => {
            pop(t);
            occupy(t, unit, hex);
            status_mut(t, unit).shaken = shaken;
            t.say(|t| {
                Event::new(
                    "return",
                    rule!("L"),
                    format!("{} comes back at {}", name(t, unit), label(t, hex)),
                )
                .unit(unit)
                .hex(hex)
            });
        }
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Steady(..) => "Not all have room to steady themselves: who does?".into(),
        Frame::Rally(..) => "Which broken unit tries to come back?".into(),
        Frame::Place(unit, _) => format!("Where does {} come back?", name(t, unit)),
        _ => "?".into(),
    }
}
