//! What people name when they mean some rules: a ruleset, a scenario, a variant, a position, or several of them.
//!
//! `corps20`, `corps20/july1`, `no-rain`, `my-variant.ron`, `river.ron`, `my-scenario.ron`, `corps20/my-scenario.ron`; and with
//! variants on top of it: `corps20/july1+no-rain+my-variant.ron`.

use crate::context::Context;
use crate::situation::{self, Kind};
use cupola_data::{Problem, Source};
use cupola_kernel::{Play, PositionFile, Variant};
use cupola_library::{Resolved, stack, unstack, with_scripts};
use std::path::{Path, PathBuf};

/// Something that can be resolved and played.
pub struct Thing {
    /// What it was called.
    pub name: String,
    /// The ruleset.
    pub ruleset: String,
    /// The scenario, if it was said.
    pub scenario: Option<String>,
    /// The variants, as one.
    pub variant: Option<Source>,
    /// The situation it starts from.
    pub position: Option<PositionFile>,
}

impl Thing {
    /// What is meant by a name, or by several with `+` between them.
    ///
    /// # Errors
    /// If there is nothing of that name, with the nearest; or it can be several things.
    pub fn of(context: &mut Context, text: &str) -> anyhow::Result<Thing> {
        let (first, more) = match text.split_once('+') {
            Some((first, more)) if !Path::new(text).exists() => (first, more.split('+').collect()),
            _ => (text, vec![]),
        };
        let mut thing = Thing::first(context, first)?;
        thing.name = text.to_owned();
        let more: Vec<PathBuf> = more.into_iter().map(PathBuf::from).collect();
        if let Some(more) = context.library.variants_or_files(&more)? {
            let all: Vec<Source> = thing.variant.take().into_iter().chain([more]).collect();
            thing.variant = stack(&all);
        }
        Ok(thing)
    }

    fn first(context: &mut Context, text: &str) -> anyhow::Result<Thing> {
        if let Some((ruleset, path)) = Thing::file_in(context, text) {
            return Thing::file(context, path, Some(ruleset));
        }
        let library = &context.library;
        let plain = |ruleset: &str, scenario: Option<String>| Thing {
            name: text.to_owned(),
            ruleset: ruleset.to_owned(),
            scenario,
            variant: None,
            position: None,
        };
        if library.rulesets().iter().any(|name| name == text) {
            context.known_played(text)?;
            return Ok(plain(text, None));
        }
        // What is written like a path is one, and is told to be missing if it is.
        if Path::new(text).is_file() || text.starts_with(['/', '.']) || text.ends_with(".ron") {
            return Thing::file(context, text, None);
        }
        if library.variants().iter().any(|name| name == text) {
            let variant = library.variant(text)?;
            return Thing::variant(context, text, variant);
        }
        match library.which(text, None) {
            Ok((ruleset, scenario)) => {
                context.known_played(&ruleset)?;
                library.battle_of(&ruleset, &scenario)?;
                Ok(plain(&ruleset, Some(scenario)))
            }
            Err(problem) => Err(nothing(context, text, problem).into()),
        }
    }

    /// The ruleset and the path of `corps20/my-scenario.ron`; a name in the same place has neither dot nor slash.
    fn file_in<'t>(context: &Context, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (ruleset, path) = text.split_once('/')?;
        let known = context
            .library
            .rulesets()
            .iter()
            .any(|name| name == ruleset);
        let written = path.contains(['/', '\\', '.']) && !Path::new(text).exists();
        (known && written).then_some((ruleset, path))
    }

    /// What a file holds; of the ruleset that was named with it, if one was.
    fn file(context: &mut Context, text: &str, ruleset: Option<&str>) -> anyhow::Result<Thing> {
        let thing = Thing::any_file(context, text, ruleset)?;
        match ruleset.filter(|ruleset| thing.ruleset != *ruleset) {
            None => Ok(thing),
            Some(ruleset) => {
                let message = format!("this is of {}, and not of {ruleset}", thing.ruleset);
                Err(Problem::file(text, message).into())
            }
        }
    }

    fn any_file(context: &mut Context, text: &str, ruleset: Option<&str>) -> anyhow::Result<Thing> {
        let source = Source::read(Path::new(text))?;
        match Kind::of(&source) {
            Kind::Scenario => Thing::scenario_file(context, text, ruleset),
            Kind::Variant => {
                let source = with_scripts(source, Path::new(text))?;
                Thing::variant(context, text, source)
            }
            kind @ (Kind::Position | Kind::Case) => {
                let position = PositionFile {
                    source,
                    in_case: kind == Kind::Case,
                };
                let header = position.header()?;
                context.known_played(&header.ruleset)?;
                Ok(Thing {
                    name: text.to_owned(),
                    ruleset: header.ruleset,
                    scenario: Some(header.scenario),
                    variant: None,
                    position: Some(position),
                })
            }
            Kind::Journal => {
                let message = "this is a saved game, which has been played by its own rules";
                let hint = "`cupola play --load` goes on with it, `cupola replay` looks at it";
                Err(Problem::file(text, message).with_hint(hint).into())
            }
            Kind::Plan | Kind::Other => {
                if let Some(problem) = situation::broken(Path::new(text), &source) {
                    return Err(problem.into());
                }
                let message = "this is no scenario, variant, position or case";
                let hint = "`cupola new scenario` or `cupola new variant` makes one to begin with";
                Err(Problem::file(text, message).with_hint(hint).into())
            }
        }
    }

    /// A scenario from a file: of the ruleset that is named, or of the only one that can play it.
    fn scenario_file(
        context: &mut Context,
        text: &str,
        ruleset: Option<&str>,
    ) -> anyhow::Result<Thing> {
        let path = Path::new(text);
        let ruleset = match ruleset {
            Some(ruleset) => ruleset.to_owned(),
            None => only_ruleset(context, path)?,
        };
        context.known_played(&ruleset)?;
        let scenario = context.library.bring_scenario(&ruleset, path)?;
        Ok(Thing {
            name: text.to_owned(),
            ruleset,
            scenario: Some(scenario),
            variant: None,
            position: None,
        })
    }

    fn variant(context: &Context, name: &str, file: Source) -> anyhow::Result<Thing> {
        let variant: Variant = match unstack(&file).first() {
            Some(first) => first.ron()?,
            None => file.ron()?,
        };
        let known = context.library.rulesets();
        if !known.contains(&variant.base) {
            let problem = file.problem("base", format!("no ruleset \"{}\"", variant.base));
            let known = known.iter().map(String::as_str);
            return Err(problem.with_nearest(&variant.base, known).into());
        }
        context.known_played(&variant.base)?;
        Ok(Thing {
            name: name.to_owned(),
            ruleset: variant.base,
            scenario: variant.scenario,
            variant: Some(file),
            position: None,
        })
    }

    /// Its variants with more on top, and the printed numbers of the user under them, if he wants them.
    ///
    /// # Errors
    /// If one of them is not there, or cannot be read.
    pub fn variant_with(
        &self,
        context: &Context,
        more: &[PathBuf],
    ) -> anyhow::Result<Option<Source>> {
        let more = context.library.variants_or_files(more)?;
        let all: Vec<Source> = self.variant.iter().cloned().chain(more).collect();
        context.with_owner(&self.ruleset, stack(&all))
    }

    /// The scenario; where none was said, the first of the battle that the ruleset was made for.
    ///
    /// # Errors
    /// If the ruleset has none.
    pub fn scenario(&self, context: &Context) -> anyhow::Result<String> {
        if let Some(scenario) = &self.scenario {
            return Ok(scenario.clone());
        }
        let home = context.library.home(&self.ruleset)?;
        let mut scenarios = context.library.scenarios(&self.ruleset).into_iter();
        let first = scenarios.find(|scenario| scenario.battle == home);
        match first {
            Some(first) => Ok(first.name),
            None => anyhow::bail!("{} has no scenario", self.ruleset),
        }
    }

    /// Its rules, file by file.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn resolve(&self, context: &mut Context) -> anyhow::Result<Resolved> {
        let variant = self.variant_with(context, &[])?;
        if let Some(variant) = &variant {
            context.load_plugins_of(variant)?;
        }
        let scenario = self.scenario(context)?;
        Ok(context
            .library
            .resolve(&self.ruleset, &scenario, variant.as_ref())?)
    }

    /// Ready to be played, under these variants.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn play(&self, context: &mut Context, variant: Option<&Source>) -> anyhow::Result<Play> {
        match &self.position {
            Some(position) => situation::play_at(context, position, variant),
            None if self.scenario.is_none() && self.variant.is_none() => {
                // A ruleset alone leaves open what is meant; which of them says so.
                let (ruleset, scenario) = context.which(&self.ruleset, None)?;
                context.play(&ruleset, &scenario, variant)
            }
            None => {
                let scenario = self.scenario(context)?;
                context.play(&self.ruleset, &scenario, variant)
            }
        }
    }
}

/// The ruleset that a scenario's file is for.
///
/// # Errors
/// If none can play it, or several can.
pub fn only_ruleset(context: &Context, path: &Path) -> anyhow::Result<String> {
    let all = context.library.rulesets_of(path)?;
    let shown = path.display();
    match all.as_slice() {
        [one] => Ok(one.clone()),
        [] => {
            let source = Source::read(path)?;
            let root = cupola_data::Node::parse(&source.text);
            let base = root.as_ref().and_then(|root| root.get("base"));
            let base = base.and_then(|base| base.word(&source.text));
            let rulesets = context.library.rulesets();
            if let Some(base) = base.filter(|base| rulesets.iter().any(|name| name == base)) {
                let message =
                    format!("\"{base}\" is a ruleset: this is a variant without a `name`");
                let hint = "a scenario is based on another scenario";
                return Err(source.problem("base", message).with_hint(hint).into());
            }
            let message = "no ruleset has the battle and the base that this scenario names";
            let hint = "`cupola list` shows battles and scenarios";
            Err(source.problem("battle", message).with_hint(hint).into())
        }
        several => {
            let problem = Problem::file(shown.to_string(), "a scenario of which ruleset?");
            let each = several.iter().map(|ruleset| format!("{ruleset}/{shown}"));
            let hint = format!("name it: {}", each.collect::<Vec<_>>().join(", "));
            Err(problem.with_hint(hint).into())
        }
    }
}

/// Nothing of that name; the nearest of everything that there is.
fn nothing(context: &Context, text: &str, problem: Problem) -> Problem {
    if problem
        .hint
        .as_ref()
        .is_some_and(|hint| !hint.starts_with("there are"))
    {
        return problem;
    }
    let library = &context.library;
    let mut known = library.rulesets();
    known.extend(library.variants());
    if problem.message.starts_with("which") {
        return problem;
    }
    let message = format!("no scenario \"{text}\", and no ruleset, variant or file of this name");
    let problem = Problem::file("scenario", message);
    let near = problem.with_nearest(text, known.iter().map(String::as_str));
    match near.hint {
        Some(_) => near,
        None => near.with_hint("`cupola list` shows what there is"),
    }
}
