//! Cover and levels as the rules have them, drawn as ground: areas of hexes with softened edges.
//!
//! On a board of small hexes a wood is many hexes and a hill is several levels. Drawn by the
//! hexes that count, the picture and the rules cannot disagree, and a line between two levels is
//! just what a rulebook calls a contour.

use cupola_ground::kinds::{CoverKind, WallKind};
use cupola_ground::{HexId, Mark, WaterKind};

use crate::geometry::{V, v};
use crate::grid::{Ring, rings};
use crate::ground::{cover_classes, wall_classes, water_classes};
use crate::key::Symbol;
use crate::labels::LINE;
use crate::out::push_path;
use crate::rules::COVERS;
use crate::sheet::Draft;
use crate::soft;

/// Below this size of a hex the sign of sloping ground would be a blot.
const ROOM_FOR_SIGNS: f64 = 14.0;

/// The rings around the hexes of the map that hold.
fn around(draft: &Draft<'_>, holds: impl Fn(HexId) -> bool) -> Vec<Ring> {
    let starts = draft.hexes.iter().copied().filter(|hex| holds(*hex));
    rings(draft, starts, |hex, direction| {
        draft
            .neighbour(hex, direction)
            .filter(|other| holds(*other))
    })
}

/// Woods, orchards, marsh, rocks, town and fields by the hexes that count as such.
pub fn cover(draft: &mut Draft<'_>) {
    let board = draft.board();
    let fields = around(draft, |hex| board.marks(hex).contains(Mark::Fields));
    area(draft, Symbol::Fields, CoverKind::Fields, &fields);
    for (cover, kind, symbol, _) in COVERS {
        let rings = around(draft, |hex| board.cover(hex) == cover);
        area(draft, symbol, kind, &rings);
    }
}

fn area(draft: &mut Draft<'_>, symbol: Symbol, kind: CoverKind, rings: &[Ring]) {
    if rings.is_empty() {
        return;
    }
    let mut d = String::new();
    for ring in rings {
        // Streets are straight; what has grown is not.
        if kind == CoverKind::Town {
            push_path(&mut d, &ring.corners, true);
        } else {
            soft::ring(&mut d, ring);
        }
    }
    draft.symbol(symbol);
    draft.out.open("fill-rule=\"evenodd\"");
    for class in cover_classes(kind) {
        draft.out.path(class, &d);
    }
    draft.out.close();
    draft.out.close();
}

/// Each level a little darker than the one below it; gives back the lines where the level changes,
/// which belong above the woods.
pub fn levels(draft: &mut Draft<'_>) -> String {
    let board = draft.board();
    // Counted from the lowest of the whole board, so that every part of it is tinted alike.
    let levels = || board.hexes().map(|hex| board.level(hex));
    let (low, high) = (levels().min().unwrap_or(0), levels().max().unwrap_or(0));
    let mut lines = String::new();
    let mut fills = Vec::new();
    for level in low + 1..=high {
        let mut fill = String::new();
        for ring in around(draft, |hex| board.level(hex) >= level) {
            soft::ring(&mut fill, &ring);
            soft::inner(&mut lines, &ring);
        }
        fills.push(fill);
    }
    draft.out.open("fill-rule=\"evenodd\"");
    for fill in fills.iter().filter(|fill| !fill.is_empty()) {
        draft.out.path("level", fill);
    }
    draft.out.close();
    lines
}

/// The lines where the level changes.
pub fn level_lines(draft: &mut Draft<'_>, lines: &str) {
    if lines.is_empty() {
        return;
    }
    draft.symbol(Symbol::LevelLine);
    draft.out.path("level-line", lines);
    draft.out.close();
}

/// Creeks, streams and walls along the hexsides that count.
pub fn lines(draft: &mut Draft<'_>) {
    let kinds = [
        (WaterKind::Run, Symbol::Run),
        (WaterKind::Creek, Symbol::Creek),
    ];
    for (kind, symbol) in kinds {
        let mut d = String::new();
        for chain in soft::chains(draft, |side| side.water == Some(kind)) {
            draft.mask.add_line(&chain, LINE);
            soft::open(&mut d, &chain);
        }
        strokes(draft, symbol, water_classes(kind), &d);
    }
    // It matters on which hexsides a wall stands: it keeps its corners.
    let mut d = String::new();
    for chain in soft::chains(draft, |side| side.wall) {
        draft.mask.add_line(&chain, LINE);
        push_path(&mut d, &chain, false);
    }
    let classes = wall_classes(WallKind::StoneWall);
    strokes(draft, Symbol::StoneWall, classes, &d);
}

fn strokes(draft: &mut Draft<'_>, symbol: Symbol, classes: &[&str], d: &str) {
    if d.is_empty() {
        return;
    }
    draft.symbol(symbol);
    for class in classes {
        draft.out.path(class, d);
    }
    draft.out.close();
}

/// Small strokes in hexes of sloping ground.
pub fn sloping(draft: &mut Draft<'_>) {
    let board = draft.board();
    let size = draft.sheet.hex;
    let sloping = |hex: &&HexId| board.marks(**hex).contains(Mark::Sloping);
    let hexes: Vec<HexId> = draft.hexes.iter().filter(sloping).copied().collect();
    if hexes.is_empty() || size < ROOM_FOR_SIGNS {
        return;
    }
    draft.symbol(Symbol::Sloping);
    for hex in hexes {
        let at = draft.centre(hex) + v(-0.26 * size, 0.16 * size);
        sloping_sign(draft, at, size);
    }
    draft.out.close();
}

/// The sign of sloping ground.
pub fn sloping_sign(draft: &mut Draft<'_>, at: V, size: f64) {
    let mut d = String::new();
    for index in -1..=1 {
        let foot = at + v(f64::from(index) * size * 0.07, size * 0.05);
        push_path(&mut d, &[foot, foot + v(size * 0.04, -size * 0.1)], false);
    }
    draft.out.path("tick", &d);
}
