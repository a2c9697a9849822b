//! §7.13 Retreats: one hex at a time, by the printed priorities; and §7.14 the advance.

use super::Do;
use crate::field::{hazardous, label, name, ratings, rules, unit_in};
use crate::rules::Kind;
use crate::state::{Battle, Path, Retreat, Status, boxes};
use cupola_kernel::{Event, HexId, Options, Place, Side, Table, UnitId, rule};

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

/// One hex farther, from this hex to that.
fn onward(t: &Table, path: &Path, here: HexId, hex: HexId) -> Path {
    let side = rules(t).card(path.retreat.unit).side;
    Path {
        gone: path.gone + 1,
        hazardous: path.hazardous || hazardous(t, side, hex),
        nearer: path.nearer & rules(t).nearer(side, here, hex),
        ..*path
    }
}

/// How a whole retreat stands by the priorities, the lower the better: no hex of it next to an enemy other
/// than cavalry; then every hex nearer to the same line of communications.
fn rank(path: &Path) -> u8 {
    2 * u8::from(path.hazardous) + u8::from(path.nearer == 0)
}

/// The free hexes next to `here` that lead away from where the unit fought.
fn away(t: &Table, path: &Path, here: HexId) -> impl Iterator<Item = HexId> {
    let (unit, from, board) = (path.retreat.unit, path.from, t.board());
    let free = move |hex| unit_in(t, hex).is_none_or(|other| other == unit);
    rules(t)
        .around(here)
        .filter(move |&hex| free(hex) && board.distance(from, hex) > board.distance(from, here))
}

/// The best that a retreat can come to which goes on from `here` until it is `length` hexes long.
fn best(t: &Table, path: &Path, here: HexId, length: u8) -> Option<u8> {
    if path.gone == length {
        return Some(rank(path));
    }
    let next = away(t, path, here).map(|hex| best(t, &onward(t, path, here, hex), hex, length));
    next.flatten().min()
}

/// The lengths that a retreat may have, each with the best rank that a whole retreat of that length can
/// come to: only those that do may be gone.
fn goals(t: &Table, path: &Path) -> Vec<(u8, u8)> {
    let Some(start) = begin(t, path.retreat) else {
        return vec![];
    };
    let start = Path {
        from: path.from,
        ..start
    };
    let lengths = path.retreat.least..=path.retreat.most;
    lengths
        .filter_map(|length| Some((length, best(t, &start, path.from, length)?)))
        .collect()
}

/// The hexes that a retreating unit may enter next: those by which one of the best whole retreats leads on.
#[must_use]
pub fn next_hexes(t: &Table, path: &Path) -> Vec<HexId> {
    let Some(here) = t.hex(path.retreat.unit) else {
        return vec![];
    };
    let goals = goals(t, path);
    let leads_on = |hex: &HexId| {
        let next = onward(t, path, here, *hex);
        let mut longer = goals.iter().filter(|(length, _)| *length > path.gone);
        longer.any(|&(length, rank)| best(t, &next, *hex, length) == Some(rank))
    };
    away(t, path, here).filter(leads_on).collect()
}

/// Whether a retreat may end here.
fn may_halt(t: &Table, path: &Path) -> bool {
    goals(t, path).contains(&(path.gone, rank(path)))
}

/// Whether a unit has any way to retreat.
fn free(t: &Table, retreat: &Retreat) -> bool {
    begin(t, *retreat).is_some_and(|path| !goals(t, &path).is_empty())
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
            if !next_hexes(t, &path).is_empty() {
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
        let unit = path.retreat.unit;
        let next = next_hexes(t, &path).into_iter();
        next.for_each(|hex| out.push(Do::Retreat(unit, hex)));
        if may_halt(t, &path) {
            out.push(Do::Halt(unit));
        }
        return;
    }
    for path in candidates(t)
        .iter()
        .filter_map(|retreat| begin(t, *retreat))
    {
        let next = next_hexes(t, &path).into_iter();
        next.for_each(|hex| out.push(Do::Retreat(path.retreat.unit, hex)));
    }
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
    let path = onward(t, &path, here, hex);
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
