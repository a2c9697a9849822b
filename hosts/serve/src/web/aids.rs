//! Aids for everybody at a table: odds, what can be chosen, sight and command.

use super::people::Who;
use super::{App, blocking};
use crate::store::Aids;
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Path, State};
use serde_json::{Value, json};

/// Switches aids on or off for all at the table: whoever set it up may, and the umpire.
pub(crate) async fn change(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(aids): Json<Aids>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let meta = &mut state.record.meta;
        if meta.by != person.id && !meta.is_umpire(&person.id) {
            return Err(Wrong::forbidden(
                "Whoever set up the table switches its aids, or the umpire.",
            ));
        }
        meta.aids = aids;
        sitting.keep_record(&mut state)?;
        Ok(Json(json!({})))
    })
    .await
}
