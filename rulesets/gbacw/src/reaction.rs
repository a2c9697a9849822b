//! §5.5 Reaction: who sees an enemy come near may turn to him or withdraw.

use crate::activation::on_foot;
use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push, swap};
use crate::facing::Facing;
use crate::field::{Field, did, label, name, occupy, rules, status_mut, turn};
use crate::movement::Manner;
use crate::reach::{NEAR, Near, Pace, Reach};
use crate::state::{Activation, Deed, Frame, Order};
use crate::steps::Gait;
use crate::{breastworks, cohesion, leaders, special};
use cupola_kernel::{Check, Event, HexId, Options, Refusal, Table, UnitId, forbid, require, rule};
use cupola_kit::Then;
use std::cell::RefCell;

thread_local! {
    static WAYS: RefCell<Reach> = RefCell::new(Reach::default());
}

/// Whether a unit may react at all (§5.52).
fn may_react(field: Field, unit: UnitId) -> Check {
    let (status, deed) = (field.status(unit), field.deed(unit));
    forbid(
        status.disordered && on_foot(field, unit),
        rule!("5.52"),
        "is on foot and in disorder",
    )?;
    forbid(status.abandoned, rule!("9.32"), "has no crews")?;
    require(
        field.order(unit) == Order::None,
        rule!("5.52"),
        "is under orders",
    )?;
    forbid(
        deed.any(Deed::REACTED | Deed::FLED),
        rule!("5.51"),
        "has reacted, or fallen back",
    )
}

/// Whether enemies of a unit that has moved stand in a hex, near enough to see it come (§5.51).
fn sees(field: Field, mover: UnitId, hex: HexId) -> Check {
    let (board, at) = (field.t.board(), field.t.hex(mover).unwrap_or(hex));
    let near = at != hex && board.distance(hex, at) <= field.rules.numbers.react_reach;
    require(
        near && field.holder(hex) == Some(field.card(mover).side.other())
            && field.rules.sight.sees(board, hex, at),
        rule!("5.51"),
        "is too far off, or does not see who has come",
    )
}

/// Hexes whose units may react to one that has moved (§5.51).
fn watchers(t: &Table, mover: UnitId) -> Vec<HexId> {
    let field = Field::new(t);
    let Some(at) = t.hex(mover) else {
        return vec![];
    };
    let ready = |hex: &HexId| {
        sees(field, mover, *hex).is_ok()
            && field
                .fighters(*hex)
                .any(|unit| may_react(field, unit).is_ok())
    };
    let around = field.around(at, field.rules.numbers.react_reach);
    around.filter(ready).collect()
}

/// Whether anybody may react to a unit.
#[must_use]
pub fn possible(t: &Table, mover: UnitId) -> bool {
    !watchers(t, mover).is_empty()
}

/// Looks where a unit can withdraw to before another (§5.53), anywhere or where the ground does not disorder it: `seen`
/// hears of every hex, with what was spent until there and its marks.
fn withdrawal(
    field: Field,
    (unit, start): (UnitId, HexId),
    enemy: HexId,
    clean: bool,
    mut seen: impl FnMut(HexId, u16, u16) -> Then,
) {
    let (board, mounted) = (field.t.board(), field.mounted(unit));
    let manner = Manner {
        mover: field.rules.mover(unit, mounted),
        gait: Gait::Normal,
        limit: field.rules.allowance(unit, mounted) / 2,
        closes: true,
        shy: 0,
        one: false,
    };
    let pace = Pace {
        bridge: None,
        near: Near::Marked,
        clean,
        ..manner.pace(field, field.card(unit).side)
    };
    let enemy = board.axial(enemy);
    let apart = |hex: HexId| board.axial(hex).distance(enemy);
    let open = |from: HexId, to: HexId| apart(to) >= apart(from);
    let fences = special::fencing(field, unit);
    let barred = |hex: HexId| fences.iter().any(|rule| rule.bars(field.t, unit, hex));
    let seen = |hex: HexId, spent: u16, marks: u16| match seen(hex, spent, marks) {
        Then::GoOn if spent > 0 && barred(hex) => Then::StopHere,
        then => then,
    };
    WAYS.with_borrow_mut(|reach| reach.search(field, &pace, &[(start, 0)], true, open, seen));
}

/// Where a unit may withdraw to before another: all hexes, or the first that is found.
fn refuges(t: &Table, unit: UnitId, mover: UnitId, all: bool) -> Vec<HexId> {
    let field = Field::new(t);
    let (Some(start), Some(enemy)) = (t.hex(unit), t.hex(mover)) else {
        return vec![];
    };
    if may_withdraw(t, unit).is_err() {
        return vec![];
    }
    let bounds = special::bounding(field, unit);
    let mut found = vec![];
    withdrawal(field, (unit, start), enemy, false, |hex, _, marks| {
        let mut bounds = bounds.iter();
        let safe = hex != start
            && marks & NEAR == 0
            && field.fits(unit, hex)
            && bounds.all(|rule| rule.may_withdraw_to(t, unit, hex).is_ok());
        if safe {
            found.push(hex);
        }
        if safe && !all { Then::End } else { Then::GoOn }
    });
    found.sort_unstable();
    found
}

/// Whether a unit may leave its hex to withdraw: it is free to (L1), and special rules let it.
fn may_withdraw(t: &Table, unit: UnitId) -> Check {
    require(
        crate::orders::free(t, unit),
        rule!("L1"),
        "is not released yet",
    )?;
    let specials = &rules(t).specials;
    specials
        .iter()
        .try_for_each(|rule| rule.may_withdraw(t, unit))
}

/// What the frames of reaction ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    match *frame {
        Frame::React(mover) => {
            let side = rules(t).card(mover).side.other();
            possible(t, mover).then_some((side, "react", "5.51"))
        }
        Frame::Withdraw(unit, _) => Some((rules(t).card(unit).side, "withdraw", "5.53")),
        _ => None,
    }
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let field = Field::new(t);
    match *frame {
        Frame::React(mover) => {
            for hex in watchers(t, mover) {
                let now = field.facing(hex);
                let most = field.rules.numbers.react_turn;
                let others = Facing::ALL.into_iter().filter(|&facing| facing != now);
                for facing in others.filter(|facing| facing.turn(now) <= most) {
                    out.push(Do::Turn(hex, field.corner(facing)));
                }
                let whole = |unit: UnitId| !field.card(unit).wing;
                let units = field.fighters(hex);
                let units = units.filter(|&unit| may_react(field, unit).is_ok());
                for unit in units.filter(|&unit| whole(unit)) {
                    if !refuges(t, unit, mover, false).is_empty() {
                        out.push(Do::Withdraw(unit));
                    }
                }
            }
            out.push(Do::Done);
        }
        Frame::Withdraw(unit, mover) => {
            for hex in refuges(t, unit, mover, true) {
                out.push(Do::To(hex));
            }
        }
        _ => {}
    }
}

/// Why somebody does not react, or not so.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let field = Field::new(t);
    let check = match (*frame, answer) {
        (Frame::React(mover), Do::Turn(hex, corner)) => {
            // One of the stack who may react is enough.
            let mut stack = field.fighters(hex).map(|unit| may_react(field, unit));
            let first = stack.next().unwrap_or(Ok(()));
            let ready = if stack.any(|may| may.is_ok()) {
                Ok(())
            } else {
                first
            };
            let far = field.facing_of(corner).turn(field.facing(hex));
            let turns = far <= field.rules.numbers.react_turn;
            let turns = || require(turns, rule!("5.53"), "is more than they may turn");
            sees(field, mover, hex).and(ready).and_then(|()| turns())
        }
        (Frame::React(mover), Do::Withdraw(unit)) => {
            let seen = t.hex(unit).map(|hex| sees(field, mover, hex));
            let refuge = || {
                let any = !refuges(t, unit, mover, false).is_empty();
                require(any, rule!("5.53"), "finds nowhere to withdraw to")
            };
            let may = seen.unwrap_or(Ok(())).and(may_react(field, unit));
            may.and_then(|()| may_withdraw(t, unit))
                .and_then(|()| refuge())
        }
        (Frame::Withdraw(..), Do::To(_)) => require(
            false,
            rule!("5.53"),
            "is too far, full, next to an enemy or nearer to him",
        ),
        _ => Ok(()),
    };
    check.err()
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::React(_), Do::Done) => pop(t),
        (Frame::React(_), Do::Turn(hex, corner)) => {
            let field = Field::new(t);
            let facing = field.facing_of(corner);
            let stack: Vec<UnitId> = field.fighters(hex).collect();
            for unit in stack {
                turn(t, unit, facing);
                did(t, unit, Deed::REACTED);
            }
            t.say(|t| {
                let text = format!("those in {} turn {}", label(t, hex), facing.name());
                Event::new("turn", rule!("5.53"), text).hex(hex)
            });
        }
        (Frame::React(mover), Do::Withdraw(unit)) => {
            did(t, unit, Deed::REACTED);
            push(t, Frame::Withdraw(unit, mover));
        }
        (Frame::Withdraw(unit, mover), Do::To(hex)) => {
            pop(t);
            withdraw(t, unit, mover, hex);
        }
        _ => return Err(not_asked()),
    }
    Ok(())
}

/// A unit goes back by the rules of movement: if it can, by a way that leaves it in the order it has (§5.17).
fn withdraw(t: &mut Table, unit: UnitId, mover: UnitId, hex: HexId) {
    let (Some(start), Some(enemy)) = (t.hex(unit), t.hex(mover)) else {
        return;
    };
    let field = Field::new(t);
    let way = |clean: bool| {
        let end = |at: HexId, _: u16, _: u16| match at == hex {
            true => Then::End,
            false => Then::GoOn,
        };
        withdrawal(field, (unit, start), enemy, clean, end);
        WAYS.with_borrow(|reach| reach.way(hex))
    };
    let sound = !field.status(unit).disordered;
    let mut path = way(sound);
    let rough = path.is_empty();
    if rough {
        path = way(false);
    }
    path.retain(|&at| at != start);
    breastworks::abandon_digging(t, unit);
    let activation = t.res_mut::<Activation>();
    (activation.path, activation.start) = (path, Some(start));
    push(t, Frame::Retire(unit, 0, rough));
}

/// Goes on where nothing is asked: who withdraws walks hex by hex, and a special rule may fire at each.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    let Frame::Retire(unit, at, rough) = frame else {
        pop(t);
        return Ok(());
    };
    let activation = t.res::<Activation>();
    let (path, start) = (&activation.path, activation.start);
    let expected = at.checked_sub(1).map(|last| path[usize::from(last)]);
    if t.hex(unit) != expected.or(start) {
        // What met it on the way drove it off.
        pop(t);
        return Ok(());
    }
    let Some(&hex) = path.get(usize::from(at)) else {
        pop(t);
        retired(t, unit, start, rough);
        return Ok(());
    };
    swap(t, Frame::Retire(unit, at + 1, rough));
    occupy(t, unit, hex);
    leaders::overrun(t, rules(t).card(unit).side, hex);
    special::each(t, |rule, t| rule.entered(t, unit, hex));
    Ok(())
}

/// A unit has withdrawn, and checks whether it did so in order.
fn retired(t: &mut Table, unit: UnitId, from: Option<HexId>, rough: bool) {
    let Some(hex) = t.hex(unit) else { return };
    if rough {
        status_mut(t, unit).disordered = true;
    }
    let field = Field::new(t);
    let joined = field.fighters(hex).find(|&other| other != unit);
    if let Some(facing) = joined.map(|other| field.status(other).facing) {
        turn(t, unit, facing);
    }
    if let Some(from) = from {
        leaders::follow(t, rules(t).card(unit).side, from, hex);
    }
    t.say(|t| {
        let text = format!("{} withdraws to {}", name(t, unit), label(t, hex));
        Event::new("withdraw", rule!("5.53"), text)
            .unit(unit)
            .hex(hex)
    });
    if !cohesion::check(t, unit, "withdrawal", 0) {
        cohesion::shaken(t, unit);
    }
    special::each(t, |rule, t| rule.completed(t, unit, hex));
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::React(mover) => format!("{} has come near: who reacts?", name(t, mover)),
        Frame::Withdraw(unit, _) => format!("Where does {} withdraw to?", name(t, unit)),
        _ => "?".into(),
    }
}
