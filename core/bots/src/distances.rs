//! How far it is to a place, from every hex of a board, for somebody on foot.

use cupola_ground::{Board, Cover, Direction, Grade, HexId, Rise};

/// Metres of open road that lie between each hex and the nearest of some hexes.
///
/// The costs are nobody's rules: they only say which way an officer would point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distances {
    metres: Vec<u32>,
    /// Hexes to look at, by how far they are; empty but for their memory.
    rings: Vec<Vec<(u32, HexId)>>,
}

/// What it costs to step to each hex of a board from the hexes around it, worked out once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    steps: Vec<Vec<(HexId, u32)>>,
    /// The least and the most that any step costs.
    least: u32,
    most: u32,
}

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
        let steps: Vec<Vec<(HexId, u32)>> = board.hexes().map(to).collect();
        let costs = || steps.iter().flatten().map(|(_, cost)| *cost);
        Ways {
            least: costs().min().unwrap_or(1).max(1),
            most: costs().max().unwrap_or(1),
            steps,
        }
    }
}

impl Distances {
    /// Measures a board.
    #[must_use]
    pub fn new(ways: &Ways, goals: impl IntoIterator<Item = HexId>) -> Distances {
        let mut distances = Distances::default();
        distances.measure(ways, goals.into_iter().map(|goal| (goal, 0)));
        distances
    }

    /// Measures again, keeping the memory. Goals are farther than they look by so many metres.
    ///
    /// Hexes are looked at ring by ring, each as wide as the least step: no step leads from a hex of a ring to another of the same
    /// ring by a shorter way, so each ring is done once, in any order.
    pub fn measure(&mut self, ways: &Ways, goals: impl IntoIterator<Item = (HexId, u32)>) {
        self.metres.clear();
        self.metres.resize(ways.steps.len(), u32::MAX);
        // Rings are used again when all that could reach into them are done.
        let rings = (ways.most / ways.least + 2) as usize;
        self.rings
            .resize_with(rings.max(self.rings.len()), Vec::new);
        let mut later: Vec<(u32, HexId)> = vec![];
        for (goal, more) in goals {
            if more < self.metres[goal.index()] {
                self.metres[goal.index()] = more;
                later.push((more, goal));
            }
        }
        later.sort_unstable_by(|a, b| b.cmp(a));
        let (mut ring, mut left) = (0, 0);
        while left > 0 || !later.is_empty() {
            if left == 0 {
                ring = later.last().map_or(0, |(far, _)| far / ways.least);
            }
            let at = ring as usize % self.rings.len();
            while let Some((far, goal)) = later.pop_if(|(far, _)| *far / ways.least <= ring) {
                self.rings[at].push((far, goal));
                left += 1;
            }
            let mut open = std::mem::take(&mut self.rings[at]);
            left -= open.len();
            for (far, hex) in open.drain(..) {
                if far > self.metres[hex.index()] {
                    continue;
                }
                for &(next, step) in &ways.steps[hex.index()] {
                    let there = far + step;
                    if there < self.metres[next.index()] {
                        self.metres[next.index()] = there;
                        let slot = (there / ways.least) as usize % self.rings.len();
                        self.rings[slot].push((there, next));
                        left += 1;
                    }
                }
            }
            self.rings[at] = open;
            ring += 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    /// The same by the book: the nearest first.
    fn by_the_book(ways: &Ways, goals: &[(HexId, u32)]) -> Vec<u32> {
        let mut metres = vec![u32::MAX; ways.steps.len()];
        let mut open: BinaryHeap<_> = goals
            .iter()
            .map(|&(goal, far)| Reverse((far, goal)))
            .collect();
        while let Some(Reverse((far, hex))) = open.pop() {
            if far >= metres[hex.index()] {
                continue;
            }
            metres[hex.index()] = far;
            for &(next, step) in &ways.steps[hex.index()] {
                open.push(Reverse((far + step, next)));
            }
        }
        metres
    }

    #[test]
    fn rings_come_to_what_the_nearest_first_comes_to() {
        // A strip of two rows with steps of 100 to 350 metres, drawn by a rule of thumb.
        let hex = |n: usize| HexId(n as u16);
        let steps = |n: usize| {
            let near = [n.wrapping_sub(1), n + 1, n.wrapping_sub(40), n + 40];
            let on = near.into_iter().filter(|other| *other < 400);
            on.map(|other| {
                (
                    hex(other),
                    100 + ((n * 7919 + other * 104_729) % 251) as u32,
                )
            })
            .collect()
        };
        let steps: Vec<Vec<(HexId, u32)>> = (0..400).map(steps).collect();
        let ways = Ways {
            steps,
            least: 100,
            most: 350,
        };
        let mut distances = Distances::default();
        for goals in [
            vec![(hex(0), 0)],
            vec![(hex(7), 2000), (hex(399), 0), (hex(200), 1999)],
            vec![(hex(3), 50_000), (hex(4), 0)],
            vec![],
        ] {
            distances.measure(&ways, goals.iter().copied());
            assert_eq!(distances.metres, by_the_book(&ways, &goals), "{goals:?}");
        }
    }
}
