//! The board in flat arrays: what a search reads a million times.

use crate::rules::{Costs, Edge, Entry, Gate, Hop};
use cupola_ground::{Board, Cover, Direction, Grade, HexId, Rise, RoadKind};
use cupola_kit::{Ahead, Landing, per_hexside};

/// The entries of the board that this ruleset has a code for.
pub fn entries(board: &Board, costs: &Costs) -> Vec<Entry> {
    let coded = board.entries().iter();
    coded
        .filter_map(|entry| Some(entry_at(board, costs, entry.code.clone()?, entry.hex?)))
        .collect()
}

/// An entry at a hex. If an enemy stands in it, units enter within three hexes of it (§5.6): on the
/// map's edge.
fn entry_at(board: &Board, costs: &Costs, code: String, hex: HexId) -> Entry {
    let near =
        |&other: &HexId| other != hex && board.is_edge(other) && board.distance(hex, other) <= 3;
    Entry {
        code,
        gate: gate(board, costs, hex),
        beside: board
            .hexes()
            .filter(near)
            .map(|hex| gate(board, costs, hex))
            .collect(),
    }
}

fn gate(board: &Board, costs: &Costs, hex: HexId) -> Gate {
    let mut exits = board.exits().iter();
    Gate {
        hex,
        road: exits.any(|exit| exit.hex == hex && is_road(exit.road)),
        cost: match board.cover(hex) {
            Cover::Woods => costs.clear + costs.woods,
            _ => costs.clear,
        },
    }
}

/// A railroad has no effect (§5.3).
fn is_road(kind: RoadKind) -> bool {
    matches!(kind, RoadKind::Pike | RoadKind::Road)
}

/// The hexes of a pike from a line of communications inwards: through hexsides that a pike crosses, as
/// long as it bears this name (§8.3).
pub fn pike(board: &Board, from: HexId, name: &str) -> Vec<HexId> {
    let named = |hex: HexId| board.threads(hex).any(|thread| thread == name);
    let mut found = vec![from];
    let mut next = 0;
    while let Some(&hex) = found.get(next).filter(|hex| named(**hex)) {
        for (direction, to) in board.neighbours(hex) {
            let pike = board.side(hex, direction).road == Some(RoadKind::Pike);
            if pike && named(to) && !found.contains(&to) {
                found.push(to);
            }
        }
        next += 1;
    }
    found
}

/// What of a hexside matters to this ruleset, as one crosses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// A road or pike goes through.
    pub road: bool,
    /// Woods along it.
    pub woods: bool,
    /// A creek along it.
    pub creek: bool,
    /// A ridge along it.
    pub ridge: bool,
    /// The slope symbol is beyond it: up slope.
    pub up: bool,
}

impl Features {
    /// As the board has them.
    pub fn of(board: &Board, hex: HexId, direction: Direction) -> Features {
        let side = board.side(hex, direction);
        Features {
            road: side.road.is_some_and(is_road),
            woods: side.cover == Some(Cover::Woods),
            creek: side.water.is_some(),
            ridge: side.crest,
            up: side.rise == Rise::Up(Grade::Steep),
        }
    }

    /// What that means: cost in half points (§5.3), road, and whom it helps (§7.5).
    pub fn edge(self, costs: &Costs, to: Option<HexId>, into_woods: bool) -> Edge {
        let more = |on: bool, cost: u8| if on { cost } else { 0 };
        let woods = more(self.woods || into_woods, costs.woods);
        Edge {
            to,
            cost: costs.clear + woods + more(self.creek, costs.creek),
            road: self.road,
            helps_defender: self.creek || self.ridge || self.up,
        }
    }
}

/// Hexsides in flat arrays.
pub fn edges(board: &Board, costs: &Costs) -> Vec<[Edge; 6]> {
    per_hexside(board, |hex, direction, to| {
        let into_woods = to.is_some_and(|to| board.cover(to) == Cover::Woods);
        Features::of(board, hex, direction).edge(costs, to, into_woods)
    })
}

/// The hexsides packed for the search, the cheapest of each hex first.
pub fn hops(edges: &[[Edge; 6]], costs: &Costs, leader: bool) -> Vec<[Hop; 6]> {
    let hop = |edge: &Edge| {
        let plain = if leader { costs.clear } else { edge.cost };
        let cost = if edge.road { costs.plain(true) } else { plain };
        Hop {
            landing: Landing::new(edge.to.map_or(edges.len(), HexId::index), Ahead::ALL),
            costs: match edge.to {
                Some(_) => [cost, if leader { cost } else { plain }],
                None => [u8::MAX; 2],
            },
        }
    };
    let hops: Vec<[Hop; 6]> = edges
        .iter()
        .map(|around| around.each_ref().map(hop))
        .collect();
    let price = |hop: &Hop| match hop.costs {
        [u8::MAX, _] => [u16::MAX; 2],
        costs => costs.map(u16::from),
    };
    let order = |around: &[Hop; 6]| {
        let mut order = [0, 1, 2, 3, 4, 5];
        order.sort_by_key(|&direction| around[direction].costs[0]);
        order
    };
    let sorted = |around: &[Hop; 6]| {
        let out = around.each_ref().map(price);
        order(around).map(|direction| {
            let hop = around[direction];
            let to = hop.landing.node();
            let ahead = hops.get(to).map_or(Ahead::ALL, |behind| {
                let on = behind.each_ref().map(price);
                Ahead::of(direction, &out, &on).ordered(&order(behind))
            });
            let landing = Landing::new(to, ahead);
            Hop { landing, ..hop }
        })
    };
    hops.iter().map(sorted).collect()
}
