//! §10 Breastworks: begun in the command phase, finished when turns have passed.

use crate::activation::on_foot;
use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop};
use crate::field::{Field, label, rules};
use crate::state::{Frame, Land, Order, Work};
use cupola_ground::board::Mark;
use cupola_ground::{Cover, Direction};
use cupola_kernel::{
    Check, Event, HexId, Options, Refusal, Side, Table, UnitId, forbid, require, rule,
};

/// How many turns a work takes now (§10.12).
fn wanted(t: &Table) -> u8 {
    let numbers = &rules(t).numbers;
    if t.is_night() {
        numbers.works_night
    } else {
        numbers.works_day
    }
}

/// Of these hexsides of a hex those along which the ground lets works be built, a bit each (§10.12): all or none, but
/// only the walled ones where nothing but walls would hold them.
fn buildable(t: &Table, hex: HexId, sides: u8) -> u8 {
    let board = t.board();
    let woods = |hex: HexId| board.cover(hex) == Cover::Woods;
    if !t.is_night() {
        return if woods(hex) { sides } else { 0 };
    }
    let marks = board.marks(hex);
    let built = marks.contains(Mark::Farm) || marks.contains(Mark::Building);
    match board.cover(hex) {
        Cover::Marsh | Cover::Town => 0,
        Cover::Woods | Cover::Rocks => sides,
        _ if built || board.neighbours(hex).any(|(_, next)| woods(next)) => sides,
        _ => {
            let walled = |way: &Direction| board.side(hex, *way).wall;
            let walls = Direction::ALL.into_iter().filter(walled);
            walls.fold(0, |bits, way| bits | 1 << way.index()) & sides
        }
    }
}

/// Hexes in which a side may begin works.
fn sites(t: &Table, side: Side) -> Vec<HexId> {
    if in_time(t).is_err() {
        return vec![];
    }
    let field = Field::new(t);
    let mut hexes: Vec<HexId> = field.on_map(side).map(|(_, hex)| hex).collect();
    hexes.sort_unstable();
    hexes.dedup();
    hexes.retain(|&hex| may_dig(t, side, hex).is_ok());
    hexes
}

/// What could not be finished is not begun.
fn in_time(t: &Table) -> Check {
    let done = t.turn() + u16::from(wanted(t));
    require(
        done <= t.env().last_turn + 1,
        rule!("10.13"),
        "could not be dug in before the game ends",
    )
}

/// Strength of those in a hex who can dig: on foot, and under no orders (§10.11).
fn diggers(field: Field, hex: HexId) -> u8 {
    let diggers = field
        .fighters(hex)
        .filter(|&unit| on_foot(field, unit) && field.order(unit) == Order::None);
    diggers.map(|unit| field.sp(unit)).sum()
}

/// Whether there are diggers in a hex, ground to dig, and an enemy to dig against (§10.11, §10.12).
fn may_dig(t: &Table, side: Side, hex: HexId) -> Check {
    let field = Field::new(t);
    let numbers = &field.rules.numbers;
    require(
        diggers(field, hex) >= numbers.works_sp,
        rule!("10.12"),
        "has too few men who may dig",
    )?;
    require(
        buildable(t, hex, front(field, hex)) != 0,
        rule!("10.12"),
        "has no ground for works before its front",
    )?;
    let works = &t.res::<Land>().works;
    forbid(
        works.iter().any(|work| work.hex == hex),
        rule!("10.12"),
        "has works already",
    )?;
    forbid(
        field.near_enemy(side, hex),
        rule!("10.12"),
        "is next to an enemy",
    )?;
    let foot_near = field.on_map(side.other()).any(|(unit, enemy)| {
        t.board().distance(hex, enemy) <= numbers.works_within && on_foot(field, unit)
    });
    require(
        foot_near,
        rule!("10.12"),
        "has no enemy infantry near enough",
    )
}

/// Looks once where a side may dig: nobody moves while works are begun.
pub fn muster(t: &mut Table, side: Side) {
    let sites = sites(t, side).into_iter().map(|hex| (hex.0, 0));
    let sites = sites.collect();
    t.res_mut::<Land>().staff = sites;
}

/// What the command phase asks.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Dig(side) = *frame else {
        return None;
    };
    (!t.res::<Land>().staff.is_empty()).then_some((side, "works", "10.13"))
}

/// There is nothing left to ask.
pub fn go(t: &mut Table, _: Frame) -> Answer {
    pop(t);
    Ok(())
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    if let Frame::Dig(_) = *frame {
        let sites = t.res::<Land>().staff.iter().map(|&(hex, _)| HexId(hex));
        sites.for_each(|hex| {
            out.push(Do::Dig(hex));
            for hand in [1, 2] {
                if may_round(t, hex).is_ok() {
                    out.push(Do::DigRound(hex, Field::new(t).hand(hand)));
                }
            }
        });
        out.push(Do::Done);
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Dig(_), Do::Done) => {
            pop(t);
            t.res_mut::<Land>().staff.clear();
        }
        (Frame::Dig(side), Do::Dig(hex)) => lay(t, side, hex, None),
        (Frame::Dig(side), Do::DigRound(hex, hand)) => {
            let hand = Field::new(t).hand_of(hand);
            lay(t, side, hex, Some(hand));
        }
        _ => return Err(not_asked()),
    }
    Ok(())
}

/// The front hexsides of those in a hex, a bit each.
fn front(field: Field, hex: HexId) -> u8 {
    let [left, right] = field.facing(hex).front();
    1 << left | 1 << right
}

/// Works are laid out before the front of a hex, and round to a hand (§10.13).
fn lay(t: &mut Table, side: Side, hex: HexId, round: Option<u8>) {
    t.res_mut::<Land>().staff.retain(|(site, _)| *site != hex.0);
    let [left, right] = Field::new(t).facing(hex).front();
    let third = match round {
        Some(1) => 1 << ((left + 5) % 6),
        Some(_) => 1 << ((right + 1) % 6),
        None => 0,
    };
    let wants = wanted(t);
    let sides = buildable(t, hex, 1 << left | 1 << right | third);
    t.res_mut::<Land>().works.push(Work {
        hex,
        sides,
        side,
        wants,
    });
    t.say(|t| {
        let text = format!("breastworks are begun in {}", label(t, hex));
        Event::new("works", rule!("10.13"), text).hex(hex)
    });
}

/// Whether works in a hex may have three hexsides (§10.12, optional): with men enough, and not where two hexsides
/// would join the works to the left and to the right.
fn may_round(t: &Table, hex: HexId) -> Check {
    let field = Field::new(t);
    let [left, right] = field.facing(hex).front();
    let joins = |side: u8| {
        let beside = t.board().neighbour(hex, Direction::ALL[usize::from(side)]);
        let land = t.res::<Land>();
        beside.is_some_and(|beside| land.works.iter().any(|work| work.hex == beside))
    };
    let between = joins((left + 5) % 6) && joins((right + 1) % 6);
    require(
        field.rules.switches.three_sided_works,
        rule!("10.12"),
        "gets no third hexside: the optional rule is not in use",
    )?;
    require(
        diggers(field, hex) >= field.rules.numbers.works_round_sp,
        rule!("10.12"),
        "has too few men for a third hexside",
    )?;
    forbid(
        between,
        rule!("10.12"),
        "joins works to the left and to the right with two hexsides",
    )
}

/// Why works are not begun somewhere.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let Frame::Dig(side) = *frame else {
        return None;
    };
    let (hex, round) = match answer {
        Do::Dig(hex) => (hex, false),
        Do::DigRound(hex, _) => (hex, true),
        _ => return None,
    };
    let check = in_time(t).and_then(|()| may_dig(t, side, hex));
    let round = || if round { may_round(t, hex) } else { Ok(()) };
    check.and_then(|()| round()).err()
}

/// Whether a unit may pull down the works of its hex (§10.3): alone, instead of moving.
pub fn may_raze(field: Field, unit: UnitId) -> Check {
    let hex = field.t.hex(unit);
    let works = hex.and_then(|hex| field.t.res::<Land>().works_at(hex));
    require(works.is_some(), rule!("10.3"), "has no works to pull down")?;
    require(on_foot(field, unit), rule!("10.3"), "is not on foot")?;
    let mut others = hex.into_iter().flat_map(|hex| field.fighters(hex));
    let alone = others.all(|other| other == unit);
    require(alone, rule!("10.3"), "is not alone in its hex")
}

/// A unit pulls the works of its hex down.
pub fn raze(t: &mut Table, unit: UnitId) {
    let hex = t.hex(unit);
    t.res_mut::<Land>()
        .works
        .retain(|work| Some(work.hex) != hex);
    t.say(|t| {
        let place = hex.map_or("", |hex| label(t, hex)).to_owned();
        let text = format!("the works in {place} are pulled down");
        Event::new("works", rule!("10.3"), text).unit(unit)
    });
}

/// A question in words.
#[must_use]
pub fn prompt(_: &Table, _: &Frame) -> String {
    "Where are breastworks begun?".into()
}

/// A builder that moves, fires or is hit ends the work of its hex (§10.13); called before it leaves.
pub fn abandon_digging(t: &mut Table, unit: UnitId) {
    if t.res::<Land>().works.iter().all(|work| work.wants == 0) {
        return;
    }
    let hex = t.hex(unit);
    t.res_mut::<Land>()
        .works
        .retain(|work| work.wants == 0 || Some(work.hex) != hex);
}

/// IIIc: works go on (§10.13).
pub fn end_of_turn(t: &mut Table) {
    for work in &mut t.res_mut::<Land>().works {
        work.wants = work.wants.saturating_sub(1);
    }
}
