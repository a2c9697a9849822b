//! Forks, snapshots and hashes of a table.

use super::Table;
use crate::dice::Seed;
use crate::schema::{self, SnapshotError};
use bevy_ecs::prelude::*;
use std::sync::Arc;

impl Table {
    /// Makes this table equal to another. True if the fast path was taken: only between tables of one play.
    pub(crate) fn copy_from(&mut self, source: &Table) -> bool {
        // Of another play, or of a position that has amended the rules.
        if !Arc::ptr_eq(&self.env, &source.env) {
            *self = source.rebuilt();
            return false;
        }
        self.flow.clone_from(&source.flow);
        self.stacks.copy_from(&source.stacks);
        self.printed.take(source.edition());
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
            let mut parts = table.parts.iter();
            let made =
                parts.find_map(|part| part.spawn(&mut table.world, *unit, &self.world, theirs));
            let entity = made.unwrap_or_else(|| table.world.spawn(*unit).id());
            own[usize::from(unit.0)] = entity;
            for part in parts {
                part.insert(&mut table.world, entity, &self.world, theirs);
            }
        }
        table.roster = own;
        for (part, from) in table.parts.iter_mut().zip(&self.parts) {
            part.insert_single(&**from);
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
        self.printed.forget();
        let broken = |e: postcard::Error| SnapshotError {
            part: "table",
            message: e.to_string(),
        };
        let (flow, rest) = postcard::take_from_bytes(bytes).map_err(broken)?;
        let (stacks, rest) = postcard::take_from_bytes(rest).map_err(broken)?;
        let (ledger, mut rest) = postcard::take_from_bytes(rest).map_err(broken)?;
        for part in &mut self.parts {
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
