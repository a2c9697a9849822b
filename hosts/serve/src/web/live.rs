//! Live updates over a web socket: what a seat may know, step by step, as it happens.

use super::games::about;
use super::people::Who;
use super::{App, blocking};
use crate::bell::{Present, Tick};
use crate::sitting::Sitting;
use crate::store::Person;
use crate::wrong::Wrong;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Where a watcher sits and what he knows already.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Watch {
    seat: String,
    ply: u64,
}

/// No message of a watcher has more bytes.
const MESSAGE: usize = 4096;
/// No watcher may hold a message longer.
const SLOWEST: Duration = Duration::from_secs(20);
/// Something is said at least so often, lest a proxy closes the line.
const QUIET: Duration = Duration::from_secs(25);

/// Opens a line.
pub(crate) async fn live(
    State(app): State<App>,
    Who(person): Who,
    Path(id): Path<String>,
    Query(watch): Query<Watch>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Wrong> {
    let club = app.club.clone();
    let who = person.id.clone();
    let Some(line) = app.lines.open(&person.id) else {
        return Err(Wrong::hasty());
    };
    let (present, id, wanted) = blocking(move || {
        let sitting = club.sitting(&id)?;
        let seat = sitting.seat_of(&sitting.lock(), &who, &watch.seat)?;
        let present = Present::new(sitting.bell.clone(), seat, who);
        // Should it sleep before this, it begins when it wakes.
        sitting.watch(seat);
        Ok((present, id, watch.seat))
    })
    .await?;
    let watcher = Watcher {
        app,
        id,
        person,
        present,
        wanted,
        _line: line,
    };
    // What comes is short, and most lines are silent most of the time: the usual room is 128 kB for each.
    let upgrade = upgrade
        .read_buffer_size(MESSAGE)
        .write_buffer_size(MESSAGE)
        .max_message_size(MESSAGE)
        .max_frame_size(MESSAGE);
    Ok(upgrade.on_upgrade(move |socket| async move { watcher.talk(socket, watch.ply).await }))
}

/// Nobody needs more lines at once: a few dozen tabs.
const MOST: usize = 64;

/// How many lines everybody has open.
#[derive(Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<BTreeMap<String, usize>>>);

impl Lines {
    /// One more; none if there are enough.
    fn open(&self, person: &str) -> Option<OneLine> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = all.entry(person.to_owned()).or_default();
        if *count >= MOST {
            return None;
        }
        *count += 1;
        Some(OneLine(self.clone(), person.to_owned()))
    }
}

/// A line that is open; it counts until it is let go.
struct OneLine(Lines, String);

impl Drop for OneLine {
    fn drop(&mut self) {
        let mut all = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.1);
            }
        }
    }
}

struct Watcher {
    app: App,
    /// The game; it sleeps and wakes while somebody watches.
    id: String,
    person: Person,
    present: Present,
    /// The seat as it was asked for.
    wanted: String,
    _line: OneLine,
}

impl Watcher {
    async fn talk(&self, mut socket: WebSocket, known: u64) {
        let mut ticks = self.present.bell.subscribe();
        let mut known: Tick = (known, ticks.borrow().1);
        loop {
            // What comes in meanwhile is found here at once.
            let now = *ticks.borrow_and_update();
            if now != known {
                let Ok((ply, messages)) = self.news(known, now).await else {
                    return;
                };
                known = (ply, now.1);
                for text in messages {
                    if !send(&mut socket, text).await {
                        return;
                    }
                }
            }
            let open = tokio::select! {
                changed = ticks.changed() => changed.is_ok(),
                // Nothing that a watcher says on this line means anything; requests are made elsewhere.
                heard = socket.recv() => matches!(heard, Some(Ok(message)) if !matches!(message, Message::Close(_))),
                () = tokio::time::sleep(QUIET) => {
                    self.is_known().await && send(&mut socket, "{}".to_owned()).await
                }
            };
            if !open {
                return;
            }
        }
    }

    /// What is to be told of what has changed since somebody knew all, and the ply that he then knows.
    async fn news(&self, known: Tick, now: Tick) -> Result<(u64, Vec<String>), Wrong> {
        let (app, id, seat) = (self.app.clone(), self.id.clone(), self.present.seat);
        let (person, wanted) = (self.person.clone(), self.wanted.clone());
        blocking(move || {
            let sitting = app.club.sitting(&id)?;
            // Whoever has left the seat since, or was asked to, sees no more from it.
            sitting.seat_of(&sitting.lock(), &person.id, &wanted)?;
            let steps = sitting.since(seat, known.0);
            let ply = steps.as_ref().map_or(known.0, |(ply, _)| *ply);
            let mut messages: Vec<String> = steps.into_iter().map(|(_, text)| text).collect();
            if now.1 != known.1 {
                messages.push(about_table(&app, &sitting, &person)?);
            }
            Ok((ply, messages))
        })
        .await
    }

    /// Whether the person's links still work.
    async fn is_known(&self) -> bool {
        let (store, id) = (self.app.club.store.clone(), self.person.id.clone());
        let found = blocking(move || {
            let found = store.run(move |shelf| shelf.person(&id));
            found.map_err(|error| Wrong::broken(error.to_string()))
        });
        // A store that fails for a moment sends nobody away.
        match found.await {
            Ok(person) => person.is_some_and(|person| !person.retired),
            Err(_) => true,
        }
    }
}

fn about_table(app: &App, sitting: &Sitting, person: &Person) -> Result<String, Wrong> {
    let names = app.club.names()?;
    let table = about(app, sitting, &sitting.lock(), person, &names);
    Ok(serde_json::json!({"table": table}).to_string())
}

async fn send(socket: &mut WebSocket, text: String) -> bool {
    let message = Message::Text(Utf8Bytes::from(text));
    matches!(
        tokio::time::timeout(SLOWEST, socket.send(message)).await,
        Ok(Ok(()))
    )
}
