//! The measures of the grid in words: their names, their values, and what is said of a ruleset by them.

use crate::view::View;
use crate::words::{brief, count, percent, short};
use cupola_lab::grid::{Claim, Measure};

/// The name of a measure.
pub fn title(view: View, measure: Measure) -> String {
    match measure {
        Measure::Wins => format!("{} wins", view.name(0)),
        Measure::MenFirst => format!("Men lost, {}", view.name(0)),
        Measure::MenSecond => format!("Men lost, {}", view.name(1)),
        Measure::LossShare => format!("{} share of the losses", view.name(0)),
        Measure::Attacks => "Attacks per hour".into(),
        Measure::FirstAttack => "Hours to the first attack".into(),
        Measure::Contact => "A fight lasts".into(),
        Measure::Idle => "Orders that did nothing".into(),
        Measure::Decisions => "Decisions in a game".into(),
    }
}

/// A value as people read it.
pub fn value(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Wins | Measure::LossShare | Measure::Idle => percent(value),
        Measure::MenFirst | Measure::MenSecond => count(value),
        Measure::Attacks => short(value),
        Measure::FirstAttack | Measure::Contact => brief(value),
        Measure::Decisions => count(value),
    }
}

/// A claim in words.
pub fn words(view: View, claim: &Claim) -> String {
    phrase(view, claim, &claim.more, claim.less.as_deref())
}

/// What a claim says of a ruleset and those that have less.
pub fn phrase(view: View, claim: &Claim, more: &str, less: Option<&str>) -> String {
    let (us, cs) = (view.name(0), view.name(1));
    match (claim.measure, less) {
        (Measure::Wins, None) => {
            let side = if claim.above { us } else { cs };
            format!("in {more} the {side} side wins more often than it loses")
        }
        (Measure::LossShare, None) => {
            let side = if claim.above { us } else { cs };
            format!("in {more} the {side} side loses more men than the other")
        }
        (measure, Some(less)) => match measure {
            Measure::Wins => format!("the {us} side wins more often in {more} than in {less}"),
            Measure::MenFirst => format!("the {us} side loses more men in {more} than in {less}"),
            Measure::MenSecond => format!("the {cs} side loses more men in {more} than in {less}"),
            Measure::LossShare => {
                format!("the {us} share of the losses is larger in {more} than in {less}")
            }
            Measure::Attacks => {
                format!("more attacks are counted in an hour of {more} than of {less}")
            }
            Measure::FirstAttack => {
                format!("the first attack comes later in {more} than in {less}")
            }
            Measure::Contact => format!("a fight lasts longer in {more} than in {less}"),
            Measure::Idle => format!("more orders do nothing in {more} than in {less}"),
            Measure::Decisions => {
                format!("a game of {more} asks for more decisions than one of {less}")
            }
        },
        (_, None) => String::new(),
    }
}
