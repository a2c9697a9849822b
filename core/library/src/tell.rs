//! In what two sets of rules differ, in a designer's words: “Heth’s Division: strength 2 → 3”.

use crate::Resolved;
use cupola_data::{Changed, Node, compare};
use cupola_kernel::{Composition, Shelf, Volume};
use std::collections::BTreeMap;
use std::fmt;

/// Something in which two sets of rules differ.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Told {
    /// The file, without its ending; `rules` for phases, combat systems and switches.
    pub file: String,
    /// Whom or what it is about.
    pub subject: String,
    /// What of it; empty if all of it is meant.
    pub field: String,
    /// What it was; none if it was not there.
    pub was: Option<String>,
    /// What it is; none if it is gone.
    pub to: Option<String>,
    /// Where the old and the new value come from, if that differs.
    pub origins: Option<(String, String)>,
}

/// Longer values are cut in sentences; the page shows them whole.
const LONGEST: usize = 90;

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.subject)?;
        if !self.field.is_empty() {
            write!(f, " {}", self.field)?;
        }
        match (&self.was, &self.to) {
            (Some(was), Some(to)) if was != to => write!(f, " {} → {}", short(was), short(to))?,
            (Some(same), Some(_)) => write!(f, " {} as before", short(same))?,
            (Some(_), None) => f.write_str(" is not there any more")?,
            (None, Some(to)) => write!(f, " is new: {}", short(to))?,
            (None, None) => {}
        }
        match &self.origins {
            Some((was, to)) => write!(f, " ({was} → {to})"),
            None => Ok(()),
        }
    }
}

fn short(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST).collect();
    format!("{cut}…")
}

/// In what the second differs from the first, in the order of its files.
#[must_use]
pub fn differences(first: &Resolved, second: &Resolved) -> Vec<Told> {
    let mut told = vec![];
    let mut plain = |subject: &str, was: &str, to: &str| {
        if was != to {
            told.push(Told {
                file: "rules".to_owned(),
                subject: subject.to_owned(),
                field: String::new(),
                was: Some(was.to_owned()),
                to: Some(to.to_owned()),
                origins: None,
            });
        }
    };
    plain("ruleset", &first.ruleset, &second.ruleset);
    plain("battle", &first.battle, &second.battle);
    plain("scenario", &first.scenario, &second.scenario);
    plain("starts", &first.starts(), &second.starts());
    if first.ruleset != second.ruleset {
        // Two games have nothing that could be told value by value.
        return told;
    }
    compositions(&first.composition, &second.composition, &mut plain);
    let names = Names::of(&first.shelf, &second.shelf);
    for volume in second.shelf.volumes() {
        let Some(other) = first.shelf.get(&volume.name) else {
            continue;
        };
        for changed in compare(&other.source.text, &volume.source.text) {
            told.push(names.tell(volume, changed));
        }
    }
    told.extend(crate::terrain::grounds(first, second));
    told
}

fn compositions(
    first: &Composition,
    second: &Composition,
    plain: &mut dyn FnMut(&str, &str, &str),
) {
    let turn = |composition: &Composition| {
        let phases: Vec<&str> = composition.phases().collect();
        phases.join(", ")
    };
    plain("a turn", &turn(first), &turn(second));
    maps("combat system", &first.combat, &second.combat, plain);
    let words = |switches: &BTreeMap<String, bool>| -> BTreeMap<String, String> {
        let word = |on: &bool| if *on { "on" } else { "off" }.to_owned();
        switches
            .iter()
            .map(|(name, on)| (name.clone(), word(on)))
            .collect()
    };
    maps(
        "switch",
        &words(&first.switches),
        &words(&second.switches),
        plain,
    );
}

fn maps(
    what: &str,
    first: &BTreeMap<String, String>,
    second: &BTreeMap<String, String>,
    plain: &mut dyn FnMut(&str, &str, &str),
) {
    for (name, was) in first {
        let to = second.get(name).map_or("nothing", String::as_str);
        plain(&format!("{what} {name}"), was, to);
    }
    for (name, to) in second.iter().filter(|(name, _)| !first.contains_key(*name)) {
        plain(&format!("{what} {name}"), "nothing", to);
    }
}

/// What people call counters and leaders.
struct Names(BTreeMap<String, String>);

impl Names {
    fn of(first: &Shelf, second: &Shelf) -> Names {
        let mut army = BTreeMap::new();
        for volume in second.group("army") {
            army.extend(named(volume, "nodes", |_, name| name));
        }
        let mut all = BTreeMap::new();
        for volume in [first, second]
            .into_iter()
            .filter_map(|shelf| shelf.get("counters"))
        {
            let counter = |node: &Node, name: String| {
                let text = &volume.source.text;
                // A counter for one formation has the formation's name; any other its own.
                let one = node
                    .get("nodes")
                    .map(Node::entries)
                    .filter(|nodes| nodes.len() == 1);
                let one = one.and_then(|nodes| nodes[0].node.word(text));
                one.and_then(|id| army.get(&*id).cloned()).unwrap_or(name)
            };
            all.extend(named(volume, "counters", counter));
            all.extend(named(volume, "leaders", |_, name| name));
        }
        all.extend(army);
        Names(all)
    }

    fn tell(&self, volume: &Volume, changed: Changed) -> Told {
        let mut subject: Vec<&str> = vec![];
        let mut field: Vec<&str> = vec![];
        for crumb in changed.crumbs.iter().map(String::as_str) {
            match self.0.get(crumb) {
                // Whoever has a name needs no list that he stands in.
                Some(name) if field.is_empty() => subject = vec![name],
                _ if crumb == "values" => {}
                _ if subject.is_empty() || self.0.is_empty() => subject.push(crumb),
                _ => field.push(crumb),
            }
        }
        // A list and its entry are what it is about, the rest is what of it.
        let known = subject
            .first()
            .is_some_and(|first| self.0.values().any(|name| name == first));
        if !known {
            let all: Vec<&str> = subject.iter().chain(&field).copied().collect();
            let about = all.len().saturating_sub(1).clamp(0, 2);
            subject = all[..about].to_vec();
            field = all[about..].to_vec();
        }
        let subject = match subject.as_slice() {
            [] => volume.name.clone(),
            words => words.join(" "),
        };
        Told {
            file: volume.name.clone(),
            subject,
            field: field.join(" "),
            was: changed.was,
            to: changed.to,
            origins: changed.origins,
        }
    }
}

/// The names of the entries of a list, by their ids.
fn named(
    volume: &Volume,
    list: &str,
    name: impl Fn(&Node, String) -> String,
) -> Vec<(String, String)> {
    let text = &volume.source.text;
    let root = Node::parse(text);
    let entries = root
        .as_ref()
        .and_then(|root| root.get(list))
        .map_or(&[][..], Node::entries);
    let each = entries.iter().filter_map(|entry| {
        let word = |key: &str| Some(entry.node.get(key)?.word(text)?.into_owned());
        Some((word("id")?, name(&entry.node, word("name")?)))
    });
    each.collect()
}
