//! Where the front runs: whose ground each cell of the shared frame is, hour by hour.

use super::Measured;
use crate::model::Frame;
use crate::record::Snapshot;
use cupola_ground::Board;

/// A unit has the ground around it up to so many metres, as long as no enemy is nearer.
const REACH: i64 = 1500;
/// The side of a cell in metres.
const CELL: i32 = 150;
/// Nobody's ground.
pub const NOBODY: u8 = 255;

/// The ground that all boards share, cut into cells.
#[must_use]
pub fn frame<'b>(boards: impl IntoIterator<Item = &'b Board>) -> Frame {
    let (mut west, mut east, mut south, mut north) = (i32::MIN, i32::MAX, i32::MIN, i32::MAX);
    for board in boards {
        let centres = || board.hexes().map(|hex| board.centre(hex));
        west = west.max(centres().map(|point| point.x).min().unwrap_or(0) / 100);
        east = east.min(centres().map(|point| point.x).max().unwrap_or(0) / 100);
        south = south.max(centres().map(|point| point.y).min().unwrap_or(0) / 100);
        north = north.min(centres().map(|point| point.y).max().unwrap_or(0) / 100);
    }
    let cells = |from: i32, to: i32| ((to.saturating_sub(from)) / CELL).clamp(1, 400) as usize;
    Frame {
        west,
        north,
        cell: CELL,
        columns: cells(west, east),
        rows: cells(south, north),
    }
}

/// Whose each cell is, by who stands nearest: side 0, side 1, or nobody.
#[must_use]
pub fn ground(frame: &Frame, units: &[(usize, i32, i32)]) -> Vec<Option<usize>> {
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

    /// Per hour and cell how often the first army had the ground, in 254ths.
    pub(super) fn fronts(&self, frame: &Frame) -> Vec<Vec<u8>> {
        let cells = frame.columns * frame.rows;
        let mut counts = vec![vec![[0_u32; 2]; cells]; self.hours.len()];
        for record in &self.records {
            let mut last = (usize::MAX, vec![]);
            for (hour, &minute) in self.hours.iter().enumerate() {
                let Some(snapshot) = self.at(record, minute) else {
                    continue;
                };
                // Rulesets with long turns have the same snapshot for several hours.
                let index = record
                    .kept
                    .snapshots
                    .partition_point(|s| s.minute <= minute);
                if last.0 != index {
                    last = (index, ground(frame, &self.line(snapshot)));
                }
                for (cell, side) in last.1.iter().enumerate() {
                    if let Some(side) = side {
                        counts[hour][cell][*side] += 1;
                    }
                }
            }
        }
        let games = self.records.len() as u32;
        let shade = |[first, second]: [u32; 2]| {
            if (first + second) * 2 < games || games == 0 {
                NOBODY
            } else {
                (first * 254 / (first + second)) as u8
            }
        };
        let by_hour = counts.into_iter();
        by_hour
            .map(|cells| cells.into_iter().map(shade).collect())
            .collect()
    }
}

/// How far the front moved since the hour before: the ground that changed hands, by the front's length.
#[must_use]
pub fn moved(fronts: &[Vec<u8>], frame: &Frame) -> Vec<f64> {
    let mut moved = vec![0.0; fronts.len().min(1)];
    for pair in fronts.windows(2) {
        let taken = pair[0].iter().zip(&pair[1]);
        let taken =
            taken.filter(|(a, b)| **a != NOBODY && **b != NOBODY && (**a > 127) != (**b > 127));
        let length = border(&pair[1], frame).max(border(&pair[0], frame));
        let cells = taken.count() as f64;
        moved.push(if length == 0 {
            0.0
        } else {
            cells * f64::from(frame.cell) / length as f64
        });
    }
    moved
}

/// Pairs of neighbouring cells of which each side has one.
fn border(cells: &[u8], frame: &Frame) -> usize {
    let owner = |column: usize, row: usize| {
        let shade = cells[row * frame.columns + column];
        (shade != NOBODY).then_some(shade > 127)
    };
    let differ = |a: Option<bool>, b: Option<bool>| a.is_some() && b.is_some() && a != b;
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
