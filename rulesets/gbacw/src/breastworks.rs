//! §10 Breastworks: begun in the command phase, finished when turns have passed.

use crate::activation::on_foot;
use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop};
use crate::field::{Field, label, rules};
use crate::state::{Frame, Land, Order, Work};
use cupola_ground::board::Mark;
use cupola_ground::{Cover, Direction};
use cupola_kernel::{Event, HexId, Options, Side, Table, UnitId, rule};

/// How many turns a work takes now (§10.12).
fn wanted(t: &Table) -> u8 {
    let numbers = &rules(t).numbers;
    if t.is_night() {
        numbers.works_night
    } else {
        numbers.works_day
    }
}

/// Whether the ground lets works be built (§10.12).
fn buildable(t: &Table, hex: HexId) -> bool {
    let board = t.board();
    let woods = |hex: HexId| board.cover(hex) == Cover::Woods;
    if !t.is_night() {
        return woods(hex);
    }
    let marks = board.marks(hex);
    let built = marks.contains(Mark::Farm) || marks.contains(Mark::Building);
    match board.cover(hex) {
        Cover::Marsh | Cover::Town => false,
        Cover::Woods | Cover::Rocks => true,
        _ => {
            built
                || board.neighbours(hex).any(|(_, next)| woods(next))
                || Direction::ALL
                    .into_iter()
                    .any(|way| board.side(hex, way).wall)
        }
    }
}

/// Hexes in which a side may begin works.
fn sites(t: &Table, side: Side) -> Vec<HexId> {
    let field = Field::new(t);
    // What could not be finished is not begun.
    if t.turn() + u16::from(wanted(t)) > t.env().last_turn + 1 {
        return vec![];
    }
    let mut hexes: Vec<HexId> = field.on_map(side).map(|(_, hex)| hex).collect();
    hexes.sort_unstable();
    hexes.dedup();
    hexes.retain(|&hex| may_dig(t, side, hex));
    hexes
}

fn may_dig(t: &Table, side: Side, hex: HexId) -> bool {
    let field = Field::new(t);
    let land = t.res::<Land>();
    let numbers = &field.rules.numbers;
    let diggers = field.fighters(hex).filter(|&unit| {
        on_foot(field, unit) && field.wear(field.card(unit).brigade).order == Order::None
    });
    let sp: u8 = diggers.map(|unit| field.sp(unit)).sum();
    if !buildable(t, hex) {
        return false;
    }
    let foot_near = || {
        field.on_map(side.other()).any(|(unit, enemy)| {
            t.board().distance(hex, enemy) <= numbers.works_within && on_foot(field, unit)
        })
    };
    sp >= numbers.works_sp
        && !land.works.iter().any(|work| work.hex == hex)
        && !field.near_enemy(side, hex)
        && foot_near()
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

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    if let Frame::Dig(_) = *frame {
        let sites = t.res::<Land>().staff.iter();
        sites.for_each(|&(hex, _)| out.push(Do::Dig(HexId(hex))));
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
        (Frame::Dig(side), Do::Dig(hex)) => {
            t.res_mut::<Land>().staff.retain(|(site, _)| *site != hex.0);
            let front = Field::new(t).facing(hex).front();
            let wants = wanted(t);
            t.res_mut::<Land>().works.push(Work {
                hex,
                sides: 1 << front[0] | 1 << front[1],
                side,
                wants,
            });
            t.say(|t| {
                let text = format!("breastworks are begun in {}", label(t, hex));
                Event::new("works", rule!("10.13"), text).hex(hex)
            });
        }
        _ => return Err(not_asked()),
    }
    Ok(())
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
