//! §10 The cavalry battle beside the map, an optional rule.
//!
//! At 2PM of Day 3 absent brigades are rolled for, and every Confederate block is sent against Gregg, against
//! Kilpatrick, or against nobody. A division that nobody opposes comes at 3PM. The others fight in the
//! Confederate melee phase of that hour: three rounds by the rules of melee, without terrain and without a
//! retreat that is forced. Who has the field alone has won and comes at 4PM.

use crate::field::{name, put, rules, show};
use crate::hits;
use crate::melee::{combat_turn, next_turn};
use crate::rules::CavalryPlan;
use crate::state::{Block, Chosen, Clash, NO_BATTLE, Ride, Wounds, army, boxes};
use cupola_kernel::{
    Act, Acts, Arg, Ask, Combat, Event, Fault, Fight, Needs, Options, Phase, Place, Refusal, Side,
    Step, Table, UnitId, acts, rule,
};
use std::sync::Arc;

/// The last round of a battle.
const LAST_ROUND: u8 = 3;

acts! {
    /// Answers in the cavalry battle.
    pub enum Do {
        /// This brigade rides with that division.
        Join(unit: UnitId, hq: UnitId) = "join",
        /// This block rides against that division.
        Oppose(unit: UnitId, hq: UnitId) = "oppose",
        /// This block stays out of both battles.
        Hold(unit: UnitId) = "hold",
        /// This block strikes.
        Strike(unit: UnitId) = "strike",
        /// This block leaves the battle.
        Withdraw(unit: UnitId) = "withdraw",
        /// This block takes the hit.
        Hit(unit: UnitId) = "hit",
        /// Nobody changes division.
        Done = "done",
    }
}

fn plan(t: &Table) -> &CavalryPlan {
    &rules(t).cavalry
}

/// The blocks of a side beside the map, in the order of their numbers.
pub fn beside(t: &Table, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let own = rules(t).own[side].iter().copied();
    own.filter(|&unit| t.stacks().place(unit) == Place::Box(boxes::CAVALRY))
}

/// The blocks of a side in a battle.
fn fighters(t: &Table, side: Side, battle: u8) -> impl Iterator<Item = UnitId> + '_ {
    let army = army(t);
    beside(t, side).filter(move |&unit| army.of(unit).way == battle)
}

/// The blocks of a side in the battle at hand, in the order of their numbers.
#[must_use]
pub fn at_hand(t: &Table, side: Side) -> Vec<UnitId> {
    let battle = t.res::<Ride>().battle;
    battle.map_or_else(Vec::new, |battle| fighters(t, side, battle).collect())
}

/// The division that a block belongs to: its own unless it was sent to another (§10.0, note).
#[must_use]
pub fn division(t: &Table, unit: UnitId) -> Option<UnitId> {
    match t.res::<Ride>().attached {
        Some((brigade, hq)) if brigade == unit => Some(hq),
        _ => rules(t).card(unit).hq,
    }
}

/// Takes the division off the map that leaves when the day begins; its lent brigade stays with the cavalry.
pub fn begin_day(t: &mut Table) {
    if !rules(t).switches.cavalry_battle || t.turn() != plan(t).leaves_on {
        return;
    }
    let hq = plan(t).leaves;
    let leaving: Vec<UnitId> = rules(t).own[Side::Second]
        .iter()
        .copied()
        .filter(|&unit| unit == hq || rules(t).card(unit).hq == Some(hq))
        .filter(|&unit| {
            let place = t.stacks().place(unit);
            !matches!(place, Place::Box(boxes::SHATTERED | boxes::OUT))
        })
        .collect();
    for unit in leaving {
        put(t, unit, Place::Box(boxes::OUT));
    }
    // Where its blocks stood is plain to see now.
    t.reveal();
    t.say(|t| {
        let text = format!("{}'s division is withdrawn", name(t, hq));
        Event::new("withdrawn", rule!("10.0"), text).unit(hq)
    });
}

/// Rolls for the absent brigades and puts each Union block into the battle of its division.
fn muster(t: &mut Table) {
    for (unit, lowest) in plan(t).absent.clone() {
        if t.stacks().place(unit) != Place::Box(boxes::CAVALRY) {
            continue;
        }
        let roll = t.d6("cavalry", unit);
        let comes = roll >= lowest;
        if !comes {
            put(t, unit, Place::Box(boxes::OUT));
        }
        t.say(|t| {
            let what = if comes { "comes" } else { "does not come" };
            let text = format!("{}'s brigade {what}", name(t, unit));
            Event::new("muster", rule!("10.0"), text)
                .unit(unit)
                .number(roll)
        });
    }
    let union: Vec<UnitId> = beside(t, Side::Second).collect();
    for unit in union {
        assign(t, unit);
    }
    let away = |unit: UnitId| t.stacks().place(unit) != Place::Box(boxes::CAVALRY);
    let relief = away(plan(t).missing) && !away(plan(t).relief);
    let ride = t.res_mut::<Ride>();
    ride.mustered = true;
    ride.relief = relief;
}

/// Puts a Union block into the battle of its division.
fn assign(t: &mut Table, unit: UnitId) {
    let division = division(t, unit);
    let battles = plan(t).battles.iter();
    let mut numbered = battles.enumerate();
    let found = numbered.find(|(_, battle)| unit == battle.hq || division == Some(battle.hq));
    let way = found.map_or(NO_BATTLE, |(i, _)| i as u8);
    t.get_mut::<Block>(unit).way = way;
}

/// The block that gets its orders next: every one in turn, so that their number tells nothing.
fn awaiting(t: &Table) -> Option<UnitId> {
    beside(t, Side::First).nth(usize::from(t.res::<Ride>().ordered))
}

/// All orders are given: divisions that nobody opposes ride on.
fn ride_out(t: &mut Table) {
    t.res_mut::<Ride>().ready = true;
    for battle in 0..2 {
        if fighters(t, Side::First, battle).next().is_none() {
            t.res_mut::<Ride>().clashes[usize::from(battle)] = Clash::Unopposed;
            let due = plan(t).fight;
            arrive(t, Side::Second, battle, due);
            tell(t, battle, "rides on unopposed");
        }
    }
}

/// Puts the blocks of a side in a battle on the turn track.
fn arrive(t: &mut Table, side: Side, battle: u8, due: u16) {
    let way = plan(t).battles[usize::from(battle)].roads[side];
    let riders: Vec<UnitId> = fighters(t, side, battle).collect();
    for unit in riders {
        put(t, unit, Place::Box(boxes::TRACK));
        let block = t.get_mut::<Block>(unit);
        block.due = due;
        block.way = way;
    }
}

/// Tells how it stands with the division of a battle.
fn tell(t: &mut Table, battle: u8, what: &'static str) {
    let hq = plan(t).battles[usize::from(battle)].hq;
    t.say(|t| {
        let text = format!("{}'s division {what}", name(t, hq));
        Event::new("cavalry", rule!("10.0"), text)
    });
}

/// Ends the battle at hand.
fn conclude(t: &mut Table, battle: u8, how: Clash) {
    let ride = t.res_mut::<Ride>();
    ride.clashes[usize::from(battle)] = how;
    ride.battle = None;
    let due = plan(t).arrive;
    match how {
        Clash::Won(side) => {
            arrive(t, side, battle, due);
            let what = ["is beaten off", "has won its battle"];
            tell(t, battle, what[side as usize]);
        }
        _ => tell(t, battle, "and its enemies are at a stand"),
    }
}

/// What is asked next; `None` when the phase is over.
fn advance(t: &mut Table) -> Option<hits::Question> {
    if !rules(t).switches.cavalry_battle || t.active() != Side::First {
        return None;
    }
    let (turn, first, last) = (t.turn(), plan(t).muster, plan(t).fight);
    if !(first..=last).contains(&turn) {
        return None;
    }
    if !t.res::<Ride>().mustered {
        muster(t);
    }
    let ride = t.res::<Ride>();
    if ride.relief {
        return Some((Side::Second, "relief", "10.0"));
    }
    if !ride.ready {
        if awaiting(t).is_some() {
            return Some((Side::First, "orders", "10.0"));
        }
        ride_out(t);
    }
    if turn < last { None } else { fight_on(t) }
}

/// Fights the battles one after the other.
fn fight_on(t: &mut Table) -> Option<hits::Question> {
    loop {
        if let Some(question) = hits::settle(t) {
            return Some(question);
        }
        let Some(battle) = t.res::<Ride>().battle else {
            let clashes = &t.res::<Ride>().clashes;
            let open = clashes.iter().position(|clash| *clash == Clash::Open)?;
            begin(t, open as u8);
            continue;
        };
        let alone = |side: &Side| fighters(t, side.other(), battle).next().is_none();
        if let Some(side) = Side::BOTH.into_iter().find(alone) {
            conclude(t, battle, Clash::Won(side));
        } else if let Some((side, _)) = group(t) {
            return Some((side, "combat-turn", "10.0"));
        } else if t.res::<Ride>().round == LAST_ROUND {
            conclude(t, battle, Clash::Stalemate);
        } else {
            let ride = t.res_mut::<Ride>();
            ride.round += 1;
            ride.acted.clear();
        }
    }
}

/// Begins a battle: everybody in it is revealed (§7.1).
fn begin(t: &mut Table, battle: u8) {
    let ride = t.res_mut::<Ride>();
    ride.battle = Some(battle);
    ride.round = 1;
    ride.acted.clear();
    for side in Side::BOTH {
        for unit in at_hand(t, side) {
            show(t, unit);
        }
    }
    tell(t, battle, "fights");
}

fn group(t: &Table) -> Option<(Side, Vec<UnitId>)> {
    // The Union defends.
    let acted = &t.res::<Ride>().acted;
    next_turn(t, Side::First, acted, |side| at_hand(t, side))
}

/// The fight of a block's combat turn: no hexside was crossed.
fn turn(t: &Table, unit: UnitId) -> Fight {
    combat_turn(t, unit, t.res::<Ride>().round, None, None)
}

fn strike(t: &mut Table, unit: UnitId) -> Result<(), Fault> {
    let (fight, combat) = (turn(t, unit), t.combat("melee")?);
    let outcome = t.fight(&*combat, &fight)?;
    let hits = outcome.among(&*combat, crate::hits::HITS)? as u8;
    hits::announce(t, "strike", unit, None, hits);
    t.res_mut::<Ride>().acted.push(unit);
    *t.res_mut::<Wounds>() = Wounds {
        side: rules(t).card(unit).side.other(),
        left: hits,
        open: true,
        ..Wounds::default()
    };
    Ok(())
}

fn withdraw(t: &mut Table, unit: UnitId) {
    t.get_mut::<Block>(unit).way = NO_BATTLE;
    t.say(|t| {
        let text = format!("{} leaves the battle", name(t, unit));
        Event::new("withdraw", rule!("10.0"), text).unit(unit)
    });
}

/// Gives a Confederate block its orders.
fn order(t: &mut Table, unit: UnitId, battle: u8) {
    t.get_mut::<Block>(unit).way = battle;
    t.res_mut::<Ride>().ordered += 1;
    let hq = plan(t).battles.get(usize::from(battle)).map(|b| b.hq);
    t.say(|t| {
        let text = match hq {
            Some(hq) => format!("{} rides against {}", name(t, unit), name(t, hq)),
            None => format!("{} is held back", name(t, unit)),
        };
        Event::new("orders", rule!("10.0"), text)
            .unit(unit)
            .only(Side::First)
    });
}

fn join(t: &mut Table, unit: UnitId, hq: UnitId) {
    let ride = t.res_mut::<Ride>();
    ride.relief = false;
    ride.attached = Some((unit, hq));
    assign(t, unit);
    t.say(|t| {
        let text = format!("{} rides with {}", name(t, unit), name(t, hq));
        Event::new("join", rule!("10.0"), text)
            .unit(unit)
            .only(Side::Second)
    });
}

/// The battle against a division, by number.
fn battle_of(t: &Table, hq: UnitId) -> u8 {
    let found = plan(t).battles.iter().position(|battle| battle.hq == hq);
    found.map_or(NO_BATTLE, |i| i as u8)
}

/// The cavalry battle; a phase without effect unless the option is played.
pub struct CavalryPhase;

impl Phase for CavalryPhase {
    fn name(&self) -> &'static str {
        "cavalry"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn().combat("melee")
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        *t.res_mut::<Chosen>() = Chosen::default();
        *t.res_mut::<Wounds>() = Wounds::default();
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        Ok(match advance(t) {
            Some((side, question, rule)) => Step::ask(side, question, rule),
            None => Step::Done,
        })
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        let (ride, wounds) = (t.res::<Ride>(), t.res::<Wounds>());
        if ride.relief {
            out.push(Do::Join(plan(t).relief, plan(t).relieved));
            out.push(Do::Done);
        } else if wounds.left > 0 {
            hits::candidates(t, wounds)
                .into_iter()
                .for_each(|unit| out.push(Do::Hit(unit)));
        } else if let Some(unit) = awaiting(t).filter(|_| !ride.ready) {
            for battle in &plan(t).battles {
                out.push(Do::Oppose(unit, battle.hq));
            }
            out.push(Do::Hold(unit));
        } else if let Some((_, units)) = group(t) {
            for unit in units {
                out.push(Do::Strike(unit));
                out.push(Do::Withdraw(unit));
            }
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Join(unit, hq)) => join(t, unit, hq),
            Some(Do::Oppose(unit, hq)) => order(t, unit, battle_of(t, hq)),
            Some(Do::Hold(unit)) => order(t, unit, NO_BATTLE),
            Some(Do::Strike(unit)) => strike(t, unit)?,
            Some(Do::Withdraw(unit)) => withdraw(t, unit),
            Some(Do::Hit(unit)) => hits::take(t, unit),
            Some(Do::Done) => t.res_mut::<Ride>().relief = false,
            None => return Err(Fault::Broken("not an answer in the cavalry battle".into())),
        }
        Ok(())
    }

    fn why_not(&self, _: &Table, _: Ask, act: Act) -> Refusal {
        let why = match Do::from_act(act) {
            Some(Do::Join(..)) => "a brigade changes division only if another did not come",
            Some(Do::Oppose(..) | Do::Hold(_)) => "does not get its orders now",
            Some(Do::Strike(_) | Do::Withdraw(_)) => "does not have its combat turn now",
            Some(Do::Hit(_)) => return Refusal::new(rule!("5.23"), "the strongest takes the hit"),
            Some(Do::Done) | None => "is not asked now",
        };
        Refusal::new(rule!("10.0"), why)
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        let two = |unit, what: &str, hq| format!("{} {what} {}", name(t, unit), name(t, hq));
        match Do::from_act(act) {
            Some(Do::Join(unit, hq)) => two(unit, "rides with", hq),
            Some(Do::Oppose(unit, hq)) => two(unit, "rides against", hq),
            Some(Do::Hold(unit)) => format!("{} is held back", name(t, unit)),
            Some(Do::Strike(unit)) => format!("{} strikes", name(t, unit)),
            Some(Do::Withdraw(unit)) => format!("{} leaves the battle", name(t, unit)),
            Some(Do::Hit(unit)) => format!("{} takes the hit", name(t, unit)),
            Some(Do::Done) => "nobody changes division".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        match ask.question {
            "relief" => "Does a brigade change division?".into(),
            "orders" => match awaiting(t) {
                Some(unit) => format!("Against whom does {} ride?", name(t, unit)),
                None => "Against whom?".into(),
            },
            "hit" => "Who takes the hit?".into(),
            _ => format!(
                "Cavalry, round {}: strike or withdraw?",
                t.res::<Ride>().round
            ),
        }
    }

    fn fight(&self, t: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let Do::Strike(unit) = Do::from_act(act)? else {
            return None;
        };
        group(t)?.1.contains(&unit).then_some(())?;
        Some((t.combat("melee").ok()?, turn(t, unit)))
    }

    fn touches(&self, _: &Table, _: Ask, act: Act) -> Vec<Arg> {
        let unit = act.args[0];
        match Do::from_act(act) {
            // The rules name the division that rides; which block leads it is not for its enemy to see.
            Some(Do::Oppose(..)) => vec![unit],
            _ => act
                .args
                .into_iter()
                .filter(|arg| *arg != Arg::None)
                .collect(),
        }
    }
}
