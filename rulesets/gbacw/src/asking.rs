//! What scripts and lines of variants may ask, in the words of these rules.

use crate::field::Field;
use crate::state::Order;

cupola_kit::words! {
    /// §7.55 Strength as it is.
    "strength" => |t, unit| i64::from(Field::new(t).sp(unit)),
    /// §7.2 Cohesion on the side that it shows.
    "cohesion" => |t, unit| {
        let field = Field::new(t);
        i64::from(field.card(unit).cohesion[usize::from(field.status(unit).disordered)])
    },
    "disordered" => |t, unit| Field::new(t).status(unit).disordered,
    "mounted" => |t, unit| Field::new(t).mounted(unit),
    /// §9.3 Guns whose crews have run.
    "abandoned" => |t, unit| Field::new(t).is_abandoned(unit),
    "battery" => |t, unit| Field::new(t).card(unit).is_guns(),
    "leader" => |t, unit| Field::new(t).card(unit).is_leader(),
    "weapon" => |t, unit| Field::new(t).card(unit).weapon.name().to_owned(),
    /// §7.51, §7.61 Of its brigade.
    "losses" => |t, unit| i64::from(wear(t, unit).losses),
    "ineffective" => |t, unit| wear(t, unit).ineffective,
    "marching" => |t, unit| wear(t, unit).order == Order::March,
    "in_reserve" => |t, unit| wear(t, unit).order == Order::Reserve,
    "near_enemy" => |t, unit| {
        let field = Field::new(t);
        t.hex(unit).is_some_and(|hex| field.near_enemy(field.card(unit).side, hex))
    },
}

fn wear(t: &cupola_kernel::Table, unit: cupola_kernel::UnitId) -> crate::state::Wear {
    let field = Field::new(t);
    field.wear(field.card(unit).brigade)
}
