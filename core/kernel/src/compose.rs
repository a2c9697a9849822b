//! A ruleset is a composition: which phases in which order, which combat systems in which roles.
//!
//! The composition is data (`ruleset.ron`). The phases and combat systems it names come from the
//! [`Registry`]: from crates linked into the program (`inventory`) or from shared libraries. A
//! [`Variant`] changes a composition by name.

use crate::combat::Combat;
use crate::identity::Code;
use crate::needs::Needs;
use crate::phase::Phase;
use crate::ruleset::Ruleset;
use crate::scripting::{Language, Scripting, Scripts};
use cupola_data::{Origin, Problem, Problems, Source, Sourced, Written, nearest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What `ruleset.ron` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Composition {
    /// The ruleset's short name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is modelled on, with thanks.
    pub modelled_on: String,
    /// The registered ruleset of whose parts it is composed, where that is not one of its own name: a ruleset
    /// that is data alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub built_on: Option<String>,
    /// The battle that it was made for, where nobody names another.
    #[serde(default)]
    pub battle: Option<String>,
    /// The two sides, in the order in which they play.
    pub sides: [SideSpec; 2],
    /// What a turn consists of.
    pub sequence: Vec<Stretch>,
    /// Combat systems by role.
    #[serde(default)]
    pub combat: BTreeMap<String, String>,
    /// Rulings and optional rules that players may set.
    #[serde(default)]
    pub switches: BTreeMap<String, bool>,
    /// The data files that belong to the ruleset.
    #[serde(default)]
    pub files: Vec<String>,
    /// The least and the most that values may be, by path: what is written in the files is held against it.
    /// Not part of who the rules are: a game is played by its values.
    #[serde(default, skip_serializing)]
    pub ranges: BTreeMap<String, Sourced<(i64, i64)>>,
    /// Scripts that a variant brought, by name.
    #[serde(default, skip_serializing_if = "Scripts::is_empty")]
    pub scripts: Scripts,
    /// Lines that are added to fights: `-1 in assault when target.cover is woods`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
}

/// A side in `ruleset.ron`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideSpec {
    /// Short and stable: `cs`.
    pub id: String,
    /// In full.
    pub name: String,
    /// The side of the ruleset whose place it takes, in a battle of other armies: their rules know it by this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

impl SideSpec {
    /// The name by which the ruleset knows the side: its own, or that of the side whose place it takes.
    #[must_use]
    pub fn role(&self) -> &str {
        self.role.as_deref().unwrap_or(&self.id)
    }
}

/// A stretch of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stretch {
    /// These phases for the first player, then for the second.
    Sides(Vec<String>),
    /// One phase for both.
    Once(String),
}

/// A designer's change to a ruleset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// The ruleset it changes.
    pub base: String,
    /// Its short name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is for.
    #[serde(default)]
    pub why: String,
    /// The battle that it is about, if it changes what belongs to one.
    #[serde(default)]
    pub battle: Option<String>,
    /// The scenario that it is about, if it is a what-if of one.
    #[serde(default)]
    pub scenario: Option<String>,
    /// Whether it holds the printed numbers of somebody who has the game: they come before all other changes, and
    /// their origin is `printed("by the owner")` where none is given.
    #[serde(default)]
    pub owner: bool,
    /// Plugins it needs, by the name of their library.
    #[serde(default)]
    pub plugins: Vec<String>,
    /// Scripts that it brings: files beside it.
    #[serde(default, skip_serializing_if = "Scripts::is_empty")]
    pub scripts: Scripts,
    /// What it changes, in order.
    pub change: Vec<Change>,
}

/// One change of a variant. Every name must exist, so that a typing mistake cannot pass unseen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// Plays another phase instead.
    SwapPhase {
        /// The phase that goes.
        was: String,
        /// The phase that comes.
        to: String,
    },
    /// Leaves a phase out.
    RemovePhase(String),
    /// Plays one more phase.
    AddPhase {
        /// The new phase.
        phase: String,
        /// Right after this one,
        #[serde(default)]
        after: Option<String>,
        /// or right before this one.
        #[serde(default)]
        before: Option<String>,
    },
    /// Plays a phase at another time.
    MovePhase {
        /// The phase that moves.
        phase: String,
        /// Right after this one,
        #[serde(default)]
        after: Option<String>,
        /// or right before this one.
        #[serde(default)]
        before: Option<String>,
    },
    /// Uses another combat system in a role.
    SwapCombat {
        /// The role.
        role: String,
        /// The system that goes.
        was: String,
        /// The system that comes.
        to: String,
    },
    /// Adds a line to fights: `modifier("-1 in fire when target.cover is woods and firer.kind is cavalry")`.
    Modifier(String),
    /// Sets a switch.
    Switch {
        /// Which.
        name: String,
        /// To what.
        to: bool,
    },
    /// Gives values of a file another value. The path is `file/name/field`: see [`cupola_data::Path`].
    Set {
        /// Which: `counters/heth/strength`.
        path: String,
        /// The new value, written as in the file.
        to: Written,
        /// What it was when the change was written: if it is no longer, the change is refused.
        #[serde(default)]
        was: Option<Written>,
        /// Where the new value comes from; by default it is the variant's own.
        #[serde(default)]
        origin: Option<Origin>,
    },
    /// Multiplies whole numbers, rounded to the nearest, halves up.
    Scale {
        /// Which: `counters/side=us/strength`.
        path: String,
        /// In hundredths: 150 is half as much again.
        percent: u32,
        /// Not below this.
        #[serde(default)]
        least: Option<i64>,
        /// Not above this.
        #[serde(default)]
        most: Option<i64>,
        /// Where the new values come from.
        #[serde(default)]
        origin: Option<Origin>,
    },
    /// Adds the same to whole numbers.
    Shift {
        /// Which.
        path: String,
        /// How much; less than nothing to take away.
        by: i64,
        /// Where the new values come from.
        #[serde(default)]
        origin: Option<Origin>,
    },
    /// Adds an entry to a list, a struct or a map.
    Add {
        /// To which.
        path: String,
        /// The entry's name, in a struct or map.
        #[serde(default)]
        key: Option<String>,
        /// The entry, written as in the file.
        entry: Written,
    },
    /// Takes entries away.
    Remove {
        /// Which: `campaign/starts/under=us-xi`.
        path: String,
    },
}

impl Change {
    /// The path of a change of values; none for a change of the composition.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Change::Set { path, .. }
            | Change::Scale { path, .. }
            | Change::Shift { path, .. }
            | Change::Add { path, .. }
            | Change::Remove { path } => Some(path),
            _ => None,
        }
    }
}

impl Composition {
    /// The registered ruleset of whose parts it is composed.
    #[must_use]
    pub fn base(&self) -> &str {
        self.built_on.as_deref().unwrap_or(&self.name)
    }

    /// All phases in order of play, each once.
    pub fn phases(&self) -> impl Iterator<Item = &str> {
        self.sequence.iter().flat_map(|stretch| match stretch {
            Stretch::Sides(names) => names.iter().map(String::as_str).collect::<Vec<_>>(),
            Stretch::Once(name) => vec![name.as_str()],
        })
    }

    /// Applies a variant.
    ///
    /// ```
    /// use cupola_data::Source;
    /// use cupola_kernel::{Composition, Variant};
    ///
    /// let composition: Composition = Source::new("ruleset.ron", r#"(
    ///     name: "toy", title: "Toy", modelled_on: "nothing",
    ///     sides: ((id: "blue", name: "Blue"), (id: "red", name: "Red")),
    ///     sequence: [sides(["march", "fire"]), once("rest")],
    /// )"#).ron().unwrap();
    /// let file = Source::new("peace.ron", r#"(base: "toy", name: "peace", title: "Peace", change: [remove_phase("fire")])"#);
    /// let variant: Variant = file.ron().unwrap();
    /// let peace = composition.with(&variant, &file).unwrap();
    /// assert_eq!(peace.phases().collect::<Vec<_>>(), ["march", "rest"]);
    /// ```
    ///
    /// # Errors
    /// Every change that names something that is not there, with the nearest name that is.
    pub fn with(&self, variant: &Variant, file: &Source) -> Result<Composition, Problems> {
        let mut changed = self.clone();
        let mut problems = Problems::default();
        if variant.base != self.name {
            problems.push(file.problem(
                "base",
                format!("this changes “{}”, not “{}”", variant.base, self.name),
            ));
        }
        changed.name = format!("{}+{}", self.name, variant.name);
        changed.title.clone_from(&variant.title);
        let texts = variant.scripts.texts.clone();
        changed.scripts.texts.extend(texts);
        for (i, change) in variant.change.iter().enumerate() {
            if let Err(missing) = changed.apply(change) {
                let field = format!("change[{i}]{}", missing.field);
                let mut problem = file.problem(&field, &*missing.message);
                problem.hint = missing.hint();
                problems.push(problem);
            }
        }
        problems.check(changed)
    }

    fn apply(&mut self, change: &Change) -> Result<(), Missing> {
        match change {
            Change::SwapPhase { was, to } => {
                *self.slot(was, ".was")? = to.clone();
            }
            Change::RemovePhase(name) => self.remove(name, "")?,
            Change::AddPhase {
                phase,
                after,
                before,
            } => self.insert(phase, Beside::of(after, before)?)?,
            Change::MovePhase {
                phase,
                after,
                before,
            } => {
                let beside = Beside::of(after, before)?;
                self.slot(beside.name, beside.field)?;
                if beside.name == phase {
                    let message = format!("“{phase}” cannot stand beside itself");
                    return Err(beside.wrong(message));
                }
                self.remove(phase, ".phase")?;
                self.insert(phase, beside)?;
            }
            Change::SwapCombat { role, was, to } => {
                let roles: Vec<String> = self.combat.keys().cloned().collect();
                let system = self
                    .combat
                    .get_mut(role)
                    .ok_or_else(|| missing("combat role", role, ".role", &roles))?;
                if system != was {
                    return Err(Missing {
                        field: ".was",
                        message: format!("“{role}” is played by “{system}”, not by “{was}”"),
                        nearest: None,
                    });
                }
                system.clone_from(to);
            }
            Change::Modifier(line) => self.modifiers.push(line.clone()),
            Change::Switch { name, to } => {
                let names: Vec<String> = self.switches.keys().cloned().collect();
                *self
                    .switches
                    .get_mut(name)
                    .ok_or_else(|| missing("switch", name, ".name", &names))? = *to;
            }
            // Values are changed in the files, before anybody reads them.
            Change::Set { .. }
            | Change::Scale { .. }
            | Change::Shift { .. }
            | Change::Add { .. }
            | Change::Remove { .. } => {}
        }
        Ok(())
    }

    fn slot(&mut self, name: &str, field: &'static str) -> Result<&mut String, Missing> {
        let known: Vec<String> = self.phases().map(str::to_owned).collect();
        let mut slots = self.sequence.iter_mut().flat_map(|stretch| match stretch {
            Stretch::Sides(names) => names.iter_mut().collect::<Vec<_>>(),
            Stretch::Once(name) => vec![name],
        });
        slots
            .find(|slot| *slot == name)
            .ok_or_else(|| missing("phase", name, field, &known))
    }

    fn remove(&mut self, name: &str, field: &'static str) -> Result<(), Missing> {
        self.slot(name, field)?;
        for stretch in &mut self.sequence {
            if let Stretch::Sides(names) = stretch {
                names.retain(|n| n != name);
            }
        }
        self.sequence
            .retain(|stretch| !matches!(stretch, Stretch::Once(n) if n == name));
        Ok(())
    }

    fn insert(&mut self, name: &str, beside: Beside) -> Result<(), Missing> {
        self.slot(beside.name, beside.field)?;
        for (i, stretch) in self.sequence.iter_mut().enumerate() {
            match stretch {
                Stretch::Sides(names) => {
                    if let Some(at) = names.iter().position(|n| n == beside.name) {
                        names.insert(at + beside.behind, name.to_owned());
                        return Ok(());
                    }
                }
                Stretch::Once(n) if n == beside.name => {
                    let once = Stretch::Once(name.to_owned());
                    self.sequence.insert(i + beside.behind, once);
                    return Ok(());
                }
                Stretch::Once(_) => {}
            }
        }
        Ok(())
    }
}

/// Where a phase is put: beside another.
#[derive(Clone, Copy)]
struct Beside<'a> {
    name: &'a str,
    field: &'static str,
    /// One place behind it, or none.
    behind: usize,
}

impl<'a> Beside<'a> {
    fn of(after: &'a Option<String>, before: &'a Option<String>) -> Result<Beside<'a>, Missing> {
        let (name, field, behind) = match (after, before) {
            (Some(name), None) => (name, ".after", 1),
            (None, Some(name)) => (name, ".before", 0),
            _ => {
                return Err(Missing {
                    field: "",
                    message: "expected either `after` or `before`, the phase that it stands beside"
                        .to_owned(),
                    nearest: None,
                });
            }
        };
        Ok(Beside {
            name,
            field,
            behind,
        })
    }

    fn wrong(self, message: String) -> Missing {
        Missing {
            field: self.field,
            message,
            nearest: None,
        }
    }
}

/// A name that a composition or a change uses, and that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// The field of the change that names it.
    pub field: &'static str,
    /// What is wrong.
    pub message: String,
    /// The nearest name that is there.
    pub nearest: Option<String>,
}

impl Missing {
    pub(crate) fn hint(&self) -> Option<String> {
        let near = self.nearest.as_ref()?;
        Some(format!("did you mean \"{near}\"?"))
    }
}

fn missing(what: &str, name: &str, field: &'static str, known: &[String]) -> Missing {
    Missing {
        field,
        message: format!("no {what} “{name}” in this ruleset"),
        nearest: nearest(name, known.iter().map(String::as_str)).map(str::to_owned),
    }
}

/// What one crate or library brings.
pub struct Contribution {
    /// The name space of its phases and combat systems: `corps20` in `corps20.movement`.
    pub space: &'static str,
    /// The code that it is compiled from: `cupola_kernel::stamp!()`.
    pub code: Code,
    /// Its rulesets.
    pub rulesets: fn() -> Vec<Arc<dyn Ruleset>>,
    /// Its phases.
    pub phases: fn() -> Vec<Arc<dyn Phase>>,
    /// Its combat systems.
    pub combats: fn() -> Vec<Arc<dyn Combat>>,
}
inventory::collect!(Contribution);

/// Registers what a crate brings: `register! { space: "corps20", rulesets: [Corps20], phases: [Recovery],
/// combats: [Differential] }`. A program that links the crate must still say `use crate_name as _;`,
/// or the linker drops it.
#[macro_export]
macro_rules! register {
    (space: $space:literal, rulesets: [$($ruleset:expr),* $(,)?], phases: [$($phase:expr),* $(,)?], combats: [$($combat:expr),* $(,)?] $(,)?) => {
        /// What this crate brings to the registry.
        #[must_use]
        pub const fn contribution() -> $crate::Contribution {
            $crate::Contribution {
                space: $space,
                code: $crate::stamp!(),
                rulesets: || vec![$(std::sync::Arc::new($ruleset)),*],
                phases: || vec![$(std::sync::Arc::new($phase)),*],
                combats: || vec![$(std::sync::Arc::new($combat)),*],
            }
        }
        $crate::inventory::submit! { contribution() }
    };
}

/// Everything that can be composed, by full name, in order.
#[derive(Clone, Default)]
pub struct Registry {
    rulesets: BTreeMap<String, Arc<dyn Ruleset>>,
    phases: BTreeMap<String, Arc<dyn Phase>>,
    combats: BTreeMap<String, Arc<dyn Combat>>,
    /// The code of every ruleset, phase and combat system, by full name.
    code: BTreeMap<String, Code>,
    /// What reads scripts.
    language: Option<&'static Language>,
}

impl Registry {
    /// What is linked into this program.
    ///
    /// # Errors
    /// Two things of one name.
    pub fn linked() -> Result<Registry, Problems> {
        let mut registry = Registry::default();
        let mut found: Vec<&Contribution> = inventory::iter::<Contribution>.into_iter().collect();
        found.sort_by_key(|c| c.space);
        found.into_iter().try_for_each(|c| registry.add(c))?;
        registry.language = inventory::iter::<Language>.into_iter().next();
        Ok(registry)
    }

    /// Adds what a crate or library brings; nothing, if any name is taken.
    ///
    /// # Errors
    /// The names that are taken.
    pub fn add(&mut self, contribution: &Contribution) -> Result<(), Problems> {
        let mut problems = Problems::default();
        let mut next = self.clone();
        let full = |name: &str| format!("{}.{name}", contribution.space);
        let mut taken = |kind: &str, name: &str, old: bool| {
            if old {
                problems.push(Problem::file(
                    contribution.space,
                    format!("a {kind} named “{name}” is registered already"),
                ));
            }
        };
        for ruleset in (contribution.rulesets)() {
            let name = ruleset.name().to_owned();
            next.code.insert(name.clone(), contribution.code);
            taken(
                "ruleset",
                &name,
                next.rulesets.insert(name.clone(), ruleset).is_some(),
            );
        }
        for phase in (contribution.phases)() {
            let name = full(phase.name());
            next.code.insert(name.clone(), contribution.code);
            taken(
                "phase",
                &name,
                next.phases.insert(name.clone(), phase).is_some(),
            );
        }
        for combat in (contribution.combats)() {
            let name = full(combat.name());
            next.code.insert(name.clone(), contribution.code);
            taken(
                "combat system",
                &name,
                next.combats.insert(name.clone(), combat).is_some(),
            );
        }
        *self = problems.check(next)?;
        Ok(())
    }

    /// The ruleset of this name.
    #[must_use]
    pub fn ruleset(&self, name: &str) -> Option<&Arc<dyn Ruleset>> {
        self.rulesets.get(name)
    }

    /// All rulesets, phases and combat systems by full name, each with what it is.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let rulesets = self.rulesets.keys().map(|name| ("ruleset", name.as_str()));
        let phases = self.phases.keys().map(|name| ("phase", name.as_str()));
        rulesets
            .chain(phases)
            .chain(self.combats.keys().map(|name| ("combat", name.as_str())))
    }

    /// What reads scripts, if anything does.
    pub(crate) fn scripting(&self) -> Option<&'static dyn Scripting> {
        self.language.map(|language| language.scripting)
    }

    /// The code of what reads scripts.
    pub(crate) fn code_of_scripts(&self) -> Option<Code> {
        self.language.map(|language| language.code)
    }

    /// The code of a ruleset.
    pub(crate) fn code_of_ruleset(&self, name: &str) -> Option<Code> {
        self.code.get(name).copied()
    }

    /// The code of a phase or combat system, by its full name or by its short name within a ruleset.
    pub(crate) fn code_of(&self, space: &str, name: &str) -> Option<Code> {
        let full = self.code.get(&format!("{space}.{name}"));
        full.or_else(|| self.code.get(name)).copied()
    }

    /// A phase by its full name, or by its short name within a ruleset.
    pub(crate) fn phase(&self, space: &str, name: &str) -> Result<&Arc<dyn Phase>, Missing> {
        lookup(&self.phases, "phase", space, name)
    }

    /// The full name of a phase that is known by its full name or by its short one.
    pub(crate) fn phase_name(&self, space: &str, name: &str) -> String {
        let full = format!("{space}.{name}");
        if self.phases.contains_key(&full) {
            full
        } else {
            name.to_owned()
        }
    }

    /// What a phase or combat system needs, by its full name: for lists.
    #[must_use]
    pub fn needs(&self, name: &str) -> Option<Needs> {
        let phase = self.phases.get(name).map(|phase| phase.needs());
        phase.or_else(|| self.combats.get(name).map(|combat| combat.needs()))
    }

    /// A combat system by its full name, or by its short name within a ruleset.
    pub(crate) fn combat(&self, space: &str, name: &str) -> Result<&Arc<dyn Combat>, Missing> {
        lookup(&self.combats, "combat system", space, name)
    }
}

fn lookup<'a, T>(
    all: &'a BTreeMap<String, T>,
    kind: &str,
    space: &str,
    name: &str,
) -> Result<&'a T, Missing> {
    all.get(&format!("{space}.{name}"))
        .or_else(|| all.get(name))
        .ok_or_else(|| {
            let own = format!("{space}.");
            let names = all
                .keys()
                .map(|full| full.strip_prefix(&own).unwrap_or(full));
            Missing {
                field: "",
                message: format!("no {kind} “{name}” is registered"),
                nearest: nearest(name, names).map(str::to_owned),
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn composition() -> Composition {
        let text = r#"(
            name: "toy", title: "Toy", modelled_on: "nothing",
            sides: ((id: "blue", name: "Blue"), (id: "red", name: "Red")),
            sequence: [once("dawn"), sides(["march", "fire"]), once("rest")],
            combat: {"fire": "volley"}, switches: {"wind": false},
        )"#;
        Source::new("ruleset.ron", text).ron().unwrap()
    }

    /// The phases after some changes, or what is wrong with them.
    fn changed(change: &str) -> Result<Composition, String> {
        let text = format!(r#"(base: "toy", name: "v", title: "V", change: [{change}])"#);
        let file = Source::new("v.ron", text);
        let variant: Variant = file.ron().map_err(|problem| problem.to_string())?;
        let changed = composition().with(&variant, &file);
        changed.map_err(|problems| problems.to_string())
    }

    fn phases(change: &str) -> String {
        let changed = changed(change).unwrap();
        changed.phases().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn phases_are_swapped_removed_added_and_moved_where_they_stand() {
        assert_eq!(phases(""), "dawn march fire rest");
        assert_eq!(
            phases(r#"swap_phase(was: "fire", to: "charge")"#),
            "dawn march charge rest"
        );
        assert_eq!(phases(r#"remove_phase("march")"#), "dawn fire rest");
        assert_eq!(phases(r#"remove_phase("rest")"#), "dawn march fire");
        assert_eq!(
            phases(r#"add_phase(phase: "rally", after: "march")"#),
            "dawn march rally fire rest"
        );
        assert_eq!(
            phases(r#"move_phase(phase: "march", after: "fire")"#),
            "dawn fire march rest"
        );
        assert_eq!(
            phases(r#"add_phase(phase: "rally", before: "march")"#),
            "dawn rally march fire rest"
        );
        assert_eq!(
            phases(r#"move_phase(phase: "rest", before: "fire")"#),
            "dawn march rest fire"
        );
        let behind = changed(r#"add_phase(phase: "dusk", after: "rest")"#).unwrap();
        assert_eq!(behind.sequence.last(), Some(&Stretch::Once("dusk".into())));
    }

    #[test]
    fn combat_systems_and_switches_are_set_by_name() {
        let set = r#"swap_combat(role: "fire", was: "volley", to: "duel"), switch(name: "wind", to: true)"#;
        let set = changed(set).unwrap();
        assert_eq!((&*set.combat["fire"], set.switches["wind"]), ("duel", true));
        assert_eq!(set.name, "toy+v");
    }

    #[test]
    fn a_name_that_is_not_there_is_told_with_the_nearest() {
        let wrong = [
            (
                r#"remove_phase("marsh")"#,
                "change[0]: no phase “marsh” in this ruleset; did you mean \"march\"?",
            ),
            (
                r#"add_phase(phase: "x", after: "rests")"#,
                "change[0].after: no phase “rests” in this ruleset; did you mean \"rest\"?",
            ),
            (
                r#"add_phase(phase: "x", after: "rest", before: "fire")"#,
                "change[0]: expected either `after` or `before`, the phase that it stands beside",
            ),
            (
                r#"move_phase(phase: "rest", before: "rest")"#,
                "change[0].before: “rest” cannot stand beside itself",
            ),
            (
                r#"swap_combat(role: "fires", was: "volley", to: "x")"#,
                "change[0].role: no combat role “fires” in this ruleset; did you mean \"fire\"?",
            ),
            (
                r#"swap_combat(role: "fire", was: "duel", to: "x")"#,
                "change[0].was: “fire” is played by “volley”, not by “duel”",
            ),
            (
                r#"switch(name: "winds", to: true)"#,
                "change[0].name: no switch “winds” in this ruleset; did you mean \"wind\"?",
            ),
        ];
        for (change, words) in wrong {
            let told = changed(change).unwrap_err();
            assert!(told.contains(words), "expected “{words}” in:\n{told}");
        }
    }

    #[test]
    fn every_mistake_of_a_variant_is_told_at_once() {
        let told = changed(r#"remove_phase("a"), remove_phase("march"), remove_phase("b")"#);
        let told = told.unwrap_err();
        assert!(
            told.contains("change[0]") && told.contains("change[2]"),
            "{told}"
        );
        assert!(!told.contains("change[1]"), "{told}");
    }
}
