//! The hex grid: lines, the board's border, labels and levels.

use cupola_ground::{Direction, HexId, Orientation};

use crate::font::Face;
use crate::geometry::{V, v};
use crate::key::Symbol;
use crate::labels::{HEX_LABEL, LEVEL, LINE, Tile};
use crate::out::{num, push_path};
use crate::sheet::Draft;
use crate::style::{INK, PAPER};
use crate::words::Setting;

/// Below this size of a hex, labels are for the magnifying glass and every fifth one is large.
pub const SMALL: f64 = 30.0;

/// The outlines of the map, as rings around its edge. A window on the board has the edges of the
/// board, however little of it is drawn.
pub fn outline(draft: &Draft<'_>) -> Vec<Vec<V>> {
    let board = draft.board();
    let rings = if draft.request.part.is_some() {
        let starts = draft.hexes.iter().copied();
        rings(draft, starts, |hex, d| draft.neighbour(hex, d))
    } else {
        rings(draft, board.hexes(), |hex, d| board.neighbour(hex, d))
    };
    rings.into_iter().map(|ring| ring.corners).collect()
}

/// A closed line along hexsides.
pub struct Ring {
    /// Its corners, clockwise around what it holds.
    pub corners: Vec<V>,
    /// For each corner whether the hexside that ends there has the map on both sides.
    pub inner: Vec<bool>,
}

/// The rings around some hexes, where `within` gives the neighbour that is among them as well.
pub fn rings(
    draft: &Draft<'_>,
    starts: impl Iterator<Item = HexId>,
    within: impl Fn(HexId, Direction) -> Option<HexId>,
) -> Vec<Ring> {
    let mut seen = vec![[false; 6]; draft.board().len()];
    let mut rings = Vec::new();
    for hex in starts {
        for direction in Direction::ALL {
            if within(hex, direction).is_some() || seen[hex.index()][direction.index()] {
                continue;
            }
            let (mut corners, mut inner) = (Vec::new(), Vec::new());
            let (mut h, mut d) = (hex, direction);
            while !std::mem::replace(&mut seen[h.index()][d.index()], true) {
                corners.push(draft.side(h, d).1);
                inner.push(draft.neighbour(h, d).is_some());
                let next = d.clockwise(1);
                (h, d) = match within(h, next) {
                    Some(other) => (other, d.clockwise(5)),
                    None => (h, next),
                };
            }
            rings.push(Ring { corners, inner });
        }
    }
    rings
}

/// Pales the ground beyond the board.
pub fn veil(draft: &mut Draft<'_>, rings: &[Vec<V>]) {
    let frame = draft.sheet.frame;
    let mut d = String::new();
    let page = [
        frame.low,
        v(frame.high.x, frame.low.y),
        frame.high,
        v(frame.low.x, frame.high.y),
    ];
    push_path(&mut d, &page, true);
    for ring in rings {
        push_path(&mut d, ring, true);
    }
    draft.out.open("fill-rule=\"evenodd\"");
    draft.out.path("veil", &d);
    draft.out.close();
}

/// The lines between hexes and the border around them.
pub fn lines(draft: &mut Draft<'_>, rings: &[Vec<V>]) {
    let mut d = String::new();
    for &hex in &draft.hexes {
        // Three sides of each hex make the whole net; runs of them share one stroke.
        let mut run: Vec<V> = Vec::new();
        for direction in Direction::ALL {
            let mine = draft.neighbour(hex, direction).is_some_and(|n| n > hex);
            let (a, b) = draft.side(hex, direction);
            if mine {
                if run.is_empty() {
                    run.push(a);
                }
                run.push(b);
            } else if !run.is_empty() {
                push_path(&mut d, &run, false);
                run.clear();
            }
        }
        push_path(&mut d, &run, false);
    }
    let width = (draft.sheet.hex * 0.012).clamp(0.35, 0.9);
    draft.out.raw(format!(
        "<path class=\"grid\" fill=\"none\" stroke=\"#4a4038\" stroke-opacity=\".55\" stroke-width=\"{}\" d=\"{d}\"/>",
        num(width)
    ));
    let mut border = String::new();
    for ring in rings {
        push_path(&mut border, ring, true);
    }
    draft.out.path("border", &border);
}

/// How a hex's label is set.
fn setting(hex: f64) -> Setting {
    Setting {
        face: Face::Sans,
        size: (hex * 0.155).clamp(2.4, 14.5),
        spacing: 0.0,
    }
}

/// Where a hex's label stands, as its baseline's middle: at the top, a little aside if a symbol
/// or a road lies there.
fn label_point(draft: &Draft<'_>, hex: HexId) -> V {
    let pitch = draft.sheet.hex;
    let setting = setting(pitch);
    let size = setting.size;
    let up = match draft.board().orientation() {
        Orientation::Rows => tall(draft) * 0.5,
        Orientation::Columns => pitch * 0.47 - size,
    };
    let top = draft.centre(hex) - v(0.0, up);
    if pitch < SMALL {
        return top;
    }
    let width = draft.rulers.set(setting, draft.board().label(hex));
    let spots = [(0.0, 0.0), (-0.2, 7.0), (0.2, 7.0)];
    let price = |(aside, price): &(f64, f64)| {
        let middle = top + v(aside * pitch, -size * 0.35);
        let tile = Tile::upright(middle, width, size * 0.7);
        price + draft.mask.price(tile).unwrap_or(1e3)
    };
    let best = spots
        .into_iter()
        .min_by(|a, b| price(a).total_cmp(&price(b)));
    top + v(best.map_or(0.0, |(aside, _)| aside) * pitch, 0.0)
}

/// From the centre of a hex to its uppermost corner; printed maps may be flat.
fn tall(draft: &Draft<'_>) -> f64 {
    let centre = draft.centre(HexId(0));
    let corners = draft.corners(HexId(0));
    corners.iter().map(|p| centre.y - p.y).fold(0.0, f64::max)
}

/// True for the labels that are drawn large on a fine grid: every fifth row and column.
fn round(label: &str) -> bool {
    let digits: String = label.chars().filter(char::is_ascii_digit).collect();
    let fifth = |part: &str| part.parse::<u32>().is_ok_and(|n| n % 5 == 0);
    digits.len() == 4 && fifth(&digits[..2]) && fifth(&digits[2..])
}

/// The label of every hex, each with a price for covering it.
pub fn labels(draft: &mut Draft<'_>) {
    let board = draft.board();
    let setting = setting(draft.sheet.hex);
    let size = setting.size;
    let small = draft.sheet.hex < SMALL;
    open_labels(draft, setting, ".6", size * 0.2);
    let mut large = Vec::new();
    let mut taken = Vec::new();
    for hex in draft.hexes.clone() {
        if small && round(board.label(hex)) {
            large.push(hex);
            continue;
        }
        let at = label_point(draft, hex);
        draft.label("h", at, setting, board.label(hex));
        taken.push((hex, at - v(0.0, size * 0.35)));
    }
    draft.out.close();
    for (hex, middle) in taken.into_iter().filter(|_| !small) {
        let width = draft.rulers.set(setting, board.label(hex));
        let tile = Tile::upright(middle, width, size * 0.5);
        draft.mask.add_tile(tile, HEX_LABEL);
    }
    if large.is_empty() {
        return;
    }
    let size = draft.sheet.hex * 0.36;
    let setting = Setting {
        face: Face::Bold,
        size,
        ..setting
    };
    open_labels(draft, setting, ".7", 1.2);
    for hex in large {
        let at = draft.centre(hex) + v(0.0, size * 0.35);
        draft.label("h", at, setting, board.label(hex));
        draft.mask.add_disc(draft.centre(hex), 5.0, LINE);
    }
    draft.out.close();
}

/// Opens the group of labels of one size.
fn open_labels(draft: &mut Draft<'_>, setting: Setting, opacity: &str, halo: f64) {
    let attributes = format!(
        "fill=\"{INK}\" fill-opacity=\".8\" stroke=\"{PAPER}\" stroke-opacity=\"{opacity}\" stroke-width=\"{}\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
        num(halo)
    );
    draft.open_labels(setting, &attributes);
}

/// The level of every hex, where there is room for it.
pub fn levels(draft: &mut Draft<'_>) {
    let board = draft.board();
    let mixed = board
        .hexes()
        .any(|hex| board.level(hex) != board.level(HexId(0)));
    if draft.sheet.hex < SMALL || !mixed {
        return;
    }
    let size = setting(draft.sheet.hex).size * 0.9;
    let setting = Setting {
        face: Face::Bold,
        size,
        spacing: 0.0,
    };
    let down = tall(draft) * 0.52 + size * 0.35;
    draft.symbol(Symbol::Level);
    let attributes = format!(
        "fill=\"#6b3e1a\" stroke=\"{PAPER}\" stroke-opacity=\".6\" stroke-width=\"2\" paint-order=\"stroke\""
    );
    draft.open_labels(setting, &attributes);
    for hex in draft.hexes.clone() {
        let at = draft.centre(hex) + v(0.0, down);
        draft.label("v", at, setting, &board.level(hex).to_string());
        let tile = Tile::upright(at - v(0.0, size * 0.35), size * 0.5, size * 0.6);
        draft.mask.add_tile(tile, LEVEL);
    }
    draft.out.close();
    draft.out.close();
}
