//! *Gregg Defends the Union Flank*: G1 Beckham's guns, G4 no long runs, G7 the Union's guns, G8 Custer's luck.

use super::Special;
use crate::field::Field;
use crate::load::Names;
use crate::state::Cup;
use cupola_kernel::{Event, Fight, Side, Table, UnitId, rule};
use serde::Deserialize;

/// G1 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GunnersOwnFile {
    /// The only leader who steadies batteries of his side.
    pub leader: String,
}

/// G1: batteries that heed one leader only.
pub struct GunnersOwn {
    leader: UnitId,
}

impl GunnersOwnFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> GunnersOwn {
        GunnersOwn {
            leader: names.unit(&format!("{field}.leader"), &self.leader),
        }
    }
}

impl Special for GunnersOwn {
    fn heeds(&self, t: &Table, unit: UnitId, leader: UnitId) -> bool {
        let field = Field::new(t);
        let ours = field.card(unit).side == field.card(self.leader).side;
        !(ours && field.card(unit).is_guns()) || leader == self.leader
    }
}

/// G4: no side has more than two activations in a row, and who had two at the end of a turn gives up the initiative.
pub struct Turnabout;

impl Special for Turnabout {
    fn counts_runs(&self) -> bool {
        true
    }

    fn initiative(&self, t: &Table) -> Option<Side> {
        let run = t.res::<Cup>().run.filter(|(_, run)| *run >= 2);
        run.map(|(side, _)| side.other())
    }
}

/// G7 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BetterGunsFile {
    /// Whose guns.
    pub side: String,
    /// From which range on.
    pub from: u32,
    /// What it gives.
    pub gives: i16,
}

/// G7: one side's guns shoot better far off, and high ground gives nothing.
pub struct BetterGuns {
    side: Side,
    from: u32,
    gives: i16,
}

impl BetterGunsFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> BetterGuns {
        BetterGuns {
            side: names.side(&format!("{field}.side"), &self.side),
            from: self.from,
            gives: self.gives,
        }
    }
}

impl Special for BetterGuns {
    fn no_high_ground(&self) -> bool {
        true
    }

    fn fire(&self, t: &Table, fight: &Fight) -> Option<(&'static str, &'static str, i16)> {
        let field = Field::new(t);
        let &unit = fight.attackers.first()?;
        let (from, at) = (t.hex(unit)?, fight.hex?);
        let guns = fight
            .attackers
            .iter()
            .all(|&unit| field.card(unit).is_guns());
        let ours = guns && field.card(unit).side == self.side;
        (ours && t.board().distance(from, at) >= self.from).then_some((
            "G7",
            "the better guns",
            self.gives,
        ))
    }
}

/// G8 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LuckyFile {
    /// The leader.
    pub leader: String,
    /// The highest second die with which he falls.
    pub falls: u8,
}

/// G8: a leader who falls only if a second die says so too.
pub struct Lucky {
    leader: UnitId,
    falls: u8,
}

impl LuckyFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Lucky {
        Lucky {
            leader: names.unit(&format!("{field}.leader"), &self.leader),
            falls: self.falls,
        }
    }
}

impl Special for Lucky {
    fn spares(&self, t: &mut Table, leader: UnitId) -> bool {
        if leader != self.leader {
            return false;
        }
        let die = (t.roll(10, "luck", leader) - 1) as u8;
        let spared = die > self.falls;
        if spared {
            t.say(|t| {
                let text = format!("{} has luck", crate::field::name(t, leader));
                Event::new("leader", rule!("G8"), text)
                    .unit(leader)
                    .number(die)
            });
        }
        spared
    }
}
