//! A game from a file: a position file, a case, or a journal.
//!
//! The adjudicator's commands take any of them, so that a question at the table can be asked of what is
//! at hand.

use crate::context::{Context, bundled};
use crate::thing::Thing;
use anyhow::Context as _;
use cupola_data::{Problem, Source};
use cupola_kernel::{Game, Journal, Play, PositionFile, Seed, Session};
use cupola_library::{Library, Told, differences};
use serde::de::IgnoredAny;
use std::path::{Path, PathBuf};

/// What kind of file it is; told by its text, since people name files as they like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `cupola journal 2 …`
    Journal,
    /// RON with `proves` and `script`.
    Case,
    /// RON with a `name`, and `base` or `change`.
    Variant,
    /// RON with `ruleset`, and `phase` or `scenario`.
    Position,
    /// RON with a `battle`, and `first` and `last` or a `base`.
    Scenario,
    /// RON with a `side` and `orders`: what a side means to do.
    Plan,
    /// None of these.
    Other,
}

impl Kind {
    /// Looks at the text: at the names of its outermost fields.
    pub fn of(source: &Source) -> Kind {
        if source.text.starts_with("cupola journal") {
            return Kind::Journal;
        }
        let fields = top_fields(&source.text);
        let has = |name: &str| fields.iter().any(|field| field == name);
        if has("script") || has("proves") {
            Kind::Case
        } else if has("name") && (has("base") || has("change"))
            || has("base") && has("change") && !has("battle")
        {
            Kind::Variant
        } else if has("ruleset") && (has("phase") || has("scenario")) {
            Kind::Position
        } else if (has("first") && has("last")) || (has("base") && has("battle")) {
            Kind::Scenario
        } else if has("side") && has("orders") {
            Kind::Plan
        } else {
            Kind::Other
        }
    }
}

/// What is wrong with the brackets of a file that nobody can tell the kind of: the fields that would say so are not found then.
pub fn broken(path: &Path, source: &Source) -> Option<Problem> {
    let ron = path.extension().is_some_and(|ending| ending == "ron");
    source.ron::<IgnoredAny>().err().filter(|_| ron)
}

/// The names of the fields of the outermost RON struct; comments and strings are skipped.
fn top_fields(text: &str) -> Vec<String> {
    let (mut depth, mut word, mut found) = (0, String::new(), vec![]);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '/' if letters.peek() == Some(&'/') => {
                letters.by_ref().find(|&letter| letter == '\n');
            }
            '"' => {
                while let Some(inside) = letters.next() {
                    match inside {
                        '\\' => drop(letters.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ':' if depth == 1 => found.push(std::mem::take(&mut word)),
            letter if letter.is_alphanumeric() || letter == '_' => word.push(letter),
            letter if letter.is_whitespace() && letters.peek() == Some(&':') => {}
            _ => word.clear(),
        }
    }
    found
}

/// The seed of a position that names none.
const SEED: Seed = Seed(1863);

/// A game as it stands in a file, or as something begins that can be named, under variants if some are named, after the given
/// choices.
///
/// # Errors
/// Everything that is wrong with the file, or the first choice that is refused.
pub fn open_under(
    context: &mut Context,
    path: &Path,
    variants: &[PathBuf],
    choices: &[String],
    seed: Option<Seed>,
) -> anyhow::Result<Game> {
    let mut game = match saved(path)? {
        Some(source) if !variants.is_empty() => {
            anyhow::bail!(
                "{}: a saved game has been played by its own rules; leave --variant out",
                source.name
            )
        }
        Some(source) => load(context, &source)?.game().fork(),
        None => {
            let mut thing = Thing::of(context, &path.to_string_lossy())?;
            thing.scenario = Some(thing.scenario(context)?);
            let variant = thing.variant_with(context, variants)?;
            let play = thing.play(context, variant.as_ref())?;
            begin(&play, seed.unwrap_or(SEED))?
        }
    };
    choose(&mut game, choices)?;
    Ok(game)
}

/// The text of a saved game, if that is what a path names.
fn saved(path: &Path) -> anyhow::Result<Option<Source>> {
    if !path.is_file() {
        return Ok(None);
    }
    let source = Source::read(path)?;
    Ok((Kind::of(&source) == Kind::Journal).then_some(source))
}

/// Makes choices, one after the other, for whoever is asked.
///
/// # Errors
/// The first that is refused.
pub fn choose(game: &mut Game, choices: &[String]) -> anyhow::Result<()> {
    for choice in choices {
        let act = game.parse(choice)?;
        let decision = game
            .decision()
            .context("the game is over, nothing can be chosen")?;
        game.apply(decision.ask.side, act)
            .with_context(|| format!("\"{choice}\" is refused"))?;
    }
    Ok(())
}

/// The play of a position file or a case, under a variant if one is given.
///
/// # Errors
/// Everything that is wrong with the file.
pub fn play_at(
    context: &mut Context,
    file: &PositionFile,
    variant: Option<&Source>,
) -> anyhow::Result<Play> {
    context.known_played(&file.header()?.ruleset)?;
    if let Some(variant) = variant {
        context.load_plugins_of(variant)?;
    }
    Ok(context.library.play_at(file, variant)?)
}

/// A game, with a sentence if the ruleset fails at once.
///
/// # Errors
/// If the ruleset cannot begin.
pub fn begin(play: &Play, seed: Seed) -> anyhow::Result<Game> {
    play.game(seed)
        .with_context(|| format!("{} cannot begin", play.env().ruleset))
}

/// Plays a journal again, with every hash compared.
///
/// # Errors
/// If it cannot be read, or does not lead where it says.
pub fn load(context: &mut Context, source: &Source) -> anyhow::Result<Session> {
    let (play, journal) = journal(context, source)?;
    Session::replay(&play, &journal, &source.name).map_err(|problems| {
        let told = changed_since(context, &play, &journal).unwrap_or_default();
        if told.is_empty() {
            return problems.into();
        }
        let told: Vec<String> = told.iter().map(|told| format!("  {told}")).collect();
        anyhow::anyhow!("{problems}\n{}", told.join("\n"))
    })
}

/// In what the data differs from that which the game was played by, if that is what is inside the program.
pub fn changed_since(context: &Context, play: &Play, journal: &Journal) -> Option<Vec<Told>> {
    if play.identity().data() == journal.rules.data() {
        return None;
    }
    let registry = context.library.registry().clone();
    let inside = Library::new(bundled().ok()?, None, registry);
    let variant = journal.variant.clone();
    let variant = variant.map(|text| Source::new("the journal's variant", text));
    let resolve = |library: &Library| {
        let resolved = library.resolve(&journal.ruleset, &journal.scenario, variant.as_ref());
        resolved.ok()
    };
    let then = resolve(&inside)?;
    let played = inside.play_resolved(&then).ok()?;
    let same = played.identity().data() == journal.rules.data();
    same.then(|| resolve(&context.library).map(|now| differences(&then, &now)))?
}

/// Reads a journal and finds the rules that it was played by.
///
/// # Errors
/// If it cannot be read or its ruleset cannot be loaded.
pub fn journal(context: &mut Context, source: &Source) -> anyhow::Result<(Play, Journal)> {
    let journal = Journal::read(source)?;
    context
        .known_played(&journal.ruleset)
        .with_context(|| format!("{}:2", source.name))?;
    if let Some(text) = &journal.variant {
        let name = format!("{} (its variant)", source.name);
        context.load_plugins_of(&Source::new(name, text.clone()))?;
    }
    let play = context.library.play_of(&journal)?;
    Ok((play, journal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_text() {
        let kind = |text: &str| Kind::of(&Source::new("x", text));
        assert_eq!(kind("cupola journal 2\n"), Kind::Journal);
        assert_eq!(
            kind("// base: no\n( ruleset: \"a\", turn: \"(change: x)\", phase : \"m\")"),
            Kind::Position
        );
        assert_eq!(
            kind("(proves: [], position: (ruleset: \"a\", phase: \"b\"), script: [])"),
            Kind::Case
        );
        assert_eq!(
            kind("(base: \"corps20\", name: \"x\", change: [(base: 1)])"),
            Kind::Variant
        );
        assert_eq!(kind("(title: \"script: phase:\")"), Kind::Other);
        // Something left out or misspelled is told as of what it was meant to be.
        for text in [
            "(name: \"x\", battle: \"g\", change: [])",
            "(base: \"a\", battle: \"g\", name: \"x\", chnge: [])",
        ] {
            assert_eq!(kind(text), Kind::Variant, "{text}");
        }
        // A what-if is a scenario, and no variant.
        assert_eq!(
            kind("(title: \"x\", battle: \"g\", base: \"july1\", change: [])"),
            Kind::Scenario
        );
        assert_eq!(
            kind("(title: \"x\", first: \"1\", last: \"2\")"),
            Kind::Scenario
        );
    }
}
