//! Where the state of a type lies: found by the type alone, in a few instructions.
//!
//! Rules ask for state by type many times a decision. A type's identity is a hash already, so it needs no other; the
//! compiler knows it, and with it where the search begins.

use std::any::TypeId;
use std::hash::{Hash, Hasher};

/// The part of the state that each type is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// By the last bits of a type's identity, so many that no two registered types share a place. Another type may find
    /// one of them there: who asks looks whether it is the right one.
    places: Vec<u16>,
}

/// No part stands there.
const FREE: u16 = u16::MAX;
/// With so many bits no two types shared a place yet; with more the table would be too long.
const BITS: u32 = 20;

impl Slots {
    /// The parts of these types, in their order.
    ///
    /// # Panics
    /// If two types agree in their last twenty bits.
    pub(crate) fn new(types: &[TypeId]) -> Slots {
        let size = (1..=BITS).map(|bits| 1 << bits).find(|&size| {
            let mut taken = vec![false; size];
            let place = |id: &TypeId| low(*id) & (size - 1);
            types
                .iter()
                .all(|id| !std::mem::replace(&mut taken[place(id)], true))
        });
        let size = size.expect("no two types agree in their last twenty bits");
        let mut places = vec![FREE; size];
        for (id, part) in types.iter().zip(0..) {
            places[low(*id) & (size - 1)] = part;
        }
        Slots { places }
    }

    /// The part that a type is, if it was registered; if it was not, perhaps another's.
    #[inline]
    pub(crate) fn of<T: 'static>(&self) -> usize {
        let last = self.places.len().wrapping_sub(1);
        let place = self.places.get(low(TypeId::of::<T>()) & last);
        usize::from(place.copied().unwrap_or(FREE))
    }
}

/// The last bits of a type's identity.
#[inline]
fn low(id: TypeId) -> usize {
    let mut low = Low(0);
    id.hash(&mut low);
    low.0 as usize
}

/// Takes a hash as it is.
struct Low(u64);

impl Hasher for Low {
    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.0 ^= value;
    }

    /// However the standard library hands the bytes of a type's identity over, the same ones give the same place.
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_place_of_its_own() {
        let types = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<String>(),
            TypeId::of::<Vec<u8>>(),
        ];
        let slots = Slots::new(&types);
        let found = [
            slots.of::<u8>(),
            slots.of::<u16>(),
            slots.of::<u32>(),
            slots.of::<String>(),
            slots.of::<Vec<u8>>(),
        ];
        assert_eq!(found, [0, 1, 2, 3, 4]);
        assert_eq!(Slots::new(&[]).of::<u8>(), usize::from(FREE));
        assert_eq!(Slots::default().of::<u8>(), usize::from(FREE));
    }
}
