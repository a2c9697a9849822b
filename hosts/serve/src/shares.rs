//! A seed that nobody chose: the house draws a share and shows its pledge before anybody else draws one; whoever opens
//! the table before the first choice adds his. The seed follows from all of them, and all are shown when the game is
//! over ([`cupola_kernel::pledge`]).

use crate::sitting::{Sitting, State};
use crate::store::{Holder, Shares};
use crate::wrong::Wrong;
use cupola_kernel::pledge::{Draw, PledgeError, Share};
use cupola_kernel::{Journal, Session, Side};
use serde_json::{Value, json};

/// The house's name among those who have a hand in a seed.
const HOUSE: &str = "house";

/// The house's share of a new game.
///
/// # Errors
/// If the system gives no random numbers.
pub(crate) fn begin() -> Result<Shares, Wrong> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|_| Wrong::broken("The system gives no random numbers."))?;
    Ok(Shares {
        house: Share(bytes).to_string(),
        sides: vec![],
    })
}

/// The draw that these shares make.
///
/// # Errors
/// If a stored share cannot be read.
pub(crate) fn draw(shares: &Shares) -> Result<Draw, Wrong> {
    let unreadable = || Wrong::broken("The record of this game cannot be read.");
    let sides = shares
        .sides
        .iter()
        .map(|(who, share)| (who.as_str(), share));
    let all = std::iter::once((HOUSE, &shares.house)).chain(sides);
    let all: Option<Vec<(&str, Share)>> = all
        .map(|(who, share)| Some((who, Share::parse(share)?)))
        .collect();
    let all = all.ok_or_else(unreadable)?;
    let drawn = || -> Result<Draw, PledgeError> {
        let mut draw = Draw::among(all.iter().map(|(who, _)| *who));
        for (who, share) in &all {
            draw.pledge(who, share.pledge(who))?;
        }
        for (who, share) in &all {
            draw.reveal(who, *share)?;
        }
        Ok(draw)
    };
    drawn().map_err(|_| unreadable())
}

impl Sitting {
    /// Takes a side's share: the game begins anew with the seed that follows.
    ///
    /// # Errors
    /// If there is nothing to share, or something was chosen already.
    pub fn take_share(&self, state: &mut State, side: Side, share: &str) -> Result<(), Wrong> {
        let id = self.scenery.play.env().sides[side].id.clone();
        let late = state.steps() > 0;
        let Some(shares) = &mut state.record.meta.shares else {
            return Err(Wrong::bad("The seed of this game is not shared."));
        };
        if late || shares.sides.iter().any(|(who, _)| *who == id) {
            return Err(Wrong::forbidden("The seed is drawn already."));
        }
        if Share::parse(share).is_none() {
            return Err(Wrong::bad("A share has 64 hexadecimal digits."));
        }
        shares.sides.push((id, share.to_owned()));
        let drawn = draw(shares)?;
        let seed = drawn.seed().ok_or_else(|| Wrong::broken("no seed"))?;
        let journal = Journal {
            seed,
            ..state.session.journal().clone()
        };
        let mut session = Session::new(&self.scenery.play, journal)
            .map_err(|fault| Wrong::broken(fault.to_string()))?;
        session.set_draw(drawn);
        state.record.meta.head = session.journal().write();
        state.session = session;
        state.bots = crate::bots::players(&state.record.meta, &self.scenery, seed);
        self.begin_anew(state)
    }

    /// Whether somebody who has a seat has yet to add his share: bots wait for that.
    pub fn awaits_shares(&self, state: &State) -> bool {
        let Some(shares) = &state.record.meta.shares else {
            return false;
        };
        let env = self.scenery.play.env();
        let owes = |side: Side| {
            let held = matches!(state.record.meta.seats[side as usize], Holder::Person(_));
            held && !shares
                .sides
                .iter()
                .any(|(who, _)| *who == env.sides[side].id)
        };
        state.steps() == 0 && Side::BOTH.into_iter().any(owes)
    }

    /// What people may know of the draw: pledges, and for whom this person may still draw.
    pub fn pledges(&self, state: &State, person: &str) -> Value {
        let meta = &state.record.meta;
        let Some(shares) = &meta.shares else {
            return Value::Null;
        };
        let pledges: Vec<Value> = draw(shares).map_or(vec![], |draw| {
            let all = draw.pledges();
            all.map(|(who, pledge)| json!([who, pledge.to_string()]))
                .collect()
        });
        let env = self.scenery.play.env();
        let mine = Side::BOTH.into_iter().filter(|side| {
            let id = &env.sides[*side].id;
            let open = !shares.sides.iter().any(|(who, _)| who == id);
            open && state.steps() == 0 && meta.leads(person, *side as usize)
        });
        let mine: Vec<&str> = mine.map(|side| env.sides[side].id.as_str()).collect();
        json!({"pledges": pledges, "mine": mine})
    }
}
