//! *Pickett's Charge*: guns whose markers are withheld, P3 no long range, P4 guns that stay, P6 steady Union men, P12
//! the bombardment.

use super::{Special, note, remember};
use crate::acts::Do;
use crate::command::corps_of;
use crate::engine::{Answer, Question, not_asked, pop, push, swap};
use crate::field::{Field, did, name, rules, status_mut};
use crate::load::Names;
use crate::retreat;
use crate::rules::Kind;
use crate::state::{Deed, Frame};
use cupola_kernel::{Check, Event, HexId, Options, Side, Table, UnitId, forbid, rule};
use serde::Deserialize;

/// Markers that are withheld, in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithheldFile {
    /// The formation.
    pub formation: String,
    /// The turn.
    pub turn: String,
}

/// Markers that are not in the cup: their owner plays them after an activation of the enemy.
pub struct Withheld {
    formation: u16,
    turn: u16,
}

impl WithheldFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Withheld {
        Withheld {
            formation: names.formation(&format!("{field}.formation"), &self.formation),
            turn: names.turn(&format!("{field}.turn"), &self.turn),
        }
    }
}

impl Special for Withheld {
    fn withholds(&self, t: &Table, formation: u16) -> bool {
        formation == self.formation && t.turn() == self.turn
    }
}

/// P3 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShortOfShellFile {
    /// The brigades.
    pub brigades: Vec<String>,
    /// From this range on they cannot fire.
    pub from: u32,
}

/// P3: guns that have nothing left for long range.
pub struct ShortOfShell {
    brigades: Vec<u16>,
    from: u32,
}

impl ShortOfShellFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> ShortOfShell {
        ShortOfShell {
            brigades: names.brigades(&format!("{field}.brigades"), &self.brigades),
            from: self.from,
        }
    }
}

impl Special for ShortOfShell {
    fn may_fire_at(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        let ours = self.brigades.contains(&Field::new(t).card(unit).brigade);
        let far = t
            .hex(unit)
            .is_some_and(|from| t.board().distance(from, hex) >= self.from);
        forbid(ours && far, rule!("P3"), "is too far: no shell is left")
    }
}

/// P4 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlantedFile {
    /// Brigades of guns.
    pub brigades: Vec<String>,
    /// Batteries of them that may move.
    pub but: Vec<String>,
}

/// P4: guns that move only to withdraw.
pub struct Planted {
    brigades: Vec<u16>,
    but: Vec<UnitId>,
}

impl PlantedFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Planted {
        Planted {
            brigades: names.brigades(&format!("{field}.brigades"), &self.brigades),
            but: names.units(&format!("{field}.but"), &self.but),
        }
    }
}

impl Special for Planted {
    fn may_go(&self, t: &Table, unit: UnitId) -> Check {
        let card = Field::new(t).card(unit);
        let fixed =
            card.is_guns() && self.brigades.contains(&card.brigade) && !self.but.contains(&unit);
        forbid(
            fixed,
            rule!("P4"),
            "is not for guns that stay where they are",
        )
    }
}

/// P6 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SteadyFile {
    /// Whose units.
    pub side: String,
    /// The least cohesion of a disordered one.
    pub least: u8,
}

/// P6: disordered units of a side have at least so much cohesion.
pub struct Steady {
    side: Side,
    least: u8,
}

impl SteadyFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Steady {
        Steady {
            side: names.side(&format!("{field}.side"), &self.side),
            least: self.least,
        }
    }
}

impl Special for Steady {
    fn cohesion(&self, t: &Table, unit: UnitId, printed: u8) -> u8 {
        let field = Field::new(t);
        let helped = field.card(unit).side == self.side && field.status(unit).disordered;
        if helped {
            printed.max(self.least)
        } else {
            printed
        }
    }
}

/// P12 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BombardmentFile {
    /// Whose line is shelled.
    pub side: String,
    /// Guns lost: up to this die, so many.
    pub guns: Vec<(u8, u8)>,
    /// No more of them from these brigades than so many.
    pub guns_of: (Vec<String>, u8),
    /// Regiments driven off: up to this die, so many.
    pub foot: Vec<(u8, u8)>,
    /// No more of them from a corps than so many.
    pub foot_of_corps: usize,
    /// Brigades and batteries that are spared.
    pub spared: (Vec<String>, Vec<String>),
}

/// P12: the bombardment before the first turn. Its note counts what is still to be chosen.
pub struct Bombardment {
    number: usize,
    side: Side,
    guns: Vec<(u8, u8)>,
    guns_of: (Vec<u16>, u8),
    foot: Vec<(u8, u8)>,
    foot_of_corps: usize,
    spared: (Vec<u16>, Vec<UnitId>),
}

/// Stages: a die for the guns, guns are chosen, a die for the infantry, regiments are chosen.
const GUNS_DIE: u8 = 0;
const GUNS: u8 = 1;
const FOOT_DIE: u8 = 2;
const FOOT: u8 = 3;

impl BombardmentFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Bombardment {
        let spared = format!("{field}.spared");
        Bombardment {
            number,
            side: names.side(&format!("{field}.side"), &self.side),
            guns: self.guns.clone(),
            guns_of: (
                names.brigades(&format!("{field}.guns_of"), &self.guns_of.0),
                self.guns_of.1,
            ),
            foot: self.foot.clone(),
            foot_of_corps: self.foot_of_corps,
            spared: (
                names.brigades(&spared, &self.spared.0),
                names.units(&spared, &self.spared.1),
            ),
        }
    }
}

/// The corps of a unit, by the army list.
fn corps(t: &Table, unit: UnitId) -> Option<&str> {
    t.info(unit).nodes.first().and_then(|node| corps_of(node))
}

impl Bombardment {
    /// Guns that a battery has lost in it.
    fn lost(&self, t: &Table, unit: UnitId) -> u8 {
        let before = rules(t).starts[usize::from(unit.0)].lost;
        Field::new(t).status(unit).lost.saturating_sub(before)
    }

    fn is_spared(&self, t: &Table, unit: UnitId) -> bool {
        let brigade = rules(t).card(unit).brigade;
        self.spared.0.contains(&brigade) || self.spared.1.contains(&unit)
    }

    /// Batteries that can lose a gun: none its last one, and not too many of one corps.
    fn batteries<'a>(&'a self, t: &'a Table) -> impl Iterator<Item = UnitId> + 'a {
        let field = Field::new(t);
        let limited = |unit: UnitId| self.guns_of.0.contains(&field.card(unit).brigade);
        let all = field.on_map(self.side).map(|(unit, _)| unit);
        let sum: u8 = all
            .filter(|&unit| field.card(unit).is_guns() && limited(unit))
            .map(|unit| self.lost(t, unit))
            .sum();
        let full = sum >= self.guns_of.1;
        let batteries = field.on_map(self.side).map(|(unit, _)| unit);
        batteries
            .filter(move |&unit| field.card(unit).is_guns() && field.sp(unit) > 1)
            .filter(move |&unit| !self.is_spared(t, unit))
            .filter(move |&unit| !(full && self.guns_of.0.contains(&field.card(unit).brigade)))
    }

    /// Regiments that can be driven off: one a hex, not too many of one corps.
    fn regiments<'a>(&'a self, t: &'a Table) -> impl Iterator<Item = UnitId> + 'a {
        let field = Field::new(t);
        let foot = field.on_map(self.side).map(|(unit, _)| unit);
        let struck = move || {
            let all = (0..field.rules.troops).map(UnitId);
            all.filter(move |&unit| field.deed(unit).any(Deed::TESTED))
        };
        let begins = move |unit: UnitId| field.rules.starts[usize::from(unit.0)].at;
        foot.filter(move |&unit| field.card(unit).kind == Kind::Foot)
            .filter(move |&unit| !self.is_spared(t, unit) && !field.deed(unit).any(Deed::TESTED))
            .filter(move |&unit| struck().all(|other| begins(other) != begins(unit)))
            .filter(move |&unit| {
                let same = struck().filter(|&other| corps(t, other) == corps(t, unit));
                same.count() < self.foot_of_corps
            })
    }

    /// Rolls on one of the tables.
    fn shell(&self, t: &mut Table, guns: bool) {
        let (purpose, lines) = if guns {
            ("bombardment of guns", &self.guns)
        } else {
            ("bombardment of infantry", &self.foot)
        };
        let die = (t.roll(10, purpose, self.side) - 1) as u8;
        let found = lines.iter().find(|(until, _)| die <= *until);
        let count = found.map_or(0, |(_, count)| *count);
        remember(t, self.number, u64::from(count));
        t.say(|_| {
            let what = if guns {
                "guns are lost"
            } else {
                "regiments are driven off"
            };
            let text = format!("the bombardment: {count} {what}");
            Event::new("bombardment", rule!("P12"), text).number(die)
        });
    }

    fn one_less(&self, t: &mut Table) {
        let left = note(t, self.number).saturating_sub(1);
        remember(t, self.number, left);
    }
}

impl Special for Bombardment {
    fn opens(&self, t: &mut Table) {
        push(t, Frame::Rule(self.number as u8, GUNS_DIE));
    }

    fn ask(&self, t: &Table, stage: u8) -> Question {
        if note(t, self.number) == 0 {
            return None;
        }
        let any = match stage {
            GUNS => self.batteries(t).next().is_some(),
            FOOT => self.regiments(t).next().is_some(),
            _ => false,
        };
        any.then_some((self.side.other(), "bombard", "P12"))
    }

    fn go(&self, t: &mut Table, stage: u8) {
        match stage {
            GUNS_DIE | FOOT_DIE => {
                self.shell(t, stage == GUNS_DIE);
                swap(t, Frame::Rule(self.number as u8, stage + 1));
            }
            GUNS => swap(t, Frame::Rule(self.number as u8, FOOT_DIE)),
            _ => {
                remember(t, self.number, 0);
                pop(t);
            }
        }
    }

    fn options(&self, t: &Table, stage: u8, out: &mut Options) {
        match stage {
            GUNS => self.batteries(t).for_each(|unit| out.push(Do::Unit(unit))),
            _ => self.regiments(t).for_each(|unit| out.push(Do::Unit(unit))),
        }
    }

    fn take(&self, t: &mut Table, stage: u8, answer: Do) -> Answer {
        let Do::Unit(unit) = answer else {
            return Err(not_asked());
        };
        self.one_less(t);
        status_mut(t, unit).disordered |= stage == FOOT;
        if stage == GUNS {
            status_mut(t, unit).lost += 1;
        } else {
            did(t, unit, Deed::TESTED);
            retreat::begin(t, unit, None);
        }
        t.say(|t| {
            let how = if stage == GUNS {
                "loses a gun"
            } else {
                "is driven off"
            };
            let text = format!("{} {how}", name(t, unit));
            Event::new("bombardment", rule!("P12"), text).unit(unit)
        });
        Ok(())
    }

    fn prompt(&self, t: &Table, stage: u8) -> String {
        let left = note(t, self.number);
        if stage == GUNS {
            format!("The bombardment: which battery loses a gun ({left} left)?")
        } else {
            format!("The bombardment: which regiment is driven off ({left} left)?")
        }
    }
}
