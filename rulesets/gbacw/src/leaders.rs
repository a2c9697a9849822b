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
    if let Frame::Replace(leader) = *frame {
        let side = rules(t).card(leader).side;
        return (posts(t, leader).len() > 1).then_some((side, "replace", "7.74"));
    }
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
    if let Frame::Replace(leader) = *frame {
        let posts = posts(t, leader).into_iter();
        posts.for_each(|hex| out.push(Do::Place(hex)));
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Commanders(_), Do::Unit(unit)) => push(t, Frame::Act(unit, 0, false)),
        (Frame::Commanders(_), Do::Done) => pop(t),
        (Frame::Replace(leader), Do::Place(hex)) => {
            pop(t);
            take_over(t, leader, hex);
        }
        _ => return Err(not_asked()),
    }
    Ok(())
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Replace(leader) => format!("Where is {} replaced?", name(t, leader)),
        _ => "Which commander rides?".into(),
    }
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

/// IIIb: fallen leaders are replaced; where there is anybody of their command their owner says with whom (§7.74).
pub fn replace(t: &mut Table) {
    t.res_mut::<Land>().leaderless = 0;
    let mut fallen: Vec<UnitId> = t.stacks().boxed(boxes::FALLEN).collect();
    // The first of them is asked about first: his frame is put on top.
    fallen.reverse();
    for leader in fallen {
        if posts(t, leader).is_empty() {
            continue;
        }
        let formations = &rules(t).formations;
        let division = formations.iter().position(|f| f.leader == Some(leader));
        if let Some(formation) = division.filter(|&formation| formation < 64) {
            t.res_mut::<Land>().leaderless |= 1 << formation;
        }
        push(t, Frame::Replace(leader));
    }
}

/// Hexes in which units of a leader's command stand.
fn posts(t: &Table, leader: UnitId) -> Vec<HexId> {
    let field = Field::new(t);
    let ours = field.on_map(field.card(leader).side);
    let his = ours.filter(|&(unit, _)| field.card(unit).chain.contains(&leader));
    let mut hexes: Vec<HexId> = his.map(|(_, hex)| hex).collect();
    hexes.sort_unstable();
    hexes.dedup();
    hexes
}

/// Goes on where nothing is asked: who has one post only takes it.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    pop(t);
    if let Frame::Replace(leader) = frame
        && let Some(&hex) = posts(t, leader).first()
    {
        take_over(t, leader, hex);
    }
    Ok(())
}

/// Another takes a fallen leader's place.
fn take_over(t: &mut Table, leader: UnitId, hex: HexId) {
    status_mut(t, leader).replaced += 1;
    t.place(leader, Place::Hex(hex));
    t.say(|t| {
        let text = format!("{} is replaced", name(t, leader));
        Event::new("replacement", rule!("7.74"), text)
            .unit(leader)
            .hex(hex)
    });
}
