//! §5 Movement: the phase in which units go where [`reach`] finds a way.

mod reach;

use crate::events::turn_begins;
use crate::field::{Field, label, name, rules, safe};
use crate::leaders;
use crate::reinforce;
use crate::rules::Kind;
use crate::state::{Boost, Moving, Orders, Status};
use cupola_kernel::{
    Act, Acts, Ask, Check, Event, Fault, HexId, Needs, Options, Phase, Place, Refusal, Step, Table,
    UnitId, acts, forbid, require, rule,
};
use reach::{HexSet, Mover, Origin, Purse, allowance, cost_to, reach, why_not_enter};

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

/// Where a unit can go. Who force marches or hastens goes farther than he could without.
struct Ways {
    hexes: HexSet,
    /// What the nearest hex would cost beyond what it may spend, if it could add so much.
    dearer: Option<u8>,
}

/// What a unit may spend: force marching or hastening adds to it, or could (§5.5, cards 5, 9, 10).
fn purse(field: &Field, moving: &Moving, unit: UnitId) -> Purse {
    let plain = allowance(field, unit);
    let extra = |on: bool, points: u8| points * u8::from(on);
    Purse {
        plain,
        most: plain + extra(moving.marches, MARCH) + extra(moving.hastens, HASTE),
        more: extra(may_march(field, moving, unit).is_ok(), MARCH)
            .max(extra(may_hasten(field, moving, unit).is_ok(), HASTE)),
    }
}

/// What a forced march adds, in half points (§5.5).
const MARCH: u8 = 4;
/// What Good Leadership adds, in half points.
const HASTE: u8 = 2;

/// Where a unit can go with what it has.
fn destinations(t: &Table, field: &Field, unit: UnitId, purse: Purse) -> Ways {
    let (mover, mut gates) = (Mover::new(t, field, unit), vec![]);
    let origin = origin(t, field, unit, purse.most + purse.more, &mut gates);
    let farther = usize::from(purse.most > purse.plain);
    let search = |mover: &Mover, any: &mut bool| {
        reach(field, mover, origin, purse, |found| {
            *any |= found.sets.iter().any(|set| !set.is_empty());
            Ways {
                hexes: found.sets[farther].clone(),
                dearer: found.dearer,
            }
        })
    };
    let mut any = false;
    if !mover.routed {
        return search(&mover, &mut any);
    }
    // §7.12 Every hex leads nearer to one of its lines of communications.
    let mut all = Ways {
        hexes: HexSet::default(),
        dearer: None,
    };
    for line in 0..field.rules.communications[mover.side].len() as u8 {
        let towards = Some(line);
        let ways = search(&Mover { towards, ..mover }, &mut any);
        all.hexes.add(&ways.hexes);
        all.dearer = all.dearer.into_iter().chain(ways.dearer).min();
    }
    // A routed unit next to the enemy must move away, if need be by another way.
    let from = field.stacks.hex(unit);
    if !any && from.is_some_and(|hex| field.near_enemy(mover.side, hex)) {
        return search(&mover, &mut any);
    }
    all
}

/// Where a unit or leader sets out: its hex, or the hexes by which it comes onto the map (§5.6).
fn origin<'a>(
    t: &Table,
    field: &Field,
    unit: UnitId,
    most: u8,
    gates: &'a mut Vec<(HexId, u8)>,
) -> Origin<'a> {
    match field.stacks.hex(unit) {
        Some(hex) => Origin::Hex(hex),
        None => {
            reinforce::entries(t, unit, |way| gates.extend(way.cost(most)));
            Origin::Entries(gates)
        }
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

/// A routed unit next to the enemy that has not moved and can (§7.12): it must before the phase ends.
fn must_flee(t: &Table, field: &Field) -> Option<UnitId> {
    let side = t.active();
    let mut routed = field
        .on_map(side)
        .filter(|&(unit, _)| field.status(unit).routed);
    let fleeing = routed.find(|&(unit, hex)| {
        let near = field.near_enemy(side, hex);
        near && may_move(t, field, unit).is_ok() && has_way(t, field, unit)
    });
    fleeing.map(|(unit, _)| unit)
}

/// Whether a unit can go anywhere at all.
fn has_way(t: &Table, field: &Field, unit: UnitId) -> bool {
    let plain = allowance(field, unit);
    let purse = Purse {
        plain,
        most: plain,
        more: 0,
    };
    !destinations(t, field, unit, purse).hexes.is_empty()
}

/// Whether a unit is routed next to the enemy: it must move away if it can (§7.12).
fn flees(field: &Field, unit: UnitId) -> bool {
    let near = |hex| field.near_enemy(field.rules.card(unit).side, hex);
    field.status(unit).routed && field.stacks.hex(unit).is_some_and(near)
}

/// Whether a unit may be picked now: a routed one next to the enemy only when it has a way, so that
/// friends can make way for it first (§7.12).
fn may_pick(t: &Table, field: &Field, unit: UnitId) -> Check {
    may_move(t, field, unit)?;
    require(
        !flees(field, unit) || has_way(t, field, unit),
        rule!("7.12"),
        "is routed and has no way to fall back",
    )
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
            let purse = Purse {
                plain: most,
                most,
                more: 0,
            };
            reach(field, &mover, Origin::Hex(from), purse, |ways| {
                let hexes = ways.sets[0].iter();
                let contact = hexes.filter(|&hex| field.near_enemy(side, hex));
                contact.for_each(|hex| found(unit, hex));
            });
        }
    }
}

/// Lists where a unit may go, and how else it may be moved: what would take it no farther is not
/// offered.
fn list_destinations(t: &Table, moving: &Moving, unit: UnitId, out: &mut Options) {
    let field = &Field::new(t);
    let (to, purse) = (Do::To(unit, HexId(0)).act(), purse(field, moving, unit));
    let ways = destinations(t, field, unit, purse);
    out.push_hexes(to, 1, ways.hexes.iter());
    let gains = |points: u8| ways.dearer.is_some_and(|cost| cost <= purse.most + points);
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
    let own = field.rules.all_of(t.active());
    own.filter(|&unit| may_pick(t, field, unit).is_ok())
        .for_each(|unit| out.push(Do::Pick(unit)));
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
        Needs::nothing().player_turn()
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

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        match ask.question {
            "destination" => {
                let unit = t.res::<Moving>().picked.map_or("?", |unit| name(t, unit));
                format!("Where does {unit} go?")
            }
            "lead" => "Which enemy unit do you lead into contact, and where?".into(),
            "step-aside" => leaders::PROMPT.into(),
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
    if t.res::<Moving>().picked != Some(unit) {
        return Refusal::new(rule!("5"), "is not the unit that is moving");
    }
    let mover = Mover::new(t, field, unit);
    let from = t.hex(unit).unwrap_or(hex);
    if let Err(refusal) = why_not_enter(t, &mover, from, hex) {
        return refusal;
    }
    if mover.leader && !safe(field.rules, field.stacks, mover.side, hex) {
        return Refusal::new(rule!("9.1"), "a leader may not end alone next to the enemy");
    }
    let moving = t.res::<Moving>();
    if moving.marches || moving.hastens {
        return Refusal::new(
            rule!("5.5"),
            "is no farther than the unit goes without, or too far for it",
        );
    }
    Refusal::new(
        rule!("5.1"),
        "cannot be reached with its movement allowance",
    )
}

/// Why the opponent may not lead a unit there (Commander's Initiative).
fn why_not_led(t: &Table, unit: UnitId, hex: HexId) -> Refusal {
    let field = &Field::new(t);
    if let Err(refusal) = may_move(t, field, unit) {
        return refusal;
    }
    let able = field.rules.card(unit).kind == Kind::Infantry && !field.status(unit).routed;
    if !able || t.hex(unit).is_none() {
        return Refusal::new(rule!("4"), "only unrouted infantry on the map can be led");
    }
    if !field.near_enemy(t.active(), hex) {
        return Refusal::new(rule!("4"), "a unit that is led must end next to an enemy");
    }
    Refusal::new(
        rule!("5.1"),
        "cannot be reached with its movement allowance",
    )
}

/// The hex by which a unit came onto the map on its way to another: the cheapest way, the first of equals.
fn gate_of(t: &Table, unit: UnitId, hex: HexId) -> HexId {
    let field = &Field::new(t);
    let (mover, purse) = (Mover::new(t, field, unit), purse(field, t.res(), unit));
    let mut gates = vec![];
    origin(t, field, unit, purse.most, &mut gates);
    if let [(only, _)] = gates[..] {
        return only;
    }
    let cost = |gate: &(HexId, u8)| {
        let origin = Origin::Entries(std::slice::from_ref(gate));
        cost_to(field, &mover, origin, purse.most, hex)
    };
    let costs = gates.iter().filter_map(|gate| Some((cost(gate)?, gate.0)));
    costs.min().map_or(hex, |(_, gate)| gate)
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
    let danger = leaders::in_danger(t);
    let moving = t.res_mut::<Moving>();
    (moving.picked, moving.marches, moving.hastens) = (None, false, false);
    moving.displaced = danger;
}
