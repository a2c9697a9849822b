//! Rules of corps20 that are easier to check in code than in case files: the set-up, the terrain, the cards.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot load its data must fail"
)]

use cupola_corps20 as _;
use cupola_corps20::rules::{Kind, Rules, Start};
use cupola_corps20::state::Status;
use cupola_data::Source;
use cupola_kernel::{Play, Registry, Seed, Side, cases};
use cupola_library::Library;
use std::borrow::Cow;
use std::path::Path;
use std::sync::LazyLock;

static PLAY: LazyLock<Play> = LazyLock::new(|| {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let library = Library::new(data, None, Registry::linked().unwrap());
    library
        .play("corps20", "gettysburg", None)
        .unwrap_or_else(|problems| panic!("{problems}"))
});

fn rules() -> &'static Rules {
    PLAY.env().rules.downcast_ref().unwrap()
}

/// Runs a case given as text: a position with these units and this state, opening dice, a script.
fn holds(turn: &str, phase: &str, side: &str, units: &str, state: &str, dice: &str, script: &str) {
    let text = format!(
        "(proves: [], about: \"\", position: (ruleset: \"corps20\", scenario: \"gettysburg\", turn: \"{turn}\", \
         phase: \"{phase}\", side: \"{side}\", state: (clear: true, units: {{{units}}}, {state})), dice: {dice}, \
         script: [{script}])"
    );
    if let Err(problems) = cases::run(&PLAY, &Source::new("inline", text.clone())) {
        panic!("{problems}\n{text}");
    }
}

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
fn the_set_up_is_as_printed() {
    let (env, rules) = (PLAY.env(), rules());
    let on_map: Vec<&str> = (0..env.units.len())
        .filter(|&i| matches!(rules.starts[i].0, Start::Hex(_)))
        .map(|i| env.units[i].id.as_str())
        .collect();
    assert_eq!(on_map, ["buford", "reynolds", "heth"]);
    let count = |side, kind| {
        rules
            .cards
            .iter()
            .filter(|card| card.side == side && card.kind == kind)
            .count()
    };
    assert_eq!(count(Side::First, Kind::Infantry), 9);
    assert_eq!(count(Side::Second, Kind::Infantry), 7);
    assert_eq!(
        (
            count(Side::First, Kind::Cavalry),
            count(Side::Second, Kind::Cavalry)
        ),
        (3, 3)
    );
    assert_eq!(
        (
            count(Side::First, Kind::Leader),
            count(Side::Second, Kind::Leader)
        ),
        (3, 1)
    );
    assert_eq!(count(Side::Second, Kind::Artillery), 2);
    assert_eq!(rules.deck.len(), 16);
    assert_eq!(env.track.turns.len(), 25);
}

#[test]
fn the_confederates_begin_and_draw_no_card() {
    let game = PLAY.game(Seed(1)).unwrap();
    let decision = game.decision().unwrap();
    assert_eq!(
        (decision.ask.side, decision.ask.question),
        (Side::First, "move")
    );
    assert_eq!(game.luck().0, 0, "nothing was rolled");
}

#[test]
fn terrain_costs_are_cumulative_and_help_the_defender() {
    let rules = rules();
    let edges = || {
        rules
            .edges
            .iter()
            .flatten()
            .filter(|edge| edge.to.is_some())
    };
    assert!(edges().all(|edge| [2, 4, 6].contains(&edge.cost)));
    for cost in [2, 4, 6] {
        assert!(
            edges().any(|edge| edge.cost == cost),
            "no hexside costs {cost} half points"
        );
    }
    assert!(edges().any(|edge| edge.helps_defender) && edges().any(|edge| !edge.helps_defender));
    // A creek helps whoever is behind it, a slope only uphill.
    let one_way = rules.edges.iter().enumerate().flat_map(|(i, around)| {
        around.iter().filter_map(move |edge| {
            Some((
                cupola_kernel::HexId(i as u16),
                edge.to?,
                edge.helps_defender,
            ))
        })
    });
    assert!(
        one_way
            .filter(|x| x.2)
            .any(|(from, to, _)| !rules.edge(to, from).unwrap().helps_defender)
    );
}

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

#[test]
fn a_hazardous_retreat_can_break_a_unit() {
    // Rodes can only fall back past Sickles: above his quality he breaks.
    let units = r#""rodes": (at: "18.11"), "ewell": (at: "18.11"), "reynolds": (at: "18.10"), "sickles": (at: "20.12"), "early": (at: "17.11"), "pender": (at: "18.12"), "johnson": (at: "17.10"), "anderson": (at: "19.10")"#;
    let state = "chief: out, artillery: (out, out, out)";
    let script = r#"choose(side: "cs", act: "attack rodes reynolds"), choose(side: "cs", act: "attack johnson reynolds"), choose(side: "cs", act: "attack anderson reynolds"), choose(side: "cs", act: "done"), choose(side: "us", act: "done"), asks(side: "cs", question: "roll")"#;
    holds("july1-evening", "combat", "cs", units, state, "[]", script);
}

#[test]
fn the_condition_of_all_units_is_read_where_it_lies() {
    let game = PLAY.game(Seed(1)).unwrap();
    let copy = game.fork();
    for table in [game.table(), copy.table()] {
        let column = table.column::<Status>();
        assert!(
            matches!(column, Cow::Borrowed(_)),
            "copied: every search would pay for it"
        );
        assert!(
            table
                .units()
                .zip(&*column)
                .all(|(unit, own)| table.get::<Status>(unit) == own)
        );
    }
}

/// What is wrong with a position that has this state, in the Confederate combat phase of a day.
fn wrong_with(phase: &str, state: &str) -> String {
    let text = format!(
        "(proves: [], about: \"\", position: (ruleset: \"corps20\", scenario: \"gettysburg\", turn: \"july1-evening\", \
         phase: \"{phase}\", side: \"cs\", state: (clear: true, {state})), script: [])"
    );
    let found = cases::run(&PLAY, &Source::new("inline", text));
    found.map_or_else(|problems| problems.to_string(), |_| String::new())
}

#[test]
fn a_position_refuses_what_cannot_be() {
    let bad = [
        (
            "combat",
            r#"morale: {"cs": 40}"#,
            "40 is not between 1 and 10",
        ),
        (
            "combat",
            r#"morale: {"cs": 0}"#,
            "0 is not between 1 and 10",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "18.10"), "rodes": (at: "18.10")}"#,
            "18.10 already holds heth",
        ),
        ("combat", r#"morale: {"csa": 4}"#, "did you mean \"cs\"?"),
        (
            "combat",
            r#"units: {"heth": (at: "18.10"), "reynolds": (at: "18.10")}"#,
            "18.10 holds heth of the other side as well",
        ),
        (
            "combat",
            r#"units: {"hill": (at: "18.10"), "reynolds": (at: "18.10")}"#,
            "18.10 holds hill of the other side as well",
        ),
        (
            "movement",
            "event: [commander_shot]",
            "belongs to the phase event",
        ),
        (
            "event",
            "event: [commander_shot]",
            "no enemy unit is next to",
        ),
        (
            "combat",
            "event: [double_time]",
            "belongs to the phase movement",
        ),
        (
            "morale",
            "event: [free_reserves]",
            "belongs to the phase combat",
        ),
        ("combat", "discard: [17]", "no card 17, expected 1 to 16"),
        ("combat", "next_card: 0", "no card 0"),
        ("combat", "next_card: 3, discard: [3]", "is in the discard"),
        (
            "combat",
            r#"units: {"hill": (at: "18.10", routed: true)}"#,
            "neither tires nor routs",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "18.10", face_down: true)}"#,
            "only leaders",
        ),
        (
            "combat",
            r#"units: {"1-cav": (at: "18.10", cadre: true)}"#,
            "only infantry",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "broken", cadre: true)}"#,
            "is eliminated",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "broken", fatigue: weary)}"#,
            "has no condition",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "18.10", due: "july1-dusk")}"#,
            "waits on the turn track",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "18.10", by: "CP")}"#,
            "but not when",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "turn track")}"#,
            "is due in some round",
        ),
        (
            "combat",
            r#"units: {"heth": (due: "july1-dsk", by: "CP")}"#,
            "did you mean \"july1-dusk\"?",
        ),
        (
            "combat",
            r#"units: {"hath": (at: "18.10")}"#,
            "did you mean",
        ),
        (
            "movement",
            r#"units: {"reynolds": (at: "18.10", halted: true)}"#,
            "the side whose player turn it is",
        ),
        (
            "movement",
            r#"units: {"reynolds": (at: "18.10", well_led: true)}"#,
            "the side whose player turn it is",
        ),
    ];
    for (phase, state, expected) in bad {
        let found = wrong_with(phase, state);
        assert!(
            found.contains(expected),
            "{state}: expected “{expected}”, found “{found}”"
        );
    }
    assert_eq!(
        wrong_with("movement", r#"units: {"heth": (at: "18.10")}"#),
        ""
    );
}

#[test]
fn pikes_go_where_the_board_draws_them_and_the_board_marks_the_lines() {
    let (board, rules) = (&PLAY.env().board, rules());
    let near = |side: Side, label: &str| {
        let hex = usize::from(board.hex(label).unwrap().0);
        let mut lines = rules.lifelines.iter().filter(|line| line.side == side);
        lines.any(|line| line.near[hex])
    };
    for label in ["9.15", "13.09"] {
        assert!(
            !near(Side::Second, label),
            "{label} is not beside the Baltimore Pike"
        );
    }
    for label in ["3.20", "6.14", "15.12", "16.12", "13.11", "7.15"] {
        assert!(
            near(Side::Second, label),
            "{label} is beside the Baltimore Pike"
        );
    }
    for label in ["13.10", "13.11"] {
        assert!(
            !near(Side::First, label),
            "{label} is not beside the Chambersburg Pike"
        );
    }
    for label in ["15.12", "16.12", "20.01", "18.06"] {
        assert!(
            near(Side::First, label),
            "{label} is beside the Chambersburg Pike"
        );
    }
    for label in ["20.01", "10.01", "1.20", "1.11"] {
        let card = board.describe(board.hex(label).unwrap());
        let marked = card.entries.iter().any(|entry| entry.contains("LOC-"));
        assert!(marked, "{label}: {:?}", card.entries);
    }
    assert!(
        rules.entries.iter().all(|entry| entry.gate.road),
        "entries lie on roads"
    );
    let mut lines = rules.lines.iter().flat_map(|(_, lines)| lines);
    assert!(
        lines.all(|line| line.gate.road),
        "communications lie on roads"
    );
}

#[test]
fn a_battle_that_rain_ends_stays_in_its_round() {
    let position = r#"(ruleset: "corps20", scenario: "gettysburg", turn: "july3-dusk", phase: "round-end",
        state: (clear: true, units: {"heth": (at: "19.03"), "reynolds": (at: "13.11")}))"#;
    let file = cupola_kernel::PositionFile {
        source: Source::new("inline", position),
        in_case: false,
    };
    let play = PLAY
        .at(&file)
        .unwrap_or_else(|problems| panic!("{problems}"));
    let games = (0..40).map(|seed| play.game(Seed(seed)).unwrap());
    let over: Vec<_> = games.filter(|game| game.verdict().is_some()).collect();
    assert!(!over.is_empty() && over.len() < 40, "it rains on a one");
    for game in over {
        assert_eq!(game.table().turn_info().id, "july3-dusk");
    }
}

#[test]
fn the_book_names_every_key_of_a_position() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let book = std::fs::read_to_string(root.join("book/src/cases.md")).unwrap();
    // The reader lists its keys when it is given one that it does not know.
    let keys = |state: &str| {
        let found = wrong_with("combat", state);
        let (_, keys) = found.split_once("expected one of ").unwrap();
        let keys: Vec<String> = keys
            .split('"')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        assert!(keys.len() > 8, "{found}");
        keys
    };
    let all = keys("nonsense: 1")
        .into_iter()
        .chain(keys(r#"units: {"heth": (nonsense: 1)}"#));
    for key in all {
        assert!(
            book.contains(&format!("{key}:")) || book.contains(&format!("`{key}`")),
            "{key}"
        );
    }
}

#[test]
fn a_position_refuses_rules_that_cannot_be() {
    let bad = [
        (
            r#"units: {"heth": (at: "18.10", strength: 40)}"#,
            "40 is not between 0 and 20",
        ),
        (
            r#"units: {"heth": (at: "18.10", movement: 0)}"#,
            "0 is not between 1 and 24",
        ),
        (
            r#"units: {"heth": (at: "18.10", range: 2)}"#,
            "only leaders have a range",
        ),
        (
            r#"units: {"hill": (at: "18.10", strength: 2)}"#,
            "a leader has a range",
        ),
        (
            r#"units: {"heth": (at: "18.10", cadre: true, strength: 2)}"#,
            "all cadres",
        ),
        (
            r#"switches: {"routed_enemy_pins": true}"#,
            "did you mean \"routed_enemies_pin\"?",
        ),
        (
            "results: {9: (EX, EX, EX, EX, EX, EX)}",
            "9 is not between -3 and 4",
        ),
        (r#"woods: {"99.10": true}"#, "no hex \"99.10\""),
        (
            r#"hexsides: [(between: ("18.10", "18.12"), is: [creek])]"#,
            "not next to each other",
        ),
    ];
    for (state, expected) in bad {
        let found = wrong_with("combat", state);
        assert!(
            found.contains(expected),
            "{state}: expected “{expected}”, found “{found}”"
        );
    }
}
