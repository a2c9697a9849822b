//! A situation set up by hand: what a position file of this ruleset may say.

use crate::activation;
use crate::facing::Facing;
use crate::field::{did, hold, rules, status_mut, wear_mut};
use crate::state::{Activation, Cup, Deed, Frame, Guests, Land, Order, Stack, Work, boxes};
use cupola_data::Problems;
use cupola_kernel::{Place, PositionFile, Table, UnitId};
use cupola_kit::PositionReader;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The state of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct State {
    /// Take every counter off the map first.
    clear: bool,
    /// Take all breastworks away first.
    level: bool,
    /// Counters by id.
    units: BTreeMap<String, UnitState>,
    /// Brigades by name.
    brigades: BTreeMap<String, BrigadeState>,
    /// Breastworks: hex, corners, whose.
    works: Vec<(String, Vec<Facing>, String)>,
    /// Watched hexes that the second side holds.
    held: Vec<String>,
    /// Markers in the cup, by formation.
    cup: BTreeMap<String, u8>,
    /// Markers played this turn.
    played: u8,
    /// Who had the initiative last.
    initiative: Option<String>,
    /// Who was activated last, and how often in a row.
    run: Option<(String, u8)>,
    /// What special rules remember, by their place in the scenario.
    notes: BTreeMap<u8, u64>,
    /// What is under way.
    doing: Option<Doing>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct UnitState {
    at: Option<String>,
    facing: Option<Facing>,
    disordered: Option<bool>,
    mounted: Option<bool>,
    abandoned: bool,
    lost: Option<u8>,
    routed: bool,
    eliminated: bool,
    fallen: bool,
    /// It is still to come.
    awaited: bool,
    /// Its brigade attacks.
    attacks: bool,
    /// It moved next to an enemy.
    closed: bool,
    /// It moved.
    moved: bool,
    /// It charges at the gallop.
    gallops: bool,
    /// The flank it refuses: one is the left, two the right.
    refused: u8,
    /// How often a leader was replaced.
    replaced: Option<u8>,
    /// The brigade that a battery is attached to by itself.
    with: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct BrigadeState {
    losses: Option<u8>,
    ineffective: Option<bool>,
    /// Its orders.
    order: Option<Order>,
    /// It has charged in this game.
    charged: Option<bool>,
    /// Artillery: the marker of the division it is attached to.
    with: Option<String>,
    /// The turn on which the enemy released it before its time.
    freed: Option<String>,
}

/// Something under way when the position begins.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Doing {
    /// A formation is activated.
    Activation { formation: String },
    /// It has moved, and approach fire is next.
    Fire { formation: String },
}

/// Changes a set-up table into the situation of a file.
pub fn apply(t: &mut Table, file: &PositionFile) -> Result<(), Problems> {
    let (mut reader, state) = PositionReader::read::<State>(file)?;
    if state.clear {
        for unit in t.units() {
            if t.hex(unit).is_some() {
                t.place(unit, Place::Box(boxes::WITHDRAWN));
            }
        }
    }
    if state.level {
        t.res_mut::<Land>().works.clear();
    }
    for (field, id, wanted) in reader.units(t, &state.units) {
        unit(t, &mut reader, (&field, id), wanted);
    }
    for (name, wanted) in &state.brigades {
        brigade(t, &mut reader, name, wanted);
    }
    for (label, corners, side) in &state.works {
        let side = reader.side(t, "state.works", side);
        let hex = reader.hex(t, "state.works", label);
        if let (Some(side), Some(hex)) = (side, hex) {
            let sides = corners.iter().flat_map(|corner| corner.front());
            let sides = sides.fold(0, |bits, side| bits | 1 << side);
            t.res_mut::<Land>().works.push(Work {
                hex,
                sides,
                side,
                wants: 0,
            });
        }
    }
    for label in &state.held {
        if let Some(hex) = reader.hex(t, "state.held", label) {
            let watch = rules(t).watch[hex.index()];
            if watch > 0 {
                t.res_mut::<Land>().held |= 1 << (watch - 1);
            }
        }
    }
    for (&number, &note) in &state.notes {
        crate::special::remember(t, usize::from(number), note);
    }
    crate::entry::look(t);
    cup(t, &mut reader, &state);
    if let Some(doing) = &state.doing {
        begin(t, &mut reader, doing);
    }
    reader.finish()
}

fn unit(
    t: &mut Table,
    reader: &mut PositionReader,
    (field, unit): (&str, UnitId),
    wanted: &UnitState,
) {
    if let Some(label) = &wanted.at
        && let Some(hex) = reader.hex(t, field, label)
    {
        t.place(unit, Place::Hex(hex));
        if rules(t).fights(unit) {
            hold(t, unit, hex);
        }
    }
    for (is, number) in [
        (wanted.routed, boxes::ROUTED),
        (wanted.eliminated, boxes::ELIMINATED),
        (wanted.fallen, boxes::FALLEN),
        (wanted.awaited, boxes::AWAITED),
    ] {
        if is {
            t.place(unit, Place::Box(number));
        }
    }
    let status = status_mut(t, unit);
    status.facing = wanted.facing.unwrap_or(status.facing);
    status.disordered = wanted.disordered.unwrap_or(status.disordered);
    status.mounted = wanted.mounted.unwrap_or(status.mounted);
    status.lost = wanted.lost.unwrap_or(status.lost);
    status.abandoned = wanted.abandoned;
    status.refused = wanted.refused;
    status.replaced = wanted.replaced.unwrap_or(status.replaced);
    deeds(t, unit, wanted);
    if let Some(name) = &wanted.with
        && let Some(host) = brigade_named(t, reader, &format!("{field}.with"), name)
    {
        t.res_mut::<Guests>().0.push((unit, host));
    }
}

fn brigade_named(t: &Table, reader: &mut PositionReader, field: &str, name: &str) -> Option<u16> {
    let known = rules(t).brigades.iter().map(|brigade| &*brigade.name);
    let found = reader.named(field, ("brigade", name), known)?;
    Some(found as u16)
}

fn formation_named(t: &Table, reader: &mut PositionReader, field: &str, name: &str) -> Option<u16> {
    let known = rules(t).formations.iter().map(|one| &*one.name);
    let found = reader.named(field, ("marker", name), known)?;
    Some(found as u16)
}

fn deeds(t: &mut Table, unit: UnitId, wanted: &UnitState) {
    for (is, deed) in [
        (wanted.attacks, Deed::ATTACKS),
        (wanted.closed, Deed::CLOSED | Deed::MOVED | Deed::ACTED),
        (wanted.moved, Deed::MOVED | Deed::ACTED),
        (wanted.gallops, Deed::GALLOPS | Deed::MOVED | Deed::ACTED),
    ] {
        if is {
            did(t, unit, deed);
        }
    }
}

fn brigade(t: &mut Table, reader: &mut PositionReader, name: &str, wanted: &BrigadeState) {
    let field = format!("state.brigades.{name}");
    let Some(number) = brigade_named(t, reader, &field, name) else {
        return;
    };
    let with = wanted.with.as_ref();
    let with = with.and_then(|marker| formation_named(t, reader, &format!("{field}.with"), marker));
    let freed = wanted.freed.as_ref();
    let freed = freed.and_then(|turn| reader.turn(t, &format!("{field}.freed"), turn));
    let wear = wear_mut(t, number);
    wear.freed = freed.or(wear.freed);
    wear.with = with.or(wear.with);
    wear.losses = wanted.losses.unwrap_or(wear.losses);
    wear.ineffective = wanted.ineffective.unwrap_or(wear.ineffective);
    wear.order = wanted.order.unwrap_or(wear.order);
    wear.charged = wanted.charged.unwrap_or(wear.charged);
}

fn cup(t: &mut Table, reader: &mut PositionReader, state: &State) {
    for (name, markers) in &state.cup {
        let Some(formation) = formation_named(t, reader, "state.cup", name) else {
            continue;
        };
        t.res_mut::<Cup>().left[usize::from(formation)] = *markers;
        for brigade in rules(t).formations[usize::from(formation)].brigades.clone() {
            wear_mut(t, brigade).uses = *markers;
        }
    }
    t.res_mut::<Cup>().played = state.played;
    if let Some(side) = &state.initiative {
        t.res_mut::<Cup>().initiative = reader.side(t, "state.initiative", side);
    }
    if let Some((side, count)) = &state.run {
        let side = reader.side(t, "state.run", side);
        t.res_mut::<Cup>().run = side.map(|side| (side, *count));
    }
}

fn begin(t: &mut Table, reader: &mut PositionReader, doing: &Doing) {
    let (Doing::Activation { formation: name } | Doing::Fire { formation: name }) = doing;
    let Some(formation) = formation_named(t, reader, "state.doing", name) else {
        return;
    };
    let brigades = rules(t).formations[usize::from(formation)].brigades.clone();
    for &brigade in &brigades {
        wear_mut(t, brigade).uses = wear_mut(t, brigade).uses.max(1);
    }
    let cup = t.res_mut::<Cup>();
    cup.left[usize::from(formation)] = cup.left[usize::from(formation)].max(1);
    let frames = &mut t.res_mut::<Stack>().frames;
    frames.push(Frame::Draw);
    activation::start(t, formation);
    if matches!(doing, Doing::Fire { .. }) {
        t.res_mut::<Activation>().done = u128::MAX;
        t.res_mut::<Stack>().frames.pop();
    }
}
