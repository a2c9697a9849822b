//! Where the front runs: whose ground each cell of the shared frame is, hour by hour.

use super::Measured;
use crate::model::{Raster, Spread};
use crate::record::{Record, Snapshot};
use crate::stats::spread;
use cupola_ground::Board;
use std::rc::Rc;

/// A unit has the ground around it up to so many metres, as long as no enemy is nearer.
const REACH: i64 = 1500;
/// The side of a cell in metres.
const CELL: i32 = 150;
/// Nobody's ground.
pub const NOBODY: u8 = 255;

/// The ground that all boards share, cut into cells.
#[must_use]
pub fn frame<'b>(boards: impl IntoIterator<Item = &'b Board>) -> Raster {
    let (mut west, mut east, mut south, mut north) = (i32::MIN, i32::MAX, i32::MIN, i32::MAX);
    for board in boards {
        let centres = || board.hexes().map(|hex| board.centre(hex));
        west = west.max(centres().map(|point| point.x).min().unwrap_or(0) / 100);
        east = east.min(centres().map(|point| point.x).max().unwrap_or(0) / 100);
        south = south.max(centres().map(|point| point.y).min().unwrap_or(0) / 100);
        north = north.min(centres().map(|point| point.y).max().unwrap_or(0) / 100);
    }
    let cells = |from: i32, to: i32| ((to.saturating_sub(from)) / CELL).clamp(1, 400) as usize;
    Raster {
        west,
        north,
        cell: CELL,
        columns: cells(west, east),
        rows: cells(south, north),
    }
}

/// Whose each cell is, by who stands nearest: side 0, side 1, or nobody.
#[must_use]
pub fn ground(frame: &Raster, units: &[(usize, i32, i32)]) -> Vec<Option<usize>> {
    let mut cells = Vec::with_capacity(frame.columns * frame.rows);
    for row in 0..frame.rows {
        for column in 0..frame.columns {
            let (x, y) = frame.middle(column, row);
            let mut best = (REACH * REACH, None);
            for &(side, ux, uy) in units {
                let (dx, dy) = (i64::from(ux - x), i64::from(uy - y));
                let far = dx * dx + dy * dy;
                if far < best.0 {
                    best = (far, Some(side));
                }
            }
            cells.push(best.1);
        }
    }
    cells
}

impl Measured<'_> {
    /// Fighting units: side and place.
    fn line(&self, snapshot: &Snapshot) -> Vec<(usize, i32, i32)> {
        let units = snapshot
            .units
            .iter()
            .enumerate()
            .filter(|(_, at)| at.holds());
        let placed = units.filter_map(|(unit, _)| {
            let (x, y) = self.point(snapshot, unit)?;
            Some((self.side_of(unit), x, y))
        });
        placed.collect()
    }

    /// Whose ground it was in a game, hour by hour.
    fn grounds(&self, record: &Record, frame: &Raster) -> Vec<Rc<Vec<Option<usize>>>> {
        let mut last = (usize::MAX, Rc::default());
        let by_hour = self.hours.iter().map(|&minute| {
            let Some(snapshot) = self.at(record, minute) else {
                return Rc::default();
            };
            // Rulesets with long turns have the same snapshot for several hours.
            let index = record
                .kept
                .snapshots
                .partition_point(|s| s.minute <= minute);
            if last.0 != index {
                last = (index, Rc::new(ground(frame, &self.line(snapshot))));
            }
            last.1.clone()
        });
        by_hour.collect()
    }

    /// Whose ground it was in all games, and how far the front moved.
    pub(super) fn fronts(&self, frame: &Raster) -> Fronts {
        let cells = frame.columns * frame.rows;
        let mut counts = vec![vec![[0_u32; 2]; cells]; self.hours.len()];
        let mut pushed: Vec<[Vec<f64>; 2]> = vec![Default::default(); self.hours.len()];
        let (mut furthest, mut by_game, mut held) = (None, vec![], vec![]);
        for record in &self.records {
            let grounds = self.grounds(record, frame);
            for (count, ground) in counts.iter_mut().zip(&grounds) {
                for (cell, side) in count.iter_mut().zip(&**ground) {
                    if let Some(side) = side {
                        cell[*side] += 1;
                    }
                }
            }
            held.push(grounds.iter().map(|ground| second_share(ground)).collect());
            let moved = moved(grounds.iter().map(|ground| &ground[..]), frame);
            let whole: f64 = moved.iter().flatten().sum();
            by_game.push(moved.clone());
            if furthest.is_none_or(|(most, _)| whole > most) {
                furthest = Some((whole, record.number));
            }
            for (hour, by_side) in moved.into_iter().enumerate() {
                for (side, metres) in by_side.into_iter().enumerate() {
                    pushed[hour][side].push(metres);
                }
            }
        }
        let games = self.records.len() as u32;
        let by_hour = counts.into_iter();
        Fronts {
            shades: by_hour
                .map(|cells| cells.into_iter().map(|cell| shade(cell, games)).collect())
                .collect(),
            pushed: [0, 1].map(|side| {
                let hours = pushed.iter();
                hours
                    .map(|hour| spread(hour[side].iter().copied()))
                    .collect()
            }),
            furthest: furthest.map(|(_, number)| number),
            by_game,
            held,
        }
    }
}

/// The second side's share of the ground that is anybody's; none if nobody has any.
#[must_use]
pub fn second_share(ground: &[Option<usize>]) -> Option<f64> {
    let of = |side: usize| ground.iter().filter(|cell| **cell == Some(side)).count() as f64;
    let (first, second) = (of(0), of(1));
    (first + second > 0.0).then(|| second / (first + second))
}

/// What is found about the front.
#[derive(Default)]
pub(super) struct Fronts {
    /// Per hour and cell how often the first army had the ground, in 254ths.
    pub shades: Vec<Vec<u8>>,
    /// Per side and hour how far it pushed the front.
    pub pushed: [Vec<Spread>; 2],
    /// The game in which the front moved furthest.
    pub furthest: Option<u32>,
    /// By game and hour how far each side pushed it.
    pub by_game: Vec<Vec<[f64; 2]>>,
    /// By game and hour the second side's share of the ground that is anybody's.
    pub held: Vec<Vec<Option<f64>>>,
}

/// How sure a cell is the first army's.
fn shade([first, second]: [u32; 2], games: u32) -> u8 {
    if (first + second) * 2 < games || games == 0 {
        NOBODY
    } else {
        (first * 254 / (first + second)) as u8
    }
}

/// Per hour how far each side pushed the front since the hour before: the ground that it took from the other, by the
/// front's length.
#[must_use]
pub fn moved<'g>(
    grounds: impl Iterator<Item = &'g [Option<usize>]>,
    frame: &Raster,
) -> Vec<[f64; 2]> {
    let mut before: Option<&[Option<usize>]> = None;
    let by_hour = grounds.map(|after| {
        let Some(earlier) = before.replace(after) else {
            return [0.0; 2];
        };
        // Hours of the same turn.
        if std::ptr::eq(earlier, after) {
            return [0.0; 2];
        }
        let length = border(earlier, frame).max(border(after, frame));
        [0, 1].map(|side| {
            let taken = earlier.iter().zip(after);
            let taken = taken.filter(|(a, b)| **a == Some(1 - side) && **b == Some(side));
            if length == 0 {
                0.0
            } else {
                taken.count() as f64 * f64::from(frame.cell) / length as f64
            }
        })
    });
    by_hour.collect()
}

/// Pairs of neighbouring cells of which each side has one.
fn border(cells: &[Option<usize>], frame: &Raster) -> usize {
    let owner = |column: usize, row: usize| cells.get(row * frame.columns + column).copied()?;
    let differ = |a: Option<usize>, b: Option<usize>| a.is_some() && b.is_some() && a != b;
    let mut count = 0;
    for row in 0..frame.rows {
        for column in 0..frame.columns {
            let here = owner(column, row);
            count +=
                usize::from(column + 1 < frame.columns && differ(here, owner(column + 1, row)));
            count += usize::from(row + 1 < frame.rows && differ(here, owner(column, row + 1)));
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_ground_is_of_what_is_anybody_s() {
        let ground = [Some(1), None, Some(0), Some(1), Some(1)];
        assert_eq!(second_share(&ground), Some(0.75));
        assert_eq!(second_share(&[None, None]), None);
    }

    #[test]
    fn a_front_pushed_by_a_cell_has_moved_by_a_cell() {
        let frame = Raster {
            west: 0,
            north: 0,
            cell: 150,
            columns: 3,
            rows: 4,
        };
        // The second side has the north: two rows, then three, then two again.
        let rows = |north: usize| -> Vec<Option<usize>> {
            (0..12)
                .map(|cell| Some(usize::from(cell / 3 < north)))
                .collect()
        };
        let hours = [rows(2), rows(3), rows(2)];
        let moved = moved(hours.iter().map(|hour| &hour[..]), &frame);
        assert_eq!(moved, [[0.0, 0.0], [0.0, 150.0], [150.0, 0.0]]);
    }
}
