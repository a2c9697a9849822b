//! A stored game comes back into memory, also when the rules have changed since.

use crate::sitting::{Room, Sitting};
use crate::store::{GameRecord, Note, StepRecord, StoreError};
use crate::wrong::Wrong;
use cupola_data::{Problems, Source};
use cupola_kernel::{Entry, Journal, Play, Session, StateHash};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A state is kept in the store about every so many steps.
pub(crate) const KEEP_EVERY: usize = 64;
/// A game is opened from one that is at least so many steps back: these the log can tell of.
pub(crate) const TOLD: usize = 256;

/// A state that was kept, and after how many steps.
pub(crate) type Kept = (usize, Vec<u8>);

/// A game taken up where its journal leaves it.
pub(crate) struct TakenUp {
    pub session: Session,
    /// A state that is worth keeping: there was none, and it took long.
    found: Option<Kept>,
}

/// Takes up a game from a state that was kept, if it is one of this journal, or from its first choice.
///
/// # Errors
/// If the journal does not lead where it says.
pub(crate) fn take_up(
    play: &Play,
    journal: &Journal,
    id: &str,
    kept: Option<&Kept>,
) -> Result<TakenUp, Problems> {
    let from = kept.and_then(|(step, state)| Session::resume_from(play, journal, (*step, state)));
    if let Some(session) = from {
        let found = None;
        return Ok(TakenUp { session, found });
    }
    let far = journal.steps.len().saturating_sub(TOLD);
    if far < KEEP_EVERY {
        let session = Session::resume(play, journal, id)?;
        let found = None;
        return Ok(TakenUp { session, found });
    }
    let mut early = journal.clone();
    let late = early.steps.split_off(far);
    let mut session = Session::resume(play, &early, id)?;
    let (step, game) = session.settled();
    let found = game.snapshot().ok().map(|state| (step, state));
    for step in &late {
        if differs(play, &mut session, step).is_some() {
            // It says what is wrong with it.
            session = Session::replay(play, journal, id)?;
            break;
        }
    }
    Ok(TakenUp { session, found })
}

impl Sitting {
    /// Sits down at a stored game.
    ///
    /// # Errors
    /// If its record cannot be read.
    pub fn open(
        (record, steps): (GameRecord, Vec<StepRecord>),
        kept: Option<&Kept>,
        room: Room,
    ) -> Result<Sitting, Wrong> {
        let unreadable = || Wrong::broken("The record of this game cannot be read.");
        let hash = |text: &str| StateHash::parse(text).ok_or_else(unreadable);
        let head = Source::new(record.id.clone(), record.meta.head.clone());
        let mut journal = Journal::read(&head).map_err(|_| unreadable())?;
        for step in steps {
            let entry = Entry::read(&step.side, &step.act, hash(&step.hash)?);
            journal.steps.push(entry.map_err(|_| unreadable())?);
        }
        let (session, found) = match take_up(&room.scenery.play, &journal, &record.id, kept) {
            Ok(TakenUp { session, found }) => (session, found),
            Err(_) => return Sitting::left_behind(record, &journal, None, room),
        };
        let rules = room.scenery.play.identity();
        if !rules.differences(&journal.rules).is_empty() {
            return Sitting::left_behind(record, &journal, Some(session), room);
        }
        let sitting = Sitting::seat(record, session, room);
        sitting.begin_with(kept, found);
        Ok(sitting)
    }

    /// Looking back begins at the state from which the game was taken up; a better one is kept for the next time.
    fn begin_with(&self, kept: Option<&Kept>, found: Option<Kept>) {
        let mut state = self.lock();
        let (journal, granted) = (state.session.journal(), state.session.taken_for_granted());
        if let (Some((step, bytes)), Ok(mut game)) = (kept, self.scenery.play.game(journal.seed))
            && *step == granted
            && game.restore(bytes).is_ok()
        {
            self.tape().keep(&journal.steps[..granted], game);
        }
        state.kept = granted;
        if let Some((step, bytes)) = found {
            state.kept = step;
            let id = self.id.clone();
            // If it cannot be kept, opening the game takes as long as before.
            let _ = self
                .store
                .run(move |shelf| shelf.keep_state(&id, step, &bytes));
        }
    }

    /// Sits down at a game whose rules have changed since: as far as its choices lead where they did. If all of them
    /// do, it goes on under the new rules and says so; otherwise it is closed to play.
    fn left_behind(
        mut record: GameRecord,
        journal: &Journal,
        followed: Option<Session>,
        room: Room,
    ) -> Result<Sitting, Wrong> {
        let Followed { session, lost } = match followed {
            Some(session) => Followed {
                session,
                lost: None,
            },
            None => follow(&room.scenery.play, journal)?,
        };
        let changes = changes(&room.scenery.play, journal);
        if let Some(lost) = lost {
            let sitting = Sitting::seat(record, session, room);
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
        let kept = room.store.run(move |shelf| {
            shelf.change_game(&stored)?;
            shelf.add_note(&stored.id, &note)
        });
        match kept {
            // Whoever was faster has stored the same.
            Ok(()) | Err(StoreError::Overtaken) => record.version += 1,
            Err(error) => return Err(Wrong::not_stored(error)),
        }
        Ok(Sitting::seat(record, session, room))
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
        let lost = Some(numbered(index, step, &why));
        return Ok(Followed { session, lost });
    }
    Ok(Followed {
        session,
        lost: None,
    })
}

/// Choices played again under other rules, wherever they lead.
pub(crate) struct Again {
    /// As far as they are allowed.
    pub session: Session,
    /// The first that is not.
    pub lost: Option<String>,
}

/// Plays choices again from the beginning, as far as they are allowed.
///
/// # Errors
/// If the game cannot begin under these rules, or they fail.
pub(crate) fn again(play: &Play, head: Journal, choices: &[Entry]) -> Result<Again, Wrong> {
    let played = catch_unwind(AssertUnwindSafe(|| {
        let mut session = Session::new(play, head).map_err(|fault| {
            Wrong::broken(format!("Under these rules the game cannot begin: {fault}"))
        })?;
        let mut choices = choices.iter().enumerate();
        let lost = choices.find_map(|(index, step)| {
            let why = repeat(play, &mut session, step).err()?;
            Some(numbered(index, step, &why))
        });
        Ok(Again { session, lost })
    }));
    played.unwrap_or_else(|_| Err(Wrong::broken("The rules fail; the game stays as it was.")))
}

/// Why a choice is the first that cannot be made any more.
fn numbered(index: usize, step: &Entry, why: &str) -> String {
    format!("Step {} (\u{201c}{}\u{201d}) {why}.", index + 1, step.act)
}

/// Carries out a choice; says in what it comes out otherwise than it did.
fn differs(play: &Play, session: &mut Session, step: &Entry) -> Option<String> {
    match repeat(play, session, step) {
        Err(why) => Some(why),
        Ok(hash) if hash != step.hash => Some("no longer leads where it did".into()),
        Ok(_) => None,
    }
}

/// Carries out a choice; says where it leads, or why it cannot be made.
fn repeat(play: &Play, session: &mut Session, step: &Entry) -> Result<StateHash, String> {
    let side = play.env().side(&step.side);
    let side = side.ok_or_else(|| "is of a side that there is no longer".to_owned())?;
    let act = session.game().parse(&step.act);
    let act = act.map_err(|why| format!("is no longer understood: {why}"))?;
    let applied = session.apply_again(side, act, step);
    let applied = applied.map_err(|why| format!("is no longer allowed: {why}"))?;
    Ok(applied.hash)
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
