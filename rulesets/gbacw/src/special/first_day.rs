//! *When Harry Met John* and *Terrible Swift Sword*: H3, B7 Devin rides off and comes back, H7, B5 Doubleday gets his
//! division back; and small rules that hold until an hour: ground that is closed, guns that go by themselves,
//! brigades that do not attack, leaders who are in command anyhow.

use super::{Special, note, remember};
use crate::field::{Field, rules, status_mut};
use crate::load::Names;
use crate::state::{Activation, Order, boxes};
use cupola_kernel::{Check, Cite, Event, HexId, Place, Refusal, Side, Table, UnitId, forbid, rule};
use serde::Deserialize;

/// H3, B7 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DevinFile {
    /// The brigade, and the marker it acts with.
    pub brigade: String,
    /// The activation marker that it acts with.
    pub marker: String,
    /// The turn at whose end it rides off; it does not attack until then.
    pub leaves: String,
    /// The turn on which it comes back.
    pub returns: String,
    /// The marker before which it may come on, and the entry it loses after that.
    pub before: String,
    /// The entry that is closed to it once that marker was drawn.
    pub lost_entry: String,
}

/// H3, B7: a cavalry brigade is called away, and comes back in time to meet an enemy, or too late.
pub struct Devin {
    number: usize,
    brigade: u16,
    marker: u16,
    leaves: u16,
    returns: u16,
    before: u16,
    lost: Vec<HexId>,
}

/// It has been asked, or the enemy was there first.
const LATE: u64 = 1;
/// Its own marker came first.
const EARLY: u64 = 2;
/// It comes on before the enemy now.
const AHEAD: u64 = 4;

impl DevinFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Devin {
        Devin {
            number,
            brigade: names.brigade(&format!("{field}.brigade"), &self.brigade),
            marker: names.formation(&format!("{field}.marker"), &self.marker),
            leaves: names.turn(&format!("{field}.leaves"), &self.leaves),
            returns: names.turn(&format!("{field}.returns"), &self.returns),
            before: names.formation(&format!("{field}.before"), &self.before),
            lost: names.entry(&format!("{field}.lost_entry"), &self.lost_entry),
        }
    }
}

impl Devin {
    fn set(&self, t: &mut Table, bits: u64) {
        let now = note(t, self.number);
        remember(t, self.number, now | bits);
    }

    fn is(&self, t: &Table, bits: u64) -> bool {
        note(t, self.number) & bits != 0
    }

    fn units<'a>(&self, t: &'a Table) -> impl Iterator<Item = UnitId> + 'a {
        let brigade = &rules(t).brigades[usize::from(self.brigade)];
        brigade.units.iter().copied().chain(brigade.leader)
    }

    /// Whether somebody of it is still to come.
    fn waits(&self, t: &Table) -> bool {
        let mut units = self.units(t);
        units.any(|unit| t.stacks().place(unit) == Place::Box(boxes::AWAITED))
    }
}

impl Special for Devin {
    fn may_attack(&self, t: &Table, brigade: u16) -> Check {
        let early = brigade == self.brigade && t.turn() <= self.leaves;
        forbid(early, rule!("H3"), "does not attack before it rides off")
    }

    fn may_order(&self, t: &Table, brigade: u16, order: Order) -> Check {
        let comes = brigade == self.brigade && order == Order::March && self.waits(t);
        forbid(comes, rule!("H3"), "does not come back in column")
    }

    fn may_enter(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        let late = rules(t).card(unit).brigade == self.brigade
            && self.lost.contains(&hex)
            && self.is(t, LATE)
            && !self.is(t, AHEAD);
        forbid(late, rule!("H3"), "is where the enemy came first")
    }

    fn ahead(&self, t: &Table, formation: u16) -> Option<(Side, u16, u16)> {
        let asked = formation == self.before
            && t.turn() == self.returns
            && !self.is(t, LATE | EARLY)
            && self.waits(t);
        let side = rules(t).brigades[usize::from(self.brigade)].side;
        asked.then_some((side, self.marker, self.brigade))
    }

    fn goes_ahead(&self, t: &mut Table) {
        self.set(t, AHEAD);
    }

    /// While it comes on before its time nobody else of the division acts.
    fn may_act(&self, t: &Table, brigade: u16) -> Check {
        let other = self.is(t, AHEAD) && brigade != self.brigade;
        forbid(other, rule!("H3"), "waits for the division's marker")
    }

    fn may_move(&self, t: &Table, unit: UnitId) -> Check {
        let leader = rules(t).formations[usize::from(self.marker)].leader;
        let other = self.is(t, AHEAD) && Some(unit) == leader;
        forbid(other, rule!("H3"), "waits for the division's marker")
    }

    fn may_withdraw(&self, _: &Table, _: UnitId) -> Check {
        Ok(())
    }

    fn drawn(&self, t: &mut Table, formation: u16) {
        let now = t.turn() == self.returns;
        if now && formation == self.before {
            self.set(t, LATE);
        } else if now && formation == self.marker && !self.is(t, AHEAD) {
            self.set(t, EARLY);
        }
    }

    fn activation_over(&self, t: &mut Table) {
        if self.is(t, AHEAD) && t.res::<Activation>().formation == self.marker {
            let now = note(t, self.number);
            remember(t, self.number, now & !AHEAD | EARLY);
        }
    }

    fn turn_ends(&self, t: &mut Table) {
        if t.turn() != self.leaves {
            return;
        }
        let riding: Vec<UnitId> = self
            .units(t)
            .filter(|&unit| t.hex(unit).is_some())
            .collect();
        for unit in riding {
            t.place(unit, Place::Box(boxes::AWAITED));
            let status = status_mut(t, unit);
            (status.mounted, status.disordered) = (true, false);
        }
        crate::entry::look(t);
        t.say(|t| {
            let name = &rules(t).brigades[usize::from(self.brigade)].name;
            Event::new("withdrawn", rule!("H3"), format!("{name} rides off"))
        });
    }
}

/// H7, B5 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoubledayFile {
    /// While this leader lives.
    pub while_lives: String,
    /// These turn to their front sides.
    pub returns: Vec<String>,
    /// When this turn begins.
    pub on: String,
}

/// H7, B5: leaders who stood in for others go back to their own commands.
pub struct Doubleday {
    lives: UnitId,
    leaders: Vec<UnitId>,
    on: u16,
}

impl DoubledayFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Doubleday {
        Doubleday {
            lives: names.unit(&format!("{field}.while_lives"), &self.while_lives),
            leaders: names.units(&format!("{field}.returns"), &self.returns),
            on: names.turn(&format!("{field}.on"), &self.on),
        }
    }
}

impl Special for Doubleday {
    fn turn_begins(&self, t: &mut Table) {
        let alive = Field::new(t).status(self.lives).replaced == 0 && t.hex(self.lives).is_some();
        if t.turn() == self.on && alive {
            for &leader in &self.leaders {
                status_mut(t, leader).replaced = 0;
            }
        }
    }
}

/// B1 in a scenario file: ground that is closed to a side.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClosedFile {
    /// To whom.
    pub side: String,
    /// The ground, as rectangles of two corners.
    pub hexes: Vec<(String, String)>,
    /// The turn from which on it is open.
    pub until: String,
    /// The section.
    pub rule: String,
}

/// B1: ground that is closed to a side until an hour.
pub struct Closed {
    side: Side,
    hexes: Vec<bool>,
    until: u16,
    rule: String,
}

impl ClosedFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Closed {
        Closed {
            side: names.side(&format!("{field}.side"), &self.side),
            hexes: names.area(&format!("{field}.hexes"), &self.hexes),
            until: names.turn(&format!("{field}.until"), &self.until),
            rule: self.rule.clone(),
        }
    }
}

impl Special for Closed {
    fn bounds(&self, t: &Table, unit: UnitId) -> bool {
        t.turn() < self.until && rules(t).card(unit).side == self.side
    }

    fn may_end(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        if t.turn() >= self.until
            || !self.hexes[hex.index()]
            || rules(t).card(unit).side != self.side
            || t.hex(unit).is_some_and(|at| self.hexes[at.index()])
        {
            return Ok(());
        }
        Err(refusal(&self.rule, "is closed until later"))
    }
}

fn refusal(section: &str, why: &'static str) -> Refusal {
    Refusal::new(Cite(section.to_owned().into()), why)
}

/// H5, B2 in a scenario file: artillery that goes by itself until an hour.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnattachedFile {
    /// The artillery.
    pub brigades: Vec<String>,
    /// The turn from which on it may be attached.
    pub until: String,
    /// The section.
    pub rule: String,
}

/// H5, B2: artillery that cannot be attached until an hour.
pub struct Unattached {
    brigades: Vec<u16>,
    until: u16,
    rule: String,
}

impl UnattachedFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Unattached {
        Unattached {
            brigades: names.brigades(&format!("{field}.brigades"), &self.brigades),
            until: names.turn(&format!("{field}.until"), &self.until),
            rule: self.rule.clone(),
        }
    }
}

impl Special for Unattached {
    fn may_attach(&self, t: &Table, brigade: u16, to: Option<u16>) -> Check {
        let barred = to.is_some() && t.turn() < self.until && self.brigades.contains(&brigade);
        if barred {
            return Err(refusal(&self.rule, "acts with the artillery's marker only"));
        }
        Ok(())
    }
}

/// H9 in a scenario file: brigades that do not attack.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PassiveFile {
    /// The brigades.
    pub brigades: Vec<String>,
    /// The section.
    pub rule: String,
}

/// H9: brigades that do not attack.
pub struct Passive {
    brigades: Vec<u16>,
    rule: String,
}

impl PassiveFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Passive {
        Passive {
            brigades: names.brigades(&format!("{field}.brigades"), &self.brigades),
            rule: self.rule.clone(),
        }
    }
}

impl Special for Passive {
    fn may_attack(&self, _: &Table, brigade: u16) -> Check {
        if self.brigades.contains(&brigade) {
            return Err(refusal(&self.rule, "does not attack in this scenario"));
        }
        Ok(())
    }
}

/// H2, B3 in a scenario file: a leader who is in command anyhow.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustedFile {
    /// The leader.
    pub leader: String,
    /// The turns.
    pub turns: Vec<String>,
}

/// H2, B3: a leader who is in command on some turns wherever his commander is.
pub struct Trusted {
    leader: UnitId,
    turns: Vec<u16>,
}

impl TrustedFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Trusted {
        let turns = self.turns.iter();
        Trusted {
            leader: names.unit(&format!("{field}.leader"), &self.leader),
            turns: turns
                .map(|turn| names.turn(&format!("{field}.turns"), turn))
                .collect(),
        }
    }
}

impl Special for Trusted {
    fn in_command(&self, t: &Table, unit: UnitId) -> bool {
        unit == self.leader && self.turns.contains(&t.turn())
    }
}

/// The note on the reinforcement chart, in a scenario file: a road that columns of a side do not trust yet.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlowRoadFile {
    /// Whose columns.
    pub side: String,
    /// The turn from which on they do.
    pub until: String,
}

/// Columns of a side that pay a whole point for every road hex until an hour (§5.41 note).
pub struct SlowRoad {
    side: Side,
    until: u16,
}

impl SlowRoadFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> SlowRoad {
        SlowRoad {
            side: names.side(&format!("{field}.side"), &self.side),
            until: names.turn(&format!("{field}.until"), &self.until),
        }
    }
}

impl Special for SlowRoad {
    fn slow_columns(&self, t: &Table, side: Side) -> bool {
        side == self.side && t.turn() < self.until
    }
}
