//! Single files: cases, positions, journals, scenarios, variants.

use super::data::plan;
use super::{Checker, Line, trial};
use crate::situation::{self, Kind};
use crate::thing::only_ruleset;
use cupola_data::{Problem, Problems, Source};
use cupola_ground::Battlefield;
use cupola_kernel::{PositionFile, Seed, Session, Variant, cases};
use cupola_library::{Library, ScenarioInfo};
use std::collections::BTreeMap;
use std::path::Path;

/// What went wrong, as problems of a file.
fn problems(name: &str, error: anyhow::Error) -> Problems {
    let one = |error: anyhow::Error| match error.downcast::<Problem>() {
        Ok(problem) => problem,
        Err(error) => Problem::file(name, format!("{error:#}")),
    };
    error
        .downcast::<Problems>()
        .unwrap_or_else(|error| one(error).into())
}

impl Checker<'_> {
    /// Checks a file that was named; one that is nothing we know is wrong.
    pub fn file(&mut self, path: &Path) -> Line {
        let what = path.display().to_string();
        match Source::read(path) {
            Err(problem) => Line::of(what, "file", Err(problem.into())),
            Ok(source) => self.source(path, &source).unwrap_or_else(|| {
                let problem = situation::broken(path, &source).unwrap_or_else(|| {
                    let message = "this is no case, position, journal, scenario, variant or plan";
                    Problem::file(&what, message).with_hint("a board, a table or an army list is checked with its data folder: cupola check data/")
                });
                Line::of(what, "file", Err(problem.into()))
            }),
        }
    }

    /// Checks a file that was found in a folder, if it is one that we know.
    pub fn known_file(&mut self, path: &Path) -> Option<Line> {
        let known = path
            .extension()
            .is_some_and(|ending| ending == "ron" || ending == "cupola");
        if !known {
            return None;
        }
        match Source::read(path) {
            Ok(source) => self.source(path, &source),
            Err(problem) => {
                let what = path.display().to_string();
                Some(Line::of(what, "file", Err(problem.into())))
            }
        }
    }

    fn source(&mut self, path: &Path, source: &Source) -> Option<Line> {
        let what = path.display().to_string();
        let kind = Kind::of(source);
        if let Some(line) = self.not_linked(&what, kind, source) {
            return Some(line);
        }
        Some(match kind {
            Kind::Case => Line::of(what, "case", self.case(source)),
            Kind::Position => Line::of(what, "position", self.position(source)),
            Kind::Journal => Line::of(what, "journal", self.journal(source)),
            Kind::Variant => self.variant(path, source),
            Kind::Scenario => Line::of(what, "scenario", self.scenario(path)),
            Kind::Plan => Line::of(what, "plan", self.plan(source)),
            Kind::Other => return None,
        })
    }

    /// A case or position of a ruleset that has data but is not in this program cannot be judged.
    fn not_linked(&self, what: &str, kind: Kind, source: &Source) -> Option<Line> {
        let (kind, ruleset) = match kind {
            Kind::Case => ("case", cases::wants(source).ok()?.0),
            Kind::Position => {
                let file = PositionFile {
                    source: source.clone(),
                    in_case: false,
                };
                ("position", file.header().ok()?.ruleset)
            }
            Kind::Journal | Kind::Variant | Kind::Scenario | Kind::Plan | Kind::Other => {
                return None;
            }
        };
        let library = &self.context.library;
        let known = library.rulesets().contains(&ruleset);
        (known && !library.is_played(&ruleset)).then(|| Line {
            what: what.to_owned(),
            kind,
            ok: None,
            text: format!("the rules of {ruleset} are not in this program"),
        })
    }

    fn case(&mut self, source: &Source) -> Result<String, Problems> {
        let (ruleset, scenario) = cases::wants(source)?;
        let play = self.play(&ruleset, &scenario);
        let play = play.map_err(|wrong| placed(source, "position.", wrong))?;
        let report = cases::run(&play, source)?;
        let sections: Vec<String> = report
            .proves
            .iter()
            .map(|section| format!("§{section}"))
            .collect();
        Ok(format!("{}; proves {}", report.about, sections.join(", ")))
    }

    fn position(&mut self, source: &Source) -> Result<String, Problems> {
        let file = PositionFile {
            source: source.clone(),
            in_case: false,
        };
        let header = file.header()?;
        let play = self.play(&header.ruleset, &header.scenario);
        let play = play.map_err(|wrong| placed(source, "", wrong))?.at(&file)?;
        let game = play
            .game(Seed(1863))
            .map_err(|fault| Problem::file(&source.name, fault.to_string()))?;
        let options = game.decision().map_or(0, |decision| decision.options.len());
        Ok(format!(
            "{}, {}, {options} options",
            header.ruleset, header.turn
        ))
    }

    /// Plays a scenario from wherever its file lies: of the ruleset that was asked for, or of the only one that can.
    fn scenario(&mut self, path: &Path) -> Result<String, Problems> {
        let what = path.display().to_string();
        let ruleset = match &self.ruleset {
            Some(ruleset) => ruleset.clone(),
            None => only_ruleset(self.context, path).map_err(|error| problems(&what, error))?,
        };
        let library = &mut self.context.library;
        let scenario = library.bring_scenario(&ruleset, path)?;
        let resolved = library.resolve(&ruleset, &scenario, None)?;
        library.play_resolved(&resolved)?;
        library.underived(&resolved)?.check(())?;
        Ok(format!("{ruleset}, {}", resolved.battle))
    }

    /// What a side means to do, in the battle that it names.
    fn plan(&self, source: &Source) -> Result<String, Problems> {
        #[derive(serde::Deserialize)]
        struct Head {
            battle: String,
        }
        let head: Head = source.ron()?;
        let library = &self.context.library;
        let known = library.battle(&head.battle);
        let battle = known.map_err(|wrong| placed(source, "", wrong))?;
        let field = Battlefield::read(&library.root().join("battlefields").join(&head.battle))?;
        plan(source, &battle, &field)
    }

    fn journal(&mut self, source: &Source) -> Result<String, Problems> {
        let told = |error| problems(&source.name, error);
        let (play, journal) = situation::journal(self.context, source).map_err(told)?;
        let session = Session::replay(&play, &journal, &source.name)?;
        Ok(format!(
            "{} decisions, every hash as written",
            session.journal().steps.len()
        ))
    }

    /// Composes a variant with every scenario of its base, or of the battle that it is about.
    pub(super) fn variant(&mut self, path: &Path, source: &Source) -> Line {
        let what = path.display().to_string();
        let source = &match cupola_library::with_scripts(source.clone(), path) {
            Ok(source) => source,
            Err(problem) => return Line::of(what, "variant", Err(problem.into())),
        };
        let variant = match source.ron::<Variant>() {
            Ok(variant) => variant,
            Err(problem) => return Line::of(what, "variant", Err(problem.into())),
        };
        if let Err(error) = self.context.load_plugins_of(source) {
            // Whoever has not built the plugin cannot play the variant, but may have everything else right.
            return Line {
                what,
                kind: "variant",
                ok: None,
                text: format!("{error:#}"),
            };
        }
        let mut problems = Problems::new();
        let library = &self.context.library;
        let scenarios = meant(library, &variant, source, &mut problems);
        let mut battles: BTreeMap<&str, Problems> = BTreeMap::new();
        for scenario in &scenarios {
            let first = !battles.contains_key(&*scenario.battle);
            let found = battles.entry(&scenario.battle).or_default();
            let resolved = library.resolve(&variant.base, &scenario.name, Some(source));
            let Some(resolved) = found.keep_all(resolved) else {
                continue;
            };
            let play = found.keep_all(library.play_resolved(&resolved));
            if let Some(play) = play.filter(|_| first) {
                found.keep_all(trial::play(&play, &resolved.composition));
            }
            if let Some(wrong) = found.keep_all(library.underived(&resolved)) {
                found.append(wrong);
            }
        }
        problems.append(of_one_battle(source, battles));
        let text = format!(
            "{}, in {} scenarios of {}",
            variant.title,
            scenarios.len(),
            variant.base
        );
        Line::of(what, "variant", problems.check(text))
    }
}

/// A name in a file that nobody knows is told with the place where it stands.
fn placed(source: &Source, prefix: &str, wrong: Problems) -> Problems {
    let place = |problem: &Problem| match &*problem.file {
        field @ ("ruleset" | "scenario" | "battle") if problem.line == 0 => Problem {
            hint: problem.hint.clone(),
            ..source.problem(&format!("{prefix}{field}"), &*problem.message)
        },
        _ => problem.clone(),
    };
    wrong.iter().map(place).collect()
}

/// The scenarios that a variant is for; what it names and is not there is a problem.
fn meant(
    library: &Library,
    variant: &Variant,
    source: &Source,
    problems: &mut Problems,
) -> Vec<ScenarioInfo> {
    let mut scenarios = library.scenarios(&variant.base);
    if let Some(battle) = variant.battle.as_ref().filter(|_| !scenarios.is_empty()) {
        let all = library.battles(&variant.base);
        if !all.contains(battle) {
            let message = format!("{} has no battle \"{battle}\"", variant.base);
            let problem = source.problem("battle", message);
            problems.push(problem.with_nearest(battle, all.iter().map(String::as_str)));
        }
        scenarios.retain(|scenario| scenario.battle == *battle);
    } else if scenarios.is_empty() {
        let all = library.rulesets();
        let problem = source.problem(
            "base",
            format!("no ruleset \"{}\" with scenarios", variant.base),
        );
        problems.push(problem.with_nearest(&variant.base, all.iter().map(String::as_str)));
    }
    // A what-if of one scenario need not fit the others.
    if let Some(named) = variant.scenario.as_ref().filter(|_| !scenarios.is_empty()) {
        let names: Vec<_> = scenarios.iter().map(|one| one.name.clone()).collect();
        if !names.contains(named) {
            let message = format!("{} has no scenario \"{named}\"", variant.base);
            let problem = source.problem("scenario", message);
            problems.push(problem.with_nearest(named, names.iter().map(String::as_str)));
        }
        scenarios.retain(|scenario| scenario.name == *named);
    }
    scenarios
}

/// What is wrong in every battle as it is; what is wrong in some with the battle, and how to say that only another is meant.
fn of_one_battle(variant: &Source, battles: BTreeMap<&str, Problems>) -> Problems {
    let mut all = Problems::new();
    for (battle, found) in &battles {
        for problem in found.iter() {
            // What is wrong with the data is told as it is elsewhere.
            let own = problem.file == variant.name;
            let in_all = || {
                battles
                    .values()
                    .all(|other| other.iter().any(|one| one == problem))
            };
            let everywhere = !own || in_all();
            let problem = problem.clone();
            all.push(match everywhere {
                true => problem,
                false => {
                    let hint = problem.hint.iter().map(|hint| format!("{hint}; "));
                    let hint: String = hint.collect();
                    let words = "a variant for one battle says which: battle: \"…\"";
                    problem.with_hint(format!("{hint}so in {battle}; {words}"))
                }
            });
        }
    }
    all
}
