//! What a game remembers.
//!
//! What lasts is in [`Status`], what is forgotten when an activation ends in [`Deed`]; both are components, one of
//! each a unit, and read as columns. Everything that happens is on a stack of [`Frame`]s: a retreat inside a
//! volley inside an activation inside the draw of a marker. The frame on top asks or acts; what it sets off goes on
//! top of it.

use crate::facing::{Arc, Facing};
use bevy_ecs::prelude::{Component, Resource};
use cupola_kernel::{BySide, HexId, Place, Side, UnitId};
use serde::{Deserialize, Serialize};

/// The boxes beside the map.
pub mod boxes {
    /// Not here yet.
    pub const AWAITED: u8 = 0;
    /// Routed: may recover (§8.2).
    pub const ROUTED: u8 = 1;
    /// Eliminated.
    pub const ELIMINATED: u8 = 2;
    /// A leader who fell and is not replaced yet (§7.73).
    pub const FALLEN: u8 = 3;
    /// Withdrawn from the game.
    pub const WITHDRAWN: u8 = 4;
    /// On a road off the map (§5.19).
    pub const ROAD: u8 = 5;
    /// The second part of a line that is not extended (§12.2).
    pub const FOLDED: u8 = 6;
    /// Prisoners (§5.18): eliminated for all that the rules ask.
    pub const SURRENDERED: u8 = 7;
    /// Names for people, by number.
    pub const NAMES: [&str; 8] = [
        "awaited",
        "routed",
        "eliminated",
        "fallen",
        "withdrawn",
        "off-map road",
        "in line",
        "surrendered",
    ];
}

/// Whether who is there is lost to its side: routed, eliminated or taken.
#[must_use]
pub fn is_lost(place: Place) -> bool {
    matches!(
        place,
        Place::Box(boxes::ROUTED | boxes::ELIMINATED | boxes::SURRENDERED)
    )
}

/// What lasts of a unit.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Where it looks.
    pub facing: Facing,
    /// On its disordered side.
    pub disordered: bool,
    /// Cavalry in the saddle.
    pub mounted: bool,
    /// Guns whose crews have run (§9.3).
    pub abandoned: bool,
    /// Guns or sharpshooters lost (§7.55).
    pub lost: u8,
    /// How often a leader was replaced (§7.74).
    pub replaced: u8,
    /// The road off the map that it took, from one; nought is none (§5.19).
    pub road: u8,
    /// Half points it has gone on it.
    pub gone: u8,
    /// The flank it refuses (§12.1): nought is none, one the left, two the right.
    pub refused: u8,
    /// When it came to the left and the right of its front: first to the wall (§5.18).
    pub since: [u32; 2],
}

impl Status {
    /// The flank hexside that counts as front, if one is refused (§12.1); disorder ends it.
    #[must_use]
    pub fn refused_side(&self) -> Option<u8> {
        let flank = match self.refused {
            1 => 3,
            2 => 0,
            _ => return None,
        };
        (!self.disordered).then_some((flank + self.facing.index()) % 6)
    }

    /// Whether a hexside is one of its front.
    #[must_use]
    pub fn fronts(&self, side: u8) -> bool {
        self.facing.fronts(side) || self.refused_side() == Some(side)
    }

    /// What a hexside is to it (§5.32).
    #[must_use]
    pub fn arc(&self, side: u8) -> Arc {
        if self.refused_side() == Some(side) {
            Arc::Front
        } else {
            self.facing.arc(side)
        }
    }
}

/// What a unit did or suffered in this activation.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deed(pub u32);

impl Deed {
    /// It acted: moved, turned, rallied or was left where it is.
    pub const ACTED: u32 = 1;
    /// It moved to another hex.
    pub const MOVED: u32 = 1 << 1;
    /// It turned more than one corner where it stood, and cannot fire (§5.34).
    pub const WHEELED: u32 = 1 << 2;
    /// It tried to rally.
    pub const RALLIED: u32 = 1 << 3;
    /// It fired as a phasing unit, or in return (§6.13).
    pub const FIRED: u32 = 1 << 4;
    /// It charged (§5.15).
    pub const CHARGED: u32 = 1 << 5;
    /// It was charged.
    pub const MET: u32 = 1 << 6;
    /// It was charged over breastworks only.
    pub const SHELTERED: u32 = 1 << 7;
    /// It came next to an enemy (§9.25).
    pub const CLOSED: u32 = 1 << 8;
    /// Its brigade attacks and it is in command (§5.14).
    pub const ATTACKS: u32 = 1 << 9;
    /// It is out of its brigadier's reach (§4.25).
    pub const ASTRAY: u32 = 1 << 10;
    /// The fire that is being applied hit it.
    pub const HIT: u32 = 1 << 11;
    /// It is falling back.
    pub const FLEES: u32 = 1 << 12;
    /// It fell back.
    pub const FLED: u32 = 1 << 13;
    /// It reacted (§5.51).
    pub const REACTED: u32 = 1 << 14;
    /// It had its retreat check, or its advance.
    pub const TESTED: u32 = 1 << 15;
    /// It charges at the gallop (§12.5).
    pub const GALLOPS: u32 = 1 << 16;
    /// It has advanced into the hex it charged, and may ride on (§7.4).
    pub const RIDES_ON: u32 = 1 << 17;
    /// It charged or was charged, and somebody who met there was not in the saddle (§7.53).
    pub const AFOOT: u32 = 1 << 18;

    /// Whether any of these is so.
    #[must_use]
    #[inline]
    pub const fn any(self, bits: u32) -> bool {
        self.0 & bits != 0
    }
}

/// Orders of a brigade (§4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// None.
    #[default]
    None,
    /// Under March Orders.
    March,
    /// In reserve.
    Reserve,
}

/// A brigade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wear {
    /// SP Losses on its track (§7.51).
    pub losses: u8,
    /// Combat Ineffective (§7.61).
    pub ineffective: bool,
    /// Activations it may still have this turn (§4.13).
    pub uses: u8,
    /// Its orders.
    pub order: Order,
    /// Its brigadier is within reach of his superior (§4.24).
    pub commanded: bool,
    /// It has charged in this game.
    pub charged: bool,
    /// It was caught marching in this activation (§4.33).
    pub caught: bool,
    /// The turn on which it was set free before its time.
    pub freed: Option<u16>,
    /// The formation that its guns are attached to (§9.22).
    pub with: Option<u16>,
}

/// All brigades.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brigades(pub Vec<Wear>);

/// Batteries that act with a brigade that is not theirs, each by itself (§4.28).
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guests(pub Vec<(UnitId, u16)>);

/// The cup (§4.12).
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cup {
    /// Markers in it, by formation.
    pub left: Vec<u8>,
    /// Who has the initiative.
    pub initiative: Option<Side>,
    /// Who had it in the turn before.
    pub before: Option<Side>,
    /// Who was last activated, and how often in a row.
    pub run: Option<(Side, u8)>,
    /// Markers played this turn.
    pub played: u8,
    /// Markers of efficiency drawn this turn, by command; nought is none.
    pub efficiency: Vec<u8>,
    /// After how many markers a withheld one was offered last.
    pub offered: u8,
    /// Formations that an army commander gave a marker more this turn (§4.42).
    pub favoured: Vec<u16>,
}

/// One fire that was declared (§6.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    /// Who fires.
    pub unit: UnitId,
    /// From where.
    pub from: HexId,
    /// Whither.
    pub at: HexId,
    /// Whether it is Return Fire.
    pub back: bool,
    /// Whether it was rolled for, or lost.
    pub done: bool,
}

/// The activation under way.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activation {
    /// Whose.
    pub side: Option<Side>,
    /// The formation.
    pub formation: u16,
    /// Brigades of the formation that have acted, or were passed over, a bit each.
    pub done: u128,
    /// Units with a [`Deed`].
    pub touched: Vec<UnitId>,
    /// Fires declared.
    pub shots: Vec<Shot>,
    /// Units that can fire, found when fires are declared.
    pub ready: Vec<UnitId>,
    /// The way of a move under way.
    pub path: Vec<HexId>,
    /// Where it began; nowhere for reinforcements.
    pub start: Option<HexId>,
    /// Reinforcements that came on before in this activation, by hex (§5.41).
    pub queue: Vec<(HexId, u8)>,
    /// Losses of close action are counted.
    pub counted: bool,
}

/// Breastworks in a hex (§10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Where.
    pub hex: HexId,
    /// The hexsides they cover, a bit each.
    pub sides: u8,
    /// Who built them.
    pub side: Side,
    /// Turns until they are ready.
    pub wants: u8,
}

/// The ground as the game has changed it.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Land {
    /// Breastworks.
    pub works: Vec<Work>,
    /// Watched hexes that the second side holds, a bit each.
    pub held: u128,
    /// Watched hexes that somebody has been in, a bit each.
    pub claimed: u128,
    /// Prizes that were paid out, a bit for each and side.
    pub paid: u128,
    /// Points that prizes have paid by the turn.
    pub scored: BySide<i32>,
    /// Counts arrivals: who was first to a wall.
    pub clock: u32,
    /// Hexes from which a surprise was fired (R5).
    pub spent: Vec<HexId>,
    /// What special rules remember, a word each.
    pub notes: Vec<u64>,
    /// Gates by which somebody is still to come, a bit each (§5.47).
    pub pending: u64,
    /// About whom the staff is asked: brigades, each with what may be ordered (§4.31, §9.22), hexes to dig in (§10.13),
    /// routed units that may recover (§8.2).
    pub staff: Vec<(u16, u8)>,
    /// Leaders lost last turn: their formations have a marker less (§7.73), a bit each.
    pub leaderless: u64,
}

impl Land {
    /// Breastworks in a hex that are ready.
    #[must_use]
    pub fn works_at(&self, hex: HexId) -> Option<&Work> {
        self.works
            .iter()
            .find(|work| work.hex == hex && work.wants == 0)
    }
}

/// One thing under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Frame {
    /// Facings that no set-up prints are chosen (§13.12).
    Deploy(Side),
    /// One of those who may begin elsewhere does (§13.11).
    Shift(UnitId),
    /// What the staff of a side may order is looked at: attachments first, then orders, then breastworks.
    Muster(Side, u8),
    /// Artillery may be attached (§9.22).
    Attach(Side),
    /// Orders may be given (§4.31).
    Orders(Side),
    /// Leaders out of command are noted (§4.24).
    Mark,
    /// Breastworks may be begun (§10.13).
    Dig(Side),
    /// An army commander gives a division a marker more (§4.42).
    Favour(Side),
    /// The cup is filled (§4.12).
    Fill,
    /// A side plays a marker of its choice (§4.12).
    Open(Side),
    /// A side may play a marker that it withholds, of this formation.
    Interrupt(Side, u16),
    /// Markers are drawn until the cup is empty.
    Draw,
    /// A marker that was drawn waits until somebody else has acted.
    Held(u16),
    /// A special rule, by its number, lets a brigade act before this marker.
    Ahead(u8, u16),
    /// Brigades of the formation act in the owner's order (§4.13).
    Brigades,
    /// A brigade, or a wing of it, takes a posture (§5.14).
    Posture(u16, u8),
    /// Units of a brigade act.
    Units(u16),
    /// A unit acts: half points spent so far, whether it has mounted or dismounted.
    Act(UnitId, u8, bool),
    /// A unit walks along its path, from this place of it on; half points it costs.
    Walk(UnitId, u8, u8),
    /// A unit that has moved faces somewhere: the hexside by which it came, half points left.
    Face(UnitId, u8, u8),
    /// A unit has completed its move.
    Arrived(UnitId),
    /// The other side may react to it (§5.5).
    React(UnitId),
    /// A unit withdraws before another.
    Withdraw(UnitId, UnitId),
    /// It goes along its path, from this place of it on; whether the ground disorders it.
    Retire(UnitId, u8, bool),
    /// Approach Fire (§9.25).
    Approach,
    /// Fires are declared (§6.12).
    Declare,
    /// A unit picks its target.
    Aim(UnitId),
    /// Return Fires are declared (§6.16).
    Return,
    /// A unit picks whom it answers.
    Answer(UnitId),
    /// Fires are rolled and applied in the phasing player's order (§6.17).
    Resolve,
    /// A result for a hex, by fire from another (or nobody's): 1 checks, 2 hits, 3 hits and a loss more.
    Suffer(HexId, u16, Option<HexId>),
    /// Who pays for what happened in a hex, so many losses, where two brigades were hit (§7.23).
    Pays(HexId, u8),
    /// What follows once a hex has paid.
    Recoil(HexId, Option<HexId>),
    /// Units fall back from this hex: hexes still to go, away from here, whether they were harried.
    Retreat(HexId, u8, Option<HexId>, bool),
    /// Retreat checks (§7.34): first of those who were charged, then of those who charged.
    Hold(u8),
    /// Those who charged may advance (§7.4).
    Advance,
    /// One of them chooses where.
    AdvanceTo(UnitId),
    /// Losses of close action, then routs (§7.5).
    Attrition,
    /// A brigade loses a unit of its owner's choice.
    Rout(u16),
    /// The activation is over.
    Over,
    /// Commanders of a side move (§2.23).
    Commanders(Side),
    /// A fallen leader is replaced, with somebody of his command (§7.74).
    Replace(UnitId),
    /// Routed units of a side are looked at.
    Routed(Side),
    /// Routed units of a side may recover (§8.2).
    Recover(Side),
    /// One of them comes back.
    ComeBack(UnitId),
    /// A special rule asks or acts: its place among the scenario's, and how far it has come.
    Rule(u8, u8),
}

/// What is under way.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// The frames, the one that acts last.
    pub frames: Vec<Frame>,
}
