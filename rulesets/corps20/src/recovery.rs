//! §6 Recovery: units out of contact shake off rout, then fatigue.

use crate::events::turn_begins;
use crate::field::{can_pay, change_morale, name, near_enemy, on_map, ratings, rules};
use crate::state::Status;
use bevy_ecs::prelude::Resource;
use cupola_kernel::{
    Act, Acts, Ask, Check, Event, Fault, Needs, Options, Phase, Refusal, Step, Table, UnitId, acts,
    forbid, require, rule,
};
use serde::{Deserialize, Serialize};

acts! {
    /// Answers in the Recovery Phase.
    pub enum Do {
        /// Roll for everybody as they are.
        Roll = "recover",
        /// Spend a morale point to subtract 1 from every roll (§6.1).
        Spend = "spend",
    }
}

/// Whether the phase has rolled.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovered(bool);

/// Whether a unit may attempt to recover (§6.1).
pub fn may_recover(t: &Table, unit: UnitId) -> Check {
    let status = t.get::<Status>(unit);
    require(status.routed || !status.fresh(), rule!("6.2"), "is fresh")?;
    let Some(hex) = t.hex(unit) else {
        return Err(Refusal::new(rule!("6.1"), "is not on the map"));
    };
    forbid(
        near_enemy(t, rules(t).card(unit).side, hex),
        rule!("6.1"),
        "is next to the enemy",
    )
}

/// The units that may recover.
fn candidates(t: &Table) -> impl Iterator<Item = UnitId> + '_ {
    on_map(t, t.active())
        .map(|(unit, _)| unit)
        .filter(|&unit| may_recover(t, unit).is_ok())
}

/// Every candidate rolls; at night no roll is needed (§6.1).
fn recover_all(t: &mut Table, bonus: u8) {
    for unit in candidates(t).collect::<Vec<_>>() {
        let quality = ratings(t, unit).1;
        let roll = if t.is_night() {
            None
        } else {
            Some(t.d6("recovery", unit))
        };
        let success =
            roll.is_none_or(|roll| i16::from(roll) - i16::from(bonus) <= i16::from(quality));
        if success {
            let status = t.get_mut::<Status>(unit);
            // §6.1 The Routed marker goes first, then a level of fatigue.
            if status.routed {
                status.routed = false;
            } else {
                status.fatigue -= 1;
            }
        }
        t.say(|t| {
            let text = match (roll, success) {
                (None, _) => format!("{} recovers", name(t, unit)),
                (Some(roll), true) => format!(
                    "{} rolls {roll} against {quality} and recovers",
                    name(t, unit)
                ),
                (Some(roll), false) => format!(
                    "{} rolls {roll} against {quality} and does not recover",
                    name(t, unit)
                ),
            };
            Event::new("recover", rule!("6.1"), text)
                .unit(unit)
                .number(roll.unwrap_or(0))
                .number(i32::from(success))
        });
    }
}

/// The Recovery Phase.
pub struct Recovery;

impl Phase for Recovery {
    fn name(&self) -> &'static str {
        "recovery"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        turn_begins(t);
        t.res_mut::<Recovered>().0 = false;
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        if t.res::<Recovered>().0 || candidates(t).next().is_none() {
            return Ok(Step::Done);
        }
        // Nothing to decide at night, or for an army that cannot pay.
        if t.is_night() || !can_pay(t, t.active()) {
            recover_all(t, 0);
            return Ok(Step::Done);
        }
        Ok(Step::ask(t.active(), "recover", "6.1"))
    }

    fn options(&self, _: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        out.push(Do::Roll);
        out.push(Do::Spend);
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        let spends = Do::from_act(act) == Some(Do::Spend);
        if spends {
            change_morale(t, t.active(), -1, rule!("6.1"));
        }
        recover_all(t, u8::from(spends));
        t.res_mut::<Recovered>().0 = true;
        Ok(())
    }

    fn why_not(&self, _: &Table, _: Ask, _: Act) -> Refusal {
        Refusal::new(rule!("6.1"), "units recover with or without a morale point")
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        let count = candidates(t).count();
        match Do::from_act(act) {
            Some(Do::Spend) => format!("spend 1 morale: {count} units roll with −1"),
            _ => format!("{count} units roll to recover"),
        }
    }

    fn prompt(&self, _: &Table, _: Ask) -> String {
        "Units out of contact recover. Spend a morale point on it?".into()
    }
}
