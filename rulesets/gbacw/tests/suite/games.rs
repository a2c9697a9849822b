//! Random games of every scenario end properly.

use crate::common;

use cupola_gbacw::field::Field;
use cupola_kernel::{About, Dice, Game, Loose, Seed};

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

/// Nobody ends a step among the enemy, and a hex has one facing (§5.23).
#[test]
fn hexes_hold_one_side_and_one_facing() {
    for scenario in SCENARIOS {
        let play = common::play(scenario);
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
