//! gbacw: Gettysburg by regiments on 125-yard hexes, with a cup of activation markers.
//!
//! Each module implements a chapter of the rules, by the numbers that the battle book cites: [`cup`] §4.1 and §4.4,
//! [`command`] §4.2, [`orders`] §4.3, [`activation`] §4.13 and §5.14, [`movement`],
//! [`maneuver`] and [`steps`] §5.1, [`facing`] §5.3, [`entry`] §5.4 and §5.19,
//! [`reaction`] §5.5, [`fire`], [`aim`], [`salvo`] and [`volley`] §6.1 and §6.3, [`sight`] §6.2, [`cohesion`] §7.1 and §7.2, [`retreat`] §7.3,
//! [`close`] §7.4, [`rout`] §7.5, [`leaders`] §7.7, [`rally`] §8.1, [`recovery`] §8.2 and §7.6, [`attach`] §9.22, [`artillery`] §9.3,
//! [`breastworks`] §10, [`deploy`] §13. What single scenarios add is in [`special`]. [`engine`] keeps the stack of what is
//! under way. The book's chapter has the rules in our own words, the coverage table and the rulings.
#![forbid(unsafe_code)]

pub mod activation;
pub mod acts;
pub mod aim;
pub mod artillery;
mod asking;
pub mod attach;
pub mod breastworks;
mod charts;
pub mod close;
pub mod cohesion;
pub mod command;
pub mod common_terms;
pub mod cup;
pub mod deploy;
mod derive;
pub mod engine;
pub mod entry;
pub mod extended;
pub mod facing;
pub mod field;
mod files;
pub mod fire;
pub mod gallop;
pub mod leaders;
mod load;
pub mod maneuver;
mod measure;
pub mod movement;
pub mod orders;
mod position;
mod posting;
mod promise;
pub mod rally;
mod reach;
pub mod reaction;
pub mod recovery;
pub mod refusal;
pub mod retreat;
pub mod rout;
pub mod rules;
mod ruleset;
pub mod salvo;
pub mod sight;
pub mod special;
pub mod state;
pub mod steps;
pub mod victory;
mod view;
pub mod volley;
mod walked;

pub use files::Weapon;
pub use ruleset::Gbacw;

use engine::Part;

cupola_kernel::register! {
    space: "gbacw",
    rulesets: [Gbacw],
    phases: [
        Part { name: "deploy", begin: deploy::begin },
        Part { name: "initiative", begin: cup::begin_initiative },
        Part { name: "command", begin: command::begin },
        Part { name: "efficiency", begin: cup::begin_efficiency },
        Part { name: "activations", begin: cup::begin_activations },
        Part { name: "commanders", begin: leaders::begin_commanders },
        Part { name: "recovery", begin: recovery::begin_recovery },
        Part { name: "end", begin: recovery::begin_end },
    ],
    combats: [volley::Volley],
}
