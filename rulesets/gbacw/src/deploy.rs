//! §13.1 Set-up: places and facings that no list prints are the owner's choice, the Union's first.

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push};
use crate::extended;
use crate::facing::Facing;
use crate::field::{Field, did, label, name, occupy, rules, turn};
use crate::state::{Deed, Frame, boxes};
use cupola_kernel::{HexId, Options, Place, Side, Table, UnitId};

/// Before the first turn.
pub fn begin(t: &mut Table) -> Answer {
    if t.turn() == rules(t).first_turn {
        for special in (0..rules(t).specials.len()).rev() {
            crate::special::opens(t, special);
        }
        push(t, Frame::Deploy(Side::Second));
        push(t, Frame::Deploy(Side::First));
    }
    Ok(())
}

/// The next of a side who is to be placed (§13.11): troops, then those who join troops, then those who join leaders.
fn unplaced(t: &Table, side: Side) -> Option<UnitId> {
    let starts = (0u16..).zip(&rules(t).starts);
    let stage = |start: &crate::rules::Start| start.joins.as_ref().map(|named| !named.is_empty());
    starts
        .filter(|(_, start)| !start.near.is_empty() || start.joins.is_some())
        .map(|(unit, start)| (stage(start), UnitId(unit)))
        .filter(|&(_, unit)| rules(t).card(unit).side == side)
        .filter(|&(_, unit)| t.stacks().place(unit) == Place::Box(boxes::AWAITED))
        .filter(|&(_, unit)| !places(t, unit).is_empty())
        .min()
        .map(|(_, unit)| unit)
}

/// Where somebody may begin.
fn places(t: &Table, unit: UnitId) -> Vec<HexId> {
    let field = Field::new(t);
    let start = &field.rules.starts[usize::from(unit.0)];
    let side = field.card(unit).side;
    let open = |hex: HexId| {
        field.inside(hex) && field.holder(hex) != Some(side.other()) && field.fits(unit, hex)
    };
    let mut found: Vec<HexId> = match &start.joins {
        None => start
            .near
            .iter()
            .copied()
            .filter(|&hex| open(hex))
            .collect(),
        Some(named) if named.is_empty() => field
            .on_map(side)
            .filter(|&(other, _)| field.card(other).chain.contains(&unit))
            .map(|(_, hex)| hex)
            .collect(),
        Some(named) => named.iter().filter_map(|&other| t.hex(other)).collect(),
    };
    found.sort_unstable();
    found.dedup();
    found
}

/// The next hex of a side whose units have no facing yet.
#[must_use]
pub fn open_hex(t: &Table, side: Side) -> Option<HexId> {
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

/// The next of a side who may begin in an extended line (§12.2) and was not asked yet.
fn folded(t: &Table, side: Side) -> Option<UnitId> {
    let field = Field::new(t);
    let mut units = field.on_map(side).map(|(unit, _)| unit);
    let wanted = |unit: UnitId| field.rules.starts[usize::from(unit.0)].may_extend;
    units.find(|&unit| {
        field.rules.switches.extended_lines
            && wanted(unit)
            && !extended::is_extended(field, unit)
            && !field.deed(unit).any(Deed::TESTED)
    })
}

/// What the set-up asks.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Deploy(side) = *frame else {
        return None;
    };
    if let Some(unit) = unplaced(t, side) {
        return (places(t, unit).len() > 1).then_some((side, "place", "13.11"));
    }
    let facing = open_hex(t, side).map(|_| (side, "facing", "13.12"));
    facing.or_else(|| folded(t, side).map(|_| (side, "extend", "12.2")))
}

/// Goes on where nothing is asked: who has one place only stands there.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    let Frame::Deploy(side) = frame else {
        return Err(not_asked());
    };
    match unplaced(t, side) {
        Some(unit) => {
            let hex = places(t, unit).first().copied();
            occupy(t, unit, hex.ok_or_else(not_asked)?);
        }
        None => pop(t),
    }
    Ok(())
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let (Frame::Deploy(side), field) = (*frame, Field::new(t)) else {
        return;
    };
    if let Some(unit) = unplaced(t, side) {
        let places = places(t, unit);
        places.into_iter().for_each(|hex| out.push(Do::Place(hex)));
        return;
    }
    if open_hex(t, side).is_none() {
        if let Some(unit) = folded(t, side) {
            extended::options(field, unit, out);
            out.push(Do::Done);
        }
        return;
    }
    for facing in Facing::ALL {
        out.push(Do::Face(field.corner(facing)));
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    let Frame::Deploy(side) = frame else {
        return Err(not_asked());
    };
    match answer {
        Do::Place(hex) => {
            let unit = unplaced(t, side).ok_or_else(not_asked)?;
            occupy(t, unit, hex);
        }
        Do::Face(corner) => face(t, side, corner)?,
        Do::Extend(_) | Do::Done => {
            let unit = folded(t, side).ok_or_else(not_asked)?;
            did(t, unit, Deed::TESTED);
            if let Do::Extend(hand) = answer {
                let hand = Field::new(t).hand_of(hand);
                extended::extend(t, unit, hand);
            }
        }
        _ => return Err(not_asked()),
    }
    Ok(())
}

/// Those in the next hex look somewhere.
fn face(t: &mut Table, side: Side, corner: cupola_kernel::TokenId) -> Answer {
    let hex = open_hex(t, side).ok_or_else(not_asked)?;
    let field = Field::new(t);
    let facing = field.facing_of(corner);
    let stack: Vec<UnitId> = field.fighters(hex).collect();
    for unit in stack {
        turn(t, unit, facing);
        did(t, unit, Deed::ACTED);
    }
    Ok(())
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    let Frame::Deploy(side) = *frame else {
        return "?".into();
    };
    if let Some(unit) = unplaced(t, side) {
        return format!("Where does {} begin?", name(t, unit));
    }
    match (open_hex(t, side), folded(t, side)) {
        (Some(hex), _) => format!("Which way do those in {} face?", label(t, hex)),
        (None, Some(unit)) => format!("Does {} begin in an extended line?", name(t, unit)),
        (None, None) => "?".into(),
    }
}
