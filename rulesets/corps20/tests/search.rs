//! The way that is told is one that can be gone, for the price that is told. That every hex is reached for the price that
//! walking every way finds is a check of the conformance suite.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot load its data must fail"
)]

use cupola_corps20::movement::Do;
use cupola_corps20::movement::walked::Book;
use cupola_kernel::{About, Acts, Dice, Game, Loose, Registry, Seed};
use cupola_kit::plain::Walk;
use cupola_library::Library;
use std::path::Path;

/// Compares the ways of the unit that is about to move; tells how many there were.
fn ways(game: &Game) -> usize {
    let Some(walked) = game.walked() else {
        return 0;
    };
    let (t, book) = (game.table(), Book::new(game.table(), walked.unit));
    for (&hex, &cost) in &walked.reached {
        let outlook = game.outlook(Do::To(walked.unit, hex).act());
        let nodes: Vec<usize> = outlook.path.iter().map(|hex| hex.index()).collect();
        let prices = (1..nodes.len()).map(|i| book.price(&nodes[..i], nodes[i]).unwrap());
        let (name, to) = (&t.info(walked.unit).name, t.board().label(hex));
        assert_eq!(prices.sum::<u16>(), cost, "{name} to {to}");
    }
    walked.reached.len()
}

#[test]
fn the_way_that_is_told_can_be_gone_for_its_price() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let play = Library::new(data, None, Registry::linked().unwrap())
        .play("corps20", "gettysburg", None)
        .unwrap_or_else(|problems| panic!("{problems}"));
    let mut compared = 0;
    for seed in 0..4 {
        let mut game = play.game(Seed(seed)).unwrap();
        let mut dice = Loose::new(Seed(1863 + seed));
        while let Some(decision) = game.decision() {
            let (side, options) = (decision.ask.side, decision.options);
            let pick = dice.roll(options.len() as u16, "choice", About::Game) - 1;
            let act = options[usize::from(pick)];
            compared += ways(&game);
            game.apply(side, act).unwrap();
        }
    }
    assert!(compared > 2_000, "{compared} ways");
}
