//! blindswords: the first day at Gettysburg on 250-yard hexes, by chit-pull.
//!
//! Each module implements a chapter of the rules: [`turn`] §C, [`chits`] §D and §F, [`guns`] §E,
//! [`command`] §F-4 to §H, [`fog`] §F-2, [`events`] the player aids, [`fire`], [`volley`] and [`sight`] §I, [`hits`]
//! §I-6-d, [`march`], [`reach`] and [`engage`] §J, [`declare`], [`assault`] and [`melee`] §K, [`rally`] §L, [`victory`] §M to §O.
//! [`engine`] keeps the stack of what is under way, [`situation`] who stands where. The book's chapter has the rules in our own words,
//! the coverage table and the rulings.
#![forbid(unsafe_code)]

pub mod acts;
mod aids;
mod amend;
mod asking;
pub mod assault;
mod charts;
pub mod chits;
pub mod command;
pub mod common_terms;
pub mod declare;
mod derive;
pub mod engage;
pub mod engine;
pub mod events;
pub mod field;
mod files;
pub mod fire;
pub mod fog;
pub mod ground;
pub mod guns;
pub mod hits;
mod load;
pub mod march;
mod measure;
pub mod melee;
mod position;
mod promise;
pub mod rally;
mod ranges;
pub mod reach;
mod roster;
pub mod rules;
mod ruleset;
pub mod shown;
pub mod sight;
pub mod situation;
pub mod state;
pub mod tables;
pub mod turn;
pub mod units;
pub mod victory;
mod view;
pub mod volley;
mod walked;

pub use ruleset::BlindSwords;

use engine::Part;

fn nothing(_: &mut cupola_kernel::Table) {}

cupola_kernel::register! {
    space: "blindswords",
    rulesets: [BlindSwords],
    phases: [
        Part { name: "turn", begin: turn::begin, end: nothing },
        Part { name: "command", begin: chits::begin, end: nothing },
        Part { name: "artillery", begin: guns::begin, end: nothing },
        Part { name: "chits", begin: chits::begin_draw, end: nothing },
        Part { name: "end", begin: chits::begin_end, end: victory::end_of_turn },
    ],
    combats: [volley::Volley, melee::Melee],
}
