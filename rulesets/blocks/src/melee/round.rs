//! §7.2 to §7.6 Combat turns: their order, and what a block's dice are worth in each round.

use crate::field::{rules, steps};
use crate::fire::{hits_text, roll};
use crate::rules::{Kind, terrain};
use cupola_kernel::{
    Combat, Dice, Fault, Fight, HexId, Modifiers, Needs, Outcome, Side, Table, Toll, UnitId, rule,
};

/// The blocks whose combat turn it is, and their side: A before B, C and D, and of one letter those of
/// the defender before those of the attacker (§7.2).
pub fn next_turn(
    t: &Table,
    attacker: Side,
    acted: &[UnitId],
    there: impl Fn(Side) -> Vec<UnitId>,
) -> Option<(Side, Vec<UnitId>)> {
    let rules = rules(t);
    let sides = [attacker.other(), attacker].map(|side| (side, there(side)));
    for letter in 0..4 {
        for (side, units) in &sides {
            let ready = |unit: &UnitId| rules.card(*unit).letter == letter && !acted.contains(unit);
            let ready: Vec<UnitId> = units.iter().copied().filter(ready).collect();
            if !ready.is_empty() {
                return Some((*side, ready));
            }
        }
    }
    None
}

/// The fight of one combat turn: the round and the hexside crossed, if one was, in its terms.
#[must_use]
pub fn combat_turn(
    t: &Table,
    unit: UnitId,
    round: u8,
    hex: Option<HexId>,
    from: Option<HexId>,
) -> Fight {
    let side = from.zip(hex);
    let side = side.and_then(|(from, hex)| rules(t).direction(from, hex));
    Fight {
        attackers: vec![unit],
        defenders: vec![],
        hex,
        terms: vec![
            i16::from(round),
            from.map_or(-1, |from| from.0 as i16),
            side.map_or(-1, |side| side as i16),
        ],
    }
}

/// The combat system of melee: dice as for fire, with the first round's advantages (§7.2 to §7.6).
pub struct Round;

impl Combat for Round {
    fn name(&self) -> &'static str {
        "round"
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().role("melee")
    }

    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let (&[unit], &[round, from, side]) = (&fight.attackers[..], &fight.terms[..]) else {
            return Modifiers::new();
        };
        let (rules, card) = (rules(t), rules(t).card(unit));
        if card.is_guns() && round > 1 {
            let sum = Modifiers::new().add(rule!("7.4"), "guns after the first round", 1);
            return t.ride(self.name(), fight, sum);
        }
        let mut sum = Modifiers::new().add(rule!("3.12"), "firepower", card.melee.into());
        if round > 1 {
            return t.ride(self.name(), fight, sum);
        }
        let attacks = Some(card.side) == t.player_turn();
        if card.kind == Kind::Cavalry {
            let by = if attacks { -1 } else { 1 };
            sum = sum.add(rule!("7.6"), "cavalry in the first round", by);
        }
        if let (Ok(from), Ok(side)) = (usize::try_from(from), usize::try_from(side)) {
            let bits = rules.edges[from][side % 6].terrain;
            for (bit, name) in terrain::NAMES.iter().enumerate() {
                let effect = rules.effects[bit].melee;
                let counts = bits & 1 << bit != 0 && effect != 0;
                sum = sum.add_if(counts, rule!("7.3"), *name, effect.into());
            }
        }
        t.ride(self.name(), fight, sum)
    }

    fn takes_riders(&self) -> bool {
        true
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let Some(&unit) = fight.attackers.first() else {
            return Err(Fault::Broken("nobody strikes".into()));
        };
        let power = self.modifiers(t, fight).sum();
        Ok(Outcome::code(roll(
            dice,
            unit,
            steps(t, unit),
            power,
            "melee",
        )))
    }

    fn reckon(&self, t: &Table, fight: &Fight) -> Option<Vec<i16>> {
        let dice = steps(t, *fight.attackers.first()?);
        Some(vec![i16::from(dice), self.modifiers(t, fight).sum()])
    }

    fn describe(&self, _: &Table, outcome: &Outcome) -> String {
        hits_text(outcome.code)
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        crate::common_terms::toll(t, fight, outcome, false)
    }

    fn swing(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> i32 {
        crate::common_terms::swing(t, fight, outcome, false)
    }
}
