//! §K-1 and §K-2 Declarations: which hex may assault which, and who may support it.

use crate::acts::Do;
use crate::field::Field;
use crate::rules::Kind;
use crate::state::{Declared, Stack};
use crate::units::Units;
use cupola_kernel::{Check, HexId, Refusal, Side, Table, UnitId, forbid, require, rule};

/// Whether a unit may attack in an assault: infantry and mounted cavalry (§K-1).
pub fn may_assault(field: Field, unit: UnitId) -> Check {
    forbid(
        field.card(unit).kind == Kind::Guns,
        rule!("K-1"),
        "artillery never attacks in an assault",
    )?;
    let dismounted = field.card(unit).kind == Kind::Horse && !field.mounted(unit);
    forbid(
        dismounted,
        rule!("K-1"),
        "dismounted cavalry never attacks in an assault",
    )?;
    forbid(
        field.status(unit).frozen,
        rule!("F-2"),
        "is caught in battlefield chaos",
    )
}

/// The units of a hex that may attack.
pub fn able(field: Field, active: Units, hex: HexId) -> Units {
    field
        .units(hex)
        .and(active)
        .filter(|unit| may_assault(field, unit).is_ok())
}

fn committed(declared: &[Declared], units: Units) -> bool {
    declared
        .iter()
        .any(|attack| !attack.main.or(attack.support).and(units).is_empty())
}

/// Whether a hex may be the assault hex against another.
pub fn may_declare(
    field: Field,
    active: Units,
    declared: &[Declared],
    from: HexId,
    target: HexId,
) -> Check {
    let units = common(field, active, declared, from, target)?;
    let side = units
        .first()
        .map_or(Side::First, |unit| field.card(unit).side);
    require(
        field.holder(target) == Some(side.other()),
        rule!("K"),
        "no enemy is there",
    )?;
    let taken = declared.iter().any(|attack| attack.target == target);
    forbid(
        taken,
        rule!("K-1"),
        "the hex is the target of an assault already; it can be supported",
    )
}

/// Whether a hex may support an assault (§K-2).
pub fn may_support(
    field: Field,
    active: Units,
    declared: &[Declared],
    from: HexId,
    target: HexId,
) -> Check {
    let units = common(field, active, declared, from, target)?;
    let side = units
        .first()
        .map_or(Side::First, |unit| field.card(unit).side);
    let taken = declared.iter().any(|attack| attack.target == target);
    require(taken, rule!("K-2"), "nobody assaults that hex yet")?;
    let pinned = field.rules.around(from).any(|hex| {
        hex != target
            && field.threat(side, hex)
            && declared.iter().all(|attack| attack.target != hex)
    });
    forbid(
        pinned,
        rule!("K-2"),
        "is pinned by another enemy that nobody assaults",
    )
}

fn common(
    field: Field,
    active: Units,
    declared: &[Declared],
    from: HexId,
    target: HexId,
) -> Result<Units, Refusal> {
    require(
        field.rules.edge(from, target).is_some(),
        rule!("K"),
        "the hexes are not adjacent",
    )?;
    let units = able(field, active, from);
    if units.is_empty() {
        let mut there = field.units(from);
        let why = there.find_map(|unit| may_assault(field, unit).err());
        let nobody = || Refusal::new(rule!("K-1"), "nobody there may attack in an assault");
        return Err(why.unwrap_or_else(nobody));
    }
    forbid(
        committed(declared, units),
        rule!("K-1"),
        "those units are committed already",
    )?;
    Ok(units)
}

/// Calls `found` with every assault and support that can still be declared.
pub fn each_declaration(t: &Table, active: Units, mut found: impl FnMut(Do)) {
    let field = Field::new(t);
    let declared = &t.res::<Stack>().declared;
    let mut hexes: Vec<HexId> = active.filter_map(|unit| t.hex(unit)).collect();
    hexes.sort_unstable();
    hexes.dedup();
    for from in hexes {
        for target in field.rules.around(from) {
            if field.t.stacks().first(target).is_none() {
                continue;
            }
            if may_declare(field, active, declared, from, target).is_ok() {
                found(Do::Assault(from, target));
            } else if may_support(field, active, declared, from, target).is_ok() {
                found(Do::Support(from, target));
            }
        }
    }
}
