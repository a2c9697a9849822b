//! Stickiness: how long a unit stays in contact once it is.

use super::intervals::{Axis, Row, draw};
use crate::view::{Section, View};
use crate::words::{brief, duration};
use cupola_lab::model::Topic;

/// The section.
pub fn section(view: View) -> Section {
    let rows: Vec<Row> = view
        .contests()
        .iter()
        .map(|found| {
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
                name: found.title.clone(),
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
        reading: "From the turn in which an enemy stands next to a unit to the turn in which none does, as the mean of a game. \
                  It cannot be shorter than a turn."
            .into(),
        topic: Some(Topic::Contact),
    }
}

fn claim(view: View) -> String {
    let mut known: Vec<(f64, &str)> = view
        .contests()
        .iter()
        .filter(|found| found.contact_minutes.games > 0)
        .map(|found| (found.contact_minutes.mean, found.title.as_str()))
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
