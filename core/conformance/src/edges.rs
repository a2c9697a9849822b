//! Every number of a table one more and one less: what no case misses is an edge that nobody has looked at.

use crate::mutants::Bench;
use cupola_kernel::{Case, Play, StateHash, cases};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// A number of a file that is changed by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The line it stands in, from one on.
    pub line: usize,
    /// Where it stands in the text, and how long it is.
    at: (usize, usize),
    /// What it is.
    pub was: i64,
    /// What it is changed to.
    pub is: i64,
    /// The line, with the number marked.
    pub shown: String,
}

/// What came of a changed number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missed {
    /// This case fails.
    By(String),
    /// No case fails.
    ByNobody,
    /// Nothing can be loaded with it: no game has this value.
    Unplayable(String),
}

/// Changes every number of a file by one, up and down, in a copy of `root/data`, and runs the cases of the ruleset in
/// `root/tests/cases` until one fails. With words, only the lines that have one of them. What comes of each is told at once.
///
/// The ruleset must be linked into the program.
pub fn edges(
    root: &Path,
    ruleset: &str,
    file: &str,
    words: &[String],
    mut tell: impl FnMut(&Edge, &Missed),
) -> Result<(), String> {
    let bench = Bench::new(root, ruleset, 0)?;
    let path = bench.find(file, "")?;
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let mut trials = Trials::new(&bench)?;
    for edge in changes(&text) {
        let line = text.lines().nth(edge.line - 1).unwrap_or_default();
        if !words.is_empty() && !words.iter().any(|word| line.contains(word.as_str())) {
            continue;
        }
        let (begin, length) = edge.at;
        let changed = format!("{}{}{}", &text[..begin], edge.is, &text[begin + length..]);
        std::fs::write(&path, changed).map_err(|error| error.to_string())?;
        let missed = trials.first(&sections(&text, edge.line));
        tell(&edge, &missed);
    }
    Ok(())
}

/// The cases, with what each proves and how long it takes: what is likely to fail is tried first.
pub(crate) struct Trials<'a> {
    bench: &'a Bench<'a>,
    proves: Vec<Vec<String>>,
    takes: Vec<Duration>,
    /// The case that failed last: the next number is likely a neighbour.
    last: Option<usize>,
    /// The rules of each scenario as they are: its cases hold with them.
    known: BTreeMap<String, StateHash>,
}

impl<'a> Trials<'a> {
    pub(crate) fn new(bench: &'a Bench<'a>) -> Result<Trials<'a>, String> {
        let proves = bench.cases.iter().map(|source| {
            let case = source
                .ron::<Case>()
                .map_err(|problems| problems.to_string())?;
            Ok(case.proves)
        });
        let mut trials = Trials {
            bench,
            proves: proves.collect::<Result<_, String>>()?,
            takes: vec![Duration::ZERO; bench.cases.len()],
            last: None,
            known: BTreeMap::new(),
        };
        match trials.first(&[]) {
            Missed::ByNobody => Ok(trials),
            Missed::By(case) => Err(format!("{case} fails with all numbers as they are")),
            Missed::Unplayable(why) => Err(why),
        }
    }

    /// The first case that fails, those that prove one of the sections before all others; scenarios whose rules are as they
    /// were are not looked at again.
    pub(crate) fn first(&mut self, sections: &[String]) -> Missed {
        let library = match self.bench.library() {
            Ok(library) => library,
            Err(why) => return Missed::Unplayable(why),
        };
        let mut order: Vec<usize> = (0..self.bench.cases.len()).collect();
        order.sort_by_key(|&number| {
            let proves = self.proves[number]
                .iter()
                .any(|section| sections.contains(section));
            (Some(number) != self.last, !proves, self.takes[number])
        });
        let mut plays = BTreeMap::<String, Play>::new();
        let anew = self.known.is_empty();
        for number in order {
            let case = &self.bench.cases[number];
            let Ok((_, scenario)) = cases::wants(case) else {
                continue;
            };
            if !plays.contains_key(&scenario) {
                match library.play(self.bench.ruleset, &scenario, None) {
                    Ok(play) => plays.insert(scenario.clone(), play),
                    Err(problems) => return Missed::Unplayable(problems.to_string()),
                };
            }
            let (play, began) = (&plays[&scenario], Instant::now());
            if anew {
                self.known.insert(scenario, play.resolved());
            } else if self.known.get(&scenario) == Some(&play.resolved()) {
                continue;
            }
            let run = AssertUnwindSafe(|| cases::run(play, case).is_ok());
            if !catch_unwind(run).unwrap_or(false) {
                self.last = Some(number);
                return Missed::By(case.name.clone());
            }
            self.takes[number] = began.elapsed();
        }
        Missed::ByNobody
    }
}

/// The sections that a line and the comment above it cite.
fn sections(text: &str, line: usize) -> Vec<String> {
    let lines: Vec<&str> = text.lines().take(line).collect();
    let is_comment = |line: &&&str| line.trim_start().starts_with("//");
    let own = lines.last().copied().into_iter();
    let above = lines.iter().rev().skip_while(|line| !is_comment(line));
    let above = above.take_while(is_comment).copied();
    let words = own
        .chain(above)
        .flat_map(|line| line.split(|sign: char| !sign.is_ascii_digit() && sign != '.'));
    let section = |word: &str| word.trim_end_matches('.').to_owned();
    words
        .map(section)
        .filter(|word| word.contains('.'))
        .collect()
}

/// Every whole number that stands in no string, comment or name, one more and one less.
fn changes(text: &str) -> Vec<Edge> {
    let (bytes, mut found) = (text.as_bytes(), vec![]);
    let (mut at, mut quoted) = (0, false);
    while at < bytes.len() {
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let number =
            bytes[at].is_ascii_digit() && !before.is_ascii_alphanumeric() && before != b'_';
        if quoted && bytes[at] == b'\\' {
            at += 2;
        } else if bytes[at] == b'"' {
            quoted = !quoted;
            at += 1;
        } else if !quoted && bytes[at..].starts_with(b"//") {
            at += bytes[at..]
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(bytes.len() - at);
        } else if !quoted && number {
            let begin = at - usize::from(before == b'-');
            let digits = bytes[at..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit() || **byte == b'.')
                .count();
            at += digits;
            if let Ok(was) = text[begin..at].parse::<i64>() {
                found.extend([1, -1].map(|step| edge(text, begin, at, was, was + step)));
            }
        } else {
            at += 1;
        }
    }
    found
}

fn edge(text: &str, begin: usize, end: usize, was: i64, is: i64) -> Edge {
    let from = text[..begin].rfind('\n').map_or(0, |at| at + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    Edge {
        line: text[..begin].matches('\n').count() + 1,
        at: (begin, end - begin),
        was,
        is,
        shown: format!(
            "{}[{was} → {is}]{}",
            text[from..begin].trim_start(),
            &text[end..to]
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_cites_its_comment() {
        let text = "// 6.3, and\n// (5.17).\na: (1),\nb: (2, house(\"12.1; x\")),\n";
        assert_eq!(sections(text, 4), ["12.1", "5.17", "6.3"]);
    }

    #[test]
    fn numbers_are_found_but_not_in_words() {
        let text = "(a1: (-3, \"4 \\\" 5\"), // 6\n b_2: [7, 0.5])";
        let found: Vec<_> = changes(text)
            .into_iter()
            .map(|e| (e.line, e.was, e.is, e.shown))
            .collect();
        let told = |line, was, is, shown: &str| (line, was, is, shown.to_owned());
        assert_eq!(
            found,
            [
                told(1, -3, -2, "(a1: ([-3 → -2], \"4 \\\" 5\"), // 6"),
                told(1, -3, -4, "(a1: ([-3 → -4], \"4 \\\" 5\"), // 6"),
                told(2, 7, 8, "b_2: [[7 → 8], 0.5])"),
                told(2, 7, 6, "b_2: [[7 → 6], 0.5])"),
            ]
        );
    }
}
