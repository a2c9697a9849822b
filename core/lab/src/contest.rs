//! A contest: who plays what, by which plan.

use crate::record::{FORM, Kept, Record};
use crate::watch::Watch;
use cupola_bots::{Brief, Player, Skill};
use cupola_kernel::{
    Act, ApplyError, Code, Fault, Game, Identity, Journal, Play, Seed, Session, Side, digest,
};
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

/// A ruleset with a scenario, a plan and a bot for each side.
#[derive(Clone)]
pub struct Contest {
    /// Its name: short and stable, for files and tables.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The ruleset, or the base of the variant.
    pub ruleset: String,
    /// The variant's text, if one is played.
    pub variant: Option<String>,
    /// What is played.
    pub play: Play,
    /// The plans, by side.
    pub briefs: [Arc<Brief>; 2],
    /// What a searching bot takes the other side to be about.
    pub guesses: [Arc<Brief>; 2],
    /// How well each side plays.
    pub skills: [Skill; 2],
    /// The seed from which those of the games follow. Contests that share it share their luck.
    pub seed: Seed,
}

/// The code of the lab and of the players.
const CODE: Code = cupola_kernel::stamp!();

/// Keeps a bot's imagination apart from the dice of the game.
const BOTS: u64 = 0x626f_7473;

impl Contest {
    /// The seed of a game.
    #[must_use]
    pub fn seed_of(&self, number: u32) -> Seed {
        self.seed.nth(u64::from(number))
    }

    /// What a record of this contest depends on besides its number and the rules.
    #[must_use]
    pub fn terms(&self) -> String {
        // Where the games start, if not at the beginning.
        let position = self.play.position();
        let start = position.map_or(String::new(), |text| {
            format!("@{}", digest(text.as_bytes()))
        });
        format!(
            "{} {FORM} {}{start} {} {} {} {} {}",
            self.name,
            self.play.scenario(),
            self.seed,
            self.skills[0],
            self.skills[1],
            self.briefs[0].key(),
            self.briefs[1].key(),
        )
    }

    /// The rules that the games are played by, the code of the players and of the lab included.
    #[must_use]
    pub fn rules(&self) -> Identity {
        let mut rules = self.play.identity().clone();
        rules.code(CODE);
        rules
    }

    /// What a record of this contest depends on, besides its number and the code: two contests that differ in any
    /// of it have different keys.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{} {}", self.terms(), self.play.identity().data())
    }

    fn players(&self, seed: Seed) -> [Player; 2] {
        let seat = |i: usize| seed.nth(BOTS).nth(i as u64);
        [0, 1].map(|i| {
            Player::new(
                self.skills[i],
                &self.briefs[i],
                &self.guesses[1 - i],
                seat(i),
            )
        })
    }

    /// Plays a game and keeps its record. What goes wrong is in the record, a panic in a ruleset included.
    #[must_use]
    pub fn play(&self, number: u32) -> Record {
        let seed = self.seed_of(number);
        let bad = |fault: String| Record {
            number,
            seed,
            kept: Kept::default(),
            fault: Some(fault),
        };
        // Nothing of the game is looked at again after a panic, so nothing half-changed can be seen.
        let played = panic::catch_unwind(AssertUnwindSafe(|| {
            let mut game = self.play.game(seed)?;
            let mut watch = Watch::new(&self.briefs, &game);
            let result = self.play_on(&mut game, seed, &mut watch);
            let fault = result.err().map(|fault| fault.to_string());
            Ok(watch.end(&game, number, seed, fault))
        }));
        match played {
            Ok(Ok(record)) => record,
            Ok(Err(fault)) => bad(Fault::to_string(&fault)),
            Err(panic) => bad(format!("panicked: {}", message(&*panic))),
        }
    }

    fn play_on(&self, game: &mut Game, seed: Seed, watch: &mut Watch) -> Result<(), Fault> {
        self.play_out(game, seed, |moment| {
            match moment {
                Moment::Chosen(game, side, _) => {
                    let options = game.decision().map_or(0, |decision| decision.options.len());
                    watch.chosen(side, options);
                }
                Moment::Done(game) => watch.done(game),
            }
            ControlFlow::Continue(())
        })
    }

    /// Plays a game again and keeps its journal, as `cupola replay` reads it.
    ///
    /// # Errors
    /// If the game cannot be played; the journal up to there is lost.
    pub fn journal(&self, number: u32) -> Result<Journal, String> {
        let seed = self.seed_of(number);
        let head = Journal::new(&self.play, &self.ruleset, self.variant.clone(), seed, None);
        let mut session = Session::new(&self.play, head).map_err(|why| why.to_string())?;
        let sides = &self.play.env().sides;
        let seats = sides.iter().map(|(side, info)| {
            let skill = self.skills[side as usize];
            (info.id.clone(), skill.to_string())
        });
        session.set_seats(seats.collect());
        self.play_out(&mut session, seed, |_| ControlFlow::Continue(()))
            .map_err(|why| why.to_string())?;
        Ok(session.journal().clone())
    }

    /// The choices of a game, one by one, until `stop` says so: to find where two games part ways.
    ///
    /// # Errors
    /// If the ruleset fails.
    pub fn retrace(
        &self,
        number: u32,
        mut stop: impl FnMut(&Game, Side, Act) -> bool,
    ) -> Result<(), Fault> {
        let seed = self.seed_of(number);
        let mut game = self.play.game(seed)?;
        self.play_out(&mut game, seed, |moment| match moment {
            Moment::Chosen(game, side, act) if stop(game, side, act) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }

    /// The players' game: the one loop in which all games of a contest are played, to their end or until `look`
    /// breaks off.
    fn play_out<C: Course>(
        &self,
        course: &mut C,
        seed: Seed,
        mut look: impl FnMut(Moment) -> ControlFlow<()>,
    ) -> Result<(), Fault> {
        let mut players = self.players(seed);
        // A ruleset that never ends is a bad game, not a hung lab.
        let most = self.play.bounds().decisions.saturating_mul(4);
        for _ in 0..most {
            let game = course.game();
            let Some(side) = game.decision().map(|decision| decision.ask.side) else {
                return Ok(());
            };
            let Some(act) = players[side as usize].choose(game)? else {
                return Ok(());
            };
            if look(Moment::Chosen(game, side, act)).is_break() {
                return Ok(());
            }
            course.take(side, act)?;
            if look(Moment::Done(course.game())).is_break() {
                return Ok(());
            }
        }
        Err(Fault::Broken(format!("no end after {most} decisions")))
    }
}

/// A moment of a game that is played.
enum Moment<'a> {
    /// This will be done next.
    Chosen(&'a Game, Side, Act),
    /// It was done.
    Done(&'a Game),
}

/// A game under way: plain, or with its journal.
trait Course {
    fn game(&self) -> &Game;
    fn take(&mut self, side: Side, act: Act) -> Result<(), Fault>;
}

impl Course for Game {
    fn game(&self) -> &Game {
        self
    }

    fn take(&mut self, _: Side, act: Act) -> Result<(), Fault> {
        self.apply_unchecked(act)
    }
}

impl Course for Session {
    fn game(&self) -> &Game {
        Session::game(self)
    }

    fn take(&mut self, side: Side, act: Act) -> Result<(), Fault> {
        match self.apply(side, act) {
            Ok(_) => Ok(()),
            Err(ApplyError::Fault(fault)) => Err(fault),
            Err(other) => Err(Fault::Broken(other.to_string())),
        }
    }
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "without a word".into())
}
