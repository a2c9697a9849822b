//! Where one gets to: the common search over this game's steps.
//!
//! What every step would have to ask of the hexes around it is written on the map once before the search: hexes next to the
//! enemy are barred or marked, as the search wants. Where it asks about the hex alone that is entered, it asks then.

use crate::entry;
use crate::field::Field;
use crate::state::Land;
use crate::steps::{BARRED, DISORDERS, Rows, Step};
use cupola_ground::{Direction, Hex};
use cupola_kernel::{HexId, Side};
use cupola_kit::{Ahead, Search, Steps, Then, Ways};

/// A hex next to an enemy, where those are not barred.
pub const NEAR: u16 = 1;
/// A hex with breastworks.
const WORKS: u16 = 2;
/// A hex that is looked for.
const WANTED: u16 = 4;
/// A hex where one begins and that is barred otherwise.
const SHUT: u16 = 8;
/// A hex next to breastworks.
const BY_WORKS: u16 = 16;

/// Whether hexes next to an enemy are entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// They are.
    Open,
    /// They are, and it is told which they are.
    Marked,
    /// They are not (§5.13).
    Barred,
    /// Those are where friends stand (§4.23).
    Friends,
}

/// How a search goes: what steps cost, how far, and what it keeps away from.
#[derive(Clone, Copy)]
pub struct Pace<'a> {
    /// Whose search it is: enemy hexes are never entered.
    pub side: Side,
    /// What steps cost.
    pub rows: &'a Rows,
    /// What breastworks add to a step over them; none if they stop it.
    pub works: Option<Step>,
    /// What a bridge over a cut costs (§5.18), if it is used.
    pub bridge: Option<u8>,
    /// Half points there are.
    pub limit: u8,
    /// How far it keeps from the enemy in column (§4.32).
    pub shy: u32,
    /// Whether it comes next to the enemy.
    pub near: Near,
    /// Whether it keeps away from entrances by which enemies are still to come (§5.47).
    pub wary: bool,
    /// Whether it takes only steps that do not disorder (§5.17).
    pub clean: bool,
}

impl Pace<'_> {
    /// Whether the enemy is of account only in the hexes that he holds, and there are fewer to come to than he has units: then
    /// they are looked at when one comes there.
    fn looks_there(&self, field: Field) -> bool {
        let army = field.rules.troops_of[self.side.other()].len();
        let far = usize::from(self.limit / self.least().max(1));
        self.near == Near::Open && self.shy == 0 && 3 * far * (far + 1) < army
    }

    /// The least that a hex further costs, wherever it is: a bridge over a cut leads two hexes on.
    #[must_use]
    pub fn least(&self) -> u8 {
        let bridge = self.bridge.map_or(u8::MAX, |bridge| bridge / 2);
        self.rows.cheapest.min(bridge)
    }
}

/// A search and what it found; keep one per thread.
#[derive(Default)]
pub struct Reach {
    search: Search,
    reached: Vec<HexId>,
}

/// The steps of a pace.
struct Going<'a, O, S> {
    field: Field<'a>,
    pace: &'a Pace<'a>,
    spans: &'a [(HexId, HexId)],
    open: O,
    seen: S,
    reached: &'a mut Vec<HexId>,
    /// Whether what it goes on from is next to breastworks: there the hexside by which one comes in counts, and a detour may
    /// be cheaper than the step that it spares elsewhere.
    by_works: bool,
    /// See [`Pace::looks_there`].
    looks: bool,
}

impl<O, S> Going<'_, O, S> {
    /// Whether the enemy holds a hex and that is not written on the map.
    #[inline]
    fn meets(&self, hex: HexId) -> bool {
        self.looks && self.field.t.stacks().first(hex).is_some() && self.holds(hex)
    }

    /// Whether the enemy holds a hex in which somebody is.
    fn holds(&self, hex: HexId) -> bool {
        self.field.holder(hex) == Some(self.pace.side.other())
    }

    /// The price of a step into a hex with breastworks: more if it leads over them.
    fn over_works(&self, cost: u8, way: usize, to: HexId) -> u16 {
        let back = Direction::ALL[way].opposite();
        let work = self.field.t.res::<Land>().works_at(to);
        match work.filter(|work| work.sides >> back.index() & 1 == 1) {
            None => u16::from(cost),
            Some(_) => match self.pace.works {
                Some(over) if !(self.pace.clean && over.disorders) => u16::from(cost + over.cost),
                _ => u16::MAX,
            },
        }
    }
}

impl<O, S> Ways for Going<'_, O, S>
where
    O: Fn(HexId, HexId) -> bool,
    S: FnMut(HexId, u16, u16) -> Then,
{
    #[inline]
    fn reached(&mut self, node: usize, spent: u16, marks: u16) -> Then {
        let hex = HexId(node as u16);
        self.by_works = marks & BY_WORKS != 0;
        let then = (self.seen)(hex, spent, marks);
        if then == Then::GoOn {
            self.reached.push(hex);
        }
        then
    }

    #[inline]
    fn steps(&self, node: usize, spent: u16, steps: &mut impl Steps) {
        let (from, row) = (HexId(node as u16), &self.pace.rows.hexes[node]);
        // Where even the cheapest step is too dear there is nothing to look at: so it is all along the edge.
        let over = spent + u16::from(row.least) > u16::from(self.pace.limit);
        if over && self.spans.is_empty() {
            return;
        }
        let ahead = if self.by_works {
            Ahead::ALL
        } else {
            steps.ahead()
        };
        // A step that is barred is dearer than all there can be left, and so is one that disorders who must not be.
        let left = self.pace.limit.saturating_sub(spent as u8).min(BARRED - 1);
        let told = if self.pace.clean { u8::MAX } else { !DISORDERS };
        for way in ahead.places() {
            let cost = row.bytes[way] & told;
            if cost > left {
                continue;
            }
            let landing = row.landings[way];
            let to = HexId(landing.node() as u16);
            if !(self.open)(from, to) || self.meets(to) {
                continue;
            }
            steps.step_to(landing, |marks| match marks & (WORKS | SHUT) {
                0 => u16::from(cost),
                WORKS => self.over_works(cost, way, to),
                _ => u16::MAX,
            });
        }
        for &(_, to) in self.spans.iter().filter(|(end, _)| *end == from) {
            let cost = self.pace.bridge.map_or(u16::MAX, u16::from);
            if !self.meets(to) {
                steps.step(to.index(), |marks| match marks & SHUT {
                    0 => cost,
                    _ => u16::MAX,
                });
            }
        }
    }
}

impl Reach {
    /// Finds every hex that can be reached at this pace from where a unit stands, or from the hexes by which it comes onto
    /// the map, each with what was spent until there. `open` says which steps are taken besides (where two that follow each other
    /// are, the step that spares both must be); `seen` hears of every hex
    /// reached, what was spent until there and its marks, nearest first, and may end the search. Ways are written down where somebody wants to know
    /// them.
    pub fn search(
        &mut self,
        field: Field,
        pace: &Pace,
        starts: &[(HexId, u8)],
        ways: bool,
        open: impl Fn(HexId, HexId) -> bool,
        seen: impl FnMut(HexId, u16, u16) -> Then,
    ) {
        self.prepare(field, pace, starts);
        self.go(field, pace, starts, ways, open, seen);
    }

    /// Looks which of some hexes can be reached, and no further.
    pub fn find(&mut self, field: Field, pace: &Pace, start: HexId, wanted: &[HexId]) -> Vec<bool> {
        let board = field.t.board();
        let (limit, least) = (u32::from(pace.limit), u32::from(pace.least()));
        let far = |hex: &HexId| board.distance(start, *hex) * least > limit;
        // Where one is, one has come to.
        if wanted.iter().all(|hex| *hex == start || far(hex)) {
            return wanted.iter().map(|hex| *hex == start).collect();
        }
        self.prepare(field, pace, &[(start, 0)]);
        let mut goals: Vec<Hex> = vec![];
        for &hex in wanted.iter().filter(|hex| !far(hex)) {
            if self.search.marks(hex.index()) & WANTED == 0 {
                self.search.mark(hex.index(), WANTED);
                goals.push(board.axial(hex));
            }
        }
        let seen = |hex: HexId, spent: u16, marks: u16| {
            let (at, spent) = (board.axial(hex), u32::from(spent));
            if marks & WANTED != 0 {
                goals.retain(|goal| *goal != at);
            }
            // Nobody looks where none that is left could be reached from any more.
            let near = |goal: &Hex| spent + at.distance(*goal) * least <= limit;
            match goals.is_empty() {
                true => Then::End,
                false if goals.iter().any(near) => Then::GoOn,
                false => Then::StopHere,
            }
        };
        self.go(field, pace, &[(start, 0)], false, |_, _| true, seen);
        let wanted = wanted.iter();
        wanted.map(|&hex| self.cost(hex).is_some()).collect()
    }

    /// Writes on the map what every step would have to ask.
    fn prepare(&mut self, field: Field, pace: &Pace, starts: &[(HexId, u8)]) {
        let board = field.t.board();
        self.reached.clear();
        self.search.begin(board.len(), u16::from(pace.limit));
        if !pace.looks_there(field) {
            self.mark_enemies(field, pace, starts);
        }
        self.mark_works(field, pace);
        if pace.wary {
            entry::wards(field, pace.side).for_each(|hex| self.search.bar(hex.index()));
        }
        for &(hex, spent) in starts {
            if self.search.is_barred(hex.index()) {
                self.search.mark(hex.index(), SHUT);
            }
            self.search.start_barred(hex.index(), u16::from(spent));
        }
    }

    /// Breastworks, and what is next to them, unless they are nothing to who goes.
    fn mark_works(&mut self, field: Field, pace: &Pace) {
        if pace.works == Some(Step::default()) {
            return;
        }
        let works = field.t.res::<Land>().works.iter();
        for work in works.filter(|work| work.wants == 0) {
            self.search.mark(work.hex.index(), WORKS);
            for (_, next) in field.t.board().neighbours(work.hex) {
                self.search.mark(next.index(), BY_WORKS);
            }
        }
    }

    fn mark_enemies(&mut self, field: Field, pace: &Pace, starts: &[(HexId, u8)]) {
        let enemy = pace.side.other();
        if let [(start, _)] = starts {
            // Who is further off than one gets and a hex more is of no account.
            let far = u32::from(pace.limit / pace.least().max(1)) + pace.shy.max(1) + 2;
            field.any_held_within(enemy, *start, far, |hex| {
                self.mark_enemy(field, pace, hex);
                false
            });
        } else {
            let enemies = field.on_map(enemy);
            enemies.for_each(|(_, hex)| self.mark_enemy(field, pace, hex));
        }
    }

    /// A hex that the enemy holds.
    fn mark_enemy(&mut self, field: Field, pace: &Pace, hex: HexId) {
        let board = field.t.board();
        self.search.bar(hex.index());
        if pace.near == Near::Open && pace.shy == 0 {
            return;
        }
        for next in field.rules.adjacent(board, hex) {
            match pace.near {
                Near::Open => {}
                Near::Marked => self.search.mark(next.index(), NEAR),
                Near::Friends if field.holder(next) == Some(pace.side) => {}
                Near::Barred | Near::Friends => self.search.bar(next.index()),
            }
        }
        if pace.shy > 0 {
            let shunned = field.around(hex, pace.shy);
            shunned.for_each(|near| self.search.bar(near.index()));
        }
    }

    fn go(
        &mut self,
        field: Field,
        pace: &Pace,
        starts: &[(HexId, u8)],
        ways: bool,
        open: impl Fn(HexId, HexId) -> bool,
        seen: impl FnMut(HexId, u16, u16) -> Then,
    ) {
        let spans = bridges(field, pace, starts);
        let mut going = Going {
            field,
            pace,
            spans: &spans,
            open,
            seen,
            reached: &mut self.reached,
            by_works: false,
            looks: pace.looks_there(field),
        };
        if ways {
            self.search.run_with_ways(&mut going);
        } else {
            self.search.run(&mut going);
        }
    }

    /// The hexes reached from which one could have gone on, the start included, nearest first.
    #[must_use]
    pub fn reached(&self) -> &[HexId] {
        &self.reached
    }

    /// What it costs to reach a hex, in half points; none if it was not reached.
    #[must_use]
    pub fn cost(&self, hex: HexId) -> Option<u8> {
        self.search
            .cost(hex.index())
            .map(|cost| cost.min(255) as u8)
    }

    /// The way to a reached hex, start first, both ends included; empty if it was not reached.
    #[must_use]
    pub fn way(&self, hex: HexId) -> Vec<HexId> {
        let way = self.search.way(hex.index());
        way.into_iter().map(|node| HexId(node as u16)).collect()
    }
}

/// The bridges over cuts that are open to a search and not out of its reach, from end to end both ways.
fn bridges(field: Field, pace: &Pace, starts: &[(HexId, u8)]) -> Vec<(HexId, HexId)> {
    if pace.bridge.is_none() {
        return vec![];
    }
    let board = field.t.board();
    let near = |&hex: &HexId| {
        let mut starts = starts.iter();
        starts.any(|&(start, _)| board.distance(start, hex) <= u32::from(pace.limit))
    };
    let bridges = field.rules.spans.iter();
    let open = bridges.filter(|bridge| bridge.ends.iter().any(near));
    // §5.18: an enemy in the cut beside it shuts a bridge.
    let open = open.filter(|bridge| {
        let mut guards = bridge.guards.iter();
        guards.all(|&hex| field.holder(hex) != Some(pace.side.other()))
    });
    open.flat_map(|bridge| {
        let [one, other] = bridge.ends;
        [(one, other), (other, one)]
    })
    .filter(|&(_, to)| field.inside(to))
    .collect()
}
