//! Rules that a position wants otherwise: ratings, terrain, switches, results.

use crate::load::{Features, hops};
use crate::position::{Feature, HexsideState, State, UnitState};
use crate::rules::{Card, Edge, Kind, Rules, Switches};
use cupola_ground::{Cover, Direction, HexId};
use cupola_kernel::{Setup, Table};
use cupola_kit::{PositionReader, per_hexside};
use std::collections::BTreeMap;

/// Puts what a position says of the rules in their place.
pub fn apply(t: &mut Setup, reader: &mut PositionReader, state: &State) {
    let cards = cards(t, reader, &state.units);
    let switches = switches(t, reader, &state.switches);
    let edges = edges(t, reader, state);
    let mut crt = t.rules::<Rules>().crt.clone();
    for (&at, &rolls) in &state.results {
        match crt.0.iter_mut().find(|column| column.at == at) {
            Some(column) => column.rolls = rolls,
            None => {
                let (low, high) = (crt.lowest(), crt.highest());
                reader.within(&format!("state.results.{at}"), at, low..=high);
            }
        }
    }
    t.amend::<Rules>(|rules| {
        let costs = rules.costs;
        (rules.cards, rules.switches, rules.crt) = (cards, switches, crt);
        if let Some(edges) = edges {
            rules.hops = [false, true].map(|leader| hops(&edges, &costs, leader));
            rules.edges = edges;
        }
    });
}

/// The counters with other ratings.
fn cards(t: &Table, reader: &mut PositionReader, units: &BTreeMap<String, UnitState>) -> Vec<Card> {
    let mut cards = t.rules::<Rules>().cards.clone();
    for (field, unit, state) in reader.units(t, units) {
        let card = &mut cards[usize::from(unit.0)];
        let leader = card.kind == Kind::Leader;
        let wrong = [
            (
                leader && (state.strength.is_some() || state.quality.is_some()),
                "a leader has a range and an allowance (§9.1)",
            ),
            (
                !leader && state.range.is_some(),
                "only leaders have a range (§9.1)",
            ),
            (
                state.cadre
                    && (state.strength.is_some()
                        || state.quality.is_some()
                        || state.movement.is_some()),
                "a cadre has the ratings of all cadres (§8.2)",
            ),
        ];
        for (_, why) in wrong.into_iter().filter(|(wrong, _)| *wrong) {
            reader.wrong(&field, why);
        }
        if let Some(strength) = state.strength {
            reader.within(&format!("{field}.strength"), strength, 0..=20);
            card.strength = strength;
        }
        if let Some(quality) = state.quality {
            reader.within(&format!("{field}.quality"), quality, 0..=6);
            card.quality = quality;
        }
        if let Some(range) = state.range {
            reader.within(&format!("{field}.range"), range, 0..=20);
            card.quality = range;
        }
        if let Some(movement) = state.movement {
            reader.within(&format!("{field}.movement"), movement, 1..=24);
            card.movement = movement.clamp(1, 24);
        }
    }
    cards
}

fn switches(t: &Table, reader: &mut PositionReader, wanted: &BTreeMap<String, bool>) -> Switches {
    let mut switches = t.rules::<Rules>().switches;
    for (name, &on) in wanted {
        let field = format!("state.switches.{name}");
        let known = reader.named(&field, ("switch", name), Switches::NAMES);
        if let Some(known) = known {
            switches.set(Switches::NAMES[known], on);
        }
    }
    switches
}

/// The hexsides, if a position says that any hex or hexside is otherwise.
fn edges(t: &Table, reader: &mut PositionReader, state: &State) -> Option<Vec<[Edge; 6]>> {
    if state.woods.is_empty() && state.hexsides.is_empty() {
        return None;
    }
    let board = t.board();
    let mut woods: Vec<bool> = board
        .hexes()
        .map(|hex| board.cover(hex) == Cover::Woods)
        .collect();
    for (label, &on) in &state.woods {
        if let Some(hex) = reader.hex(t, &format!("state.woods.{label}"), label) {
            woods[usize::from(hex.0)] = on;
        }
    }
    let mut sides = per_hexside(board, |hex, direction, _| {
        Features::of(board, hex, direction)
    });
    for (i, side) in state.hexsides.iter().enumerate() {
        let Some((from, to, direction)) = between(t, reader, &format!("state.hexsides[{i}]"), side)
        else {
            continue;
        };
        let has = |feature| side.is.contains(&feature);
        let features = |up: bool| Features {
            road: has(Feature::Road),
            woods: has(Feature::Woods),
            creek: has(Feature::Creek),
            ridge: has(Feature::Ridge),
            up,
        };
        sides[usize::from(from.0)][direction.index()] = features(has(Feature::Up));
        sides[usize::from(to.0)][direction.opposite().index()] = features(has(Feature::Down));
    }
    Some(per_hexside(board, |hex, direction, to| {
        let into_woods = to.is_some_and(|to| woods[usize::from(to.0)]);
        sides[usize::from(hex.0)][direction.index()].edge(&t.rules::<Rules>().costs, to, into_woods)
    }))
}

/// The two hexes of a hexside, and the direction from the first to the second.
fn between(
    t: &Table,
    reader: &mut PositionReader,
    field: &str,
    side: &HexsideState,
) -> Option<(HexId, HexId, Direction)> {
    let from = reader.hex(t, &format!("{field}.between[0]"), &side.between.0);
    let to = reader.hex(t, &format!("{field}.between[1]"), &side.between.1);
    let (from, to) = (from?, to?);
    let direction = t.board().direction(from, to);
    if direction.is_none() {
        let (a, b) = &side.between;
        reader.wrong(
            &format!("{field}.between"),
            format!("{a} and {b} are not next to each other"),
        );
    }
    Some((from, to, direction?))
}
