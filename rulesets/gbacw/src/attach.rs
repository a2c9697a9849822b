//! §4.27, §4.28, §9.22 Artillery that goes with a division: it acts with the division's marker. A battery may go with one
//! brigade by itself where the rules say so (§4.28, L4).

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop};
use crate::field::{Field, name, rules, wear_mut};
use crate::rules::{Brigade, Rules};
use crate::state::{Frame, Guests, Land, Order, Wear};
use cupola_kernel::{
    Check, Event, Options, Refusal, Side, Table, TokenId, UnitId, forbid, require, rule,
};

/// The formation with whose marker a brigade acts: that of the march, of the division it is attached to (§9.22), or its
/// own (§4.15).
#[must_use]
pub fn formation_of(t: &Table, brigade: u16) -> u16 {
    let field = Field::new(t);
    goes_with(field.rules, brigade, &field.wear(brigade))
}

/// The same of a brigade with this track.
#[must_use]
pub fn goes_with(rules: &Rules, brigade: u16, wear: &Wear) -> u16 {
    let this = &rules.brigades[usize::from(brigade)];
    let march = rules.march_marker[this.side].filter(|_| wear.order == Order::March);
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
    let field = Field::new(t);
    all.filter(|&(other, _)| other != brigade)
        .any(|(other, _)| field.wear(other).with == Some(formation))
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

/// What the staff thinks about: a brigade of guns, or a battery by itself.
const BRIGADE: u8 = 0;
const BATTERY: u8 = 1;

/// Looks which artillery of a side may be attached: brigades of guns first, then single batteries.
pub fn muster(t: &mut Table, side: Side) {
    let ours = || {
        let brigades = (0u16..).zip(&rules(t).brigades);
        brigades.filter(move |(_, brigade)| brigade.side == side)
    };
    let whole = ours().filter(|(_, brigade)| !brigade.attach.is_empty());
    let single = ours().filter(|(_, brigade)| !brigade.hosts.is_empty());
    let single = single.flat_map(|(_, brigade)| &brigade.units);
    let single = single.filter(|&&unit| rules(t).card(unit).is_guns() && t.hex(unit).is_some());
    let whole = whole.map(|(number, _)| (number, BRIGADE));
    let found = whole.chain(single.map(|unit| (unit.0, BATTERY))).collect();
    t.res_mut::<Land>().staff = found;
}

/// Batteries that are thought about.
fn batteries(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    let staff = t.res::<Land>().staff.iter();
    staff
        .filter(|(_, kind)| *kind == BATTERY)
        .map(|&(unit, _)| UnitId(unit))
}

/// The brigade of guns to which a battery belongs.
fn own(t: &Table, unit: UnitId) -> Option<&Brigade> {
    rules(t)
        .brigades
        .get(usize::from(rules(t).card(unit).brigade))
}

/// Whether a battery may be attached to a brigade (§4.28, L4).
fn may_join(t: &Table, unit: UnitId, host: u16) -> Check {
    let (field, guns) = (Field::new(t), own(t, unit));
    let listed = guns.filter(|guns| guns.hosts.contains(&host));
    let Some(guns) = listed else {
        return require(false, rule!("4.28"), "may not be attached there");
    };
    require(
        crate::orders::free(t, unit),
        rule!("L4"),
        "is not released yet",
    )?;
    require(
        crate::orders::released(t, host),
        rule!("L4"),
        "goes only with a brigade that is released",
    )?;
    let units = &rules(t).brigades[usize::from(host)].units;
    let there = units.iter().any(|&unit| t.hex(unit).is_some());
    require(there, rule!("9.22"), "finds nobody of that brigade")?;
    let others = t.res::<Guests>().0.iter();
    let others = others.filter(|(guest, with)| *with == host && *guest != unit);
    let full = guns.most > 0 && others.count() >= usize::from(guns.most);
    forbid(
        full,
        rule!("4.28"),
        "would be one too many with that brigade",
    )?;
    forbid(
        field.acts_with(unit) == host,
        rule!("9.22"),
        "is attached to it already",
    )
}

/// Brigades to which a battery may be attached.
fn hosts(t: &Table, unit: UnitId) -> impl Iterator<Item = u16> + '_ {
    let hosts = own(t, unit).map_or(&[][..], |guns| &guns.hosts);
    let hosts = hosts.iter().copied();
    hosts.filter(move |&host| may_join(t, unit, host).is_ok())
}

/// Whether a battery goes with a brigade that is not its own.
fn is_guest(t: &Table, unit: UnitId) -> bool {
    let mut guests = t.res::<Guests>().0.iter();
    guests.any(|(guest, _)| *guest == unit)
}

/// Whether a battery goes back to its own brigade if its owner likes.
fn may_rejoin(t: &Table, unit: UnitId) -> bool {
    is_guest(t, unit) && own(t, unit).is_some_and(|guns| !guns.bound)
}

/// Whether a battery must be attached, and has not been (L4).
fn must_join(t: &Table, unit: UnitId) -> bool {
    own(t, unit).is_some_and(|guns| guns.bound)
        && !is_guest(t, unit)
        && hosts(t, unit).next().is_some()
}

fn choices(t: &Table) -> Vec<(u16, u16)> {
    let staff = t.res::<Land>().staff.iter();
    staff
        .filter(|(_, kind)| *kind == BRIGADE)
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
    let staff = t.res::<Land>().staff.iter();
    let staff = staff.filter(|(_, kind)| *kind == BRIGADE);
    staff.map(|(brigade, _)| *brigade).filter(|&brigade| {
        let units = &rules(t).brigades[usize::from(brigade)].units;
        Field::new(t).wear(brigade).with.is_some()
            && units.iter().any(|&unit| t.hex(unit).is_some())
            && allowed(t, brigade, None).is_ok()
    })
}

/// What the frame asks.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Attach(side) = *frame else {
        return None;
    };
    let any = attached(t).next().is_some()
        || !choices(t).is_empty()
        || batteries(t).any(|unit| hosts(t, unit).next().is_some() || may_rejoin(t, unit));
    any.then_some((side, "attach", "9.22"))
}

/// There is nothing left to ask.
pub fn go(t: &mut Table, _: Frame) -> Answer {
    pop(t);
    Ok(())
}

/// Lists the answers.
pub fn options(t: &Table, _: &Frame, out: &mut Options) {
    let token = |brigade: u16| rules(t).brigades[usize::from(brigade)].token;
    for (brigade, formation) in choices(t) {
        let to = rules(t).formations[usize::from(formation)].token;
        out.push(Do::Attach(token(brigade), to));
    }
    attached(t).for_each(|brigade| out.push(Do::Detach(token(brigade))));
    for unit in batteries(t) {
        hosts(t, unit).for_each(|host| out.push(Do::Join(unit, token(host))));
        if may_rejoin(t, unit) {
            out.push(Do::Rejoin(unit));
        }
    }
    if !batteries(t).any(|unit| must_join(t, unit)) {
        out.push(Do::Done);
    }
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
        Do::Join(unit, to) => {
            let to = Field::new(t).brigade_of(to);
            join(t, unit, Some(to));
            return Ok(());
        }
        Do::Rejoin(unit) => {
            join(t, unit, None);
            return Ok(());
        }
        _ => return Err(not_asked()),
    };
    let brigade = Field::new(t).brigade_of(token);
    t.res_mut::<Land>()
        .staff
        .retain(|(of, kind)| *of != brigade || *kind != BRIGADE);
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

/// A battery goes with a brigade, or with its own again.
fn join(t: &mut Table, unit: UnitId, host: Option<u16>) {
    t.res_mut::<Land>()
        .staff
        .retain(|(of, kind)| *of != unit.0 || *kind != BATTERY);
    let guests = &mut t.res_mut::<Guests>().0;
    guests.retain(|(guest, _)| *guest != unit);
    guests.extend(host.map(|host| (unit, host)));
    t.say(|t| {
        let with = Field::new(t).acts_with(unit);
        let to = &rules(t).brigades[usize::from(with)].name;
        let text = format!("{} goes with {to}", name(t, unit));
        Event::new("attach", rule!("9.22"), text).unit(unit)
    });
}

/// Why artillery cannot be attached.
pub fn why_not(t: &Table, _: &Frame, answer: Do) -> Option<Refusal> {
    if let Do::Join(unit, to) = answer {
        return may_join(t, unit, Field::new(t).brigade_of(to)).err();
    }
    if answer == Do::Done {
        return Some(Refusal::new(
            rule!("L4"),
            "leaves a battery that must be attached",
        ));
    }
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
    "Which artillery goes with a division or a brigade?".into()
}
