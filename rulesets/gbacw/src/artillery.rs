//! §9.2, §9.3 Artillery: guns that are hit, left, taken, manned again.

use crate::cohesion::{check, pay};
use crate::field::{Field, eliminate, name, rules, status_mut};
use crate::state::boxes;
use cupola_kernel::{Event, HexId, Place, Side, Table, UnitId, rule};

/// A disordered battery is hit: a gun is lost, and with the enemy near the crews may run (§9.31).
pub fn struck(t: &mut Table, unit: UnitId, hex: HexId) {
    pay(t, unit, 1);
    if t.hex(unit).is_none() {
        return;
    }
    let field = Field::new(t);
    let near = field.enemy_within(field.card(unit).side, hex, field.rules.numbers.abandon);
    if near && !check(t, unit, "abandon", 0) {
        abandon(t, unit);
    }
}

/// The crews run; the guns stay.
pub fn abandon(t: &mut Table, unit: UnitId) {
    status_mut(t, unit).abandoned = true;
    t.say(|t| {
        let text = format!("the guns of {} are abandoned", name(t, unit));
        Event::new("abandoned", rule!("9.31"), text).unit(unit)
    });
}

/// Who controls abandoned guns: whoever stands with them, else whoever stood there last (§9.33).
#[must_use]
pub fn controller(t: &Table, unit: UnitId) -> Side {
    let field = Field::new(t);
    let own = field.card(unit).side;
    let Some(hex) = t.hex(unit) else {
        return own;
    };
    field.holder(hex).unwrap_or_else(|| {
        if field.status(unit).since[0] == 0 {
            own.other()
        } else {
            own
        }
    })
}

/// The enemy has entered a hex with abandoned guns: they are his until somebody else comes.
pub fn taken(t: &mut Table, side: Side, hex: HexId) {
    let field = Field::new(t);
    let guns: Vec<UnitId> = field
        .troops(hex)
        .filter(|&unit| field.status(unit).abandoned)
        .collect();
    for unit in guns {
        let mine = rules(t).card(unit).side == side;
        let clock = t.res::<crate::state::Land>().clock.max(1);
        status_mut(t, unit).since = if mine { [clock; 2] } else { [0; 2] };
    }
}

/// IIIc Abandoned guns (§9.34).
pub fn end_of_turn(t: &mut Table) {
    let guns: Vec<UnitId> = (0..rules(t).troops)
        .map(UnitId)
        .filter(|&unit| t.hex(unit).is_some() && Field::new(t).status(unit).abandoned)
        .collect();
    for unit in guns {
        let field = Field::new(t);
        let own = field.card(unit).side;
        let Some(hex) = t.hex(unit) else { continue };
        if controller(t, unit) != own {
            let die = (t.roll(10, "abandoned guns", unit) - 1) as u8;
            if die <= rules(t).numbers.carried_off {
                t.say(|t| {
                    let text = format!("the guns of {} are carried off", name(t, unit));
                    Event::new("eliminated", rule!("9.34"), text).unit(unit)
                });
                eliminate(t, unit);
            }
        } else if !field.enemy_within(own, hex, field.rules.numbers.recrewed) {
            man(t, unit);
        }
    }
}

/// Guns are manned again, disordered (§9.33).
pub fn man(t: &mut Table, unit: UnitId) {
    let status = status_mut(t, unit);
    (status.abandoned, status.disordered) = (false, true);
    t.say(|t| {
        let text = format!("the guns of {} are manned again", name(t, unit));
        Event::new("recrewed", rule!("9.33"), text).unit(unit)
    });
}

/// Guns lost since the set-up, abandoned ones that the enemy controls among them.
#[must_use]
pub fn lost(t: &Table, unit: UnitId) -> u8 {
    let field = Field::new(t);
    let start = &field.rules.starts[usize::from(unit.0)];
    let left = field.card(unit).sp.saturating_sub(start.lost);
    if start.eliminated {
        return 0;
    }
    match t.stacks().place(unit) {
        Place::Box(boxes::ELIMINATED | boxes::SURRENDERED) => left,
        _ if field.status(unit).abandoned && controller(t, unit) != field.card(unit).side => left,
        _ => field.status(unit).lost.saturating_sub(start.lost),
    }
}
