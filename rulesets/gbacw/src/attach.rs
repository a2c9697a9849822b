//! §4.27, §4.28, §9.22 Artillery that goes with a division: it acts with the division's marker.

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop};
use crate::field::{Field, rules, wear_mut};
use crate::state::{Frame, Land, Order};
use cupola_kernel::{Check, Event, Options, Refusal, Side, Table, TokenId, rule};

/// The formation with whose marker a brigade acts: that of the march, of the division it is attached to, or its own.
#[must_use]
pub fn formation_of(t: &Table, brigade: u16) -> u16 {
    let this = &rules(t).brigades[usize::from(brigade)];
    let wear = Field::new(t).wear(brigade);
    let march = rules(t).march_marker[this.side].filter(|_| wear.order == Order::March);
    march.or(wear.with).unwrap_or(this.formation)
}

/// Whether another brigade is attached to a formation already: there may be one (§4.28).
fn taken(t: &Table, brigade: u16, formation: u16) -> bool {
    let brigades = &rules(t).brigades;
    if brigades[usize::from(brigade)].integral {
        return false;
    }
    let all = (0u16..)
        .zip(brigades)
        .filter(|(_, b)| b.guns && !b.integral);
    all.filter(|&(other, _)| other != brigade)
        .any(|(other, _)| Field::new(t).wear(other).with == Some(formation))
}

/// Whether a brigade may be attached to a formation.
fn may_attach(t: &Table, brigade: u16, formation: u16) -> bool {
    let this = &rules(t).brigades[usize::from(brigade)];
    let in_play =
        rules(t).formations[usize::from(formation)].from <= t.turn() && fielded(t, formation);
    this.attach.contains(&formation)
        && in_play
        && Field::new(t).wear(brigade).with != Some(formation)
        && !taken(t, brigade, formation)
        && this.units.iter().any(|&unit| t.hex(unit).is_some())
        && crate::orders::released(t, brigade)
        && allowed(t, brigade, Some(formation)).is_ok()
}

/// Whether the special rules let artillery be attached to a formation, or go by itself again.
fn allowed(t: &Table, brigade: u16, to: Option<u16>) -> Check {
    let mut specials = rules(t).specials.iter();
    specials.try_for_each(|rule| rule.may_attach(t, brigade, to))
}

/// Whether a division has troops of its own on the map.
fn fielded(t: &Table, formation: u16) -> bool {
    let brigades = rules(t).brigades.iter();
    let mut own = brigades.filter(|brigade| brigade.formation == formation);
    own.any(|brigade| brigade.units.iter().any(|&unit| t.hex(unit).is_some()))
}

/// Looks which artillery of a side may be attached.
pub fn muster(t: &mut Table, side: Side) {
    let brigades = rules(t).brigades.iter().enumerate();
    let found = brigades.filter(|(_, brigade)| brigade.side == side && !brigade.attach.is_empty());
    let found = found.map(|(number, _)| (number as u16, 0)).collect();
    t.res_mut::<Land>().staff = found;
}

fn choices(t: &Table) -> Vec<(u16, u16)> {
    let staff = t.res::<Land>().staff.iter();
    staff
        .flat_map(|&(brigade, _)| {
            let this = &rules(t).brigades[usize::from(brigade)];
            this.attach
                .iter()
                .map(move |&formation| (brigade, formation))
        })
        .filter(|&(brigade, formation)| may_attach(t, brigade, formation))
        .collect()
}

/// Brigades that may go back to their own marker.
fn attached(t: &Table) -> impl Iterator<Item = u16> + '_ {
    let staff = t.res::<Land>().staff.iter().map(|(brigade, _)| *brigade);
    staff.filter(|&brigade| {
        Field::new(t).wear(brigade).with.is_some() && allowed(t, brigade, None).is_ok()
    })
}

/// What the frame asks.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Attach(side) = *frame else {
        return None;
    };
    let any = attached(t).next().is_some() || !choices(t).is_empty();
    any.then_some((side, "attach", "9.22"))
}

/// Lists the answers.
pub fn options(t: &Table, _: &Frame, out: &mut Options) {
    let token = |brigade: u16| rules(t).brigades[usize::from(brigade)].token;
    for (brigade, formation) in choices(t) {
        let to = rules(t).formations[usize::from(formation)].token;
        out.push(Do::Attach(token(brigade), to));
    }
    attached(t).for_each(|brigade| out.push(Do::Detach(token(brigade))));
    out.push(Do::Done);
}

fn formation(t: &Table, token: TokenId) -> Option<u16> {
    let found = rules(t).formations.iter().position(|f| f.token == token);
    found.map(|formation| formation as u16)
}

/// Carries out an answer.
pub fn take(t: &mut Table, _: Frame, answer: Do) -> Answer {
    let (token, with) = match answer {
        Do::Done => {
            pop(t);
            t.res_mut::<Land>().staff.clear();
            return Ok(());
        }
        Do::Attach(brigade, to) => (brigade, Some(formation(t, to).ok_or_else(not_asked)?)),
        Do::Detach(brigade) => (brigade, None),
        _ => return Err(not_asked()),
    };
    let brigade = Field::new(t).brigade_of(token);
    t.res_mut::<Land>().staff.retain(|(of, _)| *of != brigade);
    wear_mut(t, brigade).with = with;
    t.say(|t| {
        let name = &rules(t).brigades[usize::from(brigade)].name;
        let text = match with {
            Some(to) => {
                let to = &rules(t).formations[usize::from(to)].name;
                format!("{name} goes with {to}")
            }
            None => format!("{name} goes by itself again"),
        };
        Event::new("attach", rule!("9.22"), text)
    });
    Ok(())
}

/// Why artillery cannot be attached.
pub fn why_not(t: &Table, answer: Do) -> Option<Refusal> {
    let Do::Attach(brigade, to) = answer else {
        return None;
    };
    let (brigade, to) = (Field::new(t).brigade_of(brigade), formation(t, to)?);
    let this = rules(t).brigades.get(usize::from(brigade))?;
    if let Err(refusal) = allowed(t, brigade, Some(to)) {
        return Some(refusal);
    }
    Some(if !this.attach.contains(&to) {
        Refusal::new(rule!("4.27"), "may not be attached there")
    } else if taken(t, brigade, to) {
        Refusal::new(
            rule!("4.28"),
            "would be the second attached to that division",
        )
    } else {
        Refusal::new(rule!("9.22"), "cannot be attached now")
    })
}

/// A question in words.
#[must_use]
pub fn prompt(_: &Table, _: &Frame) -> String {
    "Which artillery goes with a division?".into()
}
