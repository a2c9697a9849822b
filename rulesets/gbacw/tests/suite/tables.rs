//! Tables, set-ups and sight: what is proved without playing.

use crate::common;

use cupola_gbacw::field::Field;
use cupola_gbacw::rules::Rules;
use cupola_kernel::{Game, Seed, Side, UnitId};

fn game(scenario: &str) -> Game {
    common::play(scenario).game(Seed(1)).expect("a game")
}

fn unit(game: &Game, id: &str) -> UnitId {
    game.table()
        .env()
        .unit(id)
        .unwrap_or_else(|| panic!("no unit {id}"))
}

/// The set-ups hold what the battle book lists.
#[test]
fn set_ups_are_as_printed() {
    let game = game("to-stop");
    let (t, field) = (game.table(), Field::new(game.table()));
    let at = |id: &str| t.hex(unit(&game, id)).map(|hex| t.board().label(hex));
    assert_eq!(at("cs-iii-pender-scales-38nc"), Some("A3402"));
    assert_eq!(at("us-i-art-stewart"), Some("B3432"));
    assert_eq!(field.sp(unit(&game, "us-i-art-stewart")), 3);
    assert_eq!(field.sp(unit(&game, "us-i-art-reynolds-b")), 3);
    assert_eq!(at("us-i-1-1-2wi"), None);
    let count = |side: Side| field.on_map(side).count();
    assert_eq!((count(Side::First), count(Side::Second)), (18, 14));
    assert!(field.status(unit(&game, "us-i-3-2-149pa")).disordered);
    assert!(field.mounted(unit(&game, "us-cav-1-1-8il-c")));
}

/// Every stack of a set-up is within the limits (§5.21).
#[test]
fn set_ups_fit_their_hexes() {
    for scenario in [
        "to-stop",
        "night-fight",
        "night-fight-walker",
        "want-of-coordination",
        "face-to-the-enemy",
        "gregg-defends",
        "picketts-charge",
        "picketts-charge-all",
        "not-done-enough",
        "farnsworths-charge",
    ] {
        let game = game(scenario);
        let field = Field::new(game.table());
        for side in Side::BOTH {
            for (unit, hex) in field.on_map(side) {
                let label = game.table().board().label(hex);
                assert!(field.fits(unit, hex), "{scenario} {label}");
            }
        }
    }
}

/// The battle book's example of sight (§6.24): Cemetery Hill does not see what stands right behind the rise.
#[test]
fn the_rise_hides_what_stands_behind_it() {
    let game = game("to-stop");
    let board = game.table().board();
    let sight = &game.table().rules::<Rules>().sight;
    let sees = |a: &str, b: &str| {
        let (a, b) = (board.hex(a).expect("a hex"), board.hex(b).expect("a hex"));
        assert_eq!(
            sight.sees(board, a, b),
            sight.sees(board, b, a),
            "both ways"
        );
        sight.sees(board, a, b)
    };
    for (hex, seen) in [
        ("B4826", false),
        ("B4926", false),
        ("B4827", true),
        ("B4927", true),
    ] {
        assert_eq!(sees("B4920", hex), seen, "{hex}");
    }
}

/// On the East Cavalry Field woods are two levels high (G6): they hide what they would not elsewhere.
#[test]
fn tall_woods_hide_more() {
    let (east, west) = (game("gregg-defends"), game("to-stop"));
    let board = east.table().board();
    let tall = &east.table().rules::<Rules>().sight;
    let usual = &west.table().rules::<Rules>().sight;
    let field = &east.table().rules::<Rules>().field;
    let hexes: Vec<_> = board.hexes().filter(|hex| field[hex.index()]).collect();
    let near = |a, b| board.distance(a, b) <= 16;
    let some = || hexes.iter().step_by(2);
    let pairs = || some().flat_map(|a| some().map(move |b| (*a, *b)));
    let (mut fewer, mut more) = (0, 0);
    for (a, b) in pairs().filter(|&(a, b)| near(a, b)) {
        let (now, then) = (tall.sees(board, a, b), usual.sees(board, a, b));
        fewer += u32::from(then && !now);
        more += u32::from(now && !then);
    }
    assert!(fewer > 0 && more == 0, "{fewer} pairs fewer, {more} more");
}

/// The bridge over the cut on Lott's Ridge (§5.18): two ends, and the three hexes from which it is shut.
#[test]
fn the_bridge_on_lotts_ridge() {
    let game = game("to-stop");
    let board = game.table().board();
    let [bridge] = &game.table().rules::<Rules>().spans[..] else {
        panic!("one bridge over a cut");
    };
    let names = |hexes: &[cupola_kernel::HexId]| {
        let mut names: Vec<String> = hexes.iter().map(|&h| board.label(h).to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&bridge.ends), ["A1522", "A1723"]);
    assert_eq!(names(&bridge.guards), ["A1523", "A1622", "A1623"]);
}

/// The range chart by its edges (§6.31).
#[test]
fn the_range_chart() {
    use cupola_gbacw::Weapon;
    let game = game("to-stop");
    let rules = game.table().rules::<Rules>();
    let rows = [
        (Weapon::RM, [Some(2), Some(0), Some(-2), None]),
        (Weapon::SM, [Some(3), Some(-2), None, None]),
        (Weapon::C, [Some(1), Some(-1), None, None]),
        (Weapon::BR, [Some(3), Some(1), Some(-1), None]),
        (Weapon::BRSS, [Some(3), Some(2), Some(1), Some(0)]),
        (Weapon::RP, [Some(4), Some(1), Some(-2), None]),
        (Weapon::M, [Some(1), None, None, None]),
        (Weapon::N, [Some(3), Some(2), Some(1), Some(0)]),
        (Weapon::H, [Some(3), Some(2), Some(0), Some(-1)]),
        (Weapon::R, [Some(2), Some(1), Some(0), Some(0)]),
        (Weapon::HR, [Some(1), Some(1), Some(0), Some(0)]),
    ];
    for (weapon, values) in rows {
        for (range, value) in (1..).zip(values) {
            assert_eq!(rules.range(weapon, range), value, "{weapon:?} at {range}");
        }
    }
    let far = [
        (Weapon::N, 12, Some(-3)),
        (Weapon::N, 13, None),
        (Weapon::H, 8, Some(-3)),
        (Weapon::H, 9, None),
        (Weapon::R, 16, Some(-3)),
        (Weapon::R, 17, None),
        (Weapon::HR, 20, Some(-3)),
        (Weapon::HR, 21, None),
        (Weapon::W, 24, Some(-2)),
        (Weapon::W, 25, None),
        // Within twelve hexes Hurt's rifles speak (§2.4).
        (Weapon::W, 12, Some(-2)),
        (Weapon::W, 13, Some(-1)),
    ];
    for (weapon, range, value) in far {
        assert_eq!(rules.range(weapon, range), value, "{weapon:?} at {range}");
    }
    for (sp, value) in [
        (1, -2),
        (2, -2),
        (3, -1),
        (4, -1),
        (5, 0),
        (7, 0),
        (8, 1),
        (10, 1),
        (11, 2),
        (15, 2),
        (16, 3),
    ] {
        assert_eq!(rules.strength(sp), value, "{sp} SP");
    }
    for (total, code) in [(4, 0), (5, 1), (8, 1), (9, 2), (11, 2), (12, 3)] {
        assert_eq!(rules.result(total), code, "{total}");
    }
}

/// Every number of the tables tells where it comes from: the loader reads no other.
#[test]
fn leaders_have_their_chains() {
    let game = game("to-stop");
    let field = Field::new(game.table());
    let chain = |id: &str| {
        let chain = &field.card(unit(&game, id)).chain;
        chain
            .iter()
            .map(|&leader| game.table().info(leader).name.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(chain("cs-iii-pender-lane-33nc"), ["Pender", "Jm. Lane"]);
    assert_eq!(chain("us-i-1-1-7wi"), ["Meredith"]);
    assert_eq!(chain("us-i-art-cooper"), ["Wainwright"]);
}
