//! Which hours of a battle, and who takes part: a scenario that any ruleset can be cut to.

use std::collections::BTreeMap;

use cupola_data::{Problems, Source};
use serde::Deserialize;

use crate::clock::Span;
use crate::counters::{Counter, Counters};
use crate::node::Kind;
use crate::tree::{Army, NodeId};
use crate::turns::{Turn, Turns};

/// One side of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// The army, by its node in the army list.
    pub side: String,
    /// Its name for people.
    pub name: String,
    /// The nodes that take part.
    pub forces: Vec<String>,
    /// Parts of those that do not.
    #[serde(default)]
    pub without: Vec<String>,
}

/// A span of a battle and the forces in it, whatever the ruleset.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its name for other files and the command line.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// The battle whose hours they are.
    pub battle: String,
    /// The hours: from, to.
    pub span: Span,
    /// The two sides, in the order in which the lab names them.
    pub sides: Vec<Side>,
    /// By ruleset, its own scenario that covers these hours.
    #[serde(default)]
    pub played_as: BTreeMap<String, String>,
    /// By side, the plan that its bots carry out unless told otherwise.
    #[serde(default)]
    pub plans: BTreeMap<String, String>,
    /// Other pairs of plans, by a name for each, that the same hours are played with to see what depends on plans.
    #[serde(default)]
    pub other_plans: BTreeMap<String, BTreeMap<String, String>>,
    /// A remark, for people.
    #[serde(default)]
    pub note: String,
}

/// The names that a scenario may use for what lies in other files.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// By ruleset, its scenarios.
    pub rulesets: BTreeMap<String, Vec<String>>,
    /// By plan, its side.
    pub plans: BTreeMap<String, String>,
}

/// A ruleset cut to a scenario.
#[derive(Debug, Clone)]
pub struct Cut<'a, V> {
    /// The turns that lie in its span.
    pub turns: Vec<&'a Turn>,
    /// The counters that take part: some of their troops are in the forces and come before the
    /// end.
    pub counters: Vec<&'a Counter<V>>,
}

impl Side {
    /// Its army and its forces are in the order of battle, and the forces are of its army.
    fn check(&self, source: &Source, path: &str, army: &Army, problems: &mut Problems) {
        let root = army
            .get(&self.side)
            .filter(|id| army.node(*id).kind == Kind::Army);
        if root.is_none() {
            let message = format!("no army \"{}\"", self.side);
            let armies = army.armies().map(|id| army.node(id).id.as_str());
            let problem = source.problem(&format!("{path}.side"), message);
            problems.push(problem.with_known(&self.side, armies));
        }
        let forces = self.forces.iter().map(|node| ("forces", node));
        let without = self.without.iter().map(|node| ("without", node));
        for (at, (list, name)) in forces.enumerate().chain(without.enumerate()) {
            let field = format!("{path}.{list}[{at}]");
            match army.get(name) {
                None => {
                    let message = format!("no node \"{name}\" in the army list");
                    let problem = source.problem(&field, message);
                    problems.push(problem.with_nearest(name, army.names()));
                }
                Some(node) if root.is_some_and(|root| army.side(node) != root) => {
                    let message = format!("\"{name}\" is not of side \"{}\"", self.side);
                    problems.push(source.problem(&field, message));
                }
                Some(_) => {}
            }
        }
    }
}

impl Scenario {
    /// Reads a scenario and checks it against the order of battle.
    pub fn read(source: &Source, army: &Army) -> Result<Scenario, Problems> {
        let scenario: Scenario = source.ron()?;
        let mut problems = Problems::new();
        if scenario.span.minutes() <= 0 {
            problems.push(source.problem("span.to", "the scenario ends before it begins"));
        }
        for (index, side) in scenario.sides.iter().enumerate() {
            side.check(source, &format!("sides[{index}]"), army, &mut problems);
        }
        for (field, side) in scenario.all_plans().map(|(field, side, _)| (field, side)) {
            let sides = || scenario.sides.iter().map(|known| known.side.as_str());
            if !sides().any(|known| known == side) {
                let message = format!("no side \"{side}\" in this scenario");
                let problem = source.problem(&field, message);
                problems.push(problem.with_known(side, sides()));
            }
        }
        problems.check(scenario)
    }

    /// Every plan that it names: the field, the side, the plan.
    fn all_plans(&self) -> impl Iterator<Item = (String, &String, &String)> {
        let own = self.plans.iter();
        let own = own.map(|(side, plan)| (format!("plans.{side}"), side, plan));
        let others = self.other_plans.iter().flat_map(|(name, plans)| {
            let plans = plans.iter();
            plans.map(move |(side, plan)| (format!("other_plans.{name}.{side}"), side, plan))
        });
        own.chain(others)
    }

    /// Checks the rulesets, scenarios and plans that it names against those that there are.
    pub fn check_names(&self, source: &Source, known: &Known) -> Result<(), Problems> {
        let mut problems = Problems::new();
        for (ruleset, scenario) in &self.played_as {
            let field = format!("played_as.{ruleset}");
            let Some(scenarios) = known.rulesets.get(ruleset) else {
                let problem = source.problem(&field, format!("no ruleset \"{ruleset}\""));
                let rulesets = known.rulesets.keys().map(String::as_str);
                problems.push(problem.with_known(ruleset, rulesets));
                continue;
            };
            if !scenarios.contains(scenario) {
                let message = format!("{ruleset} has no scenario \"{scenario}\"");
                let scenarios = scenarios.iter().map(String::as_str);
                let problem = source.problem(&field, message);
                problems.push(problem.with_nearest(scenario, scenarios));
            }
        }
        for (field, side, plan) in self.all_plans() {
            match known.plans.get(plan) {
                None => {
                    let problem = source.problem(&field, format!("no plan \"{plan}\""));
                    let plans = known.plans.keys().map(String::as_str);
                    problems.push(problem.with_nearest(plan, plans));
                }
                Some(other) if other != side => {
                    let message = format!("\"{plan}\" is a plan for \"{other}\"");
                    problems.push(source.problem(&field, message));
                }
                Some(_) => {}
            }
        }
        problems.check(())
    }

    /// True if a node takes part: it is in the forces, on the field, and comes before the end.
    pub fn has(&self, army: &Army, node: NodeId) -> bool {
        let within = |names: &[String]| {
            let mut nodes = names.iter().filter_map(|name| army.get(name));
            nodes.any(|whole| army.is_within(node, whole))
        };
        let in_forces = self
            .sides
            .iter()
            .any(|side| within(&side.forces) && !within(&side.without));
        in_forces && army.is_there_by(node, self.span.to)
    }

    /// The turns and counters of a ruleset that belong to the scenario.
    pub fn cut<'a, V, L>(
        &self,
        army: &Army,
        turns: &'a Turns,
        counters: &'a Counters<V, L>,
    ) -> Cut<'a, V> {
        let takes_part = |counter: &&Counter<V>| {
            let troops = counter.troops(army);
            troops.iter().any(|(troop, _)| self.has(army, *troop))
        };
        Cut {
            turns: turns.inside(self.span).collect(),
            counters: counters.counters.iter().filter(takes_part).collect(),
        }
    }
}
