//! Bots think on threads of their own.

use crate::club::Club;
use crate::scenery::Scenery;
use crate::sitting::Sitting;
use crate::store::{Holder, Meta};
use cupola_bots::{Player, Skill};
use cupola_kernel::{Seed, Side};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

/// Keeps a bot's choices apart from everything else that follows from the game's seed.
const BOTS: u64 = 0x626f_7473;
/// So many choices in a row, then another game has its turn.
const ROW: usize = 8;

/// The bots that sit at a game.
pub(crate) fn players(meta: &Meta, scenery: &Scenery, seed: Seed) -> [Option<Player>; 2] {
    Side::BOTH.map(|side| {
        let Holder::Bot(skill) = &meta.seats[side as usize] else {
            return None;
        };
        let skill = Skill::parse(skill).unwrap_or(Skill::Steady);
        let (own, other) = (
            &scenery.briefs[side as usize],
            &scenery.guesses[side.other() as usize],
        );
        let seed = seed.nth(BOTS).nth(side as u64);
        Some(Player::new(skill, own, other, seed))
    })
}

/// The queue of games in which a bot must choose.
pub(crate) struct Bench {
    queue: Sender<Arc<Sitting>>,
    /// None if bots think in other programs.
    threads: usize,
}

impl Bench {
    /// Starts the threads.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub fn new(club: &Weak<Club>, threads: usize) -> std::io::Result<Bench> {
        let (queue, games) = mpsc::channel();
        let games = Arc::new(Mutex::new(games));
        for number in 0..threads {
            let (club, games, again) = (club.clone(), games.clone(), queue.clone());
            thread::Builder::new()
                .name(format!("bot-{number}"))
                .spawn(move || think(&club, &games, &again))?;
        }
        Ok(Bench { queue, threads })
    }

    /// A bench without threads.
    pub fn idle() -> Bench {
        Bench {
            queue: mpsc::channel().0,
            threads: 0,
        }
    }

    /// Looks whether a bot must choose, and has it think if so.
    pub fn nudge(&self, sitting: &Arc<Sitting>) {
        if self.threads == 0 {
            return;
        }
        let mut state = sitting.lock();
        let asked = state.asked();
        let must = asked
            .is_some_and(|side| matches!(state.record.meta.seats[side as usize], Holder::Bot(_)));
        let idle = !state.thinking && !state.dropped && state.closed.is_none();
        let free = !state.record.meta.paused && !sitting.awaits_shares(&state);
        if must && idle && free && sitting.store.claim(&sitting.id) {
            state.thinking = true;
            // The threads live as long as the club.
            let _ = self.queue.send(sitting.clone());
        }
    }
}

fn think(club: &Weak<Club>, games: &Mutex<Receiver<Arc<Sitting>>>, again: &Sender<Arc<Sitting>>) {
    loop {
        let next = games.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(sitting) = next else { return };
        let mut more = true;
        for _ in 0..ROW {
            more = catch_unwind(AssertUnwindSafe(|| step(&sitting))).unwrap_or(false);
            if !more {
                break;
            }
        }
        if more {
            let _ = again.send(sitting);
        } else {
            sitting.lock().thinking = false;
            sitting.store.release(&sitting.id);
            if let Some(club) = club.upgrade() {
                club.moved(&sitting);
            }
        }
    }
}

/// One choice of a bot. False if none is to be made.
fn step(sitting: &Sitting) -> bool {
    let (mut player, game, side, ply) = {
        let mut state = sitting.lock();
        if state.dropped || state.record.meta.paused {
            return false;
        }
        let Some(side) = state.asked() else {
            return false;
        };
        // Rules that ask for ever fill no club with choices.
        let most = state.game().play().bounds().decisions.saturating_mul(4);
        if state.steps() > most as usize {
            return false;
        }
        let Some(player) = state.bots[side as usize].take() else {
            return false;
        };
        (player, state.game().fork(), side, state.ply())
    };
    let act = player.choose(&game);
    let mut state = sitting.lock();
    state.bots[side as usize] = Some(player);
    match act {
        Ok(Some(act)) if state.ply() == ply => {
            sitting.carry_out(&mut state, side, act, None).is_ok()
        }
        // Somebody took back a choice meanwhile: look again.
        Ok(Some(_)) => true,
        _ => false,
    }
}
