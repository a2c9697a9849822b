//! *A Want of Coordination*: R3 O'Neal goes first, R5 and R12 Iverson, R13 the XI Corps goes, the farm's points.

use super::{Drive, Special, note, remember};
use crate::field::{Field, name};
use crate::files::Home;
use crate::load::Names;
use crate::state::{Deed, Land, boxes};
use crate::{command, retreat, volley};
use cupola_ground::Cover;
use cupola_kernel::{BySide, Check, Event, Fight, HexId, Place, Table, UnitId, forbid, rule};
use serde::Deserialize;

/// R3 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningFile {
    /// The turn.
    pub turn: String,
    /// The only brigade that acts, and it attacks.
    pub brigade: String,
    /// Units that must come next to the enemy and charge.
    pub charge: Vec<String>,
    /// Units that must come nearer to him.
    pub approach: Vec<String>,
}

/// R3: on the first turn one brigade acts, and it must attack.
pub struct Opening {
    turn: u16,
    brigade: u16,
    charge: Vec<UnitId>,
    approach: Vec<UnitId>,
}

impl OpeningFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Opening {
        Opening {
            turn: names.turn(&format!("{field}.turn"), &self.turn),
            brigade: names.brigade(&format!("{field}.brigade"), &self.brigade),
            charge: names.units(&format!("{field}.charge"), &self.charge),
            approach: names.units(&format!("{field}.approach"), &self.approach),
        }
    }
}

impl Special for Opening {
    fn may_act(&self, t: &Table, brigade: u16) -> Check {
        let other = t.turn() == self.turn && brigade != self.brigade;
        forbid(other, rule!("R3"), "does not act on the first turn")
    }

    fn may_move(&self, t: &Table, unit: UnitId) -> Check {
        self.may_act(t, Field::new(t).card(unit).brigade)
    }

    /// Those who are attacked may still turn and withdraw.
    fn may_withdraw(&self, _: &Table, _: UnitId) -> Check {
        Ok(())
    }

    fn must_attack(&self, t: &Table, brigade: u16) -> bool {
        t.turn() == self.turn && brigade == self.brigade
    }

    /// R1: the first turn is that brigade's alone, so that its side's leaders are in command on the second (§13.13).
    fn brigadier(&self, t: &Table, brigade: u16) -> bool {
        let side = |brigade: u16| {
            let brigades = &crate::field::rules(t).brigades;
            brigades.get(usize::from(brigade)).map(|this| this.side)
        };
        t.turn() == self.turn + 1 && side(brigade) == side(self.brigade)
    }

    fn drive(&self, t: &Table, unit: UnitId) -> Drive {
        if t.turn() != self.turn || !Field::new(t).deed(unit).any(Deed::ATTACKS) {
            return Drive::Free;
        }
        if self.charge.contains(&unit) {
            Drive::Close
        } else if self.approach.contains(&unit) {
            Drive::Approach
        } else {
            Drive::Free
        }
    }
}

/// R5, R12 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IversonFile {
    /// The brigade.
    pub brigade: String,
    /// The turns on which it is surprised.
    pub surprised: Vec<String>,
    /// What the surprise gives.
    pub gives: i16,
    /// From this turn on another brigadier may lead it.
    pub led_from: String,
    /// Its own brigadier, and the other.
    pub leaders: (String, String),
}

/// R5: a brigade without the charge's benefit, whom hidden men surprise; R12: but another may lead it.
pub struct Iverson {
    brigade: u16,
    surprised: Vec<u16>,
    gives: i16,
    led_from: u16,
    own: UnitId,
    other: UnitId,
}

impl IversonFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Iverson {
        let turns = self.surprised.iter();
        Iverson {
            brigade: names.brigade(&format!("{field}.brigade"), &self.brigade),
            surprised: turns
                .map(|turn| names.turn(&format!("{field}.surprised"), turn))
                .collect(),
            gives: self.gives,
            led_from: names.turn(&format!("{field}.led_from"), &self.led_from),
            own: names.unit(&format!("{field}.leaders"), &self.leaders.0),
            other: names.unit(&format!("{field}.leaders"), &self.leaders.1),
        }
    }
}

impl Iverson {
    /// Whether a fire surprises: from cover, at the next hex, which is clear, for the first time from there.
    fn surprises(&self, t: &Table, fight: &Fight) -> Option<HexId> {
        let field = Field::new(t);
        let (&unit, at) = (fight.attackers.first()?, fight.hex?);
        let from = t.hex(unit)?;
        let board = t.board();
        let way = board.direction(from, at)?;
        let side = field.rules.brigades[usize::from(self.brigade)].side;
        let target = fight
            .defenders
            .iter()
            .any(|&unit| field.card(unit).brigade == self.brigade);
        let hidden = matches!(board.cover(from), Cover::Woods | Cover::Orchard)
            || board.side(from, way).wall && volley::owns_wall(field, from, way);
        (self.surprised.contains(&t.turn())
            && field.card(unit).side != side
            && target
            && hidden
            && board.cover(at) == Cover::Clear
            && !t.res::<Land>().spent.contains(&from))
        .then_some(from)
    }
}

impl Special for Iverson {
    fn no_charge_bonus(&self, t: &Table, unit: UnitId) -> bool {
        let field = Field::new(t);
        if field.card(unit).brigade != self.brigade {
            return false;
        }
        let led = t.turn() >= self.led_from && command::reaches(t, self.other, self.own) && {
            let hex = t.hex(self.other);
            let brigade = field.card(self.other).brigade;
            hex.is_some_and(|hex| {
                let mut there = field.fighters(hex);
                there.any(|unit| {
                    field.card(unit).brigade == brigade && field.deed(unit).any(Deed::CHARGED)
                })
            })
        };
        !led
    }

    fn fire(&self, t: &Table, fight: &Fight) -> Option<(&'static str, &'static str, i16)> {
        self.surprises(t, fight)
            .map(|_| ("R5", "surprise", self.gives))
    }

    fn fired(&self, t: &mut Table, fight: &Fight) {
        if let Some(from) = self.surprises(t, fight) {
            t.res_mut::<Land>().spent.push(from);
        }
    }
}

/// A unit among strangers, in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrangersFile {
    /// The units.
    pub units: Vec<String>,
    /// Leaders who do not steady them.
    pub leaders: Vec<String>,
}

/// The note on the 3rd Alabama: neither the brigadier it came with nor the one it acts with steadies it.
pub struct Strangers {
    units: Vec<UnitId>,
    leaders: Vec<UnitId>,
}

impl StrangersFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Strangers {
        Strangers {
            units: names.units(&format!("{field}.units"), &self.units),
            leaders: names.units(&format!("{field}.leaders"), &self.leaders),
        }
    }
}

impl Special for Strangers {
    fn heeds(&self, _: &Table, unit: UnitId, leader: UnitId) -> bool {
        !(self.units.contains(&unit) && self.leaders.contains(&leader))
    }
}

/// R13 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalledAwayFile {
    /// The marker whose draw calls units away.
    pub formation: String,
    /// Each unit with turns and the lowest die that removes it; nought removes it when the turn begins.
    pub units: Vec<(String, Vec<(String, u8)>)>,
    /// A leader who goes with the last of these.
    pub leader: (String, Vec<String>),
    /// The edge of the map to which there must be a way.
    pub edge: Home,
}

/// R13: units that are called away.
pub struct CalledAway {
    formation: u16,
    units: Vec<(UnitId, Vec<(u16, u8)>)>,
    leader: UnitId,
    last: Vec<UnitId>,
    edge: Home,
}

impl CalledAwayFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> CalledAway {
        let at = format!("{field}.units");
        CalledAway {
            formation: names.formation(&format!("{field}.formation"), &self.formation),
            units: self
                .units
                .iter()
                .map(|(unit, turns)| {
                    let turns = turns.iter();
                    let turns = turns
                        .map(|(turn, die)| (names.turn(&at, turn), *die))
                        .collect();
                    (names.unit(&at, unit), turns)
                })
                .collect(),
            leader: names.unit(&format!("{field}.leader"), &self.leader.0),
            last: names.units(&format!("{field}.leader"), &self.leader.1),
            edge: self.edge,
        }
    }
}

impl CalledAway {
    /// A unit goes: out of the game, or lost if it is cut off.
    fn remove(&self, t: &mut Table, unit: UnitId) {
        let Some(hex) = t.hex(unit) else { return };
        let side = Field::new(t).card(unit).side;
        let field = Field::new(t);
        let free = retreat::has_way(t, side, hex, |at| retreat::at_edge(field, at, self.edge));
        let to = if free {
            boxes::WITHDRAWN
        } else {
            boxes::ELIMINATED
        };
        t.place(unit, Place::Box(to));
        t.say(|t| {
            let text = format!("{} is called away", name(t, unit));
            Event::new("withdrawn", rule!("R13"), text).unit(unit)
        });
        if self.last.iter().all(|&unit| t.hex(unit).is_none()) && t.hex(self.leader).is_some() {
            t.place(self.leader, Place::Box(boxes::WITHDRAWN));
        }
    }

    fn due(&self, t: &Table, unit: usize) -> Option<u8> {
        let (id, turns) = &self.units[unit];
        t.hex(*id)?;
        let found = turns.iter().find(|(turn, _)| *turn == t.turn());
        found.map(|(_, die)| *die)
    }
}

impl Special for CalledAway {
    fn turn_begins(&self, t: &mut Table) {
        for unit in 0..self.units.len() {
            if self.due(t, unit) == Some(0) {
                self.remove(t, self.units[unit].0);
            }
        }
    }

    fn drawn(&self, t: &mut Table, formation: u16) {
        if formation != self.formation {
            return;
        }
        for unit in 0..self.units.len() {
            let id = self.units[unit].0;
            let Some(from) = self.due(t, unit).filter(|from| *from > 0) else {
                continue;
            };
            let die = (t.roll(10, "called away", id) - 1) as u8;
            if die >= from {
                self.remove(t, id);
            }
        }
    }
}

/// The farm's points in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FarmFile {
    /// The hex; it must be one of the prizes.
    pub hex: String,
    /// What it gives the second side at the end of these turns, once.
    pub gives: Vec<(String, u64)>,
    /// The turn at whose end it must hold it, or the first side has these points and it loses its own.
    pub kept: (String, i32),
}

/// McPherson's farm: points that grow less by the turn, and are lost with it.
pub struct Farm {
    number: usize,
    hex: HexId,
    gives: Vec<(u16, u64)>,
    kept: (u16, i32),
}

/// The first side has the farm's points.
const LOST: u64 = 1 << 31;

impl FarmFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Farm {
        let gives = self.gives.iter();
        Farm {
            number,
            hex: names.hex(&format!("{field}.hex"), &self.hex),
            gives: gives
                .map(|(turn, points)| (names.turn(&format!("{field}.gives"), turn), *points))
                .collect(),
            kept: (
                names.turn(&format!("{field}.kept"), &self.kept.0),
                self.kept.1,
            ),
        }
    }
}

impl Special for Farm {
    fn turn_ends(&self, t: &mut Table) {
        let field = Field::new(t);
        let watch = field.rules.watch[self.hex.index()];
        let held = watch > 0 && t.res::<Land>().held >> (watch - 1) & 1 == 1;
        let (turn, so_far) = (t.turn(), note(t, self.number));
        let worth = self.gives.iter().find(|(when, _)| *when == turn);
        if let Some((_, points)) = worth.filter(|_| held && so_far == 0) {
            remember(t, self.number, *points);
        }
        if turn == self.kept.0 && !held {
            remember(t, self.number, LOST);
        }
    }

    fn points(&self, t: &Table) -> BySide<i32> {
        match note(t, self.number) {
            LOST => BySide {
                first: self.kept.1,
                second: 0,
            },
            points => BySide {
                first: 0,
                second: points as i32,
            },
        }
    }
}
