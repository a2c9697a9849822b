//! The lab's reports, one click away, and its runs.

use super::people::Who;
use super::{App, blocking};
use crate::lab::Lab;
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

/// A report may draw itself and nothing else: it sees no cookie, asks nothing of the club, and loads nothing.
const REPORT: &str = "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'";

fn lab(app: &App) -> Result<&Lab, Wrong> {
    let lab = app.club.lab.as_ref();
    lab.ok_or_else(|| Wrong::missing("lab"))
}

/// What there is to read.
pub(crate) async fn list(State(app): State<App>, _: Who) -> Result<Json<Value>, Wrong> {
    blocking(move || match &app.club.lab {
        Some(lab) => Ok(Json(lab.reports(&app.club.library))),
        None => Ok(Json(json!({"reports": []}))),
    })
    .await
}

/// A file of a report.
pub(crate) async fn file(
    State(app): State<App>,
    _: Who,
    Path((report, file)): Path<(String, String)>,
) -> Result<Response, Wrong> {
    let kind = match file.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "json" | "ipynb" => "application/json",
        "parquet" => "application/octet-stream",
        _ => "text/plain; charset=utf-8",
    };
    let bytes = blocking(move || lab(&app)?.file(&report, &file)).await?;
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, REPORT),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, bytes).into_response())
}

/// What is to be compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Start {
    scenario: String,
    games: u32,
}

/// Starts a run: the keeper may.
pub(crate) async fn start(
    State(app): State<App>,
    Who(person): Who,
    Json(start): Json<Start>,
) -> Result<Json<Value>, Wrong> {
    if !person.keeper {
        return Err(Wrong::forbidden("The club's keeper runs the lab."));
    }
    blocking(move || {
        let own = crate::finished::of_store(&app.club.store);
        let own = own.map_err(|error| Wrong::broken(error.to_string()))?;
        lab(&app)?.start(&app.club.library, (&start.scenario, start.games), &own)?;
        Ok(Json(json!({})))
    })
    .await
}

/// Ends the run: the keeper may.
pub(crate) async fn stop(State(app): State<App>, Who(person): Who) -> Result<Json<Value>, Wrong> {
    if !person.keeper {
        return Err(Wrong::forbidden("The club's keeper runs the lab."));
    }
    blocking(move || {
        lab(&app)?.stop();
        Ok(Json(json!({})))
    })
    .await
}
