//! §D Command decision and §F the draw: what goes into the cup, and what comes out of it.
//!
//! An event chit is drawn for its owner's eyes. Both players see whose it is, whether it is played or
//! kept, and how many the other keeps. Wherever a held chit could be played, its side is asked if it
//! holds anything at all: being asked tells nothing.

use crate::acts::Do;
use crate::engine::{Answer, Question, chit_name, pop, push, side_name, swap};
use crate::events;
use crate::field::{Field, rules};
use crate::fire::has_target;
use crate::march::{can_step, one_hex};
use crate::rules::{Happening, Meaning};
use crate::state::{Chits, Commanding, Frame, Returned};
use crate::turn;
use cupola_cup::{Chit, Spot, draw, pick_into};
use cupola_kernel::{About, Event, Fault, Options, Side, Table, UnitId, rule};

/// The event chits of a side.
pub fn events_of(t: &Table, side: Side) -> impl Iterator<Item = Chit> + '_ {
    let rules = rules(t);
    (0..rules.events)
        .map(Chit)
        .filter(move |&chit| rules.chit(chit).side == Some(side))
}

/// Whether a side keeps any chit.
#[must_use]
pub fn holds(t: &Table, side: Side) -> bool {
    let cup = &t.res::<Chits>().cup;
    events_of(t, side).any(|chit| cup.spot(chit) == Spot::Held)
}

/// The chit with this event, if a side keeps it.
#[must_use]
pub fn held(t: &Table, side: Side, event: Happening) -> Option<Chit> {
    let cup = &t.res::<Chits>().cup;
    events_of(t, side)
        .find(|&chit| cup.spot(chit) == Spot::Held && rules(t).event(chit) == Some(event))
}

/// Shows a chit and puts it among the used (§F-1-a).
pub fn discard(t: &mut Table, chit: Chit) {
    let chits = t.res_mut::<Chits>();
    chits.cup.put(chit, Spot::Used);
    chits.shown |= 1 << chit.0;
    t.reveal();
}

/// Begins the Command Decision Phase: the cup is filled (§D).
pub fn begin(t: &mut Table) -> Answer {
    let (events, (from, count), now) = (rules(t).events, rules(t).generals, t.turn());
    let enters: Vec<Option<u16>> = rules(t).chits.iter().map(|chit| chit.enters).collect();
    let chits = t.res_mut::<Chits>();
    (chits.chosen, chits.shown, chits.friction) = (0, 0, false);
    chits.returned.clear();
    for (i, enters) in enters.iter().enumerate() {
        let chit = Chit(i as u8);
        let due = enters.is_some_and(|turn| turn <= now);
        let general = (from..from + count).contains(&chit.0);
        let replaced = general && chits.cup.spot(Chit(chit.0 + count)) != Spot::Out;
        // Events come back (§F-1-b); generals, fog and friction go in (§D-4, §D-5).
        if chit.0 < events {
            chits.cup.put(chit, Spot::Pool);
        } else if (due && !replaced) || chits.cup.spot(chit) != Spot::Out {
            chits.cup.put(chit, Spot::Cup);
        }
    }
    let chosen = rules(t).picks.0;
    push(t, Frame::Select(Side::Second, chosen));
    push(t, Frame::Select(Side::First, chosen));
    turn::arrivals(t);
    Ok(())
}

/// Begins the Chit Draw Phase.
pub fn begin_draw(t: &mut Table) -> Answer {
    push(t, Frame::Draw);
    Ok(())
}

/// Begins the End Phase: the Confederates play first (§M-1).
pub fn begin_end(t: &mut Table) -> Answer {
    push(t, Frame::LastHolds(Side::Second, 0));
    Ok(())
}

/// What the frames of chits ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    match *frame {
        Frame::Select(side, left) if left > 0 => Some((side, "choose-chit", "D-1")),
        Frame::Hold(side) if holds(t, side) => Some((side, "hold", "F-1")),
        Frame::LastHolds(side, passed) if passed < 2 && holds(t, side) => {
            Some((side, "last-chits", "M-1"))
        }
        Frame::Event(side, _) => Some((side, "event", "F-1")),
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Result<(), Fault> {
    match frame {
        Frame::Select(side, _) => {
            pop(t);
            add_blindly(t, side);
        }
        Frame::Draw => {
            if t.res::<Chits>().cup.count(Spot::Cup) == 0 {
                pop(t);
            } else {
                push(t, Frame::Hold(Side::Second));
            }
        }
        Frame::Hold(Side::Second) => swap(t, Frame::Hold(Side::First)),
        Frame::Hold(Side::First) => {
            pop(t);
            draw_one(t);
        }
        Frame::LastHolds(side, passed) if passed < 2 => {
            swap(t, Frame::LastHolds(side.other(), passed + 1))
        }
        _ => pop(t),
    }
    Ok(())
}

/// Two more chits go in unseen, and the rest is left out (§D-2, §D-3).
fn add_blindly(t: &mut Table, side: Side) {
    let own: u64 = events_of(t, side).fold(0, |bits, chit| bits | 1 << chit.0);
    let ours = move |chit: Chit| own >> chit.0 & 1 == 1;
    for _ in 0..rules(t).picks.1 {
        pick_into::<Chits>(
            t,
            |chit, spot| spot == Spot::Pool && ours(chit),
            Spot::Cup,
            "blind chit",
            side,
        );
    }
    t.res_mut::<Chits>()
        .cup
        .shift(Spot::Pool, Spot::Excluded, ours);
}

/// The next chit (§F).
fn draw_one(t: &mut Table) {
    let Some(chit) = draw::<Chits>(t, "chit", About::Game) else {
        return;
    };
    t.reveal();
    let (meaning, side) = (rules(t).chit(chit).meaning, rules(t).chit(chit).side);
    let chits = t.res_mut::<Chits>();
    let friction = std::mem::take(&mut chits.friction);
    chits.returned.retain(|returned| returned.chit != chit);
    // Whoever may put a used general back looks through the used chits.
    if let (Meaning::Event(Happening::Inspired), Some(side), false) = (meaning, side, friction) {
        let looks = |returned: &mut Returned| returned.known |= 1 << side as u8;
        chits.returned.iter_mut().for_each(looks);
    }
    if !matches!(meaning, Meaning::Event(_)) || friction {
        t.res_mut::<Chits>().shown |= 1 << chit.0;
    }
    t.say(|t| {
        let text = match (meaning, side) {
            (Meaning::Event(_), Some(side)) if !friction => {
                format!("{} draws an event", side_name(t, side))
            }
            (Meaning::Event(_) | Meaning::Friction(_), _) if friction => {
                format!("{} is drawn and cancelled", chit_name(t, chit))
            }
            _ => format!("{} is drawn", chit_name(t, chit)),
        };
        Event::new("draw", rule!("F"), text)
    });
    let side = side.unwrap_or(Side::First);
    match meaning {
        // §F-3: cancelled without any effect.
        Meaning::Event(_) | Meaning::Friction(_) if friction => {}
        Meaning::Event(_) => push(t, Frame::Event(side, chit)),
        Meaning::Friction(_) => t.res_mut::<Chits>().friction = true,
        Meaning::Fog => (0..=u8::from(friction)).for_each(|_| push(t, Frame::Fog)),
        Meaning::General { rating, .. } => {
            push(
                t,
                Frame::Command(Commanding {
                    side,
                    chit,
                    rating,
                    asked: false,
                    friction,
                    die: None,
                }),
            );
        }
    }
}

/// Events that are played before a draw.
fn before_draw(event: Happening) -> bool {
    matches!(event, Happening::Cheer | Happening::Yell)
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let rules = rules(t);
    let cup = &t.res::<Chits>().cup;
    match *frame {
        Frame::Select(side, _) => {
            let pool = events_of(t, side).filter(|&chit| cup.spot(chit) == Spot::Pool);
            pool.for_each(|chit| out.push(Do::Choose(rules.chit_token(chit))));
        }
        Frame::Hold(side) | Frame::LastHolds(side, _) => {
            for chit in events_of(t, side).filter(|&chit| cup.spot(chit) == Spot::Held) {
                let fits = rules
                    .event(chit)
                    .is_some_and(|event| before_draw(event) && events::playable(t, side, event));
                if fits {
                    out.push(Do::Play(rules.chit_token(chit)));
                }
            }
            out.push(Do::Done);
        }
        Frame::Event(side, chit) => {
            let card = rules.chit(chit);
            let event = rules.event(chit).filter(|_| !card.hold);
            if event.is_some_and(|event| events::playable(t, side, event)) {
                out.push(Do::Play(rules.chit_token(chit)));
            }
            if card.hold {
                out.push(Do::Hold(rules.chit_token(chit)));
            }
            if default_units(t, side, true).next().is_some() {
                out.push(Do::Fire);
            }
            if default_units(t, side, false).next().is_some() {
                out.push(Do::March);
            }
            out.push(Do::Discard);
        }
        _ => {}
    }
}

/// Units that a default event could use: to fire, or to move one hex (§F-1-c).
pub fn default_units(t: &Table, side: Side, fires: bool) -> impl Iterator<Item = UnitId> + '_ {
    let field = Field::new(t);
    Iterator::filter(field.rules.sides[side], move |&unit| {
        if fires {
            has_target(field, unit)
        } else {
            can_step(field, unit, one_hex(side))
        }
    })
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    let chit_of = |t: &Table, token| rules(t).chit_of(token).ok_or_else(crate::engine::not_asked);
    match (frame, answer) {
        (Frame::Select(side, left), Do::Choose(token)) => {
            // §D-1
            let chit = chit_of(t, token)?;
            let chits = t.res_mut::<Chits>();
            chits.cup.put(chit, Spot::Cup);
            chits.chosen |= 1 << chit.0;
            swap(t, Frame::Select(side, left - 1));
        }
        (Frame::Hold(side), Do::Play(token)) => {
            let chit = chit_of(t, token)?;
            // Whoever passed may still answer what the other has played.
            swap(t, Frame::Hold(Side::Second));
            play(t, side, chit);
        }
        (Frame::Hold(Side::Second), Do::Done) => swap(t, Frame::Hold(Side::First)),
        (Frame::Hold(Side::First), Do::Done) => {
            pop(t);
            draw_one(t);
        }
        (Frame::LastHolds(side, _), Do::Play(token)) => {
            let chit = chit_of(t, token)?;
            swap(t, Frame::LastHolds(side.other(), 0));
            play(t, side, chit);
        }
        (Frame::LastHolds(side, passed), Do::Done) => {
            swap(t, Frame::LastHolds(side.other(), passed + 1))
        }
        (Frame::Event(side, chit), answer) => {
            pop(t);
            match answer {
                Do::Play(_) => play(t, side, chit),
                Do::Hold(_) => {
                    t.res_mut::<Chits>().cup.put(chit, Spot::Held);
                    t.say(|t| {
                        Event::new(
                            "hold",
                            rule!("F-1"),
                            format!("{} keeps the chit", side_name(t, side)),
                        )
                    });
                }
                Do::Fire | Do::March => {
                    discard(t, chit);
                    push(t, Frame::Default(side, answer == Do::Fire));
                }
                _ => discard(t, chit),
            }
        }
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

fn play(t: &mut Table, side: Side, chit: Chit) {
    discard(t, chit);
    t.say(|t| {
        Event::new(
            "event",
            rule!("F-1"),
            format!("{} plays {}", side_name(t, side), chit_name(t, chit)),
        )
    });
    if let Some(event) = rules(t).event(chit) {
        events::happen(t, side, event);
    }
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Select(_, left) => format!("Which event goes into the cup? ({left} to choose)"),
        Frame::Hold(_) => "Do you play a chit before the next is drawn?".into(),
        Frame::LastHolds(..) => "Do you play a chit before the turn ends?".into(),
        Frame::Event(_, chit) => format!(
            "You have drawn {}. What do you do with it?",
            chit_name(t, chit)
        ),
        _ => "?".into(),
    }
}
