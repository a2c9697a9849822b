//! Finished games of people, for the lab: games like any other.

use crate::settings::Place;
use crate::store::{self, GameRecord, Holder, StepRecord, Store, Stored};
use cupola_data::Source;
use cupola_kernel::{Entry, Journal, StateHash};

/// Names and texts of the journals of all games of a club that are over and in which somebody had a hand, while it goes
/// on. A journal says which side chose, and not who sat there.
///
/// # Errors
/// If the club cannot be read.
pub fn journals(place: &Place) -> anyhow::Result<Vec<(String, String)>> {
    if let Place::File(path) = place
        && !path.exists()
    {
        anyhow::bail!("{}: there is no club", path.display());
    }
    let mut shelf = store::open(place, "lab")?;
    let games = shelf.games()?;
    Ok(texts(games, |id| shelf.steps(id, 0))?)
}

/// The same from the store of a club that is open: one look for each game, so that nobody who plays waits long.
pub(crate) fn of_store(store: &Store) -> Stored<Vec<(String, String)>> {
    let games = store.run(|shelf| shelf.games())?;
    texts(games, |id| {
        let id = id.to_owned();
        store.run(move |shelf| shelf.steps(&id, 0))
    })
}

fn texts(
    games: Vec<GameRecord>,
    mut steps: impl FnMut(&str) -> Stored<Vec<StepRecord>>,
) -> Stored<Vec<(String, String)>> {
    let mut all = vec![];
    for game in games {
        let mut seats = game.meta.seats.iter();
        let people = seats.any(|seat| matches!(seat, Holder::Person(_)));
        // What was begun under some rules and ended under others tells of neither.
        if game.verdict.is_empty() || !people || game.meta.follows.is_some() {
            continue;
        }
        // What cannot be read is no game to compare; the table says so when it is opened.
        if let Some(mut journal) = journal(&game, steps(&game.id)?) {
            journal.seats = seated(&game.meta.seats);
            all.push((format!("{}.journal", game.id), journal.write()));
        }
    }
    all.sort();
    Ok(all)
}

/// Who sat where, in the order of the sides: people without their names, bots by their skill. A head is written before the
/// seats are taken and has none.
fn seated(seats: &[Holder; 2]) -> Vec<(String, String)> {
    let who = |holder: &Holder| match holder {
        Holder::Bot(skill) => skill.clone(),
        Holder::Person(_) => "person".to_owned(),
        Holder::Open => "nobody".to_owned(),
    };
    let sides = ["first", "second"].into_iter();
    let seats = sides
        .zip(seats)
        .map(|(side, holder)| (side.to_owned(), who(holder)));
    seats.collect()
}

fn journal(game: &GameRecord, steps: Vec<StepRecord>) -> Option<Journal> {
    let head = Source::new(game.id.clone(), game.meta.head.clone());
    let mut journal = Journal::read(&head).ok()?;
    for step in steps {
        let hash = StateHash::parse(&step.hash)?;
        let entry = Entry::read(&step.side, &step.act, hash).ok()?;
        journal.steps.push(entry);
    }
    Some(journal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_for_the_lab_names_bots_and_nobody_else() {
        let seats = [Holder::Person("ada".into()), Holder::Bot("steady".into())];
        let told = [("first", "person"), ("second", "steady")];
        let told = told.map(|(side, who)| (side.to_owned(), who.to_owned()));
        assert_eq!(seated(&seats), told);
    }
}
