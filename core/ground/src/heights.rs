//! Heights of the ground on a square grid.
//!
//! The file holds decimetres, so it stays small and a person can read it; a `~` behind a value
//! says that it is house (interpolated), no mark says that it was measured.
//!
//! ```ron
//! (
//!     origin: (x: -3000, y: 12500),   // local metres of the first value: the north-west corner
//!     step: 100,                      // metres between values, both ways
//!     columns: 3, lines: 2,           // checked against the rows below
//!     rows: [                         // north to south, each west to east
//!         "1649 1650 1655~",
//!         "1651 1655 1661~",
//!     ],
//! )
//! ```

use cupola_data::{Problems, Source};
use serde::Deserialize;

use crate::point::{Bounds, Point};

/// Metres; keeps every product of the interpolation inside 64 bits.
const LARGEST_STEP: u16 = 1000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeightsFile {
    /// Where the first value lies: the north-west corner.
    origin: Corner,
    /// Metres between values, both ways: 1 to 1000.
    step: u16,
    /// Values in a row, two at least; checked against `rows`.
    columns: u16,
    /// Rows, two at least; checked against `rows`.
    lines: u16,
    /// Heights in decimetres above the sea, north to south, each row from west to east; a `~` behind a value says
    /// that it is interpolated and not measured.
    rows: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Corner {
    /// Metres east of the battlefield's origin.
    x: i32,
    /// Metres north of the battlefield's origin.
    y: i32,
}

/// A grid of heights, interpolated in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heights {
    corner: Point,
    /// Centimetres between values.
    step: i32,
    columns: usize,
    lines: usize,
    decimetres: Vec<i16>,
    house: Vec<bool>,
}

/// One value of a row: decimetres, and whether it is house.
fn value(word: &str) -> Option<(i16, bool)> {
    let (digits, house) = match word.strip_suffix('~') {
        Some(digits) => (digits, true),
        None => (word, false),
    };
    Some((digits.parse().ok()?, house))
}

impl Heights {
    /// Reads and checks a heights file; it must cover `bounds`.
    pub fn parse(source: &Source, bounds: &Bounds) -> Result<Heights, Problems> {
        let file: HeightsFile = source.ron()?;
        let mut problems = Problems::new();
        if !(1..=LARGEST_STEP).contains(&file.step) || file.columns < 2 || file.lines < 2 {
            let message = format!("expected a step of 1 to {LARGEST_STEP} m and 2 × 2 values");
            return Err(source.problem("step", message).into());
        }
        let (columns, lines) = (usize::from(file.columns), usize::from(file.lines));
        if file.rows.len() != lines {
            let message = format!(
                "{} rows, expected {} (`lines`)",
                file.rows.len(),
                file.lines
            );
            problems.push(source.problem("rows", message));
        }
        let mut heights = Heights {
            corner: Point::new(
                file.origin.x.saturating_mul(100),
                file.origin.y.saturating_mul(100),
            ),
            step: i32::from(file.step) * 100,
            columns,
            lines,
            decimetres: Vec::new(),
            house: Vec::new(),
        };
        for (line, row) in file.rows.iter().enumerate() {
            heights.read_row(source, line, row, &mut problems);
        }
        if !heights.covers(bounds) {
            let message = "the heights do not cover the battlefield's bounds";
            problems.push(source.problem("origin", message));
        }
        problems.check(heights)
    }

    fn read_row(&mut self, source: &Source, line: usize, row: &str, problems: &mut Problems) {
        let mut count = 0;
        for (column, word) in row.split_whitespace().enumerate() {
            count += 1;
            match value(word) {
                Some((height, house)) => {
                    self.decimetres.push(height);
                    self.house.push(house);
                }
                None => {
                    let message = format!(
                        "value {} is \"{word}\", expected decimetres such as 1649 or 1649~",
                        column + 1
                    );
                    problems.push(source.problem(&format!("rows[{line}]"), message));
                }
            }
        }
        if count != self.columns {
            let message = format!("{count} values, expected {} (`columns`)", self.columns);
            problems.push(source.problem(&format!("rows[{line}]"), message));
        }
    }

    /// Flat ground, for tests and for battlefields without heights.
    pub fn flat(bounds: Bounds, decimetres: i16) -> Heights {
        Heights {
            corner: Point::new(bounds.low.x, bounds.high.y),
            step: i32::from(LARGEST_STEP) * 100,
            columns: 2,
            lines: 2,
            decimetres: vec![decimetres; 4],
            house: vec![true; 4],
        }
    }

    fn covers(&self, bounds: &Bounds) -> bool {
        let east = i64::from(self.corner.x) + i64::from(self.step) * (self.columns as i64 - 1);
        let south = i64::from(self.corner.y) - i64::from(self.step) * (self.lines as i64 - 1);
        self.corner.x <= bounds.low.x
            && self.corner.y >= bounds.high.y
            && east >= i64::from(bounds.high.x)
            && south <= i64::from(bounds.low.y)
    }

    /// The cell north-west of a point, and how far into it the point lies; points beyond the
    /// edge are taken to the edge.
    fn cell(&self, p: Point) -> (usize, usize, i64, i64) {
        let step = i64::from(self.step);
        let along =
            (i64::from(p.x) - i64::from(self.corner.x)).clamp(0, step * (self.columns as i64 - 1));
        let down =
            (i64::from(self.corner.y) - i64::from(p.y)).clamp(0, step * (self.lines as i64 - 1));
        let column = (along / step).min(self.columns as i64 - 2);
        let line = (down / step).min(self.lines as i64 - 2);
        (
            column as usize,
            line as usize,
            along - column * step,
            down - line * step,
        )
    }

    fn at(&self, column: usize, line: usize) -> i64 {
        i64::from(self.decimetres[line * self.columns + column])
    }

    /// The height at a point in centimetres, interpolated between the four values around it.
    pub fn height(&self, p: Point) -> i32 {
        let (column, line, along, down) = self.cell(p);
        let step = i64::from(self.step);
        let blend = |line: usize| {
            self.at(column, line) * (step - along) + self.at(column + 1, line) * along
        };
        let sum = blend(line) * (step - down) + blend(line + 1) * down;
        (sum * 10 / (step * step)) as i32
    }

    /// True if any of the four values around the point is house.
    pub fn is_house(&self, p: Point) -> bool {
        let (column, line, ..) = self.cell(p);
        let first = line * self.columns + column;
        [
            first,
            first + 1,
            first + self.columns,
            first + self.columns + 1,
        ]
        .iter()
        .any(|index| self.house[*index])
    }

    /// Centimetres between values.
    pub fn step(&self) -> i32 {
        self.step
    }

    /// Share of values that were measured, in percent.
    pub fn measured(&self) -> u32 {
        let real = self.house.iter().filter(|house| !**house).count();
        (real * 100 / self.house.len().max(1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use cupola_data::Source;

    use super::{Bounds, Heights, Point};

    const BOUNDS: Bounds = Bounds {
        low: Point::new(0, 0),
        high: Point::new(20_000, 10_000),
    };

    fn parse(text: &str) -> Result<Heights, String> {
        let source = Source::new("heights.ron", text);
        Heights::parse(&source, &BOUNDS).map_err(|problems| problems.to_string())
    }

    #[test]
    fn interpolates_in_whole_centimetres() {
        let text = "(origin: (x: 0, y: 100), step: 100, columns: 3, lines: 2, rows: [\"1000 1100 1200~\", \"1000 1100 1200\"])";
        let heights = parse(text).unwrap();
        assert_eq!(heights.height(Point::new(0, 10_000)), 10_000);
        assert_eq!(heights.height(Point::new(5_000, 5_000)), 10_500);
        assert_eq!(heights.height(Point::new(20_000, 0)), 12_000);
        assert_eq!(
            heights.height(Point::new(99_000, -500)),
            12_000,
            "beyond the edge"
        );
        assert!(!heights.is_house(Point::new(5_000, 5_000)));
        assert!(heights.is_house(Point::new(15_000, 5_000)));
        assert_eq!(heights.measured(), 83);
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let text = "(origin: (x: 50, y: 100), step: 100, columns: 3, lines: 3, rows: [\n\"1000 11x0 1200\",\n\"1000 1100\"])";
        let told = parse(text).unwrap_err();
        for part in [
            "2 rows, expected 3",
            "\"11x0\"",
            "2 values, expected 3",
            "do not cover",
        ] {
            assert!(told.contains(part), "{part} in:\n{told}");
        }
        assert!(told.contains("heights.ron:2:1: rows[0]"), "{told}");
    }
}
