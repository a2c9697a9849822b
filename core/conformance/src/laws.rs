//! Laws that a ruleset declares.

use crate::report::Tally;
use crate::settings::Settings;
use crate::walk::Walk;
use cupola_kernel::{Game, Play, Seed};

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    for law in &settings.laws {
        for number in 0..settings.games * 8 {
            (law.holds)(play, settings.seed.nth(number))
                .map_err(|why| format!("“{}” does not hold: {why}", law.name))?;
            tally.add("trials", 1);
        }
        tally.add("laws", 1);
    }
    Ok(())
}

/// Plays a random game and looks at every position of it.
pub(crate) fn in_every_position(
    play: &Play,
    seed: Seed,
    holds: &dyn Fn(&Game) -> Result<(), String>,
) -> Result<(), String> {
    let mut walk = Walk::start(play, seed)?;
    loop {
        holds(&walk.game).map_err(|why| walk.at(why))?;
        let Some((side, act)) = walk.choice()? else {
            return Ok(());
        };
        walk.apply(side, act)?;
    }
}
