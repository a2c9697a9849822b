//! A situation set up by hand: what a position file of corps20 may say.

use crate::amend;
use crate::crt::CombatResult;
use crate::events::any_target;
use crate::field::{on_map, rules, unit_in};
use crate::rules::Kind;
use crate::state::{Armies, Boost, Due, Marker, Orders, Status, Way, boxes};
use cupola_data::Problems;
use cupola_kernel::{Place, PositionFile, Setup, Side, Table, UnitId};
use cupola_kit::PositionReader;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The state of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct State {
    /// Take every counter off the map first.
    clear: bool,
    /// Units and leaders by id.
    pub units: BTreeMap<String, UnitState>,
    /// Army Morale by side.
    morale: BTreeMap<String, i8>,
    /// The chief of the first side is at hand, or on the track (`Due`).
    chief: Option<MarkerState>,
    /// The artillery of the three corps.
    artillery: Option<[MarkerState; 3]>,
    /// Cards in the discard.
    discard: Vec<u8>,
    /// The card that is drawn next.
    next_card: Option<u8>,
    /// What the card of this player turn allows; it counts as drawn.
    event: Vec<Effect>,
    /// The very first turn is still to come (no card is drawn).
    first_turn: bool,
    /// Switches that stand otherwise than in the ruleset.
    pub switches: BTreeMap<String, bool>,
    /// Columns of the results table, by differential.
    pub results: BTreeMap<i8, [CombatResult; 6]>,
    /// Hexes that are woods, or are not.
    pub woods: BTreeMap<String, bool>,
    /// Hexsides that are otherwise than on the board.
    pub hexsides: Vec<HexsideState>,
}

/// A hexside and all that it has.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HexsideState {
    /// Its two hexes.
    pub between: (String, String),
    /// What it has; slopes as one crosses from the first hex to the second.
    pub is: Vec<Feature>,
}

/// What a hexside can have (§5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    Road,
    Woods,
    Creek,
    Ridge,
    Up,
    Down,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UnitState {
    at: Option<String>,
    /// Other ratings than the counter's; a leader has a range and an allowance.
    pub strength: Option<i8>,
    pub quality: Option<i8>,
    pub range: Option<i8>,
    pub movement: Option<u8>,
    fatigue: Level,
    routed: bool,
    pub cadre: bool,
    halted: bool,
    well_led: bool,
    face_down: bool,
    /// On the turn track: the turn's id.
    due: Option<String>,
    /// On the turn track: the entry's code; left out for communications.
    by: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Level {
    #[default]
    Fresh,
    Tired,
    Weary,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum MarkerState {
    Ready,
    Due(String),
    Out,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Effect {
    FreeReserves,
    DoubleTime,
    NoCombining,
    FastCouriers,
    MassedBombardment,
    CommandersInitiative,
    CommanderShot,
    CorpsHalted,
}

impl Effect {
    /// The phase in which it is felt.
    fn phase(self) -> &'static str {
        match self {
            Effect::CommanderShot | Effect::CorpsHalted => "event",
            Effect::DoubleTime | Effect::FastCouriers | Effect::CommandersInitiative => "movement",
            Effect::FreeReserves | Effect::NoCombining | Effect::MassedBombardment => "combat",
        }
    }

    /// Why it could not be felt any more in a position that begins with this phase.
    fn too_late(self, t: &Table, phase: &str) -> Option<String> {
        let own = self.phase();
        let past = match own {
            "event" => phase != "event",
            "movement" => ["combat", "morale", "round-end"].contains(&phase),
            _ => ["morale", "round-end"].contains(&phase),
        };
        if past {
            return Some(format!(
                "belongs to the phase {own}, which is over in {phase}"
            ));
        }
        let by_day = matches!(own, "combat") || self == Effect::CommandersInitiative;
        (by_day && t.is_night()).then(|| "has no effect at night (§8.1)".to_owned())
    }
}

/// Reads a position's state and puts it on the table.
pub fn apply(t: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
    let phase = file.header()?.phase;
    let (mut reader, state) = PositionReader::read::<State>(file)?;
    amend::apply(t, &mut reader, &state);
    if state.clear {
        t.units()
            .for_each(|unit| t.place(unit, Place::Box(boxes::ELIMINATED)));
    }
    for (field, unit, state) in reader.units(t, &state.units) {
        check_unit(t, &mut reader, &field, unit, state);
        set_unit(t, &mut reader, &field, unit, state);
    }
    // An army that has no morale left has lost (§10.1).
    let top = rules(t).morale.1;
    for (field, side, &morale) in reader.by_side(t, "state.morale", &state.morale) {
        reader.within(&field, morale, 1..=top);
        t.res_mut::<Armies>().morale[side] = morale;
    }
    set_markers(t, &mut reader, &state);
    set_cards(t, &mut reader, &state);
    set_orders(t, &mut reader, &state, &phase);
    check_stacking(t, &mut reader);
    reader.finish()
}

/// The deck.
fn set_cards(t: &mut Table, reader: &mut PositionReader, state: &State) {
    let numbers: Vec<u8> = rules(t).deck.iter().map(|card| card.number).collect();
    let mut card = |field: &str, number: u8| {
        let known = numbers.iter().position(|other| *other == number);
        if known.is_none() {
            let least = numbers.iter().min().copied().unwrap_or_default();
            let most = numbers.iter().max().copied().unwrap_or_default();
            let message = format!("no card {number}, expected {least} to {most}");
            reader.wrong(field, message);
        }
        known.map(|nth| nth as u8)
    };
    let discard = state.discard.iter().enumerate();
    let discard: Vec<u8> = discard
        .filter_map(|(i, &number)| card(&format!("state.discard[{i}]"), number))
        .collect();
    let next = state
        .next_card
        .and_then(|number| card("state.next_card", number));
    if next.is_some_and(|next| discard.contains(&next)) {
        reader.wrong("state.next_card", "the card is in the discard");
    }
    let armies = t.res_mut::<Armies>();
    (armies.begun, armies.next) = (!state.first_turn, next);
    armies.discard = discard.iter().fold(0, |bits, card| bits | 1 << card);
}

/// What this player turn's card does.
fn set_orders(t: &mut Table, reader: &mut PositionReader, state: &State, phase: &str) {
    for (i, effect) in state.event.iter().enumerate() {
        let nobody = *effect == Effect::CommanderShot
            && !t.player_turn().is_some_and(|side| any_target(t, side));
        let nobody = nobody.then(|| "no enemy unit is next to one of the side's own".to_owned());
        if let Some(message) = effect.too_late(t, phase).or(nobody) {
            reader.wrong(&format!("state.event[{i}]"), message);
        }
    }
    let has = |effect| state.event.contains(&effect);
    *t.res_mut::<Orders>() = Orders {
        of: t.player_turn().map(|side| (t.turn(), side)),
        drawn: !state.event.is_empty(),
        free_reserves: has(Effect::FreeReserves),
        double_time: has(Effect::DoubleTime),
        no_combining: has(Effect::NoCombining),
        couriers: has(Effect::FastCouriers),
        bombardment: has(Effect::MassedBombardment),
        initiative: has(Effect::CommandersInitiative),
        shot: has(Effect::CommanderShot),
        conflict: has(Effect::CorpsHalted),
    };
}

/// A fault of a counter: whether it is there, the key it stands at, and the reason.
type CounterFault = (bool, &'static str, &'static str);

/// What a counter cannot be, each with its reason.
fn check_unit(
    t: &Table,
    reader: &mut PositionReader,
    field: &str,
    unit: UnitId,
    state: &UnitState,
) {
    let kind = rules(t).card(unit).kind;
    let wrong = faults_of_leaders(kind, state)
        .into_iter()
        .chain(faults_of_units(kind, state));
    for (_, key, message) in wrong.filter(|(wrong, ..)| *wrong) {
        reader.wrong(&format!("{field}.{key}"), message);
    }
    // What a card gives or takes lasts for the player turn of the side that drew it (§4).
    let led = [("halted", state.halted), ("well_led", state.well_led)];
    for (key, _) in led.into_iter().filter(|(_, led)| *led) {
        if t.player_turn() != Some(rules(t).card(unit).side) {
            let message = "a card touches units of the side whose player turn it is (§4)";
            reader.wrong(&format!("{field}.{key}"), message);
        }
    }
}

impl UnitState {
    fn worn(&self) -> bool {
        self.routed || !matches!(self.fatigue, Level::Fresh)
    }

    fn is_in(&self, box_number: usize) -> bool {
        self.at.as_deref() == Some(boxes::NAMES[box_number])
    }
}

fn faults_of_leaders(kind: Kind, state: &UnitState) -> [CounterFault; 4] {
    let leader = kind == Kind::Leader;
    [
        (
            leader && state.worn(),
            "fatigue",
            "a leader neither tires nor routs (§9.1)",
        ),
        (
            leader && (state.cadre || state.halted || state.well_led),
            "cadre",
            "cadre, halted and well_led are for units, not for leaders (§9.1)",
        ),
        (
            leader && state.is_in(1),
            "at",
            "leaders do not break (§9.1)",
        ),
        (
            !leader && state.face_down,
            "face_down",
            "only leaders lie face down (§9.1)",
        ),
    ]
}

fn faults_of_units(kind: Kind, state: &UnitState) -> [CounterFault; 7] {
    let at = state.at.as_deref();
    let lost = state.is_in(1) || state.is_in(2);
    [
        (
            state.cadre && kind != Kind::Infantry,
            "cadre",
            "only infantry returns as a cadre (§8.2)",
        ),
        (
            state.cadre && state.is_in(1),
            "cadre",
            "a cadre that breaks is eliminated (§8.2)",
        ),
        (
            lost && state.worn(),
            "fatigue",
            "a unit off the map for good has no condition (§7.11)",
        ),
        (
            state.halted && state.well_led,
            "halted",
            "no card halts a unit that it leads well",
        ),
        (
            state.due.is_some() && at.is_some_and(|at| at != boxes::NAMES[0]),
            "due",
            "a unit that is due waits on the turn track, not elsewhere (§5.6)",
        ),
        (
            state.by.is_some() && state.due.is_none(),
            "by",
            "says where it comes, but not when: due",
        ),
        (
            at == Some(boxes::NAMES[0]) && state.due.is_none(),
            "at",
            "a unit on the turn track is due in some round (§5.6)",
        ),
    ]
}

fn set_unit(
    t: &mut Table,
    reader: &mut PositionReader,
    field: &str,
    unit: UnitId,
    state: &UnitState,
) {
    *t.get_mut::<Status>(unit) = Status {
        fatigue: state.fatigue as u8,
        routed: state.routed,
        cadre: state.cadre,
        moved: false,
        halted: state.halted,
        boost: if state.well_led {
            Boost::Open
        } else {
            Boost::None
        },
        face_down: state.face_down,
    };
    if let Some(turn) = &state.due
        && let Some(round) = reader.turn(t, &format!("{field}.due"), turn)
    {
        let codes = rules(t).entries.iter().map(|entry| entry.code.as_str());
        let by = state.by.as_ref().and_then(|code| {
            let entry = reader.named(&format!("{field}.by"), ("entry", code), codes)?;
            Some(Way::Entry(entry as u8))
        });
        let by = by.unwrap_or(Way::Communications);
        *t.get_mut::<Due>(unit) = Due { round, by };
        t.place(unit, Place::Box(boxes::TRACK));
    }
    let at = state.at.as_ref();
    let place = at.and_then(|at| reader.place(t, &format!("{field}.at"), at, &boxes::NAMES));
    if let Some(place) = place {
        t.place(unit, place);
    }
}

fn set_markers(t: &mut Table, reader: &mut PositionReader, state: &State) {
    let mut marker = |t: &Table, field: &str, state: &MarkerState| match state {
        MarkerState::Ready => Some(Marker::Ready),
        MarkerState::Due(turn) => reader.turn(t, field, turn).map(Marker::Due),
        MarkerState::Out => Some(Marker::Out),
    };
    let mut armies = *t.res::<Armies>();
    if let Some(chief) = state
        .chief
        .as_ref()
        .and_then(|chief| marker(t, "state.chief", chief))
    {
        armies.chief = chief;
    }
    for (i, guns) in state.artillery.iter().flatten().enumerate() {
        if let Some(guns) = marker(t, &format!("state.artillery[{i}]"), guns) {
            armies.guns[i] = guns;
        }
    }
    *t.res_mut::<Armies>() = armies;
}

/// No hex holds both sides, and never two units (§5.2).
fn check_stacking(t: &Table, reader: &mut PositionReader) {
    reader.no_shared_hexes(t);
    for side in Side::BOTH {
        for (unit, hex) in on_map(t, side) {
            let first = unit_in(t, hex).filter(|&first| first != unit);
            if let Some(first) = first.filter(|&first| rules(t).card(first).side == side) {
                let (name, other) = (&t.info(unit).id, &t.info(first).id);
                let message = format!("{} already holds {other} (§5.2)", t.board().label(hex));
                reader.wrong(&format!("state.units.{name}.at"), message);
            }
        }
    }
}
