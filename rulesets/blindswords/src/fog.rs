//! §F-2 The Fog of War table.

use crate::acts::Do;
use crate::engine::{Answer, Question, chit_name, pop, push};
use crate::field::{Field, label, name, rules, status_mut};
use crate::march::{can_step, one_hex, start};
use crate::rules::{FogResult, Meaning};
use crate::shown::roll;
use crate::state::{Affairs, Chits, Frame, Returned};
use cupola_cup::{Chit, Spot, pick_into};
use cupola_kernel::{Event, Fault, Options, Side, Table, rule};

/// What the frames of fog ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let field = Field::new(t);
    match *frame {
        Frame::Chaos(side) => field
            .on_map(side)
            .next()
            .map(|_| (side.other(), "chaos", "F-2")),
        Frame::Wayward(side) => {
            let march = one_hex(side.other());
            let mut units = field.rules.sides[side];
            units
                .any(|unit| t.hex(unit).is_some() && can_step(field, unit, march))
                .then_some((side.other(), "wayward", "F-2"))
        }
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Result<(), Fault> {
    match frame {
        // The Union rolls (§F-2).
        Frame::Fog => {
            let Some([black, white, ..]) = roll(t, 2, "fog of war", Side::First) else {
                return Ok(());
            };
            pop(t);
            let result = rules(t).fog[usize::from(black - 1) * 6 + usize::from(white - 1)];
            t.say(|_| {
                Event::new("fog", rule!("F-2"), format!("fog of war: {black}{white}"))
                    .number(black)
                    .number(white)
            });
            apply(t, result);
        }
        Frame::SharedLine => {
            let Some([die, ..]) = roll(t, 1, "which general", Side::First) else {
                return Ok(());
            };
            pop(t);
            let shared = rules(t).shared_line.as_ref();
            let chit = shared.map(|line| line.among[usize::from((die - 1) / 2)]);
            if let Some(chit) = chit {
                casualty(t, chit);
            }
        }
        _ => pop(t),
    }
    Ok(())
}

/// What a line of the table does (§F-2); the first to fall may be given (§O, not §N-casualties).
fn apply(t: &mut Table, result: FogResult) {
    match result {
        FogResult::Chaos(side) => push(t, Frame::Chaos(side)),
        FogResult::Wayward(side) => push(t, Frame::Wayward(side)),
        FogResult::Fortunes(side) => fortunes(t, side),
        FogResult::Casualty(side, chit) => {
            let first = rules(t)
                .first_casualties
                .filter(|_| !t.res::<Affairs>().fallen[side as usize]);
            t.res_mut::<Affairs>().fallen[side as usize] = true;
            match (first, chit) {
                (Some(first), _) => casualty(t, first[side]),
                (None, Some(chit)) if is_shared(t, chit) => push(t, Frame::SharedLine),
                (None, Some(chit)) => casualty(t, chit),
                (None, None) => {}
            }
        }
    }
}

/// Whether a general's line is shared out: one of the groups that share it is in the game.
fn is_shared(t: &Table, chit: Chit) -> bool {
    let came = t.res::<Affairs>().came;
    rules(t).shared_line.as_ref().is_some_and(|line| {
        let mut groups = line.with.iter();
        line.general == chit && groups.any(|&group| came[usize::from(group)].is_some())
    })
}

/// A used or excluded chit goes back into the cup, unseen (§F-2).
fn fortunes(t: &mut Table, side: Side) {
    let bits = |wanted: &dyn Fn(&crate::rules::ChitCard) -> bool| {
        let all = rules(t)
            .chits
            .iter()
            .enumerate()
            .filter(|(_, chit)| wanted(chit));
        all.fold(0u64, |bits, (i, _)| bits | 1 << i)
    };
    let own = bits(&|chit| chit.side == Some(side));
    let friction = bits(&|chit| matches!(chit.meaning, Meaning::Friction(_)));
    let which = move |chit: Chit, spot: Spot| match spot {
        Spot::Used => (own | friction) >> chit.0 & 1 == 1,
        Spot::Excluded => own >> chit.0 & 1 == 1,
        _ => false,
    };
    let cup = &t.res::<Chits>().cup;
    let all = (0..cup.len() as u8).map(Chit);
    let among = all
        .filter(|&chit| which(chit, cup.spot(chit)))
        .fold(0, |bits, chit| bits | 1 << chit.0);
    if let Some(chit) = pick_into::<Chits>(t, which, Spot::Cup, "fortunes of war", side) {
        let known = 0;
        let returned = Returned { chit, among, known };
        t.res_mut::<Chits>().returned.push(returned);
    }
    t.reveal();
    t.say(|_| {
        Event::new(
            "fortunes",
            rule!("F-2"),
            "fortunes of war: a chit goes back into the cup",
        )
    });
}

/// A general falls, or comes back from his wounds (§F-2).
pub fn casualty(t: &mut Table, chit: Chit) {
    let replacement = Chit(chit.0 + rules(t).generals.1);
    let now = t.turn();
    // Whom the battle's deputy would replace.
    let side = rules(t).stand_in.as_ref().map(|stand_in| stand_in.side);
    let firsts = rules(t).first_casualties;
    let head = firsts.zip(side).map(|(firsts, side)| firsts[side]) == Some(chit);
    let chits = t.res_mut::<Chits>();
    let text = if chits.cup.spot(chit) != Spot::Out {
        chits.replace(chit, replacement);
        if head {
            t.res_mut::<Affairs>().fell = Some(now);
        }
        "falls"
    } else if chits.cup.spot(replacement) != Spot::Out {
        chits.replace(replacement, chit);
        "recovers from his wounds"
    } else {
        "is not on the field"
    };
    t.say(|t| {
        Event::new(
            "casualty",
            rule!("F-2"),
            format!("{} {text}", chit_name(t, chit)),
        )
    });
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let field = Field::new(t);
    match *frame {
        Frame::Chaos(side) => field
            .held(side)
            .into_iter()
            .for_each(|hex| out.push(Do::At(hex))),
        Frame::Wayward(side) => {
            let march = one_hex(side.other());
            let units = field.rules.sides[side]
                .filter(|unit| t.hex(unit).is_some() && can_step(field, unit, march));
            units.into_iter().for_each(|unit| out.push(Do::Unit(unit)));
        }
        _ => {}
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Chaos(_), Do::At(hex)) => {
            pop(t);
            Field::new(t)
                .units(hex)
                .into_iter()
                .for_each(|unit| status_mut(t, unit).frozen = true);
            t.say(|t| {
                Event::new("chaos", rule!("F-2"), format!("chaos in {}", label(t, hex))).hex(hex)
            });
        }
        (Frame::Wayward(side), Do::Unit(unit)) => {
            pop(t);
            t.say(|t| {
                Event::new(
                    "wayward",
                    rule!("F-2"),
                    format!("{} goes astray", name(t, unit)),
                )
                .unit(unit)
            });
            start(t, unit, one_hex(side.other()));
        }
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// A question in words.
#[must_use]
pub fn prompt(_: &Table, frame: &Frame) -> String {
    match frame {
        Frame::Chaos(_) => "Which enemy hex falls into chaos?".into(),
        Frame::Wayward(_) => "Which enemy unit goes astray?".into(),
        _ => "?".into(),
    }
}
