//! Where one gets to: the common search over this game's steps.
//!
//! What every step would have to ask of the enemy is written on the map once before the search: his hexes are barred,
//! those next to him are marked.

use crate::entry;
use crate::field::Field;
use crate::state::Land;
use cupola_ground::{Board, Direction};
use cupola_kernel::{HexId, Side};
use cupola_kit::{Search, Steps, Then, Ways};

/// A hex next to an enemy.
pub const NEAR: u16 = 1;
/// A hex with breastworks.
pub const WORKS: u16 = 2;
/// A hex next to an entrance by which enemies are still to come (§5.47).
pub const WARD: u16 = 4;
/// A hex that columns keep away from (§4.32).
pub const SHY: u16 = 8;

/// A search and what it found; keep one per thread.
#[derive(Default)]
pub struct Reach {
    search: Search,
    reached: Vec<HexId>,
}

/// Steps as a function gives them.
struct Costs<'a, F, G> {
    board: &'a Board,
    cost: F,
    span: G,
    spans: &'a [(HexId, HexId)],
    reached: &'a mut Vec<HexId>,
}

impl<F, G> Ways for Costs<'_, F, G>
where
    F: Fn(HexId, Direction, HexId, u16) -> Option<u8>,
    G: Fn(HexId, u16) -> Option<u8>,
{
    #[inline]
    fn reached(&mut self, node: usize, _: u16, _: u16) -> Then {
        self.reached.push(HexId(node as u16));
        Then::GoOn
    }

    #[inline]
    fn steps(&self, node: usize, _: u16, steps: &mut impl Steps) {
        let from = HexId(node as u16);
        for (way, to) in self.board.neighbours(from) {
            steps.step(to.index(), |marks| {
                (self.cost)(from, way, to, marks).map_or(u16::MAX, u16::from)
            });
        }
        for &(end, to) in self.spans {
            if end == from {
                steps.step(to.index(), |marks| {
                    (self.span)(to, marks).map_or(u16::MAX, u16::from)
                });
            }
        }
    }
}

impl Reach {
    /// Finds every hex that one of this side can reach for at most `limit` half points from where it stands, or from the
    /// hexes by which it comes onto the map, each with what was spent until there; `cost` gives the price of a step given
    /// the marks of the hex, or none if it may not be taken, `span` that of a bridge over a cut; `shy` is how far columns
    /// keep from the enemy. Enemy hexes are never entered. Ways are written down where somebody wants to know them.
    #[allow(
        clippy::too_many_arguments,
        reason = "each is one thing that differs between searches"
    )]
    pub fn search(
        &mut self,
        field: Field,
        side: Side,
        starts: &[(HexId, u8)],
        (limit, shy): (u8, u32),
        ways: bool,
        cost: impl Fn(HexId, Direction, HexId, u16) -> Option<u8>,
        span: impl Fn(HexId, u16) -> Option<u8>,
    ) {
        let board = field.t.board();
        self.reached.clear();
        self.search.begin(board.len(), u16::from(limit));
        self.mark(field, side, starts, (limit, shy));
        match starts {
            [(start, 0)] => self.search.start_at(start.index()),
            _ => starts
                .iter()
                .for_each(|&(hex, spent)| self.search.start(hex.index(), u16::from(spent))),
        }
        // §5.18: an enemy in the cut beside it shuts a bridge.
        let open = field.rules.spans.iter().filter(|bridge| {
            let mut guards = bridge.guards.iter();
            guards.all(|&hex| field.holder(hex) != Some(side.other()))
        });
        let spans: Vec<(HexId, HexId)> = open
            .flat_map(|bridge| {
                [
                    (bridge.ends[0], bridge.ends[1]),
                    (bridge.ends[1], bridge.ends[0]),
                ]
            })
            .collect();
        let mut costs = Costs {
            board,
            cost,
            span,
            spans: &spans,
            reached: &mut self.reached,
        };
        if ways {
            self.search.run_with_ways(&mut costs);
        } else {
            self.search.run(&mut costs);
        }
    }

    /// Writes on the map what every step would have to ask.
    fn mark(&mut self, field: Field, side: Side, starts: &[(HexId, u8)], (limit, shy): (u8, u32)) {
        let board = field.t.board();
        // No step costs less than a half point: who is further off than that and a hex more is of no account.
        let from = match starts {
            [(start, _)] => Some(board.axial(*start)),
            _ => None,
        };
        let far = u32::from(limit) + shy.max(1) + 2;
        for (_, hex) in field.on_map(side.other()) {
            if from.is_some_and(|from| from.distance(board.axial(hex)) > far) {
                continue;
            }
            self.search.bar(hex.index());
            for (way, next) in board.neighbours(hex) {
                // §5.19: across a thick black hexside hexes are not adjacent.
                if !board.side(hex, way).closed {
                    self.search.mark(next.index(), NEAR);
                }
            }
            if shy > 0 {
                for near in field.around(hex, shy) {
                    self.search.mark(near.index(), SHY);
                }
            }
        }
        for work in field
            .t
            .res::<Land>()
            .works
            .iter()
            .filter(|work| work.wants == 0)
        {
            self.search.mark(work.hex.index(), WORKS);
        }
        for hex in entry::wards(field, side) {
            self.search.mark(hex.index(), WARD);
        }
    }

    /// The hexes reached, the start included, nearest first.
    #[must_use]
    pub fn reached(&self) -> &[HexId] {
        &self.reached
    }

    /// What it costs to reach a hex, in half points; none if it was not reached.
    #[must_use]
    pub fn cost(&self, hex: HexId) -> Option<u8> {
        self.search
            .cost(hex.index())
            .map(|cost| cost.min(255) as u8)
    }

    /// The way to a reached hex, start first, both ends included; empty if it was not reached.
    #[must_use]
    pub fn way(&self, hex: HexId) -> Vec<HexId> {
        let way = self.search.way(hex.index());
        way.into_iter().map(|node| HexId(node as u16)).collect()
    }
}
