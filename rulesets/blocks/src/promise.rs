//! What the activation of a headquarters opens, in men: reckoned for players who must choose before they see (§4.3, §8.1).
//!
//! A point of supply buys a step of a block or of a headquarters alike (§8.3). So a step of command is worth the men of a step.

use crate::chain;
use crate::command::posts;
use crate::field::{rules, stack};
use crate::fire::each_target;
use crate::state::{Block, army, flag};
use crate::supply;
use cupola_kernel::{HexId, Promise, Table, UnitId};

/// The best that a headquarters opens from where it stands or may be activated.
pub fn best(t: &Table, hq: UnitId, from: fn(&Table, UnitId, HexId) -> Promise) -> Option<Promise> {
    let mut best: Option<Promise> = None;
    let gain = |promise: &Promise| promise.theirs + promise.back;
    posts(t, hq, |hex| {
        let found = from(t, hq, hex);
        if best.as_ref().is_none_or(|best| gain(&found) > gain(best)) {
            best = Some(found);
        }
    });
    best
}

/// What commanding from a hex opens: the best volley of every block that nobody commands yet, one through a hexside.
pub fn command(t: &Table, hq: UnitId, from: HexId) -> Promise {
    let (rules, army) = (rules(t), army(t));
    let side = rules.card(hq).side;
    let others = || {
        let all = rules.commanders[side].iter().copied();
        all.filter(|&other| other != hq && army.has(other, flag::ACTIVE))
    };
    let mut promise = Promise {
        spent: price(t, hq),
        ..Promise::default()
    };
    let mut used: Vec<(HexId, usize)> = vec![];
    chain::within(t, side, from, rules.card(hq).range, |far| {
        for &unit in &rules.own[side] {
            let hex = t.hex(unit).filter(|hex| far[usize::from(hex.0)] != u8::MAX);
            let Some(hex) = hex.filter(|_| chain::commands(t, hq, unit)) else {
                continue;
            };
            let served = |other: UnitId| {
                let near = t.hex(other).map(|at| t.board().distance(at, hex));
                chain::commands(t, other, unit)
                    && near.is_some_and(|far| far <= u32::from(rules.card(other).range))
            };
            if rules.card(unit).free || others().any(served) {
                continue;
            }
            if let Some((men, direction)) = volley(t, unit, hex, &used) {
                used.push((hex, direction));
                promise.theirs += men;
                promise.by = promise.by.or(Some(unit));
            }
        }
    });
    promise
}

/// Men that the best volley of a block costs on average, and its hexside; those that others use are not looked at.
fn volley(t: &Table, unit: UnitId, hex: HexId, used: &[(HexId, usize)]) -> Option<(u32, usize)> {
    let mut best: Option<(u32, usize)> = None;
    each_target(t, unit, |direction, target, power| {
        if power > 0 && !used.contains(&(hex, direction)) {
            let steps = u32::from(t.get::<Block>(unit).steps);
            let half = 1 + u32::from(rules(t).double[usize::from(target.0)]);
            let enemy = stack(t, rules(t).card(unit).side.other(), target);
            let enemy = enemy.filter(|&unit| !rules(t).card(unit).is_hq());
            let men = steps * power.min(6) as u32 * of_steps(t, enemy) / (6 * half);
            if best.is_none_or(|(most, _)| men > most) {
                best = Some((men, direction));
            }
        }
    });
    best
}

/// What supply from a hex brings back: its points, for those who get most for them.
pub fn supply(t: &Table, hq: UnitId, from: HexId) -> Promise {
    let (rules, army) = (rules(t), army(t));
    let side = rules.card(hq).side;
    let mut steps: Vec<(u32, u32)> = vec![];
    chain::within(t, side, from, chain::range(t, hq), |far| {
        for &unit in &rules.own[side] {
            let block = army.of(unit);
            let near = t
                .hex(unit)
                .is_some_and(|hex| far[usize::from(hex.0)] != u8::MAX);
            let worn = block.steps < rules.card(unit).max;
            let open = near && worn && !block.has(flag::SUPPLIED | flag::SUPPLYING);
            if open && chain::supplies(t, hq, unit) {
                let men = if rules.card(unit).is_hq() {
                    price(t, unit)
                } else {
                    t.info(unit).men / u32::from(rules.card(unit).max.max(1))
                };
                steps.push((u32::from(supply::cost(t, unit)), men));
            }
        }
    });
    // What costs one point before what costs two.
    steps.sort_unstable_by_key(|&(cost, men)| (cost, std::cmp::Reverse(men)));
    let mut points = u32::from(chain::range(t, hq));
    let mut promise = Promise {
        spent: price(t, hq),
        ..Promise::default()
    };
    for (cost, men) in steps {
        if cost <= points {
            points -= cost;
            promise.back += men;
        }
    }
    promise
}

/// What a step of a headquarters is worth in men: those of a step of its blocks.
fn price(t: &Table, hq: UnitId) -> u32 {
    let rules = rules(t);
    let all = || {
        let own = rules.own[rules.card(hq).side].iter().copied();
        own.filter(|&unit| !rules.card(unit).is_hq())
    };
    let his = |unit: &UnitId| {
        let card = rules.card(*unit);
        card.hq == Some(hq) || card.corps == Some(hq)
    };
    let men = of_steps(t, all().filter(his));
    // The army's headquarters has no blocks of its own.
    if men > 0 { men } else { of_steps(t, all()) }
}

/// The men of a step of these blocks.
fn of_steps(t: &Table, units: impl Iterator<Item = UnitId>) -> u32 {
    let (mut men, mut steps) = (0, 0);
    for unit in units {
        men += t.info(unit).men;
        steps += u32::from(rules(t).card(unit).max);
    }
    men / steps.max(1)
}
