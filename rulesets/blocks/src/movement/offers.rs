//! What a block may do once it is picked: where it goes, by which hexside of the frontline, whom it attacks,
//! and where it leaves the map.

use super::attack::may_attack;
use super::mover::{Bar, Ground, Mover};
use super::reach::{Found, Origin, reach, reach_on, trace, usual};
use super::{Do, entry, fits, points};
use crate::field::{count, frontline, rules};
use crate::leeway::Leeway;
use crate::rules::{NOWHERE, Rules};
use crate::state::{Block, Chosen, Hexes, flag};
use cupola_kernel::{Acts, HexId, Options, Side, Table, UnitId};

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
            let vias = push_moves(t, unit, &mover, found, out);
            push_vias(unit, vias, out);
        });
        entry::assaults(t, unit, way, |hex| out.push(Do::Attack(unit, hex)));
        return;
    }
    let Some(from) = t.hex(unit) else { return };
    let (most, front) = (points(t, unit), frontline(t, mover.side, from));
    let leave = Do::Leave(unit, HexId(0)).act();
    if let Some(leeway) = alone(t, &mover, from, most) {
        let fits = roomy(rules(t), t.res(), mover.side);
        let moves = leeway.hexes.iter().copied().filter(fits);
        out.push_hexes(Do::To(unit, HexId(0)).act(), 1, moves);
        out.push_hexes(leave, 1, leeway.exits.iter().copied());
        return;
    }
    let gates = if front {
        gates(t, &mover, from)
    } else {
        vec![]
    };
    let attacks = |out: &mut Options| {
        if front && !chosen.formed {
            push_attacks(t, unit, from, out);
        }
    };
    if gates.len() > 1 {
        let (vias, exits) = push_by_gates(t, unit, &mover, (from, most), &gates, out);
        push_vias(unit, vias, out);
        attacks(out);
        out.push_hexes(leave, 1, exits.into_iter());
        return;
    }
    reach(t, &mover, Origin::Hex(from), most, |found| {
        let vias = push_moves(t, unit, &mover, found, out);
        push_vias(unit, vias, out);
        attacks(out);
        out.push_hexes(leave, 1, exits(rules(t), &mover, (from, most), found));
    });
}

/// The same as [`push_moves`] for a block that leaves the frontline by one of several hexsides, which is its choice; finds
/// where it may leave the map as well.
fn push_by_gates(
    t: &Table,
    unit: UnitId,
    mover: &Mover,
    (from, most): (HexId, u8),
    gates: &[usize],
    out: &mut Options,
) -> (Vec<(HexId, HexId)>, Vec<HexId>) {
    let list = |found: &Found| {
        let vias = push_moves(t, unit, mover, found, out);
        let fits = roomy(rules(t), t.res(), mover.side);
        let open = found.hexes().iter();
        let open = open.filter(|hex| fits(hex) && !found.is_front(*hex));
        let usual: Vec<(HexId, HexId)> = open
            .filter_map(|hex| Some((hex, found.first(hex)?)))
            .collect();
        let exits: Vec<HexId> = exits(rules(t), mover, (from, most), found).collect();
        (vias, usual, exits)
    };
    let (mut vias, usual, exits) = trace(t, mover, Origin::Hex(from), most, None, list);
    for &gate in gates {
        let through = HexId(rules(t).around(from)[gate].to);
        let others = usual.iter().filter(|(_, first)| *first != through);
        reach(t, mover, Origin::Gate(from, gate), most, |found| {
            let there = others.filter(|(hex, _)| found.hexes().contains(*hex));
            vias.extend(there.map(|&(hex, _)| (through, hex)));
        });
    }
    (vias, exits)
}

/// The directions in which a block may leave the frontline, if it matters which it takes: not until a hexside has been
/// crossed (§6.62), and not on the map's edge (§6.7).
fn gates(t: &Table, mover: &Mover, from: HexId) -> Vec<usize> {
    let (rules, ground) = (rules(t), Ground::of(t, mover.side));
    let at = from.index();
    if ground.crossed[at] == 0 || ground.rim[at] {
        return vec![];
    }
    let leads_out = |direction: &usize| {
        let to = usize::from(rules.edges[at][*direction].to);
        ground.near.get(to) == Some(&0) && mover.bar(&ground, at, *direction, to) == Bar::None
    };
    (0..6).filter(leads_out).collect()
}

/// Where a block can go if no enemy is near it, nor near any hex to which it can go: then nobody is in its way.
fn alone<'a>(t: &'a Table, mover: &Mover, from: HexId, most: u8) -> Option<&'a Leeway> {
    let (rules, field) = (rules(t), t.res::<Hexes>());
    let near = &field.near[mover.side.other() as usize];
    let far = |hex: &HexId| near[hex.index()] == 0;
    // §6.0 Columns and lines are in each other's way.
    if mover.formation.is_some() || !far(&from) {
        return None;
    }
    let find = |field: &Hexes| {
        reach_on(t, field, mover, Origin::Hex(from), most, |found| Leeway {
            hexes: found.hexes().iter().collect(),
            exits: exits(rules, mover, (from, most), found).collect(),
        })
    };
    let nobody = || find(&Hexes::empty(rules.edges.len()));
    let leeway = rules.leeways.of((mover.guns, most), from, nobody)?;
    let leeway = leeway.hexes.iter().all(far).then_some(leeway)?;
    debug_assert_eq!(*leeway, find(field), "nobody is in its way");
    Some(leeway)
}

/// Whether one more block of a side may end its move in a hex: as [`fits`] has it, without asking for the field again.
fn roomy<'a>(rules: &'a Rules, field: &'a Hexes, side: Side) -> impl Fn(&HexId) -> bool + 'a {
    // Both as long as there are hexes, so that one look at the number of a hex is enough.
    let (limit, hexes) = (&rules.limit[..], rules.limit.len());
    let own = &field.count[side as usize][..hexes];
    let over = rules.switches.transient_overstacking;
    move |hex| over || own[hex.index()] < limit[hex.index()]
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
    out: &mut Options,
) -> Vec<(HexId, HexId)> {
    let (rules, field) = (rules(t), t.res::<Hexes>());
    let fit = roomy(rules, field, mover.side);
    let contested = |hex: &HexId| found.is_front(*hex) && !rules.rim[hex.index()];
    let moves = found.hexes().iter().filter(&fit);
    out.push_hexes(Do::To(unit, HexId(0)).act(), 1, moves);
    // §6.62 Which hexside of the frontline is used up is the mover's choice.
    let mut vias = vec![];
    let stops = found.stops().iter();
    for &hex in stops.filter(|hex| contested(hex) && fit(hex)) {
        let entrances = found.entrances(hex);
        let usual = usual(&entrances);
        for direction in (0..6).filter(|&d| entrances[d].is_some() && Some(d) != usual) {
            vias.push((HexId(rules.around(hex)[direction].to), hex));
        }
    }
    // One choice for both, so that the next question does not tell how far the block could have gone.
    if rules.switches.column_and_line && !t.res::<Chosen>().formed {
        push_halts(t, unit, found, out);
    }
    vias
}

/// Pushes the hexes in which a block may change its formation after half a move (§6.0).
fn push_halts(t: &Table, unit: UnitId, found: &Found, out: &mut Options) {
    let half = rules(t).card(unit).moves / 2;
    for hex in found.hexes().iter() {
        let near = found.cost(hex).is_some_and(|cost| cost <= half);
        if near && fits(t, unit, hex) && may_halt(t, unit, hex) {
            out.push(Do::Halt(unit, hex));
        }
    }
}

/// The hexes of the map's edge from which a block may go off it, in order: from where it stands always (§6.4), from
/// elsewhere if it need not stop there and has the points.
fn exits<'a>(
    rules: &'a Rules,
    mover: &'a Mover,
    (from, most): (HexId, u8),
    found: &'a Found<'a>,
) -> impl Iterator<Item = HexId> + 'a {
    let pays = move |hex: &HexId| {
        let spent = found.cost(*hex).unwrap_or(u8::MAX);
        let total = spent.saturating_add(mover.rim_cost(rules, rules.exits[hex.index()]));
        total <= most && !found.is_front(*hex)
    };
    let edge = found.hexes();
    let before = edge.common(&rules.edge).filter(move |&hex| hex < from);
    let after = edge.common(&rules.edge).filter(move |&hex| hex > from);
    let own = rules.rim[from.index()].then_some(from);
    before.filter(pays).chain(own).chain(after.filter(pays))
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
