//! A plugin to copy from: the phases `rehearsal.muster` and `rehearsal.tally` and the combat system
//! `rehearsal.duel`.
//!
//! All play with any ruleset: they ask nothing of the table but its units. What the muster remembers is a
//! resource of its own, what the tally remembers a component on every unit; so it is forked, saved and
//! hashed with the rest of the game.

mod duel;
mod muster;
mod tally;

pub use duel::Duel;
pub use muster::{Muster, Roll};
pub use tally::{Service, Tally};

cupola_kernel::register! {
    space: "rehearsal",
    rulesets: [],
    phases: [Muster, Tally],
    combats: [Duel],
}

#[cfg(feature = "library")]
cupola_plugin::export!(contribution);
