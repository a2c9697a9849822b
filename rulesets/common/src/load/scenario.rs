//! The scenario: who stands where, who comes when, what is worth holding.

use super::roster::Roster;
use crate::files::ScenarioFile;
use crate::rules::{Entry, Prize, Start};
use cupola_ground::{Board, HexId};
use cupola_kit::{Loader, SCENARIO};
use std::collections::BTreeMap;

/// A hex by its label, a place by its id, or an entry by its id or code.
pub fn spot(loader: &mut Loader, field: &str, name: &str) -> HexId {
    let board = loader.input.board;
    let place = board.place(name).and_then(|place| place.hex);
    let entry = || {
        let mut entries = board.entries().iter();
        let named = entries.find(|entry| entry.id == name || entry.code.as_deref() == Some(name));
        named.and_then(|entry| entry.hex)
    };
    let found = place.or_else(entry).or_else(|| board.hex(name).ok());
    found.unwrap_or_else(|| {
        let places = board.places().iter().filter(|place| place.hex.is_some());
        let entries = board.entries().iter().filter(|entry| entry.hex.is_some());
        let known: Vec<&str> = places
            .map(|place| &*place.id)
            .chain(entries.map(|entry| &*entry.id))
            .collect();
        loader.unknown(SCENARIO, field, ("hex, place or entry", name), known);
        HexId(0)
    })
}

/// The number of a unit by its id.
fn unit(loader: &mut Loader, field: &str, roster: &Roster, id: &str) -> usize {
    let known = roster.units.iter().map(|unit| unit.id.as_str());
    loader.named(SCENARIO, field, ("unit", id), known)
}

/// Where every unit is when the game begins, and the entries by which others come.
pub fn starts(
    loader: &mut Loader,
    scenario: &ScenarioFile,
    roster: &Roster,
    spread: (u8, u8),
) -> (Vec<Start>, Vec<Entry>) {
    let mut starts = vec![Start::Out; roster.units.len()];
    for (id, at) in &scenario.start {
        let field = format!("start.{id}");
        let number = unit(loader, &field, roster, id);
        let hex = spot(loader, &field, at);
        if let Some(start) = starts.get_mut(number) {
            *start = Start::Hex(hex);
        }
    }
    let mut entries: Vec<Entry> = vec![];
    for (i, arrival) in scenario.arrivals.iter().enumerate() {
        let at = |field: &str| format!("arrivals[{i}].{field}");
        let number = unit(loader, &at("unit"), roster, &arrival.unit);
        let turn = loader.turn(SCENARIO, &at("turn"), &arrival.turn);
        let hex = spot(loader, &at("at"), &arrival.at);
        let known = entries.iter().position(|entry| entry.name == arrival.at);
        let entry = known.unwrap_or_else(|| {
            entries.push(entry(loader.input.board, &arrival.at, hex, spread));
            entries.len() - 1
        });
        match starts.get_mut(number) {
            Some(start @ Start::Out) => *start = Start::Due(turn, entry as u8),
            _ => loader.wrong(
                SCENARIO,
                &at("unit"),
                format!("\"{}\" has a place already", arrival.unit),
            ),
        }
    }
    (starts, entries)
}

/// A way onto the map: the hexes of its edge near a hex, the nearest first.
fn entry(board: &Board, name: &str, hex: HexId, (spread, blocked): (u8, u8)) -> Entry {
    let within = |least: u32, most: u32| {
        let near = |&other: &HexId| {
            let far = board.distance(hex, other);
            far >= least && far <= most && (far == 0 || board.is_edge(other))
        };
        let mut hexes: Vec<HexId> = board.hexes().filter(near).collect();
        hexes.sort_by_key(|&other| board.distance(hex, other));
        hexes
    };
    let (spread, blocked) = (u32::from(spread), u32::from(blocked));
    Entry {
        name: name.to_owned(),
        hexes: within(0, spread),
        beside: within(spread + 1, spread + blocked),
    }
}

/// What is worth holding.
pub fn places(loader: &mut Loader, scenario: &ScenarioFile) -> Vec<Prize> {
    let mut prizes: Vec<Prize> = vec![];
    for (i, place) in scenario.places.iter().enumerate() {
        let at = |field: &str| format!("places[{i}].{field}");
        let hex = spot(loader, &at("at"), &place.at);
        if prizes.iter().any(|prize| prize.hex == hex) {
            let message = format!("a second place in {}", loader.input.board.label(hex));
            loader.wrong(SCENARIO, &at("at"), message);
        }
        let map = loader
            .input
            .board
            .place(&place.at)
            .map(|place| place.name.clone());
        let held = place
            .held
            .as_ref()
            .map(|side| loader.side(SCENARIO, &at("held"), side));
        prizes.push(Prize {
            name: place
                .name
                .clone()
                .or(map)
                .unwrap_or_else(|| place.at.clone()),
            hex,
            points: place.points.0,
            held,
        });
    }
    prizes
}

/// Nobody begins with an enemy, or with too many friends.
pub fn check_stacking(loader: &mut Loader, starts: &[Start], roster: &Roster, most: u8) {
    let mut stacks: BTreeMap<HexId, Vec<usize>> = BTreeMap::new();
    for (i, start) in starts.iter().enumerate() {
        if let Start::Hex(hex) = start {
            stacks.entry(*hex).or_default().push(i);
        }
    }
    for (hex, units) in stacks {
        let label = loader.input.board.label(hex).to_owned();
        let (first, last) = (units[0], units[units.len() - 1]);
        let field = format!("start.{}", roster.units[last].id);
        if units
            .iter()
            .any(|&unit| roster.units[unit].side != roster.units[first].side)
        {
            loader.wrong(SCENARIO, &field, format!("both sides begin in {label}"));
        }
        if units.len() > usize::from(most.max(1)) {
            loader.wrong(
                SCENARIO,
                &field,
                format!("more than {most} units begin in {label}"),
            );
        }
    }
}
