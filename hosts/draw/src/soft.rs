//! Lines along hexsides with their teeth filed down.
//!
//! A line along hexsides goes left and right at every corner. Drawn towards its neighbours and
//! then as curves from middle to middle, each corner gives up half of its tooth: the line still
//! parts the same hexes, and looks as if it had grown there.

use std::collections::BTreeMap;

use cupola_ground::{Direction, HexId, Hexside};

use crate::geometry::V;
use crate::grid::Ring;
use crate::out::tenth;
use crate::sheet::Draft;

/// A corner of the lattice: three times the mean of the three hexes that meet there.
type Corner = (i32, i32);

fn corner(draft: &Draft<'_>, hex: HexId, direction: Direction) -> Corner {
    let hex = draft.board().axial(hex);
    let sum = direction.step() + direction.clockwise(1).step();
    (3 * hex.x + sum.x, 3 * hex.y + sum.y)
}

/// The hexsides that hold, joined end to end as far as no third one meets them.
pub fn chains(draft: &Draft<'_>, holds: impl Fn(&Hexside) -> bool) -> Vec<Vec<V>> {
    let mut points: BTreeMap<Corner, V> = BTreeMap::new();
    let mut ends: BTreeMap<Corner, Vec<Corner>> = BTreeMap::new();
    for (hex, direction) in draft.sides() {
        if !holds(draft.board().side(hex, direction)) {
            continue;
        }
        let (a, b) = draft.side(hex, direction);
        let from = corner(draft, hex, direction.clockwise(5));
        let to = corner(draft, hex, direction);
        points.extend([(from, a), (to, b)]);
        ends.entry(from).or_default().push(to);
        ends.entry(to).or_default().push(from);
    }
    let mut chains = Vec::new();
    // Open lines first, from where they end or meet others; what remains are rings.
    for loose in [true, false] {
        let starts: Vec<Corner> = ends.keys().copied().collect();
        for start in starts {
            while ends
                .get(&start)
                .is_some_and(|next| !next.is_empty() && (!loose || next.len() != 2))
            {
                chains.push(follow(start, &points, &mut ends));
            }
        }
    }
    chains
}

/// Walks from a corner, taking hexsides out as it goes, until it ends or others meet it.
fn follow(
    start: Corner,
    points: &BTreeMap<Corner, V>,
    ends: &mut BTreeMap<Corner, Vec<Corner>>,
) -> Vec<V> {
    let mut line = vec![points[&start]];
    let mut here = start;
    while let Some(next) = ends.get_mut(&here).and_then(Vec::pop) {
        let back = ends.entry(next).or_default();
        back.retain(|corner| *corner != here);
        line.push(points[&next]);
        here = next;
        if back.len() != 1 {
            break;
        }
    }
    line
}

fn push(d: &mut String, letter: char, points: &[V]) {
    d.push(letter);
    for (index, point) in points.iter().enumerate() {
        if index > 0 {
            d.push(' ');
        }
        d.push_str(&tenth(point.x));
        d.push(' ');
        d.push_str(&tenth(point.y));
    }
}

/// A corner drawn towards its neighbours.
fn filed(before: V, at: V, after: V) -> V {
    (before + at * 2.0 + after) * 0.25
}

/// A whole ring; where it runs along the edge of the map it stays as it is.
pub fn ring(d: &mut String, ring: &Ring) {
    let count = ring.corners.len();
    if count < 3 {
        return;
    }
    let at = |index: usize| ring.corners[index % count];
    let is_soft = |index: usize| ring.inner[index % count] && ring.inner[(index + 1) % count];
    let point = |index: usize| {
        if is_soft(index) {
            filed(at(index + count - 1), at(index), at(index + 1))
        } else {
            at(index)
        }
    };
    let middle = |index: usize| point(index).towards(point(index + 1), 0.5);
    push(d, 'M', &[middle(count - 1)]);
    for index in 0..count {
        if is_soft(index) {
            push(d, 'Q', &[point(index), middle(index)]);
        } else {
            push(d, 'L', &[point(index), middle(index)]);
        }
    }
    d.push('Z');
}

/// The parts of a ring that do not run along the edge of the map.
pub fn inner(d: &mut String, whole: &Ring) {
    let count = whole.corners.len();
    let Some(first) = (0..count).find(|index| !whole.inner[*index]) else {
        return ring(d, whole);
    };
    let mut run: Vec<V> = Vec::new();
    for step in 1..=count {
        let index = (first + step) % count;
        if whole.inner[index] {
            if run.is_empty() {
                run.push(whole.corners[(index + count - 1) % count]);
            }
            run.push(whole.corners[index]);
        } else {
            open(d, &std::mem::take(&mut run));
        }
    }
}

/// An open line.
pub fn open(d: &mut String, line: &[V]) {
    let [first, .., last] = line else {
        return;
    };
    push(d, 'M', &[*first]);
    let soft: Vec<V> = line.windows(3).map(|w| filed(w[0], w[1], w[2])).collect();
    for (index, corner) in soft.iter().enumerate() {
        let next = soft.get(index + 1).unwrap_or(last);
        push(d, 'Q', &[*corner, corner.towards(*next, 0.5)]);
    }
    push(d, 'L', &[*last]);
}
