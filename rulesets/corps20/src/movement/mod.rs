//! §5 Movement: the phase in which units go where [`reach`] finds a way.

mod reach;

use crate::field::{enemies_near, label, name, near_enemy, pinned, rules, unit_in};
use crate::leaders;
use crate::reinforce;
use crate::rules::Kind;
use crate::state::{Boost, Moving, Orders, Status};
use cupola_kernel::{
    Act, Acts, Arg, Ask, Check, Event, Fault, HexId, Options, Phase, Place, Refusal, Side, Step,
    Table, UnitId, acts, forbid, require, rule,
};
use reach::{HexSet, Mover, Origin, allowance, reach, why_not_enter};

acts! {
    /// Answers in the Movement Phase.
    pub enum Do {
        /// Move this unit or leader next.
        Pick(unit: UnitId) = "unit",
        /// Move it there.
        To(unit: UnitId, hex: HexId) = "move",
        /// Move there with the extra point of Good Leadership.
        Hasten(unit: UnitId, hex: HexId) = "hasten",
        /// Force march there: tires (§5.5).
        March(unit: UnitId, hex: HexId) = "march",
        /// Force march there without tiring (Double Time).
        Double(unit: UnitId, hex: HexId) = "double",
        /// Both: Good Leadership and a forced march.
        HastenMarch(unit: UnitId, hex: HexId) = "hasten-march",
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
pub fn may_move(t: &Table, unit: UnitId) -> Check {
    let status = t.get::<Status>(unit);
    require(
        rules(t).card(unit).side == t.active(),
        rule!("5"),
        "is not yours",
    )?;
    forbid(status.moved, rule!("5.1"), "has had its move")?;
    forbid(status.halted, rule!("4"), "may not move this turn (event)")?;
    let Some(hex) = t.hex(unit) else {
        return reinforce::may_enter(t, unit);
    };
    if rules(t).is_leader(unit) || status.routed || t.is_night() {
        return Ok(());
    }
    forbid(
        pinned(t, t.active(), hex),
        rule!("5.4"),
        "begins the phase next to the enemy and may not move",
    )
}

/// The answer that names a destination.
type Answer = fn(UnitId, HexId) -> Do;

/// The ways a unit can move, least first: allowances in half points, and their answers.
fn ways(t: &Table, unit: UnitId) -> ([u8; 4], [Answer; 4], usize) {
    let status = t.get::<Status>(unit);
    let plain = allowance(t, unit);
    let (mut allowances, mut answers, mut count) = ([plain; 4], [Do::To as Answer; 4], 1);
    let mut add = |extra: u8, answer: Answer| {
        (allowances[count], answers[count]) = (plain + extra, answer);
        count += 1;
    };
    let hastens = status.boost == Boost::Open;
    // §5.5 Only a fresh unit force marches; leaders and routed units never do.
    let marches = !rules(t).is_leader(unit) && status.fresh() && !status.routed;
    if hastens {
        add(2, Do::Hasten);
    }
    if marches {
        add(
            4,
            if t.res::<Orders>().double_time {
                Do::Double
            } else {
                Do::March
            },
        );
        if hastens {
            add(6, Do::HastenMarch);
        }
    }
    (allowances, answers, count)
}

/// Calls `found` with every destination of a unit as the act that leads there, in order.
pub fn destinations(t: &Table, unit: UnitId, mut found: impl FnMut(Act)) {
    let (allowances, answers, count) = ways(t, unit);
    let allowances = &allowances[..count];
    let mover = Mover::new(t, unit);
    let from = t.hex(unit);
    let mut entries = vec![];
    let origin = match from {
        Some(hex) => Origin::Hex(hex),
        None => {
            let most = allowances[count - 1];
            reinforce::entries(t, unit, |hex, spent| entries.push((hex, spent.min(most))));
            Origin::Entries(&entries)
        }
    };
    let mut any = false;
    let mut offer = |sets: &[HexSet]| {
        for (set, answer) in sets.iter().zip(answers) {
            let act = answer(unit, HexId(0)).act();
            set.for_each(|hex| {
                any = true;
                // §9.1 A leader alone next to the enemy would have to leave at once.
                if !(mover.leader && unit_in(t, hex).is_none() && near_enemy(t, mover.side, hex)) {
                    found(Act {
                        args: [act.args[0], Arg::Hex(hex), Arg::None],
                        ..act
                    });
                }
            });
        }
    };
    reach(t, &mover, origin, allowances, &mut offer);
    let cornered = mover.routed && from.is_some_and(|hex| near_enemy(t, mover.side, hex));
    if cornered && !any {
        let desperate = Mover {
            desperate: true,
            ..mover
        };
        reach(t, &desperate, origin, allowances, |sets| {
            sets[0].for_each(|hex| found(Do::To(unit, hex).act()))
        });
    }
}

/// The Movement Phase (§5).
pub struct Movement;

/// What the phase asks at the moment.
fn question(t: &Table) -> Option<(Side, &'static str, &'static str)> {
    let (moving, orders) = (t.res::<Moving>(), t.res::<Orders>());
    let active = t.active();
    if let Some(leader) = moving.displaced {
        return Some((rules(t).card(leader).side, "step-aside", "9.1"));
    }
    if orders.initiative {
        return Some((active.other(), "lead", "4"));
    }
    if moving.picked.is_some() {
        return Some((active, "destination", "5.1"));
    }
    if moving.closing {
        return orders.couriers.then_some((active, "couriers", "4"));
    }
    Some((active, "move", "5"))
}

/// Routed units next to the enemy that have not moved and can (§7.12): they must.
fn must_flee(t: &Table) -> Option<UnitId> {
    let side = t.active();
    crate::field::on_map(t, side)
        .map(|(unit, _)| unit)
        .find(|&unit| {
            let status = t.get::<Status>(unit);
            status.routed
                && !status.moved
                && may_move(t, unit).is_ok()
                && near_enemy(t, side, t.hex(unit).unwrap_or(HexId(0)))
                && {
                    let mut can = false;
                    destinations(t, unit, |_| can = true);
                    can
                }
        })
}

/// Infantry that the opponent may lead into contact (Commander's Initiative), and where to.
fn leads(t: &Table, mut found: impl FnMut(UnitId, HexId)) {
    let side = t.active();
    for (unit, hex) in crate::field::on_map(t, side) {
        let status = t.get::<Status>(unit);
        let able = rules(t).card(unit).kind == Kind::Infantry
            && !status.routed
            && may_move(t, unit).is_ok();
        if able {
            let most = allowance(t, unit);
            reach(t, &Mover::new(t, unit), Origin::Hex(hex), &[most], |sets| {
                sets[0].for_each(|hex| {
                    if near_enemy(t, side, hex) {
                        found(unit, hex);
                    }
                });
            });
        }
    }
}

impl Phase for Movement {
    fn name(&self) -> &'static str {
        "movement"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        *t.res_mut::<Moving>() = Moving::default();
        let side = t.active();
        // §9.1 Leaders are turned face up at the start of the Movement Phase.
        for leader in rules(t).leaders_of(side).collect::<Vec<_>>() {
            t.get_mut::<Status>(leader).face_down = false;
        }
        reinforce::markers_arrive(t);
        if t.is_night() {
            t.res_mut::<Orders>().initiative = false;
        }
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        if t.res::<Orders>().initiative {
            let mut any = false;
            leads(t, |_, _| any = true);
            t.res_mut::<Orders>().initiative = any;
        }
        if t.res::<Orders>().couriers
            && t.res::<Moving>().closing
            && !leaders::any_face_down(t, t.active())
        {
            t.res_mut::<Orders>().couriers = false;
        }
        match question(t) {
            Some((side, question, rule)) => Ok(Step::ask(side, question, rule)),
            None => {
                reinforce::leftovers_wait(t);
                for unit in t.units() {
                    t.get_mut::<Status>(unit).moved = false;
                }
                Ok(Step::Done)
            }
        }
    }

    fn options(&self, t: &Table, out: &mut Options) -> Result<(), Fault> {
        let moving = t.res::<Moving>();
        match question(t).map(|q| q.1) {
            Some("step-aside") => {
                let leader = moving.displaced.unwrap_or(UnitId(0));
                leaders::steps(t, leader, |hex| out.push(Do::Step(leader, hex)));
            }
            Some("lead") => {
                leads(t, |unit, hex| out.push(Do::Lead(unit, hex)));
                out.push(Do::Done);
            }
            Some("destination") => {
                let unit = moving.picked.unwrap_or(UnitId(0));
                destinations(t, unit, |act| out.push_act(act));
                if must_flee(t) != Some(unit) {
                    out.push(Do::Stay(unit));
                }
            }
            Some("couriers") => {
                let down = |l: &UnitId| t.get::<Status>(*l).face_down && t.hex(*l).is_some();
                rules(t)
                    .leaders_of(t.active())
                    .filter(down)
                    .for_each(|leader| out.push(Do::FaceUp(leader)));
                out.push(Do::Done);
            }
            _ => match must_flee(t) {
                Some(unit) => out.push(Do::Pick(unit)),
                None => {
                    t.units()
                        .filter(|&unit| may_move(t, unit).is_ok())
                        .for_each(|unit| out.push(Do::Pick(unit)));
                    out.push(Do::Done);
                }
            },
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, act: Act) -> Result<(), Fault> {
        let answer = Do::from_act(act)
            .ok_or_else(|| Fault::Broken("not an answer of the Movement Phase".into()))?;
        match answer {
            Do::Pick(unit) => t.res_mut::<Moving>().picked = Some(unit),
            Do::Stay(unit) => {
                t.get_mut::<Status>(unit).moved = true;
                t.res_mut::<Moving>().picked = None;
            }
            Do::To(unit, hex) => go(t, unit, hex, false, false),
            Do::March(unit, hex) => go(t, unit, hex, true, false),
            Do::Hasten(unit, hex) => go(t, unit, hex, false, true),
            Do::HastenMarch(unit, hex) => {
                let tires = !std::mem::take(&mut t.res_mut::<Orders>().double_time);
                go(t, unit, hex, tires, true);
            }
            Do::Double(unit, hex) => {
                t.res_mut::<Orders>().double_time = false;
                go(t, unit, hex, false, false);
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

    fn why_not(&self, t: &Table, act: Act) -> Refusal {
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => match may_move(t, unit) {
                Err(refusal) => refusal,
                Ok(()) if must_flee(t).is_some() => Refusal::new(
                    rule!("7.12"),
                    "a routed unit next to the enemy must move first",
                ),
                Ok(()) => Refusal::new(rule!("5"), "another decision is open"),
            },
            Some(
                Do::To(unit, hex)
                | Do::March(unit, hex)
                | Do::Double(unit, hex)
                | Do::Hasten(unit, hex)
                | Do::HastenMarch(unit, hex)
                | Do::Lead(unit, hex),
            ) => why_not_there(t, unit, hex),
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

    fn text(&self, t: &Table, act: Act) -> String {
        let to = |verb: &str, unit, hex| format!("{} {verb} {}", name(t, unit), label(t, hex));
        match Do::from_act(act) {
            Some(Do::Pick(unit)) => format!("move {}", name(t, unit)),
            Some(Do::To(unit, hex)) => to("moves to", unit, hex),
            Some(Do::March(unit, hex)) => to("force marches (tires) to", unit, hex),
            Some(Do::Double(unit, hex)) => to("goes at double time to", unit, hex),
            Some(Do::Hasten(unit, hex)) => to("hastens to", unit, hex),
            Some(Do::HastenMarch(unit, hex)) => to("hastens and force marches to", unit, hex),
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
    if let Err(refusal) = may_move(t, unit) {
        return refusal;
    }
    let mover = Mover::new(t, unit);
    let from = t.hex(unit).unwrap_or(hex);
    if let Err(refusal) = why_not_enter(t, &mover, from, hex) {
        return refusal;
    }
    if enemies_near(t, mover.side, from).next().is_some()
        && !mover.routed
        && !mover.night
        && !mover.leader
    {
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
    moving.picked = None;
    moving.displaced = danger;
}
