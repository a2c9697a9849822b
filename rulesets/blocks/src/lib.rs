//! blocks: brigades as upright blocks on quarter-mile hexes, with real fog of war.
//!
//! Each module implements one chapter of the rules: [`hour`] §1 and §9, [`command`] and [`chain`] §4,
//! [`fire`] and [`hits`] §5, [`movement`] §6, [`melee`] §7, [`supply`] §8, [`cavalry`] §10. [`view`] cuts the fog and
//! [`fog`] says what could be behind it. The book's chapter has the rules in our own words, the coverage
//! table and the rulings.
#![forbid(unsafe_code)]

mod asking;
mod assault;
pub mod cavalry;
pub mod chain;
pub mod charts;
pub mod command;
pub mod common_terms;
mod derive;
pub mod field;
pub mod fire;
pub mod fog;
pub mod hits;
pub mod hour;
pub mod leeway;
mod load;
mod measure;
pub mod melee;
pub mod movement;
mod position;
mod posting;
mod promise;
pub mod rules;
mod ruleset;
pub mod state;
pub mod supply;
pub mod view;

pub use fire::{FirePhase, Volley};
pub use melee::{MeleePhase, Round};
pub use ruleset::Blocks;

cupola_kernel::register! {
    space: "blocks",
    rulesets: [Blocks],
    phases: [hour::Initiative, command::Command, FirePhase, movement::Movement, MeleePhase, cavalry::CavalryPhase, supply::SupplyPhase, hour::HourEnd],
    combats: [Volley, Round],
}
