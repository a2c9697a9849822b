//! Where blocks can go while no enemy is near.
//!
//! Then the ground alone decides, and the ground never changes: what the search finds once is kept beside the tables. It
//! is no part of the state, and the same whoever asks first.

use crate::rules::Card;
use cupola_kernel::HexId;
use std::sync::OnceLock;

/// Where a block can go from a hex while no enemy is near.
#[derive(Debug, PartialEq, Eq)]
pub struct Leeway {
    /// The hexes that it reaches, in order.
    pub hexes: Box<[HexId]>,
    /// The hexes from which it can leave the map, in order: its own among them (§2.4).
    pub exits: Box<[HexId]>,
}

/// How a block moves: whether it pays as guns do (§3.24), and its points.
pub type Gait = (bool, u8);

/// The leeway of every block from every hex, each found when it is first asked for.
#[derive(Debug)]
pub struct Leeways {
    gaits: Vec<Gait>,
    /// How many hexes there are.
    hexes: usize,
    /// By gait and hex.
    found: Vec<OnceLock<Leeway>>,
}

impl Leeways {
    /// Room for those of these blocks on a map of so many hexes.
    #[must_use]
    pub fn new(cards: &[Card], hexes: usize) -> Leeways {
        let gait = |card: &Card| (card.is_guns(), card.moves);
        let mut gaits: Vec<Gait> = cards.iter().map(gait).collect();
        gaits.sort_unstable();
        gaits.dedup();
        let found = (0..gaits.len() * hexes).map(|_| OnceLock::new());
        Leeways {
            found: found.collect(),
            gaits,
            hexes,
        }
    }

    /// The leeway from a hex, found by `find` if nobody has asked before; none if no block has this gait.
    pub fn of(&self, gait: Gait, from: HexId, find: impl FnOnce() -> Leeway) -> Option<&Leeway> {
        let row = self.gaits.iter().position(|&own| own == gait)?;
        let found = self.found.get(row * self.hexes + from.index())?;
        Some(found.get_or_init(find))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Kind;
    use cupola_kernel::Side;

    fn card(kind: Kind, moves: u8) -> Card {
        Card {
            kind,
            side: Side::First,
            max: 4,
            letter: 1,
            fire: 2,
            long: 1,
            melee: 2,
            moves,
            range: 0,
            hq: None,
            corps: None,
            asset: false,
            free: false,
        }
    }

    fn to(hex: u16) -> Leeway {
        Leeway {
            hexes: [HexId(hex)].into(),
            exits: [].into(),
        }
    }

    #[test]
    fn what_is_found_is_kept_for_those_who_move_alike_from_the_same_hex() {
        let cards = [
            (Kind::Infantry, 6),
            (Kind::Artillery, 8),
            (Kind::Cavalry, 8),
        ];
        let cards = cards.map(|(kind, moves)| card(kind, moves));
        let leeways = Leeways::new(&cards, 3);
        let ask = |gait, from, found| {
            leeways
                .of(gait, HexId(from), || to(found))
                .map(|l| l.hexes[0].0)
        };
        assert_eq!(ask((false, 6), 0, 10), Some(10));
        assert_eq!(ask((false, 6), 0, 11), Some(10), "found before");
        assert_eq!(ask((false, 6), 2, 12), Some(12), "another hex");
        assert_eq!(ask((true, 8), 0, 13), Some(13), "another gait");
        assert_eq!(
            ask((false, 8), 0, 14),
            Some(14),
            "as many points, but no guns"
        );
        assert_eq!(ask((false, 3), 0, 15), None, "nobody moves like that");
    }
}
