//! The rules of a game as it is played: flat arrays, made once from its files.

use crate::files::{Entering, Leaving, RetreatZones, SideFeature};
use crate::sections::Section;
use cupola_ground::{Cover, Grade, HexId, Hexside, Rise};
use cupola_kernel::{BySide, Cite, Side, UnitId};
use cupola_kit::Around;
use std::collections::BTreeMap;

/// What a hexside that cannot be crossed costs.
pub const NEVER: u16 = u16::MAX;

/// The rules.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Sections of the game's own rulebook, by [`Section`].
    pub sections: Vec<&'static str>,
    /// The counters, by number.
    pub cards: Vec<Card>,
    /// Where each is when the game begins.
    pub starts: Vec<Start>,
    /// What hexsides cost, by kind of unit.
    pub hops: Vec<Vec<[Hop; 6]>>,
    /// What hexsides have, by hex and direction outward: a bit for each [`SideFeature`].
    pub sides: Vec<[u16; 6]>,
    /// Which hexes lie next to which.
    pub around: Around,
    /// Parts of a movement point.
    pub parts: u8,
    /// Whether a unit may always move one hex.
    pub one_hex_always: bool,
    /// Units that may stand in a hex.
    pub stacking: u8,
    /// Zones of control.
    pub zones: Option<Zones>,
    /// Shaken units.
    pub shaken: Shaken,
    /// Reinforcements: spread, and how much more when blocked.
    pub entries: Vec<Entry>,
    /// Fire.
    pub fire: Option<Fire>,
    /// Assault.
    pub assault: Option<Assault>,
    /// Rally: the die, and whether next to the enemy.
    pub rally: Option<(u8, bool)>,
    /// Supply.
    pub supply: Option<Supply>,
    /// Initiative.
    pub initiative: Option<Initiative>,
    /// Victory.
    pub victory: Victory,
    /// Share of its men that an eliminated unit has lost, in thousandths.
    pub lost_when_eliminated: u16,
    /// The last turn.
    pub last_turn: u16,
}

/// A counter.
#[derive(Clone, Debug)]
pub struct Card {
    /// Whose it is.
    pub side: Side,
    /// Its kind, a number into [`Rules::hops`].
    pub kind: u8,
    /// Strength at full steps.
    pub strength: u8,
    /// Movement points.
    pub movement: u8,
    /// Steps.
    pub steps: u8,
    /// Quality.
    pub quality: u8,
    /// Range of fire; 0 if it does not fire.
    pub range: u8,
    /// Whether it assaults.
    pub assaults: bool,
    /// Whether it advances.
    pub advances: bool,
    /// Whether it has a zone of control.
    pub zone: bool,
}

/// Where a unit is when the game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// On the map.
    Hex(HexId),
    /// It comes on a turn by an entry.
    Due(u16, u8),
    /// It is not in this scenario.
    Out,
}

/// A hexside as one kind of unit sees it, outward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The hex behind it, or nowhere.
    pub to: u16,
    /// What it costs, in parts of a point.
    pub cost: u16,
}

/// A way onto the map.
#[derive(Clone, Debug)]
pub struct Entry {
    /// As the scenario names it.
    pub name: String,
    /// The hexes by which units come, the nearest first.
    pub hexes: Vec<HexId>,
    /// Those that serve when all these are closed.
    pub beside: Vec<HexId>,
}

/// Zones of control.
#[derive(Clone, Copy, Debug)]
pub struct Zones {
    /// Coming into one.
    pub enter: Entering,
    /// Going out of one.
    pub leave: Leaving,
    /// Straight from one into another.
    pub hop: bool,
    /// Hexside features that they do not reach across.
    pub not_across: u16,
}

/// Shaken units.
#[derive(Clone, Copy, Debug)]
pub struct Shaken {
    /// Half strength.
    pub half_strength: bool,
    /// Half movement.
    pub half_movement: bool,
    /// They have zones of control.
    pub zone: bool,
    /// Steps lost when shaken again.
    pub again: u8,
}

/// What happens to one side of a fight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// All units are eliminated.
    pub eliminated: bool,
    /// Steps lost, in all.
    pub steps: u8,
    /// Every unit is shaken.
    pub shaken: bool,
    /// Every unit retreats so many hexes.
    pub retreat: u8,
}

/// Fire.
#[derive(Clone, Debug)]
pub struct Fire {
    /// So many points roll a die.
    pub per_die: u8,
    /// Never more dice.
    pub most: u8,
    /// Faces of the die.
    pub die: u8,
    /// What it must show, by range.
    pub hits_on: Vec<u8>,
    /// Added to the die by the target's cover.
    pub ground: BTreeMap<Cover, i8>,
    /// What nobody sees through.
    pub blocks_sight: Vec<Cover>,
    /// What so many hits do.
    pub effects: Vec<Fate>,
}

/// A result of the table.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Its letters.
    pub code: String,
    /// In words.
    pub text: String,
    /// What happens to the attackers.
    pub attacker: Fate,
    /// What happens to the defenders.
    pub defender: Fate,
}

/// A column of a table: what heads it, and results by number.
#[derive(Clone, Debug)]
pub struct Column<H> {
    /// What heads it.
    pub head: H,
    /// The number of the result for each face.
    pub rolls: Vec<u16>,
}

/// Assault.
#[derive(Clone, Debug)]
pub struct Assault {
    /// By odds, in ascending order.
    pub odds: Vec<Column<(u8, u8)>>,
    /// By difference, in ascending order without gaps.
    pub differential: Vec<Column<i8>>,
    /// For the defender's cover.
    pub ground: BTreeMap<Cover, i8>,
    /// For hexsides that all attackers cross.
    pub hexsides: BTreeMap<SideFeature, i8>,
    /// If a defender is shaken.
    pub shaken_defender: i8,
    /// The results.
    pub results: Vec<Effect>,
    /// Where the beaten go.
    pub retreat_zones: RetreatZones,
    /// Steps lost for a hex that cannot be retreated.
    pub trapped: u8,
}

/// Supply.
#[derive(Clone, Debug)]
pub struct Supply {
    /// How long a line may be.
    pub length: u16,
    /// Half strength when cut off.
    pub half_strength: bool,
    /// Half movement when cut off.
    pub half_movement: bool,
    /// Where each side's comes from.
    pub sources: BySide<Vec<HexId>>,
}

/// Initiative.
#[derive(Clone, Copy, Debug)]
pub struct Initiative {
    /// Faces of the die.
    pub die: u8,
    /// Added to it.
    pub bonus: BySide<i8>,
    /// Whether the winner chooses.
    pub chooses: bool,
}

/// Victory.
#[derive(Clone, Debug)]
pub struct Victory {
    /// For every enemy step lost.
    pub step: u8,
    /// For every enemy unit eliminated.
    pub unit: u8,
    /// Points ahead and what that is called, from the greatest down.
    pub levels: Vec<(u8, String)>,
    /// Points ahead that end the game at once.
    pub early: Option<u8>,
    /// What is worth holding.
    pub places: Vec<Prize>,
}

/// A place that is worth holding.
#[derive(Clone, Debug)]
pub struct Prize {
    /// What people call it.
    pub name: String,
    /// Where it is.
    pub hex: HexId,
    /// What it is worth.
    pub points: u8,
    /// Who holds it when the game begins.
    pub held: Option<Side>,
}

impl Rules {
    /// A unit's counter.
    #[must_use]
    #[inline]
    pub fn card(&self, unit: UnitId) -> &Card {
        &self.cards[usize::from(unit.0)]
    }

    /// The section of the game's own rulebook that a rule stands in.
    #[must_use]
    #[inline]
    pub fn section(&self, rule: Section) -> &'static str {
        self.sections[rule as usize]
    }

    /// Cites a rule by the section of the game's own rulebook.
    #[must_use]
    #[inline]
    pub fn cite(&self, rule: Section) -> Cite {
        Cite::new(self.section(rule))
    }

    /// What a hexside has, from one hex to the next.
    #[must_use]
    pub fn side_features(&self, from: HexId, to: HexId) -> u16 {
        let direction = self.around.direction(from, to);
        direction.map_or(0, |d| self.sides[usize::from(from.0)][d])
    }

    /// The hexes into which a zone of control reaches from a hex.
    #[inline]
    pub fn reaches(&self, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
        let not_across = self.zones.map_or(0, |zones| zones.not_across);
        let at = usize::from(hex.0);
        let next = self.around.all(hex).iter().zip(&self.sides[at]);
        let open =
            next.filter(move |(to, has)| **to != cupola_kit::NOWHERE && **has & not_across == 0);
        open.map(|(&to, _)| HexId(to))
    }
}

/// A feature as a bit.
#[must_use]
pub fn bit(feature: SideFeature) -> u16 {
    1 << feature as u16
}

/// The features of a hexside as bits, outward.
#[must_use]
pub fn features(side: &Hexside) -> u16 {
    let slope = match side.rise {
        Rise::Level => 0,
        Rise::Up(Grade::Gentle) => bit(SideFeature::UpGentle),
        Rise::Up(Grade::Steep) => bit(SideFeature::UpSteep),
        Rise::Down(Grade::Gentle) => bit(SideFeature::DownGentle),
        Rise::Down(Grade::Steep) => bit(SideFeature::DownSteep),
    };
    let water = [SideFeature::Brook, SideFeature::Run, SideFeature::Creek];
    let dry = side.crossing.is_some() || side.water.is_none();
    let water = water
        .into_iter()
        .find(|feature| !dry && feature.water() == side.water);
    let wall = if side.wall { bit(SideFeature::Wall) } else { 0 };
    let crest = if side.crest {
        bit(SideFeature::Crest)
    } else {
        0
    };
    slope | water.map_or(0, bit) | wall | crest
}
