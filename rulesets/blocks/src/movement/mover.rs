//! A block about to move, and what keeps it out of a hex.

use crate::field::rules;
use crate::rules::Rules;
use crate::state::{Block, Hexes, flag};
use cupola_kernel::{Check, HexId, Refusal, Side, Table, UnitId, forbid, rule};

/// A block about to move.
#[derive(Clone, Copy)]
pub struct Mover {
    /// Its side.
    pub side: Side,
    /// Off the road it pays double (§3.24).
    pub guns: bool,
    /// It is night (§9.72).
    pub night: bool,
    /// In line it uses no roads; nothing without the option (§6.0).
    pub formation: Option<bool>,
    /// The first hex out of the frontline ends its move (004 §6.62).
    pub held: bool,
    /// It keeps to the roads of night reinforcements, up to the town (§9.74).
    pub marches: bool,
}

impl Mover {
    /// This block, now.
    #[must_use]
    pub fn new(t: &Table, unit: UnitId) -> Mover {
        let rules = rules(t);
        let card = rules.card(unit);
        let switches = &rules.switches;
        Mover {
            side: card.side,
            guns: card.is_guns(),
            night: t.is_night(),
            formation: switches
                .column_and_line
                .then(|| t.get::<Block>(unit).has(flag::COLUMN)),
            held: switches.leaving_frontline_stops,
            marches: false,
        }
    }

    /// Whether it may use roads (§6.0).
    #[must_use]
    pub fn uses_roads(&self) -> bool {
        self.formation != Some(false)
    }

    /// What it pays for ground that costs so many points off the road (§3.24).
    #[must_use]
    #[inline]
    pub fn off_road(&self, cost: u8) -> u8 {
        if self.guns { 2 * cost } else { cost }
    }

    /// What it pays to leave or enter the map by a road of this cost; 0 is no road.
    #[must_use]
    pub fn rim_cost(&self, rules: &Rules, road: u8) -> u8 {
        let across = self.off_road(rules.clear);
        if road > 0 && self.uses_roads() {
            road.min(across)
        } else {
            across
        }
    }

    /// What keeps it from going from one hex through a hexside into another. The search and the
    /// explanation use this and its two halves alone.
    pub fn bar(&self, ground: &Ground, from: usize, direction: usize, to: usize) -> Bar {
        match self.bar_into(ground, to) {
            Bar::None if ground.used_up(from, direction, to) => Bar::Limit,
            bar => bar,
        }
    }

    /// What keeps it out of a hex, wherever it comes from.
    #[inline]
    pub fn bar_into(&self, ground: &Ground, to: usize) -> Bar {
        if ground.enemies[to] > 0 {
            return Bar::Enemies;
        }
        if ground.near[to] > 0 && self.night {
            return Bar::Night;
        }
        Bar::None
    }

    /// Columns and lines keep apart (§6.0).
    pub fn may_join(&self, t: &Table, field: &Hexes, to: usize) -> Check {
        let Some(column) = self.formation else {
            return Ok(());
        };
        if field.count[self.side as usize][to] == 0 {
            return Ok(());
        }
        forbid(column, rule!("6.0"), "a column shares its hex with nobody")?;
        let mut there = t.stacks().units(HexId(to as u16));
        forbid(
            there.any(|unit| t.get::<Block>(unit).has(flag::COLUMN)),
            rule!("6.0"),
            "a column stands there",
        )
    }
}

/// Why a block may not step into a hex from its neighbour, if it may not.
pub fn why_not_step(t: &Table, mover: &Mover, from: HexId, to: HexId) -> Check {
    let direction = rules(t).direction(from, to).unwrap_or(0);
    let field = t.res::<Hexes>();
    let ground = Ground::of(t, mover.side);
    let (from, to) = (usize::from(from.0), usize::from(to.0));
    let (cite, why) = match mover.bar(&ground, from, direction, to) {
        Bar::None => return mover.may_join(t, field, to),
        Bar::Enemies => (rule!("6.1"), "the hex holds enemies"),
        Bar::Night => (rule!("9.72"), "at night no block comes next to the enemy"),
        Bar::Limit => (rule!("6.62"), "two blocks have crossed that hexside"),
    };
    Err(Refusal::new(cite, why))
}

/// Whether two blocks have crossed a hexside of the frontline already (§6.62).
#[must_use]
pub fn used_up(t: &Table, side: Side, from: HexId, to: HexId) -> bool {
    let direction = rules(t).direction(from, to);
    direction.is_some_and(|d| Ground::of(t, side).used_up(from.index(), d, to.index()))
}

/// What keeps a block out of a hex.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bar {
    /// Nothing.
    None,
    /// Enemies in it.
    Enemies,
    /// Enemies next to it, at night.
    Night,
    /// Two blocks have crossed the hexside.
    Limit,
}

/// The field as one side's movers read it.
pub struct Ground<'a> {
    /// Enemies per hex.
    pub enemies: &'a [u8],
    /// Neighbours that hold enemies.
    pub near: &'a [u8],
    /// Crossings of hexsides.
    pub crossed: &'a [u16],
    /// Hexes of the map's edge.
    pub rim: &'a [bool],
}

impl<'a> Ground<'a> {
    /// As it is now.
    pub fn of(t: &Table, side: Side) -> Ground<'_> {
        Ground::new(rules(t), t.res(), side)
    }

    /// For those who have looked up the tables and the map.
    pub fn new(rules: &'a Rules, field: &'a Hexes, side: Side) -> Ground<'a> {
        let enemy = side.other() as usize;
        Ground {
            enemies: &field.count[enemy],
            near: &field.near[enemy],
            crossed: &field.crossed,
            rim: &rules.rim,
        }
    }

    /// Whether two blocks have gone through a hexside through which no more may go.
    #[inline]
    pub fn used_up(&self, from: usize, direction: usize, to: usize) -> bool {
        // Most have let nobody through.
        let crossed = self.crossed[from];
        crossed != 0 && crossed >> (2 * direction) & 3 >= 2 && self.limited(from, to)
    }

    /// Whether only two blocks may pass between two hexes: one of them is a frontline hex (§6.62) and does
    /// not lie on the map's edge (§6.7).
    fn limited(&self, from: usize, to: usize) -> bool {
        let front = |hex: usize| self.near[hex] > 0 && !self.rim[hex];
        front(from) || front(to)
    }
}
