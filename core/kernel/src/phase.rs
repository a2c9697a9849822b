//! Phases: who must choose, what they may choose, and what comes of it.
//!
//! A phase keeps nothing in itself. What it must remember is a registered resource, so that forks,
//! saves and hashes come for free.

use crate::act::{Act, Arg};
use crate::combat::{Combat, Fight, Preview};
use crate::ids::{HexId, Side};
use crate::rule::{Cite, Refusal};
use crate::schema::Schema;
use crate::table::Table;
use std::fmt;
use std::sync::Arc;

/// What a phase wants next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Somebody must choose.
    Ask(Ask),
    /// The phase is over.
    Done,
}

/// A question put to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Who must answer. Reactions ask the other side.
    pub side: Side,
    /// A short name for programs: `move`, `retreat`, `commit-reserves`.
    pub question: &'static str,
    /// The section that asks.
    pub rule: &'static str,
}

impl Step {
    /// Asks a side.
    #[must_use]
    pub fn ask(side: Side, question: &'static str, rule: &'static str) -> Step {
        Step::Ask(Ask {
            side,
            question,
            rule,
        })
    }
}

/// Something that a correct ruleset never does: the game cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A question without an answer.
    DeadEnd {
        /// The phase that asked.
        phase: &'static str,
        /// What it asked.
        question: &'static str,
    },
    /// A phase that never comes to an end.
    Endless {
        /// The phase.
        phase: &'static str,
    },
    /// A plugin panicked.
    Panicked {
        /// The phase or combat system.
        name: String,
        /// What it said.
        message: String,
    },
    /// Scripted dice do not fit what was rolled.
    Dice(String),
    /// A rule found the state to be impossible.
    Broken(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::DeadEnd { phase, question } => {
                write!(f, "phase {phase} asks “{question}” and offers no answer")
            }
            Fault::Endless { phase } => write!(f, "phase {phase} neither asks nor ends"),
            Fault::Panicked { name, message } => write!(f, "{name} panicked: {message}"),
            Fault::Dice(why) | Fault::Broken(why) => f.write_str(why),
        }
    }
}
impl std::error::Error for Fault {}

/// The options of a decision, in ascending order.
#[derive(Clone, Debug, Default)]
pub struct Options {
    acts: Vec<Act>,
}

impl Options {
    /// Adds an answer.
    pub fn push(&mut self, answer: impl crate::act::Acts) {
        self.acts.push(answer.act());
    }

    /// Adds an answer that is an act already.
    #[inline]
    pub fn push_act(&mut self, act: Act) {
        self.acts.push(act);
    }

    /// Adds one answer per hex: this act with the hex in this place. For long lists.
    #[inline]
    pub fn push_hexes(&mut self, mut act: Act, place: usize, hexes: impl Iterator<Item = HexId>) {
        self.acts.extend(hexes.map(|hex| {
            act.args[place] = Arg::Hex(hex);
            act
        }));
    }

    /// Empties the list, keeping its memory.
    pub fn clear(&mut self) {
        self.acts.clear();
    }

    /// Puts the answers in order; needed only where they were not pushed in order.
    pub fn sort(&mut self) {
        self.acts.sort_unstable();
        self.acts.dedup();
    }

    /// The answers.
    #[must_use]
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }
}

/// One phase of a turn.
pub trait Phase: Send + Sync {
    /// The name by which rulesets and variants use it.
    fn name(&self) -> &'static str;

    /// The verbs of its answers: `Do::VERBS`.
    fn verbs(&self) -> &'static [&'static str];

    /// Registers state of its own; a ruleset's common state is registered by the ruleset.
    fn register(&self, _schema: &mut Schema) {}

    /// Puts state of its own on the table when a game is set up.
    fn prepare(&self, _table: &mut Table) {}

    /// Called once when the phase begins.
    ///
    /// # Errors
    /// If the state makes no sense.
    fn enter(&self, _table: &mut Table) -> Result<(), Fault> {
        Ok(())
    }

    /// Plays on until somebody must choose or the phase is over. Called after every answer.
    ///
    /// # Errors
    /// If the state makes no sense.
    fn next(&self, table: &mut Table) -> Result<Step, Fault>;

    /// Every legal answer to what [`Phase::next`] asked last, in ascending order.
    ///
    /// # Errors
    /// If the state makes no sense.
    fn options(&self, table: &Table, out: &mut Options) -> Result<(), Fault>;

    /// Carries out one of the answers.
    ///
    /// # Errors
    /// If the state makes no sense.
    fn take(&self, table: &mut Table, act: Act) -> Result<(), Fault>;

    /// Why an answer that is not on the list is not: from the predicates that make the list. A
    /// refusal that cites no section says that nothing forbids the answer, so the list is wrong.
    fn why_not(&self, table: &Table, act: Act) -> Refusal;

    /// An answer in words.
    fn text(&self, table: &Table, act: Act) -> String;

    /// What the question is, in words.
    fn prompt(&self, table: &Table, ask: Ask) -> String;

    /// The fight that an answer leads to, if it does, and the system by which it is fought.
    fn fight(&self, _table: &Table, _act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        None
    }

    /// What would come of an answer that leads to a fight, as far as those who are asked may know.
    fn preview(&self, table: &Table, act: Act) -> Option<Preview> {
        let (combat, fight) = self.fight(table, act)?;
        Preview::of(&*combat, table, &fight).ok()
    }

    /// What an answer touches, for a page to light up; by default what it names.
    fn touches(&self, _table: &Table, act: Act) -> Vec<Arg> {
        act.args
            .into_iter()
            .filter(|arg| *arg != Arg::None)
            .collect()
    }
}

impl Ask {
    /// The section that asks.
    #[must_use]
    pub fn cite(&self) -> Cite {
        Cite::new(self.rule)
    }
}
