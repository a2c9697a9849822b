//! A set of hexes.

use cupola_ground::HexId;

/// A set of hexes: a bit for each.
///
/// ```
/// use cupola_kit::{HexId, HexSet};
/// let mut set = HexSet::default();
/// set.clear(100);
/// set.insert(HexId(70));
/// set.insert(HexId(3));
/// assert_eq!(set.iter().collect::<Vec<_>>(), [HexId(3), HexId(70)], "in order");
/// assert!(set.remove(HexId(3)) && !set.remove(HexId(3)));
/// assert!(set.contains(HexId(70)) && !set.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HexSet(Vec<u64>);

impl HexSet {
    /// Empties the set and makes room for hexes with numbers below `hexes`.
    pub fn clear(&mut self, hexes: usize) {
        self.0.clear();
        self.0.resize(hexes.div_ceil(64), 0);
    }

    /// Puts a hex in.
    ///
    /// # Panics
    /// If there is no room for its number.
    #[inline]
    pub fn insert(&mut self, hex: HexId) {
        self.0[usize::from(hex.0) / 64] |= 1 << (hex.0 % 64);
    }

    /// Takes a hex out; true if it was in.
    #[inline]
    pub fn remove(&mut self, hex: HexId) -> bool {
        let Some(word) = self.0.get_mut(usize::from(hex.0) / 64) else {
            return false;
        };
        let bit = 1 << (hex.0 % 64);
        let was = *word & bit != 0;
        *word &= !bit;
        was
    }

    /// Whether a hex is in.
    #[must_use]
    #[inline]
    pub fn contains(&self, hex: HexId) -> bool {
        let word = self.0.get(usize::from(hex.0) / 64);
        word.is_some_and(|word| word >> (hex.0 % 64) & 1 != 0)
    }

    /// Whether no hex is in.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The hexes in order.
    pub fn iter(&self) -> impl Iterator<Item = HexId> + '_ {
        self.0.iter().zip(0..).flat_map(|(&word, i)| {
            let bits = std::iter::successors((word != 0).then_some(word), |left| {
                let left = left & (left - 1);
                (left != 0).then_some(left)
            });
            bits.map(move |left| HexId(64 * i + left.trailing_zeros() as u16))
        })
    }
}
