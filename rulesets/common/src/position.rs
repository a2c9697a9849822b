//! A situation set up by hand: what a position file may say.

use crate::field::rules;
use crate::rules::Rules;
use crate::state::{Condition, Due, Held, boxes};
use cupola_data::Problems;
use cupola_kernel::{Place, PositionFile, Setup, Table, UnitId};
use cupola_kit::PositionReader;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The state of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct State {
    /// Take every counter off the map first.
    clear: bool,
    /// Units by id.
    units: BTreeMap<String, UnitState>,
    /// Who holds which place that is worth something, by its hex.
    held: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct UnitState {
    /// A hex or a box.
    at: Option<String>,
    /// Steps lost.
    lost: u8,
    shaken: bool,
    /// Cut off from supply.
    cut: bool,
    /// Other ratings than the counter's.
    strength: Option<u8>,
    movement: Option<u8>,
    quality: Option<u8>,
    range: Option<u8>,
    /// To come: the turn, and the entry.
    due: Option<String>,
    by: Option<String>,
}

/// Reads a position's state and puts it on the table.
pub fn apply(t: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
    let (mut reader, state) = PositionReader::read::<State>(file)?;
    if state.clear {
        t.units()
            .for_each(|unit| t.place(unit, Place::Box(boxes::OUT)));
    }
    for (field, unit, state) in reader.units(t, &state.units) {
        rate(t, &mut reader, &field, unit, state);
        set(t, &mut reader, &field, unit, state);
    }
    for (hex, side) in reader.control(t, "state.held", &state.held) {
        let place = rules(t)
            .victory
            .places
            .iter()
            .position(|place| place.hex == hex);
        match place {
            Some(place) => t.res_mut::<Held>().0[place] = Some(side),
            None => {
                let message = format!("nothing in {} is worth points", t.board().label(hex));
                reader.wrong("state.held", message);
            }
        }
    }
    check_stacking(t, &mut reader);
    reader.no_shared_hexes(t);
    reader.finish()
}

/// Ratings that a position wants otherwise.
fn rate(t: &mut Setup, reader: &mut PositionReader, field: &str, unit: UnitId, state: &UnitState) {
    let mut card = rules(t).card(unit).clone();
    let ratings = [
        ("strength", state.strength, &mut card.strength, 1..=99),
        ("movement", state.movement, &mut card.movement, 1..=24),
        ("quality", state.quality, &mut card.quality, 0..=20),
        ("range", state.range, &mut card.range, 0..=20),
    ];
    let mut any = false;
    for (name, value, place, track) in ratings {
        if let Some(value) = value {
            reader.within(&format!("{field}.{name}"), value, track);
            (*place, any) = (value, true);
        }
    }
    if any {
        t.amend::<Rules>(|rules| rules.cards[usize::from(unit.0)] = card);
    }
}

fn set(t: &mut Table, reader: &mut PositionReader, field: &str, unit: UnitId, state: &UnitState) {
    let steps = rules(t).card(unit).steps;
    let place = state
        .at
        .as_ref()
        .and_then(|at| reader.place(t, &format!("{field}.at"), at, &boxes::NAMES));
    if let Some(place) = place {
        t.place(unit, place);
    }
    let gone = t.stacks().place(unit) == Place::Box(boxes::LOST);
    let most = if gone { steps } else { steps.saturating_sub(1) };
    reader.within(&format!("{field}.lost"), state.lost, 0..=most);
    *t.get_mut::<Condition>(unit) = Condition {
        lost: if gone { steps } else { state.lost.min(most) },
        shaken: state.shaken,
        cut: state.cut,
        spent: false,
    };
    if let Some(turn) = state
        .due
        .as_ref()
        .and_then(|id| reader.turn(t, &format!("{field}.due"), id))
    {
        t.get_mut::<Due>(unit).turn = turn;
        t.place(unit, Place::Box(boxes::TRACK));
    }
    if let Some(name) = &state.by {
        let entries: Vec<String> = rules(t)
            .entries
            .iter()
            .map(|entry| entry.name.clone())
            .collect();
        let known = entries.iter().map(String::as_str);
        if let Some(entry) = reader.named(&format!("{field}.by"), ("entry", name), known) {
            t.get_mut::<Due>(unit).entry = entry as u8;
        }
    }
    if t.stacks().place(unit) == Place::Box(boxes::TRACK) && rules(t).entries.is_empty() {
        reader.wrong(field, "nobody comes later in this scenario");
    }
}

fn check_stacking(t: &Table, reader: &mut PositionReader) {
    let most = usize::from(rules(t).stacking);
    for hex in t
        .board()
        .hexes()
        .filter(|&hex| t.stacks().units(hex).count() > most)
    {
        let last = t.stacks().units(hex).last();
        let id = last.map_or("?", |unit| &t.info(unit).id);
        let message = format!("{} holds more than {most} units", t.board().label(hex));
        reader.wrong(&format!("state.units.{id}.at"), message);
    }
}
