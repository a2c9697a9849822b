//! What scripts may ask, in the words of these rules.

use crate::battle::attacked;
use crate::field::{rules, strength};
use crate::leaders;
use crate::state::Status;
use cupola_kernel::{Arg, Fact, Side, Table, UnitId};

/// The words in which scripts may ask.
pub const QUESTIONS: &[&str] = &[
    "strength",
    "quality",
    "fatigue",
    "routed",
    "cadre",
    "commanded",
    "attacked",
    "helps_defender",
    "result",
    "morale_point",
    "corps_artillery",
    "terrain_per_defender",
    "attacker_first",
    "loses",
];

/// Answers a script.
pub fn ask(t: &Table, what: &str, about: &[Arg]) -> Option<Fact> {
    let rules = rules(t);
    Some(match (what, about) {
        // §7.5 Strength as it is now.
        ("strength", &[Arg::Unit(unit)]) if counts(t, unit) => i64::from(strength(t, unit)).into(),
        ("quality", &[Arg::Unit(unit)]) => i64::from(rules.card(unit).quality).into(),
        ("fatigue", &[Arg::Unit(unit)]) => i64::from(t.get::<Status>(unit).fatigue).into(),
        ("routed", &[Arg::Unit(unit)]) => t.get::<Status>(unit).routed.into(),
        ("cadre", &[Arg::Unit(unit)]) => t.get::<Status>(unit).cadre.into(),
        // §7.6 Whether a leader commands it, with the chief's help or without.
        ("commanded", &[Arg::Unit(unit), Arg::Number(chief)]) => {
            let mut own = rules.leaders_of(rules.card(unit).side);
            own.any(|leader| leaders::commands(t, leader, unit, chief != 0))
                .into()
        }
        // §7.5 Guns that are attacked themselves support nobody.
        ("attacked", &[Arg::Unit(unit)]) => attacked(t).contains(&unit).into(),
        ("attacker_first", &[Arg::Unit(unit)]) => (rules.card(unit).side == Side::First).into(),
        // §7.5 Across slopes, ridges and creeks.
        ("helps_defender", &[Arg::Hex(from), Arg::Hex(to)]) => {
            let edge = rules.edge(from, to);
            edge.map_or(Fact::Nothing, |edge| edge.helps_defender.into())
        }
        // §7.4 D What the table says.
        ("result", &[Arg::Number(sum), Arg::Number(roll)]) => {
            i64::from(rules.crt.read(sum, roll.clamp(1, 6) as u8) as u16).into()
        }
        // §7.10 What a point of its army's morale is worth, in thousandths of a clear win.
        ("morale_point", &[Arg::Unit(unit)]) => {
            let start = rules.morale.0[rules.card(unit).side];
            (1000 / i64::from(start).max(1)).into()
        }
        // §9.3 What a marker adds.
        ("corps_artillery", []) => i64::from(rules.guns.0).into(),
        ("terrain_per_defender", []) => rules.switches.terrain_per_defender.into(),
        // What share of its men a unit in this condition has lost, in thousandths.
        ("loses", &[Arg::Number(condition)]) => {
            let losses = &rules.losses;
            i64::from(match condition {
                0 => losses.routed,
                1 => losses.broken,
                2 => losses.cadre,
                _ => losses.eliminated,
            })
            .into()
        }
        _ => return None,
    })
}

/// Leaders have no strength.
fn counts(t: &Table, unit: UnitId) -> bool {
    !rules(t).is_leader(unit)
}
