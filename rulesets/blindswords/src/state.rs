//! What a game remembers.
//!
//! Everything that happens is on a stack of [`Frame`]s: a fire inside a move inside an activation inside
//! the draw of a chit. The frame on top asks or acts; what it sets off goes on top of it. So any decision
//! can open inside any other, and a save in the middle of a firefight is nothing special.

use crate::rules::Order;
use crate::tables::{Effect, Level};
use crate::units::Units;
use bevy_ecs::prelude::{Component, Resource};
use cupola_cup::{Chit, Cup, HoldsCup};
use cupola_kernel::{HexId, Side, UnitId};
use serde::{Deserialize, Serialize};

/// The boxes beside the map.
pub mod boxes {
    /// On the turn track.
    pub const TRACK: u8 = 0;
    /// Off the map, ready to come on.
    pub const ENTRY: u8 = 1;
    /// Broken.
    pub const BROKEN: u8 = 2;
    /// Not in this game.
    pub const OUT: u8 = 3;
    /// Names for people, by number.
    pub const NAMES: [&str; 4] = ["turn track", "off map", "broken", "out of the game"];
}

/// The condition of a unit.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// On its battleworn side; of no meaning for cavalry.
    pub worn: bool,
    /// Marked Shaken.
    pub shaken: bool,
    /// Cavalry in the saddle.
    pub mounted: bool,
    /// Hurrah! or For Dixie! lies on it.
    pub cheered: bool,
    /// It charges with the Rebel Yell.
    pub yelling: bool,
    /// Battlefield Chaos (§F-2).
    pub frozen: bool,
    /// Breakthroughs in this activation (§K-9).
    pub broke_through: u8,
    /// The only hex by which it may come back (§J-3-d), or where it must enter after a delay.
    pub gate: Option<HexId>,
    /// The turn on which it found its entry held by the enemy: from the next on it comes beside it (§J-3-e).
    pub barred: Option<u16>,
}

/// The chits.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chits {
    /// Where they are.
    pub cup: Cup,
    /// Event chits that their owners chose for the cup this turn, a bit each.
    pub chosen: u64,
    /// Chits that were shown this turn, a bit each.
    pub shown: u64,
    /// A Friction chit was drawn: the next chit suffers (§F-3).
    pub friction: bool,
    /// Chits that fortune put back into the cup unseen (§F-2).
    pub returned: Vec<Returned>,
}

/// A chit that went back into the cup unseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Returned {
    /// Which it is.
    pub chit: Chit,
    /// Which it could have been, a bit each.
    pub among: u64,
    /// Sides that have looked through what was left since, a bit each.
    pub known: u8,
}

impl Chits {
    /// Puts one chit in the place of another, wherever it is.
    pub fn replace(&mut self, was: Chit, by: Chit) {
        self.cup.replace(was, by);
        for returned in &mut self.returned {
            if returned.chit == was {
                returned.chit = by;
            }
            if returned.among >> was.0 & 1 == 1 {
                returned.among = returned.among & !(1 << was.0) | 1 << by.0;
            }
        }
    }
}

impl HoldsCup for Chits {
    fn cup(&self) -> &Cup {
        &self.cup
    }
    fn cup_mut(&mut self) -> &mut Cup {
        &mut self.cup
    }
}

/// Everything else.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Affairs {
    /// Watched hexes that the second side holds, a bit each.
    pub control: u64,
    /// Whether a side has had its first casualty roll.
    pub fallen: [bool; 2],
    /// When the commander fell whom somebody stands in for.
    pub fell: Option<u16>,
    /// Who stands in for him commands.
    pub stand_in: bool,
    /// Rolls for him that failed.
    pub waited: u8,
    /// The turns on which optional groups came.
    pub came: [Option<u16>; 4],
}

impl Affairs {
    /// The side that holds a watched hex.
    #[must_use]
    pub fn holder(&self, watch: u8) -> Side {
        if self.control >> watch & 1 == 1 {
            Side::Second
        } else {
            Side::First
        }
    }
}

/// How a unit or group moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct March {
    /// Who chooses where it goes.
    pub by: Side,
    /// Its order.
    pub order: Order,
    /// Movement points, where the order does not say.
    pub points: Option<u8>,
    /// Points lost to fatigue.
    pub less: u8,
    /// A single hex, whatever it costs.
    pub one: bool,
}

/// An assault that was declared (§K-1, §K-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// The assault hex.
    pub from: HexId,
    /// The defending hex.
    pub target: HexId,
    /// Units that attack from the assault hex.
    pub main: Units,
    /// Units that support from other hexes.
    pub support: Units,
}

/// An assault under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assault {
    /// The assault hex.
    pub from: HexId,
    /// The defending hex.
    pub target: HexId,
    /// Units that attack from the assault hex.
    pub main: Units,
    /// Units that support.
    pub support: Units,
    /// Cavalry that will not withdraw.
    pub stands: Units,
    /// How far it is.
    pub stage: Stage,
    /// Units that broke through.
    pub through: Units,
}

/// How far an assault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Cavalry may withdraw (§K-3).
    Withdraw,
    /// The dice (§K-7).
    Roll,
    /// Attackers may break through (§K-9).
    Through,
    /// Those who did may attack again.
    Again,
}

/// A general about to give orders (§F-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commanding {
    /// Whose he is.
    pub side: Side,
    /// His chit.
    pub chit: Chit,
    /// His rating as it now stands.
    pub rating: i8,
    /// The opponent was asked about Vague Orders.
    pub asked: bool,
    /// The die is 1 (§F-3).
    pub friction: bool,
    /// The die as it stands, and whether it stands for good; nought is to be rolled again.
    pub die: Option<(u8, bool)>,
}

/// One thing under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Frame {
    /// The dice lie on the table and may be rolled again; so many rolls were made.
    Shown(u8),
    /// A side may try for optional reinforcements (§O).
    Optional(u8),
    /// The roll for them.
    OptionalRoll(u8),
    /// The roll for who stands in (§O).
    StandIn,
    /// A side chooses event chits, so many still (§D-1).
    Select(Side, u8),
    /// The artillery phase: whose turn, and the brigades that have had theirs (§E).
    Guns(Side, u128),
    /// An artillery brigade acts: these units still.
    Battery(Side, Units),
    /// What one of them does.
    Gun(Side, UnitId),
    /// Chits are drawn until the cup is empty (§F).
    Draw,
    /// A side may play held chits before a draw.
    Hold(Side),
    /// Held chits at the end of the turn, and how many sides passed in a row (§M-1).
    LastHolds(Side, u8),
    /// A side has drawn an event (§F-1).
    Event(Side, Chit),
    /// A side picks the unit of a default event: to fire, or to move.
    Default(Side, bool),
    /// A general's chit was drawn (§F-4).
    Command(Commanding),
    /// What the general activates.
    Formation(Side, Chit, Level),
    /// Brigades that are still to get orders of their own.
    Brigades(Side, Units),
    /// An order is to be given.
    Orders(Side, Units),
    /// The opponent of a side may tire the units that got this order.
    Fatigue(Side, Units, Order),
    /// Dice for it.
    FatigueRoll(Side, Units, Order),
    /// Stragglers: so many still, of these units.
    Stragglers(Units, u8),
    /// An activation: units, order, points lost, next step (§G).
    Activation(Side, Units, Order, u8, u8),
    /// Units that may still fire (§G-2).
    FireStep(Side, Units, Order),
    /// A unit looks for a target; `true` if it may still change its mind.
    Aim(Side, UnitId, Order, bool),
    /// Others in the hex may join: those who fire, those who may.
    Volley {
        /// Who fires already.
        firers: Units,
        /// Who may join.
        may: Units,
        /// At what.
        target: HexId,
        /// Under which order.
        order: Order,
    },
    /// A fire combat (§I).
    Fire {
        /// Who fires.
        firers: Units,
        /// Who is tested.
        targets: Units,
        /// From where.
        from: HexId,
        /// Whither.
        at: HexId,
        /// Who of them is under a Defend order.
        steady: Units,
    },
    /// A result for a unit, by an enemy in this hex; units hit with it (§I-6-d).
    Suffer(UnitId, Effect, HexId, Units),
    /// What is left of it once the hit was applied.
    Flee(UnitId, Effect, HexId, Units),
    /// A unit may fire back at these (§I-6-d, FF).
    Firefight(UnitId, Units, HexId, Units),
    /// When all results in a hex are applied: whether a unit broke there.
    Aftermath(HexId, HexId, bool),
    /// A Break Test.
    Break(UnitId, HexId),
    /// A Panic Test.
    Panic(UnitId, HexId),
    /// A retreat: hexes still to go, the enemy's hex, hexes gone, units exempt from panic.
    Run(UnitId, u8, HexId, u8, Units),
    /// Cavalry withdraws: hexes it may still go (§K-3).
    Withdraw(UnitId, u8, HexId),
    /// Units that may still move (§G-3).
    MoveStep(Units, March),
    /// A move under way (§J).
    Move {
        /// Who.
        unit: UnitId,
        /// How.
        march: March,
        /// Where it should be; none if off the map.
        at: Option<HexId>,
        /// Half points spent.
        spent: u8,
        /// Hexes gone, all along a road or not.
        steps: (u8, bool),
        /// It may still be put back.
        idle: bool,
    },
    /// Enemy hexes that may still fire at a unit that came next to them, a bit per direction (§J-3-b).
    Engage(UnitId, HexId, u8),
    /// Assaults are declared (§K-1).
    Declare(Side, Units),
    /// Assaults are fought in the attacker's order.
    Resolve(Side),
    /// An assault.
    Assault(Assault),
    /// A unit in a close fight, with the modifier of its die, its cohesion if all were rated before, and the
    /// enemy's hex (§K-8).
    Close(UnitId, i8, Option<i8>, HexId),
    /// Shaken units of these steady themselves where there is room (§L-1).
    Steady(Side, Units),
    /// Broken units that may still rally (§L).
    Rally(Side, Units),
    /// The roll of one of them.
    RallyRoll(UnitId),
    /// A rallied unit is placed; shaken or not.
    Place(UnitId, bool),
    /// Division Redeployment.
    Redeploy(Side),
    /// Hot-headed Rebs: the unit, once it is chosen.
    Hotheads(Option<UnitId>),
    /// The hothead has come up to this hex and must assault it.
    Charge(UnitId, HexId),
    /// Hurrah! and For Dixie!
    Cheer(Side),
    /// Inspired Leadership.
    Inspired(Side),
    /// Rally 'Round the Flag!
    Flag(Side),
    /// The units of that hex.
    FlagUnits(Side, Units),
    /// The roll of one of them.
    FlagRoll(UnitId),
    /// The Colonel is Down!
    Colonel(Side),
    /// The roll for it.
    ColonelRoll(UnitId),
    /// Rebel Yell: from which hex.
    Yell,
    /// Where to.
    YellTo(HexId),
    /// Who goes: those who are to, those who may.
    YellWho(HexId, HexId, Units, Units),
    /// They go, one by one, and then assault.
    YellGo(HexId, HexId, Units, Units),
    /// The yell is over.
    YellOver(Units),
    /// A roll on the Fog of War table.
    Fog,
    /// The opponent of this side picks one of its hexes.
    Chaos(Side),
    /// The opponent of this side picks one of its units.
    Wayward(Side),
    /// A die says which Union general it is.
    SharedLine,
}

/// What is under way.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// The frames, the one that acts last.
    pub frames: Vec<Frame>,
    /// Dice on the table that nobody has used yet.
    pub dice: Option<[u8; 4]>,
    /// The outcome they make in a combat.
    pub outcome: Option<(u16, Vec<i16>)>,
    /// The dice are to be rolled again and must then stand: a bit per die that is kept.
    pub again: Option<u8>,
    /// The last roll was one that had to be made again: it stands.
    pub forced: bool,
    /// Assaults declared in this activation.
    pub declared: Vec<Declared>,
    /// Hexes that were assaulted in this activation, or by this event (§K-1).
    pub assaulted: Vec<HexId>,
}
