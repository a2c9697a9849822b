//! The counters: what each is, from its own values, its kind and its men.

use super::{COUNTERS, RULES, edges};
use crate::files::{RulesFile, StrengthFile, Values};
use crate::rules::Card;
use cupola_army::{Arm, Counter, Counters};
use cupola_data::Sourced;
use cupola_kernel::UnitInfo;
use cupola_kit::{Loader, unit_info};
use serde::de::IgnoredAny;
use std::ops::RangeInclusive;

/// The counters of a battle.
pub struct Roster {
    /// As people know them.
    pub units: Vec<UnitInfo>,
    /// What they are.
    pub cards: Vec<Card>,
}

/// Reads the counters.
pub fn read(
    loader: &mut Loader,
    file: &RulesFile,
    counters: &Counters<Values, IgnoredAny>,
    kinds: &[&str],
) -> Roster {
    edges::check_kinds(loader, &file.movement, kinds);
    check_numbers(loader, file);
    let (mut units, mut cards) = (vec![], vec![]);
    for (i, counter) in counters.counters.iter().enumerate() {
        let at = |field: &str| format!("counters[{i}].{field}");
        let side = loader.side(COUNTERS, &at("side"), &counter.side);
        let info = unit_info(counter, side, loader.input.army);
        let named = counter.kind.to_string();
        let kind = loader.named(
            COUNTERS,
            &at("kind"),
            ("kind of unit in rules.ron", &named),
            kinds.iter().copied(),
        );
        if let Some(kind_file) = kinds.get(kind).and_then(|name| file.kinds.get(*name)) {
            let values = &counter.values;
            let or = |own: &Option<Sourced<u8>>, kind: u8| own.as_ref().map_or(kind, |own| own.0);
            let card = Card {
                side,
                kind: kind as u8,
                strength: strength(file, counter, &info),
                movement: or(&values.movement, kind_file.movement.0),
                steps: or(&values.steps, kind_file.steps.0).max(1),
                quality: or(&values.quality, kind_file.quality.0),
                range: or(
                    &values.range,
                    kind_file.range.as_ref().map_or(0, |range| range.0),
                ),
                assaults: kind_file.assaults,
                advances: kind_file.advances,
                zone: kind_file.zone,
            };
            check_values(loader, values, &at("values"));
            cards.push(card);
        }
        units.push(info);
    }
    Roster { units, cards }
}

/// What a movement allowance may be.
const POINTS: RangeInclusive<u8> = 1..=60;

/// What units are by their kind, and how many men make a point.
fn check_numbers(loader: &mut Loader, file: &RulesFile) {
    for (kind, own) in &file.kinds {
        if !POINTS.contains(&own.movement.0) {
            let field = format!("kinds.{kind}.movement");
            loader.wrong(RULES, &field, "expected 1 to 60 points");
        }
        if own.steps.0 == 0 {
            let field = format!("kinds.{kind}.steps");
            loader.wrong(RULES, &field, "expected 1 or more");
        }
    }
    let StrengthFile { men, guns } = &file.strength;
    for (field, count) in [("strength.men", men.0), ("strength.guns", guns.0)] {
        if count == 0 {
            loader.wrong(RULES, field, "expected 1 or more for a point");
        }
    }
}

/// What a counter says of itself.
fn check_values(loader: &mut Loader, values: &Values, at: &str) {
    let zero = |value: &Option<Sourced<u8>>| value.as_ref().is_some_and(|value| value.0 == 0);
    for (name, value) in [("strength", &values.strength), ("steps", &values.steps)] {
        if zero(value) {
            loader.wrong(COUNTERS, &format!("{at}.{name}"), "expected 1 or more");
        }
    }
    let movement = values.movement.as_ref().map(|own| own.0);
    if movement.is_some_and(|points| !POINTS.contains(&points)) {
        let field = format!("{at}.movement");
        loader.wrong(COUNTERS, &field, "expected 1 to 60 points");
    }
}

/// Strength: as its counter says, or by its men or guns, rounded, at least 1.
fn strength(file: &RulesFile, counter: &Counter<Values>, info: &UnitInfo) -> u8 {
    if let Some(strength) = &counter.values.strength {
        return strength.0.max(1);
    }
    let guns = matches!(counter.kind, Arm::Artillery | Arm::HorseArtillery);
    let (count, point) = if guns {
        (info.guns, file.strength.guns.0)
    } else {
        (info.men, file.strength.men.0)
    };
    let point = point.max(1);
    ((count + point / 2) / point).clamp(1, 99) as u8
}
