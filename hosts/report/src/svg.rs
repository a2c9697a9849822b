//! Drawing charts: a small writer of SVG, and scales with axes.
//!
//! Colours, widths and letters are in the page's style sheet; here are shapes and their classes only. A chart's
//! units are the page's pixels at its plain size.

use crate::words::{clock, day, escape};
use std::fmt::Write as _;

/// A drawing under way.
pub struct Svg {
    width: f64,
    height: f64,
    label: String,
    body: String,
}

/// A number with one decimal at most.
pub fn num(value: f64) -> String {
    let tenths = if value.is_finite() {
        (value * 10.0).round() as i64
    } else {
        0
    };
    if tenths % 10 == 0 {
        format!("{}", tenths / 10)
    } else {
        format!("{:.1}", tenths as f64 / 10.0)
    }
}

impl Svg {
    /// An empty drawing; the label says to those who cannot see it what it is.
    pub fn new(width: f64, height: f64, label: &str) -> Svg {
        Svg {
            width,
            height,
            label: label.to_owned(),
            body: String::new(),
        }
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(num);
        let _ = write!(
            self.body,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        );
    }

    /// An interval that lies flat, with a stroke at either end.
    pub fn whisker(&mut self, (low, high): (f64, f64), y: f64) {
        self.line("whisker", (low, y), (high, y));
        for end in [low, high] {
            self.line("whisker", (end, y - 4.0), (end, y + 4.0));
        }
    }

    /// A rectangle.
    pub fn rect(&mut self, class: &str, at: (f64, f64), width: f64, height: f64) {
        let [x, y, w, h] = [at.0, at.1, width.max(0.0), height.max(0.0)].map(num);
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>"
        );
    }

    /// A rectangle through which the ground shows.
    pub fn tint(&mut self, class: &str, at: (f64, f64), width: f64, height: f64, opacity: f64) {
        let [x, y, w, h] = [at.0, at.1, width.max(0.0), height.max(0.0)].map(num);
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" opacity=\"{:.2}\"/>",
            opacity.clamp(0.0, 1.0)
        );
    }

    /// Words; the anchor is `start`, `middle` or `end`.
    pub fn text(&mut self, class: &str, at: (f64, f64), anchor: &str, text: &str) {
        let [x, y] = [at.0, at.1].map(num);
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        );
    }

    /// A line through points.
    pub fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        if points.len() > 1 {
            let _ = write!(
                self.body,
                "<polyline class=\"{class}\" points=\"{}\"/>",
                pairs(points.iter())
            );
        }
    }

    /// The area between two lines over the same places.
    pub fn band(&mut self, class: &str, upper: &[(f64, f64)], lower: &[(f64, f64)]) {
        if upper.len() > 1 {
            let around = upper.iter().chain(lower.iter().rev());
            let _ = write!(
                self.body,
                "<polygon class=\"{class}\" points=\"{}\"/>",
                pairs(around)
            );
        }
    }

    /// A mark: the shapes differ, so that colour is never the only sign.
    pub fn mark(&mut self, class: &str, shape: Shape, (x, y): (f64, f64), r: f64) {
        match shape {
            Shape::Disc => {
                let [x, y, r] = [x, y, r].map(num);
                let _ = write!(
                    self.body,
                    "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"
                );
            }
            Shape::Square => self.rect(class, (x - r * 0.9, y - r * 0.9), r * 1.8, r * 1.8),
            _ => {
                let corners = shape.corners().iter();
                let points: Vec<(f64, f64)> =
                    corners.map(|(dx, dy)| (x + dx * r, y + dy * r)).collect();
                self.polygon(class, &points);
            }
        }
    }

    /// A closed shape.
    pub fn polygon(&mut self, class: &str, points: &[(f64, f64)]) {
        let _ = write!(
            self.body,
            "<polygon class=\"{class}\" points=\"{}\"/>",
            pairs(points.iter())
        );
    }

    /// Opens a group that says more when pointed at.
    pub fn open(&mut self, title: &str) {
        let _ = write!(self.body, "<g><title>{}</title>", escape(title));
    }

    /// Closes it.
    pub fn close(&mut self) {
        self.body.push_str("</g>");
    }

    /// The drawing as a small sign within a line, for eyes only: words beside it say the same.
    pub fn small(self, class: &str) -> String {
        format!(
            "<svg class=\"{class}\" viewBox=\"0 0 {} {}\" aria-hidden=\"true\">{}</svg>",
            num(self.width),
            num(self.height),
            self.body
        )
    }

    /// The drawing.
    pub fn finish(self) -> String {
        format!(
            "<svg class=\"chart\" viewBox=\"0 0 {} {}\" style=\"max-width:{}px\" role=\"img\" aria-label=\"{}\">{}</svg>",
            num(self.width),
            num(self.height),
            num(self.width * 1.15),
            escape(&self.label),
            self.body
        )
    }
}

fn pairs<'p>(points: impl Iterator<Item = &'p (f64, f64)>) -> String {
    let pairs: Vec<String> = points
        .map(|(x, y)| format!("{},{}", num(*x), num(*y)))
        .collect();
    pairs.join(" ")
}

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The first side.
    Disc,
    /// The second side.
    Square,
    /// What is recorded.
    Diamond,
    /// The first ruleset.
    Triangle,
    /// The second one.
    Cross,
    /// The third one.
    Down,
    /// The fourth one.
    Hexagon,
    /// The fifth one.
    Star,
    /// The sixth one.
    Hourglass,
}

/// The colour of the n-th ruleset, as its class ends. There is one more shape than there are colours, so that no two of thirty look alike.
pub fn hue(n: usize) -> usize {
    n % 5
}

impl Shape {
    /// The shape of a side.
    pub fn side(side: usize) -> Shape {
        if side == 0 {
            Shape::Disc
        } else {
            Shape::Square
        }
    }

    /// The shape of the n-th ruleset: none of those that sides and the record have.
    pub fn ruleset(n: usize) -> Shape {
        let shapes = [
            Shape::Triangle,
            Shape::Cross,
            Shape::Down,
            Shape::Hexagon,
            Shape::Star,
            Shape::Hourglass,
        ];
        shapes[n % shapes.len()]
    }

    /// Corners around the middle, in radii, of the shapes that have some.
    fn corners(self) -> &'static [(f64, f64)] {
        match self {
            Shape::Disc | Shape::Square => &[],
            Shape::Diamond => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
            Shape::Triangle => &[(0.0, -1.2), (1.15, 0.85), (-1.15, 0.85)],
            Shape::Down => &[(0.0, 1.2), (1.15, -0.85), (-1.15, -0.85)],
            Shape::Cross => &[
                (-0.4, -1.15),
                (0.4, -1.15),
                (0.4, -0.4),
                (1.15, -0.4),
                (1.15, 0.4),
                (0.4, 0.4),
                (0.4, 1.15),
                (-0.4, 1.15),
                (-0.4, 0.4),
                (-1.15, 0.4),
                (-1.15, -0.4),
                (-0.4, -0.4),
            ],
            Shape::Star => &[
                (0.0, -1.3),
                (0.32, -0.44),
                (1.24, -0.4),
                (0.52, 0.17),
                (0.76, 1.05),
                (0.0, 0.55),
                (-0.76, 1.05),
                (-0.52, 0.17),
                (-1.24, -0.4),
                (-0.32, -0.44),
            ],
            Shape::Hourglass => &[
                (-1.05, -1.1),
                (1.05, -1.1),
                (0.25, 0.0),
                (1.05, 1.1),
                (-1.05, 1.1),
                (-0.25, 0.0),
            ],
            Shape::Hexagon => &[
                (-0.55, -1.0),
                (0.55, -1.0),
                (1.15, 0.0),
                (0.55, 1.0),
                (-0.55, 1.0),
                (-1.15, 0.0),
            ],
        }
    }
}

/// From values to places on a drawing.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// Values from `low` to `high` on the stretch `from`–`to`.
    pub fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Scale {
        let high = if high > low { high } else { low + 1.0 };
        Scale {
            low,
            high,
            from,
            to,
        }
    }

    /// Where a value lies.
    pub fn at(&self, value: f64) -> f64 {
        let value = if value.is_finite() { value } else { self.low };
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// Where the stretch ends.
    pub fn end(&self) -> f64 {
        self.to
    }

    /// Round values on it, about so many.
    pub fn ticks(&self, about: usize) -> Vec<f64> {
        let step = step((self.high - self.low) / about.max(1) as f64);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last.min(first + 40))
            .map(|i| i as f64 * step)
            .collect()
    }

    /// Full hours on it, at most so many; the values are minutes of the calendar.
    pub fn hours(&self, most: usize) -> Vec<i32> {
        let span = (self.high - self.low) / 60.0;
        let every = [1, 2, 3, 4, 6, 12, 24, 48, 96];
        let every = every
            .into_iter()
            .find(|h| span / f64::from(*h) < most as f64);
        let every = every.unwrap_or(168) * 60;
        let first = (self.low / f64::from(every)).ceil() as i32;
        let last = (self.high / f64::from(every)).floor() as i32;
        (first..=last).map(|i| i * every).collect()
    }
}

/// The round number next to a step: 1, 2 or 5 and zeros.
fn step(raw: f64) -> f64 {
    let mut size = 1e-3;
    while size < 1e9 {
        for round in [1.0, 2.0, 5.0] {
            if size * round >= raw {
                return size * round;
            }
        }
        size *= 10.0;
    }
    size
}

/// The least round number that is not less: where an axis ends.
pub fn round_up(value: f64) -> f64 {
    let step = step(value.max(1e-9) / 5.0);
    (value / step).ceil() * step
}

/// The axis of values at the left, with lines across.
pub fn values_axis(svg: &mut Svg, y: &Scale, x: (f64, f64), name: impl Fn(f64) -> String) {
    for tick in y.ticks(4) {
        let at = y.at(tick);
        svg.line("grid", (x.0, at), (x.1, at));
        svg.text("tick", (x.0 - 7.0, at + 4.5), "end", &name(tick));
    }
}

/// The clock below, with a mark at every hour that is named.
pub fn clock_axis(svg: &mut Svg, x: &Scale, top: f64, bottom: f64, most: usize) {
    for minute in x.hours(most) {
        let at = x.at(f64::from(minute));
        svg.line("grid", (at, top), (at, bottom));
        let midnight = minute.rem_euclid(24 * 60) == 0;
        // Where days go by, the beginning of one has its name.
        let name = if midnight && x.high - x.low > 24.0 * 60.0 {
            day(minute)
        } else {
            clock(minute)
        };
        svg.text("tick", (at, bottom + 18.0), "middle", &name);
    }
    svg.line("axis", (x.at(f64::MIN), bottom), (x.end(), bottom));
}

/// An axis of values below, with lines up.
pub fn lower_axis(
    svg: &mut Svg,
    x: &Scale,
    top: f64,
    bottom: f64,
    about: usize,
    name: impl Fn(f64) -> String,
) {
    for tick in x.ticks(about) {
        let at = x.at(tick);
        svg.line("grid", (at, top), (at, bottom));
        svg.text("tick", (at, bottom + 18.0), "middle", &name(tick));
    }
    svg.line("axis", (x.at(f64::MIN), bottom), (x.end(), bottom));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The training battle is played under five rulesets.
    #[test]
    fn no_two_rulesets_look_alike() {
        let looks: Vec<(Shape, usize)> = (0..30).map(|n| (Shape::ruleset(n), hue(n))).collect();
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look), "{i}");
            let alike = |other: &(Shape, usize)| other.0 == look.0 || other.1 == look.1;
            assert!(i > 4 || !looks[..i].iter().any(alike), "{i}");
        }
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(
            Scale::new((0.0, 9000.0), (0.0, 1.0)).ticks(4),
            [0.0, 5000.0]
        );
        assert_eq!(Scale::new((0.0, 1.0), (0.0, 1.0)).ticks(5).len(), 6);
        assert_eq!(round_up(8_700.0), 10_000.0);
        assert_eq!(round_up(0.0), 0.0);
    }

    #[test]
    fn hours_fit() {
        let day = Scale::new((300.0, 1260.0), (0.0, 100.0));
        assert_eq!(day.hours(6), [360, 540, 720, 900, 1080, 1260]);
        assert_eq!(day.at(780.0), 50.0);
    }

    #[test]
    fn a_scale_of_one_value_is_no_trouble() {
        let scale = Scale::new((5.0, 5.0), (0.0, 10.0));
        assert_eq!(scale.at(5.0), 0.0);
        assert_eq!(scale.at(f64::NAN), 0.0);
    }
}
