//! §7.13 Retreats: one hex at a time, by the printed priorities; and §7.14 the advance.

use super::Do;
use crate::field::{hazardous, label, name, ratings, rules, unit_in};
use crate::rules::Kind;
use crate::state::{Battle, Path, Retreat, Status, boxes};
use cupola_kernel::{Event, HexId, Options, Place, Side, Table, UnitId, rule};

/// The hexes a retreating unit may enter next: away from where it fought, and of those the best by the
/// priorities: not next to an enemy other than cavalry, then towards its communications.
#[must_use]
pub fn next_hexes(t: &Table, unit: UnitId, from: HexId) -> Vec<HexId> {
    let Some(here) = t.hex(unit) else {
        return vec![];
    };
    let (side, home) = (
        rules(t).card(unit).side,
        &rules(t).home[rules(t).card(unit).side],
    );
    let away = |hex: HexId| t.board().distance(from, hex);
    let open = rules(t)
        .around(here)
        .filter(|&hex| unit_in(t, hex).is_none() && away(hex) > away(here));
    let rank = |hex: HexId| {
        let nearer = home[usize::from(hex.0)] < home[usize::from(here.0)];
        2 * u8::from(hazardous(t, side, hex)) + u8::from(!nearer)
    };
    let ranked: Vec<(u8, HexId)> = open.map(|hex| (rank(hex), hex)).collect();
    let best = ranked.iter().map(|(rank, _)| *rank).min();
    ranked
        .into_iter()
        .filter(|(rank, _)| Some(*rank) == best)
        .map(|(_, hex)| hex)
        .collect()
}

/// The side whose unit must retreat next, if any.
#[must_use]
pub fn pending(t: &Table) -> Option<Side> {
    let battle = t.res::<Battle>();
    let unit = battle
        .path
        .map(|path| path.retreat.unit)
        .or_else(|| candidates(t).first().map(|r| r.unit));
    unit.map(|unit| rules(t).card(unit).side)
}

/// Those who may be the next to retreat. In a test of wills the lowest quality goes first, the
/// attacker's on a tie (§7.10 TW); otherwise the owner chooses.
#[must_use]
pub fn candidates(t: &Table) -> Vec<Retreat> {
    let battle = t.res::<Battle>();
    if !battle.wills {
        return battle.retreats.clone();
    }
    let left = |side: Side| {
        battle
            .retreats
            .iter()
            .any(|r| rules(t).card(r.unit).side == side)
    };
    if !left(Side::First) || !left(Side::Second) {
        return vec![];
    }
    let rank = |r: &Retreat| {
        (
            ratings(t, r.unit).1,
            rules(t).card(r.unit).side != t.active(),
        )
    };
    let lowest = battle.retreats.iter().map(rank).min();
    battle
        .retreats
        .iter()
        .filter(|r| Some(rank(r)) == lowest)
        .copied()
        .collect()
}

/// Plays on until a retreat needs a choice. Those who cannot retreat break (§7.13).
pub fn settle(t: &mut Table) {
    loop {
        if let Some(path) = t.res::<Battle>().path {
            let stuck = next_hexes(t, path.retreat.unit, path.from).is_empty();
            if path.gone >= path.retreat.most || (stuck && path.gone >= path.retreat.least) {
                arrive(t);
            } else if stuck {
                t.res_mut::<Battle>().path = None;
                break_unit(t, path.retreat.unit, "cannot retreat further");
            } else {
                return;
            }
            continue;
        }
        let all = candidates(t);
        let Some(first) = all.first() else {
            let battle = t.res_mut::<Battle>();
            battle.retreats.clear();
            battle.wills = false;
            return;
        };
        let free = |r: &Retreat| {
            t.hex(r.unit)
                .is_some_and(|hex| !next_hexes(t, r.unit, hex).is_empty())
        };
        if all.iter().any(free) {
            return;
        }
        let unit = first.unit;
        t.res_mut::<Battle>().retreats.retain(|r| r.unit != unit);
        leave(t, unit);
        break_unit(t, unit, "cannot retreat");
    }
}

/// The options of a retreat.
pub fn options(t: &Table, out: &mut Options) {
    match t.res::<Battle>().path {
        Some(path) => {
            let unit = path.retreat.unit;
            next_hexes(t, unit, path.from)
                .into_iter()
                .for_each(|hex| out.push(Do::Retreat(unit, hex)));
            if path.gone >= path.retreat.least {
                out.push(Do::Halt(unit));
            }
        }
        None => {
            for retreat in candidates(t) {
                let from = t.hex(retreat.unit).unwrap_or(HexId(0));
                next_hexes(t, retreat.unit, from)
                    .into_iter()
                    .for_each(|hex| out.push(Do::Retreat(retreat.unit, hex)));
            }
        }
    }
}

/// Goes one hex.
pub fn step(t: &mut Table, unit: UnitId, hex: HexId) {
    let here = t.hex(unit).unwrap_or(hex);
    let battle = t.res_mut::<Battle>();
    let mut path = match battle.path {
        Some(path) => path,
        None => {
            let at = battle
                .retreats
                .iter()
                .position(|r| r.unit == unit)
                .unwrap_or(0);
            let retreat = battle.retreats.remove(at);
            leave(t, unit);
            Path {
                retreat,
                from: here,
                gone: 0,
                hazardous: false,
            }
        }
    };
    t.place(unit, Place::Hex(hex));
    path.gone += 1;
    path.hazardous |= hazardous(t, rules(t).card(unit).side, hex);
    t.res_mut::<Battle>().path = Some(path);
    t.say(|t| {
        let text = format!("{} retreats to {}", name(t, unit), label(t, hex));
        Event::new("retreat", rule!("7.13"), text)
            .unit(unit)
            .hex(here)
            .hex(hex)
    });
}

/// Ends the retreat under way: hazard, then the Routed marker.
pub fn arrive(t: &mut Table) {
    let Some(path) = t.res_mut::<Battle>().path.take() else {
        return;
    };
    let unit = path.retreat.unit;
    if path.hazardous {
        let (roll, quality) = (t.d6("hazard", unit), ratings(t, unit).1);
        let breaks = roll as i8 > quality;
        t.say(|t| {
            let how = if breaks { "breaks" } else { "holds together" };
            let text = format!(
                "{} retreats past the enemy, rolls {roll} against {quality} and {how}",
                name(t, unit)
            );
            Event::new("hazard", rule!("7.13"), text)
                .unit(unit)
                .number(roll)
        });
        if breaks {
            break_unit(t, unit, "breaks in retreat");
            return;
        }
    }
    if path.retreat.rout {
        t.get_mut::<Status>(unit).routed = true;
    }
}

/// A unit leaves the hex it fought in: the victor may advance into it.
fn leave(t: &mut Table, unit: UnitId) {
    let Some(hex) = t.hex(unit) else { return };
    let side = rules(t).card(unit).side;
    let battle = t.res_mut::<Battle>();
    if battle.victor == Some(side.other()) {
        battle.vacated.push(hex);
    }
}

/// Breaks a unit where it stands in combat.
pub fn break_in_place(t: &mut Table, unit: UnitId) {
    leave(t, unit);
    break_unit(t, unit, "is broken");
}

/// §7.11 A broken unit goes to its box; a cadre is lost for good (§8.2).
fn break_unit(t: &mut Table, unit: UnitId, why: &'static str) {
    let status = t.get_mut::<Status>(unit);
    let cadre = status.cadre;
    *status = Status {
        cadre,
        ..Status::default()
    };
    t.place(
        unit,
        Place::Box(if cadre {
            boxes::ELIMINATED
        } else {
            boxes::BROKEN
        }),
    );
    t.say(|t| Event::new("break", rule!("7.11"), format!("{} {why}", name(t, unit))).unit(unit));
}

/// §7.14 Calls `found` with every advance that is open.
pub fn advances(t: &Table, mut found: impl FnMut(UnitId, HexId)) {
    let battle = t.res::<Battle>();
    let Some(fight) = battle.fights.get(usize::from(battle.current)) else {
        return;
    };
    let Some(victor) = battle.victor else { return };
    let own = if victor == t.active() {
        &fight.attackers
    } else {
        &fight.defenders
    };
    for &unit in own {
        let Some(hex) = t.hex(unit) else { continue };
        let able = rules(t).card(unit).kind != Kind::Artillery && !t.get::<Status>(unit).routed;
        if able && !battle.stood.contains(&unit) {
            let open =
                |to: &&HexId| rules(t).edge(hex, **to).is_some() && unit_in(t, **to).is_none();
            battle
                .vacated
                .iter()
                .filter(open)
                .for_each(|&to| found(unit, to));
        }
    }
}

/// Advances.
pub fn advance(t: &mut Table, unit: UnitId, hex: HexId) {
    let from = t.hex(unit);
    t.place(unit, Place::Hex(hex));
    t.res_mut::<Battle>().stood.push(unit);
    t.say(|t| {
        let text = format!("{} advances to {}", name(t, unit), label(t, hex));
        Event::new("advance", rule!("7.14"), text)
            .unit(unit)
            .hexes(from)
            .hex(hex)
    });
}
