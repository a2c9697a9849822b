//! Movement walked step by step, as the chapter has it: §5.1 to §5.5, §7.12, §8.1 and §9.1. The conformance suite holds the
//! search against it.

use super::Do;
use super::ways::{HASTE, MARCH};
use crate::field::{Field, near_enemy, safe, unit_in};
use crate::rules::Rules;
use crate::state::Moving;
use cupola_kernel::{Ask, HexId, Reached, Side, Table, UnitId, Walked};
use cupola_kit::plain::{Walk, explore};

/// The rules of movement for one unit.
pub struct Book<'t> {
    t: &'t Table,
    rules: &'t Rules,
    side: Side,
    leader: bool,
    routed: bool,
    /// What it may spend as a rule, in half points.
    plain: u16,
    /// What it may spend by force marching or hastening (§5.5).
    most: u16,
}

impl<'t> Book<'t> {
    /// The rules for this unit as it stands.
    #[must_use]
    pub fn new(t: &'t Table, unit: UnitId) -> Book<'t> {
        let (rules, field, moving) = (t.rules::<Rules>(), Field::new(t), t.res::<Moving>());
        let (card, status) = (rules.card(unit), field.status(unit));
        let printed = if status.cadre {
            rules.cadre[card.side].2
        } else {
            card.movement
        };
        let plain = 2 * u16::from(printed.saturating_sub(status.weary().into()).max(1));
        let extra = |on: bool, points: u8| u16::from(points) * u16::from(on);
        Book {
            t,
            rules,
            side: card.side,
            leader: rules.is_leader(unit),
            routed: status.routed,
            plain,
            most: plain + extra(moving.marches, MARCH) + extra(moving.hastens, HASTE),
        }
    }

    /// Where it may end, and what that costs in half points.
    #[must_use]
    pub fn destinations(&self, from: HexId) -> Reached {
        let found = explore(self, [(usize::from(from.0), 0)], self.most);
        let hexes = found
            .into_iter()
            .map(|(hex, cost)| (HexId(hex as u16), cost));
        // Who marches on goes farther than he could without.
        let farther = |cost: u16| self.most == self.plain || cost > self.plain;
        let ends = |hex| !self.leader || safe(self.rules, self.t.stacks(), self.side, hex);
        hexes
            .filter(|&(hex, cost)| hex != from && farther(cost) && ends(hex))
            .collect()
    }

    /// §5.4, §7.12: an enemy next to the hex that is not routed.
    fn must_stop(&self, hex: HexId) -> bool {
        !self.leader && Field::new(self.t).pinned(self.side, hex)
    }

    /// Whether one line of communications comes nearer with every step.
    fn leads_home(&self, way: &[usize], to: usize) -> bool {
        let hexes: Vec<HexId> = way
            .iter()
            .chain([&to])
            .map(|&hex| HexId(hex as u16))
            .collect();
        let lines = &self.rules.communications.hexes[self.side];
        let board = self.t.board();
        lines.iter().any(|&line| {
            let mut steps = hexes.windows(2);
            steps.all(|step| board.distance(step[1], line) < board.distance(step[0], line))
        })
    }
}

impl Walk for Book<'_> {
    fn around(&self, hex: usize) -> Vec<usize> {
        let next = self.t.board().neighbours(HexId(hex as u16));
        next.map(|(_, hex)| usize::from(hex.0)).collect()
    }

    fn price(&self, way: &[usize], to: usize) -> Option<u16> {
        let here = HexId(*way.last()? as u16);
        let hex = HexId(to as u16);
        let near = near_enemy(self.t, self.side, hex);
        let held = unit_in(self.t, hex);
        let barred = match held {
            Some(unit) if self.leader => self.rules.card(unit).side != self.side,
            held => held.is_some(),
        };
        let shy = !self.leader && (self.routed || self.t.is_night());
        if barred || (shy && near) || (way.len() > 1 && self.must_stop(here)) {
            return None;
        }
        if self.routed && !self.leads_home(way, to) {
            return None;
        }
        let edge = self.rules.edge(here, hex)?;
        let costs = &self.rules.costs;
        let across = if self.leader { costs.clear } else { edge.cost };
        let road = edge.road && (self.leader || !near);
        let cost = u16::from(if road { costs.road } else { across });
        // §5.1 One hex always.
        Some(if way.len() == 1 {
            cost.min(self.plain)
        } else {
            cost
        })
    }

    /// Whether it has set out; for the routed, the whole way.
    fn memory(&self, way: &[usize]) -> Option<u64> {
        (!self.routed).then_some(u64::from(way.len() > 1))
    }
}

/// Where the unit on the map that was picked can go.
pub fn walked(t: &Table, ask: Ask) -> Option<Walked> {
    let moving = t.res::<Moving>();
    let unit = moving.picked.filter(|_| ask.question == "destination")?;
    let book = Book::new(t, unit);
    let reached = book.destinations(t.hex(unit)?);
    // Cornered units leave by any way: another rule, and a case of its own.
    let cornered = book.routed && reached.is_empty();
    (!cornered).then(|| Walked::in_parts(2, unit, Do::To(unit, HexId(0)), reached))
}
