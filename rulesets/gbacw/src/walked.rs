//! Movement walked hex by hex, as the chapter has it (§5.1). The conformance suite holds the search against it.

use crate::acts::Do;
use crate::field::Field;
use crate::maneuver::drive;
use crate::movement::{Manner, manner};
use crate::special::Drive;
use crate::state::{Deed, Frame, Land, Stack};
use crate::{entry, orders};
use cupola_kernel::{HexId, Reached, Side, Table, UnitId, Walked};

/// The rules of movement as the chapter has them, asked step by step.
struct Book<'t> {
    field: Field<'t>,
    unit: UnitId,
    side: Side,
    manner: Manner,
    /// Whether only ways count that leave the unit in order (§5.17).
    clean: bool,
}

impl Book<'_> {
    /// Whether a unit may come into a hex at all.
    fn open(&self, hex: HexId) -> bool {
        let (field, enemy) = (self.field, self.side.other());
        let board = field.t.board();
        let enemies = || field.on_map(enemy).map(|(_, at)| at);
        let beside = |at: HexId| {
            let way = board.direction(hex, at);
            way.is_some_and(|way| !board.side(hex, way).closed)
        };
        let leader = !field.rules.fights(self.unit);
        field.inside(hex)
            && !enemies().any(|at| at == hex)
            // §5.13 Only who attacks comes next to an enemy.
            && (self.manner.closes || !enemies().any(beside))
            // §4.32 Columns keep further off.
            && (self.manner.shy == 0 || !enemies().any(|at| board.distance(at, hex) <= self.manner.shy))
            // §5.47 Nobody waits where enemies are to come.
            && (leader || !entry::warded(field, self.side, hex))
    }

    /// What steps out of a hex cost.
    fn steps(&self, from: HexId) -> Vec<(HexId, u16)> {
        let (field, steps) = (self.field, &self.field.rules.steps);
        let (mover, gait) = (self.manner.mover, self.manner.gait);
        let mut found = vec![];
        for (way, to) in field.t.board().neighbours(from) {
            let Some(step) = steps.get(mover, gait, from, way) else {
                continue;
            };
            let (mut cost, mut disorders) = (step.cost, step.disorders);
            // §10.2 Over breastworks.
            let work = field.t.res::<Land>().works_at(to);
            if work.is_some_and(|work| work.sides >> way.opposite().index() & 1 == 1) {
                let Some(over) = steps.over_works(mover) else {
                    continue;
                };
                (cost, disorders) = (cost + over.cost, disorders || over.disorders);
            }
            if self.open(to) && !(self.clean && disorders) {
                found.push((to, u16::from(cost)));
            }
        }
        // §5.18 Bridges over a cut, unless an enemy in it shuts them.
        for bridge in &field.rules.spans {
            let shut = |&hex: &HexId| field.holder(hex) == Some(self.side.other());
            let [one, other] = bridge.ends;
            let ends = [(one, other), (other, one)].into_iter();
            for (_, to) in ends.filter(|(end, _)| *end == from) {
                if !bridge.guards.iter().any(shut) && self.open(to) {
                    found.push((to, u16::from(steps.over_bridge(mover, gait))));
                }
            }
        }
        found
    }

    /// Walks on from wherever it has become cheaper to be, until nothing does.
    fn walk(&self) -> Reached {
        let doors = entry::doors(self.field, self.unit, &self.manner);
        let mut found = Reached::new();
        let mut fresh: Vec<(HexId, u16)> = doors
            .into_iter()
            .map(|(hex, spent)| (hex, u16::from(spent)))
            .collect();
        while let Some((hex, spent)) = fresh.pop() {
            let dearer = found.get(&hex).is_some_and(|&known| known <= spent);
            if dearer || spent > u16::from(self.manner.limit) {
                continue;
            }
            found.insert(hex, spent);
            // Boundaries are kept on the way.
            if spent > 0 && self.fenced(hex) {
                continue;
            }
            let next = self.steps(hex).into_iter();
            fresh.extend(next.map(|(to, cost)| (to, spent + cost)));
        }
        found
    }

    /// Whether a boundary lies before a hex.
    fn fenced(&self, hex: HexId) -> bool {
        let (t, mut specials) = (self.field.t, self.field.rules.specials.iter());
        specials.any(|rule| rule.fences() && rule.may_end(t, self.unit, hex).is_err())
    }

    /// Whether the unit may end in a hex.
    fn ends(&self, start: HexId, hex: HexId) -> bool {
        let (field, unit) = (self.field, self.unit);
        let board = field.t.board();
        // §4.25 Out of command nobody comes nearer to an enemy who is near.
        let nearer = field.on_map(self.side.other()).any(|(_, at)| {
            let (now, then) = (board.distance(start, at), board.distance(hex, at));
            then <= field.rules.numbers.wary && then < now
        });
        let astray = field.deed(unit).any(Deed::ASTRAY);
        let mut specials = field.rules.specials.iter();
        (hex != start || field.t.hex(unit).is_none())
            && field.fits(unit, hex)
            && !(astray && nearer)
            && specials.all(|rule| rule.may_end(field.t, unit, hex).is_ok())
    }

    /// Where the unit may go, and for how much.
    fn destinations(&self) -> Reached {
        let (field, limit) = (self.field, u16::from(self.manner.limit));
        let doors = entry::doors(field, self.unit, &self.manner);
        let Some(&(start, _)) = doors.first() else {
            return Reached::new();
        };
        let mut found = self.walk();
        // §5.13 One hex always, for all there is.
        if field.t.hex(self.unit).is_some() && self.manner.one {
            for (to, _) in self.steps(start) {
                if field.t.board().distance(start, to) == 1 {
                    found.entry(to).or_insert(limit);
                }
            }
        }
        // §5.17 Who is in order goes the way that leaves him so, if there is one.
        if field.rules.fights(self.unit) && !field.status(self.unit).disordered {
            let clean = Book {
                clean: true,
                ..*self
            };
            found.extend(clean.walk());
        }
        found.retain(|&hex, _| self.ends(start, hex));
        found
    }
}

/// The unit that may go where it likes now, and whether it has mounted or dismounted.
fn moving(t: &Table) -> Option<(UnitId, bool)> {
    let field = Field::new(t);
    let Some(&Frame::Act(unit, _, toggled)) = t.res::<Stack>().frames.last() else {
        return None;
    };
    let specials = &field.rules.specials;
    let held = !orders::free(t, unit)
        || field.status(unit).abandoned
        || drive(field, unit) != Drive::Free
        || specials.iter().any(|rule| rule.may_go(t, unit).is_err())
        || specials.iter().any(|rule| rule.zone(t, unit).is_some());
    (!held).then_some((unit, toggled))
}

/// Where the unit that may go where it likes can go.
pub fn walked(t: &Table) -> Option<Walked> {
    let (unit, toggled) = moving(t)?;
    let field = Field::new(t);
    let book = Book {
        field,
        unit,
        side: field.card(unit).side,
        manner: manner(field, unit, toggled),
        clean: false,
    };
    let reached = book.destinations();
    Some(Walked::in_parts(2, unit, Do::To(HexId(0)), reached))
}
