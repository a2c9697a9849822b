//! What scripts and lines of variants may ask, in the words of these rules.

use crate::field::{frontline, rules, steps};
use crate::state::{Block, flag};

cupola_kit::words! {
    /// §3.11 Steps as they are.
    "strength" => |t, unit| i64::from(steps(t, unit)),
    "steps" => |t, unit| i64::from(steps(t, unit)),
    "max" => |t, unit| i64::from(rules(t).card(unit).max),
    "lost" => |t, unit| i64::from(rules(t).card(unit).max.saturating_sub(steps(t, unit))),
    /// §3.12 Morale: 1 is A, 4 is D.
    "morale" => |t, unit| i64::from(rules(t).card(unit).letter) + 1,
    "fire" => |t, unit| i64::from(rules(t).card(unit).fire),
    "long" => |t, unit| i64::from(rules(t).card(unit).long),
    "melee" => |t, unit| i64::from(rules(t).card(unit).melee),
    "movement" => |t, unit| i64::from(rules(t).card(unit).moves),
    /// §4.3 Under command.
    "commanded" => |t, unit| t.get::<Block>(unit).has(flag::COMMANDED),
    "moved" => |t, unit| t.get::<Block>(unit).has(flag::MOVED),
    "fired" => |t, unit| t.get::<Block>(unit).has(flag::FIRED),
    /// §6.0 In column.
    "column" => |t, unit| t.get::<Block>(unit).has(flag::COLUMN),
    /// §8.1 Face up.
    "face_up" => |t, unit| t.get::<Block>(unit).has(flag::UP),
    /// §2.3 Next to the enemy.
    "near_enemy" => |t, unit| t.hex(unit).is_some_and(|hex| frontline(t, rules(t).card(unit).side, hex)),
}
