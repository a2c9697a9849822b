//! The four numbering schemes, as the rulebooks describe them.

use cupola_data::Source;
use cupola_ground::grid::{Direction, Grid};
use cupola_ground::point::Point;

fn grid(text: &str) -> Grid {
    Grid::parse(&Source::new("grid.ron", text)).unwrap_or_else(|problems| panic!("{problems}"))
}

fn block_game() -> Grid {
    grid(
        r#"(
        name: "blocks", title: "", orientation: columns, pitch: (447.6, house("")),
        origin: ((label: "A1", x: 6755.4, y: 8658.2), house("")),
        stagger: (none, house("")), labels: (axial, house("")),
        extent: ([("A1", "Z24")], house("")),
    )"#,
    )
}

fn sheets() -> Grid {
    grid(
        r#"(
        name: "gbacw", title: "", orientation: rows, pitch: (114.885, house("")),
        across: (101.74, house("")), rotation: (-0.71, house("")), skew: (-4.08, house("")),
        origin: ((label: "C2118", x: 4315.0, y: 2529.0), house("")),
        stagger: (odd_west, house("")),
        labels: (sheets([
            (sheet: "A", rows: 0, columns: 33), (sheet: "B", rows: 0, columns: 0),
            (sheet: "C", rows: 60, columns: 5), (sheet: "D", rows: 0, columns: -35),
        ]), house("")),
        extent: ([("B1001", "B7033"), ("A1001", "A7033"), ("C1101", "C6060"), ("D1001", "D7034")], house("")),
    )"#,
    )
}

fn packed() -> Grid {
    grid(
        r#"(
        name: "blindswords", title: "", orientation: rows, pitch: (229.04, house("")),
        across: (195.94, house("")), rotation: (1.52, house("")), skew: (-4.38, house("")),
        origin: ((label: "1001", x: 7683.0, y: 9687.0), house("")),
        stagger: (odd_west, house("")), labels: (packed, house("")),
        extent: ([("1001", "3326")], house("")),
    )"#,
    )
}

fn dotted() -> Grid {
    grid(
        r#"(
        name: "corps20", title: "", orientation: rows, pitch: (770.0, house("")),
        across: (600.0, house("")),
        origin: ((label: "15.09", x: 3712.0, y: 7004.0), house("")),
        stagger: (odd_east, house("")), labels: (dotted, house("")),
        extent: ([("1.01", "24.16")], house("")),
    )"#,
    )
}

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
