//! gbacw in terms that all rulesets share: men lost, ground held.
//!
//! A regiment's losses stand on its brigade's track and are shared out among those of its units that still stand; a
//! routed regiment has paid with its whole strength. A strength point is fifty men, or a gun with its crew.

use crate::field::Field;
use crate::state::boxes;
use crate::victory;
use cupola_kernel::{Lead, Place, Presence, Prize, Standing, Table, UnitId};

/// How every unit stands.
pub fn standings(t: &Table) -> impl Iterator<Item = Standing> + '_ {
    let field = Field::new(t);
    // What a brigade has lost on its track, in thousandths of what it has on the map.
    let shares: Vec<u16> = (0..field.rules.brigades.len())
        .map(|number| {
            let brigade = &field.rules.brigades[number];
            let here = brigade.units.iter().filter(|&&unit| t.hex(unit).is_some());
            let sp: u32 = here.map(|&unit| u32::from(field.card(unit).sp)).sum();
            let lost = u32::from(field.wear(number as u16).losses);
            (lost * 1000).checked_div(sp).unwrap_or(0).min(1000) as u16
        })
        .collect();
    t.units().map(move |unit| standing(field, unit, &shares))
}

fn standing(field: Field, unit: UnitId, shares: &[u16]) -> Standing {
    let (card, place) = (field.card(unit), field.t.stacks().place(unit));
    let leader = !field.rules.fights(unit);
    let own = || {
        let lost = u32::from(field.status(unit).lost);
        (lost * 1000 / u32::from(card.sp.max(1))) as u16
    };
    let worn = match (leader, card.counts_own()) {
        (true, _) => 0,
        (false, true) => own(),
        (false, false) => shares.get(usize::from(card.brigade)).copied().unwrap_or(0),
    };
    let (lost, presence) = match place {
        Place::Hex(_) if leader || field.status(unit).abandoned => (worn, Presence::Attends),
        Place::Hex(_) => (worn, Presence::Fights),
        Place::Box(boxes::AWAITED) => (worn, Presence::Awaited),
        Place::Box(boxes::WITHDRAWN | boxes::FOLDED) => (worn, Presence::Gone),
        Place::Box(_) => (if leader { 0 } else { 1000 }, Presence::Gone),
    };
    Standing { lost, presence }
}

/// Prisoners of a unit, in thousandths: who surrenders in the town (§5.18), less the guns' own losses before. Nobody else is said to
/// be taken: who has no way back is lost (§7.32), and crews leave their guns (§9.31).
#[must_use]
pub fn captured(t: &Table, unit: UnitId) -> u16 {
    let field = Field::new(t);
    let (card, place) = (field.card(unit), t.stacks().place(unit));
    if place != Place::Box(boxes::SURRENDERED) || !field.rules.fights(unit) {
        return 0;
    }
    let before = if card.counts_own() {
        u32::from(field.status(unit).lost) * 1000 / u32::from(card.sp.max(1))
    } else {
        0
    };
    1000 - before.min(1000) as u16
}

/// Whether a counter stands below a leader in the army list.
#[must_use]
pub fn is_under(t: &Table, leader: UnitId, unit: UnitId) -> bool {
    let field = Field::new(t);
    let below = |node: &String| {
        let mut above = t.info(leader).nodes.iter();
        above.any(|above| {
            let rest = node.strip_prefix(above.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    };
    unit != leader
        && field.card(unit).side == field.card(leader).side
        && t.info(unit).nodes.iter().any(below)
}

/// Leaders and the units below them in the army list. Reach is counted in the half points of a leader who rides there
/// (§4.22), two of which take him over open ground.
#[must_use]
pub fn leads(t: &Table) -> Vec<Lead> {
    let field = Field::new(t);
    let led = |leader: UnitId| {
        let of_his = |unit: &UnitId| field.rules.fights(*unit) && is_under(t, leader, *unit);
        Lead {
            leader,
            units: t.units().filter(of_his).collect(),
            reach: crate::command::reach(t, leader) / 2,
        }
    };
    let leaders = t.units().filter(|&unit| !field.rules.fights(unit));
    leaders.map(led).collect()
}

/// The hexes that count, as [`crate::victory::margin`] counts them: what one side gets for a hex and what the other does, at
/// their mean.
pub fn prizes(t: &Table, out: &mut Vec<Prize>) {
    let whole = victory::whole(t).max(1);
    out.extend(victory::prizes(t).map(|(hex, held, worth)| Prize {
        hex,
        worth: (worth.first + worth.second) * 500 / whole,
        held,
    }));
}
