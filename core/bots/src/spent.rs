//! Who has lost so much that he seeks no more.

use crate::brief::{Aim, Brief, Posted};
use crate::plan::Temper;
use crate::worth::left;
use cupola_kernel::Standing;

/// A formation is spent that has lost one man in so many since the game began (house).
const SPENT: i64 = 2;
/// An army that has lost one man in so many leaves it at that in a battle of several days (house): it must live on after it.
const BLED: i64 = 3;

/// Which formations of a side are spent, and whether its army is.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    formations: Vec<bool>,
    army: bool,
}

impl Spent {
    /// Counts what every formation has lost, and all of them together.
    pub fn muster(&mut self, brief: &Brief, standings: &[Standing]) {
        let has_lost = |units: &[usize], one_in: i64| {
            let (mut whole, mut lost) = (0, 0);
            for &i in units {
                whole += brief.began_with[i];
                lost += brief.began_with[i] - left(brief, i, standings[i]);
            }
            lost > 0 && lost * one_in >= whole
        };
        let formations = brief.formations.iter();
        self.formations.clear();
        self.formations
            .extend(formations.map(|units| has_lost(units, SPENT)));
        self.army = brief.goes_on_for_days && has_lost(brief.own(), BLED);
    }

    /// What a unit is to do, and dares. If its formation is spent it keeps off the enemy instead of seeking him, and goes for a place
    /// with care; if its army is, it stays where it stands and fights who comes. The bold were told to pay the price.
    pub fn order(&self, brief: &Brief, now: i32, unit: usize) -> Posted {
        let mut order = brief.orders(now)[unit];
        if order.temper == Temper::Bold {
            return order;
        }
        let formation = brief.formation[unit];
        let is_spent = formation.is_some_and(|formation| self.formations[formation]);
        match order.aim {
            Aim::Seek if is_spent => (order.aim, order.temper) = (Aim::March, Temper::Cautious),
            Aim::Seek | Aim::Take if self.army => (order.aim, order.goal) = (Aim::Hold, None),
            Aim::Take if is_spent => order.temper = Temper::Cautious,
            _ => {}
        }
        order
    }
}
