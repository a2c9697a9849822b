//! How far the front moved, hour by hour.

use crate::svg::{Scale, Svg, clock_axis, round_up};
use crate::view::{About, RECORDED, Section, View, caption, class, panels};
use crate::words::{clock, count, distance, escape, list, ranged, sentence};
use cupola_lab::model::{Findings, Spread, Topic};

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 58.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = HEIGHT - 30.0;

/// The section.
pub fn section(view: View) -> Section {
    let most = most(view);
    let history = recorded(view);
    let mut drawn = vec![];
    if !history[0].is_empty() {
        let all = 0..history[0].len();
        drawn.push((
            RECORDED.to_owned(),
            panel(view, "As recorded", &history, all, most),
        ));
    }
    for (i, found) in view.contests().iter().enumerate() {
        let covered = view.covered(found);
        drawn.push((
            caption(view, i),
            panel(view, &found.name, &found.front_moved, covered, most),
        ));
    }
    Section {
        id: "moved",
        title: "How far the front moved",
        claim: claim(view),
        figure: key(view) + &panels(drawn),
        reading: format!(
            "Bars above the line: how far {} pushed the front in that hour, in metres; below it: {}. It is the ground \
             taken from the other side by the length of the front, as the mean of all games; the thin line ends where one game in ten \
             goes further. A ruleset with long turns moves by jumps, at the hour in which a turn ends. \
             In the record only those push who have a place an hour before and after.",
            view.side(1),
            view.side(0)
        ),
        about: About::Games(Topic::Moved),
    }
}

/// The record as if it were one game.
fn recorded(view: View) -> [Vec<Spread>; 2] {
    let moved = view.all.history.front_moved.each_ref();
    moved.map(|side| side.iter().copied().map(one).collect())
}

fn one(metres: f64) -> Spread {
    Spread {
        games: 1,
        mean: metres,
        low: metres,
        high: metres,
        error: 0.0,
    }
}

fn most(view: View) -> f64 {
    let played = view.contests().iter().flat_map(|found| &found.front_moved);
    let played = played.flatten().map(|spread| spread.high.max(spread.mean));
    let recorded = view.all.history.front_moved.iter().flatten().copied();
    round_up(played.chain(recorded).fold(100.0, f64::max))
}

/// The hour in which a side pushed furthest, if there is one.
fn hour(view: View, moved: &[Spread], covered: std::ops::Range<usize>) -> Option<i32> {
    let inside = moved
        .iter()
        .enumerate()
        .filter(|(i, _)| covered.contains(i));
    let best = inside
        .clone()
        .max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
    // Of many games the hour is named if its interval is clear of every other's; the record is one.
    let of = best.1.estimate();
    let mut others = inside.filter(|(i, _)| *i != best.0);
    let clear = of.games < 2 || others.all(|(_, other)| of.apart(&other.estimate()) == Some(true));
    (best.1.mean > 0.0 && clear).then(|| view.hours().get(best.0).copied())?
}

/// Who pushed the front how far, each with the interval of its mean; `pushed` is by side, all hours together.
fn said(
    view: View,
    name: &str,
    (pushed, moved): (&[Spread; 2], &[Vec<Spread>; 2]),
    (turn, covered): (i32, std::ops::Range<usize>),
) -> String {
    let side = usize::from(pushed[1].mean >= pushed[0].mean);
    // Where a turn is longer than an hour nobody knows in which of its hours the front moved.
    let when = hour(view, &moved[side], covered).filter(|_| turn <= 60);
    let when = when.map_or_else(String::new, |to| {
        format!(", most in the hour to {}", view.time(to))
    });
    let far = |spread: &Spread| ranged(&spread.estimate(), distance);
    format!(
        "{name} {} pushes it {} and is pushed back {}{when}",
        view.side(side),
        far(&pushed[side]),
        far(&pushed[1 - side]),
    )
}

/// What the section says.
pub fn claim(view: View) -> String {
    let played = view.contests().iter().filter(|found| found.games > 0);
    let mut all: Vec<String> = played
        .map(|found| {
            let name = format!("in {}", found.name);
            let moved = (&found.front_pushed, &found.front_moved);
            said(
                view,
                &name,
                moved,
                (found.turn_minutes.0, view.covered(found)),
            )
        })
        .collect();
    if all.is_empty() {
        return "No game was played to its end.".into();
    }
    let history = recorded(view);
    if !history[0].is_empty() {
        let hours = 0..history[0].len();
        let whole = history
            .each_ref()
            .map(|moved| one(moved.iter().map(|hour| hour.mean).sum()));
        let other = |found: &Findings| view.pushed_in(found, 0) != view.pushed_in_all(0);
        let name = if view.contests().iter().any(other) {
            "in history, all hours of the page together,"
        } else {
            "in history"
        };
        all.push(said(view, name, (&whole, &history), (60, hours)));
    }
    format!("{}.", sentence(&all.join("; ")))
}

fn panel(
    view: View,
    name: &str,
    moved: &[Vec<Spread>; 2],
    covered: std::ops::Range<usize>,
    most: f64,
) -> String {
    let whole = [0, 1].map(|side| {
        let inside = moved[side].get(covered.clone()).unwrap_or(&[]);
        let metres = distance(inside.iter().map(|spread| spread.mean).sum());
        format!("{} {metres}", view.name(side))
    });
    let label = format!(
        "{name}: how far the front moved by hour, in all {}",
        list(&whole)
    );
    let mut svg = Svg::new(WIDTH, HEIGHT, &label);
    let (from, to) = view.span();
    let x = Scale::new(
        (f64::from(from - 30), f64::from(to + 30)),
        (LEFT, WIDTH - 10.0),
    );
    let y = Scale::new((-most, most), (BOTTOM, TOP));
    for tick in y.ticks(6) {
        let at = y.at(tick);
        svg.line("grid", (LEFT, at), (WIDTH - 10.0, at));
        let name = format!("{} m", count(tick.abs()));
        svg.text("tick", (LEFT - 7.0, at + 4.5), "end", &name);
    }
    clock_axis(&mut svg, &x, TOP, BOTTOM, 6);
    svg.line("axis", (LEFT, y.at(0.0)), (WIDTH - 10.0, y.at(0.0)));
    for (i, hour) in view.hours().into_iter().enumerate() {
        for side in [0, 1] {
            if let Some(spread) = moved[side].get(i).filter(|_| covered.contains(&i)) {
                let says = format!("{name}, {}: {} pushes", clock(hour), view.name(side));
                svg.open(&format!("{says} {}", distance(spread.mean)));
                bar(&mut svg, (&x, &y), hour, side, spread);
                svg.close();
            }
        }
    }
    svg.finish()
}

/// The push of a side in an hour: up for the second side, down for the first.
fn bar(svg: &mut Svg, (x, y): (&Scale, &Scale), hour: i32, side: usize, spread: &Spread) {
    let at = |minute: i32| x.at(f64::from(minute));
    let wide = (at(hour + 30) - at(hour - 30) - 3.0).max(2.0);
    let sign = if side == 1 { 1.0 } else { -1.0 };
    let (zero, end) = (y.at(0.0), y.at(sign * spread.mean));
    let corner = (at(hour) - wide / 2.0, zero.min(end));
    let class = format!("bar-{}", class(side));
    svg.rect(&class, corner, wide, (zero - end).abs());
    if spread.high > spread.mean {
        let furthest = y.at(sign * spread.high);
        svg.line("whisker", (at(hour), end), (at(hour), furthest));
    }
}

fn key(view: View) -> String {
    let item = |side: usize, way: &str| {
        let mut svg = Svg::new(44.0, 18.0, "");
        svg.rect(&format!("bar-{}", class(side)), (2.0, 2.0), 40.0, 14.0);
        format!(
            "<span class=\"key\">{}{way} {}</span>",
            svg.small("swatch"),
            escape(view.name(side))
        )
    };
    format!("<p class=\"keys\">{}{}</p>", item(1, "↑"), item(0, "↓"))
}
