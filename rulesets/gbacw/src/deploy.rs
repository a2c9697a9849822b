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

/// Those of a side who stand where the list puts them first and may begin elsewhere (§13.11), as long as nobody has asked
/// about them.
fn movable(t: &Table, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let field = Field::new(t);
    let starts = (0u16..).zip(&field.rules.starts);
    let free = starts.filter(|(_, start)| start.at.is_some() && start.near.len() > 1);
    free.map(|(unit, _)| UnitId(unit)).filter(move |&unit| {
        field.card(unit).side == side && t.hex(unit).is_some() && !field.deed(unit).any(Deed::MOVED)
    })
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

/// Who is to be placed next.
#[must_use]
pub fn placed(t: &Table, frame: &Frame) -> Option<UnitId> {
    match *frame {
        Frame::Shift(unit) => Some(unit),
        Frame::Deploy(side) => unplaced(t, side),
        _ => None,
    }
}

/// What the set-up asks.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    if let Frame::Shift(unit) = *frame {
        return Some((rules(t).card(unit).side, "place", "13.11"));
    }
    let Frame::Deploy(side) = *frame else {
        return None;
    };
    if movable(t, side).next().is_some() {
        return Some((side, "set-up", "13.11"));
    }
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
    if let Frame::Shift(unit) = *frame {
        let places = places(t, unit);
        places.into_iter().for_each(|hex| out.push(Do::Place(hex)));
        return;
    }
    let (Frame::Deploy(side), field) = (*frame, Field::new(t)) else {
        return;
    };
    if movable(t, side).next().is_some() {
        // First of all: it will do as it is.
        out.push(Do::Done);
        movable(t, side).for_each(|unit| out.push(Do::Unit(unit)));
        return;
    }
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
    if let (Frame::Shift(unit), Do::Place(hex)) = (frame, answer) {
        pop(t);
        shift(t, unit, hex);
        return Ok(());
    }
    let Frame::Deploy(side) = frame else {
        return Err(not_asked());
    };
    match answer {
        Do::Unit(unit) => push(t, Frame::Shift(unit)),
        Do::Done if movable(t, side).next().is_some() => {
            let rest: Vec<UnitId> = movable(t, side).collect();
            rest.into_iter().for_each(|unit| did(t, unit, Deed::MOVED));
        }
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

/// Somebody begins in another hex; who joins others looks where they look.
fn shift(t: &mut Table, unit: UnitId, hex: HexId) {
    did(t, unit, Deed::MOVED);
    occupy(t, unit, hex);
    let field = Field::new(t);
    let joined = field.fighters(hex).find(|&other| other != unit);
    let joined = joined.map(|other| field.status(other).facing);
    if let Some(facing) = joined.filter(|_| rules(t).fights(unit)) {
        turn(t, unit, facing);
    }
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
    if let Frame::Shift(unit) = *frame {
        return format!("Where does {} begin?", name(t, unit));
    }
    let Frame::Deploy(side) = *frame else {
        return "?".into();
    };
    if movable(t, side).next().is_some() {
        return "Who begins elsewhere?".into();
    }
    if let Some(unit) = unplaced(t, side) {
        return format!("Where does {} begin?", name(t, unit));
    }
    match (open_hex(t, side), folded(t, side)) {
        (Some(hex), _) => format!("Which way do those in {} face?", label(t, hex)),
        (None, Some(unit)) => format!("Does {} begin in an extended line?", name(t, unit)),
        (None, None) => "?".into(),
    }
}
