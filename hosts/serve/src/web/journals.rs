//! Journals in and out.

use super::people::Who;
use super::{App, blocking};
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// The journal of a game that is over: with its seed, so that anybody can play it again.
pub(crate) async fn give(
    State(app): State<App>,
    Who(_): Who,
    Path(id): Path<String>,
) -> Result<Response, Wrong> {
    let club = app.club.clone();
    let text = blocking(move || {
        let sitting = club.sitting(&id)?;
        let state = sitting.lock();
        if !state.over() {
            return Err(Wrong::forbidden(
                "A journal holds the seed of the dice: it is given out when the game is over.",
            ));
        }
        Ok(state.session.journal().write())
    })
    .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"game.cupola\"",
        ),
    ];
    Ok((headers, text).into_response())
}

/// Takes in a journal: its game stands in the lobby afterwards, both seats with whoever brought it.
pub(crate) async fn take(
    State(app): State<App>,
    Who(person): Who,
    text: String,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.take_journal(&person, text)?;
        Ok(Json(json!({"id": sitting.id})))
    })
    .await
}
