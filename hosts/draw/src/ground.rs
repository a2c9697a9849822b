//! The natural ground: cover, water, walls, roads and what crosses what.

use cupola_ground::battlefield::Area;
use cupola_ground::kinds::{CoverKind, WallKind};
use cupola_ground::{Crossing, Point, RoadKind, WaterKind};

use crate::geometry::{V, clip, curve, distance, simplify, v};
use crate::key::Symbol;
use crate::labels::{LINE, SYMBOL};
use crate::out::push_path;
use crate::sheet::{Draft, Sheet};

/// Cover in the order it is painted, later over earlier.
const COVERS: [(CoverKind, Symbol); 7] = [
    (CoverKind::Fields, Symbol::Fields),
    (CoverKind::Marsh, Symbol::Marsh),
    (CoverKind::Orchard, Symbol::Orchard),
    (CoverKind::Woods, Symbol::Woods),
    (CoverKind::Rocks, Symbol::Rocks),
    (CoverKind::Town, Symbol::Town),
    (CoverKind::Cemetery, Symbol::Cemetery),
];

/// Roads from the least to the best, as they are painted.
pub const ROADS: [(RoadKind, Symbol); 6] = [
    (RoadKind::Trail, Symbol::Trail),
    (RoadKind::Lane, Symbol::Lane),
    (RoadKind::Road, Symbol::Road),
    (RoadKind::Pike, Symbol::Pike),
    (RoadKind::UnfinishedRailroad, Symbol::UnfinishedRailroad),
    (RoadKind::Railroad, Symbol::Railroad),
];

/// The strokes that make a road, from below; casings of all roads lie under all fills.
pub fn road_classes(kind: RoadKind) -> &'static [&'static str] {
    match kind {
        RoadKind::Pike => &["pike-c", "pike"],
        RoadKind::Road => &["road-c", "road"],
        RoadKind::Lane => &["lane"],
        RoadKind::Trail => &["trail"],
        RoadKind::Railroad => &["rail", "rail-t"],
        RoadKind::UnfinishedRailroad => &["bed", "bed-t"],
    }
}

/// The strokes that make running water.
pub fn water_classes(kind: WaterKind) -> &'static [&'static str] {
    match kind {
        WaterKind::Creek => &["creek-c", "creek"],
        WaterKind::Run => &["run"],
        WaterKind::Brook => &["brook"],
    }
}

/// The strokes that make a wall.
pub fn wall_classes(kind: WallKind) -> &'static [&'static str] {
    match kind {
        WallKind::StoneWall => &["wall"],
        WallKind::Fence => &["fence", "fence-t"],
        WallKind::Breastworks => &["works"],
    }
}

/// The fills and strokes that make a cover.
pub fn cover_classes(kind: CoverKind) -> &'static [&'static str] {
    match kind {
        CoverKind::Woods => &["woods", "woods-p", "woods-e"],
        CoverKind::Orchard => &["orchard", "orchard-p", "edge"],
        CoverKind::Marsh => &["marsh", "marsh-p"],
        CoverKind::Rocks => &["rocks", "rocks-p"],
        CoverKind::Town => &["town", "town-p", "edge"],
        CoverKind::Fields => &["fields", "fields-p", "edge"],
        CoverKind::Cemetery => &["cemetery", "cemetery-p"],
    }
}

/// The path data of areas, those with grown edges rounded.
fn areas<'a>(sheet: &Sheet, kind: CoverKind, shapes: impl Iterator<Item = &'a Area>) -> String {
    let round = matches!(kind, CoverKind::Woods | CoverKind::Marsh | CoverKind::Rocks);
    let near = sheet.frame.grown(30.0);
    let mut d = String::new();
    for area in shapes {
        for ring in &area.rings {
            let line = sheet.line(ring);
            if !near.meets(&line) {
                continue;
            }
            let line = if round {
                simplify(&curve(&line, true, 5.0), 0.25)
            } else {
                line
            };
            push_path(&mut d, &line, true);
        }
    }
    d
}

/// Woods, orchards, town and so on, of these kinds.
pub fn cover(draft: &mut Draft<'_>, kinds: &[CoverKind]) {
    let field = draft.request.field;
    for (kind, symbol) in COVERS.into_iter().filter(|(kind, _)| kinds.contains(kind)) {
        let shapes = field.cover.iter().filter(|feature| feature.kind == kind);
        let d = areas(&draft.sheet, kind, shapes.map(|feature| &feature.shape));
        if d.is_empty() {
            continue;
        }
        draft.symbol(symbol);
        draft.out.open("fill-rule=\"evenodd\"");
        for class in cover_classes(kind) {
            draft.out.path(class, &d);
        }
        draft.out.close();
        draft.out.close();
    }
}

/// A line of the ground, smooth, and cut at the frame.
///
/// Data may end a little beyond the board; such a line is drawn on to the frame, where it would
/// otherwise end in nothing.
pub fn course(draft: &Draft<'_>, points: &[Point], smooth: bool) -> Vec<Vec<V>> {
    let sheet = &draft.sheet;
    let mut line = sheet.line(points);
    let near_edge = sheet.frame.grown(-45.0);
    let off = |end: V, point: Option<&Point>| {
        smooth
            && !near_edge.contains(end)
            && point.is_some_and(|p| draft.board().hex_at(*p).is_none())
    };
    let further = |end: V, before: V| end + (end - before).unit() * 80.0;
    if let [.., before, end] = line.as_slice()
        && off(*end, points.last())
    {
        line.push(further(*end, *before));
    }
    if let [end, before, ..] = line.as_slice()
        && off(*end, points.first())
    {
        line.insert(0, further(*end, *before));
    }
    let line = if smooth {
        simplify(&curve(&line, false, 4.0), 0.2)
    } else {
        line
    };
    clip(&line, &sheet.frame.grown(8.0))
}

fn paths(draft: &mut Draft<'_>, pieces: &[Vec<V>], cost: u8) -> String {
    let mut d = String::new();
    for piece in pieces {
        push_path(&mut d, piece, false);
        draft.mask.add_line(piece, cost);
    }
    d
}

/// Creeks, runs and brooks, of these kinds.
pub fn water(draft: &mut Draft<'_>, of: &[WaterKind]) {
    let field = draft.request.field;
    let kinds = [
        (WaterKind::Brook, Symbol::Brook),
        (WaterKind::Run, Symbol::Run),
        (WaterKind::Creek, Symbol::Creek),
    ];
    for (kind, symbol) in kinds.into_iter().filter(|(kind, _)| of.contains(kind)) {
        let pieces: Vec<Vec<V>> = field
            .water
            .iter()
            .filter(|feature| feature.kind == kind)
            .flat_map(|feature| course(draft, &feature.shape, true))
            .collect();
        let d = paths(draft, &pieces, LINE);
        if d.is_empty() {
            continue;
        }
        draft.symbol(symbol);
        for class in water_classes(kind) {
            draft.out.path(class, &d);
        }
        draft.out.close();
    }
}

/// Stone walls, fences and works, of these kinds.
pub fn walls(draft: &mut Draft<'_>, of: &[WallKind]) {
    let field = draft.request.field;
    let kinds = [
        (WallKind::Fence, Symbol::Fence),
        (WallKind::StoneWall, Symbol::StoneWall),
        (WallKind::Breastworks, Symbol::Breastworks),
    ];
    for (kind, symbol) in kinds.into_iter().filter(|(kind, _)| of.contains(kind)) {
        let pieces: Vec<Vec<V>> = field
            .walls
            .iter()
            .filter(|feature| feature.kind == kind)
            .flat_map(|feature| course(draft, &feature.shape, false))
            .collect();
        let d = paths(draft, &pieces, LINE / 2);
        if d.is_empty() {
            continue;
        }
        draft.symbol(symbol);
        for class in wall_classes(kind) {
            draft.out.path(class, &d);
        }
        draft.out.close();
    }
}

/// Roads and railroads with their cuts.
pub fn roads(draft: &mut Draft<'_>) {
    let field = draft.request.field;
    let mut layers: Vec<(Symbol, RoadKind, String)> = Vec::new();
    for (kind, symbol) in ROADS {
        let pieces: Vec<Vec<V>> = field
            .roads
            .iter()
            .filter(|feature| feature.kind == kind)
            .flat_map(|feature| course(draft, &feature.shape, true))
            .collect();
        let d = paths(draft, &pieces, LINE);
        if !d.is_empty() {
            layers.push((symbol, kind, d));
        }
    }
    let cuts: Vec<Vec<V>> = field
        .cuts
        .iter()
        .flat_map(|cut| course(draft, &cut.shape, false))
        .collect();
    let d = paths(draft, &cuts, LINE);
    if !d.is_empty() {
        draft.symbol(Symbol::Cut);
        draft.out.path("cut", &d);
        draft.out.close();
    }
    strokes(draft, &layers);
}

/// Draws roads so that junctions merge: all casings, then all fills.
pub fn strokes(draft: &mut Draft<'_>, layers: &[(Symbol, RoadKind, String)]) {
    for (_, kind, d) in layers {
        if let [casing, _] = road_classes(*kind)
            && casing.ends_with("-c")
        {
            draft.out.path(casing, d);
        }
    }
    for (symbol, kind, d) in layers {
        draft.symbol(*symbol);
        for class in road_classes(*kind) {
            if !class.ends_with("-c") {
                draft.out.path(class, d);
            }
        }
        draft.out.close();
    }
}

/// Bridges and fords, turned the way the road runs.
pub fn crossings(draft: &mut Draft<'_>) {
    let field = draft.request.field;
    let inner = draft.sheet.frame.grown(-6.0);
    for (kind, symbol) in [
        (Crossing::Ford, Symbol::Ford),
        (Crossing::Bridge, Symbol::Bridge),
    ] {
        let points: Vec<(V, V)> = field
            .crossings
            .iter()
            .filter(|feature| feature.kind == kind)
            .map(|feature| draft.sheet.at(feature.shape))
            .filter(|at| inner.contains(*at))
            .map(|at| (at, heading(draft, at)))
            .collect();
        if points.is_empty() {
            continue;
        }
        draft.symbol(symbol);
        for (at, along) in points {
            crossing(draft, kind, at, along);
            draft.mask.add_disc(at, 7.0, SYMBOL);
        }
        draft.out.close();
    }
}

/// Draws one bridge or ford.
pub fn crossing(draft: &mut Draft<'_>, kind: Crossing, at: V, along: V) {
    let k = draft.sheet.weight;
    let mut d = String::new();
    match kind {
        Crossing::Bridge => {
            for side in [-1.0, 1.0] {
                let p = |a: f64, b: f64| at + along * (a * k) + along.right() * (side * b * k);
                push_path(
                    &mut d,
                    &[p(-8.0, 6.6), p(-5.0, 4.3), p(5.0, 4.3), p(8.0, 6.6)],
                    false,
                );
            }
            draft.out.path("bridge", &d);
        }
        Crossing::Ford => {
            for side in [-1.0, 1.0] {
                let off = along.right() * (side * 4.6 * k);
                push_path(
                    &mut d,
                    &[at - along * (7.0 * k) + off, at + along * (7.0 * k) + off],
                    false,
                );
            }
            draft.out.path("ford", &d);
        }
    }
}

/// The direction of the road nearest to a point.
fn heading(draft: &Draft<'_>, at: V) -> V {
    let mut best = (f64::MAX, v(1.0, 0.0));
    for road in &draft.request.field.roads {
        let line = draft.sheet.line(&road.shape);
        for pair in line.windows(2) {
            let off = distance(at, pair[0], pair[1]);
            if off < best.0 {
                best = (off, (pair[1] - pair[0]).unit());
            }
        }
    }
    best.1
}
