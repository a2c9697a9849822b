//! What could be, as far as a seat knows: hidden blocks change places among themselves and strengths.

use crate::chain;
use crate::field::rules;
use crate::state::{Army, Block, Chosen, Melees, Wounds, boxes, flag};
use crate::view::knows;
use cupola_kernel::{About, Dice, Place, Seat, Side, Table, UnitId};

/// Deals the hidden blocks anew. True: there is always something hidden.
pub fn shuffle(t: &mut Table, seat: Seat, dice: &mut dyn Dice) -> bool {
    for side in Side::BOTH {
        if !seat.sees(side) {
            deal(t, seat, side, dice);
        }
    }
    seat != Seat::Umpire
}

/// Blocks that are engaged in something that not every block could do stay who they are: chosen ones,
/// repulsed ones and attackers. Their strength may still be another.
fn engaged(t: &Table, unit: UnitId) -> bool {
    let attacks = &t.res::<Melees>().attacks;
    t.res::<Chosen>().unit == Some(unit)
        || t.res::<Wounds>().repulsed == Some(unit)
        || attacks.iter().any(|attack| attack.unit == unit)
}

fn deal(t: &mut Table, seat: Seat, side: Side, dice: &mut dyn Dice) {
    let hidden: Vec<UnitId> = rules(t).own[side]
        .iter()
        .copied()
        .filter(|&unit| !knows(t, seat, unit))
        .filter(|&unit| {
            matches!(
                t.stacks().place(unit),
                Place::Hex(_) | Place::Box(boxes::TRACK | boxes::OFF_BOARD)
            )
        })
        .collect();
    let (fixed, mut free): (Vec<UnitId>, Vec<UnitId>) =
        hidden.into_iter().partition(|&unit| engaged(t, unit));
    let slots: Vec<(Place, Block)> = free
        .iter()
        .map(|&unit| (t.stacks().place(unit), *t.res::<Army>().of(unit)))
        .collect();
    for i in (1..free.len()).rev() {
        free.swap(i, dice.pick(i + 1, "imagine", About::Side(side)));
    }
    for (&unit, (place, block)) in free.iter().zip(slots) {
        // The side and the number of blocks in a hex stay the same, so the field does.
        t.place(unit, place);
        *t.res_mut::<Army>().at(unit) = block;
        rate(t, unit, dice);
    }
    for unit in fixed {
        if t.res::<Chosen>().unit != Some(unit) {
            rate(t, unit, dice);
        }
    }
    if t.active() == side
        && t.res::<Army>()
            .0
            .iter()
            .any(|b| b.flags & flag::ACTIVE != 0)
    {
        chain::mark_commanded(t);
    }
}

/// Gives a block any strength that it could have.
fn rate(t: &mut Table, unit: UnitId, dice: &mut dyn Dice) {
    let card = rules(t).card(unit);
    let least = u8::from(!card.is_hq());
    let span = usize::from(card.max - least) + 1;
    let steps = least + dice.pick(span, "imagine", unit) as u8;
    t.res_mut::<Army>().at(unit).steps = steps;
}
