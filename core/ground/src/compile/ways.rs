//! Lines that lead from hex to hex: roads, railroads, cuts, and how they get over water.
//!
//! A road is followed hex by hex. Where it only clips a corner, the hex in between would make a
//! little triangle of roads that no map shows, so it is taken past that hex; but never past a hex
//! in which it meets another road of the board, or a junction would come apart. Nor past a hex in
//! which any road of the ground ends, counted or not: farms and villages stand there.

use std::collections::BTreeSet;

use crate::battlefield::{Battlefield, Road};
use crate::board::{Board, Exit, HexId, Mark};
use crate::grid::Direction;
use crate::kinds::RoadKind;
use crate::point::Point;
use crate::recipe::{Recipe, counts_as};

use super::{Threads, thousandths};

/// A stretch of a way inside one hex (or off the board), and its length in centimetres.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    hex: Option<HexId>,
    length: i64,
}

/// The stretches of a path, in order.
fn trace(board: &Board, path: &[Point]) -> Vec<Stretch> {
    let step = i64::from(board.lattice.pitch() / 32).max(1);
    let mut stretches: Vec<Stretch> = Vec::new();
    for ends in path.windows(2) {
        let length = ends[0].distance(ends[1]);
        let count = length / step + 1;
        for part in 0..count {
            let middle = ends[0].towards(ends[1], 2 * part + 1, 2 * count);
            let hex = board.hex_at(middle);
            match stretches.last_mut() {
                Some(last) if last.hex == hex => last.length += length / count,
                _ => stretches.push(Stretch {
                    hex,
                    length: length / count,
                }),
            }
        }
    }
    stretches
}

/// Takes the way past hexes in which it stays for less than `least`.
fn drop_clips(board: &Board, stretches: &mut Vec<Stretch>, least: i64, kept: &BTreeSet<HexId>) {
    let mut index = 1;
    while index + 1 < stretches.len() {
        let (before, here, after) = (stretches[index - 1], stretches[index], stretches[index + 1]);
        let (Some(from), Some(hex), Some(to)) = (before.hex, here.hex, after.hex) else {
            index += 1;
            continue;
        };
        if here.length >= least || kept.contains(&hex) {
            index += 1;
        } else if from == to {
            stretches[index - 1].length += here.length + after.length;
            stretches.drain(index..index + 2);
            index = index.saturating_sub(1).max(1);
        } else if board.direction(from, to).is_some() {
            stretches[index - 1].length += here.length;
            stretches.remove(index);
        } else {
            index += 1;
        }
    }
}

fn least_stay(board: &Board, recipe: &Recipe) -> i64 {
    let clip = recipe.clip.as_ref().map_or(600, |clip| thousandths(clip.0));
    i64::from(board.lattice.pitch()) * clip as i64 / 1000
}

/// Hexes in which a road of the ground begins or ends.
fn road_ends(field: &Battlefield, board: &Board) -> BTreeSet<HexId> {
    let roads = field.roads.iter();
    let ends = roads.flat_map(|road| [road.shape.first(), road.shape.last()]);
    let hexes = ends.flatten().filter_map(|point| board.hex_at(*point));
    hexes.collect()
}

/// Points at which two of these roads meet: roads join where they share a point.
fn junctions(roads: &[(&Road, RoadKind)]) -> BTreeSet<Point> {
    let mut points: Vec<(Point, usize)> = Vec::new();
    for (index, (road, _)) in roads.iter().enumerate() {
        points.extend(road.shape.iter().map(|point| (*point, index)));
    }
    points.sort_unstable();
    // A road that comes back to a point of its own meets no other there.
    points.dedup();
    let shared = points.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    shared.map(|pair| pair[0].0).collect()
}

/// Pairs of neighbours between which the way leads, in order.
fn steps(board: &Board, stretches: &[Stretch]) -> Vec<(HexId, Direction)> {
    let pairs = stretches.windows(2).filter_map(|pair| {
        let (from, to) = (pair[0].hex?, pair[1].hex?);
        Some((from, board.direction(from, to)?))
    });
    pairs.collect()
}

/// The hexes that a line runs through, but for those whose corners it only clips.
pub(super) fn hexes_on(board: &Board, recipe: &Recipe, path: &[Point]) -> Vec<HexId> {
    let mut stretches = trace(board, path);
    drop_clips(
        board,
        &mut stretches,
        least_stay(board, recipe),
        &BTreeSet::new(),
    );
    stretches.iter().filter_map(|stretch| stretch.hex).collect()
}

/// Leads roads from hex to hex, and notes where they leave the board.
pub(super) fn roads(
    field: &Battlefield,
    recipe: &Recipe,
    board: &mut Board,
    threads: &mut Threads,
) {
    let counted = field.roads.iter().filter_map(|road| {
        let kind = counts_as(&recipe.roads, road.kind, road.name.as_deref())?;
        Some((road, kind))
    });
    let counted: Vec<(&Road, RoadKind)> = counted.collect();
    let (junctions, ends) = (junctions(&counted), road_ends(field, board));
    let least = least_stay(board, recipe);
    for (road, kind) in counted {
        let meets = road.shape.iter().filter(|point| junctions.contains(point));
        let mut kept = ends.clone();
        kept.extend(meets.filter_map(|point| board.hex_at(*point)));
        let mut stretches = trace(board, &road.shape);
        drop_clips(board, &mut stretches, least, &kept);
        for (hex, direction) in steps(board, &stretches) {
            board.change_side(hex, direction, |side| {
                // The better road decides: kinds are declared from the best down.
                side.road = Some(side.road.map_or(kind, |other| other.min(kind)));
            });
        }
        if let Some(name) = &road.name {
            stretches
                .iter()
                .filter_map(|s| s.hex)
                .for_each(|hex| threads.add(hex, name));
        }
        for pair in stretches.windows(2) {
            let edge = match (pair[0].hex, pair[1].hex) {
                (Some(hex), None) | (None, Some(hex)) => hex,
                _ => continue,
            };
            board.exits.push(Exit {
                hex: edge,
                road: kind,
                name: road.name.clone(),
            });
        }
    }
    board.exits.sort();
    board.exits.dedup();
}

/// Marks railroad cuts and the hexsides they go through.
pub(super) fn cuts(field: &Battlefield, recipe: &Recipe, board: &mut Board) {
    if !recipe.cuts {
        return;
    }
    let least = least_stay(board, recipe);
    for cut in &field.cuts {
        let mut stretches = trace(board, &cut.shape);
        drop_clips(board, &mut stretches, least, &BTreeSet::new());
        let longest = stretches
            .iter()
            .map(|stretch| stretch.length)
            .max()
            .unwrap_or(0);
        stretches.retain(|stretch| stretch.length >= least.min(longest));
        for hex in stretches.iter().filter_map(|stretch| stretch.hex) {
            board.marks[hex.index()].insert(Mark::Cut);
        }
        for (hex, direction) in steps(board, &stretches) {
            board.change_side(hex, direction, |side| side.cut = true);
        }
    }
}

/// Puts bridges and fords where the ground marks them, then where a road needs one.
pub(super) fn crossings(field: &Battlefield, recipe: &Recipe, board: &mut Board) {
    for crossing in &field.crossings {
        if let Some((hex, direction)) = nearest_bank(board, crossing.shape) {
            board.change_side(hex, direction, |side| side.crossing = Some(crossing.kind));
        }
    }
    for hex in board.hexes() {
        for direction in &Direction::ALL[..3] {
            let side = board.side(hex, *direction);
            let (Some(road), true, None) = (side.road, side.water.is_some(), side.crossing) else {
                continue;
            };
            let rule = recipe.crossings.iter().find(|rule| rule.road == road);
            let given = rule.map(|rule| rule.gives);
            board.change_side(hex, *direction, |side| side.crossing = given);
        }
    }
}

/// The hexside with water nearest to a point, within one pitch; one with a road is preferred even
/// at twice the distance, for that is what a bridge is for.
fn nearest_bank(board: &Board, point: Point) -> Option<(HexId, Direction)> {
    let here = board.lattice.hex_at(point);
    let pitch = i64::from(board.lattice.pitch());
    let mut best: Option<(i64, HexId, Direction)> = None;
    let ring = Direction::ALL
        .iter()
        .map(|direction| here + direction.step());
    for hex in std::iter::once(here)
        .chain(ring)
        .filter_map(|hex| board.at(hex))
    {
        for (direction, to) in board.neighbours(hex) {
            let side = board.side(hex, direction);
            if side.water.is_none() {
                continue;
            }
            let middle = board.centre(hex).towards(board.centre(to), 1, 2);
            let distance = middle.distance_squared(point);
            if distance > pitch * pitch {
                continue;
            }
            let weight = if side.road.is_some() {
                distance
            } else {
                distance * 4
            };
            if best.is_none_or(|(least, ..)| weight < least) {
                best = Some((weight, hex, direction));
            }
        }
    }
    best.map(|(_, hex, direction)| (hex, direction))
}
