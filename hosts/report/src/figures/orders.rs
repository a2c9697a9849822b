//! Command friction: orders that did nothing.

use super::intervals::{Axis, draw};
use super::robust::standing;
use super::tempo::by_side;
use crate::view::{About, Ranked, Section, View, side_key};
use crate::words::{list, percent, ranged};
use cupola_lab::grid::Measure;
use cupola_lab::model::{Findings, Topic};

/// The section.
pub fn section(view: View) -> Section {
    let contests = view.contests();
    let rows = by_side(view, |i, side| contests[i].idle_orders[side], percent);
    Section {
        id: "orders",
        title: "Orders that did nothing",
        claim: claim(view) + &standing(view, &[Measure::Idle]),
        figure: side_key(view, false) + &draw("Share of orders that moved nobody", &rows, &Axis::Values(percent)),
        reading: "Of units that had somewhere to go by their side's plan and no enemy next to them, the share that did not move at all in \
                  a turn: leaders out of reach, chits not drawn, activations spent elsewhere."
            .into(),
        about: About::Games(Topic::Orders),
    }
}

/// What the section says.
pub fn claim(view: View) -> String {
    let both = |found: &Findings| {
        let of = |side: usize| format!("for {} in {}", view.side(side), found.name);
        [0, 1].map(|side| (found.idle_orders[side], of(side)))
    };
    let ranked = Ranked::of(view.contests().iter().flat_map(both));
    let ([(least, lowest), .., (most, highest)], true) =
        (&ranked.all[..], ranked.least || ranked.most)
    else {
        return match &ranked.all[..] {
            [] => "No orders to march were seen.".into(),
            all => {
                let means = ranked.means(percent);
                let order = if all.len() > 1 {
                    "; where it is greatest is not known"
                } else {
                    ""
                };
                format!("The share of orders that move nobody is {means}{order}.")
            }
        };
    };
    let ends = [
        ranked
            .most
            .then(|| format!("greatest {highest}, {}", ranged(&most.estimate(), percent))),
        ranked
            .least
            .then(|| format!("least {lowest}, {}", ranged(&least.estimate(), percent))),
    ];
    let ends: Vec<String> = ends.into_iter().flatten().collect();
    format!("The share of orders that move nobody is {}.", list(&ends))
}
