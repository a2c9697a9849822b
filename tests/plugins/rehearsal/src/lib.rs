//! A plugin to copy from: the phase `rehearsal.muster` and the combat system `rehearsal.duel`.
//!
//! Both play with any ruleset: they ask nothing of the table but its units. What the phase remembers is
//! a resource of its own, so it is forked, saved and hashed with the rest of the game.

mod duel;
mod muster;

pub use duel::Duel;
pub use muster::{Muster, Roll};

cupola_kernel::register! {
    space: "rehearsal",
    rulesets: [],
    phases: [Muster],
    combats: [Duel],
}

#[cfg(feature = "library")]
cupola_plugin::export!(contribution);
