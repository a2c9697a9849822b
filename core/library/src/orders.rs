//! What a scenario says in plain words: who stands where, who comes when, who is not there; and, if it is based on another,
//! what is otherwise in its own terms.

use crate::Resolved;
use cupola_data::{Lost, Node, Problem, Problems, Source, Written};
use cupola_kernel::{Change, Comes, Overlay, Posting, Ruleset, Whereabouts};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Where troops are that the files have elsewhere. Troops are named as in the army list, or by their counter.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Orders {
    /// Who stands where when it begins: a hex.
    pub stand: BTreeMap<String, String>,
    /// Who comes when and where.
    pub arrive: BTreeMap<String, Comes>,
    /// Who is not there.
    pub absent: Vec<String>,
}

/// The fields of [`Orders`].
pub(crate) const ORDERS: [&str; 3] = ["stand", "arrive", "absent"];

impl Orders {
    /// Takes them out of a scenario's file, whose reader knows nothing of them; every line stays where it was.
    pub(crate) fn of(file: &Source) -> Result<(Source, Orders), Problem> {
        let own = entries(file, |key| ORDERS.contains(&key));
        if own.is_empty() {
            return Ok((file.clone(), Orders::default()));
        }
        let orders = file.ron::<Orders>()?;
        let keys: Vec<&str> = own.iter().map(|(key, _)| key.as_str()).collect();
        Ok((without(file, &keys), orders))
    }

    /// Each with its field.
    fn each(&self) -> Vec<(String, &str, Whereabouts)> {
        let stand = self.stand.iter().map(|(who, at)| {
            let field = format!("stand.{who}");
            (field, who.as_str(), Whereabouts::Stands(at.clone()))
        });
        let arrive = self.arrive.iter().map(|(who, by)| {
            let field = format!("arrive.{who}");
            (field, who.as_str(), Whereabouts::Arrives(by.clone()))
        });
        let absent = self.absent.iter().enumerate().map(|(i, who)| {
            let field = format!("absent[{i}]");
            (field, who.as_str(), Whereabouts::Absent)
        });
        stand.chain(arrive).chain(absent).collect()
    }
}

/// The outermost fields of a file that are wanted: name and value as they are written.
pub(crate) fn entries(file: &Source, wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let root = Node::parse(&file.text);
    let all = root.as_ref().map_or(&[][..], Node::entries).iter();
    all.filter(|entry| wanted(&entry.key))
        .map(|entry| (entry.key.clone(), entry.node.text(&file.text).to_owned()))
        .collect()
}

/// A file without some of its outermost fields; every line stays where it was.
pub(crate) fn without(file: &Source, keys: &[&str]) -> Source {
    let root = Node::parse(&file.text);
    let all = root.as_ref().map_or(&[][..], Node::entries).iter();
    let mut text = file.text.clone();
    for entry in all.filter(|entry| keys.contains(&entry.key.as_str())) {
        let gone = &file.text[entry.whole.clone()];
        // As many bytes, so that what follows stays where it was.
        let blank: String = gone
            .bytes()
            .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
            .collect();
        text.replace_range(entry.whole.clone(), &blank);
    }
    Source::new(&*file.name, text)
}

impl Resolved {
    /// Puts troops where a scenario wants them.
    pub(crate) fn post(
        &mut self,
        ruleset: &dyn Ruleset,
        (name, title, file): (&str, &str, &Source),
        orders: &Orders,
    ) -> Result<(), Problems> {
        let mut problems = Problems::default();
        let mut placed: BTreeSet<String> = BTreeSet::new();
        for (field, who, whereabouts) in orders.each() {
            let units = match self.troops(who) {
                Ok(units) => units,
                Err(lost) => {
                    problems.push(Problem {
                        hint: lost.hint,
                        ..file.problem(&field, lost.message)
                    });
                    continue;
                }
            };
            let mut changes: Vec<Change> = vec![];
            for unit in &units {
                if !placed.insert(unit.clone()) {
                    let message = format!("{unit} is put somewhere by another line as well");
                    problems.push(file.problem(&field, message));
                }
                changes.extend(ruleset.posting(&Posting {
                    shelf: &self.shelf,
                    unit,
                    whereabouts: &whereabouts,
                }));
            }
            if changes.is_empty() {
                let message = format!("{} has nothing to say of {who} here", ruleset.name());
                problems.push(file.problem(&field, message));
                continue;
            }
            let changes = joined(changes);
            let fields = vec![field; changes.len()];
            problems.keep_all(self.shelf.apply(&[Overlay {
                by: name,
                title,
                file,
                field: "change",
                changes: &changes,
                fields: Some(&fields),
                owner: false,
            }]));
        }
        problems.check(())
    }

    /// The counters and leaders that somebody means: all under a node of the army list, or one by its name.
    fn troops(&self, who: &str) -> Result<Vec<String>, Lost> {
        let lists = ["counters", "leaders"].map(|list| format!("counters/{list}/under={who}"));
        let mut found: Vec<String> = vec![];
        for path in &lists {
            found.extend(self.ids(path).unwrap_or_default());
        }
        if !found.is_empty() {
            return Ok(found);
        }
        let lost = match self.ids(&format!("counters/{who}")) {
            Ok(ids) if !ids.is_empty() => return Ok(ids),
            Ok(_) => None,
            Err(lost) => Some(lost),
        };
        // Names of fields help nobody who names troops.
        let near = lost.and_then(|lost| lost.hint);
        let hint = near.filter(|hint| hint.starts_with("did you mean"));
        let listed = self.shelf.find(&format!("army/nodes/{who}")).is_ok();
        Err(match listed {
            true => Lost {
                message: format!(
                    "\"{who}\" stands in the army list, but no counter stands for anybody of it"
                ),
                hint: None,
            },
            false => Lost {
                message: format!("no \"{who}\" in counters"),
                hint: Some(hint.unwrap_or_else(|| {
                    "whoever is meant is a counter, or stands in the army list".to_owned()
                })),
            },
        })
    }

    /// The ids of the entries that a path leads to.
    fn ids(&self, path: &str) -> Result<Vec<String>, Lost> {
        let spots = self.shelf.find(path)?;
        let ids = spots.iter().filter_map(|spot| {
            let text = spot.volume.source.text.get(spot.value.clone())?;
            let node = Node::parse(text)?;
            Some(node.get("id")?.word(text)?.into_owned())
        });
        Ok(ids.collect())
    }
}

/// Several who bring the same list along, because it is left out in the files, bring one with all of them in it.
fn joined(changes: Vec<Change>) -> Vec<Change> {
    let mut all: Vec<Change> = vec![];
    let inside = |entry: &Written| {
        let text = entry
            .0
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        text.map(str::to_owned)
    };
    for change in changes {
        let Change::Add {
            path,
            key: key @ Some(_),
            entry,
        } = &change
        else {
            all.push(change);
            continue;
        };
        let same = all.iter_mut().find_map(|other| match other {
            Change::Add {
                path: p,
                key: k,
                entry,
            } if (&*p, &*k) == (path, key) => Some(entry),
            _ => None,
        });
        match (same, inside(entry)) {
            (Some(list), Some(more)) if inside(list).is_some() => {
                list.0.insert_str(list.0.len() - 1, &format!(", {more}"));
            }
            _ => all.push(change),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_leave_every_line_where_it_was() {
        let file = Source::new(
            "x.ron",
            "(\n    title: \"x\",\n    absent: [\n        \"us-xi\", // they\n    ],\n    last: \"noon\",\n)\n",
        );
        let (plain, orders) = Orders::of(&file).unwrap();
        assert_eq!(orders.absent, ["us-xi"]);
        assert_eq!(plain.locate("last"), file.locate("last"));
        assert!(!plain.text.contains("us-xi"), "{}", plain.text);
    }
}
