//! How far play is from history.

use super::intervals::{LEFT, WIDTH, name, titled};
use crate::svg::{Scale, Shape, Svg, clock_axis, lower_axis, round_up, values_axis};
use crate::view::{About, Section, View};
use crate::words::{distance, list, percent};
use cupola_lab::model::Topic;

const RIGHT: f64 = 150.0;

/// The section.
pub fn section(view: View) -> Section {
    let losses = bars(view, "Losses by corps, off the record", |d| d.losses);
    let places = bars(view, "Places and hours held as recorded", |d| d.places);
    let figure = [
        titled(
            "Losses by corps: difference, as a share of the recorded losses (less is nearer)",
            &losses,
        ),
        titled(
            "Places and hours in the recorded hands (more is nearer)",
            &places,
        ),
        titled(
            "Brigades: distance from where they are recorded, by the hour",
            &lines(view),
        ),
    ];
    Section {
        id: "distance",
        title: "How far from history",
        claim: claim(view),
        figure: format!("<div class=\"plots\">{}</div>", figure.join("")),
        reading: "Nearness to history is no mark for a game: plans and players differ from those of 1863. It tells where a ruleset lets \
                  the same intentions lead elsewhere. Brigades are compared only where both the record and the game know their place."
            .into(),
        about: About::Games(Topic::Distance),
    }
}

/// What the section says.
pub fn claim(view: View) -> String {
    let mut said = vec![];
    let best = |of: &dyn Fn(&cupola_lab::model::Distance) -> Option<f64>, most: bool| {
        let known = view
            .contests()
            .iter()
            .filter_map(|found| Some((of(&found.distance)?, found.name.as_str())));
        let order = |a: &(f64, &str), b: &(f64, &str)| a.0.total_cmp(&b.0);
        if most {
            known.max_by(order)
        } else {
            known.min_by(order)
        }
    };
    if let Some((share, name)) = best(&|d| d.losses, false) {
        said.push(format!(
            "{name} is nearest in losses by corps (off by {})",
            percent(share)
        ));
    }
    if let Some((share, name)) = best(&|d| d.places, true) {
        said.push(format!(
            "{name} in who holds what ({} as recorded)",
            percent(share)
        ));
    }
    if let Some((metres, name)) = best(&|d| d.position, false) {
        said.push(format!(
            "{name} in where the brigades stand (off by {})",
            distance(metres)
        ));
    }
    if said.is_empty() {
        return "Nothing is recorded that play could be compared with.".into();
    }
    format!("{}.", crate::words::sentence(&list(&said)))
}

fn bars(
    view: View,
    label: &str,
    of: impl Fn(&cupola_lab::model::Distance) -> Option<f64>,
) -> String {
    let contests = view.contests();
    let height = contests.len() as f64 * 30.0 + 44.0;
    let bottom = height - 32.0;
    let mut svg = Svg::new(WIDTH, height, label);
    let most = contests
        .iter()
        .filter_map(|found| of(&found.distance))
        .fold(1.0, f64::max);
    let x = Scale::new((0.0, round_up(most)), (LEFT, WIDTH - RIGHT));
    lower_axis(&mut svg, &x, 6.0, bottom, 5, percent);
    for (i, found) in contests.iter().enumerate() {
        let y = 8.0 + 30.0 * (i as f64 + 0.5);
        name(&mut svg, y, &found.name, i);
        let value = of(&found.distance);
        let says = value.map_or_else(|| "not known".to_owned(), percent);
        svg.text("says", (WIDTH - RIGHT + 14.0, y + 5.0), "start", &says);
        svg.rect(
            &format!("stretch-r{}", i % 4),
            (LEFT, y - 9.0),
            x.at(value.unwrap_or(0.0)) - LEFT,
            18.0,
        );
    }
    svg.finish()
}

fn lines(view: View) -> String {
    let contests = view.contests();
    let (width, height, left) = (WIDTH, 300.0, 62.0);
    let (top, bottom) = (12.0, height - 32.0);
    let mut svg = Svg::new(
        width,
        height,
        "Mean distance of brigades from their recorded places, by hour",
    );
    let known = contests
        .iter()
        .flat_map(|found| found.distance.positions.iter().flatten());
    let most = round_up(known.copied().fold(500.0, f64::max));
    let (from, to) = view.span();
    let x = Scale::new((f64::from(from), f64::from(to)), (left, width - 120.0));
    let y = Scale::new((0.0, most), (bottom, top));
    values_axis(&mut svg, &y, (left, width - 120.0), distance);
    clock_axis(&mut svg, &x, top, bottom, 7);
    let hours = view.hours();
    let mut labels: Vec<(f64, usize)> = vec![];
    for (i, found) in contests.iter().enumerate() {
        let covered = view.covered(found);
        let points = hours.iter().zip(&found.distance.positions).enumerate();
        let points = points.filter(|(hour, _)| covered.contains(hour));
        let points: Vec<(f64, f64)> = points
            .filter_map(|(_, (hour, metres))| Some((x.at(f64::from(*hour)), y.at((*metres)?))))
            .collect();
        svg.polyline(&format!("way way-{0} ink-r{0}", i % 4), &points);
        for point in &points {
            svg.mark(&format!("fill-r{}", i % 4), Shape::ruleset(i), *point, 4.2);
        }
        if let Some(end) = points.last() {
            labels.push((end.1, i));
        }
    }
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = f64::MIN;
    for (at, i) in labels {
        // Names of lines that end close together stand one below the other.
        let at = at.max(free);
        svg.mark(
            &format!("fill-r{}", i % 4),
            Shape::ruleset(i),
            (width - 106.0, at),
            5.0,
        );
        svg.text("name", (width - 94.0, at + 5.0), "start", &contests[i].name);
        free = at + 19.0;
    }
    svg.finish()
}
