//! Grids of the four kinds, as fitted, for tests.
#![allow(dead_code, reason = "each test file uses some of these")]

use cupola_data::Source;
use cupola_ground::grid::Grid;

/// A grid from the text of a `grid.ron`.
pub fn grid(text: &str) -> Grid {
    Grid::parse(&Source::new("grid.ron", text)).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The block game's axial grid.
pub fn block_game() -> Grid {
    grid(
        r#"(
        name: "blocks", title: "", orientation: columns, pitch: (447.6, house("")),
        origin: ((label: "A1", x: 6755.4, y: 8658.2), house("")),
        stagger: (none, house("")), labels: (axial, house("")),
        extent: ([("A1", "Z24")], house("")),
    )"#,
    )
}

/// The four joined sheets.
pub fn sheets() -> Grid {
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

/// Rows south, columns west.
pub fn packed() -> Grid {
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

/// Rows north, columns east.
pub fn dotted() -> Grid {
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

/// One grid of each numbering scheme.
pub fn all_grids() -> [Grid; 4] {
    [block_game(), sheets(), packed(), dotted()]
}
