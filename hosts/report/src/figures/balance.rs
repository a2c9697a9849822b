//! Who wins how often.

use super::intervals::name as row_name;
use super::robust::standing;
use crate::svg::{Scale, Svg, lower_axis};
use crate::view::{About, Section, View, class};
use crate::words::{percent, sentence, some};
use cupola_lab::grid::Measure;
use cupola_lab::model::{Findings, Share, Topic};

const WIDTH: f64 = 720.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 170.0;
const BAR: f64 = 24.0;

/// The section.
pub fn section(view: View) -> Section {
    Section {
        id: "balance",
        title: "Who wins",
        claim: claim(view) + &standing(view, &[Measure::Wins]),
        figure: bars(view),
        reading: "A bar is the share of games; the thin line over its end is the interval in which the true share lies \
                  nineteen times in twenty (Wilson). Where the lines of two rulesets do not meet, they differ, as these players play them."
            .into(),
        about: About::Games(Topic::Balance),
    }
}

fn rate(share: &Share) -> f64 {
    f64::from(share.count) / f64::from(share.of.max(1))
}

/// What the section says.
pub fn claim(view: View) -> String {
    let said: Vec<String> = view
        .contests()
        .iter()
        .map(|found| said(view, found))
        .collect();
    format!("{}.", sentence(&said.join("; ")))
}

fn said(view: View, found: &Findings) -> String {
    let title = &found.name;
    if found.games == 0 {
        return format!("no game of {title} was played to its end");
    }
    let side = usize::from(found.balance[1].count > found.balance[0].count);
    let (lead, other) = (&found.balance[side], &found.balance[1 - side]);
    let drawn = &found.balance[2];
    let within = |share: &Share| {
        let (low, high) = (percent(share.low), percent(share.high));
        format!(
            "{} of {} ({low} to {high})",
            percent(rate(share)),
            some(found.games as usize, "game", "games")
        )
    };
    let won = format!("in {title} {} wins {}", view.side(side), within(lead));
    let even = format!("in {title} {} are drawn", within(drawn));
    match (drawn.low > 0.5, lead.low > other.high) {
        (true, _) => even,
        (false, true) => won,
        (false, false) => {
            let lost = format!("{} {}", view.side(1 - side), within(other));
            let all = match drawn.count {
                0 => format!("{won} and {lost}"),
                _ => format!("{won}, {lost}, and {} are drawn", percent(rate(drawn))),
            };
            format!("{all}, so that nobody is ahead as far as these games can tell")
        }
    }
}

fn bars(view: View) -> String {
    let contests = view.contests();
    let group = BAR * 3.0 + 20.0;
    let height = contests.len() as f64 * group + 44.0;
    let bottom = height - 32.0;
    let mut svg = Svg::new(WIDTH, height, "Share of games won by each side, and drawn");
    let x = Scale::new((0.0, 1.0), (LEFT, WIDTH - RIGHT));
    lower_axis(&mut svg, &x, 6.0, bottom, 5, percent);
    let half = x.at(0.5);
    svg.line("even", (half, 6.0), (half, bottom));
    for (i, found) in contests.iter().enumerate() {
        let top = 10.0 + i as f64 * group;
        if i > 0 {
            svg.line("rule", (0.0, top - 9.0), (WIDTH, top - 9.0));
        }
        row_name(&mut svg, top + BAR * 0.5, &found.name, i);
        let name = |row: usize| if row < 2 { view.name(row) } else { "drawn" };
        for (row, share) in found.balance.iter().enumerate() {
            let kind = if row < 2 { class(row) } else { 'n' };
            let y = top + row as f64 * BAR;
            svg.open(&format!(
                "{}, {}: {} of {} games",
                found.name,
                name(row),
                share.count,
                share.of
            ));
            svg.rect(
                &format!("bar-{kind}"),
                (LEFT, y + 2.0),
                x.at(rate(share)) - LEFT,
                BAR - 5.0,
            );
            let middle = y + BAR / 2.0 - 0.5;
            svg.whisker((x.at(share.low), x.at(share.high)), middle);
            svg.close();
            let says = format!("{} {}", name(row), percent(rate(share)));
            svg.text("says", (WIDTH - RIGHT + 14.0, middle + 5.0), "start", &says);
        }
    }
    svg.finish()
}
