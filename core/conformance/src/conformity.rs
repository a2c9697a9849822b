//! What was checked, and what came of it.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// One of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// Random games end with a verdict, within the declared bounds.
    Games,
    /// Options are in order, named apart, and listed exactly if they are accepted.
    Options,
    /// Forks, snapshots, saves and undone games are equal, and stay so.
    Copies,
    /// A journal gives the same game on another thread, and many at once as one by one.
    Replay,
    /// Odds add up and agree with the dice.
    Odds,
    /// Dice keep their address when an unrelated rule changes.
    Dice,
    /// Nothing that a seat may not know changes a byte that it gets.
    Views,
    /// What the ruleset declares to be always so is so.
    Laws,
    /// Nobody fights his own side.
    Fights,
    /// What lasts for a turn is gone when it is over, for both sides.
    Seams,
    /// The movement search finds what walking every way finds.
    Marches,
    /// What is accepted plays: compositions are refused with a reason, or play without a fault.
    Parts,
    /// Whatever is read changes who the rules are; an altered journal leads to no other game.
    Identity,
    /// Scripted dice are all that is rolled, and a script that is too short is told.
    Script,
    /// Another process, in an empty folder and without an environment, plays the same and leaves nothing behind.
    Elsewhere,
}

impl Check {
    /// All of them, in the order in which they run.
    pub const ALL: [Check; 15] = [
        Check::Games,
        Check::Options,
        Check::Copies,
        Check::Replay,
        Check::Odds,
        Check::Dice,
        Check::Views,
        Check::Laws,
        Check::Fights,
        Check::Seams,
        Check::Marches,
        Check::Parts,
        Check::Identity,
        Check::Script,
        Check::Elsewhere,
    ];

    /// Its short name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Check::Games => "games",
            Check::Options => "options",
            Check::Copies => "copies",
            Check::Replay => "replay",
            Check::Odds => "odds",
            Check::Dice => "dice",
            Check::Views => "views",
            Check::Laws => "laws",
            Check::Fights => "fights",
            Check::Seams => "seams",
            Check::Marches => "marches",
            Check::Parts => "parts",
            Check::Identity => "identity",
            Check::Script => "script",
            Check::Elsewhere => "elsewhere",
        }
    }
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// It holds; what was counted on the way.
    Holds(BTreeMap<&'static str, u64>),
    /// It does not: where, and why.
    Fails(String),
    /// There was nothing to check it on.
    Skipped(&'static str),
}

/// What came of all checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conformity {
    /// Each check with its finding, in the order in which they ran.
    pub findings: Vec<(Check, Finding)>,
}

impl Conformity {
    /// Whether no check failed.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.failed().next().is_none()
    }

    /// The checks that failed.
    pub fn failed(&self) -> impl Iterator<Item = Check> + '_ {
        self.findings
            .iter()
            .filter(|(_, finding)| matches!(finding, Finding::Fails(_)))
            .map(|(check, _)| *check)
    }
}

impl fmt::Display for Conformity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (check, finding) in &self.findings {
            writeln!(f, "{:<9} {finding}", check.name())?;
        }
        Ok(())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Holds(counts) => {
                f.write_str("holds")?;
                for (i, (what, count)) in counts.iter().enumerate() {
                    write!(f, "{} {count} {what}", if i == 0 { ":" } else { "," })?;
                }
                Ok(())
            }
            Finding::Fails(why) => write!(f, "FAILS: {why}"),
            Finding::Skipped(why) => write!(f, "skipped: {why}"),
        }
    }
}

/// What a check counts while it runs.
#[derive(Default)]
pub(crate) struct Tally(pub BTreeMap<&'static str, u64>);

impl Tally {
    /// Adds to a count.
    pub fn add(&mut self, what: &'static str, count: u64) {
        *self.0.entry(what).or_insert(0) += count;
    }

    /// Keeps the largest.
    pub fn top(&mut self, what: &'static str, value: u64) {
        let top = self.0.entry(what).or_insert(0);
        *top = value.max(*top);
    }

    /// A count so far.
    pub fn get(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }
}
