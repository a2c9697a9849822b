//! Which whole numbers a field takes.
//!
//! RON reports a number that does not fit as "out of bounds" and keeps to itself what would fit.
//! A message is rare and its file small, so the file is read again with other numbers in that
//! place: the largest and the smallest that are accepted are the range.

use std::ops::Range;

/// The largest values of the whole-number types, largest first.
const LARGEST: [u64; 8] = [
    u64::MAX,
    i64::MAX as u64,
    u32::MAX as u64,
    i32::MAX as u64,
    u16::MAX as u64,
    i16::MAX as u64,
    u8::MAX as u64,
    i8::MAX as u64,
];

/// Where the number that starts at an offset stands; none if there is no number.
pub(crate) fn number_at(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    let sign = usize::from(rest.starts_with(['-', '+']));
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let length = rest[sign..].find(|letter| !is_part(letter));
    let end = length.map_or(rest.len(), |length| sign + length);
    let digits = rest[sign..end].starts_with(|letter: char| letter.is_ascii_digit());
    digits.then_some(start..start + end)
}

/// The range of numbers that a place takes, in words, if it can be found out.
///
/// `fits` is asked whether a text, with another number in that place, is free of the mistake.
pub(crate) fn expected(
    text: &str,
    number: Range<usize>,
    fits: impl Fn(&str) -> bool,
) -> Option<String> {
    let with = |other: String| {
        let (before, after) = (&text[..number.start], &text[number.end..]);
        fits(&format!("{before}{other}{after}"))
    };
    let largest = LARGEST
        .into_iter()
        .find(|largest| with(largest.to_string()))?;
    let smallest = match with("-1".to_owned()) {
        true => -i128::from(largest) - 1,
        false => 0,
    };
    Some(format!("a whole number from {smallest} to {largest}"))
}
