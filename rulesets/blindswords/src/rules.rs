//! What a game reads and never changes: counters, formations, chits, tables, and the map in flat arrays.

use crate::ground::Ground;
use crate::tables::{Clash, Crt, Effect, Level};
use crate::units::Units;
use cupola_cup::Chit;
use cupola_kernel::{BySide, HexId, Side, TokenId, UnitId};
use cupola_kit::Pin;
use serde::{Deserialize, Serialize};

/// What a counter is (§A).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Infantry.
    Foot,
    /// Cavalry: mounted or dismounted, always battleworn.
    Horse,
    /// Artillery.
    Guns,
}

/// What a unit shoots with (§I-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// Muskets and carbines.
    Musket,
    /// Rifled guns.
    Rifled,
    /// Smoothbores.
    Smooth,
    /// Mixed guns.
    Mixed,
}

/// No brigade, division or corps.
pub const NOBODY: u8 = u8::MAX;

/// The faces of a counter.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
    /// What it shoots with.
    pub arm: Arm,
    /// Its brigade.
    pub brigade: u8,
    /// Its division, or [`NOBODY`] for corps artillery.
    pub division: u8,
    /// Its corps, or [`NOBODY`] for the cavalry.
    pub corps: u8,
    /// Strength, fresh and battleworn; of cavalry mounted and dismounted.
    pub sp: [i8; 2],
    /// Cohesion, likewise.
    pub cr: [i8; 2],
}

/// A brigade.
#[derive(Clone, Debug)]
pub struct Brigade {
    /// For people.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// Its counters.
    pub units: Units,
    /// Its division, or [`NOBODY`].
    pub division: u8,
    /// Its corps, or [`NOBODY`].
    pub corps: u8,
    /// It is a brigade of artillery.
    pub guns: bool,
}

/// A division.
#[derive(Clone, Debug)]
pub struct Division {
    /// Its two letters.
    pub code: String,
    /// Whose it is.
    pub side: Side,
    /// Its counters, artillery included.
    pub units: Units,
    /// Its corps, or [`NOBODY`].
    pub corps: u8,
    /// Other corps whose generals may activate it (§F-4), a bit each.
    pub shared: u32,
}

/// What a general commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// A corps.
    Corps(u8),
    /// A division.
    Division(u8),
}

/// What a chit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// An event.
    Event(Happening),
    /// A general; his replacement is another chit.
    General {
        /// What he commands.
        span: Span,
        /// His Command Rating, 0 poltroon to 4 superior.
        rating: i8,
        /// It is the replacement.
        replacement: bool,
    },
    /// Fog of War.
    Fog,
    /// Friction of War, first or second.
    Friction(u8),
}

/// An event (§F-1 and the player aids).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happening {
    /// Division Redeployment.
    Redeploy,
    /// Hot-headed Rebs.
    Hotheads,
    /// Hurrah! and For Dixie!
    Cheer,
    /// Inspired Leadership.
    Inspired,
    /// Rally 'Round the Flag!
    Flag,
    /// Rebel Fatigue and Union Fatigue.
    Fatigue,
    /// The Colonel is Down!
    Colonel,
    /// Vague Orders.
    Vague,
    /// A.N.V. Veterans.
    Veterans,
    /// Rebel Yell!
    Yell,
}

/// A chit.
#[derive(Clone, Debug)]
pub struct ChitCard {
    /// For people.
    pub name: String,
    /// Whose it is; nobody's is Fog and Friction.
    pub side: Option<Side>,
    /// What it is.
    pub meaning: Meaning,
    /// It may be kept for later.
    pub hold: bool,
    /// The turn from which it is in the game; none if an option brings it, or nothing does.
    pub enters: Option<u16>,
    /// The option that brings it.
    pub option: Option<u8>,
}

/// Where a unit is at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// On the map.
    Hex(HexId),
    /// Due on a turn.
    Due(u16),
    /// With an optional group.
    Option(u8),
    /// Not in this scenario.
    Out,
}

/// An optional group of reinforcements (§O).
#[derive(Clone, Debug)]
pub struct OptionalGroup {
    /// Its name in files.
    pub id: String,
    /// For people.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// Points it costs.
    pub points: i32,
    /// Its units.
    pub units: Units,
    /// The group that it follows, a turn later.
    pub after: Option<u8>,
    /// It comes without a roll once one of these has been on the map.
    pub seen: Option<Units>,
}

/// What a hexside costs and gives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edge {
    /// The hex behind it, if it is in play.
    pub to: Option<HexId>,
    /// Half points to enter the hex behind it off the road.
    pub cost: u8,
    /// Half points along a road through it, for few enough troops; 0 if there is none.
    pub road: u8,
    /// The assault shift for going through it.
    pub assault: i8,
}

/// A result of the Fog of War table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FogResult {
    /// A hex of this side is frozen.
    Chaos(Side),
    /// A unit of this side is moved.
    Wayward(Side),
    /// A chit of this side goes back.
    Fortunes(Side),
    /// A general of this side, by chit; some have none.
    Casualty(Side, Option<Chit>),
}

/// Who wins at the end.
#[derive(Clone, Debug)]
pub enum Victory {
    /// By points (§O).
    Points,
    /// By how many of these places are held.
    Hexes(Vec<usize>),
}

/// A place worth holding.
#[derive(Clone, Debug)]
pub struct Prize {
    /// For people.
    pub name: String,
    /// All of these, as indices into [`Rules::watched`].
    pub hexes: Vec<u8>,
    /// What it is worth.
    pub points: i32,
    /// Who holds it at the start.
    pub holder: Side,
}

/// How the commander comes who stands in for the one that fell (§O).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comes {
    /// By a roll from a turn on, once the first to fall is down.
    Roll(u16),
    /// On a turn.
    From(u16),
}

/// A commander who stands in for the one that fell, and has command rolled again (§O).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// His name in files, and of his track.
    pub id: String,
    /// For people.
    pub name: String,
    /// Whose he is.
    pub side: Side,
    /// When he comes.
    pub comes: Comes,
    /// The roll that is needed.
    pub needs: u8,
}

/// A line of the Fog of War table that several share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedLine {
    /// Whose line it is.
    pub general: Chit,
    /// Who share it.
    pub among: [Chit; 3],
    /// With any of these groups in the game.
    pub with: Vec<u8>,
}

/// Column shifts of fire.
#[derive(Clone, Copy, Debug)]
pub struct FireShifts {
    /// Target in woods.
    pub woods: i16,
    /// Target in town.
    pub town: i16,
    /// Over woods or town.
    pub over_cover: i16,
    /// Over units.
    pub over_units: i16,
    /// At long range.
    pub long: i16,
    /// Mixed guns beyond canister.
    pub mixed: i16,
    /// At dismounted cavalry.
    pub dismounted: i16,
    /// At mounted cavalry.
    pub mounted: i16,
    /// Under a Defend order.
    pub defend: i16,
    /// Canister of rifled and mixed guns.
    pub canister: i16,
    /// Canister of smoothbores.
    pub canister_smooth: i16,
}

/// Column shifts of assaults; those of hexsides are in [`Edge`].
#[derive(Clone, Copy, Debug)]
pub struct AssaultShifts {
    /// Defender in town.
    pub town: i16,
    /// Rebel Yell.
    pub yell: i16,
    /// From three hexes or more.
    pub flank: i16,
    /// At guns alone.
    pub guns: i16,
    /// 3:2, 2:1, 3:1.
    pub odds: [i16; 3],
}

/// Movement points, and what costs half points besides ground.
#[derive(Clone, Copy, Debug)]
pub struct Marching {
    /// Attack, on foot and mounted.
    pub attack: [u8; 2],
    /// Maneuver, on foot and mounted.
    pub maneuver: [u8; 2],
    /// Division Redeployment.
    pub redeploy: u8,
    /// Leaving a hex next to the enemy, in half points.
    pub disengage: u8,
    /// Leaving the map, in half points.
    pub exit: u8,
}

/// How much may stand in a hex.
#[derive(Clone, Copy, Debug)]
pub struct Stacking {
    /// Anywhere.
    pub open: i16,
    /// In town.
    pub town: i16,
    /// For the use of a road.
    pub road: i16,
    /// In a breakthrough.
    pub breakthrough: i16,
}

/// Readings of open rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Switches {
    /// Reinforcements stand on the entry hex without paying for it.
    pub entry_is_free: bool,
    /// A unit of the division in the same hex supports like one next to it.
    pub stacked_support: bool,
    /// A move that no order allows, by a default event or gone astray, may come next to the enemy.
    pub events_engage: bool,
    /// A hex that was or will be assaulted in a phase is not assaulted by those who break through (§K-1, §K-9).
    pub one_assault_per_hex: bool,
    /// In a close fight all are rated before anybody's result is applied (§K-7, §K-8).
    pub close_fight_at_once: bool,
    /// Players may try to bring the optional reinforcements.
    pub optional: bool,
}

impl Switches {
    /// The switches that a position may set, by name.
    pub const NAMES: [&'static str; 5] = [
        "entry_is_free",
        "stacked_support",
        "events_engage",
        "one_assault_per_hex",
        "close_fight_at_once",
    ];

    /// Sets one of [`Switches::NAMES`].
    pub fn set(&mut self, at: usize, on: bool) {
        let switch = match at {
            0 => &mut self.entry_is_free,
            1 => &mut self.stacked_support,
            2 => &mut self.events_engage,
            3 => &mut self.one_assault_per_hex,
            _ => &mut self.close_fight_at_once,
        };
        *switch = on;
    }
}

/// The tables of the player aids.
#[derive(Clone, Debug)]
pub struct Charts {
    /// Combat results.
    pub crt: Crt,
    /// Cohesion tests: by score from 1 to 12, then by test.
    pub cohesion: [[Effect; 6]; 12],
    /// The assault matrix: by the defender's test, then the attacker's.
    pub matrix: [[Clash; 6]; 6],
    /// Command: by rating, then by die.
    pub command: [[Level; 6]; 5],
    /// Effective and long range, by [`Arm`].
    pub ranges: [(u8, u8); 4],
    /// Shifts of fire.
    pub fire: FireShifts,
    /// Shifts of assaults.
    pub assault: AssaultShifts,
    /// Movement.
    pub march: Marching,
    /// Stacking.
    pub stacking: Stacking,
}

/// Everything.
#[derive(Clone)]
pub struct Rules {
    /// What tells these tables from others.
    pub pin: Pin,
    /// Counters by unit.
    pub cards: Vec<Card>,
    /// Where they begin.
    pub starts: Vec<Start>,
    /// By which hexes they enter.
    pub entries: Vec<Vec<HexId>>,
    /// All units of a side.
    pub sides: BySide<Units>,
    /// All artillery.
    pub guns: Units,
    /// Brigades.
    pub brigades: Vec<Brigade>,
    /// Divisions.
    pub divisions: Vec<Division>,
    /// Names of corps.
    pub corps: Vec<String>,
    /// Chits: events, generals, replacements, fog, friction.
    pub chits: Vec<ChitCard>,
    /// How many events come first in the list of chits.
    pub events: u8,
    /// The first general.
    pub generals: (u8, u8),
    /// The map in flat arrays.
    pub ground: Ground,
    /// What lies between two hexes.
    pub sight: crate::sight::Sight,
    /// The tables of the player aids.
    pub charts: Charts,
    /// The Fog of War table by `black * 6 + white`, from 0.
    pub fog: Vec<FogResult>,
    /// The line of a general that is shared out, two faces of a die each, once one of these groups is there.
    pub shared_line: Option<SharedLine>,
    /// Who falls first (§O).
    pub first_casualties: Option<BySide<Chit>>,
    /// Levels that Vague Orders take, by corps.
    pub vague: Vec<i8>,
    /// Optional groups.
    pub options: Vec<OptionalGroup>,
    /// From which turn on they may be tried for, and the roll that is needed.
    pub option_from: (u16, u8),
    /// Who stands in for the commander that fell, if the battle has such a man.
    pub stand_in: Option<StandIn>,
    /// Turns from which the friction chits are in the cup.
    pub friction: Vec<u16>,
    /// What share of its men a broken unit has lost, in thousandths.
    pub broken_lost: u16,
    /// Points for a strength point broken and for a brigade of which nobody is left (§O-a, §O-b).
    pub points: (i32, i32),
    /// Event chits chosen and drawn blindly each turn.
    pub picks: (u8, u8),
    /// Who begins the artillery phase.
    pub guns_begin: Side,
    /// Batteries that may not act in the first artillery phase.
    pub resting: Units,
    /// The first turn.
    pub first_turn: u16,
    /// Hexes whose holder is remembered.
    pub watched: Vec<HexId>,
    /// By hex: its index in `watched`, or [`NOBODY`].
    pub watch: Vec<u8>,
    /// Places worth holding.
    pub prizes: Vec<Prize>,
    /// Automatic victory: watched hexes and how many of them.
    pub automatic: Option<BySide<(Vec<u8>, usize)>>,
    /// Who wins at the end.
    pub victory: Victory,
    /// Readings.
    pub switches: Switches,
}

/// An order (§H).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Attack.
    Attack,
    /// Defend.
    Defend,
    /// Maneuver.
    Maneuver,
    /// None: an event, or artillery that only fires.
    None,
}

impl Order {
    /// The three that can be given.
    pub const ALL: [Order; 3] = [Order::Attack, Order::Defend, Order::Maneuver];

    /// For people.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["attack", "defend", "maneuver", "no order"][self as usize]
    }
}

impl Rules {
    /// A unit's counter.
    #[must_use]
    #[inline]
    pub fn card(&self, unit: UnitId) -> &Card {
        &self.cards[usize::from(unit.0)]
    }

    /// The distance of two hexes.
    #[must_use]
    #[inline]
    pub fn distance(&self, a: HexId, b: HexId) -> u8 {
        self.ground.distance[usize::from(a.0) * self.ground.edges.len() + usize::from(b.0)]
    }

    /// The hexes around a hex that are in play.
    #[inline]
    pub fn around(&self, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
        self.ground.edges[usize::from(hex.0)]
            .iter()
            .filter_map(|edge| edge.to)
    }

    /// The hexside from one hex to the next.
    #[must_use]
    pub fn edge(&self, from: HexId, to: HexId) -> Option<&Edge> {
        self.ground.edges[usize::from(from.0)]
            .iter()
            .find(|edge| edge.to == Some(to))
    }

    /// A chit.
    #[must_use]
    pub fn chit(&self, chit: Chit) -> &ChitCard {
        &self.chits[chit.index()]
    }

    /// The event of a chit.
    #[must_use]
    pub fn event(&self, chit: Chit) -> Option<Happening> {
        match self.chit(chit).meaning {
            Meaning::Event(event) => Some(event),
            _ => None,
        }
    }

    /// A chit as something a choice names.
    #[must_use]
    pub fn chit_token(&self, chit: Chit) -> TokenId {
        TokenId(u16::from(chit.0))
    }

    /// A brigade as something a choice names.
    #[must_use]
    pub fn brigade_token(&self, brigade: usize) -> TokenId {
        TokenId((self.chits.len() + brigade) as u16)
    }

    /// A division as something a choice names.
    #[must_use]
    pub fn division_token(&self, division: usize) -> TokenId {
        TokenId((self.chits.len() + self.brigades.len() + division) as u16)
    }

    /// An order as something a choice names.
    #[must_use]
    pub fn order_token(&self, order: Order) -> TokenId {
        TokenId(
            (self.chits.len() + self.brigades.len() + self.divisions.len() + order as usize) as u16,
        )
    }

    /// The chit that a choice names.
    #[must_use]
    pub fn chit_of(&self, token: TokenId) -> Option<Chit> {
        (usize::from(token.0) < self.chits.len()).then_some(Chit(token.0 as u8))
    }

    /// The brigade that a choice names.
    #[must_use]
    pub fn brigade_of(&self, token: TokenId) -> Option<usize> {
        usize::from(token.0)
            .checked_sub(self.chits.len())
            .filter(|&i| i < self.brigades.len())
    }

    /// The division that a choice names.
    #[must_use]
    pub fn division_of(&self, token: TokenId) -> Option<usize> {
        usize::from(token.0)
            .checked_sub(self.chits.len() + self.brigades.len())
            .filter(|&i| i < self.divisions.len())
    }

    /// The order that a choice names.
    #[must_use]
    pub fn order_of(&self, token: TokenId) -> Option<Order> {
        Order::ALL
            .into_iter()
            .find(|&order| self.order_token(order) == token)
    }
}
