//! The printed tables, corners and edges included.

use crate::common::{main_play, with_units};
use cupola_blindswords::field::Field;
use cupola_blindswords::melee::Storm;
use cupola_blindswords::rules::{FogResult, Rules};
use cupola_blindswords::tables::{Clash, Effect, Level, Test};
use cupola_blindswords::units::Units;
use cupola_blindswords::volley::cohesion;
use cupola_kernel::{Game, Seed, Side, odds};

fn start() -> Game {
    main_play().game(Seed(1)).expect("a game")
}

fn with_rules(check: impl FnOnce(&Rules)) {
    check(start().table().rules());
}

#[test]
fn combat_results() {
    with_rules(|rules| {
        let crt = &rules.charts.crt;
        for (column, black, white, expected) in [
            (0, 1, 1, "NE"),
            (0, 5, 6, "E"),
            (0, 6, 6, "E"),
            (2, 2, 2, "NE"),
            (2, 6, 4, "R"),
            (5, 3, 2, "E"),
            (7, 2, 1, "E"),
            (8, 2, 5, "R"),
            (8, 1, 1, "NE"),
            (9, 1, 1, "E"),
            (12, 1, 1, "T"),
            (12, 2, 2, "S"),
            (12, 6, 6, "C"),
            (11, 4, 4, "C"),
            (4, 3, 4, "E"),
            (7, 6, 3, "C"),
        ] {
            assert_eq!(
                crt.read(column, black, white).code(),
                expected,
                "{column}: {black}{white}"
            );
        }
        for (strength, heading) in [
            (0, "1"),
            (1, "1"),
            (5, "5"),
            (6, "6-7"),
            (7, "6-7"),
            (8, "8-9"),
            (9, "8-9"),
            (10, "10+"),
            (23, "10+"),
        ] {
            assert_eq!(crt.heading(crt.column(strength)), heading, "{strength} SP");
        }
        assert_eq!(crt.heading(crt.shifted(7, 9)), "*****", "the right end");
        assert_eq!(crt.shifted(2, -5), 0, "the left end");
        let doubles: Vec<i8> = (1..=6).map(|die| crt.modifier(die, die)).collect();
        assert_eq!(doubles, [3, 2, 1, -1, -2, -3]);
        assert_eq!(crt.modifier(2, 3), 0);
        // More strength and a better roll never make the test milder.
        for column in 0..12 {
            for roll in 0..36 {
                assert!(crt.cells[column][roll] <= crt.cells[column + 1][roll]);
            }
        }
        assert!(
            crt.cells
                .iter()
                .all(|column| column.windows(2).all(|pair| pair[0] <= pair[1]))
        );
    });
}

#[test]
fn cohesion_tests() {
    with_rules(|rules| {
        for (test, score, expected) in [
            (Test::None, -2, "NE"),
            (Test::None, 8, "NE"),
            (Test::None, 9, "NE (FF)"),
            (Test::Easy, 0, "SH (SK2)"),
            (Test::Easy, 5, "SH / SK1"),
            (Test::Easy, 10, "NE (FF)"),
            (Test::Routine, 1, "DP (SK3)"),
            (Test::Routine, 5, "SH (SK1)"),
            (Test::Routine, 11, "NE (FF)"),
            (Test::Tough, 1, "DP + SK2"),
            (Test::Tough, 12, "NE (FF)"),
            (Test::Severe, 1, "DP + SK3"),
            (Test::Severe, 12, "NE"),
            (Test::Critical, 1, "DP + SK3"),
            (Test::Critical, 11, "SH / SK1"),
            (Test::Critical, 15, "NE"),
        ] {
            assert_eq!(
                cohesion(rules, test, score).to_string(),
                expected,
                "{test:?} {score}"
            );
        }
        for row in &rules.charts.cohesion {
            for effect in row {
                assert_eq!(Effect::from_code(effect.code()), *effect);
            }
        }
    });
}

#[test]
fn assault_matrix() {
    with_rules(|rules| {
        let cell = |defender: Test, attacker: Test| {
            rules.charts.matrix[defender as usize][attacker as usize].to_string()
        };
        for (defender, attacker, expected) in [
            (Test::None, Test::Critical, "defender Broken"),
            (Test::Critical, Test::None, "attacker Broken"),
            (Test::Easy, Test::Routine, "defender SK1"),
            (Test::Severe, Test::None, "attacker DP + SK1"),
            (Test::None, Test::Severe, "defender DP + SK3"),
            (Test::Tough, Test::Easy, "attacker SH (SK1)"),
            (Test::Critical, Test::Severe, "attacker SH / SK1"),
            (Test::Routine, Test::Critical, "defender SH + SK2"),
        ] {
            assert_eq!(cell(defender, attacker), expected);
        }
        for test in Test::ALL {
            assert_eq!(
                rules.charts.matrix[test as usize][test as usize],
                Clash::Close,
                "equal results are a close fight"
            );
        }
    });
}

#[test]
fn command_table() {
    with_rules(|rules| {
        let level = |rating: usize, die: usize| rules.charts.command[rating][die - 1];
        assert_eq!(
            (level(0, 2), level(0, 3), level(0, 6)),
            (Level::None, Level::Slow, Level::Timely)
        );
        assert_eq!(
            (level(1, 1), level(1, 2), level(1, 5)),
            (Level::None, Level::Slow, Level::Timely)
        );
        assert_eq!(
            (level(2, 1), level(2, 4), level(2, 6)),
            (Level::Slow, Level::Timely, Level::Efficient)
        );
        assert_eq!(
            (level(3, 2), level(3, 3), level(3, 6)),
            (Level::Slow, Level::Timely, Level::Efficient)
        );
        assert_eq!(
            (level(4, 1), level(4, 2), level(4, 5)),
            (Level::Slow, Level::Timely, Level::Efficient)
        );
    });
}

#[test]
fn fog_of_war_table() {
    with_rules(|rules| {
        let at = |roll: usize| rules.fog[(roll / 10 - 1) * 6 + roll % 10 - 1];
        let (us, cs) = (Side::First, Side::Second);
        for (roll, expected) in [
            (11, FogResult::Chaos(us)),
            (14, FogResult::Chaos(us)),
            (15, FogResult::Chaos(cs)),
            (22, FogResult::Chaos(cs)),
            (23, FogResult::Wayward(us)),
            (26, FogResult::Wayward(us)),
            (31, FogResult::Wayward(cs)),
            (34, FogResult::Wayward(cs)),
            (35, FogResult::Fortunes(us)),
            (41, FogResult::Fortunes(us)),
            (42, FogResult::Fortunes(cs)),
            (44, FogResult::Fortunes(cs)),
            (56, FogResult::Casualty(us, None)),
        ] {
            assert_eq!(at(roll), expected, "{roll}");
        }
        let name = |roll: usize| match at(roll) {
            FogResult::Casualty(_, Some(chit)) => rules.chit(chit).name.clone(),
            other => panic!("{other:?}"),
        };
        let names: Vec<String> = [45, 46, 51, 61, 62, 63, 64, 65, 66].map(name).to_vec();
        assert_eq!(
            names,
            [
                "Howard",
                "Buford",
                "Wadsworth",
                "Steinwehr",
                "Ewell",
                "Hill",
                "Early",
                "Rodes",
                "Pender"
            ]
        );
    });
}

#[test]
fn weapon_ranges() {
    with_rules(|rules| assert_eq!(rules.charts.ranges, [(1, 2), (6, 10), (5, 8), (6, 10)]));
}

/// The numbers of the assault example (§K): twelve against six, on the heights above the brickyard.
fn brickyard() -> Game {
    with_units(
        r#""coster-1": (at: "2210", worn: true), "coster-2": (at: "2210", worn: true),
           "oneal-1": (at: "2110", shaken: true), "oneal-2": (at: "2109", shaken: true)"#,
        r#"assault(formation: "brigade-oneal")"#,
    )
}

fn units(game: &Game, ids: &[&str]) -> Units {
    ids.iter()
        .map(|id| game.table().env().unit(id).expect("a unit"))
        .collect()
}

#[test]
fn assault_example_columns() {
    let game = brickyard();
    let field = Field::new(game.table());
    let (main, support) = (units(&game, &["oneal-1"]), units(&game, &["oneal-2"]));
    let defenders = units(&game, &["coster-1", "coster-2"]);
    let hex = |label: &str| game.table().board().hex(label).expect("a hex");
    assert_eq!(
        (field.strength(main.or(support)), field.strength(defenders)),
        (12, 6)
    );
    let fight = Storm::new(field, main, support, hex("2110"), hex("2210")).fight(field);
    let crt = &field.rules.charts.crt;
    assert_eq!(
        (crt.heading(fight.terms[0]), crt.heading(fight.terms[1])),
        ("*".to_owned(), "6-7".to_owned())
    );
    let combat = game.table().combat("assault").expect("a system");
    let modifiers = combat.modifiers(game.table(), &fight);
    let lines: Vec<(String, i16)> = modifiers
        .0
        .iter()
        .map(|m| (m.label.to_string(), m.value))
        .collect();
    assert_eq!(
        lines,
        [
            ("uphill and over water".to_owned(), -2),
            ("2:1".to_owned(), 2),
            ("cohesion".to_owned(), 1)
        ]
    );
    let odds = odds(&*combat, game.table(), &fight).expect("odds");
    assert_eq!(
        odds.outcomes.iter().map(|(_, weight)| weight).sum::<u128>(),
        odds.total
    );
    assert_eq!(odds.total, 1296);
}

#[test]
fn blochers_knoll_costs_four_columns() {
    let game = with_units(
        r#""gilsa": (at: "1611"), "doles-1": (at: "1510"), "doles-2": (at: "1610")"#,
        r#"assault(formation: "brigade-doles")"#,
    );
    let field = Field::new(game.table());
    let hex = |label: &str| game.table().board().hex(label).expect("a hex");
    let (main, support) = (units(&game, &["doles-1"]), units(&game, &["doles-2"]));
    let fight = Storm::new(field, main, support, hex("1510"), hex("1611")).fight(field);
    let modifiers = game
        .table()
        .combat("assault")
        .expect("a system")
        .modifiers(game.table(), &fight);
    assert!(
        modifiers
            .0
            .iter()
            .any(|m| m.label == "uphill and over water" && m.value == -4),
        "{modifiers:?}"
    );
}

#[test]
fn three_hexes_make_a_flank() {
    let game = with_units(
        r#""gilsa": (at: "1815"), "davis-1": (at: "1816"), "davis-2": (at: "1715"), "davis-3": (at: "1915")"#,
        r#"assault(formation: "brigade-davis")"#,
    );
    let field = Field::new(game.table());
    let hex = |label: &str| game.table().board().hex(label).expect("a hex");
    let combat = game.table().combat("assault").expect("a system");
    let flank = |support: &[&str]| {
        let (main, support) = (units(&game, &["davis-1"]), units(&game, support));
        let fight = Storm::new(field, main, support, hex("1816"), hex("1815")).fight(field);
        let modifiers = combat.modifiers(game.table(), &fight);
        modifiers
            .0
            .iter()
            .any(|m| m.label == "flank attack" && m.value == 2)
    };
    assert!(flank(&["davis-2", "davis-3"]), "three hexes");
    assert!(!flank(&["davis-2"]), "two hexes");
}

#[test]
fn odds_are_quick() {
    let game = brickyard();
    let field = Field::new(game.table());
    let hex = |label: &str| game.table().board().hex(label).expect("a hex");
    let (main, support) = (units(&game, &["oneal-1"]), units(&game, &["oneal-2"]));
    let fight = Storm::new(field, main, support, hex("2110"), hex("2210")).fight(field);
    let combat = game.table().combat("assault").expect("a system");
    let begun = std::time::Instant::now();
    (0..20).for_each(|_| drop(odds(&*combat, game.table(), &fight)));
    let each = begun.elapsed() / 20;
    // A millisecond when optimised; tests are not.
    let limit = if cfg!(debug_assertions) {
        20_000
    } else {
        1_000
    };
    assert!(each.as_micros() < limit, "{each:?}");
}

#[test]
fn a_cavalry_brigade_is_worth_its_mounted_strength() {
    let game = with_units(
        r#""gamble-1": (at: "broken"), "gamble-2": (at: "2119"), "smith-cs": (at: "broken"), "davis-1": (at: "2021")"#,
        "None",
    );
    let points = cupola_blindswords::victory::points(game.table());
    // Six for Gamble's first unit; eight and eight more for Smith, the whole of his brigade.
    assert_eq!(points.second, 6 + 2, "and McPherson's farm");
    assert_eq!(points.first, 8 + 8 + 61, "and all other places");
}

/// §A-c: the asterisks of a counter; a file in which they are wrong is refused.
#[test]
fn a_brigade_has_as_many_counters_as_it_says() {
    with_rules(|rules| {
        let count = |name: &str| {
            let found = rules.brigades.iter().find(|brigade| brigade.name == name);
            found.map(|brigade| brigade.units.count())
        };
        assert_eq!(count("davis"), Some(4), "with the 11th Mississippi");
        assert_eq!(count("meredith"), Some(3));
        assert_eq!(count("gilsa"), Some(1));
    });
    let wrong = crate::common::with_file("counters.ron", |text| {
        text.replacen("count: 3", "count: 2", 1)
    });
    let message = wrong.err().expect("refused").to_string();
    assert!(
        message.contains("the brigade has 3 counters, not 2"),
        "{message}"
    );
}
