//! How far one gets: Dijkstra with a caller's costs.
//!
//! Movement questions are asked thousands of times a second, so the buffers are kept and stamped
//! with an epoch instead of being cleared: a search costs what it visits, not what the board has.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::grid::Direction;

use super::{Board, HexId};

#[derive(Debug, Clone, Copy, Default)]
struct Visit {
    epoch: u32,
    cost: u32,
    from: u16,
}

/// Reusable buffers of a search, and its result.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    epoch: u32,
    visits: Vec<Visit>,
    heap: BinaryHeap<Reverse<(u32, HexId)>>,
    reached: Vec<HexId>,
}

impl Reach {
    /// Empty buffers, for boards of any size.
    pub fn new() -> Reach {
        Reach::default()
    }

    /// Finds every hex that can be reached from `start` for at most `limit`.
    ///
    /// `cost` is asked for each step from a reached hex to a neighbour and gives the price of
    /// that step, or `None` if it may not be taken. Equal costs are settled by the order of
    /// hexes, so the result is the same everywhere.
    pub fn search(
        &mut self,
        board: &Board,
        start: HexId,
        limit: u32,
        mut cost: impl FnMut(HexId, Direction, HexId) -> Option<u32>,
    ) {
        self.begin(board.len());
        self.visits[start.index()] = Visit {
            epoch: self.epoch,
            cost: 0,
            from: start.0,
        };
        self.heap.push(Reverse((0, start)));
        while let Some(Reverse((spent, hex))) = self.heap.pop() {
            if self.visits[hex.index()].cost < spent {
                continue;
            }
            self.reached.push(hex);
            for (direction, next) in board.neighbours(hex) {
                let Some(total) =
                    cost(hex, direction, next).and_then(|step| spent.checked_add(step))
                else {
                    continue;
                };
                let visit = &mut self.visits[next.index()];
                if total > limit || (visit.epoch == self.epoch && visit.cost <= total) {
                    continue;
                }
                *visit = Visit {
                    epoch: self.epoch,
                    cost: total,
                    from: hex.0,
                };
                self.heap.push(Reverse((total, next)));
            }
        }
    }

    fn begin(&mut self, count: usize) {
        if self.epoch == u32::MAX || self.visits.len() != count {
            self.visits.clear();
            self.visits.resize(count, Visit::default());
            self.epoch = 0;
        }
        self.epoch += 1;
        self.heap.clear();
        self.reached.clear();
    }

    /// The hexes reached, the start included, nearest first.
    pub fn reached(&self) -> &[HexId] {
        &self.reached
    }

    /// What it costs to reach a hex; none if it was not reached.
    pub fn cost(&self, hex: HexId) -> Option<u32> {
        let visit = self.visits.get(hex.index())?;
        (self.epoch > 0 && visit.epoch == self.epoch).then_some(visit.cost)
    }

    /// The way to a reached hex, start first, both ends included; empty if it was not reached.
    pub fn path(&self, hex: HexId, path: &mut Vec<HexId>) {
        path.clear();
        if self.cost(hex).is_none() {
            return;
        }
        let mut at = hex;
        loop {
            path.push(at);
            let from = HexId(self.visits[at.index()].from);
            if from == at {
                break;
            }
            at = from;
        }
        path.reverse();
    }
}
