//! What a game of blocks remembers.

use bevy_ecs::prelude::{Component, Resource};
use cupola_kernel::{BySide, HexId, Side, Table, UnitId};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The boxes beside the map.
pub mod boxes {
    /// On the turn track.
    pub const TRACK: u8 = 0;
    /// Shattered for good (§9.12).
    pub const SHATTERED: u8 = 1;
    /// A division headquarters that is rebuilt in the next supply phase (§4.61).
    pub const FALLEN: u8 = 2;
    /// Left the map (§2.4).
    pub const OFF_BOARD: u8 = 3;
    /// Not in this scenario.
    pub const OUT: u8 = 4;
    /// Cavalry that fights beside the map (§10.0).
    pub const CAVALRY: u8 = 5;
    /// Names for people, by number.
    pub const NAMES: [&str; 6] = [
        "reinforcements",
        "shattered",
        "fallen",
        "off-board",
        "out",
        "cavalry",
    ];
}

/// What a block has done, as bits of [`Block::flags`].
pub mod flag {
    /// Face up: the opponent sees it.
    pub const UP: u16 = 1;
    /// Took half a hit (§5.24).
    pub const HALF: u16 = 2;
    /// A headquarters that was activated for command (§4.3).
    pub const ACTIVE: u16 = 4;
    /// Fired this turn (§6.1).
    pub const FIRED: u16 = 8;
    /// Moved, or stayed on purpose, this turn.
    pub const MOVED: u16 = 16;
    /// Under command (§4.3).
    pub const COMMANDED: u16 = 32;
    /// A headquarters that was activated for supply (§8.1).
    pub const SUPPLYING: u16 = 64;
    /// Got a step in this supply phase (§8.3).
    pub const SUPPLIED: u16 = 128;
    /// In column (§6.0, optional).
    pub const COLUMN: u16 = 256;
    /// What is forgotten when the next player turn begins.
    pub const TURN: u16 = ACTIVE | FIRED | MOVED | COMMANDED | SUPPLYING | SUPPLIED;
}

/// The condition of a block.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Its strength; only headquarters stand at zero (§7.5).
    pub steps: u8,
    /// What it has done.
    pub flags: u16,
    /// On the turn track: its turn.
    pub due: u16,
    /// On the turn track: its entry. In the cavalry box: its battle.
    pub way: u8,
    /// Off the board: the hex that it left by (§2.4).
    pub left: u16,
}

impl Block {
    /// Whether it has any of these flags.
    #[must_use]
    #[inline]
    pub fn has(&self, flags: u16) -> bool {
        self.flags & flags != 0
    }
}

/// All blocks by number, for loops that read many.
pub struct Army<'t>(Cow<'t, [Block]>);

/// All blocks by number: about as dear as reading two of them.
#[must_use]
#[inline]
pub fn army(t: &Table) -> Army<'_> {
    Army(t.column())
}

impl Army<'_> {
    /// One block.
    #[must_use]
    #[inline]
    pub fn of(&self, unit: UnitId) -> &Block {
        &self.0[usize::from(unit.0)]
    }

    /// Whether a block has any of these flags.
    #[must_use]
    #[inline]
    pub fn has(&self, unit: UnitId, flags: u16) -> bool {
        self.of(unit).has(flags)
    }

    /// The blocks that have any of these flags.
    pub fn with(&self, flags: u16) -> impl Iterator<Item = UnitId> + '_ {
        let all = self.0.iter().zip(0..);
        all.filter(move |(block, _)| block.has(flags))
            .map(|(_, number)| UnitId(number))
    }
}

/// Takes flags off all blocks.
pub fn forget(t: &mut Table, flags: u16) {
    t.change_all::<Block>(|block| block.flags &= !flags);
}

/// Nobody controls a hex.
pub const NEUTRAL: u8 = 2;

/// The map as the blocks make it: kept up to date by [`crate::field::put`].
#[derive(Resource, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hexes {
    /// Blocks per hex, by side.
    pub count: [Vec<u8>; 2],
    /// Neighbouring hexes that hold blocks of a side.
    pub near: [Vec<u8>; 2],
    /// Who controls a hex since the player turn began: 0, 1 or [`NEUTRAL`] (§6.6).
    pub control: Vec<u8>,
    /// Hexsides that were fired through, as bits by direction (§5.21).
    pub fired: Vec<u8>,
    /// How many crossed each hexside, two bits by direction (§6.62).
    pub crossed: Vec<u16>,
    /// Blocks over the limits of their hexes (§6.2).
    pub over: u8,
}

impl Hexes {
    /// A map of so many hexes on which nobody stands.
    #[must_use]
    pub fn empty(hexes: usize) -> Hexes {
        Hexes {
            count: [vec![0; hexes], vec![0; hexes]],
            near: [vec![0; hexes], vec![0; hexes]],
            control: vec![NEUTRAL; hexes],
            fired: vec![0; hexes],
            crossed: vec![0; hexes],
            over: 0,
        }
    }
}

impl Clone for Hexes {
    fn clone(&self) -> Hexes {
        let mut copy = Hexes::default();
        copy.clone_from(self);
        copy
    }

    /// Keeps its memory: those who look ahead copy a game a thousand times a second.
    fn clone_from(&mut self, other: &Hexes) {
        let Hexes {
            count,
            near,
            control,
            fired,
            crossed,
            over,
        } = other;
        self.count.clone_from(count);
        self.near.clone_from(near);
        self.control.clone_from(control);
        self.fired.clone_from(fired);
        self.crossed.clone_from(crossed);
        self.over = *over;
    }
}

/// Points on the board's margin.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Blocks that a side has lost (§9.12).
    pub lost: BySide<u8>,
    /// Whether anybody has rolled for initiative yet.
    pub begun: bool,
    /// Whether free deployment is over (§9.6).
    pub deployed: bool,
    /// The commission of who may stand in: 0 not sent, 1 sent, 2 declined (§4.6).
    pub sent: u8,
    /// The corps headquarters that he replaces.
    pub sent_for: Option<UnitId>,
}

/// A block that was chosen and whose task is asked for.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// The block.
    pub unit: Option<UnitId>,
    /// The entry by which it comes (§6.7).
    pub entry: Option<u8>,
    /// It has changed its formation and has half its points left (§6.0).
    pub formed: bool,
    /// Any block could have been chosen for it: to move, to change places.
    pub anyone: bool,
    /// The phase's own work is done; only overstacked blocks remain to be removed.
    pub closing: bool,
}

/// Hits that are still to be taken (§5.23).
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wounds {
    /// Where; nowhere in the cavalry battle beside the map.
    pub hex: Option<HexId>,
    /// By whom.
    pub side: Side,
    /// How many.
    pub left: u8,
    /// By long-range fire: the last hit repulses (§5.32).
    pub long: bool,
    /// Two hits cost a step (§5.24).
    pub double: bool,
    /// Everybody can see who is struck: melee.
    pub open: bool,
    /// A gun that was aimed at (§5.31).
    pub aimed: Option<UnitId>,
    /// A block that must fall back (§5.32).
    pub repulsed: Option<UnitId>,
}

impl Default for Wounds {
    fn default() -> Self {
        Wounds {
            hex: None,
            side: Side::First,
            left: 0,
            long: false,
            double: false,
            open: false,
            aimed: None,
            repulsed: None,
        }
    }
}

/// An attack into an enemy hex (§7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attack {
    /// Who.
    pub unit: UnitId,
    /// Where to.
    pub hex: HexId,
    /// From where; nowhere if it came onto the map that way (§6.7).
    pub from: Option<HexId>,
    /// Without command (§7.8).
    pub unsupported: bool,
}

/// The melees of a player turn.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Melees {
    /// Attacks that are not resolved yet, in the order in which they were made.
    pub attacks: Vec<Attack>,
    /// The melee at hand.
    pub hex: Option<HexId>,
    /// Its round, from 1.
    pub round: u8,
    /// The round in which the attacker must retreat (§7.2, §7.8).
    pub last: u8,
    /// Who has had a combat turn this round; when it is won, who has regrouped.
    pub acted: Vec<UnitId>,
    /// Hexsides by which somebody retreated this round, as bits (§7.7).
    pub used: u8,
    /// The side that regroups (§7.9).
    pub regroup: Option<Side>,
}

/// Where the supply phase stands.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supplies {
    /// The headquarters that supplies.
    pub hq: Option<UnitId>,
    /// Points that it, or the night, has left.
    pub points: u8,
    /// Night supply was handed out.
    pub night: bool,
}

/// By which entry each division comes (§6.7): headquarters and entry.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roads(pub Vec<(UnitId, u8)>);

/// One of the two battles of the cavalry beside the map (§10.0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clash {
    /// Not decided yet.
    #[default]
    Open,
    /// Nobody opposed the division: it rides on.
    Unopposed,
    /// Won by a side.
    Won(Side),
    /// Nobody won.
    Stalemate,
}

/// A block in the cavalry box that is in neither battle; else [`Block::way`] is the battle's number.
pub const NO_BATTLE: u8 = u8::MAX;

/// Where the cavalry battle stands (§10.0).
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ride {
    /// Absent brigades were rolled for.
    pub mustered: bool,
    /// The Union may still send a brigade to the division that lacks one.
    pub relief: bool,
    /// How many of the first side's blocks have their orders.
    pub ordered: u8,
    /// All orders are given.
    pub ready: bool,
    /// How each battle went.
    pub clashes: [Clash; 2],
    /// The battle at hand.
    pub battle: Option<u8>,
    /// Its round, from 1.
    pub round: u8,
    /// Who has had a combat turn this round.
    pub acted: Vec<UnitId>,
    /// A brigade that rides with another division, and that division's headquarters.
    pub attached: Option<(UnitId, UnitId)>,
}
