//! How far it is to a place, from every hex of a board, for somebody on foot.

use cupola_ground::{Board, Cover, Direction, Grade, HexId, Rise};

/// Metres of open road that lie between each hex and the nearest of some hexes.
///
/// The costs are nobody's rules: they only say which way an officer would point. Hexes are looked at ring by ring, each as wide as the
/// least step: no step leads from a hex of a ring to another of the same ring by a shorter way, so each ring is done once, in any
/// order, and who asks for a near hex need not wait for the far ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distances {
    metres: Vec<u32>,
    /// Hexes to look at, by how far they are, and how many they are in all.
    rings: Vec<Vec<(u32, HexId)>>,
    left: usize,
    /// The ring that is next.
    ring: u32,
    /// Goals that no ring has come to, the farthest first.
    later: Vec<(u32, HexId)>,
}

/// What it costs to step to each hex of a board from the hexes around it, worked out once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The steps of all hexes, and where those of each begin.
    steps: Vec<(HexId, u32)>,
    starts: Vec<u32>,
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
            around.map(move |(direction, next)| (next, cost(board, next, hex, direction)))
        };
        Ways::of(board.hexes().map(to))
    }

    /// Those of the steps to each hex in order.
    fn of<S: Iterator<Item = (HexId, u32)>>(all: impl Iterator<Item = S>) -> Ways {
        let (mut steps, mut starts) = (vec![], vec![0]);
        for own in all {
            steps.extend(own);
            starts.push(steps.len() as u32);
        }
        let costs = || steps.iter().map(|(_, cost)| *cost);
        Ways {
            least: costs().min().unwrap_or(1).max(1),
            most: costs().max().unwrap_or(1),
            steps,
            starts,
        }
    }

    /// The steps to a hex.
    fn to(&self, hex: HexId) -> &[(HexId, u32)] {
        let [from, to] = [hex.index(), hex.index() + 1].map(|i| self.starts[i] as usize);
        &self.steps[from..to]
    }

    fn hexes(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Distances {
    /// Measures a board.
    #[must_use]
    pub fn new(ways: &Ways, goals: impl IntoIterator<Item = HexId>) -> Distances {
        let mut distances = Distances::default();
        distances.begin(ways, goals.into_iter().map(|goal| (goal, 0)));
        while distances.next_ring(ways) {}
        distances
    }

    /// Begins to measure anew, keeping the memory. Goals are farther than they look by so many metres.
    pub fn begin(&mut self, ways: &Ways, goals: impl IntoIterator<Item = (HexId, u32)>) {
        self.metres.clear();
        self.metres.resize(ways.hexes(), u32::MAX);
        // Rings are used again when all that could reach into them are done.
        let rings = (ways.most / ways.least + 2) as usize;
        self.rings
            .resize_with(rings.max(self.rings.len()), Vec::new);
        self.rings.iter_mut().for_each(Vec::clear);
        (self.left, self.ring) = (0, 0);
        self.later.clear();
        for (goal, more) in goals {
            if more < self.metres[goal.index()] {
                self.metres[goal.index()] = more;
                self.later.push((more, goal));
            }
        }
        self.later.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Does the next ring; false if there is none.
    fn next_ring(&mut self, ways: &Ways) -> bool {
        if self.left == 0 {
            let Some((far, _)) = self.later.last() else {
                self.ring = u32::MAX;
                return false;
            };
            self.ring = far / ways.least;
        }
        let at = self.ring as usize % self.rings.len();
        let ring = self.ring;
        while let Some((far, goal)) = self.later.pop_if(|(far, _)| *far / ways.least <= ring) {
            self.rings[at].push((far, goal));
            self.left += 1;
        }
        let mut open = std::mem::take(&mut self.rings[at]);
        self.left -= open.len();
        for (far, hex) in open.drain(..) {
            if far > self.metres[hex.index()] {
                continue;
            }
            for &(next, step) in ways.to(hex) {
                let there = far + step;
                if there < self.metres[next.index()] {
                    self.metres[next.index()] = there;
                    let slot = (there / ways.least) as usize % self.rings.len();
                    self.rings[slot].push((there, next));
                    self.left += 1;
                }
            }
        }
        self.rings[at] = open;
        self.ring += 1;
        true
    }

    /// Metres from this hex, measured as far as that; none where there is nothing to measure.
    #[inline]
    pub fn reach(&mut self, ways: &Ways, hex: HexId) -> u32 {
        loop {
            let Some(&far) = self.metres.get(hex.index()) else {
                return 0;
            };
            if far / ways.least < self.ring || !self.next_ring(ways) {
                return far;
            }
        }
    }

    /// Metres from this hex on a board that was measured; none on one that was not.
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
        let mut metres = vec![u32::MAX; ways.hexes()];
        let mut open: BinaryHeap<_> = goals
            .iter()
            .map(|&(goal, far)| Reverse((far, goal)))
            .collect();
        while let Some(Reverse((far, hex))) = open.pop() {
            if far >= metres[hex.index()] {
                continue;
            }
            metres[hex.index()] = far;
            for &(next, step) in ways.to(hex) {
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
            on.map(move |other| {
                (
                    hex(other),
                    100 + ((n * 7919 + other * 104_729) % 251) as u32,
                )
            })
        };
        let ways = Ways::of((0..400).map(steps));
        let mut distances = Distances::default();
        for goals in [
            vec![(hex(0), 0)],
            vec![(hex(7), 2000), (hex(399), 0), (hex(200), 1999)],
            vec![(hex(3), 50_000), (hex(4), 0)],
            vec![],
        ] {
            // Whoever is asked for first, some of them twice.
            let metres = by_the_book(&ways, &goals);
            distances.begin(&ways, goals.iter().copied());
            for n in (0..400).map(|n| n * 7 % 400) {
                let far = distances.reach(&ways, hex(n));
                assert_eq!(far, metres[n], "{goals:?}: {n}");
            }
            assert_eq!(distances.metres, metres, "{goals:?}");
        }
    }
}
