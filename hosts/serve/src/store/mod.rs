//! What must survive: people, games, choices, and what people said.
//!
//! One thread owns the store. Writes that wait for it at the same time share one transaction, and are answered after it
//! is on the disk.

mod postgres;
mod records;
mod sqlite;

pub(crate) use postgres::{News, listen};
pub(crate) use records::{
    Aids, Call, Commander, Follows, GameRecord, Holder, LinkRecord, Meta, Note, Part, Person,
    Shares, StepRecord,
};
pub(crate) use sqlite::copy_file;

use crate::settings::Place;
use std::any::Any;
use std::fmt;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;

/// What went wrong in the store.
#[derive(Clone, Debug)]
pub(crate) enum StoreError {
    /// It was not done.
    Failed(String),
    /// Somebody else has changed the game since it was read.
    Overtaken,
    /// The line broke while it was stored: it may have been done or not.
    Unsure(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Failed(why) | StoreError::Unsure(why) => f.write_str(why),
            StoreError::Overtaken => f.write_str("the game has gone on elsewhere"),
        }
    }
}
impl std::error::Error for StoreError {}

pub(crate) type Stored<T> = Result<T, StoreError>;

/// A place where records are kept. All calls between `begin` and `commit` happen together or not at all.
pub(crate) trait Shelf: Send {
    fn begin(&mut self) -> Stored<()>;
    fn commit(&mut self) -> Stored<()>;
    fn roll_back(&mut self);
    /// Marks a point to which one of several writes can be taken back.
    fn mark(&mut self) -> Stored<()>;
    fn back_to_mark(&mut self) -> Stored<()>;

    fn add_person(&mut self, person: &Person) -> Stored<()>;
    fn person(&mut self, id: &str) -> Stored<Option<Person>>;
    fn people(&mut self) -> Stored<Vec<Person>>;
    fn change_person(&mut self, person: &Person) -> Stored<()>;
    fn add_link(&mut self, hash: &str, person: &str, once: bool) -> Stored<()>;
    /// Whom a link stands for, and whether it may be used only once.
    fn link(&mut self, hash: &str) -> Stored<Option<(String, bool)>>;
    fn links(&mut self) -> Stored<Vec<LinkRecord>>;
    fn drop_link(&mut self, hash: &str) -> Stored<()>;
    fn drop_links_of(&mut self, person: &str) -> Stored<()>;

    fn add_game(&mut self, game: &GameRecord) -> Stored<()>;
    fn game(&mut self, id: &str) -> Stored<Option<GameRecord>>;
    fn games(&mut self) -> Stored<Vec<GameRecord>>;
    /// The games that go on and name a person; not more than so many, newest first.
    fn games_of(&mut self, person: &str, most: usize) -> Stored<Vec<GameRecord>>;
    /// Games of one part of the lobby, newest first.
    fn page(&mut self, page: &Page) -> Stored<Vec<GameRecord>>;
    /// Stores a record that was read at its version; [`StoreError::Overtaken`] if there is a later one.
    fn change_game(&mut self, game: &GameRecord) -> Stored<()>;
    /// The steps behind one.
    fn steps(&mut self, game: &str, after: usize) -> Stored<Vec<StepRecord>>;
    fn add_step(&mut self, game: &str, step: &StepRecord) -> Stored<()>;
    /// Takes back all steps behind this one, and the states that were kept there.
    fn cut_steps(&mut self, game: &str, keep: usize) -> Stored<()>;
    /// Keeps the state after a step; of the earlier ones the newest [`KEPT`].
    fn keep_state(&mut self, game: &str, step: usize, state: &[u8]) -> Stored<()>;
    /// The newest state that was kept up to a step.
    fn state(&mut self, game: &str, until: usize) -> Stored<Option<(usize, Vec<u8>)>>;

    fn add_note(&mut self, game: &str, note: &Note) -> Stored<()>;
    fn notes(&mut self, game: &str) -> Stored<Vec<Note>>;

    /// Whether the bots of a game may think in this program: always, if the store is not shared.
    fn claim(&mut self, _game: &str) -> Stored<bool> {
        Ok(true)
    }
    /// They have done so.
    fn release(&mut self, _game: &str) -> Stored<()> {
        Ok(())
    }
    /// The games in which nobody has chosen since then and somebody must.
    fn waiting_since(&mut self, then: i64) -> Stored<Vec<GameRecord>>;
    /// The games in which a bot must choose.
    fn waiting_for_bots(&mut self) -> Stored<Vec<String>>;
}

/// So many states of a game are kept: enough that one of them is far enough back for the log.
const KEPT: usize = 6;

/// A page of games in the lobby.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub part: Part,
    /// Only those that name this person; all if it is empty.
    pub named: String,
    /// Those behind this one, by when somebody last chose in it and its id.
    pub after: Option<(i64, String)>,
    pub most: usize,
}

impl Page {
    /// What the meta of such a game looks like.
    fn pattern(&self) -> String {
        match self.named.as_str() {
            "" => "%".into(),
            person => naming(person),
        }
    }

    /// What such a game comes before, newest first.
    fn before(&self) -> (i64, &str) {
        let after = self.after.as_ref();
        after.map_or((i64::MAX, ""), |(moved, id)| (*moved, id))
    }
}

/// What the meta of a game looks like that names a person. An id has letters and digits alone.
fn naming(person: &str) -> String {
    format!("%\"{person}\"%")
}

/// Opens a place.
///
/// # Errors
/// If it cannot be reached or is none of ours.
pub(crate) fn open(place: &Place, me: &str) -> Stored<Box<dyn Shelf>> {
    Ok(match place {
        Place::File(path) => Box::new(sqlite::Sqlite::open(path)?),
        Place::Database(database) => Box::new(postgres::Postgres::open(database, me)?),
    })
}

/// Copies all of one place into another that is empty, between files and databases. States that were kept follow from the
/// choices and are made again.
///
/// # Errors
/// If either fails, or there are people in the other already; nothing is changed then.
pub(crate) fn copy(from: &mut dyn Shelf, to: &mut dyn Shelf) -> Stored<()> {
    from.begin()?;
    to.begin()?;
    let copied = copy_all(from, to);
    from.roll_back();
    match copied {
        Ok(()) => to.commit(),
        Err(error) => {
            to.roll_back();
            Err(error)
        }
    }
}

fn copy_all(from: &mut dyn Shelf, to: &mut dyn Shelf) -> Stored<()> {
    if !to.people()?.is_empty() {
        return Err(StoreError::Failed("there is a club already".into()));
    }
    for person in from.people()? {
        to.add_person(&person)?;
    }
    for (hash, person, once) in from.links()? {
        to.add_link(&hash, &person, once)?;
    }
    for game in from.games()? {
        to.add_game(&game)?;
        for step in from.steps(&game.id, 0)? {
            to.add_step(&game.id, &step)?;
        }
        for note in from.notes(&game.id)? {
            to.add_note(&game.id, &note)?;
        }
    }
    Ok(())
}

type Work = Box<dyn FnOnce(&mut dyn Shelf) -> Stored<Made> + Send>;

/// What came of some work. It travels without its type: a channel for each of them would be compiled anew, and was a
/// tenth of this crate.
type Made = Box<dyn Any + Send>;

struct Job {
    work: Work,
    done: SyncSender<Stored<Made>>,
}

/// A handle to the store.
#[derive(Clone)]
pub(crate) struct Store {
    jobs: Sender<Job>,
    /// Whether other programs may use the same records.
    shared: bool,
}

/// How many writes share one transaction at most.
const TOGETHER: usize = 256;

impl Store {
    /// Starts the thread that owns a shelf.
    pub fn new(shelf: Box<dyn Shelf>, shared: bool) -> std::io::Result<Store> {
        let (jobs, queue) = mpsc::channel();
        thread::Builder::new()
            .name("store".into())
            .spawn(move || tend(shelf, &queue))?;
        Ok(Store { jobs, shared })
    }

    /// Whether the bots of a game may think in this program.
    pub fn claim(&self, game: &str) -> bool {
        let game = game.to_owned();
        // If the store fails, whoever chooses hears of it; a bot waits.
        !self.shared || self.run(move |shelf| shelf.claim(&game)).unwrap_or(false)
    }

    /// They have thought.
    pub fn release(&self, game: &str) {
        let game = game.to_owned();
        if self.shared {
            // A claim that cannot be given back ends with the connection.
            let _ = self.run(move |shelf| shelf.release(&game));
        }
    }

    /// Does something with the records; comes back when it is on the disk.
    ///
    /// # Errors
    /// If it could not be done or stored; nothing has changed then.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Shelf) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        let made = self.made(Box::new(move |shelf| Ok(Box::new(work(shelf)?))))?;
        // It is what was sent off above.
        let made = made.downcast().map_err(|_| closed())?;
        Ok(*made)
    }

    fn made(&self, work: Work) -> Stored<Made> {
        let (done, answer) = mpsc::sync_channel(1);
        self.jobs.send(Job { work, done }).map_err(|_| closed())?;
        answer.recv().map_err(|_| closed())?
    }
}

fn closed() -> StoreError {
    StoreError::Failed("the store is closed".into())
}

fn tend(mut shelf: Box<dyn Shelf>, queue: &Receiver<Job>) {
    while let Ok(first) = queue.recv() {
        let mut jobs = vec![first];
        while jobs.len() < TOGETHER
            && let Ok(next) = queue.try_recv()
        {
            jobs.push(next);
        }
        together(&mut *shelf, jobs);
    }
}

fn together(shelf: &mut dyn Shelf, jobs: Vec<Job>) {
    let begun = shelf.begin();
    let mut waiting = vec![];
    for job in jobs {
        let result = begun.clone().and_then(|()| one(shelf, job.work));
        waiting.push((job.done, result));
    }
    let committed = begun.and_then(|()| shelf.commit());
    if committed.is_err() {
        shelf.roll_back();
    }
    for (done, result) in waiting {
        // Whoever asked may have gone.
        let _ = done.send(result.and_then(|made| committed.clone().map(|()| made)));
    }
}

/// One write among others: what fails takes back itself and nothing else.
fn one(shelf: &mut dyn Shelf, work: Work) -> Stored<Made> {
    shelf.mark()?;
    let result = work(shelf);
    if result.is_err() {
        shelf.back_to_mark()?;
    }
    result
}
