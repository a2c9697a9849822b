//! §M, §N, §O How turns and games end.

use crate::field::{rules, status_mut};
use crate::rules::{Prize, Victory};
use crate::state::{Affairs, Chits, boxes};
use cupola_kernel::{BySide, Place, Side, Table, UnitId, Verdict, rule};

/// The side that holds a watched hex.
#[must_use]
pub fn holder(t: &Table, watch: u8) -> Side {
    t.res::<Affairs>().holder(watch)
}

/// The side that holds all of a place, if one does.
#[must_use]
pub fn holds(affairs: &Affairs, prize: &Prize) -> Option<Side> {
    let all = |side: &Side| {
        prize
            .hexes
            .iter()
            .all(|&watch| affairs.holder(watch) == *side)
    };
    Side::BOTH.into_iter().find(all)
}

/// The end of a turn: markers come off, and a side may have won outright (§O-e).
pub fn end_of_turn(t: &mut Table) {
    for unit in t.units() {
        let status = status_mut(t, unit);
        (status.frozen, status.cheered, status.yelling) = (false, false, false);
    }
    t.res_mut::<Chits>().friction = false;
    let Some(automatic) = &rules(t).automatic else {
        return;
    };
    let wins = BySide::from_fn(|side| {
        let (hexes, any) = &automatic[side];
        hexes
            .iter()
            .filter(|&&watch| holder(t, watch) == side)
            .count()
            >= *any
    });
    let winner = match (wins.first, wins.second) {
        (false, false) => return,
        (true, true) => None,
        (first, _) => Some(if first { Side::First } else { Side::Second }),
    };
    let how = if winner.is_some() {
        "automatic victory"
    } else {
        "draw"
    };
    t.end(Verdict {
        winner,
        how: how.into(),
        rule: rule!("O-e"),
    });
}

/// The points of both sides (§O-a to d).
#[must_use]
pub fn points(t: &Table) -> BySide<i32> {
    let (rules, affairs) = (rules(t), t.res::<Affairs>());
    let mut points = BySide::<i32>::default();
    let broken = |unit: UnitId| t.stacks().place(unit) == Place::Box(boxes::BROKEN);
    for brigade in &rules.brigades {
        // Options that have not come do not count.
        let here = |unit: &UnitId| !matches!(t.stacks().place(*unit), Place::Box(boxes::OUT));
        let mut units = Iterator::filter(brigade.units, here).peekable();
        if units.peek().is_some() && units.all(broken) {
            points[brigade.side.other()] += rules.points.1;
        }
    }
    for unit in t.units().filter(|&unit| broken(unit)) {
        let card = rules.card(unit);
        // Fresh strength; of cavalry the mounted side (§O-b).
        points[card.side.other()] += i32::from(card.sp[0]) * rules.points.0;
    }
    for prize in &rules.prizes {
        if let Some(side) = holds(affairs, prize) {
            points[side] += prize.points;
        }
    }
    for (group, came) in rules.options.iter().zip(affairs.came) {
        // §O-d
        if came.is_some() {
            points[group.side] -= group.points;
        }
    }
    points
}

/// How many of the places that count each side holds (§N-victory).
fn places(t: &Table, wanted: &[usize]) -> BySide<i32> {
    let mut count = BySide::<i32>::default();
    for &prize in wanted {
        if let Some(side) = holds(t.res(), &rules(t).prizes[prize]) {
            count[side] += 1;
        }
    }
    count
}

/// What both sides have on the scale by which the scenario is won.
#[must_use]
pub fn score(t: &Table) -> BySide<i32> {
    match &rules(t).victory {
        Victory::Points => points(t),
        Victory::Hexes(wanted) => places(t, wanted),
    }
}

/// The end of the last turn (§M-2).
pub fn finish(t: &mut Table) {
    let score = score(t);
    let winner = match score.first.cmp(&score.second) {
        std::cmp::Ordering::Less => Some(Side::Second),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Side::First),
    };
    // Quick stops are the main scenario, and only that one can be won outright.
    let rule = if rules(t).automatic.is_some() {
        rule!("O")
    } else {
        rule!("N")
    };
    t.end(Verdict {
        winner,
        how: format!("{} to {}", score.first, score.second).into(),
        rule,
    });
}
