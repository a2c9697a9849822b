//! Reading a journal, line by line.

use super::{Entry, Journal, MAGIC, TEXT};
use crate::dice::Seed;
use crate::hash::StateHash;
use crate::identity::Identity;
use crate::pledge::{Draw, Pledge, Share};
use cupola_data::{Problem, Source};

/// The lines of a journal, and the one that is read.
pub(super) struct Reader<'a> {
    file: &'a Source,
    lines: Vec<&'a str>,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a Source) -> Reader<'a> {
        Reader {
            file,
            lines: file.text.lines().collect(),
            at: 0,
        }
    }

    /// The whole journal.
    pub(super) fn journal(&mut self) -> Result<Journal, Problem> {
        let first = self.line("the first line")?;
        if first != MAGIC {
            let message = match first.strip_prefix("cupola journal ") {
                Some(form) => format!(
                    "a journal of form {form}; this program reads those that begin with \"{MAGIC}\""
                ),
                None => format!("a journal begins with \"{MAGIC}\""),
            };
            return Err(self.wrong("", message));
        }
        let ruleset = self.field("ruleset")?.to_owned();
        let scenario = self.field("scenario")?.to_owned();
        let brought = self.lines.get(self.at).copied().unwrap_or_default();
        let brought = brought
            .strip_prefix(TEXT)
            .is_some_and(|rest| rest.starts_with(' '));
        let scenario_text = match brought {
            true => self.text(TEXT)?,
            false => None,
        };
        let seed = self.field("seed")?;
        let seed = Seed::parse(seed)
            .ok_or_else(|| self.wrong("seed", "expected up to 32 hexadecimal digits"))?;
        let seats = self.seats()?;
        let variant = self.text("variant")?;
        let position = self.text("position")?;
        let rules = self.rules()?;
        let mut draw = self.pledges()?;
        let start = self.field("0")?;
        let start = self.hash("0", start)?;
        let steps = self.steps()?;
        self.shares(draw.as_mut())?;
        let journal = Journal {
            ruleset,
            scenario,
            scenario_text,
            seed,
            seats,
            variant,
            position,
            rules,
            draw,
            start,
            steps,
        };
        self.end(&journal)?;
        Ok(journal)
    }

    fn seats(&mut self) -> Result<Vec<(String, String)>, Problem> {
        let text = self.field("seats")?;
        if text == "-" {
            return Ok(vec![]);
        }
        let pair = |seat: &str| {
            let (side, who) = seat.split_once('=')?;
            Some((side.to_owned(), who.to_owned()))
        };
        let seats: Option<Vec<_>> = text.split(' ').map(pair).collect();
        seats.ok_or_else(|| self.wrong("seats", "expected SIDE=WHO for each side"))
    }

    /// A block of lines with their number before them.
    fn block(&mut self, name: &str) -> Result<Vec<&'a str>, Problem> {
        let count = self.field(name)?;
        let count: usize = count
            .parse()
            .map_err(|_| self.wrong(name, format!("expected the number of lines of {name}")))?;
        (0..count)
            .map(|_| self.line(&format!("a line of {name}")))
            .collect()
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, Problem> {
        let lines = self.block(name)?;
        Ok((!lines.is_empty()).then(|| lines.join("\n")))
    }

    fn rules(&mut self) -> Result<Identity, Problem> {
        let mut rules = Identity::default();
        let lines = self.block("rules")?;
        let first = self.at - lines.len();
        for (i, line) in lines.iter().enumerate() {
            if !rules.read_line(line) {
                self.at = first + i + 1;
                return Err(self.wrong("rules", "expected a hash, fields and the name of a part"));
            }
        }
        Ok(rules)
    }

    fn pledges(&mut self) -> Result<Option<Draw>, Problem> {
        let lines = self.block("pledges")?;
        let names = lines
            .iter()
            .map(|line| line.split(' ').next().unwrap_or(""));
        let mut draw = Draw::among(names);
        for line in &lines {
            let (who, pledge) = line.split_once(' ').unwrap_or((line, ""));
            let pledge = Pledge::parse(pledge)
                .ok_or_else(|| self.wrong("pledges", "expected WHO and 64 hexadecimal digits"))?;
            draw.pledge(who, pledge)
                .map_err(|why| self.wrong("pledges", why.to_string()))?;
        }
        Ok((!lines.is_empty()).then_some(draw))
    }

    fn shares(&mut self, mut draw: Option<&mut Draw>) -> Result<(), Problem> {
        // The line that says how many stood where the steps ended.
        self.at -= 1;
        for line in self.block("shares")? {
            let (who, share) = line.split_once(' ').unwrap_or((line, ""));
            let share = Share::parse(share)
                .ok_or_else(|| self.wrong("shares", "expected WHO and 64 hexadecimal digits"))?;
            let Some(draw) = draw.as_mut() else {
                return Err(self.wrong("shares", format!("{who} has pledged nothing")));
            };
            draw.reveal(who, share)
                .map_err(|why| self.wrong("shares", why.to_string()))?;
        }
        Ok(())
    }

    /// The steps, up to the line that is none of them.
    fn steps(&mut self) -> Result<Vec<Entry>, Problem> {
        let mut steps = vec![];
        loop {
            let next = steps.len() + 1;
            let line = self.line(&format!("step {next} or \"shares …\""))?;
            if line.starts_with("shares ") {
                return Ok(steps);
            }
            let mut words = line.splitn(4, ' ');
            match (words.next(), words.next(), words.next(), words.next()) {
                (Some(number), Some(side), Some(hash), Some(act)) if number == next.to_string() => {
                    let hash = self.hash(number, hash)?;
                    let step = Entry::read(side, act, hash);
                    steps.push(step.map_err(|why| self.wrong(number, why))?);
                }
                _ => {
                    let message = format!("expected step {next} or \"shares …\"");
                    return Err(self.wrong("", message));
                }
            }
        }
    }

    /// The last line, that it is the last, and that all lines above it are as they were written.
    fn end(&mut self, journal: &Journal) -> Result<(), Problem> {
        let count = journal.steps.len();
        let end = self.field("end")?;
        let (said, seal) = end.split_once(' ').unwrap_or((end, ""));
        if said != count.to_string() {
            return Err(self.wrong(
                "end",
                format!("expected \"end {count} …\", found \"end {end}\""),
            ));
        }
        self.hash("end", seal)?;
        if self.at < self.lines.len() {
            self.at += 1;
            return Err(self.wrong(
                "",
                "a journal ends with its \"end\" line, and this follows it",
            ));
        }
        let written = journal.write();
        let written: Vec<&str> = written.lines().collect();
        let differs = (0..self.lines.len()).find(|&i| written.get(i) != Some(&self.lines[i]));
        match differs {
            None => Ok(()),
            Some(i) => {
                self.at = i + 1;
                let message = if self.at == self.lines.len() {
                    "this is not the hash of the lines above: the journal was altered"
                } else {
                    "this line is not as it is written"
                };
                Err(self.wrong("", message))
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
