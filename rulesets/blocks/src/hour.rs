//! §1.1, §9.1, §9.2, §9.5, §9.6 and §4.6's option: what happens once an hour for both sides.

use crate::cavalry;
use crate::chain;
use crate::field::{controller, count, label, name, put, room, rules, show_guns, stack, tell};
use crate::rules::{NOWHERE, Start};
use crate::state::{Block, Chosen, Hexes, Score, army, boxes, flag, forget};
use cupola_army::Light;
use cupola_kernel::{
    Act, Acts, Ask, Event, Fault, HexId, Needs, Options, Phase, Place, Refusal, Side, Step, Table,
    UnitId, Verdict, acts, rule,
};
use std::cmp::Ordering;

acts! {
    /// Answers at the start of an hour.
    pub enum Do {
        /// This block, for which there is no room where it should stand, begins here (§9.2).
        Deploy(unit: UnitId, hex: HexId) = "deploy",
        /// Exchange this block (§9.6).
        Pick(unit: UnitId) = "unit",
        /// Exchange it with that one (§9.6).
        Swap(unit: UnitId, other: UnitId) = "swap",
        /// Send somebody to replace this fallen commander (§4.6).
        Send(chief: UnitId) = "send",
        /// Nothing, or nothing more.
        Done = "done",
    }
}

/// The start of an hour: free deployment, who is sent for, initiative.
pub struct Initiative;

/// Hours between the fall of a commander and the coming of who is sent (§4.6).
const RIDE: i32 = 4 * 60;

/// The question whether somebody is sent for a fallen corps commander (§4.6).
const SENT: &str = "deputy";

/// How often initiative may be tied before something must be wrong with the dice.
const TIES: u32 = 1000;

/// Whether players still deploy before the first hour: blocks without room (§9.2), or by exchange (§9.6).
#[must_use]
pub fn deploys(t: &Table) -> bool {
    let score = t.res::<Score>();
    let free = rules(t).switches.free_deployment && !score.deployed;
    !score.begun && (free || crowded(t).is_some())
}

/// A hex in which more blocks of a side begin than it holds; the Union's first (§9.2).
fn crowded(t: &Table) -> Option<(Side, HexId)> {
    if t.res::<Hexes>().over == 0 {
        return None;
    }
    let crowd = |side: Side| {
        let mut hexes = t.board().hexes();
        let hex = hexes.find(|&hex| count(t, side, hex) > rules(t).limit[usize::from(hex.0)]);
        Some((side, hex?))
    };
    crowd(Side::Second).or_else(|| crowd(Side::First))
}

/// The hexes nearest to a crowded one that have room: adjacent ones (§9.2), or beyond if these are full.
fn overflow(t: &Table, side: Side, hex: HexId) -> Vec<HexId> {
    let free = |hex: &HexId| count(t, side.other(), *hex) == 0 && room(t, side, *hex);
    let (mut seen, mut ring) = (vec![hex], vec![hex]);
    while !ring.is_empty() {
        let around = ring.iter().flat_map(|&hex| rules(t).around(hex));
        let mut next: Vec<HexId> = around
            .filter(|edge| edge.to != NOWHERE && !seen.contains(&HexId(edge.to)))
            .map(|edge| HexId(edge.to))
            .collect();
        next.sort_unstable();
        next.dedup();
        let found: Vec<HexId> = next.iter().copied().filter(free).collect();
        if !found.is_empty() {
            return found;
        }
        seen.extend(&next);
        ring = next;
    }
    vec![]
}

/// What the start of an hour still asks.
fn question(t: &Table) -> Option<(Side, &'static str, &'static str)> {
    let (rules, score, chosen) = (rules(t), t.res::<Score>(), t.res::<Chosen>());
    if let Some((side, _)) = crowded(t).filter(|_| !score.begun) {
        return Some((side, "deploy", "9.2"));
    }
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
        return Some((Side::Second, SENT, "4.6"));
    }
    None
}

/// Whether somebody may still be sent, by what everybody knows: he has not been, and he would come before the
/// timetable brings him (§4.6). Whether the head of the army is there is for his side to know, so it is asked all the
/// same.
fn could_send(t: &Table) -> bool {
    let open = rules(t).switches.deputy_sent && t.res::<Score>().sent == 0;
    let due = chain::deputy(t).map(|deputy| rules(t).starts[usize::from(deputy.0)]);
    open && matches!(due, Some(Start::Due(turn, _)) if deputy_comes(t) < turn)
}

/// The turn in which he comes if he is sent now: four hours after the hour that has just ended, in which
/// the commander fell (§4.6).
fn deputy_comes(t: &Table) -> u16 {
    let turns = &t.env().track.turns;
    let fell = &turns[usize::from(t.turn().saturating_sub(1))];
    let then = fell.start.plus(RIDE);
    let found = turns.iter().position(|turn| turn.span().contains(then));
    found.map_or(u16::MAX, |turn| (turn as u16).max(t.turn()))
}

/// Fallen corps commanders.
fn vacant(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    let chiefs = rules(t).seniority[Side::Second].iter().copied();
    chiefs.filter(|&unit| t.stacks().place(unit) == Place::Box(boxes::SHATTERED))
}

/// Fallen corps commanders who can be replaced: while the head of the army is not there (§4.6).
fn commissions(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    let head = rules(t).army[Side::Second];
    let open = could_send(t) && t.hex(head).is_none();
    let mut found: Vec<UnitId> = vacant(t).filter(|_| open).collect();
    found.sort_unstable();
    found.into_iter()
}

fn send(t: &mut Table, chief: UnitId) {
    let due = deputy_comes(t);
    let Some((deputy, way)) = rules(t).stand_in else {
        return;
    };
    let block = t.get_mut::<Block>(deputy);
    (block.due, block.way) = (due, way);
    let score = t.res_mut::<Score>();
    score.sent = 1;
    score.sent_for = Some(chief);
    t.say(|t| {
        let text = format!("{} is sent to replace {}", name(t, deputy), name(t, chief));
        Event::new(SENT, rule!("4.6"), text).unit(chief)
    });
}

/// Blocks that may be exchanged: on the map and not settled yet.
fn exchangeable(t: &Table, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let army = army(t);
    let own = rules(t).own[side].iter().copied();
    own.filter(move |&unit| t.hex(unit).is_some() && !army.has(unit, flag::MOVED))
}

/// A block takes the place of another and is settled there; the other may go on to a third (§9.6).
fn swap(t: &mut Table, unit: UnitId, other: UnitId) {
    if let (Some(here), Some(there)) = (t.hex(unit), t.hex(other)) {
        put(t, unit, Place::Hex(there));
        put(t, other, Place::Hex(here));
    }
    t.get_mut::<Block>(unit).flags |= flag::MOVED;
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

/// Who wins the initiative: two dice each, ties again (§1.1).
fn higher_roll(t: &mut Table) -> Result<Side, Fault> {
    for _ in 0..TIES {
        let [first, second] =
            Side::BOTH.map(|side| t.d6("initiative", side) + t.d6("initiative", side));
        match first.cmp(&second) {
            Ordering::Greater => return Ok(Side::First),
            Ordering::Less => return Ok(Side::Second),
            Ordering::Equal => {}
        }
    }
    let why = format!("initiative was tied {TIES} times: two dice for each side are missing");
    Err(Fault::Dice(why))
}

/// Decides the initiative (§1.1). The first hour is the first side's.
fn roll_initiative(t: &mut Table) -> Result<(), Fault> {
    let first_hour = !std::mem::replace(&mut t.res_mut::<Score>().begun, true);
    let fixed = rules(t).switches.fixed_initiative;
    let winner = if first_hour || fixed {
        Side::First
    } else {
        higher_roll(t)?
    };
    // Who does not win it plays second (§1.3).
    t.set_first_player(winner);
    t.say(|t| {
        let text = format!("{} has the initiative", t.env().sides[winner].name);
        Event::new("initiative", rule!("1.1"), text)
    });
    Ok(())
}

/// A block begins beside the hex that is full (§9.2).
fn deploy(t: &mut Table, unit: UnitId, hex: HexId) {
    put(t, unit, Place::Hex(hex));
    tell(
        t,
        "deploy",
        rule!("9.2"),
        unit,
        None,
        Some(hex),
        "begins at",
    );
    begin_shown(t);
}

/// Guns next to the enemy begin face up (§5.31), once everybody has his place.
fn begin_shown(t: &mut Table) {
    if !deploys(t) {
        show_guns(t);
    }
}

impl Phase for Initiative {
    fn name(&self) -> &'static str {
        "initiative"
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().once()
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        *t.res_mut::<Chosen>() = Chosen::default();
        forget(t, flag::MOVED);
        cavalry::begin_day(t);
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        match question(t) {
            Some((side, question, rule)) => Ok(Step::ask(side, question, rule)),
            None => {
                roll_initiative(t)?;
                Ok(Step::Done)
            }
        }
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        match (question(t), t.res::<Chosen>().unit) {
            (Some((_, "deploy", _)), _) => {
                let (side, hex) = crowded(t).unwrap_or((Side::First, HexId(0)));
                let beside = overflow(t, side, hex);
                for unit in stack(t, side, hex) {
                    beside.iter().for_each(|&to| out.push(Do::Deploy(unit, to)));
                }
            }
            (Some((_, SENT, _)), _) => {
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
            Some(Do::Deploy(unit, hex)) => deploy(t, unit, hex),
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
            Some(Do::Deploy(..)) => {
                let why = "who has no room in a full hex begins in an adjacent one with room";
                Refusal::new(rule!("9.2"), why)
            }
            Some(Do::Pick(_) | Do::Swap(..)) => {
                let why =
                    "your own blocks on the map change places; who has taken a place keeps it";
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
            Some(Do::Deploy(unit, hex)) => {
                format!("{} begins at {}", name(t, unit), label(t, hex))
            }
            Some(Do::Pick(unit)) => format!("exchange {}", name(t, unit)),
            Some(Do::Swap(unit, other)) => {
                format!("{} takes the place of {}", name(t, unit), name(t, other))
            }
            Some(Do::Send(chief)) => {
                let deputy = chain::deputy(t).map_or("him", |unit| name(t, unit));
                format!("send {deputy} to replace {}", name(t, chief))
            }
            Some(Do::Done) => "no more".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        match (ask.question, t.res::<Chosen>().unit) {
            ("deploy", _) => {
                let hex = crowded(t).map_or("?", |(_, hex)| label(t, hex));
                format!("{hex} is full: which block begins beside it?")
            }
            (SENT, _) => {
                let deputy = chain::deputy(t).map_or("he", |unit| t.info(unit).name.as_str());
                format!("Is {deputy} sent to the field?")
            }
            (_, Some(unit)) => format!("Whose place does {} take?", name(t, unit)),
            _ => "Which block changes places?".into(),
        }
    }
}

/// Declines what is asked: an exchange that was begun, all further exchanges, or to send somebody.
fn forgo(t: &mut Table) {
    let score = t.res::<Score>();
    let deploying = rules(t).switches.free_deployment && !score.begun && !score.deployed;
    if !deploying {
        t.res_mut::<Chosen>().formed = true;
        return;
    }
    let chosen = t.res_mut::<Chosen>();
    if let Some(unit) = chosen.unit.take() {
        t.get_mut::<Block>(unit).flags |= flag::MOVED;
    } else if chosen.closing {
        t.res_mut::<Score>().deployed = true;
        begin_shown(t);
    } else {
        chosen.closing = true;
    }
}

/// The points of the first side: victory hexes that are its own and what the enemy has lost more (§9.1).
#[must_use]
pub fn points(t: &Table) -> i16 {
    let (rules, field, score) = (rules(t), t.res::<Hexes>(), t.res::<Score>());
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

    fn needs(&self) -> Needs {
        crate::ruleset::needs().once()
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
    let field = t.res::<Hexes>();
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
