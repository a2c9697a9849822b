//! A test of the test: with early stopping, on known differences and on none, it errs no more often than it says.
//!
//! Pairs are drawn, not played. The generator is our own, so every count here is the same on every machine.

use cupola_lab::sequential::{Design, Finding, Look, Pair, Test};

/// Splitmix64: small, and good enough to draw pairs.
struct Draw(u64);

impl Draw {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1, neither included.
    fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Standard normal (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(self.unit())).sqrt();
        radius * libm::cos(2.0 * std::f64::consts::PI * self.unit())
    }

    fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }
}

/// Differences of mean zero and standard deviation one (about), in shapes that games have.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Normal,
    /// Waiting times: a sharp edge and a long tail.
    Skewed,
    /// The logarithm is normal: a very long tail.
    LongTail,
    /// Of 100 pairs 90 are exactly alike; the others are won instead of lost, or the other way round.
    Rare,
    /// Alike nine times in ten, far apart otherwise.
    Parted,
    /// Nearly always a little less, sometimes much more.
    Lopsided,
    /// Student's with three degrees of freedom.
    Heavy,
    /// Won or lost, with dice that are half shared.
    Coin,
}

const SHAPES: [Shape; 8] = [
    Shape::Normal,
    Shape::Skewed,
    Shape::LongTail,
    Shape::Rare,
    Shape::Parted,
    Shape::Lopsided,
    Shape::Heavy,
    Shape::Coin,
];

impl Shape {
    /// A pair whose difference is `shift` in the mean, in standard deviations.
    fn pair(self, shift: f64, draw: &mut Draw) -> Pair {
        let base = 2.0 * draw.normal();
        let difference = match self {
            Shape::Normal => draw.normal() + shift,
            Shape::Skewed => -libm::log(draw.unit()) - 1.0 + shift,
            Shape::LongTail => {
                let e = std::f64::consts::E;
                let value = libm::exp(draw.normal()) - e.sqrt();
                value / (e * e - e).sqrt() + shift
            }
            Shape::Parted if !draw.chance(0.1) => 0.0,
            Shape::Parted => 10f64.sqrt() * draw.normal() + 10.0 * shift,
            Shape::Lopsided if draw.chance(0.05) => 19f64.sqrt() + shift,
            Shape::Lopsided => -1.0 / 19f64.sqrt() + shift,
            Shape::Heavy => {
                let chi: f64 = (0..3).map(|_| draw.normal()).map(|x| x * x).sum();
                draw.normal() / chi.sqrt() + shift
            }
            Shape::Rare | Shape::Coin => return self.outcome(shift, draw),
        };
        (base, base + difference)
    }

    /// Games that are won or lost.
    fn outcome(self, shift: f64, draw: &mut Draw) -> Pair {
        let apart = if self == Shape::Rare { 0.1f64 } else { 0.5 };
        let effect = shift * apart.sqrt();
        let up = draw.unit();
        let base = f64::from(u8::from(draw.chance(0.5)));
        // Of all pairs (apart + effect) / 2 go one way and (apart − effect) / 2 the other.
        if up < (apart + effect) / 2.0 {
            (0.0, 1.0)
        } else if up < apart {
            (1.0, 0.0)
        } else {
            (base, base)
        }
    }

    /// The scale in which a shift is given: what one standard deviation is in the units of the pairs.
    fn unit(self) -> f64 {
        match self {
            Shape::Rare => 0.1f64.sqrt(),
            Shape::Coin => 0.5f64.sqrt(),
            _ => 1.0,
        }
    }

    fn design(self, margin: f64) -> Design {
        let reach = matches!(self, Shape::Rare | Shape::Coin).then_some(1.0);
        Design {
            alpha: 0.05,
            beta: 0.05,
            margin: margin * self.unit(),
            first: 16,
            most: 600,
            reach,
        }
    }
}

/// What a run ends with.
fn run(test: &Test, shape: Shape, shift: f64, draw: &mut Draw) -> Look {
    let mut pairs: Vec<Pair> = vec![];
    let mut nth = 0;
    loop {
        while pairs.len() < test.looks()[nth] as usize {
            pairs.push(shape.pair(shift, draw));
        }
        let look = test.look(nth, &pairs);
        if look.finding.is_some() {
            return look;
        }
        nth += 1;
    }
}

/// How many runs end how.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    differs: u32,
    equivalent: u32,
    undecided: u32,
    pairs: usize,
}

fn count(shape: Shape, margin: f64, shift: f64, runs: u32, seed: u64) -> Counts {
    let test = Test::new(shape.design(margin)).expect("a design");
    let mut draw = Draw(seed);
    let mut counts = Counts::default();
    for _ in 0..runs {
        let look = run(&test, shape, shift, &mut draw);
        counts.pairs += look.pairs;
        match look.finding {
            Some(Finding::Differs) => counts.differs += 1,
            Some(Finding::Equivalent) => counts.equivalent += 1,
            _ => counts.undecided += 1,
        }
    }
    counts
}

/// Runs of each kind.
const RUNS: u32 = 2000;
/// A margin of a fifth of the standard deviation of the differences.
const MARGIN: f64 = 0.2;

/// The most of [`RUNS`] runs that may go wrong if one in twenty does so by right: three standard deviations
/// more.
fn most() -> u32 {
    let by_right = f64::from(RUNS) * 0.05;
    (by_right + 3.0 * (by_right * 0.95).sqrt()) as u32
}

#[test]
fn two_that_do_not_differ_are_seldom_said_to() {
    for shape in SHAPES {
        let counts = count(shape, MARGIN, 0.0, RUNS, 1863);
        println!("{shape:?}: {counts:?}");
        assert!(counts.differs <= most(), "{shape:?}: {counts:?}");
        assert!(counts.equivalent >= RUNS * 9 / 10, "{shape:?}: {counts:?}");
    }
}

#[test]
fn two_that_differ_by_the_margin_are_seldom_said_to_be_equivalent() {
    for shape in SHAPES {
        for shift in [MARGIN, -MARGIN] {
            let counts = count(shape, MARGIN, shift, RUNS, 1864);
            println!("{shape:?} {shift:+}: {counts:?}");
            assert!(counts.equivalent <= most(), "{shape:?}: {counts:?}");
            assert!(counts.differs >= RUNS * 9 / 10, "{shape:?}: {counts:?}");
        }
    }
}

#[test]
fn a_large_difference_is_seen_early() {
    for shape in SHAPES {
        let counts = count(shape, MARGIN, 2.0 * MARGIN, RUNS / 4, 1865);
        println!("{shape:?}: {counts:?}");
        assert!(
            counts.differs >= RUNS / 4 * 99 / 100,
            "{shape:?}: {counts:?}"
        );
        assert!(
            counts.pairs as u32 / (RUNS / 4) < 300,
            "{shape:?}: {counts:?}"
        );
    }
    let counts = count(Shape::Normal, MARGIN, 1.0, RUNS / 4, 1866);
    assert!(counts.pairs as u32 / (RUNS / 4) < 50, "{counts:?}");
}

#[test]
fn a_small_difference_with_few_pairs_is_left_undecided() {
    let design = Design {
        most: 60,
        ..Shape::Normal.design(0.1)
    };
    let test = Test::new(design).expect("a design");
    let mut draw = Draw(1867);
    let looks = (0..200).map(|_| run(&test, Shape::Normal, 0.1, &mut draw));
    let open = looks
        .filter(|look| look.finding == Some(Finding::Undecided))
        .count();
    assert!(open > 150, "{open} of 200");
}

#[test]
fn the_same_pairs_give_the_same_answer_to_the_bit() {
    let once = || {
        let test = Test::new(Shape::Skewed.design(MARGIN)).expect("a design");
        let look = run(&test, Shape::Skewed, 0.15, &mut Draw(7));
        (
            look.effect.to_bits(),
            look.outer.0.to_bits(),
            look.inner.1.to_bits(),
        )
    };
    assert_eq!(once(), once());
}

#[test]
fn pairs_that_are_all_alike_are_not_all_there_is() {
    // A tenth of the games could still go the other way unseen after 16 pairs: not after a hundred.
    let design = Design {
        margin: 0.1,
        ..Shape::Rare.design(1.0)
    };
    let test = Test::new(design).expect("a design");
    let alike: Vec<Pair> = (0..400)
        .map(|i| (f64::from(i % 2), f64::from(i % 2)))
        .collect();
    let look = |nth: usize| test.look(nth, &alike[..test.looks()[nth] as usize]);
    assert_eq!(look(0).finding, None);
    assert!(look(0).outer.1 > 0.1 && look(0).outer.0 < -0.1);
    let found = (0..test.looks().len()).find(|nth| look(*nth).finding.is_some());
    let found = found.map(|nth| (test.looks()[nth], look(nth).finding));
    let Some((pairs, Some(Finding::Equivalent))) = found else {
        panic!("{found:?}");
    };
    assert!((30..=81).contains(&pairs), "{pairs}");
}

#[test]
fn designs_that_make_no_sense_are_refused() {
    let good = Shape::Normal.design(1.0);
    for bad in [
        Design { alpha: 0.0, ..good },
        Design { beta: 0.9, ..good },
        Design {
            margin: -1.0,
            ..good
        },
        Design {
            margin: f64::NAN,
            ..good
        },
        Design { most: 4, ..good },
    ] {
        assert!(Test::new(bad).is_err(), "{bad:?}");
    }
    assert_eq!(
        Test::new(good).expect("a design").looks().last(),
        Some(&600)
    );
}

/// Sixteen games that come to the same number are no proof that the seventeenth does: one pair in twenty that is half a day apart would be
/// missed by them more often than not.
#[test]
fn games_that_are_all_the_same_do_not_prove_equivalence_at_once() {
    for (value, reach) in [(75.0, Some(900.0)), (75.0, None), (0.0, None)] {
        let test = Test::new(Design {
            alpha: 0.05,
            beta: 0.05,
            margin: 5.0,
            first: 16,
            most: 600,
            reach,
        })
        .expect("a test");
        let look = test.look(0, &[(value, value); 16]);
        assert_eq!(look.finding, None, "{value}, {reach:?}: {look:?}");
        assert!(look.outer.0 < 0.0 && look.outer.1 > 0.0, "{look:?}");
        // After as many as it takes it is.
        let last = test.looks().len() - 1;
        let look = test.look(last, &[(value, value); 600]);
        assert_eq!(look.finding, Some(Finding::Equivalent), "{look:?}");
    }
}
