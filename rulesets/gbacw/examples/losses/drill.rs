//! What soldiers of 1863 do without being told, and what a player who sees the map alone cannot know: whoever plays steady
//! games of this ruleset to learn about its numbers wants troops who face the enemy.

use cupola_gbacw::acts::Do;
use cupola_gbacw::facing::Facing;
use cupola_gbacw::field::Field;
use cupola_gbacw::state::{Deed, Frame, Stack};
use cupola_kernel::{Act, Acts, Game, HexId, Side, UnitId};

/// Hexes from an enemy within which an attack can come up to him.
const CHARGE: u32 = 4;
/// Hexes from any enemy from which on columns march.
const SAFE: u32 = 15;

/// The answer to a question that drill answers.
pub fn answer(game: &Game) -> Option<Act> {
    let (t, field) = (game.table(), Field::new(game.table()));
    let decision = game.decision()?;
    let options = || {
        let all = decision.options.iter();
        all.filter_map(|&act| Some((Do::from_act(act)?, act)))
    };
    let chosen = match *t.res::<Stack>().frames.last()? {
        Frame::Orders(_) => options().find(|(act, _)| sends(field, *act)),
        Frame::Posture(brigade, _) => {
            let posture = if attacks(field, brigade) {
                Do::Attack
            } else {
                Do::Normal
            };
            options().find(|(act, _)| *act == posture)
        }
        // They begin where the list has them.
        Frame::Deploy(_) if options().any(|(act, _)| act == Do::Done) => {
            options().find(|(act, _)| *act == Do::Done)
        }
        Frame::Deploy(side) => faces(field, side, open_hex(field, side)?, options()),
        Frame::React(mover) => stands(field, mover, options()),
        Frame::Face(unit, ..) => faces(field, field.card(unit).side, t.hex(unit)?, options()),
        Frame::Units(_) => follows(field, options()),
        Frame::Act(unit, ..) if !field.rules.fights(unit) => rides(field, unit, options()),
        _ => None,
    };
    chosen.map(|(_, act)| act)
}

fn to_enemy(field: Field, side: Side, hex: HexId) -> u32 {
    let enemies = field.on_map(side.other());
    let far = enemies.map(|(_, at)| field.t.board().distance(at, hex));
    far.min().unwrap_or(u32::MAX)
}

fn men(field: Field, brigade: u16) -> impl Iterator<Item = HexId> {
    let units = field.rules.brigades[usize::from(brigade)].units.iter();
    units.filter_map(move |&unit| field.t.hex(unit))
}

/// March Orders far from any enemy, and off again where one is near; nobody rests.
fn sends(field: Field, act: Do) -> bool {
    let near = |token, far: u32| {
        let brigade = field.brigade_of(token);
        let side = field.rules.brigades[usize::from(brigade)].side;
        men(field, brigade).any(|hex| to_enemy(field, side, hex) <= far)
    };
    match act {
        Do::March(token) => !near(token, SAFE),
        Do::Lift(token) => near(token, SAFE),
        Do::Done => true,
        _ => false,
    }
}

/// A brigade attacks whom it can reach if those near it are as strong as those they meet.
fn attacks(field: Field, brigade: u16) -> bool {
    let (board, side) = (
        field.t.board(),
        field.rules.brigades[usize::from(brigade)].side,
    );
    let near = |hex: HexId| men(field, brigade).any(|at| board.distance(at, hex) <= CHARGE);
    let strength = |side: Side| -> u32 {
        let there = field.on_map(side).filter(|&(_, hex)| near(hex));
        there.map(|(unit, _)| u32::from(field.sp(unit))).sum()
    };
    let theirs = strength(side.other());
    theirs > 0 && strength(side) >= theirs
}

/// The next hex of a set-up that has no facing yet.
fn open_hex(field: Field, side: Side) -> Option<HexId> {
    let open = field.on_map(side).filter(|&(unit, _)| {
        let start = &field.rules.starts[usize::from(unit.0)];
        start.facing.is_none() && !field.deed(unit).any(Deed::ACTED)
    });
    open.map(|(_, hex)| hex).min()
}

/// To the enemy.
fn faces(
    field: Field,
    side: Side,
    hex: HexId,
    options: impl Iterator<Item = (Do, Act)>,
) -> Option<(Do, Act)> {
    let board = field.t.board();
    let before = |facing: Facing| -> u32 {
        let front = facing.front().into_iter();
        let ways = front.map(|side| cupola_ground::Direction::ALL[usize::from(side)]);
        ways.map(|way| {
            let next = board.neighbour(hex, way);
            next.map_or(1000, |next| to_enemy(field, side, next).min(1000))
        })
        .sum()
    };
    let turns = options.filter_map(|(act, choice)| match act {
        Do::Face(corner) => Some((before(field.facing_of(corner)), act, choice)),
        _ => None,
    });
    turns
        .min_by_key(|(far, ..)| *far)
        .map(|(_, act, choice)| (act, choice))
}

/// Leaders go last, and go.
fn follows(field: Field, options: impl Iterator<Item = (Do, Act)>) -> Option<(Do, Act)> {
    let mut leader = None;
    for (act, choice) in options {
        match act {
            Do::Unit(unit) if field.rules.fights(unit) => return None,
            Do::Unit(_) => leader = leader.or(Some((act, choice))),
            _ => {}
        }
    }
    leader
}

/// Men turn to an enemy who comes round, and stand: nobody is told to withdraw.
fn stands(
    field: Field,
    mover: UnitId,
    options: impl Iterator<Item = (Do, Act)>,
) -> Option<(Do, Act)> {
    let board = field.t.board();
    let at = board.axial(field.t.hex(mover)?);
    let sees = |facing: Facing, hex: HexId| facing.covers(board.axial(hex), at);
    let mut stay = None;
    for (act, choice) in options {
        match act {
            Do::Turn(hex, corner)
                if !sees(field.facing(hex), hex) && sees(field.facing_of(corner), hex) =>
            {
                return Some((act, choice));
            }
            Do::Done => stay = Some((act, choice)),
            _ => {}
        }
    }
    stay
}

/// To where most of his men are near.
fn rides(
    field: Field,
    leader: UnitId,
    options: impl Iterator<Item = (Do, Act)>,
) -> Option<(Do, Act)> {
    let (t, side) = (field.t, field.card(leader).side);
    let his = field
        .on_map(side)
        .filter(|&(unit, _)| field.card(unit).chain.contains(&leader));
    let his: Vec<HexId> = his.map(|(_, hex)| hex).collect();
    let apart = |hex: HexId| -> u32 { his.iter().map(|&at| t.board().distance(at, hex)).sum() };
    let here = t.hex(leader).map(apart);
    let goes = options.filter_map(|(act, choice)| match act {
        Do::To(hex) if his.contains(&hex) => Some((apart(hex), act, choice)),
        Do::Stay => Some((here?, act, choice)),
        _ => None,
    });
    goes.min_by_key(|(far, ..)| *far)
        .map(|(_, act, choice)| (act, choice))
}
