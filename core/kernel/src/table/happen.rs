//! What happens at a table: dice, fights, and the events that tell of them.

use super::{Fights, Table};
use crate::combat::{Combat, Fight, Fought, Modifiers, Outcome};
use crate::dice::{self, About, Dice, RollRecord, Rolled, Seed, When};
use crate::event::Event;
use crate::phase::Fault;
use crate::rule::Cite;

impl Table {
    // ---- dice ----

    /// Rolls for good through a pure function of the table.
    pub fn with_dice<T>(&mut self, f: impl FnOnce(&Table, &mut dyn Dice) -> T) -> T {
        let mut source = std::mem::replace(&mut self.source, dice::Shaker::Seeded(Seed(0)));
        let mut ledger = std::mem::take(&mut self.ledger);
        let (mut fault, mut rolls) = (self.fault.take(), self.rolls.take());
        let mut dice = Rolled {
            source: &mut source,
            ledger: &mut ledger,
            fault: &mut fault,
            record: rolls.as_mut(),
        };
        let result = f(self, &mut dice);
        (self.source, self.ledger, self.fault, self.rolls) = (source, ledger, fault, rolls);
        result
    }

    /// Fights for good: rolls by a combat system, and takes note that there was a fight.
    ///
    /// # Errors
    /// If the system fails.
    pub fn fight(&mut self, combat: &dyn Combat, fight: &Fight) -> Result<Outcome, Fault> {
        self.fought(fight);
        for (_, rider) in self
            .env
            .riders
            .iter()
            .filter(|(name, _)| *name == combat.name())
        {
            rider.modifiers(self, fight)?;
        }
        let modifiers = self.fought.is_some().then(|| combat.modifiers(self, fight));
        if self.log.is_some() {
            self.reckoned = modifiers.clone().filter(|sum| !sum.0.is_empty());
        }
        let outcome = self.with_dice(|table, dice| combat.resolve(table, fight, dice))?;
        if let Some(modifiers) = modifiers {
            let told = combat.describe(self, &outcome);
            if let Some(last) = self.fought.as_mut().and_then(|fought| fought.last_mut()) {
                last.system = combat.name().to_owned();
                (last.modifiers, last.outcome) = (modifiers, told);
            }
        }
        Ok(outcome)
    }

    /// Adds what single lines of a variant add to a fight under a combat system; a system that heeds them says so by
    /// [`Combat::takes_riders`], and asks here at the end of [`Combat::modifiers`]. A line that fails is told as one
    /// that adds nothing; the fight itself fails with it.
    #[must_use]
    pub fn ride(&self, system: &str, fight: &Fight, mut modifiers: Modifiers) -> Modifiers {
        for (_, rider) in self.env.riders.iter().filter(|(name, _)| *name == system) {
            match rider.modifiers(self, fight) {
                Ok(more) => modifiers.0.extend(more.0),
                Err(fault) => modifiers = modifiers.add(Cite::new(""), fault.to_string(), 0),
            }
        }
        modifiers
    }

    /// Whether lines of a variant add anything to fights under a combat system: most games have none.
    #[must_use]
    pub fn is_ridden(&self, system: &str) -> bool {
        self.env.riders.iter().any(|(name, _)| *name == system)
    }

    /// Takes note of a fight that was fought: for rulesets that roll for it in steps of their own.
    pub fn fought(&mut self, fight: &Fight) {
        if let Some(fought) = &mut self.fought {
            fought.push(Fought {
                fight: fight.clone(),
                ..Fought::default()
            });
        }
        let Some(&unit) = fight.attackers.first() else {
            return;
        };
        let side = self.info(unit).side;
        self.fights.all[side] += 1;
        let target = fight
            .defenders
            .first()
            .and_then(|&unit| self.hex(unit))
            .or(fight.hex);
        // Who stands off the map fights hand to hand: cavalry on a field of its own.
        let apart = self.hex(unit).zip(target);
        let apart = apart.map_or(0, |(from, to)| self.env.board.distance(from, to));
        self.fights.close += u32::from(apart <= 1);
    }

    /// Fights fought so far.
    #[must_use]
    pub fn fights(&self) -> Fights {
        self.fights
    }

    /// Rolls one die.
    pub fn roll(&mut self, sides: u16, purpose: &'static str, about: impl Into<About>) -> u16 {
        let mut dice = Rolled {
            source: &mut self.source,
            ledger: &mut self.ledger,
            fault: &mut self.fault,
            record: self.rolls.as_mut(),
        };
        dice.roll(sides, purpose, about.into())
    }

    /// Rolls one six-sided die.
    pub fn d6(&mut self, purpose: &'static str, about: impl Into<About>) -> u8 {
        self.roll(6, purpose, about) as u8
    }

    pub(crate) fn open_ledger(&mut self, when: When) {
        self.ledger.open(when);
    }

    /// Takes other dice, and gives back those before.
    pub(crate) fn set_source(&mut self, source: dice::Shaker) -> dice::Shaker {
        std::mem::replace(&mut self.source, source)
    }

    pub(crate) fn source(&self) -> &dice::Shaker {
        &self.source
    }

    /// Notes that the game cannot go on, where there is no `Result` to say it with; the first fault
    /// counts. The step under way fails with it.
    pub fn fail(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }

    pub(crate) fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }

    /// Fails if a fault was noted.
    #[inline]
    pub(crate) fn sound(&mut self) -> Result<(), Fault> {
        // Nearly always: nothing is moved about for it.
        if self.fault.is_none() {
            return Ok(());
        }
        self.take_fault().map_or(Ok(()), Err)
    }

    /// How many scripted or typed dice are left over.
    pub(crate) fn dice_left(&self) -> usize {
        match &self.source {
            dice::Shaker::Seeded(_) => 0,
            dice::Shaker::Scripted { values, used } | dice::Shaker::Typed { values, used, .. } => {
                values.len() - used
            }
        }
    }

    // ---- events ----

    /// Records an event, if anybody listens.
    pub fn say(&mut self, event: impl FnOnce(&Table) -> Event) {
        if self.log.is_some() {
            let event = event(self);
            self.tell(event);
        }
    }

    /// Adds an event to the log, with the turn, the dice and the modifiers that it tells of. Apart from [`Table::say`], which is
    /// compiled anew wherever something is said.
    #[inline(never)]
    fn tell(&mut self, mut event: Event) {
        let rolls = self.rolls.as_deref().unwrap_or_default();
        let seen = rolls
            .iter()
            .skip(self.told_rolls)
            .filter(|roll| !roll.blind);
        event.dice = seen.cloned().collect();
        event.modifiers = self.reckoned.take();
        event.turn = self.turn();
        self.told_rolls = rolls.len();
        self.log.get_or_insert_default().push(event);
    }

    pub(crate) fn listen(&mut self, on: bool) {
        self.log = on.then(Vec::new);
        (self.told_rolls, self.reckoned) = (0, None);
        self.rolls = on.then(Vec::new);
        self.fought = on.then(Vec::new);
    }

    pub(crate) fn take_fought(&mut self) -> Vec<Fought> {
        self.fought.as_mut().map(std::mem::take).unwrap_or_default()
    }

    pub(crate) fn take_events(&mut self) -> (Vec<Event>, Vec<RollRecord>) {
        let events = self.log.as_mut().map(std::mem::take).unwrap_or_default();
        (self.told_rolls, self.reckoned) = (0, None);
        (
            events,
            self.rolls.as_mut().map(std::mem::take).unwrap_or_default(),
        )
    }
}
