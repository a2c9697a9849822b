//! Which steps are worth looking at, given the step before.

/// Steps out of a hex by their places in its list of six: a bit for each. Those that a search still has to look at.
///
/// ```
/// use cupola_kit::Ahead;
/// assert_eq!(Ahead::ALL.places().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
/// assert_eq!(Ahead::default().places().count(), 0);
/// assert!(Ahead::ALL.has(5) && !Ahead::ALL.has(6));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ahead(u8);

impl Ahead {
    /// All six: nothing is known of how one came here.
    pub const ALL: Ahead = Ahead(0b11_1111);

    /// Of the steps out of the hex behind a hexside, by direction, those that may lead anywhere for less than a step from the
    /// hex before it does. It is never of use to turn back; and to the two hexes that are next to both one comes
    /// through the other hexside, unless the detour is cheaper. In the open three of six are left.
    ///
    /// `out` and `on` are the prices of the steps out of the hex before and the hex behind the hexside, by direction;
    /// [`u16::MAX`] if there is none. Where a price depends on what is marked on the hex that is entered, or on who
    /// goes, all that it can be are given: a detour is left out if it is no cheaper under any of them.
    ///
    /// ```
    /// use cupola_kit::Ahead;
    /// // Open ground costs 2 wherever one goes: on from the hex in direction 0 one goes straight or half left or right.
    /// let open = [[2]; 6];
    /// assert_eq!(Ahead::of(0, &open, &open).places().collect::<Vec<_>>(), [0, 1, 5]);
    /// // A swamp between the first hex and the one in direction 1: a detour is of use.
    /// let swamp = [[2], [9], [2], [2], [2], [2]];
    /// assert_eq!(Ahead::of(0, &swamp, &open).places().collect::<Vec<_>>(), [0, 1, 2, 5]);
    /// ```
    #[must_use]
    pub fn of<const K: usize>(direction: usize, out: &[[u16; K]; 6], on: &[[u16; K]; 6]) -> Ahead {
        let turned = |by: usize| (direction + by) % 6;
        let first = out[direction].iter().copied().min().unwrap_or(0);
        // A third of a turn beyond the hexside lies what lies a sixth of a turn before it.
        let spared = |before: usize, behind: usize| {
            let mut pairs = out[turned(before)].iter().zip(&on[turned(behind)]);
            pairs.all(|(&direct, &second)| direct <= first.saturating_add(second))
        };
        let mut ahead = Ahead::ALL.0 & !(1 << turned(3));
        for (before, behind) in [(1, 2), (5, 4)] {
            if spared(before, behind) {
                ahead &= !(1 << turned(behind));
            }
        }
        Ahead(ahead)
    }

    /// The same steps where the list is in another order: `order` has the direction of each place.
    #[must_use]
    pub fn ordered(self, order: &[usize; 6]) -> Ahead {
        let places = order.iter().enumerate();
        let bits = places.map(|(place, direction)| (self.0 >> direction & 1) << place);
        Ahead(bits.sum())
    }

    /// Their places, in order.
    #[inline]
    pub fn places(self) -> impl Iterator<Item = usize> {
        let mut left = u32::from(self.0);
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            place
        })
    }

    /// Whether the step at this place is one of them.
    #[must_use]
    #[inline]
    pub const fn has(self, place: usize) -> bool {
        self.0 >> place & 1 != 0
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u8) -> Ahead {
        Ahead(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_price_counts_and_another_order_says_the_same() {
        // Next to the enemy the road does not help: then the detour by way of it is no cheaper, else it is.
        let (mut out, on) = ([[3, 3]; 6], [[1, 3]; 6]);
        out[0] = [1, 3];
        assert_eq!(Ahead::of(0, &out, &on).bits(), 0b11_0111);
        out[1] = [2, 3];
        let ahead = Ahead::of(0, &out, &on);
        assert_eq!(ahead.bits(), 0b11_0011);
        let order = [5, 4, 3, 2, 1, 0];
        assert_eq!(ahead.ordered(&order).bits(), 0b11_0011);
        assert_eq!(ahead.ordered(&[2, 3, 0, 1, 4, 5]).bits(), 0b11_1100);
    }

    #[test]
    fn what_cannot_be_done_spares_nothing_but_what_cannot_be_done_either() {
        let (mut out, mut on) = ([[2]; 6], [[2]; 6]);
        out[1] = [u16::MAX];
        assert_eq!(Ahead::of(0, &out, &on).bits(), 0b10_0111);
        on[2] = [u16::MAX];
        assert_eq!(Ahead::of(0, &out, &on).bits(), 0b10_0011);
    }
}
