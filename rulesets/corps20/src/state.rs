//! What a game of corps20 remembers.

use bevy_ecs::prelude::{Component, Resource};
use cupola_kernel::{BySide, HexId, Side, UnitId};
use serde::{Deserialize, Serialize};

/// The boxes beside the map.
pub mod boxes {
    /// On the turn track, with the round of arrival in [`super::Due`].
    pub const TRACK: u8 = 0;
    /// Broken, to be rallied at night (§7.11, §8.2).
    pub const BROKEN: u8 = 1;
    /// Out of the game.
    pub const ELIMINATED: u8 = 2;
    /// Names for people, by number.
    pub const NAMES: [&str; 3] = ["turn track", "broken", "eliminated"];
}

/// What Good Leadership (cards 5, 9, 10) still gives a unit this player turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Boost {
    /// Nothing.
    #[default]
    None,
    /// +1 to movement or to strength, not chosen yet.
    Open,
    /// Spent on movement.
    Moved,
}

/// The condition of a unit or leader.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// 0 fresh, 1 tired, 2 weary (§6.2).
    pub fatigue: u8,
    /// Marked Routed (§7.12).
    pub routed: bool,
    /// Came back as a cadre (§8.2).
    pub cadre: bool,
    /// Has moved, or was offered to and declined, in this Movement Phase.
    pub moved: bool,
    /// May neither move nor commit reserves this player turn (cards 3, 4, 11).
    pub halted: bool,
    /// Good Leadership.
    pub boost: Boost,
    /// A leader's marker lies face down: no attack command (§9.1).
    pub face_down: bool,
}

impl Status {
    /// Adds a level of fatigue; a weary unit stays weary (§6.2).
    pub fn tire(&mut self) {
        self.fatigue = (self.fatigue + 1).min(2);
    }

    /// Fresh: no fatigue (§6.2).
    #[must_use]
    pub fn fresh(&self) -> bool {
        self.fatigue == 0
    }

    /// Weary: two levels (§6.2).
    #[must_use]
    pub fn weary(&self) -> bool {
        self.fatigue == 2
    }
}

/// When and where a unit on the turn track arrives.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Due {
    /// The round.
    pub round: u16,
    /// Where.
    pub by: Way,
}

/// How a unit comes onto the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// By this entry of the map (§5.6).
    Entry(u8),
    /// By any friendly line of communications: rallied units that found no room (§8.2).
    Communications,
}

/// A marker in front of the first player (§9.2, §9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Marker {
    /// At hand.
    Ready,
    /// On the turn track.
    Due(u16),
    /// Not in this game.
    Out,
}

/// The two armies as wholes.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Armies {
    /// Army Morale (§10).
    pub morale: BySide<i8>,
    /// The chief of the first side (§9.2).
    pub chief: Marker,
    /// The artillery of the three corps of the first side (§9.3).
    pub guns: [Marker; 3],
    /// Event cards in the discard, one bit each.
    pub discard: u16,
    /// The card that lies on top, where a position says so.
    pub next: Option<u8>,
    /// The card that was drawn this player turn.
    pub card: Option<u8>,
    /// Whether anybody has had a turn yet: the first turn of all draws no card (§4).
    pub begun: bool,
}

/// What the cards of this player turn still allow or forbid.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orders {
    /// The round and the side whose player turn this is: with it all of this ends.
    pub of: Option<(u16, Side)>,
    /// The card of this player turn has been drawn.
    pub drawn: bool,
    /// Reserves may be committed for free once (cards 3, 9).
    pub free_reserves: bool,
    /// One forced march without fatigue (cards 4, 8).
    pub double_time: bool,
    /// Units may not combine to attack (card 6).
    pub no_combining: bool,
    /// A leader is turned face up at the end of movement (cards 14, 16).
    pub couriers: bool,
    /// Massed bombardment at the start of combat (cards 13, 16).
    pub bombardment: bool,
    /// The opponent may move one of the units (cards 13, 15).
    pub initiative: bool,
    /// An enemy unit must be shot at (cards 14, 15).
    pub shot: bool,
    /// The opponent must name one of the corps (card 11).
    pub conflict: bool,
}

/// Where the Movement Phase stands.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moving {
    /// The unit whose destination is asked for.
    pub picked: Option<UnitId>,
    /// It force marches (§5.5).
    pub marches: bool,
    /// It spends Good Leadership on movement.
    pub hastens: bool,
    /// How many units came onto the map by each hex this phase, in the order of first use (§5.6).
    pub queues: Vec<(HexId, u8)>,
    /// A leader that must leave its hex at once, and where to go on afterwards (§9.1).
    pub displaced: Option<UnitId>,
    /// Whether the phase's closing events were handled.
    pub closing: bool,
}

/// A fight that was declared (§7.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// Attackers.
    pub attackers: Vec<UnitId>,
    /// Defenders.
    pub defenders: Vec<UnitId>,
    /// Resolved already.
    pub done: bool,
}

/// Where the Combat Phase stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Massed bombardment (cards 13, 16).
    #[default]
    Bombard,
    /// Defending cavalry may disengage (§7.1).
    Disengage,
    /// The attacker says who attacks whom (§7.3).
    Declare,
    /// The attacker picks the next fight (§7.4).
    Pick,
    /// The attacker commits guns, the chief, reserves (§7.4 A).
    Commit,
    /// The defender may commit reserves (§7.4 B).
    Answer,
    /// The attacker may hold back, then rolls (§7.4 C, §7.9).
    HoldBack,
    /// Units retreat and break (§7.10).
    Results,
    /// Units advance (§7.14).
    Advance,
}

/// What is committed to the fight at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commitment {
    /// Corps artillery, one bit per corps (§9.3).
    pub guns: u8,
    /// The chief extends a leader's range (§9.2).
    pub chief: bool,
    /// The attacker's reserves (§7.8).
    pub attacker_reserves: bool,
    /// The defender's reserves (§7.8).
    pub defender_reserves: bool,
    /// By how much the attacker holds back (§7.9).
    pub held_back: i8,
}

/// A unit that must leave its hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retreat {
    /// Who.
    pub unit: UnitId,
    /// At least this many hexes.
    pub least: u8,
    /// At most this many.
    pub most: u8,
    /// Marked Routed at the end (§7.10 AR, DR).
    pub rout: bool,
}

/// A retreat under way (§7.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// What is retreating and how far.
    pub retreat: Retreat,
    /// The hex it occupied in combat.
    pub from: HexId,
    /// Hexes gone so far.
    pub gone: u8,
    /// It came next to an enemy that is not cavalry.
    pub hazardous: bool,
    /// Lines of communications to which every hex so far has led nearer, one bit each.
    pub nearer: u32,
}

/// The Combat Phase.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battle {
    /// Where it stands.
    pub stage: Stage,
    /// Cavalry that has declined to disengage.
    pub stayed: Vec<UnitId>,
    /// Attackers next to routed enemies only, that will not attack.
    pub holding: Vec<UnitId>,
    /// The fights.
    pub fights: Vec<Declared>,
    /// The fight at hand.
    pub current: u8,
    /// What is committed to it.
    pub commitment: Commitment,
    /// The result on the table, as an index into [`crate::crt::CombatResult::ALL`].
    pub result: Option<u8>,
    /// Units that have still to retreat.
    pub retreats: Vec<Retreat>,
    /// The retreat under way.
    pub path: Option<Path>,
    /// A test of wills goes on (§7.10 TW).
    pub wills: bool,
    /// Printed strength that the attacker has still to break (§7.10 EX).
    pub owed: i8,
    /// Hexes that an enemy vacated, open for an advance (§7.14).
    pub vacated: Vec<HexId>,
    /// The side that may advance.
    pub victor: Option<Side>,
    /// Units that have declined to advance or have advanced.
    pub stood: Vec<UnitId>,
    /// A leader that must leave its hex at once (§9.1).
    pub displaced: Option<UnitId>,
}

/// Rallying broken units (§8.2), at night or by an event.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rally {
    /// Rallying is open.
    pub open: bool,
    /// A morale point was spent for it: `None` while not asked.
    pub spent: Option<bool>,
    /// Units that have rolled or will not.
    pub tried: Vec<UnitId>,
    /// Units that are to be placed, in the order in which they rallied.
    pub placing: Vec<UnitId>,
    /// A unit that may return as a cadre, to be decided.
    pub cadre: Option<UnitId>,
}
