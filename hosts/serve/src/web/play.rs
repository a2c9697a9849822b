//! A game as it is played.

use super::games::{From, scenery_for};
use super::people::Who;
use super::{App, blocking};
use crate::sitting::Order;
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Deserialize;
use serde_json::{Value, json};

/// A choice, or a question about one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Choice {
    /// The ply it answers.
    ply: u64,
    /// The seat it is made from.
    seat: String,
    /// The option's id.
    option: String,
    /// Dice as they fell, at a table where they are typed in.
    #[serde(default)]
    dice: Vec<u16>,
}

/// Carries out a choice.
pub(crate) async fn choose(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(choice): Json<Choice>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let side = sitting.side_of(&state, &person.id, &choice.seat)?;
        if state.record.meta.paused {
            return Err(Wrong::forbidden("The game is paused."));
        }
        let who = (person.id.as_str(), side);
        let order = Order {
            ply: choice.ply,
            option: &choice.option,
            dice: &choice.dice,
        };
        let ply = sitting.choose(&mut state, who, &order)?;
        drop(state);
        club.moved(&sitting);
        Ok(Json(json!({"ply": ply})))
    })
    .await
}

/// How far to go back.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Undo {
    ply: u64,
    seat: String,
    /// Back to after this step; the last one if left out.
    #[serde(default)]
    to: Option<usize>,
}

/// Takes back choices up to the last die or reveal.
pub(crate) async fn undo(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(undo): Json<Undo>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let side = sitting.side_of(&state, &person.id, &undo.seat)?;
        let to = undo.to.unwrap_or_else(|| state.steps().saturating_sub(1));
        let ply = sitting.undo(&mut state, side, to, undo.ply)?;
        Ok(Json(json!({"ply": ply, "step": state.steps()})))
    })
    .await
}

/// The odds of an option.
pub(crate) async fn odds(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(choice): Json<Choice>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let state = sitting.lock();
        let side = sitting.side_of(&state, &person.id, &choice.seat)?;
        if !state.record.meta.aids.odds {
            return Err(Wrong::forbidden("Odds are switched off at this table."));
        }
        drop(state);
        sitting.odds(side, &choice.option, choice.ply).map(Json)
    })
    .await
}

/// A question about a thing: `h` and a hex, or `u` and a unit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhyNot {
    ply: u64,
    seat: String,
    thing: String,
}

/// Why nothing can be done with a hex or a unit.
pub(crate) async fn why(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(question): Json<WhyNot>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let state = sitting.lock();
        let side = sitting.side_of(&state, &person.id, &question.seat)?;
        drop(state);
        sitting
            .why_not(side, &question.thing, question.ply)
            .map(Json)
    })
    .await
}

/// Which steps, seen from where.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reel {
    seat: String,
    from: usize,
    to: usize,
}

/// No more steps than these come at once.
const LONGEST: usize = 250;

/// What a seat saw from one step to another.
pub(crate) async fn film(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Query(reel): Query<Reel>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let seat = sitting.seat_of(&sitting.lock(), &person.id, &reel.seat)?;
        let to = reel.to.min(reel.from.saturating_add(LONGEST));
        sitting.film(seat, reel.from, to).map(Json)
    })
    .await
}

/// How the dice fell, as far as a seat saw them.
pub(crate) async fn luck(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Query(from): Query<From>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let state = sitting.lock();
        let seat = sitting.seat_of(&state, &person.id, &from.seat)?;
        Ok(Json(json!({"luck": sitting.luck(&state, seat)})))
    })
    .await
}

/// All about a hex of the ground.
pub(crate) async fn hex(
    State(app): State<App>,
    Who(person): Who,
    Path((id, label)): Path<(String, String)>,
) -> Result<Json<Value>, Wrong> {
    blocking(move || {
        let (_, scenery) = scenery_for(&app, &person, &id)?;
        let board = &scenery.play.env().board;
        let hex = board.hex(&label).map_err(|_| Wrong::missing("hex"))?;
        Ok(Json(json!(board.describe(hex))))
    })
    .await
}
