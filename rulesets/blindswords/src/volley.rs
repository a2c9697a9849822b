//! §I-3 to I-6 The combat system of fire: one column, three dice, a result for each target.

use crate::field::Field;
use crate::rules::{Arm, Kind, Rules};
use crate::sight;
use crate::tables::{Effect, Test};
use crate::units::Units;
use cupola_kernel::{
    Cite, Combat, Dice, Fault, Fight, HexId, Modifiers, Needs, Outcome, Table, Toll, rule,
};

/// What the weapons of those who fire give at a distance: each characteristic once, the worse where units
/// differ (§I-1, §I-4).
fn weapons(
    field: Field,
    firers: Units,
    distance: u8,
    add: &mut impl FnMut(Cite, &'static str, i16),
) {
    let (rules, shifts) = (field.rules, &field.rules.charts.fire);
    let (mut long, mut mixed, mut canister) = (false, false, None::<i16>);
    for unit in firers {
        let arm = field.card(unit).arm;
        long |= distance > rules.charts.ranges[arm as usize].0;
        mixed |= arm == Arm::Mixed;
        let gives = match arm {
            Arm::Musket => continue,
            Arm::Smooth => shifts.canister_smooth,
            Arm::Rifled | Arm::Mixed => shifts.canister,
        };
        canister = Some(canister.map_or(gives, |least| least.min(gives)));
    }
    match canister {
        Some(canister) if distance < 2 => add(rule!("I-1"), "canister", canister),
        _ => {}
    }
    if long {
        add(rule!("I-1"), "long range", shifts.long);
    }
    if mixed && distance >= 2 {
        add(rule!("I-1"), "mixed guns beyond canister", shifts.mixed);
    }
}

/// What counts in a fire, line by line (§I-4).
fn each_shift(
    field: Field,
    firers: Units,
    from: HexId,
    at: HexId,
    targets: Units,
    steady: bool,
    mut add: impl FnMut(Cite, &'static str, i16),
) {
    let (rules, shifts) = (field.rules, &field.rules.charts.fire);
    let distance = rules.distance(from, at);
    weapons(field, firers, distance, &mut add);
    let between = match distance {
        0 | 1 => sight::Between::default(),
        _ => sight::between(field.t, rules, from, at),
    };
    let horse = |mounted: bool| {
        targets.into_iter().any(|unit| {
            field.card(unit).kind == Kind::Horse && field.status(unit).mounted == mounted
        })
    };
    let dismounted = horse(false);
    let (woods, town) = (
        rules.ground.woods[at.index()],
        rules.ground.town[at.index()],
    );
    #[rustfmt::skip]
    let lines = [
        (between.cover, rule!("I-2"), "over woods or town", shifts.over_cover),
        (between.units, rule!("I-2"), "over units", shifts.over_units),
        (woods, rule!("I-2-d"), "target in woods", shifts.woods),
        (town, rule!("I-2-d"), "target in town", shifts.town),
        (dismounted, rule!("I-4"), "at dismounted cavalry", shifts.dismounted),
        (!dismounted && horse(true), rule!("I-4"), "at mounted cavalry", shifts.mounted),
        (steady, rule!("H-2"), "under a Defend order", shifts.defend),
    ];
    for (applies, cite, label, value) in lines {
        if applies {
            add(cite, label, value);
        }
    }
}

/// The column on which a fire is rolled, if lines of variants shift it by so many.
fn column(
    field: Field,
    firers: Units,
    from: HexId,
    at: HexId,
    targets: Units,
    (steady, ridden): (bool, i16),
) -> i16 {
    let mut sum = ridden;
    each_shift(field, firers, from, at, targets, steady, |_, _, value| {
        sum += value
    });
    let crt = &field.rules.charts.crt;
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
    let mut terms = vec![0, i16::from(steady)];
    terms.extend(targets.map(|unit| i16::from(field.cr(unit))));
    let mut fight = Fight {
        attackers: firers.collect(),
        defenders: targets.collect(),
        hex: Some(at),
        terms,
    };
    let ridden = lines(field.t, OWN, &fight, Modifiers::new()).sum();
    fight.terms[0] = column(field, firers, from, at, targets, (steady, ridden));
    fight
}

/// What lines of variants add under a combat system. They are read before the columns are known, which come first in the
/// terms, and not otherwise afterwards.
pub(crate) fn lines(
    t: &Table,
    (system, columns): (&str, usize),
    fight: &Fight,
    so_far: Modifiers,
) -> Modifiers {
    if !t.is_ridden(system) {
        return so_far;
    }
    let mut fight = fight.clone();
    fight
        .terms
        .iter_mut()
        .take(columns)
        .for_each(|column| *column = 0);
    t.ride(system, &fight, so_far)
}

/// The system, and how many columns its fights have.
const OWN: (&str, usize) = ("volley", 1);

/// The combat system of fire: three dice, one result for each target.
pub struct Volley;

impl Combat for Volley {
    fn name(&self) -> &'static str {
        OWN.0
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().role("fire")
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
        lines(t, OWN, fight, all.unwrap_or_default())
    }

    fn takes_riders(&self) -> bool {
        true
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
        let test = rules.charts.crt.read(column, black, white);
        let base = i16::from(red) + i16::from(rules.charts.crt.modifier(black, white));
        let result = |cr: &i16| cohesion(rules, test, base + cr).code();
        Ok(Outcome {
            code: 0,
            details: fight.terms.iter().skip(2).map(result).collect(),
        })
    }

    fn reckon(&self, _: &Table, fight: &Fight) -> Option<Vec<i16>> {
        // The column, and the cohesion of every target.
        let (&column, rest) = fight.terms.split_first()?;
        let targets = rest.iter().skip(1);
        (!fight.attackers.is_empty())
            .then(|| [column].into_iter().chain(targets.copied()).collect())
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
    rules.charts.cohesion[(score.clamp(1, 12) - 1) as usize][test as usize]
}
