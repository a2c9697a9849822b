//! The arrows where troops come in, each with letters that the key explains.

use std::collections::BTreeSet;

use cupola_ground::{AreaKind, Board, Direction, HexId};

use super::mask::{SYMBOL, Tile};
use crate::geometry::{V, v};
use crate::key::Symbol;
use crate::sheet::Draft;
use crate::style;
use crate::words::Anchor;

/// What the ruleset calls an entry in a few letters: its code, or the number of its area.
fn code(board: &Board, hex: HexId, code: Option<&str>) -> Option<String> {
    let short = |code: &&str| {
        let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        code.len() <= 4 && *code != board.label(hex) && code.chars().all(plain)
    };
    if let Some(code) = code.filter(short) {
        return Some(code.to_owned());
    }
    let area = |area: &&cupola_ground::Area| {
        area.kind == AreaKind::Entry && area.hexes.first() == Some(&hex)
    };
    let (number, _) = board.areas().iter().find(area)?.name.split_once(':')?;
    number.parse::<u8>().ok().map(|number| number.to_string())
}

/// The hexes where troops come in, once each: letters, name and hex.
fn gates(draft: &Draft<'_>) -> Vec<(String, String, HexId)> {
    let board = draft.board();
    let mut found: Vec<(Option<String>, String, HexId)> = Vec::new();
    for entry in board.entries() {
        let Some(hex) = entry
            .hex
            .filter(|hex| draft.hexes.binary_search(hex).is_ok())
        else {
            continue;
        };
        let code = code(board, hex, entry.code.as_deref());
        let same = |(other, name, at): &&mut (Option<String>, String, HexId)| {
            *at == hex && (*other == code || *name == entry.name)
        };
        match found.iter_mut().find(same) {
            Some((known, ..)) => *known = known.take().or(code),
            None => found.push((code, entry.name.clone(), hex)),
        }
    }
    let taken: BTreeSet<String> = found.iter().filter_map(|(code, ..)| code.clone()).collect();
    let mut letters = ('A'..='Z').map(String::from).filter(|l| !taken.contains(l));
    let named = found.into_iter().map(|(code, name, hex)| {
        let code = code.or_else(|| letters.next());
        (
            code.unwrap_or_default(),
            name.replace('\'', "\u{2019}"),
            hex,
        )
    });
    named.collect()
}

/// Arrows where troops come in, with the ruleset's code for the road or a letter.
pub fn entries(draft: &mut Draft<'_>) {
    let mut crowd: BTreeSet<HexId> = BTreeSet::new();
    for (letters, name, hex) in gates(draft) {
        let index = draft.gates.len();
        draft.gates.push((letters.clone(), name));
        draft.symbol(Symbol::Gate(index));
        // Two roads through one hex share its arrow; their letters stand one after the other.
        let second = !crowd.insert(hex);
        gate(draft, hex, &letters, second);
        draft.out.close();
    }
}

fn gate(draft: &mut Draft<'_>, hex: HexId, letters: &str, second: bool) {
    let centre = draft.centre(hex);
    let inward = inward(draft, hex);
    let long = (draft.sheet.hex * 0.24).clamp(7.0, 17.0);
    let corners = draft.corners(hex);
    let reach = corners.iter().map(|corner| (centre - *corner).dot(inward));
    let reach = reach.fold(0.0, f64::max);
    let at = centre - inward * (reach + long * 0.45);
    arrow(draft, at, inward, long);
    draft.mask.add_disc(at, long, SYMBOL);
    let setting = style::text("t-gate", draft.sheet.weight);
    let width = draft.rulers.set(setting, letters);
    let size = setting.size;
    // Beside the arrow, outside the hex, so that the hex keeps its label.
    let side = if second { -1.0 } else { 1.0 };
    let beside = if inward.y.abs() > inward.x.abs() {
        v(side * (long * 0.75 + width / 2.0 + 3.0), 0.0)
    } else {
        v(0.0, -side * (long * 0.75 + size * 0.5))
    };
    let middle = at - inward * (long * 0.35) + beside;
    let tile = Tile::upright(middle, width + 4.0, size);
    draft.mask.add_tile(tile, SYMBOL);
    let at = middle + v(0.0, size * 0.35);
    draft.words("t-gate", at, Anchor::Middle, letters);
}

/// From the edge of the map into the hex.
fn inward(draft: &Draft<'_>, hex: HexId) -> V {
    let centre = draft.centre(hex);
    let open = Direction::ALL.into_iter();
    let open = open.filter(|d| draft.neighbour(hex, *d).is_none());
    let sum = open
        .map(|d| {
            let (a, b) = draft.side(hex, d);
            (centre - a.towards(b, 0.5)).unit()
        })
        .fold(v(0.0, 0.0), |sum, one| sum + one);
    if sum.length() < 0.2 {
        v(0.0, 1.0)
    } else {
        sum.unit()
    }
}

/// An arrow about a point.
pub fn arrow(draft: &mut Draft<'_>, at: V, along: V, long: f64) {
    let p = |a: f64, b: f64| at + along * (a * long) + along.right() * (b * long);
    let shape = [
        p(0.9, 0.0),
        p(-0.1, 0.75),
        p(-0.1, 0.3),
        p(-0.9, 0.3),
        p(-0.9, -0.3),
        p(-0.1, -0.3),
        p(-0.1, -0.75),
    ];
    draft.out.path("gate", &crate::out::path(&shape, true));
}
