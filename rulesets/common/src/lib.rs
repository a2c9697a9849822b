//! Common phases and combat systems, each with its numbers in RON.
//!
//! A game that is data alone is composed of them: its `ruleset.ron` says `built_on: Some("common")` and names the
//! phases that it plays, its `rules.ron` has their numbers, its battles bring counters and scenarios. `classic` is such
//! a game. Each module implements one chapter of its rules: [`reinforce`] §3, [`movement`] and [`reach`] §4,
//! [`fire`] and [`volley`] §5, [`assault`] and [`tables`] §6, [`turn`] §7, §9 and §10, [`victory`] §8. What is cited is a
//! section of the game's own rulebook; see [`sections`].
#![forbid(unsafe_code)]

mod asking;
pub mod assault;
pub mod charts;
pub mod common_terms;
mod derive;
pub mod field;
pub mod files;
pub mod fire;
mod load;
pub mod movement;
mod position;
mod posting;
pub mod reach;
pub mod reinforce;
pub mod rules;
mod ruleset;
pub mod sections;
pub mod state;
pub mod tables;
pub mod turn;
pub mod victory;
mod view;
pub mod volley;
mod walked;

pub use ruleset::Common;

cupola_kernel::register! {
    space: "common",
    rulesets: [Common],
    phases: [
        reinforce::Reinforcements, movement::Movement, fire::FirePhase, assault::AssaultPhase, turn::RallyPhase,
        turn::SupplyPhase, turn::InitiativePhase, victory::VictoryPhase,
    ],
    combats: [tables::Odds, tables::Differential, volley::Volley],
}
