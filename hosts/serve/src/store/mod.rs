//! What must survive: people, games, choices, and what people said.
//!
//! One thread owns the store. Writes that wait for it at the same time share one transaction, and are answered after it
//! is on the disk.

mod records;
mod sqlite;

pub(crate) use records::{Aids, GameRecord, Holder, Meta, Note, Person, StepRecord};
pub(crate) use sqlite::{Sqlite, copy_file};

use std::fmt;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;

/// What went wrong in the store.
#[derive(Clone, Debug)]
pub(crate) struct StoreError(pub String);

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
    fn drop_link(&mut self, hash: &str) -> Stored<()>;
    fn drop_links_of(&mut self, person: &str) -> Stored<()>;

    fn add_game(&mut self, game: &GameRecord) -> Stored<()>;
    fn game(&mut self, id: &str) -> Stored<Option<GameRecord>>;
    fn games(&mut self) -> Stored<Vec<GameRecord>>;
    fn change_game(&mut self, game: &GameRecord) -> Stored<()>;
    fn steps(&mut self, game: &str) -> Stored<Vec<StepRecord>>;
    fn add_step(&mut self, game: &str, step: &StepRecord) -> Stored<()>;
    /// Takes back all steps behind this one.
    fn cut_steps(&mut self, game: &str, keep: usize) -> Stored<()>;

    fn add_note(&mut self, game: &str, note: &Note) -> Stored<()>;
    fn notes(&mut self, game: &str) -> Stored<Vec<Note>>;
}

type Work = Box<dyn FnOnce(&mut dyn Shelf) -> Stored<()> + Send>;

struct Job {
    work: Work,
    done: SyncSender<Stored<()>>,
}

/// A handle to the store.
#[derive(Clone)]
pub(crate) struct Store {
    jobs: Sender<Job>,
}

/// How many writes share one transaction at most.
const TOGETHER: usize = 256;

impl Store {
    /// Starts the thread that owns a shelf.
    pub fn new(shelf: Box<dyn Shelf>) -> std::io::Result<Store> {
        let (jobs, queue) = mpsc::channel();
        thread::Builder::new()
            .name("store".into())
            .spawn(move || tend(shelf, &queue))?;
        Ok(Store { jobs })
    }

    /// Does something with the records; comes back when it is on the disk.
    ///
    /// # Errors
    /// If it could not be done or stored; nothing has changed then.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Shelf) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        let (value, found) = mpsc::sync_channel(1);
        let (done, answer) = mpsc::sync_channel(1);
        let work: Work = Box::new(move |shelf| {
            let made = work(shelf)?;
            // The receiver lives until the answer has come.
            let _ = value.send(made);
            Ok(())
        });
        let gone = || StoreError("the store is closed".into());
        self.jobs.send(Job { work, done }).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())??;
        found.recv().map_err(|_| gone())
    }
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
        let _ = done.send(result.and_then(|()| committed.clone()));
    }
}

/// One write among others: what fails takes back itself and nothing else.
fn one(shelf: &mut dyn Shelf, work: Work) -> Stored<()> {
    shelf.mark()?;
    let result = work(shelf);
    if result.is_err() {
        shelf.back_to_mark()?;
    }
    result
}
