//! The setting of a comparison: which hours of which battle, by which plans, against which record.

use crate::contest::Contest;
use crate::grid::{Bands, PlanPair};
use cupola_army::{Battle, History, Scenario, Span};
use cupola_bots::{Brief, Plan, Skill};
use cupola_data::{Problem, Problems, Source};
use cupola_ground::Battlefield;
use cupola_kernel::{Play, Seed, Side};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Hours of a battle, with all that is known of it.
pub struct Setting {
    /// The hours and the sides.
    pub scenario: Scenario,
    /// The army list.
    pub battle: Battle,
    /// The ground.
    pub ground: Battlefield,
    /// What is recorded.
    pub history: History,
    /// The plans of the two sides, in the scenario's order; none for a side that seeks the enemy.
    pub plans: [Option<Plan>; 2],
    /// Their texts, for those who play the same elsewhere.
    pub texts: [Option<String>; 2],
    /// What a loss by the rules may stand for in men.
    pub bands: Bands,
}

impl Setting {
    /// Reads a scenario of the battle and everything that belongs to it.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn read(library: &Library, scenario: &str) -> Result<Setting, Problems> {
        let source = scenario_file(library, scenario)?;
        // The battle's name is needed before the army list that the scenario is checked against.
        let name = battle_name(&source)?;
        let mut problems = Problems::default();
        let battle = library.battle(&name)?;
        let scenario = problems.keep_all(Scenario::read(&source, &battle.army));
        if let Some(scenario) = &scenario {
            problems.keep_all(scenario.check_names(&source, &names_of(library, &name)));
        }
        let known = problems.keep_all(Known::of(library, &battle, &name));
        let (Some(scenario), Some(known)) = (scenario, known) else {
            return Err(problems.sorted());
        };
        let mut setting = known.over(scenario, battle);
        add_own_rulesets(library, &mut setting.scenario);
        let plans = setting.scenario.plans.clone();
        problems.keep_all(setting.put_plans(library, &plans));
        problems.check(setting)
    }

    /// The hours that some plays of a battle take, from the first of their turns to the last: for what no file has hours of, such as
    /// a ruleset of one's own. Everybody seeks the enemy.
    ///
    /// # Errors
    /// Everything that is wrong with what is known of the battle, at once.
    pub fn of_plays(
        library: &Library,
        battle: &str,
        plays: &[(String, Play)],
    ) -> Result<Setting, Problems> {
        let list = library.battle(battle)?;
        let known = Known::of(library, &list, battle)?;
        let Some((_, first)) = plays.first() else {
            return Err(Problem::file(battle, "nothing is played").into());
        };
        let spans = plays.iter().map(|(_, play)| span(play));
        let span = spans.fold(span(first), |all, one| Span {
            from: all.from.min(one.from),
            to: all.to.max(one.to),
        });
        let sides = Side::BOTH.map(|side| {
            let side = &first.env().sides[side];
            cupola_army::Side {
                side: side.id.clone(),
                name: side.name.clone(),
                forces: vec![side.id.clone()],
                without: vec![],
            }
        });
        let played =
            |(ruleset, play): &(String, Play)| (ruleset.clone(), play.scenario().to_owned());
        let scenario = Scenario {
            id: first.scenario().to_owned(),
            title: first.scenario().to_owned(),
            battle: battle.to_owned(),
            span,
            sides: sides.into(),
            played_as: plays.iter().map(played).collect(),
            plans: BTreeMap::new(),
            other_plans: BTreeMap::new(),
            note: String::new(),
        };
        Ok(known.over(scenario, list))
    }

    /// Puts plans of the library in the place of those that the sides have: by side, the plan. A side that is not named
    /// seeks the enemy.
    ///
    /// # Errors
    /// Everything that is wrong with them, at once.
    pub fn put_plans(
        &mut self,
        library: &Library,
        plans: &BTreeMap<String, String>,
    ) -> Result<(), Problems> {
        let mut problems = Problems::default();
        (self.plans, self.texts) = ([None, None], [None, None]);
        for plan in plans.values() {
            let path = plan_path(library, &self.scenario.battle, plan);
            // One that does not exist is told of with the scenario, with the nearest name.
            if path.is_file() {
                let put = Source::read(&path)
                    .map_err(Problems::from)
                    .and_then(|file| self.put_plan(&file));
                problems.keep_all(put);
            }
        }
        problems.check(())
    }

    /// The plans that the sides have, under a name.
    #[must_use]
    pub fn plan_pair(&self, name: &str) -> PlanPair {
        let title = |plan: &Option<Plan>| {
            plan.as_ref()
                .map_or("everybody seeks the enemy".to_owned(), |plan| {
                    plan.title.clone()
                })
        };
        PlanPair {
            name: name.to_owned(),
            titles: self.plans.iter().map(title).collect(),
            from_record: self.plans.iter().flatten().any(|plan| plan.from_record),
        }
    }

    /// Puts a plan in the place of the one that its side has.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once, or that it is for neither side.
    pub fn put_plan(&mut self, file: &Source) -> Result<(), Problems> {
        let places = self.ground.places.iter();
        let places: Vec<&str> = places.map(|place| place.id.as_str()).collect();
        let plan = Plan::read(file, &self.battle.army, &places)?;
        let sides = &self.scenario.sides;
        let Some(i) = sides.iter().position(|side| side.side == plan.side) else {
            let text = format!("\"{}\" has no part in {}", plan.side, self.scenario.id);
            return Err(file.problem("side", text).into());
        };
        self.plans[i] = Some(plan);
        self.texts[i] = Some(file.text.clone());
        Ok(())
    }

    /// A contest over these hours. Skills are in the order of the scenario's sides.
    #[must_use]
    pub fn contest(&self, name: &str, what: Played, skills: [Skill; 2], seed: Seed) -> Contest {
        let Played {
            title,
            ruleset,
            variant,
            play,
        } = what;
        let free = Side::BOTH.map(|side| Arc::new(Brief::free(&play, side)));
        let mut briefs = free.clone();
        let mut by_side = [Skill::Random; 2];
        for (i, side) in self.scenario.sides.iter().enumerate().take(2) {
            let Some(seat) = play.env().side(&side.side) else {
                continue;
            };
            by_side[seat as usize] = skills[i];
            let plan = self.plans[i].as_ref();
            if let Some(brief) = plan.and_then(|plan| Brief::new(plan, &play, &self.battle.army)) {
                briefs[seat as usize] = Arc::new(brief);
            }
        }
        Contest {
            name: name.to_owned(),
            title,
            ruleset,
            variant,
            play,
            briefs,
            guesses: free,
            skills: by_side,
            seed,
        }
    }
}

/// No file of hours names a ruleset of one's own: it is played as the first of its scenarios that lies within them.
fn add_own_rulesets(library: &Library, hours: &mut Scenario) {
    let mut own = library.rulesets();
    own.retain(|ruleset| !library.ruleset_dir(ruleset).starts_with(library.root()));
    for ruleset in own {
        let scenarios = library.scenarios(&ruleset).into_iter();
        let mut scenarios = scenarios.filter(|scenario| scenario.battle == hours.battle);
        let fits = scenarios.find(|scenario| {
            // What cannot be played is told when somebody wants to play it.
            library
                .play(&ruleset, &scenario.name, None)
                .is_ok_and(|play| {
                    let span = span(&play);
                    hours.span.from <= span.from && span.to <= hours.span.to
                })
        });
        if let Some(scenario) = fits {
            hours.played_as.entry(ruleset).or_insert(scenario.name);
        }
    }
}

/// From the first turn of a play to its last.
fn span(play: &Play) -> Span {
    let env = play.env();
    let turn = |turn: u16| &env.track.turns[usize::from(turn)];
    Span {
        from: turn(env.first_turn).start,
        to: turn(env.last_turn).end,
    }
}

/// What is known of a battle, whatever hours of it are played.
struct Known {
    ground: Battlefield,
    /// None for a battle that was never fought.
    history: Option<History>,
    bands: Bands,
}

impl Known {
    fn of(library: &Library, battle: &Battle, name: &str) -> Result<Known, Problems> {
        let mut problems = Problems::default();
        let data = library.root();
        let ground = Battlefield::read(&data.join("battlefields").join(name))?;
        let places = ground.places.iter().map(|place| place.id.as_str());
        let places: Vec<&str> = places.collect();
        let record = data.join("history").join(name);
        let read = || History::read(&record, &battle.army, &places);
        let history = record.is_dir().then(|| problems.keep_all(read())).flatten();
        let bands = problems.keep_all(Bands::read(&record)).unwrap_or_default();
        problems.check(Known {
            ground,
            history,
            bands,
        })
    }

    fn over(self, scenario: Scenario, battle: Battle) -> Setting {
        let history = self.history.unwrap_or_else(|| History::none(scenario.span));
        Setting {
            scenario,
            battle,
            ground: self.ground,
            history,
            plans: [None, None],
            texts: [None, None],
            bands: self.bands,
        }
    }
}

/// What the two sides of a play are about: the plans of the first scenario of a battle that is played as this
/// one, and free plans where there is none.
///
/// # Errors
/// Everything that is wrong with the plans, at once.
pub fn briefs(library: &Library, ruleset: &str, play: &Play) -> Result<[Arc<Brief>; 2], Problems> {
    let mut briefs = Side::BOTH.map(|side| Arc::new(Brief::free(play, side)));
    for name in scenarios(library) {
        let source = scenario_file(library, &name)?;
        let army = library.battle(&battle_name(&source)?)?.army;
        let scenario = Scenario::read(&source, &army)?;
        if scenario
            .played_as
            .get(ruleset)
            .is_none_or(|as_this| as_this != play.scenario())
        {
            continue;
        }
        let places = play.env().board.places().iter();
        let places: Vec<&str> = places.map(|place| place.id.as_str()).collect();
        for plan in scenario.plans.values() {
            let path = plan_path(library, &scenario.battle, plan);
            let plan = Plan::read(&Source::read(&path)?, &army, &places)?;
            if let Some(brief) = Brief::new(&plan, play, &army) {
                let side = brief.side();
                briefs[side as usize] = Arc::new(brief);
            }
        }
        break;
    }
    Ok(briefs)
}

/// What a contest plays.
pub struct Played {
    /// Its name for people: the ruleset's title, or the variant's.
    pub title: String,
    /// The ruleset, or the base of the variant.
    pub ruleset: String,
    /// The variant's text, if one is played.
    pub variant: Option<String>,
    /// Ruleset, variant and scenario, ready to play.
    pub play: Play,
}

/// The scenarios of battles that there are.
#[must_use]
pub fn scenarios(library: &Library) -> Vec<String> {
    names(&library.root().join("scenarios"))
}

/// The plans for a battle.
#[must_use]
pub fn plans(library: &Library, battle: &str) -> Vec<String> {
    names(&library.root().join("plans").join(battle))
}

/// The file of a plan by its name.
#[must_use]
pub fn plan_path(library: &Library, battle: &str, name: &str) -> PathBuf {
    let folder = library.root().join("plans").join(battle);
    folder.join(format!("{name}.ron"))
}

/// What a scenario of a battle may name: rulesets with their scenarios, plans with their sides.
fn names_of(library: &Library, battle: &str) -> cupola_army::Known {
    #[derive(serde::Deserialize)]
    struct Head {
        side: String,
    }
    let rulesets = library.rulesets().into_iter().map(|ruleset| {
        let scenarios = library.scenarios(&ruleset).into_iter();
        let scenarios = scenarios.filter(|scenario| scenario.battle == battle);
        (ruleset, scenarios.map(|scenario| scenario.name).collect())
    });
    let plans = plans(library, battle).into_iter().filter_map(|plan| {
        // One that cannot be read is told about when it is wanted.
        let head = Source::read(&plan_path(library, battle, &plan)).ok()?;
        Some((plan, head.ron::<Head>().ok()?.side))
    });
    cupola_army::Known {
        rulesets: rulesets.collect(),
        plans: plans.collect(),
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut found: Vec<String> = names
        .filter_map(|name| name.strip_suffix(".ron").map(str::to_owned))
        .collect();
    found.sort();
    found
}

/// The file of a scenario of a battle, by its name, or by its path if it has a dot or a slash in it.
fn scenario_file(library: &Library, scenario: &str) -> Result<Source, Problems> {
    if scenario.contains(['/', '\\', '.']) {
        return Ok(Source::read(Path::new(scenario))?);
    }
    let all = scenarios(library);
    if !all.iter().any(|name| name == scenario) {
        let problem = Problem::file("scenario", format!("no scenario \"{scenario}\""));
        return Err(problem
            .with_nearest(scenario, all.iter().map(String::as_str))
            .into());
    }
    let path = library
        .root()
        .join("scenarios")
        .join(format!("{scenario}.ron"));
    Ok(Source::read(&path)?)
}

fn battle_name(source: &Source) -> Result<String, Problems> {
    #[derive(serde::Deserialize)]
    struct Header {
        battle: String,
    }
    Ok(source.ron::<Header>()?.battle)
}
