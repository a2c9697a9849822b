//! Points on the ground and the few exact questions that are asked about them.
//!
//! All geometry is done on whole centimetres: the same answers on every machine, and no doubt
//! about which side of a line a hex lies on.

use serde::{Deserialize, Serialize};

/// A point on the ground in whole centimetres, `x` east and `y` north of the frame's origin.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Point {
    /// Centimetres east.
    pub x: i32,
    /// Centimetres north.
    pub y: i32,
}

impl Point {
    /// A point from centimetres.
    pub const fn new(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    /// A point from metres, rounded to the centimetre.
    pub fn from_metres(x: f64, y: f64) -> Point {
        Point {
            x: centimetres(x),
            y: centimetres(y),
        }
    }

    /// The square of the distance to another point, in square centimetres.
    pub fn distance_squared(self, other: Point) -> i64 {
        let dx = i64::from(self.x) - i64::from(other.x);
        let dy = i64::from(self.y) - i64::from(other.y);
        dx * dx + dy * dy
    }

    /// The distance to another point in centimetres, rounded down.
    pub fn distance(self, other: Point) -> i64 {
        self.distance_squared(other).isqrt()
    }

    /// The point `part / whole` of the way to another one.
    pub fn towards(self, other: Point, part: i64, whole: i64) -> Point {
        let step = |from: i32, to: i32| {
            let span = (i64::from(to) - i64::from(from)) * part;
            from + (span / whole) as i32
        };
        Point {
            x: step(self.x, other.x),
            y: step(self.y, other.y),
        }
    }
}

/// Centimetres from metres, rounded half away from zero.
pub(crate) fn centimetres(metres: f64) -> i32 {
    libm::round(metres * 100.0) as i32
}

/// Twice the signed area of the triangle: positive if `p` lies to the left of the way `a` to `b`.
pub fn side(a: Point, b: Point, p: Point) -> i64 {
    let (abx, aby) = (
        i64::from(b.x) - i64::from(a.x),
        i64::from(b.y) - i64::from(a.y),
    );
    let (apx, apy) = (
        i64::from(p.x) - i64::from(a.x),
        i64::from(p.y) - i64::from(a.y),
    );
    abx * apy - aby * apx
}

/// True if the segments cross. A point exactly on the other line counts as left of it, so a path
/// that runs through a corner of another is counted once, not twice and not never.
pub fn crosses(a: Point, b: Point, p: Point, q: Point) -> bool {
    (side(a, b, p) >= 0) != (side(a, b, q) >= 0) && (side(p, q, a) >= 0) != (side(p, q, b) >= 0)
}

/// True if the segments have any point in common, ends included.
pub fn touches(a: Point, b: Point, p: Point, q: Point) -> bool {
    let (d1, d2) = (side(a, b, p).signum(), side(a, b, q).signum());
    let (d3, d4) = (side(p, q, a).signum(), side(p, q, b).signum());
    if d1 * d2 < 0 && d3 * d4 < 0 {
        return true;
    }
    let within = |u: Point, v: Point, w: Point| {
        w.x >= u.x.min(v.x) && w.x <= u.x.max(v.x) && w.y >= u.y.min(v.y) && w.y <= u.y.max(v.y)
    };
    (d1 == 0 && within(a, b, p))
        || (d2 == 0 && within(a, b, q))
        || (d3 == 0 && within(p, q, a))
        || (d4 == 0 && within(p, q, b))
}

/// A rectangle on the ground, edges included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// South-west corner.
    pub low: Point,
    /// North-east corner.
    pub high: Point,
}

impl Bounds {
    /// The smallest rectangle around the points; `None` if there are none.
    pub fn around(points: impl IntoIterator<Item = Point>) -> Option<Bounds> {
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(points.fold(
            Bounds {
                low: first,
                high: first,
            },
            |bounds, p| Bounds {
                low: Point::new(bounds.low.x.min(p.x), bounds.low.y.min(p.y)),
                high: Point::new(bounds.high.x.max(p.x), bounds.high.y.max(p.y)),
            },
        ))
    }

    /// True if the point lies inside or on the edge.
    pub fn contains(&self, p: Point) -> bool {
        p.x >= self.low.x && p.x <= self.high.x && p.y >= self.low.y && p.y <= self.high.y
    }

    /// True if the rectangles have a point in common.
    pub fn meets(&self, other: &Bounds) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
    }
}

/// True if the point lies inside the rings by the even-odd rule (so inner rings are holes).
pub fn inside(rings: &[Vec<Point>], p: Point) -> bool {
    let mut odd = false;
    for ring in rings {
        let mut from = match ring.last() {
            Some(last) => *last,
            None => continue,
        };
        for &to in ring {
            // Half-open in y, so that a corner on the ray's height is met exactly once.
            if (from.y > p.y) != (to.y > p.y) {
                let left = side(from, to, p) > 0;
                if left == (to.y > from.y) {
                    odd = !odd;
                }
            }
            from = to;
        }
    }
    odd
}

/// Indices of two edges of a closed ring that cross or touch without being neighbours.
pub fn self_crossing(ring: &[Point]) -> Option<(usize, usize)> {
    let count = ring.len();
    let edge = |i: usize| (ring[i], ring[(i + 1) % count]);
    for i in 0..count {
        for j in i + 1..count {
            let neighbours = j == i + 1 || (i == 0 && j == count - 1);
            let ((a, b), (p, q)) = (edge(i), edge(j));
            let clash = if neighbours {
                // Neighbours share a corner; only folding back onto each other is wrong.
                let (shared, before, after) = if j == i + 1 { (b, a, q) } else { (a, b, p) };
                side(before, shared, after) == 0
                    && (i64::from(before.x) - i64::from(shared.x))
                        * (i64::from(after.x) - i64::from(shared.x))
                        + (i64::from(before.y) - i64::from(shared.y))
                            * (i64::from(after.y) - i64::from(shared.y))
                        > 0
            } else {
                touches(a, b, p, q)
            };
            if clash {
                return Some((i, j));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Point, crosses, inside, self_crossing, touches};

    fn p(x: i32, y: i32) -> Point {
        Point::new(x, y)
    }

    #[test]
    fn segments_cross_or_touch() {
        assert!(crosses(p(0, 0), p(10, 0), p(5, -5), p(5, 5)));
        assert!(!crosses(p(0, 0), p(10, 0), p(15, -5), p(15, 5)));
        assert!(touches(p(0, 0), p(10, 0), p(10, 0), p(20, 5)));
        assert!(touches(p(0, 0), p(10, 0), p(5, 0), p(20, 0)));
        assert!(!touches(p(0, 0), p(10, 0), p(0, 1), p(10, 1)));
        // A path through the line's own points is counted once.
        let path = [p(5, -5), p(5, 0), p(5, 5)];
        let count = path
            .windows(2)
            .filter(|s| crosses(p(0, 0), p(10, 0), s[0], s[1]))
            .count();
        assert_eq!(count, 1);
    }

    #[test]
    fn areas_with_holes() {
        let outer = vec![p(0, 0), p(100, 0), p(100, 100), p(0, 100)];
        let hole = vec![p(40, 40), p(60, 40), p(60, 60), p(40, 60)];
        assert!(inside(&[outer.clone(), hole.clone()], p(10, 10)));
        assert!(!inside(&[outer.clone(), hole], p(50, 50)));
        assert!(!inside(&[outer], p(150, 50)));
    }

    #[test]
    fn a_bow_tie_crosses_itself() {
        assert_eq!(
            self_crossing(&[p(0, 0), p(10, 10), p(10, 0), p(0, 10)]),
            Some((0, 2))
        );
        assert_eq!(
            self_crossing(&[p(0, 0), p(10, 0), p(10, 10), p(0, 10)]),
            None
        );
        assert_eq!(
            self_crossing(&[p(0, 0), p(10, 0), p(5, 0), p(5, 9)]),
            Some((0, 1))
        );
    }
}
