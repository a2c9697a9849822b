//! Terms that all rulesets share: who still stands, what was lost, who is ahead.
//!
//! A ruleset speaks of steps, broken units and victory points. To carry out a plan in any of them, or to
//! lay two of them side by side, one needs words that mean the same in each: a ruleset translates
//! once, by [`Ruleset::standings`](crate::Ruleset::standings), [`Ruleset::margin`](crate::Ruleset::margin)
//! and [`Combat::toll`], and everything else is computed from that.

use crate::act::Act;
use crate::combat::{Combat, Fight, Outcome};
use crate::game::Game;
use crate::ids::{HexId, Side, UnitId};
use crate::odds::every_way;
use crate::phase::Fault;
use crate::table::Table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// What part a unit has in the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// Not on the field, but it may come (back).
    Awaited,
    /// On the field, and it holds the ground it stands on.
    Fights,
    /// On the field, but it holds no ground: leaders, headquarters, routed units.
    Attends,
    /// Out of the game.
    Gone,
}

/// How a unit stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Men and guns lost, in thousandths of those it stands for; of a leader who stands for none, what he has spent of his
    /// strength.
    pub lost: u16,
    /// What part it has.
    pub presence: Presence,
}

/// What an outcome of a fight costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Toll {
    /// Men that the attacker loses.
    pub attacker: u32,
    /// Men that the defender loses.
    pub defender: u32,
    /// Whether the defender must give up ground.
    pub yields: bool,
}

/// What is to be expected of a fight, from its exact odds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stakes {
    /// Men that the attacker loses on average.
    pub attacker: u32,
    /// Men that the defender loses on average.
    pub defender: u32,
    /// How often the defender gives up ground, in thousandths.
    pub yields: u32,
    /// How far the attacker's side gets ahead on average, in thousandths of a clear win.
    pub ahead: i32,
}

/// What an answer opens to those who give it, though nothing of it is seen yet: an activation, an order, a posture, a front. One
/// that promises nothing is worth less than to leave things as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promise {
    /// Who would make use of it first: his orders count.
    pub by: Option<UnitId>,
    /// Men that the enemy stands to lose by it on average.
    pub theirs: u32,
    /// Men of one's own who come back by it.
    pub back: u32,
    /// What it takes, in men.
    pub spent: u32,
    /// Metres that whoever makes use of it goes farther in a turn; fewer if negative. Worth something to those who have far to go.
    pub stride: i32,
    /// Whether it comes on top of what the answer changes on the map; if not, there is nothing else to see.
    pub besides: bool,
}

/// A hex that counts for victory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prize {
    /// The hex.
    pub hex: HexId,
    /// What it is worth to have it, in thousandths of a clear win.
    pub worth: i32,
    /// Who has it.
    pub held: Option<Side>,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// The turn.
    pub turn: u16,
    /// The phase of it, counted from its beginning, by sides where they take turns.
    pub slot: u16,
    /// What has been drawn, where play goes on by draws.
    pub drawn: u32,
}

/// Who leads whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The leader or headquarters.
    pub leader: UnitId,
    /// The units that need him, wherever they are.
    pub units: Vec<UnitId>,
    /// How many hexes his word carries, more or less: roads and enemies are not looked at.
    pub reach: u8,
}

impl Stakes {
    /// Works out what to expect of a fight.
    ///
    /// # Errors
    /// If the combat system fails.
    pub fn of(combat: &dyn Combat, table: &Table, fight: &Fight) -> Result<Stakes, Fault> {
        Ok(Stakes::from_ways(
            &outcomes(combat, table, fight)?,
            combat,
            table,
            fight,
        ))
    }

    fn from_ways(seen: &[Way], combat: &dyn Combat, table: &Table, fight: &Fight) -> Stakes {
        // Per length of the ways: how many equally likely ways there are, and what they cost in all. No
        // distribution is needed, only its mean, which is much cheaper.
        let mut sums: Vec<(u128, [u128; 3], i128)> = vec![];
        for (outcome, spread, ways) in seen {
            let toll = combat.toll(table, fight, outcome);
            let costs = [toll.attacker, toll.defender, 1000 * u32::from(toll.yields)];
            let known = sums.iter().position(|(length, ..)| length == spread);
            let at = known.unwrap_or_else(|| {
                sums.push((*spread, [0; 3], 0));
                sums.len() - 1
            });
            let swing = combat.swing(table, fight, outcome);
            sums[at].2 += i128::from(swing) * i128::from(*ways);
            for (sum, cost) in sums[at].1.iter_mut().zip(costs) {
                *sum += u128::from(cost) * u128::from(*ways);
            }
        }
        // Thousandths on the way, so that many lengths do not round everything off.
        let mean = |which: usize| {
            let thousandths: u128 = sums
                .iter()
                .map(|(ways, sum, _)| sum[which] * 1000 / ways)
                .sum();
            u32::try_from(thousandths / 1000).unwrap_or(u32::MAX)
        };
        let swing = |(ways, _, swing): &(u128, [u128; 3], i128)| {
            // There are never so many ways that they do not fit.
            swing * 1000 / i128::try_from(*ways).unwrap_or(i128::MAX)
        };
        let ahead: i128 = sums.iter().map(swing).sum();
        Stakes {
            attacker: mean(0),
            defender: mean(1),
            yields: mean(2),
            ahead: i32::try_from(ahead / 1000).unwrap_or(0),
        }
    }
}

/// What fights come to, by what their dice are read with ([`Combat::reckon`]): for those who look at many fights of one
/// game, most of which look like another.
#[derive(Debug, Default)]
pub struct Reckoned {
    known: BTreeMap<&'static str, BTreeMap<Vec<i16>, Vec<Way>>>,
}

/// How many fights of a system are kept in mind.
const MOST: usize = 4096;

impl Reckoned {
    /// The same as [`Stakes::of`].
    ///
    /// # Errors
    /// If the combat system fails.
    pub fn stakes(
        &mut self,
        combat: &dyn Combat,
        table: &Table,
        fight: &Fight,
    ) -> Result<Stakes, Fault> {
        let Some(numbers) = combat.reckon(table, fight) else {
            return Stakes::of(combat, table, fight);
        };
        let known = self.known.entry(combat.name()).or_default();
        if known.len() >= MOST {
            known.clear();
        }
        let ways = match known.entry(numbers) {
            Entry::Occupied(ways) => ways.into_mut(),
            Entry::Vacant(place) => place.insert(outcomes(combat, table, fight)?),
        };
        Ok(Stakes::from_ways(ways, combat, table, fight))
    }
}

/// An outcome, how many equally likely ways of the same length there are, and how many of them lead to it.
type Way = (Outcome, u128, u32);

/// Every outcome of a fight, in how many equally likely ways of which length it comes. Many ways come to the same
/// outcome: each is counted, and what it costs is worked out once.
fn outcomes(combat: &dyn Combat, table: &Table, fight: &Fight) -> Result<Vec<Way>, Fault> {
    let (mut failed, mut seen) = (None, Vec::<Way>::new());
    every_way(
        |dice| combat.resolve(table, fight, dice),
        |outcome, spread| match outcome {
            Ok(outcome) => {
                let same = |(known, length, _): &&mut Way| {
                    known.code == outcome.code && *length == spread && *known == outcome
                };
                match seen.iter_mut().find(same) {
                    Some((_, _, ways)) => *ways += 1,
                    None => seen.push((outcome, spread, 1)),
                }
            }
            Err(fault) => {
                failed.get_or_insert(fault);
            }
        },
    );
    failed.map_or(Ok(seen), Err)
}

impl Game {
    /// Writes down how every unit stands, by their numbers, for those who may know everything.
    pub fn standings(&self, out: &mut Vec<Standing>) {
        out.clear();
        self.ruleset().standings(self.table(), out);
    }

    /// How many of a unit's men are prisoners, in thousandths, for those who may know everything; nothing if the rules do
    /// not tell.
    #[must_use]
    pub fn captured(&self, unit: UnitId) -> Option<u16> {
        self.ruleset().captured(self.table(), unit)
    }

    /// Writes down the hexes that count for victory, and who has them.
    pub fn prizes(&self, out: &mut Vec<Prize>) {
        out.clear();
        self.ruleset().prizes(self.table(), out);
    }

    /// How far the first side is ahead, for those who may know everything.
    #[must_use]
    pub fn margin(&self) -> i32 {
        self.ruleset().margin(self.table())
    }

    /// How far the game has come.
    #[must_use]
    pub fn moment(&self) -> Moment {
        let table = self.table();
        Moment {
            turn: table.turn(),
            slot: table.flow.slot,
            drawn: self.ruleset().drawn(table),
        }
    }

    /// What is to be expected of the fight that an answer leads to, or of the one it would come to as things stand, if
    /// it does.
    #[must_use]
    pub fn stakes(&self, act: Act) -> Option<Stakes> {
        let (combat, fight) = self.prospect(act)?;
        Stakes::of(&*combat, self.table(), &fight).ok()
    }
}
