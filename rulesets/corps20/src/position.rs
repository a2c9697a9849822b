//! A situation set up by hand: what a position file of corps20 may say.

use crate::events::any_target;
use crate::field::rules;
use crate::rules::Kind;
use crate::state::{Armies, Boost, Due, Marker, Orders, Status, Way, boxes};
use cupola_data::Problems;
use cupola_kernel::{Place, PositionFile, Side, Table, UnitId};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The state of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct State {
    /// Take every counter off the map first.
    clear: bool,
    /// Units and leaders by id.
    units: BTreeMap<String, UnitState>,
    /// Army Morale by side.
    morale: BTreeMap<String, i8>,
    /// Lee is at hand, or on the track (`Due`).
    lee: Option<MarkerState>,
    /// The artillery of the three corps.
    artillery: Option<[MarkerState; 3]>,
    /// Cards in the discard.
    discard: Vec<u8>,
    /// The card that is drawn next.
    next_card: Option<u8>,
    /// What the card of this player turn allows; it counts as drawn.
    event: Vec<Effect>,
    /// The very first Confederate turn is still to come (no card is drawn).
    first_turn: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct UnitState {
    at: Option<String>,
    fatigue: Level,
    routed: bool,
    cadre: bool,
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
pub fn apply(t: &mut Table, file: &PositionFile) -> Result<(), Problems> {
    let position = file.read::<State>()?;
    let (phase, state) = (position.phase, position.state.unwrap_or_default());
    let mut problems = Problems::default();
    if state.clear {
        t.units()
            .for_each(|unit| t.place(unit, Place::Box(boxes::ELIMINATED)));
    }
    for (id, unit) in &state.units {
        let field = format!("state.units.{id}");
        let Some(number) = t.env().unit(id) else {
            let problem = file
                .source
                .problem(&file.field(&field), format!("no unit \"{id}\""));
            problems
                .push(problem.with_nearest(id, t.env().units.iter().map(|unit| unit.id.as_str())));
            continue;
        };
        check_unit(t, file, &field, number, unit, &mut problems);
        set_unit(t, file, &field, number, unit, &mut problems);
    }
    set_morale(t, file, &state, &mut problems);
    set_markers(t, file, &state, &mut problems);
    set_cards(t, file, &state, &phase, &mut problems);
    check_stacking(t, file, &mut problems);
    problems.check(())
}

/// Army Morale stands on its track, and an army that has none has lost (§10.1).
fn set_morale(t: &mut Table, file: &PositionFile, state: &State, problems: &mut Problems) {
    let top = rules(t).morale.1;
    for (id, &value) in &state.morale {
        let field = file.field(&format!("state.morale.{id}"));
        match t.env().side(id) {
            Some(side) if (1..=top).contains(&value) => {
                t.res_mut::<Armies>().morale[side] = value;
            }
            Some(_) => {
                let message = format!("morale {value}, expected 1 to {top} (§10.1)");
                problems.push(file.source.problem(&field, message));
            }
            None => {
                let sides = t.env().sides.iter().map(|(_, side)| side.id.as_str());
                let problem = file.source.problem(&field, format!("no side \"{id}\""));
                problems.push(problem.with_nearest(id, sides));
            }
        }
    }
}

/// The deck, and what this player turn's card allows.
fn set_cards(
    t: &mut Table,
    file: &PositionFile,
    state: &State,
    phase: &str,
    problems: &mut Problems,
) {
    let cards = rules(t).deck.len() as u8;
    let mut card = |field: String, number: u8| {
        let known = (1..=cards).contains(&number);
        if !known {
            let message = format!("no card {number}, expected 1 to {cards}");
            problems.push(file.source.problem(&file.field(&field), message));
        }
        known.then(|| number - 1)
    };
    let discard = state.discard.iter().enumerate();
    let discard: Vec<u8> = discard
        .filter_map(|(i, &number)| card(format!("state.discard[{i}]"), number))
        .collect();
    let next = state
        .next_card
        .and_then(|number| card("state.next_card".into(), number));
    if next.is_some_and(|next| discard.contains(&next)) {
        let message = "the card is in the discard";
        problems.push(file.source.problem(&file.field("state.next_card"), message));
    }
    let armies = t.res_mut::<Armies>();
    (armies.begun, armies.next) = (!state.first_turn, next);
    armies.discard = discard.iter().fold(0, |bits, card| bits | 1 << card);
    set_orders(t, file, state, phase, problems);
}

fn set_orders(
    t: &mut Table,
    file: &PositionFile,
    state: &State,
    phase: &str,
    problems: &mut Problems,
) {
    for (i, effect) in state.event.iter().enumerate() {
        let nobody = *effect == Effect::CommanderShot
            && !t.player_turn().is_some_and(|side| any_target(t, side));
        let wrong = effect.too_late(t, phase).or_else(|| {
            nobody.then(|| "no enemy unit is next to one of the side's own".to_owned())
        });
        if let Some(message) = wrong {
            let field = file.field(&format!("state.event[{i}]"));
            problems.push(file.source.problem(&field, message));
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

/// What a counter cannot be, each with its reason.
fn check_unit(
    t: &Table,
    file: &PositionFile,
    field: &str,
    unit: UnitId,
    state: &UnitState,
    problems: &mut Problems,
) {
    let kind = rules(t).card(unit).kind;
    let leader = kind == Kind::Leader;
    let worn = state.routed || !matches!(state.fatigue, Level::Fresh);
    let at = state.at.as_deref();
    let lost = [Some(boxes::NAMES[1]), Some(boxes::NAMES[2])].contains(&at);
    let wrong = [
        (
            leader && worn,
            "fatigue",
            "a leader neither tires nor routs (§9.1)",
        ),
        (
            leader && (state.cadre || state.halted || state.well_led),
            "cadre",
            "cadre, halted and well_led are for units, not for leaders (§9.1)",
        ),
        (
            leader && at == Some(boxes::NAMES[1]),
            "at",
            "leaders do not break (§9.1)",
        ),
        (
            !leader && state.face_down,
            "face_down",
            "only leaders lie face down (§9.1)",
        ),
        (
            state.cadre && kind != Kind::Infantry,
            "cadre",
            "only infantry returns as a cadre (§8.2)",
        ),
        (
            state.cadre && at == Some(boxes::NAMES[1]),
            "cadre",
            "a cadre that breaks is eliminated (§8.2)",
        ),
        (
            lost && worn,
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
    ];
    for (_, key, message) in wrong.into_iter().filter(|(wrong, ..)| *wrong) {
        let field = file.field(&format!("{field}.{key}"));
        problems.push(file.source.problem(&field, message));
    }
}

fn set_unit(
    t: &mut Table,
    file: &PositionFile,
    field: &str,
    unit: UnitId,
    state: &UnitState,
    problems: &mut Problems,
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
    if let Some(turn) = &state.due {
        let round = turn_of(t, file, &format!("{field}.due"), turn, problems);
        let by = match &state.by {
            None => Way::Communications,
            Some(code) => match rules(t)
                .entries
                .iter()
                .position(|entry| entry.code == *code)
            {
                Some(entry) => Way::Entry(entry as u8),
                None => {
                    let known: Vec<String> = rules(t)
                        .entries
                        .iter()
                        .map(|entry| entry.code.clone())
                        .collect();
                    let problem = file.source.problem(
                        &file.field(&format!("{field}.by")),
                        format!("no entry \"{code}\""),
                    );
                    problems.push(problem.with_nearest(code, known.iter().map(String::as_str)));
                    Way::Communications
                }
            },
        };
        *t.get_mut::<Due>(unit) = Due { round, by };
        t.place(unit, Place::Box(boxes::TRACK));
    }
    let Some(at) = &state.at else { return };
    if let Some(number) = boxes::NAMES.iter().position(|name| name == at) {
        t.place(unit, Place::Box(number as u8));
        return;
    }
    match t.board().hex(at) {
        Ok(hex) => t.place(unit, Place::Hex(hex)),
        Err(wrong) => problems.push(
            file.source
                .problem(&file.field(&format!("{field}.at")), wrong.to_string()),
        ),
    }
}

fn turn_of(t: &Table, file: &PositionFile, field: &str, id: &str, problems: &mut Problems) -> u16 {
    let turns = &t.env().track.turns;
    turns.iter().position(|turn| turn.id == id).map_or_else(
        || {
            let problem = file
                .source
                .problem(&file.field(field), format!("no turn \"{id}\""));
            problems.push(problem.with_nearest(id, turns.iter().map(|turn| turn.id.as_str())));
            0
        },
        |i| i as u16,
    )
}

fn set_markers(t: &mut Table, file: &PositionFile, state: &State, problems: &mut Problems) {
    let mut marker = |t: &Table, field: &str, state: &MarkerState| match state {
        MarkerState::Ready => Marker::Ready,
        MarkerState::Due(turn) => Marker::Due(turn_of(t, file, field, turn, problems)),
        MarkerState::Out => Marker::Out,
    };
    if let Some(lee) = &state.lee {
        let lee = marker(t, "state.lee", lee);
        t.res_mut::<Armies>().lee = lee;
    }
    if let Some(guns) = &state.artillery {
        for (i, state) in guns.iter().enumerate() {
            let guns = marker(t, &format!("state.artillery[{i}]"), state);
            t.res_mut::<Armies>().guns[i] = guns;
        }
    }
}

/// §5.2 Two units can never be in the same hex, and no leader stands among enemies (§9.1).
fn check_stacking(t: &Table, file: &PositionFile, problems: &mut Problems) {
    for side in Side::BOTH {
        for leader in rules(t).leaders_of(side) {
            let enemy = t
                .hex(leader)
                .and_then(|hex| crate::field::enemy_in(t, side, hex));
            if let Some(enemy) = enemy {
                let (name, other) = (&t.info(leader).id, &t.info(enemy).id);
                let field = file.field(&format!("state.units.{name}.at"));
                let message = format!("the hex holds the enemy unit {other} (§9.1)");
                problems.push(file.source.problem(&field, message));
            }
        }
        for (unit, hex) in crate::field::on_map(t, side) {
            let first = crate::field::unit_in(t, hex);
            if first != Some(unit) {
                let (name, other) = (
                    &t.info(unit).id,
                    first.map_or("?", |first| &t.info(first).id),
                );
                let message = format!("{} already holds {other} (§5.2)", t.board().label(hex));
                problems.push(
                    file.source
                        .problem(&file.field(&format!("state.units.{name}.at")), message),
                );
            }
        }
    }
}
