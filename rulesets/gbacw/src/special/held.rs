//! Troops that are held back until the enemy comes, or their time does. Many scenarios have some; what releases them
//! is told by the scenario file.

use super::{Special, note, remember};
use crate::activation::phasing;
use crate::field::{Field, rules};
use crate::load::Names;
use crate::rules::Kind;
use crate::state::Deed;
use crate::victory;
use cupola_kernel::{Check, Cite, Event, HexId, Refusal, Side, Table, UnitId};
use serde::Deserialize;

/// Whose fire counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shooters {
    /// Infantry.
    Foot,
    /// Everybody.
    Any,
}

/// Troops held back, in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldFile {
    /// The brigades.
    pub brigades: Vec<String>,
    /// Leaders who wait with them.
    #[serde(default)]
    pub leaders: Vec<String>,
    /// The turn on which they are free anyhow.
    #[serde(default)]
    pub until: Option<String>,
    /// An enemy who enters one of these rectangles releases them.
    #[serde(default)]
    pub enters: Vec<(String, String)>,
    /// One who comes next to one of these hexes does.
    #[serde(default)]
    pub beside: Vec<String>,
    /// One who comes next to guns of their side in these rectangles does.
    #[serde(default)]
    pub guns: Vec<(String, String)>,
    /// One who comes within so many hexes of them does.
    #[serde(default)]
    pub within: Option<u32>,
    /// So many prizes occupied by the enemy at the end of an activation of his do.
    #[serde(default)]
    pub prizes: Option<usize>,
    /// Fire at them does.
    #[serde(default)]
    pub fire: Option<Shooters>,
    /// Whether they may act and fire where they stand.
    #[serde(default)]
    pub fires: bool,
    /// Whether they may withdraw and answer fire.
    #[serde(default)]
    pub reacts: bool,
    /// Whether each brigade is released for itself.
    #[serde(default)]
    pub each: bool,
    /// Whether the enemy's advances count as moves.
    #[serde(default = "yes")]
    pub advances: bool,
    /// How many activations they have on the turn on which they are free, unless the enemy released them before.
    #[serde(default)]
    pub eases: Option<u8>,
    /// The section.
    pub rule: String,
}

fn yes() -> bool {
    true
}

/// Troops that are held back. A bit of its note stands for each brigade that the enemy has released.
pub struct Held {
    number: usize,
    side: Side,
    brigades: Vec<u16>,
    leaders: Vec<UnitId>,
    until: Option<u16>,
    enters: Vec<bool>,
    beside: Vec<HexId>,
    guns: Vec<bool>,
    file: HeldFile,
}

impl HeldFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Held {
        let brigades = names.brigades(&format!("{field}.brigades"), &self.brigades);
        let until = self.until.as_ref();
        Held {
            number,
            side: names.side_of_brigade(brigades.first().copied().unwrap_or(0)),
            leaders: names.units(&format!("{field}.leaders"), &self.leaders),
            until: until.map(|turn| names.turn(&format!("{field}.until"), turn)),
            enters: names.area(&format!("{field}.enters"), &self.enters),
            beside: names.hexes(&format!("{field}.beside"), &self.beside),
            guns: names.area(&format!("{field}.guns"), &self.guns),
            brigades,
            file: self.clone(),
        }
    }
}

impl Held {
    fn place(&self, brigade: u16) -> Option<usize> {
        self.brigades.iter().position(|&other| other == brigade)
    }

    /// Whether the enemy has released a brigade of these.
    fn loose(&self, t: &Table, place: usize) -> bool {
        note(t, self.number) >> place & 1 == 1
    }

    fn frozen(&self, t: &Table, place: usize) -> bool {
        self.until.is_none_or(|until| t.turn() < until) && !self.loose(t, place)
    }

    fn is_frozen(&self, t: &Table, brigade: u16) -> bool {
        self.place(brigade)
            .is_some_and(|place| self.frozen(t, place))
    }

    fn check(&self, frozen: bool) -> Check {
        if frozen {
            let cite = Cite(self.file.rule.clone().into());
            return Err(Refusal::new(cite, "is held back until it is released"));
        }
        Ok(())
    }

    /// Whether somebody is held: a unit with its brigade, a leader with all that is left of his.
    fn holds(&self, t: &Table, unit: UnitId) -> bool {
        if self.leaders.contains(&unit) {
            return (0..self.brigades.len()).all(|place| self.frozen(t, place));
        }
        self.is_frozen(t, Field::new(t).card(unit).brigade)
    }

    /// Lets a brigade go, and all of them if they go together.
    fn release(&self, t: &mut Table, place: usize) {
        if !self.frozen(t, place) {
            return;
        }
        let bits = if self.file.each { 1 << place } else { u64::MAX };
        let bits = note(t, self.number) | bits;
        remember(t, self.number, bits);
        t.say(|t| {
            let named = |&brigade: &u16| rules(t).brigades[usize::from(brigade)].name.clone();
            let who: Vec<String> = match self.file.each {
                true => self.brigades[place..=place].iter().map(named).collect(),
                false => self.brigades.iter().map(named).collect(),
            };
            let text = format!("{} released", who.join(", "));
            Event::new("released", Cite(self.file.rule.clone().into()), text)
        });
    }

    /// Whether a hex is next to what they look at.
    fn near(&self, t: &Table, hex: HexId) -> bool {
        let (field, board) = (Field::new(t), t.board());
        let beside = self.beside.iter().any(|&at| board.distance(at, hex) <= 1);
        let guns = || {
            board.neighbours(hex).any(|(_, next)| {
                self.guns[next.index()]
                    && field.fighters(next).any(|unit| {
                        field.card(unit).is_guns() && field.card(unit).side == self.side
                    })
            })
        };
        self.enters[hex.index()] || beside || guns()
    }

    /// Whether somebody of a brigade stands within so many hexes.
    fn reached(&self, t: &Table, place: usize, hex: HexId) -> bool {
        let Some(within) = self.file.within else {
            return false;
        };
        let units = &rules(t).brigades[usize::from(self.brigades[place])].units;
        let mut hexes = units.iter().filter_map(|&unit| t.hex(unit));
        hexes.any(|at| t.board().distance(at, hex) <= within)
    }
}

impl Special for Held {
    fn may_act(&self, t: &Table, brigade: u16) -> Check {
        self.check(!self.file.fires && self.is_frozen(t, brigade))
    }

    fn may_move(&self, t: &Table, unit: UnitId) -> Check {
        self.check(!self.file.fires && self.holds(t, unit))
    }

    fn may_go(&self, t: &Table, unit: UnitId) -> Check {
        self.check(self.holds(t, unit))
    }

    fn may_withdraw(&self, t: &Table, unit: UnitId) -> Check {
        self.check(!self.file.reacts && self.holds(t, unit))
    }

    fn may_answer(&self, t: &Table, unit: UnitId) -> Check {
        let may = self.file.fires || self.file.reacts;
        self.check(!may && self.holds(t, unit))
    }

    fn uses(&self, t: &Table, brigade: u16, usual: u8) -> u8 {
        let place = self.place(brigade).filter(|_| self.until == Some(t.turn()));
        let eased = place.filter(|&place| !self.loose(t, place));
        match eased.and(self.file.eases) {
            Some(most) => usual.min(most),
            None => usual,
        }
    }

    fn entered(&self, t: &mut Table, unit: UnitId, hex: HexId) {
        let field = Field::new(t);
        let deed = field.deed(unit);
        let passive = deed.any(Deed::FLEES) || deed.any(Deed::TESTED) && !self.file.advances;
        if passive || !field.rules.fights(unit) || field.card(unit).side == self.side {
            return;
        }
        let near = self.near(t, hex);
        for place in 0..self.brigades.len() {
            if near || self.reached(t, place, hex) {
                self.release(t, place);
            }
        }
    }

    fn aimed(&self, t: &mut Table, unit: UnitId, at: HexId) {
        let field = Field::new(t);
        let card = field.card(unit);
        let counts = match self.file.fire {
            None => false,
            Some(Shooters::Foot) => card.kind == Kind::Foot,
            Some(Shooters::Any) => true,
        };
        if !counts || card.side == self.side {
            return;
        }
        let struck: Vec<usize> = field
            .fighters(at)
            .filter_map(|unit| self.place(field.card(unit).brigade))
            .collect();
        for place in struck {
            self.release(t, place);
        }
    }

    fn activation_over(&self, t: &mut Table) {
        let Some(wanted) = self.file.prizes.filter(|_| phasing(t) != self.side) else {
            return;
        };
        let field = Field::new(t);
        let enemy = Some(self.side.other());
        let taken = victory::prizes(t).filter(|&(hex, ..)| field.holder(hex) == enemy);
        if taken.count() >= wanted {
            for place in 0..self.brigades.len() {
                self.release(t, place);
            }
        }
    }
}
