//! Where troops may not go, and who waits for the enemy to come: rules that several scenarios share.

use super::{Drive, Special, goes, note, remember};
use crate::field::Field;
use crate::load::Names;
use cupola_kernel::{Check, Cite, Fight, HexId, Refusal, Table, UnitId};
use serde::Deserialize;

/// A boundary in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundsFile {
    /// Brigades that keep within it.
    #[serde(default)]
    pub brigades: Vec<String>,
    /// Units that do.
    #[serde(default)]
    pub units: Vec<String>,
    /// What is inside, as rectangles of two corners.
    pub inside: Vec<(String, String)>,
    /// Whether who is outside must come back when he acts.
    #[serde(default)]
    pub returns: bool,
    /// Whether who is outside may fall back only towards it.
    #[serde(default)]
    pub retreats: bool,
    /// The section.
    pub rule: String,
}

/// Troops that keep within a boundary; who stands outside may only come nearer.
pub struct Bounds {
    brigades: Vec<u16>,
    units: Vec<UnitId>,
    inside: Vec<bool>,
    hexes: Vec<HexId>,
    returns: bool,
    retreats: bool,
    rule: String,
}

impl BoundsFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Bounds {
        let brigades = self.brigades.iter();
        let inside = names.area(&format!("{field}.inside"), &self.inside);
        let hexes = (0u16..).zip(&inside).filter(|(_, inside)| **inside);
        Bounds {
            hexes: hexes.map(|(hex, _)| HexId(hex)).collect(),
            brigades: brigades
                .map(|brigade| names.brigade(&format!("{field}.brigades"), brigade))
                .collect(),
            units: names.units(&format!("{field}.units"), &self.units),
            inside,
            returns: self.returns,
            retreats: self.retreats,
            rule: self.rule.clone(),
        }
    }
}

impl Bounds {
    /// Whether it holds for a unit.
    fn binds(&self, t: &Table, unit: UnitId) -> bool {
        let field = Field::new(t);
        field.rules.fights(unit)
            && (self.units.contains(&unit) || self.brigades.contains(&field.card(unit).brigade))
    }
}

impl Special for Bounds {
    fn drive(&self, t: &Table, unit: UnitId) -> Drive {
        let outside = t.hex(unit).is_some_and(|hex| !self.inside[hex.index()]);
        if self.returns && outside && self.binds(t, unit) {
            Drive::Home
        } else {
            Drive::Free
        }
    }

    fn home(&self, t: &Table, unit: UnitId, hex: HexId) -> bool {
        self.inside[hex.index()] || !self.binds(t, unit)
    }

    fn may_retreat(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        let outside = t.hex(unit).is_some_and(|at| !self.inside[at.index()]);
        if self.retreats && outside {
            return self.may_end(t, unit, hex);
        }
        Ok(())
    }

    fn may_end(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        if !self.binds(t, unit) || self.inside[hex.index()] {
            return Ok(());
        }
        let apart = |from: HexId| {
            self.hexes
                .iter()
                .map(|&to| t.board().distance(from, to))
                .min()
        };
        let outside = t.hex(unit).filter(|at| !self.inside[at.index()]);
        if outside.is_some_and(|at| apart(hex) < apart(at)) {
            return Ok(());
        }
        let cite = Cite(self.rule.clone().into());
        Err(Refusal::new(cite, "is beyond its boundary"))
    }
}

/// A brigade that attacks only once the enemy has come up to it, in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvokedFile {
    /// The brigade.
    pub brigade: String,
    /// Brigades next to which the enemy must come.
    pub beside: Vec<String>,
    /// The section.
    pub rule: String,
}

/// A brigade that may not attack until an enemy moves or advances next to one of these.
pub struct Provoked {
    number: usize,
    brigade: u16,
    beside: Vec<u16>,
    rule: String,
}

impl ProvokedFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Provoked {
        let beside = self.beside.iter();
        Provoked {
            number,
            brigade: names.brigade(&format!("{field}.brigade"), &self.brigade),
            beside: beside
                .map(|brigade| names.brigade(&format!("{field}.beside"), brigade))
                .collect(),
            rule: self.rule.clone(),
        }
    }
}

impl Special for Provoked {
    fn may_attack(&self, t: &Table, brigade: u16) -> Check {
        if brigade != self.brigade || note(t, self.number) > 0 {
            return Ok(());
        }
        let cite = Cite(self.rule.clone().into());
        Err(Refusal::new(
            cite,
            "attacks only once the enemy has come up to it",
        ))
    }

    fn entered(&self, t: &mut Table, unit: UnitId, hex: HexId) {
        let field = Field::new(t);
        let side = field.card(unit).side;
        if side == field.rules.brigades[usize::from(self.brigade)].side || !goes(t, unit) {
            return;
        }
        let met = t.board().neighbours(hex).any(|(_, next)| {
            let mut there = field.fighters(next);
            there.any(|other| self.beside.contains(&field.card(other).brigade))
        });
        if met {
            remember(t, self.number, 1);
        }
    }
}

/// Batteries that shoot better from some hexes, in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostsFile {
    /// The batteries.
    pub units: Vec<String>,
    /// Where they must stand.
    pub hexes: Vec<String>,
    /// From which range on.
    pub from: u32,
    /// What it gives.
    pub gives: i16,
}

/// Batteries that shoot better from some hexes (R11).
pub struct Posts {
    units: Vec<UnitId>,
    hexes: Vec<HexId>,
    from: u32,
    gives: i16,
}

impl PostsFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Posts {
        Posts {
            units: names.units(&format!("{field}.units"), &self.units),
            hexes: names.hexes(&format!("{field}.hexes"), &self.hexes),
            from: self.from,
            gives: self.gives,
        }
    }
}

impl Special for Posts {
    fn fire(&self, t: &Table, fight: &Fight) -> Option<(&'static str, &'static str, i16)> {
        let &unit = fight.attackers.first()?;
        let (from, at) = (t.hex(unit)?, fight.hex?);
        let placed = self.units.contains(&unit) && self.hexes.contains(&from);
        (placed && t.board().distance(from, at) >= self.from).then_some((
            "R11",
            "a fine position",
            self.gives,
        ))
    }
}

/// Brigades in command wherever their leaders are, in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InCommandFile {
    /// The brigades.
    pub brigades: Vec<String>,
    /// Whether their units must be near their brigadier all the same.
    #[serde(default)]
    pub leader_only: bool,
}

/// Brigades in command wherever their leaders are (P1, P2, W1).
pub struct InCommand {
    brigades: Vec<u16>,
    leader_only: bool,
}

impl InCommandFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> InCommand {
        InCommand {
            brigades: names.brigades(&format!("{field}.brigades"), &self.brigades),
            leader_only: self.leader_only,
        }
    }
}

impl Special for InCommand {
    fn commanded(&self, _: &Table, brigade: u16) -> bool {
        !self.leader_only && self.brigades.contains(&brigade)
    }

    fn brigadier(&self, _: &Table, brigade: u16) -> bool {
        self.brigades.contains(&brigade)
    }
}
