//! Who stands where, hex by hex, as the search and long lists read it.
//!
//! It follows from the units and is no part of the state. It is kept per thread and brought up to date when they have changed: those
//! who stand as they did cost a glance.

use crate::field::Field;
use crate::rules::Rules;
use cupola_kernel::{BySide, Edition, HexId, Side, UnitId};
use cupola_kit::{NOWHERE, Pin};
use std::cell::RefCell;

/// What a hex is to a side: the enemy stands there.
pub const ENEMY: u8 = 1;
/// It is next to an enemy who counts (§J-3).
pub const NEAR: u8 = 2;
/// It is next to such a hex.
pub const NEAR_TWO: u8 = 4;

/// Where a unit stands, and all that its strength and its threat follow from: the hex in the lower bits, its condition above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Post(u32);

impl Post {
    const AWAY: Post = Post(NOWHERE as u32);

    #[inline]
    fn of(field: Field, unit: UnitId) -> Post {
        let Some(hex) = field.t.hex(unit) else {
            return Post::AWAY;
        };
        let status = field.status(unit);
        let condition = u32::from(status.frozen)
            | u32::from(status.worn) << 1
            | u32::from(status.shaken) << 2
            | u32::from(status.mounted) << 3;
        Post(u32::from(hex.0) | condition << 16)
    }

    fn hex(self) -> HexId {
        HexId(self.0 as u16)
    }

    /// Who is in chaos engages nobody (§F-2).
    fn threatens(self) -> bool {
        self.0 >> 16 & 1 == 0
    }
}

/// The units of a side in a hex.
#[derive(Clone, Copy, Debug, Default)]
struct Camp {
    units: u8,
    threats: u8,
    sp: u16,
}

/// The field as a side sees it.
#[derive(Clone, Debug, Default)]
struct Outlook {
    /// By hex [`ENEMY`], [`NEAR`] and [`NEAR_TWO`].
    flags: Vec<u8>,
    /// By hex how many hexes next to it hold an enemy who counts, and how many are next to one.
    near: Vec<[u8; 2]>,
    /// The hexes that the enemy holds, in no order that means anything.
    enemies: Vec<HexId>,
}

impl Outlook {
    /// Enemies in a hex begin to count, or no longer do.
    fn threatens(&mut self, rules: &Rules, hex: HexId, begins: bool) {
        for next in rules.around(hex) {
            if self.turns(next, 0, begins) {
                self.flags[next.index()] ^= NEAR;
                for far in rules.around(next) {
                    if self.turns(far, 1, begins) {
                        self.flags[far.index()] ^= NEAR_TWO;
                    }
                }
            }
        }
    }

    /// Counts one more or less near a hex; whether there was none before, or is none now.
    fn turns(&mut self, hex: HexId, ring: usize, more: bool) -> bool {
        let count = &mut self.near[hex.index()][ring];
        let was = *count;
        *count = if more { was + 1 } else { was - 1 };
        was == 0 || *count == 0
    }

    /// The enemy takes a hex, or leaves it.
    fn held(&mut self, hex: HexId, taken: bool) {
        self.flags[hex.index()] ^= ENEMY;
        if taken {
            self.enemies.push(hex);
        } else {
            self.enemies.retain(|&other| other != hex);
        }
    }
}

/// Who stands where.
#[derive(Debug, Default)]
pub struct Situation {
    /// The tables and the units for which it holds.
    pin: Pin,
    edition: Option<Edition>,
    /// By unit its post, and the strength with which it was counted there.
    posts: Vec<(Post, u8)>,
    camps: BySide<Vec<Camp>>,
    sides: BySide<Outlook>,
}

impl Situation {
    /// Nobody stands anywhere.
    fn empty(rules: &Rules) -> Situation {
        let hexes = rules.ground.edges.len();
        let outlook = |_| Outlook {
            flags: vec![0; hexes],
            near: vec![[0; 2]; hexes],
            enemies: vec![],
        };
        Situation {
            pin: rules.pin.held(),
            edition: None,
            posts: vec![(Post::AWAY, 0); rules.cards.len()],
            camps: BySide::from_fn(|_| vec![Camp::default(); hexes]),
            sides: BySide::from_fn(outlook),
        }
    }

    /// Brings it up to date. Whoever fails on the way leaves one that holds for nobody and is begun anew.
    fn settle(&mut self, field: Field) {
        if self.edition.take().is_none() || !self.pin.is(&field.rules.pin) {
            *self = Situation::empty(field.rules);
        }
        for unit in (0..self.posts.len() as u16).map(UnitId) {
            let (was, is) = (self.posts[usize::from(unit.0)], Post::of(field, unit));
            if was.0 != is {
                let is = (is, field.sp(unit) as u8);
                self.posts[usize::from(unit.0)] = is;
                self.count(field.rules, unit, was, false);
                self.count(field.rules, unit, is, true);
            }
        }
        self.edition = Some(field.t.edition());
    }

    /// A unit comes to its post, or goes from it.
    fn count(&mut self, rules: &Rules, unit: UnitId, (post, sp): (Post, u8), comes: bool) {
        let (hex, side) = (post.hex(), rules.card(unit).side);
        let Some(camp) = self.camps[side].get_mut(hex.index()) else {
            return;
        };
        let before = *camp;
        let (sp, threat) = (u16::from(sp), u8::from(post.threatens()));
        *camp = if comes {
            Camp {
                units: before.units + 1,
                threats: before.threats + threat,
                sp: before.sp + sp,
            }
        } else {
            Camp {
                units: before.units - 1,
                threats: before.threats - threat,
                sp: before.sp - sp,
            }
        };
        let (held, counts) = (camp.units > 0, camp.threats > 0);
        let outlook = &mut self.sides[side.other()];
        if held != (before.units > 0) {
            outlook.held(hex, comes);
        }
        if counts != (before.threats > 0) {
            outlook.threatens(rules, hex, comes);
        }
    }

    /// What each hex is to a side: [`ENEMY`], [`NEAR`] and [`NEAR_TWO`].
    #[must_use]
    #[inline]
    pub fn flags(&self, side: Side) -> &[u8] {
        &self.sides[side].flags
    }

    /// The hexes that the enemy of a side holds, in no order that means anything.
    #[must_use]
    #[inline]
    pub fn enemies(&self, side: Side) -> &[HexId] {
        &self.sides[side].enemies
    }

    /// Whether so many strength points of a side are alone in a hex, or within a limit with others of it.
    #[must_use]
    #[inline]
    pub fn fits(&self, side: Side, hex: HexId, sp: i16, limit: i16) -> bool {
        let camp = &self.camps[side][hex.index()];
        camp.units == 0 || camp.sp as i16 + sp <= limit
    }
}

thread_local! {
    static SITUATION: RefCell<Situation> = RefCell::default();
}

/// Looks at who stands where.
pub fn look<R>(field: Field, then: impl FnOnce(&Situation) -> R) -> R {
    SITUATION.with(|kept| {
        let edition = Some(field.t.edition());
        if kept.borrow().edition != edition {
            kept.borrow_mut().settle(field);
        }
        then(&kept.borrow())
    })
}
