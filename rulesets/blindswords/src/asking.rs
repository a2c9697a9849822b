//! What scripts and lines of variants may ask, in the words of these rules.

use crate::field::Field;
use crate::rules::Kind;

cupola_kit::words! {
    /// §A-d Strength as it is.
    "strength" => |t, unit| i64::from(Field::new(t).sp(unit)),
    /// §A-e Cohesion as it is, with support.
    "cohesion" => |t, unit| i64::from(Field::new(t).cr(unit)),
    "worn" => |t, unit| Field::new(t).status(unit).worn,
    "shaken" => |t, unit| Field::new(t).status(unit).shaken,
    "mounted" => |t, unit| Field::new(t).mounted(unit),
    "on_foot" => |t, unit| Field::new(t).on_foot(unit),
    "battery" => |t, unit| Field::new(t).card(unit).kind == Kind::Guns,
    /// §F-1 Hurrah! or For Dixie!, and the Rebel Yell.
    "cheered" => |t, unit| Field::new(t).status(unit).cheered,
    "yelling" => |t, unit| Field::new(t).status(unit).yelling,
    /// §A-e Unit support.
    "supported" => |t, unit| t.hex(unit).is_some_and(|hex| Field::new(t).supported(unit, hex)),
    "near_enemy" => |t, unit| {
        let field = Field::new(t);
        t.hex(unit).is_some_and(|hex| field.beside_enemy(field.card(unit).side, hex))
    },
}
