//! How much there is to decide: a proxy for playing time.

use super::intervals::{Axis, Row, draw, titled};
use crate::view::{About, Section, View};
use crate::words::{count, short};
use cupola_lab::model::{Spread, Topic};

/// The section.
pub fn section(view: View) -> Section {
    let contests = view.contests();
    let rows = |of: &dyn Fn(usize) -> Spread, name: fn(f64) -> String| -> Vec<Row> {
        let rows = contests.iter().enumerate();
        rows.map(|(i, found)| {
            let spread = of(i);
            let says = format!(
                "{} ({}–{})",
                name(spread.mean),
                name(spread.low),
                name(spread.high)
            );
            Row {
                name: found.name.clone(),
                ruleset: i,
                side: None,
                spread,
                says,
            }
        })
        .collect()
    };
    let game = rows(&|i| contests[i].decisions, count);
    let hour = rows(&|i| contests[i].decisions_per_hour, short);
    let plots = [
        titled(
            "In a game",
            &draw("Decisions per game", &game, &Axis::Values(count)),
        ),
        titled(
            "In an hour of battle",
            &draw("Decisions per hour of battle", &hour, &Axis::Values(count)),
        ),
    ];
    Section {
        id: "decisions",
        title: "How much there is to decide",
        claim: claim(view),
        figure: format!("<div class=\"plots\">{}</div>", plots.join("")),
        reading: "Choices of both sides with more than one option: the nearest thing to playing time that a machine can count. \
                  Choosing a unit and then its way count as two."
            .into(),
        about: About::Games(Topic::Decisions),
    }
}

/// What the section says.
pub fn claim(view: View) -> String {
    let mut known: Vec<(f64, &str)> = view
        .contests()
        .iter()
        .filter(|found| found.decisions.games > 0)
        .map(|found| (found.decisions.mean, found.name.as_str()))
        .collect();
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    match known.as_slice() {
        [] => "No game was played to its end.".into(),
        [one] => format!("A game of {} asks for {} decisions.", one.1, count(one.0)),
        [few, .., many] => format!(
            "A game of {} asks for {} decisions, one of {} for {}: {} times as many.",
            few.1,
            count(few.0),
            many.1,
            count(many.0),
            short(many.0 / few.0.max(1.0))
        ),
    }
}
