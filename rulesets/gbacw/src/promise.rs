//! What choices open of which nothing is seen on the map yet: orders, posture, fronts, rallies. Reckoned in men, for players who know
//! no rule by name. All of it is house: rules of thumb of officers, not of the rulebook.

use crate::acts::Do;
use crate::facing::{Arc, Facing, arc_of_fire};
use crate::field::Field;
use crate::rally::may_rally;
use crate::state::{Deed, Frame, Land, Order};
use crate::{cohesion, deploy, entry};
use cupola_ground::Cover;
use cupola_kernel::{HexId, Promise, Side, Table, UnitId};

/// Men of a strength point.
const MEN: u32 = 50;
/// Hexes from an enemy within which an attack can come up to him.
const CHARGE: u32 = 4;
/// Hexes from which on an enemy's fire and charge are felt.
const FELT: u32 = 6;
/// Hexes from any enemy from which on columns march and men rest.
const SAFE: u32 = 15;
/// Activations that a brigade has in a turn.
const TURNS: i32 = 2;
/// Of so many men one falls where two lines meet.
const TOLL: u32 = 6;

/// What an answer opens.
#[must_use]
pub fn promise(t: &Table, frame: &Frame, answer: Do) -> Option<Promise> {
    let field = Field::new(t);
    match (*frame, answer) {
        (Frame::Orders(_), Do::March(token)) => Some(march(field, field.brigade_of(token), 1)),
        (Frame::Orders(_), Do::Reserve(token)) => Some(rest(field, field.brigade_of(token))),
        (Frame::Orders(_), Do::Lift(token)) => Some(lift(field, field.brigade_of(token))),
        (Frame::Posture(brigade, _), Do::Attack) => Some(attack(field, brigade)),
        (Frame::Attach(_), Do::Attach(brigade, _)) => {
            // Guns that go with nobody go with a division; those that do stay with it.
            let with = field.wear(field.brigade_of(brigade)).with;
            Some(men_back(u32::from(with.is_none())))
        }
        (Frame::Attach(_), Do::Detach(_)) => Some(Promise::default()),
        (Frame::Brigades | Frame::Ahead(..), Do::Brigade(token)) => {
            Some(comes_first(field, &[field.brigade_of(token)]))
        }
        (
            Frame::Open(_) | Frame::Interrupt(..) | Frame::Favour(_),
            Do::Marker(token) | Do::Favour(token),
        ) => {
            let mut all = field.rules.formations.iter();
            let formation = all.find(|formation| formation.token == token)?;
            Some(comes_first(field, &formation.brigades))
        }
        (Frame::Units(_), Do::Unit(unit)) => idle(field, unit),
        (Frame::Act(unit, ..), Do::To(hex)) => closes(field, unit, hex),
        (Frame::Act(unit, ..), Do::Rally) => Some(rally(field, unit)),
        (Frame::Act(unit, ..) | Frame::Face(unit, ..), Do::Mount) => Some(mount(field, unit)),
        (Frame::Act(unit, ..), Do::Face(corner) | Do::Refuse(corner, _)) => {
            let facing = field.facing_of(corner);
            turn(field, unit, t.hex(unit)?, facing, FELT)
        }
        (Frame::Face(unit, ..), Do::Face(corner) | Do::Refuse(corner, _)) => {
            let facing = field.facing_of(corner);
            turn(field, unit, t.hex(unit)?, facing, u32::MAX)
        }
        (Frame::Deploy(side), Do::Face(corner)) => {
            let hex = deploy::open_hex(t, side)?;
            let unit = field.fighters(hex).next()?;
            turn(field, unit, hex, field.facing_of(corner), u32::MAX)
        }
        (Frame::React(_), Do::Turn(hex, corner)) => {
            let unit = field.fighters(hex).next()?;
            turn(field, unit, hex, field.facing_of(corner), FELT)
        }
        (Frame::React(_), Do::Withdraw(unit)) => Some(withdrawal(field, unit)),
        (Frame::Dig(_), Do::Dig(hex)) => dig(field, hex),
        (Frame::Dig(_), Do::DigRound(..)) => Some(Promise::default()),
        _ => None,
    }
}

fn men_back(back: u32) -> Promise {
    Promise {
        back,
        ..Promise::default()
    }
}

/// The units of a brigade on the map.
fn units(field: Field<'_>, brigade: u16) -> impl Iterator<Item = UnitId> + Clone + '_ {
    let brigade = field.rules.brigades.get(usize::from(brigade));
    let units = brigade.map_or(&[][..], |brigade| &brigade.units[..]);
    let here = units.iter().copied();
    here.filter(move |&unit| field.t.hex(unit).is_some())
}

/// Who speaks for a brigade: the first of those who are there, or who come.
fn speaker(field: Field, brigade: u16) -> Option<UnitId> {
    let all = field.rules.brigades.get(usize::from(brigade))?;
    units(field, brigade)
        .next()
        .or_else(|| all.units.first().copied())
}

fn men(field: Field, unit: UnitId) -> u32 {
    u32::from(field.sp(unit)) * MEN
}

/// Hexes to the nearest enemy.
fn to_enemy(field: Field, side: Side, hex: HexId) -> u32 {
    let board = field.t.board();
    let enemies = field.on_map(side.other());
    let far = enemies.map(|(_, enemy)| board.distance(enemy, hex));
    far.min().unwrap_or(u32::MAX)
}

/// Hexes from a brigade to the nearest enemy; of one that is not there none.
fn apart(field: Field, brigade: u16) -> Option<u32> {
    let side = field.rules.brigades.get(usize::from(brigade))?.side;
    let hexes = units(field, brigade).filter_map(|unit| field.t.hex(unit));
    hexes.map(|hex| to_enemy(field, side, hex)).min()
}

/// The same of one that comes by a road onto the map: from where it enters.
fn apart_at_the_gate(field: Field, brigade: u16) -> Option<u32> {
    let this = field.rules.brigades.get(usize::from(brigade))?;
    let mut gates = this
        .units
        .iter()
        .filter_map(|&unit| entry::arrives(field.t, unit));
    let (_, gate) = gates.next()?;
    let hexes = gate.hexes.iter();
    hexes.map(|&hex| to_enemy(field, this.side, hex)).min()
}

/// Metres that a brigade goes in a turn over open ground.
fn pace(field: Field, brigade: u16) -> i32 {
    let Some(unit) = speaker(field, brigade) else {
        return 0;
    };
    let board = field.t.board();
    let mut hexes = board.hexes();
    let pitch = hexes.next().and_then(|hex| {
        let (_, next) = board.neighbours(hex).next()?;
        let (a, b) = (board.centre(hex), board.centre(next));
        Some((a.x - b.x).abs().max((a.y - b.y).abs()) / 100)
    });
    let points = field.rules.allowance(unit, field.mounted(unit)) / 2;
    pitch.unwrap_or(0) * i32::from(points) * TURNS
}

/// §4.32: a column goes about twice as far on roads; where an enemy is near it is caught (§4.33).
fn march(field: Field, brigade: u16, sign: i32) -> Promise {
    let far = apart(field, brigade).or_else(|| apart_at_the_gate(field, brigade));
    let near = far.is_some_and(|far| far <= SAFE);
    let all = field.rules.brigades.get(usize::from(brigade));
    let all = all.map_or(&[][..], |brigade| &brigade.units[..]).iter();
    let column = all.filter(|&&unit| field.t.hex(unit).is_some() || entry::due(field.t, unit));
    let caught: u32 = column.map(|&unit| men(field, unit) / 4).sum();
    Promise {
        by: speaker(field, brigade),
        stride: pace(field, brigade) * sign,
        back: if near && sign < 0 { caught } else { 0 },
        spent: if near && sign > 0 { caught } else { 0 },
        ..Promise::default()
    }
}

/// Men of a brigade whose order is restored by a rest (§4.34): a quarter of what they are worth.
fn restored(field: Field, brigade: u16) -> u32 {
    let shaken = units(field, brigade).filter(|&unit| field.status(unit).disordered);
    shaken.map(|unit| men(field, unit) / 4).sum()
}

/// §4.34: who rests puts himself in order, and goes nowhere.
fn rest(field: Field, brigade: u16) -> Promise {
    Promise {
        by: speaker(field, brigade),
        back: restored(field, brigade),
        stride: -pace(field, brigade),
        ..Promise::default()
    }
}

/// §4.35: who is under orders and near an enemy is better without; who has rested goes on.
fn lift(field: Field, brigade: u16) -> Promise {
    if field.wear(brigade).order == Order::March {
        return march(field, brigade, -1);
    }
    let near = apart(field, brigade).is_some_and(|far| far <= SAFE);
    let ready: u32 = units(field, brigade).map(|unit| men(field, unit) / 8).sum();
    Promise {
        by: speaker(field, brigade),
        back: if near { ready } else { 0 },
        spent: restored(field, brigade),
        stride: pace(field, brigade),
        ..Promise::default()
    }
}

/// What those count for who stand in a hex: half again as much behind cover or works.
fn stands(field: Field, unit: UnitId, hex: HexId) -> u32 {
    let shelter = matches!(
        field.t.board().cover(hex),
        Cover::Woods | Cover::Town | Cover::Rocks
    ) || field.t.res::<Land>().works_at(hex).is_some();
    let strength = men(field, unit) / if field.status(unit).disordered { 2 } else { 1 };
    if shelter { strength * 3 / 2 } else { strength }
}

/// Men that both sides lose if a brigade goes at those it can reach, with whoever stands by it (§5.14).
fn attack(field: Field, brigade: u16) -> Promise {
    let board = field.t.board();
    let side = field.rules.brigades[usize::from(brigade)].side;
    let ours = || units(field, brigade).filter_map(|unit| field.t.hex(unit));
    let near = |hex: HexId| ours().any(|at| board.distance(at, hex) <= CHARGE);
    let theirs = || field.on_map(side.other()).filter(|&(_, hex)| near(hex));
    let stand: u32 = theirs().map(|(unit, hex)| stands(field, unit, hex)).sum();
    if stand == 0 {
        return Promise::default();
    }
    // Who is too far off to come up does not take part, though he be of the brigade: it goes nearer first.
    let comes_up = |hex: HexId| theirs().any(|(_, at)| board.distance(at, hex) <= CHARGE);
    let with = field.on_map(side).filter(|&(_, hex)| comes_up(hex));
    let with: u32 = with.map(|(unit, _)| men(field, unit)).sum();
    Promise {
        by: speaker(field, brigade),
        theirs: with / TOLL,
        spent: stand / TOLL,
        ..Promise::default()
    }
}

/// §5.15: who attacks goes up to the enemy; his officers have weighed that already.
fn closes(field: Field, unit: UnitId, hex: HexId) -> Option<Promise> {
    let attacks = field.deed(unit).any(Deed::ATTACKS);
    let side = field.card(unit).side;
    (attacks && field.near_enemy(side, hex)).then(|| Promise {
        by: Some(unit),
        theirs: men(field, unit) / TOLL * 2,
        besides: true,
        ..Promise::default()
    })
}

/// Those near the enemy act before those behind them.
fn comes_first(field: Field, brigades: &[u16]) -> Promise {
    let far = brigades.iter().filter_map(|&brigade| apart(field, brigade));
    men_back(100 - far.min().unwrap_or(98).min(98))
}

/// What a unit that goes nowhere can do: rally or look to the enemy.
fn idle(field: Field, unit: UnitId) -> Option<Promise> {
    let hex = field.t.hex(unit).filter(|_| field.rules.fights(unit))?;
    let rallies = may_rally(field, unit).is_ok();
    let rally = if rallies { rally(field, unit).back } else { 0 };
    let turns = Facing::ALL.into_iter();
    let turns = turns.filter_map(|facing| turn(field, unit, hex, facing, FELT));
    let turn = turns.map(|promise| promise.back).max().unwrap_or(0);
    Some(Promise {
        besides: true,
        ..men_back(rally.max(turn))
    })
}

/// §8.1: who rallies gets back the quarter that disorder takes, if he does.
fn rally(field: Field, unit: UnitId) -> Promise {
    let chances = (0..10).filter(|&die| cohesion::passes(field, unit, die, 0));
    men_back(men(field, unit) * chances.count() as u32 / 40)
}

/// §9.11: in the saddle one goes farther, on foot one fights.
fn mount(field: Field, unit: UnitId) -> Promise {
    let (side, mounted) = (field.card(unit).side, field.mounted(unit));
    let far = field.t.hex(unit).map(|hex| to_enemy(field, side, hex));
    let near = far.is_some_and(|far| far <= FELT);
    let rules = field.rules;
    let more = rules.allowances.horse.saturating_sub(rules.allowances.foot);
    Promise {
        by: Some(unit),
        back: if near && mounted {
            men(field, unit) / 8
        } else {
            0
        },
        spent: if near && !mounted {
            men(field, unit) / 8
        } else {
            0
        },
        stride: i32::from(more) * 50 * TURNS * if mounted { -1 } else { 1 },
        ..Promise::default()
    }
}

/// What it is worth to look somewhere else: enemies before one instead of beside one or behind (§5.32, §6.35).
fn turn(field: Field, unit: UnitId, hex: HexId, facing: Facing, within: u32) -> Option<Promise> {
    let (board, side) = (field.t.board(), field.card(unit).side);
    let at = board.axial(hex);
    let now = field.status(unit).facing;
    if now == facing {
        return Some(Promise::default());
    }
    let mut gain = 0i64;
    for (enemy, from) in field.on_map(side.other()) {
        let from = board.axial(from);
        let far = from.distance(at).max(1);
        if far > within {
            continue;
        }
        // Men who are hit from the side count twice, from behind three times (house).
        let hurt = |facing: Facing| match arc_of_fire(from, at, |side| facing.arc(side)) {
            Arc::Front => -i64::from(facing.covers(at, from)),
            Arc::Flank => 1,
            Arc::Rear => 2,
        };
        let weight = i64::from(men(field, enemy)) * 4 / i64::from(far * far);
        // Who is too far off to hurt anybody need not be looked at.
        if weight > 0 {
            gain += weight * (hurt(now) - hurt(facing));
        }
    }
    let gain = gain / i64::from(TOLL);
    let whole = |gain: i64| gain.clamp(0, 1_000_000) as u32;
    Some(Promise {
        back: whole(gain),
        spent: whole(-gain),
        ..Promise::default()
    })
}

/// §5.53: who goes back without a fight may do so in disorder, and gives up what he came for.
fn withdrawal(field: Field, unit: UnitId) -> Promise {
    let fails = (0..10).filter(|&die| !cohesion::passes(field, unit, die, 0));
    let works = field
        .t
        .hex(unit)
        .is_some_and(|hex| field.t.res::<Land>().works_at(hex).is_some());
    let share = fails.count() as u32 + if works { 10 } else { 0 };
    Promise {
        by: Some(unit),
        spent: men(field, unit) * (4 + share) / 40,
        besides: true,
        ..Promise::default()
    }
}

/// §10.13: works are for those who mean to stay.
fn dig(field: Field, hex: HexId) -> Option<Promise> {
    let unit = field.fighters(hex).next()?;
    let there: u32 = field.fighters(hex).map(|unit| men(field, unit)).sum();
    Some(Promise {
        by: Some(unit),
        back: there / 10,
        stride: -pace(field, field.card(unit).brigade),
        ..Promise::default()
    })
}
