//! Who surrenders in the town is a prisoner, and nobody else is said to be one (§5.18).

use crate::common;

use cupola_data::Source;
use cupola_kernel::{Game, PositionFile, Seed, Side};

/// A regiment that is cut off in the town, its activation over: it checks whether it surrenders.
fn cut_off(seed: u128) -> Game {
    let text = r#"(ruleset: "gbacw", scenario: "when-harry-met-john", turn: "july1-1600", phase: "activations", state: (
        clear: true,
        units: {
            "us-i-1-1-2wi": (at: "B3620", facing: NW), "us-i-1-1-leader": (at: "B6330"), "us-i-1-leader": (at: "B6330"),
            "us-i-1-1-6wi": (eliminated: true),
            "cs-iii-heth-archer-7tn": (at: "B3520", facing: SE), "cs-iii-heth-archer-1tn": (at: "B3719", facing: NW),
        },
        brigades: {"1/1/I": (ineffective: true)},
        cup: {"Heth/III": 1},
        doing: activation(formation: "1/I"),
    ))"#;
    let file = PositionFile {
        source: Source::new("position", text.to_owned()),
        in_case: false,
    };
    let play = common::play("when-harry-met-john").at(&file);
    let play = play.unwrap_or_else(|problems| panic!("{problems}"));
    let mut game = play.game(Seed(seed)).expect("begins");
    for act in ["brigade us:1/1/I", "done", "done", "done"] {
        let act = game.parse(act).expect("an act");
        game.apply(Side::First, act).expect("can be done");
    }
    game
}

#[test]
fn prisoners_are_told_from_the_fallen() {
    let mut seen = [0; 2];
    for seed in 0..12 {
        let game = cut_off(seed);
        let unit = |id: &str| game.table().env().unit(id).expect("a unit");
        let mut standings = vec![];
        game.standings(&mut standings);
        let regiment = unit("us-i-1-1-2wi");
        let gone = game.table().hex(regiment).is_none();
        let lost = standings[usize::from(regiment.0)].lost;
        let taken = if gone { 1000 } else { 0 };
        assert_eq!((game.captured(regiment), lost), (Some(taken), taken));
        // Who was eliminated otherwise is lost, and no prisoner.
        let other = unit("us-i-1-1-6wi");
        assert_eq!(standings[usize::from(other.0)].lost, 1000);
        assert_eq!(game.captured(other), Some(0));
        seen[usize::from(gone)] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}
