//! §7 Combat: the phase from bombardment to the last advance.

mod declare;
mod differential;
mod results;
mod retreat;

pub use differential::Differential;

use crate::crt::CombatResult;
use crate::events::turn_begins;
use crate::field::{can_pay, change_morale, has_reserves, label, name, rules};
use crate::leaders;
use crate::state::{Armies, Battle, Commitment, Marker, Orders, Stage};
use crate::tokens;
use cupola_kernel::{
    Act, Acts, Ask, Combat, Event, Fault, Fight, HexId, Needs, Options, Phase, Preview, Refusal,
    Side, Step, Table, TokenId, UnitId, acts, rule,
};
use std::sync::Arc;

acts! {
    /// Answers in the Combat Phase.
    pub enum Do {
        /// Bombard the enemies next to this unit (Massed Bombardment).
        Bombard(unit: UnitId) = "bombard",
        /// Cavalry disengages (§7.1).
        Withdraw(unit: UnitId, hex: HexId) = "withdraw",
        /// This unit attacks that enemy (§7.3).
        Attack(unit: UnitId, enemy: UnitId) = "attack",
        /// The fight of this unit takes on that enemy as well (§7.3).
        Also(unit: UnitId, enemy: UnitId) = "also",
        /// This unit leaves routed enemies alone (§7.12).
        Hold(unit: UnitId) = "hold",
        /// Resolve the fight in which this unit defends (§7.4).
        Fight(defender: UnitId) = "fight",
        /// Commit this to the fight (§7.8, §9.2, §9.3).
        Commit(what: TokenId) = "commit",
        /// Roll, holding back by so much (§7.9).
        Roll(by: i16) = "roll",
        /// Retreat to this hex (§7.13).
        Retreat(unit: UnitId, hex: HexId) = "retreat",
        /// Retreat no further.
        Halt(unit: UnitId) = "halt",
        /// Break this attacker for an exchange (§7.10 EX).
        Break(unit: UnitId) = "break",
        /// Advance into a hex that the enemy left (§7.14).
        Advance(unit: UnitId, hex: HexId) = "advance",
        /// A leader steps out of danger (§9.1).
        Step(leader: UnitId, hex: HexId) = "step",
        /// Nothing, or nothing more.
        Done = "done",
    }
}

/// The Combat Phase; skipped at night (§8.1).
pub struct CombatPhase;

/// All units that are defenders in a declared fight: guns among them support nobody (§7.5).
pub(crate) fn attacked(t: &Table) -> Vec<UnitId> {
    t.res::<Battle>()
        .fights
        .iter()
        .flat_map(|fight| fight.defenders.iter().copied())
        .collect()
}

/// Corps artillery that was used comes back two rounds later (§9.3).
pub(crate) fn spend_guns(t: &mut Table, corps: u8) {
    let back = t.turn() + rules(t).guns.1;
    t.res_mut::<Armies>().guns[usize::from(corps)] = Marker::Due(back);
}

/// The fight at hand with what is committed to it.
fn fight_at_hand(t: &Table) -> Fight {
    let battle = t.res::<Battle>();
    let (attackers, defenders) = results::parties(t);
    let hex = defenders.first().and_then(|&unit| t.hex(unit));
    Fight {
        attackers,
        defenders,
        hex,
        terms: differential::terms(&battle.commitment),
    }
}

/// What a side may still commit to the fight at hand.
fn commitments(t: &Table, side: Side) -> Vec<TokenId> {
    let (armies, battle, orders) = (t.res::<Armies>(), t.res::<Battle>(), t.res::<Orders>());
    let fight = fight_at_hand(t);
    let attacks = side == t.active();
    let own = if attacks {
        &fight.attackers
    } else {
        &fight.defenders
    };
    let mut found = vec![];
    if side == Side::First {
        // §9.3 At least one division of the corps must take part.
        let takes_part = |corps: u8| {
            own.iter()
                .any(|&unit| rules(t).card(unit).corps == Some(corps))
        };
        let ready =
            |corps: &u8| armies.guns[usize::from(*corps)] == Marker::Ready && takes_part(*corps);
        found.extend((0..3).filter(ready).map(tokens::artillery));
        // §9.2 Lee is of use only where he brings somebody into command.
        let helps = || {
            !differential::in_command(t, &fight, false) && differential::in_command(t, &fight, true)
        };
        if attacks && !battle.commitment.lee && armies.lee == Marker::Ready && helps() {
            found.push(tokens::LEE);
        }
    }
    let committed = if attacks {
        battle.commitment.attacker_reserves
    } else {
        battle.commitment.defender_reserves
    };
    if !committed && own.iter().any(|&unit| has_reserves(t, unit)) {
        if can_pay(t, side) {
            found.push(tokens::RESERVES);
        }
        if attacks && orders.free_reserves {
            found.push(tokens::FREE_RESERVES);
        }
    }
    found
}

/// Commits guns, Lee or reserves.
fn commit(t: &mut Table, side: Side, what: TokenId) {
    let battle = t.res_mut::<Battle>();
    battle.commitment = committed(battle.commitment, battle.stage == Stage::Commit, what);
    match what {
        tokens::LEE => {
            let dawn = rules(t).next_dawn[usize::from(t.turn())];
            t.res_mut::<Armies>().lee = Marker::Due(dawn);
        }
        tokens::RESERVES => change_morale(t, side, -1, rule!("7.8")),
        tokens::FREE_RESERVES => t.res_mut::<Orders>().free_reserves = false,
        guns => spend_guns(t, (guns.0 - tokens::artillery(0).0) as u8),
    }
    t.say(|t| {
        let text = format!(
            "{} commits {}",
            t.env().sides[side].name,
            tokens::NAMES[usize::from(what.0)]
        );
        Event::new("commit", rule!("7.4"), text)
    });
}

/// The differential before holding back, and the ways to roll: each column once, best first.
fn ways_to_roll(t: &Table) -> Vec<i16> {
    let Ok(combat) = t.combat("assault") else {
        return vec![0];
    };
    let sum = combat.modifiers(t, &fight_at_hand(t)).sum();
    let (low, high) = (
        i16::from(rules(t).crt.lowest()),
        i16::from(rules(t).crt.highest()),
    );
    let best = sum.clamp(low, high);
    // A differential beyond the table is reduced from what it is (§7.9).
    (low..=best)
        .rev()
        .map(|column| if column == best { 0 } else { sum - column })
        .collect()
}

/// Rolls the fight at hand and applies the result.
fn roll(t: &mut Table, held_back: i16) -> Result<(), Fault> {
    t.res_mut::<Battle>().commitment.held_back = held_back as i8;
    let (combat, fight) = (t.combat("assault")?, fight_at_hand(t));
    let outcome = t.fight(&*combat, &fight)?;
    let unknown = || {
        Fault::Broken(format!(
            "{} gives no result {}",
            combat.name(),
            outcome.code
        ))
    };
    let result = *CombatResult::ALL
        .get(usize::from(outcome.code))
        .ok_or_else(unknown)?;
    t.say(|t| {
        let sum = combat.modifiers(t, &fight).sum();
        Event::new(
            "combat",
            rule!("7.4"),
            format!("at {sum:+}: {}", result.name()),
        )
        .units(fight.attackers.iter().chain(&fight.defenders).copied())
        .number(sum)
    });
    let battle = t.res_mut::<Battle>();
    battle.result = Some(result as u8);
    battle.stage = Stage::Results;
    results::apply(t, result);
    Ok(())
}

/// Fights that can still be fought.
fn open_fights(t: &Table) -> impl Iterator<Item = (u8, UnitId)> + '_ {
    let here = |unit: &&UnitId| t.hex(**unit).is_some();
    t.res::<Battle>()
        .fights
        .iter()
        .enumerate()
        .filter_map(move |(i, fight)| {
            let alive = !fight.done && fight.attackers.iter().any(|unit| here(&unit));
            let defender = fight.defenders.iter().find(here);
            alive.then_some(())?;
            Some((i as u8, *defender?))
        })
}

fn begin_fight(t: &mut Table, number: u8) {
    let battle = t.res_mut::<Battle>();
    *battle = Battle {
        stage: Stage::Commit,
        current: number,
        fights: std::mem::take(&mut battle.fights),
        ..Battle::default()
    };
}

/// Goes on to the next stage that has a question; `None` when the phase is over.
fn advance_to_question(t: &mut Table) -> Option<(Side, &'static str, &'static str)> {
    let (active, other) = (t.active(), t.active().other());
    loop {
        if let Some(leader) = leaders::in_danger(t) {
            return Some((rules(t).card(leader).side, "step-aside", "9.1"));
        }
        let stage = t.res::<Battle>().stage;
        match stage {
            Stage::Bombard => {
                if t.res::<Orders>().bombardment && declare::bombarders(t).next().is_some() {
                    return Some((active, "bombard", "4"));
                }
                t.res_mut::<Battle>().stage = Stage::Disengage;
            }
            Stage::Disengage => {
                let mut any = false;
                declare::disengagements(t, |_, _| any = true);
                if any {
                    return Some((other, "disengage", "7.1"));
                }
                t.res_mut::<Battle>().stage = Stage::Declare;
            }
            Stage::Declare => match declare::wanted(t) {
                declare::Wanted::Targets => return Some((active, "attack", "7.3")),
                declare::Wanted::Cover => return Some((active, "also", "7.3")),
                declare::Wanted::Extra => return Some((active, "also-routed", "7.12")),
                declare::Wanted::Nothing => t.res_mut::<Battle>().stage = Stage::Pick,
            },
            Stage::Pick => {
                let open: Vec<u8> = open_fights(t).map(|(number, _)| number).collect();
                match open[..] {
                    [] => return None,
                    [only] => begin_fight(t, only),
                    _ => return Some((active, "fight", "7.4")),
                }
            }
            Stage::Commit => {
                if !commitments(t, active).is_empty() {
                    return Some((active, "commit", "7.4"));
                }
                t.res_mut::<Battle>().stage = Stage::Answer;
            }
            Stage::Answer => {
                if !commitments(t, other).is_empty() {
                    return Some((other, "commit", "7.4"));
                }
                t.res_mut::<Battle>().stage = Stage::HoldBack;
            }
            Stage::HoldBack => return Some((active, "roll", "7.9")),
            Stage::Results => {
                retreat::settle(t);
                if let Some(side) = retreat::pending(t) {
                    let stuck = !retreat::stuck(t).is_empty();
                    return Some((
                        side,
                        if stuck { "cannot-retreat" } else { "retreat" },
                        "7.13",
                    ));
                }
                if !results::debtors(t).is_empty() {
                    return Some((active, "exchange", "7.10"));
                }
                results::tire_attackers(t);
                t.res_mut::<Battle>().stage = Stage::Advance;
            }
            Stage::Advance => {
                let mut any = false;
                retreat::advances(t, |_, _| any = true);
                if any {
                    return t
                        .res::<Battle>()
                        .victor
                        .map(|victor| (victor, "advance", "7.14"));
                }
                let battle = t.res_mut::<Battle>();
                let current = usize::from(battle.current);
                battle.fights[current].done = true;
                battle.stage = Stage::Pick;
            }
        }
    }
}

impl Phase for CombatPhase {
    fn name(&self) -> &'static str {
        "combat"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        Needs::nothing().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        turn_begins(t);
        *t.res_mut::<Battle>() = Battle::default();
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        // §8.1 No combat at night.
        if t.is_night() {
            return Ok(Step::Done);
        }
        match advance_to_question(t) {
            Some((side, question, rule)) => Ok(Step::ask(side, question, rule)),
            None => {
                *t.res_mut::<Battle>() = Battle::default();
                Ok(Step::Done)
            }
        }
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        if let Some(leader) = leaders::in_danger(t) {
            leaders::steps(t, leader, |hex| out.push(Do::Step(leader, hex)));
            return Ok(());
        }
        let battle = t.res::<Battle>();
        match battle.stage {
            Stage::Bombard => {
                declare::bombarders(t).for_each(|unit| out.push(Do::Bombard(unit)));
                out.push(Do::Done);
            }
            Stage::Disengage => {
                declare::disengagements(t, |unit, hex| out.push(Do::Withdraw(unit, hex)));
                out.push(Do::Done);
            }
            Stage::Declare => declare::options(t, out),
            Stage::Pick => open_fights(t).for_each(|(_, defender)| out.push(Do::Fight(defender))),
            Stage::Commit | Stage::Answer => {
                let side = if battle.stage == Stage::Commit {
                    t.active()
                } else {
                    t.active().other()
                };
                commitments(t, side)
                    .into_iter()
                    .for_each(|what| out.push(Do::Commit(what)));
                out.push(Do::Done);
            }
            Stage::HoldBack => ways_to_roll(t)
                .into_iter()
                .for_each(|by| out.push(Do::Roll(by))),
            Stage::Results if retreat::pending(t).is_some() => retreat::options(t, out),
            Stage::Results => results::debtors(t)
                .into_iter()
                .for_each(|unit| out.push(Do::Break(unit))),
            Stage::Advance => {
                retreat::advances(t, |unit, hex| out.push(Do::Advance(unit, hex)));
                out.push(Do::Done);
            }
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        let answer = Do::from_act(act)
            .ok_or_else(|| Fault::Broken("not an answer of the Combat Phase".into()))?;
        let stage = t.res::<Battle>().stage;
        match answer {
            Do::Step(leader, hex) => leaders::step(t, leader, hex),
            Do::Bombard(unit) => declare::bombard(t, unit),
            Do::Withdraw(unit, hex) => declare::disengage(t, unit, hex),
            Do::Attack(unit, enemy) => declare::attack(t, unit, enemy),
            Do::Also(unit, enemy) => declare::also(t, unit, enemy),
            Do::Hold(unit) => t.res_mut::<Battle>().holding.push(unit),
            Do::Fight(defender) => {
                let number = open_fights(t)
                    .find(|(_, unit)| *unit == defender)
                    .map(|(number, _)| number);
                begin_fight(t, number.unwrap_or_default());
            }
            Do::Commit(what) => {
                let side = if stage == Stage::Commit {
                    t.active()
                } else {
                    t.active().other()
                };
                commit(t, side, what);
            }
            Do::Roll(by) => roll(t, by)?,
            Do::Retreat(unit, hex) => retreat::step(t, unit, hex),
            Do::Halt(_) => retreat::arrive(t),
            Do::Break(unit) if retreat::pending(t).is_some() => retreat::give_up(t, unit),
            Do::Break(unit) => results::pay(t, unit),
            Do::Advance(unit, hex) => retreat::advance(t, unit, hex),
            Do::Done => done(t, stage),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        match Do::from_act(act) {
            Some(Do::Attack(unit, enemy)) => declare::may_attack(t, unit, enemy)
                .err()
                .unwrap_or_else(|| Refusal::new(rule!("7.3"), "attacks are not declared now")),
            Some(Do::Also(unit, enemy)) => declare::why_not_also(t, unit, enemy),
            Some(Do::Hold(unit)) => declare::why_not_hold(t, unit),
            Some(Do::Bombard(_)) => Refusal::new(
                rule!("4"),
                "has no guns to bombard with, or no enemy next to it",
            ),
            Some(Do::Withdraw(..)) => Refusal::new(
                rule!("7.1"),
                "cavalry disengages one hex, out of all contact",
            ),
            Some(Do::Retreat(..)) => Refusal::new(
                rule!("7.13"),
                "retreats go away from the fight, by the priorities",
            ),
            Some(Do::Advance(..)) => Refusal::new(rule!("7.14"), "may not advance there"),
            Some(Do::Roll(_)) => Refusal::new(
                rule!("7.9"),
                "the differential can only be lowered, down to the last column",
            ),
            Some(Do::Commit(_)) => Refusal::new(rule!("7.8"), "cannot be committed to this fight"),
            Some(Do::Halt(_)) => Refusal::new(rule!("7.10"), "must retreat further"),
            Some(Do::Break(_)) => Refusal::new(rule!("7.10"), "is not owed"),
            Some(Do::Step(..)) => leaders::why_not_step(),
            _ => Refusal::new(rule!("7.4"), "that is not asked now"),
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        let to = |verb: &str, unit, hex| format!("{} {verb} {}", name(t, unit), label(t, hex));
        match Do::from_act(act) {
            Some(Do::Bombard(unit)) => format!("bombard the enemies next to {}", name(t, unit)),
            Some(Do::Withdraw(unit, hex)) => to("disengages to", unit, hex),
            Some(Do::Attack(unit, enemy)) => {
                format!("{} attacks {}", name(t, unit), name(t, enemy))
            }
            Some(Do::Also(unit, enemy)) => {
                format!("{} attacks {} as well", name(t, unit), name(t, enemy))
            }
            Some(Do::Hold(unit)) => format!("{} does not attack", name(t, unit)),
            Some(Do::Fight(unit)) => format!("resolve the attack on {}", name(t, unit)),
            Some(Do::Commit(what)) => commit_text(what),
            Some(Do::Roll(0)) => "roll".into(),
            Some(Do::Roll(by)) => format!("hold back by {by} and roll"),
            Some(Do::Retreat(unit, hex)) => to("retreats to", unit, hex),
            Some(Do::Halt(unit)) => format!("{} retreats no further", name(t, unit)),
            Some(Do::Break(unit)) if retreat::pending(t).is_some() => {
                format!("{} cannot retreat and breaks", name(t, unit))
            }
            Some(Do::Break(unit)) => format!("break {} for the exchange", name(t, unit)),
            Some(Do::Advance(unit, hex)) => to("advances to", unit, hex),
            Some(Do::Step(unit, hex)) => to("steps aside to", unit, hex),
            Some(Do::Done) => "nothing more".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        match ask.question {
            "bombard" => "Massed bombardment: next to which unit?".into(),
            "disengage" => "Does your cavalry disengage?".into(),
            "attack" => "Who attacks whom?".into(),
            "also" => "Every enemy in contact must be attacked: by whom?".into(),
            "also-routed" => "Routed enemies may be attacked as well: by whom?".into(),
            "fight" => "Which attack is resolved next?".into(),
            "commit" => "Commit anything to this fight?".into(),
            "roll" => {
                let sum = t
                    .combat("assault")
                    .map_or(0, |combat| combat.modifiers(t, &fight_at_hand(t)).sum());
                format!("The differential is {sum:+}. Roll, or hold back?")
            }
            "retreat" => "Where does the unit retreat?".into(),
            "cannot-retreat" => "Nobody can retreat: who breaks and makes way?".into(),
            "exchange" => "Which attacker is broken for the exchange?".into(),
            "advance" => "Who advances?".into(),
            _ => leaders::PROMPT.into(),
        }
    }

    fn fight(&self, t: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let combat = t.combat("assault").ok()?;
        let battle = t.res::<Battle>();
        let fight = match Do::from_act(act)? {
            Do::Fight(defender) => {
                let declared = battle
                    .fights
                    .iter()
                    .find(|fight| fight.defenders.contains(&defender))?;
                let (attackers, defenders) =
                    (declared.attackers.clone(), declared.defenders.clone());
                Fight {
                    attackers,
                    defenders,
                    hex: t.hex(defender),
                    terms: vec![],
                }
            }
            Do::Roll(by) if battle.stage == Stage::HoldBack => {
                let held_back = Commitment {
                    held_back: by as i8,
                    ..battle.commitment
                };
                Fight {
                    terms: differential::terms(&held_back),
                    ..fight_at_hand(t)
                }
            }
            Do::Done if matches!(battle.stage, Stage::Commit | Stage::Answer) => fight_at_hand(t),
            _ => return None,
        };
        Some((combat, fight))
    }

    fn preview(&self, t: &Table, ask: Ask, act: Act) -> Option<Preview> {
        let answer = Do::from_act(act)?;
        let (combat, fight) = match prospect(t, answer) {
            Some(fight) => (t.combat("assault").ok()?, fight),
            None => self.fight(t, ask, act)?,
        };
        Preview::of(&*combat, t, &fight).ok()
    }

    fn has_preview(&self, t: &Table, ask: Ask, act: Act) -> bool {
        let first = |answer| matches!(answer, Do::Attack(..) | Do::Also(..) | Do::Commit(_));
        Do::from_act(act).is_some_and(first) || self.fight(t, ask, act).is_some()
    }
}

/// The fight as it would stand after an answer that does not settle it yet: one more attacker or
/// defender, or something committed.
fn prospect(t: &Table, answer: Do) -> Option<Fight> {
    let battle = t.res::<Battle>();
    let mut declared = match answer {
        Do::Commit(what) if matches!(battle.stage, Stage::Commit | Stage::Answer) => {
            let commitment = committed(battle.commitment, battle.stage == Stage::Commit, what);
            return Some(Fight {
                terms: differential::terms(&commitment),
                ..fight_at_hand(t)
            });
        }
        Do::Attack(_, enemy) => {
            let known = battle.fights.iter().find(|f| f.defenders.contains(&enemy));
            known.cloned().unwrap_or_default()
        }
        Do::Also(unit, _) => {
            let known = battle.fights.iter().find(|f| f.attackers.contains(&unit));
            known.cloned()?
        }
        _ => return None,
    };
    if let Do::Attack(unit, enemy) | Do::Also(unit, enemy) = answer {
        declared.attackers.push(unit);
        declared.defenders.push(enemy);
    }
    // Whoever was in it already is named once.
    for units in [&mut declared.attackers, &mut declared.defenders] {
        let mut seen = vec![];
        units.retain(|unit| {
            !seen.contains(unit) && {
                seen.push(*unit);
                true
            }
        });
    }
    Some(Fight {
        hex: declared.defenders.first().and_then(|&unit| t.hex(unit)),
        attackers: declared.attackers,
        defenders: declared.defenders,
        terms: vec![],
    })
}

/// A commitment with one thing more in it.
fn committed(commitment: Commitment, attacks: bool, what: TokenId) -> Commitment {
    let mut more = commitment;
    match what {
        tokens::LEE => more.lee = true,
        tokens::RESERVES | tokens::FREE_RESERVES if attacks => more.attacker_reserves = true,
        tokens::RESERVES | tokens::FREE_RESERVES => more.defender_reserves = true,
        guns => more.guns |= 1 << (guns.0 - tokens::artillery(0).0),
    }
    more
}

fn commit_text(what: TokenId) -> String {
    match what {
        tokens::LEE => "Lee lengthens the command range by 1 (back next Dawn)".into(),
        tokens::RESERVES => "commit reserves: +1 for 1 morale".into(),
        tokens::FREE_RESERVES => "commit reserves: +1 for free (event)".into(),
        guns => format!(
            "commit the artillery of corps {}: +1 (back in two rounds)",
            guns.0 - 2
        ),
    }
}

/// Nothing more of what was asked.
fn done(t: &mut Table, stage: Stage) {
    let battle = t.res_mut::<Battle>();
    match stage {
        Stage::Bombard => {
            t.res_mut::<Orders>().bombardment = false;
        }
        Stage::Disengage => battle.stage = Stage::Declare,
        Stage::Declare => battle.stage = Stage::Pick,
        Stage::Commit => battle.stage = Stage::Answer,
        Stage::Answer => battle.stage = Stage::HoldBack,
        Stage::Advance => battle.vacated.clear(),
        Stage::Pick | Stage::HoldBack | Stage::Results => {}
    }
}
