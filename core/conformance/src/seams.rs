//! Seams: what lasts for a player turn, a turn or a day is gone when that is over, for both sides.

use crate::report::Tally;
use crate::settings::Settings;
use crate::walk::Walk;
use cupola_kernel::{Fault, Play, Seam, Table, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// When something is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// When the player turn ends.
    PlayerTurnEnds,
    /// Once the next player turn has begun: its first phase has been entered.
    PlayerTurnBegins,
    /// When the turn ends.
    TurnEnds,
    /// Once the next turn has begun.
    TurnBegins,
    /// When the last turn of a day ends.
    DayEnds,
}

type Left = dyn Fn(&Table) -> Option<String> + Send + Sync;

/// State that lasts for a while and is then gone, for both sides.
pub struct Spell {
    name: &'static str,
    until: Until,
    left: Box<Left>,
}

impl Spell {
    /// State by its name, when it must be gone, and what is left of it on a table: `heth is halted`.
    pub fn new(
        name: &'static str,
        until: Until,
        left: impl Fn(&Table) -> Option<String> + Send + Sync + 'static,
    ) -> Spell {
        Spell {
            name,
            until,
            left: Box::new(left),
        }
    }
}

struct Watchman {
    spells: Vec<Arc<Spell>>,
    looks: AtomicU64,
}

impl Watchman {
    fn look(&self, table: &Table, over: impl Fn(Until) -> bool) -> Result<(), Fault> {
        for spell in self.spells.iter().filter(|spell| over(spell.until)) {
            self.looks.fetch_add(1, Ordering::Relaxed);
            if let Some(left) = (spell.left)(table) {
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
        spells: settings.spells.clone(),
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
