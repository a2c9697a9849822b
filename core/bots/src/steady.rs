//! Carries out a plan, one decision at a time.
//!
//! Every option is tried on a fork that could be the real game. A choice that leads to a fight counts by the
//! fight's exact odds; one that only opens the next question counts by the best that question offers.

use crate::brief::Brief;
use crate::sight::{Bot, Sight};
use crate::worth::Worth;
use cupola_kernel::{Act, Arg, Fault, Game, Side, UnitId};
use std::sync::Arc;

/// How many options of a follow-up question are looked at.
const GLANCE: usize = 48;

/// The player with a plan.
pub struct Steady {
    brief: Arc<Brief>,
    worth: Worth,
    now: Option<Game>,
    then: Option<Game>,
    scores: Vec<(i64, Act)>,
}

impl Steady {
    /// A player who carries out this plan.
    #[must_use]
    pub fn new(brief: Arc<Brief>) -> Steady {
        Steady {
            brief,
            worth: Worth::default(),
            now: None,
            then: None,
            scores: vec![],
        }
    }

    /// The plan.
    pub(crate) fn brief(&self) -> &Arc<Brief> {
        &self.brief
    }

    /// Every option with what it seems worth, best first; of equals the first on the list.
    ///
    /// # Errors
    /// If the ruleset fails.
    pub fn rank(&mut self, sight: &Sight) -> Result<&[(i64, Act)], Fault> {
        let mut now = self.now.take();
        sight.imagine(&mut now, 0)?;
        if let Some(now) = &now {
            self.rank_in(now, usize::MAX)?;
        }
        self.now = now;
        Ok(&self.scores)
    }

    /// The same in a world that is taken for real, for so many options spread over the list. Returns how many
    /// nodes it took.
    pub(crate) fn rank_in(&mut self, now: &Game, most: usize) -> Result<u32, Fault> {
        self.scores.clear();
        let Some(decision) = now.decision() else {
            return Ok(0);
        };
        let (brief, side) = (&*self.brief, decision.ask.side);
        let before = self.worth.of(brief, now);
        let every = decision.options.len().div_ceil(most).max(1);
        for &act in decision.options.iter().step_by(every) {
            let score = if let Some(stakes) = now.stakes(act) {
                self.worth.fight(brief, now, &stakes, unit_of(act))
            } else {
                let then = match &mut self.then {
                    Some(then) => {
                        then.copy_from(now);
                        then
                    }
                    None => self.then.insert(now.fork()),
                };
                then.apply_unchecked(act)?;
                let after = self.worth.of(brief, then) - before;
                after + follow_up(&self.worth, brief, then, side, act)
            };
            self.scores.push((score, act));
        }
        self.scores
            .sort_by_key(|(score, act)| (std::cmp::Reverse(*score), *act));
        Ok(self.scores.len() as u32)
    }

    /// The best of those that were ranked last.
    pub(crate) fn best(&self) -> Option<Act> {
        self.scores.first().map(|(_, act)| *act)
    }
}

/// The best that the question after a choice offers, if it is only the second half of the same choice:
/// the unit was picked, now where does it go.
fn follow_up(worth: &Worth, brief: &Brief, then: &Game, side: Side, act: Act) -> i64 {
    let Some(picked) = unit_of(act) else { return 0 };
    let Some(decision) = then.decision().filter(|decision| decision.ask.side == side) else {
        return 0;
    };
    let about = |option: &&Act| unit_of(**option).is_none_or(|unit| unit == picked);
    let options = decision.options.iter().filter(about).take(GLANCE);
    options
        .map(|&option| match then.stakes(option) {
            Some(stakes) => worth.fight(brief, then, &stakes, Some(picked)),
            None => hex_of(option).map_or(0, |hex| worth.step(brief, then, picked, hex)),
        })
        .max()
        .unwrap_or(0)
}

/// The unit that an option names first.
pub(crate) fn unit_of(act: Act) -> Option<UnitId> {
    act.args.into_iter().find_map(|arg| match arg {
        Arg::Unit(unit) => Some(unit),
        _ => None,
    })
}

/// The hex that an option names last: where a path ends.
pub(crate) fn hex_of(act: Act) -> Option<cupola_kernel::HexId> {
    act.args.into_iter().rev().find_map(|arg| match arg {
        Arg::Hex(hex) => Some(hex),
        _ => None,
    })
}

impl Bot for Steady {
    fn choose(&mut self, sight: &Sight) -> Result<Act, Fault> {
        if let [only] = sight.options() {
            return Ok(*only);
        }
        let ranked = self.rank(sight)?;
        ranked
            .first()
            .map(|(_, act)| *act)
            .ok_or_else(|| Fault::Broken("a decision without options".into()))
    }
}
