//! The numbers of the parts that are played.

use super::RULES;
use super::scenario::{self, spot};
use crate::files::{
    AssaultFile, FateFile, FireFile, InitiativeFile, RallyFile, ResultFile, RulesFile,
    ScenarioFile, ShakenFile, SupplyFile, VictoryFile, ZonesFile,
};
use crate::rules::{
    Assault, Column, Effect, Fate, Fire, Initiative, Shaken, Supply, Victory, Zones, bit,
};
use cupola_kernel::{BySide, Side};
use cupola_kit::{Loader, SCENARIO};
use std::collections::BTreeMap;

/// Every part that is played has its numbers.
pub fn played(loader: &mut Loader, file: &RulesFile) {
    let composition = loader.input.composition;
    let has = |part: &str| match part {
        "reinforcements" => file.reinforcements.is_some(),
        "fire" | "volley" => file.fire.is_some(),
        "assault" => file.assault.is_some(),
        "odds" => file
            .assault
            .as_ref()
            .is_some_and(|assault| !assault.odds.is_empty()),
        "differential" => file
            .assault
            .as_ref()
            .is_some_and(|assault| !assault.differential.is_empty()),
        "rally" => file.rally.is_some(),
        "supply" => file.supply.is_some(),
        "initiative" => file.initiative.is_some(),
        _ => true,
    };
    let parts = composition.phases().map(|name| ("phase", name));
    let systems = composition
        .combat
        .values()
        .map(|name| ("combat system", name.as_str()));
    for (what, name) in parts.chain(systems) {
        let own = name.strip_prefix("common.").unwrap_or(name);
        if !has(own) {
            let field = match own {
                "volley" => "fire",
                "odds" | "differential" => "assault",
                other => other,
            };
            let inside = if own == field || own == "volley" {
                String::new()
            } else {
                format!(" with a table `{own}`")
            };
            loader.wrong(
                RULES,
                "",
                format!(
                    "the {what} “{name}” is played and needs `{field}: Some((…))` here{inside}"
                ),
            );
        }
    }
}

fn fate(file: &FateFile) -> Fate {
    Fate {
        eliminated: file.eliminated,
        steps: file.steps,
        shaken: file.shaken,
        retreat: file.retreat,
    }
}

/// A die has faces, and few enough to be enumerated.
fn check_die(loader: &mut Loader, field: &str, die: u8, least: u8) {
    if !(least..=20).contains(&die) {
        loader.wrong(
            RULES,
            field,
            format!("a die of {die} faces, expected {least} to 20"),
        );
    }
}

/// The numbers of fire.
pub fn fire(loader: &mut Loader, file: Option<&FireFile>) -> Option<Fire> {
    let file = file?;
    check_die(loader, "fire.die", file.die.0, 2);
    if !(1..=5).contains(&file.most_dice.0) {
        loader.wrong(
            RULES,
            "fire.most_dice",
            format!("{} dice, expected 1 to 5", file.most_dice.0),
        );
    }
    let per_die = at_least_one(loader, "fire.strength_per_die", file.strength_per_die.0);
    if file.hits_on.is_empty() {
        loader.wrong(RULES, "fire.hits_on", "expected a number for every range");
    }
    for (i, (effect, _)) in file.effects.iter().enumerate() {
        if effect.retreat > 0 {
            loader.wrong(
                RULES,
                &format!("fire.effects[{i}]"),
                "nobody goes back under fire: only an assault makes units retreat",
            );
        }
    }
    Some(Fire {
        per_die,
        most: file.most_dice.0,
        die: file.die.0,
        hits_on: file.hits_on.iter().map(|on| on.0).collect(),
        ground: file
            .ground
            .iter()
            .map(|(&cover, added)| (cover, added.0))
            .collect(),
        blocks_sight: file.blocks_sight.0.clone(),
        effects: file
            .effects
            .iter()
            .map(|(effect, _)| fate(effect))
            .collect(),
    })
}

/// The numbers of assault.
pub fn assault(loader: &mut Loader, file: Option<&AssaultFile>) -> Option<Assault> {
    let file = file?;
    let effect = |(code, result): (&String, &ResultFile)| Effect {
        code: code.clone(),
        text: result.text.clone(),
        attacker: fate(&result.attacker),
        defender: fate(&result.defender),
    };
    let odds = file.odds.iter().enumerate().map(|(i, column)| Column {
        head: column.odds,
        rolls: rolls(
            loader,
            &format!("assault.odds[{i}].rolls"),
            &column.rolls,
            &file.results,
        ),
    });
    let odds: Vec<_> = odds.collect();
    check_odds(loader, &odds);
    let differential = file
        .differential
        .iter()
        .enumerate()
        .map(|(i, column)| Column {
            head: column.at,
            rolls: rolls(
                loader,
                &format!("assault.differential[{i}].rolls"),
                &column.rolls,
                &file.results,
            ),
        });
    let differential: Vec<_> = differential.collect();
    check_differential(loader, &differential);
    Some(Assault {
        odds,
        differential,
        ground: file
            .ground
            .iter()
            .map(|(&cover, shift)| (cover, shift.0))
            .collect(),
        hexsides: file
            .hexsides
            .iter()
            .map(|(&side, shift)| (side, shift.0))
            .collect(),
        shaken_defender: file.shaken_defender.0,
        results: file.results.iter().map(effect).collect(),
        retreat_zones: file.retreat_zones.0,
        trapped: file.trapped.0,
    })
}

fn check_odds(loader: &mut Loader, columns: &[Column<(u8, u8)>]) {
    for (i, pair) in columns.windows(2).enumerate() {
        let ((a, d), (x, y)) = (pair[0].head, pair[1].head);
        if u16::from(a) * u16::from(y) >= u16::from(x) * u16::from(d) {
            let field = format!("assault.odds[{}].odds", i + 1);
            let message = "the columns go from the worst odds to the best";
            loader.wrong(RULES, &field, message);
        }
    }
    for (i, column) in columns.iter().enumerate() {
        if column.head.0 == 0 || column.head.1 == 0 {
            let field = format!("assault.odds[{i}].odds");
            let message = "expected numbers from 1, such as (3, 2)";
            loader.wrong(RULES, &field, message);
        }
    }
}

fn check_differential(loader: &mut Loader, columns: &[Column<i8>]) {
    for (i, pair) in columns.windows(2).enumerate() {
        let (wanted, found) = (i16::from(pair[0].head) + 1, pair[1].head);
        if i16::from(found) != wanted {
            let field = format!("assault.differential[{}].at", i + 1);
            let message = format!("expected the column {wanted:+}, found {found:+}");
            loader.wrong(RULES, &field, message);
        }
    }
}

/// A column's results by number, one for each face of a die.
fn rolls(
    loader: &mut Loader,
    field: &str,
    codes: &[String],
    results: &BTreeMap<String, ResultFile>,
) -> Vec<u16> {
    check_die(loader, field, codes.len() as u8, 2);
    let known = || results.keys().map(String::as_str);
    let codes = codes.iter().enumerate();
    codes
        .map(|(i, code)| {
            loader.named(RULES, &format!("{field}[{i}]"), ("result", code), known()) as u16
        })
        .collect()
}

/// The numbers of supply, and where it comes from.
pub fn supply(
    loader: &mut Loader,
    file: Option<&SupplyFile>,
    scenario: &ScenarioFile,
) -> Option<Supply> {
    let mut sources = BySide::<Vec<_>>::default();
    for (id, places) in &scenario.supply {
        let side = loader.side(SCENARIO, &format!("supply.{id}"), id);
        for (i, place) in places.iter().enumerate() {
            let hex = spot(loader, &format!("supply.{id}[{i}]"), place);
            sources[side].push(hex);
        }
    }
    let file = file?;
    let played = loader
        .input
        .composition
        .phases()
        .any(|name| name.ends_with("supply"));
    for side in Side::BOTH
        .into_iter()
        .filter(|&side| played && sources[side].is_empty())
    {
        let id = &loader.input.sides[side as usize].id;
        loader.wrong(
            SCENARIO,
            "supply",
            format!("supply is played, and \"{id}\" has no source"),
        );
    }
    Some(Supply {
        length: file.length.0.into(),
        half_strength: file.half_strength.0,
        half_movement: file.half_movement.0,
        sources,
    })
}

/// The numbers of initiative.
pub fn initiative(loader: &mut Loader, file: Option<&InitiativeFile>) -> Option<Initiative> {
    let file = file?;
    check_die(loader, "initiative.die", file.die.0, 2);
    let mut bonus = BySide::default();
    for (id, added) in &file.bonus {
        let side = loader.side(RULES, &format!("initiative.bonus.{id}"), id);
        bonus[side] = added.0;
    }
    Some(Initiative {
        die: file.die.0,
        bonus,
        chooses: file.chooses.0,
    })
}

/// Zones of control.
pub fn zones(file: &ZonesFile) -> Zones {
    let not_across = file.not_across.iter();
    Zones {
        enter: file.enter.0,
        leave: file.leave.0,
        hop: file.hop.0,
        not_across: not_across.fold(0, |all, &side| all | bit(side)),
    }
}

/// What being shaken does.
pub fn shaken(file: &ShakenFile) -> Shaken {
    Shaken {
        half_strength: file.half_strength.0,
        half_movement: file.half_movement.0,
        zone: file.zone.0,
        again: file.again.0,
    }
}

/// The die of a rally, and whether it is rolled next to the enemy.
pub fn rally(loader: &mut Loader, file: Option<&RallyFile>) -> Option<(u8, bool)> {
    let file = file?;
    check_die(loader, "rally.die", file.die.0, 2);
    Some((file.die.0, file.next_to_the_enemy.0))
}

/// A number of which there is at least one.
pub fn at_least_one(loader: &mut Loader, field: &str, number: u8) -> u8 {
    if number == 0 {
        loader.wrong(RULES, field, "expected 1 or more");
    }
    number.max(1)
}

/// What share of its men a unit has lost once it is eliminated.
pub fn share(loader: &mut Loader, thousandths: u16) -> u16 {
    if thousandths > 1000 {
        let message = format!("{thousandths} thousandths, expected 0 to 1000");
        loader.wrong(RULES, "lost_when_eliminated", message);
    }
    thousandths.min(1000)
}

/// What wins.
pub fn victory(loader: &mut Loader, file: &VictoryFile, scenario: &ScenarioFile) -> Victory {
    Victory {
        step: file.step.0,
        unit: file.unit.0,
        levels: levels(loader, file),
        early: file.early.as_ref().map(|early| early.0),
        places: scenario::places(loader, scenario),
    }
}

/// What being ahead is called, from the greatest down.
fn levels(loader: &mut Loader, file: &VictoryFile) -> Vec<(u8, String)> {
    for (i, pair) in file.levels.windows(2).enumerate() {
        if pair[1].0 >= pair[0].0 {
            loader.wrong(
                RULES,
                &format!("victory.levels[{}]", i + 1),
                "the levels go from the greatest down",
            );
        }
    }
    if file.levels.last().is_some_and(|level| level.0 == 0) {
        loader.wrong(
            RULES,
            "victory.levels",
            "nobody wins by being 0 points ahead",
        );
    }
    file.levels
        .iter()
        .map(|(at, name, _)| (*at, name.clone()))
        .collect()
}
