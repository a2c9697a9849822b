//! §C The turn advances: reinforcements, optional groups and who stands in for a fallen commander (§O).

use crate::acts::Do;
use crate::engine::{Answer, Question, pop, push, side_name, swap};
use crate::field::{Field, rules};
use crate::march;
use crate::rules::{Comes, Start};
use crate::shown::roll;
use crate::state::{Affairs, Chits, Frame, boxes};
use crate::units::Units;
use cupola_cup::{Chit, Spot};
use cupola_kernel::{Event, Fault, Options, Place, Table, UnitId, rule};

/// The Advance the Game Turn Marker Phase.
pub fn begin(t: &mut Table) -> Answer {
    let now = t.turn();
    for unit in t.units() {
        let start = rules(t).starts[usize::from(unit.0)];
        if start == Start::Due(now) && t.stacks().place(unit) == Place::Box(boxes::TRACK) {
            arrive(t, unit);
        }
    }
    // §J-3-e: whoever finds the entry held comes on beside it, a turn later.
    let waiting: Units = t.stacks().boxed(boxes::ENTRY).collect();
    march::bar(t, waiting);
    if let Some(Comes::From(turn)) = comes(t) {
        t.res_mut::<Affairs>().stand_in = now >= turn;
    }
    Ok(())
}

fn arrive(t: &mut Table, unit: UnitId) {
    t.place(unit, Place::Box(boxes::ENTRY));
    t.say(|t| {
        let text = format!("{} arrives", crate::field::name(t, unit));
        Event::new("arrive", rule!("J-3-e"), text).unit(unit)
    });
}

/// When somebody stands in for a fallen commander, if the battle has such a man.
fn comes(t: &Table) -> Option<Comes> {
    rules(t).stand_in.as_ref().map(|stand_in| stand_in.comes)
}

/// What comes before the chits are chosen: rolls for who stands in and for optional groups (§O).
pub fn arrivals(t: &mut Table) {
    let (now, affairs) = (t.turn(), *t.res::<Affairs>());
    if rules(t).switches.optional {
        let groups = rules(t).options.len() as u8;
        let open: Vec<u8> = (0..groups)
            .rev()
            .filter(|&group| may_try(t, group))
            .collect();
        for group in open {
            push(t, Frame::Optional(group));
        }
    }
    let fell = affairs.fell.is_some_and(|turn| turn < now);
    if matches!(comes(t), Some(Comes::Roll(from)) if now >= from && fell && !affairs.stand_in) {
        push(t, Frame::StandIn);
    }
}

/// Whether a side may try to bring an optional group this turn, and what delay adds to the die (§O-d).
fn may_try(t: &Table, group: u8) -> bool {
    delay(t, group).is_some()
}

/// The turns since it could have come, which help the die (§O-d).
fn delay(t: &Table, group: u8) -> Option<u8> {
    let (now, came) = (t.turn(), t.res::<Affairs>().came);
    if came[usize::from(group)].is_some() {
        return None;
    }
    let option = &rules(t).options[usize::from(group)];
    // A unit off the map that has a gate has been on it.
    let seen = |unit: UnitId| match t.stacks().place(unit) {
        Place::Hex(_) | Place::Box(boxes::BROKEN) => true,
        Place::Box(_) => Field::new(t).status(unit).gate.is_some(),
    };
    if option
        .seen
        .is_some_and(|units| !units.into_iter().any(seen))
    {
        return None;
    }
    let since = match option.after {
        Some(other) => came[usize::from(other)]? + 1,
        None => rules(t).option_from.0,
    };
    now.checked_sub(since).map(|turns| turns as u8)
}

/// What the frames of arrival ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    match *frame {
        Frame::Optional(group) => {
            Some((rules(t).options[usize::from(group)].side, "optional", "O"))
        }
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Result<(), Fault> {
    match frame {
        Frame::OptionalRoll(group) => {
            let side = rules(t).options[usize::from(group)].side;
            let Some([die, ..]) = roll(t, 1, "optional reinforcements", side) else {
                return Ok(());
            };
            pop(t);
            if die + delay(t, group).unwrap_or(0) >= rules(t).option_from.1 {
                bring(t, group);
            }
        }
        Frame::StandIn => {
            let Some((side, needs)) = rules(t).stand_in.as_ref().map(|s| (s.side, s.needs)) else {
                pop(t);
                return Ok(());
            };
            let Some([die, ..]) = roll(t, 1, "stand-in", side) else {
                return Ok(());
            };
            pop(t);
            let affairs = t.res_mut::<Affairs>();
            if die + affairs.waited >= needs {
                affairs.stand_in = true;
                t.say(|t| {
                    let name = crate::command::deputy(t);
                    Event::new("stand-in", rule!("O"), format!("{name} takes command"))
                });
            } else {
                affairs.waited += 1;
            }
        }
        _ => pop(t),
    }
    Ok(())
}

/// An optional group enters the game.
fn bring(t: &mut Table, group: u8) {
    let now = t.turn();
    t.res_mut::<Affairs>().came[usize::from(group)] = Some(now);
    for unit in rules(t).options[usize::from(group)].units {
        arrive(t, unit);
    }
    let chits = rules(t).chits.iter().enumerate();
    let theirs: Vec<Chit> = chits
        .filter(|(_, chit)| chit.option == Some(group))
        .map(|(i, _)| Chit(i as u8))
        .collect();
    for chit in theirs {
        t.res_mut::<Chits>().cup.put(chit, Spot::Cup);
    }
    t.say(|t| {
        let group = &rules(t).options[usize::from(group)];
        Event::new(
            "optional",
            rule!("O"),
            format!(
                "{}: {} enters the game",
                side_name(t, group.side),
                group.name
            ),
        )
    });
}

/// Lists the answers.
pub fn options(_: &Table, _: &Frame, out: &mut Options) {
    out.push(Do::Yes);
    out.push(Do::Done);
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        // Who comes because others were seen needs no roll.
        (Frame::Optional(group), Do::Yes)
            if rules(t).options[usize::from(group)].seen.is_some() =>
        {
            pop(t);
            bring(t, group);
        }
        (Frame::Optional(group), Do::Yes) => swap(t, Frame::OptionalRoll(group)),
        (Frame::Optional(_), Do::Done) => pop(t),
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Optional(group) => {
            let group = &rules(t).options[usize::from(group)];
            format!("Bring {} for {} points?", group.name, group.points)
        }
        _ => "?".into(),
    }
}
