//! A plan: what one side means to do, in terms of the ground and the army list.
//!
//! Plans name places and formations, not hexes and counters, so that the same intentions meet different
//! rules.

use cupola_army::{Army, Moment};
use cupola_data::{Problems, Source};
use serde::Deserialize;

/// What one side means to do.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// For people.
    pub title: String,
    /// The battle.
    pub battle: String,
    /// The army, by its node in the army list.
    pub side: String,
    /// Where the intentions come from.
    pub source: String,
    /// Whether they follow the record that play is measured by: then to come near it is no merit of the rules.
    #[serde(default)]
    pub from_record: bool,
    /// The orders. Of those that concern a unit now, the one for the smallest formation counts, and of
    /// these the latest.
    pub orders: Vec<Order>,
}

/// One order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// A node of the army list: an army, a corps, a division, a brigade.
    pub who: String,
    /// From when; from the beginning if left out.
    #[serde(default)]
    pub from: Option<Moment>,
    /// Until when; until another order comes if left out.
    #[serde(default)]
    pub until: Option<Moment>,
    /// What to do.
    pub task: Task,
    /// How much to risk.
    #[serde(default)]
    pub temper: Temper,
}

/// What to do. Places are named as on the battlefield: `mcphersons-ridge`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Go there and stay; fight who comes.
    Hold(String),
    /// Go there and drive off whoever stands there or on the way.
    Take(String),
    /// Go there and keep out of fights.
    March(String),
    /// Go to the nearest enemy: to the sound of the guns.
    Seek,
}

/// How much to risk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Temper {
    /// Fights only with the odds.
    Cautious,
    /// Takes an even chance.
    #[default]
    Steady,
    /// Takes less than that.
    Bold,
}

impl Task {
    /// The place that it names.
    #[must_use]
    pub fn place(&self) -> Option<&str> {
        match self {
            Task::Hold(place) | Task::Take(place) | Task::March(place) => Some(place),
            Task::Seek => None,
        }
    }
}

impl Plan {
    /// Reads a plan and checks it against the army list and the places of the battlefield.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn read(source: &Source, army: &Army, places: &[&str]) -> Result<Plan, Problems> {
        let plan: Plan = source.ron()?;
        let mut problems = Problems::new();
        let root = army.get(&plan.side);
        if root.is_none_or(|id| army.parent(id).is_some()) {
            let armies = army.armies().map(|id| army.node(id).id.as_str());
            let problem = source.problem("side", format!("no army \"{}\"", plan.side));
            problems.push(problem.with_known(&plan.side, armies));
        }
        for (i, order) in plan.orders.iter().enumerate() {
            let at = |field: &str| format!("orders[{i}].{field}");
            match army.get(&order.who) {
                None => {
                    let problem = source.problem(
                        &at("who"),
                        format!("no formation \"{}\" in the army list", order.who),
                    );
                    problems.push(problem.with_nearest(&order.who, army.names()));
                }
                Some(id) if root.is_some_and(|root| !army.is_within(id, root)) => {
                    let text = format!("\"{}\" does not belong to \"{}\"", order.who, plan.side);
                    problems.push(source.problem(&at("who"), text));
                }
                Some(_) => {}
            }
            if let Some(place) = order.task.place().filter(|place| !places.contains(place)) {
                let problem = source.problem(&at("task"), format!("no place \"{place}\""));
                problems.push(problem.with_nearest(place, places.iter().copied()));
            }
            if let (Some(from), Some(until)) = (order.from, order.until)
                && until <= from
            {
                problems.push(source.problem(&at("until"), "the order ends before it begins"));
            }
        }
        problems.check(plan)
    }
}
