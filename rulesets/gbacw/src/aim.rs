//! §6.11, §5.15 Who can hit whom: range, field of fire, sight, and nobody in the way.

use crate::field::Field;
use crate::files::Weapon;
use crate::state::Deed;
use cupola_ground::board::Mark;
use cupola_ground::{Cover, Direction, RoadKind, Touch};
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
    forbid(
        gun && board.cover(from) == Cover::Town,
        rule!("9.23"),
        "cannot be fired at by guns in town",
    )?;
    let cut = |hex: HexId| board.marks(hex).contains(Mark::Cut);
    forbid(
        gun && cut(from),
        rule!("9.23"),
        "cannot be fired at by guns in a cut",
    )?;
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
    let mut line = vec![];
    board.line_touching(from, at, &mut line);
    let stops = |hex: HexId| {
        let over = gun && board.level(from) > board.level(hex) && board.distance(hex, at) >= 2;
        field.holder(hex).is_some() && !over
    };
    let mut beside = None;
    for &(hex, touch) in &line {
        if hex == from || hex == at || touch == Touch::Corner {
            continue;
        }
        match touch {
            Touch::Through if stops(hex) => return false,
            Touch::Edge => match beside.take() {
                None => beside = Some(stops(hex)),
                Some(other) if other && stops(hex) => return false,
                Some(_) => {}
            },
            _ => {}
        }
    }
    true
}

/// Whether a unit may fire now as one of the active side (§6.11).
pub fn may_fire(field: Field, unit: UnitId) -> Check {
    let (card, status, deed) = (field.card(unit), field.status(unit), field.deed(unit));
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
    let order = field.wear(card.brigade).order;
    forbid(
        order != crate::state::Order::None,
        rule!("4.32"),
        "is under orders",
    )?;
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
        .filter(|&hex| field.holder(hex) == Some(enemy) && can_hit(field, unit, hex).is_ok())
        .collect()
}

/// Everything that a unit of the active side may fire at.
#[must_use]
pub fn targets(field: Field, unit: UnitId) -> Vec<HexId> {
    let charged = charged_hexes(field, unit);
    if !charged.is_empty() {
        return charged;
    }
    let enemy = field.card(unit).side.other();
    let hit = |&hex: &HexId| can_hit(field, unit, hex).is_ok();
    let reach = field.rules.ranges[weapon(field, unit) as usize].len() as u32;
    // Small arms look around them; guns look at the whole army.
    let mut hexes: Vec<HexId> = match field.t.hex(unit) {
        Some(from) if reach <= 4 => {
            let near = field.around(from, reach);
            near.filter(|&hex| field.holder(hex) == Some(enemy))
                .filter(hit)
                .collect()
        }
        _ => field
            .on_map(enemy)
            .map(|(_, hex)| hex)
            .filter(hit)
            .collect(),
    };
    hexes.sort_unstable();
    hexes.dedup();
    hexes
}
