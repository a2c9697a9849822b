//! What the tests share.

use cupola_common::field::Field;
use cupola_common::files::{Entering, Leaving};
use cupola_common::rules::{NEVER, Rules};
use cupola_common::state::{Condition, Focus};
use cupola_conformance::{Law, Marches, Reached, Settings};
use cupola_data::Source;
use cupola_kernel::{Arg, Game, HexId, Play, Registry, Side, Table, UnitId};
use cupola_kit::plain::{Walk, explore};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn library() -> Library {
    Library::new(root().join("data"), None, Registry::linked().unwrap())
}

/// A scenario of classic, under a variant if one is given.
pub fn play(scenario: &str, variant: Option<&str>) -> Play {
    let variant = variant.map(|text| Source::new("variant.ron", text));
    let play = library().play_with("classic", scenario, variant.as_ref());
    play.unwrap_or_else(|problems| panic!("{problems}"))
}

pub fn wickerby() -> Play {
    play("wickerby", None)
}

/// The rules of movement as the chapter has them, §4.2 to §4.6.
struct Book<'t> {
    t: &'t Table,
    rules: &'t Rules,
    side: Side,
    kind: usize,
    most: u16,
}

impl Book<'_> {
    /// §4.5 Whether an enemy with a zone of control reaches a hex.
    fn zone(&self, hex: HexId) -> bool {
        let Some(zones) = self.rules.zones else {
            return false;
        };
        let enemies = self
            .t
            .units()
            .filter(|&unit| self.rules.card(unit).side != self.side);
        enemies.into_iter().any(|unit| {
            let shaken = self.t.get::<Condition>(unit).shaken && !self.rules.shaken.zone;
            let beside = self.t.hex(unit).is_some_and(|at| {
                let across = self.rules.side_features(at, hex) & zones.not_across;
                self.t.board().distance(at, hex) == 1 && across == 0
            });
            self.rules.card(unit).zone && !shaken && beside
        })
    }
}

impl Walk for Book<'_> {
    fn around(&self, hex: usize) -> Vec<usize> {
        let next = self.t.board().neighbours(HexId(hex as u16));
        next.map(|(_, hex)| usize::from(hex.0)).collect()
    }

    fn price(&self, way: &[usize], to: usize) -> Option<u16> {
        let (here, hex) = (HexId(*way.last()? as u16), HexId(to as u16));
        // §4.4 Never into the enemy.
        let enemy = |unit: UnitId| self.rules.card(unit).side != self.side;
        if self.t.stacks().units(hex).any(enemy) {
            return None;
        }
        let (from, into) = (self.zone(here), self.zone(hex));
        let mut cost = self.rules.hops[self.kind][usize::from(here.0)]
            .iter()
            .find(|hop| hop.to == hex.0)
            .map(|hop| hop.cost)
            .filter(|&cost| cost != NEVER)?;
        if let Some(zones) = self.rules.zones {
            if from && way.len() > 1 && zones.enter == Entering::Stops {
                return None;
            }
            if from && zones.leave == Leaving::Never || from && into && !zones.hop {
                return None;
            }
            if let (true, Leaving::Costs(more)) = (from, zones.leave) {
                cost += u16::from(more);
            }
            if let (true, Entering::Costs(more)) = (into, zones.enter) {
                cost += u16::from(more);
            }
        }
        // §4.3 One hex always.
        let first = way.len() == 1 && self.rules.one_hex_always;
        Some(if first { cost.min(self.most) } else { cost })
    }
}

/// The unit that is about to move.
fn moving(game: &Game) -> Option<UnitId> {
    let asked = game
        .decision()
        .is_some_and(|d| d.ask.question == "destination");
    game.table().res::<Focus>().0.filter(|_| asked)
}

/// Movement as it is offered, and by walking every way.
pub fn marches() -> Marches {
    let fast = |game: &Game| {
        let Some(unit) = moving(game) else {
            return vec![];
        };
        let options = game.decision().map_or(&[][..], |decision| decision.options);
        let reached: Reached = options
            .iter()
            .filter_map(|&act| match act.args {
                [Arg::Unit(_), Arg::Hex(hex), ..] => {
                    Some((hex, game.outlook(act).cost?.spent.parts as u16))
                }
                _ => None,
            })
            .collect();
        vec![(game.table().info(unit).id.clone(), reached)]
    };
    let plain = |game: &Game| {
        let Some((unit, from)) = moving(game).and_then(|u| Some((u, game.table().hex(u)?))) else {
            return vec![];
        };
        let (t, field) = (game.table(), Field::new(game.table()));
        let card = field.rules.card(unit);
        let book = Book {
            t,
            rules: field.rules,
            side: card.side,
            kind: card.kind.into(),
            most: field.allowance(unit),
        };
        let walked: BTreeMap<usize, u16> = explore(&book, [(usize::from(from.0), 0)], book.most);
        let ends = walked
            .into_iter()
            .map(|(hex, cost)| (HexId(hex as u16), cost));
        // §4.6 Nobody ends where there is no room.
        let room = |hex: HexId| t.stacks().units(hex).count() < usize::from(field.rules.stacking);
        let ends = ends.filter(|&(hex, _)| hex != from && room(hex));
        vec![(t.info(unit).id.clone(), ends.collect())]
    };
    Marches::new(fast, plain)
}

/// What is always so.
pub fn with_laws(settings: Settings) -> Settings {
    settings
        .marches(marches())
        .law(Law::always("§4.6 no hex holds too many units", |game| {
            let t = game.table();
            let most = usize::from(t.rules::<Rules>().stacking);
            let crowd = t
                .board()
                .hexes()
                .find(|&hex| t.stacks().units(hex).count() > most);
            crowd.map_or(Ok(()), |hex| Err(format!("{} does", t.board().label(hex))))
        }))
        .law(Law::always("§4.4 no hex holds both sides", |game| {
            let t = game.table();
            let both = t.board().hexes().find(|&hex| {
                let sides: Vec<Side> = t
                    .stacks()
                    .units(hex)
                    .map(|unit| t.info(unit).side)
                    .collect();
                sides.windows(2).any(|pair| pair[0] != pair[1])
            });
            both.map_or(Ok(()), |hex| Err(format!("{} does", t.board().label(hex))))
        }))
}
