//! What lies on the line between two hexes.

use cupola_ground::{Board, HexId, Touch};
use serde::Serialize;

/// The line between two hexes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SightLine {
    /// The ruleset of the board.
    pub ruleset: String,
    /// From this hex.
    pub from: String,
    /// To this one.
    pub to: String,
    /// So many hexes.
    pub distance: u32,
    /// So many metres.
    pub metres: u32,
    /// Whether the bare ground stays below the straight line.
    pub ground_clear: bool,
    /// The hexes on it, in order.
    pub hexes: Vec<OnLine>,
}

/// A hex on a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OnLine {
    /// Its label.
    pub hex: String,
    /// Whether the line goes through it, along its edge or through a corner.
    pub touch: &'static str,
    /// What covers it.
    pub terrain: String,
    /// Its level.
    pub level: i8,
    /// Metres.
    pub height: f64,
    /// How high the straight line passes there, in metres.
    pub line_height: f64,
}

/// How high the straight line between two hexes passes over another, in tenths of a metre.
fn line_height(board: &Board, (from, to): (HexId, HexId), hex: HexId) -> i64 {
    let (start, end) = (board.centre(from), board.centre(to));
    let length = start.distance(end).max(1);
    let (low, high) = (i64::from(board.height(from)), i64::from(board.height(to)));
    let far = start.distance(board.centre(hex)).min(length);
    low + (high - low) * far / length
}

/// Whether the bare ground stays below the straight line.
fn is_clear(board: &Board, ends: (HexId, HexId), touched: &[(HexId, Touch)]) -> bool {
    let between = |hex: HexId| hex != ends.0 && hex != ends.1;
    touched
        .iter()
        .filter(|(hex, touch)| between(*hex) && *touch == Touch::Through)
        .all(|(hex, _)| i64::from(board.height(*hex)) <= line_height(board, ends, *hex))
}

/// The hexes to which the bare ground leaves a straight line open from one; what else blocks sight is for the ruleset
/// to say.
#[must_use]
pub fn in_sight(board: &Board, from: HexId) -> Vec<HexId> {
    let mut touched = vec![];
    let mut sees = |to: HexId| {
        touched.clear();
        board.line_touching(from, to, &mut touched);
        is_clear(board, (from, to), &touched)
    };
    board.hexes().filter(|to| sees(*to)).collect()
}

/// What lies on the line; what blocks sight is for the ruleset to say.
#[must_use]
pub fn trace(board: &Board, from: HexId, to: HexId) -> SightLine {
    let mut touched = vec![];
    board.line_touching(from, to, &mut touched);
    let (start, end) = (board.centre(from), board.centre(to));
    let sight = |hex: HexId| line_height(board, (from, to), hex);
    let ground_clear = is_clear(board, (from, to), &touched);
    let hexes = touched.iter().map(|&(hex, touch)| OnLine {
        hex: board.label(hex).to_owned(),
        touch: match touch {
            Touch::Through => "through",
            Touch::Edge => "edge",
            Touch::Corner => "corner",
        },
        terrain: board.cover(hex).to_string(),
        level: board.level(hex),
        height: f64::from(board.height(hex)) / 10.0,
        line_height: sight(hex) as f64 / 10.0,
    });
    SightLine {
        ruleset: board.name.clone(),
        from: board.label(from).to_owned(),
        to: board.label(to).to_owned(),
        distance: board.distance(from, to),
        metres: (start.distance(end) / 100) as u32,
        ground_clear,
        hexes: hexes.collect(),
    }
}
