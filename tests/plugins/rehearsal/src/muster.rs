//! The active side calls its units one by one; each that is called fights a duel, if the ruleset has any.

use bevy_ecs::prelude::Resource;
use cupola_kernel::{
    Act, Acts, Ask, BySide, Combat, Event, Fault, Fight, Needs, Options, Phase, Refusal, Schema,
    Setup, Step, Table, UnitId, acts, rule,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How many units a side may call in one phase.
const CALLS: usize = 3;

acts! {
    /// Answers at a muster.
    pub enum Answer {
        /// Calls a unit.
        Call(unit: UnitId) = "call",
        /// Calls no more.
        Done = "done",
    }
}

/// What the muster remembers.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// The units called in this phase.
    pub called: Vec<UnitId>,
    /// Whether the side has called enough.
    pub closed: bool,
    /// The points of each side so far.
    pub points: BySide<u16>,
}

/// A muster.
pub struct Muster;

impl Muster {
    fn may_call(table: &Table, unit: UnitId) -> Result<(), Refusal> {
        let refuse = |why: &'static str| Err(Refusal::new(rule!("R-1"), why));
        // Through the world, as a component: the table of the program holds what this library looks up.
        let unit = *table.get::<UnitId>(unit);
        if table.info(unit).side != table.active() {
            return refuse("is not of the side that calls");
        }
        if table.res::<Roll>().called.contains(&unit) {
            return refuse("was called already");
        }
        Ok(())
    }
}

impl Phase for Muster {
    fn name(&self) -> &'static str {
        "muster"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Answer::VERBS
    }

    fn needs(&self) -> Needs {
        Needs::nothing().player_turn()
    }

    fn register(&self, schema: &mut Schema) {
        schema.resource::<Roll>();
    }

    fn prepare(&self, table: &mut Setup) {
        table.insert(Roll::default());
    }

    fn enter(&self, table: &mut Table) -> Result<(), Fault> {
        let roll = table.res_mut::<Roll>();
        roll.called.clear();
        roll.closed = false;
        Ok(())
    }

    fn next(&self, table: &mut Table) -> Result<Step, Fault> {
        let roll = table.res::<Roll>();
        if roll.closed || roll.called.len() == CALLS {
            return Ok(Step::Done);
        }
        Ok(Step::ask(table.active(), "muster", "R-1"))
    }

    fn options(&self, table: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        for unit in table.units() {
            if Muster::may_call(table, unit).is_ok() {
                out.push(Answer::Call(unit));
            }
        }
        out.push(Answer::Done);
        Ok(())
    }

    fn take(&self, table: &mut Table, ask: Ask, act: Act) -> Result<(), Fault> {
        let Some(Answer::Call(unit)) = Answer::from_act(act) else {
            table.res_mut::<Roll>().closed = true;
            return Ok(());
        };
        let points = match self.fight(table, ask, act) {
            Some((combat, fight)) => table.fight(&*combat, &fight)?.code,
            None => u16::from(table.d6("muster", unit)),
        };
        table.say(|table| {
            let text = format!("{} musters: {points}", table.info(unit).name);
            Event::new("muster", rule!("R-1"), text).unit(unit)
        });
        let side = table.active();
        let roll = table.res_mut::<Roll>();
        roll.called.push(unit);
        roll.points[side] += points;
        Ok(())
    }

    fn why_not(&self, table: &Table, _: Ask, act: Act) -> Refusal {
        let known = |unit: UnitId| usize::from(unit.0) < table.unit_count();
        match Answer::from_act(act) {
            Some(Answer::Call(unit)) if known(unit) => match Muster::may_call(table, unit) {
                Err(refusal) => refusal,
                Ok(()) => Refusal::new(rule!(""), "nothing forbids it"),
            },
            _ => Refusal::new(rule!("R-1"), "is no answer to a muster"),
        }
    }

    fn text(&self, table: &Table, _: Ask, act: Act) -> String {
        match Answer::from_act(act) {
            Some(Answer::Call(unit)) => format!("Call {}", table.info(unit).name),
            _ => "Call no more".to_owned(),
        }
    }

    fn prompt(&self, table: &Table, _: Ask) -> String {
        let left = CALLS - table.res::<Roll>().called.len();
        format!("Muster: call up to {left} units")
    }

    fn fight(&self, table: &Table, _: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        let Some(Answer::Call(unit)) = Answer::from_act(act) else {
            return None;
        };
        let combat = table.combat("duel").ok()?;
        let enemy = table
            .units()
            .find(|&other| table.info(other).side != table.info(unit).side)?;
        let fight = Fight {
            attackers: vec![unit],
            defenders: vec![enemy],
            ..Fight::default()
        };
        Some((combat, fight))
    }
}
