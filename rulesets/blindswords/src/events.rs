//! The event chits of the player aids, and the default event (§F-1).

use crate::acts::Do;
use crate::assault::launch_alone;
use crate::chits::default_units;
use crate::declare::may_assault;
use crate::engine::{Answer, Question, pop, push, swap};
use crate::field::{Field, label, name, occupy, rules, status_mut};
use crate::hits::shake;
use crate::march::{bar, entries, one_hex, start};
use crate::melee::Storm;
use crate::rally::{fits_with, may_steady};
use crate::rules::{Happening, Kind, Meaning, Order, Span};
use crate::shown::roll;
use crate::state::{Chits, Frame, March, boxes};
use crate::units::Units;
use cupola_cup::{Chit, Spot};
use cupola_kernel::{
    Event, Fault, Fight, HexId, Options, Place, Refusal, Side, Table, UnitId, forbid, rule,
};

/// Whether an event would have anything to work on.
#[must_use]
pub fn playable(t: &Table, side: Side, event: Happening) -> bool {
    let field = Field::new(t);
    match event {
        Happening::Redeploy => !groups(field, side).is_empty(),
        Happening::Hotheads => hotheads(field).next().is_some(),
        Happening::Cheer => cheered(field, side).next().is_some(),
        Happening::Inspired => inspired(t, side).next().is_some(),
        Happening::Flag => flags(field, side).next().is_some(),
        Happening::Colonel => field.on_map(side.other()).next().is_some(),
        Happening::Yell => yells(field).next().is_some(),
        // Played as interrupts only.
        Happening::Fatigue | Happening::Vague | Happening::Veterans => false,
    }
}

/// An event happens.
pub fn happen(t: &mut Table, side: Side, event: Happening) {
    let frame = match event {
        Happening::Redeploy => Frame::Redeploy(side),
        Happening::Hotheads => Frame::Hotheads(None),
        Happening::Cheer => Frame::Cheer(side),
        Happening::Inspired => Frame::Inspired(side),
        Happening::Flag => Frame::Flag(side),
        Happening::Colonel => Frame::Colonel(side),
        Happening::Yell => Frame::Yell,
        Happening::Fatigue | Happening::Vague | Happening::Veterans => return,
    };
    push(t, frame);
}

/// Groups of a division whose units are stacked or adjacent, off the map by entry (§Redeployment).
fn groups(field: Field, side: Side) -> Vec<Units> {
    let waits = |unit: UnitId| field.t.stacks().place(unit) == Place::Box(boxes::ENTRY);
    let near = |a: UnitId, b: UnitId| match (field.t.hex(a), field.t.hex(b)) {
        (Some(x), Some(y)) => field.rules.distance(x, y) <= 1,
        (None, None) => entries(field, a)
            .iter()
            .any(|hex| entries(field, b).contains(hex)),
        _ => false,
    };
    let mut found = vec![];
    for division in field
        .rules
        .divisions
        .iter()
        .filter(|division| division.side == side)
    {
        let there = |unit: &UnitId| {
            (field.t.hex(*unit).is_some() || waits(*unit)) && !field.status(*unit).frozen
        };
        let mut left: Units = Iterator::filter(division.units, there).collect();
        while let Some(seed) = left.first() {
            let mut group = Units::one(seed);
            left = left.without(seed);
            loop {
                let more: Units = Iterator::filter(left, |&unit| {
                    group.into_iter().any(|other| near(unit, other))
                })
                .collect();
                if more.is_empty() {
                    break;
                }
                group = group.or(more);
                left = left.minus(more);
            }
            if group.count() > 1 {
                found.push(group);
            }
        }
    }
    found
}

/// Hexes of the enemy of a side next to a hex.
fn enemies(field: Field<'_>, side: Side, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
    field
        .rules
        .around(hex)
        .filter(move |&next| field.holder(next) == Some(side.other()))
}

/// Hexes next to an enemy that a unit could step into from where it is.
fn approaches(field: Field<'_>, unit: UnitId) -> impl Iterator<Item = HexId> + '_ {
    let side = field.card(unit).side;
    let around = field
        .t
        .hex(unit)
        .into_iter()
        .flat_map(move |hex| field.rules.around(hex));
    around.filter(move |&hex| {
        field.holder(hex) != Some(side.other())
            && field.fits(unit, hex)
            && enemies(field, side, hex).next().is_some()
    })
}

/// Rebels that can be goaded into an attack: infantry within two hexes of the Union (§Hotheads).
fn hotheads(field: Field<'_>) -> impl Iterator<Item = UnitId> + '_ {
    field.on_map(Side::Second).filter_map(move |(unit, hex)| {
        let able = field.card(unit).kind == Kind::Foot && may_assault(field, unit).is_ok();
        let near = || {
            enemies(field, Side::Second, hex).next().is_some()
                || approaches(field, unit).next().is_some()
        };
        (able && near()).then_some(unit)
    })
}

/// Units that a cheer may be given to (§Dixie); chaos is deaf (§F-2).
fn cheered(field: Field<'_>, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let units = field.on_map(side).map(|(unit, _)| unit);
    units.filter(move |&unit| !field.status(unit).cheered && !field.status(unit).frozen)
}

/// Used chits of a side's division generals (§Leadership).
fn inspired(t: &Table, side: Side) -> impl Iterator<Item = Chit> + '_ {
    let cup = &t.res::<Chits>().cup;
    cup.all(Spot::Used).filter(move |&chit| {
        let card = rules(t).chit(chit);
        card.side == Some(side)
            && matches!(
                card.meaning,
                Meaning::General {
                    span: Span::Division(_),
                    ..
                }
            )
    })
}

/// Whether a unit may try to become fresh again (§Flag).
fn may_flip(field: Field, unit: UnitId) -> bool {
    let (card, status) = (field.card(unit), field.status(unit));
    let Some(hex) = field.t.hex(unit) else {
        return false;
    };
    let fresh = i16::from(card.sp[0]) - i16::from(status.shaken);
    card.kind != Kind::Horse && status.worn && !status.frozen && fits_with(field, unit, hex, fresh)
}

/// Hexes of a side away from the enemy where a flag would help (§Flag).
fn flags(field: Field<'_>, side: Side) -> impl Iterator<Item = HexId> + '_ {
    let helps = move |hex: &HexId| {
        field
            .t
            .stacks()
            .units(*hex)
            .any(|unit| may_steady(field, unit).is_ok() || may_flip(field, unit))
    };
    let apart = move |hex: &HexId| enemies(field, side, *hex).next().is_none();
    field.held(side).into_iter().filter(apart).filter(helps)
}

/// Infantry of a hex that may join the Rebel Yell (§Yell).
fn yellers(field: Field, hex: HexId) -> Units {
    let foot =
        |unit: &UnitId| field.card(*unit).kind == Kind::Foot && may_assault(field, *unit).is_ok();
    Iterator::filter(field.units(hex), foot).collect()
}

/// Where the yellers of a hex may go (§Yell).
fn yell_to(field: Field, hex: HexId) -> Vec<HexId> {
    let units = yellers(field, hex);
    let mut to: Vec<HexId> = units.flat_map(|unit| approaches(field, unit)).collect();
    if !units.is_empty() && enemies(field, Side::Second, hex).next().is_some() {
        to.push(hex);
    }
    to.sort_unstable();
    to.dedup();
    to
}

fn yells(field: Field<'_>) -> impl Iterator<Item = HexId> + '_ {
    field
        .held(Side::Second)
        .into_iter()
        .filter(move |&hex| !yell_to(field, hex).is_empty())
}

/// Who may join those who already charge: there must be room where they go (§Yell).
fn may_join(field: Field, from: HexId, to: HexId, who: Units, unit: UnitId) -> bool {
    if from == to {
        return true;
    }
    let there = field.sp_in(to) + field.strength(who);
    there == 0 || there + field.sp(unit) <= field.room(to)
}

fn targets(field: Field, side: Side, hex: HexId) -> Vec<HexId> {
    let mut found: Vec<HexId> = enemies(field, side, hex).collect();
    found.sort_unstable();
    found
}

/// What the frames of events ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let field = Field::new(t);
    match *frame {
        Frame::Redeploy(side) => Some((side, "redeploy", "F-1")),
        Frame::Hotheads(_) => Some((Side::First, "hotheads", "F-1")),
        Frame::Charge(unit, hex) if t.hex(unit) == Some(hex) => {
            (targets(field, Side::Second, hex).len() > 1).then_some((Side::First, "charge", "F-1"))
        }
        Frame::Cheer(side) => Some((side, "cheer", "F-1")),
        Frame::Inspired(side) => Some((side, "inspired", "F-1")),
        Frame::Flag(side) => Some((side, "flag", "F-1")),
        Frame::FlagUnits(side, units) => {
            let mut left = units;
            left.any(|unit| may_steady(field, unit).is_ok() || may_flip(field, unit))
                .then_some((side, "flag-units", "F-1"))
        }
        Frame::Colonel(side) => Some((side, "colonel", "F-1")),
        Frame::Yell | Frame::YellTo(_) | Frame::YellWho(..) => Some((Side::Second, "yell", "F-1")),
        Frame::YellGo(_, to, left, all)
            if left.is_empty() && !field.units(to).and(all).is_empty() =>
        {
            (targets(field, Side::Second, to).len() > 1).then_some((Side::Second, "charge", "F-1"))
        }
        Frame::Default(side, fires) => default_units(t, side, fires)
            .next()
            .map(|_| (side, "default", "F-1-c")),
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Result<(), Fault> {
    match frame {
        Frame::Charge(unit, hex) => {
            let found = targets(Field::new(t), Side::Second, hex);
            pop(t);
            let able = t.hex(unit) == Some(hex) && may_assault(Field::new(t), unit).is_ok();
            if let Some(&target) = found.first().filter(|_| able) {
                launch_alone(t, hex, target, Units::one(unit));
            }
        }
        Frame::FlagRoll(unit) => {
            let Some([die, ..]) = roll(t, 1, "rally round the flag", unit) else {
                return Ok(());
            };
            pop(t);
            // At or below its cohesion (§Flag).
            if die as i8 <= Field::new(t).cr(unit) {
                status_mut(t, unit).worn = false;
                t.say(|t| {
                    Event::new(
                        "fresh",
                        rule!("F-1"),
                        format!("{} is fresh again", name(t, unit)),
                    )
                    .unit(unit)
                });
            }
        }
        Frame::ColonelRoll(unit) => {
            let Some([die, ..]) = roll(t, 1, "the colonel is down", unit) else {
                return Ok(());
            };
            pop(t);
            // Above its cohesion (§Colonel).
            if let Some(hex) = t.hex(unit).filter(|_| die as i8 > Field::new(t).cr(unit)) {
                shake(t, unit, hex);
            }
        }
        Frame::YellGo(from, to, left, all) => yell_on(t, from, to, left, all),
        Frame::YellOver(units) => {
            pop(t);
            units
                .into_iter()
                .for_each(|unit| status_mut(t, unit).yelling = false);
        }
        _ => pop(t),
    }
    Ok(())
}

/// One yeller after the other goes; then those who are there assault (§Yell).
fn yell_on(t: &mut Table, from: HexId, to: HexId, left: Units, all: Units) {
    if let Some(unit) = left.first() {
        swap(t, Frame::YellGo(from, to, left.without(unit), all));
        let field = Field::new(t);
        if from != to && t.hex(unit) == Some(from) && field.fits(unit, to) {
            come_up(t, unit, to);
        }
        return;
    }
    let field = Field::new(t);
    let there = field.units(to).and(all);
    let target = targets(field, Side::Second, to).first().copied();
    swap(t, Frame::YellOver(all));
    if let Some(target) = target.filter(|_| !there.is_empty()) {
        launch_alone(t, to, target, there);
    }
}

/// A unit comes next to the enemy, who may fire at it (§J-3-b).
fn come_up(t: &mut Table, unit: UnitId, to: HexId) {
    occupy(t, unit, to);
    t.say(|t| {
        Event::new(
            "move",
            rule!("F-1"),
            format!("{} comes up to {}", name(t, unit), label(t, to)),
        )
        .unit(unit)
        .hex(to)
    });
    push(t, Frame::Engage(unit, to, 0b11_1111));
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let (field, rules) = (Field::new(t), rules(t));
    match *frame {
        Frame::Redeploy(side) => {
            groups(field, side)
                .into_iter()
                .filter_map(Units::first)
                .for_each(|unit| out.push(Do::Unit(unit)));
            out.push(Do::Done);
        }
        Frame::Hotheads(None) => hotheads(field).for_each(|unit| out.push(Do::Unit(unit))),
        Frame::Hotheads(Some(unit)) => {
            approaches(field, unit).for_each(|hex| out.push(Do::To(hex)))
        }
        Frame::Charge(_, hex) => targets(field, Side::Second, hex)
            .into_iter()
            .for_each(|hex| out.push(Do::At(hex))),
        Frame::Cheer(side) => cheered(field, side).for_each(|unit| out.push(Do::Unit(unit))),
        Frame::Inspired(side) => {
            inspired(t, side).for_each(|chit| out.push(Do::Choose(rules.chit_token(chit))))
        }
        Frame::Flag(side) => flags(field, side).for_each(|hex| out.push(Do::At(hex))),
        Frame::FlagUnits(_, units) => {
            for unit in units {
                if may_steady(field, unit).is_ok() {
                    out.push(Do::Rally(unit));
                }
                if may_flip(field, unit) {
                    out.push(Do::Flip(unit));
                }
            }
            out.push(Do::Done);
        }
        Frame::Colonel(side) => field
            .on_map(side.other())
            .for_each(|(unit, _)| out.push(Do::Unit(unit))),
        Frame::Yell => yells(field).for_each(|hex| out.push(Do::At(hex))),
        Frame::YellTo(from) => yell_to(field, from)
            .into_iter()
            .for_each(|hex| out.push(Do::To(hex))),
        Frame::YellWho(from, to, who, may) => {
            let joins = Iterator::filter(may, |&unit| may_join(field, from, to, who, unit));
            joins.for_each(|unit| out.push(Do::Join(unit)));
            if !who.is_empty() {
                out.push(Do::Go);
            }
        }
        Frame::YellGo(_, to, ..) => targets(field, Side::Second, to)
            .into_iter()
            .for_each(|hex| out.push(Do::At(hex))),
        Frame::Default(side, fires) => {
            default_units(t, side, fires).for_each(|unit| out.push(Do::Unit(unit)));
            out.push(Do::Done);
        }
        _ => {}
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Redeploy(side), Do::Unit(unit)) => redeploy(t, side, unit),
        (Frame::Redeploy(_) | Frame::FlagUnits(..) | Frame::Default(..), Do::Done) => pop(t),
        (Frame::Hotheads(None), Do::Unit(unit)) => lose_head(t, unit)?,
        (Frame::Hotheads(Some(unit)), Do::To(hex)) => {
            swap(t, Frame::Charge(unit, hex));
            come_up(t, unit, hex);
        }
        (Frame::Charge(unit, hex), Do::At(target)) => {
            pop(t);
            launch_alone(t, hex, target, Units::one(unit));
        }
        (Frame::Cheer(_), Do::Unit(unit)) => {
            pop(t);
            // §Dixie
            status_mut(t, unit).cheered = true;
        }
        (Frame::Inspired(_), Do::Choose(token)) => {
            let chit = rules(t)
                .chit_of(token)
                .ok_or_else(crate::engine::not_asked)?;
            pop(t);
            // §Leadership
            t.res_mut::<Chits>().cup.put(chit, Spot::Cup);
        }
        (Frame::Flag(side), Do::At(hex)) => {
            let units = Field::new(t).units(hex);
            swap(t, Frame::FlagUnits(side, units));
        }
        (Frame::FlagUnits(side, units), Do::Rally(unit)) => {
            swap(t, Frame::FlagUnits(side, units.without(unit)));
            status_mut(t, unit).shaken = false;
        }
        (Frame::FlagUnits(side, units), Do::Flip(unit)) => {
            swap(t, Frame::FlagUnits(side, units.without(unit)));
            push(t, Frame::FlagRoll(unit));
        }
        (Frame::Colonel(_), Do::Unit(unit)) => swap(t, Frame::ColonelRoll(unit)),
        (Frame::Yell | Frame::YellTo(_) | Frame::YellWho(..) | Frame::YellGo(..), answer) => {
            return yell(t, frame, answer);
        }
        (Frame::Default(side, true), Do::Unit(unit)) => {
            swap(t, Frame::Aim(side, unit, Order::None, false))
        }
        (Frame::Default(side, false), Do::Unit(unit)) => {
            pop(t);
            start(t, unit, one_hex(side));
        }
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// A hothead is chosen: whoever is next to the enemy already does not move (§Hotheads).
fn lose_head(t: &mut Table, unit: UnitId) -> Answer {
    let hex = t.hex(unit).ok_or_else(crate::engine::not_asked)?;
    let there = enemies(Field::new(t), Side::Second, hex).next().is_some();
    let frame = if there {
        Frame::Charge(unit, hex)
    } else {
        Frame::Hotheads(Some(unit))
    };
    swap(t, frame);
    Ok(())
}

/// A group marches as if under Maneuver, with fewer points (§Redeployment).
fn redeploy(t: &mut Table, side: Side, unit: UnitId) {
    let groups = groups(Field::new(t), side);
    let group = groups.into_iter().find(|group| group.has(unit));
    let march = March {
        by: side,
        order: Order::Maneuver,
        points: Some(rules(t).charts.march.redeploy),
        less: 0,
        one: false,
    };
    let group = group.unwrap_or_default();
    bar(t, group);
    swap(t, Frame::MoveStep(group, march));
}

/// The Rebel Yell: from where, whither, who, and at what (§Yell).
fn yell(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Yell, Do::At(hex)) => swap(t, Frame::YellTo(hex)),
        (Frame::YellTo(from), Do::To(to)) => {
            let may = yellers(Field::new(t), from);
            swap(t, Frame::YellWho(from, to, Units::NONE, may));
        }
        (Frame::YellWho(from, to, who, may), Do::Join(unit)) => {
            swap(
                t,
                Frame::YellWho(from, to, who.with(unit), may.without(unit)),
            );
        }
        (Frame::YellWho(from, to, who, _), Do::Go) => {
            who.into_iter()
                .for_each(|unit| status_mut(t, unit).yelling = true);
            swap(t, Frame::YellGo(from, to, who, who));
        }
        (Frame::YellGo(_, to, _, all), Do::At(target)) => {
            let there = Field::new(t).units(to).and(all);
            swap(t, Frame::YellOver(all));
            launch_alone(t, to, target, there);
        }
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// The assault that an answer leads to.
#[must_use]
pub fn leads_to(t: &Table, frame: &Frame, answer: Do) -> Option<Fight> {
    let field = Field::new(t);
    let (main, from, target) = match (*frame, answer) {
        (Frame::Charge(unit, hex), Do::At(target)) => (Units::one(unit), hex, target),
        (Frame::YellGo(_, to, _, all), Do::At(target)) => (field.units(to).and(all), to, target),
        _ => return None,
    };
    let storm = Storm::new(field, main, Units::NONE, from, target);
    (!main.is_empty() && !storm.defenders.is_empty()).then(|| storm.fight(field))
}

/// The assault that an answer may come to, with more to be chosen or shot at before it is fought: against the
/// hex next to where the attackers will stand that is best for them.
#[must_use]
pub fn foreseen(t: &Table, frame: &Frame, answer: Do) -> Option<Fight> {
    let field = Field::new(t);
    let (main, from, yell) = match (*frame, answer) {
        (Frame::Hotheads(None), Do::Unit(unit)) => (Units::one(unit), t.hex(unit)?, false),
        (Frame::Hotheads(Some(unit)), Do::To(hex)) => (Units::one(unit), hex, false),
        (Frame::Yell, Do::At(hex)) => (yellers(field, hex), hex, true),
        (Frame::YellTo(from), Do::To(to)) => (yellers(field, from), to, true),
        (Frame::YellWho(_, to, who, _), Do::Join(unit)) => (who.with(unit), to, true),
        (Frame::YellWho(_, to, who, _), Do::Go) => (who, to, true),
        _ => return None,
    };
    let fights = targets(field, Side::Second, from).into_iter().map(|hex| {
        let storm = Storm::new(field, main, Units::NONE, from, hex);
        Storm { yell, ..storm }.fight(field)
    });
    fights.max_by_key(|fight| {
        (
            fight.terms[0] - fight.terms[1],
            std::cmp::Reverse(fight.hex),
        )
    })
}

/// Why an event is not for a unit: chaos is deaf (§F-2), and some never assault (§K-1).
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let field = Field::new(t);
    match (*frame, answer) {
        (Frame::Cheer(_), Do::Unit(unit)) => forbid(
            field.status(unit).frozen,
            rule!("F-2"),
            "is caught in battlefield chaos",
        )
        .err(),
        (Frame::Hotheads(None), Do::Unit(unit)) => may_assault(field, unit).err(),
        (Frame::FlagUnits(..), Do::Rally(unit)) => may_steady(field, unit).err(),
        _ => None,
    }
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Redeploy(_) => "Which group redeploys? (it is named by one of its units)".into(),
        Frame::Hotheads(None) => "Which Rebel unit loses its head?".into(),
        Frame::Hotheads(Some(unit)) => format!("Where does {} rush?", name(t, unit)),
        Frame::Charge(..) | Frame::YellGo(..) => "Which hex is assaulted?".into(),
        Frame::Cheer(_) => "Which unit is cheered?".into(),
        Frame::Inspired(_) => "Whose chit goes back into the cup?".into(),
        Frame::Flag(_) => "Where do units rally round the flag?".into(),
        Frame::FlagUnits(..) => "Which unit steadies itself, or tries to become fresh?".into(),
        Frame::Colonel(_) => "Which enemy unit loses its colonel?".into(),
        Frame::Yell => "From which hex do they charge?".into(),
        Frame::YellTo(from) => format!("Where do they go from {}?", label(t, from)),
        Frame::YellWho(..) => "Who charges?".into(),
        Frame::Default(_, true) => "Which unit fires?".into(),
        Frame::Default(_, false) => "Which unit moves one hex?".into(),
        _ => "?".into(),
    }
}
