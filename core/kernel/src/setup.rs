//! Setting up: what may be done before a game begins and never in it.

use crate::dice::Seed;
use crate::env::Env;
use crate::ids::UnitId;
use crate::schema::Schema;
use crate::table::Table;
use bevy_ecs::prelude::{Bundle, Resource};
use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A table that is being set up. Rules read and change it like any [`Table`]; besides, units come
/// into being, and resources are put on it.
pub struct Setup {
    table: Table,
}

impl Setup {
    pub(crate) fn new(env: Arc<Env>, schema: Arc<Schema>) -> Setup {
        Setup {
            table: Table::new(env, schema, Seed(0)),
        }
    }

    /// Sets up again what has been set up before: for positions.
    pub(crate) fn again(table: Table) -> Setup {
        Setup { table }
    }

    /// Puts the next unit of the list on the table, in a box, with its components.
    pub fn spawn(&mut self, in_box: u8, components: impl Bundle) -> UnitId {
        self.table.spawn(in_box, components)
    }

    /// Gives a unit more components: how a plugin puts state of its own on units that a ruleset
    /// has spawned. Give them to every unit, in the order of their numbers: then the units stay side by
    /// side, and forks stay quick.
    pub fn equip(&mut self, unit: UnitId, components: impl Bundle) {
        self.table.equip(unit, components);
    }

    /// Puts a resource on the table.
    pub fn insert(&mut self, resource: impl Resource) {
        self.table.insert(resource);
    }

    /// Changes the ruleset's own tables for what is being set up, and nothing else: a rating, a
    /// hexside, a switch that a position wants otherwise.
    ///
    /// # Panics
    /// If the ruleset loaded something of another type.
    pub fn amend<R: Any + Send + Sync + Clone>(&mut self, change: impl FnOnce(&mut R)) {
        let mut rules = self.table.rules::<R>().clone();
        change(&mut rules);
        let mut env = Env::clone(&self.table.env);
        env.rules = Arc::new(rules);
        self.table.env = Arc::new(env);
        self.table.printed.forget();
    }

    /// Starts the game on another turn.
    pub fn set_turn(&mut self, turn: u16) {
        self.table.flow.turn = turn;
    }

    /// The table as it was set up.
    pub(crate) fn done(mut self) -> Table {
        self.table.seal();
        self.table
    }
}

impl Deref for Setup {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl DerefMut for Setup {
    fn deref_mut(&mut self) -> &mut Table {
        &mut self.table
    }
}
