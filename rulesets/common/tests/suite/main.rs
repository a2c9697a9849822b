//! What proves the common parts and `classic`, the game that is made of them.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot load its data must fail"
)]

mod cases;
mod common;
mod conformance;
mod coverage;
mod parts;
mod scaffold;
