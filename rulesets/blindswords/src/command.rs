//! §F-4 A general's chit, §G the activation it allows, §H the order he gives.

use crate::acts::Do;
use crate::chits::{discard, held, holds};
use crate::engine::{Answer, Question, chit_name, pop, push, swap};
use crate::field::{Field, names, rules, status_mut};
use crate::fire::has_target;
use crate::hits::shake;
use crate::march::{bar, under};
use crate::rally;
use crate::rules::{Brigade, Division, Happening, Kind, Meaning, NOBODY, Order, Span};
use crate::shown::roll;
use crate::state::{Affairs, Commanding, Frame, Stack, boxes};
use crate::tables::{Level, RATINGS};
use crate::units::Units;
use cupola_cup::Chit;
use cupola_kernel::{Event, Fault, Options, Place, Side, Table, UnitId, rule};

/// Whether a unit can be activated: it is on the map or about to enter, or broken and might rally.
fn activatable(field: Field, unit: UnitId) -> bool {
    match field.t.stacks().place(unit) {
        Place::Hex(_) => !field.status(unit).frozen,
        Place::Box(boxes::ENTRY) => field.card(unit).kind != Kind::Guns,
        Place::Box(boxes::BROKEN) => field.card(unit).kind == Kind::Foot,
        Place::Box(_) => false,
    }
}

pub(crate) fn any_active(field: Field, units: Units) -> bool {
    units.into_iter().any(|unit| activatable(field, unit))
}

/// Whether a general commands a division.
fn commands(span: Span, index: usize, division: &Division) -> bool {
    match span {
        Span::Division(own) => usize::from(own) == index,
        Span::Corps(corps) => division.corps == corps || division.shared >> corps & 1 == 1,
    }
}

/// Whether a general commands a brigade; corps artillery answers to the corps alone.
pub fn commands_brigade(field: Field, span: Span, brigade: &Brigade) -> bool {
    let of_division = || {
        let division = usize::from(brigade.division);
        field
            .rules
            .divisions
            .get(division)
            .is_some_and(|d| commands(span, division, d))
    };
    match span {
        Span::Corps(corps) if brigade.corps == corps => true,
        _ => brigade.division != NOBODY && of_division(),
    }
}

fn span_of(t: &Table, chit: Chit) -> Option<Span> {
    match rules(t).chit(chit).meaning {
        Meaning::General { span, .. } => Some(span),
        _ => None,
    }
}

/// The question whether a Command roll is made again.
const AGAIN: &str = "roll-again";

/// Whether a side may have a Command roll made again (§O).
fn rolls_again(t: &Table, side: Side) -> bool {
    let stand_in = rules(t).stand_in.as_ref();
    stand_in.is_some_and(|stand_in| stand_in.side == side) && t.res::<Affairs>().stand_in
}

/// Who has Command rolls made again, for people.
pub fn deputy(t: &Table) -> &str {
    let stand_in = rules(t).stand_in.as_ref();
    stand_in.map_or("he", |stand_in| stand_in.name.as_str())
}

/// The units of lowest cohesion among those of a formation that act (§Fatigue).
fn lowest(field: Field, units: Units) -> Units {
    let here = units.filter(|unit| field.t.hex(unit).is_some() && !field.status(unit).frozen);
    let low = here.into_iter().map(|unit| field.cr(unit)).min();
    here.filter(|unit| Some(field.cr(unit)) == low)
}

/// What the frames of command ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let field = Field::new(t);
    match *frame {
        Frame::Command(general) => ask_command(t, general),
        Frame::Formation(side, ..) => Some((side, "formation", "F-4")),
        Frame::Brigades(side, left) => any_active(field, left).then_some((side, "brigade", "F-4")),
        Frame::Orders(side, _) => Some((side, "order", "H")),
        Frame::Fatigue(side, ..) if holds(t, side.other()) => {
            Some((side.other(), "fatigue", "F-1"))
        }
        Frame::Stragglers(units, left) if left > 0 => {
            let low = lowest(field, units);
            let owner = low.first().map(|unit| field.card(unit).side);
            owner
                .filter(|_| low.count() > u32::from(left))
                .map(|side| (side, "stragglers", "F-1"))
        }
        _ => None,
    }
}

/// What is asked before a general's die stands: his enemy about Vague Orders (§Vague), his side about rolling again (§O).
fn ask_command(t: &Table, general: Commanding) -> Question {
    match general.die {
        None if !general.asked && general.side == Side::Second && holds(t, Side::First) => {
            Some((Side::First, "vague-orders", "F-1"))
        }
        Some((1..=6, false)) => Some((general.side, AGAIN, "O")),
        _ => None,
    }
}

/// Rolls for a general, or takes the die that stands.
fn go_command(t: &mut Table, general: Commanding) {
    let die = match general.die {
        _ if !general.asked => {
            let asked = true;
            return swap(t, Frame::Command(Commanding { asked, ..general }));
        }
        // §F-3: friction makes it a 1, and there is no roll.
        None if general.friction => (1, true),
        None | Some((0, _)) => {
            let Some([roll, ..]) = roll(t, 1, "command", rules(t).chit_token(general.chit)) else {
                return;
            };
            let again = general.die.is_some() || t.res::<Stack>().forced;
            (roll, again || !rolls_again(t, general.side))
        }
        Some((die, _)) => return ordered(t, general, die),
    };
    let die = Some(die);
    swap(t, Frame::Command(Commanding { die, ..general }));
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Result<(), Fault> {
    match frame {
        Frame::Command(general) => go_command(t, general),
        Frame::Fatigue(side, units, order) => swap(t, Frame::Activation(side, units, order, 0, 0)),
        Frame::FatigueRoll(side, units, order) => {
            let Some([black, white, ..]) = roll(t, 2, "fatigue", side.other()) else {
                return Ok(());
            };
            // Black takes points away, white makes stragglers (§Fatigue).
            swap(t, Frame::Activation(side, units, order, black, 0));
            let stragglers = match white {
                0..=3 => 0,
                4 | 5 => 1,
                _ => 2,
            };
            t.say(|_| {
                let text = format!("fatigue: {black} points less, {stragglers} units straggle");
                Event::new("fatigue", rule!("F-1"), text)
                    .number(black)
                    .number(white)
            });
            push(t, Frame::Stragglers(units, stragglers));
        }
        Frame::Stragglers(units, left) => {
            match lowest(Field::new(t), units).first().filter(|_| left > 0) {
                Some(unit) => straggle(t, units, left, unit),
                None => pop(t),
            }
        }
        Frame::Activation(side, units, order, less, step) => {
            activate(t, side, units, order, less, step)
        }
        _ => pop(t),
    }
    Ok(())
}

/// Who straggles is shaken (§Fatigue).
fn straggle(t: &mut Table, units: Units, left: u8, unit: UnitId) {
    swap(t, Frame::Stragglers(units.without(unit), left - 1));
    if let Some(hex) = t.hex(unit) {
        shake(t, unit, hex);
    }
}

/// The die stands: how far the orders go (§G-1, §F-4).
fn ordered(t: &mut Table, general: Commanding, die: u8) {
    let Commanding {
        side, chit, rating, ..
    } = general;
    let level =
        rules(t).charts.command[usize::from(rating.clamp(0, 4) as u8)][usize::from(die - 1)];
    t.say(|t| {
        let (name, rating) = (
            chit_name(t, chit),
            RATINGS[usize::from(rating.clamp(0, 4) as u8)],
        );
        // §F-3: nothing was rolled.
        let (rule, how) = if general.friction {
            (
                rule!("F-3"),
                format!("does not roll, by Friction it is {die}"),
            )
        } else {
            (rule!("F-4"), format!("rolls {die}"))
        };
        let text = format!("{name} ({rating}) {how}: {}", level.name());
        Event::new("command", rule, text).number(die)
    });
    if level == Level::None {
        pop(t);
    } else {
        swap(t, Frame::Formation(side, chit, level));
    }
}

/// The steps of an activation, one after the other (§G).
fn activate(t: &mut Table, side: Side, units: Units, order: Order, less: u8, step: u8) {
    swap(t, Frame::Activation(side, units, order, less, step + 1));
    let field = Field::new(t);
    let active = units.filter(|unit| !field.status(unit).frozen);
    match step {
        // §G-2
        0 if order != Order::Maneuver => push(t, Frame::FireStep(side, active, order)),
        1 => {
            // Artillery moves in its own phase only (§E).
            let movers = active.filter(|unit| field.card(unit).kind != Kind::Guns);
            units
                .into_iter()
                .for_each(|unit| status_mut(t, unit).broke_through = 0);
            bar(t, movers);
            push(t, Frame::MoveStep(movers, under(side, order, less)));
        }
        // §G-4
        2 if order == Order::Attack => {
            let stack = t.res_mut::<Stack>();
            stack.declared.clear();
            stack.assaulted.clear();
            push(t, Frame::Declare(side, active));
        }
        // §G-5
        3 if order == Order::Defend => rally::begin(t, side, active),
        0..=3 => {}
        _ => pop(t),
    }
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let (field, rules) = (Field::new(t), rules(t));
    match *frame {
        Frame::Command(general) if !general.asked => {
            if let Some(chit) = held(t, Side::First, Happening::Vague) {
                out.push(Do::Play(rules.chit_token(chit)));
            }
            out.push(Do::Done);
        }
        Frame::Command(_) => {
            out.push(Do::Yes);
            out.push(Do::Done);
        }
        Frame::Formation(_, chit, level) => formations(field, span_of(t, chit), level, out),
        Frame::Brigades(_, left) => {
            for (i, brigade) in rules.brigades.iter().enumerate() {
                if any_active(field, brigade.units.and(left)) {
                    out.push(Do::Brigade(rules.brigade_token(i)));
                }
            }
            out.push(Do::Done);
        }
        Frame::Orders(..) => Order::ALL
            .iter()
            .for_each(|&order| out.push(Do::Order(rules.order_token(order)))),
        Frame::Fatigue(side, ..) => {
            if let Some(chit) = held(t, side.other(), Happening::Fatigue) {
                out.push(Do::Play(rules.chit_token(chit)));
            }
            out.push(Do::Done);
        }
        Frame::Stragglers(units, _) => {
            lowest(field, units).for_each(|unit| out.push(Do::Unit(unit)))
        }
        _ => {}
    }
}

/// What a general may activate at a level (§F-4).
fn formations(field: Field, span: Option<Span>, level: Level, out: &mut Options) {
    let (rules, Some(span)) = (field.rules, span) else {
        return;
    };
    if level == Level::Slow {
        for (i, brigade) in rules.brigades.iter().enumerate() {
            if !brigade.guns
                && commands_brigade(field, span, brigade)
                && any_active(field, brigade.units)
            {
                out.push(Do::Brigade(rules.brigade_token(i)));
            }
        }
    } else {
        let own = |i: usize, division: &Division| {
            commands(span, i, division) && any_active(field, division.units)
        };
        for (i, division) in rules.divisions.iter().enumerate() {
            if own(i, division) {
                out.push(Do::Division(rules.division_token(i)));
                if level == Level::Efficient {
                    out.push(Do::Separate(rules.division_token(i)));
                }
            }
        }
    }
    for (i, brigade) in rules.brigades.iter().enumerate() {
        let fires = brigade.guns && commands_brigade(field, span, brigade);
        if fires
            && brigade
                .units
                .into_iter()
                .any(|unit| has_target(field, unit))
        {
            out.push(Do::Guns(rules.brigade_token(i)));
        }
    }
    out.push(Do::Done);
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    let wrong = crate::engine::not_asked;
    match (frame, answer) {
        (Frame::Command(general), answer) => return take_command(t, general, answer),
        (Frame::Formation(side, ..), Do::Brigade(token)) => {
            let brigade = rules(t).brigade_of(token).ok_or_else(wrong)?;
            let units = rules(t).brigades[brigade].units;
            swap(t, Frame::Orders(side, units));
        }
        (Frame::Formation(side, ..), Do::Division(token) | Do::Separate(token)) => {
            let division = rules(t).division_of(token).ok_or_else(wrong)?;
            let units = rules(t).divisions[division].units;
            let together = matches!(answer, Do::Division(_));
            swap(
                t,
                if together {
                    Frame::Orders(side, units)
                } else {
                    Frame::Brigades(side, units)
                },
            );
        }
        (Frame::Formation(side, ..), Do::Guns(token)) => {
            let brigade = rules(t).brigade_of(token).ok_or_else(wrong)?;
            let units = rules(t).brigades[brigade].units;
            swap(t, Frame::FireStep(side, units, Order::None));
        }
        (Frame::Formation(..) | Frame::Brigades(..), Do::Done) => pop(t),
        (Frame::Brigades(side, left), Do::Brigade(token)) => {
            let brigade = rules(t).brigade_of(token).ok_or_else(wrong)?;
            let units = rules(t).brigades[brigade].units;
            swap(t, Frame::Brigades(side, left.minus(units)));
            push(t, Frame::Orders(side, units));
        }
        (Frame::Orders(side, units), Do::Order(token)) => {
            let order = rules(t).order_of(token).ok_or_else(wrong)?;
            t.say(|t| {
                let on_map = units.filter(|unit| t.hex(unit).is_some());
                Event::new(
                    "order",
                    rule!("H"),
                    format!("{}: {}", order.name(), names(t, on_map)),
                )
            });
            swap(t, Frame::Fatigue(side, units, order));
        }
        (Frame::Fatigue(side, units, order), Do::Play(token)) => {
            let chit = rules(t).chit_of(token).ok_or_else(wrong)?;
            discard(t, chit);
            swap(t, Frame::FatigueRoll(side, units, order));
        }
        (Frame::Fatigue(side, units, order), Do::Done) => {
            swap(t, Frame::Activation(side, units, order, 0, 0))
        }
        (Frame::Stragglers(units, left), Do::Unit(unit)) => straggle(t, units, left, unit),
        _ => return Err(wrong()),
    }
    Ok(())
}

/// The enemy plays Vague Orders or not; then the die is rolled again or not.
fn take_command(t: &mut Table, general: Commanding, answer: Do) -> Answer {
    let mut after = general;
    if !general.asked {
        after.asked = true;
        if let Do::Play(token) = answer {
            let wrong = crate::engine::not_asked;
            let played = rules(t).chit_of(token).ok_or_else(wrong)?;
            discard(t, played);
            after.rating = vague(t, general.chit, general.rating);
        }
    } else if let Some((die, _)) = general.die {
        // A die of nought is one to be rolled again, and then it stands.
        let die = if answer == Do::Yes { 0 } else { die };
        after.die = Some((die, true));
    }
    swap(t, Frame::Command(after));
    Ok(())
}

/// Vague Orders: so many levels less by the general's corps, never below the worst.
fn vague(t: &mut Table, chit: Chit, rating: i8) -> i8 {
    let corps = match span_of(t, chit) {
        Some(Span::Corps(corps)) => corps,
        Some(Span::Division(division)) => rules(t).divisions[usize::from(division)].corps,
        None => NOBODY,
    };
    let less = rules(t).vague.get(usize::from(corps)).copied().unwrap_or(0);
    t.say(|t| {
        Event::new(
            "vague",
            rule!("F-1"),
            format!("vague orders: {} loses {less} levels", chit_name(t, chit)),
        )
    });
    (rating - less).max(0)
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Command(Commanding {
            chit, asked: false, ..
        }) => format!("{} is drawn. Do you play a chit?", chit_name(t, chit)),
        Frame::Command(Commanding { chit, die, .. }) => {
            let die = die.map_or(0, |(die, _)| die);
            format!(
                "{} has rolled {die}. Does {} have it rolled again?",
                chit_name(t, chit),
                deputy(t)
            )
        }
        Frame::Formation(_, chit, level) => format!(
            "{}: {} orders. Who is activated?",
            chit_name(t, chit),
            level.name()
        ),
        Frame::Brigades(..) => "Which brigade comes next?".into(),
        Frame::Orders(..) => "Which order?".into(),
        Frame::Fatigue(_, _, order) => format!(
            "The enemy has orders: {}. Do you play a chit?",
            order.name()
        ),
        Frame::Stragglers(..) => "Which unit straggles?".into(),
        _ => "?".into(),
    }
}
