//! Movement walked step by step, as the book has it (§2.2, §3.24, §6.4 to §6.7, §9.72), for a block on the map. The conformance
//! suite holds the search against it.

use super::Do;
use crate::rules::{Kind, NOWHERE, Rules};
use crate::state::{Chosen, Hexes};
use cupola_kernel::{Ask, HexId, Side, Table, Walked};
use cupola_kit::plain::{Walk, explore};

/// The rules of movement for one block.
struct Book<'a> {
    rules: &'a Rules,
    field: &'a Hexes,
    side: Side,
    guns: bool,
    night: bool,
    most: u16,
}

impl Book<'_> {
    fn near(&self, hex: usize) -> bool {
        self.field.near[self.side.other() as usize][hex] > 0
    }

    /// Two blocks have crossed, and a frontline hex that is not on the map's edge limits it.
    fn shut(&self, from: usize, direction: usize, to: usize) -> bool {
        let front = |hex: usize| self.near(hex) && !self.rules.rim[hex];
        let crossed = self.field.crossed[from] >> (2 * direction) & 3;
        crossed >= 2 && (front(from) || front(to))
    }

    /// What a step costs across country and by road.
    fn prices(&self, from: usize, to: usize) -> Option<(usize, u16, Option<u16>)> {
        let edges = &self.rules.edges[from];
        let direction = edges.iter().position(|edge| usize::from(edge.to) == to)?;
        let edge = &edges[direction];
        let across = u16::from(edge.cost) * if self.guns { 2 } else { 1 };
        let road = (edge.road > 0).then_some(u16::from(edge.road));
        Some((direction, across, road))
    }

    /// What the road out of the junction costs more than its points after this way: nothing if the block came
    /// by the same road or across country, and coming across country may have cost it more.
    fn turn(&self, way: &[usize], direction: usize) -> u16 {
        let junction = &self.rules.junction;
        let [.., before, here] = way[..] else {
            return 0;
        };
        if here != usize::from(junction.hex.0) {
            return 0;
        }
        let back = self.prices(here, before);
        let back = back.map_or(0, |(direction, ..)| direction);
        let on = |road: usize, direction: usize| junction.roads[road] & 1 << direction != 0;
        let came = |road: usize| on(road, back) && !on(1 - road, back);
        let changes =
            (0..2).any(|road| came(road) && on(1 - road, direction) && !on(road, direction));
        let Some((_, across, Some(by_road))) = self.prices(before, here) else {
            return 0;
        };
        let most = if way.len() == 2 { self.most } else { u16::MAX };
        let (across, by_road) = (across.min(most), by_road.min(most));
        if changes && by_road <= across {
            1.min(across - by_road)
        } else {
            0
        }
    }
}

impl Walk for Book<'_> {
    fn around(&self, hex: usize) -> Vec<usize> {
        let next = self.rules.edges[hex].iter().map(|edge| edge.to);
        next.filter(|&to| to != NOWHERE).map(usize::from).collect()
    }

    fn price(&self, way: &[usize], to: usize) -> Option<u16> {
        let here = *way.last()?;
        let (direction, across, by_road) = self.prices(here, to)?;
        let held = self.field.count[self.side.other() as usize][to] > 0;
        let stops = way.len() > 1 && self.near(here);
        if held || stops || self.night && self.near(to) || self.shut(here, direction, to) {
            return None;
        }
        let by_road = by_road.map(|cost| cost + self.turn(way, direction));
        let cost = by_road.map_or(across, |by_road| by_road.min(across));
        // A block can always move one hex.
        Some(if way.len() == 1 {
            cost.min(self.most)
        } else {
            cost
        })
    }

    /// The hex before, for the junction, and whether it was the first.
    fn memory(&self, way: &[usize]) -> Option<u64> {
        let before = way.len().checked_sub(2).map_or(0, |at| way[at] + 1);
        Some(before as u64 * 2 + u64::from(way.len() == 2))
    }
}

/// Where the block on the map that was picked can go; columns have rules of their own.
pub fn walked(t: &Table, ask: Ask) -> Option<Walked> {
    let (rules, chosen) = (t.rules::<Rules>(), t.res::<Chosen>());
    let unit = chosen.unit.filter(|_| ask.question == "destination")?;
    let (card, from) = (rules.card(unit), usize::from(t.hex(unit)?.0));
    if rules.switches.column_and_line {
        return None;
    }
    let book = Book {
        rules,
        field: t.res::<Hexes>(),
        side: card.side,
        guns: matches!(card.kind, Kind::Artillery | Kind::HorseArtillery),
        night: t.is_night(),
        most: u16::from(card.moves),
    };
    let found = explore(&book, [(from, 0)], book.most).into_iter();
    let ends = found.filter(|&(hex, _)| hex != from);
    let reached = ends.map(|(hex, cost)| (HexId(hex as u16), cost)).collect();
    Some(Walked::new(unit, Do::To(unit, HexId(0)), reached))
}
