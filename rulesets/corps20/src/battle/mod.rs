//! §7 Combat: the phase from bombardment to the last advance.

mod commit;
mod declare;
mod differential;
mod results;
mod retreat;
mod routes;
mod stages;

pub use differential::Differential;

use crate::crt::CombatResult;
use crate::events::turn_begins;
use crate::field::{label, name};
use crate::leaders;
use crate::state::{Battle, Commitment, Stage};
use commit::{commit, commit_text, commitments, committed, ways_to_roll, why_not_commit};
use cupola_kernel::{
    Act, Acts, Ask, Combat, Event, Fault, Fight, HexId, Needs, Options, Outlook, Phase, Preview,
    Refusal, Step, Table, TokenId, UnitId, acts, rule,
};
use stages::{advance_to_question, begin_fight, done, open_fights};
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

/// Rolls the fight at hand and applies the result.
fn roll(t: &mut Table, held_back: i16) -> Result<(), Fault> {
    t.res_mut::<Battle>().commitment.held_back = held_back as i8;
    let (combat, fight) = (t.combat("assault")?, fight_at_hand(t));
    let outcome = t.fight(&*combat, &fight)?;
    let result = CombatResult::ALL[outcome.among(&*combat, CombatResult::ALL.len())?];
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

impl Phase for CombatPhase {
    fn name(&self) -> &'static str {
        "combat"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn().combat("assault")
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

    fn options(&self, t: &Table, ask: Ask, out: &mut Options) -> Result<(), Fault> {
        if ask.question == leaders::QUESTION {
            leaders::options(t, |leader, hex| out.push(Do::Step(leader, hex)));
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
            Stage::Results if retreat::pending(t).is_some() => {
                retreat::options(t, ask.question == retreat::NOBODY_CAN, out);
            }
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

    fn why_not(&self, t: &Table, ask: Ask, act: Act) -> Refusal {
        match Do::from_act(act) {
            Some(Do::Step(..)) => leaders::why_not_step(),
            _ if ask.question == leaders::QUESTION => leaders::comes_first(),
            Some(Do::Attack(unit, enemy)) => declare::may_attack(t, unit, enemy)
                .err()
                .unwrap_or_else(|| Refusal::new(rule!("7.3"), "attacks are not declared now")),
            Some(Do::Also(unit, enemy)) => declare::why_not_also(t, unit, enemy),
            Some(Do::Hold(unit)) => declare::why_not_hold(t, unit),
            Some(Do::Bombard(_)) => Refusal::new(
                rule!("4"),
                "has no guns to bombard with, or no enemy next to it",
            ),
            Some(Do::Withdraw(unit, hex)) => declare::why_not_withdraw(t, unit, hex),
            Some(Do::Retreat(unit, hex)) => retreat::why_not_there(t, unit, hex),
            Some(Do::Advance(unit, hex)) => Refusal::of(retreat::may_advance(t, unit, hex)),
            Some(Do::Roll(_)) => Refusal::new(
                rule!("7.9"),
                "the differential can only be lowered, down to the last column",
            ),
            Some(Do::Commit(what)) => why_not_commit(t, ask.side, what),
            Some(Do::Halt(_)) => Refusal::new(rule!("7.10"), "must retreat further"),
            Some(Do::Break(_)) => Refusal::new(rule!("7.10"), "is not owed"),
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
            Some(Do::Commit(what)) => commit_text(t, what),
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

    fn outlook(&self, t: &Table, _: Ask, act: Act) -> Outlook {
        let path = match Do::from_act(act) {
            Some(
                Do::Withdraw(unit, hex)
                | Do::Retreat(unit, hex)
                | Do::Advance(unit, hex)
                | Do::Step(unit, hex),
            ) => t.hex(unit).into_iter().chain([hex]).collect(),
            _ => vec![],
        };
        Outlook { cost: None, path }
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
            retreat::NOBODY_CAN => "Nobody can retreat: who breaks and makes way?".into(),
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

    fn prospect(&self, t: &Table, ask: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        match prospect(t, Do::from_act(act)?) {
            Some(fight) => Some((t.combat("assault").ok()?, fight)),
            None => self.fight(t, ask, act),
        }
    }

    fn preview(&self, t: &Table, ask: Ask, act: Act) -> Option<Preview> {
        let (combat, fight) = self.prospect(t, ask, act)?;
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
