//! Who is near a hex: beside it, behind it, and coming up to it.

use super::Worth;
use crate::brief::{Brief, Posted};
use crate::nerve::{self, Odds};
use cupola_ground::{Board, Cover};
use cupola_kernel::HexId;

/// How many times as far as friends who come up to a fight the enemies are whom horsemen do not wait for who watch them: those go so far
/// and attack before the horsemen are asked again (house).
const CLOSING: u32 = 3;

impl Worth {
    /// Who is near a hex, with so much more of ours in it and beside it, and the ground there.
    pub(super) fn odds(&self, board: &Board, hex: HexId, (more, theirs): (i64, i64)) -> Odds {
        let shelter = matches!(board.cover(hex), Cover::Woods | Cover::Town | Cover::Rocks);
        let mut odds = Odds {
            ours: self.force[0][hex.index()] + more,
            theirs: theirs + self.force[1][hex.index()],
            looming: 0,
            closing: 0,
            inside: (
                self.force[0][hex.index()] + more,
                self.force[1][hex.index()],
            ),
            ground: i64::from(shelter),
            shelter,
        };
        let mut slope = 0;
        for (direction, next) in board.neighbours(hex) {
            let enemy = self.force[1][next.index()];
            odds.ours += self.force[0][next.index()];
            if enemy > 0 {
                odds.theirs += enemy;
                // It is better to be above the enemy, or behind water.
                let rise = i64::from(board.level(hex) - board.level(next)).clamp(-1, 1);
                slope = slope.min(rise);
                if board.side(hex, direction).water.is_some() {
                    slope = slope.max(0);
                }
            }
        }
        odds.ground += slope;
        if self.wide {
            self.look_wider(board, hex, &mut odds);
        } else if odds.theirs > 0 {
            odds.ours += self.behind(board, hex) / 2;
        }
        odds
    }

    /// On a coarse map who is two hexes away is there in the next turn: half of them count.
    fn look_wider(&self, board: &Board, hex: HexId, odds: &mut Odds) {
        for (direction, next) in board.neighbours(hex) {
            // The hexes two away: straight on, and straight on to the right.
            let straight = board.neighbour(next, direction);
            let aside = board.neighbour(next, direction.clockwise(1));
            for far in [straight, aside].into_iter().flatten() {
                odds.ours += self.force[0][far.index()] / 2;
                odds.looming += self.force[1][far.index()] / 2;
            }
        }
    }

    /// On a fine map: those of ours who are not beside a hex, and can come up to it while the fight is young. Without them the
    /// first to go up to the enemy would always go alone, and so nobody would.
    fn behind(&self, board: &Board, hex: HexId) -> i64 {
        self.within(board, (hex, self.come_up), 0) - self.within(board, (hex, 1), 0)
    }

    /// Those of ours, or of the enemy, who are no farther than so many hexes.
    fn within(&self, board: &Board, (hex, far): (HexId, u32), enemy: usize) -> i64 {
        let hexes = board.within(hex, far);
        hexes.map(|hex| self.force[enemy][hex.index()]).sum()
    }

    /// Whether contact with the enemy is wanted here, by who is near.
    pub(super) fn contact(
        &self,
        brief: &Brief,
        order: &Posted,
        (board, hex): (&Board, HexId),
        weight: i64,
        mut odds: Odds,
    ) -> i64 {
        if order.screens && !self.wide && odds.theirs == 0 {
            odds.closing = self.within(board, (hex, CLOSING * self.come_up), 1);
            odds.ours += self.behind(board, hex);
        }
        let at_goal = |goal| brief.distances(goal).from(hex) <= brief.reach;
        let at_post = order.stays() || order.goal.is_some_and(at_goal);
        nerve::contact(order, self.late, at_post, weight, odds)
    }

    /// Whether an enemy is within two hexes, and nobody of ours nearer.
    pub(super) fn exposed(&self, board: &Board, hex: HexId) -> bool {
        if self.near[hex.index()] {
            return true;
        }
        let mut around = board.neighbours(hex).map(|(_, next)| next);
        around.any(|next| self.near[next.index()] && self.force[0][next.index()] == 0)
            && !board
                .neighbours(hex)
                .any(|(_, next)| self.force[0][next.index()] > 0)
    }
}
