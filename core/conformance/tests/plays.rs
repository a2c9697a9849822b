//! A play: what it starts, what it is called by, and what a position makes of it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod toy;

use cupola_data::Source;
use cupola_kernel::{Game, Play, PositionFile, Seed, dice};
use toy::{Parts, compose, compose_text, text_of};

/// The hash after the first option of every decision, so many times.
fn played(mut game: Game, plies: usize) -> String {
    for _ in 0..plies {
        let Some(decision) = game.decision() else {
            break;
        };
        let (side, act) = (decision.ask.side, decision.options[0]);
        game.apply(side, act).unwrap();
    }
    game.hash().to_string()
}

fn at(play: &Play, header: &str) -> Result<Play, String> {
    let text = format!(
        r#"(ruleset: "toy", scenario: "skirmish", turn: "2", phase: "toy.march", side: "blue", {header})"#
    );
    let file = PositionFile {
        source: Source::new("position.ron", text),
        in_case: false,
    };
    play.at(&file).map_err(|problems| problems.to_string())
}

#[test]
fn a_seed_is_a_game_and_games_share_nothing() {
    let play = toy::toy();
    let (first, second) = (play.game(Seed(1)).unwrap(), play.game(Seed(1)).unwrap());
    assert_eq!(first.hash(), second.hash());
    assert_eq!(played(first, 60), played(second, 60));
    assert_ne!(
        played(play.game(Seed(1)).unwrap(), 60),
        played(play.game(Seed(2)).unwrap(), 60)
    );
    // What was played has not touched what others start from.
    let fresh = toy::toy().game(Seed(1)).unwrap();
    assert_eq!(play.game(Seed(1)).unwrap().hash(), fresh.hash());
}

#[test]
fn phases_stand_in_order_once_for_each_player() {
    let phases: Vec<String> = toy::toy().phases().map(str::to_owned).collect();
    assert_eq!(
        phases,
        ["toy.march", "toy.fire", "toy.march", "toy.fire", "toy.rest"]
    );
}

#[test]
fn a_ruleset_that_nobody_registered_is_told() {
    let told = compose_text(&text_of(&Parts::sound()), "toi", &[]);
    let told = told.err().unwrap().to_string();
    assert!(told.contains("no ruleset “toi” is registered"), "{told}");
}

#[test]
fn whatever_is_composed_is_part_of_what_rules_are() {
    let sound = compose(&Parts::sound(), &[]);
    let gusts = Parts {
        gusts: true,
        ..Parts::sound()
    };
    assert_ne!(sound.resolved(), compose(&gusts, &[]).resolved());
    // The layout of the file is none of it, nor is what lies in the registry unused.
    let spaced = text_of(&Parts::sound()).replace(", ", ",   ");
    let spaced = compose_text(&spaced, "toy", &[]).unwrap();
    assert_eq!(sound.resolved(), spaced.resolved());
    assert_eq!(sound.resolved(), toy::toy().resolved());
}

#[test]
fn another_composition_is_another_play_of_the_same_scenario() {
    let play = toy::toy();
    assert_eq!(
        play.recomposed(play.composition()).unwrap().resolved(),
        play.resolved()
    );
    let mut other = play.composition().clone();
    other.sequence.truncate(1);
    let other = play.recomposed(&other).unwrap();
    assert_eq!(other.phases().count(), 4);
    assert_eq!(other.scenario(), "skirmish");
    let mut none = play.composition().clone();
    none.combat.clear();
    let told = play.recomposed(&none).err().unwrap().to_string();
    assert!(told.contains("a combat system for “fire”"), "{told}");
}

#[test]
fn a_position_starts_where_it_says_and_changes_what_it_says() {
    let play = toy::toy();
    let there = at(&play, "").unwrap();
    assert_eq!(there.resolved(), play.resolved());
    let game = there.game(Seed(1)).unwrap();
    assert_eq!(
        (game.table().turn(), game.decision().unwrap().ask.question),
        (1, "march")
    );
    let windy = at(&play, r#"switches: {"gusts": true}"#).unwrap();
    let woods = at(&play, r#"ground: [(hex: "0303", set: cover(woods))]"#).unwrap();
    for changed in [&windy, &woods] {
        assert_ne!(changed.resolved(), play.resolved());
    }
    let hex = woods.env().board.hex("0303").unwrap();
    assert_eq!(woods.env().board.cover(hex).to_string(), "woods");
    assert_eq!(play.env().board.cover(hex).to_string(), "clear");
    for (header, words) in [
        (r#"switches: {"gust": true}"#, "did you mean \"gusts\"?"),
        (
            r#"ground: [(hex: "0909", set: cover(woods))]"#,
            "ground[0].hex: no hex \"0909\"",
        ),
        (
            r#"values: {"scenario": {"last_tur": "2"}}"#,
            "did you mean \"last_turn\"?",
        ),
    ] {
        let told = at(&play, header).err().unwrap();
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn scripted_dice_are_rolled_in_their_order_and_then_missed() {
    let source = dice::Shaker::Scripted {
        values: vec![],
        used: 0,
    };
    let mut game = toy::toy().game_with(source).unwrap();
    let mut told = None;
    for _ in 0..400 {
        let Some(decision) = game.decision() else {
            break;
        };
        let (side, act) = (decision.ask.side, decision.options[0]);
        if let Err(error) = game.apply(side, act) {
            told = Some(error.to_string());
            break;
        }
    }
    let told = told.unwrap_or_default();
    assert!(told.contains("the script has 0 dice"), "“{told}”");
}
