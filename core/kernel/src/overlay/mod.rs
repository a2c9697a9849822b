//! Overlays: a variant's changes of single values, put into the files before anybody reads them.
//!
//! A [`Shelf`] holds all files that a ruleset is read from. A layer of overlays is put on it at once: each change
//! is looked up in the files as they were, so that the order within a layer does not matter and two changes of one
//! value are a conflict that names both. The readers then check what came of it, and what they have to say about a
//! changed value is told of the change ([`Shelf::blame`]).

mod plan;
mod troops;

use crate::variant::Change;
use cupola_army::Army;
use cupola_data::{Lost, Node, Path, Problem, Problems, Source, Sourced};
use plan::{COMMA, Edit, Planned};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use troops::Troops;

/// The files of a ruleset, as they are written.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    volumes: Vec<Volume>,
    /// Who is under whom, where the army lists themselves are not on the shelf.
    above: BTreeMap<String, String>,
}

/// A file on the shelf.
#[derive(Clone, Debug)]
pub struct Volume {
    /// What paths begin with: the file's name without its ending.
    pub name: String,
    /// A name that it shares with others: `army` for the army lists.
    pub group: Option<&'static str>,
    /// The file, with all changes made.
    pub source: Source,
    /// The changes.
    pub touched: Vec<Touch>,
}

/// A value that was changed.
#[derive(Clone, Debug)]
pub struct Touch {
    /// Its path: `counters/cs-heth/strength`.
    pub path: String,
    /// What it was; empty for what was added.
    pub was: String,
    /// What it is; empty for what was taken away.
    pub to: String,
    /// Where the new value comes from, in words.
    pub origin: Option<String>,
    /// The name of the variant or scenario that changed it.
    pub by: String,
    /// Where it says so, without a message.
    pub place: Problem,
    /// Where the value stands in the changed file.
    span: Range<usize>,
}

/// A value that a path leads to.
pub struct Spot<'s> {
    /// The file that it stands in.
    pub volume: &'s Volume,
    /// Its path, as short as it can be.
    pub path: String,
    /// Where it stands, with its origin if it has one beside it.
    pub span: Range<usize>,
    /// Where the value alone stands.
    pub value: Range<usize>,
    /// The value, if it is a whole number.
    pub number: Option<i64>,
}

/// Changes of one file, to be put on the shelf.
pub struct Overlay<'a> {
    /// The variant's name.
    pub by: &'a str,
    /// Its title, which becomes the reason of its own values.
    pub title: &'a str,
    /// The file that says so.
    pub file: &'a Source,
    /// The field of the file in which the changes stand.
    pub field: &'a str,
    /// The changes.
    pub changes: &'a [Change],
    /// The field that each of them comes from, where it was not written as a change.
    pub fields: Option<&'a [String]>,
    /// Whether the values are printed ones, of somebody who has the game.
    pub owner: bool,
}

impl Overlay<'_> {
    /// A problem with one of the changes.
    fn problem(&self, index: usize, field: &str, message: impl Into<String>) -> Problem {
        self.file.problem(&self.path(index, field), message)
    }

    /// The field of one of the changes, as it stands in the file.
    fn path(&self, index: usize, field: &str) -> String {
        match self.fields.and_then(|fields| fields.get(index)) {
            // One of a list of changes after all.
            Some(own) if own.ends_with(']') && own.starts_with(self.field) => {
                format!("{own}{field}")
            }
            Some(own) => own.clone(),
            None => format!("{}[{index}]{field}", self.field),
        }
    }
}

impl Shelf {
    /// Puts a file on the shelf.
    pub fn put(&mut self, name: impl Into<String>, group: Option<&'static str>, source: Source) {
        self.volumes.push(Volume {
            name: name.into(),
            group,
            source,
            touched: vec![],
        });
    }

    /// Says who is under whom in an army list that is not on the shelf itself.
    pub fn set_army(&mut self, army: &Army) {
        let nodes = army.nodes().iter();
        self.above = nodes
            .map(|node| (node.id.clone(), node.of.clone()))
            .collect();
    }

    /// All files, in the order in which they were put there.
    #[must_use]
    pub fn volumes(&self) -> &[Volume] {
        &self.volumes
    }

    /// The file of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Volume> {
        self.volumes.iter().find(|volume| volume.name == name)
    }

    /// All files of a group.
    pub fn group<'s>(&'s self, group: &'s str) -> impl Iterator<Item = &'s Volume> {
        let volumes = self.volumes.iter();
        volumes.filter(move |volume| volume.group == Some(group))
    }

    /// All values that were changed.
    pub fn touched(&self) -> impl Iterator<Item = &Touch> {
        self.volumes.iter().flat_map(|volume| &volume.touched)
    }

    /// Puts a layer of overlays on the files, all at once.
    ///
    /// # Errors
    /// Everything that is wrong with it: paths that lead nowhere or to several things, values that are not what
    /// they were when the change was written, and values that two changes touch.
    pub fn apply(&mut self, layer: &[Overlay]) -> Result<(), Problems> {
        let trees: Vec<Option<Node>> = self
            .volumes
            .iter()
            .map(|volume| Node::parse(&volume.source.text))
            .collect();
        let troops = Troops::of(self, &trees);
        let mut problems = Problems::default();
        let mut planned: Vec<Planned> = vec![];
        for (nth, overlay) in layer.iter().enumerate() {
            for (index, change) in overlay.changes.iter().enumerate() {
                let Some(path) = change.path() else { continue };
                let plan = plan::Plan {
                    shelf: self,
                    trees: &trees,
                    troops: &troops,
                    overlay,
                    nth,
                    index,
                    place: OnceCell::new(),
                };
                if let Some(more) = problems.keep_all(plan.of(change, path)) {
                    planned.extend(more);
                }
            }
        }
        conflicts(layer, &planned, &mut problems);
        problems.check(())?;
        for i in 0..self.volumes.len() {
            let own = planned.iter().filter(|planned| planned.volume == i);
            self.volumes[i].edit(own.cloned().collect());
        }
        Ok(())
    }

    /// Tells of a changed value's faults where the change is written, not in the file that it changed.
    #[must_use]
    pub fn blame(&self, problems: Problems) -> Problems {
        let told = problems.into_iter().map(|problem| self.blamed(problem));
        told.collect::<Problems>().sorted()
    }

    fn blamed(&self, problem: Problem) -> Problem {
        let own = |volume: &&Volume| volume.source.name == problem.file;
        let Some(volume) = self.volumes.iter().find(own) else {
            return problem;
        };
        let Some(at) = volume.source.offset(problem.line, problem.column) else {
            return problem;
        };
        let touches = volume.touched.iter();
        let here = touches.filter(|touch| {
            touch.span.start <= at && at < touch.span.end.max(touch.span.start + 1)
        });
        let here = here.min_by_key(|touch| touch.span.len());
        let Some(touch) = here.or_else(|| volume.touched_in(at)) else {
            return problem;
        };
        Problem {
            message: format!("{}: {}", touch.path, problem.message),
            hint: problem.hint,
            ..touch.place.clone()
        }
    }

    /// The values that a path leads to, in all files that it can mean.
    ///
    /// # Errors
    /// Where it leads nowhere, or could lead to several things; with the nearest name.
    pub fn find(&self, path: &str) -> Result<Vec<Spot<'_>>, Lost> {
        let wrong = |message| Lost {
            message,
            hint: None,
        };
        let parsed = Path::parse(path).map_err(wrong)?;
        // Only who asks for troops needs the army lists.
        let army = path.contains("under=");
        let trees: Vec<Option<Node>> = self
            .volumes
            .iter()
            .map(|volume| {
                let wanted = army || volume.is_called(&parsed.file);
                wanted.then(|| Node::parse(&volume.source.text)).flatten()
            })
            .collect();
        let troops = Troops::of(self, &trees);
        let (mut spots, mut lost, mut file) = (vec![], None, false);
        let called = self.volumes.iter().zip(&trees);
        for (volume, tree) in called.filter(|(volume, _)| volume.is_called(&parsed.file)) {
            file = true;
            let text = &volume.source.text;
            let Some(root) = tree else { continue };
            let under = |node: &str, entry: &Node| troops.under(node, entry, text);
            match parsed.find(root, text, &under) {
                Ok(found) => spots.extend(found.iter().map(|found| Spot {
                    volume,
                    path: found.path(&volume.name),
                    span: found.node.span.clone(),
                    value: found.node.value().span.clone(),
                    number: found.node.value().number(text),
                })),
                // In a group of files it is enough that one has it.
                Err(other) => lost = lost.or(Some(other)),
            }
        }
        match lost {
            Some(lost) if spots.is_empty() => Err(lost),
            None if !file => {
                let files: Vec<&str> = self.volumes.iter().map(|v| v.name.as_str()).collect();
                Err(Lost {
                    message: format!("no file \"{}\"", parsed.file),
                    hint: Some(format!("there are {}", files.join(", "))),
                })
            }
            _ => Ok(spots),
        }
    }

    /// Holds the values against the ranges that a ruleset declares.
    #[must_use]
    pub fn out_of_range(
        &self,
        ranges: &BTreeMap<String, Sourced<(i64, i64)>>,
        file: &Source,
    ) -> Problems {
        let mut problems = Problems::default();
        for (path, Sourced((least, most), origin)) in ranges {
            if let Err(why) = Path::parse(path) {
                problems.push(file.problem(&format!("ranges.{path}"), why));
                continue;
            }
            // A battle need not have everything that the series knows.
            for spot in self.find(path).unwrap_or_default() {
                let beyond = spot
                    .number
                    .filter(|number| !(least..=most).contains(&number));
                if let Some(number) = beyond {
                    let message =
                        format!("{number} is out of range, expected {least} to {most} ({origin})");
                    let source = &spot.volume.source;
                    problems.push(source.problem_at(spot.value.start, &spot.path, message));
                }
            }
        }
        problems
    }
}

impl Volume {
    /// Whether a path that begins so leads here.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.group == Some(name)
    }

    /// The change that is meant by a fault of what stands closely around it: a pair of a value and its origin, a row whose
    /// cells do not fit together, a bracket in which something is missing. None if several changes could be meant.
    fn touched_in(&self, at: usize) -> Option<&Touch> {
        let root = Node::parse(&self.source.text)?;
        let around = innermost(&root, at);
        // What is wrong with a whole file may come from anywhere.
        if around.span == root.span {
            return None;
        }
        let inside = |touch: &&Touch| lies_in(around, &touch.span, CLOSE);
        let mut touches = self.touched.iter().filter(inside);
        let first = touches.next()?;
        let same = |touch: &Touch| touch.place == first.place;
        touches.all(same).then_some(first)
    }

    /// Makes the changes, and keeps where the values stand afterwards.
    fn edit(&mut self, planned: Vec<Planned>) {
        let mut edits: Vec<(Edit, Option<(usize, Touch)>)> = vec![];
        for (nth, planned) in planned.into_iter().enumerate() {
            let mut touch = Some((nth, planned.touch));
            for edit in planned.edits {
                // What several values share, such as the origin of a row, is written once.
                let known = |(known, _): &(Edit, _)| known.shared && known.span == edit.span;
                if edit.shared && edits.iter().any(known) {
                    continue;
                }
                edits.push((edit, touch.take()));
            }
        }
        // Behind what is taken away stands no comma.
        let gone: Vec<usize> = edits
            .iter()
            .filter(|(edit, _)| !edit.span.is_empty() && edit.text.trim().is_empty())
            .map(|(edit, _)| edit.span.end)
            .collect();
        edits.retain(|(edit, _)| {
            !(edit.text == COMMA && edit.shared && gone.contains(&edit.span.start))
        });
        // A comma comes before what it parts from the last entry.
        edits.sort_by_key(|(edit, _)| (edit.span.start, edit.span.end, !edit.shared));
        let old = std::mem::take(&mut self.source.text);
        let (mut text, mut at) = (String::new(), 0);
        // By old place: how far what follows was moved.
        let mut moved: Vec<(usize, isize)> = vec![];
        let mut touched: Vec<(usize, Touch)> = vec![];
        for (edit, touch) in edits {
            text.push_str(&old[at..edit.span.start]);
            let start = text.len();
            text.push_str(&edit.text);
            let shift = text.len() as isize - edit.span.end as isize;
            moved.push((edit.span.start, shift));
            at = edit.span.end;
            let span = start..text.len();
            touched.extend(touch.map(|(nth, touch)| (nth, Touch { span, ..touch })));
        }
        text.push_str(&old[at..]);
        self.source.text = text;
        let moves = |place: usize| {
            let before = moved.iter().rev().find(|(old, _)| *old <= place);
            let shift = before.map_or(0, |(_, shift)| *shift);
            place.saturating_add_signed(shift)
        };
        for touch in &mut self.touched {
            touch.span = moves(touch.span.start)..moves(touch.span.end);
        }
        touched.sort_by_key(|(nth, _)| *nth);
        let touched = touched.into_iter().map(|(_, touch)| touch);
        self.touched.extend(touched);
    }
}

/// How many brackets there may be between a fault and the change that it is told of.
const CLOSE: usize = 2;

/// What stands around a place, as closely as anything does.
fn innermost(node: &Node, at: usize) -> &Node {
    let mut entries = node.entries().iter();
    let inner = entries.find(|entry| entry.node.span.contains(&at));
    inner.map_or(node, |entry| innermost(&entry.node, at))
}

/// Whether something lies in a value, with so many brackets between them at most.
fn lies_in(node: &Node, span: &Range<usize>, deep: usize) -> bool {
    let holds = |node: &Node| node.span.start <= span.start && span.end <= node.span.end;
    if !holds(node) {
        return false;
    }
    let mut entries = node.entries().iter();
    match entries.find(|entry| holds(&entry.node)) {
        Some(inner) => deep > 0 && lies_in(&inner.node, span, deep - 1),
        None => true,
    }
}

/// Two changes of one value.
fn conflicts(layer: &[Overlay], planned: &[Planned], problems: &mut Problems) {
    for (i, later) in planned.iter().enumerate() {
        let earlier = planned[..i].iter().find(|earlier| {
            let same = earlier.volume == later.volume && !std::ptr::eq(*earlier, later);
            same && earlier.overlaps(later)
        });
        if let Some(earlier) = earlier {
            let place = &earlier.touch.place;
            let who = if earlier.touch.by == later.touch.by {
                "another change".to_owned()
            } else {
                format!("the variant “{}”", earlier.touch.by)
            };
            let message = format!(
                "{} is changed by {who} as well: {}:{}",
                later.touch.path, place.file, place.line
            );
            let hint = format!(
                "keep one: there “{}” becomes {}",
                earlier.touch.path,
                shown(&earlier.touch.to)
            );
            let problem = layer[later.overlay].problem(later.index, ".path", message);
            problems.push(problem.with_hint(hint));
        }
    }
}

fn shown(value: &str) -> &str {
    if value.is_empty() { "nothing" } else { value }
}

#[cfg(test)]
mod tests;
