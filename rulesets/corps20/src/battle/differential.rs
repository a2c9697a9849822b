//! §7.4–§7.9 Combat by differential: what counts, and what the die makes of it.

use crate::crt::CombatResult;
use crate::field::{name, rules, strength};
use crate::leaders;
use crate::rules::Kind;
use crate::state::Commitment;
use cupola_kernel::{
    Combat, Dice, Fault, Fight, HexId, Modifiers, Needs, Outcome, Side, Table, Toll, UnitId, rule,
};

/// The combat system of the printed game.
pub struct Differential;

/// Puts what was committed into the terms of a fight.
#[must_use]
pub fn terms(c: &Commitment) -> Vec<i16> {
    let flag = |on: bool| i16::from(on);
    vec![
        i16::from(c.guns),
        flag(c.chief),
        flag(c.attacker_reserves),
        flag(c.defender_reserves),
        i16::from(c.held_back),
    ]
}

/// Reads what was committed from the terms of a fight.
#[must_use]
pub fn commitment(terms: &[i16]) -> Commitment {
    let term = |i: usize| terms.get(i).copied().unwrap_or(0);
    Commitment {
        guns: term(0) as u8,
        chief: term(1) != 0,
        attacker_reserves: term(2) != 0,
        defender_reserves: term(3) != 0,
        held_back: term(4) as i8,
    }
}

/// What each attacker contributes: of several units of the second side against a single defender only the strongest
/// counts in full, the others by half, rounded down (§7.7).
#[must_use]
pub fn shares(t: &Table, fight: &Fight) -> Vec<(UnitId, i8)> {
    let mut shares: Vec<(UnitId, i8)> = fight
        .attackers
        .iter()
        .map(|&unit| (unit, strength(t, unit)))
        .collect();
    let second = fight
        .attackers
        .first()
        .is_some_and(|&unit| rules(t).card(unit).side == Side::Second);
    if second && fight.defenders.len() == 1 && shares.len() > 1 {
        let best = (0..shares.len())
            .max_by_key(|&i| (shares[i].1, std::cmp::Reverse(i)))
            .unwrap_or(0);
        for (i, share) in shares.iter_mut().enumerate() {
            share.1 = if i == best { share.1 } else { share.1 / 2 };
        }
    }
    shares
}

/// Whether any attacker is in command, or all are cavalry (§7.6).
#[must_use]
pub fn in_command(t: &Table, fight: &Fight, with_chief: bool) -> bool {
    let cavalry = |unit: &&UnitId| rules(t).card(**unit).kind == Kind::Cavalry;
    if fight.attackers.iter().all(|unit| cavalry(&unit)) {
        return true;
    }
    let led = |unit: UnitId| {
        let side = rules(t).card(unit).side;
        rules(t)
            .leaders_of(side)
            .any(|leader| leaders::commands(t, leader, unit, with_chief))
    };
    fight
        .attackers
        .iter()
        .filter(|unit| !cavalry(unit))
        .any(|&unit| led(unit))
}

/// Whether a defender is attacked solely across slopes, ridges or creeks (§7.5).
fn well_placed(t: &Table, fight: &Fight, defender: UnitId) -> bool {
    let Some(hex) = t.hex(defender) else {
        return false;
    };
    let across = |from: HexId| rules(t).edge(from, hex).map(|edge| edge.helps_defender);
    let mut any = false;
    let all = fight
        .attackers
        .iter()
        .filter_map(|&unit| across(t.hex(unit)?))
        .all(|helps| {
            any = true;
            helps
        });
    any && all
}

/// Guns next to a defender that are not attacked themselves (§7.5).
fn supporting_guns(t: &Table, fight: &Fight, attacked: &[UnitId], defender: UnitId) -> i8 {
    let Some(hex) = t.hex(defender) else { return 0 };
    let side = rules(t).card(defender).side;
    let near = rules(t)
        .around(hex)
        .filter_map(|next| crate::field::unit_in(t, next));
    let guns = near.filter(|&unit| {
        let card = rules(t).card(unit);
        card.side == side
            && card.kind == Kind::Artillery
            && !fight.defenders.contains(&unit)
            && !attacked.contains(&unit)
    });
    guns.count() as i8
}

impl Combat for Differential {
    fn name(&self) -> &'static str {
        "differential"
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs()
    }

    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let c = commitment(&fight.terms);
        let attacker = fight
            .attackers
            .first()
            .map_or(Side::First, |&unit| rules(t).card(unit).side);
        let attacked = super::attacked(t);
        let mut m = Modifiers::new();
        for (unit, share) in shares(t, fight) {
            m = m.add(rule!("7.5"), name(t, unit).to_owned(), i16::from(share));
        }
        m = m.add_if(c.attacker_reserves, rule!("7.8"), "reserves", 1);
        m = m.add_if(
            !in_command(t, fight, c.chief),
            rule!("7.6"),
            "no attack command",
            -1,
        );
        let guns = c.guns.count_ones() as i16 * i16::from(rules(t).guns.0);
        let sign = if attacker == Side::First { 1 } else { -1 };
        m = m.add_if(guns > 0, rule!("9.3"), "corps artillery", sign * guns);
        let placed = fight
            .defenders
            .iter()
            .filter(|&&unit| well_placed(t, fight, unit))
            .count() as i16;
        for &unit in &fight.defenders {
            m = m.add(
                rule!("7.5"),
                name(t, unit).to_owned(),
                -i16::from(strength(t, unit)),
            );
            let support = i16::from(supporting_guns(t, fight, &attacked, unit));
            m = m.add_if(
                support > 0,
                rule!("7.5"),
                format!("guns support {}", name(t, unit)),
                -support,
            );
        }
        let terrain = if rules(t).switches.terrain_per_defender {
            placed
        } else {
            placed.min(1)
        };
        let m = m
            .add_if(terrain > 0, rule!("7.4"), "slope, ridge or creek", -terrain)
            .add_if(c.defender_reserves, rule!("7.8"), "defender's reserves", -1)
            .add_if(
                c.held_back > 0,
                rule!("7.9"),
                "held back",
                -i16::from(c.held_back),
            );
        t.ride(self.name(), fight, m)
    }

    fn takes_riders(&self) -> bool {
        true
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let roll = dice.d6(
            "combat",
            fight.defenders.first().copied().unwrap_or(UnitId(0)),
        );
        Ok(Outcome::code(
            rules(t).crt.read(self.modifiers(t, fight).sum(), roll) as u16,
        ))
    }

    fn reckon(&self, t: &Table, fight: &Fight) -> Option<Vec<i16>> {
        Some(vec![self.modifiers(t, fight).sum()])
    }

    fn describe(&self, _: &Table, outcome: &Outcome) -> String {
        CombatResult::ALL
            .get(usize::from(outcome.code))
            .map_or("?", |result| result.code())
            .to_owned()
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        crate::common_terms::toll(t, fight, outcome)
    }

    fn swing(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> i32 {
        crate::common_terms::swing(t, fight, outcome)
    }
}
