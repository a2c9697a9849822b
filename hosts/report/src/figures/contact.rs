//! Stickiness: how long a unit stays in contact once it is.

use super::intervals::{Axis, Row, draw};
use crate::view::{About, Section, View};
use crate::words::{brief, duration};
use cupola_lab::model::Topic;

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
        claim: claim(view),
        figure: draw("Minutes in contact", &rows, &Axis::Minutes),
        reading: "Turns on end in which an enemy stood next to a unit, be it for a moment, as the mean of a game. \
                  It cannot be shorter than a turn, so a ruleset with long turns has long fights."
            .into(),
        about: About::Games(Topic::Contact),
    }
}

/// What the section says.
pub fn claim(view: View) -> String {
    let mut known: Vec<(f64, &str)> = view
        .contests()
        .iter()
        .filter(|found| found.contact_minutes.games > 0)
        .map(|found| (found.contact_minutes.mean, found.name.as_str()))
        .collect();
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    match known.as_slice() {
        [] => "No unit was ever in contact.".into(),
        [one] => format!(
            "In {} a unit stays in contact for {} on average.",
            one.1,
            duration(one.0)
        ),
        [short, .., long] => format!(
            "Units break off soonest in {} ({} on average) and hold on longest in {} ({}).",
            short.1,
            duration(short.0),
            long.1,
            duration(long.0)
        ),
    }
}
