//! The same journal gives the same game: on another thread, from files loaded anew, many at once.

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::suite::message;
use crate::walk::Walk;
use cupola_kernel::{Journal, Play, Seed, Session, hash_bytes};
use std::fmt::Write as _;
use std::thread;

pub(crate) fn run(
    play: &Play,
    make: &(dyn Fn() -> Play + Sync),
    settings: &Settings,
    tally: &mut Tally,
) -> Result<(), String> {
    let journals: Vec<Journal> = (0..settings.games)
        .map(|number| journal(play, settings.seed.nth(number)))
        .collect::<Result<_, _>>()?;
    elsewhere(move || replay_all(&make(), &journals, play))?;
    tally.add("replays", settings.games);
    together(play, settings)?;
    tally.add("played in parallel", settings.games);
    Ok(())
}

/// Runs something on another thread.
fn elsewhere<T: Send>(f: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    thread::scope(|scope| {
        let joined = scope.spawn(f).join();
        joined.map_err(|panic| format!("the ruleset panicked: {}", message(&*panic)))?
    })
}

/// A random game with its journal.
fn journal(play: &Play, seed: Seed) -> Result<Journal, String> {
    let mut walk = Walk::start(play, seed)?;
    let mut session = Session::begin(play, seed).map_err(|fault| fault.to_string())?;
    while let Some((side, act)) = walk.choice()? {
        session
            .apply(side, act)
            .map_err(|error| walk.at(format!("a game played twice differs: {error}")))?;
        walk.apply(side, act)?;
        if session.game().hash() != walk.game.hash() {
            return Err(walk.at("a game played twice with the same choices differs"));
        }
    }
    Ok(session.journal().clone())
}

fn replay_all(again: &Play, journals: &[Journal], play: &Play) -> Result<(), String> {
    if again.resolved() != play.resolved() {
        return Err("the same files, loaded twice, come to different rules".to_owned());
    }
    journals.iter().try_for_each(|journal| {
        Session::replay(again, journal, "game.cupola")
            .map(|_| ())
            .map_err(|problems| format!("game {}, on another thread: {problems}", journal.seed))
    })
}

/// Games played at the same time are the games played one after the other.
fn together(play: &Play, settings: &Settings) -> Result<(), String> {
    let seeds: Vec<Seed> = (0..settings.games).map(|n| settings.seed.nth(n)).collect();
    let alone: Vec<String> = seeds
        .iter()
        .map(|&seed| digest_of(play, seed))
        .collect::<Result<_, _>>()?;
    let at_once: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = seeds
            .iter()
            .map(|&seed| scope.spawn(move || digest_of(play, seed)))
            .collect();
        let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
        joined
            .map(|done| {
                done.map_err(|panic| format!("the ruleset panicked: {}", message(&*panic)))?
            })
            .collect::<Result<_, String>>()
    })?;
    match alone.iter().zip(&at_once).find(|(one, other)| one != other) {
        None => Ok(()),
        Some((one, other)) => Err(format!(
            "a game played beside others differs: alone {one}, in parallel {other}"
        )),
    }
}

/// One line for a random game: its seed, its length and the hash of all hashes on the way.
fn digest_of(play: &Play, seed: Seed) -> Result<String, String> {
    let mut walk = Walk::start(play, seed)?;
    let mut way = walk.game.hash().0.to_le_bytes().to_vec();
    while let Some((side, act)) = walk.choice()? {
        walk.apply(side, act)?;
        way.extend_from_slice(&walk.game.hash().0.to_le_bytes());
    }
    Ok(format!("{seed} {} {}", walk.ply, hash_bytes(&way)))
}

/// A few random games in one text, one line each, to compare between processes and machines.
///
/// # Errors
/// If a game cannot be played to its end.
pub fn digest(play: &Play, seed: Seed, games: u64) -> Result<String, String> {
    let mut text = format!("{}\n", play.resolved());
    for number in 0..games {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", digest_of(play, seed.nth(number))?);
    }
    Ok(text)
}
