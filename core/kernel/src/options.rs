//! The options of a decision.

use crate::act::{Act, Acts, ArgValue};
use crate::ids::HexId;

/// The options of a decision. A phase pushes them in any order; [`crate::Decision`] lists them in
/// ascending order, each once.
///
/// ```
/// use cupola_kernel::{acts, Acts, Options, UnitId};
/// acts! {
///     /// Answers.
///     enum Do {
///         /// This one.
///         Pick(unit: UnitId) = "unit",
///         /// Nobody.
///         Done = "done",
///     }
/// }
/// let mut out = Options::default();
/// out.push(Do::Done);
/// out.push(Do::Pick(UnitId(2)));
/// out.push(Do::Pick(UnitId(2)));
/// assert_eq!(out.acts().len(), 3, "as they were pushed");
/// assert_eq!(out.in_order(), [Do::Pick(UnitId(2)).act(), Do::Done.act()]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    acts: Vec<Act>,
    /// Whether one was pushed that does not come after the one before it.
    muddled: bool,
}

/// So many values are pushed at once.
const SOME: usize = 64;

impl Options {
    /// Adds an answer.
    #[inline]
    pub fn push(&mut self, answer: impl Acts) {
        self.push_act(answer.act());
    }

    /// Adds an answer that is an act already.
    #[inline]
    pub fn push_act(&mut self, act: Act) {
        self.follow(act);
        self.acts.push(act);
    }

    /// Adds one answer per hex: this act with the hex in this place. For long lists.
    #[inline]
    pub fn push_hexes(&mut self, act: Act, place: usize, hexes: impl Iterator<Item = HexId>) {
        self.push_each(act, place, hexes);
    }

    /// The same for units, hexes, tokens or numbers.
    #[inline]
    pub fn push_each<V: ArgValue + Ord>(
        &mut self,
        mut act: Act,
        place: usize,
        mut values: impl Iterator<Item = V>,
    ) {
        let Some(first) = values.next() else {
            return;
        };
        act.args[place] = first.to_arg();
        self.push_act(act);
        let (mut some, mut count) = ([first; SOME], 1);
        values.for_each(|value| {
            some[count % SOME] = value;
            count += 1;
            if count == SOME {
                self.push_some(act, place, &some);
                (some[0], count) = (value, 1);
            }
        });
        self.push_some(act, place, &some[..count]);
    }

    /// The same for some values at hand, after the first of them, which was pushed last. The act is copied as often as there
    /// are values, and then mended: no copy asks whether there is room.
    fn push_some<V: ArgValue + Ord>(&mut self, act: Act, place: usize, values: &[V]) {
        let Some((_, more)) = values.split_first() else {
            return;
        };
        // Acts that differ in one value only are in order if the values are.
        let pairs = values.iter().zip(more);
        self.muddled |= pairs.fold(false, |muddled, (one, next)| muddled | (one >= next));
        let first = self.acts.len();
        self.acts.resize(first + more.len(), act);
        for (act, value) in self.acts[first..].iter_mut().zip(more) {
            act.args[place] = value.to_arg();
        }
    }

    /// Empties the list, keeping its memory.
    pub fn clear(&mut self) {
        self.acts.clear();
        self.muddled = false;
    }

    /// The answers as they were pushed.
    #[must_use]
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// Puts the answers in ascending order, each once. The kernel does so for every decision.
    #[inline]
    pub fn in_order(&mut self) -> &[Act] {
        if self.muddled {
            self.acts.sort_unstable();
            self.acts.dedup();
            self.muddled = false;
        }
        &self.acts
    }

    #[inline]
    fn follow(&mut self, act: Act) {
        if let Some(last) = self.acts.last() {
            self.muddled |= *last >= act;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::Arg;
    use crate::ids::UnitId;

    fn act(verb: u8, hex: u16) -> Act {
        let mut args = [Arg::None; 3];
        args[0] = Arg::Hex(HexId(hex));
        Act { verb, args }
    }

    fn hexes(out: &mut Options, verb: u8, hexes: &[u16]) {
        out.push_hexes(act(verb, 0), 0, hexes.iter().map(|&hex| HexId(hex)));
    }

    #[test]
    fn what_comes_in_order_is_not_sorted_again() {
        let mut out = Options::default();
        hexes(&mut out, 0, &[1, 5, u16::MAX]);
        hexes(&mut out, 0, &[]);
        hexes(&mut out, 1, &[0, 2]);
        out.push_act(act(2, 0));
        out.push_each(act(3, 0), 1, [UnitId(0), UnitId(9)].into_iter());
        assert!(!out.muddled);
        assert_eq!(out.in_order().len(), 8);
    }

    #[test]
    fn a_long_list_is_whole_and_a_muddle_in_it_is_seen_wherever_it_is() {
        for length in [SOME - 1, SOME, SOME + 1, 2 * SOME - 1, 2 * SOME, 3 * SOME] {
            let ascending: Vec<u16> = (0..length as u16).collect();
            let mut out = Options::default();
            hexes(&mut out, 0, &ascending);
            let wanted: Vec<Act> = ascending.iter().map(|&hex| act(0, hex)).collect();
            assert!(!out.muddled && out.acts() == wanted, "{length}");
            for at in 1..length {
                let mut twice = ascending.clone();
                twice[at] -= 1;
                out.clear();
                hexes(&mut out, 0, &twice);
                assert!(out.muddled, "{at} of {length}");
            }
        }
    }

    #[test]
    fn however_they_are_pushed_they_come_out_in_order_and_once() {
        // Every way of pushing that can break the order, alone.
        let muddles: [fn(&mut Options); 7] = [
            |out| out.push_each(act(0, 0), 1, [3, 2].map(UnitId).into_iter()),
            |out| hexes(out, 0, &[5, 1]),
            |out| hexes(out, 0, &[1, 1, 5]),
            |out| hexes(out, 0, &[5, u16::MAX, u16::MAX]),
            |out| {
                hexes(out, 0, &[5]);
                hexes(out, 0, &[1]);
            },
            |out| {
                out.push_act(act(0, 5));
                out.push_act(act(0, 1));
            },
            |out| {
                out.push_act(act(1, 5));
                hexes(out, 0, &[1, 5]);
            },
        ];
        for muddle in muddles {
            let mut out = Options::default();
            muddle(&mut out);
            let mut wanted = out.acts().to_vec();
            wanted.sort();
            wanted.dedup();
            assert_eq!(out.in_order(), wanted);
            out.clear();
            assert!(out.in_order().is_empty() && !out.muddled);
        }
    }
}
