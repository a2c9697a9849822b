//! A plugin that panics wherever it can, for the tests of the loader.

use bevy_ecs::prelude::Resource;
use cupola_kernel::{
    About, Act, Acts, Arg, Ask, Combat, Dice, Event, Fault, Fight, Modifiers, Needs, Options,
    Outcome, Phase, Refusal, Schema, Setup, Step, Table, acts, rule,
};
use serde::{Deserialize, Serialize};

acts! {
    /// Answers of the phase.
    pub enum Answer {
        /// Goes on.
        Stand = "stand",
        /// Changes the table, rolls, speaks, and panics.
        Fall = "fall",
        /// Fights by a system that panics.
        Trip = "trip",
    }
}

/// What the phase remembers.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps(u16);

/// The phase.
pub struct Stumble;

impl Phase for Stumble {
    fn name(&self) -> &'static str {
        "stumble"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Answer::VERBS
    }

    fn needs(&self) -> Needs {
        Needs::nothing().player_turn()
    }

    fn register(&self, schema: &mut Schema) {
        schema.resource::<Steps>();
    }

    fn prepare(&self, table: &mut Setup) {
        table.insert(Steps::default());
    }

    fn enter(&self, table: &mut Table) -> Result<(), Fault> {
        table.res_mut::<Steps>().0 = 0;
        Ok(())
    }

    fn next(&self, table: &mut Table) -> Result<Step, Fault> {
        if table.res::<Steps>().0 == 2 {
            return Ok(Step::Done);
        }
        Ok(Step::ask(table.active(), "walk", "S-1"))
    }

    fn options(&self, table: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        // As a ruleset's own searches do in a library; the table keeps it.
        let _ = table.edition();
        [Answer::Stand, Answer::Fall, Answer::Trip]
            .into_iter()
            .for_each(|answer| out.push(answer));
        Ok(())
    }

    fn take(&self, table: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        table.res_mut::<Steps>().0 += 1;
        match Answer::from_act(act) {
            Some(Answer::Fall) => {
                table.say(|_| Event::new("fall", rule!("S-1"), "on the way down"));
                table.d6("fall", About::Game);
                // In the midst of a roll: the table's dice are in other hands.
                table.with_dice(|_, dice| {
                    dice.d6("fall", About::Game);
                    panic!("fell down")
                })
            }
            Some(Answer::Trip) => {
                let combat = table.combat("duel")?;
                let done =
                    table.with_dice(|table, dice| combat.resolve(table, &Fight::default(), dice));
                done.map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn why_not(&self, _: &Table, _: Ask, _: Act) -> Refusal {
        panic!("no reason")
    }

    fn text(&self, _: &Table, _: Ask, _: Act) -> String {
        panic!("no words")
    }

    fn prompt(&self, _: &Table, _: Ask) -> String {
        panic!("no question")
    }

    fn touches(&self, _: &Table, _: Ask, _: Act) -> Vec<Arg> {
        panic!("nothing to touch")
    }
}

/// The combat system.
pub struct Trip;

impl Combat for Trip {
    fn name(&self) -> &'static str {
        "trip"
    }

    fn modifiers(&self, _: &Table, _: &Fight) -> Modifiers {
        panic!("nothing counts")
    }

    fn resolve(&self, _: &Table, _: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        dice.d6("trip", About::Game);
        panic!("tripped")
    }

    fn describe(&self, _: &Table, _: &Outcome) -> String {
        panic!("no description")
    }
}

cupola_kernel::register! {
    space: "stumble",
    rulesets: [],
    phases: [Stumble],
    combats: [Trip],
}
