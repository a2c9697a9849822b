//! Who somebody is: a secret link becomes a cookie.

use super::{App, blocking};
use crate::name;
use crate::notice::Notice;
use crate::secret::{Secret, fresh_id};
use crate::store::{Person, Shelf, StoreError, Stored};
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{ConnectInfo, FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use std::net::SocketAddr;

/// The name of the cookie.
const COOKIE: &str = "cupola";
/// A year, in seconds.
const YEAR: u32 = 31_536_000;

/// Whoever makes a request.
pub(crate) struct Who(pub Person);

impl FromRequestParts<App> for Who {
    type Rejection = Wrong;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Who, Wrong> {
        let store = app.club.store.clone();
        if let Some(user) = trusted_user(parts, app) {
            let found = blocking(move || {
                let found = store.run(move |shelf| known_user(shelf, &user));
                found.map_err(|error| Wrong::broken(error.to_string()))
            });
            let person = found.await?;
            return (!person.retired)
                .then_some(Who(person))
                .ok_or_else(Wrong::stranger);
        }
        let secret = cookie(&parts.headers).ok_or_else(Wrong::stranger)?;
        let found = blocking(move || {
            let hash = secret.hashed();
            store
                .run(move |shelf| match shelf.link(&hash)? {
                    Some((id, false)) => shelf.person(&id),
                    _ => Ok(None),
                })
                .map_err(|error| Wrong::broken(error.to_string()))
        });
        match found.await? {
            Some(person) if !person.retired => Ok(Who(person)),
            _ => Err(Wrong::stranger()),
        }
    }
}

/// The name that a web server which knows its users gives whoever makes the request. From anywhere else the header means
/// nothing: anybody could write it.
fn trusted_user(parts: &Parts, app: &App) -> Option<String> {
    let trust = app.club.settings.trust.as_ref()?;
    let ConnectInfo(from) = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
    let mut said = parts.headers.get_all(&trust.header).iter();
    let (Some(user), None) = (said.next(), said.next()) else {
        // Two of them: somebody has smuggled one in.
        return None;
    };
    let user = std::str::from_utf8(user.as_bytes()).ok()?.trim();
    let fits = !user.is_empty() && user.len() <= 200 && !user.chars().any(char::is_control);
    (fits && trust.believes(from.ip())).then(|| user.to_owned())
}

/// Somebody whom the web server knows; whoever comes for the first time is new to the club.
fn known_user(shelf: &mut dyn Shelf, user: &str) -> Stored<Person> {
    let link = Person::user_link(user);
    if let Some((id, _)) = shelf.link(&link)?
        && let Some(person) = shelf.person(&id)?
    {
        return Ok(person);
    }
    let failed = |_| StoreError::Failed("the system gives no random numbers".into());
    let mut person = Person::new(fresh_id().map_err(failed)?, name::shown(user));
    person.user = user.to_owned();
    shelf.add_person(&person)?;
    shelf.add_link(&link, &person.id, false)?;
    Ok(person)
}

fn cookie(headers: &HeaderMap) -> Option<Secret> {
    let all = headers.get_all(header::COOKIE).iter();
    let mut pairs = all
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'));
    pairs.find_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE).then(|| Secret::shown(value))?
    })
}

fn with_cookie(app: &App, value: &str, age: u32, body: Value) -> Response {
    let base = app.club.settings.base();
    let secure = if base.starts_with("https") {
        "; Secure"
    } else {
        ""
    };
    let text =
        format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    let mut response = Json(body).into_response();
    if let Ok(cookie) = HeaderValue::from_str(&text) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// What somebody comes in with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Enter {
    /// A person's link.
    #[serde(default)]
    secret: String,
    /// A name, where anybody may come in, or with an invitation.
    #[serde(default)]
    name: String,
    /// An invitation to a seat: the game and its secret.
    #[serde(default)]
    game: String,
    #[serde(default)]
    invitation: String,
}

/// Comes in by a link, by a name, or by an invitation.
pub(crate) async fn enter(
    State(app): State<App>,
    Json(enter): Json<Enter>,
) -> Result<Response, Wrong> {
    let club = app.club.clone();
    let (person, session) = blocking(move || {
        let invited = club.is_invited(&enter.game, &enter.invitation)?;
        let (session, id) = (fresh()?, id()?);
        let (session_hash, walk_in) = (session.hashed(), club.settings.walk_in() || invited);
        let named = match walk_in && enter.secret.is_empty() {
            true => Some(name::person(&enter.name)?),
            false => None,
        };
        let person = club.store.run(move |shelf| {
            let mut namesake = false;
            let person = if let Some(secret) = Secret::shown(&enter.secret) {
                let hash = secret.hashed();
                let Some((id, once)) = shelf.link(&hash)? else {
                    return Ok(None);
                };
                if once {
                    shelf.drop_link(&hash)?;
                }
                shelf.person(&id)?.filter(|person| !person.retired)
            } else if let Some(name) = named {
                let mut others = shelf.people()?.into_iter();
                namesake = others.any(|other| !other.retired && other.name == name);
                let person = Person::new(id, name);
                shelf.add_person(&person)?;
                Some(person)
            } else {
                None
            };
            if let Some(person) = &person {
                shelf.add_link(&session_hash, &person.id, false)?;
            }
            Ok(person.map(|person| (person, namesake)))
        });
        let person = person.map_err(Wrong::not_stored)?;
        Ok((person.ok_or_else(Wrong::stranger)?, session))
    })
    .await?;
    let (person, namesake) = person;
    let mut known = about(&person);
    if namesake {
        known["namesake"] = true.into();
    }
    Ok(with_cookie(&app, session.reveal(), YEAR, known))
}

fn fresh() -> Result<Secret, Wrong> {
    Secret::fresh().map_err(|_| Wrong::broken("The system gives no random numbers."))
}

fn id() -> Result<String, Wrong> {
    fresh_id().map_err(|_| Wrong::broken("The system gives no random numbers."))
}

/// Leaves: the cookie is gone here and there.
pub(crate) async fn leave(State(app): State<App>, headers: HeaderMap) -> Result<Response, Wrong> {
    if let Some(secret) = cookie(&headers) {
        let (store, hash) = (app.club.store.clone(), secret.hashed());
        blocking(move || {
            store
                .run(move |shelf| shelf.drop_link(&hash))
                .map_err(Wrong::not_stored)
        })
        .await?;
    }
    Ok(with_cookie(&app, "", 0, json!({})))
}

fn about(person: &Person) -> Value {
    json!({
        "id": person.id, "name": person.name, "keeper": person.keeper,
        "webhook": person.webhook, "email": person.email,
    })
}

/// Who I am; a stranger is told whether he may walk in.
pub(crate) async fn me(State(app): State<App>, who: Result<Who, Wrong>) -> Json<Value> {
    let walk_in = app.club.settings.walk_in();
    Json(match who {
        Ok(Who(person)) => json!({"me": about(&person), "walk_in": walk_in}),
        Err(_) => json!({"me": null, "walk_in": walk_in}),
    })
}

/// What somebody may change about himself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeMe {
    name: String,
    #[serde(default)]
    webhook: String,
    #[serde(default)]
    email: String,
}

/// Changes my name and where notices go.
pub(crate) async fn change_me(
    State(app): State<App>,
    Who(mut person): Who,
    Json(change): Json<ChangeMe>,
) -> Result<Json<Value>, Wrong> {
    person.name = name::person(&change.name)?;
    if !change.webhook.is_empty() && !change.webhook.starts_with("https://") {
        return Err(Wrong::bad("A webhook begins with https://"));
    }
    person.webhook = change.webhook.chars().take(500).collect();
    person.email = change.email.chars().take(200).collect();
    let (store, changed) = (app.club.store.clone(), person.clone());
    blocking(move || {
        store
            .run(move |shelf| shelf.change_person(&changed))
            .map_err(Wrong::not_stored)
    })
    .await?;
    Ok(Json(about(&person)))
}

/// Sends me a notice, to see whether it comes.
pub(crate) async fn try_notice(
    State(app): State<App>,
    Who(person): Who,
) -> Result<Json<Value>, Wrong> {
    blocking(move || {
        let notice = Notice {
            text: format!(
                "This is how a notice of your turn comes, {}. {}",
                person.name,
                app.club.settings.base()
            ),
            webhook: person.webhook,
            email: person.email,
        };
        let told = app.club.notices.try_out(&notice)?;
        if told.is_empty() {
            return Err(Wrong::bad(
                "There is no webhook and no e-mail to send it to.",
            ));
        }
        Ok(Json(json!({"told": told})))
    })
    .await
}

/// Everybody of the club, for those who are of it.
pub(crate) async fn list(State(app): State<App>, Who(person): Who) -> Result<Json<Value>, Wrong> {
    let store = app.club.store.clone();
    let people = blocking(move || {
        store
            .run(|shelf| shelf.people())
            .map_err(|error| Wrong::broken(error.to_string()))
    })
    .await?;
    let shown = people
        .iter()
        .filter(|other| person.keeper || !other.retired);
    let people: Vec<Value> = shown
        .map(|person| json!({"id": person.id, "name": person.name, "keeper": person.keeper, "retired": person.retired}))
        .collect();
    Ok(Json(json!({"people": people})))
}

/// Whom the keeper invites.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Invite {
    name: String,
}

/// Makes a person and the link that is theirs, shown once.
pub(crate) async fn invite(
    State(app): State<App>,
    Who(keeper): Who,
    Json(invite): Json<Invite>,
) -> Result<Json<Value>, Wrong> {
    if !keeper.keeper {
        return Err(Wrong::forbidden("The club's keeper invites."));
    }
    let name = name::person(&invite.name)?;
    let (secret, id) = (fresh()?, id()?);
    let link = link_of(&app, &secret);
    let person = Person::new(id, name);
    let (store, made) = (app.club.store.clone(), person.clone());
    blocking(move || {
        store
            .run(move |shelf| {
                shelf.add_person(&made)?;
                shelf.add_link(&secret.hashed(), &made.id, false)
            })
            .map_err(Wrong::not_stored)
    })
    .await?;
    Ok(Json(
        json!({"id": person.id, "name": person.name, "link": link}),
    ))
}

fn link_of(app: &App, secret: &Secret) -> String {
    format!("{}/#enter={}", app.club.settings.base(), secret.reveal())
}

/// One more link for myself, that works once: for another device.
pub(crate) async fn my_link(
    State(app): State<App>,
    Who(person): Who,
) -> Result<Json<Value>, Wrong> {
    one_more_link(app, person.id).await
}

/// One more link for somebody who has lost his, that works once.
pub(crate) async fn new_link(
    State(app): State<App>,
    Who(keeper): Who,
    Path(id): Path<String>,
) -> Result<Json<Value>, Wrong> {
    if !keeper.keeper {
        return Err(Wrong::forbidden("The club's keeper makes links."));
    }
    one_more_link(app, id).await
}

async fn one_more_link(app: App, id: String) -> Result<Json<Value>, Wrong> {
    let secret = fresh()?;
    let link = link_of(&app, &secret);
    blocking(move || {
        let done = app.club.store.run(move |shelf| {
            let known = shelf.person(&id)?.filter(|person| !person.retired);
            let Some(person) = known else {
                return Ok(None);
            };
            shelf.add_link(&secret.hashed(), &person.id, true)?;
            Ok(Some(person.name))
        });
        let name = done.map_err(Wrong::not_stored)?;
        let name = name.ok_or_else(|| Wrong::missing("person"))?;
        Ok(Json(json!({"name": name, "link": link})))
    })
    .await
}

/// Retires a person: no link of theirs works any longer.
pub(crate) async fn retire(
    State(app): State<App>,
    Who(keeper): Who,
    Path(id): Path<String>,
) -> Result<Json<Value>, Wrong> {
    if !keeper.keeper || keeper.id == id {
        return Err(Wrong::forbidden(
            "The club's keeper retires, and not himself.",
        ));
    }
    let store = app.club.store.clone();
    blocking(move || {
        let done = store.run(move |shelf| {
            let Some(mut person) = shelf.person(&id)? else {
                return Ok(false);
            };
            person.retired = true;
            shelf.change_person(&person)?;
            shelf.drop_links_of(&id)?;
            if !person.user.is_empty() {
                // The web server still sends him, and he is still known, as one who has left.
                shelf.add_link(&Person::user_link(&person.user), &id, false)?;
            }
            Ok(true)
        });
        match done.map_err(Wrong::not_stored)? {
            true => Ok(()),
            false => Err(Wrong::missing("person")),
        }
    })
    .await?;
    Ok(Json(json!({})))
}
