//! A plugin plays the same game whether it is linked or loaded.

use cupola_data::Problems;
use cupola_kernel::dice::Loose;
use cupola_kernel::{About, Applied, Contribution, Dice, Game, Play, Seed, Session};
use std::ops::Range;
use std::path::Path;

/// Plays seeded games twice, with the plugin as it is linked and as it is loaded from a library, and
/// compares every hash, event, roll, text and preview on the way. Returns how many steps were compared.
///
/// `compose` makes a play with what the plugin brings; it must add the plugin to a registry that does not
/// have it yet.
///
/// # Errors
/// What is not the same, or what went wrong, in words.
pub fn plays_the_same(
    linked: &Contribution,
    library: &Path,
    games: Range<u64>,
    compose: impl Fn(&Contribution) -> Result<Play, Problems>,
) -> Result<u32, String> {
    let plugin = cupola_plugin::load(library).map_err(|error| error.to_string())?;
    let play = |plugin| compose(plugin).map_err(|problems| problems.to_string());
    let (linked, loaded) = (play(linked)?, play(plugin.contribution())?);
    equal(
        "the resolved rules",
        0,
        linked.resolved(),
        loaded.resolved(),
    )?;
    let mut steps = 0;
    for seed in games.map(|game| Seed(1863).nth(game)) {
        steps += play_twice(&linked, &loaded, seed)?;
    }
    Ok(steps)
}

fn play_twice(linked: &Play, loaded: &Play, seed: Seed) -> Result<u32, String> {
    let begin = |play| Session::begin(play, seed).map_err(|fault| fault.to_string());
    let (mut linked, mut loaded) = (begin(linked)?, begin(loaded)?);
    equal("the start", 0, linked.game().hash(), loaded.game().hash())?;
    let mut choice = Loose::new(seed);
    let mut step = 0;
    while let Some(decision) = linked.game().decision() {
        let (ask, options) = (decision.ask, decision.options.to_vec());
        let other = loaded
            .game()
            .decision()
            .map(|other| (other.ask, other.options.to_vec()));
        equal("the decision", step, Some((ask, options.clone())), other)?;
        equal(
            "the words",
            step,
            words(linked.game()),
            words(loaded.game()),
        )?;
        let pick = choice.roll(options.len() as u16, "choice", About::Game);
        let act = options[usize::from(pick) - 1];
        let apply = |session: &mut Session| -> Result<Applied, String> {
            session
                .apply(ask.side, act)
                .map_err(|error| error.to_string())
        };
        equal("the step", step, apply(&mut linked)?, apply(&mut loaded)?)?;
        step += 1;
        if step > linked.game().play().bounds().decisions {
            return Err("the game does not end".into());
        }
    }
    equal(
        "the verdict",
        step,
        linked.game().verdict(),
        loaded.game().verdict(),
    )?;
    Ok(step)
}

/// The open decision as people read it, with what fights would come to.
fn words(game: &Game) -> Vec<String> {
    let options = game
        .decision()
        .map(|decision| decision.options)
        .unwrap_or_default();
    let mut words: Vec<String> = game.prompt().into_iter().collect();
    for &act in options {
        words.push(format!(
            "{}: {}: {:?}",
            game.name(act),
            game.text(act),
            game.preview(act)
        ));
    }
    words
}

fn equal<T: PartialEq + std::fmt::Debug>(
    what: &str,
    step: u32,
    linked: T,
    loaded: T,
) -> Result<(), String> {
    if linked == loaded {
        return Ok(());
    }
    Err(format!(
        "{what} differs at step {step}:\nlinked {linked:?}\nloaded {loaded:?}"
    ))
}
