//! Several people on one side: who gives which orders.
//!
//! A seat has a leader; besides him there may be commanders, each with formations of the army list. A choice about a
//! unit is its commander's; what follows from it stays with him; everything else is the leader's. So a decision never
//! waits for two people at once, and a unit never has two masters.

use crate::scenery::Scenery;
use crate::sitting::{Sitting, State};
use crate::store::{Commander, Holder, Meta};
use crate::wrong::Wrong;
use cupola_kernel::{Act, Arg, Decision, Game, Side, UnitId};
use std::collections::BTreeSet;

/// What is needed to tell whose an order is.
pub(crate) struct Chain<'a> {
    pub scenery: &'a Scenery,
    pub meta: &'a Meta,
    pub side: Side,
}

impl<'a> Chain<'a> {
    /// The commander under whom a unit stands: of the smallest formation that somebody has.
    pub fn commander(&self, unit: UnitId) -> Option<&'a Commander> {
        let formations = &self.scenery.formations[usize::from(unit.0)];
        let of = |node: &String| {
            let mut own = self.commanders();
            own.find(|commander| commander.formations.contains(node))
        };
        formations.iter().find_map(of)
    }

    /// The commanders of this side.
    pub fn commanders(&self) -> impl Iterator<Item = &'a Commander> + use<'a> {
        let side = self.side as usize;
        let all = self.meta.commanders.iter();
        all.filter(move |commander| commander.side == side)
    }

    /// Whose order an option is; nobody's is the leader's.
    pub fn owner(&self, game: &Game, act: Act, last: Option<&str>) -> Option<&'a Commander> {
        // Without commanders everything is the leader's.
        self.commanders().next()?;
        if let Some(unit) = self.own(act).next() {
            return self.commander(unit);
        }
        let decision = game.decision()?;
        let mut units = self.touched(&decision).peekable();
        if units.peek().is_none() {
            // A question about what was chosen just now: where it goes, whom it attacks.
            return self.commander(self.subject(last?)?);
        }
        let mut owners = units.map(|unit| self.commander(unit));
        let first = owners.next().flatten()?;
        owners
            .all(|other| other.is_some_and(|other| other.person == first.person))
            .then_some(first)
    }

    /// The first unit of this side that an act of the journal names.
    pub fn subject(&self, act: &str) -> Option<UnitId> {
        let env = self.scenery.play.env();
        let mut words = act.split(' ');
        words.find_map(|word| env.unit(word).filter(|unit| self.is_own(*unit)))
    }

    fn touched<'g>(&'g self, decision: &Decision<'g>) -> impl Iterator<Item = UnitId> + 'g {
        let all = decision.options.iter();
        all.flat_map(move |act| self.own(*act))
    }

    fn own<'g>(&'g self, act: Act) -> impl Iterator<Item = UnitId> + 'g {
        act.args.into_iter().filter_map(|arg| match arg {
            Arg::Unit(unit) if self.is_own(unit) => Some(unit),
            _ => None,
        })
    }

    fn is_own(&self, unit: UnitId) -> bool {
        let units = &self.scenery.play.env().units;
        let info = units.get(usize::from(unit.0));
        info.is_some_and(|info| info.side == self.side)
    }
}

impl Sitting {
    /// Whether an order is this person's to give.
    ///
    /// # Errors
    /// Whose it is instead.
    pub fn check_order(
        &self,
        state: &State,
        (person, side): (&str, Side),
        act: Act,
    ) -> Result<(), Wrong> {
        let chain = self.chain(state, side);
        let owner = chain.owner(state.game(), act, state.last_act(side, &self.scenery));
        let meta = &state.record.meta;
        match owner {
            Some(commander) if commander.person == person => Ok(()),
            Some(_) => Err(Wrong::forbidden("That unit has another commander.")),
            None if meta.leads(person, side as usize) => Ok(()),
            None => Err(Wrong::forbidden("That is for the leader of your side.")),
        }
    }

    /// The chain of command of a side.
    pub fn chain<'a>(&'a self, state: &'a State, side: Side) -> Chain<'a> {
        Chain {
            scenery: &self.scenery,
            meta: &state.record.meta,
            side,
        }
    }

    /// The people of a side who have something to choose.
    pub fn asked_people(&self, state: &State, side: Side) -> BTreeSet<String> {
        let chain = self.chain(state, side);
        let leader = match &state.record.meta.seats[side as usize] {
            Holder::Person(id) => Some(id.as_str()),
            _ => None,
        };
        let last = state.last_act(side, &self.scenery);
        let options = state
            .game()
            .decision()
            .map_or(&[][..], |asked| asked.options);
        let owner = |act: &Act| match chain.owner(state.game(), *act, last) {
            Some(commander) => Some(commander.person.as_str()),
            None => leader,
        };
        options
            .iter()
            .filter_map(owner)
            .map(str::to_owned)
            .collect()
    }
}
