//! corps20 in terms that all rulesets share: men lost, ground held, who is ahead.
//!
//! The rules count no men. `tables.ron` says what share of its men a unit has lost once it is routed,
//! broken or eliminated; fatigue is not a loss.

use crate::crt::CombatResult;
use crate::field::{Field, rules};
use crate::rules::{Kind, Losses};
use crate::state::{Armies, Status, boxes};
use cupola_kernel::{
    Fight, Lead, Outcome, Place, Presence, Prize, Side, Standing, Table, Toll, UnitId,
};

/// How every unit and leader stands.
pub fn standings(t: &Table) -> impl Iterator<Item = Standing> + '_ {
    let field = Field::new(t);
    t.units().map(move |unit| standing(&field, unit))
}

fn standing(field: &Field, unit: UnitId) -> Standing {
    let (losses, status) = (&field.rules.losses, field.status(unit));
    let leader = field.rules.card(unit).kind == Kind::Leader;
    let (lost, presence) = match field.stacks.place(unit) {
        Place::Hex(_) if leader => (0, Presence::Attends),
        Place::Hex(_) => (of(losses, status), holds(status)),
        Place::Box(boxes::BROKEN) if leader => (0, Presence::Awaited),
        // A broken unit may rally at night (§8.2).
        Place::Box(boxes::BROKEN) => (losses.broken, Presence::Gone),
        Place::Box(boxes::TRACK) => (of(losses, status), Presence::Awaited),
        Place::Box(_) => (losses.eliminated, Presence::Gone),
    };
    Standing { lost, presence }
}

fn of(losses: &Losses, status: &Status) -> u16 {
    match status {
        Status { cadre: true, .. } => losses.cadre,
        Status { routed: true, .. } => losses.routed,
        _ => 0,
    }
}

fn holds(status: &Status) -> Presence {
    if status.routed {
        Presence::Attends
    } else {
        Presence::Fights
    }
}

/// Six points of morale, with which both begin, are the whole way to a win (§10).
#[must_use]
pub fn margin(t: &Table) -> i32 {
    let (morale, start) = (t.res::<Armies>().morale, rules(t).morale.0);
    let share = |side| i32::from(morale[side]) * 1000 / i32::from(start[side]).max(1);
    share(Side::First) - share(Side::Second)
}

/// What a combat result costs (§7.10). A test of wills goes on, at no cost yet.
#[must_use]
pub fn toll(t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
    let men = |units: &[UnitId]| -> u32 { units.iter().map(|&unit| t.info(unit).men).sum() };
    let (attackers, defenders) = (men(&fight.attackers), men(&fight.defenders));
    let losses = &rules(t).losses;
    let share = |men: u32, of: u16| men * u32::from(of) / 1000;
    let (attacker, defender) = match CombatResult::ALL.get(usize::from(outcome.code)) {
        Some(CombatResult::Ab) => (share(attackers, losses.broken), 0),
        Some(CombatResult::Ar) => (share(attackers, losses.routed), 0),
        // Attackers break until they are as strong as the defenders that broke.
        Some(CombatResult::Ex) => (
            share(attackers.min(defenders), losses.broken),
            share(defenders, losses.broken),
        ),
        Some(CombatResult::Dr) => (0, share(defenders, losses.routed)),
        Some(CombatResult::Db) => (0, share(defenders, losses.broken)),
        _ => (0, 0),
    };
    Toll {
        attacker,
        defender,
        yields: outcome.code >= CombatResult::Ex as u16,
    }
}

/// What a combat result does to both armies' morale (§7.10), as [`margin`] counts it.
#[must_use]
pub fn swing(t: &Table, fight: &Fight, outcome: &Outcome) -> i32 {
    let Some(&unit) = fight.attackers.first() else {
        return 0;
    };
    let (start, side) = (rules(t).morale.0, rules(t).card(unit).side);
    let worth = |side: Side| 1000 / i32::from(start[side]).max(1);
    let (own, other) = match CombatResult::ALL.get(usize::from(outcome.code)) {
        Some(CombatResult::Ab) => (-1, 1),
        Some(CombatResult::Ar) => (-1, 0),
        Some(CombatResult::Ex) => (-1, -1),
        Some(CombatResult::Dr) => (0, -1),
        Some(CombatResult::Db) => (1, -1),
        _ => (0, 0),
    };
    own * worth(side) - other * worth(side.other())
}

/// Leaders and the units of their corps (§9.1); those of the whole army have all of it.
#[must_use]
pub fn leads(t: &Table) -> Vec<Lead> {
    let rules = rules(t);
    let led = |leader: UnitId| {
        let boss = rules.card(leader);
        let of_his = |unit: &UnitId| {
            let own = rules.card(*unit);
            own.side == boss.side
                && own.kind != Kind::Leader
                && (boss.corps.is_none() || boss.corps == own.corps)
        };
        Lead {
            leader,
            units: t.units().filter(of_his).collect(),
            reach: boss.quality.max(0).unsigned_abs(),
        }
    };
    let leaders = t
        .units()
        .filter(|unit| rules.card(*unit).kind == Kind::Leader);
    leaders.map(led).collect()
}

/// The town: who has nobody near it at night while the enemy has loses a point of morale (§8.4).
pub fn prizes(t: &Table, out: &mut Vec<Prize>) {
    let rules = rules(t);
    let worth = 1000 / i32::from(rules.morale.0.first).max(1);
    let town = rules.prize.first();
    out.extend(town.map(|&hex| Prize {
        hex,
        worth,
        held: None,
    }));
}
