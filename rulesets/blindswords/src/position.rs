//! A situation set up by hand: what a position file of this ruleset may say.

use crate::amend::{self, Amendments};
use crate::field::{Field, claim, occupy, rules, status_mut};
use crate::march;
use crate::rules::{ChitCard, Kind, Meaning, Order, Start};
use crate::state::{Affairs, Chits, Commanding, Frame, Stack, Status, boxes};
use crate::units::Units;
use cupola_cup::{Chit, Spot};
use cupola_data::Problems;
use cupola_kernel::{HexId, Place, PositionFile, Setup, Side, Table, TokenId, UnitId};
use cupola_kit::PositionReader;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// The state of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct State {
    /// Take every counter off the map first.
    clear: bool,
    /// Units by id.
    pub units: BTreeMap<String, UnitState>,
    /// Chits by name and where they are; with any, all others are out of the game.
    chits: BTreeMap<String, SpotName>,
    /// A Friction chit was drawn before.
    friction: bool,
    /// Who stands in for a fallen commander commands.
    stand_in: bool,
    /// Rolls for him that failed so far.
    stand_in_rolls: u8,
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
    /// What the rules say otherwise here.
    #[serde(default)]
    pub amend: Amendments,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UnitState {
    at: Option<String>,
    /// Strength otherwise than on the counter: fresh and battleworn, of cavalry mounted and dismounted.
    pub sp: Option<(i8, i8)>,
    /// Cohesion, likewise.
    pub cr: Option<(i8, i8)>,
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

/// The common reader, with what only this ruleset's positions say.
struct Reader<'a>(PositionReader<'a>);

impl<'a> Deref for Reader<'a> {
    type Target = PositionReader<'a>;
    fn deref(&self) -> &PositionReader<'a> {
        &self.0
    }
}

impl DerefMut for Reader<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Reader<'_> {
    /// Whether a hex is in play.
    fn plays(&mut self, t: &Table, field: &str, hex: HexId) -> bool {
        let plays = rules(t).around(hex).next().is_some();
        if !plays {
            let label = t.board().label(hex);
            self.wrong(field, format!("{label} is outside the field of play"));
        }
        plays
    }

    fn chit(&mut self, t: &Table, field: &str, name: &str) -> Chit {
        let chits = &t.env().tokens[..rules(t).chits.len()];
        let known = chits.iter().map(String::as_str);
        Chit(self.named(field, ("chit", name), known).unwrap_or(0) as u8)
    }

    fn formation(&mut self, t: &Table, name: &str) -> (Side, Units) {
        let (from, rules) = (rules(t).chits.len(), rules(t));
        let to = from + rules.brigades.len() + rules.divisions.len();
        let known = t.env().tokens[from..to].iter().map(String::as_str);
        let found = self.named("state.doing", ("formation", name), known);
        let token = found.map(|at| TokenId((from + at) as u16));
        let brigade = token.and_then(|token| rules.brigade_of(token));
        let division = token.and_then(|token| rules.division_of(token));
        match (brigade, division) {
            (Some(at), _) => (rules.brigades[at].side, rules.brigades[at].units),
            (_, Some(at)) => (rules.divisions[at].side, rules.divisions[at].units),
            _ => (Side::First, Units::NONE),
        }
    }

    fn order(&mut self, name: &str) -> Order {
        let known = Order::ALL.map(Order::name);
        let found = self.named("state.doing", ("order", name), known);
        found.map_or(Order::None, |at| Order::ALL[at])
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
                    self.wrong("state.doing", format!("{} is no event", card.name));
                }
                Frame::Event(card.side.unwrap_or(Side::First), chit)
            }
            Doing::General { chit } => self.general(t, chit),
            Doing::Fog => Frame::Fog,
            Doing::Guns { side } => {
                let side = self.side(t, "state.doing", side);
                Frame::Guns(side.unwrap_or(Side::First), 0)
            }
        }
    }

    fn general(&mut self, t: &Table, chit: &str) -> Frame {
        let chit = self.chit(t, "state.doing", chit);
        let card = rules(t).chit(chit);
        let rating = match card.meaning {
            Meaning::General { rating, .. } => rating,
            _ => {
                self.wrong("state.doing", format!("{} is no general", card.name));
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
pub fn apply(t: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
    let (reader, state) = PositionReader::read::<State>(file)?;
    let mut reader = Reader(reader);
    amend::apply(t, &mut reader.0, &state);
    if state.clear {
        t.units()
            .for_each(|unit| t.place(unit, Place::Box(boxes::OUT)));
    }
    *t.res_mut::<Stack>() = Stack::default();
    for (field, unit, state) in reader.units(t, &state.units) {
        set_unit(t, &mut reader, &field, unit, state);
    }
    reader.no_shared_hexes(t);
    set_control(t, &mut reader, &state);
    set_chits(t, &mut reader, &state);
    set_options(t, &mut reader, &state);
    let now = t.turn();
    let affairs = t.res_mut::<Affairs>();
    // Who is said to have fallen did so before this turn.
    affairs.fell = affairs.fell.map(|_| now.saturating_sub(1));
    (affairs.stand_in, affairs.waited) = (state.stand_in, state.stand_in_rolls);
    affairs.fallen = [state.first_casualties_done; 2];
    t.res_mut::<Chits>().friction = state.friction;
    if let Some(doing) = &state.doing {
        let frame = reader.frame(t, doing);
        t.res_mut::<Stack>().frames.push(frame);
    }
    reader.0.finish()
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
            Err(why) => reader.wrong(&field, why),
        }
    }
    let (from, count) = rules(t).generals;
    for chit in (from..from + count).map(Chit) {
        let cup = &t.res::<Chits>().cup;
        let both = [chit, Chit(chit.0 + count)].map(|chit| cup.spot(chit) != Spot::Out);
        if both == [true, true] {
            let name = &rules(t).chit(chit).name;
            let why = format!("{name} and his replacement cannot both be in the game");
            reader.wrong("state.chits", why);
        }
    }
    for name in &state.fallen {
        let chit = reader.chit(t, "state.fallen", name);
        if (from..from + count).contains(&chit.0) {
            crate::fog::casualty(t, chit);
        } else {
            reader.wrong("state.fallen", format!("{name} is no general"));
        }
    }
}

/// Who holds what; whoever stands in a hex holds it anyway.
fn set_control(t: &mut Table, reader: &mut Reader, state: &State) {
    let watched: Vec<String> = rules(t)
        .watched
        .iter()
        .map(|&hex| t.board().label(hex).to_owned())
        .collect();
    for (hex, side) in reader.control(t, "state.control", &state.control) {
        let label = t.board().label(hex).to_owned();
        let field = format!("state.control.{label}");
        let known = watched.iter().map(String::as_str);
        let what = ("hex that counts", label.as_str());
        if reader.named(&field, what, known).is_none() {
            continue;
        }
        if Field::new(t).holder(hex) == Some(side.other()) {
            reader.wrong(&field, format!("the other side stands in {label}"));
        } else {
            claim(t, side, hex);
        }
    }
}

fn set_options(t: &mut Table, reader: &mut Reader, state: &State) {
    for (name, turn) in &state.options {
        let field = format!("state.options.{name}");
        let groups = rules(t).options.iter().map(|group| group.id.clone());
        let groups: Vec<String> = groups.collect();
        let known = groups.iter().map(String::as_str);
        let group = reader.named(&field, ("optional group", name), known);
        let came = reader.turn(t, &field, turn);
        if let (Some(group), Some(came)) = (group, came) {
            t.res_mut::<Affairs>().came[group] = Some(came);
        }
    }
}

fn set_unit(t: &mut Table, reader: &mut Reader, field: &str, unit: UnitId, state: &UnitState) {
    let path = |key: &str| format!("{field}.{key}");
    let gate = state.gate.as_ref();
    let gate = gate.and_then(|gate| reader.hex(t, &path("gate"), gate));
    let place = state.at.as_ref();
    match place.and_then(|at| reader.place(t, &path("at"), at, &boxes::NAMES)) {
        Some(Place::Hex(hex)) if reader.plays(t, &path("at"), hex) => occupy(t, unit, hex),
        Some(Place::Box(number)) => t.place(unit, Place::Box(number)),
        _ => {}
    }
    let (place, now) = (t.stacks().place(unit), t.turn());
    for (key, why) in impossible(t, unit, state, gate) {
        reader.wrong(&path(key), why);
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
    let rim = gate.is_none_or(|hex| rules.ground.rim[hex.index()]);
    #[rustfmt::skip]
    let wrong = [
        (state.worn && horse, "worn", "cavalry has no fresh side to lose"),
        (state.mounted && !horse, "mounted", "only cavalry mounts"),
        (state.shaken && !on_map && !waits, "shaken", "only a unit on the map or about to enter it is shaken"),
        (state.cheered && !on_map, "cheered", "the unit is not on the map"),
        (state.chaos && !on_map, "chaos", "the unit is not on the map"),
        (state.gate.is_some() && !waits, "gate", "only a unit that is \"off map\" has a hex to come back by"),
        (!rim, "gate", "the hex is not at the edge of the map"),
        (state.delayed && (!waits || gate.is_some()), "delayed", "only a reinforcement that is \"off map\" is delayed"),
        (state.delayed && now == rules.first_turn, "delayed", "nobody was delayed before the first turn"),
        (state.at.is_some() && place == Place::Box(boxes::TRACK) && !due, "at", "the unit is not due on a later turn"),
    ];
    let found = wrong.into_iter().filter(|(applies, ..)| *applies);
    found.map(|(_, key, why)| (key, why)).collect()
}
