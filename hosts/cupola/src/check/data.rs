//! A whole data folder.

use super::{Checker, Line, Note, trial};
use cupola_army::{Battle, Counters, History, Known, Scenario};
use cupola_bots::Plan;
use cupola_data::{Lost, Problem, Problems, Source, nearest};
use cupola_ground::{Anchors, Battlefield, Board, BoardFiles};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the rulesets are checked against.
struct Ground {
    fields: BTreeMap<String, Battlefield>,
    battles: BTreeMap<String, Battle>,
}

impl Checker<'_> {
    /// Checks everything in a data folder: ground, armies, every ruleset, history, plans, scenarios,
    /// variants.
    pub(super) fn data_folder(&mut self, root: &Path, note: Note) -> anyhow::Result<()> {
        let mut ground = Ground {
            fields: BTreeMap::new(),
            battles: BTreeMap::new(),
        };
        for (name, folder) in folders(&root.join("battlefields")) {
            let result = Battlefield::read(&folder);
            let text = |field: &Battlefield| {
                format!("{} roads, {} places", field.roads.len(), field.places.len())
            };
            note(Line::of(
                shown(&folder),
                "battlefield",
                keep(&mut ground.fields, name, result, text),
            ))?;
        }
        for (name, folder) in folders(&root.join("armies")) {
            let result = Battle::read(&folder);
            let text =
                |battle: &Battle| format!("{}, {} nodes", battle.title, battle.army.nodes().len());
            note(Line::of(
                shown(&folder),
                "army list",
                keep(&mut ground.battles, name, result, text),
            ))?;
        }
        let library = self.library_of(root);
        for (name, folder) in ruleset_folders(&library) {
            if self.ruleset.as_ref().is_none_or(|wanted| *wanted == name) {
                self.ruleset_folder(&library, &name, &folder, &ground, note)?;
            }
        }
        self.variants(&library, note)?;
        if self.ruleset.is_some() {
            return Ok(());
        }
        for (name, folder) in folders(&root.join("history")) {
            note(Line::of(
                shown(&folder),
                "history",
                history(&folder, &name, &ground),
            ))?;
        }
        for (name, folder) in folders(&root.join("plans")) {
            for path in super::files_under(&folder) {
                let told = Source::read(&path).map_err(Problems::from);
                let told = told.and_then(|source| {
                    let (battle, field) = ground.of(&name)?;
                    plan(&source, battle, field)
                });
                note(Line::of(shown(&path), "plan", told))?;
            }
        }
        for path in super::files_under(&root.join("scenarios")) {
            note(Line::of(shown(&path), "span", span(&path, root, &ground)))?;
        }
        Ok(())
    }

    /// The folder that is checked need not be the one that the program works in; if it is, the user's own belongs to it.
    fn library_of(&self, root: &Path) -> Library {
        let own = &self.context.library;
        let library = Library::new(root.to_owned(), None, own.registry().clone());
        let same = root.canonicalize().ok() == own.root().canonicalize().ok();
        library.with_user(own.user().filter(|_| same).map(Path::to_owned))
    }

    /// All variants, or those of the ruleset that was asked for.
    fn variants(&mut self, library: &Library, note: Note) -> anyhow::Result<()> {
        for name in library.variants() {
            let path = library.variant_path(&name);
            let Ok(source) = Source::read(&path) else {
                continue;
            };
            let base = || source.ron::<cupola_kernel::Variant>().ok();
            let wanted = match &self.ruleset {
                None => true,
                Some(ruleset) => base().is_none_or(|variant| variant.base == *ruleset),
            };
            if wanted {
                note(self.variant(&path, &source))?;
            }
        }
        Ok(())
    }

    fn ruleset_folder(
        &mut self,
        library: &Library,
        name: &str,
        folder: &Path,
        ground: &Ground,
        note: Note,
    ) -> anyhow::Result<()> {
        if folder.join("faces.ron").is_file() {
            note(Line::of(
                shown(&folder.join("faces.ron")),
                "faces",
                faces(library, name, folder),
            ))?;
        }
        for (battle, own) in folders(&folder.join("battles")) {
            battle_folder(library, (name, folder), (&battle, &own), ground, note)?;
        }
        let composed = folder.join("ruleset.ron");
        let played = match library.has_rules(name) {
            Ok(played) => played,
            Err(problem) => {
                let told = Err(problem.into());
                return note(Line::of(shown(&composed), "ruleset", told));
            }
        };
        if !played {
            return note(unplayed(library, name, folder));
        }
        if let Err(problems) = library.home(name)
            && problems.iter().any(|problem| problem.field == "battle")
        {
            note(Line::of(shown(&composed), "ruleset", Err(problems)))?;
        }
        for battle in library.battles(name) {
            let told = library.stale(name, &battle);
            let told = told.and_then(|stale| stale.check("as derived".to_owned()));
            let own = folder.join("battles").join(&battle);
            if told.is_err() {
                note(Line::of(shown(&own), "derived", told))?;
            }
        }
        let own = library.composed(name);
        for scenario in library.scenarios(name) {
            let told = library.play(name, &scenario.name, None).and_then(|play| {
                if let Some((composition, _)) = &own {
                    trial::play(&play, composition)?;
                }
                let units = play.env().units.len();
                Ok(format!("{}, {units} units", scenario.title))
            });
            let path = library.scenario_path(name, &scenario.name)?;
            note(Line::of(shown(&path.with_extension("")), "scenario", told))?;
        }
        let told = ranges(library, name, folder);
        if told.is_err() {
            note(Line::of(shown(&composed), "ranges", told))?;
        }
        Ok(())
    }
}

/// A ruleset whose rules are not in this program.
fn unplayed(library: &Library, name: &str, folder: &Path) -> Line {
    let composed = folder.join("ruleset.ron");
    let text = match library.foreign_base(name) {
        // A plugin may bring what is missing, but hardly what is misspelt.
        Some(problem) if problem.hint.is_some() => {
            return Line::of(shown(&composed), "ruleset", Err(problem.into()));
        }
        Some(problem) => problem.to_string(),
        None if composed.is_file() => "its rules are not linked".to_owned(),
        None => "a map only".to_owned(),
    };
    Line {
        what: shown(folder),
        kind: "ruleset",
        ok: None,
        text,
    }
}

/// Every range of a ruleset is one of something: a battle need not have all that the series knows, but one of them has it.
fn ranges(library: &Library, name: &str, folder: &Path) -> Result<String, Problems> {
    let file = Source::read(&folder.join("ruleset.ron"))?;
    let mut nowhere: Option<BTreeMap<String, Lost>> = None;
    for battle in library.battles(name) {
        let mut scenarios = library.scenarios(name).into_iter();
        let Some(first) = scenarios.find(|scenario| scenario.battle == battle) else {
            continue;
        };
        // What does not resolve was told of the scenario.
        let Ok(resolved) = library.resolve(name, &first.name, None) else {
            return Ok(String::new());
        };
        let ranges = resolved.composition.ranges.keys();
        let lost = ranges.filter_map(|path| {
            let lost = resolved.shelf.find(path).err()?;
            Some((path.clone(), lost))
        });
        let lost: BTreeMap<String, Lost> = lost.collect();
        nowhere = Some(match nowhere {
            None => lost,
            Some(mut all) => {
                all.retain(|path, _| lost.contains_key(path));
                all
            }
        });
    }
    let wrong = nowhere.unwrap_or_default().into_iter();
    let wrong = wrong.map(|(path, lost)| Problem {
        hint: lost.hint,
        ..file.problem(&format!("ranges.{path}"), lost.message)
    });
    wrong
        .collect::<Problems>()
        .check("all lead somewhere".to_owned())
}

/// How a ruleset's counters look; the scenario that it says beginners play is one of its own.
fn faces(library: &Library, name: &str, folder: &Path) -> Result<String, Problems> {
    let source = Source::read(&folder.join("faces.ron"))?;
    let faces = cupola_look::Faces::read(&source)?;
    let scenarios = library.scenarios(name);
    let mut names = scenarios.iter().map(|scenario| scenario.name.as_str());
    if let Some(begin) = &faces.begin
        && !names.clone().any(|known| known == begin)
    {
        let hint = nearest(begin, names.clone()).or_else(|| names.next());
        let hint = hint.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
        let what = format!("\"{begin}\" is no scenario of {name}{hint}");
        return Err(source.problem("begin", what).into());
    }
    Ok(format!("{} faces", faces.faces.len()))
}

/// What a ruleset has for one battle: its plan, turns, board and counters.
fn battle_folder(
    library: &Library,
    (ruleset, folder): (&str, &Path),
    (battle, own): (&str, &Path),
    ground: &Ground,
    note: Note,
) -> anyhow::Result<()> {
    let plan = library
        .battle_plan(ruleset, battle)
        .and_then(|(file, plan)| {
            let known = ground
                .battles
                .keys()
                .filter(|name| ground.fields.contains_key(*name));
            let known: Vec<&str> = known.map(String::as_str).collect();
            if known.contains(&battle) {
                return Ok(plan.title);
            }
            let message = format!("no ground and army list of a battle \"{battle}\"");
            Err(file
                .problem("battle", message)
                .with_nearest(battle, known)
                .into())
        });
    note(Line::of(shown(&own.join("battle.ron")), "battle", plan))?;
    let turns = library.turns(ruleset, battle);
    let told = turns.map(|turns| format!("{} turns", turns.turns.len()));
    note(Line::of(shown(&own.join("turns.ron")), "turns", told))?;
    if let Some(field) = ground.fields.get(battle) {
        let told = board(library.root(), folder, own, field);
        note(Line::of(shown(&own.join("board.ron")), "board", told))?;
    }
    if let Some(battle) = ground.battles.get(battle) {
        let told = counters(own, battle);
        note(Line::of(shown(&own.join("counters.ron")), "counters", told))?;
    }
    Ok(())
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Keeps what was read for those who need it later, and says something about it.
fn keep<T>(
    kept: &mut BTreeMap<String, T>,
    name: String,
    result: Result<T, Problems>,
    text: impl Fn(&T) -> String,
) -> Result<String, Problems> {
    let value = result?;
    let told = text(&value);
    kept.insert(name, value);
    Ok(told)
}

/// The rulesets of a data folder, and of the user's own.
fn ruleset_folders(library: &Library) -> Vec<(String, PathBuf)> {
    let mut found = folders(&library.root().join("rulesets"));
    if let Some(user) = library.user() {
        let own = folders(&user.join("rulesets")).into_iter();
        let new: Vec<_> = own
            .filter(|(name, _)| found.iter().all(|(known, _)| known != name))
            .collect();
        found.extend(new);
    }
    found
}

fn folders(path: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let mut found: Vec<(String, PathBuf)> = entries
        .filter(|path| path.is_dir())
        .filter_map(|path| Some((path.file_name()?.to_str()?.to_owned(), path)))
        .collect();
    found.sort();
    found
}

/// Compiles a board and holds it against the places that the rulebook names by hex.
fn board(
    root: &Path,
    series: &Path,
    folder: &Path,
    field: &Battlefield,
) -> Result<String, Problems> {
    let mut problems = Problems::new();
    let ground = root.join("battlefields").join(&field.name);
    let (grid, plan) = BoardFiles::read(&ground, series)?.grid_and_plan()?;
    let board = problems.keep_all(Board::compile(field, &grid, &plan));
    let path = folder.join("anchors.ron");
    let anchors = if path.is_file() {
        problems.keep_all(Anchors::read(&path, &grid, field))
    } else {
        None
    };
    if let (Some(board), Some(anchors)) = (&board, &anchors) {
        for anchor in anchors.astray(board) {
            let message = format!(
                "{} names \"{}\" as {}, the board does not",
                anchor.cite, anchor.place, anchor.hex
            );
            problems.push(Problem::file(shown(&path), message));
        }
    }
    let hexes = board.map_or(0, |board| board.len());
    problems.check(format!(
        "{hexes} hexes, {} places as the rulebook names them",
        anchors.map_or(0, |a| a.0.len())
    ))
}

fn counters(folder: &Path, battle: &Battle) -> Result<String, Problems> {
    let file = Source::read(&folder.join("counters.ron"))?;
    let list = Counters::<serde::de::IgnoredAny, serde::de::IgnoredAny>::read(&file, &battle.army)?;
    cupola_library::derived(&file, &battle.army)?.check(())?;
    Ok(format!(
        "{} counters cover the armies once, {} leaders",
        list.counters.len(),
        list.leaders.len()
    ))
}

impl Ground {
    /// The order of battle and the places of a battle, or what is missing.
    fn of(&self, battle: &str) -> Result<(&Battle, &Battlefield), Problem> {
        match (self.battles.get(battle), self.fields.get(battle)) {
            (Some(army), Some(field)) => Ok((army, field)),
            _ => {
                let message = format!("no battle \"{battle}\" that could be read");
                let known = self.battles.keys().map(String::as_str);
                Err(Problem::file(battle, message).with_nearest(battle, known))
            }
        }
    }
}

fn history(folder: &Path, battle: &str, ground: &Ground) -> Result<String, Problems> {
    let (battle, field) = ground.of(battle)?;
    let history = History::read(folder, &battle.army, &places(field))?;
    Ok(format!(
        "{} bodies, {} places",
        history.bodies().count(),
        history.places().count()
    ))
}

/// The names of what is worth going to.
fn places(field: &Battlefield) -> Vec<&str> {
    let places = field.places.iter().map(|place| place.id.as_str());
    places.collect()
}

/// What a side means to do.
pub(super) fn plan(
    source: &Source,
    battle: &Battle,
    field: &Battlefield,
) -> Result<String, Problems> {
    let plan = Plan::read(source, &battle.army, &places(field))?;
    Ok(format!("{}, {} orders", plan.title, plan.orders.len()))
}

/// What a scenario of a battle may name: rulesets with their scenarios, plans with their sides.
fn known(root: &Path, battle: &str) -> Known {
    #[derive(serde::Deserialize)]
    struct Head {
        side: String,
    }
    let stem = |path: &PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    let rulesets = folders(&root.join("rulesets")).into_iter();
    let rulesets = rulesets.map(|(name, folder)| {
        let own = folder.join("battles").join(battle).join("scenarios");
        let files = super::files_under(&own);
        (name, files.iter().filter_map(stem).collect())
    });
    let plans = super::files_under(&root.join("plans").join(battle));
    let plans = plans.iter().filter_map(|path| {
        // One that cannot be read has had its say already.
        let head: Head = Source::read(path).ok()?.ron().ok()?;
        Some((stem(path)?, head.side))
    });
    Known {
        rulesets: rulesets.collect(),
        plans: plans.collect(),
    }
}

/// A scenario in terms of the battle, which any ruleset can be cut to.
fn span(path: &Path, root: &Path, ground: &Ground) -> Result<String, Problems> {
    #[derive(serde::Deserialize)]
    struct Head {
        battle: String,
    }
    let source = Source::read(path)?;
    let head: Head = source.ron()?;
    let Some(battle) = ground.battles.get(&head.battle) else {
        let problem = source.problem("battle", format!("no battle \"{}\"", head.battle));
        return Err(problem
            .with_nearest(&head.battle, ground.battles.keys().map(String::as_str))
            .into());
    };
    let scenario = Scenario::read(&source, &battle.army)?;
    scenario.check_names(&source, &known(root, &head.battle))?;
    Ok(format!(
        "{}, {} to {}",
        scenario.title, scenario.span.from, scenario.span.to
    ))
}
