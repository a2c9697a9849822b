//! The journal is the game: setup, seed and choices, with a hash at every step.
//!
//! A journal is a text that people can read and compare line by line:
//!
//! ```text
//! cupola journal 1
//! ruleset corps20
//! variant -
//! resolved 5c2f…
//! scenario gettysburg
//! seed 00000000000000000000000000001863
//! position 0
//! 0 9a41…
//! 1 cs b0c7… move heth 19.04
//! end 1
//! ```

use crate::dice::Seed;
use crate::hash::StateHash;
use crate::play::Play;
use cupola_data::{Problem, Problems, Source};
use std::fmt::Write as _;

/// The first line of every journal; the number is the format's version.
const MAGIC: &str = "cupola journal 1";

/// A game as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// The ruleset's name.
    pub ruleset: String,
    /// The variant's file as it was named, if one was played.
    pub variant: Option<String>,
    /// What the rules came to.
    pub resolved: StateHash,
    /// The scenario's name.
    pub scenario: String,
    /// The seed.
    pub seed: Seed,
    /// The text of the position file it started from, if any.
    pub position: Option<String>,
    /// The hash before the first choice.
    pub start: StateHash,
    /// The choices.
    pub steps: Vec<Entry>,
}

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who chose, by the side's id.
    pub side: String,
    /// The option's id.
    pub act: String,
    /// The hash of the state it led to.
    pub hash: StateHash,
}

impl Journal {
    /// A journal without choices.
    #[must_use]
    pub fn new(
        play: &Play,
        ruleset: &str,
        variant: Option<String>,
        seed: Seed,
        position: Option<String>,
    ) -> Journal {
        Journal {
            ruleset: ruleset.to_owned(),
            variant,
            resolved: play.resolved(),
            scenario: play.scenario().to_owned(),
            seed,
            position,
            start: StateHash(0),
            steps: vec![],
        }
    }

    /// As text.
    #[must_use]
    pub fn write(&self) -> String {
        let mut out = String::new();
        let position = self.position.as_deref().unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{MAGIC}\nruleset {}", self.ruleset);
        let _ = writeln!(out, "variant {}", self.variant.as_deref().unwrap_or("-"));
        let _ = writeln!(
            out,
            "resolved {}\nscenario {}\nseed {}",
            self.resolved, self.scenario, self.seed
        );
        let _ = writeln!(out, "position {}", position.lines().count());
        for line in position.lines() {
            let _ = writeln!(out, "{line}");
        }
        let _ = writeln!(out, "0 {}", self.start);
        for (i, step) in self.steps.iter().enumerate() {
            let _ = writeln!(out, "{} {} {} {}", i + 1, step.side, step.hash, step.act);
        }
        let _ = writeln!(out, "end {}", self.steps.len());
        out
    }

    /// Reads a journal.
    ///
    /// # Errors
    /// The first line that is not as it should be; a journal without its last line is refused whole.
    pub fn read(file: &Source) -> Result<Journal, Problems> {
        Reader {
            file,
            lines: file.text.lines().collect(),
            at: 0,
        }
        .journal()
        .map_err(Problems::from)
    }
}

struct Reader<'a> {
    file: &'a Source,
    lines: Vec<&'a str>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn journal(mut self) -> Result<Journal, Problem> {
        if self.line("the first line")? != MAGIC {
            return Err(self.wrong("", format!("a journal begins with \"{MAGIC}\"")));
        }
        let ruleset = self.field("ruleset")?.to_owned();
        let variant = Some(self.field("variant")?.to_owned()).filter(|name| name != "-");
        let resolved = self.field("resolved")?;
        let resolved = self.hash("resolved", resolved)?;
        let scenario = self.field("scenario")?.to_owned();
        let seed = self.field("seed")?;
        let seed = Seed::parse(seed)
            .ok_or_else(|| self.wrong("seed", "expected up to 32 hexadecimal digits"))?;
        let position = self.position()?;
        let start = self.field("0")?;
        let start = self.hash("0", start)?;
        let steps = self.steps()?;
        Ok(Journal {
            ruleset,
            variant,
            resolved,
            scenario,
            seed,
            position,
            start,
            steps,
        })
    }

    fn position(&mut self) -> Result<Option<String>, Problem> {
        let count = self.field("position")?;
        let count: usize = count
            .parse()
            .map_err(|_| self.wrong("position", "expected the number of lines of the position"))?;
        let lines: Result<Vec<_>, _> = (0..count)
            .map(|_| self.line("a line of the position"))
            .collect();
        Ok(Some(lines?.join("\n")).filter(|text| !text.is_empty()))
    }

    fn steps(&mut self) -> Result<Vec<Entry>, Problem> {
        let mut steps = vec![];
        loop {
            let line = self.line(&format!(
                "step {} or \"end {}\"",
                steps.len() + 1,
                steps.len()
            ))?;
            let mut words = line.splitn(4, ' ');
            match (words.next(), words.next(), words.next(), words.next()) {
                (Some("end"), Some(count), None, None) if count == steps.len().to_string() => {
                    return Ok(steps);
                }
                (Some(number), Some(side), Some(hash), Some(act))
                    if number == (steps.len() + 1).to_string() =>
                {
                    let hash = self.hash(number, hash)?;
                    steps.push(Entry {
                        side: side.to_owned(),
                        act: act.to_owned(),
                        hash,
                    });
                }
                _ => {
                    return Err(self.wrong(
                        "",
                        format!(
                            "expected step {} or \"end {}\"",
                            steps.len() + 1,
                            steps.len()
                        ),
                    ));
                }
            }
        }
    }

    fn line(&mut self, expected: &str) -> Result<&'a str, Problem> {
        self.at += 1;
        let line = self.lines.get(self.at - 1).copied();
        line.ok_or_else(|| {
            self.wrong(
                "",
                format!("the file ends here, but {expected} should follow: it is truncated"),
            )
        })
    }

    fn field(&mut self, name: &str) -> Result<&'a str, Problem> {
        let line = self.line(&format!("\"{name} …\""))?;
        let value = line
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(' '));
        value.ok_or_else(|| self.wrong(name, format!("expected \"{name} …\", found \"{line}\"")))
    }

    fn hash(&self, field: &str, text: &str) -> Result<StateHash, Problem> {
        StateHash::parse(text)
            .ok_or_else(|| self.wrong(field, "expected a hash of 32 hexadecimal digits"))
    }

    fn wrong(&self, field: &str, message: impl Into<String>) -> Problem {
        let mut problem = Problem::file(self.file.name.clone(), message);
        problem.line = self.at as u32;
        problem.column = 1;
        problem.field = field.to_owned();
        problem
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal() -> Journal {
        let step = |act: &str| Entry {
            side: "cs".into(),
            act: act.into(),
            hash: StateHash(act.len() as u128),
        };
        Journal {
            ruleset: "corps20".into(),
            variant: None,
            resolved: StateHash(5),
            scenario: "gettysburg".into(),
            seed: Seed(1863),
            position: Some("(\n  turn: \"July 1\",\n)".into()),
            start: StateHash(9),
            steps: vec![step("unit heth"), step("move heth 19.04"), step("done")],
        }
    }

    fn read(text: &str) -> Result<Journal, String> {
        Journal::read(&Source::new("game.cupola", text)).map_err(|p| p.to_string())
    }

    #[test]
    fn what_is_written_is_read_back() {
        assert_eq!(read(&journal().write()), Ok(journal()));
    }

    #[test]
    fn every_truncation_is_noticed() {
        let text = journal().write();
        let lines: Vec<_> = text.lines().collect();
        for keep in 0..lines.len() {
            let error = read(&lines[..keep].join("\n")).unwrap_err();
            assert!(error.contains("truncated"), "{keep}: {error}");
        }
    }

    #[test]
    fn a_damaged_line_is_named() {
        let error = read(&journal().write().replace("2 cs", "3 cs")).unwrap_err();
        assert!(
            error.starts_with("game.cupola:13:1: expected step 2"),
            "{error}"
        );
        let error = read(&journal().write().replace("seed 0", "seed x")).unwrap_err();
        assert!(
            error.contains(":6:1: seed: expected up to 32 hexadecimal digits"),
            "{error}"
        );
    }
}
