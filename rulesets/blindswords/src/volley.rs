//! §I-3 to I-6 The combat system of fire: one column, three dice, a result for each target.

use crate::field::Field;
use crate::rules::{Arm, Kind, Rules};
use crate::sight;
use crate::tables::{Effect, Test};
use crate::units::Units;
use cupola_kernel::{
    Cite, Combat, Dice, Fault, Fight, HexId, Modifiers, Outcome, Table, Toll, rule,
};

/// What counts in a fire, line by line (§I-4): each characteristic once, the worse where units differ.
fn each_shift(
    field: Field,
    firers: Units,
    from: HexId,
    at: HexId,
    targets: Units,
    steady: bool,
    mut add: impl FnMut(Cite, &'static str, i16),
) {
    let (rules, shifts) = (field.rules, &field.rules.fire);
    let distance = rules.distance(from, at);
    let mut line = |applies: bool, cite: Cite, label: &'static str, value: i16| {
        if applies {
            add(cite, label, value);
        }
    };
    let mut canister = None::<i16>;
    let (mut long, mut mixed) = (false, false);
    for unit in firers {
        let arm = field.card(unit).arm;
        long |= distance > rules.ranges[arm as usize].0;
        mixed |= arm == Arm::Mixed && distance >= 2;
        let gives = match arm {
            Arm::Musket => None,
            Arm::Smooth => Some(shifts.canister_smooth),
            Arm::Rifled | Arm::Mixed => Some(shifts.canister),
        };
        canister = match (canister, gives) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    if distance >= 2 {
        let between = sight::between(field.t, rules, from, at);
        line(long, rule!("I-1"), "long range", shifts.long);
        line(
            mixed,
            rule!("I-1"),
            "mixed guns beyond canister",
            shifts.mixed,
        );
        line(
            between.cover,
            rule!("I-2"),
            "over woods or town",
            shifts.over_cover,
        );
        line(between.units, rule!("I-2"), "over units", shifts.over_units);
    } else if let Some(canister) = canister {
        line(true, rule!("I-1"), "canister", canister);
    }
    line(
        rules.woods[at.index()],
        rule!("I-2-d"),
        "target in woods",
        shifts.woods,
    );
    line(
        rules.town[at.index()],
        rule!("I-2-d"),
        "target in town",
        shifts.town,
    );
    let horse = |mounted: bool| {
        targets.into_iter().any(|unit| {
            field.card(unit).kind == Kind::Horse && field.status(unit).mounted == mounted
        })
    };
    let dismounted = horse(false);
    line(
        dismounted,
        rule!("I-4"),
        "at dismounted cavalry",
        shifts.dismounted,
    );
    line(
        !dismounted && horse(true),
        rule!("I-4"),
        "at mounted cavalry",
        shifts.mounted,
    );
    line(steady, rule!("H-2"), "under a Defend order", shifts.defend);
}

/// The column on which a fire is rolled.
fn column(
    field: Field,
    firers: Units,
    from: HexId,
    at: HexId,
    targets: Units,
    steady: bool,
) -> i16 {
    let mut sum = 0;
    each_shift(field, firers, from, at, targets, steady, |_, _, value| {
        sum += value
    });
    let crt = &field.rules.crt;
    crt.shifted(crt.column(field.strength(firers)), sum)
}

/// A fire as a fight: terms are the column, whether the Defend shift counts, and the targets' cohesion.
#[must_use]
pub fn fight(
    field: Field,
    firers: Units,
    targets: Units,
    from: HexId,
    at: HexId,
    steady: Units,
) -> Fight {
    let steady = !firers.and(steady).is_empty();
    let mut terms = vec![
        column(field, firers, from, at, targets, steady),
        i16::from(steady),
    ];
    terms.extend(targets.map(|unit| i16::from(field.cr(unit))));
    Fight {
        attackers: firers.collect(),
        defenders: targets.collect(),
        hex: Some(at),
        terms,
    }
}

/// The combat system of fire: three dice, one result for each target.
pub struct Volley;

impl Combat for Volley {
    fn name(&self) -> &'static str {
        "volley"
    }

    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let field = Field::new(t);
        let from = fight.attackers.first().and_then(|&unit| t.hex(unit));
        let (Some(from), Some(at)) = (from, fight.hex) else {
            return Modifiers::new();
        };
        let firers: Units = fight.attackers.iter().copied().collect();
        let targets: Units = fight.defenders.iter().copied().collect();
        let steady = fight.terms.get(1) == Some(&1);
        let mut all = Some(Modifiers::new());
        each_shift(
            field,
            firers,
            from,
            at,
            targets,
            steady,
            |cite, label, value| {
                all = all
                    .take()
                    .map(|modifiers| modifiers.add(cite, label, value));
            },
        );
        all.unwrap_or_default()
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let rules = crate::field::rules(t);
        let firer = *fight
            .attackers
            .first()
            .ok_or_else(|| Fault::Broken("nobody fires".into()))?;
        let (black, white) = (dice.d6("fire, black", firer), dice.d6("fire, white", firer));
        let red = dice.d6("fire, red", firer);
        let column = fight.terms.first().copied().unwrap_or(0);
        let test = rules.crt.read(column, black, white);
        let base = i16::from(red) + i16::from(rules.crt.modifier(black, white));
        let result = |cr: &i16| cohesion(rules, test, base + cr).code();
        Ok(Outcome {
            code: 0,
            details: fight.terms.iter().skip(2).map(result).collect(),
        })
    }

    fn describe(&self, _: &Table, outcome: &Outcome) -> String {
        let all: Vec<String> = outcome
            .details
            .iter()
            .map(|&code| Effect::from_code(code).to_string())
            .collect();
        all.join("; ")
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        crate::common_terms::fire_toll(t, fight, outcome)
    }
}

/// The result of a Cohesion Test (§I-6).
#[must_use]
pub fn cohesion(rules: &Rules, test: Test, score: i16) -> Effect {
    rules.cohesion[(score.clamp(1, 12) - 1) as usize][test as usize]
}
