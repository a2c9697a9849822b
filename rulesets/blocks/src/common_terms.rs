//! blocks in terms that all rulesets share: men lost, ground held, who is ahead.
//!
//! A step is always so many men: those that the block stands for, shared out over its steps.

use crate::field::{controller, count, rules, stack, steps};
use crate::hour::points;
use crate::rules::{Kind, Level};
use crate::state::{Hexes, Supplies, army, boxes, flag};
use cupola_kernel::{
    Fight, HexId, Lead, Outcome, Place, Presence, Prize, Side, Standing, Table, Toll, UnitId,
};

/// How every block stands.
pub fn standings(t: &Table) -> impl Iterator<Item = Standing> + '_ {
    let (rules, army) = (rules(t), army(t));
    let giving = t.res::<Supplies>().hq;
    // Who is over a limit is as good as lost (§6.2).
    let over = overflow(t);
    t.units().map(move |unit| {
        let card = rules.card(unit);
        let hq = card.is_hq();
        let most = u16::from(card.max.max(1));
        let gone = over.contains(&unit);
        let block = army.of(unit);
        // Who commands or gives supply will pay a step for it: as good as paid (§4.3, §8.1).
        let owes = hq && (block.has(flag::ACTIVE) || giving == Some(unit));
        let left = u16::from(block.steps).saturating_sub(owes.into()).min(most);
        let lost = if gone {
            1000
        } else {
            (most - left) * 1000 / most
        };
        let presence = match t.stacks().place(unit) {
            Place::Hex(_) if gone => Presence::Gone,
            Place::Hex(_) if hq => Presence::Attends,
            Place::Hex(_) => Presence::Fights,
            Place::Box(boxes::SHATTERED | boxes::OUT) => Presence::Gone,
            Place::Box(_) => Presence::Awaited,
        };
        Standing { lost, presence }
    })
}

/// The blocks that are over the limit of their hex: of each hex the last ones of the stack.
fn overflow(t: &Table) -> Vec<UnitId> {
    let mut found = vec![];
    if t.res::<Hexes>().over == 0 {
        return found;
    }
    for hex in t.board().hexes() {
        let limit = usize::from(rules(t).limit[usize::from(hex.0)]);
        for side in Side::BOTH {
            found.extend(stack(t, side, hex).skip(limit));
        }
    }
    found
}

/// The first side's points, measured from the middle of the scale of the scenario (§9.1). Who is over a limit when everybody
/// has moved is lost (§6.2), a point each: as good as lost already.
#[must_use]
pub fn margin(t: &Table) -> i32 {
    let over = overflow(t);
    let over = over.iter().map(|&unit| match rules(t).card(unit).side {
        Side::First => -1,
        Side::Second => 1,
    });
    let (scale, points) = (
        rules(t).scale,
        i32::from(points(t)) + over.sum::<i32>() + fought_over(t),
    );
    let (high, low) = (i32::from(scale.first_wins), i32::from(scale.second_wins));
    (2 * points - high - low) * 1000 / (high - low + 10).max(1)
}

/// Whether both sides are in a hex: until the melee is over it is the defender's.
fn fought_in(t: &Table, hex: HexId) -> bool {
    Side::BOTH.into_iter().all(|side| count(t, side, hex) > 0)
}

/// What the first side has of victory hexes that it is attacked in.
fn fought_over(t: &Table) -> i32 {
    let all = rules(t).victory.iter();
    let open =
        all.filter(|(_, hex, _)| t.player_turn() == Some(Side::Second) && fought_in(t, *hex));
    open.map(|(_, _, points)| i32::from(*points)).sum()
}

/// What hits cost: the strongest of the blocks there lose a step each (§5.23), by fire into a strong place
/// one for two hits (§5.24).
#[must_use]
pub fn toll(t: &Table, fight: &Fight, outcome: &Outcome, fire: bool) -> Toll {
    let nothing = Toll::default();
    let (Some(&unit), Some(hex)) = (fight.attackers.first(), fight.hex) else {
        return nothing;
    };
    let enemy = rules(t).card(unit).side.other();
    let there = || stack(t, enemy, hex).filter(|&unit| !rules(t).card(unit).is_hq());
    let men: u32 = there().map(|unit| t.info(unit).men).sum();
    let most: u32 = there().map(|unit| u32::from(rules(t).card(unit).max)).sum();
    let standing: u32 = there().map(|unit| u32::from(steps(t, unit))).sum();
    let hits = u32::from(outcome.code);
    let hits = if fire && rules(t).double[usize::from(hex.0)] {
        hits.div_ceil(2)
    } else {
        hits
    };
    Toll {
        attacker: 0,
        defender: hits.min(standing) * men / most.max(1),
        yields: hits >= standing && standing > 0,
    }
}

/// A block that loses its last step is a point (§9.1), as [`margin`] counts it: what hits come to if they fall on the
/// strongest first, as they must (§5.23), so that blocks go only when little is left.
#[must_use]
pub fn swing(t: &Table, fight: &Fight, outcome: &Outcome, fire: bool) -> i32 {
    let (Some(&unit), Some(hex)) = (fight.attackers.first(), fight.hex) else {
        return 0;
    };
    let enemy = rules(t).card(unit).side.other();
    let there = || stack(t, enemy, hex).filter(|&unit| !rules(t).card(unit).is_hq());
    let standing: i32 = there().map(|unit| i32::from(steps(t, unit))).sum();
    let hits = i32::from(outcome.code);
    let hits = if fire && rules(t).double[usize::from(hex.0)] {
        (hits + 1) / 2
    } else {
        hits
    };
    // As long as each block has a step left nobody is shattered.
    let shattered = (there().count() as i32 - (standing - hits).max(0)).max(0);
    let scale = rules(t).scale;
    let (high, low) = (i32::from(scale.first_wins), i32::from(scale.second_wins));
    shattered * 2000 / (high - low + 10).max(1)
}

/// Headquarters and the blocks that answer to them (§4.2); a corps headquarters has those of its corps, an army's all.
#[must_use]
pub fn leads(t: &Table) -> Vec<Lead> {
    let rules = rules(t);
    let led = |leader: UnitId| {
        let head = rules.card(leader);
        let of_his = |unit: &UnitId| {
            let card = rules.card(*unit);
            let answers = match head.kind {
                Kind::Hq(Level::Army) => true,
                Kind::Hq(Level::Corps) => card.corps == Some(leader),
                _ => card.hq == Some(leader),
            };
            answers && card.side == head.side && !card.is_hq()
        };
        Lead {
            leader,
            units: t.units().filter(of_his).collect(),
            reach: head.range,
        }
    };
    let chiefs = t.units().filter(|&unit| rules.card(unit).is_hq());
    chiefs.map(led).collect()
}

/// The victory hexes (§9.11), as [`margin`] counts them.
pub fn prizes(t: &Table, out: &mut Vec<Prize>) {
    let (rules, field) = (rules(t), t.res::<Hexes>());
    let (high, low) = (
        i32::from(rules.scale.first_wins),
        i32::from(rules.scale.second_wins),
    );
    out.extend(rules.victory.iter().map(|&(_, hex, points)| {
        let mut sides = Side::BOTH.into_iter();
        let attacked = t.player_turn().filter(|_| fought_in(t, hex));
        let held = attacked
            .map(Side::other)
            .or_else(|| sides.find(|&side| controller(field, usize::from(hex.0)) == side as u8));
        Prize {
            hex,
            worth: i32::from(points) * 2000 / (high - low + 10).max(1),
            held,
        }
    }));
}
