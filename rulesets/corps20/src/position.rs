//! A situation set up by hand: what a position file of corps20 may say.

use crate::field::rules;
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
    /// What the card of this player turn allows.
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

/// Reads a position's state and puts it on the table.
pub fn apply(t: &mut Table, file: &PositionFile) -> Result<(), Problems> {
    let state: State = file.read::<State>()?.state.unwrap_or_default();
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
        set_unit(t, file, &field, number, unit, &mut problems);
    }
    for (id, &value) in &state.morale {
        match t.env().side(id) {
            Some(side) => t.res_mut::<Armies>().morale[side] = value,
            None => problems.push(file.source.problem(
                &file.field(&format!("state.morale.{id}")),
                format!("no side \"{id}\""),
            )),
        }
    }
    set_markers(t, file, &state, &mut problems);
    check_stacking(t, file, &mut problems);
    let has = |effect| state.event.contains(&effect);
    *t.res_mut::<Orders>() = Orders {
        free_reserves: has(Effect::FreeReserves),
        double_time: has(Effect::DoubleTime),
        no_combining: has(Effect::NoCombining),
        couriers: has(Effect::FastCouriers),
        bombardment: has(Effect::MassedBombardment),
        initiative: has(Effect::CommandersInitiative),
        shot: has(Effect::CommanderShot),
        conflict: has(Effect::CorpsHalted),
    };
    let armies = t.res_mut::<Armies>();
    armies.begun = !state.first_turn;
    armies.discard = state
        .discard
        .iter()
        .filter(|&&n| (1..=16).contains(&n))
        .fold(0, |bits, n| bits | 1 << (n - 1));
    problems.check(())
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

/// §5.2 Two units can never be in the same hex.
fn check_stacking(t: &Table, file: &PositionFile, problems: &mut Problems) {
    for side in Side::BOTH {
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
