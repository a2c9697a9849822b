//! The toy's state, set-up, view and verdict.

use super::march::Marching;
use bevy_ecs::prelude::{Component, Resource};
use cupola_data::Problems;
use cupola_kernel::view::{At, TrackView, UnitView, View};
use cupola_kernel::{
    Ask, Bounds, Dice, Fault, HexId, Input, Loaded, Needs, Phase, Place, PositionFile, Ruleset,
    Schema, Seat, Setup, Side, Spell, Step, Table, UnitId, UnitInfo, Until, Verdict, Walked, rule,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The box of the dead.
pub const DEAD: u8 = 1;

/// How strong a unit is.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
pub struct Block {
    /// When fresh; what the enemy does not know.
    pub full: u8,
    /// What it has lost; everybody saw that.
    pub hits: u8,
    /// Whether the enemy knows its strength.
    pub shown: bool,
}

/// What a unit has done this turn.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Spent {
    pub marched: bool,
    pub fired: bool,
}

/// The unit that the open question is about, if it is about one.
#[derive(Resource, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Focus(pub Option<UnitId>);

/// The toy's numbers and its scenario.
pub struct Rules {
    pub stack: usize,
    pub range: u32,
    pub gusts: bool,
    pub setup: Vec<(u8, HexId)>,
}

#[derive(Deserialize)]
struct Scenario {
    last_turn: u16,
    units: Vec<ScenarioUnit>,
}

#[derive(Deserialize)]
struct ScenarioUnit {
    id: String,
    side: String,
    strength: u8,
    hex: String,
}

pub fn is_dead(table: &Table, unit: UnitId) -> bool {
    table.hex(unit).is_none()
}

/// What is left of a unit.
pub fn strength(table: &Table, unit: UnitId) -> u8 {
    let block = table.get::<Block>(unit);
    block.full - block.hits
}

/// Those of a side that are still on the map.
pub fn living(table: &Table, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    table
        .units()
        .filter(move |&unit| table.info(unit).side == side && !is_dead(table, unit))
}

/// The ruleset.
pub struct Toy;

/// Reads the scenario; a broken toy gives another stacking limit.
pub fn load(input: &Input, stack: usize) -> Result<Loaded, Problems> {
    let scenario: Scenario = input.scenario.ron().map_err(Problems::from)?;
    let hex = |label: &str| input.board.hex(label).expect("a hex of the meadow");
    let unit = |unit: &ScenarioUnit| UnitInfo {
        id: unit.id.clone(),
        name: unit.id.to_uppercase(),
        side: if unit.side == "blue" {
            Side::First
        } else {
            Side::Second
        },
        kind: "company".to_owned(),
        nodes: vec![],
        men: 0,
        guns: 0,
    };
    let setup = scenario.units.iter().map(|u| (u.strength, hex(&u.hex)));
    Ok(Loaded {
        tokens: vec![],
        first_turn: 0,
        last_turn: scenario.last_turn,
        rules: Arc::new(Rules {
            stack,
            range: 2,
            gusts: input.switch("gusts"),
            setup: setup.collect(),
        }),
        units: scenario.units.iter().map(unit).collect(),
    })
}

impl Ruleset for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn version(&self) -> &'static str {
        "1"
    }

    fn sides(&self) -> Option<[&'static str; 2]> {
        Some(["blue", "red"])
    }

    fn register(&self, schema: &mut Schema) {
        schema.unit::<Block>().unit::<Spent>().resource::<Focus>();
    }

    fn load(&self, input: &Input) -> Result<Loaded, Problems> {
        load(input, 2)
    }

    fn setup(&self, table: &mut Setup) {
        table.insert(Focus::default());
        for (full, hex) in table.rules::<Rules>().setup.clone() {
            let block = Block {
                full,
                hits: 0,
                shown: false,
            };
            let unit = table.spawn(DEAD, (block, Spent::default()));
            table.place(unit, Place::Hex(hex));
        }
    }

    fn position(&self, _: &mut Setup, _: &PositionFile) -> Result<(), Problems> {
        Ok(())
    }

    /// §6: whoever has more units left.
    fn finish(&self, table: &mut Table) {
        let left = |side| living(table, side).count();
        let (first, second) = (left(Side::First), left(Side::Second));
        let winner = match first.cmp(&second) {
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Side::First),
        };
        table.end(Verdict {
            winner,
            how: if winner.is_some() {
                "on points"
            } else {
                "draw"
            }
            .into(),
            rule: rule!("6"),
        });
    }

    /// §5: what units have spent is theirs again when the turn is over.
    fn spells(&self) -> Vec<Spell> {
        vec![Spell::new(
            "what units have spent",
            Until::TurnEnds,
            |table| {
                let tired = |unit: &UnitId| {
                    let spent = table.get::<Spent>(*unit);
                    spent.marched || spent.fired
                };
                let unit = table.units().find(tired)?;
                Some(format!("{} has not rested", table.info(unit).id))
            },
        )]
    }

    fn view(&self, table: &Table, seat: Seat, view: &mut View) {
        let env = table.env();
        for unit in table.units() {
            let (info, block) = (table.info(unit), table.get::<Block>(unit));
            let known = block.shown || seat.sees(info.side);
            view.units.push(UnitView {
                id: Some(info.id.clone()),
                name: info.name.clone(),
                side: env.sides[info.side].id.clone(),
                kind: info.kind.clone(),
                at: match table.hex(unit) {
                    Some(hex) => At::Hex(env.board.label(hex).to_owned()),
                    None => At::Box("dead".to_owned()),
                },
                ratings: if known {
                    block.full.to_string()
                } else {
                    "?".to_owned()
                },
                state: vec![("hits", block.hits.to_string())],
            });
        }
        for (side, info) in env.sides.iter() {
            view.tracks.push(TrackView {
                name: format!("{} left", info.id),
                value: living(table, side).count() as i32,
                max: None,
            });
        }
    }

    /// Strengths that the seat has not seen may lie otherwise, as long as nobody alive would be dead.
    fn shuffle_hidden(&self, table: &mut Table, seat: Seat, dice: &mut dyn Dice) -> bool {
        for side in Side::BOTH.into_iter().filter(|&side| !seat.sees(side)) {
            let hidden: Vec<UnitId> = living(table, side)
                .filter(|&unit| !table.get::<Block>(unit).shown)
                .collect();
            for i in (1..hidden.len()).rev() {
                let (one, other) = (hidden[i], hidden[dice.pick(i + 1, "shuffle", side)]);
                let (a, b) = (table.get::<Block>(one), table.get::<Block>(other));
                if a.full > b.hits && b.full > a.hits {
                    let (a, b) = (a.full, b.full);
                    table.get_mut::<Block>(one).full = b;
                    table.get_mut::<Block>(other).full = a;
                }
            }
        }
        true
    }

    /// §2.4 to §2.6: next to it, without enemies, with room.
    fn walked(&self, table: &Table, ask: Ask) -> Option<Walked> {
        let unit = table.res::<Focus>().0.filter(|_| ask.question == "where")?;
        let (from, side) = (table.hex(unit)?, table.info(unit).side);
        let near = table.board().hexes().filter(|&hex| {
            let there: Vec<_> = table.stacks().units(hex).collect();
            let friends = there.iter().all(|&other| table.info(other).side == side);
            table.board().distance(from, hex) == 1 && friends && there.len() < 2
        });
        Some(Walked::new(
            unit,
            Marching::Go(unit, from),
            near.map(|hex| (hex, 1)).collect(),
        ))
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            decisions: 200,
            options: 10,
        }
    }
}

/// §5: everybody rests.
pub struct Rest;

impl Phase for Rest {
    fn name(&self) -> &'static str {
        "rest"
    }

    fn needs(&self) -> Needs {
        Needs::nothing().once()
    }

    fn enter(&self, table: &mut Table) -> Result<(), Fault> {
        for unit in table.units() {
            *table.get_mut::<Spent>(unit) = Spent::default();
        }
        Ok(())
    }

    fn next(&self, _: &mut Table) -> Result<Step, Fault> {
        Ok(Step::Done)
    }
}
