//! §5 Movement: the phase in which units go where [`reach`] finds a way.

mod reach;

use crate::field::{Field, label, name, rules};
use crate::leaders;
use crate::reinforce;
use crate::rules::Kind;
use crate::state::{Boost, Moving, Orders, Status};
use cupola_kernel::{
    Act, Acts, Ask, Check, Event, Fault, HexId, Needs, Options, Phase, Place, Refusal, Step, Table,
    UnitId, acts, forbid, require, rule,
};
use reach::{HexSet, Mover, Origin, allowance, reach, why_not_enter};

acts! {
    /// Answers in the Movement Phase.
    pub enum Do {
        /// Move this unit or leader next.
        Pick(unit: UnitId) = "unit",
        /// Move it there.
        To(unit: UnitId, hex: HexId) = "move",
        /// Force march: two points more, and the unit tires (§5.5); then say where.
        March(unit: UnitId) = "march",
        /// Spend the extra point of Good Leadership on movement; then say where.
        Hasten(unit: UnitId) = "hasten",
        /// Leave it where it is.
        Stay(unit: UnitId) = "stay",
        /// The opponent leads this unit into contact (Commander's Initiative).
        Lead(unit: UnitId, hex: HexId) = "lead",
        /// A leader steps out of danger (§9.1).
        Step(unit: UnitId, hex: HexId) = "step",
        /// A leader commands although he moved (Fast Couriers).
        FaceUp(unit: UnitId) = "face-up",
        /// Leave the rest where they are, or forgo an event.
        Done = "done",
    }
}

/// Whether a unit or leader may be picked to move.
fn may_move(t: &Table, field: &Field, unit: UnitId) -> Check {
    let (status, side) = (field.status(unit), field.rules.card(unit).side);
    require(side == t.active(), rule!("5"), "is not yours")?;
    forbid(status.moved, rule!("5.1"), "has had its move")?;
    forbid(status.halted, rule!("4"), "may not move this turn (event)")?;
    let Some(hex) = field.stacks.hex(unit) else {
        return reinforce::may_enter(t, unit);
    };
    if field.rules.is_leader(unit) || status.routed || t.is_night() {
        return Ok(());
    }
    forbid(
        field.pinned(side, hex),
        rule!("5.4"),
        "begins the phase next to the enemy and may not move",
    )
}

/// Whether a unit may force march (§5.5).
fn may_march(field: &Field, moving: &Moving, unit: UnitId) -> Check {
    let status = field.status(unit);
    forbid(
        field.rules.is_leader(unit),
        rule!("5.5"),
        "leaders do not force march",
    )?;
    forbid(
        status.routed,
        rule!("7.12"),
        "a routed unit does not force march",
    )?;
    require(
        status.fresh(),
        rule!("5.5"),
        "only a fresh unit may force march",
    )?;
    forbid(moving.marches, rule!("5.5"), "is force marching already")
}

/// Whether a unit may spend Good Leadership on movement (cards 5, 9, 10).
fn may_hasten(field: &Field, moving: &Moving, unit: UnitId) -> Check {
    let led = field.status(unit).boost == Boost::Open;
    require(led, rule!("4"), "is not well led this turn")?;
    forbid(moving.hastens, rule!("4"), "is hastening already")
}

/// Calls `found` with the hexes to which a unit can go. Who force marches or hastens goes farther than
/// he could without.
fn destinations(t: &Table, field: &Field, unit: UnitId, mut found: impl FnMut(&HexSet)) {
    let moving = t.res::<Moving>();
    let plain = allowance(field, unit);
    let most = plain + 4 * u8::from(moving.marches) + 2 * u8::from(moving.hastens);
    let (mover, from) = (Mover::new(t, field, unit), field.stacks.hex(unit));
    let mut entries = vec![];
    let origin = match from {
        Some(hex) => Origin::Hex(hex),
        None => {
            reinforce::entries(t, unit, |hex, spent| entries.push((hex, spent.min(most))));
            Origin::Entries(&entries)
        }
    };
    let none = reach(field, &mover, origin, (plain, most), |hexes| {
        found(hexes);
        hexes.is_empty()
    });
    if none && mover.routed && from.is_some_and(|hex| field.near_enemy(mover.side, hex)) {
        let desperate = Mover {
            desperate: true,
            ..mover
        };
        reach(field, &desperate, origin, (plain, plain), found);
    }
}

/// The Movement Phase (§5).
pub struct Movement;

/// What the phase may ask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// Where a leader goes who may not stay (§9.1).
    StepAside(UnitId),
    /// Whom the opponent leads into contact (Commander's Initiative).
    Lead,
    /// Where a unit goes (§5.1).
    Destination(UnitId),
    /// Which leader commands although he moved (Fast Couriers).
    Couriers,
    /// Which unit moves next (§5).
    Next,
}

/// What the phase asks at the moment.
fn question(moving: &Moving, orders: &Orders) -> Option<Question> {
    if let Some(leader) = moving.displaced {
        return Some(Question::StepAside(leader));
    }
    if orders.initiative {
        return Some(Question::Lead);
    }
    if let Some(unit) = moving.picked {
        return Some(Question::Destination(unit));
    }
    if moving.closing {
        return orders.couriers.then_some(Question::Couriers);
    }
    Some(Question::Next)
}

/// Puts a question to the side that it concerns.
fn ask(t: &Table, question: Question) -> Step {
    let active = t.active();
    match question {
        Question::StepAside(leader) => Step::ask(rules(t).card(leader).side, "step-aside", "9.1"),
        Question::Lead => Step::ask(active.other(), "lead", "4"),
        Question::Destination(_) => Step::ask(active, "destination", "5.1"),
        Question::Couriers => Step::ask(active, "couriers", "4"),
        Question::Next => Step::ask(active, "move", "5"),
    }
}

/// Routed units next to the enemy that have not moved and can (§7.12): they must.
fn must_flee(t: &Table, field: &Field) -> Option<UnitId> {
    let side = t.active();
    let can = |unit| {
        let mut can = false;
        destinations(t, field, unit, |hexes| can |= !hexes.is_empty());
        can
    };
    let mut routed = field
        .on_map(side)
        .filter(|&(unit, _)| field.status(unit).routed);
    let fleeing = routed.find(|&(unit, hex)| {
        may_move(t, field, unit).is_ok() && field.near_enemy(side, hex) && can(unit)
    });
    fleeing.map(|(unit, _)| unit)
}

/// Infantry that the opponent may lead into contact (Commander's Initiative), and where to.
fn leads(t: &Table, field: &Field, mut found: impl FnMut(UnitId, HexId)) {
    let side = t.active();
    for (unit, from) in field.on_map(side) {
        let able = field.rules.card(unit).kind == Kind::Infantry
            && !field.status(unit).routed
            && may_move(t, field, unit).is_ok();
        if able {
            let (mover, most) = (Mover::new(t, field, unit), allowance(field, unit));
            reach(field, &mover, Origin::Hex(from), (most, most), |hexes| {
                let contact = hexes.iter().filter(|&hex| field.near_enemy(side, hex));
                contact.for_each(|hex| found(unit, hex));
            });
        }
    }
}

/// Lists where a unit may go, and how else it may be moved.
fn list_destinations(t: &Table, moving: &Moving, unit: UnitId, out: &mut Options) {
    let field = &Field::new(t);
    let to = Do::To(unit, HexId(0)).act();
    destinations(t, field, unit, |hexes| out.push_hexes(to, 1, hexes.iter()));
    if may_march(field, moving, unit).is_ok() {
        out.push(Do::March(unit));
    }
    if may_hasten(field, moving, unit).is_ok() {
        out.push(Do::Hasten(unit));
    }
    if !field.status(unit).routed || must_flee(t, field) != Some(unit) {
        out.push(Do::Stay(unit));
    }
}

/// Lists who may move next.
fn list_movers(t: &Table, out: &mut Options) {
    let field = &Field::new(t);
    if let Some(unit) = must_flee(t, field) {
        return out.push(Do::Pick(unit));
    }
    let own = field.rules.all_of(t.active());
    own.filter(|&unit| may_move(t, field, unit).is_ok())
        .for_each(|unit| out.push(Do::Pick(unit)));
    out.push(Do::Done);
}

impl Phase for Movement {
    fn name(&self) -> &'static str {
        "movement"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        Needs::nothing().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        *t.res_mut::<Moving>() = Moving::default();
        let side = t.active();
        // §9.1 Leaders are turned face up at the start of the Movement Phase.
        for leader in Field::new(t).those(rules(t).leaders_of(side), |s| s.face_down) {
            t.get_mut::<Status>(leader).face_down = false;
        }
        reinforce::markers_arrive(t);
        if t.is_night() {
            t.res_mut::<Orders>().initiative = false;
        }
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let mut orders = *t.res::<Orders>();
        if orders.initiative {
            orders.initiative = false;
            leads(t, &Field::new(t), |_, _| orders.initiative = true);
            *t.res_mut() = orders;
        }
        if orders.couriers && t.res::<Moving>().closing {
            orders.couriers = leaders::any_face_down(t, t.active());
            *t.res_mut() = orders;
        }
        if let Some(question) = question(t.res(), &orders) {
            return Ok(ask(t, question));
        }
        reinforce::leftovers_wait(t);
        for unit in Field::new(t).those(t.units(), |status| status.moved) {
            t.get_mut::<Status>(unit).moved = false;
        }
        Ok(Step::Done)
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        let moving = t.res::<Moving>();
        match question(moving, t.res()) {
            Some(Question::StepAside(leader)) => {
                leaders::steps(t, leader, |hex| out.push(Do::Step(leader, hex)));
            }
            Some(Question::Lead) => {
                leads(t, &Field::new(t), |unit, hex| out.push(Do::Lead(unit, hex)));
                out.push(Do::Done);
            }
            Some(Question::Destination(unit)) => list_destinations(t, moving, unit, out),
            Some(Question::Couriers) => {
                let down = |l: &UnitId| t.get::<Status>(*l).face_down && t.hex(*l).is_some();
                let leaders = rules(t).leaders_of(t.active()).filter(down);
                leaders.for_each(|leader| out.push(Do::FaceUp(leader)));
                out.push(Do::Done);
            }
            Some(Question::Next) | None => list_movers(t, out),
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        let answer = Do::from_act(act)
            .ok_or_else(|| Fault::Broken("not an answer of the Movement Phase".into()))?;
        match answer {
            Do::Pick(unit) => {
                let moving = t.res_mut::<Moving>();
                (moving.picked, moving.marches, moving.hastens) = (Some(unit), false, false);
            }
            Do::Stay(unit) => {
                t.get_mut::<Status>(unit).moved = true;
                let moving = t.res_mut::<Moving>();
                (moving.picked, moving.marches, moving.hastens) = (None, false, false);
            }
            Do::March(_) => t.res_mut::<Moving>().marches = true,
            Do::Hasten(_) => t.res_mut::<Moving>().hastens = true,
            Do::To(unit, hex) => {
                let (marches, hastens) = (t.res::<Moving>().marches, t.res::<Moving>().hastens);
                // Double Time: one forced march that does not tire (cards 4, 8).
                let free = marches && std::mem::take(&mut t.res_mut::<Orders>().double_time);
                go(t, unit, hex, marches && !free, hastens);
            }
            Do::Lead(unit, hex) => {
                t.res_mut::<Orders>().initiative = false;
                go(t, unit, hex, false, false);
            }
            Do::Step(leader, hex) => {
                leaders::step(t, leader, hex);
                t.res_mut::<Moving>().displaced = leaders::in_danger(t);
            }
            Do::FaceUp(leader) => {
                t.get_mut::<Status>(leader).face_down = false;
                t.res_mut::<Orders>().couriers = false;
                t.say(|t| {
                    Event::new(
                        "couriers",
                        rule!("4"),
                        format!("{} may command this turn", name(t, leader)),
                    )
                    .unit(leader)
                });
            }
            Do::Done if t.res::<Orders>().initiative => t.res_mut::<Orders>().initiative = false,
            Do::Done if t.res::<Moving>().closing => t.res_mut::<Orders>().couriers = false,
            Do::Done => t.res_mut::<Moving>().closing = true,
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => match may_move(t, &Field::new(t), unit) {
                Err(refusal) => refusal,
                Ok(()) if must_flee(t, &Field::new(t)).is_some() => Refusal::new(
                    rule!("7.12"),
                    "a routed unit next to the enemy must move first",
                ),
                Ok(()) => Refusal::new(rule!("5"), "another decision is open"),
            },
            Some(Do::To(unit, hex) | Do::Lead(unit, hex)) => why_not_there(t, unit, hex),
            Some(Do::March(unit) | Do::Hasten(unit)) if t.res::<Moving>().picked != Some(unit) => {
                Refusal::new(rule!("5"), "is not the unit that is moving")
            }
            Some(Do::March(unit)) => Refusal::of(may_march(&Field::new(t), t.res(), unit)),
            Some(Do::Hasten(unit)) => Refusal::of(may_hasten(&Field::new(t), t.res(), unit)),
            Some(Do::Stay(_)) => Refusal::new(
                rule!("7.12"),
                "a routed unit next to the enemy must move away",
            ),
            Some(Do::Step(..)) => Refusal::new(
                rule!("9.1"),
                "a leader steps one hex, out of the enemy's reach",
            ),
            _ => Refusal::new(rule!("5"), "that is not asked now"),
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        let to = |verb: &str, unit, hex| format!("{} {verb} {}", name(t, unit), label(t, hex));
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => format!("move {}", name(t, unit)),
            Some(Do::To(unit, hex)) => to("moves to", unit, hex),
            Some(Do::March(unit)) if t.res::<Orders>().double_time => {
                format!(
                    "{} force marches (Double Time: without tiring)",
                    name(t, unit)
                )
            }
            Some(Do::March(unit)) => {
                format!("{} force marches: 2 points more, and tires", name(t, unit))
            }
            Some(Do::Hasten(unit)) => {
                format!("{} hastens: 1 point more, none in combat", name(t, unit))
            }
            Some(Do::Stay(unit)) => format!("{} stays", name(t, unit)),
            Some(Do::Lead(unit, hex)) => to("is led into contact at", unit, hex),
            Some(Do::Step(unit, hex)) => to("steps aside to", unit, hex),
            Some(Do::FaceUp(unit)) => format!("{} commands although he moved", name(t, unit)),
            Some(Do::Done) => "no more".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        match ask.question {
            "destination" => {
                let unit = t.res::<Moving>().picked.map_or("?", |unit| name(t, unit));
                format!("Where does {unit} go?")
            }
            "lead" => "Which enemy unit do you lead into contact, and where?".into(),
            "step-aside" => "A leader alone next to the enemy must leave: where to?".into(),
            "couriers" => "Which leader commands although he moved?".into(),
            _ => "Which unit moves next?".into(),
        }
    }
}

/// Why a destination is not offered.
fn why_not_there(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let field = &Field::new(t);
    if let Err(refusal) = may_move(t, field, unit) {
        return refusal;
    }
    let mover = Mover::new(t, field, unit);
    let from = t.hex(unit).unwrap_or(hex);
    if let Err(refusal) = why_not_enter(t, &mover, from, hex) {
        return refusal;
    }
    if field.near_enemy(mover.side, from) && !mover.routed && !mover.night && !mover.leader {
        return Refusal::new(rule!("5.4"), "a unit next to the enemy may not move");
    }
    Refusal::new(
        rule!("5.1"),
        "cannot be reached with its movement allowance",
    )
}

/// Moves a unit to its destination.
fn go(t: &mut Table, unit: UnitId, hex: HexId, tires: bool, hastens: bool) {
    let from = t.hex(unit);
    if from.is_none() {
        reinforce::entered(t, unit, hex);
    }
    t.place(unit, Place::Hex(hex));
    let leader = rules(t).is_leader(unit);
    let status = t.get_mut::<Status>(unit);
    status.moved = true;
    status.face_down = leader;
    if tires {
        status.tire();
    }
    if hastens {
        status.boost = Boost::Moved;
    }
    t.say(|t| {
        let how = if tires {
            "force marches to"
        } else {
            "moves to"
        };
        let text = format!("{} {how} {}", name(t, unit), label(t, hex));
        Event::new("move", rule!("5.1"), text)
            .unit(unit)
            .hexes(from)
            .hex(hex)
    });
    let danger = leaders::in_danger(t);
    let moving = t.res_mut::<Moving>();
    (moving.picked, moving.marches, moving.hastens) = (None, false, false);
    moving.displaced = danger;
}
