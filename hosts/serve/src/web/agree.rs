//! What people agree on: pauses, taking back beyond a die, playing again with sides changed.

use super::people::Who;
use super::{App, blocking};
use crate::clock::now;
use crate::club::NewGame;
use crate::store::Holder;
use crate::variants;
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

/// To pause or to go on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pause {
    paused: bool,
}

/// Pauses a game or goes on with it: whoever plays may.
pub(crate) async fn pause(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(pause): Json<Pause>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let meta = &state.record.meta;
        if !meta.plays(&person.id) && !meta.is_umpire(&person.id) {
            return Err(Wrong::forbidden("Those who play pause."));
        }
        let meta = &mut state.record.meta;
        match (meta.paused, pause.paused) {
            (false, true) => meta.paused_at = now(),
            // The pause is on nobody's clock.
            (true, false) => meta.held += (now() - meta.paused_at).max(0),
            _ => {}
        }
        meta.paused = pause.paused;
        sitting.keep_record(&mut state)?;
        drop(state);
        club.moved(&sitting);
        Ok(Json(json!({})))
    })
    .await
}

/// A take-back that is asked for, answered or called off.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakeBack {
    seat: String,
    ply: u64,
    /// Back to after this step; none answers what was asked.
    #[serde(default)]
    step: Option<usize>,
    /// The answer.
    #[serde(default)]
    agree: bool,
}

/// Asks to go back beyond a die, or answers. A bot agrees; so does whoever holds both seats.
pub(crate) async fn take_back(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(wish): Json<TakeBack>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let side = sitting.side_of(&state, &person.id, &wish.seat)?;
        if state.ply() != wish.ply {
            return Err(Wrong::stale(state.ply()));
        }
        let asked = state.record.meta.take_back;
        let other = &state.record.meta.seats[side.other() as usize];
        let alone = matches!(other, Holder::Bot(_)) || *other == Holder::Person(person.id.clone());
        match (wish.step, asked) {
            (Some(step), _) if step >= state.steps() => {
                return Err(Wrong::bad("There is nothing to take back."));
            }
            (Some(step), _) if alone => {
                sitting.rewind(&mut state, step)?;
            }
            (Some(step), _) => {
                state.record.meta.take_back = Some((side as usize, step));
                sitting.keep_record(&mut state)?;
            }
            (None, Some((by, step))) if by != side as usize && wish.agree => {
                sitting.rewind(&mut state, step)?;
                sitting.ring(&state);
            }
            (None, Some(_)) => {
                state.record.meta.take_back = None;
                sitting.keep_record(&mut state)?;
            }
            (None, None) => return Err(Wrong::bad("Nobody asked to take anything back.")),
        }
        drop(state);
        club.moved(&sitting);
        Ok(Json(json!({})))
    })
    .await
}

/// To umpire, or no longer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Umpire {
    take: bool,
}

/// Becomes the umpire, or lays it down. The host or the keeper may, if he plays no side; everybody is told.
pub(crate) async fn umpire(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(wish): Json<Umpire>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let meta = &mut state.record.meta;
        let may = (meta.by == person.id || person.keeper) && !meta.plays(&person.id);
        match (wish.take, &meta.umpire) {
            (true, None) if may => meta.umpire = Some(person.id.clone()),
            (false, Some(known)) if *known == person.id => meta.umpire = None,
            _ => {
                return Err(Wrong::forbidden(
                    "The host or the keeper may umpire, if he plays no side and nobody does yet.",
                ));
            }
        }
        sitting.keep_record(&mut state)?;
        Ok(Json(json!({})))
    })
    .await
}

/// A step to go back to.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rewind {
    ply: u64,
    step: usize,
}

/// The umpire goes back to a step.
pub(crate) async fn rewind(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(wish): Json<Rewind>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        if !state.record.meta.is_umpire(&person.id) {
            return Err(Wrong::forbidden("The umpire rewinds."));
        }
        if state.ply() != wish.ply {
            return Err(Wrong::stale(state.ply()));
        }
        if wish.step >= state.steps() {
            return Err(Wrong::bad("There is nothing to take back."));
        }
        sitting.rewind(&mut state, wish.step)?;
        drop(state);
        club.moved(&sitting);
        Ok(Json(json!({})))
    })
    .await
}

/// What somebody drew for a side.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Drawn {
    side: String,
    share: String,
}

/// Adds a side's share to the seed, before the first choice.
pub(crate) async fn share(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(drawn): Json<Drawn>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let side = sitting.side_of(&state, &person.id, &drawn.side)?;
        if !state.record.meta.leads(&person.id, side as usize) {
            return Err(Wrong::forbidden("The leader of a side draws for it."));
        }
        sitting.take_share(&mut state, side, &drawn.share)?;
        sitting.ring(&state);
        drop(state);
        club.moved(&sitting);
        Ok(Json(json!({})))
    })
    .await
}

/// Sets up the same game again with sides changed.
pub(crate) async fn rematch(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let meta = {
            let state = sitting.lock();
            let meta = state.record.meta.clone();
            if !state.over() || !meta.seats.contains(&Holder::Person(person.id.clone())) {
                return Err(Wrong::forbidden(
                    "Those who played may play again when the game is over.",
                ));
            }
            meta
        };
        if let Some(known) = meta.rematch {
            return Ok(Json(json!({"id": known})));
        }
        if meta.brought {
            return Err(Wrong::bad(
                "This game brought its own scenario: bring its journal again to play it once more.",
            ));
        }
        let new = NewGame {
            title: meta.title,
            ruleset: meta.ruleset,
            scenario: meta.scenario,
            variants: variants::names(meta.variant.as_deref())
                .into_iter()
                .map(str::to_owned)
                .collect(),
            seats: ["open".into(), "open".into()],
            aids: meta.aids,
            watched: meta.watched,
            days: meta.days,
            typed: meta.typed,
            drawn: meta.shares.is_some(),
        };
        let again = club.new_game(&person, new)?;
        {
            let mut state = again.lock();
            let [first, second] = meta.seats;
            state.record.meta.seats = [second, first];
            let seed = state.session.journal().seed;
            state.bots = crate::bots::players(&state.record.meta, &again.scenery, seed);
            again.keep_record(&mut state)?;
        }
        let mut state = sitting.lock();
        state.record.meta.rematch = Some(again.id.clone());
        sitting.keep_record(&mut state)?;
        drop(state);
        club.moved(&again);
        Ok(Json(json!({"id": again.id})))
    })
    .await
}
