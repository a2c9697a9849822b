//! What a thread keeps of who stands where, and of what a search found, is never used for anything else.

use crate::common;
use cupola_blindswords::field::Field;
use cupola_blindswords::reach::{Leg, Mover, reach};
use cupola_blindswords::rules::Order;
use cupola_blindswords::situation::look;
use cupola_blindswords::state::March;
use cupola_data::Source;
use cupola_kernel::{
    About, Act, Dice, Game, Loose, Play, PositionFile, Seed, Session, Side, StateHash, UnitId,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A choice, and what lay before it: the state and the list.
type Ply = (StateHash, Vec<Act>, Act);

/// A whole random game on a thread that has seen nothing else.
fn alone(play: &Play, seed: Seed, most: usize) -> Vec<Ply> {
    let play = play.clone();
    let game = std::thread::spawn(move || {
        let mut game = play.game(seed).expect("a game");
        let (mut dice, mut plies) = (Loose::new(seed), vec![]);
        while let Some(decision) = game.decision().filter(|_| plies.len() < most) {
            let nth = dice.roll(decision.options.len() as u16, "choice", About::Game) - 1;
            let (side, act) = (decision.ask.side, decision.options[usize::from(nth)]);
            plies.push((game.hash(), decision.options.to_vec(), act));
            game.apply(side, act).expect("listed");
        }
        plies
    });
    game.join().expect("a game")
}

/// The first day with another strength of a unit, other ground, another rule of entry.
fn amended() -> Play {
    let text = r#"(ruleset: "blindswords", scenario: "main", turn: "0900", phase: "chits", state: (
        units: {"davis-1": (sp: (2, 1))},
        amend: (switches: {"entry_is_free": true}, cover: {"1816": town, "1815": woods, "1714": woods, "1613": woods}),
    ))"#;
    let file = PositionFile {
        source: Source::new("test", text),
        in_case: false,
    };
    let play = common::main_play().at(&file);
    play.unwrap_or_else(|problems| panic!("{problems}"))
}

/// The kinds of game that share a thread: two of the same rules, other rules, another scenario, an amended position.
fn plays() -> [Play; 5] {
    [
        common::main_play().clone(),
        common::main_play().clone(),
        common::switched(&[("events_engage", true), ("entry_is_free", true)]),
        common::play("tutorial"),
        amended(),
    ]
}

/// Looks where somebody can go, and fails before the answer is used.
fn fail_on_the_way(game: &Game) {
    let field = Field::new(game.table());
    let march = March {
        by: Side::First,
        order: Order::Maneuver,
        points: None,
        less: 0,
        one: false,
    };
    let failed = catch_unwind(AssertUnwindSafe(|| {
        look(field, |_| panic!("on purpose"));
    }));
    assert!(failed.is_err());
    let failed = catch_unwind(AssertUnwindSafe(|| {
        let mover = Mover::new(field, UnitId(0), march);
        let leg = Leg {
            at: Some(cupola_kernel::HexId(u16::MAX)),
            entries: &[],
            spent: 0,
            steps: (0, false),
        };
        reach(field, &mover, leg, |_| ());
    }));
    assert!(failed.is_err(), "a hex that is on no map");
}

/// What a thread does with a game besides playing it on.
fn disturb(n: usize, session: &mut Session, pool: &mut Game, kept: &mut Option<Game>) {
    let game = session.game();
    let decision = game.decision().expect("it goes on");
    let (side, first) = (decision.ask.side, decision.options[0]);
    match n % 7 {
        // A pooled table, whatever it was before, that plays on by itself.
        0 => {
            pool.copy_from(game);
            assert_eq!(pool.hash(), game.hash());
            pool.apply(side, first).expect("listed");
        }
        1 => {
            pool.become_after(game, first).expect("listed");
            pool.list().expect("options");
        }
        // A save of another moment.
        2 => {
            let mut fork = game.fork();
            let before = fork.snapshot().expect("a state");
            fork.apply(side, first).expect("listed");
            fork.restore(&before).expect("its own");
            assert_eq!(fork.hash(), game.hash());
            assert_eq!(
                fork.decision().map(|d| d.options.to_vec()),
                game.decision().map(|d| d.options.to_vec())
            );
            *kept = Some(fork);
        }
        // Refused, and asked why.
        3 => {
            let wrong = Act {
                verb: first.verb,
                args: [cupola_kernel::Arg::Unit(UnitId(3)); 3],
            };
            assert!(session.apply(side, wrong).is_err());
        }
        // Taken back, where it can be.
        4 => {
            session.apply(side, first).expect("listed");
            if session.undo(side).is_err() {
                // Dice have fallen: begin again from the journal.
                let mut journal = session.journal().clone();
                journal.steps.pop();
                *session =
                    Session::replay(session.game().play(), &journal, "test").expect("its own");
            }
        }
        5 => fail_on_the_way(game),
        // Another world that it could be.
        _ => {
            if let Some(fork) = kept {
                let seat = cupola_kernel::Seat::Player(side);
                fork.copy_from(game);
                fork.imagine(seat, Seed(n as u128)).expect("a world");
            }
        }
    }
}

/// Games of several rules in turns on one thread, forked, pooled, restored, undone, refused and broken off: each is choice for choice
/// the game that it is alone on a thread of its own.
#[test]
fn games_that_share_a_thread_do_not_hear_of_each_other() {
    let most = 260;
    let plays = plays();
    let seeds = [1, 2, 1, 1, 1].map(|n| Seed(63).nth(n));
    let alone: Vec<Vec<Ply>> = plays
        .iter()
        .zip(seeds)
        .map(|(play, seed)| alone(play, seed, most))
        .collect();
    assert!(alone[0] != alone[2] && alone[0] != alone[4]);
    let mut sessions: Vec<Session> = plays
        .iter()
        .zip(seeds)
        .map(|(play, seed)| Session::begin(play, seed).expect("a game"))
        .collect();
    let mut pool = plays[4].game(Seed(5)).expect("a game");
    let mut kept = None;
    for ply in 0..most {
        for (n, session) in sessions.iter_mut().enumerate() {
            let Some((hash, options, act)) = alone[n].get(ply) else {
                continue;
            };
            disturb(ply * 5 + n, session, &mut pool, &mut kept);
            let decision = session.game().decision().expect("it goes on");
            assert_eq!(decision.options, options, "game {n}, ply {ply}");
            assert_eq!(session.game().hash(), *hash, "game {n}, ply {ply}");
            let side = decision.ask.side;
            session.apply(side, *act).expect("listed");
        }
    }
}

/// A pooled game takes over a game of amended rules with its rules.
#[test]
fn a_copy_of_a_game_of_other_rules_is_played_by_those() {
    let amended = amended();
    let game = amended.game(Seed(9)).expect("a game");
    let mut pooled = common::main_play().game(Seed(9)).expect("a game");
    assert!(
        !pooled.copy_from(&game),
        "no other play's columns are taken"
    );
    let davis = game.table().env().unit("davis-1").expect("a unit");
    let sp = |game: &Game| Field::new(game.table()).sp(davis);
    assert_eq!((sp(&pooled), sp(&game)), (2, 2));
    assert!(
        pooled.copy_from(&game),
        "from then on it is a copy of columns"
    );
    let first = game.decision().expect("a question").options[0];
    let mut other = common::main_play().game(Seed(9)).expect("a game");
    other.become_after(&game, first).expect("listed");
    other.list().expect("options");
    pooled.apply_unchecked(first).expect("listed");
    assert_eq!((sp(&other), other.hash()), (2, pooled.hash()));
}

/// A picture that was begun and not finished is not looked at again, not even by whom it held for before.
#[test]
fn a_picture_that_was_not_finished_is_not_used() {
    let play = common::main_play();
    let mut game = play.game(Seed(6)).expect("a game");
    for _ in 0..400 {
        let Some(decision) = game.decision() else {
            break;
        };
        let (side, last) = (
            decision.ask.side,
            decision.options[decision.options.len() - 1],
        );
        game.apply(side, last).expect("listed");
    }
    let field = Field::new(game.table());
    let picture = || {
        look(field, |situation| {
            Side::BOTH.map(|side| {
                (
                    situation.flags(side).to_vec(),
                    situation.enemies(side).len(),
                )
            })
        })
    };
    let before = picture();
    assert!(before[0].1 > 0, "somebody is there");
    // The same rules are asked about a table with fewer units: it fails in the middle.
    let small = common::play("training").game(Seed(1)).expect("a game");
    assert!(small.table().unit_count() < game.table().unit_count());
    let mut wrong = Field::new(small.table());
    wrong.rules = field.rules;
    let failed = catch_unwind(AssertUnwindSafe(|| look(wrong, |_| ())));
    assert!(failed.is_err(), "a unit that is on no table");
    assert_eq!(picture(), before);
}
