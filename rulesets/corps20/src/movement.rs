//! §5 Movement: where a unit can go, and the phase in which it goes there.

use crate::field::{
    enemies_near, enemy_in, label, name, near_enemy, pinned, ratings, rules, unit_in,
};
use crate::leaders;
use crate::reinforce;
use crate::rules::Kind;
use crate::state::{Boost, Moving, Orders, Status, boxes};
use cupola_kernel::{
    Act, Acts, Ask, Check, Event, Fault, HexId, Options, Phase, Place, Refusal, Side, Step, Table,
    UnitId, acts, forbid, require, rule,
};
use std::cell::RefCell;

acts! {
    /// Answers in the Movement Phase.
    pub enum Do {
        /// Move this unit or leader next.
        Pick(unit: UnitId) = "unit",
        /// Move it there.
        To(unit: UnitId, hex: HexId) = "move",
        /// Force march there: tires (§5.5).
        March(unit: UnitId, hex: HexId) = "march",
        /// Force march there without tiring (Double Time).
        Double(unit: UnitId, hex: HexId) = "double",
        /// Move there with the extra point of Good Leadership.
        Hasten(unit: UnitId, hex: HexId) = "hasten",
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

/// Not reached.
pub const FAR: u8 = u8::MAX;

/// Scratch memory for [`reach`]: not state, only saved allocations.
#[derive(Default)]
struct Scratch {
    cost: Vec<u8>,
    rings: Vec<Vec<HexId>>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Why a moving unit may not enter a hex.
fn may_enter(t: &Table, mover: &Mover, from: HexId, hex: HexId) -> Check {
    forbid(
        unit_in(t, hex).is_some(),
        rule!("5.2"),
        "the hex holds a unit",
    )?;
    forbid(
        mover.night && near_enemy(t, mover.side, hex),
        rule!("8.1"),
        "at night no unit may enter a hex next to the enemy",
    )?;
    if mover.routed {
        forbid(
            near_enemy(t, mover.side, hex),
            rule!("7.12"),
            "a routed unit may not come next to the enemy",
        )?;
        let home = &rules(t).home[mover.side];
        let nearer = home[usize::from(hex.0)] < home[usize::from(from.0)];
        require(
            nearer || mover.desperate,
            rule!("7.12"),
            "a routed unit moves towards its communications",
        )?;
    }
    Ok(())
}

/// A unit about to move.
#[derive(Clone, Copy)]
pub struct Mover {
    side: Side,
    night: bool,
    routed: bool,
    /// A routed unit next to the enemy with no way towards its communications (§7.12 "must move away").
    desperate: bool,
    leader: bool,
}

impl Mover {
    /// This unit, now.
    #[must_use]
    pub fn new(t: &Table, unit: UnitId) -> Mover {
        let card = rules(t).card(unit);
        let leader = card.kind == Kind::Leader;
        let routed = t.get::<Status>(unit).routed;
        Mover {
            side: card.side,
            night: t.is_night(),
            routed,
            desperate: false,
            leader,
        }
    }
}

/// Where the movement starts.
#[derive(Clone, Copy)]
pub enum From_ {
    /// On the map.
    Hex(HexId),
    /// Off the map, entering by this hex at this cost in half points (§5.6).
    Entry(HexId, u8),
}

/// What it costs to go through a hexside, in half points (§5.3); leaders ignore terrain (§9.1).
fn step_cost(t: &Table, mover: &Mover, edge: &crate::rules::Edge, to: HexId) -> u8 {
    // A road cannot be used to enter a hex next to an enemy unit.
    if edge.road && (mover.leader || !near_enemy(t, mover.side, to)) {
        1
    } else if mover.leader {
        2
    } else {
        edge.cost
    }
}

/// Calls `found` with every hex that `mover` can end in, and what it costs in half points.
pub fn reach(
    t: &Table,
    mover: &Mover,
    from: From_,
    allowance: u8,
    mut found: impl FnMut(HexId, u8),
) {
    SCRATCH.with_borrow_mut(|scratch| {
        let hexes = rules(t).edges.len();
        scratch.cost.clear();
        scratch.cost.resize(hexes, FAR);
        if scratch.rings.len() <= usize::from(allowance) {
            scratch.rings.resize(usize::from(allowance) + 1, vec![]);
        }
        scratch.rings.iter_mut().for_each(Vec::clear);
        let Scratch { cost, rings } = scratch;
        match from {
            From_::Hex(hex) => {
                cost[usize::from(hex.0)] = 0;
                rings[0].push(hex);
            }
            From_::Entry(hex, spent) if spent <= allowance => {
                cost[usize::from(hex.0)] = spent;
                rings[usize::from(spent)].push(hex);
            }
            From_::Entry(..) => return,
        }
        let start = if let From_::Hex(hex) = from {
            Some(hex)
        } else {
            None
        };
        for spent in 0..=allowance {
            let mut ring = std::mem::take(&mut rings[usize::from(spent)]);
            for &hex in &ring {
                if cost[usize::from(hex.0)] != spent {
                    continue;
                }
                if start != Some(hex) {
                    found(hex, spent);
                    // §5.4 A unit that comes next to the enemy stops.
                    if !mover.leader && pinned(t, mover.side, hex) {
                        continue;
                    }
                }
                spread(
                    t,
                    mover,
                    hex,
                    spent,
                    allowance,
                    start == Some(hex),
                    cost,
                    rings,
                );
            }
            ring.clear();
            rings[usize::from(spent)] = ring;
        }
    });
}

/// Reaches on from one hex.
#[allow(
    clippy::too_many_arguments,
    reason = "the inner loop of `reach`, split off to be read"
)]
fn spread(
    t: &Table,
    mover: &Mover,
    hex: HexId,
    spent: u8,
    allowance: u8,
    first: bool,
    cost: &mut [u8],
    rings: &mut [Vec<HexId>],
) {
    for edge in &rules(t).edges[usize::from(hex.0)] {
        let Some(to) = edge.to else { continue };
        let mut total = spent.saturating_add(step_cost(t, mover, edge, to));
        // §5.1 A unit may always move a single hex.
        if first {
            total = total.min(allowance.max(1));
        }
        if total > allowance || total >= cost[usize::from(to.0)] {
            continue;
        }
        let allowed = if mover.leader {
            enemy_in(t, mover.side, to).is_none()
        } else {
            may_enter(t, mover, hex, to).is_ok()
        };
        if allowed {
            cost[usize::from(to.0)] = total;
            rings[usize::from(total)].push(to);
        }
    }
}

/// A unit's allowance in half points: less 1 point if weary (§5.1).
#[must_use]
pub fn allowance(t: &Table, unit: UnitId) -> u8 {
    let weary = u8::from(t.get::<Status>(unit).weary());
    2 * ratings(t, unit).2.saturating_sub(weary)
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

/// A way to reach a hex beyond the plain allowance, with the verb that says so.
type Reach = (u8, fn(UnitId, HexId) -> Do);

/// The ways a unit can move, nearest first: each allowance with the answer for hexes only it reaches.
fn ways(t: &Table, unit: UnitId) -> Vec<Reach> {
    let status = t.get::<Status>(unit);
    let plain = allowance(t, unit);
    let mut ways: Vec<Reach> = vec![(plain, Do::To)];
    // §5.5 Only a fresh unit force marches; leaders and routed units never do.
    let marches = !rules(t).is_leader(unit) && status.fresh() && !status.routed;
    if status.boost == Boost::Open {
        ways.push((plain + 2, Do::Hasten));
    }
    if marches {
        ways.push((
            plain + 4,
            if t.res::<Orders>().double_time {
                Do::Double
            } else {
                Do::March
            },
        ));
        if status.boost == Boost::Open {
            ways.push((plain + 6, Do::HastenMarch));
        }
    }
    ways
}

/// Calls `found` with every destination of a unit and the answer that leads there.
pub fn destinations(t: &Table, unit: UnitId, mut found: impl FnMut(Do)) {
    let ways = ways(t, unit);
    let most = ways.last().map_or(0, |way| way.0);
    let mover = Mover::new(t, unit);
    let leader = mover.leader;
    let mut offer = |hex: HexId, spent: u8| {
        // §9.1 A leader alone next to the enemy would have to leave at once.
        if leader && unit_in(t, hex).is_none() && near_enemy(t, mover.side, hex) {
            return;
        }
        // §5.1 A single hex is always within the plain allowance.
        let single = t
            .hex(unit)
            .is_some_and(|from| rules(t).edge(from, hex).is_some());
        if single {
            found(Do::To(unit, hex));
        } else if let Some((_, answer)) = ways.iter().find(|(allowance, _)| spent <= *allowance) {
            found(answer(unit, hex));
        }
    };
    match t.hex(unit) {
        Some(hex) => {
            let mut any = false;
            reach(t, &mover, From_::Hex(hex), most, |to, spent| {
                any = true;
                offer(to, spent);
            });
            if !any && mover.routed && near_enemy(t, mover.side, hex) {
                let desperate = Mover {
                    desperate: true,
                    ..mover
                };
                reach(t, &desperate, From_::Hex(hex), most, offer);
            }
        }
        None => reinforce::entries(t, unit, |hex, spent| {
            if leader || may_enter(t, &mover, hex, hex).is_ok() {
                reach(
                    t,
                    &mover,
                    From_::Entry(hex, spent.min(most)),
                    most,
                    &mut offer,
                );
            }
        }),
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
            let mut to = vec![];
            reach(
                t,
                &Mover::new(t, unit),
                From_::Hex(hex),
                allowance(t, unit),
                |hex, _| to.push(hex),
            );
            to.sort_unstable();
            to.into_iter()
                .filter(|&hex| near_enemy(t, side, hex))
                .for_each(|hex| found(unit, hex));
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
                destinations(t, unit, |answer| out.push(answer));
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
        out.sort();
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
    if let Err(refusal) = may_enter(t, &mover, from, hex) {
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

/// Whether anything of this side could still enter or move; used by tests.
#[must_use]
pub fn on_track(t: &Table, unit: UnitId) -> bool {
    t.stacks().place(unit) == Place::Box(boxes::TRACK)
}
