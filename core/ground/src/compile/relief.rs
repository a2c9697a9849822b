//! Heights, levels and slopes.

use crate::battlefield::Battlefield;
use crate::board::{Board, Grade, Rise};
use crate::grid::Direction;
use crate::point::centimetres;
use crate::recipe::{HeightRule, Levels, Recipe, Slopes};

use super::Samples;

/// Gives every hex its height and level.
pub(super) fn heights(field: &Battlefield, recipe: &Recipe, samples: &Samples, board: &mut Board) {
    for index in 0..board.len() {
        let centre = board.centres[index];
        let heights = samples
            .around(centre)
            .map(|point| field.heights.height(point));
        let height = match recipe.height {
            HeightRule::Centre => field.heights.height(centre),
            HeightRule::Highest => heights.max().unwrap_or(0),
            HeightRule::Mean => {
                let sum: i64 = heights.map(i64::from).sum();
                (sum / samples.0.len().max(1) as i64) as i32
            }
        };
        board.heights[index] = (height / 10) as i16;
        board.house_heights[index] = field.heights.is_house(centre);
        board.levels[index] = level(&recipe.levels, i32::from(board.heights[index]) * 10);
    }
}

/// The level of a height in centimetres.
pub(super) fn level(levels: &Levels, height: i32) -> i8 {
    let level = match levels {
        Levels::Cuts { lowest, at } => {
            let above =
                at.0.iter()
                    .filter(|cut| centimetres(**cut) <= height)
                    .count();
            i32::from(*lowest) + above as i32
        }
        Levels::Every { step, from } => {
            // Tenths of a millimetre keep a step such as 12.192 m exact.
            let fine = |metres: f64| libm::round(metres * 10_000.0) as i64;
            (i64::from(height) * 100 - fine(from.0)).div_euclid(fine(step.0).max(1)) as i32
        }
    };
    level.clamp(-100, 100) as i8
}

/// Centimetres between two looks at the ground under a way: a fifth of the usual step of heights.
const LOOK: i64 = 2_000;

/// Gives hexsides their crest, where the ground under the way from centre to centre rises high
/// enough above both of its ends. The ground is asked, not the heights of the two hexes: a mean
/// over a hex has the ridge at its rim in it, and would hide it.
pub(super) fn crests(field: &Battlefield, recipe: &Recipe, board: &mut Board) {
    let Some(least) = &recipe.crest else {
        return;
    };
    let least = centimetres(least.0);
    for hex in board.hexes() {
        for direction in &Direction::ALL[..3] {
            let Some(to) = board.neighbour(hex, *direction) else {
                continue;
            };
            let (from, to) = (board.centre(hex), board.centre(to));
            let ends = field.heights.height(from).max(field.heights.height(to));
            // An even number, so that one of them is at the hexside itself.
            let looks = 2 * (from.distance(to) / (2 * LOOK) + 1);
            let top = (1..looks)
                .map(|look| field.heights.height(from.towards(to, look, looks)))
                .max();
            if top.is_some_and(|top| top >= ends + least) {
                board.change_side(hex, *direction, |side| side.crest = true);
            }
        }
    }
}

/// Gives every hexside its slope, from the heights or levels of its two hexes.
pub(super) fn slopes(recipe: &Recipe, board: &mut Board) {
    let (gentle, steep) = match &recipe.slopes {
        Slopes::None => return,
        Slopes::Metres { gentle, steep } => (centimetres(gentle.0) / 10, centimetres(steep.0) / 10),
        Slopes::Levels { gentle, steep } => (i32::from(gentle.0), i32::from(steep.0)),
    };
    let by_level = matches!(recipe.slopes, Slopes::Levels { .. });
    for hex in board.hexes() {
        for direction in &Direction::ALL[..3] {
            let Some(to) = board.neighbour(hex, *direction) else {
                continue;
            };
            let rise = if by_level {
                i32::from(board.level(to)) - i32::from(board.level(hex))
            } else {
                i32::from(board.height(to)) - i32::from(board.height(hex))
            };
            let grade = match rise.abs() {
                rise if rise >= steep => Grade::Steep,
                rise if rise >= gentle => Grade::Gentle,
                _ => continue,
            };
            let rise = if rise > 0 {
                Rise::Up(grade)
            } else {
                Rise::Down(grade)
            };
            board.change_side(hex, *direction, |side| side.rise = rise);
        }
    }
}
