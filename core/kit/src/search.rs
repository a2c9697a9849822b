//! Where a unit can go: a search over costs that the ruleset gives.
//!
//! The queue is a list per cost (a bucket queue), so the cheapest is always at hand and nothing is compared
//! but numbers. All memory is kept from one search to the next; nothing is allocated on the way.
//!
//! A search goes over *nodes*. In most rulesets a node is a hex. Where more than the hex decides what
//! the next step costs (by which road a unit came, which way it faces, whether it has left the road),
//! number the nodes so that each stands for a hex in one such state: `hex * STATES + state`.

/// The lower bits of a cell: its marks. The bits above hold what is left of the allowance, one higher than that; nothing
/// if it was not reached. So a cell that was never written says the same under every allowance, and of two cells
/// with the same marks the greater is the better.
const LEFT: u32 = 6;
/// What is left where nobody comes, since nobody comes with more than that.
const BARRED: u16 = RINGS as u16 - 1;
/// As much as can be left, and one for nothing: that ring stays empty.
const RINGS: usize = 1 << 10;
/// So many cells are looked at together.
const MANY: usize = 16;
/// Of more nodes than this only those that were written are wiped.
const FEW: usize = 2048;
/// No node: the way begins here.
const BEGIN: u32 = u32::MAX;
/// The bits of a [`Landing`] that hold the node; above them is what lies ahead of it.
const NODE: u32 = (1 << 24) - 1;

use crate::ahead::Ahead;

/// The highest allowance of a search.
pub const MOST: u16 = BARRED - 2;
/// The highest mark of a node.
pub const MARKS: u16 = (1 << LEFT) - 1;

/// What a ruleset knows about going on.
///
/// Both methods are called a great many times: mark them `#[inline]`.
pub trait Ways {
    /// A node was reached, and cannot be reached for less. Called once for each, in ascending order
    /// of cost; at equal cost in the order in which the steps were offered.
    #[inline]
    fn reached(&mut self, _node: usize, _spent: u16, _marks: u16) -> Then {
        Then::GoOn
    }

    /// Offers every step that leads on from a node. What must not be entered is not offered, or was
    /// [barred](Search::bar) before.
    fn steps(&self, node: usize, spent: u16, steps: &mut impl Steps);
}

/// What follows when a node was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The search goes on from it.
    GoOn,
    /// It goes on, but not from here: the unit must stop.
    StopHere,
    /// What was looked for is found.
    End,
}

/// Takes the steps that lead on from a node.
pub trait Steps {
    /// A step to a node, and what it costs given the node's marks; it may cost nothing. A node beyond
    /// the last stands for what is off the map, and is never reached.
    #[inline]
    fn step(&mut self, to: usize, cost: impl FnOnce(u16) -> u16) {
        self.step_on(to, Ahead::ALL, cost);
    }

    /// The same, and which steps are to be offered there if this is the best way to come: the others lead nowhere for less than
    /// steps from here do.
    fn step_on(&mut self, to: usize, ahead: Ahead, cost: impl FnOnce(u16) -> u16);

    /// The same for a step whose end was [put down](Landing) beforehand.
    fn step_to(&mut self, landing: Landing, cost: impl FnOnce(u16) -> u16);

    /// What was said of this node when it was reached. More may be offered.
    fn ahead(&self) -> Ahead;
}

/// Where a step leads, and what lies ahead of it there: as the search writes it down, for tables of steps that never change.
///
/// ```
/// use cupola_kit::{Ahead, Landing};
/// let landing = Landing::new(40, Ahead::ALL);
/// assert_eq!((landing.node(), landing.ahead()), (40, Ahead::ALL));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing(u32);

impl Landing {
    /// To a node, and which steps are to be offered there. What lies beyond the last node that a search can have leads off
    /// every map.
    #[must_use]
    #[inline]
    pub const fn new(node: usize, ahead: Ahead) -> Landing {
        let node = if node < NODE as usize {
            node as u32
        } else {
            NODE
        };
        Landing(node | (ahead.bits() as u32) << 24)
    }

    /// The node.
    #[must_use]
    #[inline]
    pub const fn node(self) -> usize {
        (self.0 & NODE) as usize
    }

    /// The steps to be offered there.
    #[must_use]
    #[inline]
    pub const fn ahead(self) -> Ahead {
        Ahead::from_bits((self.0 >> 24) as u8)
    }
}

/// A movement search: what it writes on, and what it found. Keep one per thread.
///
/// A step costs 2, or 1 by road; a stream is forded for 1 more; an enemy's neighbours stop a unit:
///
/// ```
/// use cupola_kit::{Search, Steps, Then, Ways};
///
/// /// Six hexes in a row: a road from 0 to 3, a stream between 3 and 4, an enemy in 5.
/// struct Row;
/// const NEAR: u16 = 1;
///
/// impl Ways for Row {
///     fn reached(&mut self, _: usize, _: u16, marks: u16) -> Then {
///         if marks & NEAR != 0 { Then::StopHere } else { Then::GoOn }
///     }
///     fn steps(&self, hex: usize, _: u16, steps: &mut impl Steps) {
///         for to in [hex.wrapping_sub(1), hex + 1] {
///             let road = hex.max(to) <= 3;
///             let stream = hex.min(to) == 3 && hex.max(to) == 4;
///             steps.step(to, |_| if road { 1 } else { 2 + u16::from(stream) });
///         }
///     }
/// }
///
/// let mut search = Search::default();
/// search.begin(6, 6);
/// search.bar(5);
/// search.mark(4, NEAR);
/// search.start(0, 0);
/// search.run(&mut Row);
/// assert_eq!(search.nodes(0..=6).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
/// assert_eq!((search.cost(3), search.cost(4), search.cost(5)), (Some(3), Some(6), None));
///
/// // The way is written down only where somebody wants to know it.
/// search.begin(6, 6);
/// search.start(0, 0);
/// search.run_with_ways(&mut Row);
/// assert_eq!(search.way(3), [0, 1, 2, 3]);
/// ```
#[derive(Debug, Default)]
pub struct Search {
    nodes: usize,
    most: u16,
    /// All nodes were written at once: they are wiped at once.
    whole: bool,
    /// By node its marks and what is left there; one more that is barred, for what is off the map.
    cells: Vec<u16>,
    /// Nodes that were marked or barred, where there are many nodes: those that were reached are in the rings.
    written: Vec<u32>,
    /// By node the one before it.
    from: Vec<u32>,
    rings: Rings,
}

/// By what is left: nodes to go on from.
#[derive(Debug)]
struct Rings {
    /// Ring after ring, each with room for all nodes and one more.
    nodes: Vec<Landing>,
    /// Where each ring ends as yet.
    ends: Box<[u32; RINGS]>,
    /// How many there are.
    count: usize,
}

impl Default for Rings {
    fn default() -> Rings {
        Rings {
            nodes: vec![],
            ends: Box::new([0; RINGS]),
            count: 0,
        }
    }
}

impl Rings {
    /// Makes room, and every ring empty.
    fn clear(&mut self, nodes: usize, rings: usize) {
        let room = (nodes + 1) * rings;
        if self.nodes.len() < room {
            self.nodes.resize(room, Landing(0));
        }
        let starts = (0..room as u32).step_by(nodes + 1);
        let ends = self.ends.iter_mut().zip(starts);
        ends.for_each(|(end, start)| *end = start);
        self.count = rings;
    }

    /// All nodes in them; some of them twice.
    fn all(&self, nodes: usize) -> impl Iterator<Item = usize> {
        self.below(nodes, self.count as u16)
    }

    /// Those in the rings where less is left.
    fn below(&self, nodes: usize, left: u16) -> impl Iterator<Item = usize> {
        let starts = (0..).step_by(nodes + 1);
        let rings = starts.zip(&self.ends[..usize::from(left)]);
        let landings = rings.flat_map(|(start, &end)| &self.nodes[start..end as usize]);
        landings.map(|landing| landing.node())
    }

    /// Adds a node to a ring.
    fn push(&mut self, left: u16, node: usize) {
        let end = &mut self.ends[usize::from(left)];
        self.nodes[*end as usize] = Landing::new(node, Ahead::ALL);
        *end += 1;
    }
}

impl Search {
    /// Forgets everything and makes room for so many nodes; nothing is reached for more than `most`.
    ///
    /// # Panics
    /// If the allowance is above [`MOST`], or there are more than sixteen million nodes.
    pub fn begin(&mut self, nodes: usize, most: u16) {
        within_bounds(nodes, most);
        if nodes > FEW && self.cells.len() == nodes + 1 && !self.whole {
            let starts = (0..).step_by(nodes + 1);
            for (start, &end) in starts.zip(&self.rings.ends[..self.rings.count]) {
                for landing in &self.rings.nodes[start..end as usize] {
                    self.cells[landing.node()] = 0;
                }
            }
            for &node in &self.written {
                self.cells[node as usize] = 0;
            }
        } else {
            self.cells.clear();
            self.cells.resize(nodes, 0);
            self.cells.push(BARRED << LEFT);
        }
        self.whole = false;
        self.clear(nodes, most);
    }

    /// The same where the marks of all nodes are known beforehand; a node with any of the marks in `bars` is barred.
    ///
    /// # Panics
    /// As [`Search::begin`] does.
    pub fn begin_marked(&mut self, marks: impl Iterator<Item = u8>, bars: u8, most: u16) {
        let cell = |marks: u8| match marks & bars {
            0 => u16::from(marks),
            _ => BARRED << LEFT | u16::from(marks),
        };
        self.cells.clear();
        self.cells.extend(marks.map(cell));
        let nodes = self.cells.len();
        self.cells.push(BARRED << LEFT);
        self.whole = true;
        within_bounds(nodes, most);
        self.clear(nodes, most);
    }

    fn clear(&mut self, nodes: usize, most: u16) {
        self.written.clear();
        (self.nodes, self.most) = (nodes, most);
        self.rings.clear(nodes, usize::from(most) + 2);
    }

    /// Takes note that a cell was written.
    #[inline]
    fn wrote(&mut self, node: usize) {
        if self.nodes > FEW {
            self.written.push(node as u32);
        }
    }

    /// Keeps the unit out of a node; its marks stay.
    #[inline]
    pub fn bar(&mut self, node: usize) {
        self.cells[node] |= BARRED << LEFT;
        self.wrote(node);
    }

    /// The same, and puts marks on it.
    #[inline]
    pub fn bar_with(&mut self, node: usize, marks: u16) {
        debug_assert!(marks <= MARKS);
        self.cells[node] |= BARRED << LEFT | marks;
        self.wrote(node);
    }

    /// Whether a node is barred.
    #[must_use]
    #[inline]
    pub fn is_barred(&self, node: usize) -> bool {
        self.cells[node] >> LEFT == BARRED
    }

    /// Puts marks on a node, which [`Ways`] is told of: up to six bits of the ruleset's own.
    #[inline]
    pub fn mark(&mut self, node: usize, marks: u16) {
        debug_assert!(marks <= MARKS);
        self.cells[node] |= marks;
        self.wrote(node);
    }

    /// Puts marks on all nodes next to one, and bars them if told to; what lies beyond the last node is off the map.
    #[inline]
    pub fn mark_around(&mut self, around: &[u16; 6], marks: u16, barred: bool) {
        debug_assert!(marks <= MARKS);
        let set = marks | if barred { BARRED << LEFT } else { 0 };
        let cells = &mut self.cells[..self.nodes];
        for &node in around {
            if let Some(cell) = cells.get_mut(usize::from(node)) {
                *cell |= set;
            }
        }
        if self.nodes > FEW {
            let there = around.iter().map(|&node| u32::from(node));
            let nodes = self.nodes as u32;
            self.written.extend(there.filter(|&node| node < nodes));
        }
    }

    /// Takes marks off a node.
    #[inline]
    pub fn unmark(&mut self, node: usize, marks: u16) {
        self.cells[node] &= !(marks & MARKS);
    }

    /// The marks of a node.
    #[must_use]
    #[inline]
    pub fn marks(&self, node: usize) -> u16 {
        self.cells[node] & MARKS
    }

    /// A node to begin at, for what was spent until there: where a unit stands, or one of the hexes by
    /// which it comes onto the map. Beyond the allowance, or barred, it is not begun at.
    pub fn start(&mut self, node: usize, spent: u16) {
        let (there, left) = (self.cells[node] >> LEFT, self.left(spent));
        if left > there {
            self.begin_at(node, spent);
        }
    }

    /// The same where a unit stands or comes on even if that is barred to others.
    pub fn start_barred(&mut self, node: usize, spent: u16) {
        let (there, left) = (self.cells[node] >> LEFT, self.left(spent));
        if left > 0 && (there == BARRED || left > there) {
            self.begin_at(node, spent);
        }
    }

    /// Begins where a unit stands, even if that is barred to others; nothing leads back there.
    pub fn start_at(&mut self, node: usize) {
        self.start_barred(node, 0);
    }

    fn begin_at(&mut self, node: usize, spent: u16) {
        let left = self.left(spent);
        self.cells[node] = (self.cells[node] & MARKS) | left << LEFT;
        self.rings.push(left, node);
    }

    /// What a cell says of a node reached for so much; nothing if that is too dear.
    #[inline]
    fn left(&self, spent: u16) -> u16 {
        (self.most + 1).saturating_sub(spent)
    }

    /// Finds all that can be reached.
    #[inline]
    pub fn run(&mut self, ways: &mut impl Ways) {
        self.search::<false>(ways);
    }

    /// Finds all that can be reached, and writes down by which way. Of two ways that cost the same the one
    /// found first is kept.
    #[inline]
    pub fn run_with_ways(&mut self, ways: &mut impl Ways) {
        if self.from.len() <= self.nodes {
            self.from.resize(self.nodes + 1, BEGIN);
        }
        // Whatever is reached later is written when it is.
        for start in self.rings.all(self.nodes) {
            self.from[start] = BEGIN;
        }
        self.search::<true>(ways);
    }

    /// Finds the way to one node: what is dearer is not looked at. Beyond the last node lies none: all ways are found.
    #[inline]
    pub fn run_to(&mut self, node: usize, ways: &mut impl Ways) {
        self.run_with_ways(&mut Until { ways, node });
    }

    #[inline]
    fn search<const WAYS: bool>(&mut self, ways: &mut impl Ways) {
        for spent in 0..self.most + 1 {
            let left = self.left(spent);
            let ring = usize::from(left);
            let mut next = ring * (self.nodes + 1);
            // Steps that cost nothing make the ring grow while it is gone through.
            while next < self.rings.ends[ring] as usize {
                let landing = self.rings.nodes[next];
                let node = landing.node();
                next += 1;
                let cell = self.cells[node];
                if cell >> LEFT != left {
                    continue;
                }
                match ways.reached(node, spent, cell & MARKS) {
                    Then::GoOn => {}
                    Then::StopHere => continue,
                    Then::End => return self.cut_off(spent),
                }
                let mut offer = Offer::<WAYS> {
                    cells: &mut self.cells,
                    from: &mut self.from,
                    ends: &mut self.rings.ends,
                    rings: &mut self.rings.nodes,
                    landing,
                    left: i32::from(left) << LEFT,
                };
                ways.steps(node, spent, &mut offer);
            }
        }
    }

    /// Forgets what was offered but not yet known to be the cheapest when a search ended early.
    fn cut_off(&mut self, spent: u16) {
        let left = self.left(spent);
        for node in self.rings.below(self.nodes, left) {
            let cell = &mut self.cells[node];
            if *cell >> LEFT < left {
                *cell &= MARKS;
            }
        }
    }

    /// What a node costs; none if it was not reached. After a search that [ended](Then::End) early, what
    /// costs as much as the last node is told as well, if it was met.
    #[must_use]
    #[inline]
    pub fn cost(&self, node: usize) -> Option<u16> {
        let left = self.cells[node] >> LEFT;
        (left != 0 && left != BARRED).then(|| self.most + 1 - left)
    }

    /// The nodes whose cost is in this range, in ascending order.
    pub fn nodes(&self, costs: std::ops::RangeInclusive<u16>) -> impl Iterator<Item = usize> + '_ {
        // Between them lies nothing if the range begins beyond the allowance.
        let (low, high) = (
            self.left((*costs.end()).min(self.most)),
            self.left(*costs.start()),
        );
        // Most are not reached: many at a time.
        let many = self.cells[..self.nodes].chunks(MANY).enumerate();
        let met = many.filter(|(_, cells)| cells.iter().fold(0, |any, cell| any | cell) > MARKS);
        met.flat_map(move |(i, cells)| {
            let cells = (i * MANY..).zip(cells);
            cells.filter(move |(_, cell)| (low..=high).contains(&(**cell >> LEFT)))
        })
        .map(|(node, _)| node)
    }

    /// The node before this one on the way to it; none where the way begins. Only after
    /// [`Search::run_with_ways`].
    #[must_use]
    pub fn before(&self, node: usize) -> Option<usize> {
        self.cost(node)?;
        let from = self.from.get(node).copied().unwrap_or(BEGIN);
        (from != BEGIN).then_some(from as usize)
    }

    /// The way to a node, its beginning first, both ends included; empty if it was not reached. Only
    /// after [`Search::run_with_ways`].
    #[must_use]
    pub fn way(&self, to: usize) -> Vec<usize> {
        if self.cost(to).is_none() {
            return vec![];
        }
        let mut way: Vec<usize> =
            std::iter::successors(Some(to), |&node| self.before(node)).collect();
        way.reverse();
        way
    }
}

/// Said before anything is wiped: a search that was refused has left the memory as it was, or as one that is wiped whole.
fn within_bounds(nodes: usize, most: u16) {
    assert!(most <= MOST, "an allowance of {most} is beyond {MOST}");
    assert!(nodes <= NODE as usize, "{nodes} nodes are too many");
}

/// Ways that end where somebody wants to go.
struct Until<'a, W> {
    ways: &'a mut W,
    node: usize,
}

impl<W: Ways> Ways for Until<'_, W> {
    #[inline]
    fn reached(&mut self, node: usize, spent: u16, marks: u16) -> Then {
        let then = self.ways.reached(node, spent, marks);
        if node == self.node { Then::End } else { then }
    }

    #[inline]
    fn steps(&self, node: usize, spent: u16, steps: &mut impl Steps) {
        self.ways.steps(node, spent, steps);
    }
}

/// The steps from one node, as they are offered: all that they are written on, so that nothing is looked up twice.
struct Offer<'a, const WAYS: bool> {
    cells: &'a mut [u16],
    from: &'a mut [u32],
    ends: &'a mut [u32; RINGS],
    rings: &'a mut [Landing],
    /// The node itself.
    landing: Landing,
    /// What is left there, as a cell without marks says it.
    left: i32,
}

impl<const WAYS: bool> Offer<'_, WAYS> {
    #[inline]
    fn offer(&mut self, to: usize, landing: Landing, cost: impl FnOnce(u16) -> u16) {
        // What lies beyond the last node is off the map.
        let Some(there) = self.cells.get_mut(to) else {
            return;
        };
        let marks = *there & MARKS;
        // Less than nothing if that is too dear: no better than what any cell says.
        let left = self.left - (i32::from(cost(marks)) << LEFT);
        let cell = left | i32::from(marks);
        if cell <= i32::from(*there) {
            return;
        }
        *there = cell as u16;
        if WAYS {
            self.from[to] = self.landing.0 & NODE;
        }
        let end = &mut self.ends[(left >> LEFT) as usize % RINGS];
        self.rings[*end as usize] = landing;
        *end += 1;
    }
}

impl<const WAYS: bool> Steps for Offer<'_, WAYS> {
    #[inline]
    fn step_on(&mut self, to: usize, ahead: Ahead, cost: impl FnOnce(u16) -> u16) {
        self.offer(to, Landing::new(to, ahead), cost);
    }

    #[inline]
    fn step_to(&mut self, landing: Landing, cost: impl FnOnce(u16) -> u16) {
        self.offer(landing.node(), landing, cost);
    }

    #[inline]
    fn ahead(&self) -> Ahead {
        self.landing.ahead()
    }
}
