//! Symbols and names of places.

use cupola_ground::board::BoardPlace;
use cupola_ground::kinds::PlaceKind;

use super::mask::{SYMBOL, Tile};
use crate::geometry::{V, v};
use crate::key::{Symbol, glyph};
use crate::sheet::Draft;
use crate::style;
use crate::words::Anchor;

/// How a kind of place is shown: weight (lower first), text, symbol.
fn look(kind: PlaceKind) -> (u8, &'static str, Option<Symbol>) {
    match kind {
        PlaceKind::Town => (0, "t-town", None),
        PlaceKind::Village => (1, "t-village", Some(Symbol::Village)),
        PlaceKind::Hill => (2, "t-hill", Some(Symbol::Hill)),
        PlaceKind::Knoll => (3, "t-hill", Some(Symbol::Hill)),
        PlaceKind::Ridge => (3, "t-ridge", None),
        PlaceKind::Rocks => (4, "t-spot", None),
        PlaceKind::Orchard | PlaceKind::Woods => (4, "t-wood", None),
        PlaceKind::Field | PlaceKind::Hollow => (4, "t-spot", None),
        PlaceKind::Church => (5, "t-farm", Some(Symbol::Church)),
        PlaceKind::Building => (5, "t-farm", Some(Symbol::Building)),
        PlaceKind::Tavern => (5, "t-farm", Some(Symbol::Tavern)),
        PlaceKind::Mill => (5, "t-farm", Some(Symbol::Mill)),
        PlaceKind::School => (6, "t-farm", Some(Symbol::School)),
        PlaceKind::Cemetery => (6, "t-spot", None),
        PlaceKind::Landmark => (6, "t-spot", Some(Symbol::Landmark)),
        PlaceKind::Spring => (7, "t-spot", Some(Symbol::Spring)),
        PlaceKind::Farm => (8, "t-farm", Some(Symbol::Farm)),
        PlaceKind::Railroad => (9, "t-spot", Some(Symbol::Landmark)),
        PlaceKind::Bridge | PlaceKind::Ford => (9, "t-spot", None),
        PlaceKind::Stream | PlaceKind::Crossroads => (10, "t-spot", Some(Symbol::Crossroads)),
    }
}

/// How weighty a kind of place is, the weightiest first.
pub fn rank(kind: PlaceKind) -> u8 {
    look(kind).0
}

/// The lines of a name on this map; none if it would tell nothing here.
fn wording(draft: &Draft<'_>, place: &BoardPlace) -> Vec<String> {
    let close = draft.sheet.scale > 0.2;
    let dull = matches!(
        place.kind,
        PlaceKind::Crossroads | PlaceKind::Stream | PlaceKind::Railroad
    );
    if dull && !close {
        return Vec::new();
    }
    // The bridge of a road over a creek is told by both of their names.
    if matches!(place.kind, PlaceKind::Bridge | PlaceKind::Ford) && place.name.contains(',') {
        return Vec::new();
    }
    let plain = place.name.split(" (").next().unwrap_or(&place.name);
    let name = if close { &place.name } else { plain };
    let name = name.replace('\'', "\u{2019}");
    if place.kind == PlaceKind::Town {
        return vec![name.to_uppercase()];
    }
    split(&name)
}

/// Long names take two lines, cut near the middle.
fn split(name: &str) -> Vec<String> {
    if name.chars().count() < 15 {
        return vec![name.to_owned()];
    }
    let half = name.len() / 2;
    let cut = name
        .char_indices()
        .filter(|(_, c)| *c == ' ')
        .map(|(index, _)| index)
        .min_by_key(|index| index.abs_diff(half));
    match cut {
        Some(index) => vec![name[..index].to_owned(), name[index + 1..].to_owned()],
        None => vec![name.to_owned()],
    }
}

/// A name on the sheet: where its lines start and how they hang together.
struct Spot {
    score: f64,
    /// Middle of the block of lines.
    centre: V,
    /// -1 lines end alike, 0 are centred, 1 begin alike.
    anchor: i8,
}

/// The places on the map and where they lie, the weightier first.
fn weighed<'a>(draft: &Draft<'a>) -> Vec<(&'a BoardPlace, V)> {
    let mut all: Vec<(&BoardPlace, V)> = draft
        .board()
        .places()
        .iter()
        .filter_map(|place| Some((place, place_point(draft, place)?)))
        .collect();
    all.sort_by_key(|(place, _)| (look(place.kind).0, place.id.as_str()));
    all
}

/// Puts a price on the spots of symbols, so that labels and names keep clear of them.
pub fn reserve(draft: &mut Draft<'_>) {
    for (place, at) in weighed(draft) {
        if look(place.kind).2.is_some() && !wording(draft, place).is_empty() {
            draft.mask.add_disc(at, 3.5, 120);
        }
    }
}

/// Draws all places that find room, the weightier first.
pub fn places(draft: &mut Draft<'_>) {
    for (place, at) in weighed(draft) {
        let lines = wording(draft, place);
        if !lines.is_empty() {
            show(draft, place.kind, at, &lines);
        }
    }
}

/// Where a place is drawn: at its true spot, or in the middle of the hex the rules put it in.
fn place_point(draft: &Draft<'_>, place: &BoardPlace) -> Option<V> {
    let hex = place
        .hex
        .filter(|hex| draft.hexes.binary_search(hex).is_ok())?;
    let true_hex = draft.board().hex_at(place.point);
    let moved = !draft.natural() && true_hex != Some(hex);
    let at = if moved {
        draft.centre(hex)
    } else {
        draft.sheet.at(place.point)
    };
    draft.sheet.frame.grown(-6.0).contains(at).then_some(at)
}

fn show(draft: &mut Draft<'_>, kind: PlaceKind, at: V, lines: &[String]) {
    let (rank, class, symbol) = look(kind);
    let setting = style::text(class, draft.sheet.weight);
    let size = setting.size;
    let width = lines
        .iter()
        .map(|line| draft.rulers.set(setting, line))
        .fold(0.0, f64::max);
    let lead = size * 0.98;
    let height = size * 0.78 + lead * (lines.len() - 1) as f64;
    let spots = match symbol {
        Some(_) => around(at, width, height, 5.5 * draft.sheet.weight),
        // A town is where its streets are; other names may drift.
        None if rank == 0 => over(at, width, height, 2),
        None => over(at, width, height, 4),
    };
    if symbol.is_some() && draft.mask.price(Tile::upright(at, 6.0, 6.0)).is_none() {
        return;
    }
    // On a board of wide hexes a farm is shown only where it costs nothing.
    let coarse = draft.sheet.scale < 0.2 && draft.sheet.hex > 60.0;
    let limit = match rank {
        0 => f64::MAX,
        1..=3 => 150.0,
        7.. if coarse => 9.0,
        _ => 62.0,
    };
    let mut best: Option<Spot> = None;
    for spot in spots {
        let tile = Tile::upright(spot.centre, width + 3.0, height + 2.0);
        let Some(price) = draft.mask.price(tile) else {
            continue;
        };
        let score = spot.score + price;
        if score < limit && best.as_ref().is_none_or(|best| score < best.score) {
            best = Some(Spot { score, ..spot });
        }
    }
    let Some(spot) = best else { return };
    if let Some(symbol) = symbol {
        draft.symbol(symbol);
        glyph(&mut draft.out, symbol, at, draft.sheet.weight);
        draft.out.close();
        draft.mask.add_disc(at, 5.0, SYMBOL);
    }
    let tile = Tile::upright(spot.centre, width + 5.0, height + 4.0);
    draft.mask.add_tile(tile, SYMBOL);
    let (x, anchor) = match spot.anchor {
        1 => (spot.centre.x - width / 2.0, Anchor::Start),
        -1 => (spot.centre.x + width / 2.0, Anchor::End),
        _ => (spot.centre.x + setting.spacing / 2.0, Anchor::Middle),
    };
    let first = spot.centre.y - height / 2.0 + size * 0.72;
    for (index, line) in lines.iter().enumerate() {
        let y = first + lead * index as f64;
        draft.words(class, v(x, y), anchor, line);
    }
}

/// Spots around a symbol, the best first: right, left, then corners, above and below.
fn around(at: V, width: f64, height: f64, gap: f64) -> Vec<Spot> {
    let mut spots = Vec::new();
    for (ring, more) in [0.0, 5.0, 12.0].into_iter().enumerate() {
        let x = gap + more + width / 2.0;
        let y = gap + more + height / 2.0;
        let choices = [
            (v(x, 0.0), 1, 0.0),
            (v(-x, 0.0), -1, 2.0),
            (v(x * 0.92, -y * 0.7), 1, 1.5),
            (v(x * 0.92, y * 0.7), 1, 2.0),
            (v(-x * 0.92, -y * 0.7), -1, 3.0),
            (v(-x * 0.92, y * 0.7), -1, 3.5),
            (v(0.0, -y), 0, 4.0),
            (v(0.0, y), 0, 4.5),
            (v(width * 0.3, -y), 0, 5.0),
            (v(-width * 0.3, -y), 0, 5.0),
            (v(width * 0.3, y), 0, 5.5),
            (v(-width * 0.3, y), 0, 5.5),
        ];
        for (off, anchor, score) in choices {
            spots.push(Spot {
                score: score + 9.0 * ring as f64,
                centre: at + off,
                anchor,
            });
        }
    }
    spots
}

/// Spots for a name that lies on what it names.
fn over(at: V, width: f64, height: f64, reach: i32) -> Vec<Spot> {
    let mut spots = Vec::new();
    for down in -reach..=reach {
        for right in -reach..=reach {
            let (i, j) = (f64::from(right), f64::from(down));
            let off = v(i * (width * 0.08 + 4.0), j * (height * 0.3 + 4.0));
            spots.push(Spot {
                score: off.length() * 0.55,
                centre: at + off,
                anchor: 0,
            });
        }
    }
    spots
}
