//! The straight line between two centres, exactly.
//!
//! In lattice coordinates a hex is where three differences of cube coordinates stay within one of
//! the centre's. Cutting a line by those three slabs gives the stretch of it inside the hex as
//! two fractions, and whole numbers decide everything: whether the line passes through, runs
//! along an edge, or touches a corner. A float anywhere here would make two machines disagree
//! about who sees whom.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::grid::Hex;

use super::{Board, HexId};

/// How a line touches a hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Touch {
    /// It passes through the inside.
    Through,
    /// It runs along a hexside.
    Edge,
    /// It touches a corner only.
    Corner,
}

/// A point on the line as a fraction of its length; the denominator is positive.
#[derive(Debug, Clone, Copy)]
struct Fraction(i64, i64);

impl Fraction {
    fn less(self, other: Fraction) -> bool {
        self.0 * other.1 < other.0 * self.1
    }

    fn same(self, other: Fraction) -> bool {
        self.0 * other.1 == other.0 * self.1
    }
}

/// Twice the three slab coordinates of a hex around the origin.
fn slabs(hex: Hex) -> [i64; 3] {
    let (q, r) = (i64::from(hex.x), i64::from(hex.y));
    [2 * q + r, q + 2 * r, q - r]
}

/// Where the line from the origin to `to` enters the hex, and how it touches it; none if not.
fn touch(to: Hex, hex: Hex) -> Option<(Fraction, Touch)> {
    let (run, at) = (slabs(to), slabs(hex));
    let (mut enter, mut leave) = (Fraction(0, 1), Fraction(1, 1));
    let mut along_edge = false;
    for (run, at) in run.into_iter().zip(at) {
        if run == 0 {
            match at.abs() {
                0 => {}
                1 => along_edge = true,
                _ => return None,
            }
            continue;
        }
        // -1 <= t * run - at <= 1
        let (sign, length) = (run.signum(), run.abs());
        let (low, high) = (
            Fraction(sign * at - 1, length),
            Fraction(sign * at + 1, length),
        );
        if enter.less(low) {
            enter = low;
        }
        if high.less(leave) {
            leave = high;
        }
    }
    if leave.less(enter) {
        return None;
    }
    let kind = match (enter.same(leave), along_edge) {
        (true, _) => Touch::Corner,
        (false, true) => Touch::Edge,
        (false, false) => Touch::Through,
    };
    Some((enter, kind))
}

/// Calls `visit` for every lattice hex that the line from the origin to `to` touches.
fn visit_line(to: Hex, mut visit: impl FnMut(Hex, Fraction, Touch)) {
    let steps = to.distance(Hex::ZERO) as i32;
    if steps == 0 {
        visit(Hex::ZERO, Fraction(0, 1), Touch::Through);
        return;
    }
    // Walk the layers of the coordinate that runs furthest. In each layer the line crosses at
    // most a unit and a third of the other coordinate, so five candidates hold all it touches.
    let by_q = to.x.abs() == steps;
    let by_r = !by_q && to.y.abs() == steps;
    let main = if by_q {
        to.x
    } else if by_r {
        to.y
    } else {
        -to.x - to.y
    };
    let other = if by_q { to.y } else { to.x };
    for layer in 0..=steps {
        let main_at = layer * main.signum();
        let middle = (2 * layer * other + steps).div_euclid(2 * steps);
        for other_at in middle - 2..=middle + 2 {
            let hex = if by_q {
                Hex::new(main_at, other_at)
            } else if by_r {
                Hex::new(other_at, main_at)
            } else {
                Hex::new(other_at, -main_at - other_at)
            };
            if let Some((enter, kind)) = touch(to, hex) {
                visit(hex, enter, kind);
            }
        }
    }
}

/// Every hex that the line from the origin to `to` touches, with how it touches it, in order.
fn touched(to: Hex) -> Vec<(Hex, Touch)> {
    let mut found: Vec<(Hex, Touch)> = Vec::new();
    // Layers come in order, and so do entries but for near neighbours: a short insertion.
    visit_line(to, |hex, enter, kind| {
        let later =
            |(before, _): &(Hex, Touch)| touch(to, *before).is_some_and(|(at, _)| enter.less(at));
        let mut place = found.len();
        while place > 0 && later(&found[place - 1]) {
            place -= 1;
        }
        found.insert(place, (hex, kind));
    });
    found
}

/// The hexes that a line touches, as steps from its beginning.
type Line = Box<[(Hex, Touch)]>;

/// Lines by the step from one end to the other, each worked out when it is first asked for: they are the same
/// wherever they begin.
#[derive(Debug)]
pub struct Lines {
    reach: i32,
    known: Vec<OnceLock<Line>>,
}

impl Lines {
    /// Keeps those in which neither coordinate changes by more than `reach`.
    pub fn new(reach: u16) -> Lines {
        let side = 2 * usize::from(reach) + 1;
        let mut known = Vec::new();
        known.resize_with(side * side, OnceLock::new);
        Lines {
            reach: i32::from(reach),
            known,
        }
    }

    /// The hexes that a line touches, as steps from its beginning, in order and with both ends.
    pub fn to(&self, step: Hex) -> Cow<'_, [(Hex, Touch)]> {
        if step.x.abs() > self.reach || step.y.abs() > self.reach {
            return Cow::Owned(touched(step));
        }
        let side = 2 * self.reach + 1;
        let place = (step.y + self.reach) * side + step.x + self.reach;
        let line = self.known[place as usize].get_or_init(|| touched(step).into());
        Cow::Borrowed(line)
    }
}

impl Board {
    /// Every hex that the line between two centres touches, with how it touches it, in order
    /// from `a` to `b`; both hexes where it runs along their edge. The buffer is cleared first.
    ///
    /// The line from `b` to `a` touches the same hexes in the same ways.
    pub fn line_touching(&self, a: HexId, b: HexId, found: &mut Vec<(HexId, Touch)>) {
        found.clear();
        let start = self.axial(a);
        let line = touched(self.axial(b) - start).into_iter();
        found.extend(line.filter_map(|(hex, touch)| Some((self.at(start + hex)?, touch))));
    }

    /// Every hex that the line between two centres touches, corners included, from `a` to `b`.
    pub fn line(&self, a: HexId, b: HexId) -> Vec<HexId> {
        let mut found = Vec::new();
        self.line_touching(a, b, &mut found);
        found.into_iter().map(|(hex, _)| hex).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Hex, Touch, touch, visit_line};

    fn line(to: (i32, i32)) -> Vec<((i32, i32), Touch)> {
        let mut found = Vec::new();
        visit_line(Hex::new(to.0, to.1), |hex, _, kind| {
            found.push(((hex.x, hex.y), kind))
        });
        found
    }

    #[test]
    fn a_line_of_neighbours_is_straight() {
        let expected = [
            ((0, 0), Touch::Through),
            ((1, 0), Touch::Through),
            ((2, 0), Touch::Through),
        ];
        assert_eq!(line((2, 0)), expected);
    }

    #[test]
    fn a_line_along_an_edge_has_both_hexes() {
        let mut found = line((1, 1));
        found.sort();
        let expected = [
            ((0, 0), Touch::Through),
            ((0, 1), Touch::Edge),
            ((1, 0), Touch::Edge),
            ((1, 1), Touch::Through),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_corner_is_touched_and_told_apart() {
        let found = line((4, 1));
        let corners: Vec<_> = found
            .iter()
            .filter(|(_, kind)| *kind == Touch::Corner)
            .collect();
        assert_eq!(corners.len(), 2, "{found:?}");
    }

    /// The candidates of each layer are enough: nothing near the line was overlooked.
    #[test]
    fn no_hex_is_overlooked() {
        for to in Hex::ZERO.around(9) {
            let mut found = Vec::new();
            visit_line(to, |hex, _, _| found.push((hex.x, hex.y)));
            found.sort();
            let before = found.len();
            found.dedup();
            assert_eq!(
                found.len(),
                before,
                "twice the same hex on the way to {to:?}"
            );
            let mut all: Vec<_> = Hex::ZERO
                .around(12)
                .filter(|hex| touch(to, *hex).is_some())
                .map(|hex| (hex.x, hex.y))
                .collect();
            all.sort();
            assert_eq!(found, all, "{to:?}");
        }
    }
}
