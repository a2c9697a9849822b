//! §7.7 and §7.9 Out of a melee: retreats, and the regrouping of those who won.

use super::{Do, attack_of};
use crate::field::{
    count, eliminate, friendly, hostile, leave_board, may_share, put, room, rules, stack, tell,
};
use crate::rules::NOWHERE;
use crate::state::Melees;
use cupola_kernel::{HexId, Place, Side, Table, UnitId, rule};

/// Where a block may retreat to this round (§7.7).
#[must_use]
pub fn retreats(t: &Table, unit: UnitId) -> Vec<HexId> {
    let (rules, melees) = (rules(t), t.res::<Melees>());
    let (side, Some(hex)) = (rules.card(unit).side, melees.hex) else {
        return vec![];
    };
    let open = |to: HexId| {
        let direction = rules.direction(hex, to);
        direction.is_some_and(|direction| melees.used & 1 << direction == 0)
    };
    if let Some(attack) = attack_of(t, unit) {
        return attack.from.filter(|&from| open(from)).into_iter().collect();
    }
    let around = || {
        let edges = rules.around(hex).iter().filter(|edge| edge.to != NOWHERE);
        edges.map(|edge| HexId(edge.to)).filter(|&to| {
            let clear = count(t, side.other(), to) == 0;
            let melee = melees.attacks.iter().any(|attack| attack.hex == to);
            clear && !melee && open(to) && room(t, side, to) && may_share(t, unit, to)
        })
    };
    let mut found: Vec<HexId> = around().filter(|&to| friendly(t, side, to)).collect();
    if found.is_empty() {
        found = around().filter(|&to| !hostile(t, side, to)).collect();
    }
    found.sort_unstable();
    found
}

/// Whether a block may retreat off the map (§7.7): attackers if they came that way.
#[must_use]
pub fn may_leave(t: &Table, unit: UnitId) -> bool {
    match attack_of(t, unit) {
        Some(attack) => attack.from.is_none(),
        None => t
            .hex(unit)
            .is_some_and(|hex| rules(t).rim[usize::from(hex.0)]),
    }
}

/// Whether a block must retreat: an attacker in the last round (§7.2, §7.8).
#[must_use]
pub fn must_retreat(t: &Table, unit: UnitId) -> bool {
    let melees = t.res::<Melees>();
    melees.round >= melees.last && rules(t).card(unit).side == t.active()
}

/// A block retreats to a hex beside the melee.
pub fn retreat(t: &mut Table, unit: UnitId, to: HexId) {
    let from = t.hex(unit);
    put(t, unit, Place::Hex(to));
    let direction = from.and_then(|from| rules(t).direction(from, to));
    let melees = t.res_mut::<Melees>();
    melees.attacks.retain(|attack| attack.unit != unit);
    melees.used |= direction.map_or(0, |direction| 1 << direction);
    melees.acted.push(unit);
    tell(
        t,
        "retreat",
        rule!("7.7"),
        unit,
        from,
        Some(to),
        "retreats to",
    );
}

/// A block retreats off the map.
pub fn leave(t: &mut Table, unit: UnitId) {
    leave_board(t, unit, rule!("7.7"));
    let melees = t.res_mut::<Melees>();
    melees.attacks.retain(|attack| attack.unit != unit);
    melees.acted.push(unit);
}

/// An attacker that must retreat and cannot is lost (§7.7).
pub fn eliminate_attacker(t: &mut Table, unit: UnitId) {
    t.res_mut::<Melees>()
        .attacks
        .retain(|attack| attack.unit != unit);
    eliminate(t, unit, rule!("7.7"));
}

/// Calls `found` with every way to regroup (§7.9).
pub fn regroupings(t: &Table, hex: HexId, side: Side, mut found: impl FnMut(Do)) {
    let (rules, melees) = (rules(t), t.res::<Melees>());
    for (direction, edge) in rules.around(hex).iter().enumerate() {
        if edge.to == NOWHERE || melees.used & 1 << direction != 0 {
            continue;
        }
        let beside = HexId(edge.to);
        if melees.attacks.iter().any(|attack| attack.hex == beside) {
            continue;
        }
        let clear = count(t, side.other(), beside) == 0;
        if friendly(t, side, beside) && clear && room(t, side, beside) {
            // Who has only joined the winners has won nothing.
            stack(t, side, hex)
                .filter(|unit| !melees.acted.contains(unit))
                .filter(|&unit| may_share(t, unit, beside))
                .for_each(|unit| found(Do::Withdraw(unit, beside)));
        }
        if clear && room(t, side, hex) {
            stack(t, side, beside)
                .filter(|&unit| may_share(t, unit, hex))
                .for_each(|unit| found(Do::Reinforce(unit)));
        }
    }
}

/// A winner, or who joins the winners, goes through a hexside of the melee.
pub fn regroup(t: &mut Table, unit: UnitId, to: HexId, what: &'static str) {
    let from = t.hex(unit);
    let hex = t.res::<Melees>().hex.unwrap_or(to);
    let other = if to == hex { from.unwrap_or(to) } else { to };
    let direction = rules(t).direction(hex, other);
    put(t, unit, Place::Hex(to));
    let melees = t.res_mut::<Melees>();
    melees.used |= direction.map_or(0, |direction| 1 << direction);
    melees.acted.push(unit);
    tell(t, "regroup", rule!("7.9"), unit, from, Some(to), what);
}
