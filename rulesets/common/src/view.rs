//! What a seat sees: everything.

use crate::field::{Field, rules};
use crate::state::{Due, Held, boxes};
use crate::victory::points;
use cupola_kernel::view::{At, MarkView, TrackView, UnitView};
use cupola_kernel::{Place, Seat, Side, Table, UnitId, View};

/// Fills in units, tracks and marks.
pub fn fill(t: &Table, _: Seat, view: &mut View) {
    let field = Field::new(t);
    view.units = t.units().map(|unit| unit_view(t, &field, unit)).collect();
    let sum = points(t);
    for side in Side::BOTH {
        view.tracks.push(TrackView {
            name: format!("{} points", t.env().sides[side].id),
            value: sum[side],
            max: None,
        });
    }
    let held = &t.res::<Held>().0;
    for (place, holder) in rules(t).victory.places.iter().zip(held) {
        let who = holder.map_or("nobody", |side| &t.env().sides[side].name);
        view.marks.push(MarkView {
            hex: t.board().label(place.hex).to_owned(),
            kind: "place".into(),
            text: format!("{}, {} points, held by {who}", place.name, place.points),
        });
    }
}

fn unit_view(t: &Table, field: &Field, unit: UnitId) -> UnitView {
    let (info, card, condition) = (t.info(unit), field.rules.card(unit), field.condition(unit));
    let at = match t.stacks().place(unit) {
        Place::Hex(hex) => At::Hex(t.board().label(hex).to_owned()),
        Place::Box(number) => At::Box(boxes::NAMES[usize::from(number).min(2)].into()),
    };
    let gone = condition.lost >= card.steps;
    let strength = if gone { 0 } else { field.strength(unit) };
    let yes = |on: bool| if on { "yes" } else { "no" }.to_owned();
    let mut state = vec![
        (
            "steps",
            format!("{}", card.steps.saturating_sub(condition.lost)),
        ),
        ("shaken", yes(condition.shaken)),
        ("lost", condition.lost.to_string()),
    ];
    if field.rules.supply.is_some() {
        state.push(("cut off", yes(condition.cut)));
    }
    if t.stacks().place(unit) == Place::Box(boxes::TRACK) {
        let due = t.get::<Due>(unit);
        let turn = t.env().track.turns.get(usize::from(due.turn));
        state.push((
            "arrives",
            turn.map_or_else(|| "later".into(), |turn| turn.label.clone()),
        ));
        let entry = field.rules.entries.get(usize::from(due.entry));
        state.push((
            "by",
            entry.map_or_else(|| "?".into(), |entry| entry.name.clone()),
        ));
    }
    let ratings = match card.range {
        0 => format!("{strength}-{}-{}", card.quality, card.movement),
        range => format!("{strength}-{}-{}-{range}", card.quality, card.movement),
    };
    UnitView {
        id: Some(info.id.clone()),
        name: info.name.clone(),
        side: t.env().sides[info.side].id.clone(),
        kind: info.kind.clone(),
        at,
        ratings,
        state,
    }
}
