//! Questions about the field that many rules ask, and the only ways in which it changes.

use crate::rules::{Kind, Level, NOWHERE, Rules};
use crate::state::{Block, Hexes, NEUTRAL, Score, army, boxes, flag};
use cupola_kernel::{Cite, Event, HexId, Place, Side, Table, UnitId};

/// The tables of this ruleset.
#[must_use]
#[inline]
pub fn rules(t: &Table) -> &Rules {
    t.rules()
}

/// The strength of a block.
#[must_use]
#[inline]
pub fn steps(t: &Table, unit: UnitId) -> u8 {
    t.get::<Block>(unit).steps
}

/// The blocks of a side in a hex, in the order of their numbers.
pub fn stack(t: &Table, side: Side, hex: HexId) -> impl Iterator<Item = UnitId> + '_ {
    let rules = rules(t);
    t.stacks()
        .units(hex)
        .filter(move |&unit| rules.card(unit).side == side)
}

/// How many blocks a side has in a hex.
#[must_use]
#[inline]
pub fn count(t: &Table, side: Side, hex: HexId) -> u8 {
    t.res::<Hexes>().count[side as usize][usize::from(hex.0)]
}

/// Whether a hex is a frontline hex for a side: next to an enemy (§6.62).
#[must_use]
#[inline]
pub fn frontline(t: &Table, side: Side, hex: HexId) -> bool {
    t.res::<Hexes>().near[side.other() as usize][usize::from(hex.0)] > 0
}

/// Whether a hex was a side's when the player turn began (§6.61).
#[must_use]
pub fn friendly(t: &Table, side: Side, hex: HexId) -> bool {
    t.res::<Hexes>().control[usize::from(hex.0)] == side as u8
}

/// Whether a hex was the enemy's when the player turn began (§6.61).
#[must_use]
pub fn hostile(t: &Table, side: Side, hex: HexId) -> bool {
    friendly(t, side.other(), hex)
}

/// Whether one more block of a side fits into a hex (§6.2).
#[must_use]
pub fn room(t: &Table, side: Side, hex: HexId) -> bool {
    count(t, side, hex) < rules(t).limit[usize::from(hex.0)]
}

/// Whether a block may stand with those of its side in a hex: a column stands alone (§6.0).
#[must_use]
pub fn may_share(t: &Table, unit: UnitId, hex: HexId) -> bool {
    let side = rules(t).card(unit).side;
    if !rules(t).switches.column_and_line || count(t, side, hex) == 0 {
        return true;
    }
    let column = |unit: UnitId| t.get::<Block>(unit).has(flag::COLUMN);
    !column(unit) && !stack(t, side, hex).any(column)
}

/// Puts a block somewhere and keeps the field up to date.
pub fn put(t: &mut Table, unit: UnitId, to: Place) {
    let side = rules(t).card(unit).side as usize;
    if let Some(from) = t.hex(unit) {
        tally(t, side, from, false);
    }
    t.place(unit, to);
    if let Place::Hex(hex) = to {
        tally(t, side, hex, true);
    }
}

/// Counts a block in or out of a hex.
fn tally(t: &mut Table, side: usize, hex: HexId, comes: bool) {
    let around = rules(t).around(hex).map(|edge| edge.to);
    let limit = rules(t).limit[usize::from(hex.0)];
    let field = t.res_mut::<Hexes>();
    let count = &mut field.count[side][usize::from(hex.0)];
    if comes {
        *count += 1;
        field.over += u8::from(*count > limit);
    } else {
        field.over -= u8::from(*count > limit);
        *count -= 1;
    }
    // Neighbours care only whether anybody is there.
    if *count != u8::from(comes) {
        return;
    }
    for next in around.into_iter().filter(|&next| next != NOWHERE) {
        let near = &mut field.near[side][usize::from(next)];
        *near = if comes { *near + 1 } else { *near - 1 };
    }
}

/// Who controls each hex by the blocks as they stand (§6.61).
#[must_use]
pub fn controller(field: &Hexes, hex: usize) -> u8 {
    let [first, second] = [0, 1].map(|side| field.count[side][hex] > 0);
    match (first, second) {
        (true, false) => 0,
        (false, true) => 1,
        (true, true) => NEUTRAL,
        (false, false) => match (field.near[0][hex] > 0, field.near[1][hex] > 0) {
            (true, false) => 0,
            (false, true) => 1,
            _ => NEUTRAL,
        },
    }
}

/// Fixes hex control for a player turn (§6.6).
pub fn freeze_control(t: &mut Table) {
    let field = t.res_mut::<Hexes>();
    for hex in 0..field.control.len() {
        field.control[hex] = controller(field, hex);
    }
}

/// Turns a block face up (§5.2, §5.31, §7.1). What was hidden is shown: no way back.
pub fn show(t: &mut Table, unit: UnitId) {
    let block = t.get_mut::<Block>(unit);
    if block.flags & flag::UP == 0 {
        block.flags |= flag::UP;
        t.reveal();
    }
}

/// Shows the guns of both sides that stand in frontline hexes (§5.31).
pub fn show_guns(t: &mut Table) {
    for i in 0..rules(t).guns.len() {
        let unit = rules(t).guns[i];
        let side = rules(t).card(unit).side;
        if t.hex(unit).is_some_and(|hex| frontline(t, side, hex)) {
            show(t, unit);
        }
    }
}

/// Turns guns upright that have left the frontline (§5.31).
pub fn lower_guns(t: &mut Table, unit: UnitId) {
    let card = rules(t).card(unit);
    let (guns, side) = (card.is_guns(), card.side);
    if guns && t.hex(unit).is_none_or(|hex| !frontline(t, side, hex)) {
        t.get_mut::<Block>(unit).flags &= !flag::UP;
    }
}

/// Turns blocks upright again, but for guns in frontline hexes (§8.1).
pub fn stand_upright(t: &mut Table) {
    let stays = |unit: UnitId| {
        let card = rules(t).card(unit);
        card.is_guns() && t.hex(unit).is_some_and(|hex| frontline(t, card.side, hex))
    };
    let up = army(t);
    let turned: Vec<UnitId> = up.with(flag::UP).filter(|&unit| !stays(unit)).collect();
    for unit in turned {
        t.get_mut::<Block>(unit).flags &= !flag::UP;
    }
}

/// Removes a block; the enemy scores it (§9.12). A division headquarters will be rebuilt (§4.61).
pub fn eliminate(t: &mut Table, unit: UnitId, cite: Cite) {
    let from = t.hex(unit);
    let card = *rules(t).card(unit);
    let to = if card.kind == Kind::Hq(Level::Division) {
        boxes::FALLEN
    } else {
        boxes::SHATTERED
    };
    put(t, unit, Place::Box(to));
    let block = t.get_mut::<Block>(unit);
    block.steps = 0;
    block.flags = 0;
    let lost = &mut t.res_mut::<Score>().lost[card.side];
    *lost = lost.saturating_add(1);
    t.reveal();
    t.say(|t| {
        Event::new("shattered", cite, format!("{} is shattered", name(t, unit)))
            .unit(unit)
            .hexes(from)
    });
}

/// Takes a block off the map (§2.4): it may come back at night by the entry nearest to where it left.
pub fn leave_board(t: &mut Table, unit: UnitId, cite: Cite) {
    let from = t.hex(unit);
    put(t, unit, Place::Box(boxes::OFF_BOARD));
    let block = t.get_mut::<Block>(unit);
    block.left = from.map_or(NOWHERE, |hex| hex.0);
    block.flags &= !flag::UP;
    tell(t, "leave", cite, unit, from, None, "leaves the map");
}

/// Tells of something that a block does: its name to its own side, "a block" to everybody unless it is
/// face up.
pub fn tell(
    t: &mut Table,
    kind: &'static str,
    cite: Cite,
    unit: UnitId,
    from: Option<HexId>,
    to: Option<HexId>,
    what: &'static str,
) {
    let side = rules(t).card(unit).side;
    let up = t.get::<Block>(unit).has(flag::UP);
    let place = move |t: &Table| match (from, to) {
        (_, Some(to)) => format!("{what} {}", label(t, to)),
        (Some(from), None) => format!("{what} at {}", label(t, from)),
        (None, None) => what.to_owned(),
    };
    if !up {
        let public = cite.clone();
        t.say(|t| {
            let text = format!("a {} block {}", t.env().sides[side].name, place(t));
            Event::new(kind, public, text).hexes(from).hexes(to)
        });
    }
    t.say(|t| {
        let text = format!("{} {}", name(t, unit), place(t));
        let event = Event::new(kind, cite, text)
            .unit(unit)
            .hexes(from)
            .hexes(to);
        if up { event } else { event.only(side) }
    });
}

/// The name of a block, for texts.
#[must_use]
pub fn name(t: &Table, unit: UnitId) -> &str {
    &t.info(unit).name
}

/// The label of a hex, for texts.
#[must_use]
pub fn label(t: &Table, hex: HexId) -> &str {
    t.board().label(hex)
}

/// A hex that holds more blocks of a side than it may, and the side (§6.2).
#[must_use]
pub fn overstacked(t: &Table) -> Option<(Side, HexId)> {
    let (field, rules) = (t.res::<Hexes>(), rules(t));
    if field.over == 0 {
        return None;
    }
    (0..rules.limit.len()).find_map(|hex| {
        let over = |side: &Side| field.count[*side as usize][hex] > rules.limit[hex];
        let side = Side::BOTH.into_iter().find(over)?;
        Some((side, HexId(hex as u16)))
    })
}
