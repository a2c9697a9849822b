//! What hexsides cost, for each kind of unit.

use super::RULES;
use crate::files::{MovementFile, SideFeature};
use crate::rules::{Hop, NEVER, bit, features};
use cupola_ground::{Board, Direction, HexId};
use cupola_kit::{Loader, NOWHERE, per_hexside};

/// What all hexsides have.
pub fn sides(board: &Board) -> Vec<[u16; 6]> {
    per_hexside(board, |hex, direction, _| {
        features(board.side(hex, direction))
    })
}

/// What all hexsides cost a kind of unit.
pub fn hops(
    loader: &mut Loader,
    file: &MovementFile,
    kind: &str,
    sides: &[[u16; 6]],
) -> Vec<[Hop; 6]> {
    let board = loader.input.board;
    per_hexside(board, |hex, direction, to| Hop {
        to: to.map_or(NOWHERE, |to| to.0),
        cost: to.map_or(NEVER, |to| {
            cost(board, file, kind, (hex, direction, to), sides)
        }),
    })
}

fn cost(
    board: &Board,
    file: &MovementFile,
    kind: &str,
    (hex, direction, to): (HexId, Direction, HexId),
    sides: &[[u16; 6]],
) -> u16 {
    let (side, own, cover) = (
        board.side(hex, direction),
        file.kinds.get(kind),
        board.cover(to),
    );
    if side.closed {
        return NEVER;
    }
    if let Some(cost) = side.road.and_then(|road| file.roads.get(&road)) {
        return cost.0.into();
    }
    if own.is_some_and(|own| own.closed.contains(&cover)) {
        return NEVER;
    }
    let hexes = own
        .and_then(|own| own.hexes.get(&cover))
        .or_else(|| file.hexes.get(&cover));
    let ground = hexes.map_or(file.parts, |cost| cost.0);
    let has = sides[usize::from(hex.0)][direction.index()];
    let more = |feature: &SideFeature| {
        let own = own.and_then(|own| own.hexsides.get(feature));
        own.or_else(|| file.hexsides.get(feature))
            .map_or(0, |cost| u16::from(cost.0))
    };
    let named = file
        .hexsides
        .keys()
        .chain(own.iter().flat_map(|own| own.hexsides.keys()));
    let mut crossed: Vec<&SideFeature> =
        named.filter(|&&feature| has & bit(feature) != 0).collect();
    crossed.sort();
    crossed.dedup();
    u16::from(ground) + crossed.into_iter().map(more).sum::<u16>()
}

/// Every kind that pays otherwise is a kind of the game.
pub fn check_kinds(loader: &mut Loader, file: &MovementFile, kinds: &[&str]) {
    for name in file.kinds.keys() {
        let field = format!("movement.kinds.{name}");
        loader.named(RULES, &field, ("kind of unit", name), kinds.iter().copied());
    }
}
