//! A ruleset's counters, and what each of them stands for.
//!
//! What a counter is worth differs from ruleset to ruleset, so its values are a type parameter
//! that the ruleset brings; whom it stands for is the same question everywhere and is answered
//! here. A counter's men are then known whatever the ruleset, and losses can be compared.

use std::collections::BTreeMap;

use cupola_data::{Problem, Problems, Source};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::coverage;
use crate::node::{Guns, Kind};
use crate::rule::Ratio;
use crate::tree::{Army, NodeId};
use crate::word::words;

words! {
    /// What sort of troops a counter shows.
    Arm {
        /// Infantry.
        Infantry = "infantry",
        /// Cavalry.
        Cavalry = "cavalry",
        /// Artillery.
        Artillery = "artillery",
        /// Horse artillery.
        HorseArtillery = "horse_artillery",
        /// What is left of a broken unit; it stands for nobody until it is made.
        Cadre = "cadre",
    }
}

/// Part of a node that a counter stands for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The regiment, battery or formation.
    pub node: String,
    /// How much of it: `(1, 3)` is a third.
    pub share: (u8, u8),
}

/// A counter with the values that a ruleset gives it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter<V> {
    /// Its name for other files, unique in the ruleset.
    pub id: String,
    /// The army it belongs to.
    pub side: String,
    /// Its name as players see it.
    pub name: String,
    /// What sort of troops it shows.
    pub kind: Arm,
    /// The nodes it stands for as a whole.
    #[serde(default = "Vec::new")]
    pub nodes: Vec<String>,
    /// The nodes it stands for in part.
    #[serde(default = "Vec::new")]
    pub parts: Vec<Part>,
    /// What the ruleset rates it at.
    pub values: V,
}

/// A leader, headquarters or activation chit: it commands nodes but counts no men.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leader<L> {
    /// Its name for other files, unique among counters and leaders of the ruleset.
    pub id: String,
    /// The army it belongs to.
    pub side: String,
    /// Its name as players see it.
    pub name: String,
    /// The nodes that it commands or belongs to.
    pub commands: Vec<String>,
    /// What the ruleset rates it at.
    pub values: L,
}

/// A node that no counter stands for, and why.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The regiment, battery or formation, by its id in the army list.
    pub node: String,
    /// Why the game has no counter for it.
    pub why: String,
}

/// All counters of a ruleset in one battle, found to cover its forces exactly once.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters<V = IgnoredAny, L = IgnoredAny> {
    /// The ruleset whose counters they are.
    pub ruleset: String,
    /// The battle in which they fight.
    pub battle: String,
    /// The nodes that the game is about; every regiment and battery of theirs that was on the
    /// field has a counter or is left out for a reason.
    pub forces: Vec<String>,
    /// The counters of both sides.
    pub counters: Vec<Counter<V>>,
    /// Leaders, headquarters and activation chits: they command, but count no men.
    #[serde(default = "Vec::new")]
    pub leaders: Vec<Leader<L>>,
    /// What of the forces has no counter, and why.
    #[serde(default = "Vec::new")]
    pub left_out: Vec<LeftOut>,
}

impl<V: DeserializeOwned, L: DeserializeOwned> Counters<V, L> {
    /// Reads counters and checks them against an order of battle.
    pub fn read(source: &Source, army: &Army) -> Result<Counters<V, L>, Problems> {
        let list: Counters<V, L> = source.ron()?;
        let mut problems = Problems::new();
        names(&list, source, army, &mut problems);
        coverage::check(&list, source, army, &mut problems);
        problems.check(list)
    }
}

impl<V, L> Counters<V, L> {
    /// The counter with this id.
    pub fn get(&self, id: &str) -> Option<&Counter<V>> {
        self.counters.iter().find(|counter| counter.id == id)
    }

    /// The leader with this id.
    pub fn leader(&self, id: &str) -> Option<&Leader<L>> {
        self.leaders.iter().find(|leader| leader.id == id)
    }
}

impl<V> Counter<V> {
    /// The regiments and batteries it stands for, each with the share of it.
    ///
    /// Troops that were not on the field are left out unless the counter is for them alone.
    pub fn troops(&self, army: &Army) -> Vec<(NodeId, Ratio)> {
        let whole = self.nodes.iter().map(|node| (node, Ratio::whole(1)));
        let parts = self.parts.iter().map(|part| {
            let share = Ratio {
                over: part.share.0.into(),
                under: i64::from(part.share.1).max(1),
            };
            (&part.node, share)
        });
        let mut troops = Vec::new();
        for (node, share) in whole.chain(parts) {
            let Some(node) = army.get(node) else { continue };
            let away = army.absence(node).is_some();
            let under = army.troops(node).into_iter();
            let counted = under.filter(|troop| away || army.absence(*troop).is_none());
            troops.extend(counted.map(|troop| (troop, share)));
        }
        troops
    }

    /// The men it stands for, exactly.
    pub fn men(&self, army: &Army) -> Ratio {
        self.sum(army, |troop| army.men(troop))
    }

    /// The guns it stands for, exactly.
    pub fn guns(&self, army: &Army) -> Ratio {
        self.sum(army, |troop| army.guns(troop).total())
    }

    /// The types of the guns it stands for, whole batteries counted even where it is a section.
    pub fn gun_types(&self, army: &Army) -> Guns {
        let troops = self.troops(army).into_iter();
        troops.fold(Guns::default(), |sum, (troop, _)| {
            sum.plus(army.guns(troop))
        })
    }

    fn sum(&self, army: &Army, of: impl Fn(NodeId) -> u32) -> Ratio {
        let troops = self.troops(army).into_iter();
        troops.fold(Ratio::whole(0), |sum, (troop, share)| {
            let amount = Ratio {
                over: i64::from(of(troop)) * share.over,
                under: share.under,
            };
            sum.plus(amount)
        })
    }
}

/// Ids unique, sides armies, every node known.
fn names<V, L>(list: &Counters<V, L>, source: &Source, army: &Army, problems: &mut Problems) {
    let counters = list
        .counters
        .iter()
        .enumerate()
        .map(|(index, counter)| (format!("counters[{index}]"), &counter.id, &counter.side));
    let leaders = list
        .leaders
        .iter()
        .enumerate()
        .map(|(index, leader)| (format!("leaders[{index}]"), &leader.id, &leader.side));
    let mut seen: BTreeMap<&str, String> = BTreeMap::new();
    for (path, id, side) in counters.chain(leaders) {
        let field = format!("{path}.id");
        if let Some(first) = seen.get(id.as_str()) {
            let (line, _) = source.locate(first);
            let message = format!("a second counter \"{id}\"; the first is in line {line}");
            problems.push(source.problem(&field, message));
        } else {
            seen.insert(id, field);
        }
        let known = army.get(side).map(|id| army.node(id).kind);
        if known != Some(Kind::Army) {
            let problem = source.problem(&format!("{path}.side"), format!("no army \"{side}\""));
            let armies = army.armies().map(|id| army.node(id).id.as_str());
            problems.push(problem.with_known(side, armies));
        }
    }
    for (path, node) in named(list) {
        if army.get(node).is_none() {
            problems.push(unknown(source, &path, node, army));
        }
    }
}

/// Every place where a node is named, with the name.
fn named<V, L>(list: &Counters<V, L>) -> Vec<(String, &str)> {
    let mut found = Vec::new();
    for (index, node) in list.forces.iter().enumerate() {
        found.push((format!("forces[{index}]"), node.as_str()));
    }
    for (index, counter) in list.counters.iter().enumerate() {
        for (at, node) in counter.nodes.iter().enumerate() {
            found.push((format!("counters[{index}].nodes[{at}]"), node));
        }
        for (at, part) in counter.parts.iter().enumerate() {
            found.push((format!("counters[{index}].parts[{at}].node"), &part.node));
        }
    }
    for (index, leader) in list.leaders.iter().enumerate() {
        for (at, node) in leader.commands.iter().enumerate() {
            found.push((format!("leaders[{index}].commands[{at}]"), node));
        }
    }
    for (index, left) in list.left_out.iter().enumerate() {
        found.push((format!("left_out[{index}].node"), &left.node));
    }
    found
}

fn unknown(source: &Source, path: &str, node: &str, army: &Army) -> Problem {
    let problem = source.problem(path, format!("no node \"{node}\" in the army list"));
    problem.with_nearest(node, army.names())
}
