//! What a game of blocks reads and never changes: blocks, tables, and the map in flat arrays.

use crate::leeway::Leeways;
use cupola_kernel::{BySide, HexId, Side, UnitId};
use cupola_kit::{HexSet, Landing};
use std::sync::Arc;

pub use cupola_kit::NOWHERE;

/// What a block is (§3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Infantry (§3.22).
    Infantry,
    /// Cavalry (§3.23).
    Cavalry,
    /// Artillery (§3.24).
    Artillery,
    /// Horse artillery (§3.25).
    HorseArtillery,
    /// A headquarters (§3.21).
    Hq(Level),
}

/// What a headquarters commands (§4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The army (§4.23).
    Army,
    /// A corps (§4.22).
    Corps,
    /// A division (§4.21).
    Division,
    /// The guns (§4.24).
    Artillery,
    /// The cavalry (§4.25).
    Cavalry,
}

/// The label of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// What it is.
    pub kind: Kind,
    /// Whose it is.
    pub side: Side,
    /// Steps when fresh.
    pub max: u8,
    /// Morale: 0 is A, 3 is D (§3.12).
    pub letter: u8,
    /// Firepower at one hex.
    pub fire: i8,
    /// Firepower of guns at two and three hexes.
    pub long: i8,
    /// Firepower in melee, before all else.
    pub melee: i8,
    /// Movement points (§3.13).
    pub moves: u8,
    /// Command range and supply value of a headquarters (§4.5, §8.2).
    pub range: u8,
    /// The headquarters that commands it: of its division, its corps or the guns.
    pub hq: Option<UnitId>,
    /// The headquarters of its corps.
    pub corps: Option<UnitId>,
    /// A corps asset (§4.4).
    pub asset: bool,
    /// Fights without command (§3.31).
    pub free: bool,
}

impl Card {
    /// Whether it is a headquarters.
    #[must_use]
    pub fn is_hq(&self) -> bool {
        matches!(self.kind, Kind::Hq(_))
    }

    /// Whether it is artillery of either sort.
    #[must_use]
    pub fn is_guns(&self) -> bool {
        matches!(self.kind, Kind::Artillery | Kind::HorseArtillery)
    }

    /// Whether it makes others fire and attack: headquarters of divisions, guns and cavalry (§4.3).
    #[must_use]
    pub fn commands(&self) -> bool {
        matches!(
            self.kind,
            Kind::Hq(Level::Division | Level::Artillery | Level::Cavalry)
        )
    }

    /// Whether it may attack into a melee (§7.4, §7.5).
    #[must_use]
    pub fn may_attack(&self) -> bool {
        matches!(
            self.kind,
            Kind::Infantry | Kind::Cavalry | Kind::HorseArtillery
        )
    }
}

/// Where a block is at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// On the map, with so many steps.
    At(HexId, u8),
    /// On the turn track: turn and entry.
    Due(u16, u8),
    /// Shattered before the scenario begins.
    Shattered,
    /// Waits for the cavalry battle (§10.0).
    Cavalry,
    /// Not in this scenario.
    Out,
}

/// Kinds of hexside terrain, as bits of [`Edge::terrain`], in the order of the table.
pub mod terrain {
    /// Names as in `tables.ron`, by bit.
    pub const NAMES: [&str; 8] = [
        "woods", "orchard", "marsh", "town", "river", "stream", "ridge", "hill",
    ];
    /// Woods.
    pub const WOODS: u8 = 1;
    /// Orchard.
    pub const ORCHARD: u8 = 2;
    /// Marsh.
    pub const MARSH: u8 = 4;
    /// Town.
    pub const TOWN: u8 = 8;
    /// A river.
    pub const RIVER: u8 = 16;
    /// A stream.
    pub const STREAM: u8 = 32;
    /// Up a ridge.
    pub const RIDGE: u8 = 64;
    /// Up a hill.
    pub const HILL: u8 = 128;
}

/// What one kind of hexside terrain does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Movement points added.
    pub moves: u8,
    /// Added to firepower at one hex.
    pub fire: i8,
    /// Added to the attacker's firepower in the first round of a melee.
    pub melee: i8,
}

/// One hexside as seen from one of its hexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The hex on the other side, or [`NOWHERE`].
    pub to: u16,
    /// Movement points off the road (§6.4).
    pub cost: u8,
    /// Movement points by the road, or 0 without one (§6.5).
    pub road: u8,
    /// Added to firepower at one hex (§5.22).
    pub fire: i8,
    /// Added to the attacker's firepower in round one (§7.3).
    pub melee: i8,
    /// What stands there, as bits.
    pub terrain: u8,
}

/// A step that costs what the hexside costs, whoever takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainStep {
    /// To this hex, or [`NOWHERE`]; and the steps from there that are of use to those who come by this one.
    pub landing: Landing,
    /// Movement points, by the road if that is cheaper.
    pub cost: u16,
}

/// An entry road (§6.7). Entries stand in order around the map: the one before and the one after are
/// the adjacent ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// As counters name it: `L1`, `taneytown`.
    pub code: String,
    /// The road's name.
    pub name: String,
    /// The map-edge hex.
    pub hex: HexId,
    /// Movement points for the first hex.
    pub cost: u8,
    /// Map-edge hexes next to it, for when an enemy stands there.
    pub beside: Vec<HexId>,
}

/// A hex in which two roads meet that are not joined (§2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Junction {
    /// Which.
    pub hex: HexId,
    /// The hexsides of each road, as bits by direction.
    pub roads: [u8; 2],
}

/// What is no hex of any map: that of a junction or a goal which the battle does not have.
pub const NO_HEX: HexId = HexId(u16::MAX);

impl Junction {
    /// Of a map on which all roads that meet are joined.
    pub const NONE: Junction = Junction {
        hex: NO_HEX,
        roads: [0; 2],
    };
}

/// Readings of open rules and optional rules that players may set; see the chapter's rulings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// The first side always plays first (§1.1, sidebar).
    pub fixed_initiative: bool,
    /// Column and line (§6.0, sidebar).
    pub column_and_line: bool,
    /// Free deployment (§9.6).
    pub free_deployment: bool,
    /// The cavalry battle (§10.0).
    pub cavalry_battle: bool,
    /// With it, the division that leaves never comes onto the map (000 §10.0).
    pub leavers_kept_off: bool,
    /// Somebody may be sent for a fallen corps commander (§4.6, sidebar).
    pub deputy_sent: bool,
    /// Blocks begin as 004 has them where it differs (004 Day 2).
    pub starts_of_004: bool,
    /// Terrain as high as both ends hides what is behind it (§5.33, sidebar).
    pub equal_height_blocks: bool,
    /// Woods and roofs on the hexsides of firer and target hide too (§5.33).
    pub hexsides_beside_block: bool,
    /// A block that leaves a frontline hex stops in the next hex (004 §6.62).
    pub leaving_frontline_stops: bool,
    /// A repulsed block falls back to a hex that is friendly now, not when the turn began (004 §6.6).
    pub repulse_by_position: bool,
    /// Blocks may end a move in a full hex; who is over the limit when the phase ends is lost (§6.2).
    pub transient_overstacking: bool,
    /// Promoted commanders fire corps assets as other division headquarters do (§4.4, §4.61).
    pub promoted_command_assets: bool,
    /// Promoted commanders fire the guns of the reserve, as any Union division does (§4.24, sidebar).
    pub promoted_fire_reserve: bool,
    /// A brigade that stands in a fallen chief's place gives supply (§4.61, sidebar: Hampton).
    pub brigades_supply: bool,
    /// Reinforcements may come beside their entry though nobody closes it (§6.7).
    pub entry_spreads: bool,
    /// Scenarios that end with a night are judged before it (§9.1).
    pub verdict_before_night: bool,
}

/// One of the two battles of the cavalry (§10.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Battle {
    /// The Union division at stake.
    pub hq: UnitId,
    /// By which entry a side comes if it wins.
    pub roads: BySide<u8>,
}

/// The cavalry battle beside the map (§10.0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CavalryPlan {
    /// The hour in which both sides deploy for it.
    pub muster: u16,
    /// The hour in which it is fought, and in which divisions come that nobody opposes.
    pub fight: u16,
    /// The hour in which winners come.
    pub arrive: u16,
    /// The two battles.
    pub battles: Vec<Battle>,
    /// Brigades that were not there, each with the lowest roll that brings it.
    pub absent: Vec<(UnitId, u8)>,
    /// If this one does not come …
    pub missing: UnitId,
    /// … this one may ride …
    pub relief: UnitId,
    /// … with that division.
    pub relieved: UnitId,
    /// A brigade and the division that it rides with.
    pub lent: (UnitId, UnitId),
    /// The division that is taken off the map.
    pub leaves: UnitId,
    /// When it is.
    pub leaves_on: u16,
}

impl CavalryPlan {
    /// Of a battle in which the cavalry fights nowhere else.
    pub(crate) fn none() -> CavalryPlan {
        let (never, nobody) = (u16::MAX, UnitId(u16::MAX));
        CavalryPlan {
            muster: never,
            fight: never,
            arrive: never,
            battles: vec![],
            absent: vec![],
            missing: nobody,
            relief: nobody,
            relieved: nobody,
            lent: (nobody, nobody),
            leaves: nobody,
            leaves_on: never,
        }
    }
}

/// How victory points become a verdict (§9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The first side wins with at least so many.
    pub first_wins: i16,
    /// The second side wins with fewer than so many.
    pub second_wins: i16,
}

/// Supply and reinforcements of the night.
#[derive(Debug)]
pub struct Night {
    /// Supply points (§8.4).
    pub points: BySide<u8>,
    /// How far reinforcements may go along their road (§9.74).
    pub goal: HexId,
    /// Their entries, by number (§9.74).
    pub entries: Vec<u8>,
    /// Hexes on those roads.
    pub road: Vec<bool>,
}

/// Everything immutable.
#[derive(Debug)]
pub struct Rules {
    /// Labels, blocks before headquarters.
    pub cards: Vec<Card>,
    /// Where they start.
    pub starts: Vec<Start>,
    /// The blocks of each side, by number.
    pub own: BySide<Vec<UnitId>>,
    /// The artillery of both sides, by number.
    pub guns: Vec<UnitId>,
    /// The headquarters of each side, by number.
    pub headquarters: BySide<Vec<UnitId>>,
    /// Those of them that command fire.
    pub commanders: BySide<Vec<UnitId>>,
    /// The army headquarters.
    pub army: BySide<UnitId>,
    /// Corps headquarters by seniority (§4.6).
    pub seniority: BySide<Vec<UnitId>>,
    /// Per corps headquarters: its division headquarters, the senior one first (§4.61).
    pub successors: Vec<(UnitId, Vec<UnitId>)>,
    /// Who may be sent for a fallen corps commander, and the entry by which he comes (§4.6).
    pub stand_in: Option<(UnitId, u8)>,
    /// Hexsides, by hex and direction.
    pub edges: Arc<[[Edge; 6]]>,
    /// Plain steps by class, hex and direction: on foot or horseback and guns, both with roads and without.
    pub steps: [Vec<[PlainStep; 6]>; 4],
    /// What the cheapest step out of a hex costs, by the same classes and hex.
    pub least: [Vec<u16>; 4],
    /// Where blocks can go while no enemy is near.
    pub leeways: Leeways,
    /// Hexes from which all steps are plain: not that of the two roads, and not beside it.
    pub plain: Vec<bool>,
    /// Stacking limits, by hex (§6.2).
    pub limit: Vec<u8>,
    /// Hexes of double defence (§5.24).
    pub double: Vec<bool>,
    /// Hexes on the map's edge.
    pub rim: Vec<bool>,
    /// The same as a set.
    pub edge: HexSet,
    /// Movement points by the road that leaves the map in a hex, or 0 without one (§2.4).
    pub exits: Vec<u8>,
    /// Movement points for a clear hexside (§2.2).
    pub clear: u8,
    /// Command range of a brigade that acts for a fallen chief (§4.61).
    pub acting_range: u8,
    /// Cones of fire, by hex and direction (§5.31).
    pub cones: Vec<[[u16; 7]; 6]>,
    /// Which hexes of a cone can be seen, as bits (§5.33).
    pub sight: Vec<[u8; 6]>,
    /// Terrain effects by bit.
    pub effects: [Effect; 8],
    /// Entries around the map.
    pub entries: Vec<Entry>,
    /// Where to change between two roads costs one point more (§2.2).
    pub junction: Junction,
    /// Victory hexes: name, hex, points (§9.11).
    pub victory: Vec<(String, HexId, i16)>,
    /// Where supply comes from at night (§8.4).
    pub source: BySide<HexId>,
    /// What comes by night.
    pub night: Night,
    /// The scale of this scenario.
    pub scale: Scale,
    /// The last hour of each day that is judged on the way (§9.5).
    pub judged: Vec<u16>,
    /// Whether blocks that left the map come back at night (§2.4).
    pub returns: bool,
    /// The last turn of the scenario.
    pub last_turn: u16,
    /// The cavalry battle (§10.0).
    pub cavalry: CavalryPlan,
    /// Readings.
    pub switches: Switches,
}

impl Rules {
    /// The label of a block.
    #[must_use]
    #[inline]
    pub fn card(&self, unit: UnitId) -> &Card {
        &self.cards[usize::from(unit.0)]
    }

    /// The hexsides of a hex.
    #[must_use]
    #[inline]
    pub fn around(&self, hex: HexId) -> &[Edge; 6] {
        &self.edges[usize::from(hex.0)]
    }

    /// The direction from a hex to its neighbour.
    #[must_use]
    pub fn direction(&self, from: HexId, to: HexId) -> Option<usize> {
        self.around(from).iter().position(|edge| edge.to == to.0)
    }
}
