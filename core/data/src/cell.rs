//! Cells of a table that spreadsheets open.

use std::borrow::Cow;

/// What makes a spreadsheet take a cell for something to run.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A text as a cell that a spreadsheet shows and does not run: what would be a formula gets an apostrophe before
/// it, as people type it there. Numbers stay as they are.
///
/// ```
/// use cupola_data::{cell, from_cell};
/// assert_eq!(cell("=cmd|'/c calc'!A0"), "'=cmd|'/c calc'!A0");
/// assert_eq!(cell("-12.5"), "-12.5");
/// assert_eq!(from_cell(&cell("=1+1")), "=1+1");
/// ```
#[must_use]
pub fn cell(text: &str) -> Cow<'_, str> {
    let plain = !text.trim_start_matches('\'').starts_with(FORMULA) || text.parse::<f64>().is_ok();
    if plain {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("'{text}"))
    }
}

/// The text that [`cell`] made a cell of.
#[must_use]
pub fn from_cell(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if text.trim_start_matches('\'').starts_with(FORMULA) => text,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::{cell, from_cell};

    #[test]
    fn what_goes_out_comes_back_and_nothing_runs() {
        for text in [
            "", "Heth", "=1", "+x", "-", "-5", "+1.5", "@a", "'=x", "''=x", "'tis", "\t=x", "1=2",
        ] {
            let cell = cell(text);
            assert_eq!(from_cell(&cell), text, "{text:?}");
            let runs = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!runs || cell.parse::<f64>().is_ok(), "{cell:?}");
        }
    }
}
