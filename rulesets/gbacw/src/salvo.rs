//! §6.14, §6.17 The fights that follow from what was declared: who fires together, and how they are rolled.
//!
//! Who may declare what is in [`crate::fire`], what a fire comes to in [`crate::volley`].

use crate::activation::phasing;
use crate::acts::Do;
use crate::aim::{charged_hexes, shares, targets, weapon};
use crate::engine::{Answer, not_asked, push};
use crate::field::{Field, label, name, wear_mut};
use crate::files::Weapon;
use crate::fire::answers;
use crate::special;
use crate::state::{Activation, Deed, Frame, Shot};
use crate::volley::{Aim, RESULTS};
use cupola_kernel::{Event, Fault, Fight, HexId, Table, UnitId, rule};

/// The fight of some units of one hex against another, as declared so far.
fn fight(field: Field, mut firers: Vec<UnitId>, from: HexId, at: HexId, back: bool) -> Fight {
    firers.sort_unstable();
    // Of those who share the front of the hex, first come first served (§6.14); the row is that of the most points.
    let mut rows = [None::<u8>; 12];
    for (unit, share) in shares(field, out_of(field, from, back, &firers)) {
        if firers.contains(&unit) {
            let row = &mut rows[weapon(field, unit) as usize];
            *row = Some(row.unwrap_or(0) + share);
        }
    }
    let sp: u8 = rows.iter().flatten().sum();
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

/// Those who have declared fire out of a hex and have fired or are still there, then those of these who are about to.
fn out_of<'a>(
    field: Field<'a>,
    from: HexId,
    back: bool,
    firers: &'a [UnitId],
) -> impl Iterator<Item = UnitId> + 'a {
    let shots = field.t.res::<Activation>().shots.iter();
    let out = shots.filter(move |shot| (shot.from, shot.back) == (from, back));
    let late = firers.iter().copied();
    let late = late.filter({
        let out = out.clone();
        move |&unit| out.clone().all(|shot| shot.unit != unit)
    });
    let there = out.filter(move |shot| shot.done || field.t.hex(shot.unit) == Some(from));
    there.map(|shot| shot.unit).chain(late)
}

/// The fight of a battery against those who come near: it does not get the charge (§9.25, §6.36).
pub fn approach(field: Field, unit: UnitId, from: HexId, at: HexId) -> Fight {
    let mut fight = fight(field, vec![unit], from, at, true);
    fight.terms[0] = 0;
    fight
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
pub fn resolve(t: &mut Table, from: HexId, at: HexId) -> Answer {
    let field = Field::new(t);
    let shots = &t.res::<Activation>().shots;
    let there =
        |shot: &Shot| t.hex(shot.unit) == Some(shot.from) && !field.status(shot.unit).abandoned;
    let fires =
        |shot: &Shot, at: HexId| !shot.back && !shot.done && (shot.from, shot.at) == (from, at);
    // An answer goes with the fire at those who give it; for a friend, with the first fire of the hex.
    let later = |hex: HexId| hex != at && shots.iter().any(|shot| fires(shot, hex));
    let answers = |shot: &Shot| shot.back && !shot.done && shot.at == from && !later(shot.from);
    let rolled: Vec<bool> = shots
        .iter()
        .map(|shot| fires(shot, at) || answers(shot))
        .collect();
    let now = || {
        shots
            .iter()
            .zip(&rolled)
            .filter(|(shot, rolled)| **rolled && there(shot))
    };
    let ours: Vec<UnitId> = now()
        .filter(|(shot, _)| !shot.back)
        .map(|(shot, _)| shot.unit)
        .collect();
    let side = phasing(t);
    let mut fights = vec![];
    if !ours.is_empty() && field.holder(at) == Some(side.other()) {
        fights.push(fight(field, ours, from, at, false));
    }
    if field.holder(from) == Some(side) {
        let back = || now().map(|(shot, _)| shot).filter(|shot| shot.back);
        let mut hexes: Vec<HexId> = back().map(|shot| shot.from).collect();
        hexes.sort_unstable();
        hexes.dedup();
        for hex in hexes {
            let units = back().filter(|shot| shot.from == hex);
            let units = units.map(|shot| shot.unit).collect();
            fights.push(fight(field, units, hex, from, true));
        }
    }
    let mut results = vec![];
    let shots = t.res_mut::<Activation>().shots.iter_mut();
    shots
        .zip(rolled)
        .for_each(|(shot, rolled)| shot.done |= rolled);
    for fight in fights {
        results.push(roll(t, &fight)?);
    }
    for result in results.into_iter().rev() {
        push(t, result);
    }
    Ok(())
}

/// Rolls one fire; its result waits on the stack.
pub fn roll(t: &mut Table, fight: &Fight) -> Result<Frame, Fault> {
    let combat = t.combat("fire")?;
    let outcome = t.fight(&*combat, fight)?;
    outcome.among(&*combat, RESULTS)?;
    special::each(t, |rule, t| rule.fired(t, fight));
    // The fire that ends an order finds a column; the next finds men who face it (§4.33).
    for &unit in &fight.defenders {
        let brigade = Field::new(t).acts_with(unit);
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

/// The fight that an answer leads to.
#[must_use]
pub fn leads_to(t: &Table, frame: &Frame, answer: Do) -> Option<Fight> {
    let field = Field::new(t);
    match (*frame, answer) {
        (Frame::Approach, Do::Fire(unit, at)) => Some(approach(field, unit, t.hex(unit)?, at)),
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
