//! The club's table: games for several people in the browser.
//!
//! A [`Club`] holds a data folder, a store and the games that are being played; [`run`] serves it. Invariants:
//! * **Nothing leaves but what `Game::view` gives for a seat** ([`seat_view`](crate::seat_view)): no seed, no hash of the state.
//! * **A choice is acknowledged after it is on the disk.** If it cannot be stored, the game in memory is dropped and
//!   loaded again.
//! * **Every request names the ply that it answers**; a stale one is told so and changes nothing.
//! * **What thinks runs on threads of its own**, never on those that serve.
//! * **A game in memory is a cache**: the store has the choices, and the choices are the game.
#![forbid(unsafe_code)]

mod asked;
mod bell;
mod bots;
mod catalogue;
mod clock;
mod club;
mod elsewhere;
mod finished;
mod lab;
mod luck;
mod name;
mod notice;
mod opening;
mod picture;
mod prototype;
mod reopen;
mod scenery;
mod seat_view;
mod secret;
mod settings;
mod shares;
mod sitting;
mod store;
mod tape;
mod team;
mod variants;
mod web;
mod wrong;

pub use club::Club;
pub use finished::journals;
pub use prototype::{Files, Rules};
pub use settings::{Place, Settings, Trust};
pub use web::{Serving, run};
pub use wrong::Wrong;
