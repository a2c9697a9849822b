//! Woods, town and other cover, of hexes and along hexsides.

use crate::battlefield::{Battlefield, Cover as GroundCover};
use crate::board::{Board, Cover};
use crate::grid::Direction;
use crate::kinds::{CoverKind, Named};
use crate::point::{Bounds, Point};
use crate::recipe::{Gives, Recipe, When};

use super::{Samples, thousandths};

/// Points taken along a hexside.
const SIDE_POINTS: i64 = 12;

/// The kinds of cover at a point, as a set of bits.
fn kinds_at(near: &[&GroundCover], point: Point) -> u8 {
    let mut kinds = 0;
    for cover in near {
        let bit = 1 << cover.kind as u8;
        if kinds & bit == 0 && cover.shape.contains(point) {
            kinds |= bit;
        }
    }
    kinds
}

/// The areas of cover whose rectangles meet this one.
fn near<'a>(field: &'a Battlefield, bounds: &Bounds, found: &mut Vec<&'a GroundCover>) {
    found.clear();
    found.extend(
        field
            .cover
            .iter()
            .filter(|cover| cover.shape.bounds.meets(bounds)),
    );
}

/// Gives every hex its cover, by the first rule that holds, and the marks of all that hold.
pub(super) fn hexes(field: &Battlefield, recipe: &Recipe, samples: &Samples, board: &mut Board) {
    let mut areas = Vec::new();
    for hex in board.hexes() {
        near(field, &board.lattice.bounds(board.axial(hex)), &mut areas);
        if areas.is_empty() {
            continue;
        }
        let centre = board.centre(hex);
        let at_centre = kinds_at(&areas, centre);
        let mut counts = [0_usize; CoverKind::ALL.len()];
        for point in samples.around(centre) {
            let kinds = kinds_at(&areas, point);
            for (kind, count) in counts.iter_mut().enumerate() {
                *count += usize::from(kinds >> kind & 1);
            }
        }
        let mut cover = Cover::Clear;
        for rule in &recipe.cover {
            let kind = rule.kind as usize;
            let holds = match &rule.when {
                When::Centre => at_centre >> kind & 1 == 1,
                When::Share(share) => {
                    counts[kind] > 0
                        && counts[kind] * 1000 >= thousandths(share.0) * samples.0.len()
                }
            };
            match rule.gives {
                Gives::Cover(given) if holds && cover == Cover::Clear => cover = given,
                Gives::Mark(mark) if holds => board.marks[hex.index()].insert(mark),
                _ => {}
            }
        }
        board.covers[hex.index()] = cover;
    }
}

/// Gives hexsides their cover, by the first rule that holds.
pub(super) fn hexsides(field: &Battlefield, recipe: &Recipe, board: &mut Board) {
    if recipe.side_cover.is_empty() {
        return;
    }
    let mut areas = Vec::new();
    for hex in board.hexes() {
        near(field, &board.lattice.bounds(board.axial(hex)), &mut areas);
        if areas.is_empty() {
            continue;
        }
        for direction in &Direction::ALL[..3] {
            if board.neighbour(hex, *direction).is_none() {
                continue;
            }
            let (from, to) = board.lattice.hexside(board.axial(hex), *direction);
            let cover = side_cover(recipe, &areas, from, to);
            board.change_side(hex, *direction, |side| side.cover = cover);
        }
    }
}

fn side_cover(recipe: &Recipe, areas: &[&GroundCover], from: Point, to: Point) -> Option<Cover> {
    let mut counts = [0_usize; CoverKind::ALL.len()];
    for step in 0..SIDE_POINTS {
        // The middles of equal parts: corners belong to other hexsides as well.
        let kinds = kinds_at(areas, from.towards(to, 2 * step + 1, 2 * SIDE_POINTS));
        for (kind, count) in counts.iter_mut().enumerate() {
            *count += usize::from(kinds >> kind & 1);
        }
    }
    let rule = recipe.side_cover.iter().find(|rule| {
        let count = counts[rule.kind as usize];
        count > 0 && count * 1000 >= thousandths(rule.share.0) * SIDE_POINTS as usize
    });
    rule.map(|rule| rule.gives)
}
