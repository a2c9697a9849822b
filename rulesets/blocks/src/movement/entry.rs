//! §6.7, §2.4, §9.74 Coming onto the map: by day along entry roads, at night along the pikes, and back
//! after a disruption.

use super::mover::Mover;
use super::reach::{FOREVER, Found, Origin, trace};
use crate::chain;
use crate::field::{count, hostile, rules};
use crate::rules::{Entry, Kind, Level, NOWHERE};
use crate::state::{Block, Hexes, Melees, Roads, boxes, flag};
use cupola_kernel::{Check, HexId, Place, Table, UnitId, require, rule};

/// Whether a block beside the map may come on this turn.
pub fn may_come(t: &Table, unit: UnitId) -> Check {
    let block = t.get::<Block>(unit);
    match t.stacks().place(unit) {
        Place::Box(boxes::TRACK) => require(block.due <= t.turn(), rule!("6.7"), "has not arrived"),
        Place::Box(boxes::OFF_BOARD) => require(
            may_return(t),
            rule!("2.4"),
            "left the map and comes back at night at the earliest",
        ),
        _ => Err(cupola_kernel::Refusal::new(
            rule!("6.7"),
            "is not on its way",
        )),
    }
}

/// Whether those who left the map may come back now (§2.4).
pub fn may_return(t: &Table) -> bool {
    rules(t).returns && t.is_night()
}

/// The division with which a block keeps together (§6.7), by its headquarters. Headquarters and assets of a
/// corps, the reserve and the army's own belong to none.
fn division(t: &Table, unit: UnitId) -> Option<UnitId> {
    let divisional = |hq: &UnitId| rules(t).card(*hq).kind == Kind::Hq(Level::Division);
    let own = Some(unit).filter(divisional);
    own.or_else(|| chain::division(t, unit).filter(divisional))
}

/// The entries by which a block may come, by number in ascending order.
pub fn ways(t: &Table, unit: UnitId) -> Vec<u8> {
    let rules = rules(t);
    let all = rules.entries.len() as u8;
    let block = t.get::<Block>(unit);
    let side = rules.card(unit).side;
    if t.stacks().place(unit) == Place::Box(boxes::OFF_BOARD) {
        return returning(t, unit);
    }
    if by_night_road(t, unit) {
        return rules.night.entries.clone();
    }
    let mut found = vec![
        (block.way + all - 1) % all,
        block.way,
        (block.way + 1) % all,
    ];
    let key = division(t, unit);
    let roads = &t.res::<Roads>().0;
    if let Some(&(_, way)) = roads.iter().find(|(hq, _)| Some(*hq) == key) {
        // §6.7 A division keeps together, unless the enemy has closed its road or it is not the block's.
        let hex = rules.entries[usize::from(way)].hex;
        if found.contains(&way) && count(t, side.other(), hex) == 0 {
            found = vec![way];
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// §9.74 Whether a block is a night reinforcement: due in this very turn. Others that are late come by
/// their own road, as by day.
fn by_night_road(t: &Table, unit: UnitId) -> bool {
    let due = t.get::<Block>(unit).due;
    let marches = !rules(t).night.entries.is_empty();
    marches && t.is_night() && due == t.turn() && t.stacks().place(unit) == Place::Box(boxes::TRACK)
}

/// Whether a block comes back after it left the map (§2.4).
fn comes_back(t: &Table, unit: UnitId) -> bool {
    t.stacks().place(unit) == Place::Box(boxes::OFF_BOARD)
}

/// §2.4 The entries that are not the enemy's and nearest to where a block left the map: of equals its owner
/// may choose.
fn returning(t: &Table, unit: UnitId) -> Vec<u8> {
    let rules = rules(t);
    let (side, left) = (rules.card(unit).side, t.get::<Block>(unit).left);
    let far = |entry: &Entry| match left {
        // Who left from nowhere in particular comes back anywhere.
        NOWHERE => 0,
        left => t.board().distance(HexId(left), entry.hex),
    };
    let open = || {
        let all = rules.entries.iter().enumerate();
        all.filter(|(_, entry)| !hostile(t, side, entry.hex))
    };
    let least = open().map(|(_, entry)| far(entry)).min();
    open()
        .filter(|(_, entry)| Some(far(entry)) == least)
        .map(|(i, _)| i as u8)
        .collect()
}

/// Remembers by which road a division comes.
pub fn took_road(t: &mut Table, unit: UnitId, way: u8) {
    let Some(key) = division(t, unit) else { return };
    let roads = &mut t.res_mut::<Roads>().0;
    if roads.iter().all(|(hq, _)| *hq != key) {
        roads.push((key, way));
    }
}

/// The hexes by which an entry is used, each with its cost: its own, and those beside it if an enemy stands
/// there or players want it so (§6.7). Night reinforcements start there and pay nothing (§9.74).
fn doors(t: &Table, mover: &Mover, entry: &Entry, free: bool) -> Vec<(HexId, u8)> {
    let (field, night, rules) = (t.res::<Hexes>(), t.is_night(), rules(t));
    let enemy = mover.side.other() as usize;
    let open = |hex: &HexId| {
        let at = usize::from(hex.0);
        let near = night && field.near[enemy][at] > 0;
        field.count[enemy][at] == 0 && !near && mover.may_join(t, field, at).is_ok()
    };
    let pays = |road: u8| if free { 0 } else { mover.rim_cost(rules, road) };
    let own = Some(entry.hex).filter(open);
    let mut found: Vec<_> = own.into_iter().map(|hex| (hex, pays(entry.cost))).collect();
    if own.is_none() || rules.switches.entry_spreads {
        let beside = entry.beside.iter().copied().filter(open);
        found.extend(beside.map(|hex| (hex, pays(0))));
    }
    found
}

/// How a block comes onto the map.
pub struct Arrival {
    /// The block.
    pub mover: Mover,
    /// The hexes by which it comes, each with its cost.
    pub doors: Vec<(HexId, u8)>,
    /// Its points.
    pub points: u8,
}

/// How a block with so many points comes by an entry.
pub fn arrival(t: &Table, unit: UnitId, way: u8, points: u8) -> Option<Arrival> {
    let entry = rules(t).entries.get(usize::from(way))?;
    let mut mover = Mover::new(t, unit);
    let marches = by_night_road(t, unit);
    let doors = doors(t, &mover, entry, marches || comes_back(t, unit));
    // §9.74 At night reinforcements go along the three roads as far as they like, up to the town.
    mover.marches = marches && mover.uses_roads();
    let points = if mover.marches { FOREVER } else { points };
    Some(Arrival {
        mover,
        doors,
        points,
    })
}

/// Calls `then` with where a block can come to by an entry.
pub fn arrivals<R>(
    t: &Table,
    unit: UnitId,
    way: u8,
    points: u8,
    then: impl FnOnce(&Found) -> R,
) -> Option<R> {
    let Arrival {
        mover,
        doors,
        points,
    } = arrival(t, unit, way, points)?;
    Some(trace(t, &mover, Origin::Edge(&doors), points, None, then))
}

/// Map-edge hexes of an entry that a block may attack as it comes on (§6.7): one or two blocks each, no
/// command needed.
pub fn assaults(t: &Table, unit: UnitId, way: u8, mut found: impl FnMut(HexId)) {
    let rules = rules(t);
    let card = rules.card(unit);
    let Some(entry) = rules.entries.get(usize::from(way)) else {
        return;
    };
    // §6.0 A column does not attack.
    let column = t.get::<Block>(unit).has(flag::COLUMN);
    if t.is_night() || !card.may_attack() || column {
        return;
    }
    let attacks = &t.res::<Melees>().attacks;
    let hexes = std::iter::once(entry.hex).chain(entry.beside.iter().copied());
    for hex in hexes.filter(|&hex| count(t, card.side.other(), hex) > 0) {
        let there = attacks.iter().filter(|attack| attack.hex == hex);
        let comers = there.clone().filter(|attack| attack.from.is_none()).count();
        let limit = usize::from(rules.limit[usize::from(hex.0)]);
        let alone = there.clone().any(|attack| attack.unsupported);
        if comers < 2 && there.count() < limit && !alone {
            found(hex);
        }
    }
}
