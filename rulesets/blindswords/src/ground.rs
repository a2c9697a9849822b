//! The board in flat arrays: costs in half points, roads, slopes, and where the field ends.

use crate::files::{AssaultFile, CostsFile};
use crate::rules::Edge;
use cupola_ground::{Board, Cover, Direction, Grade, HexId, Rise, RoadKind, WaterKind};
use cupola_kit::{Ahead, Landing, per_hexside};
use std::collections::BTreeMap;

/// What the rules need of a board.
#[derive(Clone)]
pub struct Ground {
    /// Hexsides.
    pub edges: Vec<[Edge; 6]>,
    /// The same for the search: the steps of men on foot.
    pub foot: Steps,
    /// Those of guns and horses, whom woods off the road stop (§J-1-b).
    pub heavy: Steps,
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
    /// How it was read.
    pub chart: Chart,
}

/// A step as the search takes it.
#[derive(Clone, Copy, Debug)]
pub struct Stride {
    /// Where it leads along a road, and where off it.
    pub landings: [Landing; 2],
    /// The hex that it leads to.
    pub to: u16,
    /// Half points along a road through the hexside, for few enough troops; 0 if there is none.
    pub road: u8,
    /// Half points off the road.
    pub cost: u8,
}

/// All steps, as the search takes them.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// By hex and direction.
    pub all: Vec<[Stride; 6]>,
    /// By hex the price of the cheapest.
    pub cheapest: Vec<u8>,
}

/// What terrain costs in half points, and the assault shifts of hexsides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prices {
    open: u8,
    woods: u8,
    road: u8,
    pike: u8,
    slope: (u8, i8),
    steep: (u8, i8),
    stream: (u8, i8),
    creek: (u8, i8),
}

impl Prices {
    /// From the tables.
    #[must_use]
    pub fn new(costs: &CostsFile, assault: &AssaultFile) -> Prices {
        Prices {
            open: costs.open.0,
            woods: costs.woods.0,
            road: costs.road.0,
            pike: costs.pike.0,
            slope: (costs.slope.0, assault.slope.0),
            steep: (costs.steep.0, assault.steep.0),
            stream: (costs.stream.0, assault.stream.0),
            creek: (costs.creek.0, assault.creek.0),
        }
    }
}

/// What a hexside has, as one crosses it.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// A road through it.
    pub road: Option<RoadKind>,
    /// Up or down.
    pub rise: Rise,
    /// Water.
    pub water: Option<WaterKind>,
}

/// How a board is read: where play is, what terrain costs, and what is otherwise than on the board.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Rows with their first and last column in play; empty for all of them.
    pub field: Vec<(u8, u8, u8)>,
    /// Costs.
    pub prices: Prices,
    /// The unfinished railroad is a lane.
    pub unfinished: bool,
    /// Hexes with another cover.
    pub covers: BTreeMap<HexId, Cover>,
    /// Hexes at another level.
    pub levels: BTreeMap<HexId, i8>,
    /// Other hexsides, by hex and direction.
    pub sides: BTreeMap<(HexId, usize), Crossing>,
}

impl Chart {
    fn plays(&self, board: &Board, hex: HexId) -> bool {
        self.field.is_empty() || in_field(board.label(hex), &self.field)
    }

    fn cover(&self, board: &Board, hex: HexId) -> Cover {
        let other = self.covers.get(&hex).copied();
        other.unwrap_or_else(|| board.cover(hex))
    }

    /// What a hex costs off the road (§Terrain).
    fn ground(&self, board: &Board, hex: HexId) -> u8 {
        if self.cover(board, hex) == Cover::Woods {
            self.prices.woods
        } else {
            self.prices.open
        }
    }

    fn crossing(&self, board: &Board, hex: HexId, direction: Direction) -> Crossing {
        let other = self.sides.get(&(hex, direction.index())).copied();
        other.unwrap_or_else(|| {
            let side = board.side(hex, direction);
            Crossing {
                road: side.road,
                rise: side.rise,
                water: side.water,
            }
        })
    }

    /// What a road through a hexside costs; 0 if there is none.
    fn road(&self, board: &Board, road: Option<RoadKind>, to: HexId) -> u8 {
        match road {
            // §J-1-f: no march rate in the town's streets.
            Some(RoadKind::Pike | RoadKind::Road) if self.cover(board, to) != Cover::Town => {
                self.prices.pike
            }
            Some(RoadKind::UnfinishedRailroad) if !self.unfinished => 0,
            Some(RoadKind::Trail) | None => 0,
            Some(_) => self.prices.road,
        }
    }

    fn edge(&self, board: &Board, hex: HexId, direction: Direction) -> Edge {
        let to = board.neighbour(hex, direction);
        let Some(to) = to.filter(|&to| self.plays(board, to) && self.plays(board, hex)) else {
            return Edge::default();
        };
        let side = self.crossing(board, hex, direction);
        let (slope, up) = match side.rise {
            Rise::Up(Grade::Gentle) => self.prices.slope,
            Rise::Up(Grade::Steep) => self.prices.steep,
            _ => (0, 0),
        };
        let (water, across) = match side.water {
            Some(WaterKind::Run) => self.prices.stream,
            Some(WaterKind::Creek) => self.prices.creek,
            _ => (0, 0),
        };
        Edge {
            to: Some(to),
            cost: self.ground(board, to) + slope + water,
            road: self.road(board, side.road, to),
            assault: up + across,
        }
    }
}

impl Ground {
    /// Reads a board.
    #[must_use]
    pub fn new(board: &Board, chart: Chart) -> Ground {
        let covers = |cover: Cover| -> Vec<bool> {
            let hexes = board.hexes();
            hexes.map(|hex| chart.cover(board, hex) == cover).collect()
        };
        let woods = covers(Cover::Woods);
        let edges = per_hexside(board, |hex, direction, _| chart.edge(board, hex, direction));
        let ends = |hex: HexId| edges[hex.index()].iter().any(|edge| edge.to.is_none());
        let entry = |hex: HexId| {
            // The road by which one enters goes on in the hex.
            let roads = edges[hex.index()].iter().map(|edge| edge.road);
            let best = roads.filter(|&road| road > 0).min();
            (best.unwrap_or(0), chart.ground(board, hex))
        };
        let level = |hex: HexId| {
            let other = chart.levels.get(&hex).copied();
            other.unwrap_or_else(|| board.level(hex))
        };
        let from = |a: HexId| {
            board
                .hexes()
                .map(move |b| board.distance(a, b).min(255) as u8)
        };
        let rim = |hex: HexId| chart.plays(board, hex) && ends(hex);
        Ground {
            rim: board.hexes().map(rim).collect(),
            entry: board.hexes().map(entry).collect(),
            foot: Steps::new(&edges, &vec![false; edges.len()]),
            heavy: Steps::new(&edges, &woods),
            woods,
            town: covers(Cover::Town),
            level: board.hexes().map(level).collect(),
            distance: board.hexes().flat_map(from).collect(),
            edges,
            chart,
        }
    }
}

impl Steps {
    /// The steps of those whom some hexes stop who come there off the road. Such a hex has a second node where they stand: as far behind its own as there
    /// are hexes.
    fn new(edges: &[[Edge; 6]], stops: &[bool]) -> Steps {
        // Roads help unless the hex is full. Who is stopped comes to no node from which it goes on.
        let prices = |edge: &Edge| match (edge.to, edge.road) {
            (None, _) => [u16::MAX; 2],
            (Some(to), 0) if stops[to.index()] => [u16::MAX, u16::from(edge.cost)],
            (_, 0) => [u16::from(edge.cost); 2],
            (_, road) => [u16::from(road), u16::from(edge.cost)],
        };
        let step = |around: &[Edge; 6], direction: usize| {
            let edge = &around[direction];
            let (cost, road) = (edge.cost, edge.road);
            let Some(to) = edge.to else {
                let landings = [Landing::new(usize::MAX, Ahead::ALL); 2];
                return Stride {
                    landings,
                    to: 0,
                    road: 0,
                    cost,
                };
            };
            let out = around.each_ref().map(prices);
            let on = edges[to.index()].each_ref().map(prices);
            let ahead = Ahead::of(direction, &out, &on);
            let off = to.index() + if stops[to.index()] { edges.len() } else { 0 };
            let landings = [to.index(), off].map(|node| Landing::new(node, ahead));
            Stride {
                landings,
                to: to.0,
                road,
                cost,
            }
        };
        let cheapest = |around: &[Edge; 6]| {
            let ways = around.iter().filter(|edge| edge.to.is_some());
            let price = |edge: &Edge| match edge.road {
                0 => edge.cost,
                road => road.min(edge.cost),
            };
            ways.map(price).min().unwrap_or(u8::MAX)
        };
        Steps {
            all: edges
                .iter()
                .map(|around| std::array::from_fn(|direction| step(around, direction)))
                .collect(),
            cheapest: edges.iter().map(cheapest).collect(),
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
