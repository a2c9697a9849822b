//! Which hexes lie next to which, and how far apart: the board in flat arrays.

use cupola_ground::{Board, Direction, HexId};

/// Beyond the edge of the map.
pub const NOWHERE: u16 = u16::MAX;

/// Something for each hexside of each hex, in the order of [`Direction::ALL`]: costs by class of
/// unit, terrain, what a search reads a million times.
///
/// ```no_run
/// # let board: cupola_ground::Board = unimplemented!();
/// use cupola_kit::per_hexside;
/// /// What infantry pays, in half points.
/// let foot: Vec<[u8; 6]> = per_hexside(&board, |hex, direction, to| {
///     let side = board.side(hex, direction);
///     if to.is_none() { 0 } else if side.road.is_some() { 1 } else { 2 }
/// });
/// ```
pub fn per_hexside<T>(
    board: &Board,
    mut make: impl FnMut(HexId, Direction, Option<HexId>) -> T,
) -> Vec<[T; 6]> {
    let hexes = board.hexes();
    hexes
        .map(|hex| {
            Direction::ALL.map(|direction| make(hex, direction, board.neighbour(hex, direction)))
        })
        .collect()
}

/// The six neighbours of every hex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around(Vec<[u16; 6]>);

impl Around {
    /// Of a board.
    #[must_use]
    pub fn new(board: &Board) -> Around {
        Around(per_hexside(board, |_, _, to| to.map_or(NOWHERE, |to| to.0)))
    }

    /// How many hexes there are.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The numbers of the neighbours by direction, or [`NOWHERE`].
    #[must_use]
    #[inline]
    pub fn all(&self, hex: HexId) -> &[u16; 6] {
        &self.0[usize::from(hex.0)]
    }

    /// The neighbours that are on the map.
    #[inline]
    pub fn of(&self, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
        let near = self.all(hex).iter();
        near.filter(|&&to| to != NOWHERE).map(|&to| HexId(to))
    }

    /// The direction of a neighbour, as an index into [`Direction::ALL`].
    #[must_use]
    pub fn direction(&self, from: HexId, to: HexId) -> Option<usize> {
        self.all(from).iter().position(|&next| next == to.0)
    }

    /// Whether a hex lies on the edge of the map.
    #[must_use]
    pub fn is_edge(&self, hex: HexId) -> bool {
        self.all(hex).contains(&NOWHERE)
    }
}

/// The distance of every hex to the nearest of some hexes; far beyond the map if there are none.
#[must_use]
pub fn distances(board: &Board, to: &[HexId]) -> Vec<u16> {
    let hexes = board.hexes();
    hexes
        .map(|hex| {
            let far = to.iter().map(|&line| board.distance(hex, line) as u16);
            far.min().unwrap_or(u16::MAX)
        })
        .collect()
}
