//! §4 Events: sixteen cards, each with a side for either army.

use crate::field::{
    change_morale, check_sudden_death, enemies_near, name, near_enemy, on_map, ratings, rules,
};
use crate::leaders;
use crate::rally::{self, Do};
use crate::reinforce;
use crate::rules::{EventCard, Happening};
use crate::state::{Armies, Boost, Marker, Orders, Rally, Status, boxes};
use crate::tokens;
use cupola_kernel::{
    Act, Acts, Ask, Event, Fault, Needs, Options, Phase, Place, Refusal, Side, Step, Table, UnitId,
    rule,
};

/// The Event Phase.
pub struct Events;

/// What a card gives or takes for a player turn ends with that turn, for both sides, whichever phase
/// the next one begins with (§4): every phase calls this when it begins.
pub fn turn_begins(t: &mut Table) {
    let now = t.player_turn().map(|side| (t.turn(), side));
    if t.res::<Orders>().of == now {
        return;
    }
    *t.res_mut::<Orders>() = Orders {
        of: now,
        ..Orders::default()
    };
    t.change_all::<Status>(|status| (status.boost, status.halted) = (Boost::None, false));
}

/// Draws a card; a deck that has run out is shuffled.
fn draw(t: &mut Table, side: Side) {
    let cards = rules(t).deck.len();
    let full = (1u32 << cards) - 1;
    let armies = t.res_mut::<Armies>();
    if u32::from(armies.discard) == full {
        armies.discard = 0;
    }
    let known = armies.next.take();
    let left: Vec<u8> = (0..cards as u8)
        .filter(|card| armies.discard & (1 << card) == 0)
        .collect();
    let card = known.unwrap_or_else(|| blindly(t, side, &left));
    let armies = t.res_mut::<Armies>();
    armies.discard |= 1 << card;
    armies.card = Some(card);
    let EventCard { number, sides } = &rules(t).deck[usize::from(card)];
    let (number, happening) = (*number, sides[side].clone());
    t.say(|_| {
        let about = happening.1.about();
        let text = format!("card {number}: {}. {about}", happening.0);
        Event::new("card", rule!("4"), text).number(i32::from(number))
    });
    happen(t, side, &happening.1);
}

/// One of these cards, by the number that it bears and not by its place in the deck: a card more or less
/// changes only the draws in which it would be drawn.
fn blindly(t: &mut Table, side: Side, left: &[u8]) -> u8 {
    let deck = &rules(t).deck;
    let number = |card: &u8| u16::from(deck[usize::from(*card)].number);
    let names: Vec<u16> = left.iter().map(number).collect();
    left[t.with_dice(|_, dice| dice.draw_from(&names, "event card", side.into()))]
}

/// Carries out a card, or notes what it asks for.
fn happen(t: &mut Table, side: Side, happening: &Happening) {
    let now = t.turn();
    match happening {
        Happening::EarlyArrival => reinforce::reschedule(t, side, now + 1, now),
        Happening::ReinforcementsDelayed => reinforce::reschedule(t, side, now, now + 1),
        Happening::PoorLeadership(units) => {
            if let Some(unit) = by_die(t, side, units, "poor leadership") {
                halt(t, unit);
            }
        }
        Happening::GoodLeadership(units) => {
            if let Some(unit) = by_die(t, side, units, "good leadership") {
                inspire(t, unit);
            }
        }
        Happening::GoodLeadershipOfCorps(corps) => {
            let all: Vec<UnitId> = rules(t)
                .units_of(side)
                .filter(|&u| rules(t).card(u).corps == Some(corps - 1))
                .collect();
            all.into_iter().for_each(|unit| inspire(t, unit));
        }
        Happening::NoCombining => t.res_mut::<Orders>().no_combining = true,
        Happening::CorpsHalted => {
            let any = named_corps(t, side).next().is_some();
            t.res_mut::<Orders>().conflict = any;
        }
        Happening::Quiet => t.res_mut::<Armies>().discard = 0,
        Happening::FreeReserves => t.res_mut::<Orders>().free_reserves = true,
        Happening::DoubleTime => t.res_mut::<Orders>().double_time = true,
        Happening::Respite => respite(t, side),
        Happening::ToTheColors => rally::open(t),
        Happening::AmmunitionShortage => {
            for marker in &mut t.res_mut::<Armies>().guns {
                *marker = match *marker {
                    Marker::Ready => Marker::Due(now + 1),
                    Marker::Due(round) => Marker::Due(round + 1),
                    Marker::Out => Marker::Out,
                };
            }
        }
        Happening::BolsteredMorale | Happening::WaveringMorale => level_morale(t, happening),
        Happening::CommandersInitiative => t.res_mut::<Orders>().initiative = true,
        Happening::FastCouriers => t.res_mut::<Orders>().couriers = true,
        Happening::CommanderShot => {
            t.res_mut::<Orders>().shot = any_target(t, side);
        }
        Happening::MassedBombardment => t.res_mut::<Orders>().bombardment = true,
    }
}

/// The corps that an opponent may name: those that the side has.
fn named_corps(t: &Table, side: Side) -> impl Iterator<Item = u8> + '_ {
    let units = move |corps: u8| {
        let mut own = rules(t).units_of(side);
        own.any(|unit| rules(t).card(unit).corps == Some(corps))
    };
    (0..3).filter(move |&corps| units(corps))
}

/// The unit that a die names; the faces are shared out evenly in order.
fn by_die(t: &mut Table, side: Side, units: &[String], purpose: &'static str) -> Option<UnitId> {
    let index = match units.len() {
        1 => 0,
        count => usize::from(t.d6(purpose, side) - 1) * count / 6,
    };
    t.env().unit(&units[index])
}

/// A unit may neither move nor commit reserves, or comes a round later.
fn halt(t: &mut Table, unit: UnitId) {
    t.get_mut::<Status>(unit).halted = true;
    reinforce::shift(t, unit, 1);
    t.say(|t| Event::new("halt", rule!("4"), format!("{} is held up", name(t, unit))).unit(unit));
}

/// A unit gains movement or strength, comes a round earlier, or rallies.
fn inspire(t: &mut Table, unit: UnitId) {
    match t.stacks().place(unit) {
        Place::Box(boxes::TRACK) => reinforce::shift(t, unit, -1),
        Place::Box(boxes::BROKEN) => t.res_mut::<Rally>().placing.push(unit),
        Place::Box(_) => return,
        Place::Hex(_) => t.get_mut::<Status>(unit).boost = Boost::Open,
    }
    t.say(|t| {
        Event::new(
            "inspire",
            rule!("4"),
            format!("{} is well led", name(t, unit)),
        )
        .unit(unit)
    });
}

/// Fatigued units out of contact roll to lose a level; rout is not fatigue (§6.2, example).
fn respite(t: &mut Table, side: Side) {
    let tired = |t: &Table, unit: UnitId| !t.get::<Status>(unit).fresh();
    let units: Vec<UnitId> = on_map(t, side)
        .filter(|&(u, hex)| tired(t, u) && !near_enemy(t, side, hex))
        .map(|u| u.0)
        .collect();
    for unit in units {
        let (roll, quality) = (t.d6("respite", unit), ratings(t, unit).1);
        if roll as i8 <= quality {
            t.get_mut::<Status>(unit).fatigue -= 1;
        }
        t.say(|t| {
            let how = if roll as i8 <= quality {
                "recovers a level"
            } else {
                "does not recover"
            };
            Event::new(
                "recover",
                rule!("4"),
                format!("{} rolls {roll} against {quality} and {how}", name(t, unit)),
            )
            .unit(unit)
            .number(roll)
        });
    }
}

fn level_morale(t: &mut Table, happening: &Happening) {
    let morale = t.res::<Armies>().morale;
    let lower = match morale.first.cmp(&morale.second) {
        std::cmp::Ordering::Less => Side::First,
        std::cmp::Ordering::Equal => return,
        std::cmp::Ordering::Greater => Side::Second,
    };
    match happening {
        Happening::BolsteredMorale => change_morale(t, lower, 1, rule!("4")),
        _ => change_morale(t, lower.other(), -1, rule!("4")),
    }
}

/// Enemy units next to one of the side's own (Commander Shot).
fn targets(t: &Table, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    on_map(t, side.other())
        .filter(move |&(_, hex)| enemies_near(t, side.other(), hex).next().is_some())
        .map(|(unit, _)| unit)
}

/// Whether Commander Shot has a target for a side.
#[must_use]
pub fn any_target(t: &Table, side: Side) -> bool {
    targets(t, side).next().is_some()
}

/// A level of fatigue, or a Routed marker for a weary unit (cards 14, 15).
pub fn shoot(t: &mut Table, unit: UnitId) {
    let status = t.get_mut::<Status>(unit);
    if status.weary() {
        status.routed = true;
    } else {
        status.tire();
    }
    t.say(|t| {
        Event::new(
            "shot",
            rule!("4"),
            format!("the commander of {} is shot", name(t, unit)),
        )
        .unit(unit)
    });
}

fn question(t: &mut Table) -> Option<(Side, &'static str, &'static str)> {
    let (side, orders) = (t.active(), *t.res::<Orders>());
    if let Some(asked) = leaders::question(t) {
        return Some(asked);
    }
    if orders.conflict {
        return Some((side.other(), "halt", "4"));
    }
    if orders.shot {
        return Some((side, "shoot", "4"));
    }
    rally::question(t, side).map(|question| (side, question, "8.2"))
}

impl Phase for Events {
    fn name(&self) -> &'static str {
        "event"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        turn_begins(t);
        *t.res_mut::<Rally>() = Rally::default();
        let drawn = std::mem::replace(&mut t.res_mut::<Orders>().drawn, true);
        let armies = t.res_mut::<Armies>();
        armies.card = None;
        // §4 Nobody draws on the very first turn of the game.
        let first = !std::mem::replace(&mut armies.begun, true);
        if !first && !drawn {
            draw(t, t.active());
            check_sudden_death(t);
        }
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        Ok(question(t).map_or(Step::Done, |(side, question, rule)| {
            Step::ask(side, question, rule)
        }))
    }

    fn options(&self, t: &Table, ask: Ask, out: &mut Options) -> Result<(), Fault> {
        let (side, orders) = (t.active(), t.res::<Orders>());
        if ask.question == leaders::QUESTION {
            leaders::options(t, |leader, hex| out.push(Do::Step(leader, hex)));
        } else if orders.conflict {
            named_corps(t, side).for_each(|corps| out.push(Do::Corps(tokens::corps(corps))));
        } else if orders.shot {
            targets(t, side).for_each(|unit| out.push(Do::Shoot(unit)));
        } else {
            rally::options(t, side, out);
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        let side = t.active();
        match Do::from_act(act)
            .ok_or_else(|| Fault::Broken("not an answer of the Event Phase".into()))?
        {
            Do::Corps(corps) => {
                t.res_mut::<Orders>().conflict = false;
                let of = |u: &UnitId| rules(t).card(*u).corps.map(tokens::corps) == Some(corps);
                let units: Vec<UnitId> = rules(t).units_of(side).filter(of).collect();
                units.into_iter().for_each(|unit| halt(t, unit));
            }
            Do::Shoot(unit) => {
                t.res_mut::<Orders>().shot = false;
                shoot(t, unit);
            }
            answer => rally::take(t, side, answer),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        rally::why_not(t, Do::from_act(act))
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        rally::text(t, Do::from_act(act))
    }

    fn prompt(&self, _: &Table, ask: Ask) -> String {
        rally::prompt(ask.question).into()
    }
}
