//! What the event cards do.

use super::*;

/// Draws this card in the Event Phase of a side; the card's own dice follow.
fn card(number: u8, side: &str, more_dice: &str, units: &str, state: &str, script: &str) {
    holds(
        "july1-evening",
        "event",
        side,
        units,
        state,
        &format!("[{number}{more_dice}]"),
        script,
    );
}

const APART: &str = r#""heth": (at: "19.03"), "reynolds": (at: "13.11")"#;

#[test]
fn card_1_early_arrival_and_bolstered_morale() {
    card(
        1,
        "us",
        "",
        r#""sykes": (due: "july1-dusk", by: "HN"), "heth": (at: "19.03")"#,
        "",
        r#"offers(["unit sykes"])"#,
    );
    card(
        1,
        "cs",
        "",
        APART,
        r#"morale: {"cs": 3, "us": 5}"#,
        r#"track(name: "cs morale", value: 4)"#,
    );
    card(
        1,
        "cs",
        "",
        APART,
        r#"morale: {"cs": 5, "us": 5}"#,
        r#"track(name: "cs morale", value: 5)"#,
    );
}

#[test]
fn cards_2_and_12_delay_and_card_8_hastens() {
    let due = r#""pender": (due: "july1-evening", by: "CP"), "reynolds": (at: "13.11"), "sykes": (due: "july1-evening", by: "HN")"#;
    card(
        12,
        "cs",
        "",
        due,
        "",
        r#"offers_only(["done"]), state(unit: "pender", is: {"arrives": "July 1 Dusk"})"#,
    );
    card(
        2,
        "us",
        "",
        due,
        "",
        r#"refuses(act: "unit sykes", rule: "5.6")"#,
    );
    let next = r#""pender": (due: "july1-dusk", by: "CP"), "reynolds": (at: "13.11")"#;
    card(8, "cs", "", next, "", r#"offers(["unit pender"])"#);
}

#[test]
fn quiet_shuffles_the_deck() {
    card(
        1,
        "cs",
        "",
        APART,
        "discard: [1]",
        r#"track(name: "cs morale", value: 6)"#,
    );
    holds(
        "july1-evening",
        "event",
        "cs",
        APART,
        "discard: [1, 3]",
        "[1]",
        r#"track(name: "us morale", value: 6)"#,
    );
}

#[test]
fn poor_leadership_halts_or_delays() {
    let units = r#""sykes": (at: "13.11"), "howard": (at: "12.11"), "slocum": (due: "july1-evening", by: "BP"), "heth": (at: "19.03")"#;
    card(
        3,
        "us",
        ", 2",
        units,
        "",
        r#"refuses(act: "unit sykes", rule: "4"), offers(["unit howard"])"#,
    );
    card(
        3,
        "us",
        ", 4",
        units,
        "",
        r#"refuses(act: "unit howard", rule: "4")"#,
    );
    card(
        3,
        "us",
        ", 6",
        units,
        "",
        r#"state(unit: "slocum", is: {"arrives": "July 1 Dusk"})"#,
    );
    card(
        4,
        "us",
        "",
        r#""sedgwick": (at: "13.11"), "heth": (at: "19.03")"#,
        "",
        r#"refuses(act: "unit sedgwick", rule: "4")"#,
    );
}

#[test]
fn good_leadership_gives_movement_or_strength_or_brings_units() {
    let units = r#""reynolds": (at: "13.11"), "hancock": (at: "broken"), "heth": (at: "19.03")"#;
    card(
        5,
        "us",
        ", 1",
        units,
        "",
        r#"state(unit: "reynolds", is: {"well led": "yes"}), choose(side: "us", act: "unit reynolds")"#,
    );
    card(
        5,
        "us",
        ", 6",
        units,
        "",
        r#"asks(side: "us", question: "place"), choose(side: "us", act: "place hancock 1.11"), state(unit: "hancock", is: {"fatigue": "tired"})"#,
    );
    let corps = r#""hood": (at: "19.03"), "pickett": (due: "july2-afternoon", by: "CP"), "mclaws": (at: "20.01"), "reynolds": (at: "13.11")"#;
    card(
        9,
        "cs",
        "",
        corps,
        "",
        r#"state(unit: "hood", is: {"well led": "yes"}), state(unit: "mclaws", is: {"well led": "yes"}), state(unit: "pickett", is: {"arrives": "July 2 Noon"})"#,
    );
    card(
        10,
        "cs",
        "",
        r#""pender": (at: "19.03"), "rodes": (at: "20.01"), "reynolds": (at: "13.11")"#,
        "",
        r#"state(unit: "pender", is: {"well led": "yes"}), state(unit: "rodes", is: {"well led": "no"})"#,
    );
}

#[test]
fn good_leadership_counts_in_combat_unless_it_was_spent_on_movement() {
    let units = r#""howard": (at: "18.10"), "rodes": (at: "19.10", well_led: true), "ewell": (at: "20.11")"#;
    let script = r#"choose(side: "cs", act: "attack rodes howard"), choose(side: "cs", act: "done"), choose(side: "us", act: "done"), sum(act: "roll 0", value: 0)"#;
    holds(
        "july1-evening",
        "combat",
        "cs",
        units,
        "chief: out, artillery: (out, out, out)",
        "[]",
        script,
    );
}

#[test]
fn command_conflict_forbids_combining_or_halts_a_corps() {
    let units = r#""reynolds": (at: "18.11"), "sickles": (at: "19.10"), "heth": (at: "18.10")"#;
    let script = r#"choose(side: "us", act: "attack reynolds heth"), refuses(act: "attack sickles heth", rule: "4"), asks(side: "us", question: "commit")"#;
    holds(
        "july2-noon",
        "combat",
        "us",
        units,
        "event: [no_combining]",
        "[]",
        script,
    );
    let corps = r#""hood": (at: "19.03"), "rodes": (at: "20.01"), "reynolds": (at: "13.11")"#;
    card(
        11,
        "cs",
        "",
        corps,
        "",
        r#"asks(side: "us", question: "halt"), choose(side: "us", act: "halt corps-1"), refuses(act: "unit hood", rule: "4"), offers(["unit rodes"])"#,
    );
}

#[test]
fn to_the_colors_rallies_by_day() {
    let units = r#""heth": (at: "broken"), "pender": (at: "19.03"), "reynolds": (at: "13.11")"#;
    card(
        6,
        "cs",
        "",
        units,
        "",
        r#"asks(side: "cs", question: "rally-morale"), choose(side: "cs", act: "done"), choose(side: "cs", act: "rally heth", dice: [2]), asks(side: "cs", question: "place")"#,
    );
}

#[test]
fn ammunition_shortage_sends_the_guns_away() {
    let units = r#""rodes": (at: "19.10"), "ewell": (at: "20.11"), "howard": (at: "18.10")"#;
    let script = r#"choose(side: "cs", act: "done"), choose(side: "cs", act: "attack rodes howard"), offers_only(["commit reserves", "done"])"#;
    card(
        7,
        "cs",
        "",
        units,
        "chief: out, artillery: (ready, ready, ready)",
        script,
    );
}

#[test]
fn wavering_morale_lowers_the_higher() {
    card(
        10,
        "us",
        "",
        APART,
        r#"morale: {"cs": 7, "us": 5}"#,
        r#"track(name: "cs morale", value: 6)"#,
    );
}

#[test]
fn commanders_initiative_lets_the_opponent_lead() {
    let units = r#""heth": (at: "20.11"), "reynolds": (at: "18.10")"#;
    card(
        15,
        "cs",
        "",
        units,
        "",
        r#"asks(side: "us", question: "lead"), choose(side: "us", act: "lead heth 19.10"), at(unit: "heth", place: "19.10")"#,
    );
}

#[test]
fn fast_couriers_turn_a_leader_up() {
    let units = r#""heth": (at: "19.04"), "hill": (at: "20.01"), "reynolds": (at: "13.11")"#;
    let script = r#"choose(side: "cs", act: "unit hill"), choose(side: "cs", act: "move hill 19.04"), choose(side: "cs", act: "done"), asks(side: "cs", question: "couriers"), choose(side: "cs", act: "face-up hill", dice: [11]), state(unit: "hill", is: {"face": "up"})"#;
    card(16, "cs", "", units, "", script);
}

#[test]
fn a_shot_commander_tires_or_routs_his_unit() {
    let units = r#""heth": (at: "19.10"), "reynolds": (at: "18.10", fatigue: weary)"#;
    card(
        14,
        "cs",
        "",
        units,
        "",
        r#"asks(side: "cs", question: "shoot"), choose(side: "cs", act: "shoot reynolds"), state(unit: "reynolds", is: {"routed": "yes"})"#,
    );
    let fresh = r#""heth": (at: "19.10"), "reynolds": (at: "18.10")"#;
    card(
        15,
        "us",
        "",
        fresh,
        "",
        r#"choose(side: "us", act: "shoot heth"), state(unit: "heth", is: {"fatigue": "tired"})"#,
    );
}

#[test]
fn massed_bombardment_tires_the_enemies_next_to_a_unit() {
    let units = r#""rodes": (at: "19.10"), "ewell": (at: "20.11"), "howard": (at: "18.10")"#;
    let script = r#"asks(side: "cs", question: "bombard"), choose(side: "cs", act: "bombard rodes"), state(unit: "howard", is: {"fatigue": "tired"}), choose(side: "cs", act: "attack rodes howard"), offers_only(["commit reserves", "done"])"#;
    holds(
        "july1-evening",
        "combat",
        "cs",
        units,
        "chief: out, artillery: (out, ready, out), event: [massed_bombardment]",
        "[]",
        script,
    );
    let guns = r#""1-arty-res": (at: "18.10"), "heth": (at: "19.10")"#;
    let script = r#"choose(side: "us", act: "bombard 1-arty-res"), state(unit: "heth", is: {"fatigue": "tired"}), state(unit: "1-arty-res", is: {"fatigue": "tired"})"#;
    holds(
        "july2-noon",
        "combat",
        "us",
        guns,
        "event: [massed_bombardment]",
        "[]",
        script,
    );
}

/// The cards that are drawn in a game of random choices, in their order.
fn drawn(play: &Play, seed: u128) -> Vec<i32> {
    let mut game = play.game(Seed(seed)).unwrap();
    game.listen(true);
    let (mut dice, mut drawn) = (Loose::new(Seed(seed)), vec![]);
    while let Some(decision) = game.decision() {
        let (side, options) = (decision.ask.side, decision.options);
        let chosen = dice.roll(options.len() as u16, "choice", About::Game) - 1;
        let act = options[usize::from(chosen)];
        game.apply(side, act).unwrap();
        let events = game.take_events().0.into_iter();
        let cards = events.filter(|event| event.kind == "card");
        drawn.extend(cards.flat_map(|card| card.numbers));
    }
    drawn
}

/// A card more is drawn now and then in the place of another; what comes before it is the same to the card, and most of what
/// comes after it.
#[test]
fn a_card_more_or_less_does_not_shift_the_draws_that_follow() {
    const GONE: i32 = 13;
    let variant = format!(
        "(base: \"corps20\", name: \"fewer\", title: \"A card less\", change: [remove(path: \"deck/deck/{GONE}\")])\n"
    );
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let fewer = Library::new(data, None, Registry::linked().unwrap())
        .play_with(
            "corps20",
            "gettysburg",
            Some(&Source::new("fewer.ron", variant)),
        )
        .unwrap_or_else(|problems| panic!("{problems}"));
    let (mut same, mut after) = (0, 0);
    for seed in 0..24 {
        let (all, less) = (drawn(&PLAY, seed), drawn(&fewer, seed));
        assert!(!less.contains(&GONE), "game {seed}: {less:?}");
        let first = all.iter().position(|card| *card == GONE);
        let first = first.unwrap_or(all.len()).min(less.len());
        assert_eq!(all[..first], less[..first], "game {seed}");
        let pairs = || all.iter().zip(&less).skip(first + 1);
        same += pairs().filter(|(a, b)| a == b).count();
        after += pairs().count();
    }
    // By position hardly one in ten would be the same.
    assert!(same * 10 > after * 6, "{same} of {after} alike after it");
    assert!(after > 100, "{after} draws after it");
}
