//! II Activation (§4.13): brigade by brigade posture and movement, then all fire, then attrition.

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push};
use crate::entry::due;
use crate::field::{self, Field, did, label, name, rules, wear_mut};
use crate::rules::{Kind, NONE};
use crate::special::{self, Drive};
use crate::state::{Activation, Brigades, Cup, Deed, Frame, Order};
use crate::{attach, cohesion, command, orders};
use cupola_ground::Cover;
use cupola_kernel::{Check, Event, Options, Refusal, Side, Table, UnitId, forbid, require, rule};

/// A marker is played: its formation acts.
pub fn start(t: &mut Table, formation: u16) {
    let side = rules(t).formations[usize::from(formation)].side;
    let cup = t.res_mut::<Cup>();
    cup.left[usize::from(formation)] -= 1;
    cup.played += 1;
    cup.run = match cup.run {
        Some((last, run)) if last == side => Some((side, run + 1)),
        _ => Some((side, 1)),
    };
    begin(t, formation);
}

/// A formation acts.
pub fn begin(t: &mut Table, formation: u16) {
    let side = rules(t).formations[usize::from(formation)].side;
    let activation = t.res_mut::<Activation>();
    activation.side = Some(side);
    activation.formation = formation;
    activation.done = 0;
    t.say(|t| {
        let name = &rules(t).formations[usize::from(formation)].name;
        let text = format!("{name} is activated");
        Event::new("activation", rule!("4.13"), text)
    });
    for frame in [
        Frame::Over,
        Frame::Attrition,
        Frame::Advance,
        Frame::Hold(1),
        Frame::Hold(0),
        Frame::Resolve,
        Frame::Return,
        Frame::Declare,
        Frame::Approach,
        Frame::Brigades,
    ] {
        push(t, frame);
    }
    special::each(t, |rule, t| rule.drawn(t, formation));
}

/// The side whose activation it is.
#[must_use]
pub fn phasing(t: &Table) -> Side {
    t.res::<Activation>().side.unwrap_or(Side::First)
}

/// Brigades of the formation that may still act, with their place in it.
fn waiting(t: &Table) -> impl Iterator<Item = (usize, u16)> + '_ {
    let (field, activation) = (Field::new(t), t.res::<Activation>());
    let formation = &field.rules.formations[usize::from(activation.formation)];
    let wears = &t.res::<Brigades>().0;
    formation
        .brigades
        .iter()
        .copied()
        .enumerate()
        .filter(move |&(place, brigade)| {
            let wear = &wears[usize::from(brigade)];
            activation.done >> place & 1 == 0
                && attach::goes_with(field.rules, brigade, wear) == activation.formation
                && may_act(t, brigade).is_ok()
        })
}

/// Whether a brigade may act with this marker.
fn may_act(t: &Table, brigade: u16) -> Check {
    let field = Field::new(t);
    let wear = field.wear(brigade);
    forbid(wear.uses == 0, rule!("4.13"), "has no activation left")?;
    forbid(
        wear.order == Order::Reserve,
        rule!("4.34"),
        "is in reserve and may not move or fire",
    )?;
    let present = field
        .members(brigade)
        .any(|unit| t.hex(unit).is_some() || due(t, unit));
    require(present, rule!("4.13"), "has nobody on the map")?;
    field
        .rules
        .specials
        .iter()
        .try_for_each(|special| special.may_act(t, brigade))
}

/// The division leader, if he has not moved yet.
fn division_leader(t: &Table) -> Option<UnitId> {
    let formation = &rules(t).formations[usize::from(t.res::<Activation>().formation)];
    let leader = formation.leader?;
    let free = !Field::new(t).deed(leader).any(Deed::ACTED);
    let frozen = rules(t)
        .specials
        .iter()
        .any(|rule| rule.may_move(t, leader).is_err());
    (free && !frozen && (t.hex(leader).is_some() || due(t, leader))).then_some(leader)
}

/// Whether a brigade, or the wing of it that is asked about, may attack (§5.14).
pub fn may_attack(t: &Table, brigade: u16, wing: u8) -> Check {
    let field = Field::new(t);
    let this = &field.rules.brigades[usize::from(brigade)];
    let wear = field.wear(brigade);
    forbid(
        this.guns,
        rule!("9.21"),
        "is artillery, which never charges",
    )?;
    forbid(wear.order != Order::None, rule!("5.14"), "is under orders")?;
    require(
        orders::released(t, brigade),
        rule!("L1"),
        "is not released yet",
    )?;
    require(
        wear.commanded && this.leader.is_some_and(|leader| t.hex(leader).is_some())
            || wing > 0
            || command::always(t, brigade),
        rule!("5.14"),
        "has no brigadier in command",
    )?;
    forbid(
        field.rules.divisions && crate::recovery::division_is_wrecked(t, this.formation),
        rule!("7.63"),
        "belongs to an ineffective division",
    )?;
    let specials = &field.rules.specials;
    specials
        .iter()
        .try_for_each(|special| special.may_attack(t, brigade))
}

/// Whether a special rule has a brigade attack.
fn must_attack(t: &Table, brigade: u16) -> bool {
    let mut specials = rules(t).specials.iter();
    specials.any(|special| special.must_attack(t, brigade))
}

/// The units of a brigade that take a posture together.
fn wing(t: &Table, brigade: u16, wing: u8) -> Vec<UnitId> {
    let apart = apart(t, brigade);
    let units = &rules(t).brigades[usize::from(brigade)].units;
    units
        .iter()
        .copied()
        .filter(|unit| apart.contains(unit) == (wing > 0) && t.hex(*unit).is_some())
        .collect()
}

/// Units that a special rule lets attack for themselves.
fn apart(t: &Table, brigade: u16) -> Vec<UnitId> {
    let mut specials = rules(t).specials.iter();
    let mut units = specials
        .find_map(|special| special.wing(t, brigade))
        .unwrap_or_default();
    units.retain(|&unit| t.hex(unit).is_some());
    units
}

/// Units of a brigade that may still act in IIa.
fn idle(t: &Table, brigade: u16) -> impl Iterator<Item = UnitId> + '_ {
    let field = Field::new(t);
    let this = &field.rules.brigades[usize::from(brigade)];
    let formation = &field.rules.formations[usize::from(this.formation.min(NONE - 1))];
    let leader = this
        .leader
        .filter(|&leader| Some(leader) != formation.leader);
    let units = field.members(brigade).chain(leader);
    units.filter(move |&unit| may_choose(t, unit).is_ok())
}

/// Whether a unit may be picked to act.
fn may_choose(t: &Table, unit: UnitId) -> Check {
    let field = Field::new(t);
    let there = t.hex(unit).is_some() || due(t, unit);
    require(there, rule!("5.11"), "is not on the map")?;
    forbid(
        field.deed(unit).any(Deed::ACTED),
        rule!("5.13"),
        "has acted already",
    )?;
    let specials = &field.rules.specials;
    specials
        .iter()
        .try_for_each(|special| special.may_move(t, unit))
}

/// What the frames of an activation ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let side = phasing(t);
    match *frame {
        Frame::Brigades => (waiting(t).next().is_some() || division_leader(t).is_some())
            .then_some((side, "brigade", "4.13")),
        Frame::Posture(brigade, wing) => may_attack(t, brigade, wing)
            .is_ok()
            .then_some((side, "posture", "5.14")),
        Frame::Units(brigade) => idle(t, brigade).next().map(|_| (side, "unit", "5.13")),
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    match frame {
        Frame::Over => {
            pop(t);
            surrender(t);
            special::each(t, |rule, t| rule.activation_over(t));
            forget(t);
        }
        _ => pop(t),
    }
    Ok(())
}

/// What lasts an activation is forgotten.
pub fn forget(t: &mut Table) {
    let activation = t.res_mut::<Activation>();
    let touched = std::mem::take(&mut activation.touched);
    activation.side = None;
    activation.shots.clear();
    activation.ready.clear();
    activation.counted = false;
    activation.queue.clear();
    activation.start = None;
    activation.path.clear();
    for unit in touched {
        t.get_mut::<Deed>(unit).0 = 0;
    }
    for wear in &mut t.res_mut::<Brigades>().0 {
        wear.caught = false;
    }
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    match *frame {
        Frame::Brigades => {
            let mut pressed = false;
            for (_, brigade) in waiting(t) {
                out.push(Do::Brigade(rules(t).brigades[usize::from(brigade)].token));
                pressed |= must_attack(t, brigade);
            }
            if let Some(leader) = division_leader(t) {
                out.push(Do::Unit(leader));
            }
            if !pressed {
                out.push(Do::Done);
            }
        }
        Frame::Posture(brigade, _) => {
            out.push(Do::Attack);
            if !must_attack(t, brigade) {
                out.push(Do::Normal);
            }
        }
        Frame::Units(brigade) => {
            let mut driven = false;
            for unit in idle(t, brigade) {
                out.push(Do::Unit(unit));
                driven |= crate::maneuver::drive(Field::new(t), unit) != Drive::Free;
            }
            if !driven {
                out.push(Do::Done);
            }
        }
        _ => {}
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Brigades, Do::Brigade(token)) => {
            let brigade = Field::new(t).brigade_of(token);
            let place = waiting(t).find(|(_, other)| *other == brigade);
            let (place, brigade) = place.ok_or_else(not_asked)?;
            t.res_mut::<Activation>().done |= 1 << place;
            wear_mut(t, brigade).uses -= 1;
            special::each(t, |rule, t| rule.brigade_begins(t, brigade));
            command::mark_units(t, brigade);
            push(t, Frame::Units(brigade));
            if !apart(t, brigade).is_empty() {
                push(t, Frame::Posture(brigade, 1));
            }
            push(t, Frame::Posture(brigade, 0));
        }
        (Frame::Brigades | Frame::Units(_), Do::Unit(unit)) => {
            push(t, Frame::Act(unit, 0, false));
        }
        (Frame::Brigades | Frame::Units(_), Do::Done) => pop(t),
        (Frame::Posture(brigade, of), Do::Attack) => {
            pop(t);
            for unit in wing(t, brigade, of) {
                let field = Field::new(t);
                let card = field.card(unit);
                let twin = card.twin;
                if !card.is_guns() && !card.sharpshooters && !field.deed(unit).any(Deed::ASTRAY) {
                    did(t, unit, Deed::ATTACKS);
                    twin.into_iter()
                        .for_each(|twin| did(t, twin, Deed::ATTACKS));
                }
            }
        }
        (Frame::Posture(..), Do::Normal) => pop(t),
        _ => return Err(not_asked()),
    }
    Ok(())
}

/// Why a brigade or a unit is not on the list.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    match (*frame, answer) {
        (Frame::Brigades, Do::Brigade(token)) => {
            let brigade = Field::new(t).brigade_of(token);
            rules(t).brigades.get(usize::from(brigade))?;
            may_act(t, brigade).err()
        }
        (Frame::Units(brigade), Do::Unit(unit)) => {
            let own = Field::new(t).acts_with(unit) == brigade;
            let check = require(own, rule!("4.13"), "belongs to another brigade");
            check.and_then(|()| may_choose(t, unit)).err()
        }
        _ => None,
    }
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    let brigade = |brigade: u16| &rules(t).brigades[usize::from(brigade)].name;
    match *frame {
        Frame::Brigades => "Which brigade acts next?".into(),
        Frame::Posture(of, 0) => format!("Which posture does {} take?", brigade(of)),
        Frame::Posture(of, _) => format!("Does the detachment of {} attack?", brigade(of)),
        Frame::Units(of) => format!("Which unit of {} acts next?", brigade(of)),
        _ => "?".into(),
    }
}

/// §5.18: who stands cut off in town among enemies may have to surrender when its activation ends.
fn surrender(t: &mut Table) {
    let side = phasing(t);
    let field = Field::new(t);
    let formation = t.res::<Activation>().formation;
    let caught: Vec<UnitId> = field
        .stands(side)
        .filter(|&(unit, hex)| {
            t.board().cover(hex) == Cover::Town
                && !field.is_abandoned(unit)
                && attach::formation_of(t, field.acts_with(unit)) == formation
                && field.enemy_within(side, hex, field.rules.numbers.isolated)
                && !crate::retreat::communicates(t, side, hex)
        })
        .map(|(unit, _)| unit)
        .collect();
    for unit in caught {
        let field = Field::new(t);
        let worn = field.wear(field.card(unit).brigade).ineffective;
        let add = if worn {
            field.rules.numbers.ineffective
        } else {
            0
        };
        if !cohesion::check(t, unit, "surrender", add) {
            t.say(|t| {
                let place = t.hex(unit).map_or("", |hex| label(t, hex)).to_owned();
                let text = format!("{} surrenders in {place}", name(t, unit));
                Event::new("surrender", rule!("5.18"), text).unit(unit)
            });
            field::surrender(t, unit);
        }
    }
}

/// Whether a unit counts as cavalry on foot or infantry.
#[must_use]
pub fn on_foot(field: Field, unit: UnitId) -> bool {
    match field.card(unit).kind {
        Kind::Foot => true,
        Kind::Horse => !field.mounted(unit),
        _ => false,
    }
}
