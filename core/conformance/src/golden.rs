//! Files that hold what a ruleset does, so that a change of behaviour shows as a diff.

use crate::walk::Walk;
use cupola_kernel::{Play, Seed};
use std::fmt::Write as _;
use std::path::Path;

/// How wide the lines of a stored file get.
const WIDTH: usize = 96;

/// The number of options at each ply of a few random games: a perft for wargames.
#[must_use]
pub fn counts(play: &Play, seed: Seed, games: u64) -> String {
    let mut text = format!("{} {}\n", play.env().ruleset, play.scenario());
    for number in 0..games {
        let seed = seed.nth(number);
        let (numbers, end) = count(play, seed);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "game {seed}");
        for line in wrapped(&numbers) {
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(text, "{end}");
    }
    text
}

/// Words put together to lines.
pub(crate) fn wrapped(words: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
}

fn count(play: &Play, seed: Seed) -> (Vec<String>, String) {
    let mut numbers = vec![];
    let mut play_out = || {
        let mut walk = Walk::start(play, seed)?;
        while let Some((side, act)) = walk.choice()? {
            numbers.push(
                walk.game
                    .decision()
                    .map_or(0, |d| d.options.len())
                    .to_string(),
            );
            walk.apply(side, act)?;
        }
        let verdict = walk
            .game
            .verdict()
            .map_or("no verdict", |v| &v.how)
            .to_owned();
        Ok(format!("{} decisions: {verdict}", walk.ply))
    };
    let end = play_out().unwrap_or_else(|why: String| why);
    (numbers, end)
}

/// Compares a text with the one that is stored, or stores it if the environment says
/// `CUPOLA_BLESS=1`.
///
/// # Errors
/// The first line that differs.
pub fn compare(file: &Path, text: &str) -> Result<(), String> {
    let name = file.display();
    if std::env::var_os("CUPOLA_BLESS").is_some_and(|value| value == "1") {
        let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        return folder
            .and_then(|()| std::fs::write(file, text))
            .map_err(|error| format!("{name} cannot be written: {error}"));
    }
    let stored = std::fs::read_to_string(file)
        .map_err(|error| format!("{name} cannot be read: {error}; CUPOLA_BLESS=1 writes it"))?;
    if stored == text {
        Ok(())
    } else {
        Err(format!("{name}:{}", difference(&stored, text)))
    }
}

/// The first line that differs, both ways.
fn difference(stored: &str, text: &str) -> String {
    let lines = stored.lines().zip(text.lines());
    let same = lines.take_while(|(was, is)| was == is).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(the end)").to_owned();
    format!(
        "{}: stored is\n  {}\nnow it is\n  {}\nCUPOLA_BLESS=1 stores it as it is now",
        same + 1,
        line(stored),
        line(text)
    )
}

/// [`compare`] as a test.
///
/// # Panics
/// If the texts differ.
pub fn stored(folder: &str, name: &str, text: &str) {
    if let Err(why) = compare(&Path::new(folder).join(name), text) {
        panic!("{why}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_named() {
        let told = difference("a\nb\nc\n", "a\nx\nc\n");
        assert!(
            told.starts_with("2: stored is\n  b\nnow it is\n  x\n"),
            "{told}"
        );
        assert!(
            difference("a\nb\n", "a\n").starts_with("2: stored is\n  b\nnow it is\n  (the end)")
        );
    }
}
