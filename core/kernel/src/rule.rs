//! Rules are cited, and "why not?" has an answer.
//!
//! A predicate that decides whether something is legal returns a [`Check`]: `Ok` or a [`Refusal`] with
//! the section that forbids it. The same predicate lists the options and explains what is missing
//! from the list.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A section of a rulebook, as printed: `7.13`, `I-2-b`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cite(pub Cow<'static, str>);

impl Cite {
    /// A citation known when the program is built.
    #[must_use]
    pub const fn new(section: &'static str) -> Cite {
        Cite(Cow::Borrowed(section))
    }
}

impl fmt::Display for Cite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "§{}", self.0)
    }
}

/// Cites a section: `rule!("7.13")`.
#[macro_export]
macro_rules! rule {
    ($section:literal) => {
        $crate::Cite::new($section)
    };
}

/// Why something may not be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The section that forbids it.
    pub rule: Cite,
    /// What is wrong, as the end of a sentence: "is adjacent to the enemy".
    pub why: Cow<'static, str>,
}

impl Refusal {
    /// A refusal by this section.
    pub fn new(rule: Cite, why: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal {
            rule,
            why: why.into(),
        }
    }

    /// What a check says against an answer. If it says nothing the refusal cites nothing: the answer
    /// is legal, and the list that lacks it is wrong.
    #[must_use]
    pub fn of(check: Check) -> Refusal {
        check.err().unwrap_or(Refusal {
            rule: Cite::new(""),
            why: Cow::Borrowed("nothing forbids it"),
        })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.why, self.rule)
    }
}
impl std::error::Error for Refusal {}

/// Legal, or the rule that forbids it.
pub type Check = Result<(), Refusal>;

/// Refuses unless `holds`.
///
/// # Errors
/// The refusal, when it does not hold.
#[inline]
pub fn require(holds: bool, rule: Cite, why: &'static str) -> Check {
    if holds {
        Ok(())
    } else {
        Err(Refusal::new(rule, why))
    }
}

/// Refuses if `holds`.
///
/// # Errors
/// The refusal, when it holds.
#[inline]
pub fn forbid(holds: bool, rule: Cite, why: &'static str) -> Check {
    require(!holds, rule, why)
}
