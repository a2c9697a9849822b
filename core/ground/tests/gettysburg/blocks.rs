//! Seed 000: the block game's map as far as its rules describe it.

use cupola_ground::board::{Board, Cover, Grade, Rise};
use cupola_ground::kinds::WaterKind;

use crate::{BLOCKS, entry, hex, side, threads};

fn cover(label: &str) -> Cover {
    BLOCKS.cover(hex(&BLOCKS, label))
}

fn level(label: &str) -> i8 {
    BLOCKS.level(hex(&BLOCKS, label))
}

fn around(label: &str) -> Vec<String> {
    let board: &Board = &BLOCKS;
    let near = board.neighbours(hex(board, label));
    near.map(|(_, hex)| board.label(hex).to_owned()).collect()
}

/// 2.2: the town and nothing but the town.
#[test]
fn town_hexes() {
    let mut town: Vec<&str> = BLOCKS
        .hexes()
        .filter(|hex| BLOCKS.cover(*hex) == Cover::Town)
        .map(|hex| BLOCKS.label(hex))
        .collect();
    town.sort_unstable();
    assert_eq!(town, ["G5", "G6", "H6", "H7", "I6", "I7"]);
    assert_ne!(side(&BLOCKS, "J7", "I7").cover, Some(Cover::Town));
    assert_ne!(side(&BLOCKS, "H7", "G7").cover, Some(Cover::Town));
    assert_eq!(
        side(&BLOCKS, "H6", "I6").cover,
        Some(Cover::Town),
        "inside the town"
    );
    for label in town {
        assert_eq!(level(label), 0, "2.3: {label} is level 1 by its roofs only");
    }
}

/// 2.2: hexes that the rules single out.
#[test]
fn named_hexes() {
    for (label, expected) in [
        ("R7", Cover::Clear),
        ("S9", Cover::Rocks),
        ("Q10", Cover::Orchard),
        ("G7", Cover::Woods),
        ("I4", Cover::Woods),
    ] {
        assert_eq!(cover(label), expected, "{label}");
    }
    for label in ["Q10", "G7"] {
        for other in around(label) {
            assert_eq!(
                side(&BLOCKS, label, &other).cover,
                None,
                "{label}/{other} is clear"
            );
        }
    }
    assert_eq!(level("I4"), 2, "2.3: with its trees Culp's Hill is level 3");
    for label in ["L3", "R7"] {
        let hill = level(label) == 2;
        assert_eq!(
            hill,
            label == "R7",
            "Powers Hill is no hill in the game, Little Round Top is"
        );
    }
}

/// 5.33: Blocher's Knoll is a ridge but for two of its hexsides.
#[test]
fn blochers_knoll() {
    let rises: Vec<Rise> = around("D5")
        .iter()
        .map(|other| side(&BLOCKS, other, "D5").rise)
        .collect();
    assert_eq!(rises.len(), 6);
    let ridge = rises
        .iter()
        .filter(|rise| **rise == Rise::Up(Grade::Gentle))
        .count();
    let open = rises.iter().filter(|rise| **rise == Rise::Level).count();
    assert_eq!((ridge, open), (4, 2), "{rises:?}");
}

/// 5.31: the seven hexes that can be reached through Q10's hexside to R11.
#[test]
fn cone_of_fire_from_q10() {
    let board: &Board = &BLOCKS;
    let gun = hex(board, "Q10");
    let front = hex(board, "R11");
    let ahead = board.axial(front) - board.axial(gun);
    let mut cone: Vec<&str> = board
        .hexes()
        .filter(|hex| {
            let away = board.distance(gun, *hex);
            // The part of the way that goes towards R11, doubled: in the cone it makes more than
            // seven tenths of the distance.
            let offset = board.axial(*hex) - board.axial(gun);
            let along = 2 * (offset.x * ahead.x + offset.y * ahead.y)
                + offset.x * ahead.y
                + offset.y * ahead.x;
            (1..=3).contains(&away) && 5 * along > 7 * away as i32
        })
        .map(|hex| board.label(hex))
        .collect();
    cone.sort_unstable();
    assert_eq!(cone, ["R11", "R12", "S11", "S12", "S13", "T12", "T13"]);
}

/// 5.33, diagram 1: heights and woods of the targets seen from Q10.
#[test]
fn line_of_sight_diagram() {
    for same in ["R12", "S12", "T12"] {
        assert_eq!(level(same), level("Q10"), "{same}");
    }
    assert_eq!(cover("R12"), Cover::Clear);
    assert_eq!(cover("S12"), Cover::Woods);
    assert_eq!(cover("T12"), Cover::Woods);
    for lower in ["S11", "S13", "T13"] {
        assert!(level(lower) < level("Q10"), "{lower}");
    }
    // What hides S13 and T13: every way to them goes over level ground with trees or on a ridge.
    for label in ["R12", "S12"] {
        assert!(level(label) > level("S13"), "{label} stands before S13");
    }
    for label in ["S12", "T12"] {
        assert!(level(label) > level("T13"), "{label} stands before T13");
    }
    assert_eq!(cover("R11"), Cover::Clear, "nothing hides S11");
}

/// Set-ups: a hex that begins with four blocks must be clear, one with three not a marsh or rocks.
#[test]
fn set_up_hexes_can_hold_their_blocks() {
    for label in [
        "M4", "L5", "L6", "M6", "N6", "M3", "L2", "K6", "J6", "R12", // Day 2
        "N5", "O5", "P7", "P5", "Q6", "K3", "M10", "L9", // Day 3
    ] {
        assert_eq!(cover(label), Cover::Clear, "{label}");
    }
    for label in [
        "S8", "I4", "J3", "J4", "G5", "G6", "H6", "S12", "T12", "N10", "K9", "J9",
    ] {
        assert!(
            !matches!(cover(label), Cover::Marsh | Cover::Rocks),
            "{label}"
        );
    }
}

/// 8.4, 9.74, 10.0: the roads that bring troops, at the edge of the map.
#[test]
fn entry_hexes() {
    for (code, label, road) in [
        ("H14", "H14", "Chambersburg Pike"),
        ("L1", "L1", "Baltimore Pike"),
        ("taneytown", "S6", "Taneytown Road"),
        ("emmitsburg", "W13", "Emmitsburg Road"),
        ("hanover", "F1", "Hanover Road"),
        ("york", "C1", "York Pike"),
        ("harrisburg", "B3", "Harrisburg Road"),
        ("carlisle", "C6", "Carlisle Road"),
        ("mummasburg", "E10", "Mummasburg Road"),
        ("fairfield", "N14", "Fairfield Road"),
    ] {
        assert_eq!(entry(&BLOCKS, code), Some(label), "{code}");
        assert!(threads(&BLOCKS, label).contains(&road), "{label}: {road}");
        let sides = around(label).len();
        assert!(sides < 6, "{label} is on the edge");
    }
}

/// Rivers (2.2): Rock Creek and Willoughby Run; all other runs are streams.
#[test]
fn rivers_and_streams() {
    for (a, b, water) in [
        ("H2", "H3", Some(WaterKind::Creek)),
        ("R8", "R9", Some(WaterKind::Run)),
        ("I11", "I12", Some(WaterKind::Creek)),
    ] {
        assert_eq!(side(&BLOCKS, a, b).water, water, "{a}/{b}");
    }
    for here in BLOCKS.hexes() {
        for (way, there) in BLOCKS.neighbours(here) {
            if BLOCKS.side(here, way).water != Some(WaterKind::Creek) {
                continue;
            }
            let rivers = ["Rock Creek", "Willoughby Run"];
            let (a, b) = (BLOCKS.label(here), BLOCKS.label(there));
            assert!(
                threads(&BLOCKS, a).iter().any(|name| rivers.contains(name)),
                "{a}/{b} is no river"
            );
        }
    }
}

/// 2.2: orchards and marshes lie along hexsides as well; 5.33 tells of one, north-east of S11.
#[test]
fn orchard_and_marsh_hexsides() {
    let board: &Board = &BLOCKS;
    assert_eq!(side(board, "S11", "R10").cover, Some(Cover::Orchard));
    let count = |cover: Cover| {
        let sides = board.hexes().flat_map(|hex| {
            let around = board.neighbours(hex);
            around.map(move |(way, _)| board.side(hex, way).cover)
        });
        sides.filter(|own| *own == Some(cover)).count() / 2
    };
    assert_eq!((count(Cover::Orchard), count(Cover::Marsh)), (6, 2));
}
