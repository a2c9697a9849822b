//! A ruleset with nothing in it: two sides of four units, one phase with one answer, a fight without dice.

use bevy_ecs::prelude::Resource;
use cupola_army::{Army, Turns};
use cupola_data::{Problems, Source};
use cupola_ground::Board;
use cupola_kernel::{
    Act, Acts, Ask, Bounds, Combat, Composition, Contribution, Dice, Fault, Fight, Identity, Input,
    Loaded, Modifiers, Needs, Options, Outcome, Phase, Play, PlayParts, PositionFile, Refusal,
    Registry, Ruleset, Schema, Seat, Setup, Side, Step, Table, UnitInfo, Variant, View, acts, rule,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

const RULESET: &str = r#"(
    name: "parade", title: "Parade", modelled_on: "nothing",
    sides: ((id: "red", name: "Red"), (id: "blue", name: "Blue")),
    sequence: [sides(["march"])],
    combat: {"duel": "stare"},
)"#;

const TURNS: &str = r#"(
    ruleset: "parade", battle: "none", origin: house("a test"),
    turns: [
        (id: "1", label: "1", start: "1863-07-01T09:00", end: "1863-07-01T10:00", light: day),
        (id: "2", label: "2", start: "1863-07-01T10:00", end: "1863-07-01T11:00", light: day),
        (id: "3", label: "3", start: "1863-07-01T11:00", end: "1863-07-01T12:00", light: day),
    ],
)"#;

const ARMY: &str = r#"(nodes: [
    (id: "us", kind: army, name: "Blue", commander: "B", source: "x", sure: certain,
     arrival: (at: "1863-07-01T08:00", by: "road", sure: likely, source: "x")),
    (id: "us-1", of: "us", kind: infantry, name: "1st", state: "PA", commander: "C", men: 300,
     losses: (killed: 3), source: "x", sure: likely),
])"#;

/// The parade with what a plugin brings, changed by a variant.
pub fn play(plugin: &Contribution, variant: &str) -> Result<Play, Problems> {
    let mut registry = Registry::default();
    registry.add(&contribution())?;
    registry.add(plugin)?;
    compose(&registry, variant)
}

/// The parade changed by a variant, from a registry that has everything.
pub fn compose(registry: &Registry, variant: &str) -> Result<Play, Problems> {
    let file = Source::new("parade.ron", RULESET);
    let variant_file = Source::new("variant.ron", variant);
    let variant: Variant = variant_file.ron()?;
    let composition = file.ron::<Composition>()?.with(&variant, &variant_file)?;
    let ground = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad/ground/good");
    Play::new(&PlayParts {
        registry,
        composition: &composition,
        composition_file: &file,
        base: "parade",
        files: &BTreeMap::new(),
        scenario: &Source::new("scenario.ron", "()"),
        scenario_name: "parade",
        board: Arc::new(Board::open(&ground, &ground, None)?),
        inputs: &Identity::default(),
        army: &Army::read(&[Source::new("army.ron", ARMY)], &[])?,
        track: Arc::new(Turns::read(&Source::new("turns.ron", TURNS))?),
    })
}

cupola_kernel::register! {
    space: "parade",
    rulesets: [Parade],
    phases: [March],
    combats: [Stare],
}

/// How often a side marched.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Marched(bool);

struct Parade;

impl Ruleset for Parade {
    fn name(&self) -> &'static str {
        "parade"
    }
    fn version(&self) -> &'static str {
        "1"
    }
    fn register(&self, schema: &mut Schema) {
        schema.resource::<Marched>();
    }
    fn load(&self, _: &Input) -> Result<Loaded, Problems> {
        let unit = |side: Side, n: u32| UnitInfo {
            id: format!("{side:?}-{n}").to_lowercase(),
            name: format!("{n}. {side:?}"),
            side,
            kind: "infantry".into(),
            nodes: vec![],
            men: 100 * n,
            guns: 0,
        };
        let sides = Side::BOTH.into_iter();
        Ok(Loaded {
            units: sides
                .flat_map(|side| (1..=4).map(move |n| unit(side, n)))
                .collect(),
            tokens: vec![],
            first_turn: 0,
            last_turn: 2,
            rules: Arc::new(()),
        })
    }
    fn setup(&self, table: &mut Setup) {
        table.insert(Marched::default());
        for _ in 0..table.env().units.len() {
            table.spawn(0, ());
        }
    }
    fn position(&self, _: &mut Setup, _: &PositionFile) -> Result<(), Problems> {
        Ok(())
    }
    fn finish(&self, _: &mut Table) {}
    fn view(&self, _: &Table, _: Seat, _: &mut View) {}
    fn bounds(&self) -> Bounds {
        Bounds {
            decisions: 100,
            options: 10,
        }
    }
}

acts! {
    /// The answer.
    enum Answer {
        /// Marches.
        March = "march",
    }
}

struct March;

impl Phase for March {
    fn name(&self) -> &'static str {
        "march"
    }
    fn verbs(&self) -> &'static [&'static str] {
        Answer::VERBS
    }

    fn needs(&self) -> Needs {
        Needs::nothing().player_turn()
    }
    fn enter(&self, table: &mut Table) -> Result<(), Fault> {
        table.res_mut::<Marched>().0 = false;
        Ok(())
    }
    fn next(&self, table: &mut Table) -> Result<Step, Fault> {
        Ok(match table.res::<Marched>().0 {
            true => Step::Done,
            false => Step::ask(table.active(), "march", "P-1"),
        })
    }
    fn options(&self, _: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        out.push(Answer::March);
        Ok(())
    }
    fn take(&self, table: &mut Table, _: Ask, _: Act) -> Result<(), Fault> {
        table.res_mut::<Marched>().0 = true;
        Ok(())
    }
    fn why_not(&self, _: &Table, _: Ask, _: Act) -> Refusal {
        Refusal::new(rule!("P-1"), "is no way to march")
    }
    fn text(&self, _: &Table, _: Ask, _: Act) -> String {
        "March".into()
    }
    fn prompt(&self, _: &Table, _: Ask) -> String {
        "March".into()
    }
}

struct Stare;

impl Combat for Stare {
    fn name(&self) -> &'static str {
        "stare"
    }
    fn modifiers(&self, _: &Table, _: &Fight) -> Modifiers {
        Modifiers::new()
    }
    fn resolve(&self, _: &Table, _: &Fight, _: &mut dyn Dice) -> Result<Outcome, Fault> {
        Ok(Outcome::code(0))
    }
    fn describe(&self, _: &Table, _: &Outcome) -> String {
        "nothing happens".into()
    }
}
