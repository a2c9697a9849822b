//! A game: decisions in, choices out, and nothing else changes the state.

use crate::act::Act;
use crate::combat::{Fight, Fought};
use crate::dice::{self, Loose, RollRecord, Seed, When};
use crate::event::Event;
use crate::hash::{StateHash, hash_bytes};
use crate::ids::{Seat, Side};
use crate::options::Options;
use crate::phase::{Ask, Fault, Phase, Step};
use crate::play::{Play, PlayInner};
use crate::rule::{Cite, Refusal};
use crate::schema::SnapshotError;
use crate::table::{Table, Verdict};
use crate::watch;
use std::fmt;

/// Why a choice was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApplyError {
    /// The game is over.
    Over,
    /// Another seat must choose.
    NotYourDecision {
        /// The side that must choose.
        side: Side,
    },
    /// The choice is not on the list.
    Refused(Refusal),
    /// The ruleset failed; the game cannot go on.
    Fault(Fault),
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplyError::Over => f.write_str("the game is over"),
            ApplyError::NotYourDecision { .. } => f.write_str("the decision is the other side's"),
            ApplyError::Refused(refusal) => refusal.fmt(f),
            ApplyError::Fault(fault) => fault.fmt(f),
        }
    }
}
impl std::error::Error for ApplyError {}

/// One game in progress: who must choose and what is legal comes out, a choice goes in.
///
/// ```
/// # use cupola_corps20 as _;
/// # use cupola_library::Library;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use cupola_kernel::{ApplyError, Registry, Seed};
///
/// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
/// # let library = Library::new(data.into(), None, Registry::linked()?);
/// let mut game = library.play("corps20", "training", None)?.game(Seed(1863))?;
/// let decision = game.decision().expect("it has just begun");
/// let (side, first) = (decision.ask.side, decision.options[0]);
///
/// // Whoever is not asked is refused, and nothing has changed.
/// let before = game.hash();
/// let refused = game.apply(side.other(), first);
/// assert_eq!(refused, Err(ApplyError::NotYourDecision { side }));
/// assert_eq!(game.hash(), before);
///
/// game.apply(side, first)?;
/// assert_ne!(game.hash(), before);
/// # Ok(())
/// # }
/// ```
pub struct Game {
    play: Play,
    table: Table,
    pub(crate) asked: Option<Ask>,
    options: Options,
}

/// An open decision.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// Who must choose, and about what.
    pub ask: Ask,
    /// Every legal option, in ascending order.
    pub options: &'a [Act],
}

/// How often phases may change without a question before the kernel calls it endless.
const PATIENCE: u32 = 10_000;

impl Game {
    pub(crate) fn start(play: Play, table: Table) -> Result<Game, Fault> {
        let mut game = Game {
            play,
            table,
            asked: None,
            options: Options::default(),
        };
        game.reopen()?;
        Ok(game)
    }

    /// The open decision; none when the game is over.
    #[must_use]
    pub fn decision(&self) -> Option<Decision<'_>> {
        self.asked.map(|ask| Decision {
            ask,
            options: self.options.acts(),
        })
    }

    /// Carries out a choice of a side.
    ///
    /// # Errors
    /// If it is refused, nothing has changed. After a fault the game must be dropped.
    pub fn apply(&mut self, side: Side, act: Act) -> Result<(), ApplyError> {
        let ask = self.asked.ok_or(ApplyError::Over)?;
        if ask.side != side {
            return Err(ApplyError::NotYourDecision { side: ask.side });
        }
        if self.options.acts().binary_search(&act).is_err() {
            let refusal = self.phase().why_not(&self.table, ask, act);
            return Err(ApplyError::Refused(refusal));
        }
        self.take(ask, act).map_err(ApplyError::Fault)
    }

    /// Carries out one of the options listed by [`Game::decision`], without looking whether it is.
    ///
    /// # Errors
    /// If the ruleset fails; the game must then be dropped.
    pub fn apply_unchecked(&mut self, act: Act) -> Result<(), Fault> {
        match self.asked {
            Some(ask) => self.take(ask, act),
            None => Err(Fault::Broken("the game is over".into())),
        }
    }

    /// The same without listing what can be chosen next: [`Game::list`] does so where somebody wants to know. For those
    /// who look at many positions and ask on in few.
    ///
    /// # Errors
    /// If the ruleset fails; the game must then be dropped.
    pub fn apply_unlisted(&mut self, act: Act) -> Result<(), Fault> {
        match self.asked {
            Some(ask) => self.take_unlisted(ask, act),
            None => Err(Fault::Broken("the game is over".into())),
        }
    }

    /// Becomes the game that another would be after one of its options, which are not listed here
    /// as in [`Game::apply_unlisted`].
    ///
    /// # Errors
    /// If the ruleset fails; the game must then be dropped.
    pub fn become_after(&mut self, source: &Game, act: Act) -> Result<(), Fault> {
        self.asked = source.asked;
        self.options.clear();
        self.follow(source);
        self.apply_unlisted(act)
    }

    /// Lists what can be chosen, after [`Game::apply_unlisted`].
    ///
    /// # Errors
    /// If the ruleset fails; the game must then be dropped.
    pub fn list(&mut self) -> Result<(), Fault> {
        let Some(ask) = self.asked else { return Ok(()) };
        let phase = &self.play.inner.slots[usize::from(self.table.flow.slot)].phase;
        self.options.clear();
        phase.options(&self.table, ask, &mut self.options)?;
        if self.options.in_order().is_empty() {
            return Err(Fault::DeadEnd {
                phase: phase.name(),
                question: ask.question,
            });
        }
        self.table.sound()
    }

    /// The open question, whether what can be chosen is listed or not; none when the game is over.
    #[must_use]
    pub fn asked(&self) -> Option<Ask> {
        self.asked
    }

    fn take(&mut self, ask: Ask, act: Act) -> Result<(), Fault> {
        self.take_unlisted(ask, act)?;
        let listed = self.list();
        listed.map_err(|fault| self.table.take_fault().unwrap_or(fault))
    }

    fn take_unlisted(&mut self, ask: Ask, act: Act) -> Result<(), Fault> {
        let slot = usize::from(self.table.flow.slot);
        let phase = &self.play.inner.slots[slot].phase;
        let done = phase.take(&mut self.table, ask, act);
        let done = done.and_then(|()| self.settle());
        // What was noted on the way is the cause: a script without dice, not what a rule made of it.
        done.map_err(|fault| self.table.take_fault().unwrap_or(fault))
    }

    /// Plays on until somebody must choose or the game is over. What can be chosen is not listed yet.
    fn settle(&mut self) -> Result<(), Fault> {
        let (inner, table) = (&*self.play.inner, &mut self.table);
        self.asked = None;
        self.options.clear();
        for _ in 0..PATIENCE {
            if table.flow.verdict.is_some() {
                return table.sound();
            }
            let slot = &inner.slots[usize::from(table.flow.slot)];
            if !table.flow.entered {
                enter(inner, table)?;
            }
            match slot.phase.next(table)? {
                Step::Ask(ask) if table.flow.verdict.is_none() => {
                    self.asked = Some(ask);
                    return table.sound();
                }
                Step::Ask(_) => {}
                // A game that is over stays on the turn on which it ended.
                Step::Done if table.flow.verdict.is_some() => {}
                Step::Done => next_slot(inner, table)?,
            }
        }
        Err(Fault::Endless {
            phase: self.phase().name(),
        })
    }

    pub(crate) fn phase(&self) -> &dyn Phase {
        &*self.play.inner.slots[usize::from(self.table.flow.slot)].phase
    }

    /// What the game is played on, for those who may know everything: tests and umpires.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The play it is a game of.
    #[must_use]
    pub fn play(&self) -> &Play {
        &self.play
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.table.verdict()
    }

    /// The hash of the whole state.
    ///
    /// # Errors
    /// If some of it cannot be written.
    pub fn try_hash(&self) -> Result<StateHash, Fault> {
        let bytes = self.snapshot();
        let bytes = bytes.map_err(|error| Fault::Broken(error.to_string()))?;
        Ok(hash_bytes(&bytes))
    }

    /// The hash of the whole state, to compare two games at hand. What is kept is hashed by [`Game::try_hash`]:
    /// here a state that cannot be written counts as what is wrong with it.
    #[must_use]
    pub fn hash(&self) -> StateHash {
        self.try_hash()
            .unwrap_or_else(|fault| hash_bytes(fault.to_string().as_bytes()))
    }

    /// The whole state in a portable form.
    ///
    /// # Errors
    /// If some of it cannot be written; nothing is ever left out.
    pub fn snapshot(&self) -> Result<Vec<u8>, SnapshotError> {
        let mut bytes = Vec::with_capacity(4096);
        self.table.write(&mut bytes)?;
        Ok(bytes)
    }

    /// Takes over a state written by [`Game::snapshot`] of a game of the same play.
    ///
    /// # Errors
    /// If the bytes are no such state; the game must then be dropped.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        self.table.read(bytes)?;
        self.reopen().map_err(|fault| SnapshotError {
            part: "decision",
            message: fault.to_string(),
        })
    }

    /// Asks the open question again. `Phase::next` is idempotent while a question is open: the
    /// conformance suite checks it.
    fn reopen(&mut self) -> Result<(), Fault> {
        self.settle()?;
        self.list()
    }

    /// A copy in a world of its own.
    #[must_use]
    pub fn fork(&self) -> Game {
        Game {
            play: self.play.clone(),
            table: self.table.rebuilt(),
            asked: self.asked,
            options: self.options.clone(),
        }
    }

    /// Makes this game equal to another. True if only columns were copied, as between games of one play.
    pub fn copy_from(&mut self, source: &Game) -> bool {
        self.asked = source.asked;
        self.options.clone_from(&source.options);
        self.follow(source)
    }

    /// Takes over the table of another game, and the play that it is of.
    fn follow(&mut self, source: &Game) -> bool {
        if !self.play.is(&source.play) {
            self.play.clone_from(&source.play);
        }
        self.table.copy_from(&source.table)
    }

    /// Deals the rest of the game from other dice: what a searching bot does, which must not know
    /// how they will fall.
    pub fn reseed(&mut self, seed: Seed) {
        self.table.set_source(dice::Shaker::Seeded(seed));
    }

    /// Turns the game into one that it could be as far as a seat knows, dice to come included:
    /// what a bot searches in, which must not know better. False if nothing but the dice is hidden.
    ///
    /// # Errors
    /// If the ruleset fails; the game must then be dropped.
    pub fn imagine(&mut self, seat: Seat, seed: Seed) -> Result<bool, Fault> {
        let hides = self.deal_hidden(seat, seed);
        self.reopen()?;
        Ok(hides)
    }

    /// The same for somebody who chooses among the options at hand: they are kept and not listed again, which is most of the
    /// work. That they are the same in every game that the seat could be in is what the conformance suite checks, with
    /// [`Game::imagine`].
    ///
    /// # Errors
    /// If the ruleset fails; the game must then be dropped.
    pub fn imagine_asked(&mut self, seat: Seat, seed: Seed) -> Result<bool, Fault> {
        let hides = self.deal_hidden(seat, seed);
        let options = std::mem::take(&mut self.options);
        self.settle()?;
        self.options = options;
        Ok(hides)
    }

    fn deal_hidden(&mut self, seat: Seat, seed: Seed) -> bool {
        let ruleset = self.play.inner.ruleset.clone();
        let hides = ruleset.shuffle_hidden(&mut self.table, seat, &mut Loose::new(seed));
        self.reseed(seed.nth(1));
        hides
    }

    /// Does something while rolls come from this list, as they fell on somebody's table; tells how many of them were
    /// left over. Before and after it dice follow from the seed.
    pub fn with_typed_dice<T>(
        &mut self,
        values: &[u16],
        what: impl FnOnce(&mut Game) -> T,
    ) -> (T, usize) {
        let seed = match self.table.source() {
            dice::Shaker::Seeded(seed) | dice::Shaker::Typed { seed, .. } => *seed,
            // Nothing is drawn by seed where dice are scripted.
            dice::Shaker::Scripted { .. } => Seed(0),
        };
        let (values, used) = (values.to_vec(), 0);
        self.with_dice_from(dice::Shaker::Typed { seed, values, used }, what)
    }

    /// The same for a list that holds all dice, what is drawn blindly included: as in a case.
    pub fn with_scripted_dice<T>(
        &mut self,
        values: &[u16],
        what: impl FnOnce(&mut Game) -> T,
    ) -> (T, usize) {
        let (values, used) = (values.to_vec(), 0);
        self.with_dice_from(dice::Shaker::Scripted { values, used }, what)
    }

    fn with_dice_from<T>(
        &mut self,
        source: dice::Shaker,
        what: impl FnOnce(&mut Game) -> T,
    ) -> (T, usize) {
        let before = self.table.set_source(source);
        let done = what(self);
        let left = self.table.dice_left();
        self.table.set_source(before);
        (done, left)
    }

    pub(crate) fn set_dice(&mut self, source: dice::Shaker) {
        self.table.set_source(source);
    }

    pub(crate) fn dice_left(&self) -> usize {
        self.table.dice_left()
    }

    /// Rolls and reveals so far: a step that changes neither can be undone.
    #[must_use]
    pub fn luck(&self) -> (u32, u32) {
        self.table.luck()
    }

    /// Starts or stops recording events and rolls.
    pub fn listen(&mut self, on: bool) {
        self.table.listen(on);
    }

    /// Fights that were fought since the last call, if recording.
    pub fn take_fights(&mut self) -> Vec<Fight> {
        let fought = self.take_fought().into_iter();
        fought.map(|fought| fought.fight).collect()
    }

    /// The same with what counted and how each ended.
    pub fn take_fought(&mut self) -> Vec<Fought> {
        self.table.take_fought()
    }

    /// Events and rolls since the last call.
    pub fn take_events(&mut self) -> (Vec<Event>, Vec<RollRecord>) {
        self.table.take_events()
    }
}

fn enter(inner: &PlayInner, table: &mut Table) -> Result<(), Fault> {
    let at = usize::from(table.flow.slot);
    let slot = &inner.slots[at];
    let order = table.flow.first.unwrap_or(Side::First);
    if let Some(player) = slot.player {
        table.flow.last_active = Some(if player == 0 { order } else { order.other() });
    }
    table.flow.entered = true;
    let side = table.flow.last_active.map_or(2, |side| side as u8);
    table.open_ledger(When {
        turn: table.flow.turn,
        phase: slot.code,
        side,
    });
    slot.phase.enter(table)?;
    match &inner.watch {
        Some(watch) => watch.entered(table, watch::beginning(&inner.slots, at)),
        None => Ok(()),
    }
}

fn next_slot(inner: &PlayInner, table: &mut Table) -> Result<(), Fault> {
    if let Some(watch) = &inner.watch {
        let at = usize::from(table.flow.slot);
        watch.left(table, watch::end(&inner.slots, at))?;
    }
    table.flow.entered = false;
    table.flow.slot += 1;
    if usize::from(table.flow.slot) < inner.slots.len() {
        return Ok(());
    }
    table.flow.slot = 0;
    table.flow.last_active = None;
    if table.flow.turn < inner.env.last_turn {
        table.flow.turn += 1;
        return Ok(());
    }
    inner.ruleset.finish(table);
    if table.flow.verdict.is_none() {
        // A ruleset that names no winner has a draw.
        table.end(Verdict {
            winner: None,
            how: "draw".into(),
            rule: Cite::new(""),
        });
    }
    Ok(())
}
