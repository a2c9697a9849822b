//! What a seat sees: everything. Nothing in this game is hidden but what the dice and the cup will bring.

use crate::cohesion::rating;
use crate::field::{Field, rules};
use crate::rout;
use crate::rules::Kind;
use crate::state::{Cup, Land, Order, boxes};
use crate::victory;
use cupola_ground::Direction;
use cupola_kernel::view::{At, Holding, MarkView, TrackView, UnitView};
use cupola_kernel::{Place, Seat, Side, Table, UnitId, View};

/// Fills in units, tracks, marks and holdings.
pub fn fill(t: &Table, _: Seat, view: &mut View) {
    view.units = t.units().map(|unit| unit_view(t, unit)).collect();
    let (score, field) = (victory::score(t), Field::new(t));
    for side in Side::BOTH {
        view.tracks.push(TrackView {
            name: format!("{} points", t.env().sides[side].id),
            value: score[side],
            max: None,
        });
    }
    for (number, brigade) in rules(t).brigades.iter().enumerate() {
        let side = &t.env().sides[brigade.side].id;
        view.tracks.push(TrackView {
            name: format!("{side} {} losses", brigade.name),
            value: i32::from(field.wear(number as u16).losses),
            max: rout::level(t, number as u16).map(i32::from),
        });
    }
    for (hex, holder, worth) in victory::prizes(t) {
        view.marks.push(MarkView {
            hex: t.board().label(hex).to_owned(),
            kind: "control".into(),
            text: match holder {
                Some(side) => format!("{} ({})", t.env().sides[side].id, worth[side]),
                None => "nobody".into(),
            },
        });
    }
    for work in &t.res::<Land>().works {
        let ready = if work.wants == 0 { "" } else { ", begun" };
        let covered = Direction::ALL.into_iter();
        let covered = covered.filter(|way| work.sides & (1 << way.index()) != 0);
        let ways: Vec<&str> = covered
            .map(|way| way.name(t.board().orientation()))
            .collect();
        view.marks.push(MarkView {
            hex: t.board().label(work.hex).to_owned(),
            kind: "works".into(),
            text: format!(
                "{} breastworks to {}{ready}",
                t.env().sides[work.side].id,
                ways.join(", ")
            ),
        });
    }
    holdings(t, view);
}

fn holdings(t: &Table, view: &mut View) {
    let cup = t.res::<Cup>();
    for side in Side::BOTH {
        let mut known = vec![];
        for (formation, left) in rules(t).formations.iter().zip(&cup.left) {
            for _ in 0..if formation.side == side { *left } else { 0 } {
                known.push(formation.name.clone());
            }
        }
        view.holdings.push(Holding {
            name: "markers in the cup".into(),
            side: Some(t.env().sides[side].id.clone()),
            count: known.len(),
            known,
        });
    }
    let ineffective: Vec<String> = rules(t)
        .brigades
        .iter()
        .enumerate()
        .filter(|(number, _)| Field::new(t).wear(*number as u16).ineffective)
        .map(|(_, brigade)| brigade.name.clone())
        .collect();
    view.holdings.push(Holding {
        name: "ineffective brigades".into(),
        side: None,
        count: ineffective.len(),
        known: ineffective,
    });
}

/// A leader's name, or that of the man in his place.
fn acting(name: &str, replacement: Option<&str>, replaced: bool) -> String {
    match replacement.filter(|_| replaced) {
        Some(other) => format!("{other} (for {name})"),
        None => name.to_owned(),
    }
}

fn unit_view(t: &Table, unit: UnitId) -> UnitView {
    let field = Field::new(t);
    let (info, card, status) = (t.info(unit), field.card(unit), field.status(unit));
    let at = match t.stacks().place(unit) {
        Place::Hex(hex) => At::Hex(t.board().label(hex).to_owned()),
        Place::Box(number) => {
            let name = boxes::NAMES.get(usize::from(number)).copied();
            At::Box(name.unwrap_or("aside").into())
        }
    };
    let mut state = vec![];
    let mut say = |key, value: &str| state.push((key, value.to_owned()));
    let flag = |on: bool| if on { "yes" } else { "no" };
    if field.rules.fights(unit) {
        say("facing", status.facing.name());
        say("disordered", flag(status.disordered));
        match status.refused {
            1 => say("refused", "left"),
            2 => say("refused", "right"),
            _ => {}
        }
        if card.kind == Kind::Horse {
            say("mounted", flag(status.mounted));
        }
        if card.is_guns() {
            say("abandoned", flag(status.abandoned));
        }
        say("cohesion", &rating(field, unit).to_string());
        match field.order(unit) {
            Order::None => {}
            Order::March => say("orders", "march"),
            Order::Reserve => say("orders", "reserve"),
        }
        let host = field.acts_with(unit);
        if host != card.brigade {
            say("attached", &field.rules.brigades[usize::from(host)].name);
        } else if let Some(with) = field.wear(card.brigade).with {
            say("attached", &field.rules.formations[usize::from(with)].name);
        }
    } else {
        say("replaced", flag(status.replaced > 0));
    }
    if let Some(brigade) = field.brigade(unit) {
        say("brigade", &brigade.name);
    }
    UnitView {
        id: Some(info.id.clone()),
        name: acting(&info.name, card.replacement.as_deref(), status.replaced > 0),
        side: t.env().sides[info.side].id.clone(),
        kind: info.kind.clone(),
        at,
        ratings: ratings(field, unit),
        state,
    }
}

/// What is printed on a counter: strength, cohesion and weapon, or how good a leader is.
fn ratings(field: Field, unit: UnitId) -> String {
    let (card, status) = (field.card(unit), field.status(unit));
    if !field.rules.fights(unit) {
        return card.rating[usize::from(status.replaced > 0)].to_string();
    }
    let ([fresh, worn], weapon) = (card.cohesion, card.weapon.name());
    format!("{}-{fresh}/{worn} {weapon}", field.sp(unit))
}
