//! Movement walked step by step, as the chapter has it (§4.2 to §4.6). The conformance suite holds the search against it.

use crate::field::Field;
use crate::files::{Entering, Leaving};
use crate::movement::Do;
use crate::rules::{NEVER, Rules};
use crate::state::{Condition, Focus};
use cupola_kernel::{Ask, HexId, Side, Table, UnitId, Walked};
use cupola_kit::plain::{Walk, explore};

/// The rules of movement as the chapter has them, §4.2 to §4.6.
struct Book<'t> {
    t: &'t Table,
    rules: &'t Rules,
    side: Side,
    kind: usize,
    most: u16,
}

impl Book<'_> {
    /// §4.5 Whether an enemy with a zone of control reaches a hex.
    fn zone(&self, hex: HexId) -> bool {
        let Some(zones) = self.rules.zones else {
            return false;
        };
        let enemies = self
            .t
            .units()
            .filter(|&unit| self.rules.card(unit).side != self.side);
        enemies.into_iter().any(|unit| {
            let shaken = self.t.get::<Condition>(unit).shaken && !self.rules.shaken.zone;
            let beside = self.t.hex(unit).is_some_and(|at| {
                let across = self.rules.side_features(at, hex) & zones.not_across;
                self.t.board().distance(at, hex) == 1 && across == 0
            });
            self.rules.card(unit).zone && !shaken && beside
        })
    }
}

impl Walk for Book<'_> {
    fn around(&self, hex: usize) -> Vec<usize> {
        let next = self.t.board().neighbours(HexId(hex as u16));
        next.map(|(_, hex)| usize::from(hex.0)).collect()
    }

    fn price(&self, way: &[usize], to: usize) -> Option<u16> {
        let (here, hex) = (HexId(*way.last()? as u16), HexId(to as u16));
        // §4.4 Never into the enemy.
        let enemy = |unit: UnitId| self.rules.card(unit).side != self.side;
        if self.t.stacks().units(hex).any(enemy) {
            return None;
        }
        let (from, into) = (self.zone(here), self.zone(hex));
        let mut cost = self.rules.hops[self.kind][usize::from(here.0)]
            .iter()
            .find(|hop| hop.to == hex.0)
            .map(|hop| hop.cost)
            .filter(|&cost| cost != NEVER)?;
        if let Some(zones) = self.rules.zones {
            if from && way.len() > 1 && zones.enter == Entering::Stops {
                return None;
            }
            if from && zones.leave == Leaving::Never || from && into && !zones.hop {
                return None;
            }
            if let (true, Leaving::Costs(more)) = (from, zones.leave) {
                cost += u16::from(more);
            }
            if let (true, Entering::Costs(more)) = (into, zones.enter) {
                cost += u16::from(more);
            }
        }
        // §4.3 One hex always.
        let first = way.len() == 1 && self.rules.one_hex_always;
        Some(if first { cost.min(self.most) } else { cost })
    }
    /// Whether it has set out.
    fn memory(&self, way: &[usize]) -> Option<u64> {
        Some(u64::from(way.len() > 1))
    }
}

/// Where the unit that was picked can go.
pub fn walked(t: &Table, ask: Ask) -> Option<Walked> {
    let unit = t
        .res::<Focus>()
        .0
        .filter(|_| ask.question == "destination")?;
    let (field, from) = (Field::new(t), t.hex(unit)?);
    let card = field.rules.card(unit);
    let book = Book {
        t,
        rules: field.rules,
        side: card.side,
        kind: card.kind.into(),
        most: field.allowance(unit),
    };
    let walked = explore(&book, [(usize::from(from.0), 0)], book.most).into_iter();
    let ends = walked.map(|(hex, cost)| (HexId(hex as u16), cost));
    // §4.6 Nobody ends where there is no room.
    let room = |hex: HexId| t.stacks().units(hex).count() < usize::from(field.rules.stacking);
    let reached = ends.filter(|&(hex, _)| hex != from && room(hex)).collect();
    let parts = field.rules.parts.into();
    Some(Walked::in_parts(parts, unit, Do::To(unit, from), reached))
}
