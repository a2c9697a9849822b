//! Seed 002: the corps game. Little is printed; what is, must hold.

use cupola_ground::board::{Board, Cover};
use cupola_ground::kinds::{PlaceKind, RoadKind, WaterKind};

use crate::{CORPS20, entry, hex, side, threads};

/// 12: set-up hexes.
#[test]
fn set_up_hexes() {
    for (label, place) in [
        ("19.03", "seven-stars"),
        ("15.09", "lutheran-seminary"),
        ("2.06", "greenmount"),
    ] {
        let here = hex(&CORPS20, label);
        assert!(
            CORPS20.places_in(here).any(|p| p.id == place),
            "{label}: {place}"
        );
    }
}

/// 12: entry codes stand on the roads they are named for, at the edge.
#[test]
fn entry_codes() {
    let board: &Board = &CORPS20;
    for (code, road) in [
        ("CP", "Chambersburg Pike"),
        ("NV", "Carlisle Road"),
        ("HB", "Harrisburg Road"),
        ("HN", "Hanover Road"),
        ("HT", "Hunterstown Road"),
        ("BP", "Baltimore Pike"),
        ("TR", "Taneytown Road"),
        ("EM", "Emmitsburg Road"),
        // Lines of communications: house, at the end of the pike or road they are named for.
        ("LOC-CS-1", "Chambersburg Pike"),
        ("LOC-CS-2", "Fairfield Road"),
        ("LOC-US-1", "Baltimore Pike"),
        ("LOC-US-2", "Taneytown Road"),
    ] {
        let label = entry(board, code).unwrap_or_else(|| panic!("{code} does not come in"));
        assert!(
            threads(board, label).contains(&road),
            "{code} at {label}: {road}"
        );
        assert!(
            board.neighbours(hex(board, label)).count() < 6,
            "{code}: {label} is on the edge"
        );
    }
}

/// 8.3, 8.4: pikes lead to the edge, and there is a town to hold.
#[test]
fn town_and_pikes() {
    let board: &Board = &CORPS20;
    let town: Vec<&str> = board
        .hexes()
        .filter(|hex| board.cover(*hex) == Cover::Town)
        .map(|hex| board.label(hex))
        .collect();
    assert!((1..=2).contains(&town.len()), "{town:?}");
    let diamond = board
        .place("the-diamond")
        .and_then(|place| place.hex)
        .expect("on the board");
    assert_eq!(board.cover(diamond), Cover::Town);
    for name in ["Chambersburg Pike", "York Pike", "Baltimore Pike"] {
        let leaves = |exit: &&cupola_ground::board::Exit| {
            exit.name.as_deref() == Some(name) && exit.road == RoadKind::Pike
        };
        assert_eq!(board.exits().iter().filter(leaves).count(), 1, "{name}");
    }
    let villages = board
        .places()
        .iter()
        .filter(|p| p.kind == PlaceKind::Village && p.hex.is_some());
    assert!(villages.count() >= 3, "towns where broken corps may rally");
}

/// 5.3: ridges, few and where the armies stood.
#[test]
fn ridges() {
    let board: &Board = &CORPS20;
    for (a, b, ridge) in [
        ("15.08", "15.09", "McPherson's Ridge"),
        ("16.09", "16.10", "Seminary Ridge, north of the pike"),
        ("14.09", "14.10", "Seminary Ridge, south of the Seminary"),
        ("11.09", "11.10", "Cemetery Ridge"),
        ("14.07", "14.08", "Herr's Ridge"),
        ("7.07", "7.08", "Warfield Ridge"),
        ("14.15", "14.16", "Brinkerhoff's Ridge"),
        ("14.17", "14.18", "Cress Ridge"),
    ] {
        assert!(side(board, a, b).crest, "{ridge}: {a}/{b}");
        assert!(side(board, b, a).crest, "{ridge}: {b}/{a}");
    }
    let ridges = board
        .hexes()
        .flat_map(|hex| board.neighbours(hex).map(move |(way, _)| (hex, way)))
        .filter(|(hex, way)| board.side(*hex, *way).crest)
        .count();
    assert_eq!(ridges / 2, 38, "the book says 38");
}

/// 5.3: creeks part the map.
#[test]
fn creeks() {
    let board: &Board = &CORPS20;
    let wet = board
        .hexes()
        .flat_map(|hex| board.neighbours(hex).map(move |(way, _)| (hex, way)))
        .filter(|(hex, way)| board.side(*hex, *way).water == Some(WaterKind::Creek))
        .count();
    assert!(wet / 2 > 60, "{wet}");
    assert_eq!(
        side(board, "15.12", "15.13")
            .water
            .or(side(board, "15.11", "15.12").water),
        Some(WaterKind::Creek)
    );
}

/// 5.3: contours have no effect, but they show hills where hills are: none is lost to the mean of
/// its hex.
#[test]
fn hills_keep_their_tops() {
    let board: &Board = &CORPS20;
    let level = |id: &str| {
        let place = board.place(id).and_then(|place| place.hex);
        board.level(place.unwrap_or_else(|| panic!("{id}")))
    };
    assert!(level("culps-hill") >= level("east-cemetery-hill"));
    assert!(level("big-round-top") > level("little-round-top"));
    assert!(level("little-round-top") >= level("cemetery-hill"));
}
