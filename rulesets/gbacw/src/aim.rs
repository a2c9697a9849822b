//! §6.11, §5.15 Who can hit whom: range, field of fire, sight, and nobody in the way.

use crate::facing::entries;
use crate::field::Field;
use crate::files::Weapon;
use crate::state::{Activation, Deed, Order, Shot};
use cupola_ground::board::Mark;
use cupola_ground::{Cover, Direction, RoadKind};
use cupola_kernel::{Check, HexId, UnitId, forbid, require, rule};

/// The row a unit uses: its own, or the sabre (§2.4, §9.13).
#[must_use]
pub fn weapon(field: Field, unit: UnitId) -> Weapon {
    if field.mounted(unit) {
        Weapon::M
    } else {
        field.card(unit).weapon
    }
}

/// Whether a unit can hit a hex from where it stands: range, field of fire, sight, and nobody in the way.
pub fn can_hit(field: Field, unit: UnitId, at: HexId) -> Check {
    let (t, board) = (field.t, field.t.board());
    let Some(from) = t.hex(unit) else {
        return require(false, rule!("6.11"), "is not on the map");
    };
    let range = board.distance(from, at);
    let gun = field.card(unit).is_guns();
    let numbers = &field.rules.numbers;
    let reaches = field.rules.range(weapon(field, unit), range).is_some();
    require(reaches, rule!("6.31"), "is out of range")?;
    let dark = if gun {
        numbers.night_guns
    } else {
        numbers.night_sight
    };
    forbid(
        t.is_night() && range > dark,
        rule!("11.2"),
        "is hidden by the night",
    )?;
    let status = field.status(unit);
    let beside = board.direction(from, at).map(|way| way.index() as u8);
    let refused = beside.is_some() && status.refused_side() == beside;
    require(
        refused || status.facing.covers(board.axial(from), board.axial(at)),
        rule!("5.33"),
        "is not in its field of fire",
    )?;
    if gun {
        may_serve(field, from, at)?;
    }
    let cut = |hex: HexId| in_cut(field, hex);
    let hidden = range > 1 && (cut(from) || cut(at)) && !along_the_bed(field, from, at);
    forbid(hidden, rule!("5.18"), "cannot be seen for the railroad cut")?;
    require(
        field.rules.sight.sees(board, from, at),
        rule!("6.21"),
        "is out of sight",
    )?;
    require(
        range < 2 || clear_shot(field, from, at, gun),
        rule!("6.22"),
        "is behind other units",
    )?;
    let specials = &field.rules.specials;
    specials
        .iter()
        .try_for_each(|rule| rule.may_fire_at(t, unit, at))
}

/// Whether guns can be served where they stand and fired that way (§9.23).
fn may_serve(field: Field, from: HexId, at: HexId) -> Check {
    forbid(
        field.t.board().cover(from) == Cover::Town,
        rule!("9.23"),
        "cannot be fired at by guns in town",
    )?;
    forbid(
        in_cut(field, from),
        rule!("9.23"),
        "cannot be fired at by guns in a cut",
    )?;
    forbid(
        over_rocks(field, from, at),
        rule!("9.23"),
        "cannot be fired at by guns through the rocks before them",
    )
}

fn in_cut(field: Field, hex: HexId) -> bool {
    field.t.board().marks(hex).contains(Mark::Cut)
}

/// §5.18: whether fire leaves a hex through a hexside of rocks, as in Devil's Den; a line between two hexsides only
/// where both are.
fn over_rocks(field: Field, from: HexId, at: HexId) -> bool {
    let board = field.t.board();
    let (side, other) = entries(board.axial(at), board.axial(from));
    let rocks = |side: u8| {
        let side = board.side(from, Direction::ALL[usize::from(side)]);
        side.cover == Some(Cover::Rocks)
    };
    rocks(side) && other.is_none_or(rocks)
}

/// §5.18: into and out of a cut one sees along the straight bed only, five hexes far, and not through another cut.
pub(crate) fn along_the_bed(field: Field, from: HexId, at: HexId) -> bool {
    let board = field.t.board();
    let bed = |hex: HexId, way: Direction| {
        matches!(
            board.side(hex, way).road,
            Some(RoadKind::UnfinishedRailroad | RoadKind::Railroad)
        )
    };
    Direction::ALL.into_iter().any(|way| {
        let (mut hex, mut steps) = (from, 0);
        while hex != at && steps < 5 && bed(hex, way) {
            if steps > 0 && board.marks(hex).contains(Mark::Cut) {
                return false;
            }
            match board.neighbour(hex, way) {
                Some(next) => hex = next,
                None => return false,
            }
            steps += 1;
        }
        hex == at
    })
}

/// §6.22: small arms do not fire through occupied hexes; guns do from a level higher, at targets well beyond.
fn clear_shot(field: Field, from: HexId, at: HexId, gun: bool) -> bool {
    let board = field.t.board();
    let stops = |hex: HexId| {
        let over = gun && board.level(from) > board.level(hex) && board.distance(hex, at) >= 2;
        field.holder(hex).is_some() && !over
    };
    let sight = &field.rules.sight;
    sight.meets(board, (from, at), stops).is_none()
}

/// Strength of small arms that has been declared out of a hex at others than this target.
fn elsewhere(field: Field, shots: &[Shot], (from, at): (HexId, HexId), back: bool) -> u8 {
    let others = shots
        .iter()
        .filter(|shot| shot.from == from && shot.back == back && shot.at != at);
    let small = others.filter(|shot| !field.card(shot.unit).is_guns());
    small.map(|shot| field.sp(shot.unit)).sum()
}

/// What the front of a hex leaves of the strength of those who fire out of it, in the order in which they are given: small arms
/// have room for so many points, at whatever targets; guns are extra (§6.14).
pub fn shares(
    field: Field<'_>,
    firers: impl Iterator<Item = UnitId>,
) -> impl Iterator<Item = (UnitId, u8)> {
    let mut room = field.rules.numbers.frontage;
    firers.map(move |unit| {
        let sp = field.sp(unit);
        if field.card(unit).is_guns() {
            return (unit, sp);
        }
        let share = sp.min(room);
        room -= share;
        (unit, share)
    })
}

/// Whether the front of a unit's hex has room for its fire at a target.
pub(crate) fn has_room(field: Field, unit: UnitId, from: HexId, at: HexId, back: bool) -> bool {
    let shots = &field.t.res::<Activation>().shots;
    field.card(unit).is_guns()
        || shots.is_empty()
        || elsewhere(field, shots, (from, at), back) < field.rules.numbers.frontage
}

/// Whether a unit may fire now as one of the active side (§6.11).
pub fn may_fire(field: Field, unit: UnitId) -> Check {
    let (status, deed) = (field.status(unit), field.deed(unit));
    require(field.rules.fights(unit), rule!("2.24"), "is a leader")?;
    forbid(status.abandoned, rule!("9.32"), "has no crews")?;
    forbid(deed.any(Deed::FIRED), rule!("6.13"), "has fired")?;
    forbid(deed.any(Deed::RALLIED), rule!("6.11"), "has rallied")?;
    forbid(deed.any(Deed::WHEELED), rule!("5.34"), "has turned too far")?;
    forbid(
        deed.any(Deed::MOVED) && !deed.any(Deed::ATTACKS),
        rule!("6.11"),
        "has moved",
    )?;
    forbid(
        field.mounted(unit) && charged_hexes(field, unit).is_empty(),
        rule!("9.13"),
        "is mounted and does not charge",
    )?;
    under_no_orders(field, unit)?;
    require(
        crate::orders::may_fire(field.t, unit),
        rule!("L1"),
        "is not released yet",
    )?;
    let specials = &field.rules.specials;
    specials
        .iter()
        .try_for_each(|rule| rule.may_fire(field.t, unit))
}

/// Whether no order keeps a unit from firing: a column only moves (§4.32), a reserve rests (§4.34).
pub(crate) fn under_no_orders(field: Field, unit: UnitId) -> Check {
    let order = field.order(unit);
    forbid(order == Order::March, rule!("4.32"), "marches")?;
    forbid(order == Order::Reserve, rule!("4.34"), "is in reserve")
}

/// Hexes that a unit charges: enemies before it, while its brigade attacks (§5.15).
#[must_use]
pub fn charged_hexes(field: Field, unit: UnitId) -> Vec<HexId> {
    let deed = field.deed(unit);
    let Some(hex) = field.t.hex(unit) else {
        return vec![];
    };
    let card = field.card(unit);
    let dark = field.t.is_night() && field.mounted(unit);
    if !deed.any(Deed::ATTACKS)
        || deed.any(Deed::RALLIED | Deed::WHEELED | Deed::FLED)
        || card.is_guns()
        || card.sharpshooters
        || dark
    {
        return vec![];
    }
    let status = field.status(unit);
    let enemy = card.side.other();
    let front = status
        .facing
        .front()
        .into_iter()
        .chain(status.refused_side());
    front
        .filter_map(|side| {
            field
                .t
                .board()
                .neighbour(hex, Direction::ALL[usize::from(side)])
        })
        .filter(|&at| field.holder(at) == Some(enemy) && can_hit(field, unit, at).is_ok())
        .filter(|&at| has_room(field, unit, hex, at, false))
        .collect()
}

/// Everything that a unit of the active side may fire at.
#[must_use]
pub fn targets(field: Field, unit: UnitId) -> Vec<HexId> {
    let charged = charged_hexes(field, unit);
    if !charged.is_empty() {
        return charged;
    }
    let mut hexes = in_reach(field, unit);
    hexes.retain(|&hex| may_hit(field, unit, hex));
    hexes
}

/// Whether a unit of the active side can hit a hex, and its own has room for that.
fn may_hit(field: Field, unit: UnitId, at: HexId) -> bool {
    let from = field.t.hex(unit);
    can_hit(field, unit, at).is_ok()
        && from.is_some_and(|from| has_room(field, unit, from, at, false))
}

/// How many targets a unit has, counted no further than asked for.
#[must_use]
pub fn count_targets(field: Field, unit: UnitId, most: usize) -> usize {
    let charged = charged_hexes(field, unit);
    if !charged.is_empty() {
        return charged.len();
    }
    let hexes = in_reach(field, unit).into_iter();
    let hit = hexes.filter(|&hex| may_hit(field, unit, hex));
    hit.take(most).count()
}

/// Hexes with enemies no further off than a unit's weapon carries, in ascending order.
fn in_reach(field: Field, unit: UnitId) -> Vec<HexId> {
    let Some(from) = field.t.hex(unit) else {
        return vec![];
    };
    let (board, enemy) = (field.t.board(), field.card(unit).side.other());
    let reach = field.rules.ranges[weapon(field, unit) as usize].len() as u32;
    let at = board.axial(from);
    // Small arms look around them; guns look at the whole army.
    let mut hexes: Vec<HexId> = if reach <= 4 {
        let near = field.around(from, reach);
        near.filter(|&hex| field.holder(hex) == Some(enemy))
            .collect()
    } else {
        let near = field
            .stands(enemy)
            .filter(|&(_, hex)| board.axial(hex).distance(at) <= reach);
        near.filter(|&(other, _)| !field.is_abandoned(other))
            .map(|(_, hex)| hex)
            .collect()
    };
    hexes.sort_unstable();
    hexes.dedup();
    hexes
}
