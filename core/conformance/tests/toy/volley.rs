//! §3.5: a die for each point of strength; it hits with five or six, at long range with six.

use super::fire::distance;
use super::ruleset::strength;
use cupola_kernel::{Combat, Dice, Fault, Fight, Modifiers, Outcome, Table, rule};

/// The combat system.
pub struct Volley;

impl Combat for Volley {
    fn name(&self) -> &'static str {
        "volley"
    }

    fn modifiers(&self, table: &Table, fight: &Fight) -> Modifiers {
        let (unit, target) = (fight.attackers[0], fight.defenders[0]);
        let far = distance(table, unit, target) != Some(1);
        Modifiers::new()
            .add(rule!("3.5"), "strength", i16::from(strength(table, unit)))
            .add_if(far, rule!("3.5"), "long range", -1)
    }

    fn resolve(&self, table: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let unit = fight.attackers[0];
        let (shots, need) = (strength(table, unit), needed(table, fight));
        let hits = (0..shots).filter(|_| dice.d6("volley", unit) >= need);
        Ok(Outcome::code(hits.count() as u16))
    }

    fn reckon(&self, table: &Table, fight: &Fight) -> Option<Vec<i16>> {
        let shots = strength(table, fight.attackers[0]);
        Some([shots, needed(table, fight)].map(i16::from).to_vec())
    }

    fn describe(&self, _: &Table, outcome: &Outcome) -> String {
        format!("{} hits", outcome.code)
    }
}

/// What a die must show to hit.
fn needed(table: &Table, fight: &Fight) -> u8 {
    match distance(table, fight.attackers[0], fight.defenders[0]) {
        Some(1) => 5,
        _ => 6,
    }
}
