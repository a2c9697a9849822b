//! Writing SVG: numbers kept short, text kept safe.

use std::fmt::Write as _;

use crate::geometry::V;

/// An SVG text under way.
#[derive(Debug, Default)]
pub struct Out {
    text: String,
}

/// A number with at most two decimals and nothing to spare.
pub fn num(value: f64) -> String {
    let mut text = String::new();
    push_num(&mut text, value);
    text
}

/// Appends a number with at most two decimals and nothing to spare.
pub fn push_num(text: &mut String, value: f64) {
    let value = if value.is_finite() { value } else { 0.0 };
    let hundredths = (value * 100.0).round() as i64;
    let (sign, rest) = (if hundredths < 0 { "-" } else { "" }, hundredths.abs());
    let _ = match (rest / 100, rest % 100) {
        (whole, 0) => write!(text, "{sign}{whole}"),
        (whole, part) if part % 10 == 0 => write!(text, "{sign}{whole}.{}", part / 10),
        (whole, part) => write!(text, "{sign}{whole}.{part:02}"),
    };
}

/// A number with at most one decimal: enough for a point on a sheet two thousand units wide.
pub fn tenth(value: f64) -> String {
    num((value * 10.0).round() / 10.0)
}

/// Text made safe for SVG.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The path data of a polyline, relative after its first point, which makes it short.
pub fn path(line: &[V], closed: bool) -> String {
    let mut text = String::new();
    push_path(&mut text, line, closed);
    text
}

/// Appends the path data of a polyline.
pub fn push_path(text: &mut String, line: &[V], closed: bool) {
    let tenths = |p: &V| ((p.x * 10.0).round() as i64, (p.y * 10.0).round() as i64);
    let mut points = line.iter().map(tenths);
    let Some(mut last) = points.next() else {
        return;
    };
    let _ = write!(text, "M{} {}", short(last.0), short(last.1));
    let mut first = true;
    for point in points {
        if point == last {
            continue;
        }
        let (dx, dy) = (short(point.0 - last.0), short(point.1 - last.1));
        let lead = if first { "l" } else { " " };
        let gap = if dy.starts_with('-') { "" } else { " " };
        let _ = write!(text, "{lead}{dx}{gap}{dy}");
        first = false;
        last = point;
    }
    if closed {
        text.push('z');
    }
}

/// Tenths as a decimal number.
fn short(tenths: i64) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    match (tenths.abs() / 10, tenths.abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, part) => format!("{sign}.{part}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

impl Out {
    /// Appends raw SVG.
    pub fn raw(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    /// Opens a group with attributes.
    pub fn open(&mut self, attributes: &str) {
        let _ = writeln!(self.text, "<g {attributes}>");
    }

    /// Closes a group.
    pub fn close(&mut self) {
        self.text.push_str("</g>\n");
    }

    /// A path of a class.
    pub fn path(&mut self, class: &str, d: &str) {
        if !d.is_empty() {
            let _ = writeln!(self.text, "<path class=\"{class}\" d=\"{d}\"/>");
        }
    }

    /// A circle of a class.
    pub fn circle(&mut self, class: &str, at: V, radius: f64) {
        let (x, y, r) = (tenth(at.x), tenth(at.y), num(radius));
        let _ = writeln!(
            self.text,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"
        );
    }

    /// A rectangle of a class.
    pub fn rect(&mut self, class: &str, low: V, width: f64, height: f64) {
        let (x, y) = (num(low.x), num(low.y));
        let _ = writeln!(
            self.text,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\"/>",
            num(width),
            num(height)
        );
    }

    /// A line of text of a class, with more attributes if need be, a space before each.
    pub fn text(&mut self, class: &str, at: V, more: &str, text: &str) {
        let (x, y) = (tenth(at.x), tenth(at.y));
        let _ = writeln!(
            self.text,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{more}>{}</text>",
            escape(text)
        );
    }

    /// What was written.
    pub fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::{escape, num, path, tenth};
    use crate::geometry::v;

    #[test]
    fn numbers_are_short_and_finite() {
        assert_eq!(num(1.0), "1");
        assert_eq!(num(-0.001), "0");
        assert_eq!(num(-1.505), "-1.51");
        assert_eq!(num(f64::NAN), "0");
        assert_eq!(tenth(2.26), "2.3");
    }

    #[test]
    fn paths_are_relative() {
        let line = [v(1.0, 2.0), v(1.5, 1.5), v(1.5, 1.52), v(3.0, 4.0)];
        assert_eq!(path(&line, true), "M1 2l.5-.5 1.5 2.5z");
    }

    #[test]
    fn text_is_safe() {
        assert_eq!(escape("Lee & <Meade>"), "Lee &amp; &lt;Meade&gt;");
    }
}
