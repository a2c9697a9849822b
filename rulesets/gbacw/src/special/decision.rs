//! *Day of Decision*: D2 Heth rests, D3 Buford watches, D5 the crossroads; and Buford's recall, which the whole battle
//! has as well.

use super::{Special, goes, note, remember};
use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push};
use crate::field::{Field, rules, wear_mut};
use crate::load::Names;
use crate::orders;
use crate::rules::Kind;
use crate::state::{Activation, Cup, Frame, Order, boxes};
use crate::victory::holds;
use cupola_kernel::{Check, Event, HexId, Options, Place, Side, Table, UnitId, forbid, rule};
use serde::Deserialize;

/// D2 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestingFile {
    /// Brigades in reserve.
    pub brigades: Vec<String>,
    /// The turn on which they have rested.
    pub until: String,
    /// An enemy this near to one of them ends it.
    pub within: u32,
    /// So does enemy infantry on this ground.
    pub ground: Vec<(String, String)>,
    /// The marker with which they act on that turn.
    pub with: String,
}

/// D2: brigades that rest until an hour, or until the enemy comes.
pub struct Resting {
    brigades: Vec<u16>,
    side: Side,
    until: u16,
    within: u32,
    ground: Vec<bool>,
    with: u16,
    number: usize,
}

/// They were roused on this turn.
const ROUSED: u64 = 1;

impl RestingFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Resting {
        let brigades = names.brigades(&format!("{field}.brigades"), &self.brigades);
        Resting {
            side: names.side_of_brigade(brigades.first().copied().unwrap_or(0)),
            brigades,
            until: names.turn(&format!("{field}.until"), &self.until),
            within: self.within,
            ground: names.area(&format!("{field}.ground"), &self.ground),
            with: names.formation(&format!("{field}.with"), &self.with),
            number,
        }
    }
}

impl Resting {
    /// Their own marker.
    fn own(&self, t: &Table) -> u16 {
        let first = self.brigades.first().copied().unwrap_or(0);
        rules(t).brigades[usize::from(first)].formation
    }

    fn rests(&self, t: &Table, brigade: u16) -> bool {
        t.turn() < self.until
            && self.brigades.contains(&brigade)
            && Field::new(t).wear(brigade).order == Order::Reserve
    }

    fn alarmed(&self, t: &Table, unit: UnitId, hex: HexId) -> bool {
        let field = Field::new(t);
        if field.card(unit).kind == Kind::Foot && self.ground[hex.index()] {
            return true;
        }
        let brigades = self.brigades.iter();
        let mut units = brigades.flat_map(|&b| &field.rules.brigades[usize::from(b)].units);
        units.any(|&other| {
            t.hex(other)
                .is_some_and(|at| t.board().distance(at, hex) <= self.within)
        })
    }
}

impl Special for Resting {
    fn may_order(&self, t: &Table, brigade: u16, order: Order) -> Check {
        let rests = order == Order::None && self.rests(t, brigade);
        forbid(rests, rule!("D2"), "rests until later")
    }

    fn turn_begins(&self, t: &mut Table) {
        for &brigade in &self.brigades {
            let resting = Field::new(t).wear(brigade).order == Order::Reserve;
            if t.turn() == self.until && resting {
                orders::give(t, brigade, Order::None);
            }
        }
    }

    fn entered(&self, t: &mut Table, unit: UnitId, hex: HexId) {
        let enemy = rules(t).card(unit).side != self.side && rules(t).fights(unit);
        let any = self.brigades.iter().any(|&brigade| self.rests(t, brigade));
        if !enemy || !any || !self.alarmed(t, unit, hex) {
            return;
        }
        // For the rest of the turn they act after those whose markers are left; their own are void.
        let own = usize::from(self.own(t));
        let cup = t.res_mut::<Cup>();
        let markers = cup.left[usize::from(self.with)];
        cup.left[own] = 0;
        for &brigade in &self.brigades {
            orders::give(t, brigade, Order::None);
            wear_mut(t, brigade).uses = markers;
        }
        remember(t, self.number, ROUSED);
    }

    fn activation_over(&self, t: &mut Table) {
        let over = t.res::<Activation>().formation == self.with;
        if over && note(t, self.number) == ROUSED {
            push(t, Frame::Rule(self.number as u8, 0));
        }
    }

    fn go(&self, t: &mut Table, _: u8) {
        pop(t);
        let own = self.own(t);
        crate::activation::begin(t, own);
    }

    fn turn_ends(&self, t: &mut Table) {
        remember(t, self.number, 0);
    }
}

/// D3 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchingFile {
    /// Brigades that stay.
    pub brigades: Vec<String>,
    /// Their leader, who stays with them.
    pub leader: String,
    /// How near an enemy must come.
    pub within: u32,
}

/// D3: a division that stays where it is until an enemy moves near.
pub struct Watching {
    number: usize,
    brigades: Vec<u16>,
    leader: UnitId,
    side: Side,
    within: u32,
}

impl WatchingFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Watching {
        let brigades = names.brigades(&format!("{field}.brigades"), &self.brigades);
        Watching {
            number,
            side: names.side_of_brigade(brigades.first().copied().unwrap_or(0)),
            brigades,
            leader: names.unit(&format!("{field}.leader"), &self.leader),
            within: self.within,
        }
    }
}

impl Special for Watching {
    fn may_act(&self, t: &Table, brigade: u16) -> Check {
        let stays = note(t, self.number) == 0 && self.brigades.contains(&brigade);
        forbid(stays, rule!("D3"), "watches until an enemy comes near")
    }

    fn may_move(&self, t: &Table, unit: UnitId) -> Check {
        let stays = note(t, self.number) == 0 && unit == self.leader;
        forbid(stays, rule!("D3"), "watches until an enemy comes near")?;
        self.may_act(t, rules(t).card(unit).brigade)
    }

    fn entered(&self, t: &mut Table, unit: UnitId, hex: HexId) {
        let enemy = rules(t).card(unit).side != self.side && goes(t, unit);
        if !enemy || note(t, self.number) != 0 {
            return;
        }
        let brigades = self.brigades.iter();
        let mut units = brigades.flat_map(|&b| &rules(t).brigades[usize::from(b)].units);
        let near = units.any(|&other| {
            t.hex(other)
                .is_some_and(|at| t.board().distance(at, hex) <= self.within)
        });
        if near {
            remember(t, self.number, 1);
        }
    }
}

/// Buford's recall in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecalledFile {
    /// Brigades that go, with their leader.
    pub brigades: Vec<String>,
    pub leader: String,
    /// From this turn on.
    pub from: String,
    /// The lowest total of die and modifiers that calls them away.
    pub needs: i32,
    /// What every turn more adds.
    pub hourly: i32,
    /// What an enemy this near takes off.
    pub pressed: (u32, i32),
}

/// A division that is called away by the die, sooner or later.
pub struct Recalled {
    brigades: Vec<u16>,
    leader: UnitId,
    from: u16,
    needs: i32,
    hourly: i32,
    pressed: (u32, i32),
}

impl RecalledFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str) -> Recalled {
        Recalled {
            brigades: names.brigades(&format!("{field}.brigades"), &self.brigades),
            leader: names.unit(&format!("{field}.leader"), &self.leader),
            from: names.turn(&format!("{field}.from"), &self.from),
            needs: self.needs,
            hourly: self.hourly,
            pressed: self.pressed,
        }
    }
}

/// The counters of some brigades that are on the map, their leaders among them.
fn counters(t: &Table, brigades: &[u16]) -> Vec<UnitId> {
    let brigades = brigades.iter().map(|&b| &rules(t).brigades[usize::from(b)]);
    let all = brigades.flat_map(|brigade| brigade.units.iter().copied().chain(brigade.leader));
    all.filter(|&unit| t.hex(unit).is_some()).collect()
}

/// Brigades leave the game.
fn leave(t: &mut Table, brigades: &[u16], to: u8, section: &'static str) {
    for unit in counters(t, brigades) {
        t.place(unit, Place::Box(to));
    }
    t.say(|t| {
        let names = brigades.iter();
        let names: Vec<&str> = names
            .map(|&brigade| rules(t).brigades[usize::from(brigade)].name.as_str())
            .collect();
        let text = format!("{} rides off", names.join(", "));
        Event::new("withdrawn", cupola_kernel::Cite::new(section), text)
    });
}

impl Special for Recalled {
    fn turn_begins(&self, t: &mut Table) {
        let there = counters(t, &self.brigades);
        if t.turn() < self.from || there.is_empty() {
            return;
        }
        let field = Field::new(t);
        let side = field.card(there[0]).side;
        let pressed = there.iter().any(|&unit| {
            t.hex(unit)
                .is_some_and(|hex| field.enemy_within(side, hex, self.pressed.0))
        });
        let hours = i32::from(t.turn() - self.from);
        let modifier = hours * self.hourly - if pressed { self.pressed.1 } else { 0 };
        let die = i32::from(t.roll(10, "recall", self.leader)) - 1;
        if die + modifier >= self.needs {
            leave(t, &self.brigades, boxes::WITHDRAWN, "5.4");
            if t.hex(self.leader).is_some() {
                t.place(self.leader, Place::Box(boxes::WITHDRAWN));
            }
        }
    }
}

/// D5 in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossroadsFile {
    /// The crossroads and what is around them.
    pub hexes: Vec<String>,
    /// Markers of the divisions of which one does not come while the enemy holds them.
    pub divisions: Vec<String>,
    /// Cavalry of which two are sent away; the brigades of a line go together and count as one.
    pub cavalry: Vec<(Vec<String>, bool)>,
    /// Where it comes back.
    pub entries: Vec<String>,
}

/// D5: who loses the crossroads loses a division that was to come, and cavalry that must guard the trains.
pub struct Crossroads {
    number: usize,
    hexes: Vec<HexId>,
    divisions: Vec<u16>,
    cavalry: Vec<(Vec<u16>, bool)>,
    gate: u16,
}

/// The enemy has had them: the rest of the corps comes an hour later.
const LOST: u64 = 1;
/// The enemy has had them since the turn began.
const WHOLE: u64 = 2;
/// The owner has had them since the turn began.
const KEPT: u64 = 4;
/// Cavalry was sent away.
const SENT: u64 = 8;
/// Lines of cavalry that were, a bit each.
const WHO: u32 = 8;
/// The turn on which it comes back.
const BACK: u32 = 32;

/// Questions: a division that stays away, the first and the second of the cavalry.
const DIVISION: u8 = 0;

impl CrossroadsFile {
    /// Makes the rule.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Crossroads {
        let divisions = self.divisions.iter();
        let divisions = divisions
            .map(|marker| names.formation(&format!("{field}.divisions"), marker))
            .collect();
        let cavalry = self.cavalry.iter();
        let cavalry = cavalry
            .map(|(brigades, returns)| {
                let brigades = names.brigades(&format!("{field}.cavalry"), brigades);
                (brigades, *returns)
            })
            .collect();
        Crossroads {
            number,
            hexes: names.hexes(&format!("{field}.hexes"), &self.hexes),
            divisions,
            cavalry,
            gate: names.gate(&format!("{field}.entries"), Side::First, &self.entries),
        }
    }
}

impl Crossroads {
    fn held(&self, t: &Table, side: Side) -> bool {
        self.hexes.iter().all(|&hex| holds(t, side, hex))
    }

    fn is(&self, t: &Table, bits: u64) -> bool {
        note(t, self.number) & bits != 0
    }

    fn set(&self, t: &mut Table, bits: u64, on: bool) {
        let now = note(t, self.number);
        remember(t, self.number, if on { now | bits } else { now & !bits });
    }

    /// Whether nobody of a division has come yet.
    fn awaited(t: &Table, formation: u16) -> bool {
        let brigades = rules(t).formations[usize::from(formation)].brigades.iter();
        let mut units = brigades
            .filter(|&&b| rules(t).brigades[usize::from(b)].formation == formation)
            .flat_map(|&b| &rules(t).brigades[usize::from(b)].units);
        units.all(|&unit| t.stacks().place(unit) == Place::Box(boxes::AWAITED))
    }

    /// Lines of cavalry that are on the map.
    fn riders(&self, t: &Table) -> Vec<usize> {
        let lines = self.cavalry.iter().enumerate();
        lines
            .filter(|(_, (brigades, _))| !counters(t, brigades).is_empty())
            .map(|(line, _)| line)
            .collect()
    }

    /// What answers a question.
    fn answers(&self, t: &Table, step: u8) -> Vec<Do> {
        if step == DIVISION {
            let away = self
                .divisions
                .iter()
                .filter(|&&f| Crossroads::awaited(t, f));
            let token = |&f: &u16| rules(t).formations[usize::from(f)].token;
            return away.map(|f| Do::Marker(token(f))).collect();
        }
        let first = |line: usize| self.cavalry[line].0.first().copied();
        let riders = self.riders(t).into_iter().filter_map(first);
        riders
            .map(|brigade| Do::Brigade(rules(t).brigades[usize::from(brigade)].token))
            .collect()
    }

    /// Whether a unit's line of cavalry was sent away.
    fn sent(&self, t: &Table, unit: UnitId) -> bool {
        let card = rules(t).card(unit);
        let line = self
            .cavalry
            .iter()
            .position(|(brigades, _)| brigades.contains(&card.brigade));
        line.is_some_and(|line| note(t, self.number) >> (WHO + line as u32) & 1 == 1)
    }
}

impl Special for Crossroads {
    fn turn_begins(&self, t: &mut Table) {
        let (south, union) = (self.held(t, Side::Second), self.held(t, Side::First));
        self.set(t, WHOLE, south);
        self.set(t, KEPT, union);
    }

    fn activation_over(&self, t: &mut Table) {
        if !self.held(t, Side::First) {
            self.set(t, KEPT, false);
        }
        if !self.held(t, Side::Second) {
            self.set(t, WHOLE, false);
            return;
        }
        let any = self.divisions.iter().any(|&f| Crossroads::awaited(t, f));
        if !self.is(t, LOST) && any {
            self.set(t, LOST, true);
            push(t, Frame::Rule(self.number as u8, DIVISION));
        }
    }

    fn turn_ends(&self, t: &mut Table) {
        if self.is(t, WHOLE) && !self.is(t, SENT) && !self.riders(t).is_empty() {
            self.set(t, SENT, true);
            push(t, Frame::Rule(self.number as u8, 2));
            push(t, Frame::Rule(self.number as u8, 1));
        }
        let back = note(t, self.number) >> BACK;
        if self.is(t, SENT) && self.is(t, KEPT) && back == 0 {
            let next = u64::from(t.turn() + 1);
            self.set(t, next << BACK, true);
        }
    }

    fn ask(&self, t: &Table, stage: u8) -> Question {
        let question = if stage == DIVISION {
            "division"
        } else {
            "cavalry"
        };
        let any = !self.answers(t, stage).is_empty();
        any.then_some((Side::First, question, "D5"))
    }

    fn options(&self, t: &Table, stage: u8, out: &mut Options) {
        let answers = self.answers(t, stage).into_iter();
        answers.for_each(|answer| out.push(answer));
    }
    fn take(&self, t: &mut Table, _: u8, answer: Do) -> Answer {
        pop(t);
        match answer {
            Do::Marker(token) => {
                let found = rules(t).formations.iter().find(|f| f.token == token);
                let brigades = found.map_or(vec![], |f| f.brigades.clone());
                for brigade in brigades {
                    let this = &rules(t).brigades[usize::from(brigade)];
                    let units = this.units.iter().copied().chain(this.leader);
                    for unit in units.collect::<Vec<_>>() {
                        if t.stacks().place(unit) == Place::Box(boxes::AWAITED) {
                            t.place(unit, Place::Box(boxes::WITHDRAWN));
                        }
                    }
                }
                crate::entry::look(t);
            }
            Do::Brigade(token) => {
                let brigade = Field::new(t).brigade_of(token);
                let mut lines = self.cavalry.iter();
                let Some(line) = lines.position(|(all, _)| all.contains(&brigade)) else {
                    return Err(not_asked());
                };
                let (brigades, returns) = &self.cavalry[line];
                let to = if *returns {
                    boxes::AWAITED
                } else {
                    boxes::WITHDRAWN
                };
                leave(t, brigades, to, "D5");
                self.set(t, 1 << (WHO + line as u32), true);
            }
            _ => return Err(not_asked()),
        }
        Ok(())
    }

    fn prompt(&self, _: &Table, step: u8) -> String {
        match step {
            DIVISION => "Which division stays away?".into(),
            _ => "Which cavalry is sent to guard the trains?".into(),
        }
    }

    fn arrival(&self, t: &Table, unit: UnitId) -> Option<(u16, u16)> {
        if self.is(t, SENT) && self.sent(t, unit) {
            let back = (note(t, self.number) >> BACK) as u16;
            return Some((if back == 0 { u16::MAX } else { back }, self.gate));
        }
        let late = self.is(t, LOST)
            && self.divisions.iter().any(|&f| {
                let brigade = rules(t).card(unit).brigade;
                let this = rules(t).brigades.get(usize::from(brigade));
                this.is_some_and(|this| this.formation == f)
            });
        let (turn, gate) = rules(t).starts[usize::from(unit.0)]
            .arrives
            .filter(|_| late)?;
        Some((turn + 1, gate))
    }
}
