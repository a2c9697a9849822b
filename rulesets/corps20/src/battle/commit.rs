//! §7.4 A to C: what is committed to a fight, and by how much the attacker holds back.

use super::{differential, fight_at_hand};
use crate::field::{can_pay, change_morale, has_reserves, rules};
use crate::state::{Armies, Battle, Commitment, Marker, Orders, Stage};
use crate::tokens;
use cupola_kernel::{Event, Side, Table, TokenId, rule};

/// Corps artillery that was used comes back two rounds later (§9.3).
pub fn spend_guns(t: &mut Table, corps: u8) {
    let back = t.turn() + rules(t).guns.1;
    t.res_mut::<Armies>().guns[usize::from(corps)] = Marker::Due(back);
}

/// What a side may still commit to the fight at hand.
pub fn commitments(t: &Table, side: Side) -> Vec<TokenId> {
    let (armies, battle, orders) = (t.res::<Armies>(), t.res::<Battle>(), t.res::<Orders>());
    let fight = fight_at_hand(t);
    let attacks = side == t.active();
    let own = if attacks {
        &fight.attackers
    } else {
        &fight.defenders
    };
    let mut found = vec![];
    if side == Side::First {
        // §9.3 At least one division of the corps must take part.
        let takes_part = |corps: u8| {
            own.iter()
                .any(|&unit| rules(t).card(unit).corps == Some(corps))
        };
        let ready =
            |corps: &u8| armies.guns[usize::from(*corps)] == Marker::Ready && takes_part(*corps);
        found.extend((0..3).filter(ready).map(tokens::artillery));
        // §9.2 The chief is of use only where he brings somebody into command.
        let helps = || {
            !differential::in_command(t, &fight, false) && differential::in_command(t, &fight, true)
        };
        if attacks && !battle.commitment.chief && armies.chief == Marker::Ready && helps() {
            found.push(tokens::CHIEF);
        }
    }
    let committed = if attacks {
        battle.commitment.attacker_reserves
    } else {
        battle.commitment.defender_reserves
    };
    if !committed && own.iter().any(|&unit| has_reserves(t, unit)) {
        if can_pay(t, side) {
            found.push(tokens::RESERVES);
        }
        if attacks && orders.free_reserves {
            found.push(tokens::FREE_RESERVES);
        }
    }
    found
}

/// Commits guns, the chief or reserves.
pub fn commit(t: &mut Table, side: Side, what: TokenId) {
    let battle = t.res_mut::<Battle>();
    battle.commitment = committed(battle.commitment, battle.stage == Stage::Commit, what);
    match what {
        tokens::CHIEF => {
            let dawn = rules(t).next_dawn[usize::from(t.turn())];
            t.res_mut::<Armies>().chief = Marker::Due(dawn);
        }
        tokens::RESERVES => change_morale(t, side, -1, rule!("7.8")),
        tokens::FREE_RESERVES => t.res_mut::<Orders>().free_reserves = false,
        guns => spend_guns(t, (guns.0 - tokens::artillery(0).0) as u8),
    }
    t.say(|t| {
        let text = format!(
            "{} commits {}",
            t.env().sides[side].name,
            t.env().tokens[usize::from(what.0)]
        );
        Event::new("commit", rule!("7.4"), text)
    });
}

/// The differential before holding back, and the ways to roll: each column once, best first.
pub fn ways_to_roll(t: &Table) -> Vec<i16> {
    let Ok(combat) = t.combat("assault") else {
        return vec![0];
    };
    let sum = combat.modifiers(t, &fight_at_hand(t)).sum();
    let (low, high) = (
        i16::from(rules(t).crt.lowest()),
        i16::from(rules(t).crt.highest()),
    );
    let best = sum.clamp(low, high);
    // A differential beyond the table is reduced from what it is (§7.9).
    (low..=best)
        .rev()
        .map(|column| if column == best { 0 } else { sum - column })
        .collect()
}

/// A commitment with one thing more in it.
pub fn committed(commitment: Commitment, attacks: bool, what: TokenId) -> Commitment {
    let mut more = commitment;
    match what {
        tokens::CHIEF => more.chief = true,
        tokens::RESERVES | tokens::FREE_RESERVES if attacks => more.attacker_reserves = true,
        tokens::RESERVES | tokens::FREE_RESERVES => more.defender_reserves = true,
        guns => more.guns |= 1 << (guns.0 - tokens::artillery(0).0),
    }
    more
}

/// What may be committed, in words.
pub fn commit_text(t: &Table, what: TokenId) -> String {
    match what {
        tokens::CHIEF => {
            let name = rules(t).marker_names[0].as_deref().unwrap_or("the chief");
            let more = rules(t).chief;
            format!("{name} lengthens the command range by {more} (back next Dawn)")
        }
        tokens::RESERVES => "commit reserves: +1 for 1 morale".into(),
        tokens::FREE_RESERVES => "commit reserves: +1 for free (event)".into(),
        guns => format!(
            "commit the artillery of corps {}: +1 (back in two rounds)",
            guns.0 - 2
        ),
    }
}
