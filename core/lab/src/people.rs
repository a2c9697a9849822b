//! Games that people have played, as records beside those of the bots.

use crate::contest::Contest;
use crate::record::Record;
use crate::watch::Watch;
use cupola_bots::Skill;
use cupola_kernel::{Journal, Session};
use std::panic::{self, AssertUnwindSafe};

impl Contest {
    /// Whether a journal is of a game that this contest plays: the same rules, the same scenario, from its beginning.
    #[must_use]
    pub fn is_of(&self, journal: &Journal) -> bool {
        let lines = |text: &Option<String>| -> Vec<String> {
            let text = text.as_deref().unwrap_or_default().trim_end();
            text.lines().map(str::to_owned).collect()
        };
        journal.ruleset == self.ruleset
            && journal.scenario == self.play.scenario()
            && journal.position.is_none()
            && lines(&journal.variant) == lines(&self.variant)
    }

    /// The bots that sat in a game, by its sides; none where a person did, or where the journal does not tell.
    #[must_use]
    pub fn bots_of(&self, journal: &Journal) -> [Option<Skill>; 2] {
        let who = self.seated(journal).into_iter();
        let mut bots = who.map(|(_, who)| Skill::parse(&who).ok());
        [bots.next().flatten(), bots.next().flatten()]
    }

    /// Who sat where, by the ids of the sides. A club that knows none has them in the order of the sides.
    fn seated(&self, journal: &Journal) -> Vec<(String, String)> {
        let sides = &self.play.env().sides;
        let ids: Vec<&String> = sides.iter().map(|(_, info)| &info.id).collect();
        let by_id = journal.seats.iter().any(|(id, _)| ids.contains(&id));
        let seats = ids.iter().enumerate().filter_map(|(i, id)| {
            let mut seats = journal.seats.iter();
            let (_, who) = match by_id {
                true => seats.find(|(side, _)| side == *id)?,
                false => journal.seats.get(i)?,
            };
            Some(((*id).clone(), who.clone()))
        });
        seats.collect()
    }

    /// The record of a game that others have played, choice by choice from its journal; and the journal under the rules of
    /// today.
    ///
    /// # Errors
    /// In words, if the rules of today lead elsewhere than those it was played by.
    pub fn record_of(&self, journal: &Journal, number: u32) -> Result<(Record, Journal), String> {
        // Nothing of the game is looked at again after a panic.
        let watched = panic::catch_unwind(AssertUnwindSafe(|| self.follow(journal, number)));
        watched.unwrap_or_else(|_| Err("the ruleset panicked".to_owned()))
    }

    fn follow(&self, journal: &Journal, number: u32) -> Result<(Record, Journal), String> {
        let head = Journal {
            rules: self.play.identity().clone(),
            seats: self.seated(journal),
            steps: vec![],
            ..journal.clone()
        };
        let mut session = Session::new(&self.play, head).map_err(|fault| fault.to_string())?;
        let mut watch = Watch::new(&self.briefs, session.game());
        for (i, step) in journal.steps.iter().enumerate() {
            let wrong =
                |why: &dyn std::fmt::Display| format!("step {} ({}): {why}", i + 1, step.act);
            let side = self.play.env().side(&step.side);
            let side = side.ok_or_else(|| wrong(&"there is no such side"))?;
            let act = session.game().parse(&step.act).map_err(|why| wrong(&why))?;
            let options = session.game().decision();
            watch.chosen(side, options.map_or(0, |decision| decision.options.len()));
            // With the dice of the seed, or those that fell on the club's own table.
            let applied = session.apply_again(side, act, step);
            if applied.map_err(|why| wrong(&why))?.hash != step.hash {
                return Err(wrong(&"it no longer leads where it did"));
            }
            watch.done(session.game());
        }
        if session.game().verdict().is_none() {
            return Err("it is not over".to_owned());
        }
        let record = watch.end(session.game(), number, journal.seed, None);
        Ok((record, session.journal().clone()))
    }
}
