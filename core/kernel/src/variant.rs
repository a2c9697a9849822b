//! A variant changes a composition by name: what a designer writes.

use crate::compose::{Composition, Stretch};
use crate::scripting::Scripts;
use cupola_data::{Origin, Problems, Source, Written, nearest};
use serde::{Deserialize, Serialize};

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
