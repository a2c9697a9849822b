//! §6.1 Fire: approach fire, declared fire and return fire.
//!
//! Who can hit whom is in [`crate::aim`], the fights that follow in [`crate::salvo`], what each comes to in
//! [`crate::volley`].

use crate::activation::phasing;
use crate::acts::Do;
use crate::aim::{
    can_hit, charged_hexes, count_targets, has_room, may_fire, targets, under_no_orders,
};
use crate::engine::{Answer, Question, not_asked, pop, push};
use crate::field::{Field, did, name, rules, wear_mut};
use crate::state::{Activation, Deed, Frame, Land, Shot};
use crate::{breastworks, facing, orders, salvo, special};
use cupola_kernel::{Check, HexId, Options, Refusal, Table, UnitId, forbid, require, rule};

/// Units of the formation under way.
fn active(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    let activation = t.res::<Activation>();
    let formation = &rules(t).formations[usize::from(activation.formation)];
    let acted = formation.brigades.iter().enumerate();
    acted
        .filter(move |(place, _)| activation.done >> place & 1 == 1)
        .flat_map(|(_, &brigade)| Field::new(t).members(brigade))
        .flat_map(|unit| [Some(unit), rules(t).card(unit).twin])
        .flatten()
        .filter(|&unit| t.hex(unit).is_some())
}

/// Those who can fire, worked out once: nobody moves while fires are declared.
fn prepare(t: &mut Table) {
    let field = Field::new(t);
    let ready: Vec<UnitId> = active(t)
        .filter(|&unit| may_fire(field, unit).is_ok() && count_targets(field, unit, 1) > 0)
        .collect();
    t.res_mut::<Activation>().ready = ready;
}

/// Those who can answer (§6.16).
fn prepare_answers(t: &mut Table) {
    let field = Field::new(t);
    let side = phasing(t).other();
    let shots = &t.res::<Activation>().shots;
    // Only who was fired at, or stands next to one who fired, has anything to answer.
    let board = t.board();
    let mut hexes: Vec<HexId> = shots
        .iter()
        .flat_map(|shot| {
            let beside = board.neighbours(shot.from).map(|(_, next)| next);
            beside.chain([shot.at])
        })
        .collect();
    hexes.sort_unstable();
    hexes.dedup();
    let near = hexes.into_iter().flat_map(|hex| field.fighters(hex));
    let mut ready: Vec<UnitId> = near
        .filter(|&unit| field.card(unit).side == side)
        .filter(|&unit| may_answer(field, unit).is_ok() && !answers(field, unit).is_empty())
        .collect();
    ready.sort_unstable();
    t.res_mut::<Activation>().ready = ready;
}

/// Whether a unit may return fire at all: not if it fired already, be it at those who came near (§9.26).
fn may_answer(field: Field, unit: UnitId) -> Check {
    let (status, deed) = (field.status(unit), field.deed(unit));
    forbid(status.abandoned, rule!("9.32"), "has no crews")?;
    forbid(deed.any(Deed::FIRED), rule!("6.13"), "has fired")?;
    // Who is fired at is under orders no more (§4.33).
    under_no_orders(field, unit)?;
    let specials = &field.rules.specials;
    specials
        .iter()
        .try_for_each(|rule| rule.may_answer(field.t, unit))
}

/// Whom a unit may answer: who fired at its hex, or who stands before it and fired at a friend.
pub(crate) fn answers(field: Field, unit: UnitId) -> Vec<HexId> {
    let Some(hex) = field.t.hex(unit) else {
        return vec![];
    };
    let board = field.t.board();
    let status = field.status(unit);
    let before = |from: HexId| {
        let way = board.direction(hex, from);
        way.is_some_and(|way| status.fronts(way.index() as u8))
    };
    let horse = field.mounted(unit);
    let free = orders::free(field.t, unit);
    let shots = field.t.res::<Activation>().shots.iter();
    let mut hexes: Vec<HexId> = shots
        // Who is not released answers only fire at himself (L3).
        .filter(|shot| !shot.back && (shot.at == hex || free && before(shot.from)))
        .filter(|shot| !horse || field.deed(shot.unit).any(Deed::CHARGED))
        .map(|shot| shot.from)
        .filter(|&from| can_hit(field, unit, from).is_ok())
        .filter(|&from| has_room(field, unit, hex, from, true))
        .collect();
    hexes.sort_unstable();
    hexes.dedup();
    hexes
}

/// Batteries that may fire at those who come near, and at whom (§9.25).
fn approaches(t: &Table) -> Vec<(UnitId, HexId)> {
    let field = Field::new(t);
    let touched = &t.res::<Activation>().touched;
    let side = phasing(t);
    let mut near: Vec<HexId> = touched
        .iter()
        .filter(|&&unit| field.card(unit).side == side && field.deed(unit).any(Deed::CLOSED))
        .filter_map(|&unit| t.hex(unit))
        .filter(|&hex| field.near_enemy(side, hex))
        .collect();
    near.sort_unstable();
    near.dedup();
    if near.is_empty() {
        return vec![];
    }
    let reach = field.rules.numbers.approach;
    let guns = field
        .on_map(side.other())
        .filter(|(unit, _)| field.card(*unit).is_guns());
    guns.flat_map(|(unit, hex)| near.iter().map(move |&at| (unit, hex, at)))
        .filter(|&(unit, hex, at)| {
            t.board().distance(hex, at) <= reach
                && may_answer(field, unit).is_ok()
                && can_hit(field, unit, at).is_ok()
        })
        .map(|(unit, _, at)| (unit, at))
        .collect()
}

/// Units still to be asked.
fn waiting(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    let activation = t.res::<Activation>();
    let field = Field::new(t);
    let ready = activation.ready.iter().copied();
    ready.filter(move |&unit| {
        // What others of its hex have declared may leave it no room (§6.14).
        let mut shots = activation.shots.iter();
        let crowded = shots.any(|shot| Some(shot.from) == t.hex(unit));
        let room = || match field.card(unit).side == phasing(t) {
            true => count_targets(field, unit, 1) > 0,
            false => !answers(field, unit).is_empty(),
        };
        !field.deed(unit).any(Deed::FIRED) && (!crowded || room())
    })
}

/// Fires of the active side that are still to be rolled, one after the other (§7.24), from where to where.
fn pending(t: &Table) -> Vec<(HexId, HexId)> {
    let shots = t.res::<Activation>().shots.iter();
    let mut pairs: Vec<(HexId, HexId)> = shots
        .filter(|shot| !shot.back && !shot.done)
        .map(|shot| (shot.from, shot.at))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// What the frames of fire ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let side = phasing(t);
    match *frame {
        Frame::Approach => {
            (!approaches(t).is_empty()).then_some((side.other(), "approach", "9.25"))
        }
        Frame::Declare => waiting(t).next().map(|_| (side, "fire", "6.12")),
        Frame::Aim(unit) => {
            let several = count_targets(Field::new(t), unit, 2) > 1;
            several.then_some((side, "target", "6.11"))
        }
        Frame::Return => waiting(t).next().map(|_| (side.other(), "return", "6.16")),
        Frame::Answer(unit) => {
            let many = answers(Field::new(t), unit).len() > 1;
            many.then_some((side.other(), "target", "6.16"))
        }
        Frame::Resolve => (pending(t).len() > 1).then_some((side, "resolve", "6.17")),
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    match frame {
        Frame::Approach => {
            pop(t);
            prepare(t);
        }
        Frame::Declare => {
            pop(t);
            prepare_answers(t);
        }
        Frame::Aim(unit) => {
            let at = targets(Field::new(t), unit).first().copied();
            declare(t, unit, at.ok_or_else(not_asked)?);
        }
        Frame::Answer(unit) => {
            let at = answers(Field::new(t), unit).first().copied();
            answer_fire(t, unit, at.ok_or_else(not_asked)?);
        }
        Frame::Resolve => match pending(t).first() {
            Some(&(from, at)) => return salvo::resolve(t, from, at),
            None => pop(t),
        },
        _ => pop(t),
    }
    Ok(())
}

fn declare(t: &mut Table, unit: UnitId, at: HexId) {
    pop(t);
    let field = Field::new(t);
    let charges = charged_hexes(field, unit).contains(&at);
    let Some(from) = t.hex(unit) else { return };
    did(
        t,
        unit,
        Deed::FIRED | if charges { Deed::CHARGED } else { 0 },
    );
    breastworks::abandon_digging(t, unit);
    t.res_mut::<Activation>().shots.push(Shot {
        unit,
        from,
        at,
        back: false,
        done: false,
    });
    let field = Field::new(t);
    let struck = field.fighters(at).map(|unit| field.acts_with(unit));
    let brigades: Vec<u16> = struck.collect();
    for brigade in brigades {
        orders::surprise(t, brigade);
    }
    aimed(t, unit, at);
    if charges {
        let brigade = rules(t).card(unit).brigade;
        wear_mut(t, brigade).charged = true;
        met(t, unit, from, at);
    }
}

/// Special rules hear of a fire that was declared.
fn aimed(t: &mut Table, unit: UnitId, at: HexId) {
    special::each(t, |rule, t| rule.aimed(t, unit, at));
}

/// Notes who was charged, whether over breastworks only, and whether anybody who met there was on foot (§7.53).
fn met(t: &mut Table, charger: UnitId, from: HexId, at: HexId) {
    let field = Field::new(t);
    // Batteries do not count.
    let on_foot = |unit: UnitId| !field.mounted(unit) && !field.card(unit).is_guns();
    let afoot = on_foot(charger) || field.fighters(at).any(on_foot);
    let afoot = if afoot { Deed::AFOOT } else { 0 };
    let board = t.board();
    let side = facing::entries(board.axial(from), board.axial(at)).0;
    let works = t.res::<Land>().works_at(at);
    let covered = works.is_some_and(|work| work.sides >> side & 1 == 1);
    let stack: Vec<UnitId> = field.fighters(at).collect();
    did(t, charger, afoot);
    for unit in stack {
        let before = Field::new(t).deed(unit);
        let open = before.any(Deed::MET) && !before.any(Deed::SHELTERED);
        did(
            t,
            unit,
            Deed::MET | afoot | if covered && !open { Deed::SHELTERED } else { 0 },
        );
        if !covered {
            crate::field::undid(t, unit, Deed::SHELTERED);
        }
    }
}

fn answer_fire(t: &mut Table, unit: UnitId, at: HexId) {
    pop(t);
    let Some(from) = t.hex(unit) else { return };
    did(t, unit, Deed::FIRED);
    aimed(t, unit, at);
    breastworks::abandon_digging(t, unit);
    t.res_mut::<Activation>().shots.push(Shot {
        unit,
        from,
        at,
        back: true,
        done: false,
    });
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let field = Field::new(t);
    match *frame {
        Frame::Approach => {
            for (unit, at) in approaches(t) {
                out.push(Do::Fire(unit, at));
            }
            out.push(Do::Done);
        }
        Frame::Declare => {
            let mut must = false;
            for unit in waiting(t) {
                out.push(Do::Unit(unit));
                must |= !charged_hexes(field, unit).is_empty();
            }
            // Those who charge must fire (§5.15).
            if !must {
                out.push(Do::Done);
            }
        }
        Frame::Return => {
            for unit in waiting(t) {
                out.push(Do::Unit(unit));
            }
            out.push(Do::Done);
        }
        Frame::Aim(unit) => targets(field, unit)
            .into_iter()
            .for_each(|hex| out.push(Do::At(hex))),
        Frame::Answer(unit) => {
            answers(field, unit)
                .into_iter()
                .for_each(|hex| out.push(Do::At(hex)));
        }
        Frame::Resolve => {
            for (from, at) in pending(t) {
                out.push(Do::Next(from, at));
            }
        }
        _ => {}
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Approach, Do::Fire(unit, at)) => {
            let from = t.hex(unit).ok_or_else(not_asked)?;
            did(t, unit, Deed::FIRED);
            aimed(t, unit, at);
            let fight = salvo::approach(Field::new(t), unit, from, at);
            let result = salvo::roll(t, &fight)?;
            push(t, result);
        }
        (Frame::Approach, Do::Done) => {
            pop(t);
            prepare(t);
        }
        (Frame::Declare, Do::Unit(unit)) => push(t, Frame::Aim(unit)),
        (Frame::Declare, Do::Done) => {
            pop(t);
            prepare_answers(t);
        }
        (Frame::Aim(unit), Do::At(at)) => declare(t, unit, at),
        (Frame::Return, Do::Unit(unit)) => push(t, Frame::Answer(unit)),
        (Frame::Return, Do::Done) => pop(t),
        (Frame::Answer(unit), Do::At(at)) => answer_fire(t, unit, at),
        (Frame::Resolve, Do::Next(from, at)) => return salvo::resolve(t, from, at),
        _ => return Err(not_asked()),
    }
    Ok(())
}

/// Why somebody cannot fire, or not there.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let field = Field::new(t);
    match (*frame, answer) {
        (Frame::Declare, Do::Unit(unit)) => {
            let own = field.card(unit).side == phasing(t);
            let check = require(own, rule!("6.11"), "is not one of the active units");
            let check = check.and_then(|()| may_fire(field, unit));
            let check = check.and_then(|()| {
                let any = !targets(field, unit).is_empty();
                require(any, rule!("6.11"), "has no target")
            });
            check.err()
        }
        (Frame::Declare, Do::Done) => Some(Refusal::new(
            rule!("5.15"),
            "leaves a charging unit without fire",
        )),
        (Frame::Aim(unit) | Frame::Answer(unit), Do::At(hex)) => can_hit(field, unit, hex).err(),
        (Frame::Return, Do::Unit(unit)) => {
            let check = may_answer(field, unit).and_then(|()| {
                let any = !answers(field, unit).is_empty();
                require(any, rule!("6.16"), "has nobody to answer")
            });
            check.err()
        }
        _ => None,
    }
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Approach => "Which battery fires at those who come near?".into(),
        Frame::Declare => "Who fires?".into(),
        Frame::Aim(unit) => format!("At whom does {} fire?", name(t, unit)),
        Frame::Return => "Who returns the fire?".into(),
        Frame::Answer(unit) => format!("Whom does {} answer?", name(t, unit)),
        Frame::Resolve => "Which fire is rolled next?".into(),
        _ => "?".into(),
    }
}
