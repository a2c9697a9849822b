//! Seed 003: its terrain chart, its examples and its victory and entry hexes.

use cupola_ground::board::{Board, Cover, Grade, Mark, Rise};
use cupola_ground::kinds::{Crossing, RoadKind, WaterKind};

use crate::{BLINDSWORDS, entry, hex, side, threads};

fn level(label: &str) -> i8 {
    BLINDSWORDS.level(hex(&BLINDSWORDS, label))
}

fn cover(label: &str) -> Cover {
    BLINDSWORDS.cover(hex(&BLINDSWORDS, label))
}

fn roads(label: &str) -> Vec<RoadKind> {
    let board: &Board = &BLINDSWORDS;
    let here = hex(board, label);
    let sides = board
        .neighbours(here)
        .map(|(way, _)| board.side(here, way).road);
    sides.flatten().collect()
}

/// Terrain chart: hexes.
#[test]
fn sample_hexes_of_the_chart() {
    for (label, expected) in [
        ("1718", Cover::Clear),
        ("2718", Cover::Orchard),
        ("2810", Cover::Woods),
        ("2713", Cover::Town),
    ] {
        assert_eq!(cover(label), expected, "{label}");
    }
    let school = BLINDSWORDS.marks(hex(&BLINDSWORDS, "2216"));
    assert!(school.contains(Mark::Building) || school.contains(Mark::Farm));
    let named = |label| threads(&BLINDSWORDS, label).contains(&"Hunterstown Road");
    assert!(named("1504") && named("1804") && named("1401"));
    assert!(
        !named("1502") && !named("1603"),
        "the name goes with the road"
    );
    assert!(roads("1504").contains(&RoadKind::Pike));
    assert!(roads("2102").contains(&RoadKind::Lane));
    assert!(roads("1602").contains(&RoadKind::Railroad));
    assert!(
        threads(&BLINDSWORDS, "2602").contains(&"Benner's branch"),
        "a dry stream"
    );
}

/// Terrain chart: elevations.
#[test]
fn sample_elevations_of_the_chart() {
    for (label, expected) in [
        ("2515", 1),
        ("2615", 2),
        ("2715", 3),
        ("2814", 4),
        ("3213", 5),
        ("3112", 6),
    ] {
        assert_eq!(level(label), expected, "{label}");
    }
}

/// Terrain chart: hexsides.
#[test]
fn sample_hexsides_of_the_chart() {
    let board: &Board = &BLINDSWORDS;
    let contour = side(board, "1506", "1507");
    assert_eq!(contour.rise, Rise::Level);
    assert_ne!(level("1506"), level("1507"));
    assert_eq!(side(board, "1620", "1619").rise, Rise::Up(Grade::Gentle));
    assert_eq!(side(board, "2910", "2911").rise, Rise::Up(Grade::Steep));
    assert_eq!(side(board, "2823", "2824").water, Some(WaterKind::Run));
    assert_eq!(side(board, "2307", "2308").water, Some(WaterKind::Creek));
}

/// What stands between two hexes by I-2, in hexes that block and hexes that obscure.
fn sight(from: &str, to: &str, units: &[&str]) -> (Vec<String>, Vec<String>) {
    let board: &Board = &BLINDSWORDS;
    let (a, b) = (hex(board, from), hex(board, to));
    let (firer, target) = (board.level(a), board.level(b));
    let high = firer.max(target);
    let (mut blocks, mut obscures) = (Vec::new(), Vec::new());
    for between in board.line(a, b) {
        if between == a || between == b {
            continue;
        }
        let level = board.level(between);
        let name = board.label(between);
        let stands =
            matches!(board.cover(between), Cover::Woods | Cover::Town) || units.contains(&name);
        // I-2-a: level ground blocks only with something on it; I-2-b, c: a step as high as the
        // higher of the two blocks by itself.
        let step = if firer == target {
            level > high
        } else {
            level >= high
        };
        if step || (stands && level == high) {
            blocks.push(name.to_owned());
        } else if stands {
            obscures.push(name.to_owned());
        }
    }
    (blocks, obscures)
}

/// I-2: every example of a blocked line, with the hex that blocks it.
#[test]
fn blocked_lines_of_sight() {
    for (from, to, units, by, cite) in [
        ("1309", "1311", &[][..], "1310", "a-i"),
        ("1617", "1818", &["1717"][..], "1717", "a-i, a unit"),
        (
            "2420",
            "1724",
            &[][..],
            "2121",
            "a-i, woods at the same height",
        ),
        ("2118", "2120", &[][..], "2119", "a-iii"),
        ("1618", "1514", &[][..], "1617", "b-ii, higher than both"),
        (
            "1714",
            "1717",
            &[][..],
            "1716",
            "b-ii, as high as the target",
        ),
        ("1711", "1510", &[][..], "1611", "c-ii, higher than both"),
        (
            "1317",
            "1913",
            &[][..],
            "1417",
            "c-ii, as high as the firer",
        ),
    ] {
        let (blocks, _) = sight(from, to, units);
        assert!(
            blocks.iter().any(|hex| hex == by),
            "{cite}: {from} to {to}: {blocks:?}"
        );
    }
    let (free, _) = sight("1617", "1818", &[]);
    assert!(
        free.is_empty(),
        "only the unit blocks 1617 to 1818: {free:?}"
    );
    assert_eq!(sight("2118", "2120", &[]).0, ["2119"]);
}

/// I-2: every example of an obscured line; none of them is blocked.
#[test]
fn obscured_lines_of_sight() {
    for (from, to, units, by, cite) in [
        ("2420", "1925", &[][..], None, "a-ii"),
        ("2621", "2624", &["2623"][..], Some("2623"), "a-ii, a unit"),
        ("1209", "1611", &[][..], None, "b-i"),
        ("1213", "1611", &["1412"][..], Some("1412"), "b-i, a unit"),
        ("1611", "2309", &[][..], Some("2109"), "c-i"),
        ("1611", "2309", &["2210"][..], Some("2210"), "c-i, a unit"),
        ("1417", "2017", &[][..], Some("1917"), "c-i"),
    ] {
        let (blocks, obscures) = sight(from, to, units);
        assert!(
            blocks.is_empty(),
            "{cite}: {from} to {to} is blocked by {blocks:?}"
        );
        match by {
            Some(by) => assert!(
                obscures.iter().any(|hex| hex == by),
                "{cite}: {from} to {to}: {obscures:?}"
            ),
            None => assert!(
                !obscures.is_empty(),
                "{cite}: nothing between {from} and {to}"
            ),
        }
    }
}

/// I-2: the heights that the examples speak of.
#[test]
fn heights_of_the_sight_examples() {
    for (a, b, cite) in [
        ("1309", "1311", "a-i"),
        ("1617", "1818", "a-i"),
        ("1617", "1717", "a-i"),
        ("2420", "1724", "a-i"),
        ("2420", "2121", "a-i"),
        ("2420", "1925", "a-ii"),
        ("2621", "2624", "a-ii"),
        ("2118", "2120", "a-iii"),
        ("1716", "1717", "b-ii"),
        ("1917", "2017", "c-i"),
        ("1317", "1417", "c-ii"),
    ] {
        assert_eq!(level(a), level(b), "{cite}: {a} and {b}");
    }
    for (low, high, cite) in [
        ("2623", "2621", "a-ii"),
        ("2120", "2119", "a-iii"),
        ("1209", "1611", "b-i"),
        ("1213", "1611", "b-i"),
        ("1412", "1611", "b-i"),
        ("1618", "1617", "b-ii"),
        ("1514", "1617", "b-ii"),
        ("1714", "1717", "b-ii"),
        ("2309", "1611", "c-i"),
        ("2210", "1611", "c-i"),
        ("2109", "1611", "c-i"),
        ("2017", "1417", "c-i"),
        ("1510", "1711", "c-ii"),
        ("1711", "1611", "c-ii"),
        ("1913", "1317", "c-ii"),
    ] {
        assert!(level(low) < level(high), "{cite}: {low} under {high}");
    }
    let (_, woods) = sight("1209", "1611", &[]);
    for name in woods {
        assert!(
            level(&name) < level("1209"),
            "b-i: the woods are lower than both: {name}"
        );
    }
}

/// Half movement points from one hex to the next by J-1, without or with the pike rate.
fn cost(from: &str, to: &str, pike: bool) -> u32 {
    let side = side(&BLINDSWORDS, from, to);
    match side.road {
        Some(RoadKind::Pike) if pike => return 1,
        Some(_) if pike => return 2,
        _ => {}
    }
    let ground = if cover(to) == Cover::Woods { 4 } else { 2 };
    let slope = match side.rise {
        Rise::Up(Grade::Gentle) => 2,
        Rise::Up(Grade::Steep) => 4,
        _ => 0,
    };
    let water = match side.water {
        Some(WaterKind::Run) => 2,
        Some(WaterKind::Creek) => 4,
        _ => 0,
    };
    ground + slope + water
}

/// J: Lane's brigade marches on from 1626; costs in half points.
#[test]
fn movement_example() {
    let mut spent = 0;
    for (from, to, pike, expected) in [
        ("1626", "1725", true, 1),
        ("1725", "1724", false, 4), // more than 10 SP in the hex: clear and up a slope
        ("1724", "1824", true, 1),
        ("1824", "1823", true, 1),
        ("1823", "1922", true, 1),
        ("1922", "2022", true, 2),
        ("2022", "2122", true, 4),
        ("2122", "2223", true, 2),
    ] {
        assert_eq!(cost(from, to, pike), expected, "{from} to {to}");
        spent += expected;
    }
    assert_eq!(spent, 16, "all eight points");
    assert_eq!(cost("2022", "2121", true), 8, "woods up a steep slope");
    for label in ["1626", "1725", "1724", "1824", "1823", "1922"] {
        assert!(
            threads(&BLINDSWORDS, label).contains(&"Chambersburg Pike"),
            "{label}"
        );
    }
}

/// I: the fire combat example on McPherson's Ridge.
#[test]
fn fire_example() {
    let board: &Board = &BLINDSWORDS;
    let distance = |a, b| board.distance(hex(board, a), hex(board, b));
    assert_eq!(distance("2021", "2119"), 2);
    let (blocks, obscures) = sight("2021", "2119", &["2121", "2220"]);
    assert!(
        blocks.is_empty() && obscures.is_empty(),
        "{blocks:?} {obscures:?}"
    );
    assert_ne!(cover("2119"), Cover::Woods);
    assert_eq!(distance("2121", "2220"), 2);
    let (blocks, obscures) = sight("2121", "2220", &["2021", "2119"]);
    assert!(blocks.is_empty(), "{blocks:?}");
    assert!(!obscures.is_empty(), "fired over woods");
    assert_eq!(cover("2220"), Cover::Woods);
    // The depression behind it: no higher than what lies around it.
    for around in ["2220", "2119", "2218"] {
        assert!(level("2219") <= level(around), "{around}");
    }
}

/// K: the assaults on 2210 and on Blocher's Knoll.
#[test]
fn assault_examples() {
    let board: &Board = &BLINDSWORDS;
    for from in ["2110", "2109"] {
        let side = side(board, from, "2210");
        assert_eq!(side.rise, Rise::Up(Grade::Gentle), "{from}");
        assert_eq!(side.water, None, "{from}: only the slopes count");
        assert!(level(from) < level("2210"), "{from}");
    }
    for from in ["1510", "1610"] {
        assert_eq!(
            side(board, from, "1611").rise,
            Rise::Up(Grade::Steep),
            "{from}"
        );
        assert!(level(from) < level("1611"), "{from}");
    }
    // 2210 is left for 2310 or 2309.
    assert!(
        board
            .direction(hex(board, "2210"), hex(board, "2310"))
            .is_some()
    );
    assert!(
        board
            .direction(hex(board, "2210"), hex(board, "2309"))
            .is_some()
    );
}

/// N: steep slopes close the tutorial's field in the west, from 1016 through 2417, without a gap.
#[test]
fn western_border_of_the_tutorial() {
    let board: &Board = &BLINDSWORDS;
    // The first column west of the border, row by row from 10 to 24.
    let west = [16, 16, 16, 16, 16, 16, 17, 16, 17, 17, 17, 17, 17, 17, 17];
    let is_west = |label: &str| {
        let (row, column): (usize, u32) = (
            label[..2].parse().expect("row"),
            label[2..].parse().expect("column"),
        );
        west.get(row - 10).map(|first| column >= *first)
    };
    let mut sides = 0;
    for here in board.hexes() {
        let from = board.label(here);
        if is_west(from) != Some(true) {
            continue;
        }
        for (way, there) in board.neighbours(here) {
            if is_west(board.label(there)) == Some(false) {
                let rise = board.side(here, way).rise;
                assert_eq!(
                    rise,
                    Rise::Down(Grade::Steep),
                    "{from}/{}",
                    board.label(there)
                );
                sides += 1;
            }
        }
    }
    assert!(sides >= 29, "{sides}");
    for inside in ["1815", "2014", "2214", "2216", "2315", "1814", "1413"] {
        assert_eq!(is_west(inside), Some(false), "{inside} is in play");
    }
}

/// N and O: where troops come on, and the roads they come by.
#[test]
fn entry_hexes() {
    for (label, road) in [
        ("1626", "Chambersburg Pike"),
        ("2926", "Fairfield Road"),
        ("1006", "Harrisburg Road"),
        ("1013", "Carlisle Road"),
        ("1022", "Mummasburg Road"),
        ("3310", "Baltimore Pike"),
        ("3312", "Taneytown Road"),
        ("3314", "Emmitsburg Road"),
        ("2126", "Hereter's Mill lane"),
        ("2326", "Finnefrock lane"),
    ] {
        assert_eq!(entry(&BLINDSWORDS, label), Some(label));
        assert!(
            threads(&BLINDSWORDS, label).contains(&road),
            "{label}: {road}"
        );
        let exits = |exit: &&cupola_ground::board::Exit| exit.hex == hex(&BLINDSWORDS, label);
        assert!(
            BLINDSWORDS.exits().iter().any(|exit| exits(&exit)),
            "{label}: the road ends"
        );
    }
    for label in ["1012", "1017", "1018", "1019", "1020", "2412"] {
        assert_eq!(entry(&BLINDSWORDS, label), Some(label));
    }
}

/// O: the bridge on the Hanover Road is between 2407 and 2408.
#[test]
fn rock_creek_bridge() {
    let bridge = side(&BLINDSWORDS, "2408", "2407");
    assert_eq!(bridge.water, Some(WaterKind::Creek));
    assert_eq!(bridge.crossing, Some(Crossing::Bridge));
    assert_eq!(bridge.road, Some(RoadKind::Pike));
}

/// O: Henry Culp's farm is printed in 2509, too far from its true place for the fit.
#[test]
fn culp_farm_stands_where_it_is_printed() {
    let farm = BLINDSWORDS.place("h-culp-farm").expect("a place");
    assert_eq!(farm.hex, Some(hex(&BLINDSWORDS, "2509")));
    let true_hex = BLINDSWORDS.hex_at(farm.point).expect("on the board");
    assert_eq!(BLINDSWORDS.distance(true_hex, hex(&BLINDSWORDS, "2509")), 3);
}
