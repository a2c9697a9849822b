//! How far each unit has marched: a component of the plugin's own, on the units of whatever ruleset.

use bevy_ecs::prelude::Component;
use cupola_kernel::{Fault, HexId, Needs, Phase, Schema, Setup, Step, Table};
use serde::{Deserialize, Serialize};

/// What the plugin remembers of a unit that it did not define.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Service {
    /// Hexes marched, as the crow flies from one tally to the next.
    pub marched: u16,
    /// Tallies so far.
    pub tallies: u16,
    /// Where it stood at the last one.
    last: Option<HexId>,
}

/// A phase that asks nothing: it looks where everybody stands.
pub struct Tally;

impl Phase for Tally {
    fn name(&self) -> &'static str {
        "tally"
    }

    fn needs(&self) -> Needs {
        Needs::nothing().unit::<Service>()
    }

    fn register(&self, schema: &mut Schema) {
        schema.unit::<Service>();
    }

    fn prepare(&self, setup: &mut Setup) {
        for unit in setup.units() {
            let last = setup.hex(unit);
            let service = Service {
                last,
                ..Service::default()
            };
            setup.equip(unit, service);
        }
    }

    fn next(&self, table: &mut Table) -> Result<Step, Fault> {
        for unit in table.units() {
            let (hex, last) = (table.hex(unit), table.get::<Service>(unit).last);
            let way = hex.zip(last);
            let far = way.map_or(0, |(hex, last)| table.board().distance(last, hex));
            let service = table.get_mut::<Service>(unit);
            service.marched += far as u16;
            service.tallies += 1;
            service.last = hex;
        }
        Ok(Step::Done)
    }
}
