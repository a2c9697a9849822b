//! What players measure on the map is what the rules play by.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot load its data must fail"
)]

use cupola_kernel::{Game, HexId, Play, Registry, Seat, Seed, Side, UnitId};
use cupola_library::Library;
use std::path::Path;

fn play(ruleset: &str, scenario: &str) -> Play {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let library = Library::new(data, None, Registry::linked().unwrap());
    let play = library.play(ruleset, scenario, None);
    play.unwrap_or_else(|problems| panic!("{problems}"))
}

/// A game some way on: the nth option, by turns.
fn later(play: &Play, choices: usize) -> Game {
    let mut game = play.game(Seed(1863)).unwrap();
    for i in 0..choices {
        let Some(decision) = game.decision() else {
            break;
        };
        let act = decision.options[i * 7 % decision.options.len()];
        let side = decision.ask.side;
        game.apply(side, act).unwrap();
    }
    game
}

/// Pairs of hexes all over the board, no further apart than this.
fn pairs(game: &Game, far: u32) -> Vec<(HexId, HexId)> {
    let board = game.table().board();
    let hexes: Vec<HexId> = board.hexes().collect();
    let step = (hexes.len() / 60).max(1);
    let from = hexes.iter().step_by(step);
    let near = |a: HexId| {
        let hexes = hexes.iter().copied();
        hexes.filter(move |&b| b != a && board.distance(a, b) <= far)
    };
    from.flat_map(|&a| near(a).map(move |b| (a, b))).collect()
}

#[test]
fn sight_by_regiments_is_that_of_fire() {
    let game = later(&play("gbacw", "to-stop"), 0);
    let rules: &cupola_gbacw::rules::Rules = game.table().rules();
    let board = game.table().board();
    let (mut blocked, mut seen) = (0, 0);
    for (a, b) in pairs(&game, 8) {
        let line = game.line_of_sight(a, b).unwrap();
        let sees = rules.sight.sees(board, a, b);
        assert!(
            !line.clear || sees,
            "{} to {}: {}",
            board.label(a),
            board.label(b),
            line.why
        );
        if let Some(hex) = line.blocked {
            assert!(!sees && hex != a && hex != b, "{}", line.why);
            assert!(line.why.contains(board.label(hex)), "{}", line.why);
            blocked += 1;
        } else {
            seen += usize::from(line.clear);
        }
        assert_eq!(line.along.first().unwrap().hex, a);
        assert_eq!(line.along.last().unwrap().hex, b);
    }
    assert!(
        blocked > 500 && seen > 500,
        "{blocked} blocked, {seen} seen"
    );
}

#[test]
fn sight_of_blocks_is_that_of_fire() {
    let game = later(&play("blocks", "day1"), 0);
    let rules: &cupola_blocks::rules::Rules = game.table().rules();
    let mut hidden = 0;
    for from in game.table().board().hexes() {
        for to in game.table().board().hexes() {
            let cones = rules.cones[from.index()]
                .iter()
                .zip(&rules.sight[from.index()]);
            let places = cones.flat_map(|(cone, bits)| {
                let at = cone.iter().position(|&hex| hex == to.0);
                at.map(|place| bits & 1 << place != 0)
            });
            let places: Vec<bool> = places.collect();
            let line = game.line_of_sight(from, to);
            assert_eq!(
                line.is_some(),
                !places.is_empty(),
                "a line where nobody fires"
            );
            if let Some(line) = line {
                assert_eq!(line.clear, places.contains(&true), "{}", line.why);
                hidden += usize::from(!line.clear);
            }
        }
    }
    assert!(hidden > 100, "{hidden}");
}

#[test]
fn sight_of_chits_is_that_of_fire_units_included() {
    let game = later(&play("blindswords", "main"), 200);
    let rules: &cupola_blindswords::rules::Rules = game.table().rules();
    let mut by_units = 0;
    for (a, b) in pairs(&game, 10) {
        let line = game.line_of_sight(a, b).unwrap();
        let far = game.table().board().distance(a, b);
        let between = cupola_blindswords::sight::between(game.table(), rules, a, b);
        assert_eq!(
            line.clear,
            far < 2 || between.blocked.is_none(),
            "{}",
            line.why
        );
        by_units += usize::from(line.why.contains("a unit in"));
    }
    assert!(by_units > 0, "no unit stood in the way");
    assert!(
        game.line_of_sight(HexId(0), HexId(game.table().board().len() as u16 - 1))
            .is_none()
    );
}

#[test]
fn a_leader_commands_those_whom_the_rules_let_him_command() {
    let mut led = 0;
    for choices in (0..3000).step_by(150) {
        let game = later(&play("corps20", "gettysburg"), choices);
        let (table, view) = (game.table(), game.view(Seat::Umpire));
        for leader in table.units() {
            let Some(range) = game.command_range(&view, leader) else {
                continue;
            };
            for unit in table.units() {
                let card = |unit| {
                    table
                        .rules::<cupola_corps20::rules::Rules>()
                        .card(unit)
                        .kind
                };
                let led_one = cupola_corps20::leaders::commands(table, leader, unit, false)
                    && card(unit) != cupola_corps20::rules::Kind::Leader;
                assert_eq!(
                    range.units.contains(&unit),
                    led_one,
                    "{}",
                    table.info(unit).id
                );
                if led_one {
                    assert!(range.hexes.contains(&table.hex(unit).unwrap()));
                    led += 1;
                }
            }
        }
    }
    assert!(led > 0, "nobody is led");
}

#[test]
fn a_leader_of_regiments_reaches_what_the_rules_say() {
    let game = later(&play("gbacw", "to-stop"), 40);
    let (table, view) = (game.table(), game.view(Seat::Umpire));
    let mut led = 0;
    for leader in table.units() {
        let Some(range) = game.command_range(&view, leader) else {
            continue;
        };
        for unit in table.units().filter(|unit| table.hex(*unit).is_some()) {
            let inside = range.hexes.contains(&table.hex(unit).unwrap());
            assert_eq!(inside, cupola_gbacw::command::reaches(table, leader, unit));
        }
        led += range.units.len();
    }
    assert!(led > 20, "{led}");
}

/// Generals who are chits stand nowhere: whoever acts with one is shown from any of them.
#[test]
fn a_brigade_acts_with_the_chits_of_its_generals() {
    let game = later(&play("blindswords", "main"), 120);
    let (table, view) = (game.table(), game.view(Seat::Umpire));
    let mut chains = std::collections::BTreeSet::new();
    for unit in table.units().filter(|unit| table.hex(*unit).is_some()) {
        let Some(range) = game.command_range(&view, unit) else {
            continue;
        };
        assert!(range.units.contains(&unit), "{}", table.info(unit).id);
        let card = |unit: UnitId| {
            let rules = table.rules::<cupola_blindswords::rules::Rules>();
            rules.card(unit)
        };
        for &other in &range.units {
            let id = &table.info(other).id;
            assert_eq!(card(other).side, card(unit).side, "{id}");
            // Those of one brigade have the same generals, and act together.
            let told = game.command_range(&view, other).unwrap();
            let same = card(other).brigade == card(unit).brigade;
            assert!(!same || told.units == range.units, "{id}");
        }
        chains.insert(range.about);
    }
    assert!(
        chains.len() > 1,
        "everybody has the same generals: {chains:?}"
    );
}

#[test]
fn nobody_is_told_of_a_headquarters_that_he_does_not_know() {
    let game = later(&play("blocks", "day1"), 60);
    let table = game.table();
    let (own, all) = (
        game.view(Seat::Player(Side::First)),
        game.view(Seat::Umpire),
    );
    let (mut hidden, mut known) = (0, 0);
    for unit in table.units() {
        let Some(range) = game
            .command_range(&all, unit)
            .filter(|_| table.hex(unit).is_some())
        else {
            continue;
        };
        let named = own
            .units
            .iter()
            .any(|seen| seen.id.as_ref() == Some(&table.info(unit).id));
        let told = game.command_range(&own, unit);
        assert_eq!(told.is_some(), named);
        // Of an enemy one knows the range, and not who obeys.
        let enemy = table.info(unit).side == Side::Second;
        assert!(told.is_none_or(|told| !enemy || told.units.is_empty()));
        hidden += usize::from(!named);
        known += usize::from(named && !range.units.is_empty());
    }
    assert!(hidden > 0 && known > 0, "{hidden} hidden, {known} known");
}
