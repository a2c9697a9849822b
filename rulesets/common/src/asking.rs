//! What scripts may ask and change, in the words of these rules.

use crate::field::{Field, eliminate, lose_step, rules, shake};
use crate::state::{Condition, Held};
use crate::victory::points;
use cupola_kernel::{Arg, Fact, Side, Table, UnitId};

/// The words in which scripts may ask; all but the last two are about a unit.
pub const QUESTIONS: &[&str] = &[
    "strength",
    "steps",
    "lost",
    "shaken",
    "cut",
    "quality",
    "movement",
    "range",
    "near_enemy",
    "in_zone",
    "held",
    "points",
];

/// Answers a script.
pub fn ask(t: &Table, what: &str, about: &[Arg]) -> Option<Fact> {
    match *about {
        [Arg::Unit(unit)] => of_unit(t, what, unit),
        [Arg::Hex(hex)] if what == "held" => {
            let place = rules(t)
                .victory
                .places
                .iter()
                .position(|place| place.hex == hex)?;
            Some(t.res::<Held>().0[place].map_or(Fact::Nothing, Fact::Side))
        }
        [Arg::Side(side)] if what == "points" => Some(i64::from(points(t)[side]).into()),
        _ => None,
    }
}

fn of_unit(t: &Table, what: &str, unit: UnitId) -> Option<Fact> {
    let field = Field::new(t);
    let (card, condition) = (field.rules.card(unit), field.condition(unit));
    let near = |f: &dyn Fn(Side, cupola_kernel::HexId) -> bool| {
        t.hex(unit).is_some_and(|hex| f(card.side, hex))
    };
    Some(match what {
        "strength" => i64::from(field.strength(unit)).into(),
        "steps" => i64::from(card.steps.saturating_sub(condition.lost)).into(),
        "lost" => i64::from(condition.lost).into(),
        "shaken" => condition.shaken.into(),
        "cut" => condition.cut.into(),
        "quality" => i64::from(card.quality).into(),
        "movement" => i64::from(card.movement).into(),
        "range" => i64::from(card.range).into(),
        "near_enemy" => near(&|side, hex| field.near_enemy(side, hex)).into(),
        "in_zone" => near(&|side, hex| field.in_zone(side, hex)).into(),
        _ => return None,
    })
}

/// Changes something for a script: a unit is shaken or rallies, or loses steps as by any rule.
pub fn change(t: &mut Table, what: &str, about: &[Arg], value: i64) -> Result<(), String> {
    let [Arg::Unit(unit)] = *about else {
        return Err(format!("\"{what}\" is about a unit"));
    };
    match (what, value) {
        ("shaken", 0) => t.get_mut::<Condition>(unit).shaken = false,
        ("shaken", _) if t.get::<Condition>(unit).shaken => {}
        ("shaken", _) => shake(t, unit),
        ("lost", value) => {
            let (now, steps) = (t.get::<Condition>(unit).lost, rules(t).card(unit).steps);
            if !(i64::from(now)..=i64::from(steps)).contains(&value) {
                return Err(format!(
                    "\"lost\" goes from {now} to {steps}, not to {value}"
                ));
            }
            for _ in i64::from(now)..value {
                lose_step(t, unit);
            }
        }
        ("eliminated", 1) => eliminate(t, unit),
        _ => {
            return Err(format!(
                "scripts change \"shaken\", \"lost\" and \"eliminated\", no \"{what}\""
            ));
        }
    }
    Ok(())
}
