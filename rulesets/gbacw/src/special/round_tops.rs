//! *We Have Not Done Enough*: W2, W4 cavalry that stays as it is; points for who has crossed the road.

use super::Special;
use crate::field::Field;
use crate::load::Names;
use crate::rules::Kind;
use cupola_kernel::{BySide, Check, Cite, Refusal, Side, Table, UnitId};
use serde::Deserialize;

/// W2, W4 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AsTheyAreFile {
    /// Brigades whose cavalry neither mounts nor dismounts.
    pub brigades: Vec<String>,
    /// The section.
    pub rule: String,
}

/// W2, W4: cavalry that neither mounts nor dismounts.
pub struct AsTheyAre {
    brigades: Vec<u16>,
    rule: String,
}

impl AsTheyAreFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> AsTheyAre {
        AsTheyAre {
            brigades: names.brigades(&format!("{field}.brigades"), &self.brigades),
            rule: self.rule.clone(),
        }
    }
}

impl Special for AsTheyAre {
    fn may_mount(&self, t: &Table, unit: UnitId) -> Check {
        if self.brigades.contains(&Field::new(t).card(unit).brigade) {
            let cite = Cite(self.rule.clone().into());
            return Err(Refusal::new(cite, "neither mounts nor dismounts"));
        }
        Ok(())
    }
}

/// The points for the road in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossedFile {
    /// The road.
    pub road: String,
    /// Rows in which units of the first side west of it count.
    pub counts: Vec<(String, String)>,
    /// The brigades whose infantry does.
    pub brigades: Vec<String>,
    /// What each gives.
    pub each: i32,
    /// What the second side has if no infantry of the first is west of the road.
    pub none: i32,
}

/// Points for infantry that stands beyond the road at the end.
pub struct Crossed {
    west: Vec<bool>,
    counts: Vec<bool>,
    brigades: Vec<u16>,
    each: i32,
    none: i32,
}

impl CrossedFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Crossed {
        Crossed {
            west: names.west_of(&format!("{field}.road"), &self.road),
            counts: names.area(&format!("{field}.counts"), &self.counts),
            brigades: names.brigades(&format!("{field}.brigades"), &self.brigades),
            each: self.each,
            none: self.none,
        }
    }
}

impl Special for Crossed {
    fn points(&self, t: &Table) -> BySide<i32> {
        let field = Field::new(t);
        let foot = field
            .on_map(Side::First)
            .filter(|(unit, hex)| field.card(*unit).kind == Kind::Foot && self.west[hex.index()]);
        let (mut any, mut counted) = (false, 0);
        for (unit, hex) in foot {
            any = true;
            let ours = self.brigades.contains(&field.card(unit).brigade);
            counted += i32::from(ours && self.counts[hex.index()]);
        }
        BySide {
            first: counted * self.each,
            second: if any { 0 } else { self.none },
        }
    }
}
