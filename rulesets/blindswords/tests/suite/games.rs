//! Random games of every scenario end properly, and nobody sees what is hidden.

use crate::common;

use cupola_blindswords::field::Field;
use cupola_blindswords::situation::{ENEMY, NEAR, NEAR_TWO, look};
use cupola_blindswords::state::{Chits, Status};
use cupola_cup::Spot;
use cupola_kernel::{About, Dice, Game, Loose, Seat, Seed, Side};

pub fn random_game(game: &mut Game, seed: Seed, mut look: impl FnMut(&mut Game)) -> u32 {
    let (mut dice, mut plies) = (Loose::new(seed), 0);
    while let Some(decision) = game.decision() {
        let nth = dice.roll(decision.options.len() as u16, "choice", About::Game) - 1;
        let (side, act) = (decision.ask.side, decision.options[usize::from(nth)]);
        game.apply(side, act)
            .unwrap_or_else(|error| panic!("ply {plies}: {error}"));
        look(game);
        plies += 1;
    }
    plies
}

fn games(scenario: &str) {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    let count = if full { 1000 } else { 10 };
    let play = common::play(scenario);
    for number in 0..count {
        let mut game = play.game(Seed(5).nth(number)).expect("a game");
        random_game(&mut game, Seed(9).nth(number), |_| {});
        assert!(game.verdict().is_some(), "{scenario} {number}");
    }
}

#[test]
fn main_games_end() {
    games("main");
}

#[test]
fn tutorial_games_end() {
    games("tutorial");
}

#[test]
fn quick_stops_end() {
    games("noon");
    games("afternoon");
}

/// Nobody ends a step in a crowd, next to no law, or among the enemy.
#[test]
fn hexes_hold_one_side_and_not_too_much() {
    let play = common::main_play();
    for number in 0..4 {
        let mut game = play.game(Seed(6).nth(number)).expect("a game");
        random_game(&mut game, Seed(11).nth(number), |game| {
            let field = Field::new(game.table());
            for side in Side::BOTH {
                for hex in field.held(side) {
                    let units = field.units(hex);
                    assert!(
                        units.into_iter().all(|unit| field.card(unit).side == side),
                        "both sides in one hex"
                    );
                }
            }
        });
    }
}

/// What is kept of who stands where is what the units say, whichever of several games was looked at before.
#[test]
fn the_situation_is_that_of_the_units() {
    let play = common::main_play();
    let mut before = play.game(Seed(6)).expect("a game");
    for number in 0..3 {
        let mut game = play.game(Seed(6).nth(number)).expect("a game");
        let mut ply = 0;
        random_game(&mut game, Seed(12).nth(number), |game| {
            ply += 1;
            if ply % 5 == 0 {
                agree(game);
                agree(&before);
                before.copy_from(game);
                assert_eq!(before.table().edition(), game.table().edition());
            } else if ply % 5 == 3 {
                agree(game);
            }
        });
    }
}

fn agree(game: &Game) {
    let field = Field::new(game.table());
    look(field, |situation| {
        for (side, hex) in Side::BOTH
            .into_iter()
            .flat_map(|side| game.table().board().hexes().map(move |hex| (side, hex)))
        {
            let enemy = field.holder(hex) == Some(side.other());
            let near = field.engaged(side, hex);
            let two = field
                .rules
                .around(hex)
                .any(|next| field.engaged(side, next));
            let flags = [(enemy, ENEMY), (near, NEAR), (two, NEAR_TWO)];
            let flags = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag);
            assert_eq!(situation.flags(side)[hex.index()], flags.sum::<u8>());
            assert_eq!(situation.enemies(side).contains(&hex), enemy);
            let own = field.holder(hex) == Some(side);
            let (there, room) = (field.sp_in(hex), field.room(hex));
            let fits = !own || there + 3 <= room;
            assert_eq!(situation.fits(side, hex, 3, room), fits);
        }
    });
}

/// Whatever moves a unit or changes its condition makes another edition.
#[test]
fn a_change_of_units_is_another_edition() {
    let play = common::main_play();
    let mut game = play.game(Seed(6)).expect("a game");
    let places = |game: &Game| {
        let t = game.table();
        let units = t.units();
        let place = |unit| (t.stacks().place(unit), *t.get::<Status>(unit));
        units.map(place).collect::<Vec<_>>()
    };
    let mut was = (game.table().edition(), places(&game));
    let (mut same, mut others) = (0, 0);
    random_game(&mut game, Seed(12), |game| {
        let is = (game.table().edition(), places(game));
        assert!(is.0 != was.0 || is.1 == was.1, "not noticed");
        same += u32::from(is.0 == was.0);
        others += u32::from(is.1 != was.1);
        was = is;
    });
    assert!(same > 100 && others > 100, "{same} {others}");
}

/// Two games that differ only in hidden chits look the same, byte for byte.
#[test]
fn hidden_chits_change_no_view() {
    let play = common::main_play();
    let (mut changed, mut looked) = (0, 0);
    for number in 0..6 {
        let mut game = play.game(Seed(7).nth(number)).expect("a game");
        let mut ply = 0;
        random_game(&mut game, Seed(13).nth(number), |game| {
            ply += 1;
            if ply % 7 != 0 {
                return;
            }
            for seat in [
                Seat::Player(Side::First),
                Seat::Player(Side::Second),
                Seat::Observer,
            ] {
                let mut other = game.fork();
                other.imagine(seat, Seed(17).nth(ply)).expect("a game");
                changed += u32::from(other.hash() != game.hash());
                looked += 1;
                assert_eq!(other.view(seat), game.view(seat), "{seat:?} ply {ply}");
            }
        });
    }
    assert!(changed * 2 > looked, "{changed} of {looked} were changed");
}

/// §D-5, §F-3: no Friction before one o'clock, one chit from then on, two from five.
#[test]
fn friction_comes_in_time() {
    let play = common::main_play();
    let mut game = play.game(Seed(21)).expect("a game");
    let mut most = [0; 12];
    random_game(&mut game, Seed(23), |game| {
        let t = game.table();
        let rules = cupola_blindswords::field::rules(t);
        let cup = &t.res::<Chits>().cup;
        let friction = cup.all(Spot::Cup).filter(|&chit| {
            matches!(
                rules.chit(chit).meaning,
                cupola_blindswords::rules::Meaning::Friction(_)
            )
        });
        let turn = usize::from(t.turn());
        most[turn] = most[turn].max(friction.count());
    });
    assert_eq!(most, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
}

/// Chits are never lost: each side has its eight events somewhere.
#[test]
fn no_event_is_lost() {
    let play = common::main_play();
    let mut game = play.game(Seed(8)).expect("a game");
    random_game(&mut game, Seed(19), |game| {
        let cup = &game.table().res::<Chits>().cup;
        let events = (0..16)
            .map(cupola_cup::Chit)
            .filter(|&chit| cup.spot(chit) != Spot::Out)
            .count();
        assert!(events == 16 || events == 0);
    });
}

/// §N: the tutorial is played without Friction.
#[test]
fn no_friction_in_the_tutorial() {
    let mut game = common::play("tutorial").game(Seed(22)).expect("a game");
    random_game(&mut game, Seed(24), |game| {
        let (rules, cup) = (
            cupola_blindswords::field::rules(game.table()),
            &game.table().res::<Chits>().cup,
        );
        let mut inside = (0..cup.len() as u8)
            .map(cupola_cup::Chit)
            .filter(|&chit| cup.spot(chit) != Spot::Out);
        assert!(!inside.any(|chit| matches!(
            rules.chit(chit).meaning,
            cupola_blindswords::rules::Meaning::Friction(_)
        )));
    });
}
