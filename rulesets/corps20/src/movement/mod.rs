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

/// Whether a unit may force march (§5.5).
fn may_march(t: &Table, unit: UnitId) -> Check {
    let status = t.get::<Status>(unit);
    forbid(
        rules(t).is_leader(unit),
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
    forbid(
        t.res::<Moving>().marches,
        rule!("5.5"),
        "is force marching already",
    )
}

/// Whether a unit may spend Good Leadership on movement (cards 5, 9, 10).
fn may_hasten(t: &Table, unit: UnitId) -> Check {
    require(
        t.get::<Status>(unit).boost == Boost::Open,
        rule!("4"),
        "is not well led this turn",
    )?;
    forbid(
        t.res::<Moving>().hastens,
        rule!("4"),
        "is hastening already",
    )
}

/// Calls `found` with every hex to which a unit can go, in order. Who force marches or hastens goes
/// farther than he could without.
pub fn destinations(t: &Table, unit: UnitId, mut found: impl FnMut(HexId)) {
    let moving = t.res::<Moving>();
    let plain = allowance(t, unit);
    let most = plain + 4 * u8::from(moving.marches) + 2 * u8::from(moving.hastens);
    let (mover, from) = (Mover::new(t, unit), t.hex(unit));
    let mut entries = vec![];
    let origin = match from {
        Some(hex) => Origin::Hex(hex),
        None => {
            reinforce::entries(t, unit, |hex, spent| entries.push((hex, spent.min(most))));
            Origin::Entries(&entries)
        }
    };
    // §9.1 A leader alone next to the enemy would have to leave at once.
    let caught = |hex| mover.leader && unit_in(t, hex).is_none() && near_enemy(t, mover.side, hex);
    let mut any = false;
    let mut offer = |set: &HexSet| {
        set.for_each(|hex| {
            any = true;
            if !caught(hex) {
                found(hex);
            }
        });
    };
    if most == plain {
        reach(t, &mover, origin, &[plain], |sets| offer(&sets[0]));
    } else {
        reach(t, &mover, origin, &[plain, most], |sets| offer(&sets[1]));
    }
    let cornered = mover.routed && from.is_some_and(|hex| near_enemy(t, mover.side, hex));
    if cornered && !any {
        let desperate = Mover {
            desperate: true,
            ..mover
        };
        reach(t, &desperate, origin, &[plain], |sets| {
            sets[0].for_each(&mut found)
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
                let act = Do::To(unit, HexId(0)).act();
                destinations(t, unit, |hex| {
                    let args = [act.args[0], Arg::Hex(hex), Arg::None];
                    out.push_act(Act { args, ..act });
                });
                if may_march(t, unit).is_ok() {
                    out.push(Do::March(unit));
                }
                if may_hasten(t, unit).is_ok() {
                    out.push(Do::Hasten(unit));
                }
                if !t.get::<Status>(unit).routed || must_flee(t) != Some(unit) {
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
                    rules(t)
                        .all_of(t.active())
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
            Some(Do::To(unit, hex) | Do::Lead(unit, hex)) => why_not_there(t, unit, hex),
            Some(Do::March(unit) | Do::Hasten(unit)) if t.res::<Moving>().picked != Some(unit) => {
                Refusal::new(rule!("5"), "is not the unit that is moving")
            }
            Some(Do::March(unit)) => Refusal::of(may_march(t, unit)),
            Some(Do::Hasten(unit)) => Refusal::of(may_hasten(t, unit)),
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
    (moving.picked, moving.marches, moving.hastens) = (None, false, false);
    moving.displaced = danger;
}
