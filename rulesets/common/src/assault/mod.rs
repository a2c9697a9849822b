//! §6 Assault: choose a hex, then who takes part; roll, lose, retreat, advance.

mod aftermath;
mod declare;

use crate::field::{event, label, name, refresh, rules};
use crate::ruleset::needs;
use crate::sections::Section;
use crate::state::{Battle, Condition, Stage};
use crate::tables::effect;
use aftermath::{advance, advances, may_retreat, ways_back};
use cupola_kernel::{
    Act, Acts, Ask, Combat, Fault, Fight, HexId, Needs, Options, Outlook, Phase, Refusal, Step,
    Table, UnitId, acts,
};
use declare::{eligible, may_assault, targets};
use std::sync::Arc;

acts! {
    /// Answers in an assault.
    pub enum Do {
        /// Assault this hex.
        Attack(hex: HexId) = "assault",
        /// This unit takes no part.
        Without(unit: UnitId) = "without",
        /// Roll.
        Roll = "roll",
        /// Leave the hex alone.
        Off = "call-off",
        /// This unit loses a step.
        Lose(unit: UnitId) = "lose",
        /// This unit goes back to that hex.
        Retreat(unit: UnitId, hex: HexId) = "retreat",
        /// This unit follows into the hex.
        Advance(unit: UnitId, hex: HexId) = "advance",
        /// No more assaults, or no more who follow.
        Done = "done",
    }
}

/// The Assault Phase.
pub struct AssaultPhase;

/// Every unit of the active side has done what it does in this phase.
pub fn all_spent(t: &mut Table) {
    let own = t.units().filter(|&unit| t.info(unit).side == t.active());
    for unit in own.collect::<Vec<_>>() {
        t.get_mut::<Condition>(unit).spent = true;
    }
}

/// The assault at hand.
fn at_hand(t: &Table) -> Fight {
    let battle = t.res::<Battle>();
    Fight {
        attackers: battle.attackers.clone(),
        defenders: battle.defenders.clone(),
        hex: battle.target,
        terms: vec![],
    }
}

/// The assault on a hex by everybody who can take part.
fn all_out(t: &Table, hex: HexId) -> Fight {
    Fight {
        attackers: eligible(t, hex).collect(),
        defenders: t.stacks().units(hex).collect(),
        hex: Some(hex),
        terms: vec![],
    }
}

/// Rolls for the assault at hand (§6.5).
fn roll(t: &mut Table) -> Result<(), Fault> {
    let (combat, fight) = (t.combat("assault")?, at_hand(t));
    let outcome = t.fight(&*combat, &fight)?;
    let unknown = || {
        Fault::Broken(format!(
            "{} gives no result {}",
            combat.name(),
            outcome.code
        ))
    };
    let effect = effect(t, &outcome).ok_or_else(unknown)?.clone();
    t.say(|t| {
        let units = fight.attackers.iter().chain(&fight.defenders).copied();
        let at = fight.hex.map_or("?", |hex| label(t, hex));
        let text = format!("assault on {at}: {}, {}", effect.code, effect.text);
        event(t, "assault", Section::Results, text)
            .units(units)
            .hexes(fight.hex)
    });
    for &unit in &fight.attackers {
        t.get_mut::<Condition>(unit).spent = true;
    }
    aftermath::begin(t, &effect);
    Ok(())
}

impl Phase for AssaultPhase {
    fn name(&self) -> &'static str {
        "assault"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        needs().player_turn().combat("assault")
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        *t.res_mut::<Battle>() = Battle::default();
        refresh(t);
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let side = t.active();
        let ask =
            |t: &Table, side, question, rule| Step::ask(side, question, rules(t).section(rule));
        match t.res::<Battle>().stage {
            Stage::Join => return Ok(ask(t, side, "attackers", Section::Join)),
            Stage::Aftermath => {
                if let Some((side, question, rule)) = aftermath::play_on(t) {
                    return Ok(ask(t, side, question, rule));
                }
            }
            Stage::Declare => {}
        }
        if targets(t).next().is_some() {
            return Ok(ask(t, side, "assault", Section::Attack));
        }
        *t.res_mut::<Battle>() = Battle::default();
        refresh(t);
        Ok(Step::Done)
    }

    fn options(&self, t: &Table, ask: Ask, out: &mut Options) -> Result<(), Fault> {
        let battle = t.res::<Battle>();
        match ask.question {
            "attackers" => {
                if battle.attackers.len() > 1 {
                    battle
                        .attackers
                        .iter()
                        .for_each(|&unit| out.push(Do::Without(unit)));
                }
                out.push(Do::Roll);
                out.push(Do::Off);
            }
            "loss" => aftermath::losers(t, ask.side).for_each(|unit| out.push(Do::Lose(unit))),
            "retreat" => {
                if let Some(&(unit, _)) = battle.retreats.first() {
                    ways_back(t, unit).for_each(|hex| out.push(Do::Retreat(unit, hex)));
                }
            }
            "advance" => {
                advances(t).for_each(|(unit, hex)| out.push(Do::Advance(unit, hex)));
                out.push(Do::Done);
            }
            _ => {
                targets(t).for_each(|hex| out.push(Do::Attack(hex)));
                out.push(Do::Done);
            }
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, ask: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Attack(hex)) => {
                let fight = all_out(t, hex);
                let battle = t.res_mut::<Battle>();
                (battle.attackers, battle.defenders) = (fight.attackers, fight.defenders);
                (battle.target, battle.stage) = (Some(hex), Stage::Join);
                battle.over.push(hex);
            }
            Some(Do::Without(unit)) => t
                .res_mut::<Battle>()
                .attackers
                .retain(|&other| other != unit),
            Some(Do::Roll) => roll(t)?,
            Some(Do::Off) => aftermath::over(t),
            Some(Do::Lose(unit)) => aftermath::lose(t, ask.side, unit),
            Some(Do::Retreat(unit, hex)) => aftermath::retreat(t, unit, hex),
            Some(Do::Advance(unit, hex)) => advance(t, unit, hex),
            Some(Do::Done) if ask.question == "advance" => t.res_mut::<Battle>().halted = true,
            Some(Do::Done) => all_spent(t),
            None => return Err(Fault::Broken("not an answer of the Assault Phase".into())),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, ask: Ask, act: Act) -> Refusal {
        let no = |rule, why| Refusal::new(rules(t).cite(rule), why);
        match (Do::from_act(act), ask.question) {
            (Some(Do::Attack(hex)), "assault") => Refusal::of(may_assault(t, hex)),
            (Some(Do::Without(unit)), "attackers") => {
                let alone = t.res::<Battle>().attackers == [unit];
                let why = if alone {
                    "is the last attacker: call the assault off instead"
                } else {
                    "takes no part"
                };
                no(Section::Join, why)
            }
            (Some(Do::Lose(_)), "loss") => {
                no(Section::Results, "has no step to lose in this assault")
            }
            (Some(Do::Retreat(unit, hex)), "retreat") => Refusal::of(may_retreat(t, unit, hex)),
            (Some(Do::Advance(..)), "advance") => no(
                Section::Advance,
                "only attackers next to the hex follow into it, if there is room",
            ),
            (Some(Do::Attack(_)), _) => no(Section::Attack, "another assault is under way"),
            _ => no(Section::Attack, "is not asked now"),
        }
    }

    fn text(&self, t: &Table, ask: Ask, act: Act) -> String {
        match Do::from_act(act) {
            Some(Do::Attack(hex)) => {
                let who: Vec<&str> = t.stacks().units(hex).map(|unit| name(t, unit)).collect();
                format!("assault {} in {}", who.join(" and "), label(t, hex))
            }
            Some(Do::Without(unit)) => format!("without {}", name(t, unit)),
            Some(Do::Roll) => "roll".into(),
            Some(Do::Off) => "call it off".into(),
            Some(Do::Lose(unit)) => format!("{} loses a step", name(t, unit)),
            Some(Do::Retreat(unit, hex)) => {
                format!("{} retreats to {}", name(t, unit), label(t, hex))
            }
            Some(Do::Advance(unit, hex)) => {
                format!("{} advances to {}", name(t, unit), label(t, hex))
            }
            Some(Do::Done) if ask.question == "advance" => "nobody else advances".into(),
            Some(Do::Done) => "no more assaults".into(),
            None => "?".into(),
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        let battle = t.res::<Battle>();
        match ask.question {
            "attackers" => {
                let who: Vec<&str> = battle.attackers.iter().map(|&unit| name(t, unit)).collect();
                let verb = if who.len() == 1 {
                    "assaults"
                } else {
                    "assault"
                };
                format!("{} {verb}. Roll?", who.join(", "))
            }
            "loss" => "Which unit loses a step?".into(),
            "retreat" => {
                let who = battle
                    .retreats
                    .first()
                    .map_or("?", |&(unit, _)| name(t, unit));
                format!("Where does {who} go back to?")
            }
            "advance" => "Who follows into the hex?".into(),
            _ => "Which hex do you assault?".into(),
        }
    }

    fn outlook(&self, t: &Table, _: Ask, act: Act) -> Outlook {
        match Do::from_act(act) {
            Some(Do::Retreat(unit, hex) | Do::Advance(unit, hex)) => Outlook {
                cost: None,
                path: t.hex(unit).into_iter().chain([hex]).collect(),
            },
            _ => Outlook::default(),
        }
    }

    fn fight(&self, t: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let combat = t.combat("assault").ok()?;
        match Do::from_act(act)? {
            Do::Attack(hex) => {
                Some((combat, all_out(t, hex))).filter(|(_, fight)| !fight.attackers.is_empty())
            }
            Do::Roll => Some((combat, at_hand(t))),
            _ => None,
        }
    }
}
