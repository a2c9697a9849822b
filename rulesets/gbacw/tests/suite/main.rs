//! Everything that is proved of this ruleset, in one program: it is linked once.

mod bots;
mod cases;
mod common;
mod conformance;
mod coverage;
mod edges;
mod games;
mod large;
mod mutants;
mod natural;
mod prisoners;
mod special;
mod tables;
