//! Where two games that share their luck part ways.

use crate::contest::Contest;
use cupola_kernel::{Act, Fault, Game, Seat, Side};
use serde::Serialize;

/// The first decision that was made otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parting {
    /// How many decisions with a choice came before it.
    pub after: usize,
    /// What the base's player chose; none if its game was over.
    pub base: Option<Choice>,
    /// What the variant's player chose; none if its game was over.
    pub variant: Option<Choice>,
}

/// A choice in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The turn, as its track names it.
    pub turn: String,
    /// When the turn begins.
    pub time: String,
    /// The phase.
    pub phase: String,
    /// Who chose.
    pub side: String,
    /// What was asked.
    pub question: String,
    /// What was chosen.
    pub option: String,
    /// Among how many options.
    pub options: usize,
}

/// What two games are compared by, decision by decision.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    turn: u16,
    side: Side,
    question: &'static str,
    act: Act,
}

impl Step {
    /// A choice between options; questions with one answer decide nothing.
    fn of(game: &Game, side: Side, act: Act) -> Option<Step> {
        let decision = game.decision()?;
        (decision.options.len() > 1).then_some(Step {
            turn: game.table().turn(),
            side,
            question: decision.ask.question,
            act,
        })
    }
}

impl Parting {
    /// Plays a game of both again; none if every choice is the same.
    ///
    /// # Errors
    /// If a ruleset fails.
    pub fn of(base: &Contest, variant: &Contest, number: u32) -> Result<Option<Parting>, Fault> {
        let mut steps = vec![];
        base.retrace(number, |game, side, act| {
            steps.extend(Step::of(game, side, act));
            false
        })?;
        let (mut after, mut other) = (0, None);
        variant.retrace(number, |game, side, act| {
            let Some(step) = Step::of(game, side, act) else {
                return false;
            };
            if steps.get(after) == Some(&step) {
                after += 1;
                return false;
            }
            other = Some(Choice::of(game, side, act));
            true
        })?;
        if other.is_none() && after == steps.len() {
            return Ok(None);
        }
        let base = choice(base, number, after)?;
        let variant = other;
        Ok(Some(Parting {
            after,
            base,
            variant,
        }))
    }
}

/// The choice after so many others.
fn choice(contest: &Contest, number: u32, after: usize) -> Result<Option<Choice>, Fault> {
    let (mut seen, mut found) = (0, None);
    contest.retrace(number, |game, side, act| {
        if Step::of(game, side, act).is_none() {
            return false;
        }
        if seen == after {
            found = Some(Choice::of(game, side, act));
        }
        seen += 1;
        found.is_some()
    })?;
    Ok(found)
}

impl Choice {
    fn of(game: &Game, side: Side, act: Act) -> Choice {
        let view = game.view(Seat::Umpire);
        Choice {
            turn: view.turn.label,
            time: view.turn.start,
            phase: view.phase,
            side: game.table().env().sides[side].name.clone(),
            question: game.prompt().unwrap_or_default(),
            option: game.text(act),
            options: game.decision().map_or(0, |decision| decision.options.len()),
        }
    }
}
