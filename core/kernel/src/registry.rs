//! The registry: everything that can be composed, from crates linked into the program (`inventory`) or from
//! shared libraries.

use crate::combat::Combat;
use crate::identity::Code;
use crate::needs::Needs;
use crate::phase::Phase;
use crate::ruleset::Ruleset;
use crate::scripting::{Language, Scripting};
use crate::variant::Missing;
use cupola_data::{Problem, Problems, nearest};
use std::collections::BTreeMap;
use std::sync::Arc;

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
///
/// ```
/// use cupola_corps20 as _; // a ruleset that nobody uses is not linked
/// use cupola_kernel::Registry;
///
/// let registry = Registry::linked()?;
/// assert!(registry.ruleset("corps20").is_some());
/// let mut names = registry.names();
/// assert!(names.any(|(_, name)| name == "corps20.recovery"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
            // What another ruleset calls so is meant sooner than what is spelt almost so.
            let short = |full: &&String| full.rsplit('.').next() == Some(name);
            let others = all.keys().find(short).map(String::as_str);
            Missing {
                field: "",
                message: format!("no {kind} “{name}” is registered"),
                nearest: others.or_else(|| nearest(name, names)).map(str::to_owned),
            }
        })
}
