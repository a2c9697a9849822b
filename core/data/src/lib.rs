//! Reading data files, and saying what is wrong with them.
//!
//! Everything that a designer edits goes through this crate: a [`Source`] is a file with its
//! name, a [`Problem`] is one thing wrong in it, and [`Problems`] collects them so that a loader
//! can report all of them at once and hand out nothing half-loaded.
//!
//! ```
//! use cupola_data::{Problems, Source};
//!
//! #[derive(serde::Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Gun { range: u32 }
//!
//! let source = Source::new("guns.ron", "(\n  rnage: 4,\n)");
//! let problem = source.ron::<Gun>().err().unwrap();
//! assert_eq!(problem.line, 2);
//! assert_eq!(problem.hint.as_deref(), Some("did you mean \"range\"?"));
//!
//! // A check made after parsing can still say where the field stands.
//! let source = Source::new("guns.ron", "(\n  range: 400,\n)");
//! let gun: Gun = source.ron().unwrap();
//! let mut problems = Problems::new();
//! if gun.range > 40 {
//!     problems.push(source.problem("range", "no gun here shoots 400 hexes"));
//! }
//! let all = problems.check(gun).err().unwrap();
//! assert!(all.to_string().starts_with("guns.ron:2:10: range: no gun here"));
//! ```
//!
//! Every number in the data has a birth certificate, an [`Origin`]; a number and its origin
//! together are a [`Sourced`] value.

mod cell;
mod locate;
mod nearest;
mod origin;
mod outline;
mod problem;
mod range;
mod reading;
mod select;
mod shape;
mod source;
mod tokens;
mod tree;
mod values;
mod written;

pub use cell::{cell, from_cell};
pub use nearest::nearest;
pub use origin::{Origin, Sourced};
pub use outline::outline;
pub use problem::{Problem, Problems, visible};
pub use select::{Found, Lost, Path, Under};
pub use shape::{Heard, fields, overhear, shape};
pub use source::Source;
pub use tree::{Entry, Node, What, plain};
pub use values::{Changed, Value, compare, values};
pub use written::Written;
