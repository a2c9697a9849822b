//! Two dice and who is more numerous.

use cupola_kernel::{Combat, Dice, Fault, Fight, Modifiers, Outcome, Table, UnitId, rule};

/// The defender holds.
pub const HELD: u16 = 0;
/// The defender is shaken.
pub const SHAKEN: u16 = 1;
/// The defender runs.
pub const ROUTED: u16 = 2;

/// A duel: two dice, one more for more men.
pub struct Duel;

impl Combat for Duel {
    fn name(&self) -> &'static str {
        "duel"
    }

    fn modifiers(&self, table: &Table, fight: &Fight) -> Modifiers {
        let men = |units: &[UnitId]| units.iter().map(|&unit| table.info(unit).men).sum::<u32>();
        let (own, other) = (men(&fight.attackers), men(&fight.defenders));
        let extra = fight.attackers.len().saturating_sub(1) as i16;
        Modifiers::new()
            .add_if(extra > 0, rule!("R-2"), "more than one attacker", extra)
            .add_if(own > other, rule!("R-2"), "more men", 1)
            .add_if(own < other, rule!("R-2"), "fewer men", -1)
    }

    fn resolve(&self, table: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let Some(&attacker) = fight.attackers.first() else {
            return Err(Fault::Broken("a duel without an attacker".into()));
        };
        let two = dice.d6("duel", attacker) + dice.d6("duel", attacker);
        let code = match i16::from(two) + self.modifiers(table, fight).sum() {
            ..=6 => HELD,
            7..=9 => SHAKEN,
            10.. => ROUTED,
        };
        Ok(Outcome::code(code))
    }

    fn describe(&self, _: &Table, outcome: &Outcome) -> String {
        match outcome.code {
            HELD => "the defender holds",
            SHAKEN => "the defender is shaken",
            _ => "the defender runs",
        }
        .to_owned()
    }
}
