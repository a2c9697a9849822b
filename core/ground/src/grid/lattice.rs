//! The lattice of hex centres, in whole numbers.
//!
//! A lattice is two vectors: the way to the neighbour in direction 0 and the way to the one in
//! direction 1. Printed maps are stretched and turned a little, so the vectors need not make a
//! regular hexagon; a hex is then the image of a regular one, and which hex a point lies in is
//! decided in lattice coordinates, where it *is* regular. Vectors are kept in 1/256 cm: over a
//! hundred hexes that adds up to less than a centimetre, and every product fits 64 bits.

use serde::{Deserialize, Serialize};

use crate::point::{Bounds, Point};

use super::{Direction, Hex};

/// Units of the lattice per centimetre.
const FINE: i64 = 256;

/// Which way the rows of hexes run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Orientation {
    /// Rows run west to east: hexes stand on a point and have neighbours east and west.
    Rows,
    /// Columns run north to south: hexes lie on a side and have neighbours north and south.
    Columns,
}

impl Orientation {
    /// A sort key that reads the map like a page, from the north-west.
    pub fn reading_order(self, hex: Hex) -> (i32, i32) {
        match self {
            Orientation::Rows => (hex.y, hex.x),
            Orientation::Columns => (2 * hex.y + hex.x, hex.x),
        }
    }
}

/// Where the hexes lie on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lattice {
    orientation: Orientation,
    /// Centimetres between centres along the row or column.
    pitch: i32,
    /// Centre of hex (0, 0), in 1/256 cm.
    zero: (i64, i64),
    /// To the neighbour in direction 0.
    first: (i64, i64),
    /// To the neighbour in direction 1.
    second: (i64, i64),
}

fn fine(metres: f64) -> i64 {
    libm::round(metres * 100.0 * FINE as f64) as i64
}

impl Lattice {
    /// A lattice from metres and degrees, with hex (0, 0) at the origin of the frame.
    ///
    /// `pitch` is measured along the rows (or columns), `across` from one to the next; `rotation`
    /// turns the whole counter-clockwise, `skew` turns the other axis further.
    pub fn new(
        orientation: Orientation,
        pitch: f64,
        across: f64,
        rotation: f64,
        skew: f64,
    ) -> Lattice {
        let along = rotation.to_radians();
        let other = (rotation + skew).to_radians();
        let east = |length: f64, angle: f64| (length * libm::cos(angle), length * libm::sin(angle));
        let south =
            |length: f64, angle: f64| (length * libm::sin(angle), -length * libm::cos(angle));
        let (first, second) = match orientation {
            Orientation::Rows => {
                let (ex, ey) = east(pitch, along);
                let (sx, sy) = south(across, other);
                ((ex, ey), (sx + ex / 2.0, sy + ey / 2.0))
            }
            Orientation::Columns => {
                let (sx, sy) = south(pitch, along);
                let (ex, ey) = east(across, other);
                ((ex + sx / 2.0, ey + sy / 2.0), (sx, sy))
            }
        };
        Lattice {
            orientation,
            pitch: libm::round(pitch * 100.0) as i32,
            zero: (0, 0),
            first: (fine(first.0), fine(first.1)),
            second: (fine(second.0), fine(second.1)),
        }
    }

    /// The same lattice, moved so that `hex` has its centre at `point`.
    pub fn through(mut self, hex: Hex, point: Point) -> Lattice {
        let (x, y) = self.offset(i64::from(hex.x), i64::from(hex.y));
        self.zero = (i64::from(point.x) * FINE - x, i64::from(point.y) * FINE - y);
        self
    }

    /// Which way the rows run.
    pub fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// Centimetres between centres along the row or column.
    pub fn pitch(&self) -> i32 {
        self.pitch
    }

    fn offset(&self, q: i64, r: i64) -> (i64, i64) {
        (
            q * self.first.0 + r * self.second.0,
            q * self.first.1 + r * self.second.1,
        )
    }

    /// The point `(q / whole, r / whole)` lattice steps from the centre of a hex.
    pub fn within(&self, hex: Hex, q: i64, r: i64, whole: i64) -> Point {
        let (x, y) = self.offset(i64::from(hex.x) * whole + q, i64::from(hex.y) * whole + r);
        let round = |value: i64, zero: i64| {
            let total = zero * whole + value;
            (2 * total + FINE * whole).div_euclid(2 * FINE * whole) as i32
        };
        Point::new(round(x, self.zero.0), round(y, self.zero.1))
    }

    /// The centre of a hex.
    pub fn centre(&self, hex: Hex) -> Point {
        self.within(hex, 0, 0, 1)
    }

    /// The corner of a hex between a direction and the next one clockwise.
    pub fn corner(&self, hex: Hex, direction: Direction) -> Point {
        // A corner is the middle of three centres: the hex and its two neighbours there.
        let sum = direction.step() + direction.clockwise(1).step();
        self.within(hex, i64::from(sum.x), i64::from(sum.y), 3)
    }

    /// The two ends of the hexside in a direction.
    pub fn hexside(&self, hex: Hex, direction: Direction) -> (Point, Point) {
        (
            self.corner(hex, direction.clockwise(5)),
            self.corner(hex, direction),
        )
    }

    /// The rectangle around a hex.
    pub fn bounds(&self, hex: Hex) -> Bounds {
        let centre = self.centre(hex);
        let corners = Direction::ALL.map(|direction| self.corner(hex, direction));
        Bounds::around(corners).unwrap_or(Bounds {
            low: centre,
            high: centre,
        })
    }

    /// The hex that a point lies in.
    pub fn hex_at(&self, point: Point) -> Hex {
        let x = i64::from(point.x) * FINE - self.zero.0;
        let y = i64::from(point.y) * FINE - self.zero.1;
        let (a, b) = (self.first, self.second);
        // South is negative y, so the determinant is negative for every lattice; make it whole
        // and positive once, and the fractions below share it as their denominator.
        let whole = a.1 * b.0 - a.0 * b.1;
        let q = y * b.0 - x * b.1;
        let r = x * a.1 - y * a.0;
        round_cube(q, r, whole)
    }
}

/// The hex nearest to the lattice point `(q / whole, r / whole)`.
fn round_cube(q: i64, r: i64, whole: i64) -> Hex {
    let s = -q - r;
    let round = |value: i64| (2 * value + whole).div_euclid(2 * whole);
    let (mut nq, mut nr, ns) = (round(q), round(r), round(s));
    let off = |value: i64, near: i64| (value - near * whole).abs();
    let (dq, dr, ds) = (off(q, nq), off(r, nr), off(s, ns));
    if dq > dr && dq > ds {
        nq = -nr - ns;
    } else if dr > ds {
        nr = -nq - ns;
    }
    Hex::new(nq as i32, nr as i32)
}

#[cfg(test)]
mod tests {
    use super::{Direction, Hex, Lattice, Orientation, Point};

    #[test]
    fn neighbours_lie_where_their_names_say() {
        let rows = Lattice::new(Orientation::Rows, 100.0, 86.6, 0.0, 0.0);
        assert_eq!(rows.centre(Hex::new(1, 0)), Point::new(10_000, 0), "east");
        assert_eq!(
            rows.centre(Hex::new(0, 1)),
            Point::new(5_000, -8_660),
            "south-east"
        );
        let columns = Lattice::new(Orientation::Columns, 100.0, 86.6, 0.0, 0.0);
        assert_eq!(
            columns.centre(Hex::new(0, 1)),
            Point::new(0, -10_000),
            "south"
        );
        assert_eq!(
            columns.centre(Hex::new(1, 0)),
            Point::new(8_660, -5_000),
            "south-east"
        );
    }

    #[test]
    fn a_stretched_and_turned_lattice_still_tiles() {
        let lattice = Lattice::new(Orientation::Rows, 114.885, 101.74, -0.71, -4.08)
            .through(Hex::new(3, 4), Point::new(431_500, 252_900));
        assert_eq!(lattice.centre(Hex::new(3, 4)), Point::new(431_500, 252_900));
        for hex in Hex::new(3, 4).around(6) {
            let centre = lattice.centre(hex);
            assert_eq!(lattice.hex_at(centre), hex);
            for direction in Direction::ALL {
                // Just inside each corner is still this hex.
                let corner = lattice.corner(hex, direction);
                assert_eq!(lattice.hex_at(centre.towards(corner, 99, 100)), hex);
                assert_ne!(lattice.hex_at(centre.towards(corner, 101, 100)), hex);
            }
        }
    }
}
