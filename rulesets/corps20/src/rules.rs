//! What a game of corps20 reads and never changes: counters, tables, and the map in flat arrays.

use crate::crt::Crt;
use crate::state::Way;
use cupola_kernel::{BySide, HexId, Side, UnitId};
use cupola_kit::{Around, Landing};
use serde::{Deserialize, Serialize};

/// What a counter is (§2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Infantry.
    Infantry,
    /// Cavalry.
    Cavalry,
    /// Artillery.
    Artillery,
    /// A leader's marker: not a unit (§9.1).
    Leader,
}

/// The face of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// What it is.
    pub kind: Kind,
    /// Whose it is.
    pub side: Side,
    /// Combat strength.
    pub strength: i8,
    /// Quality; for leaders the command range.
    pub quality: i8,
    /// Movement allowance.
    pub movement: u8,
    /// The corps of the first side, 0 to 2, of a division or a corps leader.
    pub corps: Option<u8>,
}

/// Where a counter is at the start (§12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// On the map.
    Hex(HexId),
    /// On the turn track.
    Due(u16, Way),
    /// Not in this scenario.
    Out,
}

/// What happens when a card is drawn (§4); one side of one card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happening {
    /// All reinforcements of the next round come now.
    EarlyArrival,
    /// All reinforcements of this round come in the next.
    ReinforcementsDelayed,
    /// The unit of the roll (the die is split evenly) is halted or late.
    PoorLeadership(Vec<String>),
    /// The unit of the roll gains movement or strength, comes early, or rallies.
    GoodLeadership(Vec<String>),
    /// The same for every unit of a corps of the first side.
    GoodLeadershipOfCorps(u8),
    /// Units may not combine to attack.
    NoCombining,
    /// The opponent names a corps that is halted or late.
    CorpsHalted,
    /// The deck is shuffled.
    Quiet,
    /// Free reserves in one combat.
    FreeReserves,
    /// A forced march without fatigue.
    DoubleTime,
    /// Fatigued units out of contact may recover.
    Respite,
    /// Broken units may rally at once.
    ToTheColors,
    /// Corps artillery is late.
    AmmunitionShortage,
    /// The lower morale rises.
    BolsteredMorale,
    /// The higher morale falls.
    WaveringMorale,
    /// The opponent may move one of the units into contact.
    CommandersInitiative,
    /// A leader commands although he moved.
    FastCouriers,
    /// An enemy unit in contact tires.
    CommanderShot,
    /// Guns tire the enemies next to a unit.
    MassedBombardment,
}

impl Happening {
    /// What it does, in a sentence for the table.
    #[must_use]
    pub fn about(&self) -> &'static str {
        match self {
            Happening::EarlyArrival => "What you expect next round comes now.",
            Happening::ReinforcementsDelayed => "What you expect now comes next round.",
            Happening::PoorLeadership(_) => {
                "A corps may neither move nor commit reserves this turn; on the turn track it comes a round later."
            }
            Happening::GoodLeadership(_) | Happening::GoodLeadershipOfCorps(_) => {
                "+1 to movement or to strength this turn; on the turn track it comes a round earlier; broken it rallies."
            }
            Happening::NoCombining => "No two of your units may attack the same enemy this turn.",
            Happening::CorpsHalted => {
                "Your opponent names one of your corps: it may neither move nor commit reserves this turn; on the turn track it comes a round later."
            }
            Happening::Quiet => "All cards are shuffled, this one too.",
            Happening::FreeReserves => "Reserves cost no morale in one combat of this turn.",
            Happening::DoubleTime => "The first forced march of this turn does not tire.",
            Happening::Respite => {
                "Each of your fatigued units out of contact rolls: its quality or less takes a level of fatigue away."
            }
            Happening::ToTheColors => "Your broken units may rally at once.",
            Happening::AmmunitionShortage => {
                "Your corps artillery is away until next round; what is away already comes a round later."
            }
            Happening::BolsteredMorale => "The army with less morale gains a point.",
            Happening::WaveringMorale => "The army with more morale loses a point.",
            Happening::CommandersInitiative => {
                "By day your opponent may move one of your unrouted infantry units next to an enemy before you move."
            }
            Happening::FastCouriers => {
                "After movement a leader of yours who moved may command after all."
            }
            Happening::CommanderShot => {
                "Name an enemy unit next to one of yours: it tires, or if it was weary it is routed."
            }
            Happening::MassedBombardment => {
                "Before combat guns may tire all enemies next to one of your units: a division spends its corps artillery, an artillery reserve tires itself."
            }
        }
    }
}

/// An event card: one happening for each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventCard {
    /// Its number, which no other card has.
    pub number: u8,
    /// Its title and happening, by side.
    pub sides: BySide<(String, Happening)>,
}

/// One hexside as seen from one of its hexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The hex on the other side; none at the map's edge.
    pub to: Option<HexId>,
    /// What it costs to go there off the road, in half points (§5.3).
    pub cost: u8,
    /// A road or pike goes through (§5.3).
    pub road: bool,
    /// An attack through it is up slope, or across a ridge or creek (§7.5).
    pub helps_defender: bool,
}

/// What movement costs, in half points (§5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Into a plain hex.
    pub clear: u8,
    /// Along a road.
    pub road: u8,
    /// More for woods.
    pub woods: u8,
    /// More for a creek.
    pub creek: u8,
}

impl Costs {
    /// Into a plain hex, or into any by a road. A road is never worse than none.
    #[must_use]
    pub fn plain(&self, road: bool) -> u8 {
        if road {
            self.road.min(self.clear)
        } else {
            self.clear
        }
    }
}

/// What a search needs of a hexside, packed: see `movement::reach`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The hex on the other side, one past the last hex at the map's edge; and the hexsides of it that are of use to those
    /// who come through this one.
    pub landing: Landing,
    /// The cost in half points, and the cost next to the enemy, where roads do not help; at the map's edge more than anybody
    /// has.
    pub costs: [u8; 2],
}

/// Lines of communications, in one order throughout.
#[derive(Clone, Debug)]
pub struct Communications {
    /// Where each side's lines leave the map.
    pub hexes: BySide<Vec<HexId>>,
    /// The same as entries onto the map (§8.2).
    pub entries: BySide<Vec<Entry>>,
    /// How far every hex is from each of them.
    pub homes: BySide<Vec<Vec<u16>>>,
    /// Pikes that lead there (§8.3).
    pub pikes: Vec<Lifeline>,
}

/// A pike that leads to a line of communications (§8.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// Whose communications.
    pub side: Side,
    /// The line of communications.
    pub hex: HexId,
    /// Per hex: on or next to the pike.
    pub near: Vec<bool>,
}

/// A hex of the map's edge by which units come on (§5.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The hex.
    pub hex: HexId,
    /// A road or pike comes in here (§5.3).
    pub road: bool,
    /// What it costs to come in off the road, in half points.
    pub cost: u8,
}

/// An entry onto the map (§5.6), or a line of communications as one (§8.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// As on the counters: `CP`; a line of communications has a code of its own.
    pub code: String,
    /// The hex itself.
    pub gate: Gate,
    /// Map-edge hexes within three hexes, for when an enemy stands in the entry.
    pub beside: Vec<Gate>,
}

/// What share of its men a unit has lost, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Losses {
    /// Marked Routed.
    pub routed: u16,
    /// Broken.
    pub broken: u16,
    /// A cadre.
    pub cadre: u16,
    /// Out of the game.
    pub eliminated: u16,
}

/// Readings of open rules that players may set; see the chapter's rulings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Each defender attacked solely across helpful hexsides gets +1, not the fight once (§7.4 B, §7.5).
    pub terrain_per_defender: bool,
    /// Routed enemies pin and stop units as others do (§5.4, §7.12).
    pub routed_enemies_pin: bool,
    /// A leader who had to leave his hex lies face down (§9.1).
    pub displaced_leaders_face_down: bool,
}

impl Switches {
    /// Their names, as in `ruleset.ron`.
    pub const NAMES: [&str; 3] = [
        "terrain_per_defender",
        "routed_enemies_pin",
        "displaced_leaders_face_down",
    ];

    /// Sets the switch of a name.
    pub fn set(&mut self, name: &str, on: bool) {
        match name {
            "terrain_per_defender" => self.terrain_per_defender = on,
            "routed_enemies_pin" => self.routed_enemies_pin = on,
            "displaced_leaders_face_down" => self.displaced_leaders_face_down = on,
            _ => {}
        }
    }
}

/// Everything immutable.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Counters, units before leaders.
    pub cards: Vec<Card>,
    /// How many of them are units; the rest are leaders.
    pub units: u16,
    /// The units of each side.
    pub own: BySide<Vec<UnitId>>,
    /// The units and leaders of each side.
    pub all: BySide<Vec<UnitId>>,
    /// Where they start, and how tired.
    pub starts: Vec<(Start, u8)>,
    /// Rounds in which the markers come: the chief, then the artillery of the three corps.
    pub markers: [Option<u16>; 4],
    /// What the markers are called, where the battle has them.
    pub marker_names: [Option<String>; 4],
    /// What corps artillery adds to a fight, and how many rounds it is away then (§9.3).
    pub guns: (i8, u16),
    /// By how much the chief lengthens a leader's range (§9.2).
    pub chief: i8,
    /// What movement costs.
    pub costs: Costs,
    /// Hexsides, by hex and direction.
    pub edges: Vec<[Edge; 6]>,
    /// Which hexes lie next to which.
    pub around: Around,
    /// The same for the search, cheapest first: of units, then of leaders, who ignore terrain (§9.1).
    pub hops: [Vec<[Hop; 6]>; 2],
    /// Lines of communications.
    pub communications: Communications,
    /// Towns, the prize included (§8.2).
    pub towns: Vec<HexId>,
    /// The town that the armies fight for (§8.4).
    pub prize: Vec<HexId>,
    /// Entries.
    pub entries: Vec<Entry>,
    /// The results table.
    pub crt: Crt,
    /// The deck.
    pub deck: Vec<EventCard>,
    /// Rain by round: the highest roll that ends the game (§3.2).
    pub rain: Vec<(u16, u8)>,
    /// Army Morale at the start, and the end of the track.
    pub morale: (BySide<i8>, i8),
    /// What share of its men a unit has lost, by its condition.
    pub losses: Losses,
    /// Strength, quality and movement of a cadre of either side (§8.2).
    pub cadre: BySide<(i8, i8, u8)>,
    /// The first round of the scenario.
    pub first_round: u16,
    /// The next Dawn round after each round (§9.2).
    pub next_dawn: Vec<u16>,
    /// Readings.
    pub switches: Switches,
}

impl Rules {
    /// The face of a counter.
    #[must_use]
    pub fn card(&self, unit: UnitId) -> &Card {
        &self.cards[usize::from(unit.0)]
    }

    /// Whether a number belongs to a leader.
    #[must_use]
    pub fn is_leader(&self, unit: UnitId) -> bool {
        unit.0 >= self.units
    }

    /// All units of a side.
    pub fn units_of(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.own[side].iter().copied()
    }

    /// All leaders of a side.
    pub fn leaders_of(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        (self.units..self.cards.len() as u16)
            .map(UnitId)
            .filter(move |&unit| self.card(unit).side == side)
    }

    /// All units and leaders of a side.
    pub fn all_of(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.all[side].iter().copied()
    }

    /// The hexes next to a hex.
    pub fn around(&self, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
        self.around.of(hex)
    }

    /// How far a hex is from a line of communications of a side.
    #[must_use]
    pub fn home(&self, side: Side, line: usize, hex: HexId) -> u16 {
        self.communications.homes[side][line][usize::from(hex.0)]
    }

    /// Lines of communications of a side to which a step leads nearer, one bit each (§7.13).
    #[must_use]
    pub fn nearer(&self, side: Side, from: HexId, to: HexId) -> u32 {
        let homes = self.communications.homes[side].iter().enumerate();
        homes.fold(0, |bits, (line, home)| {
            let nearer = home[usize::from(to.0)] < home[usize::from(from.0)];
            bits | u32::from(nearer) << line
        })
    }

    /// The hexside from a hex to its neighbour.
    #[must_use]
    pub fn edge(&self, from: HexId, to: HexId) -> Option<&Edge> {
        let direction = self.around.direction(from, to)?;
        Some(&self.edges[usize::from(from.0)][direction])
    }
}
