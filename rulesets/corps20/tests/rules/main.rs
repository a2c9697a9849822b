//! Rules of corps20 that are easier to check in code than in case files: the set-up, the terrain, the cards, what a position may say.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot load its data must fail"
)]

use cupola_corps20 as _;
use cupola_corps20::rules::{Kind, Rules, Start};
use cupola_corps20::state::Status;
use cupola_data::Source;
use cupola_kernel::{About, Dice, Loose, Play, Registry, Seed, Side, cases};
use cupola_library::Library;
use std::borrow::Cow;
use std::path::Path;
use std::sync::LazyLock;

mod cards;
mod positions;

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

#[test]
fn pikes_go_where_the_board_draws_them_and_the_board_marks_the_lines() {
    let (board, rules) = (&PLAY.env().board, rules());
    let near = |side: Side, label: &str| {
        let hex = usize::from(board.hex(label).unwrap().0);
        let mut lines = rules
            .communications
            .pikes
            .iter()
            .filter(|line| line.side == side);
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
    let mut lines = rules
        .communications
        .entries
        .iter()
        .flat_map(|(_, lines)| lines);
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
