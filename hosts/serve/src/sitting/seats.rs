//! Who may look at a game and choose in it, from which seat.

use super::{Sitting, State};
use crate::wrong::Wrong;
use cupola_kernel::{Seat, Side};

impl Sitting {
    /// The seat that a person asks for: one that he holds, or a spectator's; everybody's when the game is over.
    ///
    /// # Errors
    /// If it is not for this person.
    pub fn seat_of(&self, state: &State, person: &str, wanted: &str) -> Result<Seat, Wrong> {
        let meta = &state.record.meta;
        let holds = |side: Side| meta.serves(person, side as usize);
        let plays = meta.plays(person) || meta.by == person || meta.is_umpire(person);
        match wanted {
            "umpire" if state.over() || meta.is_umpire(person) => Ok(Seat::Umpire),
            "umpire" => Err(Wrong::forbidden("All is shown when the game is over.")),
            "observer" if meta.watched || plays || state.over() => Ok(Seat::Observer),
            "observer" => Err(Wrong::missing("game")),
            id => {
                let env = self.scenery.play.env();
                let side = env.side(id).ok_or_else(|| Wrong::missing("seat"))?;
                if holds(side) || state.over() {
                    Ok(Seat::Player(side))
                } else {
                    Err(Wrong::forbidden("That seat is somebody else's."))
                }
            }
        }
    }

    /// Whether a person may look at the table at all.
    ///
    /// # Errors
    /// If not; it sounds as if there were no such game.
    pub fn may_look(&self, state: &State, person: &str) -> Result<(), Wrong> {
        self.seat_of(state, person, "observer").map(|_| ())
    }

    /// Whether somebody is at the table.
    pub fn is_present(&self, person: &str) -> bool {
        self.bell.hears(person)
    }

    /// The side of a seat that a person holds or shares.
    ///
    /// # Errors
    /// If it is not his.
    pub fn side_of(&self, state: &State, person: &str, wanted: &str) -> Result<Side, Wrong> {
        let side = self.scenery.play.env().side(wanted);
        let side = side.ok_or_else(|| Wrong::missing("seat"))?;
        if state.record.meta.serves(person, side as usize) {
            Ok(side)
        } else {
            Err(Wrong::forbidden("That seat is somebody else's."))
        }
    }
}
