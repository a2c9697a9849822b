//! For tests: builds a plugin as a shared library, and plays it against the same plugin linked.
//!
//! ```ignore
//! let library = Workshop::new("my-ruleset")?.library("rehearsal", "rehearsal")?;
//! plays_the_same(&rehearsal::contribution(), &library, 0..5, |plugin| {
//!     let mut registry = Registry::default();
//!     registry.add(&my_ruleset::contribution())?;
//!     registry.add(plugin)?;
//!     compose(&registry)
//! })?;
//! ```

mod same;
mod seed;
mod workshop;

pub use same::plays_the_same;
pub use workshop::{Job, Workshop};
