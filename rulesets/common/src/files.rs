//! What the files of a game that is made of common parts may say. Every number stands with its origin.

use cupola_data::Sourced;
use cupola_ground::{Cover, RoadKind, WaterKind};
use serde::Deserialize;
use std::collections::BTreeMap;

/// `rules.ron`: the numbers of every part. A part that is not played needs none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesFile {
    /// Sections of the game's own rulebook, where they differ from those of `classic`.
    #[serde(default = "BTreeMap::new")]
    pub sections: BTreeMap<String, String>,
    /// How strong a unit is, unless its counter says so.
    pub strength: StrengthFile,
    /// What each kind of unit is, unless its counter says otherwise.
    pub kinds: BTreeMap<String, KindFile>,
    /// What it costs to move (§4.2).
    pub movement: MovementFile,
    /// How many units of one side may stand in a hex, 1 or more (§4.6).
    pub stacking: Sourced<u8>,
    /// Zones of control; left out, there are none.
    #[serde(default)]
    pub zones: Option<ZonesFile>,
    /// What being shaken does.
    pub shaken: ShakenFile,
    /// Where units come onto the map (§3). Needed where the phase is played that brings them.
    #[serde(default)]
    pub reinforcements: Option<ReinforcementsFile>,
    /// Fire at a distance: dice by strength (§5). Needed where a combat system fires.
    #[serde(default)]
    pub fire: Option<FireFile>,
    /// Attacks on the next hex: the table, what moves its columns, what its results mean (§6). Needed where a combat
    /// system assaults.
    #[serde(default)]
    pub assault: Option<AssaultFile>,
    /// How shaken units recover (§7.2). Needed where the phase `rally` is played.
    #[serde(default)]
    pub rally: Option<RallyFile>,
    /// What being cut off from supply does (§10). Needed where the phase `supply` is played.
    #[serde(default)]
    pub supply: Option<SupplyFile>,
    /// Who plays first in a turn (§9). Needed where the phase `initiative` is played.
    #[serde(default)]
    pub initiative: Option<InitiativeFile>,
    /// What losses are worth, and how many points ahead win (§8).
    pub victory: VictoryFile,
    /// What share of its men a unit has lost once it is eliminated, in thousandths; a step its part of that.
    pub lost_when_eliminated: Sourced<u16>,
}

/// How strong a unit is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrengthFile {
    /// So many men are a point.
    pub men: Sourced<u32>,
    /// So many guns are a point, in a unit of guns.
    pub guns: Sourced<u32>,
}

/// What a kind of unit is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindFile {
    /// Movement points a turn.
    pub movement: Sourced<u8>,
    /// Steps: so many losses take it off the map.
    pub steps: Sourced<u8>,
    /// What its rally die must not exceed.
    pub quality: Sourced<u8>,
    /// How far it fires, in hexes; left out, it does not.
    #[serde(default)]
    pub range: Option<Sourced<u8>>,
    /// Whether it may assault. Left out: true.
    #[serde(default = "yes")]
    pub assaults: bool,
    /// Whether it advances into a hex that an assault has emptied. Left out: true.
    #[serde(default = "yes")]
    pub advances: bool,
    /// Whether it has a zone of control. Left out: true.
    #[serde(default = "yes")]
    pub zone: bool,
}

fn yes() -> bool {
    true
}

fn one() -> u8 {
    1
}

/// A feature of a hexside that costs points or helps the defender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideFeature {
    /// A gentle slope up.
    UpGentle,
    /// A steep slope up.
    UpSteep,
    /// A gentle slope down.
    DownGentle,
    /// A steep slope down.
    DownSteep,
    /// A brook without bridge or ford.
    Brook,
    /// A run without bridge or ford.
    Run,
    /// A creek without bridge or ford.
    Creek,
    /// A wall.
    Wall,
    /// A crest.
    Crest,
}

impl SideFeature {
    /// The water that it is, if it is water.
    #[must_use]
    pub fn water(self) -> Option<WaterKind> {
        match self {
            SideFeature::Brook => Some(WaterKind::Brook),
            SideFeature::Run => Some(WaterKind::Run),
            SideFeature::Creek => Some(WaterKind::Creek),
            _ => None,
        }
    }

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SideFeature::UpGentle => "up a slope",
            SideFeature::UpSteep => "up a steep slope",
            SideFeature::DownGentle => "down a slope",
            SideFeature::DownSteep => "down a steep slope",
            SideFeature::Brook => "across a brook",
            SideFeature::Run => "across a run",
            SideFeature::Creek => "across a creek",
            SideFeature::Wall => "over a wall",
            SideFeature::Crest => "over a crest",
        }
    }
}

/// What hexes and hexsides cost.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovementFile {
    /// So many of the numbers below make a movement point: with 2 they are half points.
    #[serde(default = "one")]
    pub parts: u8,
    /// Into a hex with this cover; what is not listed costs a point.
    pub hexes: BTreeMap<Cover, Sourced<u8>>,
    /// Through a hexside, besides.
    #[serde(default = "BTreeMap::new")]
    pub hexsides: BTreeMap<SideFeature, Sourced<u8>>,
    /// Along a road, instead of all that.
    #[serde(default = "BTreeMap::new")]
    pub roads: BTreeMap<RoadKind, Sourced<u8>>,
    /// What kinds of units pay otherwise.
    #[serde(default = "BTreeMap::new")]
    pub kinds: BTreeMap<String, KindCostsFile>,
    /// Whether a unit may always move one hex, whatever it costs.
    pub one_hex_always: Sourced<bool>,
}

/// What one kind of units pays.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindCostsFile {
    /// Into a hex with this cover, instead of what others pay.
    #[serde(default = "BTreeMap::new")]
    pub hexes: BTreeMap<Cover, Sourced<u8>>,
    /// Through a hexside, instead of what others pay.
    #[serde(default = "BTreeMap::new")]
    pub hexsides: BTreeMap<SideFeature, Sourced<u8>>,
    /// Covers that it enters along a road only.
    #[serde(default)]
    pub closed: Vec<Cover>,
}

/// What it means to come next to the enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entering {
    /// Nothing.
    Free,
    /// The move ends there.
    Stops,
    /// It costs so much more.
    Costs(u8),
}

/// What it means to leave a hex next to the enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leaving {
    /// Nothing.
    Free,
    /// It costs so much more.
    Costs(u8),
    /// Who begins there does not move.
    Never,
}

/// Zones of control: the hexes next to a unit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZonesFile {
    /// What happens to a unit that comes into one.
    pub enter: Sourced<Entering>,
    /// What a unit pays that goes out of one.
    pub leave: Sourced<Leaving>,
    /// Whether a unit may go from one straight into another.
    pub hop: Sourced<bool>,
    /// Hexsides that they do not reach across.
    #[serde(default)]
    pub not_across: Vec<SideFeature>,
}

/// What being shaken does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShakenFile {
    /// Half strength, rounded up.
    pub half_strength: Sourced<bool>,
    /// Half movement, rounded up.
    pub half_movement: Sourced<bool>,
    /// Whether a shaken unit has a zone of control.
    pub zone: Sourced<bool>,
    /// Steps that a shaken unit loses when it is shaken again.
    pub again: Sourced<u8>,
}

/// Reinforcements.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReinforcementsFile {
    /// On the edge of the map within so many hexes of the entry.
    pub spread: Sourced<u8>,
    /// As many more where the enemy holds or fills all these.
    pub blocked: Sourced<u8>,
}

/// What happens to one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FateFile {
    /// All units are eliminated.
    pub eliminated: bool,
    /// Steps lost by all units together, as their owner shares them out.
    pub steps: u8,
    /// Every unit is shaken. Left out: false.
    pub shaken: bool,
    /// Every unit retreats so many hexes.
    pub retreat: u8,
}

/// Fire by dice for strength.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FireFile {
    /// So many points of strength roll a die.
    pub strength_per_die: Sourced<u8>,
    /// Never more dice than this.
    pub most_dice: Sourced<u8>,
    /// Faces of the die, such as 6.
    pub die: Sourced<u8>,
    /// What a die must show at each range: at one hex, at two, and so on; beyond the list as at its end.
    pub hits_on: Vec<Sourced<u8>>,
    /// Added to each die by what covers the target.
    #[serde(default = "BTreeMap::new")]
    pub ground: BTreeMap<Cover, Sourced<i8>>,
    /// Covers that nobody sees through.
    pub blocks_sight: Sourced<Vec<Cover>>,
    /// What so many hits do: one, two, and so on.
    pub effects: Vec<(FateFile, cupola_data::Origin)>,
}

/// One column of an odds-ratio table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OddsColumn {
    /// Attackers to defenders: `(3, 2)`.
    pub odds: (u8, u8),
    /// The results of the die, from 1 up, by their names in `results`.
    pub rolls: Vec<String>,
    /// Where they come from.
    pub origin: cupola_data::Origin,
}

/// One column of a differential table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifferentialColumn {
    /// Attackers less defenders.
    pub at: i8,
    /// The results of the die, from 1 up, by their names in `results`.
    pub rolls: Vec<String>,
    /// Where they come from.
    pub origin: cupola_data::Origin,
}

/// A result of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultFile {
    /// The result in words, as it is told at the table.
    pub text: String,
    /// What happens to the attackers.
    #[serde(default)]
    pub attacker: FateFile,
    /// What happens to the defenders.
    #[serde(default)]
    pub defender: FateFile,
    /// Where that comes from.
    pub origin: cupola_data::Origin,
}

/// Where retreating units may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetreatZones {
    /// Into zones of control as anywhere.
    Allowed,
    /// Only where a friend stands already.
    WithFriends,
    /// Never.
    Never,
}

/// Assault.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssaultFile {
    /// The table by odds, for the combat system `odds`.
    #[serde(default = "Vec::new")]
    pub odds: Vec<OddsColumn>,
    /// The table by difference, for the combat system `differential`.
    #[serde(default = "Vec::new")]
    pub differential: Vec<DifferentialColumn>,
    /// Columns to the left for what covers the defender; negative is good for him.
    #[serde(default = "BTreeMap::new")]
    pub ground: BTreeMap<Cover, Sourced<i8>>,
    /// The same for a hexside, if all attackers come across one like it.
    #[serde(default = "BTreeMap::new")]
    pub hexsides: BTreeMap<SideFeature, Sourced<i8>>,
    /// Columns for the attacker if any defender is shaken.
    pub shaken_defender: Sourced<i8>,
    /// What the results of the tables mean, by the names that the tables use.
    pub results: BTreeMap<String, ResultFile>,
    /// Whether the beaten may retreat into the enemy's zones of control.
    pub retreat_zones: Sourced<RetreatZones>,
    /// Steps that a unit loses for every hex that it cannot retreat.
    pub trapped: Sourced<u8>,
}

/// Rally.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RallyFile {
    /// Faces of the die; with 0 every unit rallies.
    pub die: Sourced<u8>,
    /// Whether units next to the enemy may rally.
    pub next_to_the_enemy: Sourced<bool>,
}

/// Supply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupplyFile {
    /// How long a line may be, in hexes.
    pub length: Sourced<u8>,
    /// Half strength when cut off.
    pub half_strength: Sourced<bool>,
    /// Half movement when cut off.
    pub half_movement: Sourced<bool>,
}

/// Initiative.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitiativeFile {
    /// Faces of the die that each side rolls.
    pub die: Sourced<u8>,
    /// What a side adds to its die, by its id. Left out: nothing.
    #[serde(default = "BTreeMap::new")]
    pub bonus: BTreeMap<String, Sourced<i8>>,
    /// Whether the winner chooses who plays first; else he does.
    pub chooses: Sourced<bool>,
}

/// Victory.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VictoryFile {
    /// Points for every step that the enemy has lost.
    pub step: Sourced<u8>,
    /// Points for every enemy unit that is eliminated, besides.
    pub unit: Sourced<u8>,
    /// So many points ahead, and the game is won so; from the greatest down.
    pub levels: Vec<(u8, String, cupola_data::Origin)>,
    /// So many points ahead at the end of a turn, and the game is over at once.
    #[serde(default)]
    pub early: Option<Sourced<u8>>,
}

/// The values of a counter; what is left out follows from its men and its kind.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Values {
    /// Strength at full steps. Left out: by its men or guns.
    pub strength: Option<Sourced<u8>>,
    /// Movement points a turn. Left out: as its kind.
    pub movement: Option<Sourced<u8>>,
    /// So many losses take it off the map. Left out: as its kind.
    pub steps: Option<Sourced<u8>>,
    /// What its rally die must not exceed. Left out: as its kind.
    pub quality: Option<Sourced<u8>>,
    /// How far it fires, in hexes. Left out: as its kind.
    pub range: Option<Sourced<u8>>,
}

/// A scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// Its name for people.
    #[serde(rename = "title")]
    pub _title: String,
    /// The battle whose map, counters and turns are used.
    #[serde(rename = "battle")]
    pub _battle: String,
    /// The first turn that is played, by its id in `turns.ron`.
    pub first: String,
    /// The last turn that is played, by its id in `turns.ron`.
    pub last: String,
    /// Who stands where when it begins: a hex or a place.
    pub start: BTreeMap<String, String>,
    /// Who comes when and where.
    #[serde(default = "Vec::new")]
    pub arrivals: Vec<ArrivalFile>,
    /// What is worth holding.
    pub places: Vec<PlaceFile>,
    /// Where each side's supply comes from: hexes, places or entries.
    #[serde(default = "BTreeMap::new")]
    pub supply: BTreeMap<String, Vec<String>>,
    /// Where all this comes from.
    pub origin: cupola_data::Origin,
}

/// A unit that comes later.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArrivalFile {
    /// The unit, by its id without the side.
    pub unit: String,
    /// The turn on which it comes, by its id in `turns.ron`.
    pub turn: String,
    /// A hex, a place or an entry.
    pub at: String,
}

/// A place that is worth holding.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceFile {
    /// A hex by its label, or a place by its id on the battlefield.
    pub at: String,
    /// What people call it; left out, as the map does.
    #[serde(default)]
    pub name: Option<String>,
    /// Points for whoever holds it at the end.
    pub points: Sourced<u8>,
    /// Who holds it when the battle begins; left out, nobody.
    #[serde(default)]
    pub held: Option<String>,
}
