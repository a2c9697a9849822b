//! A situation set up by hand: what a position file of this ruleset may say.

use crate::field::{occupy, rules, status_mut};
use crate::load::OPTIONS;
use crate::rules::Order;
use crate::state::{Affairs, Chits, Commanding, Frame, Stack, Status, Troops, boxes};
use crate::units::Units;
use crate::{march, rules::Meaning};
use cupola_cup::{Chit, Spot};
use cupola_data::Problems;
use cupola_kernel::{HexId, Place, PositionFile, Side, Table, UnitId};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The state of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct State {
    /// Take every counter off the map first.
    clear: bool,
    /// Units by id.
    units: BTreeMap<String, UnitState>,
    /// Chits by name and where they are; with any, all others are out of the game.
    chits: BTreeMap<String, SpotName>,
    /// A Friction chit was drawn before.
    friction: bool,
    /// Hancock commands.
    hancock: bool,
    /// Generals that have fallen.
    fallen: Vec<String>,
    /// The first casualties have been.
    first_casualties_done: bool,
    /// Optional groups that have come, by name, and the turn on which they did.
    options: BTreeMap<String, String>,
    /// What is under way.
    doing: Option<Doing>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct UnitState {
    at: Option<String>,
    worn: bool,
    shaken: bool,
    mounted: bool,
    cheered: bool,
    chaos: bool,
    /// The hex by which it left the map.
    gate: Option<String>,
    /// Its entry was held last turn.
    delayed: bool,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SpotName {
    Pool,
    Cup,
    Held,
    Used,
    Excluded,
}

/// Something under way when the position begins.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Doing {
    /// A formation acts under an order.
    Activation { formation: String, order: String },
    /// A formation fires.
    Fire { formation: String, order: String },
    /// A formation moves.
    March { formation: String, order: String },
    /// A formation assaults.
    Assault { formation: String },
    /// A formation rallies.
    Rally { formation: String },
    /// A side has drawn an event.
    Event { chit: String },
    /// A general's chit was drawn.
    General { chit: String },
    /// The Fog of War table.
    Fog,
    /// The artillery phase begins with this side.
    Guns { side: String },
}

struct Reader<'a> {
    file: &'a PositionFile,
    problems: Problems,
}

impl Reader<'_> {
    fn wrong<'n>(
        &mut self,
        field: &str,
        message: String,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) {
        let problem = self.file.source.problem(&self.file.field(field), message);
        self.problems.push(problem.with_nearest(name, known));
    }

    fn hex(&mut self, t: &Table, field: &str, label: &str) -> Option<HexId> {
        let found = t.board().hex(label);
        found
            .map_err(|wrong| {
                let field = self.file.field(field);
                let problem = self.file.source.problem(&field, wrong.to_string());
                self.problems.push(problem);
            })
            .ok()
    }

    fn chit(&mut self, t: &Table, field: &str, name: &str) -> Chit {
        let tokens = &t.env().tokens[..rules(t).chits.len()];
        let found = tokens.iter().position(|token| token == name);
        if found.is_none() {
            self.wrong(
                field,
                format!("no chit \"{name}\""),
                name,
                tokens.iter().map(String::as_str),
            );
        }
        Chit(found.unwrap_or(0) as u8)
    }

    fn formation(&mut self, t: &Table, name: &str) -> (Side, Units) {
        let token = t.env().tokens.iter().position(|token| token == name);
        let token = token.map(|token| cupola_kernel::TokenId(token as u16));
        let rules = rules(t);
        if let Some(brigade) = token.and_then(|token| rules.brigade_of(token)) {
            return (rules.brigades[brigade].side, rules.brigades[brigade].units);
        }
        if let Some(division) = token.and_then(|token| rules.division_of(token)) {
            return (
                rules.divisions[division].side,
                rules.divisions[division].units,
            );
        }
        let known = t.env().tokens.iter().map(String::as_str);
        self.wrong(
            "state.doing",
            format!("no formation \"{name}\""),
            name,
            known,
        );
        (Side::First, Units::NONE)
    }

    fn order(&mut self, name: &str) -> Order {
        let found = Order::ALL.into_iter().find(|order| order.name() == name);
        if found.is_none() {
            let known = Order::ALL.map(Order::name);
            self.wrong("state.doing", format!("no order \"{name}\""), name, known);
        }
        found.unwrap_or(Order::None)
    }

    fn frame(&mut self, t: &Table, doing: &Doing) -> Frame {
        match doing {
            Doing::Activation { formation, order } => {
                let (side, units) = self.formation(t, formation);
                Frame::Activation(side, units, self.order(order), 0, 0)
            }
            Doing::Fire { formation, order } => {
                let (side, units) = self.formation(t, formation);
                Frame::FireStep(side, units, self.order(order))
            }
            Doing::March { formation, order } => {
                let (side, units) = self.formation(t, formation);
                Frame::MoveStep(units, march::under(side, self.order(order), 0))
            }
            Doing::Assault { formation } => {
                let (side, units) = self.formation(t, formation);
                Frame::Declare(side, units)
            }
            Doing::Rally { formation } => {
                let (side, units) = self.formation(t, formation);
                Frame::Activation(side, units, Order::Defend, 0, 3)
            }
            Doing::Event { chit } => {
                let chit = self.chit(t, "state.doing", chit);
                Frame::Event(rules(t).chit(chit).side.unwrap_or(Side::First), chit)
            }
            Doing::General { chit } => {
                let chit = self.chit(t, "state.doing", chit);
                let card = rules(t).chit(chit);
                let rating = match card.meaning {
                    Meaning::General { rating, .. } => rating,
                    _ => 0,
                };
                let side = card.side.unwrap_or(Side::First);
                let friction = t.res::<Chits>().friction;
                Frame::Command(Commanding {
                    side,
                    chit,
                    rating,
                    asked: false,
                    friction,
                    die: None,
                })
            }
            Doing::Fog => Frame::Fog,
            Doing::Guns { side } => Frame::Guns(t.env().side(side).unwrap_or(Side::First), 0),
        }
    }
}

/// Reads a position's state and puts it on the table.
pub fn apply(t: &mut Table, file: &PositionFile) -> Result<(), Problems> {
    let state: State = file.read::<State>()?.state.unwrap_or_default();
    let mut reader = Reader {
        file,
        problems: Problems::default(),
    };
    if state.clear {
        t.units()
            .for_each(|unit| t.place(unit, Place::Box(boxes::OUT)));
    }
    *t.res_mut::<Stack>() = Stack::default();
    for (id, unit) in &state.units {
        let Some(number) = t.env().unit(id) else {
            let known: Vec<String> = t.env().units.iter().map(|unit| unit.id.clone()).collect();
            reader.wrong(
                &format!("state.units.{id}"),
                format!("no unit \"{id}\""),
                id,
                known.iter().map(String::as_str),
            );
            continue;
        };
        set_unit(t, &mut reader, id, number, unit);
    }
    set_chits(t, &mut reader, &state);
    set_options(t, &mut reader, &state);
    let now = t.turn();
    let affairs = t.res_mut::<Affairs>();
    // Who is said to have fallen did so before this turn.
    affairs.reynolds = affairs.reynolds.map(|_| now.saturating_sub(1));
    affairs.hancock = state.hancock;
    affairs.fallen = [state.first_casualties_done; 2];
    t.res_mut::<Chits>().friction = state.friction;
    if let Some(doing) = &state.doing {
        let frame = reader.frame(t, doing);
        t.res_mut::<Stack>().frames.push(frame);
    }
    reader.problems.check(())
}

fn set_chits(t: &mut Table, reader: &mut Reader, state: &State) {
    if !state.chits.is_empty() {
        let all = rules(t).chits.len() as u8;
        (0..all).for_each(|chit| t.res_mut::<Chits>().cup.put(Chit(chit), Spot::Out));
    }
    for (name, spot) in &state.chits {
        let chit = reader.chit(t, &format!("state.chits.{name}"), name);
        let spot = match spot {
            SpotName::Pool => Spot::Pool,
            SpotName::Cup => Spot::Cup,
            SpotName::Held => Spot::Held,
            SpotName::Used => Spot::Used,
            SpotName::Excluded => Spot::Excluded,
        };
        t.res_mut::<Chits>().cup.put(chit, spot);
    }
    for name in &state.fallen {
        let chit = reader.chit(t, "state.fallen", name);
        crate::fog::casualty(t, chit);
    }
}

fn set_options(t: &mut Table, reader: &mut Reader, state: &State) {
    for (name, turn) in &state.options {
        let group = OPTIONS.iter().position(|(group, ..)| group == name);
        let turns = &t.env().track.turns;
        let came = turns.iter().position(|known| known.id == *turn);
        let field = format!("state.options.{name}");
        match (group, came) {
            (Some(group), Some(came)) => {
                t.res_mut::<Affairs>().came[group] = Some(came as u16);
            }
            (None, _) => {
                let known = OPTIONS.map(|(group, ..)| group);
                reader.wrong(&field, format!("no optional group \"{name}\""), name, known);
            }
            (_, None) => {
                let known: Vec<String> = turns.iter().map(|known| known.id.clone()).collect();
                let known = known.iter().map(String::as_str);
                reader.wrong(&field, format!("no turn \"{turn}\""), turn, known);
            }
        }
    }
}

fn set_unit(t: &mut Table, reader: &mut Reader, id: &str, unit: UnitId, state: &UnitState) {
    if t.res::<Troops>().0.len() <= usize::from(unit.0) {
        return;
    }
    let gate = state
        .gate
        .as_ref()
        .and_then(|gate| reader.hex(t, &format!("state.units.{id}.gate"), gate));
    *status_mut(t, unit) = Status {
        gate,
        delayed: state.delayed,
        worn: state.worn,
        shaken: state.shaken,
        mounted: state.mounted,
        cheered: state.cheered,
        frozen: state.chaos,
        ..Status::default()
    };
    let Some(at) = &state.at else { return };
    if let Some(number) = boxes::NAMES.iter().position(|name| name == at) {
        t.place(unit, Place::Box(number as u8));
        return;
    }
    if let Some(hex) = reader.hex(t, &format!("state.units.{id}.at"), at) {
        occupy(t, unit, hex);
    }
}
