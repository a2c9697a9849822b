//! The board in flat arrays: what a search reads a million times.

use crate::rules::{Edge, Entry, Hop};
use cupola_ground::{Board, Cover, Direction, Grade, HexId, Rise, RoadKind};

/// The entries of the board that this ruleset has a code for.
pub fn entries(board: &Board) -> Vec<Entry> {
    let on_edge = |hex: HexId| {
        Direction::ALL
            .iter()
            .any(|&direction| board.neighbour(hex, direction).is_none())
    };
    let found = board.entries().iter().filter_map(|entry| {
        let (code, hex) = (entry.code.clone()?, entry.hex?);
        // §5.6 If an enemy stands in the entry, units enter within three hexes of it: on the map's edge.
        let beside = board
            .hexes()
            .filter(|&other| other != hex && on_edge(other) && board.distance(hex, other) <= 3);
        Some(Entry {
            code,
            hex,
            beside: beside.collect(),
        })
    });
    found.collect()
}

/// Hexsides in flat arrays: costs in half points (§5.3), roads, and who they help (§7.5).
pub fn edges(board: &Board) -> Vec<[Edge; 6]> {
    let edge = |hex: HexId, direction: Direction| {
        let (side, to) = (board.side(hex, direction), board.neighbour(hex, direction));
        let woods = side.cover == Some(Cover::Woods)
            || to.is_some_and(|to| board.cover(to) == Cover::Woods);
        let creek = side.water.is_some();
        Edge {
            to,
            cost: 2 + 2 * u8::from(woods) + 2 * u8::from(creek),
            // A railroad has no effect (§5.3).
            road: side
                .road
                .is_some_and(|road| matches!(road, RoadKind::Pike | RoadKind::Road)),
            helps_defender: creek || side.crest || side.rise == Rise::Up(Grade::Steep),
        }
    };
    board
        .hexes()
        .map(|hex| std::array::from_fn(|i| edge(hex, Direction::ALL[i])))
        .collect()
}

/// The hexsides packed for the search, the cheapest of each hex first.
pub fn hops(edges: &[[Edge; 6]], leader: bool) -> Vec<[Hop; 6]> {
    let off_map = Hop {
        to: edges.len() as u16,
        cost: u8::MAX,
        rough: 0,
    };
    let hop = |edge: &Edge| {
        let plain = if leader { 2 } else { edge.cost };
        let cost = if edge.road { 1 } else { plain };
        let rough = if leader { 0 } else { plain - cost };
        edge.to.map_or(off_map, |to| Hop {
            to: to.0,
            cost,
            rough,
        })
    };
    let sorted = |around: &[Edge; 6]| {
        let mut hops = around.each_ref().map(hop);
        hops.sort_by_key(|hop| hop.cost);
        hops
    };
    edges.iter().map(sorted).collect()
}

/// The distance of every hex to the nearest of some hexes.
pub fn distances(board: &Board, to: &[HexId]) -> Vec<u16> {
    board
        .hexes()
        .map(|hex| {
            to.iter()
                .map(|&line| board.distance(hex, line) as u16)
                .min()
                .unwrap_or(u16::MAX)
        })
        .collect()
}
