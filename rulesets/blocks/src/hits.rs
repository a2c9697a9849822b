//! §5.23, §5.24, §5.32 Hits: who takes them, half hits, and blocks that fall back.
//!
//! Whoever fired must not learn from the questions asked who is strongest. So the owner is asked for every
//! hit on a stack of two or more, even if only one block can take it; in melee everybody is face up and
//! only ties are asked.

use crate::cavalry;
use crate::field::{
    controller, eliminate, friendly, label, lower_guns, may_share, name, put, room, rules, stack,
    tell,
};
use crate::fire::hits_text;
use crate::rules::NOWHERE;
use crate::state::{Block, Hexes, Melees, Wounds, flag};
use cupola_kernel::{Event, HexId, Place, Side, Table, UnitId, rule};

/// A question: side, short name, section.
pub type Question = (Side, &'static str, &'static str);

/// The blocks among which hits are shared out, in the order of their numbers.
fn struck(t: &Table, wounds: &Wounds) -> Vec<UnitId> {
    match wounds.hex {
        Some(hex) => stack(t, wounds.side, hex).collect(),
        None => cavalry::at_hand(t, wounds.side),
    }
}

/// The blocks that can take the next hit: one aimed at, one half hit, or the strongest (§5.23).
pub fn candidates(t: &Table, wounds: &Wounds) -> Vec<UnitId> {
    let mut here = struck(t, wounds);
    let block = |unit: UnitId| t.get::<Block>(unit);
    if let Some(gun) = wounds.aimed {
        here.retain(|&unit| unit == gun);
    } else if let Some(&half) = here.iter().find(|&&unit| block(unit).has(flag::HALF)) {
        here = vec![half];
    } else {
        let most = here.iter().map(|&unit| block(unit).steps).max();
        here.retain(|&unit| Some(block(unit).steps) == most);
    }
    here
}

/// Whether a hit needs no answer, by what everybody can see.
fn plain(t: &Table, wounds: &Wounds, found: &[UnitId]) -> bool {
    let here = struck(t, wounds);
    let half = || {
        here.iter()
            .any(|&unit| t.get::<Block>(unit).has(flag::HALF))
    };
    here.len() == 1 || wounds.aimed.is_some() || half() || (wounds.open && found.len() == 1)
}

/// Takes hits as far as they need no answer.
pub fn settle(t: &mut Table) -> Option<Question> {
    loop {
        let wounds = *t.res::<Wounds>();
        if wounds.repulsed.is_some() {
            return Some((wounds.side, "fall-back", "5.32"));
        }
        if wounds.left == 0 {
            return None;
        }
        let found = candidates(t, &wounds);
        match found.first() {
            None => t.res_mut::<Wounds>().left = 0,
            Some(&unit) if plain(t, &wounds, &found) => take(t, unit),
            Some(_) => return Some((wounds.side, "hit", "5.23")),
        }
    }
}

/// Whether hits are still to be taken.
#[must_use]
pub fn open(t: &Table) -> bool {
    let wounds = t.res::<Wounds>();
    wounds.left > 0 || wounds.repulsed.is_some()
}

/// A block takes one hit.
pub fn take(t: &mut Table, unit: UnitId) {
    let wounds = t.res_mut::<Wounds>();
    wounds.left -= 1;
    let wounds = *wounds;
    let hq = rules(t).card(unit).is_hq();
    let block = t.get_mut::<Block>(unit);
    if wounds.double && block.flags & flag::HALF == 0 {
        block.flags |= flag::HALF;
        tell(
            t,
            "hit",
            rule!("5.24"),
            unit,
            wounds.hex,
            None,
            "takes half a hit",
        );
        return;
    }
    block.flags &= !flag::HALF;
    // Headquarters have a step at zero, others fall with their last one (§7.5).
    if block.steps > u8::from(!hq) {
        block.steps -= 1;
        tell(
            t,
            "hit",
            rule!("5.23"),
            unit,
            wounds.hex,
            None,
            "takes a hit",
        );
        return;
    }
    if wounds.long && !refuges(t, unit).is_empty() {
        t.reveal();
        t.res_mut::<Wounds>().repulsed = Some(unit);
    } else {
        eliminate(t, unit, rule!("5.23"));
    }
}

/// Where a repulsed block may fall back to: friendly hexes with room (§5.32).
#[must_use]
pub fn refuges(t: &Table, unit: UnitId) -> Vec<HexId> {
    let side = rules(t).card(unit).side;
    let Some(hex) = t.hex(unit) else {
        return vec![];
    };
    let around = rules(t)
        .around(hex)
        .iter()
        .filter(|edge| edge.to != NOWHERE);
    let mut found: Vec<HexId> = around
        .map(|edge| HexId(edge.to))
        .filter(|&next| {
            let open = if rules(t).switches.repulse_by_position {
                let now = controller(t.res::<Hexes>(), usize::from(next.0));
                now == side as u8 && room(t, side, next)
            } else {
                free_friend(t, side, next)
            };
            open && may_share(t, unit, next)
        })
        .collect();
    found.sort_unstable();
    found
}

/// Whether a hex is a side's by the control of this player turn, empty of enemies, and has room.
#[must_use]
pub fn free_friend(t: &Table, side: Side, hex: HexId) -> bool {
    let enemy = t.res::<Hexes>().count[side.other() as usize][usize::from(hex.0)] > 0;
    let melee = t
        .res::<Melees>()
        .attacks
        .iter()
        .any(|attack| attack.hex == hex);
    friendly(t, side, hex) && !enemy && !melee && room(t, side, hex)
}

/// A repulsed block falls back (§5.32).
pub fn fall_back(t: &mut Table, unit: UnitId, hex: HexId) {
    let from = t.hex(unit);
    put(t, unit, Place::Hex(hex));
    lower_guns(t, unit);
    t.res_mut::<Wounds>().repulsed = None;
    tell(
        t,
        "repulse",
        rule!("5.32"),
        unit,
        from,
        Some(hex),
        "falls back to",
    );
}

/// Hits are fewer than this, whoever counts them.
pub const HITS: usize = 256;

/// Says how many hits a block scores.
pub fn announce(t: &mut Table, kind: &'static str, unit: UnitId, hex: Option<HexId>, hits: u8) {
    t.say(|t| {
        let mut text = format!("{}: {}", name(t, unit), hits_text(hits.into()));
        if let Some(hex) = hex {
            text.push_str(" at ");
            text.push_str(label(t, hex));
        }
        Event::new(kind, rule!("5.2"), text)
            .unit(unit)
            .hexes(hex)
            .number(hits)
    });
}
