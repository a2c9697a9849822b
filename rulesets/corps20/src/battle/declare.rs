//! §7.1–§7.3 Before the fighting: bombardment, disengagement, and who attacks whom.

use super::Do;
use crate::field::{enemies_near, label, name, near_enemy, on_map, rules, unit_in};
use crate::rules::Kind;
use crate::state::{Armies, Battle, Declared, Marker, Orders, Status};
use cupola_kernel::{
    Check, Event, HexId, Options, Place, Refusal, Side, Table, UnitId, forbid, require, rule,
};

/// Units that can direct a massed bombardment (cards 13, 16): an artillery reserve of the second side, or a
/// division of the first whose corps artillery is at hand; next to an enemy.
pub fn bombarders(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    let (side, guns) = (t.active(), t.res::<Armies>().guns);
    on_map(t, side)
        .filter(move |&(unit, hex)| {
            let card = rules(t).card(unit);
            let able = match side {
                Side::First => card
                    .corps
                    .is_some_and(|corps| guns[usize::from(corps)] == Marker::Ready),
                Side::Second => card.kind == Kind::Artillery,
            };
            able && near_enemy(t, side, hex)
        })
        .map(|(unit, _)| unit)
}

/// All enemies next to the unit tire; the guns that did it pay.
pub fn bombard(t: &mut Table, unit: UnitId) {
    let side = t.active();
    match rules(t).card(unit).corps {
        Some(corps) => super::commit::spend_guns(t, corps),
        None => t.get_mut::<Status>(unit).tire(),
    }
    let Some(hex) = t.hex(unit) else { return };
    for enemy in enemies_near(t, side, hex).collect::<Vec<_>>() {
        t.get_mut::<Status>(enemy).tire();
        t.say(|t| {
            Event::new(
                "bombard",
                rule!("4"),
                format!("{} is bombarded", name(t, enemy)),
            )
            .unit(enemy)
        });
    }
    t.res_mut::<Orders>().bombardment = false;
}

/// §7.1 Whether cavalry may disengage at all.
fn may_disengage(t: &Table, unit: UnitId) -> Check {
    let (side, card) = (t.active().other(), rules(t).card(unit));
    let defends = card.side == side && card.kind == Kind::Cavalry;
    require(defends, rule!("7.1"), "defending cavalry alone disengages")?;
    let near = t.hex(unit).is_some_and(|hex| near_enemy(t, side, hex));
    require(near, rule!("7.1"), "is not next to the enemy")?;
    let stayed = t.res::<Battle>().stayed.contains(&unit);
    forbid(stayed, rule!("7.1"), "has disengaged")
}

/// §7.1 Whether cavalry that disengages may go to a hex next to it.
fn may_disengage_to(t: &Table, hex: HexId) -> Check {
    forbid(
        unit_in(t, hex).is_some(),
        rule!("5.2"),
        "the hex holds a unit",
    )?;
    let near = near_enemy(t, t.active().other(), hex);
    forbid(near, rule!("7.1"), "the hex is next to the enemy")
}

/// §7.1 Calls `found` with every hex to which defending cavalry may disengage.
pub fn disengagements(t: &Table, mut found: impl FnMut(UnitId, HexId)) {
    let rules = rules(t);
    // Cavalry is rare, and the rest need not be asked.
    let horse =
        on_map(t, t.active().other()).filter(|&(unit, _)| rules.card(unit).kind == Kind::Cavalry);
    for (unit, hex) in horse.filter(|&(unit, _)| may_disengage(t, unit).is_ok()) {
        let free = |to: &HexId| may_disengage_to(t, *to).is_ok();
        let around = rules.around(hex).filter(free);
        around.for_each(|to| found(unit, to));
    }
}

/// Why cavalry does not disengage to a hex.
pub fn why_not_withdraw(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let beside = t.hex(unit).and_then(|from| rules(t).edge(from, hex));
    let check = may_disengage(t, unit)
        .and_then(|()| require(beside.is_some(), rule!("7.1"), "is not one hex away"))
        .and_then(|()| may_disengage_to(t, hex));
    let late = || {
        Refusal::new(
            rule!("7.1"),
            "cavalry disengages before attacks are declared",
        )
    };
    check.err().unwrap_or_else(late)
}

/// Moves cavalry out of contact.
pub fn disengage(t: &mut Table, unit: UnitId, hex: HexId) {
    t.place(unit, Place::Hex(hex));
    t.res_mut::<Battle>().stayed.push(unit);
    t.say(|t| {
        let text = format!("{} disengages to {}", name(t, unit), label(t, hex));
        Event::new("disengage", rule!("7.1"), text)
            .unit(unit)
            .hex(hex)
    });
}

/// Whether an enemy must be attacked by those next to it: a routed one need not (§7.12).
fn must_be_attacked(t: &Table, enemy: UnitId) -> bool {
    !t.get::<Status>(enemy).routed
}

/// Whether a unit may attack an enemy.
pub fn may_attack(t: &Table, unit: UnitId, enemy: UnitId) -> Check {
    let battle = t.res::<Battle>();
    let side = t.active();
    require(
        rules(t).card(unit).side == side,
        rule!("7.2"),
        "is not yours",
    )?;
    require(
        rules(t).card(enemy).side != side,
        rule!("7.2"),
        "is not an enemy",
    )?;
    forbid(
        t.get::<Status>(unit).routed,
        rule!("7.12"),
        "a routed unit may not attack",
    )?;
    let near = t
        .hex(unit)
        .is_some_and(|hex| enemies_near(t, side, hex).any(|other| other == enemy));
    require(near, rule!("7.2"), "is not next to it")?;
    forbid(
        battle.fights.iter().any(|f| f.attackers.contains(&unit)),
        rule!("7.2"),
        "attacks already",
    )?;
    let combines = battle.fights.iter().any(|f| f.defenders.contains(&enemy));
    forbid(
        combines && t.res::<Orders>().no_combining,
        rule!("4"),
        "units may not combine to attack this turn",
    )
}

/// Units that have still to declare, and whether they must: who is next to routed enemies only, or to
/// unrouted ones whom it may not attack (card 6), need not (§7.12).
fn undeclared(t: &Table) -> impl Iterator<Item = (UnitId, bool)> + '_ {
    let battle = t.res::<Battle>();
    let side = t.active();
    let idle = on_map(t, side).filter(|(unit, _)| !battle.holding.contains(unit));
    idle.filter_map(move |(unit, hex)| {
        let targets = enemies_near(t, side, hex);
        let open = targets.filter(move |&enemy| may_attack(t, unit, enemy).is_ok());
        let must = open.map(|enemy| must_be_attacked(t, enemy)).max()?;
        Some((unit, must))
    })
}

/// Enemies next to an attacker that nobody attacks yet (§7.2).
fn uncovered(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    let (battle, side) = (t.res::<Battle>(), t.active());
    let fighting = move |unit: UnitId| battle.fights.iter().any(|f| f.attackers.contains(&unit));
    on_map(t, side.other())
        .filter(move |&(enemy, hex)| {
            !battle.fights.iter().any(|f| f.defenders.contains(&enemy))
                && enemies_near(t, side.other(), hex).any(fighting)
        })
        .map(|(enemy, _)| enemy)
}

/// What declaring asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Units must or may choose a target.
    Targets,
    /// Enemies that nobody attacks must be added to a fight.
    Cover,
    /// Routed enemies that nobody attacks may be added to a fight.
    Extra,
    /// Everything is declared.
    Nothing,
}

/// What declaring asks for next.
#[must_use]
pub fn wanted(t: &Table) -> Wanted {
    if undeclared(t).next().is_some() {
        return Wanted::Targets;
    }
    match uncovered(t).map(|enemy| must_be_attacked(t, enemy)).max() {
        Some(true) => Wanted::Cover,
        Some(false) => Wanted::Extra,
        None => Wanted::Nothing,
    }
}

/// The options of declaring. An attacker may take on enemies that nobody attacks at any time, so that
/// others can join in the wider fight (§7.3).
pub fn options(t: &Table, out: &mut Options) {
    let (side, wanted) = (t.active(), wanted(t));
    if wanted == Wanted::Targets {
        for (unit, must) in undeclared(t) {
            let Some(hex) = t.hex(unit) else { continue };
            enemies_near(t, side, hex)
                .filter(|&enemy| may_attack(t, unit, enemy).is_ok())
                .for_each(|enemy| out.push(Do::Attack(unit, enemy)));
            if !must {
                out.push(Do::Hold(unit));
            }
        }
    }
    let battle = t.res::<Battle>();
    for enemy in uncovered(t).filter(|&enemy| wanted != Wanted::Cover || must_be_attacked(t, enemy))
    {
        let Some(hex) = t.hex(enemy) else { continue };
        enemies_near(t, side.other(), hex)
            .filter(|unit| battle.fights.iter().any(|f| f.attackers.contains(unit)))
            .for_each(|unit| out.push(Do::Also(unit, enemy)));
    }
    if wanted == Wanted::Extra {
        out.push(Do::Done);
    }
}

/// Why an attacker may not take on one more enemy.
#[must_use]
pub fn why_not_also(t: &Table, unit: UnitId, enemy: UnitId) -> Refusal {
    let battle = t.res::<Battle>();
    if !battle.fights.iter().any(|f| f.attackers.contains(&unit)) {
        return Refusal::new(rule!("7.3"), "has declared no attack yet");
    }
    if battle.fights.iter().any(|f| f.defenders.contains(&enemy)) {
        return Refusal::new(rule!("7.3"), "is attacked already");
    }
    Refusal::new(rule!("7.2"), "is not an enemy next to it")
}

/// Why a unit may not forgo its attack.
#[must_use]
pub fn why_not_hold(t: &Table, unit: UnitId) -> Refusal {
    if undeclared(t).any(|(other, must)| other == unit && must) {
        return Refusal::new(rule!("7.2"), "is next to an enemy and must attack");
    }
    Refusal::new(rule!("7.2"), "has no attack to forgo")
}

/// A unit attacks an enemy, alone or with those who attack it already.
pub fn attack(t: &mut Table, unit: UnitId, enemy: UnitId) {
    let fights = &mut t.res_mut::<Battle>().fights;
    match fights.iter_mut().find(|f| f.defenders.contains(&enemy)) {
        Some(fight) => fight.attackers.push(unit),
        None => fights.push(Declared {
            attackers: vec![unit],
            defenders: vec![enemy],
            done: false,
        }),
    }
    t.say(|t| {
        let text = format!("{} attacks {}", name(t, unit), name(t, enemy));
        Event::new("declare", rule!("7.3"), text).units([unit, enemy])
    });
}

/// The fight of this attacker takes on one more enemy (§7.3).
pub fn also(t: &mut Table, unit: UnitId, enemy: UnitId) {
    if let Some(fight) = t
        .res_mut::<Battle>()
        .fights
        .iter_mut()
        .find(|f| f.attackers.contains(&unit))
    {
        fight.defenders.push(enemy);
    }
    t.say(|t| {
        let text = format!("{} attacks {} as well", name(t, unit), name(t, enemy));
        Event::new("declare", rule!("7.3"), text).units([unit, enemy])
    });
}
