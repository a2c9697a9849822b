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

/// A board and what its terrain costs.
struct Chart<'a> {
    board: &'a Board,
    field: &'a [(u8, u8, u8)],
    costs: &'a CostsFile,
    assault: &'a AssaultFile,
    unfinished: bool,
}

impl Chart<'_> {
    fn plays(&self, hex: HexId) -> bool {
        self.field.is_empty() || in_field(self.board.label(hex), self.field)
    }

    /// What a hex costs off the road.
    fn ground(&self, hex: HexId) -> u8 {
        if self.board.cover(hex) == Cover::Woods {
            self.costs.woods.0
        } else {
            self.costs.open.0
        }
    }

    /// What a road through a hexside costs; 0 if there is none.
    fn road(&self, hex: HexId, direction: Direction, to: HexId) -> u8 {
        match self.board.side(hex, direction).road {
            // §J-1-f: no march rate in the town's streets.
            Some(RoadKind::Pike | RoadKind::Road) if self.board.cover(to) != Cover::Town => {
                self.costs.pike.0
            }
            Some(RoadKind::UnfinishedRailroad) if !self.unfinished => 0,
            Some(RoadKind::Trail) | None => 0,
            Some(_) => self.costs.road.0,
        }
    }

    fn edge(&self, hex: HexId, direction: Direction) -> Edge {
        let to = self.board.neighbour(hex, direction);
        let Some(to) = to.filter(|&to| self.plays(to) && self.plays(hex)) else {
            return Edge::default();
        };
        let (costs, assault, side) = (self.costs, self.assault, self.board.side(hex, direction));
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
            cost: self.ground(to) + slope + water,
            road: self.road(hex, direction, to),
            assault: up + across,
        }
    }
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
        let chart = Chart {
            board,
            field,
            costs,
            assault,
            unfinished,
        };
        let covers = |cover: Cover| {
            let hexes = board.hexes();
            hexes.map(|hex| board.cover(hex) == cover).collect()
        };
        let edges: Vec<[Edge; 6]> = board
            .hexes()
            .map(|hex| std::array::from_fn(|i| chart.edge(hex, Direction::ALL[i])))
            .collect();
        let ends = |hex: HexId| edges[hex.index()].iter().any(|edge| edge.to.is_none());
        let entry = |hex: HexId| {
            // The road by which one enters goes on in the hex.
            let roads = edges[hex.index()].iter().map(|edge| edge.road);
            let best = roads.filter(|&road| road > 0).min();
            (best.unwrap_or(0), chart.ground(hex))
        };
        let from = |a: HexId| {
            board
                .hexes()
                .map(move |b| board.distance(a, b).min(255) as u8)
        };
        Ground {
            rim: board
                .hexes()
                .map(|hex| chart.plays(hex) && ends(hex))
                .collect(),
            entry: board.hexes().map(entry).collect(),
            woods: covers(Cover::Woods),
            town: covers(Cover::Town),
            level: board.hexes().map(|hex| board.level(hex)).collect(),
            distance: board.hexes().flat_map(from).collect(),
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
