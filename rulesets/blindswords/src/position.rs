//! A situation set up by hand: what a position file of this ruleset may say.

use crate::field::{Field, claim, occupy, rules, status_mut};
use crate::load::OPTIONS;
use crate::march;
use crate::rules::{ChitCard, Kind, Meaning, NOBODY, Order, Start};
use crate::state::{Affairs, Chits, Commanding, Frame, Stack, Status, boxes};
use crate::units::Units;
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
    /// Rolls for Hancock that failed so far.
    hancock_rolls: u8,
    /// Generals that have fallen.
    fallen: Vec<String>,
    /// The first casualties have been.
    first_casualties_done: bool,
    /// Optional groups that have come, by name, and the turn on which they did.
    options: BTreeMap<String, String>,
    /// Hexes worth holding and the side that holds them.
    control: BTreeMap<String, String>,
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
    /// It found its entry held last turn.
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

impl SpotName {
    /// The place, if such a chit can be there: only events are chosen or left out, only some are kept.
    fn spot(self, card: &ChitCard) -> Result<Spot, &'static str> {
        let event = matches!(card.meaning, Meaning::Event(_));
        match self {
            SpotName::Pool if event => Ok(Spot::Pool),
            SpotName::Excluded if event => Ok(Spot::Excluded),
            SpotName::Held if card.hold => Ok(Spot::Held),
            SpotName::Cup => Ok(Spot::Cup),
            SpotName::Used => Ok(Spot::Used),
            SpotName::Pool => Err("only events are in the pool"),
            SpotName::Excluded => Err("only events are left out of the cup"),
            SpotName::Held => Err("this chit cannot be kept"),
        }
    }
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
    /// Something that cannot be.
    fn impossible(&mut self, field: &str, why: impl Into<String>) {
        let field = self.file.field(field);
        self.problems.push(self.file.source.problem(&field, why));
    }

    fn side(&mut self, t: &Table, field: &str, id: &str) -> Side {
        let found = t.env().side(id);
        if found.is_none() {
            let known = t.env().sides.iter().map(|(_, side)| side.id.as_str());
            self.wrong(field, format!("no side \"{id}\""), id, known);
        }
        found.unwrap_or(Side::First)
    }

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
            .filter(|&hex| {
                let plays = rules(t).around(hex).next().is_some();
                if !plays {
                    self.impossible(field, format!("{label} is outside the field of play"));
                }
                plays
            })
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
                let card = rules(t).chit(chit);
                if rules(t).event(chit).is_none() {
                    self.impossible("state.doing", format!("{} is no event", card.name));
                }
                Frame::Event(card.side.unwrap_or(Side::First), chit)
            }
            Doing::General { chit } => self.general(t, chit),
            Doing::Fog => Frame::Fog,
            Doing::Guns { side } => Frame::Guns(self.side(t, "state.doing", side), 0),
        }
    }

    fn general(&mut self, t: &Table, chit: &str) -> Frame {
        let chit = self.chit(t, "state.doing", chit);
        let card = rules(t).chit(chit);
        let rating = match card.meaning {
            Meaning::General { rating, .. } => rating,
            _ => {
                self.impossible("state.doing", format!("{} is no general", card.name));
                0
            }
        };
        Frame::Command(Commanding {
            side: card.side.unwrap_or(Side::First),
            chit,
            rating,
            asked: false,
            friction: t.res::<Chits>().friction,
            die: None,
        })
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
    one_side_a_hex(t, &mut reader, &state);
    set_control(t, &mut reader, &state);
    set_chits(t, &mut reader, &state);
    set_options(t, &mut reader, &state);
    let now = t.turn();
    let affairs = t.res_mut::<Affairs>();
    // Who is said to have fallen did so before this turn.
    affairs.reynolds = affairs.reynolds.map(|_| now.saturating_sub(1));
    (affairs.hancock, affairs.waited) = (state.hancock, state.hancock_rolls);
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
        let field = format!("state.chits.{name}");
        let chit = reader.chit(t, &field, name);
        match spot.spot(rules(t).chit(chit)) {
            Ok(spot) => t.res_mut::<Chits>().cup.put(chit, spot),
            Err(why) => reader.impossible(&field, why),
        }
    }
    let (from, count) = rules(t).generals;
    for chit in (from..from + count).map(Chit) {
        let cup = &t.res::<Chits>().cup;
        let both = [chit, Chit(chit.0 + count)].map(|chit| cup.spot(chit) != Spot::Out);
        if both == [true, true] {
            let name = &rules(t).chit(chit).name;
            let why = format!("{name} and his replacement cannot both be in the game");
            reader.impossible("state.chits", why);
        }
    }
    for name in &state.fallen {
        let chit = reader.chit(t, "state.fallen", name);
        if (from..from + count).contains(&chit.0) {
            crate::fog::casualty(t, chit);
        } else {
            reader.impossible("state.fallen", format!("{name} is no general"));
        }
    }
}

/// Both sides never stand in one hex.
fn one_side_a_hex(t: &Table, reader: &mut Reader, state: &State) {
    let field = Field::new(t);
    for (unit, hex) in field.on_map(Side::First) {
        let enemy = field
            .units(hex)
            .into_iter()
            .find(|&other| field.card(other).side == Side::Second);
        if let Some(enemy) = enemy {
            let (ours, theirs) = (&t.info(unit).id, &t.info(enemy).id);
            let named = if state.units.contains_key(ours) {
                ours
            } else {
                theirs
            };
            let why = format!("{ours} and {theirs} are enemies in one hex");
            reader.impossible(&format!("state.units.{named}.at"), why);
        }
    }
}

/// Who holds what; whoever stands in a hex holds it anyway.
fn set_control(t: &mut Table, reader: &mut Reader, state: &State) {
    for (label, side) in &state.control {
        let field = format!("state.control.{label}");
        let side = reader.side(t, &field, side);
        let Some(hex) = reader.hex(t, &field, label) else {
            continue;
        };
        if rules(t).watch[hex.index()] == NOBODY {
            let watched = rules(t).watched.iter().map(|&hex| t.board().label(hex));
            let watched: Vec<String> = watched.map(str::to_owned).collect();
            let known = watched.iter().map(String::as_str);
            let why = format!("nobody asks who holds {label}");
            reader.wrong(&field, why, label, known);
        } else if Field::new(t).holder(hex) == Some(side.other()) {
            reader.impossible(&field, format!("the other side stands in {label}"));
        } else {
            claim(t, side, hex);
        }
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
    let path = |key: &str| format!("state.units.{id}.{key}");
    let gate = state.gate.as_ref();
    let gate = gate.and_then(|gate| reader.hex(t, &path("gate"), gate));
    if let Some(at) = &state.at {
        match boxes::NAMES.iter().position(|name| name == at) {
            Some(number) => t.place(unit, Place::Box(number as u8)),
            None => {
                let hex = reader.hex(t, &path("at"), at);
                hex.into_iter().for_each(|hex| occupy(t, unit, hex));
            }
        }
    }
    let (place, now) = (t.stacks().place(unit), t.turn());
    for (key, why) in impossible(t, unit, state, gate) {
        reader.impossible(&path(key), why);
    }
    *status_mut(t, unit) = Status {
        gate,
        barred: state.delayed.then(|| now.saturating_sub(1)),
        worn: state.worn || place == Place::Box(boxes::BROKEN),
        shaken: state.shaken,
        mounted: state.mounted,
        cheered: state.cheered,
        frozen: state.chaos,
        ..Status::default()
    };
}

/// What cannot be so of a unit where it stands now.
fn impossible(
    t: &Table,
    unit: UnitId,
    state: &UnitState,
    gate: Option<HexId>,
) -> Vec<(&'static str, &'static str)> {
    let (rules, now) = (rules(t), t.turn());
    let horse = rules.card(unit).kind == Kind::Horse;
    let place = t.stacks().place(unit);
    let (on_map, waits) = (
        matches!(place, Place::Hex(_)),
        place == Place::Box(boxes::ENTRY),
    );
    let due = matches!(rules.starts[usize::from(unit.0)], Start::Due(turn) if turn > now);
    let rim = gate.is_none_or(|hex| rules.rim[hex.index()]);
    let wrong = [
        (
            state.worn && horse,
            "worn",
            "cavalry has no fresh side to lose",
        ),
        (state.mounted && !horse, "mounted", "only cavalry mounts"),
        (
            state.shaken && !on_map && !waits,
            "shaken",
            "only a unit on the map or about to enter it is shaken",
        ),
        (
            state.cheered && !on_map,
            "cheered",
            "the unit is not on the map",
        ),
        (
            state.chaos && !on_map,
            "chaos",
            "the unit is not on the map",
        ),
        (
            state.gate.is_some() && !waits,
            "gate",
            "only a unit that is \"off map\" has a hex to come back by",
        ),
        (!rim, "gate", "the hex is not at the edge of the map"),
        (
            state.delayed && (!waits || state.gate.is_some()),
            "delayed",
            "only a reinforcement that is \"off map\" is delayed",
        ),
        (
            state.delayed && now == rules.first_turn,
            "delayed",
            "nobody was delayed before the first turn",
        ),
        (
            state.at.is_some() && place == Place::Box(boxes::TRACK) && !due,
            "at",
            "the unit is not due on a later turn",
        ),
    ];
    let found = wrong.into_iter().filter(|(applies, ..)| *applies);
    found.map(|(_, key, why)| (key, why)).collect()
}
