//! The table: the state of one game and everything immutable that its rules read.

use crate::combat::{Combat, Fight, Fought, Modifiers, Outcome};
use crate::dice::{self, About, Dice, Ledger, RollRecord, Rolled, Seed, When};
use crate::event::Event;
use crate::ids::{BySide, HexId, Side, UnitId};
use crate::phase::Fault;
use crate::reference::Term;
use crate::rule::Cite;
use crate::ruleset::Ruleset;
use crate::schema::{self, Column, Part, Schema, SnapshotError, UnitState};
use crate::scripting::Rider;
use crate::stacks::{Place, Stacks};
use bevy_ecs::{component::Mutable, prelude::*, query::QueryState};
use cupola_army::{Light, Turn, Turns};
use cupola_ground::Board;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

/// A side as people know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideInfo {
    /// Short and stable: `cs`.
    pub id: String,
    /// In full: `Confederacy`.
    pub name: String,
    /// The name by which the ruleset knows it: its own, or that of the side whose place it takes in this battle.
    #[serde(skip)]
    pub role: String,
}

/// A unit as people know it; what never changes in play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnitInfo {
    /// Short and stable: `heth`.
    pub id: String,
    /// As on the counter: `Heth`.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// What kind it is, in the ruleset's words: `infantry`, `leader`.
    pub kind: String,
    /// The nodes of the army list it stands for.
    pub nodes: Vec<String>,
    /// The men it stands for.
    pub men: u32,
    /// The guns it stands for.
    pub guns: u32,
}

/// Everything that a game reads and never changes; shared by all forks.
#[derive(Clone)]
pub struct Env {
    /// The ruleset's name.
    pub ruleset: String,
    /// The two sides.
    pub sides: BySide<SideInfo>,
    /// The map.
    pub board: Arc<Board>,
    /// The units, by [`UnitId`].
    pub units: Vec<UnitInfo>,
    /// Names of cards, chits and markers, by [`crate::TokenId`].
    pub tokens: Vec<String>,
    /// The turns.
    pub track: Arc<Turns>,
    /// The last turn that is played.
    pub last_turn: u16,
    /// For each phase of a turn, in order of play, whether it is part of a player turn.
    pub player_turns: Vec<bool>,
    /// Combat systems by the role they play in the ruleset.
    pub combats: Vec<(String, Arc<dyn Combat>)>,
    /// What is added to fights by single lines, each with the name of the combat system.
    pub riders: Vec<(&'static str, Arc<dyn Rider>)>,
    /// The ruleset, which answers the questions of scripts.
    pub answers: Arc<dyn Ruleset>,
    /// What cards, chits and words mean.
    pub terms: Vec<Term>,
    /// The ruleset's own tables.
    pub rules: Arc<dyn Any + Send + Sync>,
}

impl Env {
    /// The unit of this id.
    #[must_use]
    pub fn unit(&self, id: &str) -> Option<UnitId> {
        self.units
            .iter()
            .position(|unit| unit.id == id)
            .map(|i| UnitId(i as u16))
    }

    /// The side of this id.
    #[must_use]
    pub fn side(&self, id: &str) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.sides[side].id == id)
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// How, in words: `decisive victory`.
    pub how: Cow<'static, str>,
    /// The section that says so.
    pub rule: Cite,
}

/// Where the game stands in its sequence of play.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Flow {
    pub turn: u16,
    pub slot: u16,
    pub entered: bool,
    /// Whose player turn it was last, in this turn: part of the dice's addresses. Whose it is *now* is
    /// said by [`Table::player_turn`].
    pub last_active: Option<Side>,
    /// Who plays first this turn: changed by rulesets with initiative.
    pub first: Option<Side>,
    pub verdict: Option<Verdict>,
    /// How often hidden things were shown: a step that shows something cannot be undone.
    pub reveals: u32,
}

/// Fights that were fought in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fights {
    /// By the attacker's side.
    pub all: BySide<u32>,
    /// Those of either side in which the attacker stood in the next hex or the same.
    pub close: u32,
}

/// The state of one game.
pub struct Table {
    pub(crate) env: Arc<Env>,
    pub(crate) flow: Flow,
    pub(crate) stacks: Stacks,
    world: World,
    roster: Vec<Entity>,
    order: QueryState<(Entity, &'static UnitId)>,
    parts: Vec<Box<dyn Part>>,
    schema: Arc<Schema>,
    source: dice::Shaker,
    ledger: Ledger,
    fault: Option<Fault>,
    log: Option<Vec<Event>>,
    rolls: Option<Vec<RollRecord>>,
    /// How many of those rolls belong to an event that was told.
    told_rolls: usize,
    /// What counted in a fight whose event is yet to be told.
    reckoned: Option<Modifiers>,
    /// Fights fought so far: for those who watch, no part of the state.
    fights: Fights,
    /// The fights themselves, if anybody listens.
    fought: Option<Vec<Fought>>,
}

impl Table {
    pub(crate) fn new(env: Arc<Env>, schema: Arc<Schema>, seed: Seed) -> Table {
        let mut world = World::new();
        let parts = schema.parts(&mut world);
        let order = world.query();
        let stacks = Stacks::new(env.board.len());
        Table {
            env,
            flow: Flow::default(),
            stacks,
            world,
            roster: vec![],
            order,
            parts,
            schema,
            source: dice::Shaker::Seeded(seed),
            ledger: Ledger::default(),
            fault: None,
            log: None,
            rolls: None,
            told_rolls: 0,
            reckoned: None,
            fights: Fights::default(),
            fought: None,
        }
    }

    pub(crate) fn spawn(&mut self, in_box: u8, bundle: impl Bundle) -> UnitId {
        let unit = UnitId(self.roster.len() as u16);
        self.roster.push(self.world.spawn((unit, bundle)).id());
        self.stacks.add(in_box);
        unit
    }

    pub(crate) fn equip(&mut self, unit: UnitId, bundle: impl Bundle) {
        let entity = self.roster[usize::from(unit.0)];
        self.world.entity_mut(entity).insert(bundle);
    }

    pub(crate) fn insert(&mut self, resource: impl Resource) {
        self.world.insert_resource(resource);
    }

    /// Lets the cached queries see what set-up has made.
    pub(crate) fn seal(&mut self) {
        self.order.update_archetypes(&self.world);
        for part in &mut self.parts {
            part.refresh(&self.world);
        }
    }

    // ---- what never changes ----

    /// Everything immutable.
    #[must_use]
    #[inline]
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// The map.
    #[must_use]
    #[inline]
    pub fn board(&self) -> &Board {
        &self.env.board
    }

    /// The ruleset's own tables.
    ///
    /// # Panics
    /// If the ruleset loaded something of another type.
    #[must_use]
    #[inline]
    pub fn rules<R: Any + Send + Sync>(&self) -> &R {
        self.env
            .rules
            .downcast_ref::<R>()
            .expect("the ruleset's own tables")
    }

    /// Who a unit is.
    #[must_use]
    #[inline]
    pub fn info(&self, unit: UnitId) -> &UnitInfo {
        &self.env.units[usize::from(unit.0)]
    }

    /// How many units there are.
    #[must_use]
    #[inline]
    pub fn unit_count(&self) -> usize {
        self.roster.len()
    }

    /// All units.
    pub fn units(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..self.roster.len() as u16).map(UnitId)
    }

    /// The combat system that plays this role.
    ///
    /// # Errors
    /// If the ruleset's composition names none.
    pub fn combat(&self, role: &str) -> Result<Arc<dyn Combat>, Fault> {
        let found = self.env.combats.iter().find(|(name, _)| name == role);
        found.map(|(_, combat)| combat.clone()).ok_or_else(|| {
            Fault::Broken(format!(
                "the ruleset composes no combat system for “{role}”"
            ))
        })
    }

    // ---- units and resources ----

    /// A component of a unit.
    ///
    /// # Panics
    /// If set-up gave the unit none.
    #[must_use]
    #[inline]
    pub fn get<C: Component>(&self, unit: UnitId) -> &C {
        self.world
            .get::<C>(self.roster[usize::from(unit.0)])
            .expect("every unit has the component")
    }

    /// A component of all units, by their numbers: what a loop over units reads. It costs about as
    /// much as two calls of [`Table::get`] where all units have the same components.
    ///
    /// # Panics
    /// If set-up gave a unit none.
    #[must_use]
    pub fn column<C: UnitState>(&self) -> Cow<'_, [C]> {
        let mut parts = self.parts.iter().map(|part| &**part as &dyn Any);
        parts
            .find_map(<dyn Any>::downcast_ref::<Column<C>>)
            .and_then(|column| column.slice(&self.world, self.roster.len()))
            .map_or_else(
                || {
                    self.units()
                        .map(|unit| self.get::<C>(unit).clone())
                        .collect()
                },
                Cow::Borrowed,
            )
    }

    /// A component of a unit, to change.
    ///
    /// # Panics
    /// If set-up gave the unit none.
    #[inline]
    pub fn get_mut<C: Component<Mutability = Mutable>>(&mut self, unit: UnitId) -> &mut C {
        self.world
            .get_mut::<C>(self.roster[usize::from(unit.0)])
            .expect("every unit has the component")
            .into_inner()
    }

    /// Whether a unit has a component: one that a plugin may or may not have put there.
    #[must_use]
    pub fn has<C: Component>(&self, unit: UnitId) -> bool {
        let entity = self.roster.get(usize::from(unit.0));
        entity.is_some_and(|&entity| self.world.get::<C>(entity).is_some())
    }

    /// Whether a resource is on the table.
    #[must_use]
    pub fn has_res<R: Resource>(&self) -> bool {
        self.world.contains_resource::<R>()
    }

    /// A resource.
    ///
    /// # Panics
    /// If set-up put none on the table.
    #[must_use]
    #[inline]
    pub fn res<R: Resource>(&self) -> &R {
        self.world.resource()
    }

    /// A resource, to change.
    ///
    /// # Panics
    /// If set-up put none on the table.
    #[inline]
    pub fn res_mut<R: Resource + Component<Mutability = Mutable>>(&mut self) -> &mut R {
        self.world.resource_mut::<R>().into_inner()
    }

    /// Where the units are.
    #[must_use]
    #[inline]
    pub fn stacks(&self) -> &Stacks {
        &self.stacks
    }

    /// The hex a unit is in, if it is on the map.
    #[must_use]
    #[inline]
    pub fn hex(&self, unit: UnitId) -> Option<HexId> {
        self.stacks.hex(unit)
    }

    /// Puts a unit somewhere.
    #[inline]
    pub fn place(&mut self, unit: UnitId, at: Place) {
        self.stacks.set(unit, at);
    }

    // ---- the sequence of play ----

    /// The turn, counted from zero.
    #[must_use]
    #[inline]
    pub fn turn(&self) -> u16 {
        self.flow.turn
    }

    /// The turn as printed, with its time.
    #[must_use]
    #[inline]
    pub fn turn_info(&self) -> &Turn {
        &self.env.track.turns[usize::from(self.flow.turn)]
    }

    /// Whether it is night.
    #[must_use]
    #[inline]
    pub fn is_night(&self) -> bool {
        self.turn_info().light == Light::Night
    }

    /// The side whose player turn it is; nobody's in phases that are played once for both.
    #[must_use]
    #[inline]
    pub fn player_turn(&self) -> Option<Side> {
        self.env.player_turns[usize::from(self.flow.slot)]
            .then_some(self.flow.last_active)
            .flatten()
    }

    /// The side whose player turn it is, for phases that need one and say so
    /// ([`crate::Needs::player_turn`]): they are composed nowhere else.
    ///
    /// # Panics
    /// In a phase that is played once for both sides and has not said that it must not be.
    #[must_use]
    #[inline]
    pub fn active(&self) -> Side {
        self.player_turn()
            .expect("it is a player turn: a phase that asks whose says so in `Phase::needs`")
    }

    /// Says who plays first from the next player turn on (initiative).
    pub fn set_first_player(&mut self, side: Side) {
        self.flow.first = Some(side);
    }

    /// Ends the game.
    pub fn end(&mut self, verdict: Verdict) {
        if self.flow.verdict.is_none() {
            self.flow.verdict = Some(verdict);
        }
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.flow.verdict.as_ref()
    }

    /// Notes that something hidden was shown: the step can no longer be undone.
    pub fn reveal(&mut self) {
        self.flow.reveals += 1;
    }

    /// Rolls and reveals so far: equal before and after a step that may be undone.
    pub(crate) fn luck(&self) -> (u32, u32) {
        (self.ledger.rolls, self.flow.reveals)
    }

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

    /// Draws blindly: an index below `count`.
    pub fn pick(&mut self, count: usize, purpose: &'static str, about: impl Into<About>) -> usize {
        self.with_dice(|_, dice| dice.pick(count, purpose, about))
    }

    pub(crate) fn open_ledger(&mut self, when: When) {
        self.ledger.open(when);
    }

    pub(crate) fn set_source(&mut self, source: dice::Shaker) {
        self.source = source;
    }

    /// Notes that the game cannot go on, where there is no `Result` to say it with; the first fault
    /// counts. The step under way fails with it.
    pub fn fail(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }

    pub(crate) fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }

    /// How many scripted dice are left over.
    pub(crate) fn dice_left(&self) -> usize {
        match &self.source {
            dice::Shaker::Seeded(_) => 0,
            dice::Shaker::Scripted { values, used } => values.len() - used,
        }
    }

    // ---- events ----

    /// Records an event, if anybody listens.
    pub fn say(&mut self, event: impl FnOnce(&Table) -> Event) {
        if self.log.is_some() {
            let mut event = event(self);
            let rolls = self.rolls.as_deref().unwrap_or_default();
            let seen = rolls
                .iter()
                .skip(self.told_rolls)
                .filter(|roll| !roll.blind);
            event.dice = seen.cloned().collect();
            event.modifiers = self.reckoned.take();
            self.told_rolls = rolls.len();
            self.log.get_or_insert_default().push(event);
        }
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

    // ---- copies, snapshots, hashes ----

    /// Makes this table equal to another of the same play. True if the fast path was taken.
    pub(crate) fn copy_from(&mut self, source: &Table) -> bool {
        self.flow.clone_from(&source.flow);
        self.stacks.copy_from(&source.stacks);
        self.source.clone_from(&source.source);
        self.ledger.clone_from(&source.ledger);
        self.fault.clone_from(&source.fault);
        self.fights = source.fights;
        for (own, from) in self.parts.iter_mut().zip(&source.parts) {
            if own.copy(&mut self.world, &**from, &source.world).is_err() {
                *self = source.rebuilt();
                return false;
            }
        }
        true
    }

    /// A copy in a world of its own; the slow path. It listens to no events.
    pub(crate) fn rebuilt(&self) -> Table {
        let mut table = Table::new(self.env.clone(), self.schema.clone(), Seed(0));
        let mut own = vec![Entity::PLACEHOLDER; self.roster.len()];
        // In the source's table and row order, one whole unit at a time: so the rows come out equal.
        for (theirs, unit) in self.order.query_manual(&self.world).iter() {
            let entity = table.world.spawn(*unit).id();
            own[usize::from(unit.0)] = entity;
            for part in &table.parts {
                part.insert(&mut table.world, entity, &self.world, theirs);
            }
        }
        table.roster = own;
        for part in &table.parts {
            part.insert_single(&mut table.world, &self.world);
        }
        table.flow.clone_from(&self.flow);
        table.stacks.copy_from(&self.stacks);
        table.source.clone_from(&self.source);
        table.ledger.clone_from(&self.ledger);
        table.fights = self.fights;
        table.seal();
        table
    }

    /// Appends the whole state in a portable form.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<(), SnapshotError> {
        schema::append(&(&self.flow, &self.stacks, &self.ledger), out)?;
        self.parts
            .iter()
            .try_for_each(|part| part.write(&self.world, &self.roster, out))
    }

    /// Reads what [`Table::write`] wrote into a table of the same play.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let broken = |e: postcard::Error| SnapshotError {
            part: "table",
            message: e.to_string(),
        };
        let (flow, rest) = postcard::take_from_bytes(bytes).map_err(broken)?;
        let (stacks, rest) = postcard::take_from_bytes(rest).map_err(broken)?;
        let (ledger, mut rest) = postcard::take_from_bytes(rest).map_err(broken)?;
        for part in &self.parts {
            rest = part.read(&mut self.world, &self.roster, rest)?;
        }
        if !rest.is_empty() {
            return Err(SnapshotError {
                part: "end",
                message: format!("{} bytes follow it", rest.len()),
            });
        }
        (self.flow, self.stacks, self.ledger) = (flow, stacks, ledger);
        Ok(())
    }
}
