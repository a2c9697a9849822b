//! What could be, as far as a seat knows: hidden blocks change places among themselves, and strengths.

use crate::cavalry;
use crate::chain;
use crate::field::rules;
use crate::rules::Card;
use crate::state::{Block, Chosen, Melees, Ride, Wounds, army, boxes, flag};
use crate::view::knows;
use cupola_kernel::{About, Dice, Place, Seat, Side, Table, UnitId};

/// Deals the hidden blocks anew. True: there is always something hidden.
pub fn shuffle(t: &mut Table, seat: Seat, dice: &mut dyn Dice) -> bool {
    shuffle_but(t, seat, &[], dice)
}

/// Deals the hidden blocks anew, but for some that stay as they are: those about to be shown, if one wants
/// to know whether what is shown depends on anything else.
pub fn shuffle_but(t: &mut Table, seat: Seat, held: &[UnitId], dice: &mut dyn Dice) -> bool {
    for side in Side::BOTH {
        if !seat.sees(side) {
            deal(t, seat, side, held, dice);
        }
    }
    seat != Seat::Umpire
}

/// What a hidden block is engaged in that not every block could do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    /// It was chosen for something that only its like can do.
    Chosen,
    /// It was chosen for something that any block can do.
    Moves,
    /// It must fall back.
    Repulsed,
    /// It attacks into a melee.
    Attacks,
}

fn task(t: &Table, unit: UnitId) -> Option<Task> {
    let (attacks, chosen) = (&t.res::<Melees>().attacks, t.res::<Chosen>());
    if chosen.unit == Some(unit) {
        Some(if chosen.anyone {
            Task::Moves
        } else {
            Task::Chosen
        })
    } else if t.res::<Wounds>().repulsed == Some(unit) {
        Some(Task::Repulsed)
    } else if attacks.iter().any(|attack| attack.unit == unit) {
        Some(Task::Attacks)
    } else {
        None
    }
}

/// Whether one block could have the task of another as well.
fn could_do(task: Task, one: &Card, other: &Card) -> bool {
    match task {
        Task::Chosen => {
            (one.kind, one.fire, one.moves) == (other.kind, other.fire, other.moves)
                && one.free == other.free
        }
        Task::Repulsed | Task::Moves => true,
        Task::Attacks => other.may_attack(),
    }
}

/// Two hidden blocks change places, states and tasks.
fn trade(t: &mut Table, one: UnitId, other: UnitId) {
    if one == other {
        return;
    }
    exchange(t, one, other);
    let rename = |unit: &mut UnitId| {
        if *unit == one {
            *unit = other;
        } else if *unit == other {
            *unit = one;
        }
    };
    t.res_mut::<Chosen>().unit.iter_mut().for_each(rename);
    t.res_mut::<Wounds>().repulsed.iter_mut().for_each(rename);
    let attacks = t.res_mut::<Melees>().attacks.iter_mut();
    attacks.for_each(|attack| rename(&mut attack.unit));
}

/// Who was sent for is on his way: the timetable and his commission say when he comes, for everybody to read (§4.6).
fn expected(t: &Table) -> Option<UnitId> {
    let deputy = chain::deputy(t).filter(|_| rules(t).switches.deputy_sent);
    deputy.filter(|&unit| t.stacks().place(unit) == Place::Box(boxes::TRACK))
}

/// The blocks that have a task: few have, and bots ask for many.
fn engaged(t: &Table) -> Vec<UnitId> {
    let attackers = t.res::<Melees>().attacks.iter().map(|attack| attack.unit);
    let (chosen, repulsed) = (t.res::<Chosen>().unit, t.res::<Wounds>().repulsed);
    attackers.chain(chosen).chain(repulsed).collect()
}

/// Two hidden blocks without a task change places and states.
fn exchange(t: &mut Table, one: UnitId, other: UnitId) {
    let (here, there) = (t.stacks().place(one), t.stacks().place(other));
    if here != there {
        // Both are of one side and places stay as full as they were, so the field does not change.
        t.place(one, there);
        t.place(other, here);
    }
    if one != other {
        let (a, b) = (*t.get::<Block>(one), *t.get::<Block>(other));
        *t.get_mut(one) = b;
        *t.get_mut(other) = a;
    }
}

/// The hidden blocks of a side in some places.
fn hidden(
    t: &Table,
    seat: Seat,
    side: Side,
    held: &[UnitId],
    at: fn(Place) -> bool,
) -> Vec<UnitId> {
    let (own, expected) = (rules(t).own[side].iter().copied(), expected(t));
    own.filter(|&unit| at(t.stacks().place(unit)) && !knows(t, seat, unit))
        .filter(|&unit| !held.contains(&unit) && expected != Some(unit))
        .collect()
}

fn deal(t: &mut Table, seat: Seat, side: Side, held: &[UnitId], dice: &mut dyn Dice) {
    let hidden = hidden(t, seat, side, held, |place| {
        matches!(
            place,
            Place::Hex(_) | Place::Box(boxes::TRACK | boxes::OFF_BOARD)
        )
    });
    let mut busy = engaged(t);
    for &unit in &hidden {
        let Some(task) = busy.contains(&unit).then(|| task(t, unit)).flatten() else {
            continue;
        };
        let card = *rules(t).card(unit);
        let fits = |other: &UnitId| could_do(task, &card, rules(t).card(*other));
        let others: Vec<UnitId> = hidden.iter().copied().filter(fits).collect();
        let other = others[dice.pick(others.len(), "imagine", About::Side(side))];
        trade(t, unit, other);
        busy = engaged(t);
    }
    let mut free = hidden.clone();
    free.retain(|unit| !busy.contains(unit));
    deal_anew(t, &free, side, dice);
    for unit in hidden {
        let task = busy.contains(&unit).then(|| task(t, unit)).flatten();
        rate(t, unit, task, dice);
    }
    deal_orders(t, seat, side, held, dice);
    let active = army(t).with(flag::ACTIVE).next().is_some();
    if t.player_turn() == Some(side) && active {
        chain::mark_commanded(t);
    }
}

/// Blocks without a task change places and states among themselves.
fn deal_anew(t: &mut Table, free: &[UnitId], side: Side, dice: &mut dyn Dice) {
    let own = |&unit: &UnitId| (t.stacks().place(unit), *t.get::<Block>(unit));
    let mut dealt: Vec<(Place, Block)> = free.iter().map(own).collect();
    for i in (1..free.len()).rev() {
        dealt.swap(i, dice.pick(i + 1, "imagine", About::Side(side)));
    }
    // All are of one side and places are as full as they were in the end, so the field does not change.
    for (&unit, (place, block)) in free.iter().zip(dealt) {
        if t.stacks().place(unit) != place {
            t.place(unit, place);
        }
        *t.get_mut(unit) = block;
    }
}

/// Deals the cavalry beside the map anew: how strong each is, and who rides against whom (§10.0).
fn deal_orders(t: &mut Table, seat: Seat, side: Side, held: &[UnitId], dice: &mut dyn Dice) {
    let riders = hidden(t, seat, side, held, |place| {
        place == Place::Box(boxes::CAVALRY)
    });
    for &unit in &riders {
        rate(t, unit, task(t, unit), dice);
    }
    // The Confederates get their orders one after the other, in the order of their numbers.
    let ordered = usize::from(t.res::<Ride>().ordered);
    let first = cavalry::beside(t, Side::First).take(ordered);
    let given: Vec<UnitId> = first.filter(|unit| riders.contains(unit)).collect();
    for i in (1..given.len()).rev() {
        let other = dice.pick(i + 1, "imagine", About::Side(side));
        let (a, b) = (given[i], given[other]);
        let (one, two) = (t.get::<Block>(a).way, t.get::<Block>(b).way);
        t.get_mut::<Block>(a).way = two;
        t.get_mut::<Block>(b).way = one;
    }
}

/// Gives a block any strength that it could have.
fn rate(t: &mut Table, unit: UnitId, task: Option<Task>, dice: &mut dyn Dice) {
    let card = rules(t).card(unit);
    // A headquarters at zero cannot have been chosen, and only a last step is repulsed (§5.32).
    let (least, most) = match (task, u8::from(!card.is_hq())) {
        (Some(Task::Chosen), _) => (1, card.max),
        (Some(Task::Repulsed), last) => (last, last),
        (_, least) => (least, card.max),
    };
    let steps = least + dice.pick(usize::from(most - least) + 1, "imagine", unit) as u8;
    t.get_mut::<Block>(unit).steps = steps;
}
