//! Who has lost so much that he seeks no more.

use crate::brief::{Aim, Brief, Posted};
use crate::plan::Temper;
use crate::worth::left;
use cupola_kernel::Standing;

/// A formation is spent that has lost one man in so many since the game began (house).
const SPENT: i64 = 2;

/// The formations of a side, and which of them are spent.
#[derive(Debug, Default)]
pub(crate) struct Spent(Vec<bool>);

impl Spent {
    /// Counts what every formation has lost.
    pub fn muster(&mut self, brief: &Brief, standings: &[Standing]) {
        let is_spent = |units: &Vec<usize>| {
            let (mut whole, mut lost) = (0, 0);
            for &i in units {
                whole += brief.began_with[i];
                lost += brief.began_with[i] - left(brief, i, standings[i]);
            }
            lost > 0 && lost * SPENT >= whole
        };
        self.0.clear();
        self.0.extend(brief.formations.iter().map(is_spent));
    }

    /// What a unit is to do, and dares: if its formation is spent it keeps off the enemy instead of seeking him, and goes for a place
    /// with care. The bold were told to pay the price.
    pub fn order(&self, brief: &Brief, now: i32, unit: usize) -> Posted {
        let mut order = brief.orders(now)[unit];
        let formation = brief.formation[unit];
        if order.temper == Temper::Bold || formation.is_none_or(|formation| !self.0[formation]) {
            return order;
        }
        match order.aim {
            Aim::Seek => (order.aim, order.temper) = (Aim::March, Temper::Cautious),
            Aim::Take => order.temper = Temper::Cautious,
            Aim::Hold | Aim::March => {}
        }
        order
    }
}
