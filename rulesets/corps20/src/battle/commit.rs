//! §7.4 A to C: what is committed to a fight, and by how much the attacker holds back.

use super::{differential, fight_at_hand};
use crate::field::{can_pay, change_morale, has_reserves, rules};
use crate::state::{Armies, Battle, Commitment, Marker, Orders, Stage};
use crate::tokens;
use cupola_kernel::{
    Check, Event, Fight, Refusal, Side, Table, TokenId, UnitId, forbid, require, rule,
};

/// Corps artillery that was used comes back two rounds later (§9.3).
pub fn spend_guns(t: &mut Table, corps: u8) {
    let back = t.turn() + rules(t).guns.1;
    t.res_mut::<Armies>().guns[usize::from(corps)] = Marker::Due(back);
}

/// What a side may still commit to the fight at hand.
pub fn commitments(t: &Table, side: Side) -> Vec<TokenId> {
    let fight = fight_at_hand(t);
    let guns = (0..3).map(tokens::artillery);
    let rest = [tokens::CHIEF, tokens::RESERVES, tokens::FREE_RESERVES];
    guns.chain(rest)
        .filter(|&what| may_commit(t, side, &fight, what).is_ok())
        .collect()
}

/// Whether a side may still commit this to a fight.
fn may_commit(t: &Table, side: Side, fight: &Fight, what: TokenId) -> Check {
    match what {
        tokens::CHIEF => may_send_chief(t, side, fight),
        tokens::RESERVES => {
            may_use_reserves(t, side, fight)?;
            let why = "the last morale point is not spent";
            require(can_pay(t, side), rule!("7.8"), why)
        }
        tokens::FREE_RESERVES => {
            let free = side == t.active() && t.res::<Orders>().free_reserves;
            require(free, rule!("4"), "no card gives reserves for nothing now")?;
            may_use_reserves(t, side, fight)
        }
        guns => match tokens::corps_of(guns) {
            Some(corps) => may_use_guns(t, side, fight, corps),
            None => Err(Refusal::new(rule!("7.4"), "is nothing to commit")),
        },
    }
}

/// Why a side commits nothing of the kind to the fight at hand.
pub fn why_not_commit(t: &Table, side: Side, what: TokenId) -> Refusal {
    let late = || Refusal::new(rule!("7.4"), "nothing more is committed now");
    match t.res::<Battle>().stage {
        Stage::Commit | Stage::Answer | Stage::HoldBack => {
            let may = may_commit(t, side, &fight_at_hand(t), what);
            may.err().unwrap_or_else(late)
        }
        _ => late(),
    }
}

/// A side's units in a fight.
fn own<'a>(t: &Table, side: Side, fight: &'a Fight) -> &'a [UnitId] {
    if side == t.active() {
        &fight.attackers
    } else {
        &fight.defenders
    }
}

/// §7.8 Reserves: once in a fight, by fresh infantry.
fn may_use_reserves(t: &Table, side: Side, fight: &Fight) -> Check {
    let commitment = t.res::<Battle>().commitment;
    let committed = if side == t.active() {
        commitment.attacker_reserves
    } else {
        commitment.defender_reserves
    };
    forbid(committed, rule!("7.8"), "reserves are committed already")?;
    let fresh = own(t, side, fight)
        .iter()
        .any(|&unit| has_reserves(t, unit));
    let why = "no fresh infantry that is not routed or halted takes part";
    require(fresh, rule!("7.8"), why)
}

/// §9.2 The chief: only for attackers of his side, and where he brings somebody into command.
fn may_send_chief(t: &Table, side: Side, fight: &Fight) -> Check {
    let (battle, chief) = (t.res::<Battle>(), t.res::<Armies>().chief);
    let attacks = side == Side::First && side == t.active();
    require(attacks, rule!("9.2"), "helps attackers of his own army")?;
    let used = battle.commitment.chief || chief != Marker::Ready;
    forbid(used, rule!("9.2"), "is not at hand")?;
    let led = differential::in_command(t, fight, false);
    forbid(led, rule!("9.2"), "an attacker is in command without him")?;
    let helps = differential::in_command(t, fight, true);
    require(helps, rule!("9.2"), "brings no attacker into command")
}

/// §9.3 Corps artillery: at least one division of the corps must take part.
fn may_use_guns(t: &Table, side: Side, fight: &Fight, corps: u8) -> Check {
    require(side == Side::First, rule!("9.3"), "is the other army's")?;
    let ready = t.res::<Armies>().guns[usize::from(corps)] == Marker::Ready;
    require(ready, rule!("9.3"), "is not at hand")?;
    let belongs = |&unit: &UnitId| rules(t).card(unit).corps == Some(corps);
    let takes_part = own(t, side, fight).iter().any(belongs);
    require(
        takes_part,
        rule!("9.3"),
        "no division of that corps takes part",
    )
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
        guns => spend_guns(t, tokens::corps_of(guns).unwrap_or_default()),
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
        guns => more.guns |= 1 << tokens::corps_of(guns).unwrap_or_default(),
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
            "commit the artillery of corps {}: {:+} (back in {} rounds)",
            tokens::corps_of(guns).unwrap_or_default() + 1,
            rules(t).guns.0,
            rules(t).guns.1
        ),
    }
}
