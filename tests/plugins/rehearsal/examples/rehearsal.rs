//! The shared library for the tests.
//!
//! `cargo test` builds with the features of development dependencies, and a library must be built with
//! the same. An example is, and it can be asked for by name among the whole workspace without building
//! the rest of it.

cupola_plugin::export!(rehearsal::contribution);
