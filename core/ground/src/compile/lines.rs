//! Lines that part one hex from another: watercourses and walls.
//!
//! A line lies on a hexside if the way from centre to centre crosses it an odd number of times.
//! Around any corner of the lattice the three ways between the three centres form a triangle, and
//! a line that does not end inside crosses it an even number of times: so the marked hexsides
//! never stop at a corner, and a stream's two banks never touch except across it.

use std::collections::BTreeMap;

use crate::battlefield::Battlefield;
use crate::board::{Board, HexId, Mark};
use crate::grid::Direction;
use crate::kinds::WaterKind;
use crate::point::{Point, crosses};
use crate::recipe::{Recipe, counts_as};

use super::{Threads, ways};

/// How often each hexside (hex and one of its first three directions) is crossed.
type Crossings = BTreeMap<(HexId, Direction), u32>;

/// The hexes along a segment and their neighbours, each once.
fn hexes_near(board: &Board, a: Point, b: Point, found: &mut Vec<HexId>) {
    found.clear();
    let step = i64::from(board.lattice.pitch() / 8).max(1);
    let count = a.distance(b) / step + 1;
    let mut last = None;
    for part in 0..=count {
        let hex = board.lattice.hex_at(a.towards(b, part, count));
        if last == Some(hex) {
            continue;
        }
        last = Some(hex);
        found.extend(board.at(hex));
        found.extend(
            Direction::ALL
                .iter()
                .filter_map(|d| board.at(hex + d.step())),
        );
    }
    found.sort();
    found.dedup();
}

/// Adds the crossings of one path.
fn count_crossings(board: &Board, path: &[Point], crossings: &mut Crossings) {
    let mut hexes = Vec::new();
    for ends in path.windows(2) {
        hexes_near(board, ends[0], ends[1], &mut hexes);
        for &hex in &hexes {
            for &direction in &Direction::ALL[..3] {
                let Some(to) = board.neighbour(hex, direction) else {
                    continue;
                };
                if crosses(board.centre(hex), board.centre(to), ends[0], ends[1]) {
                    *crossings.entry((hex, direction)).or_default() += 1;
                }
            }
        }
    }
}

/// Lays watercourses along hexsides, or through hexes if they are of a kind that runs there.
pub(super) fn water(
    field: &Battlefield,
    recipe: &Recipe,
    board: &mut Board,
    threads: &mut Threads,
) {
    // Pieces of one watercourse count together; a nameless one stands for itself.
    let mut courses: BTreeMap<(Option<&str>, usize), (WaterKind, Crossings)> = BTreeMap::new();
    for (index, water) in field.water.iter().enumerate() {
        let name = water.name.as_deref();
        let Some(kind) = counts_as(&recipe.water, water.kind, name) else {
            continue;
        };
        if recipe.in_hex.contains(&kind) {
            through_hexes(board, recipe, &water.shape, name, threads);
            continue;
        }
        let own = if water.name.is_some() {
            water.kind as usize
        } else {
            index
        };
        let course = courses.entry((name, own));
        let course = course.or_insert_with(|| (kind, Crossings::new()));
        count_crossings(board, &water.shape, &mut course.1);
    }
    for ((name, _), (kind, crossings)) in courses {
        for ((hex, direction), count) in crossings {
            if count % 2 == 0 {
                continue;
            }
            board.change_side(hex, direction, |side| {
                side.water = side.water.max(Some(kind))
            });
            if let Some(name) = name {
                threads.add(hex, name);
                if let Some(other) = board.neighbour(hex, direction) {
                    threads.add(other, name);
                }
            }
        }
    }
}

/// Leads a small watercourse through hexes.
fn through_hexes(
    board: &mut Board,
    recipe: &Recipe,
    path: &[Point],
    name: Option<&str>,
    threads: &mut Threads,
) {
    for hex in ways::hexes_on(board, recipe, path) {
        board.marks[hex.index()].insert(Mark::Brook);
        if let Some(name) = name {
            threads.add(hex, name);
        }
    }
}

/// Lays walls along hexsides.
pub(super) fn walls(field: &Battlefield, recipe: &Recipe, board: &mut Board) {
    for wall in field
        .walls
        .iter()
        .filter(|wall| recipe.walls.contains(&wall.kind))
    {
        let mut crossings = Crossings::new();
        count_crossings(board, &wall.shape, &mut crossings);
        for ((hex, direction), count) in crossings {
            if count % 2 == 1 {
                board.change_side(hex, direction, |side| side.wall = true);
            }
        }
    }
}
