//! A scenario that is another one with something changed, or that starts in the middle of one.

use crate::orders::{Orders, entries, without};
use crate::{Library, Resolved};
use cupola_data::{Node, Problem, Problems, Source, Written};
use cupola_kernel::{Change, Game, Play, PositionFile, Seed, Variant};
use serde::Deserialize;

/// How many scenarios may stand on each other.
const DEEP: usize = 8;

/// What a scenario says that is based on another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changed {
    /// Its name for people.
    pub title: String,
    /// The battle; that of its base.
    pub battle: String,
    /// The scenario that it changes, of the same ruleset.
    pub base: String,
    /// What it is for.
    #[serde(default)]
    pub why: String,
    /// The variants that it is played under, in order: a name, or the whole of one.
    #[serde(default)]
    pub under: Vec<Written>,
    /// What it changes, as in a variant; values only.
    #[serde(default)]
    pub change: Vec<Change>,
    /// Where it starts, if not where its base does: a situation in the ruleset's terms, as in a position file
    /// without `ruleset` and `scenario`.
    #[serde(default)]
    pub position: Option<Written>,
    /// Where it starts, if not where its base does: a game that was played so far.
    #[serde(default)]
    pub opening: Option<Opening>,
}

/// The fields of [`Changed`]; whatever else a what-if says is said in the scenario's own terms.
const OWN: [&str; 8] = [
    "title", "battle", "base", "why", "under", "change", "position", "opening",
];

/// A scenario that is based on another.
pub(crate) struct Layer {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: Source,
    /// What it says of its base.
    pub changed: Changed,
    /// Fields of the scenario that it has otherwise, as they are written.
    pub fields: Vec<(String, String)>,
    /// Where its troops are.
    pub orders: Orders,
}

impl Layer {
    fn read(name: String, file: Source) -> Result<Layer, Problem> {
        let (plain, orders) = Orders::of(&file)?;
        let fields = entries(&plain, |key| !OWN.contains(&key));
        let keys: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
        let changed: Changed = without(&plain, &keys).ron()?;
        Ok(Layer {
            name,
            changed,
            fields,
            orders,
            file,
        })
    }

    /// Its changes, each with the field that it comes from. What the scenario below has not yet is added to it.
    pub(crate) fn changes(&self, below: &Source) -> (Vec<Change>, Vec<String>) {
        let root = Node::parse(&below.text);
        let known = |key: &str| root.as_ref().is_some_and(|root| root.get(key).is_some());
        let own = self.fields.iter().map(|(key, value)| {
            let change = match known(key) {
                true => Change::set(format!("scenario/{key}"), value.clone()),
                false => Change::add("scenario".to_owned(), Some(key.clone()), value.clone()),
            };
            (change, key.clone())
        });
        let listed = self.changed.change.iter().enumerate();
        let listed = listed.map(|(i, change)| (change.clone(), format!("change[{i}]")));
        own.chain(listed).unzip()
    }
}

/// How a game went up to where a scenario starts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The seed that its dice came from.
    pub seed: String,
    /// The choices: a side and an option, such as `cs move heth 19.04`.
    pub moves: Vec<String>,
}

/// A scenario, resolved to the one that it is based on and the changes on the way.
pub(crate) struct WhatIf {
    /// The scenario at the bottom, with the title of the one on top.
    pub scenario: Source,
    /// Its file as it is, and where its troops are.
    pub bottom: (Source, Orders),
    /// The changes, lowest first.
    pub layers: Vec<Layer>,
    /// The variants that it is played under.
    pub under: Vec<Source>,
    /// Where it starts, if not at the beginning.
    pub start: Option<Start>,
}

/// Where a scenario starts, if not at its beginning: in a situation, or after some choices, or both.
#[derive(Default)]
pub(crate) struct Start {
    position: Option<Source>,
    /// What was played from there, in order: each with dice of its own.
    openings: Vec<(Source, Opening)>,
}

impl WhatIf {
    pub(crate) fn read(
        library: &Library,
        ruleset: &str,
        scenario: &str,
        battle: &str,
    ) -> Result<WhatIf, Problems> {
        let mut layers: Vec<Layer> = vec![];
        let mut name = scenario.to_owned();
        let mut bottom = library.scenario_file(ruleset, &name, battle)?;
        while is_changed(&bottom) {
            let layer = Layer::read(name, bottom)?;
            let (file, base) = (&layer.file, &layer.changed.base);
            for (i, change) in layer.changed.change.iter().enumerate() {
                if change.path().is_none() {
                    let message = "a scenario changes values only";
                    let problem = file.problem(&format!("change[{i}]"), message);
                    return Err(problem
                        .with_hint("phases and switches are a variant's: name one in `under`")
                        .into());
                }
            }
            let known = layers.iter().any(|below: &Layer| below.name == *base);
            if known || *base == layer.name || layers.len() >= DEEP {
                let message = format!("\"{base}\" is based on this scenario in turn");
                return Err(file.problem("base", message).into());
            }
            let known = library.scenario_path(ruleset, base);
            known.map_err(|problems| at(file, "base", problems))?;
            let below = library.scenario_file(ruleset, base, battle)?;
            name = base.clone();
            bottom = below;
            layers.push(layer);
        }
        let (mut plain, orders) = Orders::of(&bottom)?;
        if let Some(top) = layers.first() {
            let titled = plain.with_value("title", &format!("{:?}", top.changed.title));
            plain = titled.unwrap_or(plain);
        }
        let start = start_of(&layers, ruleset, scenario);
        layers.reverse();
        let mut under = vec![];
        for layer in &layers {
            under.extend(layer.under(library)?);
        }
        Ok(WhatIf {
            scenario: plain,
            bottom: (bottom, orders),
            layers,
            under,
            start,
        })
    }
}

/// Where it starts: in the topmost position, and after what was played from there. An opening is a game of its base, so it
/// begins where that starts.
fn start_of(layers: &[Layer], ruleset: &str, scenario: &str) -> Option<Start> {
    let mut start = Start::default();
    for Layer { file, changed, .. } in layers {
        let opening = changed.opening.clone();
        let opening = opening.map(|opening| (file.clone(), opening));
        start.openings.splice(0..0, opening);
        if changed.position.is_some() {
            start.position = Some(position_of(file, ruleset, scenario));
            break;
        }
    }
    let somewhere = start.position.is_some() || !start.openings.is_empty();
    somewhere.then_some(start)
}

impl Layer {
    /// The variants that it is played under.
    fn under(&self, library: &Library) -> Result<Vec<Source>, Problems> {
        let mut problems = Problems::default();
        let mut found = vec![];
        for (i, written) in self.changed.under.iter().enumerate() {
            let field = format!("under[{i}]");
            let name = Node::parse(&written.0);
            let name = name.as_ref().and_then(|node| node.word(&written.0));
            let variant = match name {
                Some(name) => library.variant(&name).map_err(|problem| Problem {
                    hint: problem.hint,
                    ..self.file.problem(&field, problem.message)
                }),
                None => Ok(self.brought(&field, written)),
            };
            let variant = variant.and_then(|variant| {
                let needs = variant.ron::<Variant>()?.plugins;
                match needs.first() {
                    None => Ok(variant),
                    Some(plugin) => {
                        let message = format!("this variant needs the plugin \"{plugin}\"");
                        let hint = "a scenario loads none: name the variant with --variant";
                        Err(self.file.problem(&field, message).with_hint(hint))
                    }
                }
            });
            found.extend(problems.keep(variant));
        }
        problems.check(found)
    }

    /// A variant that stands in the scenario itself, with every line where it was.
    fn brought(&self, field: &str, written: &Written) -> Source {
        let (line, _) = self.file.locate(field);
        let above = "\n".repeat(line.saturating_sub(1) as usize);
        Source::new(self.file.name.clone(), format!("{above}{}", written.0))
    }
}

impl Library {
    /// The scenario that a scenario is based on in the end; itself, if it is not based on another.
    ///
    /// # Errors
    /// If there is no such scenario, or what it is based on is not there.
    pub fn root_scenario(&self, ruleset: &str, scenario: &str) -> Result<String, Problems> {
        let battle = self.battle_of(ruleset, scenario)?;
        let whatif = WhatIf::read(self, ruleset, scenario, &battle)?;
        let lowest = whatif.layers.first();
        Ok(lowest.map_or_else(|| scenario.to_owned(), |layer| layer.changed.base.clone()))
    }
}

/// Whether a scenario is based on another.
fn is_changed(file: &Source) -> bool {
    Node::parse(&file.text).is_some_and(|root| root.get("base").is_some())
}

/// The same problems, told of a field that brought them about.
fn at(file: &Source, field: &str, problems: Problems) -> Problems {
    let told = problems.into_iter().map(|problem| Problem {
        hint: problem.hint,
        ..file.problem(field, problem.message)
    });
    told.collect()
}

/// The position of a scenario as a file of its own, with every line where it was.
fn position_of(file: &Source, ruleset: &str, scenario: &str) -> Source {
    let root = Node::parse(&file.text);
    let node = root.as_ref().and_then(|root| root.get("position"));
    let Some(node) = node else {
        return file.clone();
    };
    let above = file.text[..node.span.start].matches('\n').count();
    let inside = node.text(&file.text);
    let inside = inside.strip_prefix('(').unwrap_or(inside);
    let head = format!("(ruleset: {ruleset:?}, scenario: {scenario:?},");
    Source::new(
        &*file.name,
        format!("{}{head} {inside}", "\n".repeat(above)),
    )
}

impl Start {
    /// What a game starts with, for the identity of the rules.
    pub(crate) fn text(&self) -> String {
        let position = self.position.as_ref().map(|file| file.text.as_str());
        let mut openings = self.openings.iter().map(|(_, opening)| opening);
        let first = format!("{position:?} {:?}", openings.next());
        openings.fold(first, |text, opening| format!("{text} {opening:?}"))
    }

    /// Where that is, in words.
    pub(crate) fn words(&self) -> String {
        let position = self
            .position
            .as_ref()
            .map(|_| "in a position of its own".to_owned());
        let moves = self.openings.iter().map(|(_, opening)| opening.moves.len());
        let opening =
            (!self.openings.is_empty()).then(|| format!("after {} choices", moves.sum::<usize>()));
        let both: Vec<String> = position.into_iter().chain(opening).collect();
        both.join(", ")
    }

    /// The play, starting there.
    pub(crate) fn of(&self, play: &Play, resolved: &Resolved) -> Result<Play, Problems> {
        let mut play = play.clone();
        if let Some(source) = &self.position {
            let source = source.clone();
            let in_case = false;
            play = play
                .at(&PositionFile { source, in_case })?
                .without_position();
        }
        for (file, opening) in &self.openings {
            let game = opened(&play, file, opening);
            let game = game.map_err(|problem| {
                let changed = resolved.shelf.touched().next();
                match (changed, &problem.hint) {
                    (Some(touch), None) => problem.with_hint(format!(
                        "{} is changed by “{}”: the opening was played without it",
                        touch.path, touch.by
                    )),
                    _ => problem,
                }
            })?;
            play = Play::from_game(&game);
        }
        Ok(play)
    }
}

/// The game after its opening.
fn opened(play: &Play, file: &Source, opening: &Opening) -> Result<Game, Problem> {
    let seed = Seed::parse(&opening.seed);
    let seed = seed.ok_or_else(|| {
        file.problem(
            "opening.seed",
            "expected up to 32 hexadecimal digits, such as 1863",
        )
    })?;
    let fault = |field: &str, why: String| file.problem(field, why);
    let mut game = play
        .game(seed)
        .map_err(|why| fault("opening", why.to_string()))?;
    for (i, text) in opening.moves.iter().enumerate() {
        let field = format!("opening.moves[{i}]");
        let Some((side, act)) = text.split_once(' ') else {
            return Err(fault(
                &field,
                format!("\"{text}\": expected a side and an option, such as \"cs pass\""),
            ));
        };
        let env = play.env();
        let Some(seat) = env.side(side) else {
            let ids = [&env.sides.first.id, &env.sides.second.id];
            let problem = fault(&field, format!("no side \"{side}\""));
            return Err(problem.with_known(side, ids.into_iter().map(String::as_str)));
        };
        let act = game
            .parse(act)
            .map_err(|why| fault(&field, why.to_string()))?;
        game.apply(seat, act)
            .map_err(|why| fault(&field, why.to_string()))?;
    }
    if game.decision().is_none() {
        return Err(fault(
            "opening.moves",
            "the game is over after these".to_owned(),
        ));
    }
    Ok(game)
}
