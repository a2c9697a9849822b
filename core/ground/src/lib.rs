//! Placeholder docs, written with the crate.
