//! Every entry of a list swapped for one that does nothing: what no case misses is a rule that nobody has looked at.

use crate::edges::{Missed, Trials};
use crate::mutants::Bench;
use std::ops::Range;
use std::path::Path;

/// An entry of a list that is swapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The line it begins in, from one on.
    pub line: usize,
    /// Where it stands in the text.
    at: Range<usize>,
    /// How it begins.
    pub shown: String,
}

/// Swaps every entry of a list (`special`, say) in all files of a ruleset's battles that have one for a harmless one, in a copy
/// of `root/data`, and runs the cases of the ruleset in `root/tests/cases` whose rules that changes until one fails. With
/// words, only in files whose names have one of them. What comes of each is told at once, with the name of the file.
///
/// The ruleset must be linked into the program.
pub fn swaps(
    root: &Path,
    ruleset: &str,
    (list, harmless): (&str, &str),
    words: &[String],
    mut tell: impl FnMut(&str, &Entry, &Missed),
) -> Result<(), String> {
    let bench = Bench::new(root, ruleset, 0)?;
    let mut trials = Trials::new(&bench)?;
    for path in bench.files() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let say = |error: std::io::Error| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(say)?;
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        for entry in entries(&text, list) {
            let (before, behind) = (&text[..entry.at.start], &text[entry.at.end..]);
            std::fs::write(&path, format!("{before}{harmless}{behind}")).map_err(say)?;
            tell(&name, &entry, &trials.first(&[]));
        }
        std::fs::write(&path, &text).map_err(say)?;
    }
    Ok(())
}

/// The entries of the lists of this name.
fn entries(text: &str, list: &str) -> Vec<Entry> {
    let head = format!("{list}: [");
    let signs = signs(text);
    let mut found = vec![];
    for (begin, _) in text.match_indices(&head) {
        let (mut depth, mut from) = (0, None::<usize>);
        let inside = signs.iter().filter(|(at, _)| *at >= begin + head.len());
        for &(at, sign) in inside {
            let ends = depth == 0 && matches!(sign, ',' | ']');
            match sign {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
            if ends {
                found.extend(from.take().map(|from| entry(text, from..at)));
            } else if from.is_none() && !sign.is_whitespace() {
                from = Some(at);
            }
            if depth < 0 {
                break;
            }
        }
    }
    found
}

fn entry(text: &str, at: Range<usize>) -> Entry {
    let first = text[at.clone()].lines().next().unwrap_or_default();
    Entry {
        line: text[..at.start].matches('\n').count() + 1,
        shown: first.chars().take(100).collect(),
        at,
    }
}

/// The signs of a text that stand in no comment, with their places; of a string only the marks around it.
fn signs(text: &str) -> Vec<(usize, char)> {
    let (mut found, mut quoted, mut told) = (vec![], false, true);
    let mut signs = text.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' if quoted => {
                signs.next();
            }
            '"' if told => {
                quoted = !quoted;
                found.push((at, sign));
            }
            '/' if told && !quoted && text[at..].starts_with("//") => told = false,
            '\n' => told = true,
            _ if told && !quoted => found.push((at, sign)),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_told_apart() {
        let text = "(special: [\n    // one, two]\n    a((b: [1, 2], c: \"],\")),\n    d(1, 2), // e\n    f,\n], g: [h])";
        let found: Vec<_> = entries(text, "special")
            .into_iter()
            .map(|entry| (entry.line, entry.shown))
            .collect();
        let told = |line, shown: &str| (line, shown.to_owned());
        assert_eq!(
            found,
            [
                told(3, "a((b: [1, 2], c: \"],\"))"),
                told(4, "d(1, 2)"),
                told(5, "f"),
            ]
        );
    }
}
