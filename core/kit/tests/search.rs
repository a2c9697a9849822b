//! The fast search finds what walking every way finds, on thousands of small maps.

use cupola_kit::plain::{Walk, compare, explore};
use cupola_kit::{Search, Steps, Then, Ways};
use proptest::collection::vec as each;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;

const NEAR: u16 = 1;
const ROUGH: u16 = 2;

/// A small map of hexes in rows: two roads that cross, fords, woods, enemies.
#[derive(Clone, Debug)]
struct Field {
    width: usize,
    height: usize,
    /// What it costs to enter a hex off the road.
    cover: Vec<u16>,
    /// By hex and direction: extra for a stream, if there is one.
    stream: Vec<[u16; 6]>,
    /// By hex and direction: which road runs here: none, the first, the second.
    road: Vec<[u8; 6]>,
    barred: Vec<bool>,
    near: Vec<bool>,
    rough: Vec<bool>,
    /// Where changing from one road to the other costs 1 more.
    junction: usize,
    most: u16,
    start: usize,
    /// A single step is always within the allowance.
    one_hex: bool,
}

impl Field {
    fn len(&self) -> usize {
        self.width * self.height
    }

    /// Neighbours in rows that are shifted by half a hex; `len` off the map.
    fn next(&self, hex: usize, direction: usize) -> usize {
        let (x, y) = ((hex % self.width) as i32, (hex / self.width) as i32);
        let odd = y & 1;
        let (dx, dy) = [
            (1, 0),
            (odd, 1),
            (odd - 1, 1),
            (-1, 0),
            (odd - 1, -1),
            (odd, -1),
        ][direction];
        let (x, y) = (x + dx, y + dy);
        if (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y) {
            (y * self.width as i32 + x) as usize
        } else {
            self.len()
        }
    }

    /// What a step costs that is taken on this road, having come on that one.
    fn cost(&self, came: u8, hex: usize, direction: usize, marks: u16) -> u16 {
        let to = self.next(hex, direction);
        let road = self.road[hex][direction];
        let off = self.cover[to] + self.stream[hex][direction];
        if road == 0 || marks & ROUGH != 0 {
            return off;
        }
        let changes = hex == self.junction && came != 0 && came != road;
        off.min(1 + u16::from(changes))
    }

    fn marks(&self, hex: usize) -> u16 {
        (u16::from(self.near[hex]) * NEAR) | (u16::from(self.rough[hex]) * ROUGH)
    }
}

/// A node is a hex and the road by which it was entered.
impl Ways for &Field {
    fn reached(&mut self, node: usize, _: u16, marks: u16) -> Then {
        if marks & NEAR != 0 && node / 3 != self.start {
            Then::StopHere
        } else {
            Then::GoOn
        }
    }

    fn steps(&self, node: usize, _: u16, steps: &mut impl Steps) {
        let (hex, came) = (node / 3, (node % 3) as u8);
        for direction in 0..6 {
            let to = self.next(hex, direction);
            if to == self.len() {
                steps.step(usize::MAX, |_| 1);
                continue;
            }
            let road = usize::from(self.road[hex][direction]);
            steps.step(3 * to + road, |marks| {
                let cost = self.cost(came, hex, direction, marks);
                if self.one_hex && hex == self.start {
                    cost.min(self.most)
                } else {
                    cost
                }
            });
        }
    }
}

impl Walk for &Field {
    fn around(&self, hex: usize) -> Vec<usize> {
        (0..6)
            .map(|d| self.next(hex, d))
            .filter(|&to| to != self.len())
            .collect()
    }

    fn price(&self, way: &[usize], to: usize) -> Option<u16> {
        let (&hex, before) = way.split_last()?;
        let direction = |from: usize, to: usize| (0..6).find(|&d| self.next(from, d) == to);
        let stops = self.near[hex] && hex != self.start;
        if self.barred[to] || stops || to == self.start {
            return None;
        }
        let came = before
            .last()
            .and_then(|&from| direction(from, hex).map(|d| (from, d)));
        let came = came.map_or(0, |(from, d)| self.road[from][d]);
        let cost = self.cost(came, hex, direction(hex, to)?, self.marks(to));
        let first = self.one_hex && before.is_empty();
        Some(if first { cost.min(self.most) } else { cost })
    }
}

/// By hex the lowest cost over the roads by which it was entered.
fn by_hex(search: &Search, hexes: usize) -> BTreeMap<usize, u16> {
    let cost = |hex: usize| (0..3).filter_map(|road| search.cost(3 * hex + road)).min();
    (0..hexes)
        .filter_map(|hex| Some((hex, cost(hex)?)))
        .collect()
}

thread_local! {
    static WIDE: RefCell<Search> = RefCell::default();
}

fn prepare(field: &Field, search: &mut Search) {
    prepare_among(field, search, 3 * field.len());
}

fn prepare_among(field: &Field, search: &mut Search, nodes: usize) {
    search.begin(nodes, field.most);
    for hex in 0..field.len() {
        for node in 3 * hex..3 * hex + 3 {
            search.mark(node, field.marks(hex));
            if field.barred[hex] || hex == field.start {
                search.bar(node);
            }
        }
    }
    search.start_at(3 * field.start);
}

fn field() -> impl Strategy<Value = Field> {
    let sizes = (2usize..5, 2usize..5);
    sizes
        .prop_flat_map(|(width, height)| {
            let hexes = width * height;
            let flags = move |chance: f64| each(prop::bool::weighted(chance), hexes);
            let sides = each((0..hexes, 0usize..6, 0u16..3), 0..8);
            let roads = each((0..hexes, each(0usize..6, 1..6)), 2);
            (
                Just((width, height)),
                // No hex is free: where one is, going out and back can be of use, and plain walking never
                // comes back.
                (each(1u16..4, hexes), sides, roads),
                (flags(0.1), flags(0.15), flags(0.15)),
                (0..hexes, 0u16..7, 0..hexes, any::<bool>()),
            )
        })
        .prop_map(|(size, ground, flags, rest)| make(size, ground, flags, rest))
}

type Roads = Vec<(usize, Vec<usize>)>;

fn make(
    (width, height): (usize, usize),
    (cover, streams, roads): (Vec<u16>, Vec<(usize, usize, u16)>, Roads),
    (barred, near, rough): (Vec<bool>, Vec<bool>, Vec<bool>),
    (junction, most, start, one_hex): (usize, u16, usize, bool),
) -> Field {
    let hexes = width * height;
    let mut field = Field {
        width,
        height,
        cover,
        stream: vec![[0; 6]; hexes],
        road: vec![[0; 6]; hexes],
        barred,
        near,
        rough,
        junction,
        most,
        start,
        one_hex,
    };
    for (hex, direction, extra) in streams {
        field.stream[hex][direction] = extra;
    }
    for (road, (first, turns)) in (1u8..).zip(roads) {
        let mut hex = first;
        for direction in turns {
            let to = field.next(hex, direction);
            if to == hexes {
                break;
            }
            field.road[hex][direction] = road;
            field.road[to][(direction + 3) % 6] = road;
            hex = to;
        }
    }
    field
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_search_finds_what_walking_every_way_finds(field in field()) {
        let mut search = Search::default();
        // What an earlier search left behind must not matter.
        search.begin(7, 3);
        search.start(0, 0);
        prepare(&field, &mut search);
        search.run(&mut &field);
        let plain = explore(&&field, [(field.start, 0)], field.most);
        let fast = by_hex(&search, field.len());
        prop_assert_eq!(compare(&fast, &plain, |hex| format!("hex {hex}")), Ok(()));

        // So does one that is used again and again among very many nodes, where only what was written is wiped.
        WIDE.with_borrow_mut(|wide| {
            prepare_among(&field, wide, 5000);
            wide.run(&mut &field);
            prop_assert_eq!(by_hex(wide, field.len()), fast.clone());
            prop_assert_eq!(wide.nodes(0..=field.most).max(), search.nodes(0..=field.most).max());
            prepare_among(&field, wide, 5000);
            wide.run_with_ways(&mut &field);
            for node in wide.nodes(0..=field.most) {
                let way = wide.way(node);
                prop_assert_eq!(way.first(), Some(&(3 * field.start)));
            }
            Ok(())
        })?;

        // With ways written down it finds the same, and every way costs what it is said to.
        prepare(&field, &mut search);
        search.run_with_ways(&mut &field);
        prop_assert_eq!(by_hex(&search, field.len()), fast);
        for node in search.nodes(0..=field.most) {
            let way: Vec<usize> = search.way(node).iter().map(|node| node / 3).collect();
            let prices = (1..way.len()).map(|i| (&&field).price(&way[..i], way[i]));
            let total = prices.sum::<Option<u16>>();
            prop_assert_eq!((way.first(), total), (Some(&field.start), search.cost(node)));
        }

        // Who asks for one node alone is told the same way.
        let mut one = Search::default();
        for node in search.nodes(0..=field.most) {
            prepare(&field, &mut one);
            one.run_to(node, &mut &field);
            prop_assert_eq!((one.way(node), one.cost(node)), (search.way(node), search.cost(node)));
        }
    }
}

/// A search that keeps one arrival per hex, whichever road it came by: the fault that the comparison is
/// there to see.
struct Merged<'a> {
    field: &'a Field,
    /// By hex: the lowest cost so far, and the road of that arrival.
    arrived: RefCell<Vec<(u16, u8)>>,
}

impl Ways for Merged<'_> {
    fn steps(&self, hex: usize, spent: u16, steps: &mut impl Steps) {
        let came = self.arrived.borrow()[hex].1;
        for direction in 0..6 {
            let to = self.field.next(hex, direction);
            if to < self.field.len() {
                let cost = self.field.cost(came, hex, direction, 0);
                steps.step(to, |_| cost);
                let known = &mut self.arrived.borrow_mut()[to];
                if spent + cost < known.0 {
                    *known = (spent + cost, self.field.road[hex][direction]);
                }
            }
        }
    }
}

#[test]
fn arrivals_that_are_merged_by_mistake_are_seen() {
    // Two roads lead from 0 to the junction at 4, by 1 and by 3; the second goes on to 5.
    let mut field = make(
        (3, 2),
        (vec![3; 6], vec![], vec![]),
        (vec![false; 6], vec![false; 6], vec![false; 6]),
        (4, 3, 0, false),
    );
    (field.road[0][0], field.road[1][1]) = (1, 1);
    (field.road[0][1], field.road[3][0], field.road[4][0]) = (2, 2, 2);
    let mut search = Search::default();
    search.begin(6, 3);
    search.start_at(0);
    let arrived = RefCell::new(vec![(u16::MAX, 0); 6]);
    search.run(&mut Merged {
        field: &field,
        arrived,
    });
    let fast = search
        .nodes(0..=3)
        .filter_map(|hex| Some((hex, search.cost(hex)?)));
    let plain = explore(&&field, [(0, 0)], 3);
    let wrong = compare(&fast.collect(), &plain, |hex| format!("hex {hex}"));
    let seen = "hex 5 is reached not at all by the fast search, for 3 by walking every way";
    assert_eq!(wrong, Err(seen.to_owned()));
    // Kept apart, they are found.
    prepare(&field, &mut search);
    search.run(&mut &field);
    assert_eq!(by_hex(&search, 6), plain);
}

/// Every hex next to every other in a row; stops as soon as hex 3 is reached.
struct Seek;

impl Ways for Seek {
    fn reached(&mut self, node: usize, _: u16, _: u16) -> Then {
        if node == 3 { Then::End } else { Then::GoOn }
    }

    fn steps(&self, node: usize, _: u16, steps: &mut impl Steps) {
        steps.step(node + 1, |_| 2);
        steps.step(node + 2, |_| 5);
    }
}

#[test]
fn a_search_that_ends_early_tells_nothing_that_is_not_sure() {
    let mut search = Search::default();
    search.begin(10, 20);
    search.start(0, 0);
    search.run(&mut Seek);
    let found: Vec<_> = search.nodes(0..=20).map(|n| (n, search.cost(n))).collect();
    let sure = [(0, 0), (1, 2), (2, 4), (3, 6)];
    assert_eq!(found, sure.map(|(node, cost)| (node, Some(cost))));
}

#[test]
fn entries_begin_at_what_they_cost_and_nothing_passes_the_allowance() {
    struct Row;
    impl Ways for Row {
        fn steps(&self, node: usize, _: u16, steps: &mut impl Steps) {
            steps.step(node + 1, |_| 2);
        }
    }
    let mut search = Search::default();
    search.begin(8, 5);
    search.bar(7);
    search.start(0, 3);
    search.start(0, 4);
    search.start(4, 1);
    search.start(6, 6);
    search.start(7, 0);
    search.run(&mut Row);
    let costs: Vec<_> = (0..8).map(|node| search.cost(node)).collect();
    let all = [
        Some(3),
        Some(5),
        None,
        None,
        Some(1),
        Some(3),
        Some(5),
        None,
    ];
    assert_eq!(costs, all);
}

/// Marks around a node are those of each of its neighbours, on small maps and on large ones.
#[test]
fn marking_around_is_marking_each() {
    for nodes in [20, 5000] {
        let around = [3, 4, u16::MAX, 7, nodes as u16, 9];
        let (mut whole, mut single) = (Search::default(), Search::default());
        for barred in [false, true] {
            whole.begin(nodes, 6);
            single.begin(nodes, 6);
            whole.mark_around(&around, NEAR, barred);
            for node in [3, 4, 7, 9] {
                single.mark(node, NEAR);
                if barred {
                    single.bar(node);
                }
            }
            for node in 0..nodes {
                let of = |search: &Search| (search.marks(node), search.is_barred(node));
                assert_eq!(of(&whole), of(&single), "{node} of {nodes}");
            }
        }
        whole.begin(nodes, 6);
        assert!((0..nodes).all(|node| whole.marks(node) == 0 && !whole.is_barred(node)));
    }
}

/// Steps to the next in a row, dearer where it is rough.
struct Path;

impl Ways for Path {
    fn steps(&self, node: usize, _: u16, steps: &mut impl Steps) {
        steps.step(node + 1, |marks| if marks & ROUGH == 0 { 1 } else { 3 });
    }
}

#[test]
fn marks_that_are_given_at_once_are_as_good_as_one_by_one_and_are_gone_afterwards() {
    // More nodes than are wiped one by one.
    let nodes = 5000;
    let mut search = Search::default();
    let marks = |node: usize| u8::from(node == 8) | (2 * u8::from(node == 3));
    search.begin_marked((0..nodes).map(marks), NEAR as u8, 20);
    search.start_at(0);
    search.run(&mut Path);
    assert_eq!((search.cost(2), search.cost(3)), (Some(2), Some(5)));
    assert_eq!((search.cost(7), search.cost(8)), (Some(9), None));
    assert!(search.is_barred(8) && search.marks(8) == NEAR && search.marks(3) == ROUGH);
    search.begin(nodes, 20);
    search.start_at(0);
    search.run(&mut Path);
    assert_eq!((search.cost(3), search.cost(8)), (Some(3), Some(8)));
    assert_eq!((search.cost(20), search.cost(21)), (Some(20), None));
}

#[test]
fn a_search_that_was_refused_leaves_the_next_one_as_it_would_be() {
    let mut search = Search::default();
    search.begin(5000, 20);
    search.start_at(0);
    search.run(&mut Path);
    // Another map, and more than anybody may spend.
    let beyond = std::panic::AssertUnwindSafe(|| search.begin(6000, cupola_kit::MOST + 1));
    assert!(std::panic::catch_unwind(beyond).is_err());
    search.begin(6000, 20);
    search.start_at(5500);
    search.run(&mut Path);
    assert_eq!((search.cost(0), search.cost(5520)), (None, Some(20)));
}
