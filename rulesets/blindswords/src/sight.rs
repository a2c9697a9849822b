//! §I-2 Line of sight.
//!
//! Which hexes a straight line touches depends only on how far apart its ends are, so the lines are
//! computed once for every distance and direction that guns reach. Hexes are looked up in a padded
//! grid in which a step is the same number everywhere.

use crate::rules::Rules;
use cupola_ground::Board;
use cupola_kernel::{Height, HexId, LineOfSight, Table, rule};

const NOWHERE: u16 = u16::MAX;

/// Lines of every offset within range.
#[derive(Clone)]
pub struct Sight {
    range: i32,
    width: i32,
    /// By hex: its place in the padded grid.
    padded: Vec<i32>,
    /// By place in the padded grid: the hex.
    hexes: Vec<u16>,
    /// Offsets between the ends, by `(y + range) * (2 range + 1) + x + range`, as a range of `steps`.
    lines: Vec<(u32, u32)>,
    steps: Vec<i32>,
}

/// What lies between two hexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Between {
    /// The line is blocked, by this hex.
    pub blocked: Option<HexId>,
    /// It goes over woods or town.
    pub cover: bool,
    /// It goes over units.
    pub units: bool,
}

impl Sight {
    /// Works out the lines of a board.
    #[must_use]
    pub fn new(board: &Board, range: i32) -> Sight {
        let axial: Vec<(i32, i32)> = board
            .hexes()
            .map(|hex| (board.axial(hex).x, board.axial(hex).y))
            .collect();
        let low = |of: fn(&(i32, i32)) -> i32| axial.iter().map(of).min().unwrap_or(0) - range;
        let high = |of: fn(&(i32, i32)) -> i32| axial.iter().map(of).max().unwrap_or(0) + range;
        let (x0, y0) = (low(|a| a.0), low(|a| a.1));
        let (width, height) = (high(|a| a.0) - x0 + 1, high(|a| a.1) - y0 + 1);
        let place = |&(x, y): &(i32, i32)| (y - y0) * width + x - x0;
        let padded: Vec<i32> = axial.iter().map(place).collect();
        let mut hexes = vec![NOWHERE; (width * height) as usize];
        for (hex, &at) in padded.iter().enumerate() {
            hexes[at as usize] = hex as u16;
        }
        // A hex far from every edge: every line within range from it stays on the board.
        let middle = board.hexes().max_by_key(|&hex| {
            let reach = |other: HexId| board.distance(hex, other) as i32 <= range;
            (board.hexes().filter(|&other| reach(other)).count(), hex)
        });
        let mut sight = Sight {
            range,
            width,
            padded,
            hexes,
            lines: vec![],
            steps: vec![],
        };
        let Some(middle) = middle else { return sight };
        let origin = axial[middle.index()];
        for dy in -range..=range {
            for dx in -range..=range {
                let from = sight.steps.len() as u32;
                let target = cupola_ground::Hex::new(origin.0 + dx, origin.1 + dy);
                if let Some(end) = board.at(target) {
                    let between = board
                        .line(middle, end)
                        .into_iter()
                        .filter(|&hex| hex != middle && hex != end);
                    let start = sight.padded[middle.index()];
                    let steps: Vec<i32> = between
                        .map(|hex| sight.padded[hex.index()] - start)
                        .collect();
                    sight.steps.extend(steps);
                }
                sight.lines.push((from, sight.steps.len() as u32));
            }
        }
        sight
    }

    /// The hexes that the line between two hexes touches, ends excluded. Beyond range there are none.
    pub fn line(&self, from: HexId, to: HexId) -> impl Iterator<Item = HexId> + '_ {
        let (a, b) = (self.padded[from.index()], self.padded[to.index()]);
        let (dx, dy) = (
            b % self.width - a % self.width,
            b / self.width - a / self.width,
        );
        let within = dx.abs() <= self.range && dy.abs() <= self.range;
        let at = (dy + self.range) * (2 * self.range + 1) + dx + self.range;
        let (low, high) = if within {
            self.lines[at as usize]
        } else {
            (0, 0)
        };
        self.steps[low as usize..high as usize]
            .iter()
            .filter_map(move |step| {
                let hex = self.hexes[(a + step) as usize];
                (hex != NOWHERE).then_some(HexId(hex))
            })
    }
}

/// What lies between a firing hex and a target two or more hexes away (§I-2-a, §I-2-b, §I-2-c).
#[must_use]
pub fn between(t: &Table, rules: &Rules, from: HexId, to: HexId) -> Between {
    let level = |hex: HexId| rules.ground.level[hex.index()];
    let (firer, target) = (level(from), level(to));
    let high = firer.max(target);
    let mut found = Between::default();
    for hex in rules.sight.line(from, to) {
        let here = level(hex);
        let cover = rules.ground.woods[hex.index()] || rules.ground.town[hex.index()];
        let units = t.stacks().first(hex).is_some();
        // a-iii: higher ground blocks; b-ii, c-ii: so does a step as high as the higher of the two.
        let step = if firer == target {
            here > high
        } else {
            here >= high
        };
        // a-i: what stands on level ground blocks as well.
        if step || (here == high && (cover || units)) {
            found.blocked = Some(hex);
            return found;
        }
        found.cover |= cover;
        found.units |= units;
    }
    found
}

/// The line between two hexes in words; none beyond what the longest gun reaches.
#[must_use]
pub fn line_of_sight(t: &Table, from: HexId, to: HexId) -> Option<LineOfSight> {
    let rules = t.rules::<Rules>();
    let far = rules.distance(from, to);
    if i32::from(far) > rules.sight.range {
        return None;
    }
    let level = |hex: HexId| rules.ground.level[hex.index()];
    let covered = |hex: HexId| rules.ground.woods[hex.index()] || rules.ground.town[hex.index()];
    let found = if far < 2 {
        Between::default()
    } else {
        between(t, rules, from, to)
    };
    let high = level(from).max(level(to));
    let why = match found.blocked {
        Some(hex) => {
            let name = t.board().label(hex);
            if level(hex) > high {
                format!("{name} is higher than both ends")
            } else if level(from) != level(to) && level(hex) >= high {
                format!("{name} is as high as the higher end")
            } else if covered(hex) {
                format!(
                    "{} in {name} is on the level of the line",
                    t.board().cover(hex)
                )
            } else {
                format!("a unit in {name} is on the level of the line")
            }
        }
        None => match (found.cover, found.units) {
            (false, false) => "nothing on the line hides one from the other".to_owned(),
            (true, false) => "it goes over woods or houses that lie lower".to_owned(),
            (false, true) => "it goes over units that stand lower".to_owned(),
            (true, true) => "it goes over cover and units that lie lower".to_owned(),
        },
    };
    let between = rules.sight.line(from, to).filter(|_| far > 1);
    let along = std::iter::once(from).chain(between).chain([to]);
    let height = |hex: HexId| Height {
        hex,
        ground: level(hex),
        // §I-2 a-i: what stands on the level of the line is in the way, whatever its height.
        top: level(hex) + i8::from(covered(hex)),
    };
    Some(LineOfSight {
        rule: rule!("I-2"),
        clear: found.blocked.is_none(),
        blocked: found.blocked,
        why,
        along: along.map(height).collect(),
    })
}
