//! §K-4 to K-8 The combat system of assaults: two columns, two rolls, one matrix.

use crate::field::{Field, rules};
use crate::rules::Kind;
use crate::units::Units;
use crate::volley::lines;
use cupola_kernel::{
    Cite, Combat, Dice, Fault, Fight, HexId, Modifiers, Needs, Outcome, Table, Toll, UnitId, rule,
};

/// An assault about to be fought.
#[derive(Clone, Copy, Debug)]
pub struct Storm {
    /// Those who attack from the assault hex.
    pub main: Units,
    /// Those who support from other hexes.
    pub support: Units,
    /// Those in the defending hex.
    pub defenders: Units,
    /// The assault hex.
    pub from: HexId,
    /// The defending hex.
    pub target: HexId,
    /// The attackers come with the Rebel Yell, or are about to.
    pub yell: bool,
}

impl Storm {
    /// An assault as things stand: whoever yells, yells.
    #[must_use]
    pub fn new(field: Field, main: Units, support: Units, from: HexId, target: HexId) -> Storm {
        Storm {
            main,
            support,
            defenders: field.units(target),
            from,
            target,
            yell: main.into_iter().any(|unit| field.status(unit).yelling),
        }
    }

    /// The hexes that attack, each once.
    fn hexes(&self, field: Field) -> Vec<HexId> {
        let support = self.support.filter_map(|unit| field.t.hex(unit));
        let mut hexes: Vec<HexId> = support.chain([self.from]).collect();
        hexes.sort_unstable();
        hexes.dedup();
        hexes
    }

    /// The odds that count, if any do, and whether they are the attacker's (§K-6-a).
    fn odds(&self, field: Field) -> Option<(usize, bool)> {
        let attack = field.strength(self.main.or(self.support));
        let defence = field.strength(self.defenders);
        let (more, less) = (attack.max(defence), attack.min(defence));
        let step = if attack == defence {
            return None;
        } else if more >= 3 * less {
            2
        } else if more >= 2 * less {
            1
        } else if 2 * more >= 3 * less {
            0
        } else {
            return None;
        };
        Some((step, attack > defence))
    }

    /// Whether guns stand without infantry or dismounted cavalry beside them (§K-6-c).
    fn lone_guns(&self, field: Field) -> bool {
        let mut defenders = self.defenders.into_iter();
        let guns = defenders.any(|unit| field.card(unit).kind == Kind::Guns);
        let mut defenders = self.defenders.into_iter();
        guns && !defenders.any(|unit| field.on_foot(unit) && field.sp(unit) > 0)
    }

    /// The cohesion of a side's strongest unit; of equals the better, as its owner would choose (§K-6-b).
    /// Attackers who are still to come up are rated where they will stand.
    fn leading(&self, field: Field, units: Units, hex: HexId) -> i16 {
        let rated = |unit: UnitId| {
            let raised = self.yell && self.main.has(unit) && !field.status(unit).yelling;
            let cr = field.cohesion(unit, field.supported(unit, hex)) + i8::from(raised);
            (field.sp(unit), cr.min(6))
        };
        let best = units.into_iter().map(rated).max();
        best.map_or(0, |(_, cr)| i16::from(cr))
    }

    /// What counts, line by line, and for whom: `true` for the attacker (§K-6).
    fn each_shift(&self, field: Field, mut add: impl FnMut(bool, Cite, &'static str, i16)) {
        let (shifts, hexes) = (&field.rules.charts.assault, self.hexes(field));
        // §K-6-d: for each hex that attacks uphill or over water.
        let sides = hexes
            .iter()
            .filter_map(|&hex| field.rules.edge(hex, self.target));
        let ground: i16 = sides.map(|edge| i16::from(edge.assault)).sum();
        if ground != 0 {
            add(true, rule!("K-6-d"), "uphill and over water", ground);
        }
        if let Some((step, ours)) = self.odds(field) {
            let name = ["3:2", "2:1", "3:1"][step];
            add(ours, rule!("K-6-a"), name, shifts.odds[step]);
        }
        let ours = self.leading(field, self.main, self.from);
        let theirs = self.leading(field, self.defenders, self.target);
        if ours != theirs {
            let by = (ours - theirs).abs();
            add(ours > theirs, rule!("K-6-b"), "cohesion", by);
        }
        if self.lone_guns(field) {
            add(true, rule!("K-6-c"), "guns alone", shifts.guns);
        }
        if hexes.len() >= 3 {
            add(true, rule!("K-6-e"), "flank attack", shifts.flank);
        }
        if self.yell {
            add(true, rule!("F-1"), "Rebel Yell", shifts.yell);
        }
        if field.rules.ground.town[self.target.index()] {
            add(false, rule!("K-6"), "in town", shifts.town);
        }
    }

    /// As a fight (§K-4, §K-5): terms are the two columns, how many of the attackers are in the assault hex, that hex, and
    /// whether they yell.
    #[must_use]
    pub fn fight(&self, field: Field) -> Fight {
        let mut shifts = [0, 0];
        self.each_shift(field, |attacker, _, _, value| {
            shifts[usize::from(!attacker)] += value;
        });
        let crt = &field.rules.charts.crt;
        let column = |strength: i16, by: i16| crt.shifted(crt.column(strength), by);
        let attack = field.strength(self.main.or(self.support));
        let mut fight = Fight {
            attackers: self.main.chain(self.support.minus(self.main)).collect(),
            defenders: self.defenders.collect(),
            hex: Some(self.target),
            terms: vec![
                0,
                0,
                self.main.count() as i16,
                self.from.0 as i16,
                i16::from(self.yell),
            ],
        };
        // A line of a variant shifts the attacker's column.
        shifts[0] += lines(field.t, OWN, &fight, Modifiers::new()).sum();
        fight.terms[0] = column(attack, shifts[0]);
        fight.terms[1] = column(field.strength(self.defenders), shifts[1]);
        fight
    }

    /// Back from a fight.
    fn of(fight: &Fight) -> Option<Storm> {
        let [_, _, count, from, yell] = *fight.terms.as_slice() else {
            return None;
        };
        let count = usize::from(count.max(1).unsigned_abs());
        let (main, support) = fight.attackers.split_at(count.min(fight.attackers.len()));
        Some(Storm {
            main: main.iter().copied().collect(),
            support: support.iter().copied().collect(),
            defenders: fight.defenders.iter().copied().collect(),
            from: HexId(from as u16),
            target: fight.hex?,
            yell: yell == 1,
        })
    }
}

/// The system, and how many columns its fights have.
const OWN: (&str, usize) = ("melee", 2);

/// The combat system.
pub struct Melee;

/// Cells of the matrix: a result of assault is the number of one.
pub const CELLS: usize = 36;

impl Combat for Melee {
    fn name(&self) -> &'static str {
        OWN.0
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().role("assault")
    }

    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let mut all = Modifiers::new();
        let Some(storm) = Storm::of(fight) else {
            return all;
        };
        storm.each_shift(Field::new(t), |attacker, cite, label, value| {
            let value = if attacker { value } else { -value };
            all = std::mem::take(&mut all).add(cite, label, value);
        });
        lines(t, OWN, fight, all)
    }

    fn takes_riders(&self) -> bool {
        true
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let crt = &rules(t).charts.crt;
        let (Some(&attacker), Some(&defender), [ours, theirs, ..]) = (
            fight.attackers.first(),
            fight.defenders.first(),
            fight.terms.as_slice(),
        ) else {
            return Err(Fault::Broken(
                "an assault without attacker or defender".into(),
            ));
        };
        let a = [
            dice.d6("assault, black", attacker),
            dice.d6("assault, white", attacker),
        ];
        let d = [
            dice.d6("defence, black", defender),
            dice.d6("defence, white", defender),
        ];
        let (attack, defence) = (crt.read(*ours, a[0], a[1]), crt.read(*theirs, d[0], d[1]));
        let code = defence as u16 * 6 + attack as u16;
        // Doubles matter in a close fight only, which is when both roll the same.
        let details = if attack == defence {
            vec![
                i16::from(crt.modifier(a[0], a[1])),
                i16::from(crt.modifier(d[0], d[1])),
            ]
        } else {
            vec![]
        };
        Ok(Outcome { code, details })
    }

    fn reckon(&self, _: &Table, fight: &Fight) -> Option<Vec<i16>> {
        // Both columns.
        let both = !fight.attackers.is_empty() && !fight.defenders.is_empty();
        fight.terms.get(..2).filter(|_| both).map(<[i16]>::to_vec)
    }

    fn describe(&self, t: &Table, outcome: &Outcome) -> String {
        let result = rules(t).charts.matrix[usize::from(outcome.code / 6) % 6]
            [usize::from(outcome.code % 6)];
        match outcome.details.as_slice() {
            [0, 0] | [] => result.to_string(),
            [a, d, ..] => format!("{result} (dice {d:+} for the attacker, {a:+} for the defender)"),
            [_] => result.to_string(),
        }
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        crate::common_terms::assault_toll(t, fight, outcome)
    }
}
