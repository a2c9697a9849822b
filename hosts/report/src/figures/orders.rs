//! Command friction: orders that did nothing.

use super::intervals::{Axis, draw};
use super::tempo::by_side;
use crate::view::{About, Section, View, side_key};
use crate::words::percent;
use cupola_lab::model::Topic;

/// The section.
pub fn section(view: View) -> Section {
    let contests = view.contests();
    let rows = by_side(view, |i, side| contests[i].idle_orders[side], percent);
    Section {
        id: "orders",
        title: "Orders that did nothing",
        claim: claim(view),
        figure: side_key(view, false) + &draw("Share of orders that moved nobody", &rows, &Axis::Values(percent)),
        reading: "Of units that had somewhere to go by their side's plan and no enemy next to them, the share that did not move at all in \
                  a turn: leaders out of reach, chits not drawn, activations spent elsewhere."
            .into(),
        about: About::Games(Topic::Orders),
    }
}

/// What the section says.
pub fn claim(view: View) -> String {
    let mut worst: Vec<(f64, String)> = vec![];
    for found in view.contests() {
        for side in [0, 1] {
            let spread = found.idle_orders[side];
            if spread.games > 0 {
                worst.push((
                    spread.mean,
                    format!("{} in {}", view.side(side), found.name),
                ));
            }
        }
    }
    worst.sort_by(|a, b| a.0.total_cmp(&b.0));
    match worst.as_slice() {
        [] => "No orders to march were seen.".into(),
        [one] => format!("For {} {} of orders move nobody.", one.1, percent(one.0)),
        [least, .., most] => format!(
            "Friction is greatest for {}, where {} of orders move nobody, and least for {} ({}).",
            most.1,
            percent(most.0),
            least.1,
            percent(least.0)
        ),
    }
}
