//! Where the units are: dense arrays that a hot loop can read in a nanosecond.
//!
//! Every unit is either in a hex or in a numbered box beside the map (reinforcements, broken units,
//! the dead, whatever the ruleset calls its boxes). The units of a hex are kept in the order of their
//! numbers, so that two ways to the same position give the same state.

use crate::ids::{HexId, UnitId};
use serde::{Deserialize, Serialize};

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Place {
    /// On the map.
    Hex(HexId),
    /// In a box beside it.
    Box(u8),
}

const NONE: u16 = u16::MAX;
const FIRST_BOX: u16 = 0xFE00;

/// All units by place, and all places by unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stacks {
    /// Per hex: its first unit.
    head: Vec<u16>,
    /// Per unit: the next unit in the same hex.
    next: Vec<u16>,
    /// Per unit: its hex, or a box from `FIRST_BOX` on.
    at: Vec<u16>,
}

impl Stacks {
    /// An empty map of this many hexes.
    #[must_use]
    pub fn new(hexes: usize) -> Stacks {
        Stacks {
            head: vec![NONE; hexes],
            next: vec![],
            at: vec![],
        }
    }

    /// Adds the next unit, in a box.
    pub(crate) fn add(&mut self, first_box: u8) {
        self.next.push(NONE);
        self.at.push(FIRST_BOX + u16::from(first_box));
    }

    /// Takes over another map's position, keeping the allocations.
    pub(crate) fn copy_from(&mut self, other: &Stacks) {
        self.head.clone_from(&other.head);
        self.next.clone_from(&other.next);
        self.at.clone_from(&other.at);
    }

    /// Where a unit is.
    #[must_use]
    #[inline]
    pub fn place(&self, unit: UnitId) -> Place {
        match self.at[usize::from(unit.0)] {
            at if at >= FIRST_BOX => Place::Box((at - FIRST_BOX) as u8),
            at => Place::Hex(HexId(at)),
        }
    }

    /// The hex a unit is in, if it is on the map.
    #[must_use]
    #[inline]
    pub fn hex(&self, unit: UnitId) -> Option<HexId> {
        let at = self.at[usize::from(unit.0)];
        (at < FIRST_BOX).then_some(HexId(at))
    }

    /// The first unit of a hex: the only one where units do not stack. Beyond the map stands nobody.
    #[must_use]
    #[inline]
    pub fn first(&self, hex: HexId) -> Option<UnitId> {
        let unit = *self.head.get(usize::from(hex.0))?;
        (unit != NONE).then_some(UnitId(unit))
    }

    /// The units of a hex, in the order of their numbers.
    #[inline]
    pub fn units(&self, hex: HexId) -> impl Iterator<Item = UnitId> + '_ {
        std::iter::successors(self.first(hex), |unit| {
            let next = self.next[usize::from(unit.0)];
            (next != NONE).then_some(UnitId(next))
        })
    }

    /// The units in a box, in the order of their numbers.
    pub fn boxed(&self, number: u8) -> impl Iterator<Item = UnitId> + '_ {
        let wanted = FIRST_BOX + u16::from(number);
        self.at
            .iter()
            .enumerate()
            .filter(move |&(_, &at)| at == wanted)
            .map(|(unit, _)| UnitId(unit as u16))
    }

    /// Moves a unit.
    pub fn set(&mut self, unit: UnitId, to: Place) {
        if let Some(hex) = self.hex(unit) {
            self.unlink(unit, hex);
        }
        match to {
            Place::Hex(hex) => {
                self.at[usize::from(unit.0)] = hex.0;
                self.link(unit, hex);
            }
            Place::Box(number) => self.at[usize::from(unit.0)] = FIRST_BOX + u16::from(number),
        }
    }

    fn unlink(&mut self, unit: UnitId, hex: HexId) {
        let after = self.next[usize::from(unit.0)];
        let mut at = self.head[usize::from(hex.0)];
        if at == unit.0 {
            self.head[usize::from(hex.0)] = after;
        } else {
            while self.next[usize::from(at)] != unit.0 {
                at = self.next[usize::from(at)];
            }
            self.next[usize::from(at)] = after;
        }
        self.next[usize::from(unit.0)] = NONE;
    }

    fn link(&mut self, unit: UnitId, hex: HexId) {
        let first = self.head[usize::from(hex.0)];
        if first == NONE || first > unit.0 {
            self.next[usize::from(unit.0)] = first;
            self.head[usize::from(hex.0)] = unit.0;
            return;
        }
        let mut at = first;
        while self.next[usize::from(at)] < unit.0 {
            at = self.next[usize::from(at)];
        }
        self.next[usize::from(unit.0)] = self.next[usize::from(at)];
        self.next[usize::from(at)] = unit.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_in_order_however_it_was_made() {
        let mut map = Stacks::new(4);
        (0..5).for_each(|_| map.add(0));
        for unit in [3, 0, 4, 1] {
            map.set(UnitId(unit), Place::Hex(HexId(2)));
        }
        assert_eq!(
            map.units(HexId(2)).map(|u| u.0).collect::<Vec<_>>(),
            [0, 1, 3, 4]
        );
        map.set(UnitId(3), Place::Box(7));
        map.set(UnitId(0), Place::Hex(HexId(1)));
        assert_eq!(map.units(HexId(2)).map(|u| u.0).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(map.place(UnitId(3)), Place::Box(7));
        assert_eq!(map.first(HexId(4)), None, "beyond the map");
        assert_eq!(map.boxed(0).collect::<Vec<_>>(), [UnitId(2)]);
        let mut other = Stacks::new(4);
        (0..5).for_each(|_| other.add(0));
        for (unit, to) in [(0, 1), (4, 2), (1, 2)] {
            other.set(UnitId(unit), Place::Hex(HexId(to)));
        }
        other.set(UnitId(3), Place::Box(7));
        assert_eq!(map, other);
    }
}
