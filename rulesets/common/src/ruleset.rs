//! The common parts as the kernel knows them.

use crate::rules::{Rules, Start};
use crate::sections::Section;
use crate::state::{Battle, Condition, Due, Focus, Held, Lead, boxes};
use crate::{asking, charts, common_terms, load, position, victory, view, volley};
use cupola_data::Problems;
use cupola_kernel::{
    Arg, Ask, Bounds, Change, Chart, DerivedFile, Deriving, Env, Fact, HexId, Input, LineOfSight,
    Loaded, Needs, Place, PositionFile, Posting, Ruleset, Schema, Seat, Setup, Spell, Standing,
    Table, UnitId, Until, View, Walked,
};

/// What games are made of that are data alone.
pub struct Common;

/// What its phases and combat systems read.
pub(crate) fn needs() -> Needs {
    Needs::nothing()
        .rules::<Rules>()
        .state(|schema| Common.register(schema))
}

impl Ruleset for Common {
    fn name(&self) -> &'static str {
        "common"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn register(&self, schema: &mut Schema) {
        schema.unit::<Condition>().unit::<Due>();
        schema
            .resource::<Focus>()
            .resource::<Battle>()
            .resource::<Held>()
            .resource::<Lead>();
    }

    fn load(&self, input: &Input) -> Result<Loaded, Problems> {
        load::load(input)
    }

    fn setup(&self, table: &mut Setup) {
        let rules: &Rules = table.rules();
        let starts = rules.starts.clone();
        let held = rules
            .victory
            .places
            .iter()
            .map(|place| place.held)
            .collect();
        for start in &starts {
            let due = match *start {
                Start::Due(turn, entry) => Due { turn, entry },
                Start::Hex(_) | Start::Out => Due { turn: 0, entry: 0 },
            };
            table.spawn(boxes::TRACK, (Condition::default(), due));
        }
        for (i, start) in starts.iter().enumerate() {
            match *start {
                Start::Hex(hex) => table.place(UnitId(i as u16), Place::Hex(hex)),
                Start::Due(..) => {}
                Start::Out => table.place(UnitId(i as u16), Place::Box(boxes::OUT)),
            }
        }
        table.insert(Focus::default());
        table.insert(Battle::default());
        table.insert(Held(held));
        table.insert(Lead::default());
    }

    fn position(&self, table: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
        position::apply(table, file)
    }

    fn position_keys(&self) -> Vec<String> {
        cupola_data::shape::<position::State>()
    }

    fn finish(&self, table: &mut Table) {
        victory::count_places(table);
        victory::decide(table, Section::Verdict);
    }

    fn view(&self, table: &Table, seat: Seat, out: &mut View) {
        view::fill(table, seat, out);
    }

    fn standings(&self, table: &Table, out: &mut Vec<Standing>) {
        out.extend(common_terms::standings(table));
    }

    fn margin(&self, table: &Table) -> i32 {
        common_terms::margin(table)
    }

    fn line_of_sight(&self, table: &Table, from: HexId, to: HexId) -> Option<LineOfSight> {
        volley::line_of_sight(table, from, to)
    }

    fn charts(&self, env: &Env) -> Vec<Chart> {
        let rules = env.rules.downcast_ref::<Rules>();
        rules.map_or(vec![], |rules| charts::charts(env, rules))
    }

    fn walked(&self, table: &Table, ask: Ask) -> Option<Walked> {
        crate::walked::walked(table, ask)
    }

    fn spells(&self) -> Vec<Spell> {
        let done = |t: &Table| {
            if *t.res::<Battle>() != Battle::default() {
                return Some("an assault is still under way".into());
            }
            let spent = t.units().find(|&unit| t.get::<Condition>(unit).spent);
            let busy = spent.or(t.res::<Focus>().0);
            busy.map(|unit| format!("{} is still busy", t.info(unit).id))
        };
        vec![Spell::new(
            "what was done in a phase",
            Until::PlayerTurnEnds,
            done,
        )]
    }

    fn ask(&self, table: &Table, what: &str, about: &[Arg]) -> Option<Fact> {
        asking::ask(table, what, about)
    }

    fn questions(&self) -> &'static [&'static str] {
        asking::QUESTIONS
    }

    fn change(
        &self,
        table: &mut Table,
        what: &str,
        about: &[Arg],
        value: i64,
    ) -> Result<(), String> {
        asking::change(table, what, about, value)
    }

    fn derive(&self, from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
        crate::derive::derive(from)
    }

    fn posting(&self, order: &Posting) -> Vec<Change> {
        crate::posting::changes(order)
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            decisions: 20_000,
            options: 1_500,
        }
    }
}
