//! §7.13 The routes of a retreat: which whole retreats there are, and which of them stand best by the printed priorities.

use crate::field::near;
use crate::rules::{Kind, Rules};
use crate::state::Path;
use cupola_ground::Board;
use cupola_kernel::{HexId, Side, Stacks, Table, UnitId};

/// Worse than any retreat.
const NONE: u8 = 4;

/// How a retreat stands by the priorities, the lower the better: no hex of it next to an enemy other
/// than cavalry; then every hex nearer to the same line of communications. The longer it is, the worse it can only become.
fn rank(path: &Path) -> u8 {
    2 * u8::from(path.hazardous) + u8::from(path.nearer == 0)
}

/// What decides about the routes of one unit.
pub struct Routes<'t> {
    rules: &'t Rules,
    stacks: &'t Stacks,
    board: &'t Board,
    unit: UnitId,
    side: Side,
    /// The hex it occupied in combat.
    from: HexId,
}

/// A length that a retreat may have, and the best rank that a whole retreat of that length can come to.
pub type Goal = (u8, u8);

impl<'t> Routes<'t> {
    /// Those of a retreat as far as it has come.
    pub fn new(t: &'t Table, path: &Path) -> Routes<'t> {
        let (rules, unit) = (t.rules::<Rules>(), path.retreat.unit);
        Routes {
            rules,
            stacks: t.stacks(),
            board: t.board(),
            unit,
            side: rules.card(unit).side,
            from: path.from,
        }
    }

    /// One hex farther, from this hex to that.
    pub fn onward(&self, path: &Path, here: HexId, hex: HexId) -> Path {
        let grave = |enemy| self.rules.card(enemy).kind != Kind::Cavalry;
        let hazard = || near(self.rules, self.stacks, self.side, hex).any(grave);
        Path {
            gone: path.gone + 1,
            hazardous: path.hazardous || hazard(),
            nearer: path.nearer & self.rules.nearer(self.side, here, hex),
            ..*path
        }
    }

    /// The free hexes next to `here` that lead away from where the unit fought.
    fn away(&self, here: HexId) -> impl Iterator<Item = HexId> {
        let far = self.board.distance(self.from, here);
        let free = |hex| {
            let other = self.stacks.first(hex);
            other.is_none_or(|other| other == self.unit || self.rules.is_leader(other))
        };
        let next = self.rules.around(here);
        next.filter(move |&hex| free(hex) && self.board.distance(self.from, hex) > far)
    }

    /// The best rank below a bound that a retreat can come to which goes on from `here` until it is `length` hexes long; the
    /// bound if there is none.
    fn best(&self, path: &Path, here: HexId, length: u8, bound: u8) -> u8 {
        let rank = rank(path);
        if rank >= bound || path.gone == length {
            return rank.min(bound);
        }
        let mut best = bound;
        for hex in self.away(here) {
            best = self.best(&self.onward(path, here, hex), hex, length, best);
            if best == rank {
                break;
            }
        }
        best
    }

    /// The lengths that the retreat may have: only what comes to the best rank of one of them may be gone.
    pub fn goals(&self, path: &Path) -> Vec<Goal> {
        let start = Path {
            gone: 0,
            hazardous: false,
            nearer: u32::MAX,
            ..*path
        };
        let lengths = path.retreat.least..=path.retreat.most;
        let goals = lengths.map(|length| (length, self.best(&start, self.from, length, NONE)));
        goals.filter(|&(_, rank)| rank != NONE).collect()
    }

    /// The hexes that the unit may enter next: those by which one of the best whole retreats leads on.
    pub fn next(&self, path: &Path, here: HexId, goals: &[Goal]) -> impl Iterator<Item = HexId> {
        let leads_on = move |hex: &HexId| {
            let next = self.onward(path, here, *hex);
            let mut longer = goals.iter().filter(|(length, _)| *length > path.gone);
            longer.any(|&(length, rank)| self.best(&next, *hex, length, rank + 1) == rank)
        };
        self.away(here).filter(leads_on)
    }
}

/// Whether a retreat may end as it stands.
pub fn may_halt(path: &Path, goals: &[Goal]) -> bool {
    goals.contains(&(path.gone, rank(path)))
}
