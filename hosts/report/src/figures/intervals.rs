//! Interval plots: a row for each ruleset, with the mean and the stretch that eight games in ten lie in.

use crate::svg::{Scale, Shape, Svg, hue, lower_axis, round_up};
use crate::view::class;
use crate::words::{brief, escape, fit};
use cupola_lab::model::Spread;

/// A row of an interval plot.
pub struct Row {
    /// Its name at the left; empty to belong to the row above.
    pub name: String,
    /// Which ruleset it is of.
    pub ruleset: usize,
    /// Whose it is; none if of neither side.
    pub side: Option<usize>,
    /// The numbers.
    pub spread: Spread,
    /// They in words.
    pub says: String,
}

/// What runs along the axis below.
pub enum Axis {
    /// From zero to a round number, with the values' names.
    Values(fn(f64) -> String),
    /// From zero to a round number of minutes.
    Minutes,
}

/// The width of a plot.
pub const WIDTH: f64 = 590.0;
/// Where rows begin, right of their names.
pub const LEFT: f64 = 128.0;
const RIGHT: f64 = 196.0;
/// The height of a row.
pub const ROW: f64 = 30.0;

/// Draws rows over one axis.
pub fn draw(label: &str, rows: &[Row], axis: &Axis) -> String {
    let height = rows.len() as f64 * ROW + 44.0;
    let bottom = height - 32.0;
    let mut svg = Svg::new(WIDTH, height, label);
    let ends = (LEFT, WIDTH - RIGHT);
    let x = match axis {
        Axis::Values(name) => {
            let most = rows.iter().map(|row| row.spread.high.max(row.spread.mean));
            let x = Scale::new((0.0, round_up(most.fold(0.0, f64::max))), ends);
            lower_axis(&mut svg, &x, 6.0, bottom, 5, name);
            x
        }
        Axis::Minutes => {
            let most = rows.iter().map(|row| row.spread.high.max(row.spread.mean));
            let hours = (most.fold(0.0, f64::max) / 60.0).ceil().max(1.0);
            let x = Scale::new((0.0, hours), ends);
            lower_axis(&mut svg, &x, 6.0, bottom, 4, |hours| brief(hours * 60.0));
            Scale::new((0.0, hours * 60.0), ends)
        }
    };
    for (i, row) in rows.iter().enumerate() {
        let y = 8.0 + ROW * (i as f64 + 0.5);
        if i > 0 && !row.name.is_empty() {
            svg.line("rule", (0.0, y - ROW / 2.0), (WIDTH, y - ROW / 2.0));
        }
        name(&mut svg, y, &row.name, row.ruleset);
        svg.text("says", (WIDTH - RIGHT + 14.0, y + 5.0), "start", &row.says);
        if row.spread.games > 0 {
            interval(&mut svg, &x, y, row);
        }
    }
    svg.finish()
}

/// The name of a row at the left, with the ruleset's mark; nothing if it belongs to the row above.
pub fn name(svg: &mut Svg, y: f64, name: &str, ruleset: usize) {
    if !name.is_empty() {
        let fill = format!("fill-r{}", hue(ruleset));
        svg.mark(&fill, Shape::ruleset(ruleset), (8.0, y), 6.0);
        svg.text("name", (22.0, y + 5.0), "start", &fit(name, 14));
    }
}

fn interval(svg: &mut Svg, x: &Scale, y: f64, row: &Row) {
    let kind = row.side.map_or_else(
        || format!("r{}", hue(row.ruleset)),
        |side| class(side).into(),
    );
    let (low, high) = (x.at(row.spread.low), x.at(row.spread.high));
    svg.open(&format!("{}: {}", row.name, row.says));
    svg.rect(&format!("stretch-{kind}"), (low, y - 4.0), high - low, 8.0);
    for end in [low, high] {
        svg.line(&format!("cap-{kind}"), (end, y - 7.0), (end, y + 7.0));
    }
    let shape = row
        .side
        .map_or_else(|| Shape::ruleset(row.ruleset), Shape::side);
    svg.mark(
        &format!("fill-{kind}"),
        shape,
        (x.at(row.spread.mean), y),
        6.0,
    );
    svg.close();
}

/// A plot under a small heading.
pub fn titled(title: &str, plot: &str) -> String {
    format!("<div class=\"plot\"><h3>{}</h3>{plot}</div>", escape(title))
}
