//! Who is at a table, and how they are told that something has changed. It stays while the game itself sleeps.

use cupola_kernel::Seat;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::watch;

/// What watchers wait for: the ply, and a number that grows when something else about the game changes.
pub(crate) type Tick = (u64, u64);

/// Who is at a table, and how they are told.
pub(crate) struct Bell {
    tick: watch::Sender<Tick>,
    here: Mutex<Here>,
}

/// Over how many lines.
#[derive(Default)]
struct Here {
    seats: BTreeMap<Seat, usize>,
    people: BTreeMap<String, usize>,
}

impl Default for Bell {
    fn default() -> Bell {
        let (tick, _) = watch::channel((0, 0));
        let here = Mutex::default();
        Bell { tick, here }
    }
}

impl Bell {
    fn here(&self) -> MutexGuard<'_, Here> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To be told of changes.
    pub fn subscribe(&self) -> watch::Receiver<Tick> {
        self.tick.subscribe()
    }

    /// The game stands at a ply; nobody is told who knows that.
    pub fn stands_at(&self, ply: u64) {
        self.tick.send_if_modified(|tick| {
            let moved = tick.0 != ply;
            tick.0 = ply;
            moved
        });
    }

    /// Something besides the ply has changed.
    pub fn ring(&self) {
        self.tick.send_modify(|tick| tick.1 += 1);
    }

    /// Whether anybody is at the table.
    pub fn is_heard(&self) -> bool {
        !self.here().people.is_empty()
    }

    /// Whether this person is.
    pub fn hears(&self, person: &str) -> bool {
        self.here().people.contains_key(person)
    }

    /// The seats from which somebody looks.
    pub fn seats(&self) -> Vec<Seat> {
        self.here().seats.keys().copied().collect()
    }
}

/// Somebody is at a table until this is let go, whichever way his line ends: also if it never became one.
pub(crate) struct Present {
    pub bell: Arc<Bell>,
    pub seat: Seat,
    who: String,
}

impl Present {
    pub fn new(bell: Arc<Bell>, seat: Seat, who: String) -> Present {
        let mut here = bell.here();
        *here.seats.entry(seat).or_default() += 1;
        *here.people.entry(who.clone()).or_default() += 1;
        drop(here);
        Present { bell, seat, who }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        let here = &mut *self.bell.here();
        one_less(&mut here.seats, &self.seat);
        one_less(&mut here.people, &self.who);
    }
}

fn one_less<K: Ord>(counts: &mut BTreeMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

/// The bells of all tables at which somebody is, or whose game is awake.
#[derive(Default)]
pub(crate) struct Bells(Mutex<BTreeMap<String, Weak<Bell>>>);

impl Bells {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Weak<Bell>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bell of a table.
    pub fn of(&self, game: &str) -> Arc<Bell> {
        let mut all = self.lock();
        if let Some(bell) = all.get(game).and_then(Weak::upgrade) {
            return bell;
        }
        let bell = Arc::new(Bell::default());
        all.insert(game.to_owned(), Arc::downgrade(&bell));
        bell
    }

    /// Those of tables at which somebody is.
    pub fn heard(&self) -> Vec<(String, Arc<Bell>)> {
        let all = self.lock();
        let known = all
            .iter()
            .filter_map(|(id, bell)| Some((id.clone(), bell.upgrade()?)));
        known.filter(|(_, bell)| bell.is_heard()).collect()
    }

    /// Forgets those that nobody holds.
    pub fn tidy(&self) {
        self.lock().retain(|_, bell| bell.strong_count() > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bell_is_one_for_all_and_goes_with_the_last_who_holds_it() {
        let bells = Bells::default();
        let bell = bells.of("a");
        let ada = Present::new(bells.of("a"), Seat::Observer, "ada".into());
        assert!(Arc::ptr_eq(&bell, &ada.bell));
        let mut ticks = bell.subscribe();
        bell.stands_at(0);
        assert!(!ticks.has_changed().unwrap());
        bell.stands_at(7);
        bell.ring();
        assert_eq!(*ticks.borrow_and_update(), (7, 1));
        let again = Present::new(bell, Seat::Observer, "ada".into());
        drop(ada);
        assert!(again.bell.hears("ada"));
        assert_eq!(bells.heard().len(), 1);
        drop(again);
        assert!(bells.heard().is_empty());
        bells.tidy();
        assert!(bells.lock().is_empty());
    }
}
