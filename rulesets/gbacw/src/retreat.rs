//! §7.3 Retreats: two hexes away from the fire, through friends if need be.

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop, push, swap};
use crate::field::{Field, did, eliminate, label, name, occupy, rules, turn, undid};
use crate::files::Home;
use crate::movement::{Manner, step as step_over};
use crate::state::{Deed, Frame};
use crate::steps::Gait;
use crate::{breastworks, cohesion, leaders, special};
use cupola_ground::Direction;
use cupola_ground::board::Mark;
use cupola_kernel::{Event, HexId, Options, Refusal, Side, Table, UnitId, rule};

/// Those who fall back from a hex.
fn fleeing(t: &Table, hex: HexId) -> Vec<UnitId> {
    let field = Field::new(t);
    field
        .troops(hex)
        .filter(|&unit| field.deed(unit).any(Deed::FLEES))
        .collect()
}

/// Whether troops in flight can cross a hexside: where they could move if they had the points (creeks, works and rocks bar
/// whom they bar), and in and out of a cut by the bed only (§5.18).
fn passable(field: Field, unit: UnitId, from: HexId, way: Direction, to: HexId) -> bool {
    let (board, side) = (field.t.board(), field.card(unit).side);
    let cut = |hex: HexId| board.marks(hex).contains(Mark::Cut);
    let bed = board.side(from, way).road.is_some();
    let manner = Manner::at_will(field, unit, Gait::Normal);
    field.inside(to)
        && step_over(field, side, &manner, from, way, to).is_some()
        && (!(cut(from) || cut(to)) || bed)
}

/// How far along the way home a hex lies, in centimetres.
fn homeward(field: Field, side: Side, hex: HexId) -> i64 {
    let point = field.t.board().centre(hex);
    let (x, y) = (i64::from(point.x), i64::from(point.y));
    match field.rules.home[side] {
        Home::North => y,
        Home::South => -y,
        Home::East => x,
        Home::West => -x,
    }
}

/// Where those in a hex may fall back to next (§7.31).
fn ways(t: &Table, hex: HexId, from: Option<HexId>) -> Vec<HexId> {
    let field = Field::new(t);
    let Some(&unit) = fleeing(t, hex).first() else {
        return vec![];
    };
    let (side, board) = (field.card(unit).side, t.board());
    let from = from.or_else(|| nearest_enemy(field, side, hex));
    let away =
        |to: HexId| from.is_none_or(|from| board.distance(to, from) > board.distance(hex, from));
    let mut open: Vec<HexId> = board
        .neighbours(hex)
        .filter(|&(way, to)| passable(field, unit, hex, way, to))
        .map(|(_, to)| to)
        .filter(|&to| away(to))
        .filter(|&to| {
            let mut specials = field.rules.specials.iter();
            specials.all(|rule| rule.may_retreat(t, unit, to).is_ok())
        })
        .collect();
    prefer(&mut open, |&to| !field.near_enemy(side, to));
    let brigadier = field.brigade(unit).and_then(|brigade| brigade.leader);
    let brigadier = brigadier.and_then(|leader| t.hex(leader));
    prefer(&mut open, |&to| {
        let to_leader = brigadier
            .is_some_and(|leader| board.distance(to, leader) < board.distance(hex, leader));
        to_leader || homeward(field, side, to) > homeward(field, side, hex)
    });
    open.sort_unstable();
    open
}

/// Keeps those that are wanted, if there are any.
fn prefer(hexes: &mut Vec<HexId>, wanted: impl Fn(&HexId) -> bool) {
    if hexes.iter().any(&wanted) {
        hexes.retain(wanted);
    }
}

fn nearest_enemy(field: Field, side: Side, hex: HexId) -> Option<HexId> {
    let enemies = field.on_map(side.other()).map(|(_, other)| other);
    enemies.min_by_key(|&other| (field.t.board().distance(hex, other), other))
}

/// Whether those who fall back fit where they are.
fn settled(t: &Table, hex: HexId) -> bool {
    let field = Field::new(t);
    fleeing(t, hex)
        .first()
        .is_none_or(|&unit| field.fits(unit, hex))
}

/// What the frame of a retreat asks.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let Frame::Retreat(hex, left, from, _) = *frame else {
        return None;
    };
    let &unit = fleeing(t, hex).first()?;
    let over = left == 0 && settled(t, hex);
    (!over && ways(t, hex, from).len() > 1).then_some((rules(t).card(unit).side, "retreat", "7.31"))
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    let Frame::Retreat(hex, left, from, harried) = frame else {
        return Err(not_asked());
    };
    let units = fleeing(t, hex);
    if units.is_empty() || (left == 0 && settled(t, hex)) {
        pop(t);
        for unit in units {
            undid(t, unit, Deed::FLEES);
            did(t, unit, Deed::FLED);
            settle(t, unit, hex);
        }
        return Ok(());
    }
    match ways(t, hex, from).first() {
        Some(&to) => step(t, hex, to, left, from, harried),
        None => {
            pop(t);
            for unit in units {
                undid(t, unit, Deed::FLEES);
                t.say(|t| {
                    let text = format!("{} has no way back and is lost", name(t, unit));
                    Event::new("eliminated", rule!("7.32"), text).unit(unit)
                });
                eliminate(t, unit);
            }
        }
    }
    Ok(())
}

/// Who falls back keeps his front to the enemy (§7.35); among others he looks where they look (§5.23).
fn settle(t: &mut Table, unit: UnitId, hex: HexId) {
    let field = Field::new(t);
    let joined = field
        .fighters(hex)
        .find(|&other| other != unit && !field.deed(other).any(Deed::FLED | Deed::FLEES));
    if let Some(facing) = joined.map(|other| field.status(other).facing) {
        turn(t, unit, facing);
    }
}

/// One hex back: friends who are passed through must stand it (§7.33).
fn step(t: &mut Table, hex: HexId, to: HexId, left: u8, from: Option<HexId>, harried: bool) {
    let units = fleeing(t, hex);
    let side = units
        .first()
        .map_or(Side::First, |&unit| rules(t).card(unit).side);
    // Where nobody fired, the enemy who was nearest at first is whom it keeps away from: else it could go to and fro.
    let from = from.or_else(|| nearest_enemy(Field::new(t), side, hex));
    let near = Field::new(t).near_enemy(side, to);
    if near
        && !harried
        && let Some(&unit) = units.first()
    {
        cohesion::pay(t, unit, 1);
    }
    swap(
        t,
        Frame::Retreat(to, left.saturating_sub(1), from, harried || near),
    );
    let friends: Vec<UnitId> = Field::new(t).fighters(to).collect();
    for &unit in &units {
        if t.hex(unit).is_some() {
            breastworks::abandon_digging(t, unit);
            occupy(t, unit, to);
        }
    }
    leaders::overrun(t, side, to);
    leaders::follow(t, side, hex, to);
    t.say(|t| {
        let who = units.iter().map(|&unit| name(t, unit));
        let text = format!("{} to {}", who.collect::<Vec<_>>().join(", "), label(t, to));
        let mut event = Event::new("retreat", rule!("7.31"), text).hex(to);
        event.units = units.clone();
        event
    });
    through(t, &friends);
    for &unit in &units {
        special::each(t, |rule, t| rule.entered(t, unit, to));
    }
}

/// Friends in the way: one check each, one loss a hex (§7.33).
fn through(t: &mut Table, friends: &[UnitId]) {
    let mut paid = false;
    for &unit in friends {
        if cohesion::check(t, unit, "retreat through", 0) {
            continue;
        }
        let disordered = Field::new(t).status(unit).disordered;
        if !disordered || !paid {
            cohesion::shaken(t, unit);
        }
        paid |= disordered;
    }
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    if let Frame::Retreat(hex, _, from, _) = *frame {
        ways(t, hex, from)
            .into_iter()
            .for_each(|to| out.push(Do::Step(to)));
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    let (Frame::Retreat(hex, left, from, harried), Do::Step(to)) = (frame, answer) else {
        return Err(not_asked());
    };
    step(t, hex, to, left, from, harried);
    Ok(())
}

/// Why a hex is no way back.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let (Frame::Retreat(hex, ..), Do::Step(to)) = (*frame, answer) else {
        return None;
    };
    let beside = t.board().distance(hex, to) == 1;
    let why = if beside {
        "is not the way back: away from the fire, not past the enemy, towards brigadier or home"
    } else {
        "is not the next hex"
    };
    Some(Refusal::new(rule!("7.31"), why))
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    let Frame::Retreat(hex, ..) = *frame else {
        return "?".into();
    };
    let who = fleeing(t, hex);
    let who: Vec<&str> = who.iter().map(|&unit| name(t, unit)).collect();
    format!("Where do {} fall back to?", who.join(", "))
}

/// Begins a retreat without loss (§7.34).
pub fn begin(t: &mut Table, unit: UnitId, from: Option<HexId>) {
    let unit = crate::extended::whole(t, unit);
    if let Some(hex) = t.hex(unit) {
        did(t, unit, Deed::FLEES);
        let far = rules(t).numbers.retreat;
        push(t, Frame::Retreat(hex, far, from, false));
    }
}

/// Whether those in a hex can trace a way past the enemy to an entry of their side (§5.18, line of communication); to
/// any edge of the map where the scenario has none.
#[must_use]
pub fn communicates(t: &Table, side: Side, hex: HexId) -> bool {
    let field = Field::new(t);
    let gates = || {
        field
            .rules
            .gates
            .iter()
            .filter(move |gate| gate.side == side)
    };
    let entry = |at: HexId| gates().any(|gate| gate.hexes.contains(&at));
    let edge = |at: HexId| EDGES.into_iter().any(|edge| at_edge(field, at, edge));
    let has_entries = gates().next().is_some();
    has_way(
        t,
        side,
        hex,
        |at| if has_entries { entry(at) } else { edge(at) },
    )
}

const EDGES: [Home; 4] = [Home::North, Home::East, Home::South, Home::West];

/// Whether a hex lies at an edge of the scenario's map.
#[must_use]
pub fn at_edge(field: Field, hex: HexId, edge: Home) -> bool {
    let beyond: &[Direction] = match edge {
        Home::North => &[Direction::ALL[4], Direction::ALL[5]],
        Home::East => &[Direction::ALL[0]],
        Home::South => &[Direction::ALL[1], Direction::ALL[2]],
        Home::West => &[Direction::ALL[3]],
    };
    let board = field.t.board();
    let mut next = beyond.iter().map(|&way| board.neighbour(hex, way));
    next.all(|next| next.is_none_or(|next| !field.inside(next)))
}

/// Whether there is a way past the enemy from a hex to one that is home.
#[must_use]
pub fn has_way(t: &Table, side: Side, hex: HexId, home: impl Fn(HexId) -> bool) -> bool {
    let field = Field::new(t);
    let board = t.board();
    // Nobody goes where the enemy is or, but for friends, next to him: that counts as seen.
    let mut seen = vec![false; board.len()];
    for (_, enemy) in field.on_map(side.other()) {
        seen[enemy.index()] = true;
        let beside = field.rules.adjacent(board, enemy);
        let beside = beside.filter(|&next| field.holder(next) != Some(side));
        beside.for_each(|next| seen[next.index()] = true);
    }
    let mut open = vec![hex];
    seen[hex.index()] = true;
    while let Some(at) = open.pop() {
        if home(at) {
            return true;
        }
        for (way, to) in board.neighbours(at) {
            // §5.19: nobody goes over a thick black hexside.
            if !seen[to.index()] && !board.side(at, way).closed && field.inside(to) {
                seen[to.index()] = true;
                open.push(to);
            }
        }
    }
    false
}
