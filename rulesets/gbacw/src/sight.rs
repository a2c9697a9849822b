//! §6.2 Line of sight, by cases and without averages.
//!
//! Nothing that moves blocks a line of sight, so what a pair of hexes sees never changes in a game: it is
//! worked out when first asked and remembered. Every thread finds the same answer, so it does not
//! matter which of them writes it down.

use cupola_ground::{Board, Cover, Grade, HexId, Mark, Rise, Touch};
use std::sync::atomic::{AtomicU8, Ordering};

/// Pairs further apart than this are worked out each time they are asked for.
const KEPT: i32 = 16;

/// Who sees whom.
pub struct Sight {
    /// What woods and houses add to the ground (§6.22; one, two in `gregg` G6).
    cover: i8,
    /// Per hex and place around it: 0 not asked yet, 1 no, 2 yes.
    known: Vec<AtomicU8>,
}

/// Cells around a hex, as a square of axial coordinates.
const SPAN: usize = (2 * KEPT + 1) as usize;

impl Sight {
    /// Nothing asked yet.
    #[must_use]
    pub fn new(hexes: usize, cover: i8) -> Sight {
        let mut known = Vec::new();
        known.resize_with(hexes * SPAN * SPAN, || AtomicU8::new(0));
        Sight { cover, known }
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
        let cell = &self.known[a.index() * SPAN * SPAN + place];
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
        let mut line = vec![];
        board.line_touching(low, high, &mut line);
        let mut beside = None;
        for &(hex, touch) in &line {
            if hex == low || hex == high || touch == Touch::Corner {
                continue;
            }
            let blocks = self.blocks(board, low, high, hex, &line);
            match touch {
                Touch::Through if blocks => return Some(hex),
                // §6.21: along a hexside both hexes must block.
                Touch::Edge => match beside.take() {
                    None => beside = Some(blocks),
                    Some(other) if other && blocks => return Some(hex),
                    Some(_) => {}
                },
                _ => {}
            }
        }
        None
    }

    /// Whether a hex between them blocks (§6.23, §6.24).
    fn blocks(
        &self,
        board: &Board,
        low: HexId,
        high: HexId,
        hex: HexId,
        line: &[(HexId, Touch)],
    ) -> bool {
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
                    && dead_ground(board, low, hex, line, to_low))
        } else {
            height >= upper || (height > lower && to_low < to_high)
        }
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

/// Whether the rise next to the lower unit hides it: behind a steep slope always, behind a gradual one where the
/// ground falls away beyond (§6.24).
fn dead_ground(board: &Board, low: HexId, hex: HexId, line: &[(HexId, Touch)], near: u32) -> bool {
    let steep = board
        .direction(low, hex)
        .map(|way| board.side(low, way))
        .is_some_and(|side| {
            side.rise == Rise::Up(Grade::Steep) || side.cover == Some(Cover::Rocks)
        });
    let top = board.level(hex);
    let falls = line.iter().any(|&(beyond, touch)| {
        touch != Touch::Corner && board.distance(beyond, low) > near && board.level(beyond) < top
    });
    steep || falls
}
