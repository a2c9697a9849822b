//! §I-6-d What results do to units: shaken, depleted, broken, skedaddles and the panic they spread.

use crate::acts::Do;
use crate::engine::{Answer, Question, pop, push, swap};
use crate::field::{Field, break_unit, label, name, occupy, status_mut};
use crate::rules::Kind;
use crate::shown::roll;
use crate::state::Frame;
use crate::tables::{Effect, Flight, Hit};
use crate::units::Units;
use cupola_kernel::{Event, Fault, HexId, Options, Refusal, Table, UnitId, rule};

/// A retreat that finds no room for so long ends the unit (§I-6-d).
const LONGEST: u8 = 20;

/// Shaken: a second time depletes; a cheer wards it off once.
pub fn shake(t: &mut Table, unit: UnitId, by: HexId) {
    let status = status_mut(t, unit);
    if status.cheered {
        status.cheered = false;
    } else if status.shaken {
        status.shaken = false;
        deplete(t, unit, by);
    } else {
        status.shaken = true;
    }
}

/// Depleted: to the battleworn side, or a Break Test for a unit that is there already (§A-h).
pub fn deplete(t: &mut Table, unit: UnitId, by: HexId) {
    let horse = Field::new(t).card(unit).kind == Kind::Horse;
    let status = status_mut(t, unit);
    status.cheered = false;
    if horse || status.worn {
        push(t, Frame::Break(unit, by));
    } else {
        (status.worn, status.shaken) = (true, false);
        t.say(|t| {
            Event::new(
                "depleted",
                rule!("I-6-d"),
                format!("{} is depleted", name(t, unit)),
            )
            .unit(unit)
        });
    }
}

/// Where a unit may retreat one hex: only hexes of the best kind that there is.
pub struct Retreats {
    hexes: [HexId; 6],
    count: usize,
}

impl Retreats {
    /// From where it stands, away from an enemy's hex.
    #[must_use]
    pub fn of(field: Field, unit: UnitId, from: HexId) -> Retreats {
        let mut found = Retreats {
            hexes: [HexId(0); 6],
            count: 0,
        };
        let Some(here) = field.t.hex(unit) else {
            return found;
        };
        let side = field.card(unit).side;
        let now = field.rules.distance(here, from);
        let mut best = u8::MAX;
        for hex in field.rules.around(here) {
            let then = field.rules.distance(hex, from);
            if then < now || field.holder(hex) == Some(side.other()) {
                continue;
            }
            // Farther before beside; and not into engagement, unless it cannot be helped.
            let kind = 2 * u8::from(then == now) + u8::from(field.engaged(side, hex));
            if kind < best {
                (best, found.count) = (kind, 0);
            }
            if kind == best {
                found.hexes[found.count] = hex;
                found.count += 1;
            }
        }
        found.hexes[..found.count].sort_unstable();
        found
    }

    /// The hexes.
    #[must_use]
    pub fn hexes(&self) -> &[HexId] {
        &self.hexes[..self.count]
    }
}

/// What the frames of results ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let field = Field::new(t);
    let side = |unit: UnitId| field.card(unit).side;
    let here = |unit: UnitId| t.hex(unit).is_some();
    match *frame {
        Frame::Suffer(unit, effect, ..) if here(unit) && matches!(effect.flight, Flight::Or(_)) => {
            Some((side(unit), "cohesion", "I-6-d"))
        }
        Frame::Flee(unit, effect, ..) if here(unit) && matches!(effect.flight, Flight::May(_)) => {
            Some((side(unit), "skedaddle", "I-6-d"))
        }
        Frame::Run(unit, left, from, ..) if here(unit) && left > 0 => {
            (Retreats::of(field, unit, from).count > 1).then_some((side(unit), "retreat", "I-6-d"))
        }
        Frame::Withdraw(unit, left, from) if here(unit) && left > 0 => {
            (Retreats::of(field, unit, from).count > 0).then_some((side(unit), "withdrawal", "K-3"))
        }
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Result<(), Fault> {
    match frame {
        Frame::Suffer(unit, effect, by, exempt) => {
            swap(t, Frame::Flee(unit, effect, by, exempt));
            if t.hex(unit).is_none() {
                pop(t);
                return Ok(());
            }
            match effect.hit {
                Hit::None => {}
                Hit::Shaken => shake(t, unit, by),
                Hit::Depleted => deplete(t, unit, by),
                Hit::Broken => break_unit(t, unit, by),
            }
        }
        Frame::Flee(unit, effect, by, exempt) => match effect.flight {
            Flight::Must(hexes) if t.hex(unit).is_some() => {
                swap(t, Frame::Run(unit, hexes, by, 0, exempt))
            }
            _ => pop(t),
        },
        Frame::Aftermath(hex, by, broke) => {
            pop(t);
            if broke {
                let units = Field::new(t).units(hex);
                units
                    .into_iter()
                    .for_each(|unit| push(t, Frame::Panic(unit, by)));
            }
        }
        Frame::Break(unit, by) => test(t, unit, by, true),
        Frame::Panic(unit, by) => test(t, unit, by, false),
        Frame::Run(unit, left, from, gone, exempt) => run_on(t, unit, left, from, gone, exempt),
        Frame::Withdraw(unit, left, from) => {
            let field = Field::new(t);
            let crowded = t.hex(unit).is_some_and(|hex| !field.fits(unit, hex));
            // It may not stop where there is no room.
            if left == 0 && crowded && Retreats::of(field, unit, from).count > 0 {
                swap(t, Frame::Withdraw(unit, 1, from));
            } else {
                pop(t);
            }
        }
        _ => pop(t),
    }
    Ok(())
}

/// A Break Test or a Panic Test: a die against cohesion.
fn test(t: &mut Table, unit: UnitId, by: HexId, breaks: bool) {
    if t.hex(unit).is_none() {
        return pop(t);
    }
    let purpose = if breaks { "break test" } else { "panic test" };
    let Some([die, ..]) = roll(t, 1, purpose, unit) else {
        return;
    };
    let cr = Field::new(t).cr(unit);
    t.say(|t| {
        let text = format!("{purpose} of {}: {die} against {cr}", name(t, unit));
        Event::new("test", rule!("I-6-d"), text)
            .unit(unit)
            .number(die)
    });
    pop(t);
    match (die as i8).cmp(&cr) {
        std::cmp::Ordering::Less => {}
        std::cmp::Ordering::Equal => shake(t, unit, by),
        std::cmp::Ordering::Greater if breaks => break_unit(t, unit, by),
        std::cmp::Ordering::Greater => {
            push(t, Frame::Suffer(unit, Effect::SHAKEN_RUN, by, Units::NONE))
        }
    }
}

/// A retreat without a choice: the only hex, the end of it, or the end of the unit.
fn run_on(t: &mut Table, unit: UnitId, left: u8, from: HexId, gone: u8, exempt: Units) {
    let Some(hex) = t.hex(unit) else {
        return pop(t);
    };
    let field = Field::new(t);
    if left == 0 {
        if field.fits(unit, hex) {
            return pop(t);
        }
        // It may not stop where there is no room.
        if gone < LONGEST {
            return swap(t, Frame::Run(unit, 1, from, gone, exempt));
        }
    }
    match Retreats::of(field, unit, from).hexes() {
        [only] if gone < LONGEST => {
            let only = *only;
            step(t, unit, left, from, gone, exempt, only);
        }
        _ => {
            pop(t);
            break_unit(t, unit, from);
        }
    }
}

fn step(t: &mut Table, unit: UnitId, left: u8, from: HexId, gone: u8, exempt: Units, to: HexId) {
    swap(
        t,
        Frame::Run(unit, left.saturating_sub(1), from, gone + 1, exempt),
    );
    let others = Field::new(t).units(to).minus(exempt);
    // Whoever runs is out of the chaos (§F-2).
    status_mut(t, unit).frozen = false;
    occupy(t, unit, to);
    t.say(|t| {
        Event::new(
            "retreat",
            rule!("I-6-d"),
            format!("{} runs to {}", name(t, unit), label(t, to)),
        )
        .unit(unit)
        .hex(to)
    });
    others
        .into_iter()
        .for_each(|other| push(t, Frame::Panic(other, from)));
    let field = Field::new(t);
    if field.engaged(field.card(unit).side, to) {
        shake(t, unit, from);
    }
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    match *frame {
        Frame::Suffer(..) => {
            out.push(Do::Shaken);
            out.push(Do::Run);
        }
        Frame::Flee(..) => {
            out.push(Do::Run);
            out.push(Do::Done);
        }
        Frame::Run(unit, _, from, ..) => {
            Retreats::of(Field::new(t), unit, from)
                .hexes()
                .iter()
                .for_each(|&hex| out.push(Do::Step(hex)));
        }
        Frame::Withdraw(unit, _, from) => {
            Retreats::of(Field::new(t), unit, from)
                .hexes()
                .iter()
                .for_each(|&hex| out.push(Do::Step(hex)));
            if t.hex(unit).is_some_and(|hex| Field::new(t).fits(unit, hex)) {
                out.push(Do::Done);
            }
        }
        _ => {}
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Suffer(unit, effect, by, exempt), Do::Shaken) => {
            swap(
                t,
                Frame::Suffer(
                    unit,
                    Effect {
                        flight: Flight::None,
                        ..effect
                    },
                    by,
                    exempt,
                ),
            );
        }
        (Frame::Suffer(unit, effect, by, exempt), Do::Run) => {
            let Flight::Or(hexes) = effect.flight else {
                return Err(crate::engine::not_asked());
            };
            swap(t, Frame::Run(unit, hexes, by, 0, exempt));
        }
        (Frame::Flee(unit, effect, by, exempt), Do::Run) => {
            let Flight::May(hexes) = effect.flight else {
                return Err(crate::engine::not_asked());
            };
            swap(t, Frame::Run(unit, hexes, by, 0, exempt));
        }
        (Frame::Flee(..) | Frame::Withdraw(..), Do::Done) => pop(t),
        (Frame::Run(unit, left, from, gone, exempt), Do::Step(hex)) => {
            step(t, unit, left, from, gone, exempt, hex)
        }
        (Frame::Withdraw(unit, left, from), Do::Step(hex)) => {
            swap(t, Frame::Withdraw(unit, left - 1, from));
            status_mut(t, unit).frozen = false;
            occupy(t, unit, hex);
        }
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// Why an answer is not on the list.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let (Frame::Run(unit, _, from, ..) | Frame::Withdraw(unit, _, from), Do::Step(hex)) =
        (*frame, answer)
    else {
        return None;
    };
    let field = Field::new(t);
    let here = t.hex(unit)?;
    let side = field.card(unit).side;
    let why = if field.rules.edge(here, hex).is_none() {
        "the hex is not next to it, or off the map"
    } else if field.holder(hex) == Some(side.other()) {
        "the enemy holds the hex"
    } else if field.rules.distance(hex, from) < field.rules.distance(here, from) {
        "it would come nearer to the enemy that it runs from"
    } else {
        "there is a better hex: farther away, or not next to an enemy"
    };
    Some(Refusal::new(rule!("I-6-d"), why))
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Suffer(unit, ..) => format!("{}: shaken, or back?", name(t, unit)),
        Frame::Flee(unit, ..) => format!("Does {} also skedaddle?", name(t, unit)),
        Frame::Run(unit, ..) => format!("Where does {} run?", name(t, unit)),
        Frame::Withdraw(unit, ..) => format!("Where does {} withdraw?", name(t, unit)),
        _ => "?".into(),
    }
}
