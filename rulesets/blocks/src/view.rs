//! What a seat sees. An enemy block that stands upright is a block and nothing else: no name, no
//! strength, and no number by which it could be known again.

use crate::field::{label, rules};
use crate::hour;
use crate::state::{Block, Melees, Score, boxes, flag};
use cupola_kernel::view::{At, MarkView, TrackView, UnitView};
use cupola_kernel::{Place, Seat, Side, Table, UnitId, View};

/// Whether a seat sees who a block is.
#[must_use]
pub fn knows(t: &Table, seat: Seat, unit: UnitId) -> bool {
    let lost = matches!(
        t.stacks().place(unit),
        Place::Box(boxes::SHATTERED | boxes::FALLEN)
    );
    seat.sees(rules(t).card(unit).side) || lost || t.get::<Block>(unit).has(flag::UP)
}

/// Fills in blocks, tracks and marks.
pub fn fill(t: &Table, seat: Seat, view: &mut View) {
    let shown = t.units().filter(|&unit| knows(t, seat, unit));
    view.units = shown.map(|unit| known(t, seat, unit)).collect();
    let mut hidden: Vec<(Side, Spot)> = t
        .units()
        .filter(|&unit| !knows(t, seat, unit))
        .filter_map(|unit| Some((rules(t).card(unit).side, spot(t, unit)?)))
        .collect();
    // By place, so that the order tells nothing of who they are.
    hidden.sort_unstable();
    let blocks = hidden
        .into_iter()
        .map(|(side, spot)| upright(t, side, spot));
    view.units.extend(blocks);
    tracks(t, view);
    marks(t, view);
}

/// Where a hidden block stands: all that is known of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    /// In a hex, in column or not.
    Hex(u16, bool),
    /// On the turn track: turn and entry, as the timetable has it.
    Due(u16, u8),
    /// Off the board.
    Away,
    /// With the cavalry beside the map.
    Cavalry,
}

fn spot(t: &Table, unit: UnitId) -> Option<Spot> {
    let block = t.get::<Block>(unit);
    match t.stacks().place(unit) {
        Place::Hex(hex) => Some(Spot::Hex(hex.0, block.flags & flag::COLUMN != 0)),
        Place::Box(boxes::TRACK) => Some(Spot::Due(block.due, block.way)),
        Place::Box(boxes::OFF_BOARD) => Some(Spot::Away),
        Place::Box(boxes::CAVALRY) => Some(Spot::Cavalry),
        Place::Box(_) => None,
    }
}

fn upright(t: &Table, side: Side, spot: Spot) -> UnitView {
    let in_box = |number: u8| At::Box(boxes::NAMES[usize::from(number)].into());
    let mut state = vec![];
    let at = match spot {
        Spot::Hex(hex, column) => {
            if column {
                state.push(("formation", "column".to_owned()));
            }
            At::Hex(label(t, cupola_kernel::HexId(hex)).to_owned())
        }
        Spot::Due(turn, way) => {
            state.extend(timetable(t, turn, way));
            in_box(boxes::TRACK)
        }
        Spot::Away => in_box(boxes::OFF_BOARD),
        Spot::Cavalry => in_box(boxes::CAVALRY),
    };
    UnitView {
        id: None,
        name: "block".into(),
        side: t.env().sides[side].id.clone(),
        kind: "block".into(),
        at,
        ratings: String::new(),
        state,
    }
}

fn timetable(t: &Table, turn: u16, way: u8) -> [(&'static str, String); 2] {
    let label = t.env().track.turns.get(usize::from(turn));
    let entry = rules(t).entries.get(usize::from(way));
    [
        (
            "arrives",
            label.map_or("?".into(), |turn| turn.label.clone()),
        ),
        ("by", entry.map_or("?".into(), |entry| entry.name.clone())),
    ]
}

fn known(t: &Table, seat: Seat, unit: UnitId) -> UnitView {
    let (info, card, block) = (t.info(unit), rules(t).card(unit), t.get::<Block>(unit));
    let at = match t.stacks().place(unit) {
        Place::Hex(hex) => At::Hex(label(t, hex).to_owned()),
        Place::Box(number) => At::Box(boxes::NAMES[usize::from(number).min(5)].into()),
    };
    let letter = ['A', 'B', 'C', 'D'][usize::from(card.letter.min(3))];
    let mut ratings = format!("{letter}{}", card.fire);
    if card.is_guns() {
        ratings.push_str(&format!("/{}", card.long));
    }
    if card.is_hq() {
        ratings.push_str(&format!(" range {}", card.range));
    }
    let up = block.flags & flag::UP != 0;
    let mut state = vec![
        ("steps", block.steps.to_string()),
        ("max", card.max.to_string()),
        ("face", if up { "up" } else { "upright" }.to_owned()),
    ];
    if rules(t).switches.column_and_line {
        let column = block.flags & flag::COLUMN != 0;
        state.push((
            "formation",
            if column { "column" } else { "line" }.to_owned(),
        ));
    }
    if seat.sees(card.side) {
        own_state(t, unit, block, &mut state);
    }
    UnitView {
        id: Some(info.id.clone()),
        name: info.name.clone(),
        side: t.env().sides[card.side].id.clone(),
        kind: info.kind.clone(),
        at,
        ratings,
        state,
    }
}

/// What only the owner of a block knows.
fn own_state(t: &Table, unit: UnitId, block: &Block, state: &mut Vec<(&'static str, String)>) {
    let mut flag = |name, bit: u16| {
        let on = block.flags & bit != 0;
        state.push((name, if on { "yes" } else { "no" }.to_owned()));
    };
    flag("commanded", flag::COMMANDED);
    flag("active", flag::ACTIVE | flag::SUPPLYING);
    flag("fired", flag::FIRED);
    flag("moved", flag::MOVED);
    flag("half-hit", flag::HALF);
    match t.stacks().place(unit) {
        Place::Box(boxes::TRACK) => state.extend(timetable(t, block.due, block.way)),
        Place::Box(boxes::CAVALRY) => {
            if let Some(battle) = rules(t).cavalry.battles.get(usize::from(block.way)) {
                state.push(("battle", t.info(battle.hq).name.clone()));
            }
        }
        _ => {}
    }
}

fn tracks(t: &Table, view: &mut View) {
    let score = t.res::<Score>();
    let mut track = |name: String, value: i32| {
        view.tracks.push(TrackView {
            name,
            value,
            max: None,
        });
    };
    let sides = &t.env().sides;
    track(format!("{} points", sides.first.id), hour::points(t).into());
    for side in Side::BOTH {
        track(format!("{} lost", sides[side].id), score.lost[side].into());
    }
}

fn marks(t: &Table, view: &mut View) {
    for (place, hex, points, side) in hour::holders(t) {
        let holder = side.map_or("nobody", |side| t.env().sides[side].id.as_str());
        view.marks.push(MarkView {
            hex,
            kind: "victory".into(),
            text: format!("{place}: {points}, held by {holder}"),
        });
    }
    let melees = t.res::<Melees>();
    let mut hexes: Vec<_> = melees.attacks.iter().map(|attack| attack.hex).collect();
    hexes.extend(melees.hex);
    hexes.sort_unstable();
    hexes.dedup();
    for hex in hexes {
        let text = match melees.hex {
            Some(now) if now == hex => format!("melee, round {}", melees.round),
            _ => "melee".into(),
        };
        view.marks.push(MarkView {
            hex: label(t, hex).to_owned(),
            kind: "melee".into(),
            text,
        });
    }
}
