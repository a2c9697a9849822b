//! What is played: in what the rules of a game differ from the plain ones.

use super::games::scenery_for;
use super::people::Who;
use super::{App, blocking};
use crate::variants;
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

/// Rules that somebody thinks of playing by.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    ruleset: String,
    scenario: String,
    variants: Vec<String>,
}

/// In what a stack of variants differs from the plain rules, or why it cannot be played.
pub(crate) async fn wanted(
    State(app): State<App>,
    _: Who,
    Json(wanted): Json<Wanted>,
) -> Result<Json<Value>, Wrong> {
    blocking(move || {
        let stacked = variants::join(&wanted.variants);
        let (ruleset, scenario) = (&wanted.ruleset, &wanted.scenario);
        app.club
            .check_names(ruleset, scenario, stacked.as_deref())?;
        let told = variants::told(&app.club.library, ruleset, scenario, stacked.as_deref());
        Ok(Json(match told {
            Ok(told) => json!({"differences": told, "problem": null}),
            Err(problems) => json!({"differences": [], "problem": problems.to_string()}),
        }))
    })
    .await
}

/// In what the rules of a game differ from the plain ones.
pub(crate) async fn of_game(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
) -> Result<Json<Value>, Wrong> {
    blocking(move || {
        let (sitting, _) = scenery_for(&app, &person, &id)?;
        let meta = sitting.lock().record.meta.clone();
        let library = &app.club.library;
        let told = if meta.brought {
            // Nobody else knows its scenario or its variants by a name: they stand in its head.
            variants::told_of(library, sitting.lock().session.journal())
        } else {
            let variant = meta.variant.as_deref();
            variants::told(library, &meta.ruleset, &meta.scenario, variant)
        };
        let told = told.map_err(|problems| Wrong::bad(problems.to_string()))?;
        Ok(Json(json!({"differences": told})))
    })
    .await
}
