//! Questions about the field that many rules ask: who stands where, how strong, in whose zone.

use crate::rules::{Fate, Rules};
use crate::sections::Section;
use crate::state::{Condition, boxes};
use cupola_kernel::{Check, Event, HexId, Place, Refusal, Side, Stacks, Table, UnitId};
use std::borrow::Cow;

/// The game's rules.
#[must_use]
#[inline]
pub fn rules(t: &Table) -> &Rules {
    t.rules()
}

/// Refuses unless `holds`, by a section of the game's own rulebook.
///
/// # Errors
/// The refusal, when it does not hold.
#[inline]
pub fn must(t: &Table, holds: bool, rule: Section, why: &'static str) -> Check {
    if holds {
        Ok(())
    } else {
        Err(Refusal::new(rules(t).cite(rule), why))
    }
}

/// An event by a section of the game's own rulebook.
#[must_use]
pub fn event(t: &Table, kind: &'static str, rule: Section, text: String) -> Event {
    Event::new(kind, rules(t).cite(rule), text)
}

/// The name of a unit, for texts.
#[must_use]
pub fn name(t: &Table, unit: UnitId) -> &str {
    &t.info(unit).name
}

/// The label of a hex, for texts.
#[must_use]
pub fn label(t: &Table, hex: HexId) -> &str {
    t.board().label(hex)
}

/// The field looked up once: what a loop over many units or hexes reads.
pub struct Field<'t> {
    /// The rules.
    pub rules: &'t Rules,
    /// Who stands where.
    pub stacks: &'t Stacks,
    /// The condition of every unit.
    pub conditions: Cow<'t, [Condition]>,
}

impl<'t> Field<'t> {
    /// The field as it is now.
    #[must_use]
    pub fn new(t: &'t Table) -> Field<'t> {
        Field {
            rules: rules(t),
            stacks: t.stacks(),
            conditions: t.column(),
        }
    }

    /// The condition of a unit.
    #[must_use]
    #[inline]
    pub fn condition(&self, unit: UnitId) -> &Condition {
        &self.conditions[usize::from(unit.0)]
    }

    /// The units of a side on the map.
    #[inline]
    pub fn on_map(&self, side: Side) -> impl Iterator<Item = (UnitId, HexId)> + '_ {
        let cards = self.rules.cards.iter().enumerate();
        let own = cards.filter(move |(_, card)| card.side == side);
        own.filter_map(|(i, _)| {
            let unit = UnitId(i as u16);
            Some((unit, self.stacks.hex(unit)?))
        })
    }

    /// Whose units stand in a hex; nobody's if it is empty.
    #[must_use]
    #[inline]
    pub fn holder(&self, hex: HexId) -> Option<Side> {
        self.stacks
            .first(hex)
            .map(|unit| self.rules.card(unit).side)
    }

    /// Whether one more unit of a side may stand in a hex.
    #[must_use]
    pub fn has_room(&self, side: Side, hex: HexId) -> bool {
        let count = self.stacks.units(hex).count();
        self.holder(hex).is_none_or(|holder| holder == side)
            && count < usize::from(self.rules.stacking)
    }

    /// Whether a unit has a zone of control.
    #[must_use]
    #[inline]
    pub fn controls(&self, unit: UnitId) -> bool {
        let Some(_) = self.rules.zones else {
            return false;
        };
        let shaken = self.condition(unit).shaken && !self.rules.shaken.zone;
        self.rules.card(unit).zone && !shaken
    }

    /// Whether a hex lies in a zone of control of `side`'s enemy.
    #[must_use]
    pub fn in_zone(&self, side: Side, hex: HexId) -> bool {
        let near = self.rules.around.of(hex);
        let reached = near.filter(|&next| self.rules.reaches(next).any(|to| to == hex));
        let mut units = reached.flat_map(|next| self.stacks.units(next));
        units.any(|unit| self.rules.card(unit).side != side && self.controls(unit))
    }

    /// Whether an enemy of `side` stands next to a hex.
    #[must_use]
    pub fn near_enemy(&self, side: Side, hex: HexId) -> bool {
        let mut near = self.rules.around.of(hex);
        near.any(|next| self.holder(next) == Some(side.other()))
    }

    /// What a unit is worth in a fight: less for every step lost, half when shaken or cut off, never below 1.
    #[must_use]
    pub fn strength(&self, unit: UnitId) -> u8 {
        let (card, condition) = (self.rules.card(unit), self.condition(unit));
        let steps = card.steps.max(1);
        let left = u16::from(steps.saturating_sub(condition.lost));
        let full = (u16::from(card.strength) * left).div_ceil(steps.into());
        let cut = condition.cut && self.rules.supply.as_ref().is_some_and(|s| s.half_strength);
        let halves =
            u16::from(condition.shaken && self.rules.shaken.half_strength) + u16::from(cut);
        full.div_ceil(1 << halves).max(1) as u8
    }

    /// A unit's movement allowance, in parts of a point: half when shaken or cut off, never nothing.
    #[must_use]
    pub fn allowance(&self, unit: UnitId) -> u16 {
        let (card, condition) = (self.rules.card(unit), self.condition(unit));
        let cut = condition.cut && self.rules.supply.as_ref().is_some_and(|s| s.half_movement);
        let halves =
            u16::from(condition.shaken && self.rules.shaken.half_movement) + u16::from(cut);
        let points = u16::from(card.movement).div_ceil(1 << halves).max(1);
        points * u16::from(self.rules.parts)
    }

    /// The sum of the strengths of some units.
    #[must_use]
    pub fn sum(&self, units: &[UnitId]) -> u16 {
        units
            .iter()
            .map(|&unit| u16::from(self.strength(unit)))
            .sum()
    }
}

/// The units of a side that have done something in this phase are fresh for the next.
pub fn refresh(t: &mut Table) {
    for unit in t.units() {
        if t.get::<Condition>(unit).spent {
            t.get_mut::<Condition>(unit).spent = false;
        }
    }
}

/// A unit loses a step, and with its last one leaves the map.
pub fn lose_step(t: &mut Table, unit: UnitId) {
    let steps = rules(t).card(unit).steps;
    let condition = t.get_mut::<Condition>(unit);
    condition.lost = (condition.lost + 1).min(steps);
    let gone = condition.lost == steps;
    if gone {
        eliminate(t, unit);
    } else {
        t.say(|t| {
            let text = format!("{} loses a step", name(t, unit));
            event(t, "loss", Section::Losses, text).unit(unit)
        });
    }
}

/// A unit leaves the map for good.
pub fn eliminate(t: &mut Table, unit: UnitId) {
    let (steps, hex) = (rules(t).card(unit).steps, t.hex(unit));
    *t.get_mut::<Condition>(unit) = Condition {
        lost: steps,
        ..Condition::default()
    };
    t.place(unit, Place::Box(boxes::LOST));
    t.say(|t| {
        let text = format!("{} is eliminated", name(t, unit));
        event(t, "eliminated", Section::Losses, text)
            .unit(unit)
            .hexes(hex)
    });
}

/// A unit is shaken; one that is already loses steps (§7.1).
pub fn shake(t: &mut Table, unit: UnitId) {
    if t.hex(unit).is_none() {
        return;
    }
    if t.get::<Condition>(unit).shaken {
        for _ in 0..rules(t).shaken.again {
            if t.hex(unit).is_some() {
                lose_step(t, unit);
            }
        }
        return;
    }
    t.get_mut::<Condition>(unit).shaken = true;
    t.say(|t| {
        let text = format!("{} is shaken", name(t, unit));
        event(t, "shaken", Section::Shaken, text).unit(unit)
    });
}

/// The men that units of these steps lose by a fate, on average, for those who plan: shares of the men that
/// the units stand for.
#[must_use]
pub fn men_lost(t: &Table, units: &[UnitId], fate: &Fate) -> u32 {
    let rules = rules(t);
    let whole = u32::from(rules.lost_when_eliminated);
    let men: u32 = units.iter().map(|&unit| t.info(unit).men).sum();
    let steps: u32 = units
        .iter()
        .map(|&unit| u32::from(rules.card(unit).steps))
        .sum();
    if fate.eliminated {
        return men * whole / 1000;
    }
    let lost = u32::from(fate.steps).min(steps);
    men * whole / 1000 * lost / steps.max(1)
}
