//! §5.13, §5.34 A unit's turn: it moves, turns, rallies, mounts or stays; then the other side may react.
//!
//! Where it can go is in [`crate::movement`].

use crate::activation::phasing;
use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, swap};
use crate::facing::{Arc, Facing};
use crate::field::{Field, did, label, name, occupy, rules, status_mut, turn};
use crate::movement::{
    beside, explore, manner, may_end, may_mount, of_destinations, slow_enough, way_to,
};
use crate::special::{self, Drive};
use crate::state::{Activation, Deed, Frame, Land, boxes};
use crate::{breastworks, entry, extended, gallop, leaders, rally, reaction, refusal};
use cupola_ground::{Cover, Direction};
use cupola_kernel::{
    Acts, Check, Cost, Event, HexId, Options, Outlook, Place, Refusal, Table, UnitId, forbid,
    require, rule,
};

/// What the frames of movement ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let field = Field::new(t);
    match *frame {
        Frame::Act(unit, ..) => Some((field.card(unit).side, "act", "5.13")),
        Frame::Face(unit, ..) => {
            let hex = t.hex(unit)?;
            let alone = field.fighters(hex).all(|other| other == unit);
            (alone && field.rules.fights(unit)).then_some((field.card(unit).side, "facing", "5.34"))
        }
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    match frame {
        Frame::Walk(unit, at, cost) => walk(t, unit, at, cost),
        Frame::Face(unit, ..) => {
            // Who joins others looks where they look (§5.23).
            let field = Field::new(t);
            let joined = t.hex(unit).and_then(|hex| {
                let mut others = field.fighters(hex).filter(|&other| other != unit);
                others.next().map(|other| field.status(other).facing)
            });
            if let Some(facing) = joined.filter(|_| rules(t).fights(unit)) {
                turn(t, unit, facing);
            }
            swap(t, Frame::Arrived(unit));
        }
        Frame::Arrived(unit) => arrived(t, unit),
        _ => pop(t),
    }
    Ok(())
}

/// Walks hex by hex: a special rule may fire at each of them.
fn walk(t: &mut Table, unit: UnitId, at: u8, cost: u8) {
    let path = &t.res::<Activation>().path;
    let from = t.hex(unit);
    let expected = at.checked_sub(1).map(|last| path[usize::from(last)]);
    let strayed = expected.is_some() && from != expected;
    if strayed || from.is_none() && at > 0 {
        // What met it on the way drove it off: the move is over.
        pop(t);
        return;
    }
    let Some(&hex) = path.get(usize::from(at)) else {
        let path = path.clone();
        finish_walk(t, unit, &path, cost);
        return;
    };
    swap(t, Frame::Walk(unit, at + 1, cost));
    occupy(t, unit, hex);
    if from.is_none() {
        entry::entered(t, unit, hex);
        entry::look(t);
    }
    did(t, unit, Deed::ACTED | Deed::MOVED);
    if rules(t).fights(unit) {
        leaders::overrun(t, rules(t).card(unit).side, hex);
    }
    special::each(t, |rule, t| rule.entered(t, unit, hex));
}

/// The end of a walk: terrain may have disordered the unit (§5.17).
fn finish_walk(t: &mut Table, unit: UnitId, path: &[HexId], cost: u8) {
    let start = t.res::<Activation>().start;
    let gallops = gallop::gallops(Field::new(t), unit, start, path);
    if gallops {
        did(t, unit, Deed::GALLOPS);
    }
    let shaken = gallops && gallop::disorders(Field::new(t), start, path);
    if shaken || disordered_by(Field::new(t), unit, start, path, cost) {
        status_mut(t, unit).disordered = true;
        t.say(|t| {
            let text = format!("the ground disorders {}", name(t, unit));
            Event::new("disorder", rule!("5.17"), text).unit(unit)
        });
    }
    t.say(|t| {
        let to = path.last().map_or("", |&hex| label(t, hex)).to_owned();
        let text = format!("{} moves to {to}", name(t, unit));
        let mut event = Event::new("move", rule!("5.13"), text).unit(unit);
        event.hexes = path.to_vec();
        event
    });
    let before = path.len().checked_sub(2).map_or(start, |i| Some(path[i]));
    let came = before
        .zip(path.last())
        .and_then(|(before, &last)| t.board().direction(last, before))
        .map_or(u8::MAX, |way| way.index() as u8);
    let limit = manner(Field::new(t), unit, false).limit;
    swap(t, Frame::Face(unit, came, limit.saturating_sub(cost)));
}

/// Whether a way disorders the unit that went it.
fn disordered_by(
    field: Field,
    unit: UnitId,
    start: Option<HexId>,
    path: &[HexId],
    cost: u8,
) -> bool {
    if !field.rules.fights(unit) || field.status(unit).disordered {
        return false;
    }
    let manner = manner(field, unit, false);
    let (board, steps) = (field.t.board(), &field.rules.steps);
    let (mut from, mut rough, mut woods) = (start, false, false);
    for &to in path {
        if let Some(way) = from.and_then(|from| board.direction(from, to))
            && let Some(from) = from
        {
            let step = steps.get(manner.mover, manner.gait, from, way);
            rough |= step.is_some_and(|step| step.disorders);
            woods |= board.cover(to) == Cover::Woods && board.side(from, way).road.is_none();
            if let Some(work) = field.t.res::<Land>().works_at(to)
                && work.sides >> way.opposite().index() & 1 == 1
            {
                let over = steps.over_works(manner.mover);
                rough |= over.is_some_and(|step| step.disorders);
            }
        }
        from = Some(to);
    }
    // §11.2: in the dark a long way through woods disorders anybody.
    let full = field.rules.allowance(unit, field.mounted(unit));
    rough || (woods && field.t.is_night() && cost > full / 2)
}

/// A unit stands where it wanted to.
fn arrived(t: &mut Table, unit: UnitId) {
    let Some(hex) = t.hex(unit) else {
        pop(t);
        return;
    };
    let (side, fights) = (rules(t).card(unit).side, rules(t).fights(unit));
    if !fights {
        pop(t);
        return;
    }
    if Field::new(t).near_enemy(side, hex) {
        did(t, unit, Deed::CLOSED);
    }
    special::each(t, |rule, t| rule.completed(t, unit, hex));
    if reaction::possible(t, unit) {
        swap(t, Frame::React(unit));
    } else {
        pop(t);
    }
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let field = Field::new(t);
    match *frame {
        Frame::Act(unit, _, toggled) => act_options(field, unit, toggled, out),
        Frame::Face(unit, came, left) => {
            let facings = facings(field, unit, came);
            for &facing in &facings {
                out.push(Do::Face(field.corner(facing)));
            }
            refusal::options(field, unit, &facings, out);
            if mounts_at_the_end(field, unit, left) {
                out.push(Do::Mount);
            }
        }
        _ => {}
    }
}

/// What a unit may do.
fn act_options(field: Field, unit: UnitId, toggled: bool, out: &mut Options) {
    // Who must go at the enemy has no other choice.
    if go_options(field, unit, toggled, out) {
        return;
    }
    let here = field.t.hex(unit).is_some();
    if here && field.rules.fights(unit) && !toggled && !field.status(unit).abandoned {
        let now = field.status(unit).facing;
        for facing in Facing::ALL.into_iter().filter(|&facing| facing != now) {
            out.push(Do::Face(field.corner(facing)));
        }
        refusal::options(field, unit, &Facing::ALL, out);
        extended::options(field, unit, out);
        if breastworks::may_raze(field, unit).is_ok() {
            out.push(Do::Raze);
        }
    }
    if !toggled && rally::may_rally(field, unit).is_ok() {
        out.push(Do::Rally);
    }
    if here && !toggled && may_mount(field, unit).is_ok() {
        out.push(Do::Mount);
    }
    if here && !toggled && entry::may_leave(field, unit).is_ok() {
        out.push(Do::Leave);
    }
    out.push(Do::Stay);
}

/// Where a unit may go: abandoned guns and who is not released nowhere, driven units at the enemy. Whether it is driven
/// anywhere.
fn go_options(field: Field, unit: UnitId, toggled: bool, out: &mut Options) -> bool {
    let stays = field.status(unit).abandoned || !crate::orders::free(field.t, unit);
    if stays || may_go(field, unit).is_err() {
        return false;
    }
    let to = Do::To(HexId(0)).act();
    let how = drive(field, unit);
    if how == Drive::Free {
        of_destinations(field, unit, toggled, |there| {
            out.push_hexes(to, 0, there.iter());
        });
        return false;
    }
    let all = of_destinations(field, unit, toggled, |there| there.iter().collect());
    let there = driven(field, unit, how, all);
    let anywhere = !there.is_empty();
    out.push_hexes(to, 0, there.into_iter());
    anywhere
}

/// How a special rule has a unit move.
#[must_use]
pub fn drive(field: Field, unit: UnitId) -> Drive {
    let mut specials = field
        .rules
        .specials
        .iter()
        .map(|rule| rule.drive(field.t, unit));
    specials
        .find(|drive| *drive != Drive::Free)
        .unwrap_or(Drive::Free)
}

/// Of these hexes those that a driven unit must choose from: next to the enemy, or at least nearer to him.
fn driven(field: Field, unit: UnitId, how: Drive, mut hexes: Vec<HexId>) -> Vec<HexId> {
    let (Some(start), side) = (field.t.hex(unit), field.card(unit).side) else {
        return hexes;
    };
    if how == Drive::Home {
        let specials = &field.rules.specials;
        let home = |hex: &HexId| specials.iter().all(|rule| rule.home(field.t, unit, *hex));
        if hexes.iter().any(home) {
            hexes.retain(home);
        }
        return hexes;
    }
    let apart = |hex: HexId| {
        let enemies = field.on_map(side.other()).map(|(_, enemy)| enemy);
        enemies
            .map(|enemy| field.t.board().distance(hex, enemy))
            .min()
    };
    // Where such a unit may end at all is further off.
    if how == Drive::Away {
        return hexes;
    }
    if how == Drive::Close && hexes.iter().any(|&hex| field.near_enemy(side, hex)) {
        hexes.retain(|&hex| field.near_enemy(side, hex));
    } else {
        hexes.retain(|&hex| apart(hex) < apart(start));
    }
    hexes
}

/// Whether special rules let a unit leave its hex.
fn may_go(field: Field, unit: UnitId) -> Check {
    let specials = &field.rules.specials;
    specials
        .iter()
        .try_for_each(|rule| rule.may_go(field.t, unit))
}

/// The facings that a unit may take when its move ends (§5.34): with the hex it left behind it in an attack, and with
/// an enemy before it where it must charge.
fn facings(field: Field, unit: UnitId, came: u8) -> Vec<Facing> {
    let attacks = field.deed(unit).any(Deed::ATTACKS) && came < 6;
    let mut all = Facing::ALL.to_vec();
    all.retain(|facing| !attacks || facing.arc(came) == Arc::Rear);
    let board = field.t.board();
    let at_him = |facing: &Facing| {
        let hex = field.t.hex(unit);
        facing.front().into_iter().any(|side| {
            let before =
                hex.and_then(|hex| board.neighbour(hex, Direction::ALL[usize::from(side)]));
            before.is_some_and(|hex| field.holder(hex) == Some(field.card(unit).side.other()))
        })
    };
    if drive(field, unit) == Drive::Close && all.iter().any(at_him) {
        all.retain(at_him);
    }
    all
}

/// Whether half the allowance is left to mount or dismount after the move (§9.11).
fn mounts_at_the_end(field: Field, unit: UnitId, left: u8) -> bool {
    let limit = manner(field, unit, false).limit;
    may_mount(field, unit).is_ok() && left >= limit / 2
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match frame {
        Frame::Act(unit, _, toggled) => act(t, unit, toggled, answer),
        Frame::Face(unit, came, _) => face(t, unit, came, answer),
        _ => Err(not_asked()),
    }
}

/// What a unit does; but for those who go or mount, its turn is over with it.
fn act(t: &mut Table, unit: UnitId, toggled: bool, answer: Do) -> Answer {
    match answer {
        Do::To(hex) => return set_out(t, unit, toggled, hex),
        Do::Mount => {
            mount(t, unit);
            did(t, unit, Deed::ACTED);
            swap(t, Frame::Act(unit, 0, true));
            return Ok(());
        }
        _ => pop(t),
    }
    let field = Field::new(t);
    match answer {
        Do::Face(corner) => {
            let facing = field.facing_of(corner);
            wheel(t, unit, facing);
        }
        Do::Refuse(corner, hand) => {
            let (facing, hand) = (field.facing_of(corner), field.hand_of(hand));
            wheel(t, unit, facing);
            refusal::refuse(t, unit, hand);
        }
        Do::Extend(hand) => {
            let hand = field.hand_of(hand);
            extended::extend(t, unit, hand);
        }
        Do::Close => {
            extended::fold(t, unit);
            did(t, unit, Deed::ACTED | Deed::MOVED);
        }
        Do::Raze => {
            breastworks::raze(t, unit);
            did(t, unit, Deed::ACTED | Deed::MOVED);
        }
        Do::Rally => rally::rally(t, unit),
        Do::Stay => {
            did(t, unit, Deed::ACTED);
            if t.stacks().place(unit) == Place::Box(boxes::ROAD) {
                let points = manner(Field::new(t), unit, false).limit;
                entry::go_on(t, unit, points);
            }
        }
        Do::Leave => {
            let points = manner(field, unit, false).limit;
            let road = entry::may_leave(field, unit).map_err(|_| not_asked())?;
            did(t, unit, Deed::ACTED | Deed::MOVED);
            entry::leave(t, unit, road, points);
        }
        _ => return Err(not_asked()),
    }
    Ok(())
}

/// A unit sets out for a hex.
fn set_out(t: &mut Table, unit: UnitId, toggled: bool, hex: HexId) -> Answer {
    let way = way_to(Field::new(t), unit, toggled, hex).ok_or_else(not_asked)?;
    let start = t.hex(unit);
    breastworks::abandon_digging(t, unit);
    let activation = t.res_mut::<Activation>();
    (activation.path, activation.start) = (way.path, start);
    did(t, unit, Deed::ACTED);
    swap(t, Frame::Walk(unit, 0, way.cost));
    Ok(())
}

/// How a unit stands once it has moved.
fn face(t: &mut Table, unit: UnitId, came: u8, answer: Do) -> Answer {
    let field = Field::new(t);
    match answer {
        Do::Face(corner) => {
            let facing = field.facing_of(corner);
            turn(t, unit, facing);
            swap(t, Frame::Arrived(unit));
        }
        Do::Refuse(corner, hand) => {
            let (facing, hand) = (field.facing_of(corner), field.hand_of(hand));
            turn(t, unit, facing);
            refusal::refuse(t, unit, hand);
            swap(t, Frame::Arrived(unit));
        }
        Do::Mount => {
            mount(t, unit);
            swap(t, Frame::Face(unit, came, 0));
        }
        _ => return Err(not_asked()),
    }
    Ok(())
}

fn mount(t: &mut Table, unit: UnitId) {
    let status = status_mut(t, unit);
    status.mounted = !status.mounted;
    did(t, unit, Deed::MOVED);
    special::each(t, |rule, t| rule.mounted(t, unit));
}

/// Those in a hex turn with the unit that does (§5.23, §5.34).
fn wheel(t: &mut Table, unit: UnitId, facing: Facing) {
    let Some(hex) = t.hex(unit) else { return };
    let (field, side) = (Field::new(t), phasing(t));
    let far = field.status(unit).facing.turn(facing) > 1;
    let stack: Vec<UnitId> = field
        .fighters(hex)
        .filter(|&other| field.card(other).side == side)
        .collect();
    for other in stack {
        turn(t, other, facing);
        if far {
            did(t, other, Deed::WHEELED);
        }
    }
    did(t, unit, Deed::ACTED);
}

/// Why a unit cannot do something.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let field = Field::new(t);
    match (*frame, answer) {
        (Frame::Act(unit, _, toggled), Do::To(hex)) => cannot_go(field, unit, toggled, hex).err(),
        (Frame::Act(unit, ..), Do::Rally) => rally::may_rally(field, unit).err(),
        (Frame::Act(unit, ..), Do::Leave) => entry::may_leave(field, unit).err(),
        (Frame::Act(unit, ..), Do::Extend(hand)) => {
            extended::may_extend(field, unit, field.hand_of(hand)).err()
        }
        (Frame::Act(unit, ..), Do::Raze) => breastworks::may_raze(field, unit).err(),
        (Frame::Act(unit, ..) | Frame::Face(unit, ..), Do::Refuse(..)) => {
            refusal::may_refuse(field, unit).err()
        }
        (Frame::Act(unit, ..) | Frame::Face(unit, ..), Do::Mount) => may_mount(field, unit).err(),
        (Frame::Face(..), Do::Face(_)) => Some(Refusal::new(
            rule!("5.34"),
            "would not have the hex it left behind it",
        )),
        _ => None,
    }
}

fn cannot_go(field: Field, unit: UnitId, toggled: bool, hex: HexId) -> Check {
    let side = field.card(unit).side;
    require(
        crate::orders::free(field.t, unit),
        rule!("L1"),
        "is not open to those who are not released",
    )?;
    may_go(field, unit)?;
    forbid(
        entry::warded(field, side, hex) && field.rules.fights(unit),
        rule!("5.47"),
        "is next to an entrance of the enemy",
    )?;
    require(field.inside(hex), rule!("5.11"), "is not on this map")?;
    let enemy = field.holder(hex) == Some(side.other());
    forbid(enemy, rule!("5.13"), "holds an enemy")?;
    let manner = manner(field, unit, toggled);
    forbid(
        !manner.closes && field.near_enemy(side, hex),
        rule!("5.13"),
        "is next to an enemy, and it does not attack",
    )?;
    let fences = special::fencing(field, unit);
    let reached = explore(field, unit, &manner, true, &fences, |start, any| {
        (
            start,
            any.cost(hex).is_some() && slow_enough(field, unit, any, hex),
        )
    });
    let Some((start, reached)) = reached else {
        return Err(Refusal::new(rule!("5.41"), "cannot be entered from here"));
    };
    may_end(field, unit, start, hex)?;
    let near = !beside(field, unit, &manner, |near| near == hex).is_empty();
    require(reached || near, rule!("5.12"), "is too far for it")
}

/// What a move costs and which way it goes.
#[must_use]
pub fn outlook(t: &Table, frame: &Frame, answer: Do) -> Option<Outlook> {
    let (Frame::Act(unit, _, toggled), Do::To(hex)) = (*frame, answer) else {
        return None;
    };
    let field = Field::new(t);
    let way = way_to(field, unit, toggled, hex)?;
    let limit = manner(field, unit, toggled).limit;
    let (spent, left) = (
        u32::from(way.cost),
        u32::from(limit.saturating_sub(way.cost)),
    );
    let mut path = way.path;
    path.splice(0..0, t.hex(unit));
    Some(Outlook {
        cost: Some(Cost::in_parts(2, spent, left)),
        path,
    })
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::Act(unit, ..) => {
            let attacks = Field::new(t).deed(unit).any(Deed::ATTACKS);
            let how = if attacks { " (attacking)" } else { "" };
            format!("What does {}{how} do?", name(t, unit))
        }
        Frame::Face(unit, ..) => format!("Which way does {} face?", name(t, unit)),
        _ => "?".into(),
    }
}
