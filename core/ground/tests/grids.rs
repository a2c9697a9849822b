//! The four numbering schemes, as the rulebooks describe them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{block_game, dotted, grid, packed, sheets};
use cupola_data::Source;
use cupola_ground::grid::{Direction, Grid};
use cupola_ground::point::Point;

/// The labels of a hex's neighbours, sorted.
fn around(grid: &Grid, label: &str) -> Vec<String> {
    let hex = grid.hex(label).unwrap();
    let mut labels: Vec<String> = Direction::ALL
        .iter()
        .filter_map(|direction| grid.label(hex + direction.step()))
        .map(str::to_owned)
        .collect();
    labels.sort();
    labels
}

#[test]
fn block_game_neighbours_differ_by_one_in_either_or_both_alike() {
    assert_eq!(
        around(&block_game(), "Q10"),
        ["P10", "P9", "Q11", "Q9", "R10", "R11"]
    );
}

/// §5.32's cone of fire from Q10 through the hexside to R11: one, three and three hexes.
#[test]
fn block_game_cone_from_q10() {
    let grid = block_game();
    let from = grid.hex("Q10").unwrap();
    let first = grid.hex("R11").unwrap();
    let direction = Direction::between(from, first).unwrap();
    let second = first + direction.step();
    let ring = [
        second,
        first + direction.clockwise(1).step(),
        first + direction.clockwise(5).step(),
    ];
    let mut two: Vec<&str> = ring.iter().filter_map(|hex| grid.label(*hex)).collect();
    two.sort();
    assert_eq!(two, ["R12", "S11", "S12"]);
    let third = second + direction.step();
    let ring = [
        third,
        second + direction.clockwise(1).step(),
        second + direction.clockwise(5).step(),
    ];
    let mut three: Vec<&str> = ring.iter().filter_map(|hex| grid.label(*hex)).collect();
    three.sort();
    assert_eq!(three, ["S13", "T12", "T13"]);
}

#[test]
fn block_game_letters_go_south_and_numbers_north_west() {
    let grid = block_game();
    let at = |label: &str| grid.lattice.centre(grid.hex(label).unwrap());
    assert!(at("B1").y < at("A1").y && at("B1").x == at("A1").x);
    assert!(at("A2").x < at("A1").x && at("A2").y > at("A1").y);
}

#[test]
fn sheets_join_where_the_maps_do() {
    let grid = sheets();
    let touching = around(&grid, "C1128");
    assert!(touching.contains(&"B7033".to_owned()), "{touching:?}");
    assert!(touching.contains(&"A7001".to_owned()), "{touching:?}");
    let expected = ["D5307", "D5308", "D5407", "D5409", "D5507", "D5508"];
    assert_eq!(around(&grid, "D5408"), expected);
    assert!(around(&grid, "A2107").contains(&"A2208".to_owned()));
}

#[test]
fn overlapping_sheets_share_their_hexes() {
    let grid = grid(
        r#"(
        name: "x", title: "", orientation: rows, pitch: (100.0, house("")),
        origin: ((label: "B1010", x: 0.0, y: 0.0), house("")),
        stagger: (odd_west, house("")),
        labels: (sheets([(sheet: "A", rows: 0, columns: 10), (sheet: "B", rows: 0, columns: 0)]), house("")),
        extent: ([("B1001", "B1012"), ("A1001", "A1012")], house("")),
    )"#,
    );
    assert_eq!(grid.hex("A1001"), grid.hex("B1011"));
    assert_eq!(grid.label(grid.hex("A1001").unwrap()), Some("B1011"));
    assert_eq!(grid.hexes().len(), 22);
}

#[test]
fn packed_odd_rows_lie_half_a_hex_west() {
    let grid = packed();
    assert_eq!(
        around(&grid, "2121"),
        ["2021", "2022", "2120", "2122", "2221", "2222"]
    );
    assert_eq!(
        around(&grid, "2220"),
        ["2119", "2120", "2219", "2221", "2319", "2320"]
    );
    let at = |label: &str| grid.lattice.centre(grid.hex(label).unwrap());
    assert!(at("2102").x < at("2101").x, "columns count west");
    assert!(at("2201").y < at("2101").y, "rows count south");
}

#[test]
fn dotted_rows_count_north_and_columns_east() {
    let grid = dotted();
    let at = |label: &str| grid.lattice.centre(grid.hex(label).unwrap());
    assert!(at("16.09").y > at("15.09").y && at("15.10").x > at("15.09").x);
    assert_eq!(grid.hex("15.9"), grid.hex("15.09"));
    assert_eq!(
        around(&grid, "14.09"),
        ["13.08", "13.09", "14.08", "14.10", "15.08", "15.09"]
    );
}

#[test]
fn ids_read_like_a_page_from_the_north_west() {
    assert_eq!(dotted().hexes()[0].1, "24.01");
    assert_eq!(packed().hexes()[0].1, "1026");
    assert_eq!(sheets().hexes().len(), 61 * 100 + 50 * 60);
}

#[test]
fn little_round_top_is_where_the_sheets_say() {
    let grid = sheets();
    let hex = grid.lattice.hex_at(Point::new(431_500, 252_900));
    assert_eq!(grid.label(hex), Some("C2118"));
}

#[test]
fn wrong_grids_are_told_all_at_once() {
    let source = Source::new(
        "grid.ron",
        "(\n name: \"x\", title: \"\", orientation: rows,\n pitch: (4.0, house(\"\")),\n origin: ((label: \"Q\", x: 0.0, y: 0.0), house(\"\")),\n stagger: (odd_north, house(\"\")),\n labels: (packed, house(\"\")), extent: ([(\"1001\", \"3326\")], house(\"\")))",
    );
    let told = Grid::parse(&source).unwrap_err().to_string();
    for part in [
        "grid.ron:3:10: pitch[0]",
        "grid.ron:4:19: origin[0].label",
        "odd_west or odd_east",
    ] {
        assert!(told.contains(part), "{part} in:\n{told}");
    }
}
