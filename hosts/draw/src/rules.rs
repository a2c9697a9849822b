//! What the rules see: cover and level by hex, slopes, water and walls by hexside.

use std::collections::BTreeMap;

use cupola_ground::board::Cover;
use cupola_ground::kinds::CoverKind;
use cupola_ground::{Direction, Grade, HexId, Mark, Rise, RoadKind, WaterKind};

use crate::geometry::{V, v};
use crate::ground::{ROADS, cover_classes, crossing, strokes};
use crate::key::{Symbol, glyph};
use crate::labels::LINE;
use crate::out::{num, push_path, tenth};
use crate::relief::tint;
use crate::sheet::Draft;

/// Covers of a hex, how they look on the ground, and their two symbols: as ground, as rim.
pub const COVERS: [(Cover, CoverKind, Symbol, Symbol); 5] = [
    (
        Cover::Woods,
        CoverKind::Woods,
        Symbol::Woods,
        Symbol::HexWoods,
    ),
    (
        Cover::Orchard,
        CoverKind::Orchard,
        Symbol::Orchard,
        Symbol::HexOrchard,
    ),
    (
        Cover::Marsh,
        CoverKind::Marsh,
        Symbol::Marsh,
        Symbol::HexMarsh,
    ),
    (
        Cover::Rocks,
        CoverKind::Rocks,
        Symbol::Rocks,
        Symbol::HexRocks,
    ),
    (Cover::Town, CoverKind::Town, Symbol::Town, Symbol::HexTown),
];

/// Colour and dashes of a rim.
fn rim(cover: Cover) -> (&'static str, &'static str) {
    match cover {
        Cover::Woods => ("#23662f", ""),
        Cover::Orchard => ("#5d7a1f", "1 3.4"),
        Cover::Marsh => ("#1f6f80", "7 2.5 1.5 2.5"),
        Cover::Rocks => ("#4f4a44", "3 3"),
        Cover::Town => ("#8a3b22", "9 2.5"),
        Cover::Clear => ("#8a8378", ""),
    }
}

/// The attributes of a rim's stroke.
pub fn rim_style(cover: Cover, hex: f64) -> String {
    let (colour, dashes) = rim(cover);
    let dashes = if hex < crate::grid::SMALL { "" } else { dashes };
    format!(
        "fill=\"none\" stroke=\"{colour}\" stroke-opacity=\".85\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\" stroke-dasharray=\"{}\"",
        num((hex * 0.03).clamp(0.8, 2.6)),
        if dashes.is_empty() { "none" } else { dashes }
    )
}

/// Colour, share of the hex and dashes of water along a hexside.
fn band(kind: WaterKind) -> (&'static str, f64, &'static str) {
    match kind {
        WaterKind::Creek => ("#2f74ad", 0.105, "none"),
        WaterKind::Run => ("#4d93c8", 0.065, "none"),
        WaterKind::Brook => ("#4d93c8", 0.045, "7 4"),
    }
}

/// The attributes of water along hexsides.
pub fn band_style(kind: WaterKind, hex: f64, natural: bool) -> String {
    let (colour, share, dashes) = band(kind);
    let width = (hex * share).clamp(share * 26.0, share * 90.0);
    // Over the true stream it must not shout; alone it is the stream.
    let opacity = if natural { ".5" } else { ".95" };
    let dashes = if hex < crate::grid::SMALL && dashes != "none" {
        "2.4 1.6"
    } else {
        dashes
    };
    format!(
        "fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"{opacity}\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\" stroke-dasharray=\"{dashes}\"",
        num(width)
    )
}

/// Hexes filled by level, with the texture of their cover: the map the rules see.
pub fn fills(draft: &mut Draft<'_>) {
    let board = draft.board();
    let levels = || board.hexes().map(|hex| board.level(hex));
    let (low, high) = (levels().min().unwrap_or(0), levels().max().unwrap_or(0));
    let mut by_level: BTreeMap<i8, String> = BTreeMap::new();
    for &hex in &draft.hexes {
        let d = by_level.entry(board.level(hex)).or_default();
        push_path(d, &draft.corners(hex), true);
    }
    draft.symbol(Symbol::LevelTint);
    for (level, d) in &by_level {
        let share = f64::from(level - low) / f64::from((high - low).max(1));
        draft
            .out
            .raw(format!("<path fill=\"{}\" d=\"{d}\"/>", rgb(tint(share))));
    }
    draft.out.close();
    for (cover, kind, symbol, _) in COVERS {
        let mut d = String::new();
        for hex in draft.hexes.iter().filter(|hex| board.cover(**hex) == cover) {
            push_path(&mut d, &draft.corners(*hex), true);
        }
        if d.is_empty() {
            continue;
        }
        draft.symbol(symbol);
        for class in cover_classes(kind).iter().take(2) {
            draft.out.path(class, &d);
        }
        draft.out.close();
    }
}

/// A colour as SVG spells it.
pub fn rgb(colour: [f64; 3]) -> String {
    let [r, g, b] = colour.map(|c| c.round().clamp(0.0, 255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Rims around hexes that count as covered, with a small sign in large hexes.
pub fn rims(draft: &mut Draft<'_>) {
    let board = draft.board();
    let hex_size = draft.sheet.hex;
    for (cover, _, _, symbol) in COVERS {
        let covered = draft.hexes.iter().filter(|hex| board.cover(**hex) == cover);
        let hexes: Vec<HexId> = covered.copied().collect();
        if hexes.is_empty() {
            continue;
        }
        let mut d = String::new();
        for hex in &hexes {
            let centre = draft.centre(*hex);
            let ring = draft
                .corners(*hex)
                .map(|corner| centre.towards(corner, 0.9));
            push_path(&mut d, &ring, true);
        }
        draft.symbol(symbol);
        draft
            .out
            .raw(format!("<path {} d=\"{d}\"/>", rim_style(cover, hex_size)));
        draft.out.close();
    }
}

/// Slopes as teeth that point downhill.
pub fn slopes(draft: &mut Draft<'_>) {
    let mut gentle = String::new();
    let mut steep = String::new();
    for (hex, direction) in draft.sides() {
        let grade = match draft.board().side(hex, direction).rise {
            Rise::Level => continue,
            Rise::Up(grade) => (grade, -1.0),
            Rise::Down(grade) => (grade, 1.0),
        };
        let (a, b) = draft.side(hex, direction);
        let outward = (a.towards(b, 0.5) - draft.centre(hex)).unit();
        let down = outward * grade.1;
        match grade.0 {
            Grade::Gentle => teeth(&mut gentle, a, b, down, Grade::Gentle),
            Grade::Steep => teeth(&mut steep, a, b, down, Grade::Steep),
        }
    }
    // Where slopes are the edges of levels, those lines tell them.
    let told = draft.fine() && contours_tell_slopes(draft);
    if !gentle.is_empty() && !told {
        draft.symbol(Symbol::GentleSlope);
        let width = num((draft.sheet.hex * 0.02).clamp(0.45, 1.3));
        draft.out.raw(format!(
            "<path fill=\"none\" stroke=\"#7a3f17\" stroke-opacity=\".8\" stroke-width=\"{width}\" d=\"{gentle}\"/>"
        ));
        draft.out.close();
    }
    if !steep.is_empty() {
        draft.symbol(Symbol::SteepSlope);
        draft.out.path("teeth", &steep);
        draft.out.close();
    }
}

/// True if a hexside is a gentle slope just where the level changes.
fn contours_tell_slopes(draft: &Draft<'_>) -> bool {
    let board = draft.board();
    board.hexes().all(|hex| {
        board.neighbours(hex).all(|(way, to)| {
            let level = board.level(hex) == board.level(to);
            match board.side(hex, way).rise {
                Rise::Level => level,
                Rise::Up(Grade::Gentle) | Rise::Down(Grade::Gentle) => !level,
                _ => true,
            }
        })
    })
}

/// The teeth of one hexside: strokes for a gentle slope, wedges for a steep one.
pub fn teeth(d: &mut String, a: V, b: V, down: V, grade: Grade) {
    let side = (b - a).length();
    let along = (b - a).unit();
    let (count, long) = match grade {
        Grade::Gentle => (4, side * 0.11),
        Grade::Steep => (5, side * 0.17),
    };
    for index in 0..count {
        let share = 0.14 + 0.72 * (f64::from(index) + 0.5) / f64::from(count);
        let foot = a.towards(b, share);
        let tip = foot + down * long;
        match grade {
            Grade::Gentle => push_path(d, &[foot, tip], false),
            Grade::Steep => {
                let half = along * (side * 0.055);
                push_path(d, &[foot - half, foot + half, tip], true);
            }
        }
    }
}

/// Water, walls and woods that count along hexsides.
pub fn sides(draft: &mut Draft<'_>) {
    let hex = draft.sheet.hex;
    let kinds = [
        (WaterKind::Brook, Symbol::SideBrook),
        (WaterKind::Run, Symbol::SideRun),
        (WaterKind::Creek, Symbol::SideCreek),
    ];
    // On a fine map water and walls are drawn as such along the hexsides that count.
    let fine = draft.fine();
    for (kind, symbol) in kinds.into_iter().filter(|_| !fine) {
        let style = band_style(kind, hex, draft.natural());
        along(draft, symbol, &style, 0.0, |side| side.water == Some(kind));
    }
    for (cover, symbol) in SIDE_COVERS {
        let style = side_cover_style(cover, hex);
        along(draft, symbol, &style, 0.14, |side| {
            side.cover == Some(cover)
        });
    }
    let style = crest_style(hex);
    along(draft, Symbol::SideCrest, &style, 0.1, |side| side.crest);
    let style = side_wall_style(hex);
    let wall = |side: &cupola_ground::Hexside| side.wall && !fine;
    along(draft, Symbol::SideWall, &style, 0.06, wall);
    let style = closed_style(hex);
    along(draft, Symbol::SideClosed, &style, 0.0, |side| side.closed);
}

/// Covers along hexsides and their symbols.
pub const SIDE_COVERS: [(Cover, Symbol); 5] = [
    (Cover::Woods, Symbol::SideWoods),
    (Cover::Orchard, Symbol::SideOrchard),
    (Cover::Marsh, Symbol::SideMarsh),
    (Cover::Rocks, Symbol::SideRocks),
    (Cover::Town, Symbol::SideTown),
];

/// The attributes of a closed hexside.
pub fn closed_style(hex: f64) -> String {
    format!(
        "fill=\"none\" stroke=\"#111\" stroke-linecap=\"round\" stroke-width=\"{}\"",
        num((hex * 0.12).clamp(2.0, 9.0))
    )
}

/// The attributes of cover along a hexside.
pub fn side_cover_style(cover: Cover, hex: f64) -> String {
    let (colour, _) = rim(cover);
    let width = (hex * 0.07).clamp(1.4, 7.0);
    let dashes = match cover {
        Cover::Woods => format!("0.1 {}", num(width * 1.25)),
        _ => format!("{0} {1}", num(width), num(width * 0.5)),
    };
    let cap = if cover == Cover::Woods {
        "round"
    } else {
        "butt"
    };
    format!(
        "fill=\"none\" stroke=\"{colour}\" stroke-opacity=\".75\" stroke-width=\"{}\" stroke-linecap=\"{cap}\" stroke-dasharray=\"{dashes}\"",
        num(width)
    )
}

/// The attributes of a crest along a hexside: bars to both sides, since it falls to both.
pub fn crest_style(hex: f64) -> String {
    let bar = (hex * 0.022).clamp(0.6, 1.8);
    format!(
        "fill=\"none\" stroke=\"#7a3f17\" stroke-opacity=\".85\" stroke-width=\"{}\" stroke-dasharray=\"{} {}\"",
        num((hex * 0.13).clamp(2.6, 12.0)),
        num(bar),
        num(bar * 1.6)
    )
}

/// The attributes of a wall along a hexside.
pub fn side_wall_style(hex: f64) -> String {
    let width = (hex * 0.05).clamp(1.3, 4.0);
    format!(
        "fill=\"none\" stroke=\"#3b3a3d\" stroke-width=\"{}\" stroke-dasharray=\"{} {}\"",
        num(width),
        num(width * 1.1),
        num(width * 0.5)
    )
}

/// One path over all hexsides that hold something; `short` is left free at both ends.
fn along(
    draft: &mut Draft<'_>,
    symbol: Symbol,
    style: &str,
    short: f64,
    holds: impl Fn(&cupola_ground::Hexside) -> bool,
) {
    let mut d = String::new();
    for (hex, direction) in draft.sides() {
        if holds(draft.board().side(hex, direction)) {
            let (a, b) = draft.side(hex, direction);
            push_path(&mut d, &[a.towards(b, short), b.towards(a, short)], false);
            draft.mask.add_line(&[a, b], LINE / 2);
        }
    }
    if d.is_empty() {
        return;
    }
    draft.symbol(symbol);
    draft.out.raw(format!("<path {style} d=\"{d}\"/>"));
    draft.out.close();
}

/// Roads from hex to hex, with their bridges and fords.
pub fn roads(draft: &mut Draft<'_>) {
    let mut layers = Vec::new();
    for (kind, symbol) in ROADS {
        let mut d = String::new();
        for hex in draft.hexes.clone() {
            road_in_hex(draft, hex, kind, &mut d);
        }
        if !d.is_empty() {
            layers.push((symbol, kind, d));
        }
    }
    strokes(draft, &layers);
    crossings(draft);
}

/// Bridges and fords on the hexsides that have them.
pub fn crossings(draft: &mut Draft<'_>) {
    let board = draft.board();
    for (kind, symbol) in [
        (cupola_ground::Crossing::Bridge, Symbol::Bridge),
        (cupola_ground::Crossing::Ford, Symbol::Ford),
    ] {
        let found: Vec<(HexId, Direction)> = (draft.sides().into_iter())
            .filter(|(hex, d)| board.side(*hex, *d).crossing == Some(kind))
            .collect();
        if found.is_empty() {
            continue;
        }
        draft.symbol(symbol);
        for (hex, direction) in found {
            let (a, b) = draft.side(hex, direction);
            let middle = a.towards(b, 0.5);
            crossing(draft, kind, middle, (middle - draft.centre(hex)).unit());
        }
        draft.out.close();
    }
}

/// The stretch of a road inside one hex: a bend if it passes through, spokes at a junction.
fn road_in_hex(draft: &mut Draft<'_>, hex: HexId, kind: RoadKind, d: &mut String) {
    let board = draft.board();
    let middle = |direction: &Direction| {
        let (a, b) = draft.side(hex, *direction);
        a.towards(b, 0.5)
    };
    let any: Vec<Direction> = Direction::ALL
        .into_iter()
        .filter(|direction| board.side(hex, *direction).road.is_some())
        .collect();
    let own: Vec<V> = any
        .iter()
        .filter(|direction| board.side(hex, **direction).road == Some(kind))
        .map(middle)
        .collect();
    let centre = draft.centre(hex);
    if let ([a, b], 2) = (own.as_slice(), any.len()) {
        let text = format!(
            "M{} {}Q{} {} {} {}",
            tenth(a.x),
            tenth(a.y),
            tenth(centre.x),
            tenth(centre.y),
            tenth(b.x),
            tenth(b.y)
        );
        d.push_str(&text);
        draft.mask.add_line(&[*a, *b], LINE);
        return;
    }
    for end in &own {
        push_path(d, &[*end, centre], false);
        draft.mask.add_line(&[*end, centre], LINE);
    }
}

/// Stars in hexes that are worth victory points.
pub fn victory(draft: &mut Draft<'_>) {
    let board = draft.board();
    let hexes: Vec<HexId> = (draft.hexes.iter().copied())
        .filter(|hex| board.marks(*hex).contains(Mark::Victory))
        .collect();
    if hexes.is_empty() {
        return;
    }
    draft.symbol(Symbol::Victory);
    let k = (draft.sheet.hex / 60.0).clamp(0.6, 1.5);
    for hex in hexes {
        let at = draft.centre(hex) + v(draft.sheet.hex * 0.3, draft.sheet.hex * 0.1);
        glyph(&mut draft.out, Symbol::Victory, at, k);
        draft.mask.add_disc(at, 6.0, crate::labels::SYMBOL);
    }
    draft.out.close();
}
