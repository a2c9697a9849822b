//! Whether a list of nodes is an order of battle.
//!
//! The list may come from RON or from CSV, so a check names a node by its place in the list and a
//! field by its key; the reader that knows the file turns that into file, line and column.

use std::collections::{BTreeMap, BTreeSet};

use cupola_data::{Problem, Problems, nearest};

use crate::clock::Moment;
use crate::node::{Fate, Kind, Node};
use crate::tree::Army;

/// Turns a node's place in the list, a field and a message into a problem.
pub(crate) type Point<'a> = dyn Fn(usize, &str, String) -> Problem + 'a;

/// Checks everything about a list of nodes and grows it into a tree.
///
/// `sources` are the keys that `source` may have; if it is empty they are not checked.
pub(crate) fn army(nodes: Vec<Node>, sources: &[&str], point: &Point) -> Result<Army, Problems> {
    let mut problems = Problems::new();
    let by_id = ids(&nodes, point, &mut problems);
    parents(&nodes, &by_id, point, &mut problems);
    cycles(&nodes, &by_id, point, &mut problems);
    for (index, node) in nodes.iter().enumerate() {
        let mut report = |field: &str, message: String| {
            problems.push(point(index, field, message));
        };
        single(node, &mut report);
        for (field, key) in named_sources(node) {
            if !sources.is_empty() && !sources.contains(&key) {
                let hint = nearest(key, sources.iter().copied());
                let hint = hint.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
                report(field, format!("no source \"{key}\" in battle.ron{hint}"));
            }
        }
    }
    // Sums and inheritance mean something only in a tree.
    problems.check(())?;
    let army = Army::grow(nodes);
    let mut problems = Problems::new();
    whole(&army, point, &mut problems);
    problems.check(army)
}

fn named_sources(node: &Node) -> impl Iterator<Item = (&'static str, &str)> {
    let arrival = node.arrival.as_ref();
    let arrival = arrival.map(|arrival| ("arrival.source", arrival.source.as_str()));
    std::iter::once(("source", node.source.as_str())).chain(arrival)
}

fn ids<'a>(nodes: &'a [Node], point: &Point, problems: &mut Problems) -> BTreeMap<&'a str, usize> {
    let mut by_id = BTreeMap::new();
    if nodes.len() > usize::from(u16::MAX) {
        problems.push(point(0, "", format!("{} nodes are too many", nodes.len())));
    }
    for (index, node) in nodes.iter().enumerate() {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if node.id.is_empty() || !node.id.bytes().all(plain) {
            let message = format!(
                "\"{}\" is no id: lower-case letters, digits and hyphens only",
                node.id
            );
            problems.push(point(index, "id", message));
        }
        if let Some(first) = by_id.insert(node.id.as_str(), index) {
            let earlier = point(first, "id", String::new());
            let message = format!(
                "a second node \"{}\"; the first is in {} line {}",
                node.id, earlier.file, earlier.line
            );
            problems.push(point(index, "id", message));
            by_id.insert(node.id.as_str(), first);
        }
    }
    by_id
}

fn parents(nodes: &[Node], by_id: &BTreeMap<&str, usize>, point: &Point, problems: &mut Problems) {
    for (index, node) in nodes.iter().enumerate() {
        let message = match (node.kind, by_id.get(node.of.as_str())) {
            (Kind::Army, _) if node.of.is_empty() => continue,
            (Kind::Army, _) => "an army belongs to nothing".to_owned(),
            (kind, _) if node.of.is_empty() => {
                format!("{} must belong to something", kind.phrase())
            }
            (kind, Some(parent)) => {
                let parent = &nodes[*parent];
                if kind.fits_under(parent.kind) {
                    continue;
                }
                format!(
                    "{} cannot belong to {}",
                    kind.phrase(),
                    parent.kind.phrase()
                )
            }
            (_, None) => {
                let problem = point(index, "of", format!("no node \"{}\"", node.of));
                problems.push(problem.with_nearest(&node.of, by_id.keys().copied()));
                continue;
            }
        };
        problems.push(point(index, "of", message));
    }
}

fn cycles(nodes: &[Node], by_id: &BTreeMap<&str, usize>, point: &Point, problems: &mut Problems) {
    let up = |index: usize| by_id.get(nodes[index].of.as_str()).copied();
    let mut seen = BTreeSet::new();
    for start in 0..nodes.len() {
        let mut path = Vec::new();
        let mut here = Some(start);
        while let Some(index) = here.filter(|index| !seen.contains(index)) {
            seen.insert(index);
            path.push(index);
            here = up(index);
        }
        // A walk that ends on its own path has gone round.
        let Some(first) = here.and_then(|index| path.iter().position(|at| *at == index)) else {
            continue;
        };
        let round = &path[first..];
        let names: Vec<&str> = round.iter().map(|at| nodes[*at].id.as_str()).collect();
        let message = format!(
            "goes round in a circle: {} > {}",
            names.join(" > "),
            names[0]
        );
        problems.push(point(round[0], "of", message));
    }
}

/// What can be said of a node by itself.
fn single(node: &Node, report: &mut impl FnMut(&str, String)) {
    let (kind, phrase) = (node.kind, node.kind.phrase());
    if node.name.trim().is_empty() {
        report("name", "a node needs a name".to_owned());
    }
    if node.commander.trim().is_empty() {
        report("commander", format!("{phrase} needs a commander"));
    }
    if !matches!(node.state.len(), 0 | 2) && kind.is_troops() {
        let message = "expected the two letters of a state, or none";
        report("state", message.to_owned());
    }
    if !node.fell.is_empty() {
        if format!("{}T00:00", node.fell).parse::<Moment>().is_err() {
            let message = format!("\"{}\" is no day such as \"1863-07-01\"", node.fell);
            report("fell", message);
        }
        if node.fate == Fate::Unhurt {
            report("fell", "a day, but no fate".to_owned());
        }
    }
    if kind.is_troops() && node.men.unwrap_or(0) == 0 {
        report("men", format!("{phrase} needs men"));
    }
    if kind == Kind::Battery && node.guns.total() == 0 {
        report("guns", "a battery without guns".to_owned());
    }
    if kind != Kind::Battery && node.guns.total() > 0 {
        report("guns", format!("guns belong to batteries, not to {phrase}"));
    }
    let lost = node.losses.total();
    if !kind.is_troops() && lost > 0 {
        let message = format!("losses belong to regiments and batteries, not to {phrase}");
        report("losses", message);
    } else if lost > u32::from(node.men.unwrap_or(0)) && kind.is_troops() {
        let men = node.men.unwrap_or(0);
        report("losses", format!("{lost} lost of {men} men"));
    }
}

/// What can be said of a node only within the tree.
fn whole(army: &Army, point: &Point, problems: &mut Problems) {
    for id in army.ids() {
        let node = army.node(id);
        let men = army.men(id);
        if let Some(stated) = node.men.filter(|_| node.kind.is_formation())
            && u32::from(stated) != men
        {
            let message =
                format!("{stated} men stated, but its regiments and batteries have {men}");
            problems.push(point(id.index(), "men", message));
        }
        let present = army.absence(id).is_none();
        if node.kind.is_troops() && present && army.arrival(id).is_none() {
            let message = "no arrival here or in what it belongs to".to_owned();
            problems.push(point(id.index(), "arrival", message));
        }
        if matches!(node.kind, Kind::Brigade | Kind::Battalion) && army.children(id).is_empty() {
            problems.push(point(
                id.index(),
                "id",
                format!("{} without troops", node.kind.phrase()),
            ));
        }
    }
}
