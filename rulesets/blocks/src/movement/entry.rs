//! §6.7, §2.4, §9.74 Coming onto the map: by day along entry roads, at night along the pikes, and back
//! after a disruption.

use super::reach::{Mover, Origin, reach};
use crate::chain;
use crate::field::{count, hostile, room, rules};
use crate::rules::{Entry, NOWHERE};
use crate::state::{Army, Field, Melees, Roads, boxes};
use cupola_kernel::{Check, HexId, Place, Table, UnitId, require, rule};

/// Whether a block beside the map may come on this turn.
pub fn may_come(t: &Table, unit: UnitId) -> Check {
    let block = t.res::<Army>().of(unit);
    match t.stacks().place(unit) {
        Place::Box(boxes::TRACK) => require(block.due <= t.turn(), rule!("6.7"), "has not arrived"),
        Place::Box(boxes::OFF_BOARD) => require(
            rules(t).returns && t.is_night(),
            rule!("2.4"),
            "left the map and comes back at night at the earliest",
        ),
        _ => Err(cupola_kernel::Refusal::new(
            rule!("6.7"),
            "is not on its way",
        )),
    }
}

/// The division that keeps together (§6.7): its headquarters.
fn division(t: &Table, unit: UnitId) -> UnitId {
    if rules(t).card(unit).is_hq() {
        unit
    } else {
        chain::division(t, unit).unwrap_or(unit)
    }
}

/// The entries by which a block may come, by number in ascending order.
pub fn ways(t: &Table, unit: UnitId) -> Vec<u8> {
    let rules = rules(t);
    let all = rules.entries.len() as u8;
    let block = t.res::<Army>().of(unit);
    let side = rules.card(unit).side;
    if t.stacks().place(unit) == Place::Box(boxes::OFF_BOARD) {
        return returning(t, unit).into_iter().collect();
    }
    if by_night_road(t, unit) {
        return rules.night_entries.clone();
    }
    let mut found = vec![
        (block.way + all - 1) % all,
        block.way,
        (block.way + 1) % all,
    ];
    let key = division(t, unit);
    if let Some(&(_, way)) = t.res::<Roads>().0.iter().find(|(hq, _)| *hq == key) {
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
    let due = t.res::<Army>().of(unit).due;
    t.is_night() && due == t.turn() && t.stacks().place(unit) == Place::Box(boxes::TRACK)
}

/// §2.4 The nearest entry that is not the enemy's to where a block left the map.
fn returning(t: &Table, unit: UnitId) -> Option<u8> {
    let rules = rules(t);
    let (side, left) = (rules.card(unit).side, t.res::<Army>().of(unit).left);
    // Who left from nowhere in particular comes back anywhere.
    let from = HexId(if left == NOWHERE { 0 } else { left });
    let open = rules
        .entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| !hostile(t, side, entry.hex));
    let nearest = open.min_by_key(|(_, entry)| t.board().distance(from, entry.hex));
    nearest.map(|(i, _)| i as u8)
}

/// Remembers by which road a division comes.
pub fn took_road(t: &mut Table, unit: UnitId, way: u8) {
    let key = division(t, unit);
    let roads = &mut t.res_mut::<Roads>().0;
    if roads.iter().all(|(hq, _)| *hq != key) {
        roads.push((key, way));
    }
}

/// The hexes by which an entry is used: its own, or those beside it if an enemy stands there (§6.7).
fn doors(t: &Table, mover: &Mover, entry: &Entry) -> Vec<(HexId, u8)> {
    let (field, night) = (t.res::<Field>(), t.is_night());
    let enemy = mover.side.other() as usize;
    let open = |hex: &HexId| {
        let at = usize::from(hex.0);
        let near = night && field.near[enemy][at] > 0;
        field.count[enemy][at] == 0 && !near && mover.may_join(t, field, at).is_ok()
    };
    let own = Some(entry.hex).filter(open);
    match own {
        Some(hex) => vec![(hex, entry.cost)],
        None => {
            let beside = entry.beside.iter().copied().filter(open);
            beside.map(|hex| (hex, entry.cost.max(2))).collect()
        }
    }
}

/// Calls `found` with every hex to which a block can come by an entry.
pub fn arrivals(t: &Table, unit: UnitId, way: u8, points: u8, mut found: impl FnMut(HexId)) {
    let rules = rules(t);
    let Some(entry) = rules.entries.get(usize::from(way)) else {
        return;
    };
    let mover = Mover::new(t, unit);
    let doors = doors(t, &mover, entry);
    if by_night_road(t, unit) {
        along_road(t, &mover, &doors, found);
        return;
    }
    reach(t, &mover, Origin::Edge(&doors), points, |reached| {
        reached
            .hexes()
            .filter(|&hex| room(t, mover.side, hex))
            .for_each(&mut found);
    });
}

/// §9.74 At night reinforcements go along the three roads as far as they like, up to the town.
fn along_road(t: &Table, mover: &Mover, doors: &[(HexId, u8)], mut found: impl FnMut(HexId)) {
    let (rules, field) = (rules(t), t.res::<Field>());
    let enemy = mover.side.other() as usize;
    let mut seen: Vec<u16> = doors.iter().map(|(hex, _)| hex.0).collect();
    let mut next = 0;
    while next < seen.len() {
        let hex = seen[next];
        next += 1;
        if room(t, mover.side, HexId(hex)) {
            found(HexId(hex));
        }
        if HexId(hex) == rules.night_goal {
            continue;
        }
        for edge in &rules.edges[usize::from(hex)] {
            let to = usize::from(edge.to);
            let open = edge.to != NOWHERE
                && edge.road > 0
                && rules.night_road[to]
                && field.count[enemy][to] == 0
                && field.near[enemy][to] == 0;
            if open && !seen.contains(&edge.to) {
                seen.push(edge.to);
            }
        }
    }
}

/// Map-edge hexes of an entry that a block may attack as it comes on (§6.7): one or two blocks each, no
/// command needed.
pub fn assaults(t: &Table, unit: UnitId, way: u8, mut found: impl FnMut(HexId)) {
    let rules = rules(t);
    let card = rules.card(unit);
    let Some(entry) = rules.entries.get(usize::from(way)) else {
        return;
    };
    if t.is_night() || !card.may_attack() {
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
