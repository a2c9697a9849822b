//! What it costs to go from hex to hex: the Terrain Effects Chart, worked out once per board.
//!
//! A step is a byte: its price in half movement points, and whether it disorders (§5.17). There is a table
//! for each who pays (foot, horse, guns, leaders) and each way of going.

use crate::files::{self, Mover, Terrain};
use cupola_data::Sourced;
use cupola_ground::board::{Hexside, Mark};
use cupola_ground::{Board, Cover, Crossing, Direction, Grade, HexId, Rise, RoadKind, WaterKind};
use cupola_kit::{Ahead, Landing, per_hexside};

/// How one goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// Along roads where they help (§5.13).
    Normal,
    /// In line: roads give nothing (§5.14).
    Attack,
    /// In column: half a point on a road (§4.32).
    March,
    /// In column, while only pikes and some roads are trusted (§12.7).
    Wary,
}

const GAITS: usize = 4;
/// In the byte of a step: it disorders.
pub const DISORDERS: u8 = 0x80;
/// In the byte of a step: it cannot be made; otherwise these bits are its price.
pub const BARRED: u8 = 0x7F;

/// All steps of a mover with a gait.
pub struct Rows {
    /// By hex.
    pub hexes: Vec<Row>,
    /// The price of the cheapest step of all.
    pub cheapest: u8,
}

/// The steps out of a hex.
#[derive(Clone, Copy)]
pub struct Row {
    /// Their bytes by direction.
    pub bytes: [u8; 6],
    /// By direction: where each leads, and which steps are of use there to who came this way.
    pub landings: [Landing; 6],
    /// The price of the cheapest of them.
    pub least: u8,
}

impl Rows {
    fn new(board: &Board, bytes: Vec<[u8; 6]>) -> Rows {
        // What a step costs anybody, and who must not be disordered.
        let price = |byte: &u8| match (byte & BARRED, byte & DISORDERS) {
            (BARRED, _) => [u16::MAX; 2],
            (cost, 0) => [u16::from(cost); 2],
            (cost, _) => [u16::from(cost), u16::MAX],
        };
        let prices: Vec<[[u16; 2]; 6]> =
            bytes.iter().map(|row| row.each_ref().map(price)).collect();
        let landings = per_hexside(board, |hex, way, to| match to {
            None => Landing::new(board.len(), Ahead::ALL),
            Some(to) => {
                let (out, on) = (&prices[hex.index()], &prices[to.index()]);
                Landing::new(to.index(), Ahead::of(way.index(), out, on))
            }
        });
        let row = |(bytes, landings): ([u8; 6], [Landing; 6])| Row {
            bytes,
            landings,
            least: bytes
                .iter()
                .fold(BARRED, |least, byte| least.min(byte & BARRED)),
        };
        let hexes: Vec<Row> = bytes.into_iter().zip(landings).map(row).collect();
        Rows {
            cheapest: hexes.iter().map(|row| row.least).min().unwrap_or(BARRED),
            hexes,
        }
    }
}

/// One step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Half movement points.
    pub cost: u8,
    /// Whether it disorders a unit in good order.
    pub disorders: bool,
}

/// The tables.
pub struct Steps {
    tables: Vec<Rows>,
    /// What breastworks cost those who come over them, by mover; none if they cannot.
    works: [Option<Step>; 4],
    /// Half points of a hex of road, by mover.
    road: [u8; 4],
}

impl Steps {
    /// Works out all tables of a board, of which `inside` is the part that is played on. `trusted` are the roads that are
    /// trusted early on.
    #[must_use]
    pub fn new(board: &Board, terrain: &Terrain, trusted: &[String], inside: &[bool]) -> Steps {
        let chart = Chart { board, terrain };
        let on_trusted: Vec<bool> = board
            .hexes()
            .map(|hex| {
                board
                    .threads(hex)
                    .any(|name| trusted.iter().any(|road| road == name) || name.contains("Pike"))
            })
            .collect();
        let mut tables = vec![];
        for mover in Mover::ALL {
            for gait in [Gait::Normal, Gait::Attack, Gait::March, Gait::Wary] {
                let rows = board.hexes().map(|hex| {
                    Direction::ALL.map(|side| {
                        let to = board.neighbour(hex, side);
                        to.filter(|to| inside[to.index()]).map_or(BARRED, |to| {
                            let trusted = on_trusted[hex.index()] && on_trusted[to.index()];
                            chart.step(mover, gait, hex, side, to, trusted)
                        })
                    })
                });
                tables.push(Rows::new(board, rows.collect()));
            }
        }
        let works = Mover::ALL.map(|mover| {
            let row = &terrain.works.0;
            (!row.bars.contains(&mover)).then(|| Step {
                cost: 2 * price(row, mover),
                disorders: row.disorders.contains(&mover),
            })
        });
        let road = Mover::ALL.map(|mover| 2 * price(&terrain.road.0, mover));
        Steps {
            tables,
            works,
            road,
        }
    }

    /// A step; none if it cannot be made.
    #[must_use]
    #[inline]
    pub fn get(&self, mover: Mover, gait: Gait, from: HexId, side: Direction) -> Option<Step> {
        let step = self.rows(mover, gait).hexes[from.index()].bytes[side.index()];
        (step & BARRED != BARRED).then_some(Step {
            cost: step & BARRED,
            disorders: step & DISORDERS != 0,
        })
    }

    /// All steps of a mover with a gait.
    #[must_use]
    #[inline]
    pub fn rows(&self, mover: Mover, gait: Gait) -> &Rows {
        &self.tables[mover as usize * GAITS + gait as usize]
    }

    /// What a hex of road costs outside a column.
    #[must_use]
    pub fn road(&self, mover: Mover) -> u8 {
        self.road[mover as usize]
    }

    /// What a bridge over a cut costs: two hexes of road (§5.18).
    #[must_use]
    pub fn over_bridge(&self, mover: Mover, gait: Gait) -> u8 {
        let road = self.road[mover as usize];
        match (mover, gait) {
            (Mover::Leader, _) | (_, Gait::March) => road,
            _ => 2 * road,
        }
    }

    /// What breastworks add to a step over them (§10.2); none if they stop it.
    #[must_use]
    pub fn over_works(&self, mover: Mover) -> Option<Step> {
        self.works[mover as usize]
    }
}

fn price(row: &files::Row, mover: Mover) -> u8 {
    match mover {
        Mover::Foot => row.foot,
        Mover::Horse => row.horse,
        Mover::Guns => row.guns,
        Mover::Leader => row.leader,
    }
}

/// A way through a hexside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    None,
    Trail,
    Road,
}

/// Points, or barred, and whether it disorders.
#[derive(Clone, Copy, Default)]
struct Sum {
    points: u8,
    barred: bool,
    disorders: bool,
}

impl Sum {
    fn add(&mut self, row: &Sourced<files::Row>, mover: Mover) {
        let row = &row.0;
        self.points += price(row, mover);
        self.barred |= row.bars.contains(&mover);
        self.disorders |= row.disorders.contains(&mover);
    }
}

struct Chart<'a> {
    board: &'a Board,
    terrain: &'a Terrain,
}

impl Chart<'_> {
    fn town(&self, hex: HexId) -> bool {
        self.board.cover(hex) == Cover::Town
    }

    fn cut(&self, hex: HexId) -> bool {
        self.board.marks(hex).contains(Mark::Cut)
    }

    /// The way through a hexside: a lane or alley is a trail, in town as well (§5.16).
    fn way(side: &Hexside) -> Way {
        match side.road {
            None => Way::None,
            Some(RoadKind::Pike | RoadKind::Road) => Way::Road,
            Some(_) => Way::Trail,
        }
    }

    /// What the ground costs off any road.
    fn ground(&self, mover: Mover, from: HexId, to: HexId) -> Sum {
        let (mut sum, terrain) = (Sum::default(), self.terrain);
        if self.town(from) || self.town(to) {
            sum.add(&terrain.town, mover);
            return sum;
        }
        let cover = match self.board.cover(to) {
            Cover::Woods => &terrain.woods,
            Cover::Orchard => &terrain.orchard,
            Cover::Marsh => &terrain.marsh,
            Cover::Rocks => &terrain.rocks,
            _ => &terrain.clear,
        };
        sum.add(cover, mover);
        if self.cut(to) {
            // Two terrains: the dearer price, both effects.
            let mut cut = Sum::default();
            cut.add(&terrain.cut, mover);
            sum.points = sum.points.max(cut.points);
            sum.barred |= cut.barred;
            sum.disorders |= cut.disorders;
        }
        let marks = self.board.marks(to);
        if marks.contains(Mark::Farm) || marks.contains(Mark::Building) {
            sum.add(&terrain.farm, mover);
        }
        if marks.contains(Mark::Sloping) {
            sum.add(&terrain.sloping, mover);
        }
        if marks.contains(Mark::Brook) {
            sum.add(&terrain.brook, mover);
        }
        sum
    }

    /// What slopes and water cost off any road.
    fn hexside(&self, mover: Mover, side: &Hexside) -> Sum {
        let (mut sum, terrain) = (Sum::default(), self.terrain);
        match side.rise {
            Rise::Level => {}
            Rise::Up(Grade::Gentle) => sum.add(&terrain.gentle_up, mover),
            Rise::Down(Grade::Gentle) => sum.add(&terrain.gentle_down, mover),
            Rise::Up(Grade::Steep) => sum.add(&terrain.steep_up, mover),
            Rise::Down(Grade::Steep) => sum.add(&terrain.steep_down, mover),
        }
        if side.cover == Some(Cover::Rocks) {
            sum.add(&terrain.rock_side, mover);
        }
        sum
    }

    /// What water costs: a road that crosses it without a bridge has a ford (§5.18).
    fn water(&self, mover: Mover, side: &Hexside) -> Sum {
        let (mut sum, terrain) = (Sum::default(), self.terrain);
        let ford = side.crossing == Some(Crossing::Ford) || side.road.is_some();
        match (side.water, side.crossing) {
            (None, _) | (_, Some(Crossing::Bridge)) => {}
            (Some(WaterKind::Brook), _) => sum.add(&terrain.brook, mover),
            (Some(WaterKind::Run), _) if ford => sum.add(&terrain.stream_ford, mover),
            (Some(WaterKind::Run), _) => sum.add(&terrain.stream, mover),
            (Some(WaterKind::Creek), _) if ford => sum.add(&terrain.creek_ford, mover),
            (Some(WaterKind::Creek), _) => sum.add(&terrain.creek, mover),
        }
        sum
    }

    fn step(
        &self,
        mover: Mover,
        gait: Gait,
        from: HexId,
        direction: Direction,
        to: HexId,
        trusted: bool,
    ) -> u8 {
        let side = self.board.side(from, direction);
        let way = Chart::way(side);
        let mut water = self.water(mover, side);
        let mut ground = self.ground(mover, from, to);
        let mut slope = self.hexside(mover, side);
        if self.town(from) && !self.town(to) {
            // Out of town nothing counts but the town (§5.18).
            (slope.points, slope.disorders) = (0, false);
            (water.points, water.disorders) = (0, false);
        }
        // Out of a cut the first hex disorders, and guns cannot leave but by the bed (§5.18).
        let climbs = self.cut(from) && side.road.is_none();
        ground.disorders |= climbs && mover != Mover::Leader;
        ground.barred |= climbs && mover == Mover::Guns;
        if way != Way::None && ground.barred {
            // A way leads through what is barred beside it, at half the price of foot.
            let foot = self.ground(Mover::Foot, from, to);
            (ground.points, ground.barred) = (foot.points, false);
        }
        let off_road = ground.points + slope.points;
        let disorders = ground.disorders || slope.disorders;
        let road = 2 * price(&self.terrain.road.0, mover);
        let (halves, disorders) = match (way, gait) {
            (Way::None, _) => (2 * off_road, disorders),
            (Way::Trail, _) => (off_road.max(2), false),
            // Leaders have the rate of a column, always (§12.7).
            (Way::Road, _) if mover == Mover::Leader => (road / 2, false),
            (Way::Road, Gait::Attack) => (2 * off_road, disorders),
            (Way::Road, Gait::Normal) => (road, false),
            (Way::Road, Gait::March) => (road / 2, false),
            (Way::Road, Gait::Wary) => {
                let pike = side.road == Some(RoadKind::Pike);
                let street = self.town(from) || self.town(to);
                let known = pike || street || trusted;
                (if known { road / 2 } else { road }, false)
            }
        };
        if ground.barred || water.barred || slope.barred || side.closed {
            return BARRED;
        }
        let cost = (halves + 2 * water.points).min(BARRED - 1);
        cost | if disorders || water.disorders {
            DISORDERS
        } else {
            0
        }
    }
}
