//! §12.5 Mounted charges, an optional rule: with three hexes straight before the enemy cavalry keeps its full allowance.

use crate::field::Field;
use crate::movement::{Manner, Way, explore, manner, may_end, step};
use crate::special;
use crate::state::Deed;
use cupola_ground::Direction;
use cupola_kernel::{HexId, UnitId};

/// The straight hexes at the end of a charge.
const RUN: usize = 3;

/// How a unit gallops, if it may: mounted, attacking, by day.
fn galloping(field: Field, unit: UnitId, toggled: bool) -> Option<Manner> {
    let may = field.rules.switches.mounted_charge
        && !toggled
        && field.mounted(unit)
        && field.deed(unit).any(Deed::ATTACKS)
        && !field.t.is_night();
    may.then(|| Manner {
        limit: field.rules.allowance(unit, true),
        ..manner(field, unit, toggled)
    })
}

/// Whether who comes into a hex this way has an enemy before him.
fn strikes(field: Field, unit: UnitId, hex: HexId, way: Direction) -> bool {
    let (board, enemy) = (field.t.board(), field.card(unit).side.other());
    let ahead = [5, 0, 1].map(|turn| Direction::ALL[(way.index() + turn) % 6]);
    ahead.into_iter().any(|way| {
        let before = board.neighbour(hex, way);
        before.is_some_and(|before| field.holder(before) == Some(enemy))
    })
}

/// The straight run into a hex in a direction: where it begins, its hexes, its price.
fn run(
    field: Field,
    unit: UnitId,
    manner: &Manner,
    hex: HexId,
    way: Direction,
) -> Option<(HexId, [HexId; RUN], u16)> {
    let (board, side) = (field.t.board(), field.card(unit).side);
    let (mut hexes, mut cost, mut at) = ([hex; RUN], 0, hex);
    for place in (0..RUN).rev() {
        let from = board.neighbour(at, way.opposite())?;
        cost += u16::from(step(field, side, manner, from, way, at)?.cost);
        hexes[place] = at;
        at = from;
    }
    Some((at, hexes, cost))
}

/// Every way of charging at the gallop: for each hex the cheapest.
fn charges(field: Field, unit: UnitId, toggled: bool) -> Vec<Way> {
    let (Some(manner), Some(start)) = (galloping(field, unit, toggled), field.t.hex(unit)) else {
        return vec![];
    };
    let board = field.t.board();
    let enemy = field.card(unit).side.other();
    let mut near: Vec<HexId> = field
        .on_map(enemy)
        .flat_map(|(_, hex)| board.neighbours(hex).map(|(_, next)| next))
        .filter(|&hex| hex != start && board.distance(hex, start) <= u32::from(manner.limit) / 2)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.retain(|&hex| may_end(field, unit, start, hex).is_ok());
    let fences = special::fencing(field, unit);
    let found = explore(field, unit, &manner, true, &fences, |_, any| {
        let mut found = vec![];
        for hex in near {
            let ways = Direction::ALL.into_iter();
            let runs = ways
                .filter(|&way| strikes(field, unit, hex, way))
                .filter_map(|way| run(field, unit, &manner, hex, way))
                .filter_map(|(from, hexes, cost)| {
                    let whole = u16::from(any.cost(from)?) + cost;
                    (whole <= u16::from(manner.limit)).then_some((whole, from, hexes))
                });
            if let Some((cost, from, hexes)) = runs.min_by_key(|(cost, from, _)| (*cost, *from)) {
                let mut path: Vec<HexId> = any.way(from);
                path.extend(hexes);
                path.remove(0);
                let cost = cost as u8;
                found.push(Way { path, cost });
            }
        }
        found
    });
    found.unwrap_or_default()
}

/// Hexes to which a unit may charge at the gallop.
#[must_use]
pub fn destinations(field: Field, unit: UnitId, toggled: bool) -> Vec<HexId> {
    let ways = charges(field, unit, toggled).into_iter();
    ways.filter_map(|way| way.path.last().copied()).collect()
}

/// The way of a charge at the gallop to a hex.
#[must_use]
pub fn way_to(field: Field, unit: UnitId, toggled: bool, hex: HexId) -> Option<Way> {
    let mut ways = charges(field, unit, toggled).into_iter();
    ways.find(|way| way.path.last() == Some(&hex))
}

/// The last hexes of a way with the direction of each step, if it ends in a straight run.
fn last_run(
    field: Field,
    start: Option<HexId>,
    path: &[HexId],
) -> Option<[(HexId, Direction); RUN]> {
    let whole: Vec<HexId> = start.into_iter().chain(path.iter().copied()).collect();
    let last = whole.len().checked_sub(RUN + 1)?;
    let mut steps = vec![];
    for pair in whole[last..].windows(2) {
        steps.push((pair[0], field.t.board().direction(pair[0], pair[1])?));
    }
    let straight = steps.iter().all(|(_, way)| *way == steps[0].1);
    straight.then(|| [steps[0], steps[1], steps[2]])
}

/// Whether a unit that has come this way charges at the gallop.
#[must_use]
pub fn gallops(field: Field, unit: UnitId, start: Option<HexId>, path: &[HexId]) -> bool {
    if galloping(field, unit, false).is_none() {
        return false;
    }
    let run = last_run(field, start, path);
    run.zip(path.last())
        .is_some_and(|(run, &hex)| strikes(field, unit, hex, run[RUN - 1].1))
}

/// Whether the run disorders: a hex of it costs more than a point, or it leads over a wall (§12.51, §5.18).
#[must_use]
pub fn disorders(field: Field, start: Option<HexId>, path: &[HexId]) -> bool {
    let run = last_run(field, start, path);
    run.is_some_and(|run| {
        run.into_iter().any(|(from, way)| {
            let (mover, gait) = (crate::files::Mover::Horse, crate::steps::Gait::Attack);
            let step = field.rules.steps.get(mover, gait, from, way);
            step.is_none_or(|step| step.cost > 2) || field.t.board().side(from, way).wall
        })
    })
}
