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
/// let mut other = HexSet::default();
/// other.clear(100);
/// other.insert(HexId(5));
/// assert_eq!(set.common(&other).count(), 0);
/// set.join(&other);
/// assert_eq!(set.common(&other).collect::<Vec<_>>(), [HexId(5)]);
/// assert_eq!(set.iter().collect::<Vec<_>>(), [HexId(5), HexId(70)]);
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
    #[inline]
    pub fn iter(&self) -> Hexes<'_> {
        Hexes {
            words: self.0.iter(),
            word: 0,
            first: 0_u16.wrapping_sub(64),
        }
    }

    /// The hexes that are in another set too, in order.
    pub fn common<'a>(&'a self, other: &'a HexSet) -> impl Iterator<Item = HexId> + 'a {
        let words = self.0.iter().zip(&other.0).zip(0..);
        words.flat_map(|((word, other), place)| {
            let mut word = word & other;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as u16)?;
                word &= word - 1;
                Some(HexId(64 * place + bit))
            })
        })
    }

    /// Puts in all hexes of another set with room for as many.
    pub fn join(&mut self, other: &HexSet) {
        let words = self.0.iter_mut().zip(&other.0);
        words.for_each(|(word, more)| *word |= more);
    }
}

/// The hexes of a set in order.
pub struct Hexes<'a> {
    words: std::slice::Iter<'a, u64>,
    /// What is left of the word at hand.
    word: u64,
    /// The number of its first hex.
    first: u16,
}

impl Iterator for Hexes<'_> {
    type Item = HexId;

    #[inline]
    fn next(&mut self) -> Option<HexId> {
        while self.word == 0 {
            self.word = *self.words.next()?;
            self.first = self.first.wrapping_add(64);
        }
        let hex = self.first + self.word.trailing_zeros() as u16;
        self.word &= self.word - 1;
        Some(HexId(hex))
    }

    /// Word by word: who goes through all of them does not ask at every hex whether its word is used up.
    #[inline]
    fn fold<B, F: FnMut(B, HexId) -> B>(self, init: B, mut then: F) -> B {
        let Hexes { words, word, first } = self;
        let (mut word, mut first, mut all) = (word, first, init);
        let mut words = words.as_slice();
        loop {
            while word != 0 {
                all = then(all, HexId(first + word.trailing_zeros() as u16));
                word &= word - 1;
            }
            let Some((next, rest)) = words.split_first() else {
                return all;
            };
            (word, words, first) = (*next, rest, first.wrapping_add(64));
        }
    }
}
