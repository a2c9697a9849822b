//! What an attack into melee comes to on average, for players who must choose before it is fought (§7).
//!
//! The melee is fought with means instead of dice: in each round those of the defender strike first, as among equals (§7.2), in
//! the last one they alone. Whoever else is under command and next to that hex is taken to join, one through each hexside.

use crate::field::{count, rules, stack, steps};
use crate::movement::may_attack;
use crate::rules::{Card, Kind, NOWHERE};
use crate::state::Melees;
use cupola_kernel::{
    Combat, Dice, Fault, Fight, HexId, Modifiers, Needs, Outcome, Side, Table, Toll, UnitId,
};

/// A mean hit.
const HIT: u32 = 600;

/// A block in the melee.
struct Man {
    /// Steps, in parts of a hit.
    left: u32,
    /// What its dice are worth in the first round, and in the others.
    first: i16,
    later: i16,
    /// Men of a step.
    men: u32,
}

/// What is left when a melee is over.
struct Outlook {
    /// Men lost by those who attack, and by the others.
    lost: [u32; 2],
    /// Blocks lost, in thousandths.
    blocks: [u32; 2],
    /// How likely the hex changes hands, in thousandths.
    taken: u32,
    attackers: u32,
}

/// The combat system by which attacks are weighed; no dice are rolled by it.
pub struct Assault;

impl Assault {
    /// The attack of a block into a hex, without command if it has none.
    #[must_use]
    pub fn fight(unit: UnitId, hex: HexId, alone: bool) -> Fight {
        Fight {
            attackers: vec![unit],
            defenders: vec![],
            hex: Some(hex),
            terms: vec![i16::from(alone)],
        }
    }
}

impl Combat for Assault {
    fn name(&self) -> &'static str {
        "assault"
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs()
    }

    fn modifiers(&self, _: &Table, _: &Fight) -> Modifiers {
        Modifiers::new()
    }

    fn resolve(&self, _: &Table, _: &Fight, _: &mut dyn Dice) -> Result<Outcome, Fault> {
        Ok(Outcome::code(0))
    }

    fn describe(&self, _: &Table, _: &Outcome) -> String {
        "is fought out".into()
    }

    fn toll(&self, t: &Table, fight: &Fight, _: &Outcome) -> Toll {
        let Some(found) = outlook(t, fight) else {
            return Toll::default();
        };
        Toll {
            attacker: found.lost[0] / found.attackers,
            defender: found.lost[1] / found.attackers,
            yields: found.taken >= 500,
        }
    }

    fn swing(&self, t: &Table, fight: &Fight, _: &Outcome) -> i32 {
        let (Some(found), Some(hex)) = (outlook(t, fight), fight.hex) else {
            return 0;
        };
        let rules = rules(t);
        let prize = rules.victory.iter().find(|(_, prize, _)| *prize == hex);
        let points = prize.map_or(0, |(_, _, points)| i32::from(*points));
        let blocks = found.blocks[1] as i32 - found.blocks[0] as i32;
        let ahead = blocks + points * found.taken as i32;
        let (high, low) = (
            i32::from(rules.scale.first_wins),
            i32::from(rules.scale.second_wins),
        );
        ahead * 2 / (high - low + 10).max(1) / found.attackers as i32
    }
}

/// Fights a melee out with means.
fn outlook(t: &Table, fight: &Fight) -> Option<Outlook> {
    let (&unit, hex) = (fight.attackers.first()?, fight.hex?);
    let alone = fight.terms.first() == Some(&1);
    let mut ours = attackers(t, unit, hex, alone);
    let mut theirs = defenders(t, rules(t).card(unit).side.other(), hex);
    let before = [total(&ours), total(&theirs)];
    let many = [ours.len(), theirs.len()].map(|n| n as u32);
    fight_out(&mut ours, &mut theirs, alone);
    let after = [total(&ours), total(&theirs)];
    let men = |line: &[Man]| line.iter().map(|man| man.men).sum::<u32>() / line.len().max(1) as u32;
    let lost = [0, 1].map(|i| before[i] - after[i]);
    // Hits go to the strongest: blocks fall when less than a step is left for each.
    let fallen = |i: usize| many[i] * 1000 - (after[i] * 1000 / HIT).min(many[i] * 1000);
    // Half of the steps must go before the others think of leaving.
    let taken = (2000 * lost[1] / before[1].max(1)).saturating_sub(1000);
    Some(Outlook {
        lost: [lost[0] * men(&ours) / HIT, lost[1] * men(&theirs) / HIT],
        blocks: [0, 1].map(fallen),
        taken: if after[0] > 0 { taken } else { 0 },
        attackers: many[0].max(1),
    })
}

/// Round by round, the defenders first. Attackers go back in the third round (§7.2), alone in the second (§7.8), and do not strike then.
fn fight_out(ours: &mut [Man], theirs: &mut [Man], alone: bool) {
    let last = if alone { 2 } else { 3 };
    for round in 1..=last {
        strike(theirs, ours, round);
        if round < last {
            strike(ours, theirs, round);
        }
    }
}

fn total(line: &[Man]) -> u32 {
    line.iter().map(|man| man.left).sum()
}

/// The mean hits of one line on the other, shared out.
fn strike(by: &[Man], at: &mut [Man], round: u8) {
    let power = |man: &Man| if round == 1 { man.first } else { man.later };
    let hits = by
        .iter()
        .map(|man| man.left * power(man).clamp(0, 6) as u32 / 6);
    let (hits, all) = (hits.sum::<u32>(), total(at));
    for man in at {
        man.left -= (man.left * hits / all.max(1)).min(man.left);
    }
}

/// Those who attack, and those who are taken to join them.
fn attackers(t: &Table, unit: UnitId, hex: HexId, alone: bool) -> Vec<Man> {
    let rules = rules(t);
    let attacks = &t.res::<Melees>().attacks;
    let there = attacks.iter().filter(|attack| attack.hex == hex);
    let mut line: Vec<(UnitId, Option<HexId>)> =
        there.map(|attack| (attack.unit, attack.from)).collect();
    line.push((unit, t.hex(unit)));
    let room = usize::from(rules.limit[usize::from(hex.0)]);
    for edge in rules
        .around(hex)
        .iter()
        .filter(|edge| !alone && edge.to != NOWHERE)
    {
        let from = HexId(edge.to);
        if line.len() >= room || line.iter().any(|(_, at)| *at == Some(from)) {
            continue;
        }
        let side = rules.card(unit).side;
        if count(t, side, from) > 0 {
            let joins = stack(t, side, from).find(|&other| may_join(t, other, hex));
            line.extend(joins.map(|other| (other, Some(from))));
        }
    }
    let man = |(unit, from): (UnitId, Option<HexId>)| {
        let card = rules.card(unit);
        let crossed =
            from.and_then(|from| Some(rules.around(from)[rules.direction(from, hex)?].melee));
        let horse = i16::from(card.kind == Kind::Cavalry);
        Man {
            left: u32::from(steps(t, unit)) * HIT,
            first: i16::from(card.melee) + i16::from(crossed.unwrap_or(0)) - horse,
            later: later(card),
            men: t.info(unit).men / u32::from(card.max.max(1)),
        }
    };
    line.into_iter().map(man).collect()
}

/// What a block's dice are worth after the first round: those of guns little (§7.4).
fn later(card: &Card) -> i16 {
    i16::from(if card.is_guns() { 1 } else { card.melee })
}

/// Whether a block could still attack into a hex, under command.
fn may_join(t: &Table, unit: UnitId, hex: HexId) -> bool {
    crate::movement::may_move(t, unit).is_ok() && may_attack(t, unit, hex, true).is_ok()
}

/// Those who stand in the hex.
fn defenders(t: &Table, side: Side, hex: HexId) -> Vec<Man> {
    let rules = rules(t);
    let man = |unit: UnitId| {
        let card = rules.card(unit);
        Man {
            left: u32::from(steps(t, unit)) * HIT,
            first: i16::from(card.melee) + i16::from(card.kind == Kind::Cavalry),
            later: later(card),
            men: t.info(unit).men / u32::from(card.max.max(1)),
        }
    };
    stack(t, side, hex).map(man).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of three steps on either side that hit once in two dice.
    fn left(alone: bool) -> [u32; 2] {
        let man = || Man {
            left: 3 * HIT,
            first: 3,
            later: 3,
            men: 100,
        };
        let (mut ours, mut theirs) = ([man()], [man()]);
        fight_out(&mut ours, &mut theirs, alone);
        [total(&ours), total(&theirs)]
    }

    #[test]
    fn who_attacks_alone_strikes_once_and_others_twice() {
        let step = |quarters: u32| quarters * HIT / 4;
        // Struck twice, for three steps and for nine quarters; strikes once, with six quarters.
        assert_eq!(left(true), [step(6) - step(9) / 2, step(12) - step(6) / 2]);
        let [supported, enemy] = left(false);
        assert!(supported < left(true)[0] && enemy < left(true)[1]);
    }
}
