//! What a fork costs in a large game: 400 counters with six components each, on the regimental board.
//!
//! `cargo bench -p cupola-library`

use bevy_ecs::prelude::Component;
use cupola_data::{Problems, Source};
use cupola_kernel::{
    Act, Ask, Bounds, Composition, Contribution, Fault, Game, HexId, Input, Loaded, Options, Phase,
    Place, Play, PlayParts, PositionFile, Refusal, Registry, Ruleset, Schema, Seat, Seed, Setup,
    Side, Step, Table, UnitId, UnitInfo, View, rule,
};
use cupola_library::Library;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

const COUNTERS: u16 = 400;

/// Declares a component of a regiment.
macro_rules! component {
    ($($name:ident($type:ty)),*) => {$(
        #[derive(Component, Clone, Default, Serialize, Deserialize)]
        struct $name($type);
    )*};
}
component!(
    Strength(u16),
    Cohesion(u8),
    Facing(u8),
    Orders(u8),
    Fatigue(u16),
    Spent([bool; 4])
);

struct Regiments;

impl Ruleset for Regiments {
    fn name(&self) -> &'static str {
        "regiments"
    }
    fn version(&self) -> &'static str {
        "1"
    }
    fn register(&self, schema: &mut Schema) {
        schema
            .unit::<Strength>()
            .unit::<Cohesion>()
            .unit::<Facing>();
        schema.unit::<Orders>().unit::<Fatigue>().unit::<Spent>();
    }
    fn load(&self, _: &Input) -> Result<Loaded, Problems> {
        let unit = |number: u16| UnitInfo {
            id: format!("regiment-{number}"),
            name: format!("{number}"),
            side: if number.is_multiple_of(2) {
                Side::First
            } else {
                Side::Second
            },
            kind: "infantry".into(),
            nodes: vec![],
            men: 300,
            guns: 0,
        };
        Ok(Loaded {
            units: (0..COUNTERS).map(unit).collect(),
            tokens: vec![],
            first_turn: 0,
            last_turn: 3,
            rules: Arc::new(()),
        })
    }
    fn setup(&self, table: &mut Setup) {
        for number in 0..COUNTERS {
            let state = (
                Strength(300),
                Cohesion(6),
                Facing(0),
                Orders(0),
                Fatigue(0),
                Spent([false; 4]),
            );
            table.spawn(0, state);
            table.place(UnitId(number), Place::Hex(HexId(number * 20)));
        }
    }
    fn position(&self, _: &mut Setup, _: &PositionFile) -> Result<(), Problems> {
        Ok(())
    }
    fn finish(&self, _: &mut Table) {}
    fn view(&self, _: &Table, _: Seat, _: &mut View) {}
    fn bounds(&self) -> Bounds {
        Bounds {
            decisions: 10,
            options: 1,
        }
    }
}

cupola_kernel::acts! {
    /// The only answer.
    pub enum Do {
        /// Nothing happens.
        Wait = "wait",
    }
}

struct Wait;

impl Phase for Wait {
    fn name(&self) -> &'static str {
        "wait"
    }
    fn verbs(&self) -> &'static [&'static str] {
        <Do as cupola_kernel::Acts>::VERBS
    }
    fn next(&self, _: &mut Table) -> Result<Step, Fault> {
        Ok(Step::ask(Side::First, "wait", "1"))
    }
    fn options(&self, _: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        out.push(Do::Wait);
        Ok(())
    }
    fn take(&self, _: &mut Table, _: Ask, _: Act) -> Result<(), Fault> {
        Ok(())
    }
    fn why_not(&self, _: &Table, _: Ask, _: Act) -> Refusal {
        Refusal::new(rule!("1"), "there is nothing else to do")
    }
    fn text(&self, _: &Table, _: Ask, _: Act) -> String {
        "wait".into()
    }
    fn prompt(&self, _: &Table, _: Ask) -> String {
        "Wait?".into()
    }
}

fn game() -> Result<Game, Problems> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let library = Library::new(root, None, Registry::default());
    let mut registry = Registry::default();
    registry.add(&Contribution {
        space: "regiments",
        code: &[],
        rulesets: || vec![Arc::new(Regiments)],
        phases: || vec![Arc::new(Wait)],
        combats: Vec::new,
    })?;
    let file = Source::new(
        "ruleset.ron",
        r#"(name: "regiments", title: "Regiments", modelled_on: "nothing",
            sides: ((id: "a", name: "A"), (id: "b", name: "B")),
            sequence: [once("regiments.wait")], combat: {}, switches: {}, files: [])"#,
    );
    let composition: Composition = file.ron()?;
    let (board, inputs) = library.board("gbacw", "gettysburg")?;
    let play = Play::new(&PlayParts {
        registry: &registry,
        composition: &composition,
        composition_file: &file,
        base: "regiments",
        files: &BTreeMap::new(),
        scenario: &Source::new("scenario.ron", ""),
        scenario_name: "all",
        board,
        inputs: &inputs,
        army: &library.battle("gettysburg")?.army,
        track: Arc::new(library.turns("gbacw", "gettysburg")?),
    })?;
    let stuck =
        |fault: Fault| Problems::from(cupola_data::Problem::file("game", fault.to_string()));
    play.game(Seed(1863)).map_err(stuck)
}

fn main() -> Result<(), Problems> {
    let game = game()?;
    let mut pooled = game.fork();
    const FORKS: u32 = 20_000;
    // The shortest of several runs: the one that nothing else disturbed.
    let runs = (0..20).map(|_| {
        let start = Instant::now();
        for _ in 0..FORKS {
            std::hint::black_box(pooled.copy_from(&game));
        }
        start.elapsed().as_secs_f64() * 1e6 / f64::from(FORKS)
    });
    let best = runs.fold(f64::INFINITY, f64::min);
    let bytes = game.snapshot().map_or(0, |bytes| bytes.len());
    println!(
        "{COUNTERS} counters of six components on {} hexes: {best:.2} µs per fork into a pooled copy, {bytes} bytes of state",
        game.table().board().len()
    );
    Ok(())
}
