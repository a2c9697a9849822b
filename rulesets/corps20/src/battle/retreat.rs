//! §7.13 Retreats: one hex at a time, by the printed priorities; and §7.14 the advance.

use super::Do;
use super::routes::{Goal, Routes, may_halt};
use crate::field::{label, name, ratings, rules, unit_in};
use crate::rules::Kind;
use crate::state::{Battle, Path, Retreat, Stage, Status, boxes};
use cupola_kernel::{
    Check, Event, HexId, Options, Place, Refusal, Side, Table, UnitId, forbid, require, rule,
};

/// The question who breaks where nobody can retreat.
pub const NOBODY_CAN: &str = "cannot-retreat";

/// A retreat as far as it has come, or as one begins it.
fn begin(t: &Table, retreat: Retreat) -> Option<Path> {
    Some(Path {
        retreat,
        from: t.hex(retreat.unit)?,
        gone: 0,
        hazardous: false,
        nearer: u32::MAX,
    })
}

/// Whether a unit has any way to retreat.
fn free(t: &Table, retreat: &Retreat) -> bool {
    begin(t, *retreat).is_some_and(|path| !Routes::new(t, &path).goals(&path).is_empty())
}

/// Those of whom the owner must break one, since nobody who must retreat can (§7.13): each that breaks
/// may make way for the others.
#[must_use]
fn stuck(t: &Table) -> Vec<UnitId> {
    let all = candidates(t);
    if t.res::<Battle>().path.is_some() || all.iter().any(|retreat| free(t, retreat)) {
        return vec![];
    }
    all.iter().map(|retreat| retreat.unit).collect()
}

/// Breaks a unit that cannot retreat (§7.13).
pub fn give_up(t: &mut Table, unit: UnitId) {
    t.res_mut::<Battle>().retreats.retain(|r| r.unit != unit);
    leave(t, unit);
    break_unit(t, unit, "cannot retreat and breaks");
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

/// Plays on until a retreat needs a choice. Those who cannot retreat break (§7.13); true if the owner must
/// say who.
pub fn settle(t: &mut Table) -> bool {
    loop {
        if let Some(path) = t.res::<Battle>().path {
            let (routes, here) = (Routes::new(t, &path), t.hex(path.retreat.unit));
            let goals = routes.goals(&path);
            if here.is_some_and(|here| routes.next(&path, here, &goals).next().is_some()) {
                return false;
            }
            arrive(t);
            continue;
        }
        if candidates(t).is_empty() {
            let battle = t.res_mut::<Battle>();
            battle.retreats.clear();
            battle.wills = false;
            return false;
        }
        match stuck(t)[..] {
            [only] => give_up(t, only),
            [] => return false,
            _ => return true,
        }
    }
}

/// The options of a retreat, or of who breaks where nobody can.
pub fn options(t: &Table, none_can: bool, out: &mut Options) {
    if none_can {
        let stuck = stuck(t).into_iter();
        return stuck.for_each(|unit| out.push(Do::Break(unit)));
    }
    if let Some(path) = t.res::<Battle>().path {
        let goals = push_next(t, &path, out);
        if may_halt(&path, &goals) {
            out.push(Do::Halt(path.retreat.unit));
        }
        return;
    }
    for retreat in candidates(t) {
        if let Some(path) = begin(t, retreat) {
            push_next(t, &path, out);
        }
    }
}

/// Pushes the hexes that a retreating unit may enter next; gives back how its retreat may end.
fn push_next(t: &Table, path: &Path, out: &mut Options) -> Vec<Goal> {
    let (routes, unit) = (Routes::new(t, path), path.retreat.unit);
    let goals = routes.goals(path);
    if let Some(here) = t.hex(unit) {
        let next = routes.next(path, here, &goals);
        next.for_each(|hex| out.push(Do::Retreat(unit, hex)));
    }
    goals
}

/// Goes one hex.
pub fn step(t: &mut Table, unit: UnitId, hex: HexId) {
    let Some(here) = t.hex(unit) else { return };
    let battle = t.res::<Battle>();
    let first = || begin(t, *battle.retreats.iter().find(|r| r.unit == unit)?);
    let Some(path) = battle.path.or_else(first) else {
        return;
    };
    if path.gone == 0 {
        t.res_mut::<Battle>().retreats.retain(|r| r.unit != unit);
        leave(t, unit);
    }
    let path = Routes::new(t, &path).onward(&path, here, hex);
    t.place(unit, Place::Hex(hex));
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

/// Those who have won the fight at hand.
fn victors(t: &Table) -> &[UnitId] {
    let battle = t.res::<Battle>();
    let fight = battle.fights.get(usize::from(battle.current));
    match (fight, battle.victor) {
        (Some(fight), Some(victor)) if victor == t.active() => &fight.attackers,
        (Some(fight), Some(_)) => &fight.defenders,
        _ => &[],
    }
}

/// §7.14 Whether a unit may advance into a hex.
pub fn may_advance(t: &Table, unit: UnitId, to: HexId) -> Check {
    let battle = t.res::<Battle>();
    let won = battle.stage == Stage::Advance && victors(t).contains(&unit);
    require(won, rule!("7.14"), "has not won a fight just now")?;
    let guns = rules(t).card(unit).kind == Kind::Artillery;
    forbid(guns, rule!("7.14"), "artillery never advances")?;
    let routed = t.get::<Status>(unit).routed;
    forbid(routed, rule!("7.12"), "a routed unit cannot advance")?;
    let stood = battle.stood.contains(&unit);
    forbid(stood, rule!("7.14"), "has advanced")?;
    let left = battle.vacated.contains(&to);
    require(left, rule!("7.14"), "no enemy of this fight left that hex")?;
    let beside = t.hex(unit).and_then(|hex| rules(t).edge(hex, to));
    require(beside.is_some(), rule!("7.14"), "is not next to that hex")?;
    forbid(
        unit_in(t, to).is_some(),
        rule!("5.2"),
        "the hex holds a unit",
    )
}

/// §7.14 Calls `found` with every advance that is open.
pub fn advances(t: &Table, mut found: impl FnMut(UnitId, HexId)) {
    let vacated = &t.res::<Battle>().vacated;
    for &unit in victors(t) {
        let open = vacated
            .iter()
            .filter(|&&to| may_advance(t, unit, to).is_ok());
        open.for_each(|&to| found(unit, to));
    }
}

/// Why a unit does not retreat to a hex (§7.13).
pub fn why_not_there(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let no = |why: &'static str| Refusal::new(rule!("7.13"), why);
    let battle = t.res::<Battle>();
    let first = || begin(t, *candidates(t).iter().find(|r| r.unit == unit)?);
    let path = match battle.path {
        Some(path) => Some(path).filter(|path| path.retreat.unit == unit),
        None => first(),
    };
    let (Some(path), Some(here)) = (path, t.hex(unit)) else {
        return no("does not retreat now");
    };
    if rules(t).edge(here, hex).is_none() {
        return no("a retreat goes from hex to hex");
    }
    if unit_in(t, hex).is_some() {
        return no("units do not retreat through hexes that hold others");
    }
    if t.board().distance(path.from, hex) <= t.board().distance(path.from, here) {
        return no("every hex of a retreat leads away from where the unit fought");
    }
    let next = Routes::new(t, &path).onward(&path, here, hex);
    no(if next.hazardous && !path.hazardous {
        "the hex is next to an enemy other than cavalry, and a safer retreat is open"
    } else if next.nearer == 0 {
        "the hex leads no nearer to a line of communications, and a better retreat is open"
    } else {
        "no retreat of this length that goes on from there is as good as another"
    })
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
