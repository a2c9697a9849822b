//! The lobby: my games, and those of the club page by page, however many there are.

use super::people::Who;
use super::{App, blocking};
use crate::club::Club;
use crate::store::{GameRecord, Holder, Page, Part, Person};
use crate::wrong::Wrong;
use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Games on a page.
const PAGE: usize = 24;
/// Nobody plays more games at once than these.
const MOST: usize = 300;
/// So many are read for a page of those that one may see; if most are private, the page is shorter.
const READ: usize = 10 * PAGE;

/// Which games.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// More of one part, instead of everything.
    #[serde(default)]
    part: String,
    /// Those behind this one, as the page before said.
    #[serde(default)]
    after: String,
    /// Only those in which I have or had a hand.
    #[serde(default)]
    mine: bool,
}

/// The games of the club, newest first: mine that go on, and a page of those that have an open seat, that may be watched, that
/// are over; or one more page of these.
pub(crate) async fn lobby(
    State(app): State<App>,
    Who(person): Who,
    Query(wanted): Query<Wanted>,
) -> Result<Json<Value>, Wrong> {
    let club = app.club.clone();
    blocking(move || {
        let names = club.names()?;
        let card = |record: &GameRecord| card(&club, record, &person, &names);
        if !wanted.part.is_empty() {
            let part = Part::named(&wanted.part).ok_or_else(|| Wrong::missing("part"))?;
            let (games, more) = page(&club, &person, part, &wanted)?;
            let games: Vec<Value> = games.iter().map(card).collect();
            return Ok(Json(json!({"games": games, "more": more})));
        }
        let id = person.id.clone();
        let named = read(&club, move |shelf| shelf.games_of(&id, MOST))?;
        let mut all: Vec<Value> = named.iter().map(card).collect();
        let mut more = Map::new();
        for part in Part::ALL {
            let (games, next) = page(&club, &person, part, &wanted)?;
            let others = games
                .iter()
                .filter(|game| named.iter().all(|known| known.id != game.id));
            all.extend(others.map(card));
            more.insert(part.name().into(), json!(next));
        }
        Ok(Json(json!({"games": all, "more": more})))
    })
    .await
}

fn read<T: Send + 'static>(
    club: &Club,
    what: impl FnOnce(&mut dyn crate::store::Shelf) -> crate::store::Stored<T> + Send + 'static,
) -> Result<T, Wrong> {
    let found = club.store.run(what);
    found.map_err(|error| Wrong::broken(error.to_string()))
}

/// A page of a part, and how to ask for the next one if there is any.
fn page(
    club: &Club,
    person: &Person,
    part: Part,
    wanted: &Wanted,
) -> Result<(Vec<GameRecord>, Option<String>), Wrong> {
    let after = match wanted.after.split_once('.') {
        Some((moved, id)) => {
            let moved = moved
                .parse()
                .map_err(|_| Wrong::bad("There is no such page."))?;
            Some((moved, id.to_owned()))
        }
        None => None,
    };
    let mut wish = Page {
        part,
        named: if wanted.mine {
            person.id.clone()
        } else {
            String::new()
        },
        after,
        most: PAGE,
    };
    let mut seen = vec![];
    for _ in 0..READ / PAGE {
        let asked = wish.clone();
        let found = read(club, move |shelf| shelf.page(&asked))?;
        let Some(last) = found.last() else {
            return Ok((seen, None));
        };
        wish.after = Some((last.moved, last.id.clone()));
        let all = found.len() < PAGE;
        seen.extend(found.into_iter().filter(|game| may_see(game, person)));
        if all {
            return Ok((seen, None));
        }
        if seen.len() >= PAGE {
            break;
        }
    }
    // What does not fit on this page is on the next.
    if seen.len() > PAGE {
        seen.truncate(PAGE);
        wish.after = seen.last().map(|last| (last.moved, last.id.clone()));
    }
    let next = wish.after.map(|(moved, id)| format!("{moved}.{id}"));
    Ok((seen, next))
}

/// Mine, and those that are open, may be watched or are over.
fn may_see(record: &GameRecord, person: &Person) -> bool {
    let meta = &record.meta;
    meta.plays(&person.id)
        || meta.seats.contains(&Holder::Open)
        || meta.watched
        || meta.by == person.id
        || !record.verdict.is_empty()
}

/// A game as the lobby shows it.
fn card(
    club: &Club,
    record: &GameRecord,
    person: &Person,
    names: &BTreeMap<String, String>,
) -> Value {
    let meta = &record.meta;
    let mine = |side: usize| meta.serves(&person.id, side);
    let seats: Vec<Value> = meta
        .seats
        .iter()
        .enumerate()
        .map(|(side, holder)| {
            json!({
                "who": club.holder_name(holder, names),
                "open": *holder == Holder::Open,
                "bot": matches!(holder, Holder::Bot(_)),
                "mine": mine(side),
                "leads": meta.leads(&person.id, side),
            })
        })
        .collect();
    json!({
        "id": record.id,
        "title": meta.title,
        "ruleset": meta.ruleset,
        "scenario": meta.scenario,
        "variant": meta.variant,
        "follows": meta.follows.is_some(),
        "seats": seats,
        "turn": record.turn,
        "verdict": record.verdict,
        "asked": record.asked,
        "my_turn": record.asked.is_some_and(mine),
        "moved": record.moved,
        "paused": meta.paused,
        "due": record.due(),
    })
}
