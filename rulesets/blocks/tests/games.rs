//! Whole games by random play, with every optional rule.

mod common;

use cupola_kernel::{Dice, Loose, Play, Seed, Side};

/// Plays random games to their verdicts.
fn play_out(play: &Play, games: u64) {
    for number in 0..games {
        let mut game = play.game(Seed(11).nth(number)).expect("begins");
        let mut dice = Loose::new(Seed(12).nth(number));
        let mut decisions = 0;
        while let Some(decision) = game.decision() {
            let count = decision.options.len() as u16;
            let act =
                decision.options[usize::from(dice.roll(count, "act", Side::First.into())) - 1];
            game.apply_unchecked(act)
                .unwrap_or_else(|fault| panic!("game {number}, decision {decisions}: {fault}"));
            decisions += 1;
        }
        assert!(game.verdict().is_some(), "game {number}");
        assert!(decisions < play.bounds().decisions, "game {number}");
    }
}

fn many() -> u64 {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    if full { 1000 } else { 25 }
}

#[test]
fn all_scenarios_come_to_a_verdict() {
    for scenario in ["day1", "day2", "day3", "campaign"] {
        play_out(&common::play(scenario), many());
    }
}

#[test]
fn every_option_can_be_played() {
    let switches = [
        ("day2", "fixed_initiative"),
        ("day2", "column_and_line"),
        ("day3", "free_deployment"),
        ("campaign", "deputy_sent"),
        ("day2", "equal_height_blocks"),
        ("day2", "leaving_frontline_stops"),
        ("day2", "hexsides_beside_block"),
        ("day2", "promoted_fire_reserve"),
        ("day3", "brigades_supply"),
        ("campaign", "entry_spreads"),
        ("day2", "promoted_command_assets"),
        ("day2", "starts_of_004"),
        ("day2", "repulse_by_position"),
        ("day2", "verdict_before_night"),
        ("day3", "cavalry_battle"),
        ("campaign", "cavalry_battle"),
    ];
    for (scenario, switch) in switches {
        play_out(&common::with(scenario, &[switch]), 3);
    }
}
