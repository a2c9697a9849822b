//! §4.3 Orders: March and Reserve, and how one marches.

use crate::field::{Field, did, rules, status_mut, wear_mut};
use crate::state::{Deed, Order};
use crate::steps::Gait;
use cupola_kernel::{Event, Table, rule};

/// How a column goes: until the armies know the ground only some roads are trusted (§12.7).
#[must_use]
pub fn gait(t: &Table) -> Gait {
    if t.turn() <= rules(t).wary_until {
        Gait::Wary
    } else {
        Gait::March
    }
}

/// §4.33: a brigade under orders that is attacked loses them, and its good order with them.
pub fn surprise(t: &mut Table, brigade: u16) {
    let wear = Field::new(t).wear(brigade);
    if wear.order == Order::None {
        return;
    }
    wear_mut(t, brigade).order = Order::None;
    let units = rules(t).brigades[usize::from(brigade)].units.clone();
    for unit in units {
        if t.hex(unit).is_some() {
            status_mut(t, unit).disordered = true;
            did(t, unit, Deed::REACTED);
        }
    }
    t.say(|t| {
        let name = &rules(t).brigades[usize::from(brigade)].name;
        Event::new(
            "surprise",
            rule!("4.33"),
            format!("{name} is caught under orders"),
        )
    });
}
