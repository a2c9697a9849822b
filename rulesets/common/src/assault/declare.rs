//! §6.1, §6.2 Who may assault what.

use crate::field::{Field, must, rules};
use crate::rules::NEVER;
use crate::sections::Section;
use crate::state::Battle;
use cupola_kernel::{Check, HexId, Table, UnitId};

/// Whether a unit may assault a hex next to it, as far as it is concerned.
fn can(field: &Field, unit: UnitId, from: HexId, hex: HexId) -> bool {
    let (rules, condition) = (field.rules, field.condition(unit));
    let card = rules.card(unit);
    let hops = &rules.hops[usize::from(card.kind)][usize::from(from.0)];
    let open = hops.iter().any(|hop| hop.to == hex.0 && hop.cost != NEVER);
    card.assaults && !condition.spent && !condition.shaken && open
}

/// The units of the active side that may assault a hex.
pub fn eligible(t: &Table, hex: HexId) -> impl Iterator<Item = UnitId> + '_ {
    let field = Field::new(t);
    let own: Vec<UnitId> = field
        .on_map(t.active())
        .filter(|&(unit, from)| can(&field, unit, from, hex))
        .map(|(unit, _)| unit)
        .collect();
    own.into_iter()
}

/// Whether a hex may be assaulted.
pub fn may_assault(t: &Table, hex: HexId) -> Check {
    let enemy = Field::new(t).holder(hex) == Some(t.active().other());
    must(t, enemy, Section::Attack, "no enemy stands there")?;
    let fresh = !t.res::<Battle>().over.contains(&hex);
    must(
        t,
        fresh,
        Section::Attack,
        "was assaulted or left alone already",
    )?;
    let any = eligible(t, hex).next().is_some();
    must(
        t,
        any,
        Section::Join,
        "nobody who may assault it stands next to it",
    )
}

/// The hexes that may be assaulted.
pub fn targets(t: &Table) -> impl Iterator<Item = HexId> + '_ {
    let field = Field::new(t);
    let around = |(_, hex): (UnitId, HexId)| rules(t).around.of(hex);
    let mut near: Vec<HexId> = field.on_map(t.active()).flat_map(around).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().filter(|&hex| may_assault(t, hex).is_ok())
}
