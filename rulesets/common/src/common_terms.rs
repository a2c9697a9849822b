//! In terms that all rulesets share: men lost, ground held, who is ahead.

use crate::field::Field;
use crate::rules::Rules;
use crate::state::{Condition, boxes};
use crate::victory::points;
use cupola_kernel::{Place, Presence, Standing, Table, UnitId};

/// How every unit stands.
pub fn standings(t: &Table) -> impl Iterator<Item = Standing> + '_ {
    let field = Field::new(t);
    t.units().map(move |unit| standing(&field, unit))
}

fn standing(field: &Field, unit: UnitId) -> Standing {
    let presence = match field.stacks.place(unit) {
        Place::Hex(_) => Presence::Fights,
        Place::Box(boxes::TRACK) => Presence::Awaited,
        Place::Box(_) => Presence::Gone,
    };
    Standing {
        lost: lost(field.rules, unit, field.condition(unit)),
        presence,
    }
}

/// The share of its men that a unit has lost, in thousandths.
fn lost(rules: &Rules, unit: UnitId, condition: &Condition) -> u16 {
    let steps = u32::from(rules.card(unit).steps.max(1));
    let share = u32::from(rules.lost_when_eliminated) * u32::from(condition.lost) / steps;
    share as u16
}

/// The greatest victory is the whole way to a win.
#[must_use]
pub fn margin(t: &Table) -> i32 {
    let levels = &t.rules::<Rules>().victory.levels;
    let whole = levels.first().map_or(10, |(at, _)| i32::from(*at)).max(1);
    let sum = points(t);
    (sum.first - sum.second) * 1000 / whole
}
