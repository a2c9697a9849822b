//! The map in flat arrays: hexsides, cones of fire, lines of sight.

use super::files::Tables;
use crate::rules::{Edge, Effect, NOWHERE, PlainStep, Switches, terrain};
use cupola_ground::kinds::{RoadKind, WaterKind};
use cupola_ground::{Board, Cover, Direction, Grade, HexId, Rise};
use cupola_kit::{Ahead, HexSet, Landing, per_hexside};

/// Hexsides by hex and direction (§2.2, §6.4).
pub fn edges(board: &Board, tables: &Tables, effects: &[Effect; 8]) -> Vec<[Edge; 6]> {
    let edge = |hex: HexId, direction: Direction| {
        let side = board.side(hex, direction);
        let to = board.neighbour(hex, direction);
        let bits = side_terrain(side.cover, side.water, side.rise);
        let present = || {
            (0..8)
                .filter(|bit| bits & 1 << bit != 0)
                .map(|bit| effects[bit])
        };
        Edge {
            to: to.map_or(NOWHERE, |hex| hex.0),
            cost: tables.clear.0 + present().map(|effect| effect.moves).sum::<u8>(),
            road: side.road.map_or(0, |road| road_cost(tables, road)),
            fire: present().map(|effect| effect.fire).sum(),
            melee: present().map(|effect| effect.melee).sum(),
            terrain: bits,
        }
    };
    per_hexside(board, |hex, direction, _| edge(hex, direction))
}

/// Plain steps by class of mover: bit 0 for guns, which pay double off the road (§3.24), bit 1 for those who
/// use no roads (§6.0).
pub fn steps(edges: &[[Edge; 6]]) -> [Vec<[PlainStep; 6]>; 4] {
    std::array::from_fn(|class| {
        let cost = |edge: &Edge| {
            let across = u16::from(edge.cost) << (class & 1);
            let road = u16::from(edge.road);
            let by_road = edge.road > 0 && class & 2 == 0 && road < across;
            if by_road { road } else { across }
        };
        let price = |edge: &Edge| match edge.to {
            NOWHERE => [u16::MAX],
            _ => [cost(edge)],
        };
        let around = |around: &[Edge; 6]| {
            let out = around.each_ref().map(price);
            std::array::from_fn(|direction| {
                let edge = &around[direction];
                let behind = edges.get(usize::from(edge.to));
                let on = |behind: &[Edge; 6]| behind.each_ref().map(price);
                let ahead =
                    behind.map_or(Ahead::ALL, |behind| Ahead::of(direction, &out, &on(behind)));
                PlainStep {
                    landing: Landing::new(edge.to.into(), ahead),
                    cost: cost(edge),
                }
            })
        };
        edges.iter().map(around).collect()
    })
}

/// What the cheapest step out of each hex costs, by class as in [`steps`].
pub fn least(steps: &[Vec<[PlainStep; 6]>; 4]) -> [Vec<u16>; 4] {
    let cheapest = |around: &[PlainStep; 6]| {
        let there = |step: &&PlainStep| step.landing.node() != usize::from(NOWHERE);
        let costs = around.iter().filter(there).map(|step| step.cost);
        costs.min().unwrap_or(u16::from(u8::MAX))
    };
    steps
        .each_ref()
        .map(|hexes| hexes.iter().map(cheapest).collect())
}

/// The hexes on the map's edge.
pub fn edge(board: &Board) -> HexSet {
    let mut edge = HexSet::default();
    edge.clear(board.len());
    let hexes = board.hexes().filter(|&hex| board.is_edge(hex));
    hexes.for_each(|hex| edge.insert(hex));
    edge
}

/// The hexes from which all steps are plain.
pub fn plain(edges: &[[Edge; 6]], junction: HexId) -> Vec<bool> {
    let beside = |around: &[Edge; 6]| around.iter().any(|edge| edge.to == junction.0);
    let all = edges.iter().zip(0..);
    all.map(|(around, hex)| hex != junction.0 && !beside(around))
        .collect()
}

/// Movement points along a road (§6.5).
pub fn road_cost(tables: &Tables, road: RoadKind) -> u8 {
    match road {
        RoadKind::Pike => tables.major_road.0,
        _ => tables.minor_road.0,
    }
}

/// Whether whoever stands in a hex takes half of the hits (§5.24).
pub fn double(board: &Board, tables: &Tables) -> Vec<bool> {
    let doubles = |hex| tables.double_defence.0.contains(&board.cover(hex));
    board.hexes().map(doubles).collect()
}

/// Movement points by the best road that leaves the map in each hex; 0 without one (§2.4).
pub fn exits(board: &Board, tables: &Tables) -> Vec<u8> {
    let best = |hex: HexId| {
        let roads = board.exits().iter().filter(|exit| exit.hex == hex);
        roads.map(|exit| road_cost(tables, exit.road)).min()
    };
    board.hexes().map(|hex| best(hex).unwrap_or(0)).collect()
}

fn side_terrain(cover: Option<Cover>, water: Option<WaterKind>, rise: Rise) -> u8 {
    let cover = match cover {
        Some(Cover::Woods) => terrain::WOODS,
        Some(Cover::Orchard) => terrain::ORCHARD,
        Some(Cover::Marsh) => terrain::MARSH,
        Some(Cover::Town) => terrain::TOWN,
        Some(Cover::Clear | Cover::Rocks) | None => 0,
    };
    let water = match water {
        Some(WaterKind::Creek) => terrain::RIVER,
        Some(WaterKind::Run) => terrain::STREAM,
        Some(WaterKind::Brook) | None => 0,
    };
    // Slopes count uphill only (§2.2).
    let slope = match rise {
        Rise::Up(Grade::Gentle) => terrain::RIDGE,
        Rise::Up(Grade::Steep) => terrain::HILL,
        Rise::Down(_) | Rise::Level => 0,
    };
    cover | water | slope
}

/// The seven hexes of each cone of fire (§5.31): one hex ahead; two ahead, then left and right of that;
/// three ahead, then left and right of that.
pub fn cones(board: &Board) -> Vec<[[u16; 7]; 6]> {
    let cone = |hex: HexId, ahead: Direction| {
        let (step, left, right) = (
            ahead.step(),
            ahead.clockwise(5).step(),
            ahead.clockwise(1).step(),
        );
        let front = board.axial(hex) + step;
        let spots = [
            front,
            front + step,
            front + left,
            front + right,
            front + step + step,
            front + step + left,
            front + step + right,
        ];
        spots.map(|spot| board.at(spot).map_or(NOWHERE, |hex| hex.0))
    };
    board
        .hexes()
        .map(|hex| std::array::from_fn(|i| cone(hex, Direction::ALL[i])))
        .collect()
}

/// The ways from the front hex to each target of a cone, by index into the cone; the first target is
/// adjacent and needs none (§5.33, path of fire).
pub(crate) const PATHS: [&[&[usize]]; 7] = [
    &[],
    &[&[0]],
    &[&[0]],
    &[&[0]],
    &[&[0, 1]],
    &[&[0, 1], &[0, 2]],
    &[&[0, 1], &[0, 3]],
];

/// Which hexes of each cone can be seen (§5.33), as bits.
pub fn sight(board: &Board, cones: &[[[u16; 7]; 6]], switches: &Switches) -> Vec<[u8; 6]> {
    let seen = |hex: HexId, cone: &[u16; 7]| {
        (0..7).fold(0, |bits, i| {
            let clear = i == 0 && cone[0] != NOWHERE
                || PATHS[i].iter().any(|path| {
                    let mut way = vec![hex.0];
                    way.extend(path.iter().map(|&at| cone[at]));
                    way.push(cone[i]);
                    !way.contains(&NOWHERE) && hidden_by(board, &way, switches).is_none()
                });
            bits | u8::from(clear) << i
        })
    };
    board
        .hexes()
        .map(|hex| std::array::from_fn(|i| seen(hex, &cones[usize::from(hex.0)][i])))
        .collect()
}

/// How high the trees, roofs or rocks of a hex stand (§2.3, terrain table).
pub(crate) fn top(board: &Board, hex: HexId) -> i8 {
    board.level(hex) + i8::from(hides(Some(board.cover(hex))))
}

fn hides(cover: Option<Cover>) -> bool {
    matches!(
        cover,
        Some(Cover::Woods | Cover::Orchard | Cover::Town | Cover::Rocks)
    )
}

/// The level of an end of the line: that of its hex, unless the hexside on the line is no slope there
/// (Blocher Knoll, §5.33 sidebar).
fn stand(board: &Board, hex: HexId, towards: HexId) -> i8 {
    let level = board.level(hex);
    let flat = board
        .direction(hex, towards)
        .is_some_and(|direction| board.side(hex, direction).rise == Rise::Level);
    if flat {
        level.min(board.level(towards))
    } else {
        level
    }
}

/// What hides the end of a way of hexes from its beginning.
pub(crate) struct Screen {
    /// Its top.
    pub height: i8,
    /// Whether it is woods, houses or rocks.
    pub covered: bool,
    /// How far from the beginning, in half hexes: odd on a hexside.
    pub gone: usize,
}

/// What hides the end of a way of hexes from its beginning, if anything does.
pub(crate) fn hidden_by(board: &Board, way: &[u16], switches: &Switches) -> Option<Screen> {
    let hex = |i: usize| HexId(way[i]);
    let end = way.len() - 1;
    let (from, to) = (
        stand(board, hex(0), hex(1)),
        stand(board, hex(end), hex(end - 1)),
    );
    // Distances in half hexes, so that hexsides have one too.
    let covered = |i: usize| hides(Some(board.cover(hex(i))));
    let mut blockers: Vec<(i8, bool, usize)> = (1..end)
        .map(|i| (top(board, hex(i)), covered(i), 2 * i))
        .collect();
    // Hexsides of firer and target are their own cover, unless players want it otherwise.
    let beside = usize::from(!switches.hexsides_beside_block);
    for i in beside..end.saturating_sub(beside) {
        let wooded = board
            .direction(hex(i), hex(i + 1))
            .is_some_and(|direction| hides(board.side(hex(i), direction).cover));
        if wooded {
            let ground = board.level(hex(i)).min(board.level(hex(i + 1)));
            blockers.push((ground + 1, true, 2 * i + 1));
        }
    }
    let (low, high) = (from.min(to), from.max(to));
    let harmless = |(height, covered, gone): &(i8, bool, usize)| {
        let (height, covered, gone) = (*height, *covered, *gone);
        let left = 2 * end - gone;
        if from == to {
            return height < from || height == from && !(switches.equal_height_blocks && covered);
        }
        // Higher than both ends hides; as high as the higher end at most, it must stand nearer to that end.
        let nearer = if from > to {
            gone <= left
        } else {
            left <= gone
        };
        height <= low || height <= high && nearer
    };
    let screen = blockers.into_iter().find(|blocker| !harmless(blocker));
    screen.map(|(height, covered, gone)| Screen {
        height,
        covered,
        gone,
    })
}
