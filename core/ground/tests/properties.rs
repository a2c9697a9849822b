//! Laws that hold for every grid and every board.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::sync::OnceLock;

use common::all_grids;
use cupola_data::Source;
use cupola_ground::battlefield::{Area, Battlefield, Feature};
use cupola_ground::board::{Board, HexId};
use cupola_ground::grid::{Direction, Grid};
use cupola_ground::kinds::{CoverKind, RoadKind, Sure, WaterKind};
use cupola_ground::point::{Bounds, Point};
use cupola_ground::projection::Projection;
use cupola_ground::recipe::BoardPlan;
use proptest::prelude::*;

const FRAME: Projection = Projection {
    zone: 18,
    easting: 304_208.02,
    northing: 4_404_534.27,
};
const BOUNDS: Bounds = Bounds {
    low: Point::new(-600_000, -600_000),
    high: Point::new(1_400_000, 1_600_000),
};

const PLAN: &str = r#"(
    recipe: (
        height: mean,
        levels: every(step: (10.0, house("")), from: (0.0, house(""))),
        slopes: metres(gentle: (2.0, house("")), steep: (5.0, house(""))),
        cover: [(kind: woods, gives: cover(woods), when: share((0.5, house(""))))],
        side_cover: [(kind: woods, gives: woods, share: (0.5, house("")))],
        roads: [(kind: pike, as: pike), (kind: lane, as: lane)],
        water: [(kind: creek, as: creek), (kind: run, as: run)],
        crossings: [(road: pike, gives: bridge)],
    ),
)"#;

fn plan() -> BoardPlan {
    BoardPlan::parse(Source::new("board.ron", PLAN)).unwrap()
}

fn compile(field: &Battlefield, grid: &Grid) -> Board {
    Board::compile(field, grid, &plan()).unwrap()
}

/// The four grids and their boards on empty ground, made once.
fn boards() -> &'static [(Grid, Board); 4] {
    static BOARDS: OnceLock<[(Grid, Board); 4]> = OnceLock::new();
    BOARDS.get_or_init(|| {
        let field = Battlefield::empty("empty", FRAME, BOUNDS);
        all_grids().map(|grid| {
            let board = compile(&field, &grid);
            (grid, board)
        })
    })
}

/// A board by number and a hex of it by share.
fn hex_of(board: &Board, share: u16) -> HexId {
    HexId((usize::from(share) * board.len() / 65_536) as u16)
}

#[test]
fn every_label_reads_back() {
    for (grid, board) in boards() {
        for hex in board.hexes() {
            let label = board.label(hex);
            assert_eq!(board.hex(label), Ok(hex), "{} {label}", grid.name);
            assert_eq!(grid.hex(label), Some(board.axial(hex)));
            assert_eq!(grid.label(board.axial(hex)), Some(label));
        }
    }
}

#[test]
fn every_centre_lies_in_its_hex() {
    for (_, board) in boards() {
        for hex in board.hexes() {
            assert_eq!(board.hex_at(board.centre(hex)), Some(hex));
        }
    }
}

#[test]
fn the_pitch_is_what_the_grid_says_and_along_an_axis_less_where_hexes_stand_in_columns() {
    let pitches = boards().each_ref().map(|(grid, board)| {
        let said = grid.lattice.pitch() / 100;
        assert!(said.abs_diff(board.pitch() as i32) <= 1, "{}", grid.name);
        (grid.name.as_str(), board.pitch(), board.pitch_by_axis())
    });
    let expected = [
        ("blocks", 447, 387),
        ("gbacw", 114, 114),
        ("blindswords", 229, 228),
        ("corps20", 770, 770),
    ];
    assert_eq!(pitches, expected);
}

#[test]
fn neighbours_are_mutual_and_hexsides_mirror() {
    for (_, board) in boards() {
        for hex in board.hexes() {
            for (direction, other) in board.neighbours(hex) {
                assert_eq!(board.neighbour(other, direction.opposite()), Some(hex));
                assert_eq!(board.distance(hex, other), 1);
            }
        }
        mirrored(board);
    }
}

fn mirrored(board: &Board) {
    for hex in board.hexes() {
        for (direction, other) in board.neighbours(hex) {
            let there = *board.side(hex, direction);
            let back = *board.side(other, direction.opposite());
            assert_eq!(
                there.reversed(),
                back,
                "{} {}",
                board.label(hex),
                board.label(other)
            );
        }
    }
}

fn feature<K, S>(kind: K, name: &str, shape: S) -> Feature<K, S> {
    let name = Some(name.to_owned());
    Feature {
        kind,
        name,
        sure: Sure::House,
        source: String::new(),
        shape,
    }
}

fn points(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Point>> {
    let point = (0..900_000, -100_000..1_000_000).prop_map(|(x, y)| Point::new(x, y));
    proptest::collection::vec(point, count)
}

/// At every corner of three hexes that the stream neither begins nor ends next to, the number of
/// wet hexsides is even: it comes in and goes out.
fn water_never_stops(board: &Board, ends: &[Point]) {
    let near = i64::from(board.lattice().pitch()) * 2;
    for hex in board.hexes() {
        for direction in Direction::ALL {
            let next = direction.clockwise(1);
            let (Some(a), Some(b)) = (board.neighbour(hex, direction), board.neighbour(hex, next))
            else {
                continue;
            };
            let corner = board.lattice().corner(board.axial(hex), direction);
            if ends.iter().any(|end| end.distance(corner) < near) {
                continue;
            }
            let Some(between) = board.direction(a, b) else {
                continue;
            };
            let wet = [
                board.side(hex, direction),
                board.side(hex, next),
                board.side(a, between),
            ]
            .iter()
            .filter(|side| side.water.is_some())
            .count();
            assert_ne!(wet, 1, "{} at corner {direction:?}", board.label(hex));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn distance_is_a_metric(which in 0_usize..4, a: u16, b: u16, c: u16) {
        let board = &boards()[which].1;
        let (a, b, c) = (hex_of(board, a), hex_of(board, b), hex_of(board, c));
        prop_assert_eq!(board.distance(a, b), board.distance(b, a));
        prop_assert_eq!(board.distance(a, b) == 0, a == b);
        prop_assert!(board.distance(a, c) <= board.distance(a, b) + board.distance(b, c));
    }

    #[test]
    fn what_is_within_a_distance_is_what_is_that_near(which in 0_usize..4, a: u16, far in 0_u32..12) {
        let board = &boards()[which].1;
        let a = hex_of(board, a);
        let mut near: Vec<HexId> = board.within(a, far).collect();
        near.sort_unstable();
        let all = board.hexes().filter(|&hex| board.distance(a, hex) <= far);
        prop_assert_eq!(near, all.collect::<Vec<_>>());
    }

    #[test]
    fn a_line_is_the_same_both_ways(which in 0_usize..4, a: u16, b: u16) {
        let board = &boards()[which].1;
        let (a, b) = (hex_of(board, a), hex_of(board, b));
        let (mut there, mut back) = (Vec::new(), Vec::new());
        board.line_touching(a, b, &mut there);
        board.line_touching(b, a, &mut back);
        prop_assert_eq!(there.first().map(|(hex, _)| *hex), Some(a));
        prop_assert_eq!(there.last().map(|(hex, _)| *hex), Some(b));
        there.sort();
        back.sort();
        prop_assert_eq!(&there, &back);
        there.dedup();
        prop_assert_eq!(there.len(), back.len());
    }

    #[test]
    fn any_point_lies_in_the_hex_it_is_said_to(which in 0_usize..4, x in -100_000..1_200_000, y in -300_000..1_200_000) {
        let board = &boards()[which].1;
        let point = Point::new(x, y);
        let hex = board.lattice().hex_at(point);
        let centre = board.lattice().centre(hex);
        for direction in Direction::ALL {
            // On the inner side of every hexside, give or take a centimetre of rounding.
            let (from, to) = board.lattice().hexside(hex, direction);
            let inner = cupola_ground::point::side(from, to, centre).signum();
            let off = cupola_ground::point::side(from, to, point) * inner;
            prop_assert!(off >= -2 * from.distance(to), "{point:?} {direction:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn streams_are_unbroken_and_hexsides_mirror(which in 0_usize..4, creek in points(2..6), road in points(2..6), wood in points(3..4)) {
        let mut field = Battlefield::empty("x", FRAME, BOUNDS);
        field.water.push(feature(WaterKind::Creek, "Creek", creek.clone()));
        field.roads.push(feature(RoadKind::Pike, "Pike", road));
        let bounds = Bounds::around(wood.iter().copied()).unwrap();
        field.cover.push(feature(CoverKind::Woods, "Wood", Area { rings: vec![wood], bounds }));
        let board = compile(&field, &boards()[which].0);
        mirrored(&board);
        water_never_stops(&board, &[creek[0], creek[creek.len() - 1]]);
        prop_assert_eq!(&board, &compile(&field, &boards()[which].0));
    }
}
