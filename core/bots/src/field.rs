//! How far it is to a place, from every hex of a board, for somebody on foot.

use cupola_ground::{Board, Cover, Direction, Grade, HexId, Rise};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Metres of open road that lie between each hex and the nearest of some hexes.
///
/// The costs are nobody's rules: they only say which way an officer would point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    metres: Vec<u32>,
}

/// What it costs to step to each hex of a board from the hexes around it, worked out once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways(Vec<Vec<(HexId, u32)>>);

impl Ways {
    /// The ways of a board.
    #[must_use]
    pub fn new(board: &Board) -> Ways {
        let to = |hex| {
            let around = board.neighbours(hex);
            around
                .map(|(direction, next)| (next, cost(board, next, hex, direction)))
                .collect()
        };
        Ways(board.hexes().map(to).collect())
    }
}

impl Field {
    /// Measures a board.
    #[must_use]
    pub fn new(ways: &Ways, goals: impl IntoIterator<Item = HexId>) -> Field {
        let mut field = Field::default();
        field.measure(ways, goals);
        field
    }

    /// Measures again, keeping the memory.
    pub fn measure(&mut self, ways: &Ways, goals: impl IntoIterator<Item = HexId>) {
        self.measure_from(ways, goals.into_iter().map(|goal| (goal, 0)));
    }

    /// The same with goals that are farther than they look by so many metres.
    pub fn measure_from(&mut self, ways: &Ways, goals: impl IntoIterator<Item = (HexId, u32)>) {
        self.metres.clear();
        self.metres.resize(ways.0.len(), u32::MAX);
        let mut open = BinaryHeap::new();
        for (goal, more) in goals {
            if more < self.metres[goal.index()] {
                self.metres[goal.index()] = more;
                open.push(Reverse((more, goal)));
            }
        }
        while let Some(Reverse((far, hex))) = open.pop() {
            if far > self.metres[hex.index()] {
                continue;
            }
            for &(next, step) in &ways.0[hex.index()] {
                let there = far + step;
                if there < self.metres[next.index()] {
                    self.metres[next.index()] = there;
                    open.push(Reverse((there, next)));
                }
            }
        }
    }

    /// Metres from this hex; none where nothing was measured yet.
    #[must_use]
    #[inline]
    pub fn from(&self, hex: HexId) -> u32 {
        self.metres.get(hex.index()).copied().unwrap_or(0)
    }
}

/// What it costs to step from one hex to the next; `back` leads the other way.
fn cost(board: &Board, from: HexId, to: HexId, back: Direction) -> u32 {
    let (a, b) = (board.centre(from), board.centre(to));
    let centimetres = (a.x - b.x).unsigned_abs().max((a.y - b.y).unsigned_abs());
    let metres = (centimetres / 100).max(1);
    let side = board.side(to, back);
    if side.road.is_some() {
        return metres;
    }
    let mut tenths = 13;
    tenths += match board.cover(to) {
        Cover::Clear => 0,
        Cover::Orchard => 2,
        Cover::Town => 3,
        _ => 7,
    };
    if side.water.is_some() && side.crossing.is_none() {
        tenths += 10;
    }
    // Seen from the far hex the slope goes down: uphill for those who come.
    if matches!(side.rise, Rise::Down(Grade::Steep)) {
        tenths += 5;
    }
    metres * tenths / 10
}
