//! Heights, levels and slopes.

use crate::battlefield::Battlefield;
use crate::board::{Board, Grade, Mark, Rise};
use crate::grid::Direction;
use crate::point::centimetres;
use crate::recipe::{HeightRule, Levels, Recipe, Slopes};

use super::{Samples, thousandths};

/// Gives every hex its height and level, and the mark of sloping ground.
pub(super) fn heights(field: &Battlefield, recipe: &Recipe, samples: &Samples, board: &mut Board) {
    let level_rule = recipe.level_height.as_ref();
    let sloping = recipe.sloping.as_ref().map(|least| centimetres(least.0));
    let whole = sloping.is_some()
        || std::iter::once(&recipe.height)
            .chain(level_rule)
            .any(|rule| *rule != HeightRule::Centre);
    let mut inside: Vec<i32> = Vec::new();
    for index in 0..board.len() {
        let centre = board.centres[index];
        inside.clear();
        if whole {
            let around = samples.around(centre);
            inside.extend(around.map(|point| field.heights.height(point)));
        }
        let mut height = |rule: &HeightRule| match rule {
            HeightRule::Centre => field.heights.height(centre),
            rule => height_inside(rule, &mut inside),
        };
        // Levels are read from the decimetres that are kept and shown.
        let kept = |height: i32| height / 10;
        let own = kept(height(&recipe.height));
        let level_height = level_rule.map_or(own, |rule| kept(height(rule)));
        board.heights[index] = own as i16;
        board.house_heights[index] = field.heights.is_house(centre);
        board.levels[index] = level(&recipe.levels, level_height * 10);
        if let (Some(least), Some(low), Some(high)) =
            (sloping, inside.iter().min(), inside.iter().max())
            && high - low >= least
        {
            board.marks[index].insert(Mark::Sloping);
        }
    }
}

/// The height of a hex by a rule that asks all the ground inside it; the order of the heights is
/// free to change.
fn height_inside(rule: &HeightRule, inside: &mut [i32]) -> i32 {
    let count = inside.len();
    if count == 0 {
        return 0;
    }
    match rule {
        HeightRule::Mean | HeightRule::Centre => {
            let sum: i64 = inside.iter().map(|height| i64::from(*height)).sum();
            (sum / count as i64) as i32
        }
        HeightRule::Highest => inside.iter().copied().max().unwrap_or(0),
        HeightRule::Upper(share) => {
            let above = count * thousandths(share.0) / 1000;
            let index = (count - above).min(count - 1);
            *inside.select_nth_unstable(index).1
        }
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
    if recipe.slopes == Slopes::None {
        return;
    }
    for hex in board.hexes() {
        for direction in &Direction::ALL[..3] {
            let Some(to) = board.neighbour(hex, *direction) else {
                continue;
            };
            let levels = i32::from(board.level(to)) - i32::from(board.level(hex));
            let decimetres = i32::from(board.height(to)) - i32::from(board.height(hex));
            let rise = rise(&recipe.slopes, levels, decimetres);
            board.change_side(hex, *direction, |side| side.rise = rise);
        }
    }
}

/// The slope between two hexes that differ by so many levels and decimetres.
fn rise(slopes: &Slopes, levels: i32, decimetres: i32) -> Rise {
    let metres = |value: &f64| centimetres(*value) / 10;
    let (by, gentle, steep) = match slopes {
        Slopes::None => return Rise::Level,
        Slopes::Metres { gentle, steep } => (decimetres, metres(&gentle.0), metres(&steep.0)),
        Slopes::Levels { gentle, steep } => (levels, i32::from(gentle.0), i32::from(steep.0)),
        // Levels that a correction set say which way is up; without them the metres do.
        Slopes::Contours { steep } => {
            let is_steep = decimetres.abs() >= metres(&steep.0);
            let up = if levels == 0 { decimetres } else { levels }.signum();
            match (is_steep, levels) {
                (true, _) => (2 * up, 1, 2),
                (false, 0) => return Rise::Level,
                (false, _) => (up, 1, 2),
            }
        }
    };
    let grade = match by.abs() {
        size if size >= steep => Grade::Steep,
        size if size >= gentle => Grade::Gentle,
        _ => return Rise::Level,
    };
    if by > 0 {
        Rise::Up(grade)
    } else {
        Rise::Down(grade)
    }
}
