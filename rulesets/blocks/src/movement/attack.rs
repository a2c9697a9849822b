//! §7.1 and §7.8 Attacks: blocks that move into an enemy hex, to fight there in the melee phase.

use super::mover::used_up;
use super::{chosen, cross, entry, moved};
use crate::field::{count, put, rules, tell};
use crate::state::{Attack, Block, Chosen, Melees, flag};
use cupola_kernel::{Check, HexId, Place, Refusal, Table, UnitId, forbid, require, rule};

/// Whether a block may attack into a hex beside it; `supported` by command (§7.1) or alone (§7.8).
pub fn may_attack(t: &Table, unit: UnitId, hex: HexId, supported: bool) -> Check {
    let (rules, block) = (rules(t), t.get::<Block>(unit));
    let card = rules.card(unit);
    forbid(t.is_night(), rule!("9.71"), "there is no combat at night")?;
    let from = t
        .hex(unit)
        .ok_or_else(|| Refusal::new(rule!("7.1"), "is not on the map"))?;
    let beside = rules.direction(from, hex).is_some();
    require(beside, rule!("7.1"), "attacks an adjacent hex")?;
    let enemies = count(t, card.side.other(), hex);
    require(enemies > 0, rule!("7.1"), "no enemy is there")?;
    let section = if card.is_hq() {
        rule!("7.5")
    } else {
        rule!("7.4")
    };
    require(card.may_attack(), section, "may not attack")?;
    let column = block.has(flag::COLUMN);
    forbid(column, rule!("6.0"), "a column does not attack")?;
    let commanded = block.has(flag::COMMANDED) || card.free;
    if supported {
        require(commanded, rule!("7.1"), "is not under command")?;
    } else {
        forbid(commanded, rule!("7.8"), "is under command")?;
    }
    may_join_attack(t, from, hex, supported)
}

/// Whether one more attack goes from a hex through a hexside into another.
fn may_join_attack(t: &Table, from: HexId, hex: HexId, supported: bool) -> Check {
    let all = &t.res::<Melees>().attacks;
    let there = || all.iter().filter(|attack| attack.hex == hex);
    forbid(
        there().any(|attack| attack.unsupported || !supported),
        rule!("7.8"),
        "an unsupported attack is made by one block",
    )?;
    forbid(
        there().any(|attack| attack.from == Some(from)),
        rule!("7.1"),
        "one block attacks through a hexside",
    )?;
    require(
        there().count() < usize::from(rules(t).limit[usize::from(hex.0)]),
        rule!("6.2"),
        "no more attackers fit into the hex",
    )?;
    forbid(
        used_up(t, t.active(), from, hex),
        rule!("6.62"),
        "two blocks have crossed that hexside",
    )
}

/// A block goes into an enemy hex.
pub fn attack(t: &mut Table, unit: UnitId, hex: HexId, unsupported: bool) {
    let (from, entry) = (t.hex(unit), t.res::<Chosen>().entry);
    if let Some(from) = from {
        cross(t, from, hex);
    } else if let Some(way) = entry {
        entry::took_road(t, unit, way);
    }
    put(t, unit, Place::Hex(hex));
    t.res_mut::<Melees>().attacks.push(Attack {
        unit,
        hex,
        from,
        unsupported,
    });
    let what = if unsupported {
        "attacks without command into"
    } else {
        "attacks into"
    };
    tell(t, "attack", rule!("7.1"), unit, from, Some(hex), what);
    moved(t, unit);
}

/// Why an attack is not offered.
pub fn why_not_attack(t: &Table, unit: UnitId, hex: HexId, supported: bool) -> Refusal {
    let late = || Refusal::new(rule!("7.1"), "attacks at once or not at all");
    match chosen(t, unit).and_then(|()| may_attack(t, unit, hex, supported)) {
        Err(refusal) => refusal,
        Ok(()) => late(),
    }
}
