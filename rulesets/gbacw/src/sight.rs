//! §6.2 Line of sight, by cases and without averages.
//!
//! Nothing that moves blocks a line of sight, so what a pair of hexes sees never changes in a game: it is
//! worked out when first asked and remembered. Every thread finds the same answer, so it does not
//! matter which of them writes it down.

use cupola_ground::{Board, Cover, Grade, Hex, HexId, Lines, Mark, Rise, Touch};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// Pairs further apart than this, and than any gun fires, are worked out each time they are asked for.
const KEPT: i32 = 24;

/// Who sees whom.
pub struct Sight {
    /// What woods and houses add to the ground (§6.22; one, two in `gregg` G6).
    cover: i8,
    /// Per hex from which somebody has looked, and place around it: 0 not asked yet, 1 no, 2 yes.
    known: Vec<OnceLock<Box<[AtomicU8]>>>,
    /// What lies on the way.
    lines: Lines,
}

/// Cells around a hex, as a square of axial coordinates.
const SPAN: usize = (2 * KEPT + 1) as usize;

impl Sight {
    /// Nothing asked yet.
    #[must_use]
    pub fn new(hexes: usize, cover: i8) -> Sight {
        let mut known = Vec::new();
        known.resize_with(hexes, OnceLock::new);
        let lines = Lines::new(KEPT as u16);
        Sight {
            cover,
            known,
            lines,
        }
    }

    /// The hex in which something stands in the way from one hex to another: one that the line passes through, or the
    /// second of two where it runs along their hexside and something stands in both (§6.21). The ends do not count.
    pub fn meets(
        &self,
        board: &Board,
        (from, to): (HexId, HexId),
        stands: impl Fn(HexId) -> bool,
    ) -> Option<HexId> {
        let (start, end) = (board.axial(from), board.axial(to));
        let mut beside = None;
        for &(step, touch) in &*self.lines.to(end - start) {
            let Some(hex) = board.at(start + step) else {
                continue;
            };
            if hex == from || hex == to {
                continue;
            }
            match touch {
                Touch::Through if stands(hex) => return Some(hex),
                Touch::Edge => match beside.take() {
                    None => beside = Some(stands(hex)),
                    Some(other) if other && stands(hex) => return Some(hex),
                    Some(_) => {}
                },
                _ => {}
            }
        }
        None
    }

    /// Whether the line from one hex to another passes through a hex of some kind; the ends do not count.
    pub fn passes(
        &self,
        board: &Board,
        (from, to): (HexId, HexId),
        kind: impl Fn(HexId) -> bool,
    ) -> bool {
        let (start, end) = (board.axial(from), board.axial(to));
        let line = self.lines.to(end - start);
        let mut through = line.iter().filter(|(_, touch)| *touch == Touch::Through);
        through.any(|&(step, _)| {
            let hex = board.at(start + step);
            hex.is_some_and(|hex| hex != from && hex != to && kind(hex))
        })
    }

    /// Whether two hexes see each other.
    #[must_use]
    pub fn sees(&self, board: &Board, a: HexId, b: HexId) -> bool {
        let (from, to) = (board.axial(a), board.axial(b));
        if from.distance(to) <= 1 {
            // §5.19: across a thick black hexside nobody sees anybody.
            let way = board.direction(a, b);
            return way.is_none_or(|way| !board.side(a, way).closed);
        }
        let (x, y) = (to.x - from.x, to.y - from.y);
        if x.abs() > KEPT || y.abs() > KEPT {
            return self.obstacle(board, a, b).is_none();
        }
        let place = (y + KEPT) as usize * SPAN + (x + KEPT) as usize;
        let row = self.known[a.index()]
            .get_or_init(|| (0..SPAN * SPAN).map(|_| AtomicU8::new(0)).collect());
        let cell = &row[place];
        match cell.load(Ordering::Relaxed) {
            0 => {
                let sees = self.obstacle(board, a, b).is_none();
                cell.store(1 + u8::from(sees), Ordering::Relaxed);
                sees
            }
            known => known == 2,
        }
    }

    /// How high a hex stands in the way.
    #[must_use]
    pub fn height(&self, board: &Board, hex: HexId) -> i8 {
        board.level(hex) + if covered(board, hex) { self.cover } else { 0 }
    }

    /// Works a line out: the hex that hides its ends from each other, if one does.
    #[must_use]
    pub fn obstacle(&self, board: &Board, a: HexId, b: HexId) -> Option<HexId> {
        let (low, high) = if stands(board, a) <= stands(board, b) {
            (a, b)
        } else {
            (b, a)
        };
        self.meets(board, (low, high), |hex| self.blocks(board, low, high, hex))
    }

    /// Whether a hex between them blocks (§6.23, §6.24).
    fn blocks(&self, board: &Board, low: HexId, high: HexId, hex: HexId) -> bool {
        let (lower, upper) = (stands(board, low), stands(board, high));
        let (height, bare) = (self.height(board, hex), !covered(board, hex));
        let (to_low, to_high) = (board.distance(hex, low), board.distance(hex, high));
        if bare {
            // Right between two ends only ground that is lower than the other end hides (§6.24).
            let nearer = to_low < to_high || height < upper;
            height > upper
                || (height > lower
                    && to_low == 1
                    && nearer
                    && self.dead_ground(board, (low, high), hex))
        } else {
            height >= upper || (height > lower && to_low < to_high)
        }
    }

    /// Whether the rise next to the lower unit hides it: behind a steep slope always, behind a gradual one where the
    /// ground falls away beyond (§6.24).
    fn dead_ground(&self, board: &Board, (low, high): (HexId, HexId), hex: HexId) -> bool {
        let steep = board
            .direction(low, hex)
            .map(|way| board.side(low, way))
            .is_some_and(|side| {
                side.rise == Rise::Up(Grade::Steep) || side.cover == Some(Cover::Rocks)
            });
        let (start, end, top) = (board.axial(low), board.axial(high), board.level(hex));
        let falls = |&(step, touch): &(Hex, Touch)| {
            let beyond = board.at(start + step).filter(|_| touch != Touch::Corner);
            beyond
                .is_some_and(|beyond| board.distance(beyond, low) > 1 && board.level(beyond) < top)
        };
        steep || self.lines.to(end - start).iter().any(falls)
    }
}

/// Woods and houses stand in the way.
#[must_use]
pub fn covered(board: &Board, hex: HexId) -> bool {
    matches!(board.cover(hex), Cover::Woods | Cover::Town)
}

/// The level of a unit in a hex: one lower in a railroad cut (§5.18).
#[must_use]
pub fn stands(board: &Board, hex: HexId) -> i8 {
    board.level(hex) - i8::from(board.marks(hex).contains(Mark::Cut))
}
