//! A session: a game with its journal, its events and its undo.

use crate::act::Act;
use crate::combat::Fought;
use crate::dice::{RollRecord, Seed};
use crate::event::Event;
use crate::game::{ApplyError, Game};
use crate::hash::{StateHash, hash_bytes};
use crate::identity::Weight;
use crate::ids::{Seat, Side};
use crate::journal::{Entry, Journal};
use crate::phase::Fault;
use crate::play::Play;
use crate::pledge::Draw;
use cupola_data::{Problem, Problems};

/// A game with its journal: what is played can be written down, read, and played again to the bit.
///
/// ```
/// # use cupola_corps20 as _;
/// # use cupola_library::Library;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use cupola_data::Source;
/// use cupola_kernel::{Journal, Registry, Seed, Session};
///
/// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
/// # let library = Library::new(data.into(), None, Registry::linked()?);
/// let play = library.play("corps20", "training", None)?;
/// let mut session = Session::begin(&play, Seed(1863))?;
/// while let Some(decision) = session.game().decision() {
///     let (side, last) = (decision.ask.side, decision.options[decision.options.len() - 1]);
///     session.apply(side, last)?;
/// }
///
/// let text = session.journal().write();
/// let journal = Journal::read(&Source::new("game.journal", &text))?;
/// let again = Session::replay(&play, &journal, "game.journal")?;
/// assert_eq!(again.game().hash(), session.game().hash());
/// # Ok(())
/// # }
/// ```
pub struct Session {
    game: Game,
    journal: Journal,
    /// The hash of the state before the first choice.
    opening: StateHash,
    /// The states before each step since the last die or reveal.
    undo: Vec<Game>,
    /// A state that nobody needs any more, for its memory: to fill a world costs a tenth of making one.
    spare: Option<Game>,
    /// Steps that were not carried out here: the game was taken up behind them.
    taken_for_granted: usize,
    events: Vec<(usize, Event)>,
    rolls: Vec<(usize, RollRecord)>,
    fights: Vec<(usize, Fought)>,
}

/// What a choice led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// What happened, everything included.
    pub events: Vec<Event>,
    /// The dice as they fell.
    pub rolls: Vec<RollRecord>,
    /// The hash of the new state.
    pub hash: StateHash,
}

impl Session {
    /// Starts a game and its journal.
    ///
    /// # Errors
    /// If the ruleset cannot begin.
    pub fn new(play: &Play, mut journal: Journal) -> Result<Session, Fault> {
        let mut game = play.game(journal.seed)?;
        game.listen(true);
        let opening = game.try_hash()?;
        journal.start = journal.bind(opening);
        journal.steps.clear();
        Ok(Session {
            game,
            journal,
            opening,
            undo: vec![],
            spare: None,
            taken_for_granted: 0,
            events: vec![],
            rolls: vec![],
            fights: vec![],
        })
    }

    /// Starts an unnamed game of a play.
    ///
    /// # Errors
    /// If the ruleset cannot begin.
    pub fn begin(play: &Play, seed: Seed) -> Result<Session, Fault> {
        let ruleset = play.env().ruleset.clone();
        Session::new(play, Journal::new(play, &ruleset, None, seed, None))
    }

    /// Plays a journal again and compares every hash. Other rules are refused, with what differs. Where only
    /// code, layout or comments differ, the hashes decide, and the journal goes on under the rules that are here.
    ///
    /// # Errors
    /// The first step that does not lead where the journal says, or that is refused.
    pub fn replay(play: &Play, journal: &Journal, file: &str) -> Result<Session, Problems> {
        let first = journal.first_step_line();
        let differences = play.identity().differences(&journal.rules);
        let wrong = |step: usize, message: String| {
            let mut problem = Problem::file(file, message);
            problem.line = (first + step) as u32;
            problem.column = 1;
            problem.field = step.to_string();
            let other: Vec<String> = differences.iter().map(ToString::to_string).collect();
            if !other.is_empty() {
                problem.hint = Some(format!(
                    "it was not played by this program: {}",
                    other.join("; ")
                ));
            }
            Problems::from(problem)
        };
        let others = differences.iter().filter(|d| d.weight == Weight::Rules);
        let others: Vec<String> = others.map(ToString::to_string).collect();
        if !others.is_empty() {
            let mut problem = Problem::file(
                file,
                format!(
                    "this game was played under other rules: {}",
                    others.join("; ")
                ),
            );
            problem.field = "rules".to_owned();
            return Err(problem.into());
        }
        let mut session =
            Session::new(play, journal.clone()).map_err(|fault| wrong(0, fault.to_string()))?;
        if session.journal.start != journal.start {
            let message = "the game does not start so: what stands above was altered, or the rules set it up otherwise";
            return Err(wrong(0, message.to_owned()));
        }
        for (i, step) in journal.steps.iter().enumerate() {
            session
                .repeat(i, step)
                .map_err(|message| wrong(i + 1, message))?;
        }
        session.journal.rules = play.identity().clone();
        session.rebind();
        Ok(session)
    }

    /// Takes up a game where its journal leaves it, as [`Session::replay`] does, but compares only the last hash: for
    /// journals that are kept by those who play them. Nearly all the time of a replay goes into the hashes and the copies for
    /// undo; where the last hash is as written, so were those before it. If it is not, the journal is replayed.
    ///
    /// # Errors
    /// As [`Session::replay`].
    pub fn resume(play: &Play, journal: &Journal, file: &str) -> Result<Session, Problems> {
        match Session::take_up(play, journal, None) {
            Some(session) => Ok(session),
            None => Session::replay(play, journal, file),
        }
    }

    /// The same from a state that was kept on the way, written by [`Game::snapshot`] after a step of [`Session::settled`]:
    /// only what follows is carried out. The journal decides: what is not the state that it has after that step is not
    /// looked at. Of the steps before it nothing is known but the journal ([`Session::taken_for_granted`]).
    ///
    /// None if it is not that state, or what follows does not lead where the journal says.
    #[must_use]
    pub fn resume_from(
        play: &Play,
        journal: &Journal,
        (step, state): (usize, &[u8]),
    ) -> Option<Session> {
        Session::take_up(play, journal, Some((step, state)))
    }

    fn take_up(play: &Play, journal: &Journal, kept: Option<(usize, &[u8])>) -> Option<Session> {
        if !play.identity().differences(&journal.rules).is_empty() {
            return None;
        }
        let mut session = Session::new(play, journal.clone()).ok()?;
        if session.journal.start != journal.start {
            return None;
        }
        if let Some((step, state)) = kept {
            session.take_for_granted(journal.steps.get(..step)?, state)?;
        }
        // The state after the last die or reveal: what came before cannot be undone.
        let (mut since, mut settled) = (session.taken_for_granted, session.game.fork());
        for (i, step) in journal.steps.iter().enumerate().skip(since) {
            let luck = session.game.luck();
            session.follow(step)?;
            if session.game.luck() != luck {
                since = i + 1;
                settled.copy_from(&session.game);
            }
        }
        let hash = session.game.try_hash().ok()?;
        if journal.steps.last().is_some_and(|last| last.hash != hash) {
            return None;
        }
        for step in &journal.steps[since..] {
            session.undo.push(settled.fork());
            settled
                .apply_unchecked(settled.parse(&step.act).ok()?)
                .ok()?;
        }
        Some(session)
    }

    /// Goes on from a state that was kept after these steps. A state's hash is that of the bytes it is written in, so
    /// bytes with the hash of the journal are the state of the journal.
    fn take_for_granted(&mut self, steps: &[Entry], state: &[u8]) -> Option<()> {
        if steps.last()?.hash != hash_bytes(state) {
            return None;
        }
        self.game.restore(state).ok()?;
        // Nothing happened by looking at it.
        self.game.listen(true);
        self.journal.steps.extend_from_slice(steps);
        self.taken_for_granted = steps.len();
        Some(())
    }

    /// Carries out a step of a journal without looking where it leads.
    fn follow(&mut self, step: &Entry) -> Option<()> {
        let side = self.game.table().env().side(&step.side)?;
        let act = self.game.parse(&step.act).ok()?;
        if self.game.name(act) != step.act {
            return None;
        }
        match &step.dice[..] {
            [] => self.game.apply(side, act).ok()?,
            dice => {
                let typed = self
                    .game
                    .with_typed_dice(dice, |game| game.apply(side, act));
                matches!(typed, (Ok(()), 0)).then_some(())?;
            }
        }
        self.write_down(step.clone());
        Some(())
    }

    /// Plays one step of a journal again.
    fn repeat(&mut self, i: usize, step: &Entry) -> Result<(), String> {
        let side = self.game.table().env().side(&step.side);
        let side = side.ok_or_else(|| format!("no side \"{}\" in this game", step.side))?;
        let act = self.game.parse(&step.act).map_err(|why| why.to_string())?;
        let done = self
            .apply_again(side, act, step)
            .map_err(|why| format!("\"{}\": {why}", step.act))?;
        // What a step is called here must be what it is called there, or another journal would follow.
        let named = &self.journal.steps[i].act;
        if *named != step.act {
            return Err(format!("\"{}\" is written \"{named}\"", step.act));
        }
        if done.hash != step.hash {
            return Err(format!("leads to {}, not to {}", done.hash, step.hash));
        }
        Ok(())
    }

    /// Says who sits where.
    pub fn set_seats(&mut self, seats: Vec<(String, String)>) {
        self.journal.seats = seats;
        self.rebind();
    }

    /// Shows how the seed was drawn, pledges and shares. Before the first choice, since the pledges stand in the
    /// journal's head.
    pub fn set_draw(&mut self, draw: Draw) {
        self.journal.draw = Some(draw);
        self.rebind();
    }

    fn rebind(&mut self) {
        self.journal.start = self.journal.bind(self.opening);
    }

    /// Carries out a choice.
    ///
    /// # Errors
    /// If it is refused; nothing has changed then.
    pub fn apply(&mut self, side: Side, act: Act) -> Result<Applied, ApplyError> {
        self.carry_out(side, act, &[], |game| game.apply(side, act))
    }

    /// Carries out a choice with dice that fell on somebody's table, in the order in which they are rolled. The journal
    /// has them.
    ///
    /// # Errors
    /// If it is refused; [`Fault::Wanted`] if one more die is rolled. Nothing has changed then.
    pub fn apply_typed(
        &mut self,
        side: Side,
        act: Act,
        dice: &[u16],
    ) -> Result<Applied, ApplyError> {
        self.carry_out(side, act, dice, |game| {
            let (done, left) = game.with_typed_dice(dice, |game| game.apply(side, act));
            done?;
            match left {
                0 => Ok(()),
                left => Err(ApplyError::Fault(Fault::Dice(format!(
                    "{} dice were typed in, and {} are rolled",
                    dice.len(),
                    dice.len() - left
                )))),
            }
        })
    }

    /// Carries out a choice as a journal has it: with the dice that were typed in, or those of the seed.
    ///
    /// # Errors
    /// If it is refused; nothing has changed then.
    pub fn apply_again(
        &mut self,
        side: Side,
        act: Act,
        step: &Entry,
    ) -> Result<Applied, ApplyError> {
        match &step.dice[..] {
            [] => self.apply(side, act),
            dice => self.apply_typed(side, act, dice),
        }
    }

    fn carry_out(
        &mut self,
        side: Side,
        act: Act,
        dice: &[u16],
        apply: impl FnOnce(&mut Game) -> Result<(), ApplyError>,
    ) -> Result<Applied, ApplyError> {
        let (name, before, luck) = (self.game.name(act), self.copied(), self.game.luck());
        // State that cannot be written cannot be saved or compared.
        let done =
            apply(&mut self.game).and_then(|()| self.game.try_hash().map_err(ApplyError::Fault));
        let hash = match done {
            Ok(hash) => hash,
            Err(error) => {
                if matches!(error, ApplyError::Fault(_)) {
                    // A ruleset or plugin failed half-way: the step never happened.
                    self.game.copy_from(&before);
                    // Nor did what was said and rolled on the way.
                    self.game.listen(true);
                }
                self.spare = Some(before);
                return Err(error);
            }
        };
        if self.game.luck() == luck {
            self.undo.push(before);
        } else {
            self.undo.clear();
            self.spare = Some(before);
        }
        let side = self.game.table().env().sides[side].id.clone();
        let (events, rolls) = self.write_down(Entry {
            side,
            dice: dice.to_vec(),
            act: name,
            hash,
        });
        Ok(Applied {
            events,
            rolls,
            hash,
        })
    }

    /// The state as it is now.
    fn copied(&mut self) -> Game {
        let Some(mut copy) = self.spare.take() else {
            return self.game.fork();
        };
        copy.copy_from(&self.game);
        copy
    }

    /// Puts a step that was carried out into the journal, and what happened beside it.
    fn write_down(&mut self, entry: Entry) -> (Vec<Event>, Vec<RollRecord>) {
        self.journal.steps.push(entry);
        let (events, rolls) = self.game.take_events();
        let step = self.journal.steps.len();
        let told = events.iter().cloned();
        self.events.extend(told.map(|event| (step, event)));
        self.rolls
            .extend(rolls.iter().cloned().map(|roll| (step, roll)));
        let fights = self.game.take_fought().into_iter();
        self.fights.extend(fights.map(|fight| (step, fight)));
        (events, rolls)
    }

    /// Takes back the last choice, if it was this side's and led to no die and no reveal.
    ///
    /// # Errors
    /// Why it cannot be taken back.
    pub fn undo(&mut self, side: Side) -> Result<(), &'static str> {
        let last = self
            .journal
            .steps
            .last()
            .ok_or("nothing has been chosen yet")?;
        if last.side != self.game.table().env().sides[side].id {
            return Err("the last choice was the other side's");
        }
        let before = self
            .undo
            .last()
            .ok_or("a die was rolled or something hidden was shown since")?;
        self.game.copy_from(before);
        self.spare = self.undo.pop();
        self.journal.steps.pop();
        let steps = self.journal.steps.len();
        self.events.retain(|(step, _)| *step <= steps);
        // Nothing was rolled, but a fight without dice may have been fought.
        self.fights.retain(|(step, _)| *step <= steps);
        Ok(())
    }

    /// The state after the last die or reveal, before which nothing is taken back, and the number of steps that led to it.
    #[must_use]
    pub fn settled(&self) -> (usize, &Game) {
        let steps = self.journal.steps.len() - self.undo.len();
        (steps, self.undo.first().unwrap_or(&self.game))
    }

    /// How many of the first steps were not carried out here ([`Session::resume_from`]): there are no events, rolls and
    /// fights of them.
    #[must_use]
    pub fn taken_for_granted(&self) -> usize {
        self.taken_for_granted
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The journal so far.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The events that a seat may know, from this step on.
    pub fn events(&self, seat: Seat, from: usize) -> impl Iterator<Item = (usize, &Event)> {
        self.events
            .iter()
            .filter(move |(step, event)| *step >= from && event.known_to(seat))
            .map(|(s, e)| (*s, e))
    }

    /// The dice as they fell, each with the step it fell in: for those who may know everything.
    pub fn rolls(&self) -> impl Iterator<Item = (usize, &RollRecord)> {
        self.rolls.iter().map(|(step, roll)| (*step, roll))
    }

    /// The fights that were fought, each with the step it was fought in: for those who may know everything.
    pub fn fights(&self) -> impl Iterator<Item = (usize, &Fought)> {
        self.fights.iter().map(|(step, fight)| (*step, fight))
    }
}
