//! Live updates over a web socket: what a seat may know, step by step, as it happens.

use super::games::about;
use super::people::Who;
use super::{App, blocking};
use crate::sitting::Sitting;
use crate::store::Person;
use crate::wrong::Wrong;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use cupola_kernel::Seat;
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
    let (present, seat, wanted) = blocking(move || {
        let sitting = club.sitting(&id)?;
        let seat = sitting.seat_of(&sitting.lock(), &who, &watch.seat)?;
        Ok((Present::new(sitting, seat, who), seat, watch.seat))
    })
    .await?;
    let watcher = Watcher {
        app,
        person,
        present,
        seat,
        wanted,
        _line: line,
    };
    let upgrade = upgrade.max_message_size(4096).max_frame_size(4096);
    Ok(upgrade.on_upgrade(move |socket| async move { watcher.talk(socket, watch.ply).await }))
}

/// Somebody is at a table until this is let go, whichever way his line ends: also if it never became one.
struct Present {
    sitting: Arc<Sitting>,
    seat: Seat,
    who: String,
}

impl Present {
    fn new(sitting: Arc<Sitting>, seat: Seat, who: String) -> Present {
        sitting.watch(seat, &who);
        Present { sitting, seat, who }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.sitting.unwatch(self.seat, &self.who);
    }
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
    person: Person,
    present: Present,
    seat: Seat,
    /// The seat as it was asked for.
    wanted: String,
    _line: OneLine,
}

impl Watcher {
    async fn talk(&self, mut socket: WebSocket, mut known: u64) {
        let mut ticks = self.present.sitting.subscribe();
        let mut news = ticks.borrow_and_update().1;
        loop {
            let Ok(message) = self.steps(known).await else {
                return;
            };
            if let Some((ply, text)) = message {
                known = ply;
                if !send(&mut socket, text).await {
                    return;
                }
            }
            // What came in meanwhile is found here at once.
            let changed = tokio::select! {
                changed = ticks.changed() => changed.is_ok(),
                heard = socket.recv() => match heard {
                    // Nothing that a watcher says on this line means anything; requests are made elsewhere.
                    Some(Ok(Message::Close(_))) | Some(Err(_)) | None => return,
                    Some(Ok(_)) => true,
                },
                () = tokio::time::sleep(QUIET) => {
                    if !self.is_known().await {
                        return;
                    }
                    if !send(&mut socket, "{}".to_owned()).await {
                        return;
                    }
                    true
                }
            };
            if !changed {
                return;
            }
            let now = ticks.borrow_and_update().1;
            if now != news {
                news = now;
                let Ok(text) = self.table().await else {
                    return;
                };
                if !send(&mut socket, text).await {
                    return;
                }
            }
        }
    }

    async fn steps(&self, known: u64) -> Result<Option<(u64, String)>, Wrong> {
        let (sitting, seat) = (self.present.sitting.clone(), self.seat);
        let (person, wanted) = (self.person.id.clone(), self.wanted.clone());
        blocking(move || {
            let state = sitting.lock();
            if state.dropped {
                // The watcher comes back and finds the game as it is stored.
                return Err(Wrong::broken("dropped"));
            }
            // Whoever has left the seat since, or was asked to, sees no more from it.
            sitting.seat_of(&state, &person, &wanted)?;
            drop(state);
            Ok(sitting.since(seat, known))
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

    async fn table(&self) -> Result<String, Wrong> {
        let (app, person) = (self.app.clone(), self.person.clone());
        let sitting = self.present.sitting.clone();
        blocking(move || {
            let names = app.club.names()?;
            let state = sitting.lock();
            let table = about(&app, &sitting, &state, &person, &names);
            Ok(serde_json::json!({"table": table}).to_string())
        })
        .await
    }
}

async fn send(socket: &mut WebSocket, text: String) -> bool {
    let message = Message::Text(Utf8Bytes::from(text));
    matches!(
        tokio::time::timeout(SLOWEST, socket.send(message)).await,
        Ok(Ok(()))
    )
}
