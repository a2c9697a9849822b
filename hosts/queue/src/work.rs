//! A worker: takes games, plays them, delivers the records, until nothing is left or it is told to stop.

use crate::{Job, Lease, Queue, QueueError};
use cupola_kernel::Identity;
use cupola_lab::{Contest, Record};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
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
    /// For how long a thread rests after a game, so that the machine has time for others.
    pub rest: Duration,
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
        aside.retain(|_, until| until.is_none_or(|until| until > Instant::now()));
        let without: Vec<String> = aside.keys().cloned().collect();
        let leased = queue.patiently(settings.patience, |queue| {
            let most = settings.threads as u32;
            queue.lease(&settings.name, most, settings.lease, (None, &without))
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
            let shift = Shift {
                settings,
                stop,
                contest,
            };
            delivered += shift.play(queue, &lease.numbers, |record| tell(job, record))?;
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

/// How much play is taken at a time, for each thread: games that take longer are taken one by one, so that no worker sits on
/// games that others could play; shorter ones many at once, so that the way to the server does not count.
const AHEAD: Duration = Duration::from_secs(2);

/// The most games that are taken at a time for each thread.
const MOST: u32 = 32;

/// A game and how long it took; none if the worker is to stop.
type Played = Option<(Record, Duration)>;

/// Hands games out to those who play; how many. Who does not hear it has stopped.
fn give(numbers: &[u32], to: &Sender<u32>) -> usize {
    for number in numbers {
        to.send(*number).unwrap_or(());
    }
    numbers.len()
}

/// Games of one job, played on all threads as long as there are any.
struct Shift<'a> {
    settings: &'a Settings,
    stop: &'a AtomicBool,
    contest: &'a Contest,
}

impl Shift<'_> {
    /// Plays games and delivers each as it is done. Who is done with what he has gets more of the job: nobody waits for the last
    /// game of a batch.
    fn play(
        &self,
        queue: &mut Queue,
        numbers: &[u32],
        tell: impl FnMut(&Record),
    ) -> Result<u32, QueueError> {
        std::thread::scope(|scope| {
            let (done, records) = mpsc::channel();
            let (hand_out, numbered) = mpsc::channel();
            let numbered = Arc::new(Mutex::new(numbered));
            for _ in 0..self.settings.threads {
                let (done, numbered) = (done.clone(), numbered.clone());
                scope.spawn(move || self.games(&numbered, &done));
            }
            drop(done);
            self.deliver(queue, numbers, hand_out, &records, tell)
        })
    }

    /// Hands games out, and more as they are done; delivers what comes back, and gives signs of life meanwhile.
    fn deliver(
        &self,
        queue: &mut Queue,
        numbers: &[u32],
        hand_out: Sender<u32>,
        records: &Receiver<Played>,
        mut tell: impl FnMut(&Record),
    ) -> Result<u32, QueueError> {
        let (key, build) = (self.contest.key(), self.contest.rules().build());
        let Settings {
            threads, patience, ..
        } = *self.settings;
        let mut at_hand = give(numbers, &hand_out);
        // Once it is dropped the threads end.
        let mut hand_out = Some(hand_out);
        let (mut delivered, mut pace) = (0, Pace::default());
        loop {
            match records.recv_timeout(self.settings.lease / 3) {
                Ok(played) => {
                    at_hand -= 1;
                    if let Some((record, took)) = played {
                        let ours = queue
                            .patiently(patience, |queue| queue.deliver(&key, &record, build))?;
                        delivered += u32::from(ours);
                        tell(&record);
                        pace.add(took);
                    }
                    if at_hand < threads
                        && let Some(to) = &hand_out
                    {
                        let more = self.more(queue, &key, pace.games() * threads as u32)?;
                        at_hand += give(&more, to);
                    }
                    if at_hand == 0 {
                        hand_out = None;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    queue.patiently(patience, |queue| {
                        queue.heartbeat(&self.settings.name, self.settings.lease)
                    })?;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(delivered),
            }
        }
    }

    /// More games of the job; none if it has none, or the worker is to stop.
    fn more(&self, queue: &mut Queue, key: &str, most: u32) -> Result<Vec<u32>, QueueError> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(vec![]);
        }
        let Settings {
            name,
            lease,
            patience,
            ..
        } = self.settings;
        let leased = queue.patiently(*patience, |queue| {
            queue.lease(name, most, *lease, (Some(key), &[]))
        })?;
        Ok(leased.map_or(vec![], |lease| lease.numbers))
    }

    /// What one thread does: plays what it is handed, and tells how long that took; nothing once the worker is to stop.
    fn games(&self, numbered: &Mutex<Receiver<u32>>, done: &Sender<Played>) {
        loop {
            let number = numbered.lock().map(|numbered| numbered.recv());
            let Ok(Ok(number)) = number else {
                return;
            };
            let played = (!self.stop.load(Ordering::Relaxed)).then(|| {
                let start = Instant::now();
                let record = self.contest.play(number);
                std::thread::sleep(self.settings.rest);
                (record, start.elapsed())
            });
            if done.send(played).is_err() {
                return;
            }
        }
    }
}

/// How long games take.
#[derive(Default)]
struct Pace {
    games: u32,
    whole: Duration,
}

impl Pace {
    fn add(&mut self, took: Duration) {
        self.games += 1;
        self.whole += took;
    }

    /// How many games a thread plays in the time that is taken at once.
    fn games(&self) -> u32 {
        let one = (self.whole / self.games.max(1)).max(Duration::from_micros(1));
        ((AHEAD.as_micros() / one.as_micros()) as u32).clamp(1, MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_games_are_taken_one_by_one_and_short_ones_by_the_dozen() {
        let after = |took: Duration| {
            let mut pace = Pace::default();
            pace.add(took);
            pace.games()
        };
        assert_eq!(after(Duration::from_secs(90)), 1);
        assert_eq!(after(Duration::from_secs(2)), 1);
        assert_eq!(after(Duration::from_millis(200)), 10);
        assert_eq!(after(Duration::ZERO), MOST);
    }
}
