//! A stored game comes back into memory, also when the rules have changed since.

use crate::scenery::Scenery;
use crate::sitting::Sitting;
use crate::store::{GameRecord, Note, StepRecord, Store, StoreError};
use crate::wrong::Wrong;
use cupola_data::Source;
use cupola_kernel::{Entry, Journal, Play, Session, StateHash};
use std::sync::Arc;

impl Sitting {
    /// Sits down at a stored game.
    ///
    /// # Errors
    /// If its record cannot be read.
    pub fn open(
        record: GameRecord,
        steps: Vec<StepRecord>,
        scenery: Arc<Scenery>,
        store: Store,
    ) -> Result<Sitting, Wrong> {
        let unreadable = || Wrong::broken("The record of this game cannot be read.");
        let hash = |text: &str| StateHash::parse(text).ok_or_else(unreadable);
        let head = Source::new(record.id.clone(), record.meta.head.clone());
        let mut journal = Journal::read(&head).map_err(|_| unreadable())?;
        for step in steps {
            let entry = Entry::read(&step.side, &step.act, hash(&step.hash)?);
            journal.steps.push(entry.map_err(|_| unreadable())?);
        }
        match Session::resume(&scenery.play, &journal, &record.id) {
            Ok(session) => Ok(Sitting::seat(record, session, scenery, store)),
            Err(_) => Sitting::left_behind(record, &journal, scenery, store),
        }
    }

    /// Sits down at a game whose rules have changed since: as far as its choices lead where they did. If all of them
    /// do, it goes on under the new rules and says so; otherwise it is closed to play.
    fn left_behind(
        mut record: GameRecord,
        journal: &Journal,
        scenery: Arc<Scenery>,
        store: Store,
    ) -> Result<Sitting, Wrong> {
        let Followed { session, lost } = follow(&scenery.play, journal)?;
        let changes = changes(&scenery.play, journal);
        if let Some(lost) = lost {
            let sitting = Sitting::seat(record, session, scenery, store);
            sitting.lock().closed = Some(format!(
                "The rules have changed since this game began: {changes}. {lost} So it can be looked at up to there and \
                 not played on; the program that it began with can still finish it."
            ));
            return Ok(sitting);
        }
        let head = Journal {
            steps: vec![],
            ..session.journal().clone()
        };
        record.meta.head = head.write();
        let note = Note::of_the_club(format!(
            "The rules have changed since this game began: {changes}. Every choice so far leads where it did, so the \
             game goes on under the new ones."
        ));
        let stored = record.clone();
        let kept = store.run(move |shelf| {
            shelf.change_game(&stored)?;
            shelf.add_note(&stored.id, &note)
        });
        match kept {
            // Whoever was faster has stored the same.
            Ok(()) | Err(StoreError::Overtaken) => record.version += 1,
            Err(error) => return Err(Wrong::not_stored(error)),
        }
        Ok(Sitting::seat(record, session, scenery, store))
    }
}

/// A journal played again under other rules.
struct Followed {
    /// As far as its choices lead where they did.
    session: Session,
    /// The first that does not.
    lost: Option<String>,
}

fn follow(play: &Play, journal: &Journal) -> Result<Followed, Wrong> {
    let here = Journal {
        rules: play.identity().clone(),
        steps: vec![],
        ..journal.clone()
    };
    let begun = |fault: cupola_kernel::Fault| {
        Wrong::broken(format!(
            "Under the rules that are here this game cannot even begin: {fault}"
        ))
    };
    let mut session = Session::new(play, here.clone()).map_err(begun)?;
    for (index, step) in journal.steps.iter().enumerate() {
        let Some(why) = differs(play, &mut session, step) else {
            continue;
        };
        // A step that led elsewhere has changed the state: it is played again without it.
        session = Session::new(play, here).map_err(begun)?;
        for step in &journal.steps[..index] {
            if differs(play, &mut session, step).is_some() {
                return Err(Wrong::broken("This game cannot be played again."));
            }
        }
        let lost = Some(format!(
            "Step {} (\u{201c}{}\u{201d}) {why}.",
            index + 1,
            step.act
        ));
        return Ok(Followed { session, lost });
    }
    Ok(Followed {
        session,
        lost: None,
    })
}

/// Carries out a choice; says in what it comes out otherwise than it did.
fn differs(play: &Play, session: &mut Session, step: &Entry) -> Option<String> {
    let Some(side) = play.env().side(&step.side) else {
        return Some("is of a side that there is no longer".into());
    };
    let act = match session.game().parse(&step.act) {
        Ok(act) => act,
        Err(why) => return Some(format!("is no longer understood: {why}")),
    };
    match session.apply_again(side, act, step) {
        Err(why) => Some(format!("is no longer allowed: {why}")),
        Ok(applied) if applied.hash != step.hash => Some("no longer leads where it did".into()),
        Ok(_) => None,
    }
}

/// In what the rules differ, the first few parts.
fn changes(play: &Play, journal: &Journal) -> String {
    let all = play.identity().differences(&journal.rules);
    let mut told: Vec<String> = all.iter().take(3).map(ToString::to_string).collect();
    match all.len() {
        0 => told.push("its code".into()),
        more @ 4.. => told.push(format!("and {} more", more - 3)),
        _ => {}
    }
    told.join("; ")
}
