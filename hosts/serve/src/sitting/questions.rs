//! What somebody asks before choosing, and what was.

use super::{Sitting, State, parse};
use crate::asked;
use crate::wrong::Wrong;
use cupola_kernel::{Arg, Game, Seat, Side};
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl Sitting {
    /// The dice that a seat saw fall, by the side whose choice let them: how many, their sum, what was to be expected,
    /// and the variance of that.
    pub fn luck(&self, state: &State, seat: Seat) -> Value {
        let steps = &state.session.journal().steps;
        let mut sums: BTreeMap<&str, [f64; 4]> = BTreeMap::new();
        for (step, event) in state.session.events(seat, 0) {
            let Some(entry) = step.checked_sub(1).and_then(|index| steps.get(index)) else {
                continue;
            };
            let sum = sums.entry(&entry.side).or_default();
            for die in &event.dice {
                let sides = f64::from(die.sides);
                sum[0] += 1.0;
                sum[1] += f64::from(die.value);
                sum[2] += (sides + 1.0) / 2.0;
                sum[3] += (sides * sides - 1.0) / 12.0;
            }
        }
        json!(sums)
    }

    /// What a seat saw from one step to another.
    ///
    /// # Errors
    /// If there are no such steps.
    pub fn film(&self, seat: Seat, from: usize, to: usize) -> Result<Value, Wrong> {
        let state = &mut *self.lock();
        let journal = state.session.journal();
        let to = to.min(journal.steps.len());
        if from > to {
            return Err(Wrong::bad("There are no such steps."));
        }
        let scenery = (&self.scenery.play, &self.scenery.faces);
        state
            .tape
            .film(scenery, journal.seed, &journal.steps, seat, (from, to))
            .map_err(Wrong::broken)
    }

    /// Whether lines of sight are shown at this table.
    ///
    /// # Errors
    /// If they are switched off.
    pub fn check_sight(&self) -> Result<(), Wrong> {
        match self.lock().record.meta.aids.sight {
            true => Ok(()),
            false => Err(Wrong::forbidden(
                "Lines of sight are switched off at this table.",
            )),
        }
    }

    /// The odds of an option.
    ///
    /// # Errors
    /// If it is stale or there is no such option.
    pub fn odds(&self, side: Side, option: &str, ply: u64) -> Result<Value, Wrong> {
        let game = self.question(side, ply)?;
        let act = parse(&game, option)?;
        Ok(json!({"odds": asked::odds(&game, act)}))
    }

    /// Why nothing can be done with a hex or a unit.
    ///
    /// # Errors
    /// If it is stale or there is no such thing.
    pub fn why_not(&self, side: Side, thing: &str, ply: u64) -> Result<Value, Wrong> {
        let game = self.question(side, ply)?;
        let env = game.table().env();
        let arg = match thing.split_at_checked(1) {
            Some(("u", id)) => env.unit(id).map(Arg::Unit),
            Some(("h", label)) => env.board.hex(label).ok().map(Arg::Hex),
            _ => None,
        };
        let arg = arg.ok_or_else(|| Wrong::missing("thing"))?;
        Ok(json!({"why": asked::why_not(&game, arg)}))
    }

    /// A copy of the game for a question of the side that must choose: working it out holds nobody up.
    fn question(&self, side: Side, ply: u64) -> Result<Game, Wrong> {
        let state = self.lock();
        state.check_ply(ply)?;
        if state.asked() != Some(side) {
            return Err(Wrong::forbidden("The decision is the other side's."));
        }
        Ok(state.game().fork())
    }
}
