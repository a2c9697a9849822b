//! Five by five hexes of flat meadow, and four turns of an hour.

use cupola_army::{Army, Turns};
use cupola_data::Source;
use cupola_ground::{Battlefield, Board, BoardPlan, Bounds, Grid, Point, Projection};
use std::sync::Arc;

const GRID: &str = r#"(
    name: "toy", title: "A meadow", orientation: rows,
    pitch: (100.0, house("round")),
    origin: ((label: "0101", x: 800.0, y: 800.0), house("round")),
    stagger: (odd_west, house("any")),
    labels: (packed, house("short")),
    extent: ([("0101", "0505")], house("small")),
)"#;

const PLAN: &str = r#"(recipe: (
    height: centre,
    levels: every(step: (10.0, house("flat anyway")), from: (0.0, house("flat anyway"))),
    slopes: none,
))"#;

/// The map.
pub fn board() -> Arc<Board> {
    let frame = Projection {
        zone: 18,
        easting: 304_208.0,
        northing: 4_404_534.0,
    };
    let bounds = Bounds {
        low: Point::from_metres(0.0, 0.0),
        high: Point::from_metres(1500.0, 1500.0),
    };
    let meadow = Battlefield::empty("meadow", frame, bounds);
    let grid = Grid::parse(&Source::new("grid.ron", GRID)).unwrap();
    let plan = BoardPlan::parse(Source::new("board.ron", PLAN)).unwrap();
    Arc::new(Board::compile(&meadow, &grid, &plan).unwrap())
}

/// The clock.
pub fn turns() -> Arc<Turns> {
    let turn = |n: u32| {
        let (from, to) = (7 + n, 8 + n);
        format!(
            r#"(id: "{n}", label: "{n}", start: "1863-07-01T{from:02}:00", end: "1863-07-01T{to:02}:00", light: day)"#
        )
    };
    let turns: Vec<String> = (1..=4).map(turn).collect();
    let text = format!(
        r#"(ruleset: "toy", battle: "meadow", origin: house("any day"), turns: [{}])"#,
        turns.join(", ")
    );
    Arc::new(Turns::read(&Source::new("turns.ron", text)).unwrap())
}

/// Nobody: the toy's units stand for no real ones.
pub fn army() -> Army {
    Army::read(&[Source::new("army.ron", "(nodes: [])")], &[]).unwrap()
}
