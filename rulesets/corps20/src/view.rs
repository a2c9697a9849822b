//! What a seat sees: everything but the order of the deck, which is nowhere.

use crate::field::{ratings, rules};
use crate::rules::Kind;
use crate::state::{Armies, Boost, Due, Marker, Orders, Status, Way, boxes};
use cupola_kernel::view::{At, Holding, TrackView, UnitView};
use cupola_kernel::{Place, Seat, Side, Table, UnitId, View};

/// Fills in units, tracks and holdings.
pub fn fill(t: &Table, _: Seat, view: &mut View) {
    view.units = t.units().map(|unit| unit_view(t, unit)).collect();
    let armies = t.res::<Armies>();
    for side in Side::BOTH {
        view.tracks.push(TrackView {
            name: format!("{} morale", t.env().sides[side].id),
            value: i32::from(armies.morale[side]),
            max: Some(i32::from(rules(t).morale.1)),
        });
    }
    let left = rules(t).deck.len() - armies.discard.count_ones() as usize;
    view.holdings.push(Holding {
        name: "event deck".into(),
        side: None,
        count: left,
        known: vec![],
    });
    // A card is drawn for a player turn, and goes with it.
    let side = t.player_turn();
    let card = armies.card.zip(side).map(|(card, side)| {
        let card = &rules(t).deck[usize::from(card)];
        let (title, happening) = &card.sides[side];
        format!("{}: {title}. {}", card.number, happening.about())
    });
    view.holdings.push(Holding {
        name: "event".into(),
        side: side.map(|side| t.env().sides[side].id.clone()),
        count: usize::from(card.is_some()),
        known: card
            .into_iter()
            .chain(in_force(t.res::<Orders>()).map(str::to_owned))
            .collect(),
    });
    let markers = std::iter::once(armies.chief).chain(armies.guns);
    let named = rules(t).marker_names.iter().zip(markers);
    let known: Vec<String> = named
        .filter_map(|(name, marker)| Some((name.as_deref()?, marker)))
        .map(|(name, marker)| format!("{name}: {}", marker_text(t, marker)))
        .collect();
    if known.is_empty() {
        return;
    }
    let side = Some(t.env().sides[Side::First].id.clone());
    view.holdings.push(Holding {
        name: "markers".into(),
        side,
        count: known.len(),
        known,
    });
}

fn in_force(orders: &Orders) -> impl Iterator<Item = &'static str> {
    [
        (orders.free_reserves, "free reserves in one combat"),
        (orders.double_time, "one forced march without fatigue"),
        (orders.no_combining, "units may not combine to attack"),
        (orders.couriers, "a leader may command although he moved"),
        (orders.bombardment, "massed bombardment before combat"),
        (
            orders.initiative,
            "the opponent may lead a unit into contact",
        ),
    ]
    .into_iter()
    .filter_map(|(on, text)| on.then_some(text))
}

fn marker_text(t: &Table, marker: Marker) -> String {
    match marker {
        Marker::Ready => "ready".into(),
        Marker::Due(round) => turn_label(t, round),
        Marker::Out => "not in this game".into(),
    }
}

fn turn_label(t: &Table, round: u16) -> String {
    t.env()
        .track
        .turns
        .get(usize::from(round))
        .map_or_else(|| "after the battle".into(), |turn| turn.label.clone())
}

fn unit_view(t: &Table, unit: UnitId) -> UnitView {
    let (info, card, status) = (t.info(unit), rules(t).card(unit), t.get::<Status>(unit));
    let at = match t.stacks().place(unit) {
        Place::Hex(hex) => At::Hex(t.board().label(hex).to_string()),
        Place::Box(number) => At::Box(boxes::NAMES[usize::from(number).min(2)].into()),
    };
    let (strength, quality, movement) = ratings(t, unit);
    let leader = card.kind == Kind::Leader;
    let printed = if leader {
        format!("range {}", card.quality)
    } else {
        format!("{strength}-{quality}-{movement}")
    };
    let mut state = vec![];
    if leader {
        state.push((
            "face",
            if status.face_down { "down" } else { "up" }.to_owned(),
        ));
    } else {
        state.push((
            "fatigue",
            ["fresh", "tired", "weary"][usize::from(status.fatigue.min(2))].to_owned(),
        ));
        let mut flag =
            |name, on: bool| state.push((name, if on { "yes" } else { "no" }.to_owned()));
        flag("routed", status.routed);
        flag("cadre", status.cadre);
        flag("halted", status.halted);
        flag("well led", status.boost == Boost::Open);
    }
    if t.stacks().place(unit) == Place::Box(boxes::TRACK) {
        let due = t.get::<Due>(unit);
        state.push(("arrives", turn_label(t, due.round)));
        let by = match due.by {
            Way::Entry(entry) => rules(t).entries[usize::from(entry)].code.clone(),
            Way::Communications => "communications".into(),
        };
        state.push(("by", by));
    }
    UnitView {
        id: Some(info.id.clone()),
        name: info.name.clone(),
        side: t.env().sides[info.side].id.clone(),
        kind: info.kind.clone(),
        at,
        ratings: printed,
        state,
    }
}
