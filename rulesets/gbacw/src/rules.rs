//! Everything that a game reads and never changes.

use crate::files::{Activations, CloseAction, Home, Level, Mover, Weapon};
use crate::sight::Sight;
use crate::special::Special;
use crate::state::Wear;
use crate::steps::Steps;
use crate::victory::Victory;
use cupola_ground::{Board, HexId};
use cupola_kernel::{BySide, Side, TokenId, UnitId};

/// No brigade, no formation, no division.
pub const NONE: u16 = u16::MAX;

/// What a counter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Infantry.
    Foot,
    /// Cavalry.
    Horse,
    /// Foot artillery.
    Guns,
    /// Horse artillery.
    HorseGuns,
    /// A leader.
    Leader(Level),
}

/// A counter.
#[derive(Clone, Debug)]
pub struct Card {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
    /// Its strength, fresh.
    pub sp: u8,
    /// Its cohesion in good order and disordered.
    pub cohesion: [u8; 2],
    /// Its row of the range chart, on foot.
    pub weapon: Weapon,
    /// Its brigade; of a brigadier the brigade he commands.
    pub brigade: u16,
    /// Berdan's men (§9.4).
    pub sharpshooters: bool,
    /// The other part of a unit that may stand in an extended line (§12.2).
    pub twin: Option<UnitId>,
    /// Whether this is the second part.
    pub wing: bool,
    /// Leaders of its own chain (§7.14).
    pub chain: Vec<UnitId>,
    /// A leader's rating, and that of his replacement.
    pub rating: [i8; 2],
    /// Who takes a leader's place, if he has a name.
    pub replacement: Option<String>,
}

impl Card {
    /// Whether it is artillery.
    #[must_use]
    pub fn is_guns(&self) -> bool {
        matches!(self.kind, Kind::Guns | Kind::HorseGuns)
    }

    /// Whether it keeps its own losses (§7.55).
    #[must_use]
    pub fn counts_own(&self) -> bool {
        self.is_guns() || self.sharpshooters
    }

    /// Whether it is a leader.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        matches!(self.kind, Kind::Leader(_))
    }
}

/// A brigade or artillery brigade.
#[derive(Clone, Debug)]
pub struct Brigade {
    /// As the set-ups write it.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// Its units, those attached among them.
    pub units: Vec<UnitId>,
    /// Its brigadier, or who stands in for him.
    pub leader: Option<UnitId>,
    /// The formation whose marker activates it.
    pub formation: u16,
    /// Artillery is never ineffective (§7.65).
    pub guns: bool,
    /// Ineffective from the start and for good.
    pub wreck: bool,
    /// The turn on which it may move.
    pub released: u16,
    /// The turn from which on it may fire.
    pub fires: u16,
    /// Formations to which it may be attached (§9.22).
    pub attach: Vec<u16>,
    /// Brigades to which its batteries may be attached one by one (§4.28).
    pub hosts: Vec<u16>,
    /// How many of them a brigade may have; nought is any number.
    pub most: u8,
    /// They must be attached once they are free, and look to that brigade's leader alone (L4).
    pub bound: bool,
    /// It belongs to that division: another may be attached as well (§4.28).
    pub integral: bool,
    /// The leaders to whom its brigadier looks, if not the division's: one of them is enough.
    pub superiors: Vec<UnitId>,
    /// A turn on which its brigadier is out of command.
    pub astray: Option<u16>,
    /// Its token.
    pub token: TokenId,
}

/// An activation marker and whom it activates.
#[derive(Clone, Debug)]
pub struct Formation {
    /// Its name on the marker.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// The brigades it activates, or may: those that can be attached, or march, among them.
    pub brigades: Vec<u16>,
    /// Whether it moves those under March Orders (§4.14).
    pub march: bool,
    /// Whether it never becomes ineffective (R2).
    pub steadfast: bool,
    /// Activations of reinforcements on the turn they come, if not those of the tables.
    pub arrivals: Option<u8>,
    /// The division leader who moves with it.
    pub leader: Option<UnitId>,
    /// Whose draw of efficiency counts.
    pub draws: Option<u8>,
    /// The rating that counts for it, if not that of the command that draws.
    pub rating: Option<i8>,
    /// Numbers that are set outright, by turn.
    pub fixed: Vec<(u16, u8)>,
    /// The first turn on which it is in the cup.
    pub from: u16,
    /// Brigades with a number of their own, by turn.
    pub own: Vec<(u16, u16, u8)>,
    /// Whether brigadiers must be within the division leader's reach.
    pub traces: bool,
    /// Its token.
    pub token: TokenId,
}

/// A command that draws a marker of efficiency.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// What is added while the commander is not on the map.
    pub rating: i8,
    /// The commander.
    pub commander: Option<UnitId>,
}

/// Where a unit begins.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// On this hex.
    pub at: Option<HexId>,
    /// On one of these hexes, as its owner likes.
    pub near: Vec<HexId>,
    /// With one of these leaders; with any unit of his command if none is named.
    pub joins: Option<Vec<UnitId>>,
    /// With this facing; open if nothing is printed.
    pub facing: Option<crate::facing::Facing>,
    /// Disordered.
    pub disordered: bool,
    /// In the saddle.
    pub mounted: bool,
    /// Gone before the game begins.
    pub eliminated: bool,
    /// Guns lost before.
    pub lost: u8,
    /// When it comes, and by which gate.
    pub arrives: Option<(u16, u16)>,
    /// A leader on his replacement side.
    pub replaced: bool,
    /// The second part of a line that is not extended.
    pub folded: bool,
    /// Its owner may extend it when it is set up (§12.2).
    pub may_extend: bool,
}

/// A staging area, or several of which one may be chosen (§5.47).
#[derive(Clone, Debug)]
pub struct Gate {
    /// As the scenario names it.
    pub name: String,
    /// Who comes by it.
    pub side: Side,
    /// The hexes with the road: columns enter there.
    pub direct: Vec<HexId>,
    /// All hexes of entry.
    pub hexes: Vec<HexId>,
    /// Where else one may come on while the enemy is at the road.
    pub instead: Vec<HexId>,
    /// Whether columns may come by it.
    pub march: bool,
    /// Whether the hex of entry is paid for.
    pub toll: bool,
    /// Hexes that the enemy keeps out of until all have come.
    pub ward: Vec<HexId>,
    /// Combat units that come by it.
    pub units: Vec<UnitId>,
}

/// Where a road leaves the map (§5.19).
#[derive(Clone, Debug)]
pub struct Road {
    /// The hex.
    pub hex: HexId,
    /// Who may use it.
    pub sides: BySide<bool>,
    /// Where it leads.
    pub exits: Vec<Exit>,
}

/// Where one who left by a road may come on again.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    /// The hex.
    pub hex: HexId,
    /// How many hexes of road there are until there.
    pub roads: u16,
    /// How many hexes of trail.
    pub trails: u16,
}

impl Exit {
    /// The way until there in half points: columns go twice as fast on roads (§4.32).
    #[must_use]
    pub fn cost(&self, column: bool) -> u16 {
        let road = if column { 1 } else { 2 };
        road * self.roads + 2 * self.trails
    }
}

/// A bridge over a railroad cut (§5.18): a way from one side to the other that does not lead through the cut.
#[derive(Clone, Debug)]
pub struct Span {
    /// The hexes that it joins.
    pub ends: [HexId; 2],
    /// Hexes from which an enemy shuts it.
    pub guards: Vec<HexId>,
}

/// Numbers that the tables give.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named as in the files")]
pub struct Numbers {
    pub frontage: u8,
    pub always_fails: u8,
    pub leader: i8,
    pub ineffective: i8,
    pub leader_falls: u8,
    pub leader_taken: u8,
    pub retreat: u8,
    pub close_action: CloseAction,
    pub stack_sp: u8,
    pub stack_guns: u8,
    pub activations: Activations,
    pub night_sight: u32,
    pub night_guns: u32,
    pub react_reach: u32,
    pub react_turn: u8,
    pub approach: u32,
    pub abandon: u32,
    pub carried_off: u8,
    pub recrewed: u32,
    pub recover_near: u32,
    pub recover_apart: u32,
    pub isolated: u32,
    pub wary: u32,
    pub works_sp: u8,
    pub works_round_sp: u8,
    pub refuse_sp: u8,
    pub extended_beside: u8,
    pub works_within: u32,
    pub works_day: u8,
    pub works_night: u8,
    pub march_apart: u32,
    pub march_shy: u32,
    pub reserve_apart: u32,
    pub reserve_seen: u32,
    pub arrivals: u8,
    pub march_markers: u8,
    pub sharpshooters_reach: u32,
}

/// Allowances in half points.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "named as in the files")]
pub struct Allowances {
    pub foot: u8,
    pub horse: u8,
    pub guns: u8,
    pub horse_guns: u8,
    pub brigadier: u8,
    pub division: u8,
    pub commander: u8,
}

/// Command ranges in half points.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "named as in the files")]
pub struct Reaches {
    pub brigade: u8,
    pub artillery: u8,
    pub cavalry_brigade: u8,
    pub division: u8,
    pub cavalry_division: u8,
    pub corps: u8,
    pub army: u8,
}

/// Fire modifiers.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "named as in the files")]
pub struct Drms {
    pub disordered: i16,
    pub woods: i16,
    pub orchard: i16,
    pub town: i16,
    pub uphill: i16,
    pub downhill: i16,
    pub into_cut: i16,
    pub from_cut: i16,
    pub wall: i16,
    pub works: i16,
    pub captured_works: i16,
    pub flank: i16,
    pub rear: i16,
    pub charge: i16,
    pub twilight: i16,
    pub twilight_from: u32,
    pub night: i16,
    pub high_ground: i16,
    pub mounted_target: i16,
    pub marching_target: i16,
    pub lone_guns: i16,
    pub lone_sharpshooters: i16,
    pub horse_on_front: i16,
    pub horse_on_shaken: i16,
    pub horse_on_obstacle: i16,
    pub refused: i16,
    pub gallop: i16,
}

/// Optional rules and readings.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "named as in the files")]
pub struct Switches {
    pub leading_the_charge: bool,
    pub no_long_runs: bool,
    pub refused_lines: bool,
    pub mounted_charge: bool,
    pub extended_lines: bool,
    pub three_sided_works: bool,
    pub careful_marches: bool,
}

/// The rules of a game.
#[allow(missing_docs, reason = "what is not told by its name is")]
pub struct Rules {
    /// All counters: combat units first, then leaders.
    pub cards: Vec<Card>,
    /// How many of them are combat units.
    pub troops: u16,
    /// The combat units of each side.
    pub troops_of: BySide<Vec<UnitId>>,
    pub starts: Vec<Start>,
    pub brigades: Vec<Brigade>,
    /// Brigades as they begin.
    pub worn: Vec<Wear>,
    pub formations: Vec<Formation>,
    /// Ways onto the map.
    pub gates: Vec<Gate>,
    /// Roads off the map, by their ends.
    pub roads: Vec<Road>,
    /// Hexes at the edge of the scenario's map.
    pub border: Vec<HexId>,
    pub draws: Vec<Draw>,
    /// Efficiency pools: side, from which turn, how many 3E, 2E and 1E.
    pub pools: Vec<(Side, u16, [u8; 3])>,
    /// Who has the initiative outright, by turn.
    pub initiative: Vec<(u16, Side)>,
    /// Per hex: whether it is part of the map.
    pub field: Vec<bool>,
    /// Per hex: its thick black hexsides, across which hexes are not adjacent (§5.19), a bit each.
    pub parted: Vec<u8>,
    pub home: BySide<Home>,
    /// Bridges over railroad cuts.
    pub spans: Vec<Span>,
    /// What it costs to go from hex to hex.
    pub steps: Steps,
    pub sight: Sight,
    /// From this total on, this result; in ascending order.
    pub fire_table: Vec<(i16, u16)>,
    /// By weapon and range from one hex on.
    pub ranges: [Vec<i8>; 12],
    /// From this strength on, this modifier; in ascending order.
    pub strength: Vec<(u8, i8)>,
    pub numbers: Numbers,
    pub allowances: Allowances,
    pub reaches: Reaches,
    pub drms: Drms,
    /// Breastworks on the map: hex, hexsides.
    pub works: Vec<(HexId, u8)>,
    pub divisions: bool,
    /// Whether March Orders, Reserve Orders and an army commander's marker are given.
    pub march: bool,
    pub reserve: bool,
    pub favour: bool,
    /// The March markers.
    pub march_marker: BySide<Option<u16>>,
    pub first_turn: u16,
    /// The last turn on which columns trust only some roads (§12.7).
    pub wary_until: Option<u16>,
    pub specials: Vec<Box<dyn Special>>,
    pub victory: Victory,
    /// Per hex: which of the watched it is, from one; nought is none.
    pub watch: Vec<u8>,
    pub watched: Vec<HexId>,
    pub switches: Switches,
}

impl Rules {
    /// A counter.
    #[must_use]
    #[inline]
    pub fn card(&self, unit: UnitId) -> &Card {
        &self.cards[usize::from(unit.0)]
    }

    /// The hexes that are adjacent to one.
    #[inline]
    pub fn adjacent<'a>(
        &self,
        board: &'a Board,
        hex: HexId,
    ) -> impl Iterator<Item = HexId> + use<'a> {
        let parted = self.parted[hex.index()];
        let around = board.neighbours(hex);
        around
            .filter(move |(way, _)| parted >> way.index() & 1 == 0)
            .map(|(_, next)| next)
    }

    /// Whether a unit is a combat unit.
    #[must_use]
    #[inline]
    pub fn fights(&self, unit: UnitId) -> bool {
        unit.0 < self.troops
    }

    /// The modifier of a weapon at a range, if it reaches (§6.31).
    #[must_use]
    pub fn range(&self, weapon: Weapon, hexes: u32) -> Option<i16> {
        // Hurt has two Whitworths beside his rifles: the rifles count within twelve hexes (§2.4).
        let weapon = match weapon {
            Weapon::W if hexes <= 12 => Weapon::R,
            weapon => weapon,
        };
        let row = &self.ranges[weapon as usize];
        let at = (hexes as usize).checked_sub(1)?;
        row.get(at).map(|modifier| i16::from(*modifier))
    }

    /// The modifier of a strength (§6.32): the first row is for all who have less than the second wants.
    #[must_use]
    pub fn strength(&self, sp: u8) -> i16 {
        let rows = &self.strength;
        let found = rows.iter().rev().find(|(from, _)| *from <= sp);
        found
            .or(rows.first())
            .map_or(0, |(_, modifier)| i16::from(*modifier))
    }

    /// What a modified die comes to: 0 nothing, 1 checks, 2 hits, 3 hits and one more loss (§6.15).
    #[must_use]
    pub fn result(&self, total: i16) -> u16 {
        let mut lines = self.fire_table.iter().rev();
        lines
            .find(|(from, _)| *from <= total)
            .map_or(0, |(_, code)| *code)
    }

    /// A full allowance in half points (§5.12).
    #[must_use]
    pub fn allowance(&self, unit: UnitId, mounted: bool) -> u8 {
        match self.card(unit).kind {
            Kind::Foot => self.allowances.foot,
            Kind::Horse if mounted => self.allowances.horse,
            Kind::Horse => self.allowances.foot,
            Kind::Guns => self.allowances.guns,
            Kind::HorseGuns => self.allowances.horse_guns,
            Kind::Leader(Level::Brigade | Level::Artillery) => self.allowances.brigadier,
            Kind::Leader(Level::Division | Level::Cavalry) => self.allowances.division,
            Kind::Leader(_) => self.allowances.commander,
        }
    }

    /// As whom a unit pays for ground.
    #[must_use]
    pub fn mover(&self, unit: UnitId, mounted: bool) -> Mover {
        match self.card(unit).kind {
            Kind::Foot => Mover::Foot,
            Kind::Horse if mounted => Mover::Horse,
            Kind::Horse => Mover::Foot,
            Kind::Guns | Kind::HorseGuns => Mover::Guns,
            Kind::Leader(_) => Mover::Leader,
        }
    }

    /// How far a leader commands by day, in half points (§4.22).
    #[must_use]
    pub fn reach(&self, leader: UnitId) -> u8 {
        let card = self.card(leader);
        match card.kind {
            Kind::Leader(Level::Artillery) => self.reaches.artillery,
            Kind::Leader(Level::Brigade) => {
                let horse = self
                    .brigades
                    .get(usize::from(card.brigade))
                    .is_some_and(|b| {
                        b.units
                            .first()
                            .is_some_and(|&u| self.card(u).kind == Kind::Horse)
                    });
                if horse {
                    self.reaches.cavalry_brigade
                } else {
                    self.reaches.brigade
                }
            }
            Kind::Leader(Level::Division) => self.reaches.division,
            Kind::Leader(Level::Cavalry) => self.reaches.cavalry_division,
            Kind::Leader(Level::Corps) => self.reaches.corps,
            Kind::Leader(_) => self.reaches.army,
            _ => 0,
        }
    }
}
