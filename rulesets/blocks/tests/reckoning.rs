//! What an activation or an attack is reckoned to come to, for players who must choose before they see.

mod common;

use common::choose;
use cupola_kernel::{Game, Promise, Seed, Stakes};

fn at(phase: &str, side: &str, state: &str) -> Game {
    let play = common::play("day2");
    let state = format!("clear: true, {state}");
    common::position(play, "day2", "day2-1600", phase, side, &state, Seed(5))
}

fn promise(game: &Game, act: &str) -> Promise {
    let act = game.parse(act).expect("an act");
    game.promise(act).expect("a promise")
}

fn stakes(game: &Game, act: &str) -> Stakes {
    let act = game.parse(act).expect("an act");
    game.stakes(act).expect("an attack")
}

#[test]
fn command_promises_what_its_blocks_can_hit() {
    let far = at(
        "command",
        "us",
        r#"units: {"us-hq-birney": (at: "Q9", steps: 2), "us-graham": (at: "Q10", steps: 3), "cs-kershaw": (at: "R13", steps: 3)}"#,
    );
    let far = promise(&far, "hq us-hq-birney");
    assert_eq!((far.theirs, far.by), (0, None), "nobody is in reach");
    assert!(far.spent > 0, "it costs a step all the same");
    let near = at(
        "command",
        "us",
        r#"units: {"us-hq-birney": (at: "Q9", steps: 2), "us-graham": (at: "Q10", steps: 3), "us-ward": (at: "R9", steps: 3), "cs-kershaw": (at: "R11", steps: 3), "cs-law": (at: "S10", steps: 3)}"#,
    );
    let near = promise(&near, "hq us-hq-birney");
    assert!(near.theirs > 300, "{near:?}");
    assert_eq!(near.spent, far.spent);
}

#[test]
fn supply_promises_what_comes_back() {
    let state = |steps: u8| {
        format!(
            r#"units: {{"us-hq-meade": (at: "L5", steps: 2), "us-webb": (at: "L6", steps: {steps}), "us-hall": (at: "L6", steps: 2)}}"#
        )
    };
    let fresh = promise(&at("supply", "us", &state(3)), "hq us-hq-meade");
    let worn = promise(&at("supply", "us", &state(1)), "hq us-hq-meade");
    assert_eq!(fresh.back, 0);
    assert!(worn.back > 0 && worn.spent > 0, "{worn:?}");
}

#[test]
fn who_attacks_a_stack_alone_is_reckoned_to_lose() {
    let mut lone = at(
        "move",
        "cs",
        r#"units: {"cs-kershaw": (at: "R11", steps: 3), "us-graham": (at: "Q10", steps: 3), "us-ward": (at: "Q10", steps: 3), "us-brewster": (at: "Q10", steps: 3)}"#,
    );
    choose(&mut lone, "unit cs-kershaw");
    let lone = stakes(&lone, "raid cs-kershaw Q10");
    assert!(lone.attacker > lone.defender && lone.ahead < 0, "{lone:?}");
    let mut weak = at(
        "move",
        "cs",
        r#"units: {"cs-kershaw": (at: "R11", steps: 4), "us-graham": (at: "Q10", steps: 1)}"#,
    );
    choose(&mut weak, "unit cs-kershaw");
    let weak = stakes(&weak, "raid cs-kershaw Q10");
    assert!(weak.defender > 0 && weak.ahead > 0, "{weak:?}");
}

#[test]
fn a_hex_that_is_attacked_is_the_defenders_until_the_melee_is_over() {
    let mut game = at(
        "move",
        "us",
        r#"units: {"us-cutler": (at: "J6", steps: 3), "cs-daniel": (at: "H6", steps: 3), "us-baxter": (at: "I6", steps: 3)}"#,
    );
    let before = game.margin();
    choose(&mut game, "unit us-baxter");
    choose(&mut game, "raid us-baxter H6");
    assert_eq!(game.margin(), before, "nothing is won by going in");
}
