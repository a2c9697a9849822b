//! Plays many games on many threads.

use crate::contest::Contest;
use crate::record::Record;
use crate::store::{Store, StoreError};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Does the same with each item, on many threads; the answers come in the order of the items.
pub fn each<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let some = || {
        let mut done = vec![];
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else {
                return done;
            };
            done.push((i, work(item)));
        }
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads = threads.clamp(1, items.len().max(1));
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(some)).collect();
        let ended = running.into_iter().map(|thread| thread.join());
        // What went wrong there goes wrong here.
        ended
            .flat_map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// How a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Games that are on record, those of earlier runs included.
    pub done: u32,
    /// Games that were wanted.
    pub wanted: u32,
    /// Games that went wrong.
    pub bad: u32,
}

/// Plays the games `numbers` of a contest that are not on record yet, and returns all of them in order. Stops
/// early, with what there is, when `stop` is set. A shard of a run names some of the numbers only.
///
/// # Errors
/// If records cannot be written.
pub fn run(
    contest: &Contest,
    numbers: impl IntoIterator<Item = u32>,
    threads: usize,
    store: &mut Store,
    mut records: Vec<Record>,
    stop: &AtomicBool,
    mut tell: impl FnMut(Progress),
) -> Result<Vec<Record>, StoreError> {
    let numbers: BTreeSet<u32> = numbers.into_iter().collect();
    records.retain(|record| numbers.contains(&record.number));
    let known: BTreeSet<u32> = records.iter().map(|record| record.number).collect();
    let missing: Vec<u32> = numbers.difference(&known).copied().collect();
    let wanted = (missing.len() + known.len()) as u32;
    let progress = |records: &[Record]| Progress {
        done: records.len() as u32,
        wanted,
        bad: records
            .iter()
            .filter(|record| record.fault.is_some())
            .count() as u32,
    };
    tell(progress(&records));
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.clamp(1, missing.len().max(1)) {
            let (sender, next, missing) = (sender.clone(), &next, &missing);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Some(&number) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    if sender.send(contest.play(number)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for record in receiver {
            if let Err(why) = store.add(&record) {
                stop.store(true, Ordering::Relaxed);
                return Err(why);
            }
            records.push(record);
            tell(progress(&records));
        }
        Ok(())
    })?;
    records.sort_by_key(|record| record.number);
    records.dedup_by_key(|record| record.number);
    Ok(records)
}
