//! The lobby, and tables as they are set up.

use super::people::Who;
use super::{App, blocking};
use crate::catalogue;
use crate::clock::now;
use crate::club::{NewGame, sides};
use crate::scenery::Scenery;
use crate::secret::Secret;
use crate::sitting::{Sitting, State as Game};
use crate::store::{Holder, Meta, Person};
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// What has one name whatever it shows.
const FOR_AN_HOUR: &str = "private, max-age=3600";

/// What can be played.
pub(crate) async fn catalogue(State(app): State<App>, _: Who) -> Result<Json<Value>, Wrong> {
    let library = app.club.library.clone();
    blocking(move || Ok(Json(catalogue::catalogue(&library)))).await
}

/// How a scenario begins, as a picture.
pub(crate) async fn opening(
    State(app): State<App>,
    _: Who,
    Path((ruleset, scenario)): Path<(String, String)>,
) -> Result<Response, Wrong> {
    let club = app.club.clone();
    let png = blocking(move || club.openings.get(&ruleset, &scenario)).await?;
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, FOR_AN_HOUR),
    ];
    Ok((headers, png.to_vec()).into_response())
}

/// Sets up a game.
pub(crate) async fn new(
    State(app): State<App>,
    Who(person): Who,
    Json(new): Json<NewGame>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.new_game(&person, new)?;
        Ok(Json(json!({"id": sitting.id})))
    })
    .await
}

/// Which seat somebody wants to look from.
#[derive(Deserialize)]
pub(crate) struct From {
    #[serde(default)]
    pub seat: String,
}

/// A whole table as a seat sees it.
pub(crate) async fn table(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Query(from): Query<From>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let names = club.names()?;
        let mut state = sitting.lock();
        let wanted = wanted(&sitting, &state, &person, &from.seat);
        let seat = sitting.seat_of(&state, &person.id, &wanted)?;
        let mut value = sitting.first(&mut state, seat);
        value["seat"] = wanted.into();
        value["table"] = about(&app, &sitting, &state, &person, &names);
        Ok(Json(value))
    })
    .await
}

/// The seat that is meant if none is named: mine that must choose, mine, a spectator's.
fn wanted(sitting: &Sitting, state: &Game, person: &Person, named: &str) -> String {
    if !named.is_empty() {
        return named.to_owned();
    }
    let env = sitting.scenery.play.env();
    let mine = |side: &cupola_kernel::Side| state.record.meta.serves(&person.id, *side as usize);
    let asked = state.asked().filter(mine);
    let side = asked.or_else(|| cupola_kernel::Side::BOTH.into_iter().find(mine));
    let other = if state.record.meta.is_umpire(&person.id) {
        "umpire"
    } else {
        "observer"
    };
    side.map_or_else(|| other.to_owned(), |side| env.sides[side].id.clone())
}

/// What is about a table besides the game.
pub(crate) fn about(
    app: &App,
    sitting: &Sitting,
    state: &Game,
    person: &Person,
    names: &BTreeMap<String, String>,
) -> Value {
    let meta = &state.record.meta;
    let seats: Vec<Value> = sides(&sitting.scenery)
        .into_iter()
        .zip(&meta.seats)
        .enumerate()
        .map(|(side, ((id, name), holder))| {
            json!({
                "side": id,
                "name": name,
                "who": app.club.holder_name(holder, names),
                "open": *holder == Holder::Open,
                "bot": matches!(holder, Holder::Bot(_)),
                "mine": meta.serves(&person.id, side),
                "leads": meta.leads(&person.id, side),
                "commanders": commanders(meta, side, person, names),
            })
        })
        .collect();
    json!({
        "id": sitting.id,
        "title": meta.title,
        "look": sitting.scenery.look_name,
        "bent": sitting.scenery.variant.is_some(),
        "follows": app.club.follows(&sitting.id, meta, person),
        "seats": seats,
        "aids": meta.aids,
        "typed": meta.typed,
        "watched": meta.watched,
        "host": meta.by == person.id,
        "over": state.over(),
        "closed": state.closed,
        "draw": sitting.pledges(state, &person.id),
        "paused": meta.paused,
        "days": meta.days,
        "due": state.record.due(),
        "rematch": meta.rematch,
        "umpire": meta.umpire.as_ref().map(|id| json!({"who": names.get(id), "mine": *id == person.id})),
        "may_umpire": meta.umpire.is_none() && (meta.by == person.id || person.keeper) && !meta.plays(&person.id),
        "take_back": meta.take_back.map(|(side, step)| json!({"side": sides(&sitting.scenery)[side].0, "step": step})),
    })
}

/// Who shares a side, with which formations.
fn commanders(
    meta: &Meta,
    side: usize,
    person: &Person,
    names: &BTreeMap<String, String>,
) -> Vec<Value> {
    let own = meta.commanders.iter().filter(|one| one.side == side);
    own.map(|one| {
        json!({
            "id": one.person,
            "who": names.get(&one.person),
            "mine": one.person == person.id,
            "formations": one.formations,
        })
    })
    .collect()
}

/// What never changes, kept by its hash.
pub(crate) async fn look(
    State(app): State<App>,
    _: Who,
    Path(name): Path<String>,
) -> Result<Response, Wrong> {
    let look = app.club.sceneries.look(&name);
    let look = look.ok_or_else(|| Wrong::missing("look"))?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, FOR_EVER),
    ];
    Ok((headers, look.to_string()).into_response())
}

/// The picture of a map: `whole.png`, or a tile by zoom, column and row, `2-0-3.png`.
pub(crate) async fn map(
    State(app): State<App>,
    Path((name, file)): Path<(String, String)>,
) -> Result<Response, Wrong> {
    let missing = || Wrong::missing("picture");
    let picture = app.club.sceneries.picture(&name).ok_or_else(missing)?;
    let png = if file == "whole.png" {
        picture.overview().to_vec()
    } else {
        let numbers = file.strip_suffix(".png").map(|text| {
            let parts = text.split('-').map(str::parse::<u32>);
            parts.collect::<Result<Vec<u32>, _>>()
        });
        let Some(Ok(numbers)) = numbers else {
            return Err(missing());
        };
        let [zoom, column, row] = numbers[..] else {
            return Err(missing());
        };
        blocking(move || picture.tile(zoom as usize, column, row).map_err(Wrong::bad)).await?
    };
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, FOR_EVER),
    ];
    Ok((headers, png).into_response())
}

/// Which seat.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sit {
    side: String,
    /// An invitation to it.
    #[serde(default)]
    invitation: String,
    /// Whom the host puts there: nobody for himself, `open`, or a bot.
    #[serde(default)]
    holder: String,
}

/// Takes a seat that is open, or by invitation; the host may put a bot on an open one.
pub(crate) async fn sit(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(sit): Json<Sit>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let side = sitting.scenery.play.env().side(&sit.side);
        let side = side.ok_or_else(|| Wrong::missing("seat"))? as usize;
        let meta = &mut state.record.meta;
        let invited = Secret::shown(&sit.invitation).map(|secret| secret.hashed());
        if let Some(hash) = &invited
            && super::team::answer(meta, &person, side, hash)?
        {
            sitting.keep_record(&mut state)?;
            return Ok(Json(json!({})));
        }
        let known = invited.as_ref().and_then(|hash| {
            let fits = |(known, seat): &(String, usize)| known == hash && *seat == side;
            meta.invitations.iter().position(fits)
        });
        if meta.seats[side] != Holder::Open {
            return Err(Wrong::forbidden("That seat is taken."));
        }
        if meta.is_umpire(&person.id) && sit.holder.is_empty() {
            return Err(Wrong::forbidden("An umpire has seen too much to play."));
        }
        if sit.holder.is_empty() {
            super::team::check_loyal(meta, &person.id, side)?;
        }
        let private = !meta.watched && meta.by != person.id && known.is_none();
        if private {
            return Err(Wrong::forbidden(
                "That seat is kept for somebody who is invited.",
            ));
        }
        if let Some(index) = known {
            meta.invitations.remove(index);
        }
        meta.seats[side] = match sit.holder.as_str() {
            "" => Holder::Person(person.id.clone()),
            bot if meta.by == person.id => Holder::Bot(
                cupola_bots::Skill::parse(bot)
                    .map_err(Wrong::bad)?
                    .to_string(),
            ),
            _ => return Err(Wrong::forbidden("Only the host seats a bot.")),
        };
        let seed = state.session.journal().seed;
        state.bots = crate::bots::players(&state.record.meta, &sitting.scenery, seed);
        sitting.keep_record(&mut state)?;
        drop(state);
        club.moved(&sitting);
        Ok(Json(json!({})))
    })
    .await
}

/// Leaves a seat open again.
pub(crate) async fn stand(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(sit): Json<Sit>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let side = sitting.scenery.play.env().side(&sit.side);
        let side = side.ok_or_else(|| Wrong::missing("seat"))?;
        if !may_clear(&state, &person, side as usize) {
            return Err(Wrong::forbidden("That seat is somebody else's."));
        }
        state.record.meta.seats[side as usize] = Holder::Open;
        sitting.keep_record(&mut state)?;
        Ok(Json(json!({})))
    })
    .await
}

/// Whether somebody may leave a seat open: whoever has it, the umpire who hands it over, and those who wait for one who
/// has let his time run out.
fn may_clear(state: &Game, person: &Person, side: usize) -> bool {
    let meta = &state.record.meta;
    let late =
        state.record.asked == Some(side) && state.record.due().is_some_and(|due| due < now());
    let waits = meta.leads(&person.id, 1 - side) || meta.by == person.id;
    meta.leads(&person.id, side) || meta.is_umpire(&person.id) || (late && waits)
}

/// Makes an invitation to a seat, shown once.
pub(crate) async fn invite(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Json(sit): Json<Sit>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let sitting = club.sitting(&id)?;
        let mut state = sitting.lock();
        let side = sitting.scenery.play.env().side(&sit.side);
        let side = side.ok_or_else(|| Wrong::missing("seat"))? as usize;
        let meta = &mut state.record.meta;
        let plays = meta.seats.contains(&Holder::Person(person.id.clone()));
        if meta.by != person.id && !plays && !person.keeper {
            return Err(Wrong::forbidden("Those who play invite."));
        }
        if meta.seats[side] != Holder::Open {
            return Err(Wrong::forbidden("That seat is taken."));
        }
        let secret =
            Secret::fresh().map_err(|_| Wrong::broken("The system gives no random numbers."))?;
        // A handful at a time is enough for anybody.
        if meta.invitations.len() >= 8 {
            meta.invitations.remove(0);
        }
        meta.invitations.push((secret.hashed(), side));
        sitting.keep_record(&mut state)?;
        let base = club.settings.base();
        let link = format!("{base}/t/{id}#seat={}={}", sit.side, secret.reveal());
        Ok(Json(json!({"link": link})))
    })
    .await
}

impl crate::club::Club {
    /// Whether somebody shows an invitation to a seat of a game.
    pub(crate) fn is_invited(&self, game: &str, invitation: &str) -> Result<bool, Wrong> {
        let Some(secret) = Secret::shown(invitation) else {
            return Ok(false);
        };
        let (game, hash) = (game.to_owned(), secret.hashed());
        let record = self
            .store
            .run(move |shelf| shelf.game(&game))
            .map_err(|error| Wrong::broken(error.to_string()))?;
        Ok(record.is_some_and(|record| {
            let meta = &record.meta;
            let seats = meta.invitations.iter().map(|(known, _)| known);
            let calls = meta.calls.iter().map(|call| &call.hash);
            seats.chain(calls).any(|known| *known == hash)
        }))
    }
}

/// The scenery of a table, for those who may look at it.
pub(crate) fn scenery_for(
    app: &App,
    person: &Person,
    id: &str,
) -> Result<(Arc<Sitting>, Arc<Scenery>), Wrong> {
    let sitting = app.club.sitting(id)?;
    let state = sitting.lock();
    let wanted = wanted(&sitting, &state, person, "");
    sitting.seat_of(&state, &person.id, &wanted)?;
    drop(state);
    let scenery = sitting.scenery.clone();
    Ok((sitting, scenery))
}
