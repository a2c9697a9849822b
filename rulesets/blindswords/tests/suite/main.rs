//! Everything that is proved of this ruleset, in one program: it is linked once.

mod cases;
mod common;
mod conformance;
mod coverage;
mod games;
mod ground;
mod kept;
mod mutants;
mod rulings;
mod tables;
