//! §J Movement: units go where [`reach`] finds a way, and the enemy fires at those who come near.

use crate::acts::Do;
use crate::engine::{Answer, Question, pop, push, swap};
use crate::field::{Field, claim, label, name, occupy, rules, status_mut};
use crate::rally::fits_with;
use crate::reach::{self, Found, LEAST, Leg, Mover, allowance, why_not_enter};
use crate::rules::{Kind, Order};
use crate::state::{Affairs, Frame, March, boxes};
use crate::units::Units;
use cupola_kernel::{
    Acts, Check, Cost, Event, Fault, HexId, Options, Outlook, Place, Refusal, Side, Table, UnitId,
    forbid, require, rule,
};

/// The entries open to a unit off the map (§J-3-d, §J-3-e).
#[must_use]
pub fn entries(field: Field, unit: UnitId) -> Vec<HexId> {
    let side = field.card(unit).side;
    let status = field.status(unit);
    let free = |hex: &HexId| field.holder(*hex) != Some(side.other());
    if let Some(gate) = status.gate {
        return Some(gate).into_iter().filter(free).collect();
    }
    let printed = &field.rules.entries[usize::from(unit.0)];
    if status.barred.is_none_or(|turn| turn >= field.t.turn()) {
        return printed.iter().copied().filter(free).collect();
    }
    // The map-edge hexes nearest to the entry that the enemy held.
    let rim = || {
        (0..field.rules.ground.rim.len() as u16)
            .map(HexId)
            .filter(|hex| field.rules.ground.rim[hex.index()] && free(hex))
    };
    let far = |hex: HexId| {
        printed
            .iter()
            .map(|&entry| field.rules.distance(entry, hex))
            .min()
            .unwrap_or(0)
    };
    let nearest = rim().map(far).min();
    rim().filter(|&hex| Some(far(hex)) == nearest).collect()
}

/// Notes who of these finds the enemy in every entry it could use: it waits, and comes on beside it from the
/// next turn on (§J-3-e).
pub fn bar(t: &mut Table, units: Units) {
    let (field, now) = (Field::new(t), t.turn());
    let barred = units.filter(|unit| {
        let (status, side) = (field.status(unit), field.card(unit).side);
        let mut doors = field.rules.entries[usize::from(unit.0)].iter();
        t.stacks().place(unit) == Place::Box(boxes::ENTRY)
            && status.gate.is_none()
            && status.barred.is_none()
            && doors.all(|&hex| field.holder(hex) == Some(side.other()))
    });
    for unit in barred {
        status_mut(t, unit).barred = Some(now);
        t.say(|t| {
            let text = format!("{} finds its entry held", name(t, unit));
            Event::new("barred", rule!("J-3-e"), text).unit(unit)
        });
    }
}

/// Whether a unit may be picked to move.
pub fn may_move(field: Field, unit: UnitId) -> Check {
    forbid(
        field.status(unit).frozen,
        rule!("F-2"),
        "is caught in battlefield chaos",
    )?;
    match field.t.stacks().place(unit) {
        Place::Hex(hex) => {
            let stuck =
                field.card(unit).kind == Kind::Guns && field.engaged(field.card(unit).side, hex);
            forbid(
                stuck,
                rule!("J-3-c"),
                "artillery next to the enemy cannot move away",
            )
        }
        Place::Box(boxes::ENTRY) => require(
            !entries(field, unit).is_empty(),
            rule!("J-3-e"),
            "the enemy holds its entry",
        ),
        Place::Box(_) => Err(Refusal::new(rule!("J"), "is not there to be moved")),
    }
}

/// Where a move stands, for a search.
fn leg<'a>(at: Option<HexId>, spent: u8, steps: (u8, bool), entries: &'a [HexId]) -> Leg<'a> {
    Leg {
        at,
        entries,
        spent,
        steps,
    }
}

/// Looks where the unit of a move can go from where it is.
fn with_reach<R>(
    t: &Table,
    frame: &Frame,
    look: impl FnOnce(Field, &Mover, Leg) -> R,
) -> Option<R> {
    let Frame::Move {
        unit,
        march,
        at,
        spent,
        steps,
        ..
    } = *frame
    else {
        return None;
    };
    let field = Field::new(t);
    let doors = if at.is_none() {
        entries(field, unit)
    } else {
        vec![]
    };
    let mover = Mover::new(field, unit, march);
    Some(look(field, &mover, leg(at, spent, steps, &doors)))
}

/// Begins to move a unit.
pub fn start(t: &mut Table, unit: UnitId, march: March) {
    let at = t.hex(unit);
    push(
        t,
        Frame::Move {
            unit,
            march,
            at,
            spent: 0,
            steps: (0, true),
            idle: true,
        },
    );
}

/// Whether a unit can go one hex, for events that move it so (§F-1-c, §F-2).
#[must_use]
pub fn can_step(field: Field, unit: UnitId, march: March) -> bool {
    if may_move(field, unit).is_err() {
        return false;
    }
    let mover = Mover::new(field, unit, march);
    match field.t.hex(unit) {
        Some(hex) => reach::enters_any(field, &mover, field.rules.around(hex)),
        None => reach::enters_any(field, &mover, entries(field, unit).into_iter()),
    }
}

/// What the frames of movement ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let field = Field::new(t);
    match *frame {
        Frame::MoveStep(left, march) => left
            .into_iter()
            .any(|unit| may_move(field, unit).is_ok())
            .then_some((march.by, "move", "G-3")),
        Frame::Move {
            unit,
            march,
            at,
            spent,
            steps,
            ..
        } => {
            let there = t.hex(unit) == at && t.stacks().place(unit) != Place::Box(boxes::BROKEN);
            let able = steps.0 < 2 || spent < allowance(field, unit, march);
            let more = !(march.one && steps.0 > 0);
            (there && able && more && may_move(field, unit).is_ok()).then_some((
                march.by,
                "destination",
                "J",
            ))
        }
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, _: Frame) -> Result<(), Fault> {
    pop(t);
    Ok(())
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let field = Field::new(t);
    match *frame {
        Frame::MoveStep(left, _) => {
            left.filter(|unit| may_move(field, unit).is_ok())
                .for_each(|unit| out.push(Do::Unit(unit)));
            out.push(Do::Done);
        }
        Frame::Move {
            unit, march, spent, ..
        } => {
            let mut list = |mover: &Mover, found: &Found| {
                out.push_hexes(Do::To(HexId(0)).act(), 0, found.ends().iter());
                let left = mover.allowance.saturating_sub(spent);
                if !march.one {
                    // By way of a hex worth holding (§O-c), where the shortest way might miss it.
                    let mut prizes: Vec<HexId> = not_held(field, field.card(unit).side)
                        .filter(|&hex| t.hex(unit) != Some(hex) && found.goes_on(hex, left))
                        .collect();
                    prizes.sort_unstable();
                    prizes.into_iter().for_each(|hex| out.push(Do::Via(hex)));
                }
            };
            // Asked first: what is found last is kept for the way.
            let mounts = may_mount(field, frame).is_ok();
            with_reach(t, frame, |field, mover, leg| {
                reach::reach(field, mover, leg, |found| list(mover, found))
            });
            if mounts {
                out.push(Do::Mount);
            }
            if may_exit(field, frame).is_ok() {
                out.push(Do::Exit);
            }
            if may_stop(field, frame).is_ok() {
                out.push(Do::Done);
            }
        }
        _ => {}
    }
}

/// The watched hexes that a side does not hold.
fn not_held(field: Field<'_>, side: Side) -> impl Iterator<Item = HexId> + '_ {
    let affairs = field.t.res::<Affairs>();
    let watched = field.rules.watched.iter().zip(0..);
    watched
        .filter(move |&(_, watch)| affairs.holder(watch) != side)
        .map(|(&hex, _)| hex)
}

/// A unit moved by the opponent or by an event goes where it must; others may end their move where there is
/// room (§J-2), or stay as they are.
fn may_stop(field: Field, frame: &Frame) -> Check {
    let Frame::Move {
        unit,
        march,
        steps,
        idle,
        at,
        ..
    } = *frame
    else {
        return Err(Refusal::new(rule!("J"), "nothing moves"));
    };
    require(
        steps.0 > 0 || !march.one || march.by == field.card(unit).side,
        rule!("F-2"),
        "it must go somewhere",
    )?;
    let room = at.is_none_or(|hex| field.fits(unit, hex));
    require(idle || room, rule!("J-2"), "there is no room in the hex")
}

fn may_mount(field: Field, frame: &Frame) -> Check {
    let Frame::Move {
        unit,
        march,
        steps,
        idle,
        at,
        spent,
    } = *frame
    else {
        return Err(Refusal::new(rule!("J-3-f"), "nothing moves"));
    };
    require(
        field.card(unit).kind == Kind::Horse,
        rule!("J-3-f"),
        "only cavalry mounts and dismounts",
    )?;
    require(
        steps.0 == 0 && idle && at.is_some(),
        rule!("J-3-f"),
        "it must be done at the start of the move",
    )?;
    forbid(march.one, rule!("J-3-f"), "this move is of one hex only")?;
    // §J-2 is about where a unit ends: in a full hex it may mount if it can ride on.
    let Some(hex) = at else { return Ok(()) };
    let (mover, spent) = remounted(field, unit, march, spent);
    let stays = fits_with(field, unit, hex, mover.sp);
    let rides = || {
        let leg = leg(at, spent, (2, false), &[]);
        reach::reach(field, &mover, leg, |found| !found.ends().is_empty())
    };
    require(
        stays || rides(),
        rule!("J-2"),
        "there is no room for it in the hex, and nowhere to go",
    )
}

/// Cavalry on its other footing, and the half points that are then spent: half of the allowance it had, rounded
/// up to a point (§J-3-f).
fn remounted(field: Field, unit: UnitId, march: March, spent: u8) -> (Mover, u8) {
    let points = allowance(field, unit, march) / 2;
    let rest = 2 * (points - points.div_ceil(2));
    let mover = Mover::footed(field, unit, march, !field.mounted(unit));
    // What is left is counted from the allowance it had.
    let spent = spent.max(mover.allowance.saturating_sub(rest));
    (mover, spent)
}

fn may_exit(field: Field, frame: &Frame) -> Check {
    let Frame::Move {
        unit,
        march,
        at: Some(hex),
        spent,
        steps,
        ..
    } = *frame
    else {
        return Err(Refusal::new(rule!("J-3-d"), "it is not on the map"));
    };
    require(
        field.rules.ground.rim[hex.index()],
        rule!("J-3-d"),
        "the hex is not at the edge of the map",
    )?;
    require(
        march.by == field.card(unit).side,
        rule!("J-3-d"),
        "only its owner takes it off the map",
    )?;
    let price = exit_price(field, unit, hex);
    let able = steps.0 == 0 || spent + price <= allowance(field, unit, march);
    require(able, rule!("J-3-d"), "it has no movement left")
}

/// What it costs to leave the map from a hex (§J-3-c, §J-3-d).
fn exit_price(field: Field, unit: UnitId, hex: HexId) -> u8 {
    let leaving = if field.engaged(field.card(unit).side, hex) {
        field.rules.charts.march.disengage
    } else {
        0
    };
    field.rules.charts.march.exit + leaving
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::MoveStep(left, march), Do::Unit(unit)) => {
            swap(t, Frame::MoveStep(left.without(unit), march));
            start(t, unit, march);
        }
        (Frame::MoveStep(..) | Frame::Move { .. }, Do::Done) => pop(t),
        (Frame::Move { .. }, Do::To(hex)) => walk(t, frame, hex, true),
        (Frame::Move { .. }, Do::Via(hex)) => walk(t, frame, hex, false),
        (Frame::Move { .. }, Do::Mount) => mount(t, frame),
        (Frame::Move { unit, at, .. }, Do::Exit) => {
            pop(t);
            t.place(unit, Place::Box(boxes::ENTRY));
            status_mut(t, unit).gate = at;
            t.say(|t| {
                Event::new(
                    "exit",
                    rule!("J-3-d"),
                    format!("{} leaves the map", name(t, unit)),
                )
                .unit(unit)
            });
        }
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// Cavalry changes its footing for half of its points, rounded up (§J-3-f).
fn mount(t: &mut Table, frame: Frame) {
    let Frame::Move {
        unit,
        march,
        at,
        spent,
        ..
    } = frame
    else {
        return;
    };
    let (_, spent) = remounted(Field::new(t), unit, march, spent);
    let status = status_mut(t, unit);
    status.mounted = !status.mounted;
    t.say(|t| {
        let text = format!("{} changes its footing", name(t, unit));
        Event::new("mount", rule!("J-3-f"), text).unit(unit)
    });
    // The minimum move is gone with it.
    swap(
        t,
        Frame::Move {
            unit,
            march,
            at,
            spent,
            steps: (2, false),
            idle: false,
        },
    );
}

/// Goes to a hex, and meets the fire of those it comes next to.
fn walk(t: &mut Table, frame: Frame, to: HexId, ends: bool) {
    let Frame::Move {
        unit,
        march,
        spent,
        steps,
        ..
    } = frame
    else {
        return;
    };
    let way = with_reach(t, &frame, |field, mover, leg| {
        reach::way(field, mover, leg, to, ends)
    });
    let Some(way) = way else {
        return;
    };
    let side = rules(t).card(unit).side;
    let road = all_by_road(t, t.hex(unit), &way.path);
    way.path.iter().for_each(|&hex| claim(t, side, hex));
    occupy(t, unit, to);
    let status = status_mut(t, unit);
    (status.gate, status.barred) = (None, None);
    let all = allowance(Field::new(t), unit, march);
    let spent = match way.cost {
        LEAST => all.max(spent),
        cost => spent + cost,
    };
    let steps = (
        steps.0.saturating_add(way.path.len() as u8),
        steps.1 && road,
    );
    tell(t, unit, to, way.path, spent);
    let engaged = Field::new(t).engaged(side, to);
    if ends && !engaged {
        return pop(t);
    }
    // §J-1-b: guns and horses that went into woods off the road go no farther.
    let (spent, steps) = if way.halts {
        (all.max(spent), (2, false))
    } else {
        (spent, steps)
    };
    let next = Frame::Move {
        unit,
        march,
        at: Some(to),
        spent,
        steps,
        idle: false,
    };
    swap(t, next);
    if engaged {
        push(t, Frame::Engage(unit, to, 0b11_1111));
    }
}

/// Says that a unit has moved.
fn tell(t: &mut Table, unit: UnitId, to: HexId, path: Vec<HexId>, spent: u8) {
    t.say(|t| {
        let text = format!("{} moves to {}", name(t, unit), label(t, to));
        Event::new("move", rule!("J"), text)
            .unit(unit)
            .hexes(path)
            .number(i32::from(spent))
    });
}

/// Whether every step of a way follows a road.
fn all_by_road(t: &Table, start: Option<HexId>, path: &[HexId]) -> bool {
    let hexes: Vec<HexId> = start.into_iter().chain(path.iter().copied()).collect();
    // Whoever comes onto the map does so by the road of the entry, if there is one.
    let enters_by_road = || {
        hexes
            .first()
            .is_some_and(|hex| rules(t).ground.entry[hex.index()].0 > 0)
    };
    if start.is_none() && !enters_by_road() {
        return false;
    }
    let by_road = |pair: &[HexId]| {
        rules(t)
            .edge(pair[0], pair[1])
            .is_some_and(|edge| edge.road > 0)
    };
    hexes.windows(2).all(by_road)
}

/// What an answer costs in half points, and the way that it takes.
#[must_use]
pub fn outlook(t: &Table, frame: &Frame, answer: Do) -> Option<Outlook> {
    let field = Field::new(t);
    let Frame::Move {
        unit,
        march,
        at,
        spent,
        ..
    } = *frame
    else {
        return None;
    };
    let left = allowance(field, unit, march).saturating_sub(spent);
    let (price, path) = match answer {
        Do::To(to) | Do::Via(to) => {
            let ends = matches!(answer, Do::To(_));
            let way = with_reach(t, frame, |field, mover, leg| {
                reach::way(field, mover, leg, to, ends)
            })?;
            (way.cost, at.into_iter().chain(way.path).collect())
        }
        Do::Mount => {
            let (mover, after) = remounted(field, unit, march, spent);
            let rest = mover.allowance.saturating_sub(after);
            (left.saturating_sub(rest), vec![])
        }
        Do::Exit => (exit_price(field, unit, at?), vec![]),
        _ => return None,
    };
    // The minimum move, and whatever goes beyond the points, takes all that is left.
    let price = price.min(left);
    let cost = Cost::in_parts(2, u32::from(price), u32::from(left - price));
    Some(Outlook {
        cost: Some(cost),
        path,
    })
}

/// Why an answer is not on the list.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let field = Field::new(t);
    match (*frame, answer) {
        (Frame::MoveStep(left, _), Do::Unit(unit)) if left.has(unit) => may_move(field, unit).err(),
        (Frame::MoveStep(..), Do::Unit(_)) => Some(Refusal::new(
            rule!("G-3"),
            "is not active, or has had its move",
        )),
        (Frame::Move { unit, march, .. }, Do::To(hex) | Do::Via(hex)) => {
            let mover = Mover::new(field, unit, march);
            let check = why_not_enter(field, &mover, hex);
            Some(check.err().unwrap_or_else(|| {
                Refusal::new(
                    rule!("J-1"),
                    "it has not movement enough, or something is in the way",
                )
            }))
        }
        (Frame::Move { .. }, Do::Mount) => may_mount(field, frame).err(),
        (Frame::Move { .. }, Do::Exit) => may_exit(field, frame).err(),
        (Frame::Move { .. }, Do::Done) => may_stop(field, frame).err(),
        _ => None,
    }
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match *frame {
        Frame::MoveStep(..) => "Which unit moves?".into(),
        Frame::Move {
            unit, march, spent, ..
        } => {
            let left = allowance(Field::new(t), unit, march).saturating_sub(spent);
            let half = if left % 2 == 1 { "½" } else { "" };
            format!(
                "Where does {} go? ({}{half} points left)",
                name(t, unit),
                left / 2
            )
        }
        _ => "?".into(),
    }
}

/// A march under an order (§G-3).
#[must_use]
pub fn under(side: Side, order: Order, less: u8) -> March {
    March {
        by: side,
        order,
        points: None,
        less,
        one: false,
    }
}

/// One hex, whatever it costs, as `by` wishes.
#[must_use]
pub fn one_hex(by: Side) -> March {
    March {
        by,
        order: Order::None,
        points: None,
        less: 0,
        one: true,
    }
}
