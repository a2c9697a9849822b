//! What a seat sees: everything on the map, and of the chits what was shown to it.

use crate::chits::events_of;
use crate::field::{Field, rules};
use crate::rules::{Kind, Start};
use crate::state::{Affairs, Chits, boxes};
use crate::victory;
use cupola_cup::{Chit, Spot};
use cupola_kernel::view::{At, Holding, MarkView, TrackView, UnitView};
use cupola_kernel::{Place, Seat, Side, Table, UnitId, View};

/// Fills in units, tracks, marks and holdings.
pub fn fill(t: &Table, seat: Seat, view: &mut View) {
    view.units = t.units().map(|unit| unit_view(t, unit)).collect();
    let (score, affairs) = (victory::score(t), t.res::<Affairs>());
    for side in Side::BOTH {
        view.tracks.push(TrackView {
            name: format!("{} points", t.env().sides[side].id),
            value: score[side],
            max: None,
        });
    }
    view.tracks
        .extend(rules(t).stand_in.as_ref().map(|stand_in| TrackView {
            name: stand_in.id.clone(),
            value: i32::from(affairs.stand_in),
            max: Some(1),
        }));
    for prize in &rules(t).prizes {
        for &watch in &prize.hexes {
            let holder = &t.env().sides[victory::holder(t, watch)].id;
            view.marks.push(MarkView {
                hex: t
                    .board()
                    .label(rules(t).watched[usize::from(watch)])
                    .to_owned(),
                kind: "control".into(),
                text: format!("{} ({holder}, {})", prize.name, prize.points),
            });
        }
    }
    holdings(t, seat, view);
}

/// The names of some chits, a bit each.
fn named(t: &Table, bits: u64) -> Vec<String> {
    let all = (0..rules(t).chits.len() as u8).map(Chit);
    let all = all.filter(|chit| bits >> chit.0 & 1 == 1);
    all.map(|chit| rules(t).chit(chit).name.clone()).collect()
}

fn bits(chits: impl Iterator<Item = Chit>) -> u64 {
    chits.fold(0, |bits, chit| bits | 1 << chit.0)
}

fn holdings(t: &Table, seat: Seat, view: &mut View) {
    let chits = t.res::<Chits>();
    let cup = bits(chits.cup.all(Spot::Cup));
    let mut add = |name: &str, side: Option<Side>, all: u64, sees: bool| {
        view.holdings.push(Holding {
            name: name.into(),
            side: side.map(|side| t.env().sides[side].id.clone()),
            count: all.count_ones() as usize,
            known: if sees { named(t, all) } else { vec![] },
        });
    };
    add("cup", None, cup, seat == Seat::Umpire);
    add("shown this turn", None, chits.shown, true);
    for side in Side::BOTH {
        let own = bits(events_of(t, side));
        let held = bits(chits.cup.all(Spot::Held)) & own;
        add("held", Some(side), held, seat.sees(side));
        add("chosen", Some(side), chits.chosen & own, seat.sees(side));
    }
    if chits.friction {
        view.holdings.push(Holding {
            name: "friction".into(),
            side: None,
            count: 1,
            known: vec!["the next chit suffers".to_owned()],
        });
    }
}

fn unit_view(t: &Table, unit: UnitId) -> UnitView {
    let field = Field::new(t);
    let (info, card, status) = (t.info(unit), field.card(unit), field.status(unit));
    let place = t.stacks().place(unit);
    let at = match place {
        Place::Hex(hex) => At::Hex(t.board().label(hex).to_owned()),
        Place::Box(number) => At::Box(boxes::NAMES[usize::from(number).min(3)].into()),
    };
    let letter = match card.arm {
        crate::rules::Arm::Musket => "",
        crate::rules::Arm::Rifled => "R",
        crate::rules::Arm::Smooth => "S",
        crate::rules::Arm::Mixed => "M",
    };
    let mut state = vec![];
    let mut flag = |name, on: bool| state.push((name, if on { "yes" } else { "no" }.to_owned()));
    flag("shaken", status.shaken);
    match card.kind {
        Kind::Horse => flag("mounted", status.mounted),
        Kind::Foot | Kind::Guns => flag("battleworn", status.worn),
    }
    flag("cheered", status.cheered);
    flag("chaos", status.frozen);
    if place == Place::Box(boxes::TRACK)
        && let Start::Due(turn) = rules(t).starts[usize::from(unit.0)]
    {
        let turn = t.env().track.turns.get(usize::from(turn));
        state.push((
            "arrives",
            turn.map_or_else(String::new, |turn| turn.label.clone()),
        ));
    }
    state.push(("cohesion", field.cr(unit).to_string()));
    UnitView {
        id: Some(info.id.clone()),
        name: info.name.clone(),
        side: t.env().sides[info.side].id.clone(),
        kind: info.kind.clone(),
        at,
        ratings: format!("{}{letter}-{}", field.sp(unit), field.cohesion(unit, true)),
        state,
    }
}
