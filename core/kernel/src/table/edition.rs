//! Which edition of the units a table holds, for whoever keeps what follows from them.

use super::Table;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The units as they stand at a moment: two tables of the same edition are of one play, and have every unit in the same place and
/// condition. No part of the state; tables of two editions may well be alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edition(u64);

/// So many editions a thread makes before it takes new numbers.
const BATCH: u64 = 1 << 32;

impl Edition {
    /// One that nobody has had before.
    fn new() -> Edition {
        static BATCHES: AtomicU64 = AtomicU64::new(0);
        thread_local! {
            static LAST: Cell<u64> = const { Cell::new(0) };
        }
        let last = match LAST.get() {
            last if last % BATCH == 0 => BATCHES.fetch_add(1, Ordering::Relaxed) * BATCH,
            last => last,
        };
        LAST.set(last + 1);
        Edition(last + 1)
    }
}

/// The edition of a table, given when it is asked for.
#[derive(Debug, Default)]
pub(crate) struct Printed(AtomicU64);

impl Printed {
    /// The units may have changed.
    #[inline]
    pub(crate) fn forget(&mut self) {
        *self.0.get_mut() = 0;
    }

    /// The units are those of another table now.
    pub(crate) fn take(&mut self, edition: Edition) {
        *self.0.get_mut() = edition.0;
    }
}

impl Table {
    /// The edition of the units: as long as it stays the same, what followed from them still does.
    #[must_use]
    #[inline]
    pub fn edition(&self) -> Edition {
        match self.printed.0.load(Ordering::Relaxed) {
            0 => {
                let edition = Edition::new();
                self.printed.0.store(edition.0, Ordering::Relaxed);
                edition
            }
            known => Edition(known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_threads_make_the_same_edition() {
        let make = || (0..100).map(|_| Edition::new().0).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(make)).collect();
        let made = threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("editions"));
        let mut made: Vec<u64> = made.chain(make()).collect();
        made.sort_unstable();
        made.dedup();
        assert_eq!(made.len(), 500);
        assert_ne!(made[0], 0, "none is the one that was not given");
    }

    #[test]
    fn a_table_is_given_its_edition_once_until_something_changes() {
        let mut printed = Printed::default();
        printed.take(Edition(7));
        assert_eq!(printed.0.load(Ordering::Relaxed), 7);
        printed.forget();
        assert_eq!(printed.0.load(Ordering::Relaxed), 0);
    }
}
