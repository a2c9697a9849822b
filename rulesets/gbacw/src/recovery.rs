//! IIIb Recovery (§8.2, §7.6): routed units come back or are lost, and brigades are looked at.

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push, swap};
use crate::field::{Field, eliminate, label, name, occupy, rules, status_mut, turn, wear_mut};
use crate::rules::NONE;
use crate::state::{Deed, Frame, Land, Order, boxes, is_lost};
use crate::{artillery, breastworks, cohesion, leaders, special};
use cupola_army::Light;
use cupola_kernel::{Event, HexId, Options, Place, Side, Table, UnitId, rule};

/// IIIb begins: leaders are replaced, reserves put in order, routed units may recover.
pub fn begin_recovery(t: &mut Table) -> Answer {
    crate::activation::forget(t);
    rest(t);
    push(t, Frame::Routed(Side::Second));
    push(t, Frame::Routed(Side::First));
    leaders::replace(t);
    Ok(())
}

/// Units in reserve return to good order (§4.34).
fn rest(t: &mut Table) {
    for brigade in 0..rules(t).brigades.len() as u16 {
        if Field::new(t).wear(brigade).order != Order::Reserve {
            continue;
        }
        let units: Vec<UnitId> = Field::new(t).members(brigade).collect();
        for unit in units {
            status_mut(t, unit).disordered = false;
            if let Some(twin) = rules(t).card(unit).twin {
                status_mut(t, twin).disordered = false;
            }
        }
    }
}

/// IIIc: guns, works, and what is determined once a turn.
pub fn begin_end(t: &mut Table) -> Answer {
    determine(t);
    night_is_over(t);
    artillery::end_of_turn(t);
    breastworks::end_of_turn(t);
    crate::victory::turn_ends(t);
    special::each(t, |rule, t| rule.turn_ends(t));
    Ok(())
}

/// §8.2: who has not come back by the last turn of a night is gone for good.
fn night_is_over(t: &mut Table) {
    let next = t.env().track.turns.get(usize::from(t.turn()) + 1);
    let day = next.is_none_or(|next| next.light != Light::Night);
    if !t.is_night() || !day {
        return;
    }
    let routed: Vec<UnitId> = t.stacks().boxed(boxes::ROUTED).collect();
    for unit in routed {
        t.say(|t| {
            let text = format!("{} does not come back", name(t, unit));
            Event::new("eliminated", rule!("8.2"), text).unit(unit)
        });
        eliminate(t, unit);
    }
}

/// Combat Ineffectiveness of every brigade, determined anew each turn (§7.64).
pub fn determine(t: &mut Table) {
    for brigade in 0..rules(t).brigades.len() as u16 {
        let gone = is_spent(t, brigade);
        wear_mut(t, brigade).ineffective = gone;
    }
}

/// Whether half or more of a brigade's units are routed or eliminated (§7.61).
#[must_use]
pub fn is_spent(t: &Table, brigade: u16) -> bool {
    let this = &rules(t).brigades[usize::from(brigade)];
    // Artillery never is (§7.65).
    if this.guns || this.units.is_empty() {
        return false;
    }
    if this.wreck {
        return true;
    }
    let gone = |unit: &&UnitId| is_lost(t.stacks().place(**unit));
    // Who has left the game, or has not come yet, does not count (R14).
    let absent = |unit: &&UnitId| match t.stacks().place(**unit) {
        Place::Box(boxes::WITHDRAWN) => true,
        Place::Box(boxes::AWAITED) => rules(t).starts[usize::from(unit.0)].at.is_none(),
        _ => false,
    };
    // Batteries that go with a brigade keep their own losses (§7.55) and do not count.
    let counts = |unit: &&UnitId| !rules(t).card(**unit).is_guns();
    let counted = this.units.iter().filter(counts);
    let all = counted.clone().filter(|unit| !absent(unit)).count();
    all > 0 && 2 * counted.filter(gone).count() >= all
}

/// Whether half or more of a formation's brigades of foot or horse are ineffective (§7.62).
#[must_use]
pub fn division_is_wrecked(t: &Table, formation: u16) -> bool {
    let formation = rules(t).formations.get(usize::from(formation));
    let Some(formation) = formation.filter(|formation| !formation.steadfast) else {
        return false;
    };
    let fighting = |brigade: &&u16| !rules(t).brigades[usize::from(**brigade)].guns;
    let field = Field::new(t);
    // Brigades that are not there yet do not count.
    let there = |brigade: &&u16| {
        let units = &rules(t).brigades[usize::from(**brigade)].units;
        let mut places = units.iter().map(|&unit| t.stacks().place(unit));
        places.any(|place| place != Place::Box(boxes::AWAITED))
    };
    let counted = || formation.brigades.iter().filter(fighting).filter(there);
    let all = counted().count();
    let spent = counted()
        .filter(|&&brigade| field.wear(brigade).ineffective)
        .count();
    all > 0 && 2 * spent >= all
}

/// Routed units of a side that may try, and have a place to come back to.
fn candidates(t: &Table, side: Side) -> Vec<UnitId> {
    let field = Field::new(t);
    t.stacks()
        .boxed(boxes::ROUTED)
        .filter(|&unit| field.card(unit).side == side && !field.deed(unit).any(Deed::ACTED))
        .filter(|&unit| !places(t, unit).is_empty())
        .collect()
}

/// Where a unit may come back: near its brigadier, away from the enemy (§8.2).
fn places(t: &Table, unit: UnitId) -> Vec<HexId> {
    let field = Field::new(t);
    let brigade = field.card(unit).brigade;
    if brigade == NONE {
        return vec![];
    }
    let leader = field.rules.brigades[usize::from(brigade)].leader;
    let Some(centre) = leader.and_then(|leader| t.hex(leader)) else {
        return vec![];
    };
    let side = field.card(unit).side;
    let (near, apart) = (
        field.rules.numbers.recover_near,
        field.rules.numbers.recover_apart,
    );
    let safe = |hex: HexId| {
        field.inside(hex)
            && field.holder(hex) != Some(side.other())
            && field.fits(unit, hex)
            && !field.enemy_within(side, hex, apart - 1)
    };
    let around = field.around(centre, near);
    let mut found: Vec<HexId> = around.filter(|&hex| safe(hex)).collect();
    found.sort_unstable();
    found
}

/// What the frames of recovery ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    match *frame {
        Frame::Recover(side) => {
            (!t.res::<Land>().staff.is_empty()).then_some((side, "recover", "8.2"))
        }
        Frame::ComeBack(unit) => {
            (places(t, unit).len() > 1).then_some((rules(t).card(unit).side, "place", "8.2"))
        }
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    match frame {
        Frame::Routed(side) => {
            let staff = candidates(t, side).into_iter().map(|unit| (unit.0, 0));
            let staff = staff.collect();
            t.res_mut::<Land>().staff = staff;
            swap(t, Frame::Recover(side));
        }
        Frame::ComeBack(unit) => {
            pop(t);
            if let Some(&hex) = places(t, unit).first() {
                come_back(t, unit, hex);
            }
        }
        _ => pop(t),
    }
    Ok(())
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    match *frame {
        Frame::Recover(_) => {
            let staff = t.res::<Land>().staff.iter();
            staff.for_each(|&(unit, _)| out.push(Do::Recover(UnitId(unit))));
            out.push(Do::Done);
        }
        Frame::ComeBack(unit) => places(t, unit)
            .into_iter()
            .for_each(|hex| out.push(Do::Place(hex))),
        _ => {}
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Recover(_), Do::Done) => {
            pop(t);
            t.res_mut::<Land>().staff.clear();
        }
        (Frame::Recover(_), Do::Recover(unit)) => {
            t.res_mut::<Land>()
                .staff
                .retain(|(other, _)| *other != unit.0);
            try_recovery(t, unit);
        }
        (Frame::ComeBack(unit), Do::Place(hex)) => {
            pop(t);
            come_back(t, unit, hex);
        }
        _ => return Err(not_asked()),
    }
    Ok(())
}

fn try_recovery(t: &mut Table, unit: UnitId) {
    let brigade = rules(t).card(unit).brigade;
    let worn = Field::new(t).wear(brigade).ineffective;
    let add = if worn {
        rules(t).numbers.ineffective
    } else {
        0
    };
    status_mut(t, unit).disordered = true;
    crate::field::did(t, unit, Deed::ACTED);
    if cohesion::check(t, unit, "recovery", add) {
        push(t, Frame::ComeBack(unit));
        return;
    }
    t.say(|t| {
        let text = format!("{} does not come back", name(t, unit));
        Event::new("eliminated", rule!("8.2"), text).unit(unit)
    });
    eliminate(t, unit);
}

fn come_back(t: &mut Table, unit: UnitId, hex: HexId) {
    let joined = Field::new(t).fighters(hex).next();
    occupy(t, unit, hex);
    if let Some(facing) = joined.map(|other| Field::new(t).status(other).facing) {
        turn(t, unit, facing);
    }
    let card = rules(t).card(unit);
    // Not doubled for ineffective brigades: half its strength is what it is short of.
    let (brigade, losses) = (card.brigade, card.sp.div_ceil(2));
    let wear = wear_mut(t, brigade);
    wear.losses = wear.losses.saturating_add(losses);
    t.say(|t| {
        let text = format!("{} comes back at {}", name(t, unit), label(t, hex));
        Event::new("recovery", rule!("8.2"), text)
            .unit(unit)
            .hex(hex)
    });
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Recover(_) => "Which routed unit tries to come back?".into(),
        Frame::ComeBack(unit) => format!("Where does {} come back?", name(t, unit)),
        _ => "?".into(),
    }
}
