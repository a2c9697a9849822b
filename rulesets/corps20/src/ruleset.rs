//! corps20 as the kernel knows it.

use crate::field::rules;
use crate::night::morale_victory;
use crate::recovery::Recovered;
use crate::rules::{Rules, Start};
use crate::state::{Armies, Battle, Boost, Due, Marker, Moving, Orders, Rally, Status, Way, boxes};
use crate::{asking, common_terms, leaders, load, movement, position, view};
use cupola_data::Problems;
use cupola_kernel::{
    Arg, Ask, Bounds, Change, Chart, CommandRange, DerivedFile, Deriving, Env, Fact, Input, Lead,
    Loaded, Needs, Place, PositionFile, Posting, Prize, Ruleset, Schema, Seat, Setup, Spell,
    Standing, Table, UnitId, Until, View, Walked,
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
            chief: marker(markers[0]),
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

    fn command_range(&self, table: &Table, leader: UnitId) -> Option<CommandRange> {
        leaders::command_range(table, leader)
    }

    fn charts(&self, env: &Env) -> Vec<Chart> {
        let rules = env.rules.downcast_ref::<Rules>();
        rules.map_or(vec![], |rules| crate::charts::charts(env, rules))
    }

    fn ask(&self, table: &Table, what: &str, about: &[Arg]) -> Option<Fact> {
        asking::ask(table, what, about)
    }

    fn questions(&self) -> &'static [&'static str] {
        asking::QUESTIONS
    }

    fn walked(&self, table: &Table, ask: Ask) -> Option<Walked> {
        movement::walked::walked(table, ask)
    }

    fn spells(&self) -> Vec<Spell> {
        // A card touches its drawer's units only: whatever the new player turn's card has done, his opponent's
        // are free of theirs.
        let led = |t: &Table| {
            let side = t.player_turn()?.other();
            first(t, |unit, status| {
                let led = status.halted || status.boost != Boost::None;
                led && rules(t).card(unit).side == side
            })
        };
        let moved = |t: &Table| first(t, |_, status| status.moved);
        let fights = |t: &Table| {
            let over = *t.res::<Battle>() == Battle::default();
            (!over).then(|| "fights are open".to_owned())
        };
        vec![
            Spell::new(
                "what a card gives or takes (§4)",
                Until::PlayerTurnBegins,
                led,
            ),
            Spell::new("who has moved (§5.1)", Until::PlayerTurnEnds, moved),
            Spell::new("declared fights (§7.3)", Until::PlayerTurnEnds, fights),
        ]
    }

    fn derive(&self, from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
        crate::derive::derive(from)
    }

    fn posting(&self, order: &Posting) -> Vec<Change> {
        order.by_entry("entry", |at| format!("{at:?}"))
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            decisions: 6000,
            options: 450,
        }
    }
}

/// The first counter in this condition, in words.
fn first(t: &Table, is: impl Fn(UnitId, &Status) -> bool) -> Option<String> {
    let unit = t.units().find(|&unit| is(unit, t.get::<Status>(unit)))?;
    Some(format!("{}: {:?}", t.info(unit).id, t.get::<Status>(unit)))
}
