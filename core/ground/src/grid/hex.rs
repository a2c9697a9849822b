//! Axial coordinates, in which every grid is the same lattice.

use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

/// A hex by its axial coordinates; its neighbours are one [`step`](super::Direction::step) away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hex {
    /// Along the row.
    pub x: i32,
    /// Along the axis a sixth of a turn clockwise from the row.
    pub y: i32,
}

impl Hex {
    /// The hex in the middle.
    pub const ZERO: Hex = Hex::new(0, 0);

    /// The steps to the neighbours, clockwise.
    pub(super) const STEPS: [Hex; 6] = [
        Hex::new(1, 0),
        Hex::new(0, 1),
        Hex::new(-1, 1),
        Hex::new(-1, 0),
        Hex::new(0, -1),
        Hex::new(1, -1),
    ];

    /// The hex of these coordinates.
    pub const fn new(x: i32, y: i32) -> Hex {
        Hex { x, y }
    }

    /// How many steps it is to another hex.
    #[inline]
    pub const fn distance(self, other: Hex) -> u32 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        (x.unsigned_abs() + y.unsigned_abs() + (x + y).unsigned_abs()) / 2
    }

    /// Whether another hex is at most so many steps away: what [`Hex::distance`] would say, with less work where it is not.
    #[inline]
    pub const fn is_within(self, steps: u32, other: Hex) -> bool {
        let (x, y) = (self.x - other.x, self.y - other.y);
        x.unsigned_abs() <= steps && y.unsigned_abs() <= steps && (x + y).unsigned_abs() <= steps
    }

    /// All hexes at most so many steps away, itself among them.
    #[cfg(test)]
    pub(crate) fn around(self, steps: i32) -> impl Iterator<Item = Hex> {
        let side = move || -steps..=steps;
        let all = side().flat_map(move |x| side().map(move |y| Hex::new(x, y)));
        all.filter(move |hex| hex.distance(Hex::ZERO) <= steps.unsigned_abs())
            .map(move |hex| self + hex)
    }
}

impl Add for Hex {
    type Output = Hex;

    #[inline]
    fn add(self, other: Hex) -> Hex {
        Hex::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Hex {
    type Output = Hex;

    #[inline]
    fn sub(self, other: Hex) -> Hex {
        Hex::new(self.x - other.x, self.y - other.y)
    }
}

#[cfg(test)]
mod tests {
    use super::Hex;

    #[test]
    fn distances_count_steps() {
        for step in Hex::STEPS {
            assert_eq!(step.distance(Hex::ZERO), 1);
            assert_eq!(
                (step + step - Hex::STEPS[0]).distance(Hex::ZERO - Hex::STEPS[0]),
                2
            );
        }
        assert_eq!(Hex::new(2, -3).distance(Hex::new(-1, 1)), 4);
        assert_eq!(Hex::new(3, 4).around(2).count(), 19);
        for hex in Hex::ZERO.around(4) {
            for steps in 0..6 {
                assert_eq!(
                    hex.is_within(steps, Hex::ZERO),
                    hex.distance(Hex::ZERO) <= steps
                );
            }
        }
    }
}
