//! A worker: takes games, plays them, delivers the records, until nothing is left or it is told to stop.

use crate::{Job, Lease, Queue, QueueError};
use cupola_kernel::Identity;
use cupola_lab::{Contest, Record};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How a worker works.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its name: no two workers may share one.
    pub name: String,
    /// How many games at the same time.
    pub threads: usize,
    /// For how long a game is its own without a sign of life.
    pub lease: Duration,
    /// How long to wait for a server that is away.
    pub patience: Duration,
    /// Whether to leave when there is nothing to do.
    pub leave_when_empty: bool,
}

/// A job made ready on this machine, or why it cannot be.
pub type Built = Result<Contest, String>;

/// How many games of a run's own build a worker of another plays again before it plays along.
const SAMPLE: u32 = 3;

/// For how long a job is left alone of which nothing is delivered yet that could be played again.
const AGAIN: Duration = Duration::from_secs(3);

/// Jobs that are not played here, each with when to look at it again; some never.
type Aside = BTreeMap<String, Option<Instant>>;

/// Works. `build` makes a job ready; `tell` hears of every delivery, `complain` of every job that is not played
/// here, with why. Such a job is left to others, and the run that wants its games is told.
///
/// # Errors
/// If the server refuses, or stays away for too long.
pub fn work(
    queue: &mut Queue,
    settings: &Settings,
    stop: &AtomicBool,
    mut build: impl FnMut(&Job) -> Built,
    mut tell: impl FnMut(&Job, &Record),
    mut complain: impl FnMut(&str),
) -> Result<u32, QueueError> {
    let mut delivered = 0;
    let mut ready: Option<(Job, Contest)> = None;
    let mut aside = Aside::new();
    while !stop.load(Ordering::Relaxed) {
        let most = settings.threads as u32 * 2;
        aside.retain(|_, until| until.is_none_or(|until| until > Instant::now()));
        let without: Vec<String> = aside.keys().cloned().collect();
        let leased = queue.patiently(settings.patience, |queue| {
            queue.lease(&settings.name, most, settings.lease, &without)
        })?;
        let Some(lease) = leased else {
            // What was left alone for a while is not nothing.
            if settings.leave_when_empty && aside.values().all(Option::is_none) {
                break;
            }
            std::thread::sleep(Duration::from_millis(500));
            continue;
        };
        if ready
            .as_ref()
            .is_none_or(|(known, _)| known.key != lease.key)
        {
            ready = match prepare(queue, settings, &lease, &mut build)? {
                Ready::Plays(ready) => Some(*ready),
                Ready::Waits => {
                    queue.give_back(&settings.name)?;
                    aside.insert(lease.key, Some(Instant::now() + AGAIN));
                    continue;
                }
                Ready::Never(why) => {
                    queue.give_back(&settings.name)?;
                    queue.complain(&lease.key, &settings.name, &why)?;
                    complain(&why);
                    aside.insert(lease.key, None);
                    continue;
                }
            };
        }
        if let Some((job, contest)) = &ready {
            delivered += batch(queue, settings, stop, contest, &lease.numbers, |record| {
                tell(job, record)
            })?;
        }
    }
    queue.patiently(settings.patience, |queue| queue.give_back(&settings.name))?;
    Ok(delivered)
}

/// Whether a job can be played here.
enum Ready {
    Plays(Box<(Job, Contest)>),
    /// Not yet: nothing is delivered that could be played again.
    Waits,
    Never(String),
}

fn prepare(
    queue: &mut Queue,
    settings: &Settings,
    lease: &Lease,
    build: &mut impl FnMut(&Job) -> Built,
) -> Result<Ready, QueueError> {
    let job = match &lease.job {
        Ok(job) => job.clone(),
        Err(why) => return Ok(Ready::Never(why.clone())),
    };
    let contest = match build(&job) {
        Ok(contest) => contest,
        Err(why) => return Ok(Ready::Never(why)),
    };
    let (rules, theirs) = (
        contest.rules(),
        Identity::parse(&job.rules).unwrap_or_default(),
    );
    let differences = rules.differences(&theirs);
    let all: Vec<String> = differences.iter().map(ToString::to_string).collect();
    let all = all.join("; ");
    if contest.key() != job.key {
        return Ok(Ready::Never(format!(
            "games of {} come out otherwise here: {all}",
            job.name
        )));
    }
    if rules.build() == theirs.build() {
        return Ok(Ready::Plays(Box::new((job, contest))));
    }
    let sample = queue.patiently(settings.patience, |queue| {
        queue.sample(&job.key, theirs.build(), SAMPLE)
    })?;
    if sample.is_empty() {
        return Ok(Ready::Waits);
    }
    let other = sample
        .iter()
        .find(|record| contest.play(record.number) != **record);
    Ok(match other {
        None => Ready::Plays(Box::new((job, contest))),
        Some(record) => Ready::Never(format!(
            "game {} of {} comes out otherwise here: {all}",
            record.number, job.name
        )),
    })
}

/// Plays some games on all threads and delivers each as it is done.
fn batch(
    queue: &mut Queue,
    settings: &Settings,
    stop: &AtomicBool,
    contest: &Contest,
    numbers: &[u32],
    mut tell: impl FnMut(&Record),
) -> Result<u32, QueueError> {
    let (key, build) = (contest.key(), contest.rules().build());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..settings.threads.clamp(1, numbers.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    if sender.send(contest.play(number)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut delivered = 0;
        loop {
            match receiver.recv_timeout(settings.lease / 3) {
                Ok(record) => {
                    let patience = settings.patience;
                    let ours =
                        queue.patiently(patience, |queue| queue.deliver(&key, &record, build))?;
                    delivered += u32::from(ours);
                    tell(&record);
                }
                Err(RecvTimeoutError::Timeout) => {
                    queue.patiently(settings.patience, |queue| {
                        queue.heartbeat(&settings.name, settings.lease)
                    })?;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(delivered),
            }
        }
    })
}
