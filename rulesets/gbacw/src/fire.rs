//! §6.1 Fire: approach fire, declared fire and return fire, resolved in pairs.
//!
//! Who can hit whom is in [`crate::aim`], what a fire comes to in [`crate::volley`].

use crate::activation::phasing;
use crate::acts::Do;
use crate::aim::{can_hit, charged_hexes, may_fire, targets, weapon};
use crate::engine::{Answer, Question, not_asked, pop, push};
use crate::field::{Field, did, label, name, rules, wear_mut};
use crate::files::Weapon;
use crate::orders;
use crate::state::{Activation, Deed, Frame, Land, Shot};
use crate::volley::Aim;
use crate::{breastworks, facing};
use cupola_kernel::{
    Check, Event, Fight, HexId, Options, Refusal, Table, UnitId, forbid, require, rule,
};

/// Units of the formation under way.
fn active(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    let activation = t.res::<Activation>();
    let formation = &rules(t).formations[usize::from(activation.formation)];
    let acted = formation.brigades.iter().enumerate();
    acted
        .filter(move |(place, _)| activation.done >> place & 1 == 1)
        .flat_map(|(_, &brigade)| &rules(t).brigades[usize::from(brigade)].units)
        .flat_map(|&unit| [Some(unit), rules(t).card(unit).twin])
        .flatten()
        .filter(|&unit| t.hex(unit).is_some())
}

/// Those who can fire, worked out once: nobody moves while fires are declared.
fn prepare(t: &mut Table) {
    let field = Field::new(t);
    let ready: Vec<UnitId> = active(t)
        .filter(|&unit| may_fire(field, unit).is_ok() && !targets(field, unit).is_empty())
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

/// Whether a unit may return fire at all.
fn may_answer(field: Field, unit: UnitId) -> Check {
    let (status, deed) = (field.status(unit), field.deed(unit));
    forbid(status.abandoned, rule!("9.32"), "has no crews")?;
    forbid(deed.any(Deed::FIRED), rule!("6.13"), "has fired")?;
    let specials = &field.rules.specials;
    specials
        .iter()
        .try_for_each(|rule| rule.may_answer(field.t, unit))
}

/// Whom a unit may answer: who fired at its hex, or who stands before it and fired at a friend.
fn answers(field: Field, unit: UnitId) -> Vec<HexId> {
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
    let ready = t.res::<Activation>().ready.iter().copied();
    ready.filter(|&unit| !Field::new(t).deed(unit).any(Deed::FIRED))
}

/// Fires of the active side that are still to be rolled, from where to where.
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
            (targets(Field::new(t), unit).len() > 1).then_some((side, "target", "6.11"))
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
            Some(&(from, at)) => return resolve(t, from, at),
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
    let brigades: Vec<u16> = Field::new(t)
        .fighters(at)
        .map(|unit| rules(t).card(unit).brigade)
        .collect();
    for brigade in brigades {
        orders::surprise(t, brigade);
    }
    aimed(t, unit, at);
    if charges {
        let brigade = rules(t).card(unit).brigade;
        wear_mut(t, brigade).charged = true;
        met(t, from, at);
    }
}

/// Special rules hear of a fire that was declared.
fn aimed(t: &mut Table, unit: UnitId, at: HexId) {
    for special in 0..rules(t).specials.len() {
        crate::special::aimed(t, special, unit, at);
    }
}

/// Notes who was charged, and whether over breastworks only (§7.53).
fn met(t: &mut Table, from: HexId, at: HexId) {
    let field = Field::new(t);
    let board = t.board();
    let side = facing::entries(board.axial(from), board.axial(at)).0;
    let works = t.res::<Land>().works_at(at);
    let covered = works.is_some_and(|work| work.sides >> side & 1 == 1);
    let stack: Vec<UnitId> = field.fighters(at).collect();
    for unit in stack {
        let before = Field::new(t).deed(unit);
        let open = before.any(Deed::MET) && !before.any(Deed::SHELTERED);
        did(
            t,
            unit,
            Deed::MET | if covered && !open { Deed::SHELTERED } else { 0 },
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

/// The fight of some units of one hex against another, as declared so far.
fn fight(field: Field, mut firers: Vec<UnitId>, from: HexId, at: HexId, back: bool) -> Fight {
    firers.sort_unstable();
    let shots = &field.t.res::<Activation>().shots;
    // Small arms share the front of a hex, first come first served (§6.14).
    let place = shots.iter().position(|shot| firers.contains(&shot.unit));
    let before = &shots[..place.unwrap_or(shots.len())];
    let others = before
        .iter()
        .filter(|shot| shot.from == from && shot.back == back && shot.at != at);
    let small = |unit: UnitId| !field.card(unit).is_guns();
    let used: u8 = others
        .filter(|shot| small(shot.unit))
        .map(|shot| field.sp(shot.unit))
        .sum();
    let room = field.rules.numbers.frontage.saturating_sub(used);
    let of = |guns: bool| -> u8 {
        let units = firers.iter().filter(|&&unit| small(unit) != guns);
        units.map(|&unit| field.sp(unit)).sum()
    };
    let sp = of(false).min(room) + of(true);
    let mut rows = [0u8; 12];
    for &unit in &firers {
        rows[weapon(field, unit) as usize] += field.sp(unit);
    }
    let range = field.t.board().distance(from, at);
    let worth = |row: usize| (rows[row], field.rules.range(Weapon::ALL[row], range));
    let row = (0..12).max_by_key(|&row| worth(row)).unwrap_or(0);
    let defenders: Vec<UnitId> = field.fighters(at).collect();
    Fight {
        terms: vec![
            meaning(field, &firers, &defenders, back),
            i16::from(sp),
            row as i16,
        ],
        attackers: firers,
        defenders,
        hex: Some(at),
    }
}

/// Whether the charge counts for a fire (§6.36).
fn meaning(field: Field, firers: &[UnitId], targets: &[UnitId], back: bool) -> i16 {
    let charged = |unit: UnitId| field.deed(unit).any(Deed::CHARGED);
    if back {
        let against = targets.iter().any(|&unit| charged(unit));
        return if against { Aim::CHARGE } else { 0 };
    }
    let Some(&first) = firers
        .iter()
        .find(|&&unit| charged(unit) || charges_next(field, unit))
    else {
        return 0;
    };
    let led = !field.rules.switches.leading_the_charge || led_by_brigadier(field, first);
    let denied = field
        .rules
        .specials
        .iter()
        .any(|rule| rule.no_charge_bonus(field.t, first));
    Aim::CHARGERS | if led && !denied { Aim::CHARGE } else { 0 }
}

/// A unit that has not declared yet but would charge.
fn charges_next(field: Field, unit: UnitId) -> bool {
    !field.deed(unit).any(Deed::FIRED) && !charged_hexes(field, unit).is_empty()
}

/// §12.31: the brigadier is stacked with a unit of his that charges.
fn led_by_brigadier(field: Field, unit: UnitId) -> bool {
    if field
        .rules
        .specials
        .iter()
        .any(|rule| rule.in_command(field.t, unit))
    {
        return true;
    }
    let Some(brigade) = field.brigade(unit) else {
        return false;
    };
    let Some(hex) = brigade.leader.and_then(|leader| field.t.hex(leader)) else {
        return false;
    };
    let mut there = field.fighters(hex);
    there.any(|other| {
        field.card(other).brigade == field.card(unit).brigade
            && (field.deed(other).any(Deed::CHARGED) || charges_next(field, other))
    })
}

/// Rolls a fire and what answers it, then applies all of it (§6.17).
fn resolve(t: &mut Table, from: HexId, at: HexId) -> Answer {
    let field = Field::new(t);
    let shots = t.res::<Activation>().shots.clone();
    let there =
        |shot: &&Shot| t.hex(shot.unit) == Some(shot.from) && !field.status(shot.unit).abandoned;
    let ours: Vec<UnitId> = shots
        .iter()
        .filter(|shot| !shot.back && !shot.done && (shot.from, shot.at) == (from, at))
        .filter(there)
        .map(|shot| shot.unit)
        .collect();
    let back: Vec<&Shot> = shots
        .iter()
        .filter(|shot| shot.back && !shot.done && shot.at == from)
        .filter(there)
        .collect();
    let side = phasing(t);
    let mut fights = vec![];
    if !ours.is_empty() && field.holder(at) == Some(side.other()) {
        fights.push(fight(field, ours, from, at, false));
    }
    if field.holder(from) == Some(side) {
        let mut hexes: Vec<HexId> = back.iter().map(|shot| shot.from).collect();
        hexes.sort_unstable();
        hexes.dedup();
        for hex in hexes {
            let units = back.iter().filter(|shot| shot.from == hex);
            let units = units.map(|shot| shot.unit).collect();
            fights.push(fight(field, units, hex, from, true));
        }
    }
    for shot in &mut t.res_mut::<Activation>().shots {
        shot.done |=
            !shot.back && (shot.from, shot.at) == (from, at) || shot.back && shot.at == from;
    }
    let mut results = vec![];
    for fight in fights {
        results.push(roll(t, &fight)?);
    }
    for result in results.into_iter().rev() {
        push(t, result);
    }
    Ok(())
}

/// Rolls one fire; its result waits on the stack.
fn roll(t: &mut Table, fight: &Fight) -> Result<Frame, cupola_kernel::Fault> {
    let combat = t.combat("fire")?;
    let outcome = t.fight(&*combat, fight)?;
    for special in 0..rules(t).specials.len() {
        crate::special::fired(t, special, fight);
    }
    // The fire that ends an order finds a column; the next finds men who face it (§4.33).
    for &unit in &fight.defenders {
        let brigade = rules(t).card(unit).brigade;
        if Field::new(t).wear(brigade).caught {
            wear_mut(t, brigade).caught = false;
        }
    }
    let from = fight.attackers.first().and_then(|&unit| t.hex(unit));
    let at = fight.hex.ok_or_else(not_asked)?;
    t.say(|t| {
        let who = fight.attackers.iter().map(|&unit| name(t, unit));
        let who = who.collect::<Vec<_>>().join(", ");
        let text = format!(
            "{who} fire at {}: {}",
            label(t, at),
            combat.describe(t, &outcome)
        );
        Event::new("fire", rule!("6.15"), text).hex(at)
    });
    Ok(Frame::Suffer(at, outcome.code, from))
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
            let fight = fight(Field::new(t), vec![unit], from, at, true);
            let fight = Fight {
                // Approach Fire does not get the charge (§6.36).
                terms: vec![0, fight.terms[1], fight.terms[2]],
                ..fight
            };
            let result = roll(t, &fight)?;
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
        (Frame::Resolve, Do::Next(from, at)) => return resolve(t, from, at),
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

/// The fight that an answer leads to.
#[must_use]
pub fn leads_to(t: &Table, frame: &Frame, answer: Do) -> Option<Fight> {
    let field = Field::new(t);
    match (*frame, answer) {
        (Frame::Approach, Do::Fire(unit, at)) => {
            let fight = fight(field, vec![unit], t.hex(unit)?, at, true);
            Some(Fight {
                terms: vec![0, fight.terms[1], fight.terms[2]],
                ..fight
            })
        }
        (Frame::Aim(unit), Do::At(at)) => joined(field, unit, at, false),
        (Frame::Answer(unit), Do::At(at)) => joined(field, unit, at, true),
        (Frame::Declare, Do::Unit(unit)) => match targets(field, unit)[..] {
            [at] => joined(field, unit, at, false),
            _ => None,
        },
        (Frame::Return, Do::Unit(unit)) => match answers(field, unit)[..] {
            [at] => joined(field, unit, at, true),
            _ => None,
        },
        (Frame::Resolve, Do::Next(from, at)) => {
            let shots = t.res::<Activation>().shots.iter();
            let ours = shots.filter(|s| !s.back && !s.done && (s.from, s.at) == (from, at));
            let ours: Vec<UnitId> = ours
                .map(|shot| shot.unit)
                .filter(|&unit| t.hex(unit) == Some(from) && !field.status(unit).abandoned)
                .collect();
            // Who has left is not hit.
            let stands = field.holder(at) == Some(phasing(t).other());
            (stands && !ours.is_empty()).then(|| fight(field, ours, from, at, false))
        }
        _ => None,
    }
}

/// A unit's fire together with what its hex has declared at the same target already.
fn joined(field: Field, unit: UnitId, at: HexId, back: bool) -> Option<Fight> {
    let from = field.t.hex(unit)?;
    let shots = field.t.res::<Activation>().shots.iter();
    let with = shots.filter(|s| s.back == back && !s.done && (s.from, s.at) == (from, at));
    let mut firers: Vec<UnitId> = with.map(|shot| shot.unit).collect();
    firers.push(unit);
    Some(fight(field, firers, from, at, back))
}
