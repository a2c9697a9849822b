//! Text in aligned columns.

use std::io::{self, Write};

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// Rows of cells that are printed below each other.
pub struct Columns {
    aligns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// Columns with these headings.
    pub fn new(heads: &[(&str, Align)]) -> Columns {
        let rows = vec![heads.iter().map(|(head, _)| (*head).to_owned()).collect()];
        Columns {
            aligns: heads.iter().map(|(_, align)| *align).collect(),
            rows,
        }
    }

    /// Adds a row; it must have as many cells as there are headings.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Prints all rows; `style` sees each finished line and its number, the headings' being 0.
    pub fn write(
        &self,
        out: &mut dyn Write,
        style: impl Fn(usize, &str) -> String,
    ) -> io::Result<()> {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.aligns.len()).map(width).collect();
        for (number, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for ((cell, align), &width) in row.iter().zip(&self.aligns).zip(&widths) {
                let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
                match align {
                    Align::Left => line.extend([cell.as_str(), &gap]),
                    Align::Right => line.extend([gap.as_str(), cell]),
                }
                line.push_str("  ");
            }
            writeln!(out, "{}", style(number, line.trim_end()))?;
        }
        Ok(())
    }
}

/// A number with commas, as people write it: `93,921`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut columns = Columns::new(&[("name", Align::Left), ("men", Align::Right)]);
        columns.row(["Heth".into(), thousands(7_458)]);
        columns.row(["I Corps".into(), thousands(93_921)]);
        let mut out = Vec::new();
        columns.write(&mut out, |_, line| line.to_owned()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "name        men\nHeth      7,458\nI Corps  93,921\n");
    }
}
