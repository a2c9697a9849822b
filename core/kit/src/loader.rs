//! From data files to rules, with every mistake.

use cupola_army::{Army, Counter, Counters};
use cupola_data::{Problems, Source};
use cupola_ground::HexId;
use cupola_kernel::{BySide, Input, Side, UnitInfo};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The name by which the scenario's own file is asked for.
pub const SCENARIO: &str = "scenario";

/// Collects what a ruleset's files say, and everything that is wrong with them.
///
/// Lookups go on after a mistake with something harmless, so that all mistakes are told at once;
/// [`Loader::finish`] hands nothing out if there was any.
///
/// ```
/// use cupola_kernel::{Input, Loaded};
/// use cupola_data::Problems;
/// use cupola_kit::{Loader, SCENARIO};
/// use std::sync::Arc;
///
/// #[derive(serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Tables { range: u8 }
///
/// #[derive(serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Scenario { first: String, last: String, prize: String }
///
/// fn load(input: &Input) -> Result<Loaded, Problems> {
///     let mut loader = Loader::new(input);
///     let tables: Option<Tables> = loader.read("tables.ron");
///     let scenario: Option<Scenario> = loader.read(SCENARIO);
///     let (Some(tables), Some(scenario)) = (tables, scenario) else {
///         return loader.give_up();
///     };
///     let loaded = Loaded {
///         units: vec![],
///         tokens: vec![],
///         first_turn: loader.turn(SCENARIO, "first", &scenario.first),
///         last_turn: loader.turn(SCENARIO, "last", &scenario.last),
///         rules: Arc::new((tables.range, loader.hex(SCENARIO, "prize", &scenario.prize))),
///     };
///     loader.finish(loaded)
/// }
/// ```
pub struct Loader<'a> {
    /// What is loaded from.
    pub input: &'a Input<'a>,
    /// What is wrong with it so far.
    pub problems: Problems,
}

impl<'a> Loader<'a> {
    /// Nothing is wrong yet.
    #[must_use]
    pub fn new(input: &'a Input<'a>) -> Loader<'a> {
        Loader {
            input,
            problems: Problems::default(),
        }
    }

    /// A file of the ruleset by its name, or the [`SCENARIO`].
    #[must_use]
    pub fn source(&self, file: &str) -> Option<&'a Source> {
        if file == SCENARIO {
            Some(self.input.scenario)
        } else {
            self.input.files.get(file)
        }
    }

    /// Reads a file of the ruleset, or the [`SCENARIO`].
    pub fn read<T: DeserializeOwned>(&mut self, file: &str) -> Option<T> {
        if file == SCENARIO {
            return self.problems.keep(self.input.scenario.ron());
        }
        let source = self.problems.keep_all(self.input.file(file))?;
        self.problems.keep(source.ron())
    }

    /// Reads the counters, held against the army list.
    pub fn counters<V: DeserializeOwned, L: DeserializeOwned>(
        &mut self,
        file: &str,
    ) -> Option<Counters<V, L>> {
        let source = self.problems.keep_all(self.input.file(file))?;
        self.problems
            .keep_all(Counters::read(source, self.input.army))
    }

    /// Notes that a field is wrong.
    pub fn wrong(&mut self, file: &str, field: &str, message: impl Into<String>) {
        if let Some(source) = self.source(file) {
            self.problems.push(source.problem(field, message));
        }
    }

    /// Notes numbers that are out of their range, each with its field. Whoever works with them looks at
    /// [`Loader::sound`] first.
    pub fn within(
        &mut self,
        file: &str,
        range: RangeInclusive<i64>,
        values: impl IntoIterator<Item = (impl AsRef<str>, impl Into<i64>)>,
    ) {
        for (field, value) in values {
            let value = value.into();
            if !range.contains(&value) {
                let (least, most) = (range.start(), range.end());
                let message = format!("{value} is not between {least} and {most}");
                self.wrong(file, field.as_ref(), message);
            }
        }
    }

    /// Whether nothing was wrong so far.
    #[must_use]
    pub fn sound(&self) -> bool {
        self.problems.is_empty()
    }

    /// Notes that a field names something that is not there: "no card "7X"", with the nearest name.
    pub fn unknown<'n>(
        &mut self,
        file: &str,
        field: &str,
        (what, name): (&str, &str),
        known: impl IntoIterator<Item = &'n str>,
    ) {
        if let Some(source) = self.source(file) {
            let problem = source.problem(field, format!("no {what} \"{name}\""));
            self.problems.push(problem.with_known(name, known));
        }
    }

    /// The place of a name in a list; the first if it is not there.
    pub fn named<'n>(
        &mut self,
        file: &str,
        field: &str,
        (what, name): (&str, &str),
        known: impl IntoIterator<Item = &'n str, IntoIter: Clone>,
    ) -> usize {
        let known = known.into_iter();
        let found = known.clone().position(|known| known == name);
        found.unwrap_or_else(|| {
            self.unknown(file, field, (what, name), known);
            0
        })
    }

    /// The number of a turn by its id.
    pub fn turn(&mut self, file: &str, field: &str, id: &str) -> u16 {
        let turns = &self.input.track.turns;
        let known = turns.iter().map(|turn| turn.id.as_str());
        self.named(file, field, ("turn", id), known) as u16
    }

    /// A hex by its label.
    pub fn hex(&mut self, file: &str, field: &str, label: &str) -> HexId {
        self.input.board.hex(label).unwrap_or_else(|wrong| {
            if let Some(source) = self.source(file) {
                let problem = source.problem(field, format!("no hex \"{label}\" on this board"));
                let problem = problem.with_nearest(label, wrong.nearest.as_deref());
                self.problems.push(problem);
            }
            HexId(0)
        })
    }

    /// Hexes by their labels, in a list at this field.
    pub fn hexes<'l>(
        &mut self,
        file: &str,
        field: &str,
        labels: impl IntoIterator<Item = &'l str>,
    ) -> Vec<HexId> {
        let labels = labels.into_iter().enumerate();
        labels
            .map(|(i, label)| self.hex(file, &format!("{field}[{i}]"), label))
            .collect()
    }

    /// A side by its id.
    pub fn side(&mut self, file: &str, field: &str, id: &str) -> Side {
        self.input.side(id).unwrap_or_else(|| {
            let known = self.input.sides.iter().map(|side| side.id.as_str());
            self.unknown(file, field, ("side", id), known);
            Side::First
        })
    }

    /// One value for each side, by the sides' ids: `{"cs": 6, "us": 4}`.
    pub fn by_side<T: Clone>(
        &mut self,
        file: &str,
        field: &str,
        values: &BTreeMap<String, T>,
    ) -> Option<BySide<T>> {
        let mut found: BySide<Option<T>> = BySide::default();
        for (id, value) in values {
            let side = self.side(file, &format!("{field}.{id}"), id);
            found[side] = Some(value.clone());
        }
        for (side, spec) in Side::BOTH.into_iter().zip(self.input.sides) {
            if found[side].is_none() {
                self.wrong(file, field, format!("nothing for side \"{}\"", spec.id));
            }
        }
        Some(BySide {
            first: found.first?,
            second: found.second?,
        })
    }

    /// What was loaded, if nothing was wrong.
    ///
    /// # Errors
    /// Everything that was.
    pub fn finish<T>(self, loaded: T) -> Result<T, Problems> {
        self.problems.check(loaded)
    }

    /// What was wrong, where nothing can be loaded for it.
    ///
    /// # Errors
    /// Always.
    pub fn give_up<T>(self) -> Result<T, Problems> {
        Err(self.problems.sorted())
    }
}

/// A counter as people know it. Ids are short in orders and journals: the side's prefix adds nothing
/// there, and goes.
#[must_use]
pub fn unit_info<V>(counter: &Counter<V>, side: Side, army: &Army) -> UnitInfo {
    let prefix = format!("{}-", counter.side);
    UnitInfo {
        id: counter
            .id
            .strip_prefix(&prefix)
            .unwrap_or(&counter.id)
            .to_owned(),
        name: counter.name.clone(),
        side,
        kind: counter.kind.to_string(),
        nodes: counter.nodes.clone(),
        men: counter.men(army).rounded() as u32,
        guns: counter.guns(army).rounded() as u32,
    }
}
