//! *The Night Fight for Culp's Hill*: C4 brigades that wait, C5 guns off the map.

use super::{Special, goes, note, remember};
use crate::engine::push;
use crate::field::{Field, name};
use crate::load::Names;
use crate::state::{Deed, Frame};
use crate::volley::{Aim, RESULTS};
use cupola_ground::Cover;
use cupola_kernel::{Check, Cite, Event, Fight, HexId, Side, Table, UnitId, forbid, rule};
use serde::Deserialize;

/// C4 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitsFile {
    /// Each brigade with the hexes it guards.
    pub brigades: Vec<(String, Vec<String>)>,
    /// A leader who waits with them.
    #[serde(default)]
    pub leader: Option<String>,
    /// The turn on which they are free anyhow.
    pub until: String,
}

/// C4: brigades that may not move until an enemy comes next to their hexes.
pub struct Waits {
    number: usize,
    brigades: Vec<(u16, Vec<HexId>)>,
    leader: Option<UnitId>,
    until: u16,
    side: Side,
}

impl WaitsFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Waits {
        let brigades: Vec<(u16, Vec<HexId>)> = self
            .brigades
            .iter()
            .map(|(brigade, hexes)| {
                let at = format!("{field}.brigades");
                (names.brigade(&at, brigade), names.hexes(&at, hexes))
            })
            .collect();
        let side = names.side_of_brigade(brigades.first().map_or(0, |(brigade, _)| *brigade));
        Waits {
            number,
            brigades,
            leader: self
                .leader
                .as_ref()
                .map(|leader| names.unit(&format!("{field}.leader"), leader)),
            until: names.turn(&format!("{field}.until"), &self.until),
            side,
        }
    }
}

impl Waits {
    fn frozen(&self, t: &Table, place: usize) -> bool {
        t.turn() < self.until && note(t, self.number) >> place & 1 == 0
    }
}

impl Special for Waits {
    fn may_act(&self, t: &Table, brigade: u16) -> Check {
        let place = self
            .brigades
            .iter()
            .position(|(other, _)| *other == brigade);
        let frozen = place.is_some_and(|place| self.frozen(t, place));
        forbid(
            frozen,
            rule!("C4"),
            "waits until an enemy is next to its hexes",
        )
    }

    fn may_move(&self, t: &Table, unit: UnitId) -> Check {
        if Some(unit) == self.leader {
            let all = (0..self.brigades.len()).all(|place| self.frozen(t, place));
            return forbid(all, rule!("C4"), "waits with his brigades");
        }
        self.may_act(t, Field::new(t).card(unit).brigade)
    }

    fn entered(&self, t: &mut Table, unit: UnitId, hex: HexId) {
        if Field::new(t).card(unit).side == self.side || !goes(t, unit) {
            return;
        }
        for (place, (_, hexes)) in self.brigades.iter().enumerate() {
            let near = hexes
                .iter()
                .any(|&guarded| t.board().distance(guarded, hex) <= 1);
            if near && self.frozen(t, place) {
                let bits = note(t, self.number) | 1 << place;
                remember(t, self.number, bits);
            }
        }
    }
}

/// C5 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FarGunsFile {
    /// Whose guns they are.
    pub side: String,
    /// Hexes they cover, as rectangles of two corners.
    #[serde(default)]
    pub covers: Vec<(String, String)>,
    /// Hexes within so many of these they cover too.
    #[serde(default)]
    pub near: Vec<(String, u8)>,
    /// Whether they fire into everything but woods, not into clear hexes only.
    #[serde(default)]
    pub but_woods: bool,
    /// Whether they fire at moves only, not at those who fall back or advance.
    #[serde(default)]
    pub moves: bool,
    /// The section.
    pub rule: String,
}

/// C5: guns off the map; each regiment that enters clear ground there is fired at with the bare die.
pub struct FarGuns {
    side: Side,
    covers: Vec<bool>,
    but_woods: bool,
    moves: bool,
    rule: String,
}

impl FarGunsFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> FarGuns {
        let mut covers = names.area(&format!("{field}.covers"), &self.covers);
        for near in &self.near {
            let hexes = names.near(&format!("{field}.near"), near);
            hexes.iter().for_each(|hex| covers[hex.index()] = true);
        }
        FarGuns {
            side: names.side(&format!("{field}.side"), &self.side),
            covers,
            but_woods: self.but_woods,
            moves: self.moves,
            rule: self.rule.clone(),
        }
    }
}

impl Special for FarGuns {
    fn entered(&self, t: &mut Table, unit: UnitId, hex: HexId) {
        let field = Field::new(t);
        let enemy = field.rules.fights(unit) && field.card(unit).side != self.side;
        let cover = t.board().cover(hex);
        let seen = match self.but_woods {
            true => cover != Cover::Woods,
            false => cover == Cover::Clear,
        };
        let passive = self.moves && field.deed(unit).any(Deed::FLEES | Deed::TESTED);
        if !enemy || !self.covers[hex.index()] || !seen || passive {
            return;
        }
        let fight = Fight {
            attackers: vec![],
            defenders: vec![unit],
            hex: Some(hex),
            terms: vec![Aim::BARE, 0, 0],
        };
        let Ok(combat) = t.combat("fire") else {
            return;
        };
        let fought = t.fight(&*combat, &fight);
        match fought.and_then(|outcome| outcome.among(&*combat, RESULTS).map(|_| outcome)) {
            Ok(outcome) => {
                t.say(|t| {
                    let how = combat.describe(t, &outcome);
                    let text = format!("guns off the map fire at {}: {how}", name(t, unit));
                    let cite = Cite(self.rule.clone().into());
                    Event::new("fire", cite, text).unit(unit).hex(hex)
                });
                push(t, Frame::Suffer(hex, outcome.code, None));
            }
            Err(fault) => t.fail(fault),
        }
    }
}
