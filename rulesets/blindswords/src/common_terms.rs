//! blindswords in terms that all rulesets share: men lost, ground held, who is ahead.
//!
//! A battleworn side has fewer strength points than the fresh one, and a strength point is a hundred men or a
//! gun (facts C.1): so much is lost. `tables.ron` says what a broken unit has lost.

use crate::field::{Field, rules};
use crate::rules::{Kind, Victory};
use crate::state::boxes;
use crate::tables::{Clash, Effect, Flight, Hit};
use crate::victory::score;
use cupola_kernel::{Fight, Outcome, Place, Presence, Prize, Standing, Table, Toll, UnitId};

/// How every unit stands.
pub fn standings(t: &Table) -> impl Iterator<Item = Standing> + '_ {
    let field = Field::new(t);
    t.units().map(move |unit| {
        let worn = if field.status(unit).worn {
            worn_share(field, unit)
        } else {
            0
        };
        let (lost, presence) = match t.stacks().place(unit) {
            Place::Hex(_) => (worn, Presence::Fights),
            Place::Box(boxes::BROKEN) => (field.rules.broken_lost, Presence::Gone),
            Place::Box(boxes::OUT) => (0, Presence::Gone),
            Place::Box(_) => (worn, Presence::Awaited),
        };
        Standing { lost, presence }
    })
}

/// The share that is missing from a battleworn side; cavalry turns its counter for other reasons.
fn worn_share(field: Field, unit: UnitId) -> u16 {
    let card = field.card(unit);
    let [fresh, worn] = card
        .sp
        .map(|printed| u16::from(printed.max(0).unsigned_abs()));
    if card.kind == Kind::Horse || fresh == 0 {
        return 0;
    }
    fresh.saturating_sub(worn) * 1000 / fresh
}

/// Forty points, or all the places of the tutorial, are a clear win.
#[must_use]
pub fn margin(t: &Table) -> i32 {
    let (score, clear) = (
        score(t),
        match &rules(t).victory {
            Victory::Points => 40,
            Victory::Hexes(wanted) => wanted.len().max(1) as i32,
        },
    );
    (score.first - score.second) * 1000 / clear
}

/// What results cost these units.
fn cost(t: &Table, units: &[UnitId], effect: impl Fn(usize) -> Effect) -> (u32, bool) {
    let (field, mut men, mut yields) = (Field::new(t), 0, false);
    for (i, &unit) in units.iter().enumerate() {
        let (effect, worn) = (effect(i), field.status(unit).worn);
        let now = worn_share(field, unit);
        let share = match effect.hit {
            Hit::None | Hit::Shaken => 0,
            Hit::Depleted if !worn => now,
            // Some battleworn sides have lost more already than a broken unit is said to have.
            Hit::Depleted | Hit::Broken => {
                let before = if worn { now } else { 0 };
                field.rules.broken_lost.saturating_sub(before)
            }
        };
        men += t.info(unit).men * u32::from(share) / 1000;
        // A shaken unit costs its owner a rally: worth a fiftieth of its men.
        men += u32::from(effect.hit == Hit::Shaken) * t.info(unit).men / 50;
        yields |= effect.hit == Hit::Broken || matches!(effect.flight, Flight::Must(_));
    }
    (men, yields)
}

/// What a fire costs: a result for each target.
#[must_use]
pub fn fire_toll(t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
    let code = |i: usize| outcome.details.get(i).copied().unwrap_or(0);
    let (defender, yields) = cost(t, &fight.defenders, |i| Effect::from_code(code(i)));
    Toll {
        attacker: 0,
        defender,
        yields,
    }
}

/// What an assault costs: one result for one of the sides; in a close fight both are shaken at the least.
#[must_use]
pub fn assault_toll(t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
    let matrix = &rules(t).charts.matrix;
    let result = matrix[usize::from(outcome.code / 6) % 6][usize::from(outcome.code % 6)];
    let (ours, theirs) = match result {
        Clash::Close => (Effect::SHAKEN, Effect::SHAKEN),
        Clash::Attacker(effect) => (effect, Effect::NONE),
        Clash::Defender(effect) => (Effect::NONE, effect),
    };
    let (attacker, _) = cost(t, &fight.attackers, |_| ours);
    let (defender, yields) = cost(t, &fight.defenders, |_| theirs);
    Toll {
        attacker,
        defender,
        yields,
    }
}

/// The places that count, as [`margin`] counts them: each hex of a place for its share.
pub fn prizes(t: &Table, out: &mut Vec<Prize>) {
    let rules = rules(t);
    let (clear, counts): (i32, Vec<usize>) = match &rules.victory {
        Victory::Points => (40, (0..rules.prizes.len()).collect()),
        Victory::Hexes(wanted) => (wanted.len().max(1) as i32, wanted.clone()),
    };
    for prize in counts.into_iter().filter_map(|at| rules.prizes.get(at)) {
        let points = match &rules.victory {
            Victory::Points => prize.points,
            Victory::Hexes(_) => 1,
        };
        let share = points * 1000 / clear / prize.hexes.len().max(1) as i32;
        out.extend(prize.hexes.iter().map(|&watch| Prize {
            hex: rules.watched[usize::from(watch)],
            worth: share,
            held: Some(crate::victory::holder(t, watch)),
        }));
    }
}
