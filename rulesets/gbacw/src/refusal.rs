//! §12.1 Refused flanks, an optional rule: one flank counts as front, and the line fires worse.

use crate::acts::Do;
use crate::facing::Facing;
use crate::field::{Field, status_mut};
use crate::rules::Kind;
use cupola_ground::Cover;
use cupola_kernel::{Check, Options, Table, UnitId, forbid, require, rule};

/// Whether a unit may refuse a flank where it stands: those with it do the same (§5.23).
pub fn may_refuse(field: Field, unit: UnitId) -> Check {
    require(
        field.rules.switches.refused_lines,
        rule!("12.1"),
        "cannot refuse a flank: the optional rule is not in use",
    )?;
    let Some(hex) = field.t.hex(unit) else {
        return require(false, rule!("12.1"), "is not on the map");
    };
    let town = field.t.board().cover(hex) == Cover::Town;
    forbid(town, rule!("5.18"), "is in town and cannot refuse a flank")?;
    let fit = |unit: UnitId| {
        field.card(unit).kind == Kind::Foot
            && !field.status(unit).disordered
            && field.sp(unit) >= field.rules.numbers.refuse_sp
    };
    let all = fit(unit) && field.fighters(hex).all(fit);
    require(
        all,
        rule!("12.1"),
        "must be infantry in good order, and strong enough",
    )
}

/// Lists the answers: each facing with each flank.
pub fn options(field: Field, unit: UnitId, facings: &[Facing], out: &mut Options) {
    if !field.rules.switches.refused_lines || may_refuse(field, unit).is_err() {
        return;
    }
    for &facing in facings {
        for hand in [1, 2] {
            out.push(Do::Refuse(field.corner(facing), field.hand(hand)));
        }
    }
}

/// All in the hex refuse a flank.
pub fn refuse(t: &mut Table, unit: UnitId, hand: u8) {
    let Some(hex) = t.hex(unit) else { return };
    let stack: Vec<UnitId> = Field::new(t).fighters(hex).collect();
    for unit in stack {
        status_mut(t, unit).refused = hand;
    }
}
