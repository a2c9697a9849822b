//! Plugins built as shared libraries, loaded, refused and caught.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod catches;
mod parade;
mod plays;
mod refuses;

use cupola_plugin_harness::Workshop;
use std::sync::OnceLock;

/// Where the libraries of all tests are built; it finds out once how.
fn workshop() -> &'static Workshop {
    static WORKSHOP: OnceLock<Result<Workshop, String>> = OnceLock::new();
    let found = WORKSHOP.get_or_init(|| Workshop::new("cupola-plugin"));
    found.as_ref().unwrap_or_else(|error| panic!("{error}"))
}
