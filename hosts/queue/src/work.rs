//! A worker: takes games, plays them, delivers the records, until nothing is left or it is told to stop.

use crate::{Job, Queue, QueueError};
use cupola_lab::{Contest, Record};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

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

/// Works. `build` makes a job ready; `tell` hears of every delivery.
///
/// # Errors
/// If the server refuses, or stays away for too long, or a job cannot be played here.
pub fn work(
    queue: &mut Queue,
    settings: &Settings,
    stop: &AtomicBool,
    mut build: impl FnMut(&Job) -> Built,
    mut tell: impl FnMut(&Job, &Record),
) -> Result<u32, QueueError> {
    let mut delivered = 0;
    let mut ready: Option<(Job, Contest)> = None;
    while !stop.load(Ordering::Relaxed) {
        let most = settings.threads as u32 * 2;
        let leased = queue.patiently(settings.patience, |queue| {
            queue.lease(&settings.name, most, settings.lease)
        })?;
        let Some((job, numbers)) = leased else {
            if settings.leave_when_empty {
                break;
            }
            std::thread::sleep(Duration::from_millis(500));
            continue;
        };
        if ready.as_ref().is_none_or(|(known, _)| *known != job) {
            let contest = build(&job).map_err(QueueError::Strange)?;
            if contest.key() != job.key {
                queue.give_back(&settings.name)?;
                return Err(QueueError::Strange(format!(
                    "games of {} that come out otherwise here: the data or the program differ \
                     (there {}, here {})",
                    job.name,
                    job.key,
                    contest.key()
                )));
            }
            ready = Some((job, contest));
        }
        if let Some((job, contest)) = &ready {
            delivered += batch(queue, settings, stop, contest, &numbers, |record| {
                tell(job, record)
            })?;
        }
    }
    queue.patiently(settings.patience, |queue| queue.give_back(&settings.name))?;
    Ok(delivered)
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
    let key = contest.key();
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
                    let ours = queue.patiently(patience, |queue| queue.deliver(&key, &record))?;
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
