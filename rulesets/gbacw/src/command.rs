//! §4.2 Command: how far a leader reaches, in the movement points of a leader who rides there.

use crate::engine::{Answer, pop, push, swap};
use crate::field::{Field, did, rules, wear_mut};
use crate::files::{Level, Mover};
use crate::reach::{Near, Pace, Reach};
use crate::rules::{Kind, NONE};
use crate::state::{Deed, Frame};
use crate::steps::{Gait, Step};
use crate::{attach, orders, special};
use cupola_kernel::{HexId, Side, Table, UnitId};
use cupola_kit::Then;
use std::cell::RefCell;

thread_local! {
    static REACH: RefCell<Reach> = RefCell::new(Reach::default());
}

/// How far a leader commands at this hour, in half points: ranges are halved at night (§11.2).
#[must_use]
pub fn reach(t: &Table, leader: UnitId) -> u8 {
    let range = rules(t).reach(leader);
    if t.is_night() { range / 2 } else { range }
}

/// How one looks for a leader's reach.
fn pace(t: &Table, leader: UnitId) -> Pace<'_> {
    let field = Field::new(t);
    let steps = &field.rules.steps;
    Pace {
        side: field.card(leader).side,
        rows: steps.rows(Mover::Leader, Gait::Normal),
        works: Some(Step::default()),
        bridge: Some(steps.over_bridge(Mover::Leader, Gait::Normal)),
        limit: reach(t, leader),
        shy: 0,
        // Not past the enemy but where friends stand (§4.23).
        near: Near::Friends,
        wary: false,
        clean: false,
    }
}

/// Which of some hexes are within a leader's reach; none if he is not on the map.
fn within(t: &Table, leader: UnitId, hexes: &[HexId]) -> Option<Vec<bool>> {
    let start = t.hex(leader)?;
    let (field, pace) = (Field::new(t), pace(t, leader));
    Some(REACH.with_borrow_mut(|reach| reach.find(field, &pace, start, hexes)))
}

/// The hexes that a leader reaches now, in order.
#[must_use]
pub fn range(t: &Table, leader: UnitId) -> Vec<HexId> {
    let Some(start) = t.hex(leader) else {
        return vec![];
    };
    let mut found = vec![];
    let seen = |hex: HexId, _: u16, _: u16| {
        found.push(hex);
        Then::GoOn
    };
    REACH.with_borrow_mut(|reach| {
        let (field, pace) = (Field::new(t), pace(t, leader));
        reach.search(field, &pace, &[(start, 0)], false, |_, _| true, seen);
    });
    found.sort_unstable();
    found
}

/// Whether a leader reaches another counter.
#[must_use]
pub fn reaches(t: &Table, leader: UnitId, other: UnitId) -> bool {
    let found = t.hex(other).and_then(|hex| within(t, leader, &[hex]));
    found.is_some_and(|found| found[0])
}

/// Which of some counters a leader reaches.
#[must_use]
pub fn reaches_of(t: &Table, leader: UnitId, others: &[UnitId]) -> Vec<bool> {
    let there: Vec<HexId> = others.iter().filter_map(|&other| t.hex(other)).collect();
    let found = within(t, leader, &there);
    let mut found = found.unwrap_or_default().into_iter();
    let near = |&other: &UnitId| t.hex(other).is_some() && found.next().unwrap_or(false);
    others.iter().map(near).collect()
}

/// Ib: what each side does in the command phase, the Union first.
pub fn begin(t: &mut Table) -> Answer {
    special::each(t, |rule, t| rule.turn_begins(t));
    crate::entry::look(t);
    for frame in [
        Frame::Muster(Side::Second, 2),
        Frame::Muster(Side::First, 2),
        Frame::Mark,
        Frame::Muster(Side::Second, 1),
        Frame::Muster(Side::First, 1),
        Frame::Muster(Side::Second, 0),
        Frame::Muster(Side::First, 0),
    ] {
        push(t, frame);
    }
    Ok(())
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    match frame {
        Frame::Muster(side, 0) => {
            attach::muster(t, side);
            swap(t, Frame::Attach(side));
        }
        Frame::Muster(side, 1) => {
            orders::muster(t, side);
            swap(t, Frame::Orders(side));
        }
        Frame::Muster(side, _) => {
            crate::breastworks::muster(t, side);
            swap(t, Frame::Dig(side));
        }
        _ => {
            mark_brigadiers(t);
            pop(t);
        }
    }
    Ok(())
}

/// Ib: notes which brigadiers are in command for the turn (§4.24).
pub fn mark_brigadiers(t: &mut Table) {
    for side in Side::BOTH {
        let found = survey(t, side);
        for (brigade, in_command) in (0u16..).zip(found) {
            if rules(t).brigades[usize::from(brigade)].side == side {
                wear_mut(t, brigade).commanded = in_command;
            }
        }
    }
}

/// Which brigadiers of a side are in command now, by brigade.
#[must_use]
pub fn survey(t: &Table, side: Side) -> Vec<bool> {
    let mut commanded = vec![false; rules(t).brigades.len()];
    let mut asked: Vec<(u16, UnitId, HexId)> = vec![];
    let ours = (0u16..)
        .zip(&rules(t).brigades)
        .filter(|(_, b)| b.side == side);
    for (brigade, _) in ours {
        match traces(t, brigade) {
            Trace::Is(known) => commanded[usize::from(brigade)] = known,
            Trace::From(any, hex) => {
                asked.extend(any.into_iter().map(|superior| (brigade, superior, hex)));
            }
        }
    }
    // One look around for each superior.
    asked.sort_by_key(|&(_, superior, _)| superior);
    for together in asked.chunk_by(|a, b| a.1 == b.1) {
        let hexes: Vec<HexId> = together.iter().map(|&(.., hex)| hex).collect();
        let found = within(t, together[0].1, &hexes);
        let found = found.unwrap_or_else(|| vec![false; together.len()]);
        for (&(brigade, ..), near) in together.iter().zip(found) {
            commanded[usize::from(brigade)] |= near;
        }
    }
    commanded
}

/// Whether a brigadier is in command, or within whose reach, any of them, and where he would be.
enum Trace {
    Is(bool),
    From(Vec<UnitId>, HexId),
}

/// Whether a brigadier is within his division leader's reach; who is released on this turn is (L5), and guns that are
/// attached look to any leader of the division (§9.22).
#[must_use]
pub fn commanded(t: &Table, brigade: u16) -> bool {
    match traces(t, brigade) {
        Trace::Is(known) => known,
        Trace::From(any, hex) => {
            let near = |&superior: &UnitId| within(t, superior, &[hex]).is_some_and(|near| near[0]);
            any.iter().any(near)
        }
    }
}

fn traces(t: &Table, brigade: u16) -> Trace {
    let rules = rules(t);
    let this = &rules.brigades[usize::from(brigade)];
    if this.astray == Some(t.turn()) {
        return Trace::Is(false);
    }
    // §13.13: on the first turn all leaders are in command.
    if t.turn() == rules.first_turn {
        return Trace::Is(true);
    }
    let wear = Field::new(t).wear(brigade);
    let fresh = this.released > 0 && this.released == t.turn();
    let freed = wear.freed.is_some_and(|turn| t.turn() <= turn + 1);
    let mut specials = rules.specials.iter();
    let special = specials.any(|rule| rule.brigadier(t, brigade));
    if fresh || freed || special || wear.with.is_some() {
        return Trace::Is(true);
    }
    let at = this.leader.and_then(|leader| t.hex(leader));
    let there = |leader: &UnitId| t.hex(*leader).is_some();
    if !this.superiors.is_empty() {
        // Any of those to whom guns may look (§4.27), or a cavalry brigade does (§4.26). Whose commanders are not there is
        // not held back by it, nor are guns without a leader.
        let any: Vec<UnitId> = this.superiors.iter().copied().filter(there).collect();
        return match at {
            _ if any.is_empty() => Trace::Is(true),
            Some(hex) => Trace::From(any, hex),
            None => Trace::Is(this.guns),
        };
    }
    let formation = rules.formations.get(usize::from(this.formation));
    let superior = formation.filter(|f| f.traces).and_then(|f| f.leader);
    match (this.leader, superior) {
        (Some(brigadier), Some(superior)) if brigadier != superior => match at {
            Some(hex) if there(&superior) => Trace::From(vec![superior], hex),
            _ => Trace::Is(false),
        },
        _ => Trace::Is(true),
    }
}

/// Whether a special rule has a brigade in command, wherever its leaders are.
#[must_use]
pub fn always(t: &Table, brigade: u16) -> bool {
    let mut specials = rules(t).specials.iter();
    specials.any(|rule| rule.commanded(t, brigade))
}

/// IIa: notes which units of a brigade are out of their brigadier's reach (§4.24).
pub fn mark_units(t: &mut Table, brigade: u16) {
    if brigade == NONE || always(t, brigade) {
        return;
    }
    let this = &rules(t).brigades[usize::from(brigade)];
    let members = Field::new(t).members(brigade);
    let units: Vec<(UnitId, HexId)> = members
        .filter_map(|unit| Some((unit, t.hex(unit)?)))
        .collect();
    let hexes: Vec<HexId> = units.iter().map(|&(_, hex)| hex).collect();
    let found = this.leader.and_then(|leader| within(t, leader, &hexes));
    let found = found.unwrap_or_else(|| vec![false; units.len()]);
    for ((unit, _), near) in units.into_iter().zip(found) {
        if near {
            continue;
        }
        let card = rules(t).card(unit);
        if card.brigade != brigade && visits(t, brigade, unit) {
            continue;
        }
        // Batteries look to any leader of guns they may have (§9.22).
        let gunner = card.is_guns()
            && card.brigade == brigade
            && card.chain.iter().any(|&leader| {
                rules(t).card(leader).kind == Kind::Leader(Level::Artillery)
                    && reaches(t, leader, unit)
            });
        let special = rules(t)
            .specials
            .iter()
            .any(|rule| rule.in_command(t, unit));
        let always = gunner || special || attached(t, brigade, unit) || with_corps(t, unit);
        if !always {
            did(t, unit, Deed::ASTRAY);
        }
    }
}

/// §9.22: guns that are attached are in command if any leader of the division reaches them.
fn attached(t: &Table, brigade: u16, unit: UnitId) -> bool {
    let with = Field::new(t).wear(brigade).with;
    with.is_some_and(|with| led_by_any(t, with, unit))
}

/// A battery with a brigade that is not its own looks to any leader of that division (§9.22), or to the brigade's alone
/// where it is bound to it (L4).
fn visits(t: &Table, host: u16, unit: UnitId) -> bool {
    let own = &rules(t).brigades[usize::from(rules(t).card(unit).brigade)];
    !own.bound && led_by_any(t, attach::formation_of(t, host), unit)
}

/// Whether any leader of a division reaches a unit.
fn led_by_any(t: &Table, formation: u16, unit: UnitId) -> bool {
    let Some(formation) = rules(t).formations.get(usize::from(formation)) else {
        return false;
    };
    let brigadiers = formation
        .brigades
        .iter()
        .filter_map(|&b| rules(t).brigades[usize::from(b)].leader);
    let mut leaders = formation.leader.into_iter().chain(brigadiers);
    leaders.any(|leader| reaches(t, leader, unit))
}

/// §9.4: sharpshooters look to anybody of their corps who is near.
fn with_corps(t: &Table, unit: UnitId) -> bool {
    let field = Field::new(t);
    let Some(hex) = t.hex(unit).filter(|_| field.card(unit).sharpshooters) else {
        return false;
    };
    let corps = |other: UnitId| t.info(other).nodes.first().and_then(|node| corps_of(node));
    let own = corps(unit);
    let near = |other: UnitId| {
        t.hex(other).is_some_and(|at| {
            t.board().distance(at, hex) <= field.rules.numbers.sharpshooters_reach
        })
    };
    t.units()
        .any(|other| other != unit && near(other) && own.is_some() && corps(other) == own)
}

/// The corps of a node of the army list: its first two parts, `us-iii`.
pub(crate) fn corps_of(node: &str) -> Option<&str> {
    let mut dashes = node.match_indices('-').map(|(at, _)| at);
    dashes.next()?;
    Some(dashes.next().map_or(node, |at| &node[..at]))
}
