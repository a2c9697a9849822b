//! Games of chance with whatever is a script: which words it has and which it lacks is only known when it comes to them.

use cupola_data::{Problem, Problems};
use cupola_kernel::{About, Composition, Dice, Fault, Loose, Play, SCRIPT, Seed};

/// How many games are played: one may end before anybody has fought.
const GAMES: u64 = 4;
/// Longer than a game of any ruleset whose parts are scripts.
const CHOICES: usize = 5_000;

/// Plays a few games at random, if a phase or a combat system is a script.
///
/// # Errors
/// What the script fails with, at its line.
pub(super) fn play(play: &Play, composition: &Composition) -> Result<(), Problems> {
    let mut parts = composition
        .phases()
        .chain(composition.combat.values().map(String::as_str));
    if !parts.any(|part| part.ends_with(SCRIPT)) {
        return Ok(());
    }
    let mut seeds = (0..GAMES).map(|number| Seed(1863).nth(number));
    seeds
        .try_for_each(|seed| to_the_end(play, seed))
        .map_err(|fault| {
            let message = format!("a game of it fails: {fault}");
            Problem::file(play.scenario(), message).into()
        })
}

fn to_the_end(play: &Play, seed: Seed) -> Result<(), Fault> {
    let mut dice = Loose::new(seed);
    let mut game = play.game(seed)?;
    for _ in 0..CHOICES {
        let Some(decision) = game.decision() else {
            return Ok(());
        };
        let count = u16::try_from(decision.options.len()).unwrap_or(u16::MAX);
        let chosen = dice.roll(count, "trial", About::Game) - 1;
        let act = decision.options[usize::from(chosen)];
        game.apply_unchecked(act)?;
    }
    Ok(())
}
