//! corps20 as the kernel knows it.

use crate::night::morale_victory;
use crate::recovery::Recovered;
use crate::rules::{Rules, Start};
use crate::state::{Armies, Battle, Due, Marker, Moving, Orders, Rally, Status, Way, boxes};
use crate::{common_terms, load, position, view};
use cupola_data::Problems;
use cupola_kernel::{
    Bounds, Chart, Env, Input, Lead, Loaded, Needs, Place, PositionFile, Prize, Ruleset, Schema,
    Seat, Setup, Standing, Table, UnitId, View,
};

/// The ruleset.
pub struct Corps20;

/// What its phases and combat systems read: its own tables and state.
pub(crate) fn needs() -> Needs {
    Needs::nothing()
        .rules::<Rules>()
        .state(|schema| Corps20.register(schema))
}

impl Ruleset for Corps20 {
    fn name(&self) -> &'static str {
        "corps20"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn sides(&self) -> Option<[&'static str; 2]> {
        Some(["cs", "us"])
    }

    fn register(&self, schema: &mut Schema) {
        schema.unit::<Status>().unit::<Due>();
        schema
            .resource::<Armies>()
            .resource::<Orders>()
            .resource::<Moving>();
        schema
            .resource::<Battle>()
            .resource::<Rally>()
            .resource::<Recovered>();
    }

    fn load(&self, input: &Input) -> Result<Loaded, Problems> {
        load::load(input)
    }

    fn setup(&self, table: &mut Setup) {
        let rules: &Rules = table.rules();
        let (morale, markers, first) = (rules.morale.0, rules.markers, rules.first_round);
        let starts = rules.starts.clone();
        for (start, fatigue) in &starts {
            let due = match start {
                Start::Due(round, by) => Due {
                    round: *round,
                    by: *by,
                },
                Start::Hex(_) | Start::Out => Due {
                    round: first,
                    by: Way::Communications,
                },
            };
            table.spawn(
                boxes::TRACK,
                (
                    Status {
                        fatigue: *fatigue,
                        ..Status::default()
                    },
                    due,
                ),
            );
        }
        for (i, (start, _)) in starts.iter().enumerate() {
            match start {
                Start::Hex(hex) => table.place(UnitId(i as u16), Place::Hex(*hex)),
                Start::Due(..) => {}
                Start::Out => table.place(UnitId(i as u16), Place::Box(boxes::ELIMINATED)),
            }
        }
        let marker = |round: Option<u16>| match round {
            Some(round) if round <= first => Marker::Ready,
            Some(round) => Marker::Due(round),
            None => Marker::Out,
        };
        table.insert(Armies {
            morale,
            lee: marker(markers[0]),
            guns: [marker(markers[1]), marker(markers[2]), marker(markers[3])],
            discard: 0,
            next: None,
            card: None,
            begun: false,
        });
        table.insert(Orders::default());
        table.insert(Moving::default());
        table.insert(Battle::default());
        table.insert(Rally::default());
        table.insert(Recovered::default());
    }

    fn position(&self, table: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
        position::apply(table, file)
    }

    fn position_keys(&self) -> Vec<String> {
        cupola_data::shape::<position::State>()
    }

    fn finish(&self, table: &mut Table) {
        morale_victory(table);
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

    /// Who is next to an enemy must attack (§7.2).
    fn forces_fights(&self) -> bool {
        true
    }

    fn prizes(&self, table: &Table, out: &mut Vec<Prize>) {
        common_terms::prizes(table, out);
    }

    fn leads(&self, table: &Table) -> Vec<Lead> {
        common_terms::leads(table)
    }

    fn charts(&self, env: &Env) -> Vec<Chart> {
        let rules = env.rules.downcast_ref::<Rules>();
        rules.map_or(vec![], |rules| crate::charts::charts(env, rules))
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            decisions: 6000,
            options: 450,
        }
    }
}
