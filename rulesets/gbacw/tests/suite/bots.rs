//! Steady players play every scenario to the end.

use crate::common;

use cupola_bots::{Brief, Player, Skill};
use cupola_kernel::{Seed, Side};
use std::sync::Arc;

/// One game a scenario; a hundred of the smallest in a full run.
#[test]
fn steady_games_end() {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    let small = [
        "to-stop",
        "night-fight",
        "face-to-the-enemy",
        "gregg-defends",
    ];
    let large = ["picketts-charge", "not-done-enough", "farnsworths-charge"];
    let large = large.into_iter().filter(|_| full);
    for scenario in small.into_iter().chain(large) {
        let play = common::play(scenario);
        let briefs = Side::BOTH.map(|side| Arc::new(Brief::free(&play, side)));
        for number in 0..if full { 100 } else { 1 } {
            let seed = Seed(1863).nth(number);
            let skill = Skill::parse("steady").expect("a skill");
            let mut players = [0usize, 1]
                .map(|i| Player::new(skill, &briefs[i], &briefs[1 - i], seed.nth(100 + i as u64)));
            let mut game = play.game(seed).expect("a game");
            while let Some(decision) = game.decision() {
                let side = decision.ask.side;
                let act = players[side as usize].choose(&game).expect("a choice");
                let Some(act) = act else { break };
                game.apply_unchecked(act).expect("a legal choice");
            }
            assert!(game.verdict().is_some(), "{scenario} {number}");
        }
    }
}
