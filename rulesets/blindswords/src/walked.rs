//! Movement walked step by step by the rules of §J as they are written, without any array of the search. The conformance suite
//! holds the search against it.

use crate::acts::Do;
use crate::field::Field;
use crate::rules::{Kind, Order};
use crate::state::{Frame, March, Stack};
use cupola_kernel::{Ask, HexId, Reached, Side, Table, UnitId, Walked};

/// The rules of movement for one unit.
struct Book<'t> {
    field: Field<'t>,
    unit: UnitId,
    side: Side,
    guns: bool,
    engages: bool,
    start: HexId,
    left: u16,
}

impl Book<'_> {
    fn near(&self, hex: HexId) -> bool {
        self.field.engaged(self.side, hex)
    }

    /// §J-3, §J-3-a: the enemy's hexes never; next to him under orders that say so; guns keep their distance.
    fn enters(&self, hex: HexId) -> bool {
        let around = || self.field.rules.around(hex).any(|next| self.near(next));
        let kept = match (self.guns, self.engages) {
            (true, _) => self.near(hex) || around(),
            (false, engages) => self.near(hex) && !engages,
        };
        self.field.holder(hex) != Some(self.side.other()) && !kept
    }

    /// §J-1-e: a road that is not too full.
    fn by_road(&self, from: HexId, to: HexId) -> bool {
        let road = self.field.rules.edge(from, to);
        let others = self.field.units(to).without(self.unit);
        let most = self.field.rules.charts.stacking.road;
        let load = self.field.strength(others) + self.field.sp(self.unit);
        road.is_some_and(|edge| edge.road > 0) && (others.is_empty() || load <= most)
    }

    /// Where it can go for its points: hex by hex, over and over, until nothing changes.
    fn walk(&self) -> Reached {
        let (rules, mut any, mut on) = (self.field.rules, Reached::new(), Reached::new());
        let heavy = self.guns || self.field.mounted(self.unit);
        let mut fresh = vec![(self.start, 0)];
        while let Some((hex, spent)) = fresh.pop() {
            if on.get(&hex).is_some_and(|&known| known <= spent) {
                continue;
            }
            on.insert(hex, spent);
            let leaving = u16::from(rules.charts.march.disengage) * u16::from(self.near(hex));
            for to in rules.around(hex).filter(|&to| to != self.start) {
                let Some(edge) = rules.edge(hex, to).filter(|_| self.enters(to)) else {
                    continue;
                };
                let by_road = self.by_road(hex, to);
                let price = if by_road { edge.road } else { edge.cost };
                let total = spent + leaving + u16::from(price);
                if total > self.left {
                    continue;
                }
                let least = any.entry(to).or_insert(total);
                *least = total.min(*least);
                // §J-1-b, §J-3-b: woods off the road stop guns and horses, the enemy stops everybody.
                let stopped = heavy && rules.ground.woods[to.index()] && !by_road;
                if !self.near(to) && !stopped {
                    fresh.push((to, total));
                }
            }
        }
        any
    }

    /// §J-1-g: one hex in any case, or two along a road, for all that is left.
    fn least(&self, one: bool, steps: (u8, bool), found: &mut Reached) {
        let rules = self.field.rules;
        let road = |from, to| rules.edge(from, to).is_some_and(|edge| edge.road > 0);
        let second = steps == (1, true) && !one;
        if steps.0 > 0 && !second {
            return;
        }
        let open = |to: &HexId| self.enters(*to);
        for to in rules.around(self.start).filter(open) {
            let by_road = road(self.start, to);
            if !second || by_road {
                found.entry(to).or_insert(self.left);
            }
            if by_road && steps.0 == 0 && !one && !self.near(to) {
                let next = rules.around(to).filter(open);
                let next = next.filter(|&next| next != self.start && road(to, next));
                next.for_each(|next| {
                    found.entry(next).or_insert(self.left);
                });
            }
        }
    }
}

/// What it may spend, in half points (§H).
fn allowance(field: Field, unit: UnitId, march: March) -> u8 {
    let (rates, mounted) = (&field.rules.charts.march, usize::from(field.mounted(unit)));
    let points = march.points.unwrap_or(match march.order {
        Order::Attack => rates.attack[mounted],
        Order::Maneuver => rates.maneuver[mounted],
        Order::Defend | Order::None => 0,
    });
    2 * points.saturating_sub(march.less)
}

/// Where the unit on the map that is to move can go.
pub fn walked(t: &Table, ask: Ask) -> Option<Walked> {
    let frame = t.res::<Stack>().frames.last();
    let Some(&Frame::Move {
        unit,
        march,
        at: Some(start),
        spent,
        steps,
        ..
    }) = frame.filter(|_| ask.question == "destination")
    else {
        return None;
    };
    let field = Field::new(t);
    let card = field.card(unit);
    let book = Book {
        field,
        unit,
        side: card.side,
        guns: card.kind == Kind::Guns,
        engages: match march.order {
            Order::Attack | Order::Defend => true,
            Order::Maneuver => false,
            Order::None => field.rules.switches.events_engage,
        },
        start,
        left: u16::from(allowance(field, unit, march).saturating_sub(spent)),
    };
    let mut found = Reached::new();
    // §J-3-c: guns next to the enemy stay.
    if !(book.guns && book.near(start)) {
        if !march.one {
            found = book.walk();
        }
        book.least(march.one, steps, &mut found);
    }
    // §J-2 Nobody ends where there is no room.
    found.retain(|&hex, _| field.fits(unit, hex));
    Some(Walked::in_parts(2, unit, Do::To(start), found))
}
