//! What people measure on the map: who sees whom, and how far a leader commands. The rules say it; where they say nothing
//! about sight, the ground does.

use super::games::{From, scenery_for};
use super::people::Who;
use super::{App, blocking};
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Path, Query, State};
use cupola_ground::{Board, HexId};
use cupola_kernel::{CommandRange, Game, LineOfSight};
use serde::Deserialize;
use serde_json::{Value, json};

fn hex(board: &Board, label: &str) -> Result<HexId, Wrong> {
    board.hex(label).map_err(|_| Wrong::missing("hex"))
}

fn labels(board: &Board, hexes: &[HexId]) -> Vec<String> {
    let label = |hex: &HexId| board.label(*hex).to_owned();
    hexes.iter().map(label).collect()
}

/// Where one can see from a hex, by the rules or else over the bare ground.
pub(crate) async fn sight(
    State(app): State<App>,
    Who(person): Who,
    Path((id, label)): Path<(String, String)>,
) -> Result<Json<Value>, Wrong> {
    blocking(move || {
        let (sitting, scenery) = scenery_for(&app, &person, &id)?;
        sitting.check_sight()?;
        let board = &scenery.play.env().board;
        let from = hex(board, &label)?;
        // A copy: working it out holds nobody up.
        let game = sitting.lock().game().fork();
        let (rule, seen) = seen_from(&game, board, from);
        Ok(Json(
            json!({"from": label, "hexes": labels(board, &seen), "rule": rule}),
        ))
    })
    .await
}

/// The hexes in sight, and the section that says so if the rules do.
fn seen_from(game: &Game, board: &Board, from: HexId) -> (Option<String>, Vec<HexId>) {
    let mut rule = None;
    let mut seen = vec![];
    for to in board.hexes() {
        let Some(line) = game.line_of_sight(from, to) else {
            continue;
        };
        if line.clear {
            seen.push(to);
        }
        if to != from {
            rule.get_or_insert_with(|| line.rule.to_string());
        }
    }
    match rule {
        Some(rule) => (Some(rule), seen),
        None => (None, cupola_look::in_sight(board, from)),
    }
}

/// Two hexes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ends {
    from: String,
    to: String,
}

/// What lies on the line between two hexes, and what the rules make of it.
pub(crate) async fn line(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Query(ends): Query<Ends>,
) -> Result<Json<Value>, Wrong> {
    blocking(move || {
        let (sitting, scenery) = scenery_for(&app, &person, &id)?;
        sitting.check_sight()?;
        let board = &scenery.play.env().board;
        let (from, to) = (hex(board, &ends.from)?, hex(board, &ends.to)?);
        let line = sitting.lock().game().line_of_sight(from, to);
        let mut value = json!(cupola_look::trace(board, from, to));
        value["rules"] = json!(line.map(|line| line_value(board, &line)));
        Ok(Json(value))
    })
    .await
}

fn line_value(board: &Board, line: &LineOfSight) -> Value {
    let along: Vec<Value> = line
        .along
        .iter()
        .map(|at| json!({"hex": board.label(at.hex), "ground": at.ground, "top": at.top}))
        .collect();
    json!({
        "clear": line.clear,
        "blocked": line.blocked.map(|hex| board.label(hex)),
        "why": line.why,
        "rule": line.rule.to_string(),
        "along": along,
    })
}

/// How far the leaders in a hex command, as far as a seat knows them.
pub(crate) async fn command(
    State(app): State<App>,
    Who(person): Who,
    Path((id, label)): Path<(String, String)>,
    Query(from): Query<From>,
) -> Result<Json<Value>, Wrong> {
    blocking(move || {
        let (sitting, scenery) = scenery_for(&app, &person, &id)?;
        sitting.check_sight()?;
        let env = scenery.play.env();
        let at = hex(&env.board, &label)?;
        let state = sitting.lock();
        let seat = sitting.seat_of(&state, &person.id, &from.seat)?;
        let game = state.game().fork();
        drop(state);
        let view = game.view(seat);
        let table = game.table();
        let here = table.units().filter(|unit| table.hex(*unit) == Some(at));
        let ranges: Vec<Value> = here
            .filter_map(|unit| {
                let range = game.command_range(&view, unit)?;
                let id = &env.units[usize::from(unit.0)].id;
                let name = view.units.iter().find(|seen| seen.id.as_ref() == Some(id));
                let name = name.map_or("", |seen| seen.name.as_str());
                Some(range_value(&game, (id, name), &range))
            })
            .collect();
        Ok(Json(json!({"ranges": ranges})))
    })
    .await
}

fn range_value(game: &Game, (id, name): (&str, &str), range: &CommandRange) -> Value {
    let env = game.table().env();
    let units = range.units.iter();
    let units: Vec<&str> = units
        .map(|unit| env.units[usize::from(unit.0)].id.as_str())
        .collect();
    json!({
        "unit": id,
        "name": name,
        "about": range.about,
        "rule": range.rule.to_string(),
        "hexes": labels(&env.board, &range.hexes),
        "units": units,
    })
}
