//! §I Fire Combat: who may fire at what, alone or together, and who fires back.

use crate::acts::Do;
use crate::engine::{Answer, Question, pop, push, swap};
use crate::field::{Field, label, names};
use crate::rules::Order;
use crate::shown::fought;
use crate::sight;
use crate::situation::{Situation, look};
use crate::state::{Frame, Stack};
use crate::tables::Effect;
use crate::units::Units;
use crate::volley::fight;
use cupola_kernel::{
    Check, Event, Fault, Fight, HexId, Options, Refusal, Table, UnitId, forbid, require, rule,
};

/// Whether a unit may fire at all.
pub fn may_fire(field: Field, unit: UnitId) -> Check {
    forbid(
        field.mounted(unit),
        rule!("I"),
        "mounted cavalry does not fire",
    )?;
    forbid(
        field.status(unit).frozen,
        rule!("F-2"),
        "is caught in battlefield chaos",
    )?;
    require(field.t.hex(unit).is_some(), rule!("I"), "is not on the map")
}

/// Whether a unit may fire at a hex: enemies there, in range and in sight (§I-1, §I-2).
pub fn may_fire_at(field: Field, unit: UnitId, target: HexId) -> Check {
    may_fire(field, unit)?;
    let card = field.card(unit);
    require(
        field.holder(target) == Some(card.side.other()),
        rule!("I"),
        "no enemy is there",
    )?;
    let from = field.t.hex(unit).unwrap_or(target);
    let distance = field.rules.distance(from, target);
    require(
        distance <= field.rules.charts.ranges[card.arm as usize].1,
        rule!("I-1"),
        "the target is out of range",
    )?;
    if distance >= 2 {
        let between = sight::between(field.t, field.rules, from, target);
        forbid(
            between.blocked.is_some(),
            rule!("I-2"),
            "the line of sight is blocked",
        )?;
    }
    Ok(())
}

/// The hexes at which a unit may fire, in the order of those who stand there.
fn targets(field: Field, unit: UnitId) -> Vec<HexId> {
    let Some(aim) = aims(field, unit) else {
        return vec![];
    };
    let enemies = |situation: &Situation| {
        let enemies = situation.enemies(field.card(unit).side).iter().copied();
        enemies.filter(|&hex| hits(field, aim, hex)).collect()
    };
    let mut hexes: Vec<HexId> = look(field, enemies);
    hexes.sort_unstable_by_key(|&hex| field.t.stacks().first(hex));
    hexes
}

/// Whether a unit has any target.
#[must_use]
pub fn has_target(field: Field, unit: UnitId) -> bool {
    aims(field, unit).is_some_and(|aim| {
        look(field, |situation| {
            let mut enemies = situation.enemies(field.card(unit).side).iter();
            enemies.any(|&hex| hits(field, aim, hex))
        })
    })
}

/// From where and how far a unit fires, if it may.
fn aims(field: Field, unit: UnitId) -> Option<(HexId, u8)> {
    may_fire(field, unit).ok()?;
    let range = field.rules.charts.ranges[field.card(unit).arm as usize].1;
    Some((field.t.hex(unit)?, range))
}

/// Whether a hex is within range, and nothing blocks the line to it.
#[inline]
fn hits(field: Field, (from, range): (HexId, u8), to: HexId) -> bool {
    let distance = field.rules.distance(from, to);
    let blocked = || sight::between(field.t, field.rules, from, to).blocked;
    distance <= range && (distance < 2 || blocked().is_none())
}

/// What the frames of fire ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let field = Field::new(t);
    match *frame {
        Frame::FireStep(side, left, _) => left
            .into_iter()
            .any(|unit| has_target(field, unit))
            .then_some((side, "fire", "G-2")),
        Frame::Aim(side, ..) => Some((side, "target", "I")),
        Frame::Volley { firers, may, .. } if !may.is_empty() => firers
            .first()
            .map(|unit| (field.card(unit).side, "volley", "I-3")),
        Frame::Firefight(unit, firers, from, _) => {
            let there = field.units(from).and(firers);
            let may = t.hex(unit).is_some()
                && !there.is_empty()
                && may_fire_at(field, unit, from).is_ok();
            may.then_some((field.card(unit).side, "firefight", "I-6-d"))
        }
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Result<(), Fault> {
    match frame {
        Frame::Volley {
            firers,
            target,
            order,
            ..
        } => {
            let field = Field::new(t);
            let from = firers
                .first()
                .and_then(|unit| t.hex(unit))
                .unwrap_or(target);
            let (steady, targets) = (under(order, firers), field.units(target));
            swap(
                t,
                Frame::Fire {
                    firers,
                    targets,
                    from,
                    at: target,
                    steady,
                },
            );
        }
        Frame::Fire {
            firers,
            targets,
            from,
            at,
            steady,
        } => return resolve(t, firers, targets, from, at, steady),
        _ => pop(t),
    }
    Ok(())
}

fn resolve(
    t: &mut Table,
    firers: Units,
    targets: Units,
    from: HexId,
    at: HexId,
    steady: Units,
) -> Result<(), Fault> {
    let field = Field::new(t);
    let (firers, targets) = (firers.and(field.units(from)), targets.and(field.units(at)));
    if firers.is_empty() || targets.is_empty() {
        pop(t);
        return Ok(());
    }
    let fight = fight(field, firers, targets, from, at, steady);
    let Some((_, codes)) = fought(t, "fire", &fight, 1)? else {
        return Ok(());
    };
    pop(t);
    t.say(|t| {
        let heading = field_heading(t, fight.terms[0]);
        let results: Vec<String> = targets
            .zip(&codes)
            .map(|(unit, &code)| {
                format!(
                    "{}: {}",
                    crate::field::name(t, unit),
                    Effect::from_code(code)
                )
            })
            .collect();
        let text = format!(
            "{} fire from {} at {} on column {heading}: {}",
            names(t, firers),
            label(t, from),
            label(t, at),
            results.join(", ")
        );
        Event::new("fire", rule!("I"), text)
            .units(firers)
            .hexes([from, at])
    });
    push(t, Frame::Aftermath(at, from, false));
    let all: Vec<(UnitId, i16)> = targets.zip(codes.iter().copied()).collect();
    for &(unit, code) in all.iter().rev() {
        let effect = Effect::from_code(code);
        if effect.firefight {
            push(t, Frame::Firefight(unit, firers, from, steady));
        } else if effect != Effect::NONE {
            push(t, Frame::Suffer(unit, effect, from, targets));
        }
    }
    Ok(())
}

fn field_heading(t: &Table, column: i16) -> String {
    crate::field::rules(t).charts.crt.heading(column)
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let field = Field::new(t);
    match *frame {
        Frame::FireStep(_, left, _) => {
            left.filter(|unit| has_target(field, unit))
                .for_each(|unit| out.push(Do::Unit(unit)));
            out.push(Do::Done);
        }
        Frame::Aim(_, unit, _, _) => {
            let targets = targets(field, unit).into_iter();
            targets.for_each(|hex| out.push(Do::At(hex)));
            out.push(Do::Done);
        }
        Frame::Volley { may, .. } => {
            may.for_each(|unit| out.push(Do::Join(unit)));
            out.push(Do::Go);
        }
        Frame::Firefight(..) => {
            out.push(Do::Yes);
            out.push(Do::Done);
        }
        _ => {}
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::FireStep(side, _, order), Do::Unit(unit)) => {
            push(t, Frame::Aim(side, unit, order, true))
        }
        (Frame::FireStep(..) | Frame::Firefight(..), Do::Done) => pop(t),
        (Frame::Aim(_, unit, _, _), Do::Done) => {
            pop(t);
            spend(t, Units::one(unit));
        }
        (Frame::Aim(_, unit, order, _), Do::At(target)) => aim(t, unit, order, target),
        (
            Frame::Volley {
                firers,
                may,
                target,
                order,
            },
            answer,
        ) => {
            pop(t);
            let (firers, may) = match answer {
                Do::Join(unit) => {
                    spend(t, Units::one(unit));
                    (firers.with(unit), may.without(unit))
                }
                _ => (firers, Units::NONE),
            };
            push(
                t,
                Frame::Volley {
                    firers,
                    may,
                    target,
                    order,
                },
            );
        }
        (Frame::Firefight(unit, firers, from, steady), Do::Yes) => {
            let field = Field::new(t);
            let (targets, here) = (field.units(from).and(firers), t.hex(unit).unwrap_or(from));
            swap(
                t,
                Frame::Fire {
                    firers: Units::one(unit),
                    targets,
                    from: here,
                    at: from,
                    steady,
                },
            );
        }
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// A unit has its target; others of the same step and hex may join, an event's unit fires alone.
fn aim(t: &mut Table, unit: UnitId, order: Order, target: HexId) {
    pop(t);
    let field = Field::new(t);
    let step = t.res::<Stack>().frames.last();
    let may = match step {
        Some(Frame::FireStep(_, left, _) | Frame::Battery(_, left)) => {
            let here = t.hex(unit).map_or(Units::NONE, |hex| field.units(hex));
            left.and(here)
                .without(unit)
                .filter(|other| may_fire_at(field, other, target).is_ok())
        }
        _ => Units::NONE,
    };
    let firers = Units::one(unit);
    spend(t, firers);
    push(
        t,
        Frame::Volley {
            firers,
            may,
            target,
            order,
        },
    );
}

/// Units of the step below have fired, or will not.
fn spend(t: &mut Table, units: Units) {
    if let Some(Frame::FireStep(_, left, _) | Frame::Battery(_, left)) =
        t.res_mut::<Stack>().frames.last_mut()
    {
        *left = left.minus(units);
    }
}

/// Why an answer is not on the list.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let field = Field::new(t);
    match (*frame, answer) {
        (Frame::FireStep(_, left, _), Do::Unit(unit)) => {
            if !left.has(unit) {
                return Some(Refusal::new(
                    rule!("G-2"),
                    "is not among the units that may still fire",
                ));
            }
            let check = may_fire(field, unit);
            Some(
                check.err().unwrap_or_else(|| {
                    Refusal::new(rule!("I"), "has no target in range and sight")
                }),
            )
        }
        (Frame::Aim(_, unit, _, _), Do::At(hex)) => may_fire_at(field, unit, hex).err(),
        _ => None,
    }
}

/// Who fires under which order by an answer that leaves the target still to be chosen.
fn marksman(frame: &Frame, answer: Do) -> Option<(UnitId, Order)> {
    match (*frame, answer) {
        (Frame::FireStep(_, _, order), Do::Unit(unit)) => Some((unit, order)),
        (Frame::Gun(_, unit), Do::Fire) => Some((unit, Order::None)),
        (Frame::Default(_, true), Do::Unit(unit)) => Some((unit, Order::None)),
        _ => None,
    }
}

/// Whether an answer will come to a fire: only units with a target are offered.
#[must_use]
pub fn foresees(frame: &Frame, answer: Do) -> bool {
    marksman(frame, answer).is_some()
}

/// The fire that an answer may come to, with its target still to be chosen: by the unit alone, at the hex that
/// suffers most.
#[must_use]
pub fn foreseen(t: &Table, frame: &Frame, answer: Do) -> Option<Fight> {
    let (unit, order) = marksman(frame, answer)?;
    let (field, from) = (Field::new(t), t.hex(unit)?);
    let (firers, steady) = (Units::one(unit), under(order, Units::one(unit)));
    let mut best = None::<Fight>;
    for target in targets(field, unit) {
        let next = fight(field, firers, field.units(target), from, target, steady);
        if best
            .as_ref()
            .is_none_or(|best| next.terms[0] > best.terms[0])
        {
            best = Some(next);
        }
    }
    best
}

/// Those of these units who keep the shift of a Defend order.
fn under(order: Order, units: Units) -> Units {
    if order == Order::Defend {
        units
    } else {
        Units::NONE
    }
}

/// The fight that an answer leads to.
#[must_use]
pub fn leads_to(t: &Table, frame: &Frame, answer: Do) -> Option<Fight> {
    let field = Field::new(t);
    match (*frame, answer) {
        (Frame::Aim(_, unit, order, _), Do::At(target)) => {
            let firers = Units::one(unit);
            let (targets, steady) = (field.units(target), under(order, firers));
            Some(fight(field, firers, targets, t.hex(unit)?, target, steady))
        }
        (
            Frame::Volley {
                firers,
                target,
                order,
                ..
            },
            Do::Go | Do::Join(_),
        ) => {
            let firers = match answer {
                Do::Join(unit) => firers.with(unit),
                _ => firers,
            };
            let (targets, steady) = (field.units(target), under(order, firers));
            let from = t.hex(firers.first()?)?;
            Some(fight(field, firers, targets, from, target, steady))
        }
        (Frame::Firefight(unit, firers, from, steady), Do::Yes) => Some(fight(
            field,
            Units::one(unit),
            field.units(from).and(firers),
            t.hex(unit)?,
            from,
            steady,
        )),
        _ => None,
    }
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::FireStep(..) => "Which unit fires?".into(),
        Frame::Aim(_, unit, _, _) => format!("At what does {} fire?", crate::field::name(t, unit)),
        Frame::Volley { target, .. } => {
            format!("Who else in the hex fires at {}?", label(t, target))
        }
        Frame::Firefight(unit, ..) => format!("Does {} fire back?", crate::field::name(t, unit)),
        _ => "?".into(),
    }
}
