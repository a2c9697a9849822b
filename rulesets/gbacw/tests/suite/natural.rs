//! What is natural where options look alike on the map: players who know no rule by name do it.

use crate::common;

use cupola_bots::{Brief, Player, Sight, Skill, Steady};
use cupola_data::Source;
use cupola_kernel::{Act, Game, PositionFile, Promise, Seed, Side};
use std::sync::Arc;

fn at(scenario: &str, turn: &str, phase: &str, state: &str) -> Game {
    let text = format!(
        "(ruleset: \"gbacw\", scenario: \"{scenario}\", turn: \"{turn}\", phase: \"{phase}\", state: (clear: true, {state}))"
    );
    let file = PositionFile {
        source: Source::new("position", text),
        in_case: false,
    };
    let play = common::play(scenario).at(&file);
    let play = play.unwrap_or_else(|problems| panic!("{problems}"));
    play.game(Seed(5)).expect("begins")
}

fn choose(game: &mut Game, act: &str) {
    let act = game.parse(act).expect("an act");
    let side = game.decision().expect("a question").ask.side;
    game.apply(side, act)
        .unwrap_or_else(|why| panic!("{why:?}"));
}

fn promise(game: &Game, act: &str) -> Promise {
    let act = game.parse(act).expect("an act");
    game.promise(act).expect("a promise")
}

/// What a steady player without a plan does.
fn steady(game: &Game) -> String {
    let side = game.decision().expect("a question").ask.side;
    let play = common::play("to-stop");
    let mut bot = Steady::new(Arc::new(Brief::free(&play, side)));
    let sight = Sight::new(game, Seed(1)).expect("a question");
    let best: Vec<Act> = bot
        .rank(&sight)
        .expect("ranks")
        .iter()
        .map(|(_, act)| *act)
        .collect();
    game.name(best[0])
}

const PERRIN: &str = r#""cs-iii-pender-perrin-leader": (at: "A4007"), "cs-iii-pender-perrin-14sc": (at: "A4007", facing: SE)"#;

fn perrin(others: &str) -> Game {
    let state =
        format!("units: {{{PERRIN}, {others}}}, doing: activation(formation: \"Pender/III\")");
    let mut game = at("to-stop", "july1-1600", "activations", &state);
    choose(&mut game, "brigade cs:1/Pn/III");
    game
}

#[test]
fn a_brigade_attacks_those_it_can_beat() {
    let friends = r#""cs-iii-pender-perrin-1sc": (at: "A4107", facing: SE), "cs-iii-pender-perrin-13sc": (at: "A3907", facing: SE)"#;
    let enemy = r#""us-i-1-1-7wi": (at: "A4003", facing: NW)"#;
    assert_eq!(steady(&perrin(&format!("{friends}, {enemy}"))), "attack");
    let more = r#""us-i-1-1-2wi": (at: "A4103", facing: NW)"#;
    assert_eq!(steady(&perrin(&format!("{enemy}, {more}"))), "normal");
    // The others of the brigade help those who are near if they can come up, too.
    let both = format!("{enemy}, {more}");
    assert_eq!(steady(&perrin(&format!("{friends}, {both}"))), "attack");
    let behind = r#""cs-iii-pender-perrin-1sc": (at: "A4012", facing: SE), "cs-iii-pender-perrin-13sc": (at: "A3912", facing: SE)"#;
    assert_eq!(steady(&perrin(&format!("{behind}, {both}"))), "normal");
    // There is nobody to attack.
    let far = r#""us-i-1-1-7wi": (at: "B4021", facing: NW)"#;
    assert_eq!(steady(&perrin(far)), "normal");
}

/// A brigade that has lost half of its men since the game began does not go at an enemy whom it would have attacked before.
#[test]
fn a_brigade_that_is_spent_attacks_nobody() {
    let others = r#""cs-iii-pender-perrin-1sc": (at: "A4107", facing: SE), "cs-iii-pender-perrin-13sc": (at: "A3907", facing: SE), "cs-iii-pender-perrin-12sc": (at: "A4108", facing: SE), "us-i-1-1-7wi": (at: "A4003", facing: NW)"#;
    let after = |losses: u8| {
        let state = format!(
            "units: {{{PERRIN}, {others}}}, brigades: {{\"1/Pn/III\": (losses: {losses})}}, doing: activation(formation: \"Pender/III\")"
        );
        let mut game = at("to-stop", "july1-1600", "activations", &state);
        choose(&mut game, "brigade cs:1/Pn/III");
        steady(&game)
    };
    assert_eq!(after(1), "attack");
    assert_eq!(after(16), "normal");
}

#[test]
fn who_has_moved_looks_to_the_enemy() {
    let mut game = perrin(r#""us-i-1-1-7wi": (at: "A4003", facing: NW)"#);
    choose(&mut game, "normal");
    choose(&mut game, "unit cs-iii-pender-perrin-14sc");
    choose(&mut game, "to A4009");
    // The enemy stands to the south-east, as the map of this ruleset counts.
    assert!(["face SE", "face NE", "face S"].contains(&steady(&game).as_str()));
    let (front, back) = (promise(&game, "face SE"), promise(&game, "face NW"));
    assert!(
        front.back >= back.back && back.spent > 0,
        "{front:?} {back:?}"
    );
}

/// Who attacks looks the way he went (§5.34): he does not go where that turns his side or his back to the enemy.
#[test]
fn who_attacks_does_not_turn_his_back() {
    let play = common::play("want-of-coordination");
    let briefs = Side::BOTH.map(|side| Arc::new(Brief::free(&play, side)));
    let (mut asked, mut turned) = (0, 0);
    for seed in 0..3 {
        let player = |i: usize| Player::new(Skill::Steady, &briefs[i], &briefs[1 - i], Seed(seed));
        let mut players = [0, 1].map(player);
        let mut game = play.game(Seed(seed)).expect("a game");
        while let Some(decision) = game.decision() {
            let side = decision.ask.side;
            // Two corners are left to an attacker, six to anybody else.
            if decision.ask.question == "facing" && decision.options.len() == 2 {
                let promises = decision.options.iter().map(|&act| game.promise(act));
                let spent = promises.map(|promise| promise.map_or(0, |promise| promise.spent));
                asked += 1;
                turned += u32::from(spent.min() > Some(50));
            }
            let act = players[side as usize].choose(&game).expect("a choice");
            game.apply_unchecked(act.expect("an option"))
                .expect("a legal choice");
        }
    }
    println!("{turned} of {asked} turn away");
    assert!(asked > 50 && turned * 20 <= asked, "{turned} of {asked}");
}

/// A division that comes by a road near the enemy comes in line: in column it could not attack in the next hour, and its leader would not
/// have come.
#[test]
fn columns_do_not_come_on_before_the_enemy() {
    let comes = |enemy: &str| {
        let state = format!(
            r#"units: {{"cs-ii-early-gordon-38ga": (awaited: true), "cs-ii-early-gordon-leader": (awaited: true), "us-i-1-1-2wi": (at: "{enemy}", facing: N)}}"#
        );
        let mut game = at("when-harry-met-john", "july1-1400", "command", &state);
        while game.decision().expect("a question").ask.side == Side::First {
            choose(&mut game, "done");
        }
        promise(&game, "march cs:4/Ea/II")
    };
    let (near, far) = (comes("B2019"), comes("B5029"));
    assert!(near.spent > 0, "{near:?}");
    assert!(far.spent == 0 && far.stride > 0, "{far:?}");
}

#[test]
fn fresh_men_are_not_sent_to_rest() {
    let far = |state: &str| {
        let state = format!(
            r#"units: {{"cs-iii-heth-archer-1tn": (at: "A3015", facing: SE{state}), "cs-iii-heth-archer-leader": (at: "A3015"), "us-i-1-1-2wi": (at: "B5029", facing: NW)}}"#
        );
        at("terrible-swift-sword", "july1-1900", "command", &state)
    };
    let (fresh, worn) = (far(""), far(", disordered: true"));
    let rest = |game: &mut Game| {
        while game.decision().expect("a question").ask.side == Side::First {
            choose(game, "done");
        }
        promise(game, "reserve cs:3/He/III")
    };
    let (mut fresh, mut worn) = (fresh, worn);
    let (fresh, worn) = (rest(&mut fresh), rest(&mut worn));
    assert!(fresh.back == 0 && fresh.stride < 0, "{fresh:?}");
    assert!(worn.back > 0, "{worn:?}");
}

/// The same six corners are asked for hex after hex: that is no going round in circles.
#[test]
fn like_questions_about_others_are_not_the_same_question() {
    let play = common::play("picketts-charge");
    let briefs = Side::BOTH.map(|side| Arc::new(Brief::free(&play, side)));
    let seed = Seed(7);
    let skill = Skill::Steady;
    let mut players = [0, 1].map(|i: usize| Player::new(skill, &briefs[i], &briefs[1 - i], seed));
    let mut game = play.game(Seed(1)).expect("a game");
    let mut faced = 0;
    while let Some(decision) = game.decision() {
        let (side, question) = (decision.ask.side, decision.ask.question);
        let act = players[side as usize].choose(&game).expect("a choice");
        let act = act.expect("an option");
        if question != "place" && question != "facing" {
            break;
        }
        if question == "facing" {
            faced += 1;
            let sight = Sight::new(&game, seed).expect("a question");
            let mut bot = Steady::new(briefs[side as usize].clone());
            let (_, best) = bot.rank(&sight).expect("ranks")[0];
            assert_eq!(game.name(act), game.name(best), "{:?}", game.prompt());
        }
        game.apply_unchecked(act).expect("a legal choice");
    }
    assert!(faced > 20, "{faced}");
}
