//! The cup: chits that are drawn blindly.
//!
//! Chit-pull games put chits into a cup and draw them one by one. Between the pool and the discard a
//! chit has few places to be, and rulesets differ only in when it goes where: so the places and the
//! blind draws are here, and what a chit means is the ruleset's affair.
//!
//! A [`Cup`] is plain data: a ruleset keeps it inside a resource of its own. Draws go through the
//! kernel's dice, so that journals, scripted cases and odds know of them: scripts pick by position
//! among the chits in the order of their numbers, seeds by a key of each chit's own ([`Dice::draw_from`]).
//! Two cups with equal contents draw alike, and a cup with one chit more draws nearly alike.
//!
//! ```
//! use cupola_cup::{Chit, Cup, Spot};
//! use cupola_kernel::{About, Loose, Seed};
//!
//! let (mut cup, mut dice) = (Cup::new(3), Loose::new(Seed(1863)));
//! (0..3).for_each(|chit| cup.put(Chit(chit), Spot::Cup));
//! let in_cup = |_, spot| spot == Spot::Cup;
//! while let Some(chit) = cup.pick(in_cup, &mut dice, "draw", About::Game) {
//!     cup.put(chit, Spot::Used);
//! }
//! assert_eq!((cup.count(Spot::Cup), cup.count(Spot::Used)), (0, 3));
//! ```
#![forbid(unsafe_code)]

use cupola_kernel::{About, Dice, Table};
use serde::{Deserialize, Serialize};

/// The number of a chit: its index in the ruleset's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Chit(pub u8);

impl Chit {
    /// As an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a chit is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub enum Spot {
    /// Not in the game, or not yet.
    #[default]
    Out,
    /// At hand, to be put into the cup.
    Pool,
    /// In the cup.
    Cup,
    /// Left out for now, unseen.
    Excluded,
    /// Drawn, and kept for later.
    Held,
    /// Drawn and done with.
    Used,
}

/// All chits of a game by where they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cup {
    spots: Vec<Spot>,
}

impl Cup {
    /// A cup for this many chits, all out of the game.
    #[must_use]
    pub fn new(chits: usize) -> Cup {
        Cup {
            spots: vec![Spot::Out; chits],
        }
    }

    /// How many chits there are at all.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spots.len()
    }

    /// Whether there are no chits at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spots.is_empty()
    }

    /// Where a chit is.
    #[must_use]
    pub fn spot(&self, chit: Chit) -> Spot {
        self.spots[chit.index()]
    }

    /// Puts a chit somewhere.
    pub fn put(&mut self, chit: Chit, spot: Spot) {
        self.spots[chit.index()] = spot;
    }

    /// The chits in a place, in the order of their numbers.
    pub fn all(&self, spot: Spot) -> impl Iterator<Item = Chit> + '_ {
        let chits = self.spots.iter().enumerate();
        chits
            .filter(move |&(_, &at)| at == spot)
            .map(|(chit, _)| Chit(chit as u8))
    }

    /// How many chits are in a place.
    #[must_use]
    pub fn count(&self, spot: Spot) -> usize {
        self.spots.iter().filter(|&&at| at == spot).count()
    }

    /// Moves every chit of one place that `which` agrees to into another.
    pub fn shift(&mut self, from: Spot, to: Spot, mut which: impl FnMut(Chit) -> bool) {
        for (chit, spot) in self.spots.iter_mut().enumerate() {
            if *spot == from && which(Chit(chit as u8)) {
                *spot = to;
            }
        }
    }

    /// Puts one chit in the place of another: a replacement takes over where the first was.
    pub fn replace(&mut self, was: Chit, by: Chit) {
        let spot = self.spot(was);
        self.put(by, spot);
        self.put(was, Spot::Out);
    }

    /// Picks blindly among the chits that `which` agrees to; none if there are none. The chit stays
    /// where it is.
    pub fn pick(
        &self,
        which: impl Fn(Chit, Spot) -> bool,
        dice: &mut dyn Dice,
        purpose: &'static str,
        about: impl Into<About>,
    ) -> Option<Chit> {
        let chits = self.spots.iter().enumerate();
        let fits = chits.filter(|&(chit, &spot)| which(Chit(chit as u8), spot));
        let names: Vec<u16> = fits.map(|(chit, _)| chit as u16).collect();
        if names.is_empty() {
            return None;
        }
        let at = dice.draw_from(&names, purpose, about.into());
        names.get(at).map(|&name| Chit(name as u8))
    }
}

/// A resource that holds a cup.
pub trait HoldsCup:
    bevy_ecs::prelude::Resource
    + bevy_ecs::component::Component<Mutability = bevy_ecs::component::Mutable>
{
    /// The cup.
    fn cup(&self) -> &Cup;
    /// The cup, to change.
    fn cup_mut(&mut self) -> &mut Cup;
}

/// Moves a blindly picked chit among those that `which` agrees to into a place. What was shown by it
/// is for the ruleset to say ([`Table::reveal`]).
pub fn pick_into<R: HoldsCup>(
    table: &mut Table,
    which: impl Fn(Chit, Spot) -> bool,
    to: Spot,
    purpose: &'static str,
    about: impl Into<About>,
) -> Option<Chit> {
    let about = about.into();
    let chit = table.with_dice(|t, dice| t.res::<R>().cup().pick(which, dice, purpose, about))?;
    table.res_mut::<R>().cup_mut().put(chit, to);
    Some(chit)
}

/// Draws the next chit out of the cup; none if the cup is empty. The chit is then among the used.
pub fn draw<R: HoldsCup>(
    table: &mut Table,
    purpose: &'static str,
    about: impl Into<About>,
) -> Option<Chit> {
    pick_into::<R>(
        table,
        |_, spot| spot == Spot::Cup,
        Spot::Used,
        purpose,
        about,
    )
}
