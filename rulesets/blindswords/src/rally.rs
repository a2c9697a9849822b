//! §L Rally: shaken units steady themselves, broken ones may come back.

use crate::acts::Do;
use crate::engine::{Answer, Question, pop, push, roll, swap};
use crate::field::{Field, label, name, occupy, status_mut};
use crate::rules::{Kind, NOBODY};
use crate::state::{Frame, boxes};
use crate::units::Units;
use cupola_kernel::{Event, Fault, HexId, Options, Place, Side, Table, UnitId, rule};

/// Whether a unit fits into its hex with one strength point more.
#[must_use]
pub fn fits_with(field: Field, unit: UnitId, hex: HexId, sp: i16) -> bool {
    let alone = field.t.stacks().units(hex).all(|other| other == unit);
    alone || field.sp_in(hex) - field.sp(unit) + sp <= field.room(hex)
}

/// Whether a shaken unit may lose its marker.
#[must_use]
pub fn may_steady(field: Field, unit: UnitId) -> bool {
    let Some(hex) = field.t.hex(unit) else {
        return false;
    };
    let status = field.status(unit);
    status.shaken
        && !status.frozen
        && !field.engaged(field.card(unit).side, hex)
        && fits_with(field, unit, hex, field.sp(unit) + 1)
}

/// The Rally Step of units under a Defend order (§G-5).
pub fn begin(t: &mut Table, side: Side, active: Units) {
    for unit in active {
        let field = Field::new(t);
        if field.card(unit).kind != Kind::Guns && may_steady(field, unit) {
            status_mut(t, unit).shaken = false;
            t.say(|t| {
                Event::new(
                    "rally",
                    rule!("L"),
                    format!("{} is steady again", name(t, unit)),
                )
                .unit(unit)
            });
        }
    }
    let field = Field::new(t);
    let broken = active.filter(|unit| {
        field.card(unit).kind == Kind::Foot && t.stacks().place(unit) == Place::Box(boxes::BROKEN)
    });
    if !broken.is_empty() {
        push(t, Frame::Rally(side, broken));
    }
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
    let Frame::RallyRoll(unit) = frame else {
        pop(t);
        return Ok(());
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
        Frame::Rally(..) => "Which broken unit tries to come back?".into(),
        Frame::Place(unit, _) => format!("Where does {} come back?", name(t, unit)),
        _ => "?".into(),
    }
}
