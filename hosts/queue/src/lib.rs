//! A run of the lab shared out over many machines through PostgreSQL.
//!
//! Whoever wants games posts a [`Job`]: what is played, and how many games of it. Workers take a few numbers at a
//! time on a lease, play them, and deliver the records. A worker that dies lets its leases run out, and
//! somebody else plays its games again; since a record follows from the job and its number alone, it does not
//! matter who does. A record is delivered once: the first one stays.
//!
//! Several runs may share a server. A worker that cannot play a job, because its data differ, it cannot read it, or
//! its build plays otherwise, says so on the queue, where the run that wants the games hears of it, and goes on
//! with the others. Builds are told apart by their code: a worker of another one first plays some games again
//! that were delivered by the run's own.
//!
//! The server's clock decides when a lease has run out, and nothing else.
#![forbid(unsafe_code)]

mod work;

pub use cupola_database::Database;
use cupola_kernel::{Seed, StateHash};
use cupola_lab::{Progress, Record};
use postgres::Client;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

pub use work::{Built, Settings, work};

/// What is played, so that any machine with the same data can play it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// What the records depend on, besides the code: must come out the same on every worker.
    pub key: String,
    /// The rules part by part, as the one who wants the games has them: to tell in what a worker's differ.
    pub rules: String,
    /// The contest's name.
    pub name: String,
    /// The scenario of the battle.
    pub scenario: String,
    /// The ruleset, or the base of the variant.
    pub ruleset: String,
    /// The variant's text, if one is played.
    pub variant: Option<String>,
    /// Who plays, in the order of the ruleset's sides.
    pub skills: [String; 2],
    /// The texts of the plans, in the order of the scenario's sides.
    pub plans: [Option<String>; 2],
    /// The seed from which those of the games follow.
    pub seed: Seed,
}

/// What went wrong between us and the server.
#[derive(Debug)]
pub enum QueueError {
    /// The server, or the way to it.
    Server(postgres::Error),
    /// Where the server is cannot be told.
    Address(String),
    /// What the queue holds makes no sense to us.
    Strange(String),
}

impl fmt::Display for QueueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueueError::Server(error) => {
                let why = cupola_database::why(error);
                match error.as_db_error() {
                    Some(_) => write!(f, "the queue's server says: {why}"),
                    None => write!(f, "the queue cannot be reached: {why}"),
                }
            }
            QueueError::Address(why) => write!(f, "the queue's address: {why}"),
            QueueError::Strange(why) => write!(f, "the queue holds {why}"),
        }
    }
}
impl std::error::Error for QueueError {}

impl From<postgres::Error> for QueueError {
    fn from(why: postgres::Error) -> Self {
        QueueError::Server(why)
    }
}

/// The queue, over one connection. A connection that was cut is made again by [`Queue::patiently`].
pub struct Queue {
    database: Database,
    client: Client,
}

/// A job with the numbers of the games that were taken of it.
pub struct Lease {
    /// The job's key.
    pub key: String,
    /// What is played, or why that cannot be read.
    pub job: Result<Job, String>,
    /// The games.
    pub numbers: Vec<u32>,
}

const TABLES: &str = "
    create table if not exists cupola_job (
        key text primary key,
        job text not null
    );
    create table if not exists cupola_game (
        key text not null references cupola_job,
        number integer not null,
        worker text,
        leased_until timestamptz,
        record bytea,
        build text,
        primary key (key, number)
    );
    alter table cupola_game add column if not exists build text;
    create table if not exists cupola_note (
        key text not null,
        worker text not null,
        why text not null,
        primary key (key, worker)
    );
    create index if not exists cupola_open on cupola_game (key, number) where record is null;";

impl Queue {
    /// Connects, and makes the tables if there are none.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses.
    pub fn connect(database: &Database) -> Result<Queue, QueueError> {
        let mut client = database.connect()?;
        // Two who come first at the same moment must not trip over each other.
        let mut step = client.transaction()?;
        step.execute("select pg_advisory_xact_lock(1863)", &[])?;
        step.batch_execute(TABLES)?;
        step.commit()?;
        let database = database.clone();
        Ok(Queue { database, client })
    }

    /// Does something until it is done: a connection that was cut is made again, for so long.
    ///
    /// # Errors
    /// What the server refuses, at once; that it cannot be reached, after that time.
    pub fn patiently<T>(
        &mut self,
        patience: Duration,
        mut what: impl FnMut(&mut Queue) -> Result<T, QueueError>,
    ) -> Result<T, QueueError> {
        const PAUSE: Duration = Duration::from_millis(250);
        let mut waited = Duration::ZERO;
        loop {
            let why = match what(self) {
                Ok(done) => return Ok(done),
                Err(QueueError::Server(why)) if lost(&why) => why,
                Err(why) => return Err(why),
            };
            if waited >= patience {
                return Err(why.into());
            }
            std::thread::sleep(PAUSE);
            waited += PAUSE;
            if let Ok(client) = self.database.connect() {
                self.client = client;
            }
        }
    }

    /// Asks for games. Those that were asked for already are left as they are.
    ///
    /// # Errors
    /// If the server fails.
    pub fn post(&mut self, job: &Job, games: u32) -> Result<(), QueueError> {
        let text =
            serde_json::to_string(job).map_err(|why| QueueError::Strange(why.to_string()))?;
        let mut step = self.client.transaction()?;
        step.execute(
            "insert into cupola_job (key, job) values ($1, $2) on conflict do nothing",
            &[&job.key, &text],
        )?;
        step.execute(
            "insert into cupola_game (key, number) select $1, n from generate_series(0, $2 - 1) n \
             on conflict do nothing",
            &[&job.key, &(games as i32)],
        )?;
        Ok(step.commit()?)
    }

    /// How many of a job's games are done.
    ///
    /// # Errors
    /// If the server fails.
    pub fn progress(&mut self, key: &str, games: u32) -> Result<Progress, QueueError> {
        let row = self.client.query_one(
            "select count(record) from cupola_game where key = $1 and number < $2",
            &[&key, &(games as i32)],
        )?;
        let done: i64 = row.get(0);
        Ok(Progress {
            done: done as u32,
            wanted: games,
            bad: 0,
        })
    }

    /// The records of a job's games that are done, in order, and the numbers of those that cannot be read. The
    /// latter are taken off the queue, to be played again.
    ///
    /// # Errors
    /// If the server fails.
    pub fn collect(
        &mut self,
        key: &str,
        games: u32,
    ) -> Result<(Vec<Record>, Vec<u32>), QueueError> {
        let rows = self.client.query(
            "select number, record from cupola_game \
             where key = $1 and number < $2 and record is not null order by number",
            &[&key, &(games as i32)],
        )?;
        let (mut records, mut bad) = (vec![], vec![]);
        for row in &rows {
            let (number, bytes): (i32, &[u8]) = (row.get(0), row.get(1));
            let record = Record::from_bytes(bytes);
            match record.filter(|record| record.number == number as u32) {
                Some(record) => records.push(record),
                None => bad.push(number),
            }
        }
        self.client.execute(
            "update cupola_game set record = null, build = null, worker = null, leased_until = null \
             where key = $1 and number = any($2)",
            &[&key, &bad],
        )?;
        Ok((
            records,
            bad.into_iter().map(|number| number as u32).collect(),
        ))
    }

    /// Some records of a job that were played by a build.
    ///
    /// # Errors
    /// If the server fails.
    pub fn sample(
        &mut self,
        key: &str,
        build: StateHash,
        most: u32,
    ) -> Result<Vec<Record>, QueueError> {
        let rows = self.client.query(
            "select record from cupola_game \
             where key = $1 and build = $2 and record is not null order by number limit $3",
            &[&key, &build.to_string(), &i64::from(most)],
        )?;
        let records = rows.iter().map(|row| Record::from_bytes(row.get(0)));
        Ok(records.flatten().collect())
    }

    /// Says why a worker plays no games of a job.
    ///
    /// # Errors
    /// If the server fails.
    pub fn complain(&mut self, key: &str, worker: &str, why: &str) -> Result<(), QueueError> {
        self.client.execute(
            "insert into cupola_note (key, worker, why) values ($1, $2, $3) \
             on conflict (key, worker) do update set why = excluded.why",
            &[&key, &worker, &why],
        )?;
        Ok(())
    }

    /// Who plays no games of a job, and why; what was told is taken off.
    ///
    /// # Errors
    /// If the server fails.
    pub fn complaints(&mut self, key: &str) -> Result<Vec<(String, String)>, QueueError> {
        let rows = self.client.query(
            "delete from cupola_note where key = $1 returning worker, why",
            &[&key],
        )?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// Takes up to so many games of one job on a lease: of that one, if it is named, and of none of those that are to be left
    /// out.
    ///
    /// # Errors
    /// If the server fails.
    pub fn lease(
        &mut self,
        worker: &str,
        most: u32,
        lease: Duration,
        (of, without): (Option<&str>, &[String]),
    ) -> Result<Option<Lease>, QueueError> {
        let mut step = self.client.transaction()?;
        let seconds = lease.as_secs_f64();
        let rows = step.query(
            "update cupola_game set worker = $1, leased_until = now() + $3 * interval '1 second' \
             where (key, number) in ( \
                 select key, number from cupola_game \
                 where record is null and (leased_until is null or leased_until < now()) \
                   and key = ( \
                       select key from cupola_game \
                       where record is null and (leased_until is null or leased_until < now()) \
                         and key <> all($4) and ($5::text is null or key = $5) \
                       order by key, number limit 1) \
                 order by number limit $2 for update skip locked) \
             returning key, number",
            &[&worker, &i64::from(most), &seconds, &without, &of],
        )?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let key: String = first.get(0);
        let mut numbers: Vec<u32> = rows.iter().map(|row| row.get::<_, i32>(1) as u32).collect();
        numbers.sort_unstable();
        let row = step.query_one("select job from cupola_job where key = $1", &[&key])?;
        step.commit()?;
        let text: String = row.get(0);
        let job =
            serde_json::from_str(&text).map_err(|why| format!("a job that cannot be read: {why}"));
        Ok(Some(Lease { key, job, numbers }))
    }

    /// Still at it: the leases of a worker run on.
    ///
    /// # Errors
    /// If the server fails.
    pub fn heartbeat(&mut self, worker: &str, lease: Duration) -> Result<(), QueueError> {
        self.client.execute(
            "update cupola_game set leased_until = now() + $2 * interval '1 second' \
             where worker = $1 and record is null",
            &[&worker, &lease.as_secs_f64()],
        )?;
        Ok(())
    }

    /// Delivers a record. The first one stays; true if it was this one.
    ///
    /// # Errors
    /// If the server fails.
    pub fn deliver(
        &mut self,
        key: &str,
        record: &Record,
        build: StateHash,
    ) -> Result<bool, QueueError> {
        let changed = self.client.execute(
            "update cupola_game set record = $3, build = $4 \
             where key = $1 and number = $2 and record is null",
            &[
                &key,
                &(record.number as i32),
                &record.to_bytes(),
                &build.to_string(),
            ],
        )?;
        Ok(changed == 1)
    }

    /// Gives games back that will not be played.
    ///
    /// # Errors
    /// If the server fails.
    pub fn give_back(&mut self, worker: &str) -> Result<(), QueueError> {
        self.client.execute(
            "update cupola_game set worker = null, leased_until = null \
             where worker = $1 and record is null",
            &[&worker],
        )?;
        Ok(())
    }
}

/// The variable that holds the queue's address if none is named.
pub const VARIABLE: &str = "CUPOLA_QUEUE";

/// Where the queue is, as [`Database::at`] understands it; if nothing is named, as the variable `CUPOLA_QUEUE` says.
///
/// # Errors
/// If there is no address, or it is none. The message does not repeat it: it may have a password in it.
pub fn address(named: Option<&str>) -> Result<Database, QueueError> {
    let variable = std::env::var(VARIABLE).ok();
    let named = named.map(str::to_owned).or(variable);
    let named = named.ok_or_else(|| {
        QueueError::Address(format!(
            "no address: name it with --queue, or in {VARIABLE}"
        ))
    })?;
    Database::at(&named).map_err(QueueError::Address)
}

/// Whether the connection is gone, rather than the request wrong. A server that is told to stop says so in a
/// message of class 57.
fn lost(why: &postgres::Error) -> bool {
    why.is_closed()
        || why
            .code()
            .is_none_or(|code| code.code().starts_with("57") || code.code().starts_with("08"))
}
