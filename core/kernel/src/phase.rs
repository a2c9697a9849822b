//! Phases: who must choose, what they may choose, and what comes of it.
//!
//! A phase keeps nothing in itself. What it must remember is a registered resource, so that forks,
//! saves and hashes come for free.

use crate::act::{Act, Arg};
use crate::combat::{Combat, Fight, Preview};
use crate::ids::Side;
use crate::names::act_name;
use crate::needs::Needs;
use crate::options::Options;
use crate::outlook::Outlook;
use crate::rule::{Cite, Refusal};
use crate::schema::Schema;
use crate::setup::Setup;
use crate::table::Table;
use crate::terms::Promise;
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
    /// Scripted or typed dice do not fit what was rolled.
    Dice(String),
    /// Dice are typed in, and one more is to be rolled.
    Wanted {
        /// The faces of the die.
        sides: u16,
        /// What it is for.
        purpose: &'static str,
    },
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
            Fault::Wanted { sides, purpose } => {
                write!(f, "a die is to be rolled: {purpose}, 1 to {sides}")
            }
        }
    }
}
impl std::error::Error for Fault {}

/// One phase of a turn.
///
/// A phase that asks nothing has a name and [`Phase::next`]:
///
/// ```
/// use cupola_kernel::{Fault, Phase, Step, Table};
///
/// /// Nothing happens for an hour.
/// struct Lull;
///
/// impl Phase for Lull {
///     fn name(&self) -> &'static str {
///         "lull"
///     }
///     fn next(&self, _: &mut Table) -> Result<Step, Fault> {
///         Ok(Step::Done)
///     }
/// }
/// assert!(Lull.verbs().is_empty());
/// ```
///
/// One that asks also has [`Phase::verbs`], [`Phase::options`] and [`Phase::take`]; each gets the open
/// [`Ask`], so that it need not work out again what it asked. The rest makes it pleasant to play.
pub trait Phase: Send + Sync {
    /// The name by which rulesets and variants use it.
    fn name(&self) -> &'static str;

    /// The verbs of its answers: `Do::VERBS`; none if it asks nothing.
    fn verbs(&self) -> &'static [&'static str] {
        &[]
    }

    /// What it must find where it is composed.
    fn needs(&self) -> Needs {
        Needs::nothing()
    }

    /// Registers state of its own; a ruleset's common state is registered by the ruleset.
    fn register(&self, _schema: &mut Schema) {}

    /// Puts state of its own on the table when a game is set up.
    fn prepare(&self, _setup: &mut Setup) {}

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

    /// Every legal answer to the open question, in any order: the kernel sorts them, which costs
    /// nothing where they come in ascending order.
    ///
    /// # Errors
    /// If the state makes no sense.
    fn options(&self, _table: &Table, _ask: Ask, _out: &mut Options) -> Result<(), Fault> {
        Ok(())
    }

    /// Carries out one of the answers.
    ///
    /// # Errors
    /// If the state makes no sense.
    fn take(&self, _table: &mut Table, ask: Ask, _act: Act) -> Result<(), Fault> {
        Err(Fault::Broken(format!(
            "phase {} asks “{}” and takes no answer",
            self.name(),
            ask.question
        )))
    }

    /// Why an answer that is not on the list is not: from the predicates that make the list. A
    /// refusal that cites no section says that nothing forbids the answer, so the list is wrong.
    /// By default the section that asks, and no more.
    fn why_not(&self, _table: &Table, ask: Ask, _act: Act) -> Refusal {
        Refusal::new(ask.cite(), "is not among the answers")
    }

    /// An answer in words; by default its verb and what it names.
    fn text(&self, table: &Table, _ask: Ask, act: Act) -> String {
        act_name(table.env(), self.verbs(), act)
    }

    /// What the question is, in words; by default its short name.
    fn prompt(&self, _table: &Table, ask: Ask) -> String {
        ask.question.to_owned()
    }

    /// What an answer costs and which way it goes, as far as those who are asked may know.
    fn outlook(&self, _table: &Table, _ask: Ask, _act: Act) -> Outlook {
        Outlook::default()
    }

    /// The fight that an answer leads to, if it does, and the system by which it is fought. The
    /// first click may tell already: "attack Reynolds" can show the fight as it stands.
    fn fight(&self, _table: &Table, _ask: Ask, _act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        None
    }

    /// The fight as it would stand after an answer that does not settle it yet: one more attacker, something
    /// committed. By default what [`Phase::fight`] says.
    fn prospect(&self, table: &Table, ask: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        self.fight(table, ask, act)
    }

    /// What an answer opens to those who give it, though nothing of it is seen on the map yet: so players who know no rule by name can
    /// tell which of answers that look alike is the natural one. By default nothing is known. Only bots ask, in worlds that they imagine.
    fn promise(&self, _table: &Table, _ask: Ask, _act: Act) -> Option<Promise> {
        None
    }

    /// What would come of an answer that leads to a fight, as far as those who are asked may know.
    fn preview(&self, table: &Table, ask: Ask, act: Act) -> Option<Preview> {
        let (combat, fight) = self.fight(table, ask, act)?;
        Preview::of(&*combat, table, &fight).ok()
    }

    /// Whether [`Phase::preview`] has something to show: cheap, since it is asked for every option.
    fn has_preview(&self, table: &Table, ask: Ask, act: Act) -> bool {
        self.fight(table, ask, act).is_some()
    }

    /// What an answer touches, for a page to light up; by default what it names.
    fn touches(&self, _table: &Table, _ask: Ask, act: Act) -> Vec<Arg> {
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
