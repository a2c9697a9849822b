//! §5 Movement: the phase in which units go where [`reach`] finds a way.

mod reach;
pub mod walked;
mod ways;

use crate::events::turn_begins;
use crate::field::{Field, label, name, rules};
use crate::leaders;
use crate::reinforce;
use crate::state::{Boost, Due, Moving, Orders, Status};
use cupola_kernel::{
    Act, Acts, Ask, Cost, Event, Fault, HexId, Needs, Options, Outlook, Phase, Place, Refusal,
    Step, Table, UnitId, acts, rule,
};
use reach::{Purse, allowance};
use std::ops::ControlFlow;
use ways::{
    HASTE, MARCH, can_pick, destinations, flees, gate_of, leads, may_hasten, may_march, may_pick,
    must_flee, purse, way, why_not_led, why_not_there,
};

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
        Question::StepAside(leader) => {
            Step::ask(rules(t).card(leader).side, leaders::QUESTION, "9.1")
        }
        Question::Lead => Step::ask(active.other(), "lead", "4"),
        Question::Destination(_) => Step::ask(active, "destination", "5.1"),
        Question::Couriers => Step::ask(active, "couriers", "4"),
        Question::Next => Step::ask(active, "move", "5"),
    }
}

/// Lists where a unit may go, and how else it may be moved: what would take it no farther is not
/// offered.
fn list_destinations(t: &Table, moving: &Moving, unit: UnitId, out: &mut Options) {
    let field = &Field::new(t);
    let (to, purse) = (Do::To(unit, HexId(0)).act(), purse(field, moving, unit));
    let dearer = destinations(t, field, unit, purse, |hexes, dearer| {
        out.push_hexes(to, 1, hexes.iter());
        dearer
    });
    let gains = |points: u8| dearer.is_some_and(|cost| cost <= purse.most + points);
    if gains(MARCH) && may_march(field, moving, unit).is_ok() {
        out.push(Do::March(unit));
    }
    if gains(HASTE) && may_hasten(field, moving, unit).is_ok() {
        out.push(Do::Hasten(unit));
    }
    if !flees(field, unit) {
        out.push(Do::Stay(unit));
    }
}

/// Lists who may move next; nobody is done while a routed unit next to the enemy can move (§7.12).
fn list_movers(t: &Table, out: &mut Options) {
    let field = &Field::new(t);
    let (due, turn) = (t.column::<Due>(), t.turn());
    // Half of them have had their move, and many are still on their way: no need to ask further.
    let idle = |unit: &UnitId| {
        let comes = || due[usize::from(unit.0)].round <= turn;
        !field.status(*unit).moved && (field.stacks.hex(*unit).is_some() || comes())
    };
    let own = field.rules.all_of(t.active()).filter(idle);
    let may = own.filter(|&unit| can_pick(t, field, &due[usize::from(unit.0)], unit));
    out.push_each(Do::Pick(UnitId(0)).act(), 0, may);
    if must_flee(t, field).is_none() {
        out.push(Do::Done);
    }
}

impl Phase for Movement {
    fn name(&self) -> &'static str {
        "movement"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        turn_begins(t);
        *t.res_mut::<Moving>() = Moving {
            displaced: leaders::in_danger(t),
            ..Moving::default()
        };
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
            leads(t, &Field::new(t), |_, _| {
                orders.initiative = true;
                ControlFlow::Break(())
            });
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
        t.change_all::<Status>(|status| status.moved = false);
        Ok(Step::Done)
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        let moving = t.res::<Moving>();
        match question(moving, t.res()) {
            Some(Question::StepAside(leader)) => {
                leaders::steps(t, leader, |hex| out.push(Do::Step(leader, hex)));
            }
            Some(Question::Lead) => {
                leads(t, &Field::new(t), |unit, hex| {
                    out.push(Do::Lead(unit, hex));
                    ControlFlow::Continue(())
                });
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
        let (field, moving) = (&Field::new(t), t.res::<Moving>());
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => may_pick(t, field, unit)
                .err()
                .unwrap_or_else(|| Refusal::new(rule!("5"), "another decision is open")),
            Some(Do::To(unit, hex)) => why_not_there(t, unit, hex),
            Some(Do::Lead(..)) if !t.res::<Orders>().initiative => {
                Refusal::new(rule!("4"), "nobody is led by the opponent now")
            }
            Some(Do::Lead(unit, hex)) => why_not_led(t, unit, hex),
            Some(Do::March(unit) | Do::Hasten(unit) | Do::Stay(unit))
                if moving.picked != Some(unit) =>
            {
                Refusal::new(rule!("5"), "is not the unit that is moving")
            }
            Some(Do::March(unit)) => may_march(field, moving, unit).err().unwrap_or_else(|| {
                Refusal::new(rule!("5.5"), "a forced march would take it no farther")
            }),
            Some(Do::Hasten(unit)) => may_hasten(field, moving, unit).err().unwrap_or_else(|| {
                Refusal::new(rule!("4"), "the extra point would take it no farther")
            }),
            Some(Do::Stay(_)) => Refusal::new(
                rule!("7.12"),
                "a routed unit next to the enemy must move away",
            ),
            Some(Do::Step(..)) => leaders::why_not_step(),
            Some(Do::FaceUp(_)) => Refusal::new(
                rule!("4"),
                "only couriers turn up a leader who moved, after movement",
            ),
            Some(Do::Done) if must_flee(t, field).is_some() => Refusal::new(
                rule!("7.12"),
                "a routed unit next to the enemy must move away first",
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

    fn outlook(&self, t: &Table, _: Ask, act: Act) -> Outlook {
        let field = &Field::new(t);
        let (unit, hex, purse) = match Do::from_act(act) {
            Some(Do::To(unit, hex)) => (unit, hex, purse(field, t.res(), unit)),
            Some(Do::Lead(unit, hex)) => (unit, hex, Purse::only(allowance(field, unit))),
            Some(Do::Step(leader, hex)) => {
                return Outlook {
                    cost: None,
                    path: t.hex(leader).into_iter().chain([hex]).collect(),
                };
            }
            _ => return Outlook::default(),
        };
        let Some((cost, path)) = way(t, field, unit, purse, hex) else {
            return Outlook::default();
        };
        let left = purse.most.saturating_sub(cost);
        Outlook {
            cost: Some(Cost::in_parts(2, cost.into(), left.into())),
            path,
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        match ask.question {
            "destination" => {
                let unit = t.res::<Moving>().picked.map_or("?", |unit| name(t, unit));
                format!("Where does {unit} go?")
            }
            "lead" => "Which enemy unit do you lead into contact, and where?".into(),
            leaders::QUESTION => leaders::PROMPT.into(),
            "couriers" => "Which leader commands although he moved?".into(),
            _ => "Which unit moves next?".into(),
        }
    }
}

/// Moves a unit to its destination.
fn go(t: &mut Table, unit: UnitId, hex: HexId, tires: bool, hastens: bool) {
    let from = t.hex(unit);
    if from.is_none() {
        let gate = gate_of(t, unit, hex);
        reinforce::entered(t, unit, gate, hex);
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
    let danger = leaders::in_danger_by(t, from, hex);
    let moving = t.res_mut::<Moving>();
    (moving.picked, moving.marches, moving.hastens) = (None, false, false);
    moving.displaced = danger;
}
