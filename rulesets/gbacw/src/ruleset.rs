//! gbacw as the kernel knows it.

use crate::rules::Rules;
use crate::state::{Activation, Brigades, Cup, Deed, Guests, Land, Stack, Status, Work, boxes};
use crate::{asking, common_terms, entry, field, load, measure, position, victory, view};
use cupola_data::Problems;
use cupola_kernel::{
    Arg, Ask, Bounds, Change, Chart, CommandRange, DerivedFile, Deriving, Env, Fact, HexId, Input,
    Lead, LineOfSight, Loaded, Needs, Place, PositionFile, Posting, Prize, Ruleset, Schema, Seat,
    Setup, Side, Spell, Standing, Table, UnitId, Until, View, Walked,
};
use std::sync::Arc;

/// The ruleset.
pub struct Gbacw;

/// The rules of a game, to be kept while the game changes.
///
/// # Panics
/// If the game is one of another ruleset.
#[must_use]
pub fn shared(t: &Table) -> Arc<Rules> {
    let rules = t.env().rules.clone();
    rules.downcast::<Rules>().expect("the ruleset's own tables")
}

/// What its phases and combat systems read: its own tables and state.
pub(crate) fn needs() -> Needs {
    Needs::nothing()
        .rules::<Rules>()
        .state(|schema| Gbacw.register(schema))
}

impl Ruleset for Gbacw {
    fn name(&self) -> &'static str {
        "gbacw"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn register(&self, schema: &mut Schema) {
        schema
            .unit::<Status>()
            .unit::<Deed>()
            .resource::<Brigades>()
            .resource::<Guests>()
            .resource::<Cup>()
            .resource::<Activation>()
            .resource::<Land>()
            .resource::<Stack>();
    }

    fn load(&self, input: &Input) -> Result<Loaded, Problems> {
        load::load(input)
    }

    fn setup(&self, t: &mut Setup) {
        let rules = shared(t);
        for start in &rules.starts {
            let status = Status {
                facing: start.facing.unwrap_or_default(),
                disordered: start.disordered,
                mounted: start.mounted,
                abandoned: false,
                lost: start.lost,
                replaced: u8::from(start.replaced),
                since: [1; 2],
                ..Status::default()
            };
            let first = match (start.eliminated, start.folded) {
                (true, _) => boxes::ELIMINATED,
                (false, true) => boxes::FOLDED,
                (false, false) => boxes::AWAITED,
            };
            t.spawn(first, (status, Deed::default()));
        }
        for (i, start) in rules.starts.iter().enumerate() {
            if let Some(hex) = start.at {
                t.place(UnitId(i as u16), Place::Hex(hex));
            }
        }
        t.insert(Brigades(rules.worn.clone()));
        t.insert(Guests::default());
        t.insert(Cup {
            left: vec![0; rules.formations.len()],
            efficiency: vec![0; rules.draws.len()],
            ..Cup::default()
        });
        t.insert(Activation::default());
        let works = rules.works.iter().map(|&(hex, sides)| Work {
            hex,
            sides,
            side: Side::First,
            wants: 0,
        });
        t.insert(Land {
            works: works.collect(),
            clock: 1,
            notes: vec![0; rules.specials.len()],
            ..Land::default()
        });
        t.insert(Stack::default());
        // Who stands on a prize holds it.
        for (i, start) in rules.starts.iter().enumerate().take(rules.troops.into()) {
            if let Some(hex) = start.at {
                field::hold(t, UnitId(i as u16), hex);
            }
        }
        entry::look(t);
    }

    fn position(&self, t: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
        position::apply(t, file)
    }

    fn finish(&self, t: &mut Table) {
        let verdict = victory::judge(t);
        t.end(verdict);
    }

    fn view(&self, t: &Table, seat: Seat, out: &mut View) {
        view::fill(t, seat, out);
    }

    fn standings(&self, t: &Table, out: &mut Vec<Standing>) {
        out.extend(common_terms::standings(t));
    }

    fn captured(&self, t: &Table, unit: UnitId) -> Option<u16> {
        Some(common_terms::captured(t, unit))
    }

    fn margin(&self, t: &Table) -> i32 {
        victory::margin(t)
    }

    fn prizes(&self, t: &Table, out: &mut Vec<Prize>) {
        common_terms::prizes(t, out);
    }

    fn drawn(&self, t: &Table) -> u32 {
        u32::from(t.res::<Cup>().played)
    }

    fn leads(&self, t: &Table) -> Vec<Lead> {
        common_terms::leads(t)
    }

    fn command_range(&self, t: &Table, leader: UnitId) -> Option<CommandRange> {
        measure::command_range(t, leader)
    }

    fn line_of_sight(&self, t: &Table, from: HexId, to: HexId) -> Option<LineOfSight> {
        Some(measure::line_of_sight(t, from, to))
    }

    fn walked(&self, table: &Table, _: Ask) -> Option<Walked> {
        crate::walked::walked(table)
    }

    fn spells(&self) -> Vec<Spell> {
        let deeds = |t: &Table| {
            let busy = t
                .units()
                .find(|&unit| *t.get::<Deed>(unit) != Deed::default())?;
            Some(format!("{}: {:?}", t.info(busy).id, t.get::<Deed>(busy)))
        };
        let fires = |t: &Table| {
            let activation = t.res::<Activation>();
            let idle = activation.side.is_none() && activation.shots.is_empty();
            (!idle).then(|| "an activation is under way".to_owned())
        };
        let markers = |t: &Table| {
            let left: u8 = t.res::<Cup>().left.iter().sum();
            (left > 0).then(|| format!("{left} are left"))
        };
        let caught = |t: &Table| {
            let mut all = t.res::<Brigades>().0.iter().zip(&field::rules(t).brigades);
            let (_, brigade) = all.find(|(wear, _)| wear.caught)?;
            Some(format!("{} is", brigade.name))
        };
        let staff = |t: &Table| {
            let left = t.res::<Land>().staff.len();
            (left > 0).then(|| format!("{left} choices are open"))
        };
        vec![
            Spell::new("what units did (§4.13)", Until::TurnBegins, deeds),
            Spell::new("fires declared (§6.12)", Until::TurnBegins, fires),
            Spell::new("markers in the cup (§4.12)", Until::TurnEnds, markers),
            Spell::new("brigades caught in column (§4.33)", Until::TurnEnds, caught),
            Spell::new("what the staff may order (§4.31)", Until::TurnEnds, staff),
        ]
    }

    fn charts(&self, env: &Env) -> Vec<Chart> {
        let rules = env.rules.downcast_ref::<Rules>();
        rules.map(crate::charts::charts).unwrap_or_default()
    }

    fn ask(&self, t: &Table, what: &str, about: &[Arg]) -> Option<Fact> {
        cupola_kit::about_unit(t, what, about, asking::of_unit)
    }

    fn questions(&self) -> &'static [&'static str] {
        asking::QUESTIONS
    }

    fn derive(&self, from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
        crate::derive::derive(from)
    }

    fn posting(&self, order: &Posting) -> Vec<Change> {
        crate::posting::changes(order)
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            decisions: 200_000,
            options: 2500,
        }
    }
}
