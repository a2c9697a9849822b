//! Random games of every scenario end properly.

use crate::common;

use cupola_gbacw::command::{range, reaches_of};
use cupola_gbacw::field::Field;
use cupola_kernel::{About, Dice, Game, HexId, Loose, Seed, Side, UnitId};

fn random_game(game: &mut Game, seed: Seed, mut look: impl FnMut(&Game)) -> u32 {
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

/// Scenarios that are played.
const SCENARIOS: [&str; 10] = [
    "to-stop",
    "night-fight",
    "night-fight-walker",
    "want-of-coordination",
    "face-to-the-enemy",
    "gregg-defends",
    "picketts-charge",
    "picketts-charge-all",
    "not-done-enough",
    "farnsworths-charge",
];

#[test]
fn games_end() {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    let count = if full { 1000 } else { 5 };
    for scenario in SCENARIOS {
        let play = common::play(scenario);
        for number in 0..count {
            let mut game = play.game(Seed(5).nth(number)).expect("a game");
            random_game(&mut game, Seed(9).nth(number), |_| {});
            assert!(game.verdict().is_some(), "{scenario} {number}");
        }
    }
}

/// With every optional rule games end too, and the parts of an extended line stand together (§12.2).
#[test]
fn games_with_every_option_end() {
    for scenario in ["to-stop", "night-fight", "gregg-defends", "picketts-charge"] {
        let play = common::play_all_options(scenario);
        for number in 0..3 {
            let mut game = play.game(Seed(5).nth(number)).expect("a game");
            random_game(&mut game, Seed(9).nth(number), |game| {
                let (t, field) = (game.table(), Field::new(game.table()));
                for unit in t.units().filter(|&unit| field.card(unit).wing) {
                    let first = field.card(unit).twin.expect("a first part");
                    let Some(hex) = t.hex(unit) else { continue };
                    let beside = t
                        .hex(first)
                        .is_some_and(|at| t.board().distance(at, hex) == 1);
                    assert!(beside, "{scenario} {number}: a line is torn");
                    let (one, other) = (field.status(unit), field.status(first));
                    assert_eq!(
                        (one.facing, one.disordered),
                        (other.facing, other.disordered)
                    );
                }
            });
            assert!(game.verdict().is_some(), "{scenario} {number}");
        }
    }
}

/// Nobody ends a step among the enemy, and a hex has one facing (§5.23).
#[test]
fn hexes_hold_one_side_and_one_facing() {
    let plain = SCENARIOS.map(|scenario| (scenario, common::play(scenario)));
    let all = ["to-stop", "picketts-charge"];
    let all = all.map(|scenario| (scenario, common::play_all_options(scenario)));
    for (scenario, play) in plain.into_iter().chain(all) {
        let mut game = play.game(Seed(6)).expect("a game");
        random_game(&mut game, Seed(11), |game| {
            let asked = game.decision().map(|decision| decision.ask.question);
            let field = Field::new(game.table());
            for hex in game.table().board().hexes() {
                let mut units = field.fighters(hex);
                let Some(first) = units.next() else { continue };
                for unit in units {
                    assert_eq!(field.card(unit).side, field.card(first).side);
                    // A unit on its way through others has not turned yet.
                    let moving = matches!(asked, Some("retreat" | "facing" | "loss"));
                    let alike = field.status(unit).facing == field.status(first).facing;
                    assert!(
                        alike || moving,
                        "{scenario}: two facings in a hex at {asked:?}"
                    );
                }
            }
        });
    }
}

/// Looks at a random game every so often.
fn looked_at(scenario: &str, every: u32, mut look: impl FnMut(&Game)) {
    let mut game = common::play(scenario).game(Seed(7)).expect("a game");
    let mut plies = 0;
    random_game(&mut game, Seed(12), |game| {
        plies += 1;
        if plies % every == 0 {
            look(game);
        }
    });
    assert!(plies > every, "{scenario} was never looked at");
}

/// Enemies are found around a hex or one after the other, whichever is less: the same ones, each hex once.
#[test]
fn who_is_near_is_found_whichever_way_he_is_looked_for() {
    looked_at("picketts-charge", 40, |game| {
        let (t, field) = (game.table(), Field::new(game.table()));
        let from = |side: Side| {
            let enemies = field.on_map(side.other()).step_by(13);
            enemies.map(move |(_, hex)| (side, hex))
        };
        for (side, centre) in Side::BOTH.into_iter().flat_map(from) {
            for reach in [1, 4, 7, 30] {
                let mut found: Vec<HexId> = vec![];
                field.any_held_within(side, centre, reach, |hex| {
                    found.push(hex);
                    false
                });
                found.sort_unstable();
                let near = |&hex: &HexId| t.board().distance(hex, centre) <= reach;
                let mut all: Vec<HexId> = field.on_map(side).map(|(_, hex)| hex).collect();
                all.retain(near);
                all.sort_unstable();
                all.dedup();
                assert_eq!(found, all, "within {reach} of {}", t.board().label(centre));
            }
        }
    });
}

/// To look for some hexes and no further finds those that a look at everything finds (§4.23).
#[test]
fn a_leader_reaches_whoever_is_in_his_range() {
    looked_at("want-of-coordination", 60, |game| {
        let (t, field) = (game.table(), Field::new(game.table()));
        let all: Vec<UnitId> = t.units().collect();
        let leaders = t.units().filter(|&unit| !field.rules.fights(unit));
        for leader in leaders.filter(|&leader| t.hex(leader).is_some()) {
            let range = range(t, leader);
            let within = |&unit: &UnitId| t.hex(unit).is_some_and(|hex| range.contains(&hex));
            for some in [&all[..], &all[..3], &all[all.len() / 2..][..1]] {
                let wanted: Vec<bool> = some.iter().map(within).collect();
                assert_eq!(reaches_of(t, leader, some), wanted);
            }
        }
    });
}
