//! §7.10 What each combat result does.

use super::retreat::break_in_place;
use crate::crt::CombatResult;
use crate::field::{change_morale, check_sudden_death, name, ratings};
use crate::state::{Battle, Retreat, Status};
use cupola_kernel::{Event, Side, Table, UnitId, rule};

/// The units of the fight at hand that are still on the map: attackers, then defenders.
#[must_use]
pub fn parties(t: &Table) -> (Vec<UnitId>, Vec<UnitId>) {
    let battle = t.res::<Battle>();
    let fight = &battle.fights[usize::from(battle.current)];
    let present = |units: &[UnitId]| {
        units
            .iter()
            .copied()
            .filter(|&unit| t.hex(unit).is_some())
            .collect()
    };
    (present(&fight.attackers), present(&fight.defenders))
}

/// Applies a result; retreats are queued for their owners.
pub fn apply(t: &mut Table, result: CombatResult) {
    let (attackers, defenders) = parties(t);
    let (attacker, defender) = (t.active(), t.active().other());
    let victor = match result {
        CombatResult::Ab | CombatResult::Ar | CombatResult::Aw => Some(defender),
        CombatResult::Tw => None,
        CombatResult::Ex | CombatResult::Dw | CombatResult::Dr | CombatResult::Db => Some(attacker),
    };
    t.res_mut::<Battle>().victor = victor;
    match result {
        CombatResult::Ab => {
            attackers.iter().for_each(|&unit| break_in_place(t, unit));
            change_morale(t, attacker, -1, rule!("7.10"));
            change_morale(t, defender, 1, rule!("7.10"));
        }
        CombatResult::Ar => {
            all(t, &attackers, 2, 3, true);
            change_morale(t, attacker, -1, rule!("7.10"));
        }
        CombatResult::Aw => all(t, &attackers, 1, 1, false),
        CombatResult::Tw => {
            tire(t, &defenders);
            all(t, &attackers, 1, 1, false);
            all(t, &defenders, 1, 1, false);
            t.res_mut::<Battle>().wills = true;
        }
        CombatResult::Ex => {
            let owed = defenders.iter().map(|&unit| printed(t, unit)).sum();
            defenders.iter().for_each(|&unit| break_in_place(t, unit));
            t.res_mut::<Battle>().owed = owed;
            Side::BOTH
                .into_iter()
                .for_each(|side| change_morale(t, side, -1, rule!("7.10")));
        }
        CombatResult::Dw => {
            tire(t, &defenders);
            all(t, &defenders, 1, 1, false);
        }
        CombatResult::Dr => {
            tire(t, &defenders);
            all(t, &defenders, 2, 3, true);
            change_morale(t, defender, -1, rule!("7.10"));
        }
        CombatResult::Db => {
            defenders.iter().for_each(|&unit| break_in_place(t, unit));
            change_morale(t, defender, -1, rule!("7.10"));
            change_morale(t, attacker, 1, rule!("7.10"));
        }
    }
    // §10.1 Play stops at once: nobody retreats any more.
    check_sudden_death(t);
}

/// All these must retreat.
fn all(t: &mut Table, units: &[UnitId], least: u8, most: u8, rout: bool) {
    let retreats = units.iter().map(|&unit| Retreat {
        unit,
        least,
        most,
        rout,
    });
    t.res_mut::<Battle>().retreats.extend(retreats);
}

/// The strength printed on the counter that stands there, be it a cadre's (§7.10 EX).
fn printed(t: &Table, unit: UnitId) -> i8 {
    ratings(t, unit).0
}

fn tire(t: &mut Table, units: &[UnitId]) {
    for &unit in units {
        t.get_mut::<Status>(unit).tire();
    }
}

/// §7.10 end: every attacker tires; one that was weary is marked Routed.
pub fn tire_attackers(t: &mut Table) {
    for unit in parties(t).0 {
        let status = t.get_mut::<Status>(unit);
        let routs = status.weary();
        if routs {
            status.routed = true;
        } else {
            status.tire();
        }
        t.say(|t| {
            let how = if routs {
                "is exhausted and routs"
            } else {
                "tires"
            };
            Event::new("tire", rule!("7.10"), format!("{} {how}", name(t, unit))).unit(unit)
        });
    }
}

/// The attackers who may be broken for an exchange (§7.10 EX); none once the debt is paid.
#[must_use]
pub fn debtors(t: &Table) -> Vec<UnitId> {
    if t.res::<Battle>().owed > 0 {
        parties(t).0
    } else {
        vec![]
    }
}

/// Breaks an attacker for an exchange.
pub fn pay(t: &mut Table, unit: UnitId) {
    let strength = printed(t, unit);
    t.res_mut::<Battle>().owed -= strength;
    // The attacker is the victor of an exchange: his own hexes are not vacated by an enemy.
    break_in_place(t, unit);
}
