//! Reading and writing the labels printed on a map.

use serde::{Deserialize, Serialize};

use super::Hex;
use super::lattice::Orientation;

/// How the hexes of a map are labelled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Labels {
    /// `19.03`: row and column; rows count north, columns east.
    Dotted,
    /// `2121`: two digits of row, two of column; rows count south, columns west.
    Packed,
    /// `S9`: letters go south, numbers north-west; neighbours differ by one in either, or by one
    /// in both the same way.
    Axial,
    /// `C2118`: a sheet's letter and a packed label; the sheets join into one numbering.
    Sheets(Vec<Sheet>),
}

/// One sheet of a map of several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Its letter.
    pub sheet: String,
    /// What to add to its rows to get joined rows.
    pub rows: i32,
    /// What to add to its columns to get joined columns.
    pub columns: i32,
}

/// Which way the odd rows or columns are moved by half a hex, against the even ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stagger {
    /// Labels follow the lattice's own axes.
    None,
    /// Odd rows lie half a hex further west.
    OddWest,
    /// Odd rows lie half a hex further east.
    OddEast,
    /// Odd columns lie half a hex further north.
    OddNorth,
    /// Odd columns lie half a hex further south.
    OddSouth,
}

/// Row and column as printed, and the sheet they are printed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell<'a> {
    sheet: Option<&'a Sheet>,
    row: i32,
    column: i32,
}

/// `A` is 1, `Z` 26, `AA` 27.
fn letters_to_number(letters: &str) -> Option<i32> {
    if letters.is_empty() || letters.len() > 2 {
        return None;
    }
    letters
        .bytes()
        .try_fold(0, |sum, letter| match letter.to_ascii_uppercase() {
            letter @ b'A'..=b'Z' => Some(sum * 26 + i32::from(letter - b'A') + 1),
            _ => None,
        })
}

fn number_to_letters(number: i32) -> String {
    let letter = |number: i32| char::from(b'A' + ((number - 1) % 26) as u8);
    match number {
        1..=26 => letter(number).to_string(),
        _ => [letter((number - 1) / 26), letter(number)].iter().collect(),
    }
}

fn digits(text: &str) -> Option<i32> {
    let plain = !text.is_empty() && text.len() <= 3 && text.bytes().all(|b| b.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

fn packed(text: &str) -> Option<(i32, i32)> {
    if text.len() != 4 || !text.is_ascii() {
        return None;
    }
    Some((digits(&text[..2])?, digits(&text[2..])?))
}

impl Labels {
    /// What a label looks like, for messages.
    pub(crate) fn shape(&self) -> String {
        match self {
            Labels::Dotted => "row.column, such as 19.03".to_owned(),
            Labels::Packed => "four digits, row and column, such as 2121".to_owned(),
            Labels::Axial => "a letter and a number, such as S9".to_owned(),
            Labels::Sheets(sheets) => {
                let letters: Vec<&str> = sheets.iter().map(|sheet| sheet.sheet.as_str()).collect();
                format!(
                    "a sheet ({}) and four digits, such as {}2118",
                    letters.join(", "),
                    letters.first().unwrap_or(&"C")
                )
            }
        }
    }

    /// Checks that scheme, orientation and stagger go together.
    pub(super) fn fits(&self, orientation: Orientation, stagger: Stagger) -> Result<(), String> {
        use Stagger::{None, OddEast, OddNorth, OddSouth, OddWest};
        let fine = match (self, orientation) {
            (Labels::Axial, Orientation::Columns) => stagger == None,
            (Labels::Axial, Orientation::Rows) => {
                return Err("axial labels need `orientation: columns`".to_owned());
            }
            (_, Orientation::Rows) => matches!(stagger, OddWest | OddEast),
            (_, Orientation::Columns) => matches!(stagger, OddNorth | OddSouth),
        };
        let expected = match (self, orientation) {
            (Labels::Axial, _) => "none",
            (_, Orientation::Rows) => "odd_west or odd_east",
            (_, Orientation::Columns) => "odd_north or odd_south",
        };
        if fine {
            Ok(())
        } else {
            Err(format!("this stagger does not fit, expected {expected}"))
        }
    }

    fn cell(&self, label: &str) -> Option<Cell<'_>> {
        let cell = |(row, column)| Cell {
            sheet: None,
            row,
            column,
        };
        match self {
            Labels::Dotted => {
                let (row, column) = label.split_once('.')?;
                Some(cell((digits(row)?, digits(column)?)))
            }
            Labels::Packed => packed(label).map(cell),
            Labels::Axial => {
                let split = label.find(|c: char| c.is_ascii_digit())?;
                let (letters, number) = label.split_at(split);
                Some(cell((letters_to_number(letters)?, digits(number)?)))
            }
            Labels::Sheets(sheets) => {
                let sheet = sheets.iter().find(|sheet| {
                    label
                        .get(..sheet.sheet.len())
                        .is_some_and(|start| start.eq_ignore_ascii_case(&sheet.sheet))
                })?;
                let (row, column) = packed(&label[sheet.sheet.len()..])?;
                Some(Cell {
                    sheet: Some(sheet),
                    row,
                    column,
                })
            }
        }
    }

    fn write(&self, cell: Cell<'_>) -> String {
        let Cell { row, column, .. } = cell;
        match self {
            Labels::Dotted => format!("{row}.{column:02}"),
            Labels::Packed => format!("{row:02}{column:02}"),
            Labels::Axial => format!("{}{column}", number_to_letters(row)),
            Labels::Sheets(_) => {
                let sheet = cell.sheet.map_or("", |sheet| &sheet.sheet);
                format!("{sheet}{row:02}{column:02}")
            }
        }
    }

    /// The usual spelling of a label.
    pub(super) fn tidy(&self, label: &str) -> Option<String> {
        self.cell(label).map(|cell| self.write(cell))
    }

    /// The labels of a block given by two opposite corners, inclusive.
    pub(crate) fn block(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let (a, b) = (self.cell(from)?, self.cell(to)?);
        if a.sheet != b.sheet {
            return None;
        }
        let mut labels = Vec::new();
        for row in a.row.min(b.row)..=a.row.max(b.row) {
            for column in a.column.min(b.column)..=a.column.max(b.column) {
                labels.push(self.write(Cell {
                    sheet: a.sheet,
                    row,
                    column,
                }));
            }
        }
        Some(labels)
    }

    /// The hex of a label, whether or not it exists on the map.
    pub(super) fn parse(&self, label: &str, stagger: Stagger) -> Option<Hex> {
        let cell = self.cell(label)?;
        let (row, column) = match cell.sheet {
            Some(sheet) => (cell.row + sheet.rows, cell.column + sheet.columns),
            None => (cell.row, cell.column),
        };
        if *self == Labels::Axial {
            // Letters go along direction 1, south; numbers against direction 0, north-west.
            return Some(Hex::new(-column, row));
        }
        // Half hexes east and rows south, then into the lattice's axes.
        let (south, east) = match self {
            Labels::Dotted => (-row, column),
            _ => (row, -column),
        };
        let (odd_row, odd_column) = (row.rem_euclid(2), column.rem_euclid(2));
        Some(match stagger {
            Stagger::None => Hex::new(east, south),
            Stagger::OddWest => Hex::new((2 * east - odd_row - south).div_euclid(2), south),
            Stagger::OddEast => Hex::new((2 * east + odd_row - south).div_euclid(2), south),
            Stagger::OddNorth => Hex::new(east, (2 * south - odd_column - east).div_euclid(2)),
            Stagger::OddSouth => Hex::new(east, (2 * south + odd_column - east).div_euclid(2)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{letters_to_number, number_to_letters};

    #[test]
    fn letters_count_on_after_z() {
        for (number, letters) in [(1, "A"), (19, "S"), (26, "Z"), (27, "AA"), (53, "BA")] {
            assert_eq!(number_to_letters(number), letters);
            assert_eq!(letters_to_number(letters), Some(number));
        }
        assert_eq!(letters_to_number("1"), None);
    }
}
