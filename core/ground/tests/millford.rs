//! A board small enough to know every hex of: `tests/bad/ground/good`.
//!
//! A pike runs west to east through row 5, a lane leaves it southward at 0505, a creek runs north
//! to south east of it, woods lie in the south-west and a hill in the middle.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use cupola_ground::board::{Board, Cover, Grade, HexId, Mark, Rise};
use cupola_ground::cache::BoardFiles;
use cupola_ground::grid::Direction;
use cupola_ground::kinds::{Crossing, RoadKind, WaterKind};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad/ground/good")
}

fn board() -> Board {
    Board::open(&folder(), &folder(), None).unwrap_or_else(|problems| panic!("{problems}"))
}

fn hex(board: &Board, label: &str) -> HexId {
    board.hex(label).unwrap()
}

fn side(board: &Board, from: &str, to: &str) -> cupola_ground::board::Hexside {
    let (from, to) = (hex(board, from), hex(board, to));
    *board.side(from, board.direction(from, to).unwrap())
}

#[test]
fn the_pike_runs_unbroken_along_row_five() {
    let board = board();
    for column in 1..9 {
        let (from, to) = (format!("05{column:02}"), format!("05{:02}", column + 1));
        assert_eq!(
            side(&board, &from, &to).road,
            Some(RoadKind::Pike),
            "{from} {to}"
        );
    }
    assert!(
        board
            .threads(hex(&board, "0503"))
            .any(|name| name == "Mill Pike")
    );
}

#[test]
fn roads_make_no_triangles() {
    let board = board();
    for a in board.hexes() {
        for direction in Direction::ALL {
            let next = direction.clockwise(1);
            let (Some(b), Some(c)) = (board.neighbour(a, direction), board.neighbour(a, next))
            else {
                continue;
            };
            let third = board.direction(b, c).unwrap();
            let sides = [
                board.side(a, direction),
                board.side(a, next),
                board.side(b, third),
            ];
            assert!(
                sides.iter().any(|side| side.road.is_none()),
                "{}",
                board.label(a)
            );
        }
    }
}

#[test]
fn the_lane_joins_the_pike() {
    let board = board();
    let start = hex(&board, "0505");
    let lanes = board
        .neighbours(start)
        .filter(|(direction, _)| board.side(start, *direction).road == Some(RoadKind::Lane));
    assert_eq!(lanes.count(), 1);
}

#[test]
fn the_creek_parts_the_banks_and_the_bridge_joins_them() {
    let board = board();
    let crossing = side(&board, "0504", "0503");
    assert_eq!(crossing.water, Some(WaterKind::Creek));
    assert_eq!(crossing.crossing, Some(Crossing::Bridge));
    // Without the bridge nobody gets from the west to the east.
    let mut dry = vec![hex(&board, "0509")];
    let mut next = 0;
    while let Some(&from) = dry.get(next) {
        next += 1;
        for (direction, to) in board.neighbours(from) {
            if board.side(from, direction).water.is_none() && !dry.contains(&to) {
                dry.push(to);
            }
        }
    }
    assert!(dry.contains(&hex(&board, "0505")));
    assert!(!dry.contains(&hex(&board, "0501")));
}

#[test]
fn the_hill_rises_to_the_middle() {
    let board = board();
    assert!(board.level(hex(&board, "0505")) > board.level(hex(&board, "0508")));
    let up = side(&board, "0507", "0506").rise;
    assert!(matches!(up, Rise::Up(_)), "{up:?}");
    assert_eq!(side(&board, "0506", "0507").rise, up.reversed());
    assert_eq!(Rise::Down(Grade::Steep).reversed(), Rise::Up(Grade::Steep));
}

#[test]
fn cover_walls_and_cuts_fall_where_they_lie() {
    let board = board();
    let woods = board
        .hexes()
        .filter(|hex| board.cover(*hex) == Cover::Woods)
        .count();
    // 25 hectares of woods, 3.46 hectares to the hex, ragged at the rim.
    assert!((4..=9).contains(&woods), "{woods}");
    assert!(side(&board, "0506", "0406").wall || side(&board, "0506", "0407").wall);
    assert!(
        board
            .hexes()
            .any(|hex| board.marks(hex).contains(Mark::Cut))
    );
    assert!(
        board.marks(hex(&board, "0404")).contains(Mark::Building),
        "the mill"
    );
}

#[test]
fn corrections_overrule_the_ground_and_are_noted() {
    let board = board();
    assert_eq!(board.cover(hex(&board, "0505")), Cover::Town);
    assert!(side(&board, "0505", "0506").wall && side(&board, "0506", "0505").wall);
    let card = board.describe(hex(&board, "0505"));
    assert_eq!(card.notes, ["0505-0506: wall (001 3)", "town (001 2)"]);
    assert_eq!(card.places, ["Potter Hill"]);
    assert_eq!(card.sides.len(), 6);
}

#[test]
fn troops_come_where_the_pike_does() {
    let board = board();
    let entry = &board.entries()[0];
    assert_eq!(
        (entry.id.as_str(), entry.code.as_deref()),
        ("mill-pike-west", Some("MP"))
    );
    let label = entry.hex.map(|hex| board.label(hex).to_owned());
    assert_eq!(label.as_deref(), Some("0509"));
}

#[test]
fn a_wrong_label_suggests_a_right_one() {
    let told = board().hex("0550").unwrap_err().to_string();
    assert_eq!(
        told,
        "no hex \"0550\" on this board; did you mean \"0505\"?"
    );
}

#[test]
fn the_cache_gives_back_the_same_board() {
    let cache = std::env::temp_dir().join(format!("cupola-ground-test-{}", std::process::id()));
    let files = BoardFiles::read(&folder(), &folder()).unwrap();
    let compiled = files.load(&cache).unwrap();
    assert_eq!(files.load(&cache).unwrap(), compiled);
    // A broken file is compiled again, silently, and mended.
    let file = std::fs::read_dir(&cache)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    std::fs::write(&file, b"broken").unwrap();
    assert_eq!(files.load(&cache).unwrap(), compiled);
    assert!(std::fs::metadata(&file).unwrap().len() > 100);
    // Another text is another key.
    let mut other = files.clone();
    other.plan.text.push(' ');
    assert_ne!(other.key(), files.key());
    std::fs::remove_dir_all(&cache).unwrap();
}
