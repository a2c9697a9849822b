//! Forks, snapshots, saves and undone games: equal when made, equal after playing on, and never
//! changed by what happens elsewhere.

use crate::conformity::Tally;
use crate::settings::{Settings, is_landmark};
use crate::walk::Walk;
use cupola_data::Source;
use cupola_kernel::{Act, Event, Game, Journal, Play, Seed, Session, Side, StateHash};

/// One step of a game as it was first played.
struct Step {
    side: Side,
    act: Act,
    /// The hash of the state it led to.
    hash: StateHash,
    events: Vec<Event>,
}

/// A copy made on the way.
struct Kept {
    ply: usize,
    fork: Game,
    snapshot: Vec<u8>,
    hash: StateHash,
    question: String,
}

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    // Each game is played about four times over: copied, undone, saved and loaded.
    settings.series(4, |number| {
        let seed = settings.seed.nth(number);
        let (line, kept) = record(play, seed)?;
        let place = |ply: usize, why: String| format!("game {seed}, ply {ply}: {why}");
        let mut pool = play
            .game(seed.nth(1))
            .map_err(|fault| place(0, fault.to_string()))?;
        for copy in &kept {
            let onward = &line[copy.ply..line.len().min(copy.ply + settings.onward)];
            later(play, seed, copy, onward, &mut pool).map_err(|why| place(copy.ply, why))?;
            tally.add("copies", 4);
        }
        undo(play, seed, &line, settings, tally)?;
        save(play, seed, &line, tally)?;
        tally.add("games", 1);
        Ok(line.len() as u32)
    })
}

/// Plays a game, keeping copies of its landmarks.
fn record(play: &Play, seed: Seed) -> Result<(Vec<Step>, Vec<Kept>), String> {
    let mut walk = Walk::start(play, seed)?;
    walk.game.listen(true);
    let (mut line, mut kept) = (vec![], vec![]);
    while let Some((side, act)) = walk.choice()? {
        if is_landmark(walk.ply) {
            let copy = keep(&walk.game, walk.ply as usize).map_err(|why| walk.at(why))?;
            at_once(&walk.game, &copy).map_err(|why| walk.at(why))?;
            kept.push(copy);
        }
        walk.apply(side, act)?;
        line.push(Step {
            side,
            act,
            hash: walk.game.hash(),
            events: walk.game.take_events().0,
        });
    }
    Ok((line, kept))
}

fn keep(game: &Game, ply: usize) -> Result<Kept, String> {
    Ok(Kept {
        ply,
        fork: game.fork(),
        snapshot: game.snapshot().map_err(|error| error.to_string())?,
        hash: game.hash(),
        question: question(game),
    })
}

/// Who is asked what, and every answer: in short, what must be asked again after loading.
fn question(game: &Game) -> String {
    match game.decision() {
        None => "nobody is asked".to_owned(),
        Some(decision) => {
            let ids: Vec<String> = decision.options.iter().map(|&act| game.name(act)).collect();
            format!(
                "{:?} is asked “{}”: {}",
                decision.ask.side,
                decision.ask.question,
                ids.join(", ")
            )
        }
    }
}

fn same(what: &str, game: &Game, hash: StateHash, asked: &str) -> Result<(), String> {
    let found = question(game);
    if found != asked {
        return Err(format!("in {what} {found}; it was: {asked}"));
    }
    if game.hash() != hash {
        return Err(format!("{what} has another hash"));
    }
    Ok(())
}

/// What must hold the moment a copy is made. Loading asks the open question again: a phase whose
/// `next` does something while its question is open shows here.
fn at_once(game: &Game, copy: &Kept) -> Result<(), String> {
    same("a fork", &copy.fork, copy.hash, &copy.question)?;
    let mut loaded = game.fork();
    for what in ["a restored snapshot", "a snapshot restored twice"] {
        loaded
            .restore(&copy.snapshot)
            .map_err(|error| format!("the snapshot cannot be restored: {error}"))?;
        same(what, &loaded, copy.hash, &copy.question)?;
    }
    same(
        "the game after it was copied",
        game,
        copy.hash,
        &copy.question,
    )
}

/// What must hold when the game has long gone on: nothing is shared, and every kind of copy goes
/// the same way.
fn later(
    play: &Play,
    seed: Seed,
    copy: &Kept,
    onward: &[Step],
    pool: &mut Game,
) -> Result<(), String> {
    let fork = &copy.fork;
    same("an earlier fork", fork, copy.hash, &copy.question)?;
    pool.copy_from(fork);
    same("a pooled copy", pool, copy.hash, &copy.question)?;
    follow("a pooled copy", pool, onward)?;
    let mut restored = play.game(seed).map_err(|fault| fault.to_string())?;
    restored
        .restore(&copy.snapshot)
        .map_err(|error| format!("the snapshot cannot be restored: {error}"))?;
    follow("a restored snapshot", &mut restored, onward)?;
    follow("a fork of a fork", &mut fork.fork(), onward)?;
    same("an earlier fork", fork, copy.hash, &copy.question)
}

/// Plays the same choices: the same must come of them.
fn follow(what: &str, game: &mut Game, onward: &[Step]) -> Result<(), String> {
    game.listen(true);
    for (i, step) in onward.iter().enumerate() {
        let (name, plies) = (game.name(step.act), i + 1);
        game.apply(step.side, step.act)
            .map_err(|error| format!("{what} refuses “{name}” {plies} plies on: {error}"))?;
        if game.hash() != step.hash {
            return Err(format!(
                "{what} has another hash {plies} plies on, after “{name}”"
            ));
        }
        if game.take_events().0 != step.events {
            return Err(format!(
                "{what} tells other events {plies} plies on, after “{name}”"
            ));
        }
    }
    Ok(())
}

/// A step without luck can be taken back by the side that made it; no other step, and no other side.
fn undo(
    play: &Play,
    seed: Seed,
    line: &[Step],
    settings: &Settings,
    tally: &mut Tally,
) -> Result<(), String> {
    let mut session = Session::begin(play, seed).map_err(|fault| fault.to_string())?;
    for (ply, step) in line.iter().enumerate() {
        let place = |why: &str| format!("game {seed}, ply {ply}: {why}");
        let (before, asked) = (session.game().hash(), question(session.game()));
        let luck = session.game().luck();
        session
            .apply(step.side, step.act)
            .map_err(|error| place(&error.to_string()))?;
        if !settings.looks_at(ply as u32) {
            continue;
        }
        if session.undo(step.side.other()).is_ok() {
            return Err(place("the other side can undo the step"));
        }
        let lucky = session.game().luck() != luck;
        match session.undo(step.side) {
            Ok(()) if lucky => return Err(place("a step with a die or a reveal can be undone")),
            Err(why) if !lucky => return Err(place(&format!("cannot be undone: {why}"))),
            Err(_) => {}
            Ok(()) => {
                same("the game after undoing", session.game(), before, &asked)
                    .map_err(|why| place(&why))?;
                session
                    .apply(step.side, step.act)
                    .map_err(|error| place(&format!("cannot be done again: {error}")))?;
                tally.add("undone", 1);
            }
        }
        if session.game().hash() != step.hash {
            return Err(place("undoing and doing again leads elsewhere"));
        }
    }
    Ok(())
}

/// A journal written and read back leads to the same game, whole or broken off.
fn save(play: &Play, seed: Seed, line: &[Step], tally: &mut Tally) -> Result<(), String> {
    let mut session = Session::begin(play, seed).map_err(|fault| fault.to_string())?;
    for (ply, step) in line.iter().enumerate() {
        let place = |why: String| format!("game {seed}, ply {ply}: {why}");
        session
            .apply(step.side, step.act)
            .map_err(|error| place(error.to_string()))?;
        if !(ply + 1).is_power_of_two() && ply + 1 != line.len() {
            continue;
        }
        let text = session.journal().write();
        let read = Journal::read(&Source::new("game.cupola", text))
            .map_err(|problems| place(format!("the save cannot be read: {problems}")))?;
        let loaded = Session::replay(play, &read, "game.cupola")
            .map_err(|problems| place(format!("the save cannot be played: {problems}")))?;
        let (asked, hash) = (question(session.game()), session.game().hash());
        same("the loaded game", loaded.game(), hash, &asked).map_err(place)?;
        tally.add("saves", 1);
    }
    Ok(())
}
