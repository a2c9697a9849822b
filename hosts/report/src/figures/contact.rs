//! Stickiness: how long a unit stays in contact once it is.

use super::intervals::{Axis, Row, draw};
use super::robust::standing;
use crate::view::{About, Ranked, Section, View};
use crate::words::{brief, duration};
use cupola_lab::grid::Measure;
use cupola_lab::model::{Spread, Topic};

/// The section.
pub fn section(view: View) -> Section {
    let rows: Vec<Row> = view
        .contests()
        .iter()
        .enumerate()
        .map(|(i, found)| {
            let spread = found.contact_minutes;
            let says = if spread.games == 0 {
                "no contact".to_owned()
            } else {
                format!(
                    "{} ({}–{})",
                    duration(spread.mean),
                    brief(spread.low),
                    brief(spread.high)
                )
            };
            Row {
                name: found.name.clone(),
                ruleset: i,
                side: None,
                spread,
                says,
            }
        })
        .collect();
    Section {
        id: "contact",
        title: "How long a fight holds those in it",
        claim: claim(view) + &standing(view, &[Measure::Contact]),
        figure: draw("Minutes in contact", &rows, &Axis::Minutes),
        reading: "Turns on end in which an enemy stood next to a unit, be it for a moment, as the mean of a game. \
                  It cannot be shorter than a turn, so a ruleset with long turns has long fights."
            .into(),
        about: About::Games(Topic::Contact),
    }
}

/// What the section says.
pub fn claim(view: View) -> String {
    let known = view.contests().iter();
    let ranked =
        Ranked::of(known.map(|found| (found.contact_minutes, format!("in {}", found.name))));
    let [_, .., (most, longest)] = &ranked.all[..] else {
        return match ranked.all.first() {
            None => "No unit was ever in contact.".into(),
            Some((one, of)) => {
                let long = duration(one.mean);
                format!("A unit stays in contact for {long} on average {of}.")
            }
        };
    };
    // In its first turn and in its last a fight may have been a moment's: only what is longer by more than that is longer.
    let open = |of: &str| {
        let mut contests = view.contests().iter();
        let found = contests.find(|found| of == format!("in {}", found.name));
        found.map_or(0.0, |found| 2.0 * f64::from(found.turn_minutes.1))
    };
    let least = |spread: &Spread, of: &str| spread.estimate().low - open(of);
    let mut others = ranked.all[..ranked.all.len() - 1].iter();
    let beyond = others.all(|(other, _)| least(most, longest) > other.estimate().high);
    let order = match (ranked.most, beyond) {
        (true, true) => format!("they hold on longest {longest}"),
        (true, false) => {
            "which is longest is not known, since turns are as long as that".to_owned()
        }
        (false, _) => "which is longest is not known".to_owned(),
    };
    format!(
        "Units stay in contact for {} on average; {order}.",
        ranked.means(duration)
    )
}
