//! A battle: its order of battle, its sources, its sun.

use std::path::Path;

use cupola_data::{Origin, Problem, Problems, Source};
use serde::Deserialize;

use crate::check;
use crate::clock::{Hour, Moment};
use crate::node::Node;
use crate::tree::Army;
use crate::turns::Light;

/// A battle read from its folder and found in order.
#[derive(Debug, Clone)]
pub struct Battle {
    /// Its name for other files.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// Where the facts come from.
    pub sources: Vec<Reference>,
    /// When the sun rose and set.
    pub sun: Sun,
    /// Who fought.
    pub army: Army,
}

/// A source of facts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// The key by which nodes cite it.
    pub id: String,
    /// What it is and how far it is to be trusted.
    pub what: String,
}

/// The sun over the battlefield, the same on all days of a battle to within a minute.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sun {
    /// When it was light enough to see a line of men.
    pub first_light: Hour,
    /// When the sun rose: `04:36`.
    pub sunrise: Hour,
    /// When the sun set: `19:30`.
    pub sunset: Hour,
    /// When it was too dark to see a line of men.
    pub last_light: Hour,
    /// How these times were found.
    pub origin: Origin,
}

impl Sun {
    /// How light it really was; a ruleset's turns may draw the line elsewhere.
    pub fn light(&self, at: Moment) -> Light {
        let hour = at.time_of_day();
        if hour < self.first_light || hour >= self.last_light {
            Light::Night
        } else if hour < self.sunrise {
            Light::Dawn
        } else if hour < self.sunset {
            Light::Day
        } else {
            Light::Dusk
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BattleFile {
    /// The battle's name for other files and for commands: lower-case letters, digits and hyphens, the name of its
    /// folder.
    id: String,
    /// The battle's name for people.
    title: String,
    /// The army lists, by file name, beside this file; together they hold one tree.
    files: Vec<String>,
    /// Where the facts come from: nodes of the army lists cite these by `id`.
    sources: Vec<Reference>,
    /// When it was light over the field. Turns of a ruleset may draw the line elsewhere; reports use this.
    sun: Sun,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeFile {
    /// Armies, corps, divisions, brigades, regiments and batteries, in any order: `of` says what belongs to what.
    nodes: Vec<Node>,
}

impl Battle {
    /// Reads `battle.ron` in a folder and the army lists that it names.
    pub fn read(folder: &Path) -> Result<Battle, Problems> {
        let head = Source::read(&folder.join("battle.ron"))?;
        let mut problems = Problems::new();
        let lists: Vec<Source> = Battle::lists(&head)?
            .iter()
            .filter_map(|name| problems.keep(Source::read(&folder.join(name))))
            .collect();
        let battle = problems.keep_all(Battle::parse(&head, &lists));
        let battle = problems.check(battle)?;
        battle.ok_or_else(|| Problem::file(&*head.name, "no army list could be read").into())
    }

    /// The army lists that a `battle.ron` names.
    pub fn lists(head: &Source) -> Result<Vec<String>, Problem> {
        Ok(head.ron::<BattleFile>()?.files)
    }

    /// A battle from its `battle.ron` and its army lists, wherever they were read.
    pub fn parse(head: &Source, lists: &[Source]) -> Result<Battle, Problems> {
        let file: BattleFile = head.ron()?;
        let mut problems = Problems::new();
        let BattleFile { sun, .. } = &file;
        let hours = [sun.first_light, sun.sunrise, sun.sunset, sun.last_light];
        if !hours.is_sorted() {
            problems.push(head.problem("sun", "the sun's times are not in order"));
        }
        let keys: Vec<&str> = file
            .sources
            .iter()
            .map(|source| source.id.as_str())
            .collect();
        let army = problems.keep_all(Army::read(lists, &keys));
        let army = problems.check(army)?;
        let army = army.ok_or_else(|| Problem::file(&*head.name, "no army list could be read"))?;
        Ok(Battle {
            id: file.id,
            title: file.title,
            sources: file.sources,
            sun: file.sun,
            army,
        })
    }
}

impl Army {
    /// Reads an order of battle from RON files that together hold one tree.
    ///
    /// `sources` are the keys that nodes may cite; with none given any will do.
    pub fn read(files: &[Source], sources: &[&str]) -> Result<Army, Problems> {
        let mut problems = Problems::new();
        let mut nodes = Vec::new();
        // Where each file's nodes start in the common list.
        let mut starts = Vec::new();
        for file in files {
            starts.push(nodes.len());
            if let Some(list) = problems.keep(file.ron::<NodeFile>()) {
                nodes.extend(list.nodes);
            }
        }
        problems.check(())?;
        check::army(nodes, sources, &|index, field, message| {
            let which = starts.partition_point(|start| *start <= index).max(1) - 1;
            let (file, index) = (&files[which], index - starts[which]);
            let path = match field {
                "" => "nodes".to_owned(),
                field => format!("nodes[{index}].{field}"),
            };
            file.problem(&path, message)
        })
    }
}
