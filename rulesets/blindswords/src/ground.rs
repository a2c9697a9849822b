//! The board in flat arrays: costs in half points, roads, slopes, and where the field ends.

use crate::files::{AssaultFile, CostsFile};
use crate::rules::Edge;
use cupola_ground::{Board, Cover, Direction, Grade, HexId, Rise, RoadKind, WaterKind};

/// What the rules need of a board.
pub struct Ground {
    /// Hexsides.
    pub edges: Vec<[Edge; 6]>,
    /// Woods.
    pub woods: Vec<bool>,
    /// Town.
    pub town: Vec<bool>,
    /// Levels.
    pub level: Vec<i8>,
    /// What it costs to enter from off the map: by road and off it.
    pub entry: Vec<(u8, u8)>,
    /// In play, with the map's end at one of its sides.
    pub rim: Vec<bool>,
    /// Distances.
    pub distance: Vec<u8>,
}

impl Ground {
    /// Reads a board. `field` limits play: rows with their first and last column; empty for all of it.
    #[must_use]
    pub fn new(
        board: &Board,
        field: &[(u8, u8, u8)],
        costs: &CostsFile,
        assault: &AssaultFile,
        unfinished: bool,
    ) -> Ground {
        let plays = |hex: HexId| field.is_empty() || in_field(board.label(hex), field);
        let covers = |cover: Cover| {
            board
                .hexes()
                .map(move |hex| board.cover(hex) == cover)
                .collect()
        };
        let road = |hex: HexId, direction: Direction, to: HexId| match board
            .side(hex, direction)
            .road
        {
            // §J-1-f: no march rate in the town's streets.
            Some(RoadKind::Pike | RoadKind::Road) if board.cover(to) != Cover::Town => costs.pike.0,
            Some(RoadKind::UnfinishedRailroad) if !unfinished => 0,
            Some(RoadKind::Trail) | None => 0,
            Some(_) => costs.road.0,
        };
        let ground = |hex: HexId| {
            if board.cover(hex) == Cover::Woods {
                costs.woods.0
            } else {
                costs.open.0
            }
        };
        let edge = |hex: HexId, direction: Direction| {
            let to = board
                .neighbour(hex, direction)
                .filter(|&to| plays(to) && plays(hex));
            let Some(to) = to else { return Edge::default() };
            let side = board.side(hex, direction);
            let (slope, up) = match side.rise {
                Rise::Up(Grade::Gentle) => (costs.slope.0, assault.slope.0),
                Rise::Up(Grade::Steep) => (costs.steep.0, assault.steep.0),
                _ => (0, 0),
            };
            let (water, across) = match side.water {
                Some(WaterKind::Run) => (costs.stream.0, assault.stream.0),
                Some(WaterKind::Creek) => (costs.creek.0, assault.creek.0),
                _ => (0, 0),
            };
            Edge {
                to: Some(to),
                cost: ground(to) + slope + water,
                road: road(hex, direction, to),
                assault: up + across,
            }
        };
        let edges: Vec<[Edge; 6]> = board
            .hexes()
            .map(|hex| std::array::from_fn(|i| edge(hex, Direction::ALL[i])))
            .collect();
        let rim =
            |hex: HexId| plays(hex) && edges[hex.index()].iter().any(|edge| edge.to.is_none());
        let entry = |hex: HexId| {
            // The road by which one enters goes on in the hex.
            let best = edges[hex.index()]
                .iter()
                .map(|edge| edge.road)
                .filter(|&road| road > 0)
                .min();
            (best.unwrap_or(0), ground(hex))
        };
        Ground {
            rim: board.hexes().map(rim).collect(),
            entry: board.hexes().map(entry).collect(),
            woods: covers(Cover::Woods),
            town: covers(Cover::Town),
            level: board.hexes().map(|hex| board.level(hex)).collect(),
            distance: board
                .hexes()
                .flat_map(|a| {
                    board
                        .hexes()
                        .map(move |b| board.distance(a, b).min(255) as u8)
                })
                .collect(),
            edges,
        }
    }
}

/// Whether a packed label is in play: row first, then column.
fn in_field(label: &str, field: &[(u8, u8, u8)]) -> bool {
    let row = label.get(..2).and_then(|row| row.parse::<u8>().ok());
    let column = label.get(2..).and_then(|column| column.parse::<u8>().ok());
    let (Some(row), Some(column)) = (row, column) else {
        return false;
    };
    field
        .iter()
        .any(|&(r, low, high)| r == row && (low..=high).contains(&column))
}
