//! Derived values, done again: `derived("men / 600, rounded up, at most 4")` says how a number was found, so that a
//! machine can see whether it still holds.

use crate::{Library, Resolved};
use cupola_army::{Army, Battle, Counter, Counters, Ratio, Rule};
use cupola_data::{Node, Problems, Source};
use serde::de::IgnoredAny;

/// What derived values of counters are not what their rules come to. An origin in prose is left alone.
///
/// # Errors
/// If the counters cannot be read, or do not cover the armies.
pub fn derived(file: &Source, army: &Army) -> Result<Problems, Problems> {
    let list = Counters::<IgnoredAny, IgnoredAny>::read(file, army)?;
    let mut problems = Problems::default();
    let root = Node::parse(&file.text);
    let entries = root
        .as_ref()
        .and_then(|root| root.get("counters"))
        .map_or(&[][..], Node::entries);
    for (counter, entry) in list.counters.iter().zip(entries) {
        let sum = Sum {
            file,
            army,
            counter,
            values: &entry.node,
        };
        sum.check(&entry.node, "", &mut problems);
    }
    Ok(problems)
}

struct Sum<'a> {
    file: &'a Source,
    army: &'a Army,
    counter: &'a Counter<IgnoredAny>,
    values: &'a Node,
}

impl Sum<'_> {
    fn check(&self, node: &Node, name: &str, problems: &mut Problems) {
        let text = &self.file.text;
        if let Some((value, origin)) = node.sourced() {
            let rule = origin
                .entries()
                .first()
                .and_then(|entry| entry.node.word(text));
            let rule = rule.filter(|_| origin.tag.as_deref() == Some("derived"));
            if let (Some(number), Some(rule)) = (value.number(text), rule)
                && let Some(sum) = self.sum(&rule)
                && sum != number
            {
                let path = format!("counters/{}/{name}", self.counter.id);
                let message = format!("{number}, but \"{rule}\" comes to {sum}{}", self.whence());
                problems.push(self.file.problem_at(value.span.start, &path, message));
            }
        }
        for entry in node.entries() {
            let name = if entry.key.is_empty() {
                name
            } else {
                &entry.key
            };
            self.check(&entry.node, name, problems);
        }
    }

    /// What a rule comes to; none if it is prose, or about something that the counter does not have.
    fn sum(&self, rule: &str) -> Option<i64> {
        let rule: Rule = rule.parse().ok()?;
        rule.value(|name| match name {
            "men" => Some(self.counter.men(self.army)),
            "guns" => Some(self.counter.guns(self.army)),
            other => number(self.values, other, &self.file.text).map(Ratio::whole),
        })
        .ok()
    }

    fn whence(&self) -> String {
        let men = self.counter.men(self.army).rounded();
        let guns = self.counter.guns(self.army).rounded();
        match guns {
            0 => format!(" with {men} men"),
            guns => format!(" with {men} men and {guns} guns"),
        }
    }
}

/// The number of a field, wherever it stands in a counter.
fn number(node: &Node, name: &str, text: &str) -> Option<i64> {
    let entries = node.entries().iter();
    let own = entries.clone().find(|entry| entry.key == name);
    let own = own.and_then(|entry| entry.node.value().number(text));
    own.or_else(|| {
        let mut inside = entries.filter_map(|entry| number(&entry.node, name, text));
        inside.next()
    })
}

impl Library {
    /// Derived values of what was resolved that are not what their rules come to, told where they were changed.
    ///
    /// # Errors
    /// If counters or army lists cannot be read.
    pub fn underived(&self, resolved: &Resolved) -> Result<Problems, Problems> {
        let lists = resolved
            .shelf
            .group("army")
            .map(|volume| volume.source.clone());
        let lists: Vec<Source> = lists.collect();
        let battle = Battle::parse(resolved.army(), &lists)?;
        let Some(counters) = resolved.shelf.get("counters") else {
            return Ok(Problems::default());
        };
        let found = derived(&counters.source, &battle.army);
        let found = found.map_err(|problems| resolved.shelf.blame(problems))?;
        Ok(resolved.shelf.blame(found))
    }
}
