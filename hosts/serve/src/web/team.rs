//! Sharing a side: its leader gives formations to others and takes them back.

use super::people::Who;
use super::{App, blocking};
use crate::secret::Secret;
use crate::sitting::{Sitting, State as Game};
use crate::store::{Call, Commander, Meta, Person};
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

/// No side has more commanders.
const MOST: usize = 24;

/// Who gets which formations.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Appoint {
    side: String,
    formations: Vec<String>,
    /// Somebody of the club; nobody for whoever opens an invitation.
    #[serde(default)]
    person: Option<String>,
}

/// Gives formations of a side to somebody.
pub(crate) async fn appoint(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(wish): Json<Appoint>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let known = match &wish.person {
            Some(id) => {
                let id = id.clone();
                let found = club.store.run(move |shelf| shelf.person(&id));
                let found = found.map_err(|error| Wrong::broken(error.to_string()))?;
                let found = found.filter(|person| !person.retired);
                Some(found.ok_or_else(|| Wrong::missing("person"))?)
            }
            None => None,
        };
        let mut state = sitting.lock();
        let side = led(&sitting, &state, &person, &wish.side)?;
        check_formations(&sitting, &wish.formations, side)?;
        let meta = &mut state.record.meta;
        if let Some(known) = known {
            check_loyal(meta, &known.id, side)?;
            command(meta, &known.id, side, wish.formations)?;
            sitting.keep_record(&mut state)?;
            drop(state);
            club.moved(&sitting);
            return Ok(Json(json!({ "link": null })));
        }
        let secret =
            Secret::fresh().map_err(|_| Wrong::broken("The system gives no random numbers."))?;
        if meta.calls.len() >= MOST {
            meta.calls.remove(0);
        }
        meta.calls.push(Call {
            hash: secret.hashed(),
            side,
            formations: wish.formations,
        });
        sitting.keep_record(&mut state)?;
        let base = club.settings.base();
        let link = format!("{base}/t/{id}#seat={}={}", wish.side, secret.reveal());
        Ok(Json(json!({ "link": link })))
    })
    .await
}

/// Whose formations are taken back.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dismiss {
    side: String,
    person: String,
}

/// Takes formations back, or lays them down.
pub(crate) async fn dismiss(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(wish): Json<Dismiss>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let side = match wish.person == person.id {
            true => sitting.side_of(&state, &person.id, &wish.side)? as usize,
            false => led(&sitting, &state, &person, &wish.side)?,
        };
        let meta = &mut state.record.meta;
        meta.commanders
            .retain(|one| one.side != side || one.person != wish.person);
        sitting.keep_record(&mut state)?;
        drop(state);
        club.moved(&sitting);
        Ok(Json(json!({})))
    })
    .await
}

/// The side that a person leads; the umpire may settle it for either.
fn led(sitting: &Sitting, state: &Game, person: &Person, side: &str) -> Result<usize, Wrong> {
    let side = sitting.scenery.play.env().side(side);
    let side = side.ok_or_else(|| Wrong::missing("seat"))? as usize;
    let meta = &state.record.meta;
    if meta.leads(&person.id, side) || meta.is_umpire(&person.id) {
        Ok(side)
    } else {
        Err(Wrong::forbidden("The leader of a side shares it out."))
    }
}

/// Only formations that have counters of the side in this game.
fn check_formations(sitting: &Sitting, formations: &[String], side: usize) -> Result<(), Wrong> {
    let units = &sitting.scenery.play.env().units;
    let own = units.iter().zip(&sitting.scenery.formations);
    let own = own.filter(|(unit, _)| unit.side as usize == side);
    let known: Vec<&String> = own.flat_map(|(_, above)| above).collect();
    if formations.is_empty() || formations.len() > 100 {
        return Err(Wrong::bad("Choose the formations to be given."));
    }
    match formations.iter().find(|id| !known.contains(id)) {
        Some(id) => Err(Wrong::bad(format!(
            "There is no formation \u{201c}{id}\u{201d} on that side."
        ))),
        None => Ok(()),
    }
}

/// Nobody serves both sides of a game unless he has both seats, as on one screen.
///
/// # Errors
/// If this person shares the other side, or would come to share this one while he plays the other.
pub(crate) fn check_loyal(meta: &Meta, person: &str, side: usize) -> Result<(), Wrong> {
    let commands = |one: &Commander| one.side != side && one.person == person;
    if meta.commanders.iter().any(commands) {
        return Err(Wrong::forbidden("That person serves the other side."));
    }
    Ok(())
}

fn command(
    meta: &mut Meta,
    person: &str,
    side: usize,
    formations: Vec<String>,
) -> Result<(), Wrong> {
    if meta.leads(person, 1 - side) || meta.is_umpire(person) {
        return Err(Wrong::forbidden(
            "That person knows what the other side does.",
        ));
    }
    if meta.leads(person, side) {
        return Err(Wrong::bad("A leader has what nobody else has."));
    }
    // A formation has one commander.
    for one in meta.commanders.iter_mut().filter(|one| one.side == side) {
        one.formations.retain(|id| !formations.contains(id));
    }
    let own = |one: &Commander| one.side == side && one.person == person;
    match meta.commanders.iter().position(own) {
        Some(index) => meta.commanders[index].formations.extend(formations),
        None if meta.commanders.len() >= MOST => {
            return Err(Wrong::bad("There are commanders enough."));
        }
        None => meta.commanders.push(Commander {
            person: person.to_owned(),
            side,
            formations,
        }),
    }
    meta.commanders.retain(|one| !one.formations.is_empty());
    Ok(())
}

/// Somebody shows an invitation to command: true if it is one, and he commands now.
///
/// # Errors
/// If he may not.
pub(crate) fn answer(
    meta: &mut Meta,
    person: &Person,
    side: usize,
    hash: &str,
) -> Result<bool, Wrong> {
    let fits = |call: &Call| call.hash == hash && call.side == side;
    let Some(index) = meta.calls.iter().position(fits) else {
        return Ok(false);
    };
    check_loyal(meta, &person.id, side)?;
    let formations = meta.calls[index].formations.clone();
    command(meta, &person.id, side, formations)?;
    meta.calls.remove(index);
    Ok(true)
}
