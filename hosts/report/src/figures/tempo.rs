//! When things begin, and how fast they go.

use super::intervals::{Axis, Row, draw, titled};
use crate::view::{Section, View};
use crate::words::{clock, count, distance, list, short};
use cupola_lab::model::{Spread, Topic};

/// The section.
pub fn section(view: View) -> Section {
    Section {
        id: "tempo",
        title: "Tempo",
        claim: claim(view),
        figure: plots(view),
        reading: "The mark is the mean of all games, the bar holds eight in ten. Times are those of the turn in which it happened, \
                  so a ruleset with long turns is coarser. March speed counts only units that marched."
            .into(),
        topic: Some(Topic::Tempo),
    }
}

fn claim(view: View) -> String {
    let mut first: Vec<(f64, &str)> = view
        .contests()
        .iter()
        .filter(|found| found.tempo.first_attack.games > 0)
        .map(|found| (found.tempo.first_attack.mean, found.title.as_str()))
        .collect();
    first.sort_by(|a, b| a.0.total_cmp(&b.0));
    let time = |minute: f64| clock(minute.round() as i32);
    let begin = match first.as_slice() {
        [] => "Nobody attacks".to_owned(),
        [one] => format!(
            "In {} the first attack comes at about {}",
            one.1,
            time(one.0)
        ),
        [early, .., late] => format!(
            "The first attack comes at about {} in {} and at about {} in {}",
            time(early.0),
            early.1,
            time(late.0),
            late.1
        ),
    };
    let rates = view.contests().iter().map(|found| {
        let both: f64 = found.tempo.attacks.iter().map(|spread| spread.mean).sum();
        format!("{} in {}", short(both), found.title)
    });
    let rates: Vec<String> = rates.collect();
    format!(
        "{begin}. Attacks per hour of battle, both sides together: {}.",
        list(&rates)
    )
}

fn times(view: View, of: impl Fn(usize) -> Spread) -> Vec<Row> {
    let rows = view.contests().iter().enumerate();
    rows.map(|(i, found)| {
        let spread = of(i);
        let time = |minute: f64| clock(minute.round() as i32);
        let says = if spread.games == 0 {
            "never".to_owned()
        } else {
            format!(
                "{} ({}–{})",
                time(spread.mean),
                time(spread.low),
                time(spread.high)
            )
        };
        Row {
            name: found.title.clone(),
            side: None,
            spread,
            says,
        }
    })
    .collect()
}

/// A row for each side of each contest.
pub fn by_side(
    view: View,
    of: impl Fn(usize, usize) -> Spread,
    name: impl Fn(f64) -> String,
) -> Vec<Row> {
    let mut rows = vec![];
    for (i, found) in view.contests().iter().enumerate() {
        for side in [0, 1] {
            let spread = of(i, side);
            let says = if spread.games == 0 {
                "none".to_owned()
            } else {
                format!("{} {}", view.name(side), name(spread.mean))
            };
            let title = if side == 0 {
                found.title.clone()
            } else {
                String::new()
            };
            rows.push(Row {
                name: title,
                side: Some(side),
                spread,
                says,
            });
        }
    }
    rows
}

fn plots(view: View) -> String {
    let contests = view.contests();
    let (from, to) = view.span();
    let axis = Axis::Clock(from, to);
    let contact = times(view, |i| contests[i].tempo.first_contact);
    let attack = times(view, |i| contests[i].tempo.first_attack);
    let march = by_side(
        view,
        |i, side| contests[i].tempo.march[side],
        |m| format!("{}/h", distance(m)),
    );
    let attacks = by_side(
        view,
        |i, side| contests[i].tempo.attacks[side],
        |n| format!("{}/h", short(n)),
    );
    let plots = [
        titled(
            "First contact",
            &draw(
                "When the armies first stood next to each other",
                &contact,
                &axis,
            ),
        ),
        titled(
            "First attack",
            &draw("When the first attack was made", &attack, &axis),
        ),
        titled(
            "March, metres in an hour",
            &draw("Speed of units on the march", &march, &Axis::Values(count)),
        ),
        titled(
            "Attacks in an hour of battle",
            &draw("Attacks per hour by side", &attacks, &Axis::Values(short)),
        ),
    ];
    format!("<div class=\"plots\">{}</div>", plots.join(""))
}
