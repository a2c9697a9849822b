//! What an order opens of which nothing is seen on the map yet (§H), in men: for players who know no rule by name. All of it is
//! house: rules of thumb of officers, not of the rulebook.

use crate::acts::Do;
use crate::command::any_active;
use crate::field::Field;
use crate::rules::Order;
use crate::state::Frame;
use crate::units::Units;
use cupola_ground::Cover;
use cupola_kernel::{HexId, Promise, Side, UnitId};

/// Hexes from an enemy within which an attack can come up to him, and muskets reach him.
const CHARGE: u8 = 4;
const SHOT: u8 = 2;
/// Of so many men one falls where two lines meet, and of so many who fire one enemy.
const TOLL: u32 = 8;
const FIRE: u32 = 40;
/// Points of an attack over open ground, and how many more those have who manoeuvre (§H).
const POINTS: i32 = 5;
const MORE: i32 = 3;

/// What an answer opens.
#[must_use]
pub fn promise(field: Field, frame: &Frame, answer: Do) -> Option<Promise> {
    let rules = field.rules;
    match (*frame, answer) {
        (Frame::Orders(side, units), Do::Order(token)) => {
            Some(under(field, side, units, rules.order_of(token)?))
        }
        (Frame::Formation(side, ..) | Frame::Brigades(side, _), Do::Brigade(token)) => {
            let units = rules.brigades[rules.brigade_of(token)?].units;
            Some(best(field, side, units))
        }
        (Frame::Formation(side, ..), Do::Division(token) | Do::Separate(token)) => {
            let units = rules.divisions[rules.division_of(token)?].units;
            let promise = best(field, side, units);
            // Each brigade under its own order can do all that they can do together.
            let freer = u32::from(matches!(answer, Do::Separate(_)));
            Some(Promise {
                back: promise.back + freer,
                ..promise
            })
        }
        (Frame::Formation(..), Do::Guns(token)) => {
            let units = rules.brigades[rules.brigade_of(token)?].units;
            Some(Promise {
                by: units.first(),
                back: count(field, units) / FIRE,
                ..Promise::default()
            })
        }
        _ => None,
    }
}

/// The best that any order opens to a formation.
fn best(field: Field, side: Side, units: Units) -> Promise {
    let gain = |promise: &Promise| {
        let [theirs, back, spent] = [promise.theirs, promise.back, promise.spent].map(i64::from);
        theirs + back - spent
    };
    let orders = [Order::Attack, Order::Defend];
    let orders = orders.map(|order| under(field, side, units, order));
    let best = orders.into_iter().max_by_key(gain);
    let best = best.filter(|promise| gain(promise) > 0);
    best.unwrap_or_else(|| under(field, side, units, Order::Maneuver))
}

/// What an order opens to a formation.
fn under(field: Field, side: Side, units: Units, order: Order) -> Promise {
    let here = units.filter(|unit| any_active(field, Units::one(unit)));
    let by = here.into_iter().max_by_key(|&unit| men(field, unit));
    let close = |within: u8| {
        here.filter(|unit| {
            let hex = field.t.hex(unit);
            hex.is_some_and(|hex| to_enemy(field, side, hex) <= within)
        })
    };
    let pace = field.t.board().pitch_by_axis() as i32;
    match order {
        Order::Attack => attack(field, side, close(CHARGE), by),
        Order::Defend => Promise {
            by,
            // A column better, and nothing is risked for it.
            back: count(field, close(SHOT)) / FIRE + steadied(field, side, here),
            stride: -pace * POINTS,
            ..Promise::default()
        },
        Order::Maneuver => Promise {
            by,
            stride: pace * MORE,
            // Nobody fires, and who is near the enemy stays there with his back to him.
            spent: count(field, close(SHOT)) / FIRE * 2,
            ..Promise::default()
        },
        Order::None => Promise::default(),
    }
}

/// Men that both sides lose if those who can go at the enemy do, with fire before it.
fn attack(field: Field, side: Side, able: Units, by: Option<UnitId>) -> Promise {
    let near = |hex: HexId| {
        able.into_iter()
            .filter_map(|unit| field.t.hex(unit))
            .any(|at| field.rules.distance(at, hex) <= CHARGE)
    };
    let foes = field
        .on_map(side.other())
        .filter(|&(unit, hex)| !field.status(unit).frozen && near(hex));
    let foes: u32 = foes.map(|(unit, hex)| stands(field, unit, hex)).sum();
    if foes == 0 {
        return Promise::default();
    }
    let ours = count(field, able);
    Promise {
        by,
        theirs: ours / TOLL + ours / FIRE,
        spent: foes / TOLL,
        ..Promise::default()
    }
}

/// Men who shake it off under Defend (§L): a quarter of what they are worth.
fn steadied(field: Field, side: Side, units: Units) -> u32 {
    let shaken = units.filter(|unit| {
        let hex = field.t.hex(unit);
        field.status(unit).shaken && hex.is_some_and(|hex| !field.beside_enemy(side, hex))
    });
    count(field, shaken) / 4
}

/// A unit's men, its guns as fifty each.
fn men(field: Field, unit: UnitId) -> u32 {
    let info = field.t.info(unit);
    info.men + 50 * info.guns
}

fn count(field: Field, units: Units) -> u32 {
    units.into_iter().map(|unit| men(field, unit)).sum()
}

/// What a unit counts for where it stands: half again as much in cover.
fn stands(field: Field, unit: UnitId, hex: HexId) -> u32 {
    let cover = field.t.board().cover(hex);
    let men = men(field, unit);
    match cover {
        Cover::Woods | Cover::Town | Cover::Rocks => men * 3 / 2,
        _ => men,
    }
}

/// Hexes to the nearest enemy.
fn to_enemy(field: Field, side: Side, hex: HexId) -> u8 {
    let enemies = field.on_map(side.other());
    let far = enemies.map(|(_, enemy)| field.rules.distance(hex, enemy));
    far.min().unwrap_or(u8::MAX)
}
