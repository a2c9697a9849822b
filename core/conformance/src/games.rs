//! Random whole games: bounds, dead ends, verdicts.

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::walk::Walk;
use cupola_kernel::{ApplyError, Game, Play, Seat, Side};

/// Kernel types never let a game run on for ever without a question; bounds stop endless questions.
pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    settings.series(1, |number| {
        let mut walk = Walk::nth(play, settings, number)?;
        let (mut turn, mut last) = (walk.game.table().turn(), None);
        while let Some((side, act)) = walk.choice()? {
            let options = walk.game.decision().map_or(0, |d| d.options.len());
            tally.top("options at most", options as u64);
            walk.apply(side, act)?;
            last = Some((side, act));
            let now = walk.game.table().turn();
            if now < turn || now > play.env().last_turn {
                return Err(walk.at(format!("turn {turn} is followed by turn {now}")));
            }
            turn = now;
        }
        if let Some((_, act)) = last {
            stays_over(&mut walk.game, act).map_err(|why| walk.at(why))?;
        }
        tally.add("games", 1);
        tally.add("decisions", u64::from(walk.ply));
        tally.top("decisions at most", u64::from(walk.ply));
        Ok(walk.ply)
    })
}

/// A game that asks nothing more has a verdict, and nobody can play on.
fn stays_over(game: &mut Game, act: cupola_kernel::Act) -> Result<(), String> {
    let verdict = game
        .verdict()
        .ok_or("nobody is asked, but there is no verdict")?;
    if verdict.how.trim().is_empty() {
        return Err("the verdict does not say how the game ended".to_owned());
    }
    let hash = game.hash();
    for side in Side::BOTH {
        if game.apply(side, act) != Err(ApplyError::Over) {
            return Err("a choice is taken after the end".to_owned());
        }
        if game.view(Seat::Player(side)).verdict.is_none() {
            return Err("a player does not see the verdict".to_owned());
        }
    }
    if game.hash() == hash {
        Ok(())
    } else {
        Err("a choice after the end changes the state".to_owned())
    }
}
