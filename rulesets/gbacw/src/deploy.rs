//! §13.12 Set-up: facings that no list prints are the owner's choice, the Union's first.

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push};
use crate::facing::Facing;
use crate::field::{Field, label, rules, turn};
use crate::state::{Deed, Frame};
use cupola_kernel::{HexId, Options, Side, Table, UnitId};

/// Before the first turn.
pub fn begin(t: &mut Table) -> Answer {
    if t.turn() == rules(t).first_turn {
        push(t, Frame::Deploy(Side::Second));
        push(t, Frame::Deploy(Side::First));
    }
    Ok(())
}

/// The next hex of a side whose units have no facing yet.
fn open_hex(t: &Table, side: Side) -> Option<HexId> {
    let field = Field::new(t);
    field
        .on_map(side)
        .filter(|&(unit, _)| {
            rules(t).starts[usize::from(unit.0)].facing.is_none()
                && !field.deed(unit).any(Deed::ACTED)
        })
        .map(|(_, hex)| hex)
        .min()
}

/// What the set-up asks.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Deploy(side) = *frame else {
        return None;
    };
    open_hex(t, side).map(|_| (side, "facing", "13.12"))
}

/// Lists the answers.
pub fn options(t: &Table, _: &Frame, out: &mut Options) {
    let field = Field::new(t);
    for facing in Facing::ALL {
        out.push(Do::Face(field.corner(facing)));
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    let (Frame::Deploy(side), Do::Face(corner)) = (frame, answer) else {
        return Err(not_asked());
    };
    let hex = open_hex(t, side).ok_or_else(not_asked)?;
    let field = Field::new(t);
    let facing = field.facing_of(corner);
    let stack: Vec<UnitId> = field.fighters(hex).collect();
    for unit in stack {
        turn(t, unit, facing);
        crate::field::did(t, unit, Deed::ACTED);
    }
    if open_hex(t, side).is_none() {
        pop(t);
    }
    Ok(())
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    let Frame::Deploy(side) = *frame else {
        return "?".into();
    };
    let hex = open_hex(t, side).map_or("?", |hex| label(t, hex));
    format!("Which way do those in {hex} face?")
}
