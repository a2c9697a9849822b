//! Seams: what lasts for a player turn, a turn or a day is gone when that is over, for both sides.

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::walk::Walk;
use cupola_kernel::{Fault, Play, Seam, Spell, Table, Until, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

struct Watchman {
    spells: Vec<Spell>,
    looks: AtomicU64,
}

impl Watchman {
    fn look(&self, table: &Table, over: impl Fn(Until) -> bool) -> Result<(), Fault> {
        for spell in self.spells.iter().filter(|spell| over(spell.until)) {
            self.looks.fetch_add(1, Ordering::Relaxed);
            if let Some(left) = spell.left(table) {
                return Err(Fault::Broken(format!(
                    "“{}” should be gone ({:?}), but {left}",
                    spell.name, spell.until
                )));
            }
        }
        Ok(())
    }
}

impl Watch for Watchman {
    fn entered(&self, table: &Table, seam: Seam) -> Result<(), Fault> {
        self.look(table, |until| match until {
            Until::PlayerTurnBegins => seam.player_turn,
            Until::TurnBegins => seam.turn,
            _ => false,
        })
    }

    fn left(&self, table: &Table, seam: Seam) -> Result<(), Fault> {
        let turns = &table.env().track.turns;
        let day = |turn: usize| turns.get(turn).map(|turn| turn.start.to_string());
        let now = usize::from(table.turn());
        let same = |a: String, b: String| a.split('T').next() == b.split('T').next();
        let day_ends = seam.turn && !day(now).zip(day(now + 1)).is_some_and(|(a, b)| same(a, b));
        self.look(table, |until| match until {
            Until::PlayerTurnEnds => seam.player_turn,
            Until::TurnEnds => seam.turn,
            Until::DayEnds => day_ends,
            _ => false,
        })
    }
}

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    let watchman = Arc::new(Watchman {
        spells: play.spells(),
        looks: AtomicU64::new(0),
    });
    let play = play.watched(watchman.clone());
    settings.series(1, |number| {
        let mut walk = Walk::nth(&play, settings, number)?;
        while let Some((side, act)) = walk.choice()? {
            walk.apply(side, act)?;
        }
        Ok(walk.ply)
    })?;
    tally.add("looks", watchman.looks.load(Ordering::Relaxed));
    Ok(())
}
