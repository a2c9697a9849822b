//! What a block may do once it is picked: where it goes, by which hexside of the frontline, whom it attacks,
//! and where it leaves the map.

use super::attack::may_attack;
use super::mover::Mover;
use super::reach::{Found, Origin, reach, trace, usual};
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
    let mut vias = vec![];
    if let Some(way) = chosen.entry {
        entry::arrivals(t, unit, way, points(t, unit), |found| {
            push_moves(t, unit, &mover, found, &mut vias, out);
        });
        push_vias(unit, vias, out);
        entry::assaults(t, unit, way, |hex| out.push(Do::Attack(unit, hex)));
        return;
    }
    let Some(from) = t.hex(unit) else { return };
    let (most, front) = (points(t, unit), frontline(t, mover.side, from));
    // §6.62 Until a hexside has been crossed it does not matter by which one a block leaves the frontline.
    let gates = front && t.res::<Hexes>().crossed[from.index()] > 0 && !rules(t).rim[from.index()];
    let (mut usual, mut exits) = (vec![], vec![]);
    let list = |found: &Found| {
        push_moves(t, unit, &mover, found, &mut vias, out);
        let leaves = |hex: &HexId| may_leave(t, &mover, (from, most), found, *hex);
        let edge = found.hexes().common(&rules(t).edge);
        exits.extend(edge.chain([from]).filter(leaves));
        if gates {
            let open = |hex: &HexId| fits(t, unit, *hex) && !frontline(t, mover.side, *hex);
            let ways = found.hexes().iter().filter(open);
            usual.extend(ways.filter_map(|hex| Some((hex, found.first(hex)?))));
        }
    };
    if gates {
        trace(t, &mover, Origin::Hex(from), most, None, list);
        find_gates(t, &mover, (from, most), &usual, &mut vias);
    } else {
        reach(t, &mover, Origin::Hex(from), most, list);
    }
    push_vias(unit, vias, out);
    if front && !chosen.formed {
        push_attacks(t, unit, from, out);
    }
    exits.sort_unstable();
    out.push_hexes(Do::Leave(unit, HexId(0)).act(), 1, exits.into_iter());
}

/// Pushes moves by hexsides of the block's choice, in order.
fn push_vias(unit: UnitId, mut vias: Vec<(HexId, HexId)>, out: &mut Options) {
    vias.sort_unstable();
    for (through, hex) in vias {
        out.push(Do::Via(unit, through, hex));
    }
}

/// Pushes the hexes in which a block may end its move, and finds other hexsides by which it may enter the frontline there.
fn push_moves(
    t: &Table,
    unit: UnitId,
    mover: &Mover,
    found: &Found,
    vias: &mut Vec<(HexId, HexId)>,
    out: &mut Options,
) {
    let (rules, field) = (rules(t), t.res::<Hexes>());
    // All as long as there are hexes, so that one look at the number of a hex is enough.
    let (limit, hexes) = (&rules.limit[..], rules.limit.len());
    let own = &field.count[mover.side as usize][..hexes];
    let near = &field.near[mover.side.other() as usize][..hexes];
    let rim = &rules.rim[..hexes];
    let over = rules.switches.transient_overstacking;
    // As `fits` has it, without asking for the field again.
    let fit = |hex: &HexId| over || own[hex.index()] < limit[hex.index()];
    let contested = |hex: &HexId| near[hex.index()] > 0 && !rim[hex.index()];
    let moves = found.hexes().iter().filter(fit);
    out.push_hexes(Do::To(unit, HexId(0)).act(), 1, moves);
    // §6.62 Which hexside of the frontline is used up is the mover's choice.
    let stops = found.stops().iter();
    for &hex in stops.filter(|hex| contested(hex) && fit(hex)) {
        let entrances = found.entrances(hex);
        let usual = usual(&entrances);
        for direction in (0..6).filter(|&d| entrances[d].is_some() && Some(d) != usual) {
            vias.push((HexId(rules.around(hex)[direction].to), hex));
        }
    }
    // One choice for both, so that the next question does not tell how far the block could have gone.
    if !rules.switches.column_and_line || t.res::<Chosen>().formed {
        return;
    }
    let half = rules.card(unit).moves / 2;
    for hex in found.hexes().iter() {
        let near = found.cost(hex).is_some_and(|cost| cost <= half);
        if near && fits(t, unit, hex) && may_halt(t, unit, hex) {
            out.push(Do::Halt(unit, hex));
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

/// Finds other ways out of the frontline than the usual ones, each a hex and the first step to it.
fn find_gates(
    t: &Table,
    mover: &Mover,
    (from, most): (HexId, u8),
    usual: &[(HexId, HexId)],
    vias: &mut Vec<(HexId, HexId)>,
) {
    for (direction, edge) in rules(t).around(from).iter().enumerate() {
        if edge.to == NOWHERE {
            continue;
        }
        let through = HexId(edge.to);
        reach(t, mover, Origin::Gate(from, direction), most, |found| {
            let there =
                |&&(hex, first): &&(HexId, HexId)| first != through && found.hexes().contains(hex);
            vias.extend(usual.iter().filter(there).map(|&(hex, _)| (through, hex)));
        });
    }
}

/// Pushes the attacks of a block in the frontline.
fn push_attacks(t: &Table, unit: UnitId, from: HexId, out: &mut Options) {
    let enemy = rules(t).card(unit).side.other();
    let mut beside = rules(t).around(from).each_ref().map(|edge| edge.to);
    beside.sort_unstable();
    let beside = beside.into_iter().filter(|&hex| hex != NOWHERE).map(HexId);
    for hex in beside.filter(|&hex| count(t, enemy, hex) > 0) {
        if may_attack(t, unit, hex, true).is_ok() {
            out.push(Do::Attack(unit, hex));
        } else if may_attack(t, unit, hex, false).is_ok() {
            out.push(Do::Raid(unit, hex));
        }
    }
}
