//! A ruleset is a series; its battles lie in folders of their own, and a scenario belongs to one of them.

use crate::{Library, ScenarioInfo, names, plain_name};
use cupola_data::{Problem, Problems, Source};
use cupola_kernel::{Composition, SideSpec};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What `battle.ron` says of a battle under a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BattlePlan {
    /// The battle: the name of its folder, its ground and its army list.
    pub battle: String,
    /// Its name for people.
    pub title: String,
    /// Data files that only this battle has, besides those that every battle of the series has.
    #[serde(default)]
    pub files: Vec<String>,
    /// Which army takes the place of which side of the ruleset, where the battle has others.
    #[serde(default)]
    pub sides: BTreeMap<String, SideSpec>,
}

impl BattlePlan {
    /// The two sides as this battle has them, in the ruleset's order.
    ///
    /// # Errors
    /// If it replaces a side that is not there, or one and not the other, or calls both alike.
    pub fn sides(&self, file: &Source, own: &[SideSpec; 2]) -> Result<[SideSpec; 2], Problems> {
        if self.sides.is_empty() {
            return Ok(own.clone());
        }
        let mut problems = Problems::default();
        let roles = || own.iter().map(|side| side.id.as_str());
        for role in self.sides.keys() {
            if !roles().any(|known| known == role) {
                let message = format!("the ruleset has no side \"{role}\"");
                let problem = file.problem(&format!("sides.{role}"), message);
                problems.push(problem.with_known(role, roles()));
            }
        }
        let sides = own.each_ref().map(|side| {
            let Some(army) = self.sides.get(&side.id) else {
                let message = format!("nobody takes the place of \"{}\"", side.id);
                problems.push(file.problem("sides", message));
                return side.clone();
            };
            SideSpec {
                role: Some(side.id.clone()),
                ..army.clone()
            }
        });
        if sides[0].id == sides[1].id {
            let message = format!("both sides are called \"{}\"", sides[0].id);
            problems.push(file.problem("sides", message));
        }
        problems.check(sides)
    }
}

/// What every scenario file says, whatever the ruleset.
#[derive(Debug, Deserialize)]
pub(crate) struct ScenarioHeader {
    title: String,
    pub(crate) battle: String,
}

impl Library {
    /// The battles of a ruleset.
    #[must_use]
    pub fn battles(&self, ruleset: &str) -> Vec<String> {
        let folder = self.ruleset_dir(ruleset).join("battles");
        let mut all = names(&folder, "");
        all.retain(|name| folder.join(name).is_dir());
        all
    }

    /// The folder of a battle of a ruleset.
    ///
    /// # Errors
    /// If there is no such ruleset or battle, with the nearest there is.
    pub fn battle_dir(&self, ruleset: &str, battle: &str) -> Result<PathBuf, Problems> {
        let folder = self.known_ruleset(ruleset)?.join("battles");
        let all = self.battles(ruleset);
        if all.iter().any(|name| name == battle) {
            return Ok(folder.join(battle));
        }
        let message = format!("{ruleset} has no battle \"{battle}\"");
        let problem = Problem::file("battle", message);
        let known = all.iter().map(String::as_str);
        let mut armies = names(&self.root().join("armies"), "").into_iter();
        Err(match armies.any(|name| name == battle) {
            // It has been fought, but not by these rules.
            true => problem.with_hint(format!(
                "battle.ron, grid.ron and board.ron in {} lay its map over that ground",
                folder.join(battle).display()
            )),
            false => problem.with_known(battle, known),
        }
        .into())
    }

    /// The battle of a ruleset where nobody names one: the one that its `ruleset.ron` names, or its only one.
    ///
    /// # Errors
    /// If the ruleset is not known or there are several to choose from.
    pub fn home(&self, ruleset: &str) -> Result<String, Problems> {
        let file = self.known_ruleset(ruleset)?.join("ruleset.ron");
        if file.is_file() {
            let source = Source::read(&file)?;
            let composition: Composition = source.ron()?;
            if let Some(battle) = composition.battle {
                let all = self.battles(ruleset);
                if all.contains(&battle) {
                    return Ok(battle);
                }
                let problem = source.problem("battle", format!("no folder battles/{battle}"));
                let known = all.iter().map(String::as_str);
                return Err(problem.with_known(&battle, known).into());
            }
        }
        match self.battles(ruleset).as_slice() {
            [one] => Ok(one.clone()),
            several => {
                let problem = Problem::file(ruleset, "which battle of it?");
                Err(problem
                    .with_hint(format!("there are {}", several.join(", ")))
                    .into())
            }
        }
    }

    /// The battle where nobody names a ruleset either: that of the first ruleset that names one.
    ///
    /// # Errors
    /// If no ruleset does.
    pub fn home_battle(&self) -> Result<String, Problems> {
        let rulesets = self.rulesets();
        let mut homes = rulesets.iter().filter_map(|name| self.home(name).ok());
        homes.next().ok_or_else(|| {
            let problem = Problem::file("battle", "which battle? No ruleset names one");
            Problems::from(problem)
        })
    }

    /// The scenarios of a ruleset, battle by battle.
    #[must_use]
    pub fn scenarios(&self, ruleset: &str) -> Vec<ScenarioInfo> {
        let each = self.battles(ruleset).into_iter();
        each.flat_map(|battle| self.scenarios_of(ruleset, battle))
            .collect()
    }

    fn scenarios_of(&self, ruleset: &str, battle: String) -> Vec<ScenarioInfo> {
        let info = |name: String| {
            let file = match self.guest(ruleset, &name) {
                Some(file) => Ok(file.clone()),
                None => match self.scenario_in(ruleset, &battle, &name) {
                    Some(path) => Source::read(&path),
                    None => Err(Problem::file(&name, "is gone")),
                },
            };
            let header = file.and_then(|file| file.ron::<ScenarioHeader>());
            ScenarioInfo {
                title: header.map_or_else(|_| "(unreadable)".into(), |header| header.title),
                battle: battle.clone(),
                name,
            }
        };
        let all = self.scenario_names(ruleset, &battle);
        all.into_iter().map(info).collect()
    }

    /// The names of the scenarios of a battle: those of the data folder, the user's own, and those that were brought along.
    fn scenario_names(&self, ruleset: &str, battle: &str) -> Vec<String> {
        let mut all = names(&self.scenario_dir(ruleset, battle), ".ron");
        for name in self.guest_names(ruleset, battle) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        for name in self
            .own_scenarios(ruleset)
            .map_or(vec![], |own| names(&own, ".ron"))
        {
            if !all.contains(&name) && self.scenario_in(ruleset, battle, &name).is_some() {
                all.push(name);
            }
        }
        all
    }

    /// Where the user keeps scenarios of his own of a ruleset.
    #[must_use]
    pub fn own_scenarios(&self, ruleset: &str) -> Option<PathBuf> {
        Some(self.user()?.join("scenarios").join(ruleset))
    }

    /// The file of a scenario of a battle: that of the data folder, or the user's own, which says whose it is.
    fn scenario_in(&self, ruleset: &str, battle: &str, name: &str) -> Option<PathBuf> {
        let file = format!("{name}.ron");
        let path = self.scenario_dir(ruleset, battle).join(&file);
        if path.is_file() {
            return Some(path);
        }
        let own = self.own_scenarios(ruleset)?.join(&file);
        let header = Source::read(&own).and_then(|file| file.ron::<ScenarioHeader>());
        header
            .is_ok_and(|header| header.battle == battle)
            .then_some(own)
    }

    /// Where the file of a scenario lies.
    ///
    /// # Errors
    /// If there is no such scenario, or two battles of the ruleset have one of that name.
    pub fn scenario_path(&self, ruleset: &str, scenario: &str) -> Result<PathBuf, Problems> {
        let battle = self.battle_of(ruleset, scenario)?;
        if let Some(guest) = self.guest(ruleset, scenario) {
            return Ok(guest.name.as_str().into());
        }
        let folder = || self.scenario_dir(ruleset, &battle);
        let found = self.scenario_in(ruleset, &battle, scenario);
        Ok(found.unwrap_or_else(|| folder().join(format!("{scenario}.ron"))))
    }

    /// The battle that a scenario belongs to.
    ///
    /// # Errors
    /// If there is no such scenario, or two battles of the ruleset have one of that name.
    pub fn battle_of(&self, ruleset: &str, scenario: &str) -> Result<String, Problems> {
        self.known_ruleset(ruleset)?;
        let battles = self.battles(ruleset);
        let folder = |battle: &String| self.scenario_names(ruleset, battle);
        let holds = |battle: &&String| folder(battle).iter().any(|name| name == scenario);
        let found: Vec<&String> = battles.iter().filter(holds).collect();
        let problem = |message: String| Problem::file("scenario", message);
        match found.as_slice() {
            [one] => Ok((*one).clone()),
            [] => {
                let all: Vec<String> = battles.iter().flat_map(folder).collect();
                let problem = problem(format!("{ruleset} has no scenario \"{scenario}\""));
                Err(problem
                    .with_nearest(scenario, all.iter().map(String::as_str))
                    .into())
            }
            several => {
                let message =
                    format!("several battles of {ruleset} have a scenario \"{scenario}\"");
                let each = several
                    .iter()
                    .map(|battle| format!("battles/{battle}/scenarios/{scenario}.ron"));
                let hint = format!("rename one: {}", each.collect::<Vec<_>>().join(", "));
                Err(problem(message).with_hint(hint).into())
            }
        }
    }

    /// A scenario's file, once it says that it belongs to the battle in whose folder it lies.
    pub(crate) fn scenario_file(
        &self,
        ruleset: &str,
        scenario: &str,
        battle: &str,
    ) -> Result<Source, Problems> {
        let source = match self.guest(ruleset, scenario) {
            Some(guest) => guest.clone(),
            None => Source::read(&self.scenario_path(ruleset, scenario)?)?,
        };
        let header: ScenarioHeader = source.ron()?;
        belongs(&source, &header.battle, battle)?;
        Ok(source)
    }

    fn scenario_dir(&self, ruleset: &str, battle: &str) -> PathBuf {
        let battles = self.ruleset_dir(ruleset).join("battles");
        battles.join(battle).join("scenarios")
    }

    /// What `battle.ron` says.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn battle_plan(
        &self,
        ruleset: &str,
        battle: &str,
    ) -> Result<(Source, BattlePlan), Problems> {
        let source = Source::read(&self.battle_dir(ruleset, battle)?.join("battle.ron"))?;
        let plan: BattlePlan = source.ron()?;
        belongs(&source, &plan.battle, battle)?;
        Ok((source, plan))
    }
}

fn belongs(source: &Source, said: &str, battle: &str) -> Result<(), Problem> {
    if said == battle {
        return Ok(());
    }
    let message = format!("\"{said}\", but the file lies in the folder of the battle \"{battle}\"");
    Err(source.problem("battle", message))
}

/// A file that says of which ruleset and battle it is says so truly: one that was copied from elsewhere need not fit.
pub(crate) fn labelled(file: &Source, ruleset: &str, battle: &str) -> Result<(), Problem> {
    // What cannot be read is told by whoever reads all of it.
    let said = |field| file.ron_field::<String>(field).ok().flatten();
    if let Some(said) = said("ruleset").filter(|said| said != ruleset) {
        let message = format!("\"{said}\", but the file lies in the folder of \"{ruleset}\"");
        return Err(file.problem("ruleset", message));
    }
    said("battle").map_or(Ok(()), |said| belongs(file, &said, battle))
}

/// The data files that lists under `files` name, each once: the battle's, or those of the series.
pub(crate) fn data_files(
    lists: [(&Source, &[String]); 2],
    (series, battle): (&Path, &Path),
    problems: &mut Problems,
) -> Vec<(String, Source)> {
    let mut found: Vec<(String, Source)> = vec![];
    for (list, files) in lists {
        for (i, name) in files.iter().enumerate() {
            let path = match found.iter().any(|(known, _)| known == name) {
                true => Err(Problem::file(name, "is listed already")),
                false => data_file(series, battle, name),
            };
            // What is wrong with a name is told where it is written.
            let path = path.map_err(|wrong| Problem {
                hint: wrong.hint,
                ..list.problem(
                    &format!("files[{i}]"),
                    format!("\"{name}\": {}", wrong.message),
                )
            });
            let read = path.and_then(|path| Source::read(&path));
            found.extend(problems.keep(read).map(|source| (name.clone(), source)));
        }
    }
    found
}

/// Where a data file of a ruleset lies: with the battle, or with the series.
fn data_file(series: &Path, battle: &Path, name: &str) -> Result<PathBuf, Problem> {
    plain_name(name)?;
    let folders = [battle, series];
    let mut paths = folders.iter().map(|folder| folder.join(name));
    paths.find(|path| path.is_file()).ok_or_else(|| {
        let near = folders.iter().flat_map(|folder| names(folder, ".ron"));
        let near: Vec<String> = near.map(|name| format!("{name}.ron")).collect();
        let [own, of_series] = folders.map(|folder| folder.display().to_string());
        let message = format!("no such file in {own} or {of_series}");
        Problem::file(name, message).with_nearest(name, near.iter().map(String::as_str))
    })
}
