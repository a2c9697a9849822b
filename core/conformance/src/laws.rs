//! Laws that a ruleset declares.

use crate::conformity::Tally;
use crate::settings::{Holds, Law, Settings};
use crate::walk::Walk;
use cupola_kernel::{Game, Play};

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    for law in &settings.laws {
        let broken = |why: String| format!("“{}” does not hold: {why}", law.name);
        try_law(law, play, settings, tally).map_err(broken)?;
        tally.add("laws", 1);
    }
    Ok(())
}

fn try_law(law: &Law, play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    match &law.holds {
        Holds::Play(holds) => (0..settings.games).try_for_each(|number| {
            tally.add("trials", 1);
            holds(play, settings.seed.nth(number))
        }),
        Holds::Position(holds) => settings.series(1, |number| {
            let walk = Walk::nth(play, settings, number)?;
            let plies = in_every_position(walk, holds)?;
            tally.add("positions", u64::from(plies) + 1);
            Ok(plies)
        }),
    }
}

/// Plays a random game to its end and looks at every position of it.
fn in_every_position(
    mut walk: Walk,
    holds: &dyn Fn(&Game) -> Result<(), String>,
) -> Result<u32, String> {
    loop {
        holds(&walk.game).map_err(|why| walk.at(why))?;
        let Some((side, act)) = walk.choice()? else {
            return Ok(walk.ply);
        };
        walk.apply(side, act)?;
    }
}
