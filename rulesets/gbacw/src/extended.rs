//! §12.2 Extended lines, an optional rule: a large regiment occupies two hexes along its line.
//!
//! Its second part is a counter of its own that lies ready in a box. It fires and is fired at where it stands; what
//! happens to one part happens to both; and whatever moves, turns or drives off the unit closes it up first.

use crate::acts::Do;
use crate::field::{Field, did, occupy, rules, status_mut};
use crate::movement::{manner, step};
use crate::state::{Deed, boxes};
use cupola_ground::{Cover, Direction};
use cupola_kernel::{Check, HexId, Options, Place, Refusal, Table, UnitId, forbid, require, rule};

/// Whether both parts of a unit are on the map.
#[must_use]
pub fn is_extended(field: Field, unit: UnitId) -> bool {
    let twin = field.card(unit).twin;
    twin.is_some_and(|twin| field.t.hex(twin).is_some() && field.t.hex(unit).is_some())
}

/// The same of a table.
#[must_use]
pub fn parts(t: &Table, unit: UnitId) -> bool {
    is_extended(Field::new(t), unit)
}

/// Closes the line up: its second part leaves the map.
pub fn fold(t: &mut Table, unit: UnitId) {
    let card = rules(t).card(unit);
    let Some(twin) = card.twin else { return };
    let wing = if card.wing { unit } else { twin };
    if t.hex(wing).is_some() {
        t.place(wing, Place::Box(boxes::FOLDED));
    }
}

/// The unit as a whole: closed up, by the counter of its first part.
pub fn whole(t: &mut Table, unit: UnitId) -> UnitId {
    fold(t, unit);
    let card = rules(t).card(unit);
    card.twin.filter(|_| card.wing).unwrap_or(unit)
}

/// Whether a unit may stand in a hex for all that is extended there, or is itself (§12.2).
#[must_use]
pub fn fits(field: Field, unit: UnitId, hex: HexId) -> bool {
    let most = field.rules.numbers.extended_beside;
    let large = !field.card(unit).is_guns() && field.sp(unit) >= most;
    let mut others = field.fighters(hex).filter(|&other| other != unit);
    !large || others.all(|other| !is_extended(field, other))
}

/// Where a unit may extend its line to a hand: the hex beside it.
pub fn may_extend(field: Field, unit: UnitId, hand: u8) -> Result<HexId, Refusal> {
    let (card, board) = (field.card(unit), field.t.board());
    let (Some(hex), Some(_)) = (field.t.hex(unit), card.twin) else {
        return Err(Refusal::new(rule!("12.2"), "cannot extend its line"));
    };
    forbid(
        is_extended(field, unit),
        rule!("12.2"),
        "has extended its line already",
    )?;
    let flank = if hand == 1 { 3 } else { 0 };
    let way = Direction::ALL[usize::from((flank + field.status(unit).facing.index()) % 6)];
    let beside = board.neighbour(hex, way).filter(|&to| field.inside(to));
    let Some(to) = beside else {
        return Err(Refusal::new(rule!("12.2"), "has no hex beside it"));
    };
    let town = |hex: HexId| board.cover(hex) == Cover::Town;
    forbid(town(hex) || town(to), rule!("5.18"), "would stand in town")?;
    let manner = manner(field, unit, false);
    let open = step(field, card.side, &manner, hex, way, to).is_some();
    require(open, rule!("12.2"), "cannot enter the hex beside it")?;
    room(field, unit, hex)?;
    room(field, unit, to)?;
    let specials = &field.rules.specials;
    let all = specials
        .iter()
        .try_for_each(|rule| rule.may_end(field.t, unit, to));
    all.map(|()| to)
}

/// Whether those who stand in a hex leave room for a part of the line, and look where it looks.
fn room(field: Field, unit: UnitId, hex: HexId) -> Check {
    let numbers = &field.rules.numbers;
    let facing = field.status(unit).facing;
    let (mut sp, mut clear) = (u32::from(field.card(unit).sp.div_ceil(2)), true);
    for other in field.fighters(hex).filter(|&other| other != unit) {
        sp += u32::from(field.sp(other));
        let large = !field.card(other).is_guns() && field.sp(other) >= numbers.extended_beside;
        clear &= !large && field.status(other).facing == facing && !field.mounted(other);
    }
    require(
        clear && sp <= u32::from(numbers.stack_sp),
        rule!("12.2"),
        "has no room for its line",
    )
}

/// Lists the answers.
pub fn options(field: Field, unit: UnitId, out: &mut Options) {
    if !field.rules.switches.extended_lines || field.card(unit).twin.is_none() {
        return;
    }
    if is_extended(field, unit) {
        out.push(Do::Close);
        return;
    }
    for hand in [1, 2] {
        if may_extend(field, unit, hand).is_ok() {
            out.push(Do::Extend(field.hand(hand)));
        }
    }
}

/// A unit extends its line instead of moving.
pub fn extend(t: &mut Table, unit: UnitId, hand: u8) {
    let field = Field::new(t);
    let (Ok(hex), Some(wing)) = (may_extend(field, unit, hand), field.card(unit).twin) else {
        return;
    };
    let like = *field.status(unit);
    did(t, unit, Deed::ACTED | Deed::MOVED);
    let deeds = Field::new(t).deed(unit).0;
    occupy(t, wing, hex);
    let status = status_mut(t, wing);
    (status.facing, status.disordered) = (like.facing, like.disordered);
    did(t, wing, deeds);
    let side = rules(t).card(unit).side;
    if Field::new(t).near_enemy(side, hex) {
        did(t, wing, Deed::CLOSED);
    }
}

/// What disorders one part of a line disorders the other.
pub fn sync(t: &mut Table) {
    if !rules(t).switches.extended_lines {
        return;
    }
    let pairs: Vec<(UnitId, UnitId)> = (0..rules(t).troops)
        .map(UnitId)
        .filter(|&unit| rules(t).card(unit).wing && t.hex(unit).is_some())
        .filter_map(|wing| Some((wing, rules(t).card(wing).twin?)))
        .collect();
    for (wing, first) in pairs {
        let field = Field::new(t);
        let shaken = field.status(wing).disordered || field.status(first).disordered;
        if t.hex(first).is_none() {
            fold(t, wing);
            continue;
        }
        for unit in [wing, first] {
            if Field::new(t).status(unit).disordered != shaken {
                status_mut(t, unit).disordered = shaken;
            }
        }
    }
}
