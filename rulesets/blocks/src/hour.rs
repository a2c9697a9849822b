//! §1.1, §9.1, §9.5, §9.6 and §4.6's option: what happens once an hour for both sides.

use crate::cavalry;
use crate::chain;
use crate::field::{controller, label, name, put, rules};
use crate::rules::Start;
use crate::state::{Army, Chosen, Field, Score, boxes, flag};
use cupola_army::Light;
use cupola_kernel::{
    Act, Acts, Ask, Event, Fault, Options, Phase, Place, Refusal, Side, Step, Table, UnitId,
    Verdict, acts, rule,
};

acts! {
    /// Answers at the start of an hour.
    pub enum Do {
        /// Exchange this block (§9.6).
        Pick(unit: UnitId) = "unit",
        /// Exchange it with that one (§9.6).
        Swap(unit: UnitId, other: UnitId) = "swap",
        /// Send Hancock to replace this fallen commander (§4.6).
        Send(chief: UnitId) = "send",
        /// Nothing, or nothing more.
        Done = "done",
    }
}

/// The start of an hour: free deployment, Hancock, initiative.
pub struct Initiative;

/// What the start of an hour still asks.
fn question(t: &Table) -> Option<(Side, &'static str, &'static str)> {
    let (rules, score, chosen) = (rules(t), t.res::<Score>(), t.res::<Chosen>());
    if rules.switches.free_deployment && !score.begun && !score.deployed {
        // The Union deploys first (§9.2).
        let side = if chosen.closing {
            Side::First
        } else {
            Side::Second
        };
        let question = if chosen.unit.is_some() {
            "exchange-with"
        } else {
            "exchange"
        };
        return Some((side, question, "9.6"));
    }
    let asked = chosen.formed;
    if !asked && could_send(t) && vacant(t).next().is_some() {
        return Some((Side::Second, "hancock", "4.6"));
    }
    None
}

/// Whether Hancock may still be sent, by what everybody knows: he has not been, and the timetable brings him
/// in more than four hours (§4.6). Whether Meade is there is for the Union to know, so it is asked all the same.
fn could_send(t: &Table) -> bool {
    let open = rules(t).switches.hancock && t.res::<Score>().hancock == 0;
    let due = chain::hancock(t).map(|hancock| rules(t).starts[usize::from(hancock.0)]);
    open && matches!(due, Some(Start::Due(turn, _)) if turn > t.turn() + 4)
}

/// Fallen corps commanders.
fn vacant(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    let chiefs = rules(t).seniority[Side::Second].iter().copied();
    chiefs.filter(|&unit| t.stacks().place(unit) == Place::Box(boxes::SHATTERED))
}

/// Fallen corps commanders whom Hancock can replace: while Meade is not there (§4.6).
fn commissions(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    let meade = rules(t).army[Side::Second];
    let open = could_send(t) && t.hex(meade).is_none();
    let mut found: Vec<UnitId> = vacant(t).filter(|_| open).collect();
    found.sort_unstable();
    found.into_iter()
}

fn send(t: &mut Table, chief: UnitId) {
    let due = t.turn() + 4;
    let way = rules(t)
        .entries
        .iter()
        .position(|entry| entry.code == "taneytown");
    if let Some(hancock) = chain::hancock(t) {
        let block = t.res_mut::<Army>().at(hancock);
        block.due = due;
        block.way = way.unwrap_or(0) as u8;
    }
    let score = t.res_mut::<Score>();
    score.hancock = 1;
    score.hancock_for = Some(chief);
    t.say(|t| {
        let text = format!("HANCOCK is sent to replace {}", name(t, chief));
        Event::new("hancock", rule!("4.6"), text).unit(chief)
    });
}

/// Blocks that may be exchanged: on the map and not exchanged yet.
fn exchangeable(t: &Table, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let army = t.res::<Army>();
    let own = rules(t).own[side].iter().copied();
    own.filter(move |&unit| t.hex(unit).is_some() && !army.has(unit, flag::MOVED))
}

fn swap(t: &mut Table, unit: UnitId, other: UnitId) {
    if let (Some(here), Some(there)) = (t.hex(unit), t.hex(other)) {
        put(t, unit, Place::Hex(there));
        put(t, other, Place::Hex(here));
    }
    let army = t.res_mut::<Army>();
    army.at(unit).flags |= flag::MOVED;
    army.at(other).flags |= flag::MOVED;
    t.res_mut::<Chosen>().unit = None;
    let side = rules(t).card(unit).side;
    t.say(|t| {
        let text = format!("{} and {} change places", name(t, unit), name(t, other));
        Event::new("exchange", rule!("9.6"), text)
            .unit(unit)
            .unit(other)
            .only(side)
    });
}

/// Rolls for the initiative (§1.1): two dice each, ties again. The first hour is the first side's.
fn roll_initiative(t: &mut Table) {
    let first_hour = !std::mem::replace(&mut t.res_mut::<Score>().begun, true);
    let fixed = rules(t).switches.fixed_initiative;
    let winner = if first_hour || fixed {
        Side::First
    } else {
        loop {
            let [first, second] =
                Side::BOTH.map(|side| t.d6("initiative", side) + t.d6("initiative", side));
            if first != second {
                break if first > second {
                    Side::First
                } else {
                    Side::Second
                };
            }
        }
    };
    t.set_first_player(winner);
    t.say(|t| {
        let text = format!("{} has the initiative", t.env().sides[winner].name);
        Event::new("initiative", rule!("1.1"), text)
    });
}

impl Phase for Initiative {
    fn name(&self) -> &'static str {
        "initiative"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        *t.res_mut::<Chosen>() = Chosen::default();
        for block in &mut t.res_mut::<Army>().0 {
            block.flags &= !flag::MOVED;
        }
        cavalry::begin_day(t);
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        match question(t) {
            Some((side, question, rule)) => Ok(Step::ask(side, question, rule)),
            None => {
                roll_initiative(t);
                Ok(Step::Done)
            }
        }
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        match (question(t), t.res::<Chosen>().unit) {
            (Some((_, "hancock", _)), _) => {
                commissions(t).for_each(|chief| out.push(Do::Send(chief)));
                out.push(Do::Done);
            }
            (Some((side, ..)), Some(unit)) => {
                exchangeable(t, side)
                    .filter(|&other| other != unit)
                    .for_each(|other| out.push(Do::Swap(unit, other)));
                out.push(Do::Done);
            }
            (Some((side, ..)), None) => {
                exchangeable(t, side).for_each(|unit| out.push(Do::Pick(unit)));
                out.push(Do::Done);
            }
            (None, _) => {}
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => {
                let chosen = t.res_mut::<Chosen>();
                (chosen.unit, chosen.anyone) = (Some(unit), true);
            }
            Some(Do::Swap(unit, other)) => swap(t, unit, other),
            Some(Do::Send(chief)) => send(t, chief),
            Some(Do::Done) => forgo(t),
            None => {
                return Err(Fault::Broken(
                    "not an answer at the start of an hour".into(),
                ));
            }
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        match Do::from_act(act) {
            Some(Do::Send(_)) => Refusal::new(rule!("4.6"), "is no fallen commander to replace"),
            Some(Do::Pick(_) | Do::Swap(..)) => {
                let why = "your own blocks on the map change places, each once";
                Refusal::new(rule!("9.6"), why)
            }
            _ => match question(t) {
                Some(_) => Refusal::new(rule!("1.1"), "something else is asked"),
                None => Refusal::new(rule!("1.1"), "nothing is asked now"),
            },
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => format!("exchange {}", name(t, unit)),
            Some(Do::Swap(unit, other)) => {
                format!("{} changes places with {}", name(t, unit), name(t, other))
            }
            Some(Do::Send(chief)) => format!("send HANCOCK to replace {}", name(t, chief)),
            Some(Do::Done) => "no more".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        match (ask.question, t.res::<Chosen>().unit) {
            ("hancock", _) => "Is HANCOCK sent to the field?".into(),
            (_, Some(unit)) => format!("With whom does {} change places?", name(t, unit)),
            _ => "Which block changes places?".into(),
        }
    }
}

/// Declines what is asked: an exchange that was begun, all further exchanges, or Hancock.
fn forgo(t: &mut Table) {
    let score = t.res::<Score>();
    let deploying = rules(t).switches.free_deployment && !score.begun && !score.deployed;
    if !deploying {
        t.res_mut::<Chosen>().formed = true;
        return;
    }
    let chosen = t.res_mut::<Chosen>();
    if let Some(unit) = chosen.unit.take() {
        t.res_mut::<Army>().at(unit).flags |= flag::MOVED;
    } else if chosen.closing {
        t.res_mut::<Score>().deployed = true;
    } else {
        chosen.closing = true;
    }
}

/// The points of the first side: victory hexes that are its own and what the enemy has lost more (§9.1).
#[must_use]
pub fn points(t: &Table) -> i16 {
    let (rules, field, score) = (rules(t), t.res::<Field>(), t.res::<Score>());
    let held = rules
        .victory
        .iter()
        .filter(|(_, hex, _)| controller(field, usize::from(hex.0)) == Side::First as u8);
    let ground: i16 = held.map(|(_, _, points)| points).sum();
    ground + i16::from(score.lost.second) - i16::from(score.lost.first)
}

/// Judges the battle; a draw is left open if it may go on (§9.1, §9.5).
pub fn judge(t: &mut Table, last: bool) {
    let (scale, points) = (rules(t).scale, points(t));
    let winner = if points >= scale.first_wins {
        Some(Side::First)
    } else if points < scale.second_wins {
        Some(Side::Second)
    } else {
        None
    };
    if winner.is_none() && !last {
        return;
    }
    let noun = if points == 1 { "point" } else { "points" };
    let how = match winner {
        Some(side) => format!("{} victory with {points} {noun}", t.env().sides[side].name),
        None => format!("draw with {points} {noun}"),
    };
    t.end(Verdict {
        winner,
        how: how.into(),
        rule: rule!("9.1"),
    });
}

/// Whether only the night is left of the scenario (§9.3, §9.4).
fn night_follows(t: &Table) -> bool {
    let last = rules(t).last_turn;
    let turns = &t.env().track.turns;
    let night = turns.get(usize::from(last)).map(|turn| turn.light);
    t.turn() + 1 == last && night == Some(Light::Night)
}

/// The end of an hour: days that are judged on the way.
pub struct HourEnd;

impl Phase for HourEnd {
    fn name(&self) -> &'static str {
        "hour-end"
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        if rules(t).judged.contains(&t.turn()) {
            judge(t, false);
        } else if rules(t).switches.verdict_before_night && night_follows(t) {
            judge(t, true);
        }
        Ok(Step::Done)
    }
}

/// A victory hex and who holds it, for views.
#[must_use]
pub fn holders(t: &Table) -> Vec<(String, String, i16, Option<Side>)> {
    let field = t.res::<Field>();
    let lines = rules(t).victory.iter();
    lines
        .map(|(place, hex, points)| {
            let side = match controller(field, usize::from(hex.0)) {
                0 => Some(Side::First),
                1 => Some(Side::Second),
                _ => None,
            };
            (place.clone(), label(t, *hex).to_owned(), *points, side)
        })
        .collect()
}
