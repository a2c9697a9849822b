//! §8.1 Rally: disordered units put themselves in order, guns find crews.

use crate::field::{Field, did, status_mut};
use crate::state::Deed;
use crate::{artillery, cohesion};
use cupola_kernel::{Check, Event, Table, UnitId, forbid, require, rule};

/// Whether a unit may rally.
pub fn may_rally(field: Field, unit: UnitId) -> Check {
    let (t, card, status) = (field.t, field.card(unit), field.status(unit));
    require(field.rules.fights(unit), rule!("8.1"), "is a leader")?;
    let Some(hex) = t.hex(unit) else {
        return require(false, rule!("8.1"), "is not on the map");
    };
    require(
        status.disordered || status.abandoned,
        rule!("8.1"),
        "is in good order",
    )?;
    // Who marches may only move (§4.32).
    forbid(
        field.order(unit) == crate::state::Order::March,
        rule!("4.32"),
        "marches",
    )?;
    forbid(
        field.near_enemy(card.side, hex),
        rule!("8.1"),
        "stands next to an enemy",
    )?;
    forbid(
        field.wear(card.brigade).ineffective && !card.is_guns(),
        rule!("7.63"),
        "belongs to an ineffective brigade",
    )?;
    let manned = field.holder(hex) == Some(card.side);
    require(
        !status.abandoned || manned,
        rule!("9.33"),
        "has no friends at the guns",
    )
}

/// A unit tries.
pub fn rally(t: &mut Table, unit: UnitId) {
    did(t, unit, Deed::ACTED | Deed::RALLIED);
    let guns = Field::new(t).status(unit).abandoned;
    // Abandoned guns are manned by those who stand with them, with the rating of the disordered side.
    status_mut(t, unit).disordered = true;
    status_mut(t, unit).refused = 0;
    if !cohesion::check(t, unit, "rally", 0) {
        return;
    }
    if guns {
        artillery::man(t, unit);
        return;
    }
    status_mut(t, unit).disordered = false;
    if let Some(twin) = Field::new(t).card(unit).twin {
        status_mut(t, twin).disordered = false;
        did(t, twin, Deed::RALLIED);
    }
    t.say(|t| {
        let text = format!("{} rallies", crate::field::name(t, unit));
        Event::new("rally", rule!("8.1"), text).unit(unit)
    });
}
