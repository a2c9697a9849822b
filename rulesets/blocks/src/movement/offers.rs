//! What a block may do once it is picked: where it goes, by which hexside of the frontline, whom it attacks,
//! and where it leaves the map.

use super::attack::may_attack;
use super::reach::{Found, Mover, Origin, reach, trace, usual};
use super::{Do, entry, fits, points};
use crate::field::{count, frontline, rules};
use crate::rules::NOWHERE;
use crate::state::{Block, Chosen, Hexes, flag};
use cupola_kernel::{Acts, HexId, Options, Table, UnitId};

/// Whether a block that has marched with half its points may change its formation in a hex: a column
/// shares it with nobody, and in the frontline a change takes all points (§6.0).
fn may_halt(t: &Table, unit: UnitId, hex: HexId) -> bool {
    let side = rules(t).card(unit).side;
    let column = t.get::<Block>(unit).has(flag::COLUMN);
    !frontline(t, side, hex) && (column || count(t, side, hex) == 0)
}

/// Pushes every destination of the block that was picked.
pub fn destinations(t: &Table, unit: UnitId, out: &mut Options) {
    let chosen = t.res::<Chosen>();
    let mover = Mover::new(t, unit);
    if let Some(way) = chosen.entry {
        entry::arrivals(t, unit, way, points(t, unit), |found| {
            push_moves(t, unit, &mover, found, out);
        });
        entry::assaults(t, unit, way, |hex| out.push(Do::Attack(unit, hex)));
        return;
    }
    let Some(from) = t.hex(unit) else { return };
    let most = points(t, unit);
    reach(t, &mover, Origin::Hex(from), most, |found| {
        push_moves(t, unit, &mover, found, out);
        push_exits(t, unit, &mover, (from, most), found, out);
    });
    if frontline(t, mover.side, from) {
        push_gates(t, unit, &mover, (from, most), out);
        if !chosen.formed {
            push_attacks(t, unit, from, out);
        }
    }
}

/// Pushes the hexes in which a block may end its move.
fn push_moves(t: &Table, unit: UnitId, mover: &Mover, found: &Found, out: &mut Options) {
    let (rules, field) = (rules(t), t.res::<Hexes>());
    let (own, near) = (
        &field.count[mover.side as usize],
        &field.near[mover.side.other() as usize],
    );
    let over = rules.switches.transient_overstacking;
    // As `fits` has it, without asking for the field again.
    let fit = |hex: &HexId| over || own[hex.index()] < rules.limit[hex.index()];
    let mut contested = vec![];
    let moves = found.hexes().filter(fit).inspect(|hex| {
        if near[hex.index()] > 0 && !rules.rim[hex.index()] {
            contested.push(*hex);
        }
    });
    out.push_hexes(Do::To(unit, HexId(0)).act(), 1, moves);
    // §6.62 Which hexside of the frontline is used up is the mover's choice.
    for hex in contested {
        let entrances = found.entrances(hex);
        let usual = usual(&entrances);
        for direction in (0..6).filter(|&d| entrances[d].is_some() && Some(d) != usual) {
            let through = HexId(rules.around(hex)[direction].to);
            out.push(Do::Via(unit, through, hex));
        }
    }
    // One choice for both, so that the next question does not tell how far the block could have gone.
    if !rules.switches.column_and_line || t.res::<Chosen>().formed {
        return;
    }
    let half = rules.card(unit).moves / 2;
    for hex in found.hexes() {
        let near = found.cost(hex).is_some_and(|cost| cost <= half);
        if near && fits(t, unit, hex) && may_halt(t, unit, hex) {
            out.push(Do::Halt(unit, hex));
        }
    }
}

/// Pushes the hexes of the map's edge by which a block may leave in the course of its move (§2.4).
fn push_exits(
    t: &Table,
    unit: UnitId,
    mover: &Mover,
    (from, most): (HexId, u8),
    found: &Found,
    out: &mut Options,
) {
    let rim = &rules(t).rim;
    let edge = found.hexes().chain([from]).filter(|hex| rim[hex.index()]);
    for hex in edge {
        if may_leave(t, mover, (from, most), found, hex) {
            out.push(Do::Leave(unit, hex));
        }
    }
}

/// Whether a block may go off the map from a hex that it reaches: from where it stands always (§6.4), from
/// elsewhere if it need not stop there and has the points.
fn may_leave(
    t: &Table,
    mover: &Mover,
    (from, most): (HexId, u8),
    found: &Found,
    hex: HexId,
) -> bool {
    let (rules, at) = (rules(t), usize::from(hex.0));
    if !rules.rim[at] {
        return false;
    }
    let spent = found.cost(hex).unwrap_or(u8::MAX);
    let total = spent.saturating_add(mover.rim_cost(rules, rules.exits[at]));
    hex == from || total <= most && !frontline(t, mover.side, hex)
}

/// Pushes other ways out of the frontline, once one of the hexsides there has been crossed: until then it
/// does not matter which one a block takes (§6.62).
fn push_gates(
    t: &Table,
    unit: UnitId,
    mover: &Mover,
    (from, most): (HexId, u8),
    out: &mut Options,
) {
    let crossed = t.res::<Hexes>().crossed[usize::from(from.0)] > 0;
    if !crossed || rules(t).rim[usize::from(from.0)] {
        return;
    }
    let mut usual: Vec<(HexId, HexId)> = vec![];
    trace(t, mover, Origin::Hex(from), most, |found| {
        let ways = found.hexes().map(|hex| (hex, found.way(hex, None).1));
        usual.extend(ways.filter_map(|(hex, way)| Some((hex, *way.get(1)?))));
    });
    for (direction, edge) in rules(t).around(from).iter().enumerate() {
        if edge.to == NOWHERE {
            continue;
        }
        let through = HexId(edge.to);
        reach(t, mover, Origin::Gate(from, direction), most, |found| {
            for &(hex, first) in &usual {
                let there = found.cost(hex).is_some() && first != through && fits(t, unit, hex);
                if there && !frontline(t, mover.side, hex) {
                    out.push(Do::Via(unit, through, hex));
                }
            }
        });
    }
}

/// Pushes the attacks of a block in the frontline.
fn push_attacks(t: &Table, unit: UnitId, from: HexId, out: &mut Options) {
    let beside = rules(t).around(from).iter().map(|edge| edge.to);
    for hex in beside.filter(|&hex| hex != NOWHERE).map(HexId) {
        if may_attack(t, unit, hex, true).is_ok() {
            out.push(Do::Attack(unit, hex));
        } else if may_attack(t, unit, hex, false).is_ok() {
            out.push(Do::Raid(unit, hex));
        }
    }
}
