//! §2.2, §7.7 Leaders: commanders who ride, leaders who fall, who takes their place.

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push};
use crate::field::{Field, name, rules, status_mut};
use crate::files::Level;
use crate::rules::Kind;
use crate::state::{Deed, Frame, Land, boxes};
use cupola_kernel::{Event, HexId, Options, Place, Side, Table, UnitId, rule};

/// IIIa Commander Movement: whoever leads no brigade or division of the cup rides now (§2.23).
pub fn begin_commanders(t: &mut Table) -> Answer {
    crate::activation::forget(t);
    push(t, Frame::Commanders(Side::Second));
    push(t, Frame::Commanders(Side::First));
    Ok(())
}

fn commanders(t: &Table, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let field = Field::new(t);
    let leaders = field.rules.troops..field.rules.cards.len() as u16;
    leaders.map(UnitId).filter(move |&unit| {
        let card = field.card(unit);
        let rides = matches!(
            card.kind,
            Kind::Leader(Level::Army | Level::Chief | Level::Corps | Level::Staff)
        );
        let there = t.hex(unit).is_some() || crate::entry::due(t, unit);
        let mut specials = field.rules.specials.iter();
        rides
            && card.side == side
            && there
            && !field.deed(unit).any(Deed::ACTED)
            && specials.all(|rule| rule.may_move(t, unit).is_ok())
    })
}

/// What the frame of commanders asks.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Commanders(side) = *frame else {
        return None;
    };
    commanders(t, side)
        .next()
        .map(|_| (side, "commander", "2.23"))
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    if let Frame::Commanders(side) = *frame {
        commanders(t, side).for_each(|unit| out.push(Do::Unit(unit)));
        out.push(Do::Done);
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Commanders(_), Do::Unit(unit)) => push(t, Frame::Act(unit, 0, false)),
        (Frame::Commanders(_), Do::Done) => pop(t),
        _ => return Err(not_asked()),
    }
    Ok(())
}

/// A question in words.
#[must_use]
pub fn prompt(_: &Table, _: &Frame) -> String {
    "Which commander rides?".into()
}

/// Fire has struck a hex: each leader there may fall (§7.71).
pub fn exposed(t: &mut Table, hex: HexId) {
    let there: Vec<UnitId> = Field::new(t).leaders(hex).collect();
    for leader in there {
        let die = (t.roll(10, "leader", leader) - 1) as u8;
        if die != rules(t).numbers.leader_falls {
            continue;
        }
        let lucky = (0..rules(t).specials.len()).any(|i| crate::special::spares(t, i, leader));
        if !lucky {
            fall(t, leader, "7.71");
        }
    }
}

fn fall(t: &mut Table, leader: UnitId, section: &'static str) {
    t.place(leader, Place::Box(boxes::FALLEN));
    t.say(|t| {
        let text = format!("{} falls", name(t, leader));
        Event::new("leader", cupola_kernel::Cite::new(section), text).unit(leader)
    });
}

/// Enemies have come upon leaders alone (§7.72).
pub fn overrun(t: &mut Table, side: Side, hex: HexId) {
    let field = Field::new(t);
    let caught: Vec<UnitId> = field
        .leaders(hex)
        .filter(|&leader| field.card(leader).side != side)
        .collect();
    for leader in caught {
        let die = (t.roll(10, "capture", leader) - 1) as u8;
        if die <= rules(t).numbers.leader_taken {
            fall(t, leader, "7.72");
        } else {
            refuge(t, leader, hex);
        }
    }
}

/// A leader rides to the nearest friends.
fn refuge(t: &mut Table, leader: UnitId, hex: HexId) {
    let field = Field::new(t);
    let friends = field.on_map(field.card(leader).side).map(|(_, hex)| hex);
    let nearest = friends.min_by_key(|&other| (t.board().distance(hex, other), other));
    match nearest {
        Some(to) => t.place(leader, Place::Hex(to)),
        None => fall(t, leader, "7.72"),
    }
}

/// Leaders whose troops have left a hex go with them.
pub fn follow(t: &mut Table, side: Side, from: HexId, to: HexId) {
    let field = Field::new(t);
    if field.holder(from).is_some() {
        return;
    }
    let left: Vec<UnitId> = field
        .leaders(from)
        .filter(|&leader| field.card(leader).side == side)
        .collect();
    for leader in left {
        t.place(leader, Place::Hex(to));
    }
}

/// Leaders whose last troops in a hex routed join the nearest friends.
pub fn stranded(t: &mut Table, hex: HexId) {
    let field = Field::new(t);
    if field.holder(hex).is_some() {
        return;
    }
    let left: Vec<UnitId> = field.leaders(hex).collect();
    for leader in left {
        refuge(t, leader, hex);
    }
}

/// IIIb: fallen leaders are replaced, with any unit of their command (§7.74).
pub fn replace(t: &mut Table) {
    t.res_mut::<Land>().leaderless = 0;
    let fallen: Vec<UnitId> = t.stacks().boxed(boxes::FALLEN).collect();
    for leader in fallen {
        let field = Field::new(t);
        let hex = field
            .on_map(field.card(leader).side)
            .find(|&(unit, _)| field.card(unit).chain.contains(&leader))
            .map(|(_, hex)| hex);
        let Some(hex) = hex else { continue };
        let division = field
            .rules
            .formations
            .iter()
            .position(|f| f.leader == Some(leader));
        if let Some(formation) = division.filter(|&formation| formation < 64) {
            t.res_mut::<Land>().leaderless |= 1 << formation;
        }
        status_mut(t, leader).replaced += 1;
        t.place(leader, Place::Hex(hex));
        t.say(|t| {
            let text = format!("{} is replaced", name(t, leader));
            Event::new("replacement", rule!("7.74"), text)
                .unit(leader)
                .hex(hex)
        });
    }
}
