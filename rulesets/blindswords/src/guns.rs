//! §E The Special Artillery Activation Phase: brigade by brigade, turn about.

use crate::acts::Do;
use crate::engine::{Answer, Question, pop, push, swap};
use crate::field::{Field, name, rules, status_mut};
use crate::fire::{has_target, may_fire};
use crate::march::{may_move, start, under};
use crate::rally::may_steady;
use crate::rules::Order;
use crate::state::{Frame, Stack};
use crate::units::Units;
use cupola_kernel::{Event, Fault, Options, Refusal, Side, Table, UnitId, require, rule};

/// Begins the phase; who begins is the scenario's (§E, §N-guns).
pub fn begin(t: &mut Table) -> Answer {
    let first = rules(t).guns_begin;
    push(t, Frame::Guns(first, 0));
    Ok(())
}

/// What a battery could do now; some rest on the first turn (§N-guns).
fn may_act(field: Field, unit: UnitId) -> bool {
    if field.status(unit).frozen
        || (field.rules.resting.has(unit) && field.t.turn() == field.rules.first_turn)
    {
        return false;
    }
    may_move(field, unit).is_ok() || has_target(field, unit) || may_steady(field, unit).is_ok()
}

/// The brigades of a side that have not had their turn and could do something.
fn brigades(field: Field<'_>, side: Side, done: u128) -> impl Iterator<Item = usize> + '_ {
    let all = field.rules.brigades.iter().enumerate();
    all.filter(move |(i, brigade)| {
        brigade.guns
            && brigade.side == side
            && done >> i & 1 == 0
            && brigade.units.into_iter().any(|unit| may_act(field, unit))
    })
    .map(|(i, _)| i)
}

/// What the frames of this phase ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let field = Field::new(t);
    match *frame {
        Frame::Guns(side, done) => brigades(field, side, done)
            .next()
            .map(|_| (side, "battery", "E")),
        Frame::Battery(side, left) => left
            .into_iter()
            .any(|unit| may_act(field, unit))
            .then_some((side, "gun", "E")),
        Frame::Gun(side, _) => Some((side, "action", "E")),
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Result<(), Fault> {
    match frame {
        // A side without brigades left lets the other finish.
        Frame::Guns(side, done) if brigades(Field::new(t), side.other(), done).next().is_some() => {
            swap(t, Frame::Guns(side.other(), done));
        }
        _ => pop(t),
    }
    Ok(())
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let field = Field::new(t);
    match *frame {
        Frame::Guns(side, done) => {
            brigades(field, side, done)
                .for_each(|brigade| out.push(Do::Guns(field.rules.brigade_token(brigade))));
        }
        Frame::Battery(_, left) => {
            left.filter(|unit| may_act(field, unit))
                .for_each(|unit| out.push(Do::Unit(unit)));
            out.push(Do::Done);
        }
        Frame::Gun(_, unit) => {
            if may_steady(field, unit).is_ok() {
                out.push(Do::Rally(unit));
            }
            if has_target(field, unit) {
                out.push(Do::Fire);
            }
            if may_move(field, unit).is_ok() {
                out.push(Do::March);
            }
            out.push(Do::Done);
        }
        _ => {}
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Guns(side, done), Do::Guns(token)) => {
            let brigade = rules(t)
                .brigade_of(token)
                .ok_or_else(crate::engine::not_asked)?;
            let resting = if t.turn() == rules(t).first_turn {
                rules(t).resting
            } else {
                Units::NONE
            };
            let units = rules(t).brigades[brigade].units.minus(resting);
            swap(t, Frame::Guns(side.other(), done | 1 << brigade));
            push(t, Frame::Battery(side, units));
        }
        (Frame::Battery(side, _), Do::Unit(unit)) => push(t, Frame::Gun(side, unit)),
        (Frame::Battery(..), Do::Done) => pop(t),
        (Frame::Gun(side, unit), Do::Fire) => swap(t, Frame::Aim(side, unit, Order::None, true)),
        (Frame::Gun(side, unit), answer) => {
            pop(t);
            spend(t, unit);
            match answer {
                Do::March => start(t, unit, under(side, Order::Maneuver, 0)),
                Do::Rally(_) => {
                    status_mut(t, unit).shaken = false;
                    t.say(|t| {
                        Event::new(
                            "rally",
                            rule!("E"),
                            format!("{} is steady again", name(t, unit)),
                        )
                        .unit(unit)
                    });
                }
                _ => {}
            }
        }
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// Why a battery does not do it.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let field = Field::new(t);
    let check = match (*frame, answer) {
        (Frame::Battery(_, left), Do::Unit(unit)) if !left.has(unit) => {
            require(false, rule!("E"), "is not of this brigade, or has acted")
        }
        (Frame::Gun(_, unit), Do::March) => may_move(field, unit),
        (Frame::Gun(_, unit), Do::Fire) => {
            let check = may_fire(field, unit);
            check.and_then(|()| require(false, rule!("I"), "has no target in range and sight"))
        }
        (Frame::Gun(_, unit), Do::Rally(other)) if unit == other => may_steady(field, unit),
        _ => Ok(()),
    };
    check.err()
}

fn spend(t: &mut Table, unit: UnitId) {
    if let Some(Frame::Battery(_, left)) = t.res_mut::<Stack>().frames.last_mut() {
        *left = left.minus(Units::one(unit));
    }
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Guns(..) => "Which brigade of artillery acts?".into(),
        Frame::Battery(..) => "Which battery acts?".into(),
        Frame::Gun(_, unit) => format!("What does {} do?", name(t, unit)),
        _ => "?".into(),
    }
}
