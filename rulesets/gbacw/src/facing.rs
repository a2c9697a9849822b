//! §5.3 Facing: hexes stand on a point, and a unit faces one of the six corners.
//!
//! Everything follows from two numberings that run clockwise: corners from N, hexsides from E (as the
//! board's directions). The front of corner *f* is the two hexsides beside it.

use cupola_ground::Hex;
use serde::{Deserialize, Serialize};

/// A corner that a unit faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Facing {
    /// North.
    #[default]
    N,
    /// North-east.
    NE,
    /// South-east.
    SE,
    /// South.
    S,
    /// South-west.
    SW,
    /// North-west.
    NW,
}

/// Where fire comes from, best for the target first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Arc {
    /// From before it.
    Front,
    /// From beside it.
    Flank,
    /// From behind it.
    Rear,
}

impl Facing {
    /// All corners, clockwise from north.
    pub const ALL: [Facing; 6] = [
        Facing::N,
        Facing::NE,
        Facing::SE,
        Facing::S,
        Facing::SW,
        Facing::NW,
    ];

    /// The corner of a number, counted clockwise from north.
    #[must_use]
    pub fn nth(number: u8) -> Facing {
        Facing::ALL[usize::from(number % 6)]
    }

    /// Its number, counted clockwise from north.
    #[must_use]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// As printed in set-ups.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["N", "NE", "SE", "S", "SW", "NW"][self as usize]
    }

    /// The two front hexsides, left one first, as numbers of directions (§5.31).
    #[must_use]
    pub const fn front(self) -> [u8; 2] {
        [(4 + self as u8) % 6, (5 + self as u8) % 6]
    }

    /// Whether a hexside is one of the front.
    #[must_use]
    pub fn fronts(self, side: u8) -> bool {
        self.front().contains(&side)
    }

    /// What a hexside is to a unit with this facing (§5.32).
    #[must_use]
    pub const fn arc(self, side: u8) -> Arc {
        match (side + 6 - self as u8) % 6 {
            4 | 5 => Arc::Front,
            0 | 3 => Arc::Flank,
            _ => Arc::Rear,
        }
    }

    /// How many corners lie between two facings.
    #[must_use]
    pub const fn turn(self, other: Facing) -> u8 {
        let apart = (self as u8 + 6 - other as u8) % 6;
        if apart > 3 { 6 - apart } else { apart }
    }

    /// Whether a hex lies in the field of fire: sixty degrees to either side, edges included (§5.33).
    #[must_use]
    pub fn covers(self, from: Hex, to: Hex) -> bool {
        // Turn the way to the target back so that the unit faces north.
        let (mut x, mut y) = (to.x - from.x, to.y - from.y);
        for _ in 0..self as u8 {
            (x, y) = (x + y, -x);
        }
        -3 * y >= (2 * x + y).abs() && (x, y) != (0, 0)
    }
}

/// The hexsides through which a line from `from` enters `to`: one, or two where it comes over a corner.
#[must_use]
pub fn entries(from: Hex, to: Hex) -> (u8, Option<u8>) {
    const STEPS: [(i32, i32); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
    let (x, y) = (from.x - to.x, from.y - to.y);
    let along = |(sx, sy): (i32, i32)| 2 * sx * x + sx * y + sy * x + 2 * sy * y;
    let mut best = (0u8, None);
    for side in 1..6u8 {
        let (this, so_far) = (along(STEPS[side as usize]), along(STEPS[best.0 as usize]));
        if this > so_far {
            best = (side, None);
        } else if this == so_far {
            best.1 = Some(side);
        }
    }
    best
}

/// Where fire from one hex hits a unit in another (§6.35): over a corner, the better one for the target.
#[must_use]
pub fn arc_of_fire(from: Hex, to: Hex, arc: impl Fn(u8) -> Arc) -> Arc {
    let (side, other) = entries(from, to);
    other.map_or(arc(side), |other| arc(side).min(arc(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_5_32() {
        // Directions: E 0, SE 1, SW 2, W 3, NW 4, NE 5.
        let rows = [
            (Facing::N, [4, 5], [3, 0], [2, 1]),
            (Facing::NE, [5, 0], [4, 1], [3, 2]),
            (Facing::SE, [0, 1], [5, 2], [4, 3]),
            (Facing::S, [1, 2], [0, 3], [5, 4]),
            (Facing::SW, [2, 3], [1, 4], [0, 5]),
            (Facing::NW, [3, 4], [2, 5], [1, 0]),
        ];
        for (facing, front, flank, rear) in rows {
            assert_eq!(facing.front(), front);
            for (sides, arc) in [(front, Arc::Front), (flank, Arc::Flank), (rear, Arc::Rear)] {
                assert!(
                    sides.iter().all(|side| facing.arc(*side) == arc),
                    "{facing:?}"
                );
            }
        }
    }

    #[test]
    fn the_field_of_fire_has_its_edges() {
        let at = |x, y| Hex::new(x, y);
        let zero = Hex::ZERO;
        assert!(Facing::N.covers(zero, at(0, -1)) && Facing::N.covers(zero, at(1, -1)));
        assert!(!Facing::N.covers(zero, at(1, 0)) && !Facing::N.covers(zero, at(0, 1)));
        // Sixty degrees from north: two rows of hexes out.
        assert!(Facing::N.covers(zero, at(2, -1)) && Facing::N.covers(zero, at(-1, -1)));
        assert!(!Facing::N.covers(zero, at(3, -1)));
        assert!(Facing::NE.covers(zero, at(1, 0)) && Facing::SE.covers(zero, at(0, 1)));
        assert!(Facing::S.covers(zero, at(-1, 1)) && !Facing::S.covers(zero, at(-1, 0)));
        assert!(!Facing::N.covers(zero, zero));
    }

    #[test]
    fn fire_over_a_corner_takes_the_better_side() {
        let (from, to) = (Hex::new(1, -2), Hex::ZERO);
        let north = |side| Facing::N.arc(side);
        assert_eq!(entries(from, to), (4, Some(5)));
        assert_eq!(
            arc_of_fire(from, to, |side| Facing::NE.arc(side)),
            Arc::Front
        );
        assert_eq!(arc_of_fire(Hex::new(-3, 0), to, north), Arc::Flank);
        assert_eq!(arc_of_fire(Hex::new(0, 3), to, north), Arc::Rear);
        assert_eq!(Facing::N.turn(Facing::NW), 1);
        assert_eq!(Facing::SW.turn(Facing::N), 2);
    }
}
