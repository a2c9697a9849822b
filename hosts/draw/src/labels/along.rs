//! Names that follow a road or a stream.

use std::collections::BTreeMap;

use cupola_ground::{Point, RoadKind, WaterKind};

use super::mask::{SYMBOL, Tile};
use crate::font::Face;
use crate::geometry::{V, clip, length, relax, resample};
use crate::sheet::Draft;
use crate::style;

/// Units between the points a name is tried at.
const STEP: f64 = 4.0;
/// Units of a way that are worth one name.
const STRETCH: f64 = 760.0;

/// A way and the name that goes along it.
struct Way {
    name: String,
    class: &'static str,
    /// Half the width of its line.
    half: f64,
    pieces: Vec<Vec<V>>,
}

/// A place for a name.
struct Spot {
    score: f64,
    middle: V,
    baseline: Vec<V>,
    tiles: Vec<Tile>,
}

/// Names of roads and streams: the weightier first.
pub fn ways(draft: &mut Draft<'_>) {
    for way in &gather(draft) {
        let mut done: Vec<V> = Vec::new();
        let longest: f64 = way.pieces.iter().map(|piece| length(piece)).sum();
        let wanted = 1 + (longest / STRETCH) as usize;
        while done.len() < wanted {
            let Some(spot) = best(draft, way, &done) else {
                break;
            };
            done.push(spot.middle);
            write(draft, way, &spot);
        }
    }
}

/// Joins the features of one name and puts the ways in order of weight.
fn gather(draft: &Draft<'_>) -> Vec<Way> {
    let field = draft.request.field;
    let mut groups: BTreeMap<(u8, String), Way> = BTreeMap::new();
    let mut add = |rank: u8, name: &str, class: &'static str, half: f64, points: &[Point]| {
        let inner = draft.sheet.frame.grown(-5.0);
        let line = resample(&draft.sheet.line(points), STEP);
        let pieces = clip(&relax(&line, 5), &inner);
        let way = groups
            .entry((rank, name.to_owned()))
            .or_insert_with(|| Way {
                name: name.to_owned(),
                class,
                half,
                pieces: Vec::new(),
            });
        way.pieces
            .extend(pieces.iter().flat_map(|piece| on_board(draft, piece)));
    };
    for road in &field.roads {
        let Some(name) = &road.name else { continue };
        let (rank, class, half) = match road.kind {
            RoadKind::Pike => (0, "t-pike", 3.4),
            RoadKind::Road => (2, "t-road", 2.5),
            RoadKind::Railroad | RoadKind::UnfinishedRailroad => (3, "t-road", 3.4),
            RoadKind::Lane | RoadKind::Trail => (6, "t-lane", 1.2),
        };
        // A farm's lane is told by its farm.
        if rank < 6 || draft.sheet.scale > 0.3 {
            add(rank, name, class, half, &road.shape);
        }
    }
    for water in &field.water {
        let Some(name) = &water.name else { continue };
        let (rank, class, half) = match water.kind {
            WaterKind::Creek => (1, "t-creek", 2.6),
            WaterKind::Run => (4, "t-run", 1.4),
            WaterKind::Brook => (7, "t-run", 1.0),
        };
        let plain = name.split(',').next().unwrap_or(name);
        if rank < 7 || (draft.sheet.scale > 0.3 && plain == name) {
            add(rank, plain, class, half, &water.shape);
        }
    }
    groups.into_values().collect()
}

/// The stretches of a line that lie on the board: off it, names would be of no use.
fn on_board(draft: &Draft<'_>, line: &[V]) -> Vec<Vec<V>> {
    let sheet = &draft.sheet;
    let inside = |p: &V| {
        let off = *p - sheet.frame.low;
        let x = f64::from(sheet.ground.low.x) + off.x / sheet.scale * 100.0;
        let y = f64::from(sheet.ground.high.y) - off.y / sheet.scale * 100.0;
        let point = Point::new(x as i32, y as i32);
        draft.board().hex_at(point).is_some()
    };
    let mut pieces = vec![Vec::new()];
    for p in line {
        if inside(p) {
            if let Some(piece) = pieces.last_mut() {
                piece.push(*p);
            }
        } else {
            pieces.push(Vec::new());
        }
    }
    pieces.retain(|piece| piece.len() > 2);
    pieces
}

/// The best place for another name on a way.
fn best(draft: &Draft<'_>, way: &Way, done: &[V]) -> Option<Spot> {
    let setting = style::text(way.class, draft.sheet.weight);
    let width = draft.rulers.set(setting, &way.name) * 1.02;
    let size = setting.size;
    let long = face_room(setting.face);
    let mut best: Option<Spot> = None;
    for piece in &way.pieces {
        let points = resample(piece, STEP);
        let need = (width / STEP).ceil() as usize + 2;
        if points.len() < need + 2 {
            continue;
        }
        for start in (0..=points.len() - need).step_by(3) {
            let stretch = &points[start..start + need];
            let middle = stretch[need / 2];
            if done.iter().any(|p| (*p - middle).length() < STRETCH * 0.62) {
                continue;
            }
            let bend = bend(stretch);
            if bend > 0.5 {
                continue;
            }
            let off_centre = (start + need / 2).abs_diff(points.len() / 2) as f64;
            let base = bend * 60.0 + off_centre / points.len() as f64 * 18.0;
            for (below, price) in [(false, 0.0), (true, 3.0)] {
                if best.as_ref().is_some_and(|best| best.score <= base + price) {
                    continue;
                }
                let spot = lay(
                    stretch,
                    below,
                    size * long,
                    size,
                    way.half * draft.sheet.weight,
                );
                let Some(cost) = covering(draft, &spot.1) else {
                    continue;
                };
                let score = base + price + cost;
                if best.as_ref().is_none_or(|best| score < best.score) {
                    best = Some(Spot {
                        score,
                        middle,
                        baseline: spot.0,
                        tiles: spot.1,
                    });
                }
            }
        }
    }
    // The great roads and creeks are named at almost any price.
    let limit = match way.class {
        "t-pike" | "t-creek" => 400.0,
        "t-road" => 150.0,
        _ => 90.0,
    };
    best.filter(|spot| spot.score < limit)
}

/// Height of letters against the size of a font.
fn face_room(face: Face) -> f64 {
    match face {
        Face::Sans | Face::Bold => 0.72,
        _ => 0.66,
    }
}

/// The sharpest turn on a stretch, in radians over about three letters.
fn bend(line: &[V]) -> f64 {
    let reach = 5;
    let mut least: f64 = 1.0;
    for index in reach..line.len().saturating_sub(reach) {
        let a = (line[index] - line[index - reach]).unit();
        let b = (line[index + reach] - line[index]).unit();
        least = least.min(a.dot(b));
    }
    libm::acos(least.clamp(-1.0, 1.0))
}

/// The baseline beside a stretch, read from left to right, and the room the name takes.
fn lay(stretch: &[V], below: bool, tall: f64, size: f64, half: f64) -> (Vec<V>, Vec<Tile>) {
    let mut line = stretch.to_vec();
    let whole = line[line.len() - 1] - line[0];
    // Steep names are read upwards, as on the spine of an atlas.
    let backwards = if whole.x.abs() > whole.y.abs() * 0.12 {
        whole.x < 0.0
    } else {
        whole.y > 0.0
    };
    if backwards {
        line.reverse();
    }
    let gap = half + size * 0.24;
    let shift = if below { gap + tall } else { -gap };
    let normal = |index: usize| {
        let from = line[index.saturating_sub(2)];
        let to = line[(index + 2).min(line.len() - 1)];
        (to - from).unit()
    };
    let shifted: Vec<V> = (0..line.len())
        .map(|index| line[index] + normal(index).right() * shift)
        .collect();
    let baseline = relax(&shifted, 3);
    let tiles = baseline
        .windows(3)
        .step_by(2)
        .map(|three| {
            let along = (three[2] - three[0]).unit();
            Tile {
                centre: three[1] - along.right() * (tall * 0.45),
                along,
                half: STEP * 1.05,
                thick: tall * 0.66,
            }
        })
        .collect();
    (baseline, tiles)
}

fn covering(draft: &Draft<'_>, tiles: &[Tile]) -> Option<f64> {
    tiles
        .iter()
        .map(|tile| draft.mask.price(*tile))
        .sum::<Option<f64>>()
}

fn write(draft: &mut Draft<'_>, way: &Way, spot: &Spot) {
    for tile in &spot.tiles {
        let tile = Tile {
            thick: tile.thick + 2.0,
            ..*tile
        };
        draft.mask.add_tile(tile, SYMBOL);
    }
    let baseline = lengthen(&spot.baseline, 40.0);
    draft.words_along(way.class, &baseline, &way.name);
}

/// The line with straight ends added, so that no letter falls off it.
fn lengthen(line: &[V], by: f64) -> Vec<V> {
    let ([first, second, ..], [.., before, last]) = (line, line) else {
        return line.to_vec();
    };
    let mut out = vec![*first + (*first - *second).unit() * by];
    out.extend_from_slice(line);
    out.push(*last + (*last - *before).unit() * by);
    out
}
