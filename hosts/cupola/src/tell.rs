//! Small things that several commands say the same way.

use cupola_ground::{Board, HexId};
use cupola_kernel::Preview;
use serde::Serialize;
use std::io::{self, Write};

/// Prints a value as JSON on several lines.
pub fn json_out(out: &mut dyn Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// The hex of a label, of a place's name or a part of it, or of an entry's code.
///
/// # Errors
/// If there is none, with the nearest; or if several places are called so.
pub fn find_hex(board: &Board, text: &str) -> anyhow::Result<HexId> {
    let wrong = match board.hex(text) {
        Ok(hex) => return Ok(hex),
        Err(wrong) => wrong,
    };
    let lower = text.to_lowercase();
    let called = |name: &str| name.to_lowercase() == lower;
    let place = board
        .places()
        .iter()
        .find(|place| called(&place.name) || place.id == lower);
    let coded = |code: &Option<String>| code.as_deref().is_some_and(&called);
    let mut entries = board.entries().iter();
    let entry =
        entries.find(|entry| coded(&entry.code) || called(&entry.name) || entry.id == lower);
    let exact = place.and_then(|place| place.hex);
    match exact
        .or_else(|| entry.and_then(|entry| entry.hex))
        .map_or_else(|| part(board, &lower), |hex| Ok(Some(hex)))?
    {
        Some(hex) => Ok(hex),
        None if text.chars().filter(|letter| letter.is_alphabetic()).count() > 2 => {
            let names = board
                .places()
                .iter()
                .filter(|place| place.hex.is_some())
                .map(|place| place.name.as_str());
            match cupola_data::nearest(text, names) {
                Some(near) => anyhow::bail!(
                    "no hex and no place \"{text}\" on {}; did you mean \"{near}\"?",
                    board.name
                ),
                None => anyhow::bail!("no hex and no place \"{text}\" on {}", board.name),
            }
        }
        None => Err(anyhow::Error::new(wrong).context(board.name.clone())),
    }
}

/// The hex of the only place with this text in its name.
fn part(board: &Board, lower: &str) -> anyhow::Result<Option<HexId>> {
    if lower.chars().count() < 3 {
        return Ok(None);
    }
    let mut found: Vec<(&str, HexId)> = vec![];
    for place in board.places() {
        if let Some(hex) = place
            .hex
            .filter(|_| place.name.to_lowercase().contains(lower))
            && found.iter().all(|(_, known)| *known != hex)
        {
            found.push((&place.name, hex));
        }
    }
    match found.as_slice() {
        [] => Ok(None),
        [(_, hex)] => Ok(Some(*hex)),
        several => {
            let list = several
                .iter()
                .map(|(name, hex)| format!("{name} ({})", board.label(*hex)));
            anyhow::bail!(
                "several places have \"{lower}\" in their names: {}",
                list.collect::<Vec<_>>().join(", ")
            )
        }
    }
}

/// A chance in words: `1/6 = 16.7 %`.
pub fn chance(weight: u128, total: u128) -> String {
    let (mut a, mut b) = (weight, total);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let permille = (weight * 2000 + total) / (2 * total.max(1));
    let percent = format!("{:>3}.{} %", permille / 10, permille % 10);
    format!("{percent}  {}/{}", weight / a.max(1), total / a.max(1))
}

/// Prints odds for people.
pub fn preview_out(out: &mut dyn Write, preview: &Preview, indent: &str) -> io::Result<()> {
    for modifier in &preview.modifiers.0 {
        writeln!(
            out,
            "{indent}{:>+4}  {} ({})",
            modifier.value, modifier.label, modifier.rule
        )?;
    }
    if !preview.modifiers.0.is_empty() {
        writeln!(out, "{indent}{:>+4}  in all", preview.modifiers.sum())?;
    }
    // Ways of the dice that read the same are one outcome to people.
    let mut merged: Vec<(&str, u128)> = vec![];
    for (text, weight) in &preview.outcomes {
        match merged.iter_mut().find(|(known, _)| known == text) {
            Some((_, sum)) => *sum += weight,
            None => merged.push((text, *weight)),
        }
    }
    // The likeliest first; of equals the one that the table lists first.
    merged.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    for (text, weight) in merged {
        writeln!(out, "{indent}{:<18} {text}", chance(weight, preview.total))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::chance;

    #[test]
    fn chances_are_in_lowest_terms() {
        assert_eq!(chance(6, 36), " 16.7 %  1/6");
        assert_eq!(chance(36, 36), "100.0 %  1/1");
        assert_eq!(chance(0, 36), "  0.0 %  0/1");
    }
}
