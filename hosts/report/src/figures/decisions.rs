//! How much there is to decide: a proxy for playing time.

use super::intervals::{Axis, Row, draw, titled};
use super::robust::standing;
use crate::view::{About, Ranked, Section, View};
use crate::words::{count, ranged, short};
use cupola_lab::grid::Measure;
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
        claim: claim(view) + &standing(view, &[Measure::Decisions]),
        figure: format!("<div class=\"plots\">{}</div>", plots.join("")),
        reading: "Choices of both sides with more than one option: the nearest thing to playing time that a machine can count. \
                  Choosing a unit and then its way count as two."
            .into(),
        about: About::Games(Topic::Decisions),
    }
}

/// What the section says.
pub fn claim(view: View) -> String {
    let known = view.contests().iter();
    let ranked = Ranked::of(known.map(|found| (found.decisions, found.name.clone())));
    match &ranked.all[..] {
        [] => "No game was played to its end.".into(),
        [(one, of)] => format!(
            "A game of {of} asks for {} decisions.",
            ranged(&one.estimate(), count)
        ),
        [(few, fewest), .., (many, most)] if ranked.least && ranked.most => format!(
            "A game of {fewest} asks for {} decisions, one of {most} for {}: {} times as many.",
            ranged(&few.estimate(), count),
            ranged(&many.estimate(), count),
            short(many.mean / few.mean.max(1.0))
        ),
        _ => format!("Decisions in a game: {}.", ranked.means(count)),
    }
}
