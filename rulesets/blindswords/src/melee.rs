//! §K-4 to K-8 The combat system of assaults: two columns, two rolls, one matrix.

use crate::field::{Field, rules};
use crate::rules::Kind;
use crate::units::Units;
use cupola_kernel::{
    Cite, Combat, Dice, Fault, Fight, HexId, Modifiers, Outcome, Table, Toll, rule,
};

/// An assault as a fight: terms are the two columns and how many of the attackers are in the assault hex.
#[must_use]
pub fn fight(
    field: Field,
    main: Units,
    support: Units,
    defenders: Units,
    from: HexId,
    target: HexId,
) -> Fight {
    let mut shifts = [0, 0];
    each_shift(
        field,
        main,
        support,
        defenders,
        from,
        target,
        |attacker, _, _, value| {
            shifts[usize::from(!attacker)] += value;
        },
    );
    let crt = &field.rules.crt;
    let column = |strength: i16, by: i16| crt.shifted(crt.column(strength), by);
    let attack = field.strength(main.or(support));
    Fight {
        attackers: main.chain(support.minus(main)).collect(),
        defenders: defenders.collect(),
        hex: Some(target),
        terms: vec![
            column(attack, shifts[0]),
            column(field.strength(defenders), shifts[1]),
            main.count() as i16,
        ],
    }
}

/// What counts, line by line, and for whom (§K-6).
fn each_shift(
    field: Field,
    main: Units,
    support: Units,
    defenders: Units,
    from: HexId,
    target: HexId,
    mut add: impl FnMut(bool, Cite, &'static str, i16),
) {
    let shifts = &field.rules.assault;
    let mut hexes: Vec<HexId> = support
        .filter_map(|unit| field.t.hex(unit))
        .chain([from])
        .collect();
    hexes.sort_unstable();
    hexes.dedup();
    // §K-6-d: for each hex that attacks uphill or over water.
    let ground: i16 = hexes
        .iter()
        .filter_map(|&hex| field.rules.edge(hex, target))
        .map(|edge| i16::from(edge.assault))
        .sum();
    let mut line = |applies: bool, attacker: bool, cite: Cite, label: &'static str, value: i16| {
        if applies {
            add(attacker, cite, label, value);
        }
    };
    line(
        ground != 0,
        true,
        rule!("K-6-d"),
        "uphill and over water",
        ground,
    );
    let (attack, defence) = (field.strength(main.or(support)), field.strength(defenders));
    let (more, less) = (attack.max(defence), attack.min(defence));
    let odds = if more >= 3 * less {
        Some(2)
    } else if more >= 2 * less {
        Some(1)
    } else if 2 * more >= 3 * less {
        Some(0)
    } else {
        None
    };
    if let Some(odds) = odds.filter(|_| attack != defence) {
        line(
            true,
            attack > defence,
            rule!("K-6-a"),
            ["3:2", "2:1", "3:1"][odds],
            shifts.odds[odds],
        );
    }
    let (ours, theirs) = (leading(field, main), leading(field, defenders));
    line(
        ours != theirs,
        ours > theirs,
        rule!("K-6-b"),
        "cohesion",
        (ours - theirs).abs(),
    );
    let guns = defenders
        .into_iter()
        .any(|unit| field.card(unit).kind == Kind::Guns);
    let escort = defenders
        .into_iter()
        .any(|unit| field.on_foot(unit) && field.sp(unit) > 0);
    line(
        guns && !escort,
        true,
        rule!("K-6-c"),
        "guns alone",
        shifts.guns,
    );
    line(
        hexes.len() >= 3,
        true,
        rule!("K-6-e"),
        "flank attack",
        shifts.flank,
    );
    let yell = main.into_iter().any(|unit| field.status(unit).yelling);
    line(yell, true, rule!("F-1"), "Rebel Yell", shifts.yell);
    line(
        field.rules.town[target.index()],
        false,
        rule!("K-6"),
        "in town",
        shifts.town,
    );
}

/// The cohesion of the strongest unit; of equals the better, as its owner would choose (§K-6-b).
fn leading(field: Field, units: Units) -> i16 {
    let best = units
        .into_iter()
        .map(|unit| (field.sp(unit), field.cr(unit)))
        .max();
    best.map_or(0, |(_, cr)| i16::from(cr))
}

/// The combat system.
pub struct Melee;

impl Combat for Melee {
    fn name(&self) -> &'static str {
        "melee"
    }

    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let field = Field::new(t);
        let count = fight.terms.get(2).map_or(1, |&count| count.max(1) as usize);
        let (main, support) = fight.attackers.split_at(count.min(fight.attackers.len()));
        let (main, support): (Units, Units) = (
            main.iter().copied().collect(),
            support.iter().copied().collect(),
        );
        let from = main.first().and_then(|unit| t.hex(unit));
        let (Some(from), Some(target)) = (from, fight.hex) else {
            return Modifiers::new();
        };
        let defenders: Units = fight.defenders.iter().copied().collect();
        let mut all = Some(Modifiers::new());
        each_shift(
            field,
            main,
            support,
            defenders,
            from,
            target,
            |attacker, cite, label, value| {
                let value = if attacker { value } else { -value };
                all = all
                    .take()
                    .map(|modifiers| modifiers.add(cite, label, value));
            },
        );
        all.unwrap_or_default()
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let crt = &rules(t).crt;
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

    fn describe(&self, t: &Table, outcome: &Outcome) -> String {
        let result =
            rules(t).matrix[usize::from(outcome.code / 6) % 6][usize::from(outcome.code % 6)];
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
