//! §7.34, §7.4 After the fire of a charge: who stands, who goes forward.

use crate::activation::phasing;
use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop};
use crate::field::{Field, did, label, name, occupy, rules, status_mut, turn, undid};
use crate::movement::{Manner, step};
use crate::state::{Activation, Deed, Frame};
use crate::steps::Gait;
use crate::{artillery, cohesion, leaders, retreat, special};
use cupola_ground::Direction;
use cupola_kernel::{Event, HexId, Options, Refusal, Table, UnitId, require, rule};

/// The next unit that must take a retreat check: first those who were charged, then those who charged.
fn tested(t: &Table, stage: u8) -> Option<(UnitId, HexId)> {
    let field = Field::new(t);
    let wanted = if stage == 0 { Deed::MET } else { Deed::CHARGED };
    let touched = t.res::<Activation>().touched.iter().copied();
    let stood = touched.filter(|&unit| {
        let deed = field.deed(unit);
        deed.any(wanted) && !deed.any(Deed::TESTED | Deed::FLED)
    });
    let shaken = stood.filter(|&unit| {
        let status = field.status(unit);
        status.disordered && !status.abandoned
    });
    let due = shaken.filter_map(|unit| {
        let enemy = pressed_by(field, unit, t.hex(unit)?, stage)?;
        Some((unit, enemy))
    });
    due.min_by_key(|(unit, _)| *unit)
}

/// The enemy next to a unit who presses it.
fn pressed_by(field: Field, unit: UnitId, hex: HexId, stage: u8) -> Option<HexId> {
    let enemy = field.card(unit).side.other();
    let around = field.t.board().neighbours(hex).map(|(_, hex)| hex);
    let mut held = around.filter(|&hex| field.holder(hex) == Some(enemy));
    if stage == 0 {
        // Only who charged this very hex presses it.
        held.find(|&from| {
            let mut shots = field.t.res::<Activation>().shots.iter();
            shots.any(|shot| {
                !shot.back
                    && (shot.from, shot.at) == (from, hex)
                    && field.t.hex(shot.unit) == Some(from)
                    && field.deed(shot.unit).any(Deed::CHARGED)
            })
        })
    } else {
        held.next()
    }
}

/// Units that may advance, and where: what they fired at is empty now (§7.4).
fn advances(t: &Table) -> Vec<(UnitId, HexId)> {
    let field = Field::new(t);
    let side = phasing(t);
    let manner = |unit: UnitId| Manner::at_will(field, unit, Gait::Attack);
    let shots = t.res::<Activation>().shots.iter();
    let mut found: Vec<(UnitId, HexId)> = shots
        .filter(|shot| !shot.back && t.hex(shot.unit) == Some(shot.from))
        .filter(|shot| {
            let deed = field.deed(shot.unit);
            deed.any(Deed::CHARGED) && !deed.any(Deed::FLED | Deed::TESTED)
        })
        .filter(|shot| field.holder(shot.at).is_none_or(|holder| holder == side))
        .filter(|shot| {
            let way = t.board().direction(shot.from, shot.at);
            let open =
                way.and_then(|way| step(field, side, &manner(shot.unit), shot.from, way, shot.at));
            let barred = field.rules.specials.iter();
            open.is_some()
                && field.fits(shot.unit, shot.at)
                && barred
                    .map(|rule| rule.may_end(t, shot.unit, shot.at))
                    .all(|check| check.is_ok())
        })
        .map(|shot| (shot.unit, shot.at))
        .collect();
    for &unit in &t.res::<Activation>().touched {
        found.extend(rides_on(field, unit).into_iter().map(|hex| (unit, hex)));
    }
    found
}

/// Where mounted men who have taken the hex they charged may ride on to: one of the hexes before them (§7.4).
fn rides_on(field: Field, unit: UnitId) -> Vec<HexId> {
    let Some(hex) = field
        .t
        .hex(unit)
        .filter(|_| field.deed(unit).any(Deed::RIDES_ON))
    else {
        return vec![];
    };
    let (board, side) = (field.t.board(), field.card(unit).side);
    let manner = Manner::at_will(field, unit, Gait::Attack);
    let front = field.status(unit).facing.front().into_iter();
    let ways = front.map(|way| Direction::ALL[usize::from(way)]);
    ways.filter_map(|way| Some((way, board.neighbour(hex, way)?)))
        .filter(|&(way, to)| step(field, side, &manner, hex, way, to).is_some())
        .map(|(_, to)| to)
        .filter(|&to| field.holder(to) != Some(side.other()) && field.fits(unit, to))
        .filter(|&to| {
            let mut specials = field.rules.specials.iter();
            specials.all(|rule| rule.may_end(field.t, unit, to).is_ok())
        })
        .collect()
}

/// What these frames ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    match *frame {
        Frame::Advance => (!advances(t).is_empty()).then_some((phasing(t), "advance", "7.4")),
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    let Frame::Hold(stage) = frame else {
        pop(t);
        return Ok(());
    };
    let Some((unit, enemy)) = tested(t, stage) else {
        pop(t);
        if stage == 1 {
            let touched = t.res::<Activation>().touched.clone();
            touched
                .into_iter()
                .for_each(|unit| undid(t, unit, Deed::TESTED));
        }
        return Ok(());
    };
    did(t, unit, Deed::TESTED);
    if let Some(twin) = rules(t).card(unit).twin {
        did(t, twin, Deed::TESTED);
    }
    if !cohesion::check(t, unit, "retreat check", 0) {
        if rules(t).card(unit).is_guns() {
            artillery::abandon(t, unit);
        } else {
            retreat::begin(t, unit, Some(enemy));
        }
    }
    Ok(())
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    if *frame == Frame::Advance {
        for (unit, hex) in advances(t) {
            out.push(Do::Advance(unit, hex));
        }
        out.push(Do::Done);
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Advance, Do::Done) => pop(t),
        (Frame::Advance, Do::Advance(unit, hex)) => advance(t, unit, hex),
        _ => return Err(not_asked()),
    }
    Ok(())
}

/// Why a unit does not advance.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let (Frame::Advance, Do::Advance(unit, hex)) = (*frame, answer) else {
        return None;
    };
    let mut specials = rules(t).specials.iter();
    let check = specials.try_for_each(|rule| rule.may_end(t, unit, hex));
    let check = check.and_then(|()| {
        let left = "is not a hex that it charged and the enemy has left, or has no room";
        require(false, rule!("7.4"), left)
    });
    check.err()
}

/// A unit takes the hex it charged.
fn advance(t: &mut Table, unit: UnitId, hex: HexId) {
    let Some(from) = t.hex(unit) else { return };
    // An extended line closes up on the part that advances.
    let unit = crate::extended::whole(t, unit);
    let side = rules(t).card(unit).side;
    let field = Field::new(t);
    let way = t.board().direction(from, hex);
    let rough = way.is_some_and(|way| {
        let mover = field.rules.mover(unit, field.mounted(unit));
        let step = field.rules.steps.get(mover, Gait::Attack, from, way);
        let works = t.res::<crate::state::Land>().works_at(hex);
        let over = works.is_some_and(|work| work.sides >> way.opposite().index() & 1 == 1);
        step.is_some_and(|step| step.disorders) || over
    });
    let joined = field
        .fighters(hex)
        .next()
        .map(|other| field.status(other).facing);
    // Horsemen may take one hex more (§7.4).
    let first = !field.deed(unit).any(Deed::RIDES_ON);
    let horse = field.mounted(unit);
    did(t, unit, Deed::TESTED | Deed::MOVED);
    if horse && first {
        did(t, unit, Deed::RIDES_ON);
    } else {
        undid(t, unit, Deed::RIDES_ON);
    }
    occupy(t, unit, hex);
    if let Some(facing) = joined {
        turn(t, unit, facing);
    }
    if rough {
        status_mut(t, unit).disordered = true;
    }
    leaders::overrun(t, side, hex);
    t.say(|t| {
        let text = format!("{} advances to {}", name(t, unit), label(t, hex));
        Event::new("advance", rule!("7.4"), text)
            .unit(unit)
            .hex(hex)
    });
    special::each(t, |rule, t| {
        rule.entered(t, unit, hex);
        rule.completed(t, unit, hex);
    });
}

/// A question in words.
#[must_use]
pub fn prompt(_: &Table, _: &Frame) -> String {
    "Who advances?".into()
}
