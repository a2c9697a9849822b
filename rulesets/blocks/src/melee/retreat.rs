//! §7.7 and §7.9 Out of a melee: retreats, and the regrouping of those who won.

use super::{Do, attack_of};
use crate::field::{
    count, eliminate, friendly, hostile, leave_board, may_share, put, room, rules, stack, tell,
};
use crate::rules::NOWHERE;
use crate::state::Melees;
use cupola_kernel::{
    Check, Cite, HexId, Place, Refusal, Side, Table, UnitId, forbid, require, rule,
};

/// Whether the hexside to a hex beside the melee is still free: for a retreat in this round (§7.7), or for regrouping
/// (§7.9).
fn passage(t: &Table, to: HexId, cite: Cite) -> Check {
    let melees = t.res::<Melees>();
    let direction = melees.hex.and_then(|hex| rules(t).direction(hex, to));
    let Some(direction) = direction else {
        return Err(Refusal::new(cite, "the hex is not beside the melee"));
    };
    let used = melees.used & 1 << direction != 0;
    forbid(used, cite.clone(), "a block has gone through that hexside")?;
    let melee = melees.attacks.iter().any(|attack| attack.hex == to);
    let why = "a melee is still to be fought there";
    forbid(melee, cite, why)
}

/// Whether there is room for a block in a hex beside the melee.
fn roomy(t: &Table, unit: UnitId, hex: HexId, cite: Cite) -> Check {
    let side = rules(t).card(unit).side;
    require(room(t, side, hex), cite, "the hex has no room")?;
    let shares = may_share(t, unit, hex);
    require(shares, rule!("6.0"), "a column shares its hex with nobody")
}

/// Whether a defender may go to a hex, be it friendly or neutral.
fn passable(t: &Table, unit: UnitId, to: HexId) -> Check {
    let side = rules(t).card(unit).side;
    passage(t, to, rule!("7.7"))?;
    let enemies = count(t, side.other(), to) > 0 || hostile(t, side, to);
    forbid(enemies, rule!("7.7"), "the hex is the enemy's")?;
    roomy(t, unit, to, rule!("7.7"))
}

/// Whether a block may retreat to a hex this round (§7.7).
pub fn may_retreat(t: &Table, unit: UnitId, to: HexId) -> Check {
    if let Some(attack) = attack_of(t, unit) {
        let back = attack.from == Some(to);
        require(
            back,
            rule!("7.7"),
            "an attacker goes back where it came from",
        )?;
        return passage(t, to, rule!("7.7"));
    }
    passable(t, unit, to)?;
    let side = rules(t).card(unit).side;
    let better = || beside(t).any(|hex| friendly(t, side, hex) && passable(t, unit, hex).is_ok());
    let why = "a neutral hex serves only where no friendly one is open";
    forbid(!friendly(t, side, to) && better(), rule!("7.7"), why)
}

/// The hexes beside the melee.
fn beside(t: &Table) -> impl Iterator<Item = HexId> {
    let around = t.res::<Melees>().hex.map(|hex| rules(t).around(hex));
    let edges = around.into_iter().flatten();
    edges
        .filter(|edge| edge.to != NOWHERE)
        .map(|edge| HexId(edge.to))
}

/// Where a block may retreat to this round.
#[must_use]
pub fn retreats(t: &Table, unit: UnitId) -> Vec<HexId> {
    let may = |to: &HexId| may_retreat(t, unit, *to).is_ok();
    let mut found: Vec<HexId> = beside(t).filter(may).collect();
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

/// Whether a winner may step out to a hex (§7.9).
pub fn may_withdraw(t: &Table, unit: UnitId, to: HexId) -> Check {
    let (side, melees) = (rules(t).card(unit).side, t.res::<Melees>());
    let there = melees.hex.is_some() && t.hex(unit) == melees.hex;
    require(there, rule!("7.9"), "did not win this melee")?;
    let joined = melees.acted.contains(&unit);
    forbid(joined, rule!("7.9"), "has only joined the winners")?;
    passage(t, to, rule!("7.9"))?;
    let own = friendly(t, side, to) && count(t, side.other(), to) == 0;
    require(own, rule!("7.9"), "the hex is not friendly")?;
    roomy(t, unit, to, rule!("7.9"))
}

/// Whether a block may join the winners (§7.9).
pub fn may_reinforce(t: &Table, unit: UnitId) -> Check {
    let (Some(hex), Some(from)) = (t.res::<Melees>().hex, t.hex(unit)) else {
        return Err(Refusal::new(rule!("7.9"), "is not beside the melee"));
    };
    passage(t, from, rule!("7.9"))?;
    roomy(t, unit, hex, rule!("7.9"))
}

/// Calls `found` with every way to regroup (§7.9).
pub fn regroupings(t: &Table, hex: HexId, side: Side, mut found: impl FnMut(Do)) {
    for beside in beside(t) {
        stack(t, side, hex)
            .filter(|&unit| may_withdraw(t, unit, beside).is_ok())
            .for_each(|unit| found(Do::Withdraw(unit, beside)));
        stack(t, side, beside)
            .filter(|&unit| may_reinforce(t, unit).is_ok())
            .for_each(|unit| found(Do::Reinforce(unit)));
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
