//! What officers dare: by their orders, by the hour, and by who stands near.

use crate::brief::{Aim, Posted};
use crate::plan::Temper;
use crate::worth::{AHEAD, MAN};
use cupola_kernel::{Promise, Stakes};

/// Who is near a hex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Odds {
    pub ours: i64,
    pub theirs: i64,
    /// Those of theirs who are not beside us yet.
    pub looming: i64,
    /// Those of theirs who can come up to horsemen who watch them.
    pub closing: i64,
    /// Those in the very same hex, ours and theirs: hand to hand.
    pub inside: (i64, i64),
    /// Tenths by which the ground helps us.
    pub ground: i64,
    pub shelter: bool,
}

/// What an officer is ready for at this hour: as the light goes nobody begins what he cannot finish, unless he is bold.
fn temper(order: &Posted, late: bool) -> Temper {
    match order.temper {
        Temper::Steady if late => Temper::Cautious,
        temper => temper,
    }
}

/// Whether contact with the enemy is wanted, by who is near: in tenths of a man.
pub(crate) fn contact(order: &Posted, late: bool, at_post: bool, weight: i64, odds: Odds) -> i64 {
    let temper = temper(order, late);
    // How many of ours are wanted for ten of theirs.
    let wanted = match temper {
        Temper::Cautious => 16,
        Temper::Steady => 10,
        Temper::Bold => 6,
    };
    if odds.theirs == 0 && odds.looming > 0 && order.aim != Aim::Hold {
        // Nobody goes where he will be beaten before he can do anything.
        let (ours, theirs) = (odds.ours * 10, odds.looming * wanted);
        let balance = (ours - theirs) * 100 / (ours + theirs).max(1);
        return weight * (balance + 20).min(0) / 50;
    }
    if odds.theirs == 0 && odds.closing > 0 {
        // A screen goes back before those whom it watches are upon it.
        let (ours, theirs) = (odds.ours * 10, odds.closing * wanted);
        let balance = (ours - theirs) * 100 / (ours + theirs).max(1);
        return weight * balance.min(0) / 20;
    }
    if odds.theirs == 0 {
        let keeps = order.aim == Aim::Hold && at_post && odds.shelter;
        return if keeps { weight / 10 } else { 0 };
    }
    let all_of_them = odds.theirs + odds.looming;
    let (ours, theirs) = (odds.ours * (10 + odds.ground), all_of_them * wanted);
    // From −100, all theirs, to 100, all ours.
    let balance = (ours - theirs) * 100 / (ours + theirs).max(1);
    hand_to_hand(odds.inside, wanted, weight)
        + match order.aim {
            // Who has come late looks for a place to spend the night.
            Aim::Take | Aim::Seek if late && temper != Temper::Bold => {
                weight * (balance - 40).min(0) / 40
            }
            // The careful shy away from those who are too strong, three times as hard as others, and seek those who are weaker half
            // as hard.
            Aim::Take | Aim::Seek => {
                weight * balance
                    / match temper {
                        Temper::Cautious if balance >= 0 => 100,
                        _ if balance >= 0 => 50,
                        Temper::Cautious => 8,
                        _ => 25,
                    }
            }
            // Who holds a place does not leave it for the enemy's sake, unless he is told to be careful.
            Aim::Hold if at_post => match temper {
                Temper::Cautious => weight * balance.min(0) / 40,
                Temper::Steady => weight * balance.min(0) / 100,
                Temper::Bold => weight * balance.min(0) / 300,
            },
            Aim::Hold => weight * balance.min(0) / 50,
            Aim::March => -weight,
        }
}

/// Who goes in among the enemy fights those who stand there, whoever is near: the weaker he is, the dearer.
fn hand_to_hand((ours, theirs): (i64, i64), wanted: i64, weight: i64) -> i64 {
    if theirs == 0 {
        return 0;
    }
    let (ours, theirs) = (ours * 10, theirs * wanted);
    let balance = (ours - theirs) * 100 / (ours + theirs).max(1);
    weight * balance / if balance < 0 { 20 } else { 50 }
}

/// What a man of ours counts in tenths of one of theirs; what ground counts in hundredths of those who take it.
fn price(temper: Temper) -> (i64, i64) {
    match temper {
        Temper::Cautious => (16, 2),
        Temper::Steady => (10, 6),
        Temper::Bold => (6, 12),
    }
}

/// What a fight does to victory is weighed like men: losses by what they are to him, gains the other way round.
fn victory(ahead: i64, own: i64) -> i64 {
    match ahead * AHEAD {
        loss @ ..0 => loss * own / 10,
        gain => gain * 10 / own,
    }
}

/// What a fight is worth in tenths of a man: men for men, and ground by who wants it. A hex is worth as much as those are
/// worth who want to stand in it.
pub(crate) fn fight(stakes: &Stakes, order: Option<&Posted>, late: bool, weight: i64) -> i64 {
    let temper = order.map_or(Temper::Steady, |order| temper(order, late));
    let (own, ground) = price(temper);
    let wants = order.is_none_or(|order| matches!(order.aim, Aim::Take | Aim::Seek));
    let ground = match (wants, late && temper != Temper::Bold) {
        (_, true) => 0,
        (true, false) => ground,
        (false, false) => ground / 2,
    };
    // A fight that is opened goes on: the careful want something for it, and so does everybody when the light goes. Who has a place to
    // hold then lets sleeping dogs lie.
    let effort = match temper {
        Temper::Bold => 0,
        _ if late && !wants => weight * MAN / 8,
        _ if late => weight * MAN / 20,
        Temper::Cautious => weight * MAN / 20,
        Temper::Steady => 0,
    };
    let gain = i64::from(stakes.defender) * MAN - i64::from(stakes.attacker) * own * MAN / 10;
    let ahead = victory(i64::from(stakes.ahead), own);
    gain + ahead + i64::from(stakes.yields) * weight * ground * MAN / 100_000 + 1 - effort
}

/// The same fight to those who are attacked: what the others lose is theirs, and ground is lost with the men who stand on it.
pub(crate) fn stand(stakes: &Stakes, order: Option<&Posted>, late: bool, weight: i64) -> i64 {
    let temper = order.map_or(Temper::Steady, |order| temper(order, late));
    let (own, ground) = price(temper);
    let gain = i64::from(stakes.attacker) * MAN - i64::from(stakes.defender) * own * MAN / 10;
    let ahead = victory(-i64::from(stakes.ahead), own);
    gain + ahead - i64::from(stakes.yields) * weight * ground * MAN / 100_000
}

/// What an option opens, in tenths of a man: what it takes counts by temper, to the careful more than men of their own, since it is
/// gone whatever comes of it. It must be worth something. Who is to hold a place fights for ground beside him that was lost, and is worth
/// so much.
pub(crate) fn promise(promise: &Promise, order: Option<&Posted>, lost: i64, late: bool) -> i64 {
    let temper = order.map_or(Temper::Steady, |order| temper(order, late));
    let tenths = match temper {
        Temper::Cautious => 24,
        Temper::Steady => 10,
        Temper::Bold => 6,
    };
    let [theirs, back, spent] = [promise.theirs, promise.back, promise.spent].map(i64::from);
    // As the light goes nobody begins what he cannot finish; who is to hold a place or to march looks for no fight.
    let theirs = match order.map_or(Aim::Seek, |order| order.aim) {
        Aim::March => 0,
        Aim::Hold if lost > 0 && (!late || temper == Temper::Bold) => theirs * MAN + lost,
        Aim::Hold => theirs * MAN / 4,
        _ if late && temper != Temper::Bold => theirs * MAN / 2,
        Aim::Take | Aim::Seek => theirs * MAN,
    };
    theirs + back * MAN - spent * tenths - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_good_for_the_attacker_is_bad_for_who_stands() {
        let good = Stakes {
            attacker: 100,
            defender: 900,
            yields: 800,
            ahead: 50,
        };
        let even = Stakes {
            attacker: 500,
            defender: 500,
            yields: 400,
            ahead: 0,
        };
        assert!(fight(&good, None, false, 5000) > fight(&even, None, false, 5000));
        assert!(stand(&good, None, false, 5000) < stand(&even, None, false, 5000));
        // Men for men and a hex for a hex: 800 men, 50 thousandths of a clear win, and 48 thousandths of those who stand there.
        assert_eq!(stand(&good, None, false, 5000), -8000 - 50 * AHEAD - 2400);
    }
}
