//! The order of battle as CSV, for people who think in spreadsheets.
//!
//! Every key of a node has a column, so what goes out comes back the same.

use std::fmt::Write as _;
use std::str::FromStr;

use csv::{ReaderBuilder, StringRecord, Writer};
use cupola_data::{Problem, Problems, Source, cell, from_cell};

use crate::check;
use crate::clock::Moment;
use crate::node::{Arrival, Fate, Guns, Losses, Node, Successor};
use crate::tree::Army;

/// Columns that are not gun types, in two groups around those.
const BEFORE: &[&str] = &[
    "id",
    "of",
    "kind",
    "name",
    "state",
    "commander",
    "fate",
    "fell",
    "successors",
    "men",
];
const AFTER: &[&str] = &[
    "killed",
    "wounded",
    "captured",
    "missing",
    "arrives",
    "by",
    "arrival_sure",
    "arrival_source",
    "absent",
    "source",
    "sure",
    "note",
];

fn columns() -> Vec<&'static str> {
    [BEFORE, Guns::TYPES, AFTER].concat()
}

impl Army {
    /// Writes the whole tree as CSV, one node a row.
    pub fn to_csv(&self) -> String {
        let mut out = Writer::from_writer(Vec::new());
        // Writing to memory cannot fail, and what is written came from strings.
        let _ = out.write_record(columns());
        for node in self.nodes() {
            let _ = out.write_record(record(node).iter().map(|text| cell(text).into_owned()));
        }
        let bytes = out.into_inner().unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Reads a tree from CSV with the same checks as from RON.
    pub fn from_csv(source: &Source, sources: &[&str]) -> Result<Army, Problems> {
        let mut problems = Problems::new();
        let mut reader = ReaderBuilder::new().from_reader(source.text.as_bytes());
        let head = match reader.headers() {
            Ok(head) => head.clone(),
            Err(error) => return Err(Problem::file(&*source.name, error.to_string()).into()),
        };
        let known = columns();
        for name in head.iter().filter(|name| !known.contains(name)) {
            let problem = at(source, 1, name, format!("no column \"{name}\" is known"));
            problems.push(problem.with_nearest(name, known.iter().copied()));
        }
        let mut nodes = Vec::new();
        let mut lines = Vec::new();
        for record in reader.records() {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    let line = error.position().map_or(0, |place| place.line() as u32);
                    problems.push(at(source, line, "", error.to_string()));
                    continue;
                }
            };
            let line = record.position().map_or(0, |place| place.line() as u32);
            let row = Cells {
                source,
                line,
                head: &head,
                record: &record,
            };
            if let Some(node) = row.node(&mut problems) {
                nodes.push(node);
                lines.push(line);
            }
        }
        problems.check(())?;
        check::army(nodes, sources, &|index, field, message| {
            let line = lines.get(index).copied().unwrap_or(1);
            at(source, line, field, message)
        })
    }
}

fn at(source: &Source, line: u32, field: &str, message: String) -> Problem {
    Problem {
        line,
        column: 1,
        field: field.to_owned(),
        ..Problem::file(&*source.name, message)
    }
}

/// A node's cells in the order of the columns.
fn record(node: &Node) -> Vec<String> {
    let number = |number: u32| match number {
        0 => String::new(),
        number => number.to_string(),
    };
    let mut successors = String::new();
    for next in &node.successors {
        let join = if successors.is_empty() { "" } else { "; " };
        let _ = write!(successors, "{join}{} ({})", next.name, next.fate);
    }
    let mut cells = vec![
        node.id.clone(),
        node.of.clone(),
        node.kind.to_string(),
        node.name.clone(),
        node.state.clone(),
        node.commander.clone(),
        node.fate.to_string(),
        node.fell.clone(),
        successors,
        node.men.map_or(String::new(), |men| men.to_string()),
    ];
    cells.extend(node.guns.each().map(|(_, _, guns)| number(guns)));
    let lost = node.losses;
    cells.extend([lost.killed, lost.wounded, lost.captured, lost.missing].map(number));
    let arrival = node.arrival.as_ref();
    let of = |get: fn(&Arrival) -> String| arrival.map_or(String::new(), get);
    cells.extend([
        of(|arrival| arrival.at.to_string()),
        of(|arrival| arrival.by.clone()),
        of(|arrival| arrival.sure.to_string()),
        of(|arrival| arrival.source.clone()),
        node.absent.clone().unwrap_or_default(),
        node.source.clone(),
        node.sure.to_string(),
        node.note.clone(),
    ]);
    cells
}

/// One row on its way in.
struct Cells<'a> {
    source: &'a Source,
    line: u32,
    head: &'a StringRecord,
    record: &'a StringRecord,
}

impl Cells<'_> {
    fn text(&self, column: &str) -> &str {
        let index = self.head.iter().position(|name| name == column);
        from_cell(index.and_then(|index| self.record.get(index)).unwrap_or(""))
    }

    /// A cell as a value; `empty` is what an empty cell means.
    fn value<T: FromStr<Err: ToString>>(
        &self,
        column: &str,
        empty: Option<T>,
        problems: &mut Problems,
    ) -> Option<T> {
        let text = self.text(column).trim();
        let message = match (text, empty) {
            ("", Some(empty)) => return Some(empty),
            ("", None) => "must not be empty".to_owned(),
            (text, _) => match text.parse::<T>() {
                Ok(value) => return Some(value),
                Err(error) => format!("\"{text}\": {}", error.to_string()),
            },
        };
        problems.push(at(self.source, self.line, column, message));
        None
    }

    fn node(&self, problems: &mut Problems) -> Option<Node> {
        let before = problems.len();
        let kind = self.value("kind", None, problems);
        let fate = self.value("fate", Some(Fate::Unhurt), problems);
        let sure = self.value("sure", None, problems);
        let men = match self.text("men") {
            "" => None,
            _ => self.value::<u16>("men", None, problems),
        };
        let mut guns = Guns::default();
        for column in Guns::TYPES {
            let number = self.value(column, Some(0), problems).unwrap_or(0);
            guns.set(column, number);
        }
        let mut lost = |column| self.value(column, Some(0), problems).unwrap_or(0);
        let losses = Losses {
            killed: lost("killed"),
            wounded: lost("wounded"),
            captured: lost("captured"),
            missing: lost("missing"),
        };
        let arrival = self.arrival(problems);
        let successors = self.successors(problems);
        if problems.len() > before {
            return None;
        }
        let own = |column: &str| self.text(column).to_owned();
        Some(Node {
            id: own("id"),
            of: own("of"),
            kind: kind?,
            name: own("name"),
            state: own("state"),
            commander: own("commander"),
            fate: fate?,
            fell: own("fell"),
            successors,
            men,
            guns,
            losses,
            arrival,
            absent: Some(own("absent")).filter(|why| !why.is_empty()),
            source: own("source"),
            sure: sure?,
            note: own("note"),
        })
    }

    fn arrival(&self, problems: &mut Problems) -> Option<Arrival> {
        if self.text("arrives").is_empty() {
            return None;
        }
        let moment = self.value::<Moment>("arrives", None, problems);
        let sure = self.value("arrival_sure", None, problems);
        Some(Arrival {
            at: moment?,
            by: self.text("by").to_owned(),
            sure: sure?,
            source: self.text("arrival_source").to_owned(),
        })
    }

    fn successors(&self, problems: &mut Problems) -> Vec<Successor> {
        let cell = self.text("successors");
        let parts = cell.split("; ").filter(|part| !part.trim().is_empty());
        let mut found = Vec::new();
        for part in parts {
            let (name, fate) = match part
                .strip_suffix(')')
                .and_then(|part| part.rsplit_once(" ("))
            {
                Some((name, fate)) => (name, fate.parse()),
                None => (part, Ok(Fate::Unhurt)),
            };
            match fate {
                Ok(fate) => found.push(Successor {
                    name: name.to_owned(),
                    fate,
                }),
                Err(error) => {
                    problems.push(at(self.source, self.line, "successors", error));
                }
            }
        }
        found
    }
}
