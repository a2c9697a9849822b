//! A ruleset as it is played: its files with all changes made, before anybody reads them.

use crate::whatif::{Start, WhatIf};
use crate::{Library, battles, names, unstack};
use cupola_army::{Battle, Turns};
use cupola_data::{Problem, Problems, Source};
use cupola_ground::{Board, BoardFiles};
use cupola_kernel::{
    Composition, Identity, Overlay, Play, PlayParts, Ruleset, Shelf, Touch, Variant,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A ruleset with a scenario and variants, as it is played.
pub struct Resolved {
    /// The ruleset, or the base of the variants.
    pub ruleset: String,
    /// The scenario.
    pub scenario: String,
    /// The battle it belongs to.
    pub battle: String,
    /// Phases, combat systems and switches.
    pub composition: Composition,
    /// All files, with all changes made.
    pub shelf: Shelf,
    /// The variants, in order, each with its file.
    pub variants: Vec<(Source, Variant)>,
    /// The registered ruleset that plays it.
    base: String,
    composition_file: Source,
    /// The data files of the ruleset by their full names.
    data: Vec<String>,
    board: BoardFiles,
    army: Source,
    plan: Source,
    start: Option<Start>,
    variant_text: Option<String>,
}

/// The names on the shelf of files that have the same one in every ruleset.
const SCENARIO: &str = "scenario";
const TURNS: &str = "turns";
const TERRAIN: &str = "terrain";
const GRID: &str = "grid";
const BOARD: &str = "board";
/// The group of the army lists.
const ARMY: &str = "army";

impl Library {
    /// A ruleset with a scenario as it is played, under one variant or a [`crate::stack`] of them. What the values
    /// come to is only known to fit once it is [played](Library::play_resolved).
    ///
    /// # Errors
    /// Everything that is wrong with the files as such and with the changes, at once.
    pub fn resolve(
        &self,
        ruleset: &str,
        scenario: &str,
        variant: Option<&Source>,
    ) -> Result<Resolved, Problems> {
        let series = self.known_ruleset(ruleset)?;
        let file = Source::read(&series.join("ruleset.ron"))?;
        let mut composition: Composition = file.ron()?;
        if composition.name != ruleset {
            // Journals and the lab would call its games another's.
            let message = format!("\"{}\" lies in the folder {ruleset}", composition.name);
            let problem = file.problem("name", message);
            return Err(problem.with_hint(format!("write \"{ruleset}\", or rename the folder")))?;
        }
        let battle = self.battle_of(ruleset, scenario)?;
        let whatif = WhatIf::read(self, ruleset, scenario, &battle)?;
        let mut problems = Problems::default();
        let mut variants = vec![];
        let given = variant.map(unstack).unwrap_or_default();
        for file in whatif.under.iter().cloned().chain(given) {
            if let Some(variant) = problems.keep(file.ron::<Variant>()) {
                variants.push((file, variant));
            }
        }
        // A variant that cannot be read leaves nothing to say about the rest.
        problems.check(())?;
        let mut problems = Problems::default();
        let registered = composition.base().to_owned();
        let base = composition.name.clone();
        for (file, variant) in &variants {
            let named = composition.name.clone();
            composition.name.clone_from(&base);
            if let Some(mut changed) = problems.keep_all(composition.with(variant, file)) {
                changed.name = format!("{named}+{}", variant.name);
                composition = changed;
            } else {
                composition.name = named;
            }
            problems.extend(elsewhere(file, variant, &battle));
        }
        problems.check(())?;
        let mut resolved = self.shelve(ruleset, scenario, &battle, composition, file, &whatif)?;
        if let Some((last, _)) = variants.last() {
            resolved.composition_file = last.clone();
        }
        // As a journal keeps it: line by line. What the scenario brings is the scenario's.
        resolved.variant_text = variant.map(|file| {
            let lines: Vec<&str> = file.text.lines().collect();
            lines.join("\n")
        });
        resolved.base = registered;
        resolved.variants = variants;
        let played = self.registry.ruleset(&resolved.base);
        resolved.overlay(&whatif, played.map(|ruleset| &**ruleset))?;
        resolved.start = whatif.start;
        Ok(resolved)
    }

    /// Takes all files of a ruleset and a battle from their folders.
    fn shelve(
        &self,
        ruleset: &str,
        scenario: &str,
        battle: &str,
        mut composition: Composition,
        composition_file: Source,
        whatif: &WhatIf,
    ) -> Result<Resolved, Problems> {
        let (series, own) = (
            self.known_ruleset(ruleset)?,
            self.battle_dir(ruleset, battle)?,
        );
        let (plan_file, plan) = self.battle_plan(ruleset, battle)?;
        composition.sides = plan.sides(&plan_file, &composition.sides)?;
        let mut problems = Problems::default();
        let (mut shelf, mut data) = (Shelf::default(), vec![]);
        let lists = [
            (&composition_file, &*composition.files),
            (&plan_file, &*plan.files),
        ];
        for (name, source) in battles::data_files(lists, (&series, &own), &mut problems) {
            shelf.put(stem(&name), None, source);
            data.push(name);
        }
        shelf.put(SCENARIO, None, whatif.scenario.clone());
        if let Some(turns) = problems.keep(Source::read(&own.join("turns.ron"))) {
            shelf.put(TURNS, None, turns);
        }
        let ground = self.root().join("battlefields").join(battle);
        let board = problems.keep_all(BoardFiles::read(&ground, &series));
        let folder = self.army_folder(battle)?;
        let army = shelve_army(&folder, &mut shelf, &mut problems);
        let (Some(board), Some(army)) = (board, army) else {
            return Err(problems.sorted());
        };
        if let Some(terrain) = &board.series {
            shelf.put(TERRAIN, None, terrain.clone());
        }
        shelf.put(GRID, None, board.grid.clone());
        shelf.put(BOARD, None, board.plan.clone());
        problems.check(Resolved {
            ruleset: ruleset.to_owned(),
            scenario: scenario.to_owned(),
            battle: battle.to_owned(),
            composition,
            shelf,
            variants: vec![],
            base: String::new(),
            composition_file,
            data,
            board,
            army,
            plan: plan_file,
            start: None,
            variant_text: None,
        })
    }

    /// Reads what was resolved, and makes it ready to be played.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once; faults of a changed value are told of the change.
    pub fn play_resolved(&self, resolved: &Resolved) -> Result<Play, Problems> {
        let shelf = &resolved.shelf;
        let played = self.played(resolved);
        let play = played.map_err(|problems| shelf.blame(problems))?;
        let play = match self.guest(&resolved.ruleset, &resolved.scenario) {
            // Nobody else has it: a game of it brings it along.
            Some(guest) => play.with_scenario_text(&guest.text),
            None => play,
        };
        match &resolved.start {
            Some(start) => start.of(&play, resolved),
            None => Ok(play),
        }
    }

    fn played(&self, resolved: &Resolved) -> Result<Play, Problems> {
        let shelf = &resolved.shelf;
        let mut problems =
            shelf.out_of_range(&resolved.composition.ranges, &resolved.composition_file);
        let (board_files, changed) = resolved.board_files();
        let board = match &self.cache {
            // A changed board is not the one that is kept for everybody.
            Some(cache) if !changed => problems.keep_all(board_files.load(cache)),
            _ => problems.keep_all(board_files.compile()),
        };
        let lists: Vec<Source> = shelf
            .group(ARMY)
            .map(|volume| volume.source.clone())
            .collect();
        let battle = problems.keep_all(Battle::parse(&resolved.army, &lists));
        let turns_file = resolved.file(TURNS)?;
        let turns = problems.keep_all(Turns::read(turns_file));
        for file in [TURNS, "counters"]
            .into_iter()
            .filter_map(|name| shelf.get(name))
        {
            let (ruleset, battle) = (&resolved.ruleset, &resolved.battle);
            problems.keep(battles::labelled(&file.source, ruleset, battle));
        }
        let (Some(board), Some(battle), Some(turns)) = (board, battle, turns) else {
            return Err(problems.sorted());
        };
        problems.check(())?;
        let files = resolved.data.iter().filter_map(|name| {
            let volume = shelf.get(&stem(name))?;
            Some((name.clone(), volume.source.clone()))
        });
        let files: BTreeMap<String, Source> = files.collect();
        let play = Play::new(&PlayParts {
            registry: &self.registry,
            composition: &resolved.composition,
            composition_file: &resolved.composition_file,
            base: &resolved.base,
            files: &files,
            scenario: resolved.file(SCENARIO)?,
            scenario_name: &resolved.scenario,
            board: Arc::new(board),
            inputs: &self.inputs(resolved, &board_files)?,
            army: &battle.army,
            track: Arc::new(turns),
        })?;
        both_sides(&play, resolved).check(play)
    }

    /// What rules are made of besides what the ruleset reads itself.
    fn inputs(&self, resolved: &Resolved, board: &BoardFiles) -> Result<Identity, Problems> {
        let mut inputs = Identity::default();
        if let Some(text) = &resolved.variant_text {
            inputs.text("variant", text);
        }
        self.board_parts(board)
            .for_each(|file| self.count(file, &mut inputs));
        self.count(resolved.file(TURNS)?, &mut inputs);
        self.count(&resolved.plan, &mut inputs);
        let folder = self.army_folder(&resolved.battle)?;
        for name in names(&folder, ".ron") {
            let changed = resolved
                .shelf
                .group(ARMY)
                .find(|volume| volume.name == name);
            match changed {
                Some(volume) => self.count(&volume.source, &mut inputs),
                None => self.count(
                    &Source::read(&folder.join(format!("{name}.ron")))?,
                    &mut inputs,
                ),
            }
        }
        if let Some(start) = &resolved.start {
            inputs.text("start", &start.text());
        }
        Ok(inputs)
    }
}

impl Resolved {
    /// The name of what is played, for people: the last variant's, or the scenario's.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.composition.title
    }

    /// The head of the army list.
    pub(crate) fn army(&self) -> &Source {
        &self.army
    }

    /// Where it starts, in words.
    pub(crate) fn starts(&self) -> String {
        match &self.start {
            None => "at the beginning".to_owned(),
            Some(start) => start.words(),
        }
    }

    fn file(&self, name: &str) -> Result<&Source, Problem> {
        let volume = self.shelf.get(name).map(|volume| &volume.source);
        volume.ok_or_else(|| Problem::file(name, "the ruleset has no such file"))
    }

    /// Puts all changes on the files: printed numbers of the owner, then those of the scenario, then the variants,
    /// which must not contradict each other.
    fn overlay(&mut self, whatif: &WhatIf, ruleset: Option<&dyn Ruleset>) -> Result<(), Problems> {
        let of = |(file, variant): &'_ (Source, Variant)| -> (Source, Variant) {
            (file.clone(), variant.clone())
        };
        let all: Vec<(Source, Variant)> = self.variants.iter().map(of).collect();
        let (owners, others): (Vec<_>, Vec<_>) = all.iter().partition(|(_, v)| v.owner);
        let layer = |variants: Vec<&'_ (Source, Variant)>, shelf: &mut Shelf| {
            let overlays = variants.into_iter().map(|(file, variant)| Overlay {
                by: &variant.name,
                title: &variant.title,
                file,
                field: "change",
                changes: &variant.change,
                fields: None,
                owner: variant.owner,
            });
            shelf.apply(&overlays.collect::<Vec<_>>())
        };
        layer(owners, &mut self.shelf)?;
        let (bottom, orders) = &whatif.bottom;
        if let Some(ruleset) = ruleset {
            let name = self.scenario.clone();
            self.post(ruleset, (name.as_str(), "scenario", bottom), orders)?;
        }
        for own in &whatif.layers {
            let (changes, fields) = own.changes(self.file(SCENARIO)?);
            let title = own.changed.title.as_str();
            self.shelf.apply(&[Overlay {
                by: &own.name,
                title,
                file: &own.file,
                field: "change",
                changes: &changes,
                fields: Some(&fields),
                owner: false,
            }])?;
            if let Some(ruleset) = ruleset {
                self.post(ruleset, (own.name.as_str(), title, &own.file), &own.orders)?;
            }
        }
        layer(others, &mut self.shelf)
    }

    /// The files of the board, and whether a variant changed any of them.
    fn board_files(&self) -> (BoardFiles, bool) {
        let mut files = self.board.clone();
        let mut changed = false;
        for (name, place) in [
            (TERRAIN, files.series.as_mut()),
            (GRID, Some(&mut files.grid)),
            (BOARD, Some(&mut files.plan)),
        ] {
            if let (Some(volume), Some(place)) = (self.shelf.get(name), place)
                && volume.source.text != place.text
            {
                *place = volume.source.clone();
                changed = true;
            }
        }
        (files, changed)
    }

    /// Everything that the board is made of.
    pub(crate) fn board_texts(&self) -> Vec<String> {
        let files = self.board_files().0;
        let field = [&files.battlefield.main].into_iter();
        let all = field.chain(&files.battlefield.parts).chain(&files.series);
        let all = all.chain([&files.grid, &files.plan]);
        all.map(|file| file.text.clone()).collect()
    }

    /// The board, as it is played on.
    ///
    /// # Errors
    /// What is wrong with its files.
    pub fn board(&self) -> Result<Board, Problems> {
        let board = self.board_files().0.compile();
        board.map_err(|problems| self.shelf.blame(problems))
    }
}

/// Takes the order of battle and its lists from their folder; gives back the file that names the lists.
fn shelve_army(folder: &Path, shelf: &mut Shelf, problems: &mut Problems) -> Option<Source> {
    let army = problems.keep(Source::read(&folder.join("battle.ron")));
    let lists = army.as_ref().map(Battle::lists);
    let lists = lists.and_then(|lists| problems.keep(lists));
    for name in lists.unwrap_or_default() {
        if let Some(list) = problems.keep(Source::read(&folder.join(&name))) {
            shelf.put(stem(&name), Some(ARMY), list);
        }
    }
    army
}

/// Nobody begins among the enemy. It is told of the change that put somebody there, if there is one.
fn both_sides(play: &Play, resolved: &Resolved) -> Problems {
    let t = play.start();
    let told = t.shared_hexes().into_iter().map(|(hex, one, other)| {
        let ids = [one, other].map(|unit| t.info(unit).id.as_str());
        let label = t.board().label(hex);
        let message = format!(
            "{} and {} begin in {label}, and are enemies",
            ids[0], ids[1]
        );
        // A game may know a counter by the end of its name in the files.
        let is = |step: &str, id: &str| {
            step.strip_suffix(id)
                .is_some_and(|side| side.is_empty() || side.ends_with('-'))
        };
        let moved = |touch: &&Touch| {
            let mut steps = touch.path.split('/');
            steps.any(|step| ids.iter().any(|id| is(step, id)))
        };
        match resolved.shelf.touched().find(moved) {
            Some(touch) => Problem {
                message,
                ..touch.place.clone()
            },
            None => match resolved.file(SCENARIO) {
                Ok(scenario) => scenario.problem("", message),
                Err(problem) => problem,
            },
        }
    });
    told.collect()
}

/// A variant of another battle.
fn elsewhere(file: &Source, variant: &Variant, battle: &str) -> Option<Problem> {
    let about = variant.battle.as_ref().filter(|about| *about != battle)?;
    let message = format!("this is about the battle \"{about}\", and \"{battle}\" is to be played");
    Some(file.problem("battle", message))
}

/// A file's name without its ending.
fn stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
