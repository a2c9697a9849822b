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
/// How many such lots of numbers were taken.
static BATCHES: AtomicU64 = AtomicU64::new(0);

impl Edition {
    /// One that nobody has had before, of those that are counted there.
    fn new(batches: &AtomicU64) -> Edition {
        thread_local! {
            static LAST: Cell<u64> = const { Cell::new(0) };
        }
        let last = match LAST.get() {
            last if last % BATCH == 0 => batches.fetch_add(1, Ordering::Relaxed) * BATCH,
            last => last,
        };
        LAST.set(last + 1);
        Edition(last + 1)
    }
}

/// The edition of a table, given when it is asked for.
#[derive(Debug)]
pub(crate) struct Printed {
    /// None yet: zero.
    edition: AtomicU64,
    /// Where lots are counted: of the program that made the table. A shared library has a kernel of its own in it, which
    /// would begin to count anew.
    batches: &'static AtomicU64,
}

impl Default for Printed {
    fn default() -> Printed {
        Printed {
            edition: AtomicU64::new(0),
            batches: &BATCHES,
        }
    }
}

impl Printed {
    /// The units may have changed.
    #[inline]
    pub(crate) fn forget(&mut self) {
        *self.edition.get_mut() = 0;
    }

    /// The units are those of another table now.
    pub(crate) fn take(&mut self, edition: Edition) {
        *self.edition.get_mut() = edition.0;
    }
}

impl Table {
    /// The edition of the units: as long as it stays the same, what followed from them still does.
    #[must_use]
    #[inline]
    pub fn edition(&self) -> Edition {
        match self.printed.edition.load(Ordering::Relaxed) {
            0 => {
                let edition = Edition::new(self.printed.batches);
                self.printed.edition.store(edition.0, Ordering::Relaxed);
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
        let make = || {
            (0..100)
                .map(|_| Edition::new(&BATCHES).0)
                .collect::<Vec<_>>()
        };
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
        assert_eq!(printed.edition.load(Ordering::Relaxed), 7);
        printed.forget();
        assert_eq!(printed.edition.load(Ordering::Relaxed), 0);
    }
}
