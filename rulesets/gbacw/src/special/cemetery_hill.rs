//! *I Died With My Face to the Enemy*: E5 Rodes' slow division, and a victory that depends on who was committed.

use super::{Special, note, remember};
use crate::field::{Field, rules};
use crate::load::Names;
use crate::state::{Deed, Land};
use cupola_kernel::{
    Check, Event, Fight, HexId, Side, Table, UnitId, Verdict, forbid, require, rule,
};
use serde::Deserialize;

/// E5 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongLaneFile {
    /// The brigades that must form on the lane.
    pub brigades: Vec<String>,
    /// The lane: one of the board's areas.
    pub lane: String,
    /// Enemy brigades that help by moving.
    pub movers: Vec<String>,
    /// What each of them gives to the die.
    pub gives: u8,
    /// The total that lets a brigade attack.
    pub needs: u8,
}

/// E5: brigades that form on a lane first, and then attack only if their commander can bring himself to it.
pub struct LongLane {
    number: usize,
    brigades: Vec<u16>,
    lane: Vec<bool>,
    hexes: Vec<HexId>,
    movers: Vec<u16>,
    gives: u8,
    needs: u8,
}

/// All have formed on the lane.
const FORMED: u64 = 1;
/// The enemy charged them first: they attack without a check.
const STUNG: u64 = 2;
/// One of them has charged.
const CHARGED: u64 = 4;
/// From here on: brigades that may attack, then enemy brigades that have moved.
const MAY: u64 = 8;
const MOVED: u64 = 16;

impl LongLaneFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> LongLane {
        let mut list = |key: &str, brigades: &[String]| -> Vec<u16> {
            names.brigades(&format!("{field}.{key}"), brigades)
        };
        let (brigades, movers) = (
            list("brigades", &self.brigades),
            list("movers", &self.movers),
        );
        let lane = names.extent(&format!("{field}.lane"), &self.lane);
        let hexes = (0u16..).zip(&lane).filter(|(_, on)| **on);
        LongLane {
            number,
            brigades,
            hexes: hexes.map(|(hex, _)| HexId(hex)).collect(),
            lane,
            movers,
            gives: self.gives,
            needs: self.needs,
        }
    }
}

impl LongLane {
    fn ours(&self, t: &Table, unit: UnitId) -> bool {
        rules(t).fights(unit) && self.brigades.contains(&rules(t).card(unit).brigade)
    }

    fn set(&self, t: &mut Table, bit: u64) {
        let bits = note(t, self.number) | bit;
        remember(t, self.number, bits);
    }
}

impl Special for LongLane {
    fn bounds(&self, t: &Table, unit: UnitId) -> bool {
        self.ours(t, unit)
    }

    /// Which way they take to the lane is theirs.
    fn fences(&self) -> bool {
        false
    }

    fn may_end(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        let bits = note(t, self.number);
        // Who was charged before may attack, but who moves still goes to the lane.
        if !self.ours(t, unit) || bits & FORMED != 0 || self.lane[hex.index()] {
            return Ok(());
        }
        let apart = |from: HexId| {
            self.hexes
                .iter()
                .map(|&to| t.board().distance(from, to))
                .min()
        };
        let nearer = t.hex(unit).is_some_and(|at| apart(hex) < apart(at));
        require(nearer, rule!("E5"), "is not on the way to Long Lane")
    }

    fn may_attack(&self, t: &Table, brigade: u16) -> Check {
        let place = self.brigades.iter().position(|other| *other == brigade);
        let bits = note(t, self.number);
        let held = place.is_some_and(|place| bits >> (MAY as usize + place) & 1 == 0);
        forbid(
            held && bits & STUNG == 0,
            rule!("E5"),
            "is held back by its division",
        )
    }

    /// The check at the start of a brigade's movement.
    fn brigade_begins(&self, t: &mut Table, brigade: u16) {
        let Some(place) = self.brigades.iter().position(|other| *other == brigade) else {
            return;
        };
        let bits = note(t, self.number);
        let bit = 1 << (MAY as usize + place);
        if bits & FORMED == 0 || bits & (bit | STUNG) != 0 {
            return;
        }
        let moved = (bits >> MOVED).count_ones() as u8;
        let token = rules(t).brigades[usize::from(brigade)].token;
        let die = (t.roll(10, "attack posture", token) - 1) as u8;
        if die + self.gives * moved >= self.needs {
            self.set(t, bit);
        }
        t.say(|_| {
            let text = format!("the division's will to attack: {die}");
            Event::new("posture", rule!("E5"), text).number(die)
        });
    }

    fn completed(&self, t: &mut Table, unit: UnitId, hex: HexId) {
        let field = Field::new(t);
        let brigade = field.card(unit).brigade;
        let Some(place) = self.movers.iter().position(|other| *other == brigade) else {
            return;
        };
        if field.rules.starts[usize::from(unit.0)].at != Some(hex) {
            self.set(t, 1 << (MOVED as usize + place));
        }
    }

    fn fired(&self, t: &mut Table, fight: &Fight) {
        let field = Field::new(t);
        let Some(&unit) = fight.attackers.first() else {
            return;
        };
        if !field.deed(unit).any(Deed::CHARGED) {
            return;
        }
        let bits = note(t, self.number);
        let on_us = fight.defenders.iter().any(|&unit| self.ours(t, unit));
        if self.ours(t, unit) {
            self.set(t, CHARGED);
        } else if on_us && bits & CHARGED == 0 {
            self.set(t, STUNG);
        }
    }

    fn activation_over(&self, t: &mut Table) {
        let all = self.brigades.iter().all(|&brigade| {
            let units = &rules(t).brigades[usize::from(brigade)].units;
            let mut hexes = units.iter().filter_map(|&unit| t.hex(unit));
            hexes.all(|hex| self.lane[hex.index()])
        });
        if all {
            self.set(t, FORMED);
        }
    }
}

/// The victory conditions in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommittedFile {
    /// The top of the hill; its hexes must be prizes.
    pub hill: Vec<String>,
    /// What two brigades alone must take.
    pub enough: Vec<String>,
    /// Brigades of the slow division, and the brigade in reserve.
    pub division: Vec<String>,
    /// The brigade in reserve.
    pub reserve: String,
}

/// Victory by how much was committed.
pub struct Committed {
    hill: Vec<HexId>,
    enough: Vec<HexId>,
    division: Vec<u16>,
    reserve: u16,
}

impl CommittedFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Committed {
        let division = self.division.iter();
        Committed {
            hill: names.hexes(&format!("{field}.hill"), &self.hill),
            enough: names.hexes(&format!("{field}.enough"), &self.enough),
            division: division
                .map(|brigade| names.brigade(&format!("{field}.division"), brigade))
                .collect(),
            reserve: names.brigade(&format!("{field}.reserve"), &self.reserve),
        }
    }
}

impl Special for Committed {
    fn verdict(&self, t: &Table) -> Option<Verdict> {
        let field = Field::new(t);
        let taken = |hex: &HexId| {
            let watch = field.rules.watch[hex.index()];
            watch > 0 && t.res::<Land>().held >> (watch - 1) & 1 == 1
        };
        let count = self.hill.iter().filter(|hex| taken(hex)).count();
        let charged = |brigade: u16| field.wear(brigade).charged;
        let division = self.division.iter().any(|&brigade| charged(brigade));
        let winner = match (division, charged(self.reserve)) {
            (false, false) if self.enough.iter().all(taken) => Some(Side::Second),
            (false, false) if count == 0 => Some(Side::First),
            (false, false) => None,
            (true, true) if count >= 6 => Some(Side::Second),
            (true, true) => Some(Side::First),
            _ if count >= 5 => Some(Side::Second),
            _ if count == 4 => None,
            _ => Some(Side::First),
        };
        let how = if winner.is_some() { "victory" } else { "draw" };
        Some(Verdict {
            winner,
            how: how.into(),
            rule: rule!("13.0"),
        })
    }
}
