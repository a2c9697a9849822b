//! blocks in terms that all rulesets share: men lost, ground held, who is ahead.
//!
//! A step is always so many men: those that the block stands for, shared out over its steps.

use crate::field::{rules, stack, steps};
use crate::hour::points;
use crate::state::{Hexes, army, boxes};
use cupola_kernel::{Fight, Outcome, Place, Presence, Side, Standing, Table, Toll, UnitId};

/// How every block stands.
pub fn standings(t: &Table) -> impl Iterator<Item = Standing> + '_ {
    let (rules, army) = (rules(t), army(t));
    // Who is over a limit is as good as lost (§6.2).
    let over = overflow(t);
    t.units().map(move |unit| {
        let card = rules.card(unit);
        let hq = card.is_hq();
        let most = u16::from(card.max.max(1));
        let gone = over.contains(&unit);
        let lost = if hq {
            0
        } else if gone {
            1000
        } else {
            (most - u16::from(army.of(unit).steps).min(most)) * 1000 / most
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

/// The first side's points, measured from the middle of the scale of the scenario (§9.1).
#[must_use]
pub fn margin(t: &Table) -> i32 {
    let (scale, points) = (rules(t).scale, i32::from(points(t)));
    let (high, low) = (i32::from(scale.first_wins), i32::from(scale.second_wins));
    (2 * points - high - low) * 1000 / (high - low + 10).max(1)
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
