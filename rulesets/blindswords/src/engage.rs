//! §J-3-b Engagement fire: who comes next to the enemy is shot at by those whom nobody else engages.

use crate::acts::Do;
use crate::engine::{Answer, Question, pop, push, swap};
use crate::field::{Field, name};
use crate::fire;
use crate::rules::Order;
use crate::state::{Frame, Stack};
use crate::units::Units;
use crate::volley;
use cupola_kernel::{Fight, HexId, Options, Table, UnitId};

/// Whether an enemy hex may fire at a unit that came next to it (§J-3-b): somebody there can, and nobody
/// else engages it.
fn may_engage(field: Field, unit: UnitId, hex: HexId) -> bool {
    let side = field.card(unit).side;
    let busy = || {
        let others = field
            .rules
            .around(hex)
            .flat_map(|next| field.t.stacks().units(next));
        others
            .into_iter()
            .any(|u| u != unit && field.card(u).side == side && !field.status(u).frozen)
    };
    !field
        .t
        .stacks()
        .units(hex)
        .all(|enemy| field.card(enemy).side == side || fire::may_fire(field, enemy).is_err())
        && !busy()
}

fn engaging(
    field: Field<'_>,
    unit: UnitId,
    at: HexId,
    left: u8,
) -> impl Iterator<Item = (u8, HexId)> + '_ {
    let edges = field.rules.ground.edges[at.index()].iter().enumerate();
    edges
        .filter(move |(way, _)| left >> way & 1 == 1)
        .filter_map(|(way, edge)| Some((way as u8, edge.to?)))
        .filter(move |&(_, hex)| may_engage(field, unit, hex))
}

/// The owner of those who may fire is asked.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Engage(unit, at, left) = *frame else {
        return None;
    };
    let field = Field::new(t);
    let side = field.card(unit).side.other();
    let there = t.hex(unit) == Some(at) && engaging(field, unit, at, left).next().is_some();
    there.then_some((side, "engagement-fire", "J-3-b"))
}

/// There is nothing left to ask.
pub fn go(t: &mut Table, _: Frame) -> Answer {
    pop(t);
    Ok(())
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    if let Frame::Engage(unit, at, left) = *frame {
        engaging(Field::new(t), unit, at, left).for_each(|(_, hex)| out.push(Do::At(hex)));
    }
    out.push(Do::Done);
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Engage(unit, at, left), Do::At(hex)) => shoot(t, unit, at, left, hex),
        (Frame::Engage(..), Do::Done) => pop(t),
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// A hex fires at the unit that came; only that unit is tested.
fn shoot(t: &mut Table, unit: UnitId, at: HexId, left: u8, hex: HexId) {
    let field = Field::new(t);
    let way = field.rules.ground.edges[at.index()]
        .iter()
        .position(|edge| edge.to == Some(hex))
        .unwrap_or(0);
    let firers = field
        .units(hex)
        .filter(|enemy| fire::may_fire(field, enemy).is_ok());
    let (targets, steady) = (Units::one(unit), steady(t, unit));
    swap(t, Frame::Engage(unit, at, left & !(1 << way)));
    push(
        t,
        Frame::Fire {
            firers,
            targets,
            from: hex,
            at,
            steady,
        },
    );
}

/// A unit that moves under a Defend order keeps its shift if it gets to fire back (§H-2).
fn steady(t: &Table, unit: UnitId) -> Units {
    let defends = t.res::<Stack>().frames.iter().any(|frame| {
        matches!(frame, Frame::Move { unit: mover, march, .. } if *mover == unit && march.order == Order::Defend)
    });
    if defends {
        Units::one(unit)
    } else {
        Units::NONE
    }
}

/// The engagement fire that an answer leads to.
#[must_use]
pub fn leads_to(t: &Table, frame: &Frame, answer: Do) -> Option<Fight> {
    let (Frame::Engage(unit, at, _), Do::At(hex)) = (*frame, answer) else {
        return None;
    };
    let field = Field::new(t);
    let firers = field
        .units(hex)
        .filter(|enemy| fire::may_fire(field, enemy).is_ok());
    (!firers.is_empty())
        .then(|| volley::fight(field, firers, Units::one(unit), hex, at, Units::NONE))
}

/// The question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Engage(unit, ..) => format!("Who fires at {}?", name(t, unit)),
        _ => "?".into(),
    }
}
