//! Men lost by side, hour by hour.

use super::robust::standing;
use super::strips::strips;
use crate::svg::{Scale, Shape, Svg, clock_axis, round_up, values_axis};
use crate::view::{About, Section, View, caption, class, last, panels, side_key};
use crate::words::{clock, count, list};
use cupola_lab::grid::Measure;
use cupola_lab::model::{Findings, Spread, Topic};
use cupola_lab::stats::Estimate;

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 270.0;
const LEFT: f64 = 58.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = HEIGHT - 30.0;

/// The section.
pub fn section(view: View) -> Section {
    let most = most(view);
    let drawn = view.contests().iter().enumerate();
    let drawn = drawn.map(|(i, found)| (caption(view, i), panel(view, found, most)));
    Section {
        id: "losses",
        title: "Men lost, hour by hour",
        claim: claim(view) + &standing(view, &[Measure::MenFirst, Measure::MenSecond, Measure::LossShare]),
        figure: side_key(view, view.has_record()) + &panels(drawn) + &strips(view),
        reading: "Lines are the mean of all games, men lost since the span began: killed, wounded and missing alike; a game that is over keeps its losses. \
                  The shaded band holds eight games in ten. The dotted lines that end in a diamond are what is recorded of the hours that are played and of the bodies that are in them; by the hour it \
                  is reckoned from how units' strengths fall in the record. Below, every stroke is a game: where strokes lie thick, most games end."
            .into(),
        about: About::Games(Topic::Losses),
    }
}

/// Where the axis of all panels ends.
fn most(view: View) -> f64 {
    let played = view
        .contests()
        .iter()
        .flat_map(|found| found.men_lost.iter().flatten());
    let played = played
        .map(|spread| spread.high.max(spread.mean))
        .fold(0.0, f64::max);
    let recorded = [0, 1].map(|side| view.recorded(side).unwrap_or(0.0));
    round_up(recorded.into_iter().fold(played, f64::max).max(100.0))
}

fn claim(view: View) -> String {
    let said: Vec<String> = view
        .contests()
        .iter()
        .filter_map(|found| said(view, found))
        .collect();
    if said.is_empty() {
        return "No losses are known.".into();
    }
    format!("{}.", crate::words::sentence(&said.join("; ")))
}

/// Who loses more, if the games tell, and the worst two hours of that side.
fn said(view: View, found: &Findings) -> Option<String> {
    let totals = [0, 1].map(|side| last(&found.men_lost[side]).estimate());
    let side = usize::from(totals[1].mean > totals[0].mean);
    let (from, to) = worst(view, found, side)?;
    // Where a turn is longer than an hour nobody knows in which of its hours men fell; and two hours of three or four are no news.
    let worst = if found.turn_minutes.0 > 60 || view.covered(found).len() <= 5 {
        String::new()
    } else {
        format!(
            "; in the mean {} loses most from {} to {}",
            view.side(side),
            view.time(from),
            clock(to)
        )
    };
    let each = [0, 1].map(|side| {
        let recorded = view
            .recorded_of(found, side)
            .map_or_else(String::new, |men| format!(" ({} recorded)", count(men)));
        let of = totals[side];
        let off = match of.games {
            0 | 1 => String::new(),
            _ => format!(" ± {}", count(of.high - of.mean)),
        };
        format!("{} {}{off}{recorded}", view.side(side), count(of.mean))
    });
    let more = if leads(found, &totals, side) {
        format!("{} loses more", view.side(side))
    } else {
        "who loses more is not clear".to_owned()
    };
    Some(format!(
        "in {} {more}: {} men{worst}",
        found.name,
        list(&each)
    ))
}

/// Whether a side clearly loses more. Both lose in the same games, so it is their difference that counts, game by game.
fn leads(found: &Findings, totals: &[Estimate; 2], side: usize) -> bool {
    let each = found.by_game.iter();
    let more: Vec<f64> = each
        .map(|game| game.men_lost[side] - game.men_lost[1 - side])
        .collect();
    if more.is_empty() {
        return totals[side].apart(&totals[1 - side]) == Some(true);
    }
    Estimate::of(&more, false).clear_of(0.0) == Some(true)
}

/// The two hours in which a side loses most.
fn worst(view: View, found: &Findings, side: usize) -> Option<(i32, i32)> {
    let hours = view.hours();
    let lost = &found.men_lost[side];
    let two = hours.windows(3).zip(lost.windows(3));
    let best = two.max_by(|(_, a), (_, b)| {
        let gain = |s: &[Spread]| s[2].mean - s[0].mean;
        gain(a).total_cmp(&gain(b))
    })?;
    (best.1[2].mean > best.1[0].mean).then_some((best.0[0], best.0[2]))
}

fn panel(view: View, found: &Findings, most: f64) -> String {
    let losses = [0, 1].map(|side| count(last(&found.men_lost[side]).mean));
    let label = format!(
        "{}: men lost by hour, at the end {}",
        found.name,
        list(&[0, 1].map(|side| format!("{} {}", view.name(side), losses[side])))
    );
    let mut svg = Svg::new(WIDTH, HEIGHT, &label);
    let (from, to) = view.span();
    let x = Scale::new((f64::from(from), f64::from(to)), (LEFT, WIDTH - 22.0));
    let y = Scale::new((0.0, most), (BOTTOM, TOP));
    values_axis(&mut svg, &y, (LEFT, WIDTH - 10.0), count);
    clock_axis(&mut svg, &x, TOP, BOTTOM, 6);
    let hours = view.hours();
    let covered = view.covered(found);
    for side in [0, 1] {
        let at = |value: fn(&Spread) -> f64| -> Vec<(f64, f64)> {
            let pairs = hours.iter().zip(&found.men_lost[side]).enumerate();
            let pairs = pairs.filter(|(i, _)| covered.contains(i));
            pairs
                .map(|(_, (hour, spread))| (x.at(f64::from(*hour)), y.at(value(spread))))
                .collect()
        };
        let kind = class(side);
        svg.band(&format!("band-{kind}"), &at(|s| s.high), &at(|s| s.low));
        let mean = at(|s| s.mean);
        svg.polyline(&format!("line-{kind}"), &mean);
        for point in mean.iter().skip(1).step_by(2) {
            svg.mark(&format!("fill-{kind}"), Shape::side(side), *point, 3.5);
        }
    }
    let ends = [0, 1].map(|side| view.recorded_of(found, side).map(|men| y.at(men)));
    for side in [0, 1] {
        // Letters of marks that lie close together stand above and below.
        let off = match (ends[side], ends[1 - side]) {
            (Some(own), Some(other)) if (own - other).abs() < 14.0 => {
                let below = own > other || (own == other && side == 1);
                if below { 7.0 } else { -7.0 }
            }
            _ => 0.0,
        };
        record(&mut svg, view, found, side, (&x, &y, off));
    }
    svg.finish()
}

/// What is recorded of the hours that a contest plays: its course if that is known, and where it ends.
fn record(
    svg: &mut Svg,
    view: View,
    found: &Findings,
    side: usize,
    (x, y, off): (&Scale, &Scale, f64),
) {
    let (Some(men), covered) = (view.recorded_of(found, side), view.covered(found)) else {
        return;
    };
    svg.open(&format!(
        "Recorded, {}: {} men",
        view.name(side),
        count(men)
    ));
    let hours = view.hours();
    let known = found.recorded[side].by_hour.get(covered.clone());
    let course: Vec<(f64, f64)> = hours[covered.clone()]
        .iter()
        .zip(known.unwrap_or(&[]))
        .map(|(hour, men)| (x.at(f64::from(*hour)), y.at(f64::from(*men))))
        .collect();
    svg.polyline(&format!("line-h ink-{}", class(side)), &course);
    let last = covered.end.checked_sub(1).and_then(|end| hours.get(end));
    let end = (
        last.map_or(x.end(), |hour| x.at(f64::from(*hour))),
        y.at(men),
    );
    svg.mark(&format!("hollow-{}", class(side)), Shape::Diamond, end, 6.0);
    let name = view.letter(side).to_string();
    svg.text("mini", (end.0 + 12.0, end.1 + 4.5 + off), "start", &name);
    svg.close();
}
