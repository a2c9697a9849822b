//! corps20: corps and divisions on 800-yard hexes, modelled on the Napoleonic-20 family.
//!
//! Each module implements one chapter of the rules: [`events`] §4, [`movement`] and [`reinforce`] §5,
//! [`recovery`] §6, [`battle`] §7, [`night`] and [`rally`] §8, [`leaders`] §9. The book's chapter has
//! the rules in our own words, the coverage table and the rulings.
#![forbid(unsafe_code)]

mod amend;
mod asking;
pub mod battle;
pub mod charts;
pub mod common_terms;
pub mod crt;
mod derive;
pub mod events;
pub mod field;
pub mod leaders;
mod load;
pub mod movement;
pub mod night;
mod position;
pub mod rally;
pub mod recovery;
pub mod reinforce;
pub mod rules;
mod ruleset;
pub mod state;
pub mod tokens;
mod view;

pub use battle::{CombatPhase, Differential};
pub use ruleset::Corps20;

cupola_kernel::register! {
    space: "corps20",
    rulesets: [Corps20],
    phases: [events::Events, movement::Movement, recovery::Recovery, CombatPhase, night::Morale, night::RoundEnd],
    combats: [Differential],
}
