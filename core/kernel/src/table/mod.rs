//! The table: the state of one game, and where it stands in its sequence of play.

mod copies;
mod edition;
mod happen;

use crate::combat::{Combat, Fought, Modifiers};
use crate::dice::{self, Ledger, RollRecord, Seed};
use crate::env::{Env, UnitInfo};
use crate::event::Event;
use crate::ids::{BySide, HexId, Side, UnitId};
use crate::phase::Fault;
use crate::rule::Cite;
use crate::schema::{Column, Part, Schema, Single, UnitState};
use crate::stacks::{Place, Stacks};
use bevy_ecs::{component::Mutable, prelude::*, query::QueryState};
use cupola_army::{Light, Turn};
use cupola_ground::Board;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use edition::Edition;
use edition::Printed;

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
    /// For those who keep what follows from the units: no part of the state.
    pub(crate) printed: Printed,
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
            printed: Printed::default(),
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
        self.printed.forget();
        let unit = UnitId(self.roster.len() as u16);
        self.roster.push(self.world.spawn((unit, bundle)).id());
        self.stacks.add(in_box);
        unit
    }

    pub(crate) fn equip(&mut self, unit: UnitId, bundle: impl Bundle) {
        self.printed.forget();
        let entity = self.roster[usize::from(unit.0)];
        self.world.entity_mut(entity).insert(bundle);
    }

    pub(crate) fn insert<R: Resource>(&mut self, resource: R) {
        let part = self.parts.get_mut(self.schema.slot::<R>());
        match part.and_then(|part| (&mut **part as &mut dyn Any).downcast_mut()) {
            Some(Single(own)) => *own = Some(resource),
            // What nobody registered is not part of the state.
            None => self.world.insert_resource(resource),
        }
    }

    /// The part of the state that a type is, if it was registered.
    #[inline]
    fn part<P: Any, T: 'static>(&self) -> Option<&P> {
        let part = self.parts.get(self.schema.slot::<T>())?;
        (&**part as &dyn Any).downcast_ref()
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
        self.part::<Column<C>, C>()
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
        self.printed.forget();
        self.world
            .get_mut::<C>(self.roster[usize::from(unit.0)])
            .expect("every unit has the component")
            .into_inner()
    }

    /// Changes a component of all units that have it, in no order that means anything: cheaper than a few calls of
    /// [`Table::get_mut`].
    pub fn change_all<C: UnitState>(&mut self, change: impl FnMut(&mut C)) {
        self.printed.forget();
        let part = self.parts.get_mut(self.schema.slot::<C>());
        match part.and_then(|part| (&mut **part as &mut dyn Any).downcast_mut::<Column<C>>()) {
            Some(column) => column.change_all(&mut self.world, change),
            // What nobody registered is not part of the state.
            None => {
                let mut query = self.world.query::<&mut C>();
                let values = query.iter_mut(&mut self.world);
                values.map(Mut::into_inner).for_each(change);
            }
        }
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
        match self.part::<Single<R>, R>() {
            Some(Single(own)) => own.is_some(),
            None => self.world.contains_resource::<R>(),
        }
    }

    /// A resource.
    ///
    /// # Panics
    /// If set-up put none on the table.
    #[must_use]
    #[inline]
    pub fn res<R: Resource>(&self) -> &R {
        match self.part::<Single<R>, R>() {
            Some(Single(Some(own))) => own,
            _ => self.unregistered(),
        }
    }

    /// A resource, to change.
    ///
    /// # Panics
    /// If set-up put none on the table.
    #[inline]
    pub fn res_mut<R: Resource + Component<Mutability = Mutable>>(&mut self) -> &mut R {
        let part = self.parts.get_mut(self.schema.slot::<R>());
        match part.and_then(|part| (&mut **part as &mut dyn Any).downcast_mut()) {
            Some(Single(Some(own))) => own,
            _ => unregistered(&mut self.world),
        }
    }

    /// The same if nobody registered it: no part of the state.
    #[cold]
    fn unregistered<R: Resource>(&self) -> &R {
        self.world.resource()
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

    /// The hexes that hold units of both sides, each with the first of either.
    #[must_use]
    pub fn shared_hexes(&self) -> Vec<(HexId, UnitId, UnitId)> {
        let mut first: BySide<BTreeMap<HexId, UnitId>> = BySide::default();
        for unit in self.units() {
            if let Some(hex) = self.hex(unit) {
                first[self.info(unit).side].entry(hex).or_insert(unit);
            }
        }
        let shared = first.first.iter();
        let shared = shared.filter_map(|(hex, one)| Some((*hex, *one, *first.second.get(hex)?)));
        shared.collect()
    }

    /// Puts a unit somewhere.
    #[inline]
    pub fn place(&mut self, unit: UnitId, at: Place) {
        self.printed.forget();
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
}

/// A resource that nobody registered, to change.
#[cold]
fn unregistered<R: Resource + Component<Mutability = Mutable>>(world: &mut World) -> &mut R {
    world.resource_mut::<R>().into_inner()
}
