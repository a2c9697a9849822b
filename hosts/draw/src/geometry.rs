//! Points, lines and curves on the sheet, in sheet units with y pointing down.
//!
//! Drawing is the one place where fractions are welcome: nothing here flows back into a game.

use std::ops::{Add, Mul, Sub};

/// A point or vector on the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct V {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// A point or vector.
pub const fn v(x: f64, y: f64) -> V {
    V { x, y }
}

impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        v(self.x + o.x, self.y + o.y)
    }
}

impl Sub for V {
    type Output = V;
    fn sub(self, o: V) -> V {
        v(self.x - o.x, self.y - o.y)
    }
}

impl Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        v(self.x * k, self.y * k)
    }
}

impl V {
    /// Its length.
    pub fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// The same direction with length one; a zero vector points right.
    pub fn unit(self) -> V {
        let length = self.length();
        if length < 1e-9 {
            v(1.0, 0.0)
        } else {
            self * (1.0 / length)
        }
    }

    /// Turned a quarter clockwise as seen on the sheet.
    pub fn right(self) -> V {
        v(-self.y, self.x)
    }

    /// The point a share of the way to another.
    pub fn towards(self, o: V, share: f64) -> V {
        self + (o - self) * share
    }

    /// The dot product.
    pub fn dot(self, o: V) -> f64 {
        self.x * o.x + self.y * o.y
    }
}

/// An upright rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Upper left corner.
    pub low: V,
    /// Lower right corner.
    pub high: V,
}

impl Rect {
    /// Its width.
    pub fn width(&self) -> f64 {
        self.high.x - self.low.x
    }

    /// Its height.
    pub fn height(&self) -> f64 {
        self.high.y - self.low.y
    }

    /// Grown by a margin on every side.
    pub fn grown(&self, by: f64) -> Rect {
        Rect {
            low: self.low - v(by, by),
            high: self.high + v(by, by),
        }
    }

    /// True if the point lies inside.
    pub fn contains(&self, p: V) -> bool {
        p.x >= self.low.x && p.x <= self.high.x && p.y >= self.low.y && p.y <= self.high.y
    }

    /// True if any point of the line's own rectangle lies inside.
    pub fn meets(&self, line: &[V]) -> bool {
        let fold = |pick: fn(&V) -> f64| {
            line.iter()
                .map(pick)
                .fold((f64::MAX, f64::MIN), |(low, high), c| {
                    (low.min(c), high.max(c))
                })
        };
        let ((x0, x1), (y0, y1)) = (fold(|p| p.x), fold(|p| p.y));
        x0 <= self.high.x && x1 >= self.low.x && y0 <= self.high.y && y1 >= self.low.y
    }
}

/// The pieces of a line that lie inside a rectangle.
pub fn clip(line: &[V], rect: &Rect) -> Vec<Vec<V>> {
    let mut pieces: Vec<Vec<V>> = Vec::new();
    let mut open = false;
    for pair in line.windows(2) {
        let Some((a, b)) = clip_segment(pair[0], pair[1], rect) else {
            open = false;
            continue;
        };
        match pieces.last_mut() {
            Some(piece) if open => piece.push(b),
            _ => pieces.push(vec![a, b]),
        }
        open = b == pair[1];
    }
    pieces
}

/// Liang and Barsky: the part of a segment inside a rectangle.
fn clip_segment(a: V, b: V, rect: &Rect) -> Option<(V, V)> {
    let d = b - a;
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    let sides = [
        (-d.x, a.x - rect.low.x),
        (d.x, rect.high.x - a.x),
        (-d.y, a.y - rect.low.y),
        (d.y, rect.high.y - a.y),
    ];
    for (p, q) in sides {
        if p == 0.0 {
            if q < 0.0 {
                return None;
            }
        } else if p < 0.0 {
            from = from.max(q / p);
        } else {
            to = to.min(q / p);
        }
    }
    if from >= to {
        return None;
    }
    let end = if to == 1.0 { b } else { a + d * to };
    Some((if from == 0.0 { a } else { a + d * from }, end))
}

/// The length of a line.
pub fn length(line: &[V]) -> f64 {
    line.windows(2)
        .map(|pair| (pair[1] - pair[0]).length())
        .sum()
}

/// The line cut into steps of equal length, first and last point included.
pub fn resample(line: &[V], step: f64) -> Vec<V> {
    let (Some(first), Some(last)) = (line.first(), line.last()) else {
        return Vec::new();
    };
    let mut out = vec![*first];
    let mut left = step;
    for pair in line.windows(2) {
        let whole = (pair[1] - pair[0]).length();
        let mut done = 0.0;
        while whole - done >= left {
            done += left;
            out.push(pair[0].towards(pair[1], done / whole));
            left = step;
        }
        left -= whole - done;
    }
    if out.last().is_some_and(|end| (*end - *last).length() > 1e-6) {
        out.push(*last);
    }
    out
}

/// A line whose corners are rounded by taking the mean of each point's surroundings.
pub fn relax(line: &[V], passes: usize) -> Vec<V> {
    let mut out = line.to_vec();
    for _ in 0..passes {
        let old = out.clone();
        for index in 1..old.len().saturating_sub(1) {
            out[index] = (old[index - 1] + old[index] * 2.0 + old[index + 1]) * 0.25;
        }
    }
    out
}

/// A fine polyline along the Catmull-Rom curve through the points.
pub fn curve(line: &[V], closed: bool, step: f64) -> Vec<V> {
    if line.len() < 3 {
        return line.to_vec();
    }
    let count = line.len();
    let at = |index: isize| -> V {
        if closed {
            line[index.rem_euclid(count as isize) as usize]
        } else {
            line[index.clamp(0, count as isize - 1) as usize]
        }
    };
    let spans = if closed { count } else { count - 1 };
    let mut out = Vec::new();
    for span in 0..spans as isize {
        let (a, b, c, d) = (at(span - 1), at(span), at(span + 1), at(span + 2));
        let parts = ((c - b).length() / step).ceil().clamp(1.0, 24.0);
        for part in 0..parts as usize {
            let t = part as f64 / parts;
            let (t2, t3) = (t * t, t * t * t);
            out.push(
                (b * 2.0
                    + (c - a) * t
                    + (a * 2.0 - b * 5.0 + c * 4.0 - d) * t2
                    + (b * 3.0 - a - c * 3.0 + d) * t3)
                    * 0.5,
            );
        }
    }
    if !closed {
        out.push(line[count - 1]);
    }
    out
}

/// Fewer points for the same line, none further off than `tolerance` (Douglas and Peucker).
pub fn simplify(line: &[V], tolerance: f64) -> Vec<V> {
    if line.len() < 3 {
        return line.to_vec();
    }
    let mut keep = vec![false; line.len()];
    keep[0] = true;
    keep[line.len() - 1] = true;
    let mut spans = vec![(0, line.len() - 1)];
    while let Some((from, to)) = spans.pop() {
        let mut worst = (tolerance, None);
        for (index, point) in line.iter().enumerate().take(to).skip(from + 1) {
            let off = distance(*point, line[from], line[to]);
            if off > worst.0 {
                worst = (off, Some(index));
            }
        }
        if let (_, Some(index)) = worst {
            keep[index] = true;
            spans.push((from, index));
            spans.push((index, to));
        }
    }
    let kept = line.iter().zip(keep).filter(|(_, keep)| *keep);
    kept.map(|(point, _)| *point).collect()
}

/// The distance of a point from a segment.
pub fn distance(p: V, a: V, b: V) -> f64 {
    let d = b - a;
    let whole = d.dot(d);
    let share = if whole > 0.0 {
        ((p - a).dot(d) / whole).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (p - a.towards(b, share)).length()
}

#[cfg(test)]
mod tests {
    use super::{Rect, clip, length, resample, simplify, v};

    #[test]
    fn a_line_is_cut_at_the_edges() {
        let rect = Rect {
            low: v(0.0, 0.0),
            high: v(10.0, 10.0),
        };
        let line = [
            v(-5.0, 5.0),
            v(5.0, 5.0),
            v(5.0, 15.0),
            v(8.0, 15.0),
            v(8.0, 5.0),
        ];
        let pieces = clip(&line, &rect);
        assert_eq!(pieces.len(), 2);
        assert_eq!(pieces[0], [v(0.0, 5.0), v(5.0, 5.0), v(5.0, 10.0)]);
        assert_eq!(pieces[1], [v(8.0, 10.0), v(8.0, 5.0)]);
    }

    #[test]
    fn steps_are_even_and_simple_lines_stay() {
        let line = [v(0.0, 0.0), v(3.0, 0.0), v(3.0, 4.0)];
        assert_eq!(length(&line), 7.0);
        assert_eq!(resample(&line, 2.0).len(), 5);
        let dense = resample(&line, 0.5);
        assert_eq!(simplify(&dense, 0.01), line);
    }
}
