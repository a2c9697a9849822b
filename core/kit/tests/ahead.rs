//! What is left out because of the step before changes nothing: neither what is reached, nor in which order, nor by which way.

use cupola_kit::{Ahead, Search, Steps, Then, Ways};
use proptest::collection::vec as each;
use proptest::prelude::*;

const WIDTH: usize = 7;
const HEXES: usize = WIDTH * 6;
/// Mark: the second price counts.
const ROUGH: u16 = 1;
/// Mark: who comes there stops.
const STOP: u16 = 2;

/// A map in rows, with two prices for every step, as different as can be.
#[derive(Clone, Debug)]
struct Field {
    prices: Vec<[[u16; 2]; 6]>,
    marks: Vec<u16>,
    barred: Vec<bool>,
    starts: Vec<(usize, u16)>,
    most: u16,
}

/// The hex in a direction, counted clockwise; `HEXES` off the map.
fn next(hex: usize, direction: usize) -> usize {
    let (x, y) = (hex % WIDTH, hex / WIDTH);
    let odd = y as isize & 1;
    let steps = [
        (1, 0),
        (odd, 1),
        (odd - 1, 1),
        (-1, 0),
        (odd - 1, -1),
        (odd, -1),
    ];
    let (dx, dy) = steps[direction];
    match (x.checked_add_signed(dx), y.checked_add_signed(dy)) {
        (Some(x), Some(y)) if x < WIDTH && y * WIDTH < HEXES => y * WIDTH + x,
        _ => HEXES,
    }
}

struct March<'a> {
    field: &'a Field,
    ahead: &'a [[Ahead; 6]],
    /// Whether steps are left out.
    spares: bool,
    heard: Vec<(usize, u16)>,
    offered: std::cell::Cell<usize>,
}

impl Ways for March<'_> {
    fn reached(&mut self, hex: usize, spent: u16, marks: u16) -> Then {
        self.heard.push((hex, spent));
        if marks & STOP != 0 && spent > 0 {
            Then::StopHere
        } else {
            Then::GoOn
        }
    }

    fn steps(&self, hex: usize, _: u16, steps: &mut impl Steps) {
        let ahead = if self.spares {
            steps.ahead()
        } else {
            Ahead::ALL
        };
        for direction in ahead.places() {
            self.offered.set(self.offered.get() + 1);
            let prices = self.field.prices[hex][direction];
            let beyond = self.ahead[hex][direction];
            steps.step_on(next(hex, direction), beyond, |marks| {
                prices[usize::from(marks & ROUGH)]
            });
        }
    }
}

/// What was heard of, the way to every hex, and how many steps were offered.
fn find(field: &Field, spares: bool) -> (Vec<(usize, u16)>, Vec<Vec<usize>>, usize) {
    let ahead = |hex: usize| {
        std::array::from_fn(|direction| match next(hex, direction) {
            HEXES => Ahead::ALL,
            behind => Ahead::of(direction, &field.prices[hex], &field.prices[behind]),
        })
    };
    let ahead: Vec<[Ahead; 6]> = (0..HEXES).map(ahead).collect();
    let mut search = Search::default();
    search.begin(HEXES, field.most);
    for hex in 0..HEXES {
        search.mark(hex, field.marks[hex]);
        if field.barred[hex] {
            search.bar(hex);
        }
    }
    for &(hex, spent) in &field.starts {
        search.start_barred(hex, spent);
    }
    let mut march = March {
        field,
        ahead: &ahead,
        spares,
        heard: vec![],
        offered: 0.into(),
    };
    search.run_with_ways(&mut march);
    let ways = (0..HEXES).map(|hex| search.way(hex)).collect();
    (march.heard, ways, march.offered.get())
}

fn field() -> impl Strategy<Value = Field> {
    let price = prop_oneof![8 => 0u16..6, 1 => Just(u16::MAX)];
    let sides = each(each([price.clone(), price], 6), HEXES);
    (
        sides,
        each(
            prop_oneof![6 => Just(0u16), 2 => Just(ROUGH), 1 => 0u16..4],
            HEXES,
        ),
        each(prop::bool::weighted(0.15), HEXES),
        each((0..HEXES, 0u16..4), 1..4),
        0u16..20,
    )
        .prop_map(|(sides, marks, barred, starts, most)| {
            let mut prices = vec![[[0; 2]; 6]; HEXES];
            for (hex, sides) in sides.iter().enumerate() {
                for (direction, side) in sides.iter().enumerate() {
                    let off = next(hex, direction) == HEXES;
                    prices[hex][direction] = if off { [u16::MAX; 2] } else { *side };
                }
            }
            Field {
                prices,
                marks,
                barred,
                starts,
                most,
            }
        })
}

proptest! {
    #[test]
    fn steps_that_are_left_out_change_nothing(field in field()) {
        let (whole, spared) = (find(&field, false), find(&field, true));
        prop_assert_eq!(&whole.0, &spared.0);
        prop_assert_eq!(&whole.1, &spared.1);
        prop_assert!(spared.2 <= whole.2);
    }
}

#[test]
fn in_the_open_half_the_steps_are_left_out() {
    let mut prices = vec![[[2; 2]; 6]; HEXES];
    for (hex, sides) in prices.iter_mut().enumerate() {
        for (direction, side) in sides.iter_mut().enumerate() {
            if next(hex, direction) == HEXES {
                *side = [u16::MAX; 2];
            }
        }
    }
    let field = Field {
        prices,
        marks: vec![0; HEXES],
        barred: vec![false; HEXES],
        starts: vec![(24, 0)],
        most: 12,
    };
    let (whole, spared) = (find(&field, false), find(&field, true));
    assert_eq!((whole.0.len(), whole.0.len()), (spared.0.len(), HEXES));
    assert!(2 * spared.2 <= whole.2 + 6, "{} of {}", spared.2, whole.2);
}
