//! A play whose rules a position changes: switches, composition, single values of the ruleset's files, the
//! board.
//!
//! The play keeps what it was made from, so that it can be made again with something changed: an arbiter
//! never needs a copy of the data folder.

use crate::compose::Composition;
use crate::identity::Identity;
use crate::overlay::{Overlay, Shelf};
use crate::play::{Play, PlayParts};
use crate::registry::Registry;
use crate::ruleset::{Position, PositionFile};
use crate::variant::Variant;
use cupola_army::{Army, Turns};
use cupola_data::{Problem, Problems, Source, outline};
use cupola_ground::Board;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The file of the scenario, among those whose values can be changed.
const SCENARIO: &str = "scenario";

/// What a play was made from.
pub(crate) struct Made {
    pub(crate) registry: Registry,
    pub(crate) composition: Composition,
    composition_file: Source,
    pub(crate) base: String,
    files: BTreeMap<String, Source>,
    scenario: Source,
    scenario_name: String,
    board: Arc<Board>,
    inputs: Identity,
    army: Army,
    track: Arc<Turns>,
}

impl Made {
    pub(crate) fn from(parts: &PlayParts) -> Made {
        Made {
            registry: parts.registry.clone(),
            composition: parts.composition.clone(),
            composition_file: parts.composition_file.clone(),
            base: parts.base.to_owned(),
            files: parts.files.clone(),
            scenario: parts.scenario.clone(),
            scenario_name: parts.scenario_name.to_owned(),
            board: parts.board.clone(),
            inputs: parts.inputs.clone(),
            army: parts.army.clone(),
            track: parts.track.clone(),
        }
    }

    /// A play of the same, but for this.
    fn play(
        &self,
        composition: &Composition,
        files: &BTreeMap<String, Source>,
        scenario: &Source,
        (board, inputs): (Arc<Board>, &Identity),
    ) -> Result<Play, Problems> {
        Play::new(&PlayParts {
            registry: &self.registry,
            composition,
            composition_file: &self.composition_file,
            base: &self.base,
            files,
            scenario,
            scenario_name: &self.scenario_name,
            board,
            inputs,
            army: &self.army,
            track: self.track.clone(),
        })
    }
}

impl Position {
    /// Whether the position changes the rules.
    pub(crate) fn adapts(&self) -> bool {
        !(self.switches.is_empty()
            && self.change.is_empty()
            && self.values.is_empty()
            && self.ground.is_empty())
    }
}

impl Play {
    /// What the play is composed of.
    #[must_use]
    pub fn composition(&self) -> &Composition {
        &self.inner.made.composition
    }

    /// Where its phases and combat systems came from, and others that could stand in their place.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.inner.made.registry
    }

    /// The files that the ruleset reads, the scenario last.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Source)> {
        let made = &self.inner.made;
        let files = made.files.iter().map(|(name, file)| (name.as_str(), file));
        files.chain([(SCENARIO, &made.scenario)])
    }

    /// The same play with another text in one of [`Play::files`].
    ///
    /// # Errors
    /// Everything that is wrong with the text, at once.
    pub fn reread(&self, name: &str, text: &str) -> Result<Play, Problems> {
        let made = &self.inner.made;
        let (mut files, mut scenario) = (made.files.clone(), made.scenario.clone());
        let file = match name {
            SCENARIO => Some(&mut scenario),
            name => files.get_mut(name),
        };
        match file {
            Some(file) => *file = Source::new(&*file.name, text),
            None => return Err(Problem::file(name, "the ruleset has no such file").into()),
        }
        let ground = (made.board.clone(), &made.inputs);
        made.play(&made.composition, &files, &scenario, ground)
    }

    /// The same ruleset and scenario under another composition.
    ///
    /// # Errors
    /// Everything that does not fit, at once.
    pub fn recomposed(&self, composition: &Composition) -> Result<Play, Problems> {
        let made = &self.inner.made;
        let ground = (made.board.clone(), &made.inputs);
        made.play(composition, &made.files, &made.scenario, ground)
    }

    /// The same play under the rules of a position.
    pub(crate) fn adapted(&self, file: &PositionFile, header: &Position) -> Result<Play, Problems> {
        let made = &self.inner.made;
        let mut problems = Problems::default();
        let composition = problems.keep_all(composition(made, file, header));
        let (mut files, scenario) = valued(made, file, header, &mut problems);
        let list = file.field("ground");
        let board = made.board.corrected(&header.ground, &file.source, &list);
        let (Some(composition), Some(board)) = (composition, problems.keep_all(board)) else {
            return Err(problems.sorted());
        };
        problems.check(())?;
        let mut inputs = made.inputs.clone();
        if !header.ground.is_empty() {
            inputs.text("ground of the position", &format!("{:?}", header.ground));
        }
        let mut shelf = Shelf::default();
        for (name, source) in &files {
            shelf.put(stem(name), None, source.clone());
        }
        shelf.put(SCENARIO, None, scenario);
        shelf.set_army(&made.army);
        shelf.apply(&[Overlay {
            by: "position",
            title: "set up by hand",
            file: &file.source,
            field: &file.field("change"),
            changes: &header.change,
            fields: None,
            owner: false,
        }])?;
        let of = |name: &str| shelf.get(name).map(|volume| volume.source.clone());
        for (name, source) in &mut files {
            *source = of(stem(name)).unwrap_or_else(|| source.clone());
        }
        let scenario = of(SCENARIO).unwrap_or_else(|| made.scenario.clone());
        let play = made.play(&composition, &files, &scenario, (Arc::new(board), &inputs));
        play.map_err(|problems| shelf.blame(problems))
    }
}

/// A file's name without its ending, as paths begin.
fn stem(name: &str) -> &str {
    name.strip_suffix(".ron").unwrap_or(name)
}

fn wrong(file: &PositionFile, field: &str, message: String) -> Problem {
    file.source.problem(&file.field(field), message)
}

/// The files and the scenario with the single values that a position sets.
fn valued(
    made: &Made,
    file: &PositionFile,
    header: &Position,
    problems: &mut Problems,
) -> (BTreeMap<String, Source>, Source) {
    let (mut files, mut scenario) = (made.files.clone(), made.scenario.clone());
    for (name, values) in &header.values {
        let source = match name.as_str() {
            SCENARIO => Some(&mut scenario),
            name => files.get_mut(name),
        };
        let field = format!("values.{name}");
        let Some(source) = source else {
            let problem = wrong(file, &field, format!("the ruleset has no file \"{name}\""));
            let known = made.files.keys().map(String::as_str).chain([SCENARIO]);
            problems.push(problem.with_nearest(name, known));
            continue;
        };
        for (path, value) in values {
            match source.with_value(path, value) {
                Some(changed) => *source = changed,
                None => {
                    let message = format!("{name} has no field \"{path}\"");
                    let known = outline(&source.text);
                    let known = known.iter().map(|(field, _)| field.as_str());
                    problems.push(wrong(file, &field, message).with_nearest(path, known));
                }
            }
        }
    }
    (files, scenario)
}

/// The composition with the changes and switches of a position.
fn composition(
    made: &Made,
    file: &PositionFile,
    header: &Position,
) -> Result<Composition, Problems> {
    let mut problems = Problems::default();
    let variant = Variant {
        base: made.composition.name.clone(),
        name: "position".to_owned(),
        title: made.composition.title.clone(),
        change: header.change.clone(),
        ..Variant::default()
    };
    let changed = made.composition.with(&variant, &file.source);
    let mut changed = problems
        .keep_all(changed)
        .unwrap_or_else(|| made.composition.clone());
    changed.name.clone_from(&made.composition.name);
    for (name, &on) in &header.switches {
        match changed.switches.get_mut(name) {
            Some(switch) => *switch = on,
            None => {
                let message = format!("no switch \"{name}\"");
                let problem = wrong(file, &format!("switches.{name}"), message);
                let known = made.composition.switches.keys().map(String::as_str);
                problems.push(problem.with_nearest(name, known));
            }
        }
    }
    problems.check(changed)
}
