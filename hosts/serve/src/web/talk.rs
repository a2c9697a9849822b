//! What people say at a table, and what they write down for themselves.

use super::people::Who;
use super::{App, blocking};
use crate::clock::now;
use crate::club::sides;
use crate::name;
use crate::store::Note;
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

/// No line is longer.
const LONGEST: usize = 2000;

/// What was said at a table, and my own notes.
pub(crate) async fn list(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let (meta, over) = {
            let state = sitting.lock();
            sitting.may_look(&state, &person.id)?;
            (state.record.meta.clone(), state.over())
        };
        let sides = sides(&sitting.scenery);
        let names = club.names()?;
        let notes = club
            .store
            .run(move |shelf| shelf.notes(&id))
            .map_err(|error| Wrong::broken(error.to_string()))?;
        let hears = |side: Option<usize>| side.is_none_or(|side| over || meta.serves(&person.id, side));
        let shown = notes
            .into_iter()
            .filter(|note| note.person == person.id || (!note.private && hears(note.side)));
        let said: Vec<Value> = shown
            .map(|note| {
                json!({
                    "who": if note.person.is_empty() { Some(name::CLUB) } else { names.get(&note.person).map(String::as_str) },
                    "mine": note.person == person.id,
                    "private": note.private,
                    "side": note.side.map(|side| sides[side].0.as_str()),
                    "text": note.text,
                    "at": note.at,
                })
            })
            .collect();
        Ok(Json(json!({"said": said})))
    })
    .await
}

/// Something to say or to write down.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Say {
    text: String,
    /// For oneself alone.
    #[serde(default)]
    private: bool,
    /// For the people of one side alone, by its id.
    #[serde(default)]
    side: Option<String>,
}

/// Says something, or writes it down.
pub(crate) async fn say(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(say): Json<Say>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let side = {
            let state = sitting.lock();
            sitting.may_look(&state, &person.id)?;
            let side = say.side.as_deref();
            let side = side.map(|side| sitting.side_of(&state, &person.id, side));
            side.transpose()?
        };
        let text = say.text.trim().to_owned();
        let letters = text.chars().count();
        if letters == 0 {
            return Err(Wrong::bad("There is nothing to say."));
        }
        if letters > LONGEST {
            let error = format!(
                "A line has at most {LONGEST} letters; this one has {letters}. Nothing was said."
            );
            return Err(Wrong::bad(error));
        }
        let note = Note {
            person: person.id,
            private: say.private,
            side: side.map(|side| side as usize),
            text,
            at: now(),
        };
        club.store
            .run(move |shelf| shelf.add_note(&id, &note))
            .map_err(Wrong::not_stored)?;
        sitting.ring(&sitting.lock());
        Ok(Json(json!({})))
    })
    .await
}
