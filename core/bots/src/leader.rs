//! What leaders count for: who hears them, and who can take them.

use crate::brief::{Brief, Led};
use crate::worth::{WIDE, left};
use cupola_ground::{Board, HexId};
use cupola_kernel::{Presence, Standing};

/// What it costs each of his men that a leader has nothing left to give, and how many of them count at most (house).
const SPENT: i64 = 3;
const STAFF: i64 = 8000;

/// What a leader counts for where he is: a tenth of the men who miss him, and more if he is in danger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead {
    /// By who hears him.
    pub reach: i64,
    /// By who can take him.
    pub safety: i64,
}

impl Lead {
    /// Of a leader and his men where they are; `danger` says whether he could be taken in a hex.
    pub fn of(
        brief: &Brief,
        board: &Board,
        lead: &Led,
        at: impl Fn(usize) -> (Option<HexId>, Standing),
        danger: impl Fn(HexId) -> bool,
    ) -> Lead {
        let (place, standing) = at(lead.leader);
        let mut men = Flock::default();
        for &i in &lead.units {
            let (hex, standing) = at(i);
            if let Some(hex) = hex {
                men.add(board, place, hex, left(brief, i, standing), lead.reach);
            }
        }
        let Some(hex) = place else {
            // Who is expected is missed; who has fallen is no longer waited for.
            let awaited = standing.presence == Presence::Awaited;
            return Lead {
                reach: if awaited { -2 * men.all } else { -men.all },
                safety: 0,
            };
        };
        // Who has spent his strength does his men no good.
        let spent = men.all.min(STAFF) * i64::from(standing.lost.min(1000)) * SPENT / 1000;
        Lead {
            reach: men.worth(board, hex, lead.reach, brief.pitch) - spent,
            safety: if danger(hex) {
                -men.all.max(lead.weight / 4)
            } else {
                0
            },
        }
    }

    pub fn all(self) -> i64 {
        self.reach + self.safety
    }
}

/// The men of a leader, as he finds them.
#[derive(Default)]
struct Flock {
    /// All of them on the field, and those within his reach.
    all: i64,
    within: i64,
    /// The sums of their places, weighed.
    x: i64,
    y: i64,
}

impl Flock {
    fn add(&mut self, board: &Board, leader: Option<HexId>, hex: HexId, men: i64, reach: u8) {
        let at = board.centre(hex);
        self.all += men;
        self.x += i64::from(at.x / 100) * men;
        self.y += i64::from(at.y / 100) * men;
        if leader.is_some_and(|leader| board.distance(leader, hex) <= u32::from(reach)) {
            self.within += men;
        }
    }

    /// What those are worth who hear him, and the way to the middle of the others.
    fn worth(&self, board: &Board, leader: HexId, reach: u8, pitch: u32) -> i64 {
        if self.all == 0 {
            return 0;
        }
        let at = board.centre(leader);
        let (x, y) = (
            self.x / self.all - i64::from(at.x / 100),
            self.y / self.all - i64::from(at.y / 100),
        );
        let near = i64::from(u32::from(reach) * pitch);
        // On a fine map rough ground takes half of his reach: he keeps to the middle of his men.
        let near = if pitch < WIDE { near / 2 } else { near };
        let far = ((x * x + y * y).isqrt() - near).max(0);
        (self.within - self.all) - self.all * far / 2000
    }
}
