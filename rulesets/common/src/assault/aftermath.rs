//! §6.5–§6.7 What comes of an assault: losses, retreats, advances.

use crate::field::{Field, eliminate, event, label, lose_step, must, name, rules, shake};
use crate::files::RetreatZones;
use crate::rules::{Effect, Fate, NEVER};
use crate::sections::Section;
use crate::state::{Battle, Stage};
use cupola_kernel::{Check, HexId, Place, Side, Table, UnitId};

/// Takes note of what a result does to both.
pub fn begin(t: &mut Table, effect: &Effect) {
    let (attacker, defender) = (t.active(), t.active().other());
    for (side, fate) in [(defender, &effect.defender), (attacker, &effect.attacker)] {
        suffer(t, side, fate);
    }
    let battle = t.res_mut::<Battle>();
    battle.stage = Stage::Aftermath;
    // Who falls back does not follow.
    battle.halted = effect.attacker.retreat > 0;
}

fn suffer(t: &mut Table, side: Side, fate: &Fate) {
    let party = party(t, side);
    if fate.eliminated {
        party.into_iter().for_each(|unit| eliminate(t, unit));
        return;
    }
    let battle = t.res_mut::<Battle>();
    battle.owed[side] = fate.steps;
    battle.shakes[side] = fate.shaken;
    if fate.retreat > 0 {
        battle
            .retreats
            .extend(party.into_iter().map(|unit| (unit, fate.retreat)));
    }
}

/// The units of a side in the assault at hand that are still on the map.
fn party(t: &Table, side: Side) -> Vec<UnitId> {
    let battle = t.res::<Battle>();
    let units = if side == t.active() {
        &battle.attackers
    } else {
        &battle.defenders
    };
    units
        .iter()
        .copied()
        .filter(|&unit| t.hex(unit).is_some())
        .collect()
}

/// Who of a side may lose a step.
pub fn losers(t: &Table, side: Side) -> impl Iterator<Item = UnitId> + use<> {
    party(t, side).into_iter()
}

/// Plays on until somebody must choose: whom, what and by which rule. Nothing once the assault is over.
pub fn play_on(t: &mut Table) -> Option<(Side, &'static str, Section)> {
    let (attacker, defender) = (t.active(), t.active().other());
    for side in [defender, attacker] {
        while t.res::<Battle>().owed[side] > 0 {
            match party(t, side).as_slice() {
                [] => t.res_mut::<Battle>().owed[side] = 0,
                &[unit] => lose(t, side, unit),
                _ => return Some((side, "loss", Section::Results)),
            }
        }
        if std::mem::take(&mut t.res_mut::<Battle>().shakes[side]) {
            party(t, side).into_iter().for_each(|unit| shake(t, unit));
        }
    }
    while let Some(&(unit, left)) = t.res::<Battle>().retreats.first() {
        if t.hex(unit).is_none() || left == 0 {
            t.res_mut::<Battle>().retreats.remove(0);
        } else if ways_back(t, unit).next().is_some() {
            return Some((t.info(unit).side, "retreat", Section::Retreat));
        } else {
            trapped(t, unit);
        }
    }
    if advances(t).next().is_some() {
        return Some((attacker, "advance", Section::Advance));
    }
    over(t);
    None
}

/// The assault is over.
pub fn over(t: &mut Table) {
    let battle = t.res_mut::<Battle>();
    *battle = Battle {
        over: std::mem::take(&mut battle.over),
        ..Battle::default()
    };
}

/// A unit loses a step of those that its side owes.
pub fn lose(t: &mut Table, side: Side, unit: UnitId) {
    t.res_mut::<Battle>().owed[side] -= 1;
    lose_step(t, unit);
}

/// A unit that cannot go back pays for it (§6.6).
fn trapped(t: &mut Table, unit: UnitId) {
    t.res_mut::<Battle>().retreats[0].1 -= 1;
    t.say(|t| {
        let text = format!("{} cannot go back", name(t, unit));
        event(t, "trapped", Section::Retreat, text).unit(unit)
    });
    let steps = rules(t)
        .assault
        .as_ref()
        .map_or(0, |assault| assault.trapped);
    for _ in 0..steps {
        if t.hex(unit).is_some() {
            lose_step(t, unit);
        }
    }
}

/// Whether a unit may go back to a hex.
pub fn may_retreat(t: &Table, unit: UnitId, hex: HexId) -> Check {
    let (field, battle) = (Field::new(t), t.res::<Battle>());
    let turn = battle
        .retreats
        .first()
        .is_some_and(|&(first, _)| first == unit);
    must(
        t,
        turn,
        Section::Retreat,
        "is not the unit that goes back now",
    )?;
    let (Some(from), Some(centre)) = (t.hex(unit), battle.target) else {
        return must(t, false, Section::Retreat, "is not on the map");
    };
    let (card, board) = (field.rules.card(unit), t.board());
    let hops = &field.rules.hops[usize::from(card.kind)][usize::from(from.0)];
    let open = hops.iter().any(|hop| hop.to == hex.0 && hop.cost != NEVER);
    must(
        t,
        open,
        Section::Retreat,
        "is not next to it, or closed to it",
    )?;
    let away = board.distance(hex, centre) > board.distance(from, centre);
    must(
        t,
        away,
        Section::Retreat,
        "does not lead away from the assault",
    )?;
    let free = field.holder(hex) != Some(card.side.other());
    must(t, free, Section::Enemy, "the enemy stands there")?;
    must(
        t,
        field.has_room(card.side, hex),
        Section::Stack,
        "there is no room for it",
    )?;
    let zones = field
        .rules
        .assault
        .as_ref()
        .map_or(RetreatZones::Allowed, |a| a.retreat_zones);
    let friends = field.holder(hex) == Some(card.side);
    let barred = match zones {
        RetreatZones::Allowed => false,
        RetreatZones::WithFriends => !friends && field.in_zone(card.side, hex),
        RetreatZones::Never => field.in_zone(card.side, hex),
    };
    must(
        t,
        !barred,
        Section::Zone,
        "an enemy's zone of control keeps it from there",
    )
}

/// The hexes to which a unit may go back.
pub fn ways_back(t: &Table, unit: UnitId) -> impl Iterator<Item = HexId> + '_ {
    let near = t
        .hex(unit)
        .into_iter()
        .flat_map(|from| rules(t).around.of(from));
    near.filter(move |&hex| may_retreat(t, unit, hex).is_ok())
}

/// A unit goes back one hex.
pub fn retreat(t: &mut Table, unit: UnitId, hex: HexId) {
    let from = t.hex(unit);
    t.place(unit, Place::Hex(hex));
    t.res_mut::<Battle>().retreats[0].1 -= 1;
    t.say(|t| {
        let text = format!("{} retreats to {}", name(t, unit), label(t, hex));
        event(t, "retreat", Section::Retreat, text)
            .unit(unit)
            .hexes(from)
            .hex(hex)
    });
}

/// Who may follow into the hex that the enemy left (§6.7).
pub fn advances(t: &Table) -> impl Iterator<Item = (UnitId, HexId)> + '_ {
    let (field, battle) = (Field::new(t), t.res::<Battle>());
    let target = battle
        .target
        .filter(|&hex| !battle.halted && field.has_room(t.active(), hex));
    let follows = |unit: UnitId, hex: HexId| {
        let near = t
            .hex(unit)
            .is_some_and(|from| t.board().distance(from, hex) == 1);
        near && rules(t).card(unit).advances
    };
    let units = target
        .into_iter()
        .flat_map(move |hex| battle.attackers.iter().map(move |&unit| (unit, hex)));
    units.filter(move |&(unit, hex)| follows(unit, hex))
}

/// A unit follows.
pub fn advance(t: &mut Table, unit: UnitId, hex: HexId) {
    let from = t.hex(unit);
    t.place(unit, Place::Hex(hex));
    t.say(|t| {
        let text = format!("{} advances to {}", name(t, unit), label(t, hex));
        event(t, "advance", Section::Advance, text)
            .unit(unit)
            .hexes(from)
            .hex(hex)
    });
}
