//! Combat systems: pure functions of the table, a fight and dice.
//!
//! A combat system says what counts ([`Combat::modifiers`]) and how it ends ([`Combat::resolve`]);
//! changing the table is the phase's work. Because `resolve` is pure, the same code rolls for good and
//! yields the exact odds that are shown before anybody commits.

use crate::dice::Dice;
use crate::ids::{HexId, UnitId};
use crate::needs::Needs;
use crate::odds::{Odds, enumerate};
use crate::phase::Fault;
use crate::rule::Cite;
use crate::table::Table;
use crate::terms::Toll;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Who fights whom, and what was committed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fight {
    /// The attackers or firers.
    pub attackers: Vec<UnitId>,
    /// The defenders or targets.
    pub defenders: Vec<UnitId>,
    /// Where it is fought, if it is about one hex.
    pub hex: Option<HexId>,
    /// What else the system wants to know, in its own order (reserves committed, shifts chosen…).
    pub terms: Vec<i16>,
}

/// A fight as it was fought: what counted, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fought {
    /// Who fought whom.
    pub fight: Fight,
    /// The system by which it was fought; empty where a ruleset rolls in steps of its own.
    pub system: String,
    /// What counted.
    pub modifiers: Modifiers,
    /// How it ended, in words.
    pub outcome: String,
}

/// How a fight ends: a code of the system's own and details in its own order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Outcome {
    /// Which result.
    pub code: u16,
    /// Its details.
    pub details: Vec<i16>,
}

impl Outcome {
    /// A result without details.
    #[must_use]
    pub fn code(code: u16) -> Outcome {
        Outcome {
            code,
            details: vec![],
        }
    }

    /// Its number, if it is one of so many results that the rules know. A combat system of somebody else may come to any.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn among(&self, combat: &dyn Combat, results: usize) -> Result<usize, Fault> {
        let code = usize::from(self.code);
        let unknown = || Fault::Broken(format!("{} gives no result {code}", combat.name()));
        (code < results).then_some(code).ok_or_else(unknown)
    }
}

/// One thing that counts in a fight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Modifier {
    /// The section by which it counts.
    pub rule: Cite,
    /// What it is.
    pub label: Cow<'static, str>,
    /// How much it counts; negative for the defender.
    pub value: i16,
}

/// What counts in a fight, in the order in which it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Modifiers(pub Vec<Modifier>);

impl Modifiers {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Modifiers {
        Modifiers::default()
    }

    /// Adds a line.
    #[must_use]
    pub fn add(mut self, rule: Cite, label: impl Into<Cow<'static, str>>, value: i16) -> Modifiers {
        self.0.push(Modifier {
            rule,
            label: label.into(),
            value,
        });
        self
    }

    /// Adds a line if it applies.
    #[must_use]
    pub fn add_if(
        self,
        applies: bool,
        rule: Cite,
        label: impl Into<Cow<'static, str>>,
        value: i16,
    ) -> Modifiers {
        if applies {
            self.add(rule, label, value)
        } else {
            self
        }
    }

    /// What it comes to.
    #[must_use]
    pub fn sum(&self) -> i16 {
        self.0.iter().map(|m| m.value).sum()
    }
}

/// A combat system.
pub trait Combat: Send + Sync {
    /// The name by which rulesets and variants use it.
    fn name(&self) -> &'static str;
    /// What it must find where it is composed.
    fn needs(&self) -> Needs {
        Needs::nothing()
    }
    /// Whether lines of a variant can be added to what counts: it then asks for them by
    /// [`Table::ride`] and reckons with the sum.
    fn takes_riders(&self) -> bool {
        false
    }
    /// What counts, for people and for the sum.
    fn modifiers(&self, table: &Table, fight: &Fight) -> Modifiers;
    /// How it ends, given dice.
    ///
    /// # Errors
    /// If the state makes no sense.
    fn resolve(&self, table: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault>;
    /// What the dice are read with, as numbers (a column, so many dice that hit up to so much): fights for which they are
    /// equal end alike if the dice do, so that their odds need to be worked out once. None if they are not known.
    fn reckon(&self, _table: &Table, _fight: &Fight) -> Option<Vec<i16>> {
        None
    }
    /// An outcome in words.
    fn describe(&self, table: &Table, outcome: &Outcome) -> String;
    /// What an outcome costs, in men; by default nothing, for systems that cannot say.
    fn toll(&self, _table: &Table, _fight: &Fight, _outcome: &Outcome) -> Toll {
        Toll::default()
    }
    /// How far an outcome brings the attacker's side ahead in what wins the game, in thousandths of a clear win; by
    /// default nothing, for systems that cannot say.
    fn swing(&self, _table: &Table, _fight: &Fight, _outcome: &Outcome) -> i32 {
        0
    }
}

/// The exact odds of a fight under a combat system.
///
/// # Errors
/// If the system fails on any path of the dice.
pub fn odds(combat: &dyn Combat, table: &Table, fight: &Fight) -> Result<Odds<Outcome>, Fault> {
    let mut failed = None;
    let odds = enumerate(|dice| {
        combat.resolve(table, fight, dice).unwrap_or_else(|fault| {
            failed.get_or_insert(fault);
            Outcome::code(0)
        })
    });
    failed.map_or(Ok(odds), Err)
}

/// What a page shows before somebody commits to a fight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// What counts.
    pub modifiers: Modifiers,
    /// Each outcome in words with its weight, most likely outcome of the table's order first.
    pub outcomes: Vec<(String, u128)>,
    /// The sum of all weights.
    pub total: u128,
}

impl Preview {
    /// Works out what to show for a fight.
    ///
    /// # Errors
    /// If the combat system fails.
    pub fn of(combat: &dyn Combat, table: &Table, fight: &Fight) -> Result<Preview, Fault> {
        let odds = odds(combat, table, fight)?;
        let outcomes = odds
            .outcomes
            .iter()
            .map(|(o, w)| (combat.describe(table, o), *w))
            .collect();
        Ok(Preview {
            modifiers: combat.modifiers(table, fight),
            outcomes,
            total: odds.total,
        })
    }
}
