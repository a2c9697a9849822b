//! How much slower a combat system is as a script: `valgrind --tool=callgrind target/release/examples/slower script fights 200`, the
//! same with `rust`, and with `games`.
#![allow(clippy::unwrap_used, reason = "a measurement fails by panicking")]

use cupola_corps20 as _;
use cupola_kernel::{About, Combat, Dice, Fight, Game, Loose, Play, Registry, Seed};
use cupola_library::{Library, read_variant};
use cupola_script as _;
use std::path::Path;
use std::sync::Arc;

/// Plays a random game to its end, or to the first fight.
fn game(play: &Play, seed: u128, to_a_fight: bool) -> (Game, Option<(Arc<dyn Combat>, Fight)>) {
    let mut game = play.game(Seed(seed)).unwrap();
    let mut dice = Loose::new(Seed(seed + 1863));
    while let Some(decision) = game.decision() {
        let (side, options) = (decision.ask.side, decision.options);
        let fight = options.iter().find_map(|&act| game.fight(act));
        if to_a_fight && fight.is_some() {
            return (game, fight);
        }
        let act = options[usize::from(dice.roll(options.len() as u16, "choice", About::Game) - 1)];
        game.apply(side, act).unwrap();
    }
    (game, None)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let variant = read_variant(&data.join("variants/scripted-combat.ron")).unwrap();
    let variant = (args[1] == "script").then_some(&variant);
    let library = Library::new(data, None, Registry::linked().unwrap());
    let play = library.play_with("corps20", "july1", variant).unwrap();
    let count: u128 = args[3].parse().unwrap();
    if args[2] == "games" {
        let fights = (0..count).map(|seed| game(&play, seed, false).0.table().fights().all);
        let fights: u32 = fights.map(|all| all.first + all.second).sum();
        println!("{count} games, {fights} fights");
        return;
    }
    let (game, fight) = game(&play, 1, true);
    let (combat, fight) = fight.unwrap();
    let mut dice = Loose::new(Seed(7));
    let codes: u64 = (0..count)
        .map(|_| {
            u64::from(
                combat
                    .resolve(game.table(), &fight, &mut dice)
                    .unwrap()
                    .code,
            )
        })
        .sum();
    println!(
        "{count} fights of {} units, codes {codes}",
        fight.attackers.len() + fight.defenders.len()
    );
}
